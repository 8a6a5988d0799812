/* rig/edit_closing.c: see edit_closing.h. */
#include "rig/edit_closing.h"

#include <ossa/loops.h>

#include <string.h>

ossa_status ossai_edit_closing_begin(ossa_context *context, const ossa_clip *clip, ossai_edit_closing *closing)
{
	closing->posed = ossa_alloc(context, clip->frame_count, clip->bone_count);
	if (!closing->posed) return ossa_context_error(context)->status;
	return ossa_clip_copy(context, clip, &closing->before);
}

void ossai_edit_closing_pose(ossai_edit_closing *closing, size_t bone, size_t first, size_t end)
{
	if (!closing->before) return;
	for (size_t f = first; f < end; f++) closing->posed[f * closing->before->bone_count + bone] = 1;
}

void ossai_edit_closing_crop(ossai_edit_closing *closing, size_t first, size_t count)
{
	ossa_clip *before = closing->before;
	if (!before) return;
	const size_t bones = before->bone_count;
	memmove(closing->posed, closing->posed + first * bones, count * bones);
	memmove(before->rotations, before->rotations + 4 * first * bones, 4 * count * bones * sizeof *before->rotations);
	memmove(before->root_positions, before->root_positions + 3 * first, 3 * count * sizeof *before->root_positions);
	if (before->translations)
		memmove(
			before->translations, before->translations + 3 * first * bones, 3 * count * bones * sizeof *before->translations);
	before->frame_count = count;
}

static void warn(ossa_context *context, const ossa_rig *rig, const ossa_loop_facts *facts)
{
	if (facts->open_count == 0) return;
	const int32_t *bones = rig->loops[facts->widest_loop].bones;
	ossai_warn(context, "loops-open", (int64_t)facts->open_count,
		"the joints that were not posed cannot close the loops again: most in frame %zu, where %s and %s are %.4g apart",
		facts->widest_frame + 1, rig->skeleton.bones[bones[0]].name, rig->skeleton.bones[bones[1]].name, facts->widest);
}

ossa_status ossai_edit_closing_close(ossa_context *context, const ossa_rig *rig, ossa_clip *clip, ossai_edit_closing *closing)
{
	ossa_loop_facts facts;
	const size_t bones = clip->bone_count, frames = clip->frame_count;
	OSSAI_TRY(ossa_rig_close_loops(context, rig, closing->before, closing->posed, clip, &facts));
	memset(closing->posed, 0, frames * bones);
	memcpy(closing->before->rotations, clip->rotations, 4 * frames * bones * sizeof *clip->rotations);
	warn(context, rig, &facts);
	return OSSA_OK;
}

void ossai_edit_closing_end(ossa_context *context, ossai_edit_closing *closing)
{
	ossa_clip_free(context, closing->before);
	ossa_free(context, closing->posed);
}
