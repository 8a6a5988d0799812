/**
 * Which of the files that were chosen or dropped are opened, and in which order.
 * Input: the server's description of each (name, format, contents).
 * Output: names for the job "open"; textures and buffers beside them are found by the files that
 * refer to them.
 */

const REST = /(^|[^a-z])(rest|reference|bind|neutral|base|t-?pose|a-?pose)([^a-z]|$)/i;
const BESIDE = /\.(mtl|bin|png|jpe?g|tga|tiff?|bmp|webp|dds|ktx2?|exr|hdr|gif|xml)$/i;

const ending = (name) => name.match(/\.[^.]*$/)?.[0].toLowerCase() ?? '';
const stem = (name) => name.replace(/[0-9]+/g, '#');

/** JSON files about an asset can look like glTF by their content. */
const is_openable = ({ name, holds }) => holds.length > 0 && ending(name) !== '.json';

/**
 * The rest pose first: the file with that name, or the one that is not numbered like the others;
 * then by number. Files without a mesh are last.
 */
export function in_order(files) {
	const count = new Map();
	for (const { name } of files) count.set(stem(name), (count.get(stem(name)) ?? 0) + 1);
	const rank = ({ name, holds }) => (!holds.includes('mesh') ? 3 : REST.test(name) ? 0 : count.get(stem(name)) === 1 ? 1 : 2);
	return [...files].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** {open, aside}: names to open, and those that the user may miss */
export function choose_files(files) {
	const sorted = in_order(files.filter(is_openable));
	if (sorted.length === 0) return { open: files.slice(0, 1).map(({ name }) => name), aside: [] };
	// beside numbered poses, files of another kind do not belong to them: the truth of a sample, a
	// rig that was made before
	const series = sorted.find(({ name }, i) => sorted.some((other, k) => k !== i && stem(other.name) === stem(name)));
	const fits = ({ name }, i) => i === 0 || !series || ending(name) === ending(series.name);
	const open = sorted.filter(fits).map(({ name }) => name);
	return { open, aside: files.map(({ name }) => name).filter((name) => !open.includes(name) && !BESIDE.test(name)) };
}

/**
 * The file to be sent: a session has no folders, so a glTF file names what is beside it by the last
 * part of its path.
 */
export async function without_folders(file) {
	if (ending(file.name) !== '.gltf') return file;
	try {
		const document = JSON.parse(await file.text()), named = [...(document.images ?? []), ...(document.buffers ?? [])].filter(({ uri = '' }) => /^[^:]*\/[^/]+$/.test(uri));
		for (const one of named) one.uri = one.uri.split('/').at(-1);
		return named.length > 0 ? new File([JSON.stringify(document)], file.name) : file;
	} catch {
		// its faults are reported when it is opened
		return file;
	}
}

/** "walk 2.bvh" where "walk.bvh" is taken: files that were sent before are kept */
export function free_name(name, taken) {
	const end = ending(name), begin = name.slice(0, name.length - end.length);
	let free = name;
	for (let number = 2; taken.includes(free); number++) free = `${begin} ${number}${end}`;
	return free;
}

const MOST = 4096;

const read_entries = (reader) => new Promise((done, failed) => { reader.readEntries(done, failed); });
const read_file = (entry) => new Promise((done, failed) => { entry.file(done, failed); });

async function add_entry(entry, files) {
	if (entry.name.startsWith('.') || files.length >= MOST) return;
	if (entry.isFile) files.push(await read_file(entry));
	else if (entry.isDirectory) {
		const reader = entry.createReader();
		// a reader gives some at a time
		for (let part = await read_entries(reader); part.length > 0; part = await read_entries(reader)) {
			for (const one of part) await add_entry(one, files);
		}
	}
}

/** The files of a drop, those of its folders too; of those called alike the first. */
export async function dropped_files(transfer) {
	// the list is the event's: it is empty once anything was waited for
	const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean), plain = [...transfer.files];
	if (!entries.some(({ isDirectory }) => isDirectory)) return plain;
	const files = [];
	for (const entry of entries) await add_entry(entry, files);
	return files.filter(({ name }, i) => files.findIndex((other) => other.name === name) === i);
}
