/** What is under the pointer: a bone (near its line on the screen), a face of the posed surface. */
import * as THREE from 'three';

const REACH = 9; // pixels around a bone

function to_line(x, y, a, b) {
	const dx = b.x - a.x, dy = b.y - a.y, size = dx * dx + dy * dy;
	const share = size > 0 ? Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / size)) : 0;
	return { far: Math.hypot(x - a.x - share * dx, y - a.y - share * dy), share };
}

/**
 * The bone at x, y of the pane: the nearest line within reach, of about equally near ones the front
 * one; -1 without.
 */
export function pick_bone(viewport, bones_view, x, y, reach = REACH) {
	let best = -1, least = Infinity;
	bones_view.rig.bones.forEach((_, b) => {
		const from = viewport.project(bones_view.joints[b]), to = viewport.project(bones_view.tails[b]);
		if (from.depth > 1 || from.depth < -1) return;
		const { far, share } = to_line(x, y, from, to);
		// a bone is thick near its joint; a ball is a target too
		const thick = Math.min(12, 0.09 * Math.hypot(to.x - from.x, to.y - from.y)) * (share < 0.5 ? 1 : 0.5);
		if (far - thick > reach) return;
		const rank = Math.max(0, far - thick) + 4 * (from.depth * (1 - share) + to.depth * share);
		if (rank < least) { least = rank; best = b; }
	});
	return best;
}

/**
 * {face, point, share} where the ray meets the surface first, or null; points: posed, in the
 * scene's units
 */
export function pick_face(ray, points, indices) {
	const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), hit = new THREE.Vector3();
	let least = Infinity, face = -1;
	const place = new THREE.Vector3();
	for (let i = 0; i < indices.length; i += 3) {
		a.fromArray(points, 3 * indices[i]);
		b.fromArray(points, 3 * indices[i + 1]);
		c.fromArray(points, 3 * indices[i + 2]);
		if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
		const far = hit.distanceToSquared(ray.origin);
		if (far < least) { least = far; face = i / 3; place.copy(hit); }
	}
	return face < 0 ? null : { face, point: place };
}

/** faces with their center within `radius` of a point, facing the camera */
export function faces_near(point, radius, direction, points, indices) {
	const out = [], far = radius * radius;
	for (let i = 0; i < indices.length; i += 3) {
		const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
		const x = (points[a] + points[b] + points[c]) / 3 - point.x, y = (points[a + 1] + points[b + 1] + points[c + 1]) / 3 - point.y;
		const z = (points[a + 2] + points[b + 2] + points[c + 2]) / 3 - point.z;
		if (x * x + y * y + z * z > far) continue;
		const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
		const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
		const away = (uy * vz - uz * vy) * direction.x + (uz * vx - ux * vz) * direction.y + (ux * vy - uy * vx) * direction.z;
		if (away < 0) out.push(i / 3);
	}
	return out;
}
