/**
 * One stage of the contraction in the scene: the mesh graph, what a step leaves of it, the control
 * points with their regions, or the curve.
 */
import * as THREE from 'three';
import { bone_color } from './colors.js';
import { line_material } from './line_material.js';

const BALL = 0.008; // of the mesh's diagonal

function lines(positions, edges, material) {
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', positions);
	geometry.setIndex(new THREE.BufferAttribute(edges, 1));
	const object = new THREE.LineSegments(geometry, material);
	object.frustumCulled = false;
	return object;
}

export class StagesView {
	constructor(surface, stages, colors) {
		Object.assign(this, { stages, surface, rig: { surface }, in_front: false, scene: new THREE.Scene(), front: new THREE.Scene() });
		const points = new THREE.BufferAttribute(new Float32Array(3 * stages.vertices), 3);
		const centers = new THREE.BufferAttribute(surface.to_scene(stages.centers), 3);
		this.points = points;
		this.graph = lines(points, stages.edges, line_material(colors.wire));
		this.joins = lines(points, stages.joins, line_material(colors.active));
		this.splits = lines(points, stages.splits, line_material(colors.root));
		this.regions = lines(points, stages.edges, new THREE.LineBasicMaterial({ vertexColors: true }));
		this.regions.geometry.setAttribute('color', this.#region_colors());
		this.curve = lines(centers, stages.curve, line_material(colors.accent));
		this.cuts = lines(centers, stages.cuts, line_material(colors.active));
		this.balls = this.#make_balls(stages.points.length / 3);
		this.scene.add(this.graph, this.joins, this.splits, this.regions, this.curve, this.cuts, this.balls);
		this.show(0, 'graph');
	}

	#region_colors() {
		const { graph_points: point } = this.stages, out = new Float32Array(3 * point.length);
		for (let v = 0; v < point.length; v++) out.set(bone_color(point[v]), 3 * v);
		return new THREE.BufferAttribute(out, 3);
	}

	#make_balls(count) {
		const balls = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(BALL, 1), new THREE.MeshBasicMaterial(), Math.max(1, count));
		balls.count = count;
		balls.frustumCulled = false;
		for (let p = 0; p < count; p++) balls.setColorAt(p, new THREE.Color(...bone_color(p)));
		return balls;
	}

	#place_balls(points) {
		const place = new THREE.Matrix4(), at = this.surface.to_scene(points);
		for (let p = 0; p < this.balls.count; p++) {
			// the root is larger
			const size = p === this.stages.root ? 1.6 : 1;
			this.balls.setMatrixAt(p, place.makeScale(size, size, size).setPosition(at[3 * p], at[3 * p + 1], at[3 * p + 2]));
		}
		this.balls.instanceMatrix.needsUpdate = true;
	}

	/** at: the number of the stage; kind: 'graph', 'step', 'points' or 'curve' */
	show(at, kind) {
		const { stages } = this, step = kind === 'step' ? at : 0, has_points = kind === 'points' || kind === 'curve';
		this.points.array.set(this.surface.to_scene(stages.positions.subarray(3 * step * stages.vertices, 3 * (step + 1) * stages.vertices)));
		this.points.needsUpdate = true;
		this.graph.visible = !has_points;
		this.joins.visible = !has_points;
		this.splits.visible = kind === 'graph';
		this.regions.visible = has_points;
		this.balls.visible = has_points;
		this.curve.visible = this.cuts.visible = kind === 'curve';
		if (has_points) this.#place_balls(kind === 'points' ? stages.points : stages.centers);
	}

	dispose() {
		for (const part of this.scene.children) {
			part.geometry.dispose();
			part.material.dispose();
		}
		this.balls.dispose();
	}
}
