/**
 * What takes longest is begun before anything else of the page is there: the session is on its way, and the canvas has its context, while
 * the modules are still being read. A plain script, which does not wait for them; what it has made is in `ossa_begun`.
 */

const id = decodeURIComponent(location.hash.slice(1));

/** Requests that the page will make first, under their addresses below its own; each is taken once. */
const early = new Map();

function ask(address) {
	const answer = fetch(address, { cache: 'no-store' });
	// who takes it sees how it went
	answer.catch(() => {});
	early.set(address, answer);
}

/** Whether a processor draws, and no card. */
function is_software(context) {
	const facts = context.getExtension('WEBGL_debug_renderer_info');
	return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(context.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}

/** A canvas that fills `host`, of its size from the beginning: another size later makes every buffer anew. */
function make_canvas(host, antialias) {
	const canvas = document.createElement('canvas'), ratio = Math.min(2, devicePixelRatio);
	canvas.className = 'scene';
	canvas.setAttribute('aria-hidden', 'true');
	canvas.width = Math.max(1, Math.floor(host.clientWidth * ratio));
	canvas.height = Math.max(1, Math.floor(host.clientHeight * ratio));
	const context = canvas.getContext('webgl2', { alpha: false, depth: true, stencil: false, antialias, powerPreference: 'high-performance' });
	return { canvas, context };
}

/** {canvas, context}: smooth edges come with a card; where a processor draws they cost more than they are worth. */
function open_window(host) {
	const plain = make_canvas(host, false);
	if (!plain.context || is_software(plain.context)) return plain;
	const smooth = make_canvas(host, true);
	if (!smooth.context) return plain;
	plain.context.getExtension('WEBGL_lose_context')?.loseContext();
	return smooth;
}

const scene = document.getElementById('scene'), LONGEST = 3000; // milliseconds without anything to see

if (id) ask(`api/sessions/${encodeURIComponent(id)}/whole`);
// painting what is not complete only delays it
document.body.classList.add('unseen');
setTimeout(() => document.body.classList.remove('unseen'), LONGEST);
// with room for the timeline, which most of what is opened has
document.getElementById('time').hidden = !id;
window.ossa_begun = { early, ...open_window(scene) };
if (!window.ossa_begun.context) {
	document.body.classList.remove('unseen');
	scene.append('This browser shows no WebGL 2, by which the studio draws. Look at chrome://gpu or about:support.');
}
