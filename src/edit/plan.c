/* edit/plan.c: see plan.h. */
#include "edit/plan_parts.h"

#include "base/heap.h"
#include "mesh/bounds.h"
#include "rig/clips.h"
#include "rig/flatten.h"
#include "rig/join_rigs.h"
#include "rig/universal_joint.h"

#include <string.h>

/* of the diagonal: the distance within which positions in rigs from files coincide; and the
   rounding error of positions */
static const double SAME_PLACE = 1e-6, ROUNDING = 1e-9;
/* of a direction: +Y runs along the bone */
static const double ALONG = 1e-6;

/* ---- making plans ---- */

static uint8_t level_of(const ossa_rig *rig, size_t bone) { return rig->last_level ? rig->last_level[bone] : 0; }

ossa_status ossai_tree_plan_begin(ossai_arena *arena, const ossai_edit_state *state, size_t more, ossai_tree_plan *plan)
{
	const ossa_rig *rig = state->rig;
	const size_t bones = rig->skeleton.bone_count;
	*plan = (ossai_tree_plan){.count = bones, .capacity = bones + more, .divided = OSSA_NONE};
	plan->bones = ossai_arena_zero(arena, plan->capacity, sizeof *plan->bones);
	plan->successor = ossai_arena_new(arena, bones, sizeof *plan->successor);
	plan->forgets = ossai_arena_zero(arena, bones, 1);
	if (!plan->bones || !plan->successor || !plan->forgets) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) {
		plan->successor[b] = (uint32_t)b;
		plan->bones[b] = (ossai_planned_bone){.bone = rig->skeleton.bones[b],
			.source = (uint32_t)b,
			.kept = (uint32_t)b,
			.order = (double)b,
			.level = level_of(rig, b)};
	}
	return OSSA_OK;
}

uint32_t ossai_tree_plan_add(ossai_tree_plan *plan, const ossai_edit_state *state, uint32_t after)
{
	ossai_planned_bone *made = &plan->bones[plan->count];
	*made = (ossai_planned_bone){.bone = state->rig->skeleton.bones[after],
		.source = after,
		.kept = OSSA_NONE,
		.order = (double)after + 0.5,
		.level = level_of(state->rig, after),
		.keep_tail = true};
	made->bone.parent = (int32_t)after;
	made->bone.kind = OSSA_JOINT_UNKNOWN;
	made->bone.has_limits = made->bone.limits_of_motion = false;
	made->bone.turn_degrees = made->bone.fit_residual = made->bone.deviation = made->bone.turn_deviation = 0;
	made->bone.role = (ossa_role){.part = OSSA_PART_NONE};
	memset(made->bone.limits, 0, sizeof made->bone.limits);
	ossai_bone_forget_axes(&made->bone);
	return (uint32_t)plan->count++;
}

void ossai_tree_plan_remove(ossai_tree_plan *plan, const ossai_edit_state *state, uint32_t bone, uint32_t heir)
{
	const uint32_t last = (uint32_t)plan->count - 1;
	for (size_t b = 0; b < plan->count; b++) {
		int32_t *parent = &plan->bones[b].bone.parent;
		if (*parent == (int32_t)bone) *parent = (int32_t)heir;
	}
	for (size_t b = 0; b < state->rig->skeleton.bone_count; b++) {
		if (plan->successor[b] == bone) plan->successor[b] = heir;
	}
	/* the last one takes the free row */
	plan->bones[bone] = plan->bones[last];
	plan->count--;
	for (size_t b = 0; b < plan->count; b++) {
		if (plan->bones[b].bone.parent == (int32_t)last) plan->bones[b].bone.parent = (int32_t)bone;
	}
	for (size_t b = 0; b < state->rig->skeleton.bone_count; b++) {
		if (plan->successor[b] == last) plan->successor[b] = bone;
	}
}

/* ---- positions ---- */

/* the mean of the children's joints of every bone; counts 0 where there are none */
typedef struct child_means {
	ossai_vec3 *sum;
	uint32_t *count;
} child_means;

static ossa_status means_new(ossai_arena *arena, size_t bones, child_means *means)
{
	means->sum = ossai_arena_zero(arena, bones, sizeof *means->sum);
	means->count = ossai_arena_zero(arena, bones, sizeof *means->count);
	return means->sum && means->count ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void means_add(const child_means *means, const ossa_bone *bone)
{
	if (bone->parent < 0) return;
	means->sum[bone->parent] = ossai_add(means->sum[bone->parent], ossai_v3_of(bone->joint));
	means->count[bone->parent]++;
}

static ossai_vec3 mean_of(const child_means *means, size_t bone)
{
	return ossai_scale(means->sum[bone], 1 / (double)means->count[bone]);
}

static ossai_vec3 direction_of(const ossa_bone *bone)
{
	return ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), ossai_v3(0, 0, 0));
}

/* a frame whose +Y ran along the bone does so again */
static void turn_frame(const ossai_replan *r, const ossa_bone *before, const ossai_planned_bone *planned, ossa_bone *bone)
{
	const ossai_vec3 was = direction_of(before), now = direction_of(bone), y = ossai_v3(0, 1, 0);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(before->orientation));
	if (ossai_distance(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)) <= ROUNDING * r->diagonal) return;
	if (ossai_distance(was, now) == 0 || ossai_distance(ossai_mat3_mul_v(&frame, y), was) > ALONG) return;
	const ossai_quat turned = planned->turn_again
		? ossai_quat_between(y, now)
		: ossai_quat_mul(ossai_quat_between(was, now), ossai_quat_of(before->orientation));
	ossai_quat_store(ossai_quat_unit(turned), bone->orientation);
}

/* tails that were their children's stay so; r->bones still holds planned bones as given, by
   number */
static ossa_status assign_places(const ossai_replan *r)
{
	const ossa_skeleton *old = &r->old->skeleton;
	child_means before, after;
	OSSAI_TRY(means_new(r->arena, old->bone_count, &before));
	OSSAI_TRY(means_new(r->arena, r->count, &after));
	for (size_t b = 0; b < old->bone_count; b++) means_add(&before, &old->bones[b]);
	for (size_t b = 0; b < r->count; b++) means_add(&after, &r->bones[b]);
	for (size_t b = 0; b < r->count; b++) {
		const ossai_planned_bone *planned = ossai_planned(r, b);
		if (planned->kept == OSSA_NONE || planned->is_placed) continue;
		const ossa_bone *was = &old->bones[planned->kept];
		const bool followed = before.count[planned->kept] > 0 &&
			ossai_distance(mean_of(&before, planned->kept), ossai_v3_of(was->tail)) <= SAME_PLACE * r->diagonal;
		if (followed && !planned->keep_tail && after.count[b] > 0) {
			const ossai_vec3 mean = mean_of(&after, b);
			if (ossai_distance(mean, ossai_v3_of(was->tail)) > ROUNDING * r->diagonal) ossai_v3_store(mean, r->bones[b].tail);
		}
		turn_frame(r, was, planned, &r->bones[b]);
	}
	return OSSA_OK;
}

/* ---- order ---- */

typedef struct child_lists {
	uint32_t *first, *next;
} child_lists;

static ossa_status order_bones(ossai_replan *r)
{
	const ossai_tree_plan *plan = r->plan;
	child_lists lists = {ossai_arena_new(r->arena, plan->count, sizeof *lists.first),
		ossai_arena_new(r->arena, plan->count, sizeof *lists.next)};
	ossai_heap heap = {ossai_arena_new(r->arena, plan->count, sizeof *heap.entries), 0};
	if (!lists.first || !lists.next || !heap.entries) return ossa_context_error(r->arena->context)->status;
	memset(lists.first, 0xff, plan->count * sizeof *lists.first);
	for (uint32_t i = 0; i < plan->count; i++) {
		const int32_t parent = plan->bones[i].bone.parent;
		if (parent < 0) {
			ossai_heap_push(&heap, plan->bones[i].order, i);
			continue;
		}
		lists.next[i] = lists.first[parent];
		lists.first[parent] = i;
	}
	size_t placed = 0;
	while (heap.count > 0) {
		const uint32_t next = heap.entries[0].item;
		ossai_heap_pop(&heap);
		r->rank[next] = (uint32_t)placed;
		r->planned[placed++] = next;
		for (uint32_t child = lists.first[next]; child != OSSA_NONE; child = lists.next[child]) {
			ossai_heap_push(&heap, plan->bones[child].order, child);
		}
	}
	return OSSA_OK;
}

static void number_bones(const ossai_replan *r)
{
	for (size_t b = 0; b < r->count; b++) {
		r->bones[b] = ossai_planned(r, b)->bone;
		if (r->bones[b].parent >= 0) r->bones[b].parent = (int32_t)r->rank[r->bones[b].parent];
	}
}

/* ---- what a joint is ---- */

static bool turns_as_before(const ossai_replan *r, size_t b)
{
	const ossai_planned_bone *planned = ossai_planned(r, b);
	const int32_t parent = r->bones[b].parent;
	if (planned->kept == OSSA_NONE || planned->source != planned->kept) return false;
	const int32_t was = r->old->skeleton.bones[planned->kept].parent;
	return parent < 0 || was < 0 ? parent < 0 && was < 0 : ossai_planned(r, (size_t)parent)->source == (uint32_t)was;
}

static bool is_frame_kept(const ossai_replan *r, size_t b)
{
	const ossa_bone *was = &r->old->skeleton.bones[ossai_planned(r, b)->source];
	return ossai_same_doubles(was->orientation, r->bones[b].orientation, 4);
}

static void compare_turns(const ossai_replan *r)
{
	for (size_t b = 0; b < r->count; b++) {
		const int32_t parent = r->bones[b].parent;
		r->turns_alike[b] = turns_as_before(r, b);
		r->has_same_axes[b] = r->turns_alike[b] && is_frame_kept(r, b) && (parent < 0 || is_frame_kept(r, (size_t)parent));
	}
}

static void forget_limits(ossa_bone *bone)
{
	bone->has_limits = bone->limits_of_motion = false;
	memset(bone->axis_limits, 0, sizeof bone->axis_limits);
	memset(bone->limits, 0, sizeof bone->limits);
	memset(bone->slide_limits, 0, sizeof bone->slide_limits);
}

/* limits that were derived from the motion are updated where wanted; those that the user set are
   dropped where the joint changed */
static void keep_limits(const ossai_replan *r)
{
	int64_t lost = 0;
	const char *first = "";
	for (size_t b = 0; b < r->count; b++) {
		ossa_bone *bone = &r->bones[b];
		const bool is_kept = r->turns_alike[b] || ossai_planned(r, b)->is_placed;
		/* a slide does not depend on the joint's frame */
		if (bone->kind == OSSA_JOINT_PRISMATIC && (is_kept || ossai_planned(r, b)->keeps_kind)) continue;
		if (!bone->has_limits || r->has_same_axes[b] || (is_kept && !bone->limits_of_motion)) continue;
		if (!bone->limits_of_motion && lost++ == 0) first = bone->name;
		forget_limits(bone);
	}
	if (lost > 0) {
		ossai_warn(r->arena->context, "limits-forgotten", lost,
			"the limits of %s and of all joints with a new parent were removed; set them again", first);
	}
}

static void forget_joints(const ossai_replan *r)
{
	int64_t lost = 0;
	const char *first = "";
	for (size_t b = 0; b < r->count; b++) {
		ossa_bone *bone = &r->bones[b];
		const bool keeps_kind = ossai_planned(r, b)->keeps_kind;
		if (r->turns_alike[b] || (bone->parent >= 0 && keeps_kind)) continue;
		const bool is_free = bone->parent >= 0 && r->is_free;
		const bool known = bone->kind != OSSA_JOINT_UNKNOWN && bone->kind != OSSA_JOINT_ROOT;
		if (bone->parent >= 0 && known && !is_free && !r->old->clip && lost++ == 0) first = bone->name;
		/* of a body under a common root: not the root that the rig had */
		const bool is_body = bone->parent == 0 && ossai_is_body_root(&r->old->skeleton.bones[ossai_planned(r, b)->source]);
		if (bone->kind == OSSA_JOINT_PRISMATIC) forget_limits(bone);
		bone->kind = bone->parent < 0 || is_body ? OSSA_JOINT_ROOT : is_free ? OSSA_JOINT_FREE : OSSA_JOINT_UNKNOWN;
		bone->turn_degrees = bone->fit_residual = bone->turn_deviation = 0;
		ossai_bone_forget_axes(bone);
	}
	if (lost > 0) {
		ossai_warn(r->arena->context, "kinds-dropped", lost,
			"the joints of %s and of all bones with a new parent are of unknown kind now", first);
	}
}

/* ---- all of it ---- */

static ossa_status replan_new(ossai_arena *arena, const ossai_tree_plan *plan, ossai_edit_state *state, ossai_replan *r)
{
	const ossa_mesh *mesh = state->rig->mesh;
	const double diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	*r = (ossai_replan){.arena = arena, .plan = plan, .state = state, .old = state->rig, .count = plan->count};
	r->diagonal = diagonal > 0 ? diagonal : 1;
	r->is_free = ossai_skeleton_is_free(&r->old->skeleton);
	r->rank = ossai_arena_new(arena, plan->count, sizeof *r->rank);
	r->planned = ossai_arena_new(arena, plan->count, sizeof *r->planned);
	r->bones = ossai_new(arena->context, plan->count, sizeof *r->bones);
	r->turns_alike = ossai_arena_new(arena, plan->count, 1);
	r->has_same_axes = ossai_arena_new(arena, plan->count, 1);
	r->is_reshaped = ossai_arena_zero(arena, plan->count, 1);
	const bool all = r->rank && r->planned && r->bones && r->turns_alike && r->has_same_axes && r->is_reshaped;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static ossa_status replan_clip(void *user, const ossa_clip *old, ossa_clip **clip)
{
	return ossai_replan_clip(user, old, false, clip);
}

/* what depends on the bones as they were is made before they are replaced */
static ossa_status replace_parts(ossai_replan *r)
{
	ossa_context *context = r->arena->context;
	ossa_rig *rig = r->state->rig;
	ossai_clips clips;
	ossa_clip *free_clip = NULL;
	ossa_status status = ossai_clips_change(context, rig, replan_clip, r, &clips);
	if (status == OSSA_OK && rig->free_clip) status = ossai_replan_clip(r, rig->free_clip, true, &free_clip);
	if (status == OSSA_OK) status = ossai_replan_weights(r, &rig->weights);
	if (status == OSSA_OK && rig->free_weights.vertex_count > 0) status = ossai_replan_weights(r, &rig->free_weights);
	if (status == OSSA_OK) {
		ossai_clips_free(context, rig);
		ossa_clip_free(context, rig->free_clip);
		ossai_clips_put(rig, &clips);
		rig->free_clip = free_clip;
		return OSSA_OK;
	}
	ossai_clips_drop(context, &clips);
	ossa_clip_free(context, free_clip);
	return status;
}

static ossa_status replace_rig(ossai_replan *r)
{
	ossai_edit_state *state = r->state;
	uint32_t *old_ids = ossai_arena_new(r->arena, r->old->skeleton.bone_count, sizeof *old_ids);
	if (!old_ids) return ossa_context_error(r->arena->context)->status;
	for (size_t b = 0; b < r->old->skeleton.bone_count; b++) old_ids[b] = state->marks[b].id;
	OSSAI_TRY(order_bones(r));
	number_bones(r);
	OSSAI_TRY(assign_places(r));
	if (!r->old->clip) OSSAI_TRY(ossai_replan_shapes(r));
	compare_turns(r);
	keep_limits(r);
	forget_joints(r);
	if (r->old->clip) OSSAI_TRY(ossai_replan_judge(r));
	OSSAI_TRY(replace_parts(r));
	OSSAI_TRY(ossai_replan_links(r));
	OSSAI_TRY(ossai_replan_marks(r));
	return ossai_replan_holds(r, old_ids);
}

ossa_status ossai_tree_plan_apply(ossai_arena *arena, ossai_tree_plan *plan, ossai_edit_state *state)
{
	ossai_replan r;
	ossa_status status = replan_new(arena, plan, state, &r);
	if (status == OSSA_OK) status = replace_rig(&r);
	if (status != OSSA_OK) {
		ossa_free(arena->context, r.bones);
		return status;
	}
	ossa_free(arena->context, state->rig->skeleton.bones);
	state->rig->skeleton.bones = r.bones;
	state->rig->skeleton.bone_count = r.count;
	return OSSA_OK;
}
