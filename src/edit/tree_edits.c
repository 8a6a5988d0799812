/* edit/tree_edits.c: see tree_edits.h. docs/edit.md says what each edit does.

   Place in the path: part of the editor.
   Input: a state and one edit.
   Output: the state, its rig remade from a plan. */
#include "edit/tree_edits.h"

#include "edit/plan.h"
#include "mesh/bounds.h"

#include <stdio.h>
#include <string.h>

/* of the diagonal: the length below which bones are degenerate, and the distance beyond which a
   position is not on the shape */
static const double NO_LENGTH = 1e-6, FAR = 100;

enum { STALE_SKIN = OSSAI_STALE_WEIGHTS | OSSAI_STALE_MOTION };

static const char *name_of(const ossai_edit_state *state, uint32_t bone) { return state->rig->skeleton.bones[bone].name; }

static ossa_status no_memory(const ossai_arena *arena) { return ossa_context_error(arena->context)->status; }

/* ---- questions ---- */

/* the first child, or OSSA_NONE */
static uint32_t first_child(const ossa_skeleton *skeleton, uint32_t bone)
{
	for (size_t b = bone + 1; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].parent == (int32_t)bone) return (uint32_t)b;
	}
	return OSSA_NONE;
}

static double diagonal_of(const ossai_edit_state *state)
{
	const double diagonal = ossai_bounds_make(state->rig->mesh->vertex_count, state->rig->mesh->positions).diagonal;
	return diagonal > 0 ? diagonal : 1;
}

double ossai_edit_no_length(const ossai_edit_state *state) { return NO_LENGTH * diagonal_of(state); }

/* a position at which something of the shape could be */
static ossa_status check_point(ossai_arena *arena, const ossai_edit_state *state, const double point[3])
{
	const ossai_bounds bounds = ossai_bounds_make(state->rig->mesh->vertex_count, state->rig->mesh->positions);
	const ossai_vec3 center = ossai_scale(ossai_add(bounds.minimum, bounds.maximum), 0.5);
	if (ossai_distance(ossai_v3_of(point), center) <= FAR * diagonal_of(state)) return OSSA_OK;
	return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
		"%g %g %g is too far from the shape, which lies between %g %g %g and %g %g %g", point[0], point[1], point[2],
		bounds.minimum.x, bounds.minimum.y, bounds.minimum.z, bounds.maximum.x, bounds.maximum.y, bounds.maximum.z);
}

/* the parameter along a bone of the point nearest to another point, 0 to 1 */
static double nearest_share(const ossa_bone *bone, ossai_vec3 point)
{
	const ossai_vec3 joint = ossai_v3_of(bone->joint), along = ossai_sub(ossai_v3_of(bone->tail), joint);
	const double square = ossai_length2(along);
	if (!(square > 0)) return 0;
	return fmin(fmax(ossai_dot(ossai_sub(point, joint), along) / square, 0), 1);
}

static ossai_vec3 point_at(const ossa_bone *bone, double share)
{
	return ossai_lerp(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail), share);
}

static double smooth_step(double t)
{
	t = fmin(fmax(t, 0), 1);
	return t * t * (3 - 2 * t);
}

/* ---- new bones ---- */

static ossa_status take_name(ossai_arena *arena, const ossai_edit_state *state, const char *wanted, char name[64])
{
	if (ossa_rig_bone(state->rig, wanted) >= 0) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "there is a bone called %s already", wanted);
	}
	snprintf(name, 64, "%s", wanted);
	return OSSA_OK;
}

static ossa_status check_limit(ossai_arena *arena, const ossai_edit_state *state)
{
	if (state->rig->skeleton.bone_count <= UINT16_MAX - 1) return OSSA_OK;
	return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "a rig cannot have more bones than the %zu of this one",
		state->rig->skeleton.bone_count);
}

/* the part of the bone's weights that goes to the branch: of vertices nearer to it, with a smooth
   transition */
static ossa_status share_branch(
	ossai_arena *arena, const ossai_edit_state *state, ossai_tree_plan *plan, const ossa_bone *bone, const ossa_bone *branch)
{
	/* shares of both distances between which weights blend */
	static const double FIRST = 0.4, LAST = 0.6;
	const ossa_mesh *mesh = state->rig->mesh;
	plan->share = ossai_arena_new(arena, mesh->vertex_count, sizeof *plan->share);
	if (!plan->share) return no_memory(arena);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		const double to_bone = ossai_distance(p, point_at(bone, nearest_share(bone, p)));
		const double to_branch = ossai_distance(p, point_at(branch, nearest_share(branch, p)));
		const double sum = to_bone + to_branch;
		plan->share[v] = (float)smooth_step(((sum > 0 ? to_bone / sum : 0) - FIRST) / (LAST - FIRST));
	}
	return OSSA_OK;
}

ossa_status ossai_edit_add(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3], const char *name)
{
	const ossa_bone *from = &state->rig->skeleton.bones[bone];
	const ossai_vec3 end = ossai_v3_of(point), begin = point_at(from, nearest_share(from, end));
	ossai_tree_plan plan;
	OSSAI_TRY(check_limit(arena, state));
	OSSAI_TRY(check_point(arena, state, point));
	if (ossai_distance(begin, end) <= ossai_edit_no_length(state)) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
			"the point lies on %s itself: the new bone would have no length; split divides a bone", from->name);
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	const uint32_t made = ossai_tree_plan_add(&plan, state, bone);
	ossai_planned_bone *branch = &plan.bones[made];
	if (name[0]) OSSAI_TRY(take_name(arena, state, name, branch->bone.name));
	else ossai_new_bone_name(&state->rig->skeleton, from->name, "branch", branch->bone.name);
	ossai_v3_store(begin, branch->bone.joint);
	ossai_v3_store(end, branch->bone.tail);
	const ossai_vec3 along = ossai_unit(ossai_sub(end, begin), ossai_v3(0, 1, 0));
	ossai_quat_store(ossai_quat_between(ossai_v3(0, 1, 0), along), branch->bone.orientation);
	/* levels: it is in this rig alone */
	branch->level = 0;
	branch->stale = STALE_SKIN | OSSAI_STALE_JOINT;
	plan.bones[bone].stale = STALE_SKIN;
	plan.bones[bone].keep_tail = true;
	plan.divided = bone;
	plan.half = made;
	OSSAI_TRY(share_branch(arena, state, &plan, from, &branch->bone));
	return ossai_tree_plan_apply(arena, &plan, state);
}

/* the part of the bone's weights that goes to the far half: of vertices beyond the cut, with a
   smooth transition over half of the shorter part on both sides */
static ossa_status share_half(
	ossai_arena *arena, const ossai_edit_state *state, ossai_tree_plan *plan, uint32_t bone, double share)
{
	const ossa_mesh *mesh = state->rig->mesh;
	const ossa_bone *from = &state->rig->skeleton.bones[bone];
	const ossai_vec3 joint = ossai_v3_of(from->joint), along = ossai_sub(ossai_v3_of(from->tail), joint);
	const double width = fmin(share, 1 - share);
	plan->share = ossai_arena_new(arena, mesh->vertex_count, sizeof *plan->share);
	if (!plan->share) return no_memory(arena);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		const double t = ossai_dot(ossai_sub(p, joint), along) / ossai_length2(along);
		plan->share[v] = (float)smooth_step((t - share) / width + 0.5);
	}
	return OSSA_OK;
}

/* children that begin beyond the cut become children of the far half */
static void attach_behind(ossai_tree_plan *plan, const ossai_edit_state *state, uint32_t bone, double share, uint32_t half)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	const uint32_t only = first_child(skeleton, bone);
	bool several = false;
	for (size_t b = only; only != OSSA_NONE && b < skeleton->bone_count; b++) {
		several = several || (b > only && skeleton->bones[b].parent == (int32_t)bone);
	}
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].parent != (int32_t)bone) continue;
		const double begins = nearest_share(&skeleton->bones[bone], ossai_v3_of(skeleton->bones[b].joint));
		/* a chain stays one */
		if (!several || begins >= share) plan->bones[b].bone.parent = (int32_t)half;
	}
}

ossa_status ossai_edit_split(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, double share, const char *name)
{
	const ossa_bone from = state->rig->skeleton.bones[bone];
	const double at = share > 0 ? share : 0.5;
	ossai_tree_plan plan;
	OSSAI_TRY(check_limit(arena, state));
	if (share < 0 || share >= 1) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
			"a bone is split at a share of its length between 0 and 1, not at %g", share);
	}
	if (fmin(at, 1 - at) * ossai_distance(ossai_v3_of(from.joint), ossai_v3_of(from.tail)) <= NO_LENGTH * diagonal_of(state)) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s is too short to be split there", from.name);
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	const uint32_t made = ossai_tree_plan_add(&plan, state, bone);
	ossai_planned_bone *half = &plan.bones[made];
	if (name[0]) OSSAI_TRY(take_name(arena, state, name, half->bone.name));
	else ossai_new_bone_name(&state->rig->skeleton, from.name, NULL, half->bone.name);
	ossai_v3_store(point_at(&from, at), half->bone.joint);
	ossai_v3_store(point_at(&from, at), plan.bones[bone].bone.tail);
	attach_behind(&plan, state, bone, at, made);
	plan.bones[bone].keep_tail = true;
	plan.bones[bone].stale = STALE_SKIN;
	half->stale = STALE_SKIN;
	if (share == 0) {
		plan.bones[bone].stale |= OSSAI_STALE_SPLIT;
		half->stale |= OSSAI_STALE_JOINT | OSSAI_STALE_SPLIT;
	}
	plan.divided = bone;
	plan.half = made;
	plan.makes_half = true;
	OSSAI_TRY(share_half(arena, state, &plan, bone, at));
	return ossai_tree_plan_apply(arena, &plan, state);
}

/* ---- fewer bones ---- */

/* a bone that loses its last child reaches as far as that did */
static void reach_to(const ossai_edit_state *state, ossai_tree_plan *plan, uint32_t bone, uint32_t gone)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (b != gone && skeleton->bones[b].parent == (int32_t)bone) return;
		if (b != bone && skeleton->bones[b].parent == (int32_t)gone) return;
	}
	ossa_bone *heir = &plan->bones[bone].bone;
	const ossai_vec3 joint = ossai_v3_of(heir->joint), end = ossai_v3_of(skeleton->bones[gone].tail);
	plan->bones[bone].keep_tail = true;
	if (ossai_distance(end, joint) > ossai_distance(ossai_v3_of(heir->tail), joint)) ossai_v3_store(end, heir->tail);
}

static ossa_status check_several(ossai_arena *arena, const ossai_edit_state *state)
{
	if (state->rig->skeleton.bone_count > 1) return OSSA_OK;
	return ossai_fail(
		arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s is the only bone that the rig has", state->rig->skeleton.bones[0].name);
}

ossa_status ossai_edit_remove(ossai_arena *arena, ossai_edit_state *state, uint32_t bone)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	const int32_t parent = skeleton->bones[bone].parent;
	ossai_tree_plan plan;
	OSSAI_TRY(check_several(arena, state));
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	const uint32_t heir = parent >= 0 ? (uint32_t)parent : first_child(skeleton, bone);
	if (parent < 0) plan.bones[heir].bone.parent = -1;
	else reach_to(state, &plan, heir, bone);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].parent == (int32_t)bone && b != heir)
			plan.bones[b].stale |= OSSAI_STALE_JOINT | OSSAI_STALE_MOTION;
	}
	plan.bones[heir].stale |= STALE_SKIN;
	plan.forgets[bone] = 1;
	ossai_tree_plan_remove(&plan, state, bone, heir);
	return ossai_tree_plan_apply(arena, &plan, state);
}

/* the sum of a bone's weights */
static double weight_of(const ossa_rig *rig, uint32_t bone)
{
	double sum = 0;
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		if (rig->weights.bones[i] == bone) sum += (double)rig->weights.values[i];
	}
	return sum;
}

ossa_status ossai_edit_make_one(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t other)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	/* the one of the two that keeps its position in the tree */
	const uint32_t upper = ossai_edit_is_descendant(skeleton, bone, other) ? other : bone, lower = upper == bone ? other : bone;
	ossai_tree_plan plan;
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	ossai_planned_bone *one = &plan.bones[upper];
	reach_to(state, &plan, upper, lower);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].parent == (int32_t)lower) plan.bones[b].stale |= OSSAI_STALE_MOTION;
	}
	/* it moves as the one with more weight did */
	if (weight_of(state->rig, lower) > weight_of(state->rig, upper)) one->source = lower;
	snprintf(one->bone.name, sizeof one->bone.name, "%s", skeleton->bones[bone].name);
	one->stale |= STALE_SKIN;
	if (upper != bone) {
		const ossai_bone_mark mark = state->marks[upper];
		state->marks[upper] = state->marks[bone];
		state->marks[bone] = mark;
	}
	state->marks[upper].stale |= state->marks[lower].stale;
	ossai_tree_plan_remove(&plan, state, lower, upper);
	return ossai_tree_plan_apply(arena, &plan, state);
}

ossa_status ossai_edit_merge(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t other)
{
	const ossa_bone *bones = state->rig->skeleton.bones;
	if (bone == other) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s is one bone already", bones[bone].name);
	}
	const bool meet = bones[bone].parent == (int32_t)other || bones[other].parent == (int32_t)bone ||
		bones[bone].parent == bones[other].parent;
	if (meet) return ossai_edit_make_one(arena, state, bone, other);
	const int32_t parent = bones[bone].parent >= 0 ? bones[bone].parent : (int32_t)first_child(&state->rig->skeleton, bone);
	return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
		"%s and %s do not meet; %s meets %s (together merges bones that do not)", bones[bone].name, bones[other].name,
		bones[bone].name, bones[parent].name);
}

/* ---- positions ---- */

static bool is_at(const ossai_edit_state *state, const double *position, const double *point)
{
	return ossai_distance(ossai_v3_of(position), ossai_v3_of(point)) <= NO_LENGTH * diagonal_of(state);
}

ossa_status ossai_edit_move(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3])
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	const ossa_bone *moved = &skeleton->bones[bone];
	ossai_tree_plan plan;
	OSSAI_TRY(check_point(arena, state, point));
	if (is_at(state, moved->tail, point)) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s ends there: it would have no length", moved->name);
	}
	if (moved->parent >= 0 && is_at(state, skeleton->bones[moved->parent].joint, point)) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s begins there: it would have no length",
			skeleton->bones[moved->parent].name);
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	memcpy(plan.bones[bone].bone.joint, point, sizeof moved->joint);
	plan.bones[bone].bone.fit_residual = plan.bones[bone].bone.deviation = 0;
	plan.bones[bone].stale = STALE_SKIN;
	if (moved->parent >= 0) plan.bones[moved->parent].stale = OSSAI_STALE_WEIGHTS;
	return ossai_tree_plan_apply(arena, &plan, state);
}

ossa_status ossai_edit_tail(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3])
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	const uint32_t child = first_child(skeleton, bone);
	ossai_tree_plan plan;
	OSSAI_TRY(check_point(arena, state, point));
	if (child != OSSA_NONE) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s ends where %s begins: move %s", name_of(state, bone),
			name_of(state, child), name_of(state, child));
	}
	if (is_at(state, skeleton->bones[bone].joint, point)) {
		return ossai_fail(
			arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s begins there: it would have no length", name_of(state, bone));
	}
	OSSAI_TRY(ossai_tree_plan_begin(arena, state, 1, &plan));
	memcpy(plan.bones[bone].bone.tail, point, sizeof plan.bones[bone].bone.tail);
	plan.bones[bone].stale = OSSAI_STALE_WEIGHTS;
	return ossai_tree_plan_apply(arena, &plan, state);
}
