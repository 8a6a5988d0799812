/**
 * The surface as its materials look: three's standard material for each of the file's, with the
 * skinning of the surface's shader in it. Drawn in the place of the surface, whose vertices
 * everything else works on.
 */
import * as THREE from 'three';
import { skin_standard } from './skin_shader.js';
import { cut_seams } from '../rig/looks.js';

const SETS_MAX = 4; // three's materials read so many

/** light from the camera's side, as the surface's shader has it */
function make_lights() {
	const group = new THREE.Group(), key = new THREE.DirectionalLight(0xffffff, 2), back = new THREE.DirectionalLight(0xffffff, 0.5);
	key.position.set(-0.45, 0.65, 0.65);
	back.position.set(0.7, -0.2, 0.35);
	group.add(key, back, new THREE.HemisphereLight(0xffffff, 0x9a948c, 1.5));
	return group;
}

const WRAPS = { repeat: THREE.RepeatWrapping, clamp: THREE.ClampToEdgeWrapping, mirror: THREE.MirroredRepeatWrapping };

/** texture: of the material; color: its bytes are sRGB */
function texture_of(looks, texture, color) {
	const image = texture && looks.images[texture.image];
	if (!image || texture.set >= SETS_MAX || !looks.arrays[`texcoords_${texture.set}`]) return null;
	const out = image.clone(), [x, y] = texture.scale, c = Math.cos(texture.rotation), s = Math.sin(texture.rotation);
	[out.wrapS, out.wrapT] = texture.wraps.map((wrap) => WRAPS[wrap]);
	out.channel = texture.set;
	if (color) out.colorSpace = THREE.SRGBColorSpace;
	out.matrixAutoUpdate = false;
	out.matrix.set(c * x, -s * y, texture.offset[0], s * x, c * y, texture.offset[1], 0, 0, 1);
	// its image is sent to the GPU once, for all copies
	out.version = 1;
	return out;
}

function material_of(looks, from, shared, variant) {
	const { textures } = from, metal = texture_of(looks, textures.metal, false), normal = texture_of(looks, textures.normal, false), occlusion = texture_of(looks, textures.occlusion, false);
	const emission = texture_of(looks, textures.emission, true), map = texture_of(looks, textures.color, true), blends = from.alpha === 'blend';
	const material = new THREE.MeshStandardMaterial({
		opacity: blends ? from.color[3] : 1, transparent: blends, depthWrite: !blends, alphaTest: from.alpha === 'mask' ? from.cutoff : 0,
		metalness: from.metallic, roughness: from.roughness, side: from.double_sided ? THREE.DoubleSide : THREE.FrontSide, vertexColors: Boolean(looks.arrays.colors),
		map, normalMap: normal, normalScale: new THREE.Vector2(from.normal_scale, from.normal_scale), metalnessMap: metal, roughnessMap: metal, aoMap: occlusion, aoMapIntensity: from.occlusion, emissiveMap: emission,
		polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
	});
	if (from.alpha === 'mask') material.opacity = from.color[3];
	material.color.setRGB(...from.color.slice(0, 3));
	// an image that cannot be shown does not glow all over
	if (!textures.emission || emission) material.emissive.setRGB(...from.emission);
	material.userData = { transparent: blends, opacity: material.opacity, depthWrite: !blends, alphaTest: material.alphaTest };
	skin_standard(material, shared, variant);
	return material;
}

/** the values of the vertices that copies are of */
function gather({ array, itemSize }, origin) {
	const out = new array.constructor(itemSize * origin.length);
	for (let i = 0; i < origin.length; i++) for (let k = 0; k < itemSize; k++) out[itemSize * i + k] = array[itemSize * origin[i] + k];
	return new THREE.BufferAttribute(out, itemSize);
}

export class LooksView {
	/** base: the surface's geometry; shared, variant: as of its material */
	constructor(looks, base, shared, variant) {
		this.cut = looks.cut ??= cut_seams(base.index.array, base.getAttribute('position').count, looks.arrays);
		this.base = base;
		this.geometry = new THREE.BufferGeometry();
		this.geometry.boundingSphere = base.boundingSphere;
		this.geometry.setIndex(new THREE.BufferAttribute(this.cut.indices, 1));
		this.cut.uvs.slice(0, SETS_MAX).forEach((uvs, set) => this.geometry.setAttribute(`uv${set || ''}`, new THREE.BufferAttribute(uvs, 2)));
		for (const [name, attribute] of Object.entries(base.attributes)) if (/^(joints|shares)_/.test(name)) this.geometry.setAttribute(name, gather(attribute, this.cut.origin));
		if (looks.arrays.colors) this.geometry.setAttribute('color', gather({ array: looks.arrays.colors, itemSize: 4 }, this.cut.origin));
		this.set_places();
		this.materials = looks.materials.map((material) => material_of(looks, material, shared, variant));
		for (const [start, count, material] of this.cut.groups) this.geometry.addGroup(start, count, material);
		this.mesh = new THREE.Mesh(this.geometry, this.materials);
		this.mesh.frustumCulled = false;
		this.lights = make_lights();
		this.object = new THREE.Group();
		this.object.add(this.mesh, this.lights);
	}

	/** after the surface's positions and normals have changed */
	set_places() {
		for (const name of ['position', 'normal']) this.geometry.setAttribute(name, gather(this.base.getAttribute(name), this.cut.origin));
	}

	/** the lights stand around the camera */
	follow(camera) {
		this.lights.quaternion.copy(camera.quaternion);
		this.lights.updateMatrixWorld();
	}

	set_look(xray, variant) {
		for (const material of this.materials) {
			const { transparent, opacity, depthWrite, alphaTest } = material.userData, share = xray ? 0.4 : 1, was = material.transparent;
			material.transparent = transparent || xray;
			material.opacity = opacity * share;
			material.alphaTest = alphaTest * share;
			material.depthWrite = depthWrite && !xray;
			if (was !== material.transparent) material.needsUpdate = true;
			skin_standard(material, null, variant);
		}
	}

	/** images stay: others show them, too */
	dispose() {
		this.geometry.dispose();
		for (const material of this.materials) {
			for (const name of ['map', 'normalMap', 'metalnessMap', 'aoMap', 'emissiveMap']) material[name]?.dispose();
			material.dispose();
		}
	}
}
