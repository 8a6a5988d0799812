/**
 * Recognizes the studio after a restart, before anything secret is sent: the program that listens
 * on the port is asked for the number of its run and for a keyed hash of the port, that number and
 * a nonce. The key came with the page; the token of the new run follows from key and number
 * (studio/server/proof.c).
 */

const digits = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function keyed_hash(key, text) {
	const coder = new TextEncoder(), made = await crypto.subtle.importKey('raw', coder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
	return digits(await crypto.subtle.sign('HMAC', made, coder.encode(text)));
}

/**
 * The token of the studio that listens on the page's port; null where it is another program, or
 * nobody. key: of the page, from `GET api/key`.
 */
export async function find_token(key, { origin, port } = window.location) {
	const nonce = digits(crypto.getRandomValues(new Uint8Array(16)));
	const answer = await fetch(`${origin}/hello/${nonce}`, { cache: 'no-store', credentials: 'omit', redirect: 'error' });
	const { run, proof } = await answer.json();
	if (!/^[0-9a-f]{32}$/.test(run) || proof !== await keyed_hash(key, `server ${port} ${run} ${nonce}`)) return null;
	return (await keyed_hash(key, `token ${run}`)).slice(0, 32);
}
