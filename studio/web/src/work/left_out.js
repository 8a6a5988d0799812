/**
 * What of a session a file of a format does not hold, in words, before it is written.
 * Input: the format as the server describes it, the state, the choice of motion.
 * Output: a list of sentences, empty where the file holds all.
 */

const motions = (count) => `${count} ${count === 1 ? 'motion' : 'motions'}`;

export function left_out(format, { rig, input }, motion = 'all') {
	const clips = rig?.clips ?? [], wanted = motion === 'all' ? clips.length : motion.startsWith('clip ') ? 1 : 0;
	const out = [];
	if (rig && !format.rig) {
		out.push('The skeleton and its weights are not in a file of this format.');
		if (!format.frames && clips.length > 0) out.push(`Nor is any of the ${motions(clips.length)}: a mesh at rest is written.`);
		else if (wanted > 1) out.push(`Of ${motions(clips.length)} the first is written as frames: ${clips[0].name}.`);
		return out;
	}
	if (rig && wanted > 1 && !format.clips) out.push(`The format holds one motion: ${clips[0].name} is written, ${motions(wanted - 1)} are not. Choose another one above.`);
	if (rig && wanted === 1 && clips.length > 1) out.push(`${motions(clips.length - 1)} of ${clips.length} stay out, as one was chosen.`);
	if (rig && !format.mesh) out.push('The mesh is not in a file of this format: skeleton and motion alone are.');
	if (!rig && input && !format.frames) out.push(`The ${input.frames} frames are not in a file of this format: the mesh at rest is.`);
	return out;
}
