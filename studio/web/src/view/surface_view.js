/**
 * A rig's surface in the scene: solid, wireframe, painted faces; skinned by the shader from the
 * rows of bones. Also reads the posed positions back from the GPU.
 */
import * as THREE from 'three';
import { color_in } from './colors.js';
import { LooksView } from './looks_view.js';
import { COLORING, places_material, set_variant, skin_uniforms, surface_material } from './skin_shader.js';
import { normals_of } from '../rig/rig.js';
import { TEXELS, fill_transforms, shader_weights, skin_surface } from '../rig/skinning.js';

const WIDTH_OF_PLACES = 1024;

function geometry_of(rig) {
	const { surface } = rig, geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3));
	geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3));
	geometry.setAttribute('amount', new THREE.BufferAttribute(new Float32Array(surface.count), 1));
	geometry.setIndex(new THREE.BufferAttribute(surface.indices, 1));
	geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 0.5);
	return geometry;
}

/** each edge once */
function edges_of(indices) {
	const seen = new Set(), out = [];
	for (let i = 0; i < indices.length; i += 3) {
		for (let k = 0; k < 3; k++) {
			const a = indices[i + k], b = indices[i + (k + 1) % 3], key = a < b ? a * 4294967296 + b : b * 4294967296 + a;
			if (!seen.has(key)) { seen.add(key); out.push(a, b); }
		}
	}
	return new Uint32Array(out);
}

/** the same vertices under another index */
function with_index(geometry, index) {
	const other = new THREE.BufferGeometry();
	for (const [name, attribute] of Object.entries(geometry.attributes)) other.setAttribute(name, attribute);
	other.setIndex(new THREE.BufferAttribute(index, 1));
	other.boundingSphere = geometry.boundingSphere;
	return other;
}

export class SurfaceView {
	constructor(rig, colors) {
		this.rig = rig;
		this.is_dual = false;
		this.object = new THREE.Group();
		this.is_skinned = rig.bone_count > 0 && rig.weights !== null;
		this.rows = new Float32Array(4 * TEXELS * Math.max(1, rig.bone_count));
		this.#set_colors('bones');
		this.texture = new THREE.DataTexture(this.rows, TEXELS, Math.max(1, rig.bone_count), THREE.RGBAFormat, THREE.FloatType);
		this.shared = skin_uniforms(this.texture);
		this.shared.skinned.value = this.is_skinned;
		this.geometry = geometry_of(rig);
		this.#set_weights();
		this.material = surface_material(this.shared, this.#plain, { color: colors.surface }, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
		this.solid = new THREE.Mesh(this.geometry, this.material);
		this.solid.frustumCulled = false;
		this.object.add(this.solid);
		this.wire = null;
		this.marked = null;
		this.looks = null;
		this.colors = colors;
	}

	#set_weights() {
		const { count } = this.rig.surface;
		const none = { joints: [new Uint16Array(4 * count)], shares: [new Float32Array(4 * count)], sets: 1, cut: 0 };
		const { joints, shares, sets, cut } = this.is_skinned ? shader_weights(this.rig) : none;
		this.sets = sets;
		this.cut = cut;
		joints.forEach((list, s) => this.geometry.setAttribute(`joints_${'ab'[s]}`, new THREE.BufferAttribute(list, 4)));
		shares.forEach((list, s) => this.geometry.setAttribute(`shares_${'ab'[s]}`, new THREE.BufferAttribute(list, 4)));
	}

	#set_colors(coloring) {
		this.colored_by = coloring;
		this.rig.bones.forEach((bone, b) => this.rows.set([...color_in(coloring, bone, b, this.rig.bones), 1], 4 * (TEXELS * b + 5)));
	}

	/** how it is blended, in one color */
	get #plain() { return { sets: this.sets, dual: this.is_dual }; }

	/** world: of Pose.world */
	set_world(world) {
		if (!this.is_skinned) return;
		fill_transforms(this.rig, world, this.rows);
		this.texture.needsUpdate = true;
		this.posed = null;
	}

	/** what it looks like, of Looks, or null: shown when the coloring is "materials" */
	set_looks(looks) {
		if (this.looks) {
			this.object.remove(this.looks.object);
			this.looks.dispose();
		}
		this.looks = looks && new LooksView(looks, this.geometry, this.shared, this.#plain);
		if (this.looks) this.object.add(this.looks.object);
	}

	/** look: {coloring, dual, wire, xray, chosen} */
	set_look(look) {
		this.is_dual = look.dual;
		this.shared.chosen_bone.value = look.chosen;
		this.material.uniforms.opacity.value = look.xray ? 0.4 : 1;
		this.material.transparent = look.xray;
		this.material.depthWrite = !look.xray;
		if (look.wire && !this.wire) this.#make_wire();
		if (this.wire) this.wire.visible = look.wire;
		const is_looked = look.coloring === 'materials' && this.looks !== null;
		this.solid.visible = !is_looked;
		if (this.looks) {
			this.looks.object.visible = is_looked;
			this.looks.set_look(look.xray, this.#plain);
		}
		// parts are shown by the shader of bones in other colors
		const of_bones = ['bones', 'roles', 'weight'].includes(look.coloring), wanted = look.coloring === 'materials' || (of_bones && !this.is_skinned) ? 'plain' : look.coloring;
		const coloring = wanted === 'roles' ? 'bones' : wanted, colors = wanted === 'roles' ? 'roles' : 'bones';
		if (this.colored_by !== colors) {
			this.#set_colors(colors);
			this.texture.needsUpdate = true;
		}
		set_variant(this.material, { ...this.#plain, coloring: COLORING[coloring] });
		for (const part of [this.wire, this.marked]) if (part) set_variant(part.material, this.#plain);
	}

	#make_wire() {
		const material = surface_material(this.shared, this.#plain, { color: this.colors.wire, opacity: 0.45, flat_light: true }, { transparent: true, depthWrite: false });
		this.wire = new THREE.LineSegments(with_index(this.geometry, this.rig.surface.edges ??= edges_of(this.rig.surface.indices)), material);
		this.wire.frustumCulled = false;
		this.object.add(this.wire);
	}

	/** Shows triangles (by their numbers in the file) in a color of their own. */
	mark_faces(faces) {
		if (this.marked) {
			this.object.remove(this.marked);
			this.marked.geometry.setIndex(null);
			this.marked.material.dispose();
			this.marked = null;
		}
		if (!faces || faces.length === 0) return;
		const index = new Uint32Array(3 * faces.length), { indices } = this.rig.surface;
		faces.forEach((face, i) => index.set(indices.subarray(3 * face, 3 * face + 3), 3 * i));
		const material = surface_material(this.shared, this.#plain, { color: this.colors.accent, opacity: 0.75 }, { transparent: true, depthWrite: false });
		this.marked = new THREE.Mesh(with_index(this.geometry, index), material);
		this.marked.frustumCulled = false;
		this.object.add(this.marked);
	}

	/**
	 * Shows the surface at other positions: points of the mesh's own vertices, in its units. For
	 * input without a rig.
	 */
	set_points(points) {
		const { surface } = this.rig, scaled = surface.to_scene(points), places = new Float32Array(3 * surface.count);
		for (let i = 0; i < surface.count; i++) places.set(scaled.subarray(3 * surface.vertex(i), 3 * surface.vertex(i) + 3), 3 * i);
		this.geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
		this.geometry.setAttribute('normal', new THREE.BufferAttribute(normals_of(places, surface.indices), 3));
		this.looks?.set_places();
		if (this.wire) for (const name of ['position', 'normal']) this.wire.geometry.setAttribute(name, this.geometry.getAttribute(name));
	}

	/** amounts: from 0 to 1 for each of the mesh's own vertices */
	set_amounts(amounts) {
		const attribute = this.geometry.getAttribute('amount');
		for (let i = 0; i < attribute.count; i++) attribute.array[i] = amounts[this.rig.surface.vertex(i)];
		attribute.needsUpdate = true;
	}

	/**
	 * The posed surface in the scene's units, skinned on the CPU (for picking); kept until the pose
	 * changes.
	 */
	posed_points() {
		const { positions } = this.rig.surface;
		if (!this.is_skinned) return positions;
		this.posed ??= skin_surface(this.rig, this.rows, new Float32Array(positions.length));
		return this.posed;
	}

	/** The mesh's own vertices as the GPU poses them, in the mesh's units. */
	read_places(renderer) {
		const { own, count } = this.rig.surface, height = Math.ceil(count / WIDTH_OF_PLACES);
		const target = new THREE.WebGLRenderTarget(WIDTH_OF_PLACES, height, {
			type: THREE.FloatType, format: THREE.RGBAFormat, depthBuffer: false, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter,
		});
		const flat = with_index(this.geometry, new Uint32Array(count).map((_, i) => i));
		const points = new THREE.Points(flat, places_material(this.shared, this.#plain, WIDTH_OF_PLACES, height));
		points.frustumCulled = false;
		const scene = new THREE.Scene(), pixels = new Float32Array(4 * WIDTH_OF_PLACES * height);
		scene.add(points);
		renderer.setRenderTarget(target);
		renderer.render(scene, new THREE.Camera());
		renderer.readRenderTargetPixels(target, 0, 0, WIDTH_OF_PLACES, height, pixels);
		renderer.setRenderTarget(null);
		target.dispose();
		points.material.dispose();
		const out = new Float64Array(3 * own), { center, diagonal } = this.rig.surface;
		for (let i = 0; i < own; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = pixels[4 * i + k] * diagonal + center[k];
		return out;
	}

	dispose() {
		this.geometry.dispose();
		this.wire?.geometry.dispose();
		this.marked?.geometry.dispose();
		this.texture.dispose();
		this.looks?.dispose();
		for (const part of [this.solid, this.wire, this.marked]) part?.material.dispose();
	}
}
