/* rig/ik_loops.c: see ik_loops.h. */
#include "rig/ik_loops.h"

#include "rig/drive.h"
#include "rig/ties.h"

#include <string.h>

/* ---- which ---- */

static bool touches(const ossa_rig *rig, const ossa_loop *loop, const uint8_t *turns)
{
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		if (turns[b] && ossai_is_on_loop(&rig->skeleton, loop, (int32_t)b)) return true;
	}
	return false;
}

bool ossai_ik_mark_loops(const ossa_rig *rig, uint8_t *turns, uint8_t *loops)
{
	bool any = false, more = rig->loop_count > 0;
	memset(loops, 0, rig->loop_count);
	while (more) {
		more = false;
		for (size_t i = 0; i < rig->loop_count; i++) {
			if (loops[i] || !touches(rig, &rig->loops[i], turns)) continue;
			loops[i] = 1;
			any = more = true;
			for (size_t b = 1; b < rig->skeleton.bone_count; b++)
				turns[b] |= ossai_joint_may_turn(&rig->skeleton.bones[b]) &&
					ossai_is_on_loop(&rig->skeleton, &rig->loops[i], (int32_t)b);
		}
	}
	return any;
}

/* ---- ties ---- */

static ossai_tie tie_of_goal(const ossa_rig *rig, const ossa_ik_goal *goal)
{
	const ossa_bone *bone = &rig->skeleton.bones[goal->bone];
	ossai_tie tie = {{(int32_t)goal->bone, -1}, {{0, 0, 0}, ossai_v3_of(goal->position)}};
	if (!goal->of_joint) tie.point[0] = ossai_point_of_bone(bone, ossai_v3_of(bone->tail));
	return tie;
}

/* those of the marked loops, with the gaps that they have in the frame, behind that of the goal */
static ossa_status make_ties(ossai_arena *arena, const ossa_rig *rig, const ossa_ik_goal *goal, const uint8_t *loops,
	const ossa_clip *clip, size_t frame, ossai_tie *ties, size_t *count)
{
	double *matrices = ossai_arena_new(arena, rig->skeleton.bone_count, 12 * sizeof *matrices);
	if (!matrices) return ossa_context_error(arena->context)->status;
	ossa_rig_joint_matrices(rig, clip, frame, matrices);
	ties[0] = tie_of_goal(rig, goal);
	*count = 1;
	for (size_t i = 0; i < rig->loop_count; i++) {
		if (!loops[i]) continue;
		ossai_tie *tie = &ties[(*count)++];
		*tie = ossai_tie_of_loop(rig, &rig->loops[i]);
		const ossai_rigid world[2] = {
			ossai_rigid_of(matrices + 12 * (size_t)tie->bone[0]), ossai_rigid_of(matrices + 12 * (size_t)tie->bone[1])};
		ossai_tie_keep_gap(world, tie);
	}
	return OSSA_OK;
}

/* ---- the whole ---- */

ossa_status ossai_ik_reach_in_loops(ossai_arena *arena, const ossa_rig *rig, const ossa_ik_goal *goal, const uint8_t *turns,
	const uint8_t *loops, ossa_clip *clip, size_t frame, double *distance)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t count;
	ossai_tie *ties = ossai_arena_new(arena, rig->loop_count + 1, sizeof *ties);
	double *gap = ossai_arena_new(arena, rig->loop_count + 1, sizeof *gap);
	double *before = ossai_arena_new(arena, bones, 4 * sizeof *before);
	const uint8_t *none = ossai_arena_zero(arena, bones, 1);
	if (!ties || !gap || !before || !none) return ossa_context_error(arena->context)->status;
	memcpy(before, clip->rotations + 4 * frame * bones, 4 * bones * sizeof *before);
	OSSAI_TRY(make_ties(arena, rig, goal, loops, clip, frame, ties, &count));
	OSSAI_TRY(ossai_ties_close(arena, rig, clip, frame, count, ties, turns, true, gap));
	OSSAI_TRY(ossai_ties_close(arena, rig, clip, frame, count - 1, ties + 1, turns, true, gap));
	ossai_drive_others(rig, clip, frame, turns, before);
	OSSAI_TRY(ossai_ties_close(arena, rig, clip, frame, 1, ties, none, true, gap));
	*distance = gap[0];
	return OSSA_OK;
}
