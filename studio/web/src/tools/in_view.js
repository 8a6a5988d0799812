/**
 * Movements of the pointer as translations in the scene: parallel to the view plane through a
 * point, or along one axis.
 */
import * as THREE from 'three';

export const AXES = Object.freeze({ x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] });

/** the translation from the pointer's first position to its current one, at the depth of `point` */
export function offset_in_view(viewport, point, start, place) {
	const sight = viewport.camera.getWorldDirection(new THREE.Vector3()), plane = new THREE.Plane().setFromNormalAndCoplanarPoint(sight, point);
	const from = viewport.ray(start.x, start.y).intersectPlane(plane, new THREE.Vector3()), to = viewport.ray(place.x, place.y).intersectPlane(plane, new THREE.Vector3());
	return from && to ? to.sub(from) : new THREE.Vector3();
}

/**
 * the component of a translation along an axis: as far as the pointer moves along the axis on the
 * screen
 */
export function offset_on_axis(viewport, point, axis, start, place) {
	const line = new THREE.Vector3(...axis), a = viewport.project(point), b = viewport.project(point.clone().addScaledVector(line, 0.1));
	const dx = b.x - a.x, dy = b.y - a.y, size = dx * dx + dy * dy;
	if (size < 1e-6) return new THREE.Vector3();
	return line.multiplyScalar(0.1 * ((place.x - start.x) * dx + (place.y - start.y) * dy) / size);
}
