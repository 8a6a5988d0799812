/**
 * What the surface looks like: fetched once for each mesh, when materials are to be shown; images
 * are decoded by the browser. Topics: "looks" (they are there, or there are none).
 */
import * as THREE from 'three';
import { Signal } from '../base/signal.js';
import { has_looks, read_looks } from '../rig/looks.js';

const SIDE_MAX = 4096; // more is not seen, and not every GPU takes it

export class Looks extends Signal {
	constructor(app) {
		super();
		this.app = app;
		this.key = null;
		this.shown = null; // {materials, images, arrays, cut} or null
		this.is_asked = false;
		app.session.on('rig', () => this.#refresh());
		app.look.on('look', (name) => name === 'coloring' && this.#refresh());
	}

	/** whether the list of colorings has materials */
	get are_there() { return this.shown !== null; }

	/** those for another surface, where that has the same faces; else null */
	of(surface) {
		const own = this.app.session.surface, is_same = own && surface.count === own.count && surface.indices.length === own.indices.length && surface.indices.every((vertex, i) => vertex === own.indices[i]);
		return is_same ? this.shown : null;
	}

	/** the coloring that is shown for the one that is chosen */
	coloring(chosen) { return chosen === 'materials' && !this.are_there ? 'plain' : chosen; }

	#refresh() {
		const { session, look } = this.app, { files, step } = session.state;
		// the same mesh may have been opened again, with other images
		const opened = [...session.history.past, step].filter((one) => one?.do === 'open').length;
		const key = session.surface && JSON.stringify([session.api.session, session.surface_key, files, opened]);
		if (key !== this.key) {
			this.#drop();
			this.key = key;
			this.is_asked = false;
		}
		if (!key || this.is_asked || look.get('coloring') !== 'materials') return;
		this.is_asked = true;
		this.#fetch(key).catch((error) => this.app.notices.show('bad', error.message, { key: 'looks' }));
	}

	#drop() {
		const had = this.shown;
		for (const image of had?.images ?? []) {
			image?.source.data.close?.();
			image?.dispose();
		}
		this.shown = null;
		if (had) this.emit('looks', null);
	}

	async #fetch(key) {
		const { session, notices } = this.app, read = read_looks((await session.api.bytes('looks')).bytes);
		if (key !== this.key || read.mesh !== session.surface_key) return;
		const { looks: { materials, images }, arrays, warnings } = read, faults = [...warnings];
		const tell = () => faults.length > 0 && notices.show('plain', faults.length > 2 ? `${faults[0]} And ${faults.length - 1} more like this.` : faults.join(' '), { key: 'looks', stays: true });
		if (!has_looks(read)) { tell(); return; }
		const used = new Set(materials.flatMap(({ textures }) => Object.values(textures)).filter(Boolean).map(({ image }) => image));
		const decoded = await Promise.all(images.map((image, i) => used.has(i) && decode(image, arrays[`image_${i}`]).catch((error) => {
			faults.push(`The image “${image.name}” cannot be shown: ${error.message}`);
			return null;
		})));
		if (key !== this.key) return;
		this.shown = { materials, arrays, images: decoded, cut: null };
		tell();
		this.emit('looks', this.shown);
	}
}

const REASONS = { 'image/ktx2': 'KTX2 is for graphics cards; save it as PNG or JPEG.', 'image/vnd-ms.dds': 'DDS is for graphics cards; save it as PNG or JPEG.', '': 'its type is not known; save it as PNG or JPEG.' };

/** a texture that others are copies of; the first row of its texels is the lowest */
async function decode({ type, width, height }, bytes) {
	if (!bytes) throw new Error('its file is not there, or too large.');
	if (REASONS[type]) throw new Error(REASONS[type]);
	const scale = SIDE_MAX / Math.max(width, height, 1), smaller = scale < 1 ? { resizeWidth: Math.max(1, Math.round(width * scale)), resizeHeight: Math.max(1, Math.round(height * scale)), resizeQuality: 'high' } : {};
	const bitmap = await createImageBitmap(new Blob([bytes], { type }), { imageOrientation: 'flipY', premultiplyAlpha: 'none', colorSpaceConversion: 'none', ...smaller })
		.catch(() => { throw new Error('it is broken, or of a kind that the browser does not know.'); });
	const texture = new THREE.Texture(bitmap);
	texture.flipY = false;
	texture.source.needsUpdate = true;
	return texture;
}
