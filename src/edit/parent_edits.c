/* edit/parent_edits.c: other parents and another root: see tree_edits.h. docs/edit.md says what
   each edit does.

   Place in the path: part of the editor.
   Input: a state and one edit.
   Output: the state, its rig remade from a plan. */
#include "edit/tree_edits.h"

#include "edit/plan.h"
#include "rig/universal_joint.h"

#include <string.h>

static const char *name_of(const ossai_edit_state *state, uint32_t bone) { return state->rig->skeleton.bones[bone].name; }

ossa_status ossai_edit_connect(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t parent)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	const int32_t before = skeleton->bones[bone].parent;
	ossai_tree_plan plan;
	if (before < 0) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
			"%s is the root and has no parent; root makes another bone the root", name_of(state, bone));
	}
	if (before == (int32_t)parent) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s is the child of %s already", name_of(state, bone),
			name_of(state, parent));
	}
	if (ossai_edit_is_descendant(skeleton, parent, bone)) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
			"%s is a descendant of %s: a tree has no cycles; connect %s elsewhere first, or choose another root",
			name_of(state, parent), name_of(state, bone), name_of(state, parent));
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	plan.bones[bone].bone.parent = (int32_t)parent;
	plan.bones[bone].bone.fit_residual = plan.bones[bone].bone.deviation = 0;
	plan.bones[bone].stale = OSSAI_STALE_JOINT | OSSAI_STALE_MOTION;
	plan.may_slide = true;
	return ossai_tree_plan_apply(arena, &plan, state);
}

/* the centroid of the vertices of the bone's largest weights; of the bone itself where there are
   none */
static ossai_vec3 patch_center(const ossai_edit_state *state, uint32_t bone)
{
	const ossa_rig *rig = state->rig;
	ossai_vec3 sum = {0, 0, 0};
	size_t count = 0;
	for (size_t v = 0; v < rig->weights.vertex_count; v++) {
		const size_t at = v * (size_t)rig->weights.influences;
		if (rig->weights.bones[at] != bone || !(rig->weights.values[at] > 0)) continue;
		sum = ossai_add(sum, ossai_v3_of_float(rig->mesh->positions + 3 * v));
		count++;
	}
	if (count > 0) return ossai_scale(sum, 1 / (double)count);
	const ossa_bone *own = &rig->skeleton.bones[bone];
	return ossai_lerp(ossai_v3_of(own->joint), ossai_v3_of(own->tail), 0.5);
}

/* a bone of the path from the old root becomes the child of the next one, `below`, at their joint,
   and its tail is its old parent's joint */
static void turn_round(const ossai_edit_state *state, ossai_tree_plan *plan, uint32_t bone, uint32_t below)
{
	const ossa_bone *old = &state->rig->skeleton.bones[bone], *child = &state->rig->skeleton.bones[below];
	ossai_planned_bone *planned = &plan->bones[bone];
	planned->bone.parent = (int32_t)below;
	memcpy(planned->bone.joint, child->joint, sizeof child->joint);
	planned->bone.kind = child->kind;
	ossai_bone_take_axes(child, true, &planned->bone);
	if (child->kind == OSSA_JOINT_PRISMATIC) {
		planned->bone.has_limits = child->has_limits;
		planned->bone.limits_of_motion = child->limits_of_motion;
		memset(planned->bone.limits, 0, sizeof planned->bone.limits);
	}
	planned->bone.turn_degrees = child->turn_degrees;
	planned->bone.fit_residual = child->fit_residual;
	planned->bone.deviation = child->deviation;
	planned->bone.turn_deviation = child->turn_deviation;
	planned->keeps_kind = true;
	planned->turn_again = true;
	planned->keep_tail = true;
	/* beyond its origin by its old length */
	ossai_vec3 end = ossai_v3_of(old->joint);
	if (old->parent < 0) end = ossai_madd(end, 1, ossai_sub(end, ossai_v3_of(child->joint)));
	ossai_vec3 sum = old->parent >= 0 ? end : ossai_v3(0, 0, 0);
	size_t count = old->parent >= 0;
	for (size_t b = bone + 1; b < state->rig->skeleton.bone_count; b++) {
		if (state->rig->skeleton.bones[b].parent != (int32_t)bone || b == below) continue;
		sum = ossai_add(sum, ossai_v3_of(state->rig->skeleton.bones[b].joint));
		count++;
	}
	if (count > 0) end = ossai_scale(sum, 1 / (double)count);
	if (ossai_distance(end, ossai_v3_of(child->joint)) > 0) ossai_v3_store(end, planned->bone.tail);
}

ossa_status ossai_edit_root(ossai_arena *arena, ossai_edit_state *state, uint32_t bone)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	ossai_tree_plan plan;
	if (skeleton->bones[bone].parent < 0) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s is the root already", name_of(state, bone));
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	uint32_t below = bone;
	for (int32_t up = skeleton->bones[bone].parent; up >= 0; up = skeleton->bones[up].parent) {
		turn_round(state, &plan, (uint32_t)up, below);
		below = (uint32_t)up;
	}
	ossai_planned_bone *root = &plan.bones[bone];
	root->bone.parent = -1;
	root->keep_tail = true;
	const ossai_vec3 center = patch_center(state, bone);
	if (ossai_distance(center, ossai_v3_of(root->bone.tail)) > ossai_edit_no_length(state)) {
		ossai_v3_store(center, root->bone.joint);
	}
	return ossai_tree_plan_apply(arena, &plan, state);
}
