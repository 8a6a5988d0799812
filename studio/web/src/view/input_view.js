/** The input's surface in one frame: beside the rig's replay, or over it. */
import * as THREE from 'three';
import { normals_of } from '../rig/rig.js';
import { skin_uniforms, surface_material } from './skin_shader.js';

export class InputView {
	/** over: drawn over the rig, transparent */
	constructor(surface, colors, over) {
		this.surface = surface;
		this.geometry = new THREE.BufferGeometry();
		this.geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(surface.positions), 3));
		this.geometry.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(surface.normals), 3));
		for (const [name, parts] of [['joints_a', 4], ['shares_a', 4], ['amount', 1]]) {
			this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(surface.count * parts), parts));
		}
		this.geometry.setIndex(new THREE.BufferAttribute(surface.indices, 1));
		const shared = skin_uniforms(new THREE.DataTexture(new Float32Array(4), 1, 1, THREE.RGBAFormat, THREE.FloatType));
		shared.skinned.value = false;
		this.shared = shared;
		this.material = surface_material(shared, { sets: 1 }, { color: colors.other, opacity: over ? 0.45 : 1 }, { transparent: over, depthWrite: !over });
		this.mesh = new THREE.Mesh(this.geometry, this.material);
		this.mesh.frustumCulled = false;
		this.scene = new THREE.Scene();
		this.front = new THREE.Scene();
		this.in_front = false;
		this.scene.add(this.mesh);
		this.rig = { surface };
	}

	/** points: of the mesh's own vertices, in its units */
	set_points(points) {
		const scaled = this.surface.to_scene(points), place = this.geometry.getAttribute('position'), normal = this.geometry.getAttribute('normal');
		for (let i = 0; i < this.surface.count; i++) {
			const own = 3 * this.surface.vertex(i);
			place.setXYZ(i, scaled[own], scaled[own + 1], scaled[own + 2]);
		}
		normal.array.set(normals_of(place.array, this.surface.indices));
		place.needsUpdate = normal.needsUpdate = true;
	}

	dispose() {
		this.geometry.dispose();
		this.material.dispose();
		this.shared.bone_rows.value.dispose();
	}
}
