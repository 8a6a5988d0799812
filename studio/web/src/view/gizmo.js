/**
 * Rings about the active bone's joint to rotate it, or arrows to move a point. Created at first
 * use; it takes drags that begin on its handles.
 */
import * as THREE from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';

export class Gizmo {
	/**
	 * acts: {begin(), turned(q), moved(place), end(), yields(event)}: q is the turn in the world,
	 * place in the scene's units; whether the handles give way to what is under the pointer
	 */
	constructor(viewport, acts) {
		this.viewport = viewport;
		this.proxy = new THREE.Object3D();
		viewport.extras.add(this.proxy);
		this.controls = new TransformControls(viewport.camera, viewport.pane);
		this.controls.setSpace('local');
		this.controls.setSize(0.75);
		this.controls.setColors('#d9483b', '#4aa84a', '#3f7fe0', '#ffb000');
		this.helper = this.controls.getHelper();
		viewport.extras.add(this.helper);
		this.is_dragged = false;
		this.controls.addEventListener('change', () => viewport.request());
		this.controls.addEventListener('mouseDown', () => { this.is_dragged = true; acts.begin(); });
		this.controls.addEventListener('objectChange', () => {
			if (this.controls.mode === 'rotate') acts.turned(this.proxy.quaternion.toArray());
			else acts.moved(this.proxy.position.clone());
		});
		this.controls.addEventListener('mouseUp', () => { this.is_dragged = false; acts.end(); });
		// alt and the other buttons belong to the camera
		const take = (event) => {
			if (this.is_dragged) return;
			const is_free = event.button <= 0 && !event.altKey && !acts.yields(event);
			this.controls.enabled = is_free;
			if (!is_free) this.controls.axis = null;
		};
		for (const topic of ['pointerdown', 'pointermove']) viewport.pane.addEventListener(topic, take, { capture: true });
		viewport.pane.addEventListener('pointerup', () => { this.controls.enabled = true; });
	}

	/** whether the pointer is over a handle */
	get is_wanted() { return this.helper.visible && this.controls.axis !== null && this.controls.object !== undefined; }

	/** Moves to a position in the scene; mode 'rotate' or 'translate'; turn x y z w. */
	show(mode, place, turn) {
		this.controls.camera = this.viewport.camera;
		if (this.is_dragged) return;
		this.controls.setMode(mode);
		this.controls.setSpace(mode === 'rotate' ? 'local' : 'world');
		this.proxy.position.copy(place);
		this.proxy.quaternion.set(...turn);
		this.proxy.updateMatrixWorld(true);
		this.controls.attach(this.proxy);
	}

	hide() {
		if (!this.is_dragged) this.controls.detach();
	}
}
