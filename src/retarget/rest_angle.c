/* retarget/rest_angle.c: how far a human at rest is from a T or an A.

   Place in the path: a rig -> here -> warnings of files for programs that want a pose.
   Input: a rig, a pose.
   Output: degrees. */
#include "conventions/find_roles.h"
#include "retarget/rest_turns.h"
#include "rig/pose.h"

static ossa_status find_angle(ossai_arena *arena, const ossa_rig *rig, int pose, double *degrees)
{
	const size_t bones = rig->skeleton.bone_count;
	ossa_role *role = ossai_arena_new(arena, bones, sizeof *role);
	ossai_roles_source source;
	ossai_rest_turns turns;
	if (!role) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_find_roles(arena->context, &rig->skeleton, role, &source));
	const ossa_body_kind kind = ossa_body_is_known(&rig->body) ? rig->body.kind : source.kind;
	if (kind != OSSA_BODY_HUMAN) return OSSA_OK;
	const ossa_status status = ossai_find_rest_turns(arena, rig, kind, role, pose, &turns);
	/* a part that is missing */
	if (status == OSSA_ERROR_INPUT) return OSSA_OK;
	OSSAI_TRY(status);
	*degrees = 0;
	for (int side = -1; side <= 1; side += 2) {
		const int32_t arm = ossai_bone_of_role(role, bones, OSSA_PART_UPPER_ARM, side);
		if (arm >= 0) *degrees = fmax(*degrees, 180 / OSSAI_PI * ossai_quat_angle(turns.turn[arm]));
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
