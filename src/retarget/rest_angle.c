/* retarget/rest_angle.c: how far a human at rest is from a T or an A.

   Place in the path: a rig -> here -> warnings of files for programs that want a pose.
   Input: a rig, a pose.
   Output: degrees. */
#include "conventions/find_roles.h"
#include "retarget/rest_turns.h"
#include "rig/pose.h"

/* of one body, the only one of `bodies` that has roles; NAN where it has no two whole arms */
static ossa_status angle_of(ossai_arena *arena, const ossa_rig *rig, const ossai_body_trees *bodies, int pose, double *degrees)
{
	const size_t bones = rig->skeleton.bone_count;
	ossai_rest_turns turns;
	*degrees = NAN;
	const ossa_status status = ossai_find_rest_turns(arena, rig, bodies, pose, &turns);
	/* no human, or a part that is missing */
	if (status == OSSA_ERROR_INPUT) return OSSA_OK;
	OSSAI_TRY(status);
	*degrees = 0;
	for (int side = -1; side <= 1; side += 2) {
		const int32_t arm = ossai_bone_of_role(bodies->role, bones, OSSA_PART_UPPER_ARM, side);
		if (arm >= 0) *degrees = fmax(*degrees, 180 / OSSAI_PI * ossai_quat_angle(turns.turn[arm]));
	}
	return OSSA_OK;
}

static ossa_status find_angle(ossai_arena *arena, const ossa_rig *rig, int pose, double *degrees)
{
	const size_t bones = rig->skeleton.bone_count;
	ossai_body_trees all;
	OSSAI_TRY(ossai_body_trees_find(arena, rig, &all));
	ossa_role *own = ossai_arena_new(arena, bones, sizeof *own);
	if (!own) return ossa_context_error(arena->context)->status;
	const ossai_body_trees one = {all.body, own, all.kind};
	for (uint32_t b = 0; b < bones; b++) {
		double found;
		if (all.body[b] != b || !ossai_roles_of_body(&all, bones, b, own)) continue;
		/* one tree is a human only where that is known */
		if (b == 0 && all.kind != OSSA_BODY_HUMAN) continue;
		OSSAI_TRY(angle_of(arena, rig, &one, pose, &found));
		if (isnan(*degrees) || found > *degrees) *degrees = found;
	}
	return OSSA_OK;
}

ossa_status ossa_rig_rest_angle(ossa_context *context, const ossa_rig *rig, int pose, double *degrees)
{
	if (degrees) *degrees = NAN;
	OSSAI_NEED(context, rig, degrees);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (pose != OSSA_REST_T && pose != OSSA_REST_A)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the pose %d is neither T nor A", pose);
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = find_angle(&arena, rig, pose, degrees);
	ossai_arena_end(&arena);
	return status;
}
