/** The numbers of faces as edits name them, from those of the page's glTF, where faces may stand in another order. */
export class FaceNumbers {
	#of_surface = new WeakMap();

	constructor(session) { this.session = session; }

	async of(faces) {
		const { surface, api } = this.session;
		if (!this.#of_surface.has(surface)) this.#of_surface.set(surface, await this.#map(surface, api));
		const map = this.#of_surface.get(surface);
		return map ? faces.map((face) => map[face]) : faces;
	}

	async #map(surface, api) {
		let mesh;
		try {
			mesh = new Uint32Array((await api.bytes('faces')).bytes);
		} catch (error) {
			if (error.status === 404) return null;
			throw error;
		}
		const key = (a, b, c) => [a, b, c].sort((x, y) => x - y).join(' '), numbers = new Map(), { indices } = surface;
		for (let i = 0; i < mesh.length; i += 3) {
			const name = key(mesh[i], mesh[i + 1], mesh[i + 2]);
			numbers.set(name, [...(numbers.get(name) ?? []), i / 3]);
		}
		return Array.from({ length: indices.length / 3 }, (_, face) => {
			const found = numbers.get(key(...[0, 1, 2].map((k) => surface.vertex(indices[3 * face + k]))));
			return found.length > 1 ? found.shift() : found[0];
		});
	}
}
