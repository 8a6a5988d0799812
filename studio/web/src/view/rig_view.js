/**
 * One rig as it is drawn: its surface, its skeleton over it, its joint axes. A pane shows one of
 * them.
 */
import * as THREE from 'three';
import { Rig, Surface } from '../rig/rig.js';
import { BonesView } from './bones_view.js';
import { SurfaceView } from './surface_view.js';

export class RigView {
	constructor(rig, colors) {
		this.rig = rig;
		this.surface = new SurfaceView(rig, colors);
		this.bones = new BonesView(rig, colors);
		this.scene = new THREE.Scene();
		this.front = new THREE.Scene();
		this.scene.add(this.surface.object);
		this.front.add(this.bones.object);
		this.in_front = true;
	}

	set_world(world) {
		this.surface.set_world(world);
		this.bones.set_world(world);
	}

	set_look(look) {
		this.surface.set_look(look);
		this.bones.set_look(look);
		this.bones.object.visible = look.bones;
		this.in_front = look.in_front;
	}

	dispose() {
		this.surface.dispose();
		this.bones.dispose();
	}
}

/** One triangle on one bone: its shaders are those of any rig. */
export function smallest_rig() {
	const surface = new Surface({ count: 3, own: 3, origin: null, positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), normals: null, indices: new Uint32Array([0, 1, 2]) }, null);
	const weights = { influences: 1, bones: new Uint16Array(3), values: new Float32Array(3).fill(1) };
	return new Rig(surface, [{ name: '', parent: -1, kind: 'root', joint: [0, 0, 0], tail: [0, 1, 0], orientation: [0, 0, 0, 1], limits: null }], weights, null);
}
