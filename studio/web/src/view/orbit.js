/**
 * The camera: orbits about a point as Blender's and Maya's do. Middle button or alt-left orbits,
 * with shift (or alt-middle) pans, wheel or alt-right zooms; a left drag that begins on nothing
 * orbits too. The scene is of size 1, Y up.
 */
import * as THREE from 'three';

const QUARTER = Math.PI / 2;

export class Orbit {
	/** changed: called whenever the camera has moved */
	constructor(element, changed) {
		this.element = element;
		this.changed = changed;
		this.target = new THREE.Vector3();
		this.yaw = 0.6;
		this.pitch = 0.2;
		this.distance = 1.6;
		this.flat = false;
		this.perspective = new THREE.PerspectiveCamera(35, 1, 0.01, 50);
		this.parallel = new THREE.OrthographicCamera(-1, 1, 1, -1, -20, 50);
		this.aspect = 1;
		element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
		this.update();
	}

	get camera() { return this.flat ? this.parallel : this.perspective; }

	/** which drag a press of a button begins: 'turn', 'move', 'near' or null */
	static drag_of(event) {
		if (event.button === 1) return event.shiftKey || event.altKey ? 'move' : event.ctrlKey ? 'near' : 'turn';
		if (event.altKey && event.button === 0) return event.shiftKey ? 'move' : 'turn';
		if (event.altKey && event.button === 2) return 'near';
		return null;
	}

	drag(kind, dx, dy) {
		if (kind === 'turn') {
			this.yaw -= dx * 0.008;
			this.pitch = Math.max(-QUARTER, Math.min(QUARTER, this.pitch + dy * 0.008));
			this.update();
		} else if (kind === 'move') this.move(dx, dy);
		else this.near(Math.exp(0.006 * (dy - dx)));
	}

	move(dx, dy) {
		const unit = 2 * this.distance * Math.tan(this.perspective.fov * Math.PI / 360) / this.element.clientHeight;
		const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
		this.target.addScaledVector(right, -dx * unit).addScaledVector(up, dy * unit);
		this.update();
	}

	near(factor) {
		this.distance = Math.max(0.005, Math.min(20, this.distance * factor));
		this.update();
	}

	#wheel(event) {
		event.preventDefault();
		const lines = event.deltaMode === 1 ? 18 : 1;
		this.near(Math.exp(0.0011 * lines * event.deltaY));
	}

	look(yaw, pitch) {
		this.yaw = yaw;
		this.pitch = pitch;
		this.update();
	}

	/** Frames a sphere. */
	frame(center, radius) {
		this.target.copy(center);
		const half = this.perspective.fov * Math.PI / 360, wide = Math.atan(Math.tan(half) * Math.min(1, this.aspect));
		this.distance = Math.max(0.02, 1.02 * radius / Math.sin(wide));
		this.update();
	}

	/** Frames points (x y z each) as large as possible. */
	frame_points(points) {
		// a sample of the points
		const box = new THREE.Box3(), point = new THREE.Vector3(), step = 3 * Math.max(1, Math.floor(points.length / 3 / 2000));
		for (let i = 0; i < points.length; i += step) box.expandByPoint(point.fromArray(points, i));
		this.frame(box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3()).length() / 2);
		for (let round = 0; round < 4; round++) {
			const seen = new THREE.Box2();
			for (let i = 0; i < points.length; i += step) {
				point.fromArray(points, i).project(this.camera);
				seen.expandByPoint(point);
			}
			// a toolbar is above, margins are at the sides
			const middle = seen.getCenter(new THREE.Vector2()), size = seen.getSize(new THREE.Vector2());
			const half = this.distance * Math.tan(this.perspective.fov * Math.PI / 360), { matrixWorld } = this.camera;
			this.target.addScaledVector(new THREE.Vector3().setFromMatrixColumn(matrixWorld, 0), middle.x * half * this.aspect);
			this.target.addScaledVector(new THREE.Vector3().setFromMatrixColumn(matrixWorld, 1), (middle.y + 0.05) * half);
			this.distance *= Math.max(0.4, Math.min(1.5, Math.max(size.x / 1.75, size.y / 1.6)));
			this.update();
		}
	}

	/** what is visible stays visible in a narrower window */
	set_aspect(aspect) {
		if (aspect === this.aspect) return;
		const room = (a) => Math.max(1, 1 / a);
		this.distance *= room(aspect) / room(this.aspect);
		this.aspect = aspect;
		this.update();
	}

	update() {
		const { perspective, parallel, distance } = this, c = Math.cos(this.pitch);
		const direction = new THREE.Vector3(c * Math.sin(this.yaw), Math.sin(this.pitch), c * Math.cos(this.yaw));
		// from straight above, up is the direction of the yaw
		const up = Math.abs(this.pitch) > QUARTER - 1e-3 ? new THREE.Vector3(-Math.sin(this.yaw), 0, -Math.cos(this.yaw)).multiplyScalar(Math.sign(this.pitch)) : new THREE.Vector3(0, 1, 0);
		for (const camera of [perspective, parallel]) {
			camera.up.copy(up);
			camera.position.copy(this.target).addScaledVector(direction, distance);
			camera.lookAt(this.target);
		}
		perspective.aspect = this.aspect;
		perspective.near = distance * 0.02;
		perspective.far = distance + 20;
		const half = distance * Math.tan(perspective.fov * Math.PI / 360);
		Object.assign(parallel, { left: -half * this.aspect, right: half * this.aspect, top: half, bottom: -half });
		for (const camera of [perspective, parallel]) {
			camera.updateProjectionMatrix();
			camera.updateMatrixWorld();
		}
		this.changed();
	}
}
