/**
 * Starts the slowest work before the rest of the page exists: the session is requested, and the
 * canvas gets its context, while the modules are still loading. A plain script, which does not wait
 * for them; its results are in `ossa_begun`.
 */

const id = decodeURIComponent(location.hash.slice(1));

/** The page's first requests, by their relative addresses; each is used once. */
const early = new Map();

function ask(address) {
	const answer = fetch(address, { cache: 'no-store' });
	// errors are handled where it is used
	answer.catch(() => {});
	early.set(address, answer);
}

/** Whether rendering is in software, without a GPU. */
function is_software(context) {
	const facts = context.getExtension('WEBGL_debug_renderer_info');
	return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(context.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}

/**
 * A canvas that fills `host`, with its final size from the beginning: resizing reallocates every
 * buffer.
 */
function make_canvas(host, antialias) {
	const canvas = document.createElement('canvas'), ratio = Math.min(2, devicePixelRatio);
	canvas.className = 'scene';
	canvas.setAttribute('aria-hidden', 'true');
	canvas.width = Math.max(1, Math.floor(host.clientWidth * ratio));
	canvas.height = Math.max(1, Math.floor(host.clientHeight * ratio));
	const context = canvas.getContext('webgl2', { alpha: false, depth: true, stencil: false, antialias, powerPreference: 'high-performance' });
	return { canvas, context };
}

/** {canvas, context}: antialiasing on a GPU only; in software it costs too much. */
function open_window(host) {
	const plain = make_canvas(host, false);
	if (!plain.context || is_software(plain.context)) return plain;
	const smooth = make_canvas(host, true);
	if (!smooth.context) return plain;
	plain.context.getExtension('WEBGL_lose_context')?.loseContext();
	return smooth;
}

// milliseconds without anything to see
const scene = document.getElementById('scene'), LONGEST = 3000;

if (id) ask(`api/sessions/${encodeURIComponent(id)}/whole`);
// painting an incomplete page only delays it
document.body.classList.add('unseen');
setTimeout(() => document.body.classList.remove('unseen'), LONGEST);
// with space for the timeline, which most sessions have
document.getElementById('time').hidden = !id;
window.ossa_begun = { early, ...open_window(scene) };
if (!window.ossa_begun.context) {
	document.body.classList.remove('unseen');
	scene.append('This browser shows no WebGL 2, by which the studio draws. Look at chrome://gpu or about:support.');
}
