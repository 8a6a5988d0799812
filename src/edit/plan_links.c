/* edit/plan_links.c: what else of a rig names bones: loops, dependent bones, levels.

   Place in the path: plan.c -> here -> the state's rig. */
#include "edit/plan_parts.h"

#include "rig/dependencies.h"

#include <string.h>

static ossai_vec3 direction_of(const ossa_bone *bone)
{
	return ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), ossai_v3(0, 0, 0));
}

/* of the parts of the divided bone the one nearer to a point */
static uint32_t part_at(const ossai_replan *r, size_t old_bone, const double *point)
{
	const uint32_t part = ossai_new_bone(r, old_bone);
	if (r->plan->divided != old_bone || !r->plan->makes_half) return part;
	const uint32_t half = r->rank[r->plan->half];
	const ossai_vec3 from = ossai_v3_of(r->bones[half].joint), along = direction_of(&r->bones[half]);
	return ossai_dot(ossai_sub(ossai_v3_of(point), from), along) >= 0 ? half : part;
}

static void move_loops(const ossai_replan *r)
{
	ossa_rig *rig = r->state->rig;
	size_t kept = 0;
	for (size_t i = 0; i < rig->loop_count; i++) {
		ossa_loop loop = rig->loops[i];
		for (int side = 0; side < 2; side++) {
			loop.bones[side] = (int32_t)part_at(r, (size_t)loop.bones[side], loop.center);
		}
		if (loop.bones[0] != loop.bones[1] || rig->loops[i].bones[0] == rig->loops[i].bones[1]) rig->loops[kept++] = loop;
	}
	if (kept < rig->loop_count) {
		ossai_warn(r->arena->context, "loops-dropped", (int64_t)(rig->loop_count - kept),
			"a loop of the shape has the same bone on both sides of its cut now");
	}
	rig->loop_count = kept;
}

/* bones that turn against the same parent as before keep theirs */
static ossa_status move_dependencies(const ossai_replan *r)
{
	ossa_rig *rig = r->state->rig;
	ossa_dependency *made;
	size_t count;
	if (rig->dependency_count == 0) return OSSA_OK;
	uint32_t *new_of = ossai_arena_new(r->arena, r->old->skeleton.bone_count, sizeof *new_of);
	if (!new_of) return ossa_context_error(r->arena->context)->status;
	memset(new_of, 0xff, r->old->skeleton.bone_count * sizeof *new_of);
	for (uint32_t b = 0; b < r->count; b++) {
		if (r->turns_alike[b]) new_of[ossai_planned(r, b)->kept] = b;
	}
	OSSAI_TRY(ossai_dependencies_copy(r->arena->context, rig, new_of, &made, &count));
	count = ossai_dependencies_keep_good(&(ossa_skeleton){.bone_count = r->count, .bones = r->bones}, count, made, NULL);
	ossai_dependencies_warn_of_lost(r->arena->context, rig->dependency_count - count);
	ossa_free(r->arena->context, rig->dependencies);
	rig->dependencies = made;
	rig->dependency_count = count;
	return OSSA_OK;
}

static ossa_status move_levels(const ossai_replan *r)
{
	ossa_rig *rig = r->state->rig;
	if (!rig->last_level) return OSSA_OK;
	uint8_t *levels = ossai_new(r->arena->context, r->count, 1);
	if (!levels) return ossa_context_error(r->arena->context)->status;
	for (size_t b = 0; b < r->count; b++) levels[b] = ossai_planned(r, b)->level;
	/* the root is in every level */
	if (rig->level_count > 0) levels[0] = (uint8_t)(rig->level_count - 1);
	ossa_free(r->arena->context, rig->last_level);
	rig->last_level = levels;
	return OSSA_OK;
}

ossa_status ossai_replan_links(const ossai_replan *r)
{
	move_loops(r);
	OSSAI_TRY(move_dependencies(r));
	return move_levels(r);
}
