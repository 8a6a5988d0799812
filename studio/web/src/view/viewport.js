/**
 * The window into the scene: one canvas, one pane or two beside each other with the same camera.
 * Draws only on request.
 */
import * as THREE from 'three';
import { line_material } from './line_material.js';
import { Orbit } from './orbit.js';
import { RigView, smallest_rig } from './rig_view.js';
import { make } from '../base/dom.js';
import { Signal } from '../base/signal.js';

const css_color = (name) => new THREE.Color().setStyle(getComputedStyle(document.documentElement).getPropertyValue(name).trim(), THREE.LinearSRGBColorSpace);

/** The page's colors for the scene, as the theme has them. */
export const scene_colors = () => Object.fromEntries(['ground', 'grid', 'surface', 'wire', 'bone', 'root', 'selected', 'active', 'hover', 'relation', 'accent', 'other']
	.map((name) => [name, css_color(`--scene-${name}`)]));

// three queries many extensions, which is slow; drawing needs none of them, reading positions back
// this one
function make_renderer(canvas, context) {
	const ask = context.getExtension;
	context.getExtension = (name) => (name === 'EXT_color_buffer_float' ? ask.call(context, name) : null);
	const renderer = new THREE.WebGLRenderer({ canvas, context });
	renderer.extensions.has('EXT_texture_filter_anisotropic'); // it remembers the answer
	delete context.getExtension;
	// querying a shader's errors waits until it is linked; tests check what is drawn
	renderer.debug.checkShaderErrors = false;
	return renderer;
}

export class Viewport extends Signal {
	/** host: the element that is filled; opened: {canvas, context}, made for it */
	constructor(host, { canvas, context }) {
		super();
		THREE.ColorManagement.enabled = false;
		this.host = host;
		// nothing is drawn before draw_wanted says that there is something to show
		this.wanted = true;
		if (!context) throw new Error('There is no WebGL 2.');
		this.canvas = canvas;
		this.side = make('div', { class: 'pane side', hidden: true });
		this.pane = make('div', { class: 'pane main', tabindex: '0', role: 'application', 'aria-label': 'Scene: the rig. Keys are listed under ?' });
		this.words = [this.side, this.pane].map((pane) => pane.appendChild(make('span', { class: 'word', hidden: true })));
		host.prepend(this.canvas, this.side, this.pane);
		this.renderer = make_renderer(canvas, context);
		this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
		this.renderer.autoClear = false;
		this.orbit = new Orbit(this.pane, () => this.request());
		this.main = null;
		this.beside = null;
		this.extras = new THREE.Scene();
		this.grid = null;
		this.drawn = 0;
		this.has_shown = false;
		this.size = '';
		new ResizeObserver(() => this.#fit(false)).observe(host);
		this.canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); this.emit('lost', true); });
		this.canvas.addEventListener('webglcontextrestored', () => { this.emit('lost', false); this.request(); });
		this.set_theme();
		this.prepare();
	}

	get camera() { return this.orbit.camera; }

	set_theme() {
		this.colors = scene_colors();
		this.#make_grid();
		this.request();
	}

	#make_grid() {
		this.grid?.geometry.dispose();
		const lines = [], half = 1.5, steps = 12;
		for (let i = -steps; i <= steps; i++) {
			const at = (half * i) / steps;
			lines.push(-half, 0, at, half, 0, at, at, 0, -half, at, 0, half);
		}
		const geometry = new THREE.BufferGeometry();
		geometry.setAttribute('position', new THREE.Float32BufferAttribute(lines, 3));
		const height = this.grid?.position.y ?? -0.5;
		this.grid = new THREE.LineSegments(geometry, line_material(this.colors.grid));
		this.grid.position.y = height;
		this.floor = new THREE.Scene();
		this.floor.add(this.grid);
	}

	/** main: the rig's view; beside: another one, or null for one pane */
	show(main, beside = null) {
		if (main !== this.main && main) {
			this.grid.position.y = main.rig.surface.scene_point(main.rig.surface.low)[1];
		}
		if (main === this.main && beside === this.beside) return this.request();
		this.main = main;
		this.beside = beside;
		this.side.hidden = !beside;
		this.host.classList.toggle('split', Boolean(beside));
		return this.#fit(true);
	}

	/** Titles of the side pane and of the main one; '' for nothing. */
	name_panes(side, main) {
		[side, main].forEach((text, i) => {
			this.words[i].textContent = text;
			this.words[i].hidden = text === '';
		});
	}

	#fit(is_drawn) {
		const { clientWidth: width, clientHeight: height } = this.host;
		if (width === 0 || height === 0) return;
		const ratio = Math.min(2, window.devicePixelRatio), size = `${width} ${height} ${ratio}`, is_other = size !== this.size;
		this.orbit.set_aspect((this.beside ? width / 2 : width) / height);
		if (!is_other) return is_drawn ? this.request() : undefined;
		this.size = size;
		this.renderer.setDrawingBufferSize(width, height, ratio);
		// a resized canvas is empty: redraws at once, if something was shown
		return this.drawn > 0 ? this.draw() : this.request();
	}

	/** Requests that the scene is drawn in the next animation frame. */
	request() {
		if (this.wanted) return;
		this.wanted = true;
		requestAnimationFrame(() => { if (this.wanted) this.draw(); });
	}

	/**
	 * Compiles the shaders that the first picture needs, while its rig is loading; those that are
	 * compiled only when drawing are drawn once.
	 */
	prepare() {
		const view = new RigView(smallest_rig(), this.colors), scenes = [this.floor, view.scene, view.front], gl = this.renderer.getContext();
		for (const scene of scenes) this.renderer.compile(scene, this.camera);
		const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
		gl.flush();
		const end = this.on('drawn', () => {
			if (!this.has_shown) return;
			view.dispose();
			end();
		});
		// does not wait: there is other work until they are linked
		const look = () => {
			if (this.has_shown || this.renderer.getContext().isContextLost()) return;
			if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) { setTimeout(look, 4); return; }
			for (const scene of scenes) this.renderer.render(scene, this.camera);
			gl.flush();
		};
		setTimeout(look, 4);
	}

	/** Draws now instead of in the next animation frame. */
	draw_wanted() {
		if (this.wanted) this.draw();
	}

	draw() {
		this.wanted = false;
		const { clientWidth: width, clientHeight: height } = this.host, { renderer } = this;
		if (width === 0 || height === 0) return;
		this.emit('before');
		renderer.setClearColor(this.colors.ground, 1);
		renderer.setScissorTest(false);
		renderer.setViewport(0, 0, width, height);
		renderer.clear();
		renderer.setScissorTest(true);
		const half = Math.floor(width / 2);
		if (this.beside) this.#draw_pane(this.beside, 0, half, height, false);
		this.#draw_pane(this.main, this.beside ? half : 0, this.beside ? width - half : width, height, true);
		this.drawn++;
		if (this.main && !this.has_shown) {
			this.has_shown = true;
			performance.mark('first picture');
		}
		this.emit('drawn', this.drawn);
	}

	#draw_pane(view, x, width, height, is_main) {
		const { renderer, camera } = this;
		renderer.setViewport(x, 0, width, height);
		renderer.setScissor(x, 0, width, height);
		if (this.grid.visible) renderer.render(this.floor, camera);
		if (!view) return;
		view.surface?.looks?.follow(camera);
		renderer.render(view.scene, camera);
		if (view.in_front) renderer.clearDepth();
		renderer.render(view.front, camera);
		if (!is_main) return;
		renderer.clearDepth();
		renderer.render(this.extras, camera);
	}

	/**
	 * a point of the scene -> {x, y} in the pane's pixels, and its depth (below -1 or over 1: not
	 * visible)
	 */
	project(point) {
		const seen = point.clone().project(this.camera);
		return { x: (seen.x + 1) / 2 * this.pane.clientWidth, y: (1 - seen.y) / 2 * this.pane.clientHeight, depth: seen.z };
	}

	/** the ray through a point of the pane: {origin, direction} */
	ray(x, y) {
		const caster = new THREE.Raycaster();
		caster.setFromCamera(new THREE.Vector2(2 * x / this.pane.clientWidth - 1, 1 - 2 * y / this.pane.clientHeight), this.camera);
		return caster.ray;
	}

	/** the position of a pointer event in the pane */
	place(event) {
		const box = this.pane.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}
}
