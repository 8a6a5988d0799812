/** One rig as it is seen: its surface, its skeleton over it, its joint axes. A pane shows one of them. */
import * as THREE from 'three';
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
