/**
 * What bones are called after edits, of this page or another: found in the lines of the edits that
 * were done and undone between two states of one rig.
 */

const MARK = 'rename ';

const is_same_step = (a, b) => JSON.stringify([a.step, a.history?.past.length]) === JSON.stringify([b.step, b.history?.past.length]);

/** names: a Map that is changed; lines in their order; from, to: places in their words */
function apply(names, lines, [from, to]) {
	for (const line of lines.filter((one) => one.startsWith(MARK))) {
		const words = line.split(' ');
		for (const [first, name] of names) if (name === words[from]) names.set(first, words[to]);
	}
}

/**
 * A Map of the names of `bones` that are others in the state `after`, by the edits since the state
 * `before`; empty between two steps of the history, whose bones are not the same.
 */
export function renamed_by_edits(bones, before, after) {
	if (!is_same_step(before, after)) return new Map();
	const old = before.edits.done, now = after.edits.done, names = new Map(bones.map(({ name }) => [name, name]));
	const shared = old.findIndex((line, i) => line !== now[i]), kept = shared < 0 ? old.length : shared;
	apply(names, old.slice(kept).reverse(), [2, 1]);
	apply(names, now.slice(kept), [1, 2]);
	return new Map([...names].filter(([first, name]) => first !== name));
}

/** the same of bones at unchanged places in a skeleton of the same size, whatever was done to it */
export function renamed_in_place(old, rig) {
	const names = new Map();
	if (old.bones.length !== rig.bones.length) return names;
	old.bones.forEach((bone, b) => {
		const next = rig.bones[b], near = bone.joint.every((x, k) => Math.abs(x - next.joint[k]) <= 1e-9 * rig.surface.diagonal);
		if (near && bone.name !== next.name && !rig.index.has(bone.name)) names.set(bone.name, next.name);
	});
	return names;
}
