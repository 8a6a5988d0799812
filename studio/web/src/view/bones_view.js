/**
 * The skeleton in the scene: an octahedron for every bone from its joint to its tail, a ball at
 * every joint, thin lines where a bone does not begin at its parent's tail. The root is yellow, the
 * selection orange.
 */
import * as THREE from 'three';
import { Pose } from '../rig/pose.js';
import { color_in } from './colors.js';
import { line_material } from './line_material.js';

// along +Y from 0 to 1, widest at a tenth; flat faces
function octahedron() {
	const w = 0.11, y = 0.13, ring = [[w, y, 0], [0, y, w], [-w, y, 0], [0, y, -w]], out = [];
	for (let k = 0; k < 4; k++) {
		const a = ring[k], b = ring[(k + 1) % 4];
		out.push([0, 0, 0], a, b, [0, 1, 0], b, a);
	}
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.Float32BufferAttribute(out.flat(), 3));
	geometry.computeVertexNormals();
	return geometry;
}

const vertex_shader = `
out vec3 tint;
out vec3 normal_in_view;
void main() {
	mat4 place = modelViewMatrix * instanceMatrix;
	tint = instanceColor;
	normal_in_view = mat3(place) * normal;
	gl_Position = projectionMatrix * place * vec4(position, 1.0);
}`;
const fragment_shader = `
in vec3 tint;
in vec3 normal_in_view;
uniform float opacity;
out vec4 color;
void main() {
	float light = dot(normalize(normal_in_view), normalize(vec3(-0.4, 0.6, 0.7)));
	color = vec4(tint * (0.72 + 0.30 * light), opacity);
}`;

const bone_material = () => new THREE.ShaderMaterial({
	glslVersion: THREE.GLSL3, vertexShader: vertex_shader, fragmentShader: fragment_shader, side: THREE.DoubleSide,
	uniforms: { opacity: { value: 1 } }, transparent: false,
});

export class BonesView {
	constructor(rig, colors) {
		this.rig = rig;
		this.colors = colors;
		this.object = new THREE.Group();
		const count = Math.max(1, rig.bone_count);
		this.material = bone_material();
		this.solids = new THREE.InstancedMesh(octahedron(), this.material, count);
		this.balls = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(1, 1), this.material, count);
		this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), line_material(colors.relation, 0.7));
		this.lines.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3));
		for (const part of [this.solids, this.balls]) {
			part.setColorAt(0, new THREE.Color());
			part.count = rig.bone_count;
		}
		for (const part of [this.solids, this.balls, this.lines]) part.frustumCulled = false;
		this.object.add(this.lines, this.solids, this.balls);
		this.doubts = this.#make_doubts();
		this.joints = [];
		this.tails = [];
		this.ball_size = this.#find_ball_size();
	}

	/** a pale ball around every joint that is not sure, as large as its deviation; null without */
	#make_doubts() {
		const unsure = this.rig.bones.map((bone, b) => b).filter((b) => this.rig.bones[b].deviation > 0);
		if (unsure.length === 0) return null;
		const material = new THREE.MeshBasicMaterial({ color: 0xd9361a, transparent: true, opacity: 0.22, depthWrite: false });
		const balls = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(1, 3), material, unsure.length);
		balls.frustumCulled = false;
		balls.visible = false;
		this.object.add(balls);
		return { balls, unsure };
	}

	#place_doubts() {
		const { balls, unsure } = this.doubts, matrix = new THREE.Matrix4(), none = new THREE.Quaternion();
		unsure.forEach((b, i) => {
			const radius = this.rig.bones[b].deviation / this.rig.surface.diagonal;
			balls.setMatrixAt(i, matrix.compose(this.joints[b], none, new THREE.Vector3(radius, radius, radius)));
		});
		balls.instanceMatrix.needsUpdate = true;
	}

	#find_ball_size() {
		const lengths = this.rig.bones.map((_, b) => this.rig.length(b) / this.rig.surface.diagonal).sort((a, b) => a - b);
		const middle = lengths[lengths.length >> 1] ?? 0.1;
		return Math.max(0.0022, Math.min(0.0065, 0.055 * middle));
	}

	/**
	 * world: of Pose.world; moved: {b, part: 'joint' or 'tail', place} that is previewed at another
	 * position, or nothing
	 */
	set_world(world, moved = null) {
		const { rig } = this, { surface } = rig, matrix = new THREE.Matrix4(), up = new THREE.Vector3(0, 1, 0);
		const turn = new THREE.Quaternion(), size = new THREE.Vector3(), direction = new THREE.Vector3();
		const lines = this.lines.geometry.getAttribute('position');
		rig.bones.forEach((bone, b) => {
			const joint = new THREE.Vector3(...surface.scene_point(moved?.b === b && moved.part === 'joint' ? moved.place : world.places[b]));
			const tail = new THREE.Vector3(...surface.scene_point(moved && is_moved_tail(rig, b, moved) ? moved.place : Pose.tail(rig, world, b)));
			this.joints[b] = joint;
			this.tails[b] = tail;
			direction.subVectors(tail, joint);
			const length = Math.max(1e-4, direction.length()), width = Math.min(length, Math.max(0.6 * length, 0.06));
			turn.setFromUnitVectors(up, direction.normalize());
			this.solids.setMatrixAt(b, matrix.compose(joint, turn, size.set(width, length, width)));
			const ball = this.ball_size * (bone.parent < 0 ? 1.6 : 1);
			this.balls.setMatrixAt(b, matrix.compose(joint, turn, size.set(ball, ball, ball)));
			const from = bone.parent < 0 ? joint : nearer(joint, this.joints[bone.parent], this.tails[bone.parent]);
			lines.setXYZ(2 * b, from.x, from.y, from.z);
			lines.setXYZ(2 * b + 1, joint.x, joint.y, joint.z);
		});
		if (this.doubts) this.#place_doubts();
		lines.needsUpdate = true;
		this.solids.instanceMatrix.needsUpdate = true;
		this.balls.instanceMatrix.needsUpdate = true;
	}

	/** look: {selected: Set, active, hovered, by_color, colored} of bones' numbers */
	set_look(look) {
		const { colors } = this, color = new THREE.Color();
		if (this.doubts) this.doubts.balls.visible = look.coloring === 'roles';
		this.rig.bones.forEach((bone, b) => {
			if (bone.parent < 0) color.copy(colors.root);
			else if (look.by_color) color.setRGB(...color_in(look.coloring, bone, b, this.rig.bones));
			else color.copy(colors.bone);
			if (look.selected.has(b)) color.copy(b === look.active ? colors.active : colors.selected);
			else if (b === look.hovered) color.lerp(colors.hover, 0.6);
			this.solids.setColorAt(b, color);
			if (bone.parent < 0) color.copy(colors.root);
			this.balls.setColorAt(b, color);
		});
		this.solids.instanceColor.needsUpdate = true;
		this.balls.instanceColor.needsUpdate = true;
	}

	dispose() {
		for (const part of [this.solids, this.balls, this.lines]) part.geometry.dispose();
		this.doubts?.balls.geometry.dispose();
		this.doubts?.balls.material.dispose();
		this.doubts?.balls.dispose();
		this.solids.dispose();
		this.balls.dispose();
		this.material.dispose();
		this.lines.material.dispose();
	}
}

// a bone's tail follows its only child's joint
function is_moved_tail(rig, b, moved) {
	if (moved.part === 'tail') return moved.b === b;
	return rig.bones[moved.b].parent === b && rig.children[b].length === 1;
}

const nearer = (point, a, b) => (point.distanceToSquared(a) < point.distanceToSquared(b) ? a : b);
