/**
 * Joints in detail: their three axes as short lines (x red, y green, z blue), a hinge's own axis in
 * yellow, and for one joint the range of its limits, as a fan about each axis, with a hand at its
 * current angle.
 */
import * as THREE from 'three';
import { DEGREE, about, angles_of, inverse, multiply, turn } from '../base/turns.js';

const COLORS = [0xd9483b, 0x3f9b3f, 0x3b78d9], HINGE = 0xd9a400;
const LINES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export class AxesView {
	constructor(rig) {
		this.rig = rig;
		this.object = new THREE.Group();
		this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
		this.fans = new THREE.Group();
		this.lines.frustumCulled = false;
		this.object.add(this.lines, this.fans);
	}

	/** look: {axes, ranges, active}; the current world transforms and pose */
	update(look, world, pose) {
		this.lines.visible = look.axes;
		if (look.axes) this.#draw_axes(world);
		this.#clear_fans();
		if (look.ranges && look.active >= 0 && this.rig.bones[look.active]?.limits) this.#draw_fans(look.active, world, pose);
	}

	#draw_axes(world) {
		const places = [], colors = [], color = new THREE.Color();
		const push = (from, direction, size, hex) => {
			places.push(...from, ...from.map((x, k) => x + size * direction[k]));
			color.setHex(hex, THREE.LinearSRGBColorSpace);
			colors.push(color.r, color.g, color.b, color.r, color.g, color.b);
		};
		this.rig.bones.forEach((bone, b) => {
			const from = this.rig.surface.scene_point(world.places[b]), size = Math.max(0.012, Math.min(0.04, 0.4 * this.rig.length(b) / this.rig.surface.diagonal));
			LINES.forEach((line, k) => push(from, turn(world.turns[b], line), size, COLORS[k]));
			if (bone.kind === 'hinge') {
				const direction = turn(multiply(world.turns[b], inverse(bone.orientation)), bone.axis);
				push(from, direction, 1.5 * size, HINGE);
				push(from, direction, -1.5 * size, HINGE);
			}
		});
		this.lines.geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
		this.lines.geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
	}

	/** turns are rest Rz Ry Rx: each axis is shown as rotated by the outer ones */
	#draw_fans(b, world, pose) {
		const bone = this.rig.bones[b], local = multiply(inverse(bone.rest.rotation), pose.rotations[b]), [x, y, z] = angles_of(local);
		const base = multiply(bone.parent < 0 ? [0, 0, 0, 1] : world.turns[bone.parent], bone.rest.rotation);
		const turn_z = multiply(base, about([0, 0, 1], z * DEGREE)), turn_y = multiply(turn_z, about([0, 1, 0], y * DEGREE));
		const place = new THREE.Vector3(...this.rig.surface.scene_point(world.places[b]));
		[turn_y, turn_z, base].forEach((frame, k) => {
			const [least, most] = bone.limits[k];
			if (most - least < 0.05) return;
			this.fans.add(this.#fan(place, frame, k, least, most, [x, y, z][k]));
		});
	}

	#fan(place, frame, axis, least, most, now) {
		const radius = 0.05, from = [[0, 0, 1], [0, 0, 1], [0, 1, 0]][axis], steps = Math.max(2, Math.ceil((most - least) / 6)), points = [0, 0, 0], index = [];
		const at = (angle) => turn(about(LINES[axis], angle * DEGREE), from).map((v) => v * radius);
		for (let i = 0; i <= steps; i++) {
			points.push(...at(least + (most - least) * i / steps));
			if (i > 0) index.push(0, i, i + 1);
		}
		const geometry = new THREE.BufferGeometry();
		geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
		geometry.setIndex(index);
		const color = new THREE.Color().setHex(COLORS[axis], THREE.LinearSRGBColorSpace);
		const group = new THREE.Group();
		group.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false })));
		const hand = new THREE.BufferGeometry();
		hand.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, ...at(now).map((v) => 1.15 * v)], 3));
		group.add(new THREE.Line(hand, new THREE.LineBasicMaterial({ color })));
		group.position.copy(place);
		group.quaternion.set(...frame);
		return group;
	}

	#clear_fans() {
		this.fans.traverse((part) => { part.geometry?.dispose(); part.material?.dispose(); });
		this.fans.clear();
	}

	dispose() {
		this.#clear_fans();
		this.lines.geometry.dispose();
		this.lines.material.dispose();
	}
}
