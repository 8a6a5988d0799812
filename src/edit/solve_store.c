/* edit/solve_store.c: stores a solution in the rig: rounded weights, joints and frames, the clip.

   Place in the path: solve_moving, solve_rest -> here -> the rig. Everything is computed before
   anything is changed. What was not solved stays the same to the bit. */
#include "edit/solve_work.h"

#include "rig/assemble.h"
#include "rig/dependencies.h"
#include "rig/clip_morphs.h"
#include "rig/clips.h"
#include "rig/limits.h"
#include "rig/rebuild.h"
#include "skeleton/vertex_weight.h"
#include "skeleton/frames.h"

#include <stdio.h>
#include <string.h>

/* a vertex whose weights differ by less has not changed */
static const double least_change = 1e-4;
/* diagonals: the rounding error between a joint and its position by its parent */
static const double least_slide = 1e-6;

/* ---- weights ---- */

/* A locked bone keeps its weight at a vertex to the bit; the largest other weight compensates for
   rounding. */
static void keep_locked(const ossai_solve_work *w, size_t first, ossa_weights *to, size_t v)
{
	const ossa_weights *from = &w->rig->weights;
	const size_t width = (size_t)to->influences;
	float *values = to->values + v * width;
	uint16_t *bones = to->bones + v * width;
	double others = 0;
	size_t largest = width;
	for (size_t i = 0; i < width; i++) {
		const uint32_t bone = w->tree.order[bones[i]];
		if (values[i] > 0 && ossai_solve_is_locked(w, bone)) values[i] = (float)ossai_weight_of(from, first, bone);
		else if (values[i] > 0 && largest == width) largest = i;
		if (i != largest) others += (double)values[i];
	}
	if (largest < width) values[largest] = (float)fmax(1 - others, 0);
	for (size_t i = 1; i < width; i++) {
		for (size_t j = i; j > 0 && values[j - 1] < values[j]; j--) {
			const float value = values[j];
			const uint16_t bone = bones[j];
			values[j] = values[j - 1];
			bones[j] = bones[j - 1];
			values[j - 1] = value;
			bones[j - 1] = bone;
		}
	}
}

/* the new weights: those that were solved rounded, the others as they are */
static ossa_status make_weights(const ossai_solve_work *w, const uint32_t *new_index, ossa_weights *to)
{
	const ossa_weights *from = &w->rig->weights;
	const size_t width = (size_t)from->influences, pairs = from->vertex_count * width;
	*to = (ossa_weights){.vertex_count = from->vertex_count, .influences = from->influences};
	to->bones = ossa_alloc(w->context, pairs, sizeof *to->bones);
	to->values = to->bones ? ossa_alloc(w->context, pairs, sizeof *to->values) : NULL;
	/* what exists is released with the other parts */
	if (!to->values) return ossa_context_error(w->context)->status;
	ossai_bone_weights_round(&w->weights, NULL, new_index, to);
	const uint32_t *first_of_vertex = w->surface->first_of_vertex;
	for (size_t v = 0; v < from->vertex_count; v++) {
		const size_t first = first_of_vertex ? first_of_vertex[v] : v;
		const ossa_weights *source = w->changed[first] ? to : from;
		const size_t at = (w->changed[first] ? first : v) * width;
		memmove(to->bones + v * width, source->bones + at, width * sizeof *to->bones);
		memmove(to->values + v * width, source->values + at, width * sizeof *to->values);
		if (source == to && w->bounds->weights_locked) keep_locked(w, first, to, v);
		for (size_t i = v * width; i < (v + 1) * width && source == from; i++) {
			if (to->values[i] > 0) to->bones[i] = (uint16_t)new_index[to->bones[i]];
		}
	}
	return OSSA_OK;
}

/* marks the bones of `a` whose weight at the vertex differs in `b`, where bone i is name[i];
   bones are marked as the rig had them */
static bool mark_changes(
	const ossa_weights *a, const ossa_weights *b, const uint32_t *name, const uint32_t *mark, size_t vertex, uint8_t *marks)
{
	const size_t first = vertex * (size_t)a->influences;
	bool any = false;
	for (size_t i = first; i < first + (size_t)a->influences; i++) {
		if (!(a->values[i] > 0)) continue;
		const double other = ossai_weight_of(b, vertex, name[a->bones[i]]);
		if (!(fabs(other - (double)a->values[i]) > least_change)) continue;
		marks[mark[a->bones[i]]] = 1;
		any = true;
	}
	return any;
}

static ossa_status count_changes(
	const ossai_solve_work *w, const ossa_weights *before, const ossa_weights *after, uint8_t *bone_changed, size_t *count)
{
	uint32_t *new_index = ossai_arena_new(w->arena, w->bones, 2 * sizeof *new_index), *same = new_index + w->bones;
	if (!new_index) return ossa_context_error(w->context)->status;
	for (uint32_t i = 0; i < w->bones; i++) {
		new_index[w->tree.order[i]] = i;
		same[i] = i;
	}
	for (size_t v = 0; v < before->vertex_count; v++) {
		const bool lost = mark_changes(before, after, new_index, same, v, bone_changed);
		const bool got = mark_changes(after, before, w->tree.order, w->tree.order, v, bone_changed);
		*count += lost || got;
	}
	return OSSA_OK;
}

/* ---- motion ---- */

/* whether bones slide against their parents: those whose motion is data may */
static bool has_slides(const ossai_solve_work *w)
{
	const size_t poses = w->surface->pose_count;
	if (!w->was_moving || !w->rig->clip->translations) return false;
	for (size_t b = 0; b < w->bones; b++) {
		for (size_t k = 0; k < poses && w->tree.parent[b] != OSSA_NONE; k++) {
			const ossai_rigid *own = &w->motion.rigid[b * poses + k], *up = &w->motion.rigid[w->tree.parent[b] * poses + k];
			const ossai_vec3 a = ossai_rigid_point(own, w->joint[b]), b_there = ossai_rigid_point(up, w->joint[b]);
			if (ossai_distance(a, b_there) > least_slide) return true;
		}
	}
	return false;
}

static ossa_status make_clip(const ossai_solve_work *w, const ossa_skeleton *skeleton, ossa_clip **clip)
{
	const size_t poses = w->surface->pose_count;
	const ossai_moving_skeleton from = {w->surface, w->tree.order, w->joint, skeleton, &w->motion};
	ossai_rigid *world = ossai_arena_new(w->arena, w->bones, sizeof *world);
	if (!world) return ossa_context_error(w->context)->status;
	OSSAI_TRY(ossa_clip_create(w->context, poses, w->bones, has_slides(w), clip));
	const char *name = w->was_moving ? w->rig->clip->name : w->frames->name;
	snprintf((*clip)->name, sizeof(*clip)->name, "%s", name[0] ? name : "poses");
	memcpy((*clip)->times, w->was_moving ? w->rig->clip->times : w->frames->times, poses * sizeof *(*clip)->times);
	for (size_t k = 0; k < poses; k++) ossai_clip_fill(&from, k, world, *clip);
	return w->was_moving ? ossai_clip_take_morphs(w->context, w->rig->clip, 0, *clip) : OSSA_OK;
}

/* ---- skeleton ---- */

static bool has_moved(const ossai_solve_work *w, uint32_t b)
{
	const ossai_vec3 old = ossai_posed_surface_units(w->surface, w->rig->skeleton.bones[b].joint);
	return ossai_distance(old, w->joint[b]) > 0 || w->is_rehung[b];
}

/* whether the children of a bone changed */
static bool has_other_children(const ossai_solve_work *w, uint32_t b)
{
	for (uint32_t c = 0; c < w->bones; c++) {
		const int32_t parent = w->rig->skeleton.bones[c].parent;
		if ((w->tree.parent[c] == b || (parent >= 0 && (uint32_t)parent == b)) && has_moved(w, c)) return true;
	}
	return false;
}

/* where a bone begins or ends elsewhere; a leaf keeps its tail */
static void place_bone(const ossai_solve_work *w, uint32_t b, ossa_bone *bone)
{
	ossai_vec3 joint = ossai_v3_of(bone->joint), tail = ossai_v3_of(bone->tail), mean = w->tail[b];
	if (!has_moved(w, b) && !has_other_children(w, b)) return;
	if (has_moved(w, b)) joint = ossai_posed_surface_place(w->surface, w->joint[b]);
	if (has_other_children(w, b)) {
		ossai_tree_children_mean(&w->tree, w->joint, b, &mean);
		tail = ossai_posed_surface_place(w->surface, mean);
	}
	ossai_bone_stand(joint, tail, w->frames != NULL, bone);
}

static void classify(const ossai_solve_work *w, const ossai_bone_core *core, double poses, uint32_t b, ossa_bone *bone)
{
	const ossai_turning turning = {&w->motion, w->tree.parent[b], b, poses};
	double noise[9];
	ossai_turn_noise(core, turning.a, b, w->motion.pose_count, noise);
	ossai_bone_classify(&turning, noise, bone);
}

/* the bones in their new order */
static ossa_status make_skeleton(const ossai_solve_work *w, const uint32_t *new_index, ossa_skeleton *skeleton)
{
	skeleton->bone_count = w->bones;
	skeleton->bones = ossai_new(w->context, w->bones, sizeof *skeleton->bones);
	ossai_bone_core *core = ossai_arena_new(w->arena, w->bones, sizeof *core);
	if (!skeleton->bones || !core) return ossa_context_error(w->context)->status;
	double poses = 0;
	if (w->motion_solved) OSSAI_TRY(ossai_bone_cores_make(w->arena, w->surface, &w->weights, &w->motion, core));
	if (w->motion_solved) OSSAI_TRY(ossai_independent_poses_of(w->arena, &w->motion, w->tree.parent, core, &poses));
	for (size_t i = 0; i < w->bones; i++) {
		const uint32_t b = w->tree.order[i], parent = w->tree.parent[b];
		ossa_bone *bone = &skeleton->bones[i];
		*bone = w->rig->skeleton.bones[b];
		bone->parent = parent == OSSA_NONE ? -1 : (int32_t)new_index[parent];
		place_bone(w, b, bone);
		if (w->residual[b] >= 0) {
			bone->fit_residual = w->residual[b] * w->surface->scale;
			bone->deviation = 0; /* the joint was found another way */
		}
		if (w->motion_solved && parent != OSSA_NONE) classify(w, core, poses, b, bone);
	}
	return OSSA_OK;
}

/* ---- in and out ---- */

/* Other data of the rig that refers to bones by number; only where their numbers change. */
typedef struct extras {
	uint8_t *levels;
	ossa_loop *loops;
	ossa_dependency *dependencies;
	size_t dependency_count;
} extras;

static ossa_status make_extras(const ossai_solve_work *w, const uint32_t *new_index, extras *x)
{
	const ossa_rig *rig = w->rig;
	if (rig->last_level) {
		x->levels = ossai_new(w->context, w->bones, sizeof *x->levels);
		if (!x->levels) return ossa_context_error(w->context)->status;
		for (size_t b = 0; b < w->bones; b++) x->levels[new_index[b]] = rig->last_level[b];
	}
	OSSAI_TRY(ossai_dependencies_copy(w->context, rig, new_index, &x->dependencies, &x->dependency_count));
	if (rig->loop_count > 0) {
		x->loops = ossai_new(w->context, rig->loop_count, sizeof *x->loops);
		if (!x->loops) return ossa_context_error(w->context)->status;
		memcpy(x->loops, rig->loops, rig->loop_count * sizeof *x->loops);
		for (size_t i = 0; i < 2 * rig->loop_count; i++) {
			int32_t *bone = &x->loops[i / 2].bones[i % 2];
			if (*bone >= 0 && (size_t)*bone < w->bones) *bone = (int32_t)new_index[*bone];
		}
	}
	return OSSA_OK;
}

typedef struct carrying {
	ossa_context *context;
	const ossa_rig *rig;
	ossai_rebuilt to;
} carrying;

typedef struct rig_parts {
	ossa_skeleton skeleton;
	ossa_weights weights, free_weights;
	ossai_clips clips;
	ossa_clip *free_clip;
	extras extras;
} rig_parts;

static void free_parts(ossa_context *context, rig_parts *p)
{
	ossa_free(context, p->skeleton.bones);
	ossa_free(context, p->weights.bones);
	ossa_free(context, p->weights.values);
	ossa_free(context, p->free_weights.bones);
	ossa_free(context, p->free_weights.values);
	ossai_clips_drop(context, &p->clips);
	ossa_clip_free(context, p->free_clip);
	ossa_free(context, p->extras.levels);
	ossa_free(context, p->extras.loops);
	ossa_free(context, p->extras.dependencies);
}

static ossa_status carry_clip(void *user, const ossa_clip *old, ossa_clip **clip)
{
	const carrying *c = user;
	*clip = NULL;
	return old == c->rig->clip ? OSSA_OK : ossai_rig_rebuild_clip(c->context, c->rig, &c->to, old, clip);
}

/* the motions but the first, which is solved: no pose of theirs takes part, so that each bone moves
   as it did */
static ossa_status carry_clips(const ossai_solve_work *w, const ossa_skeleton *skeleton, ossai_clips *clips)
{
	carrying c = {w->context, w->rig, {.count = w->bones, .bone = skeleton->bones, .source = w->tree.order}};
	if (w->rig->other_clip_count == 0) return OSSA_OK;
	return ossai_clips_change(w->context, w->rig, carry_clip, &c, clips);
}

static ossa_status make_parts(const ossai_solve_work *w, rig_parts *p)
{
	uint32_t *new_index = ossai_arena_new(w->arena, w->bones, sizeof *new_index);
	if (!new_index) return ossa_context_error(w->context)->status;
	for (uint32_t i = 0; i < w->bones; i++) new_index[w->tree.order[i]] = i;
	OSSAI_TRY(make_skeleton(w, new_index, &p->skeleton));
	OSSAI_TRY(make_weights(w, new_index, &p->weights));
	OSSAI_TRY(make_extras(w, new_index, &p->extras));
	p->extras.dependency_count = ossai_dependencies_keep_good(
		&p->skeleton, p->extras.dependency_count, p->extras.dependencies, NULL);
	ossai_dependencies_warn_of_lost(w->context, w->rig->dependency_count - p->extras.dependency_count);
	if (!w->motion_solved) return OSSA_OK;
	OSSAI_TRY(carry_clips(w, &p->skeleton, &p->clips));
	return make_clip(w, &p->skeleton, &p->clips.clip);
}

/* swaps the rig's arrays with the new ones; the motion of free bones is that of the original rig */
static void swap_parts(ossai_solve_work *w)
{
	ossa_rig *rig = w->rig;
	rig_parts *p = w->other;
	const rig_parts old = {rig->skeleton, rig->weights, rig->free_weights, ossai_clips_of(rig), rig->free_clip,
		{rig->last_level, rig->loops, rig->dependencies, rig->dependency_count}};
	rig->skeleton = p->skeleton;
	rig->weights = p->weights;
	rig->last_level = p->extras.levels;
	rig->loops = p->extras.loops;
	rig->dependencies = p->extras.dependencies;
	rig->dependency_count = p->extras.dependency_count;
	ossai_clips_put(rig, &p->clips);
	rig->free_clip = p->free_clip;
	rig->free_weights = p->free_weights;
	*p = old;
}

/* Limits that the user did not set are derived from the motion: they are updated where it changed,
   with the same slack. */
static void follow_limits(ossa_rig *rig, const rig_parts *old, const uint32_t *order)
{
	ossa_rig before = *rig;
	before.skeleton = old->skeleton;
	ossai_clips_put(&before, &old->clips);
	for (size_t i = 0; i < rig->skeleton.bone_count; i++) {
		ossa_bone *bone = &rig->skeleton.bones[i];
		const ossa_bone kept = *bone;
		double was[3][2], is[3][2], slack = 180;
		if (!bone->has_limits || !bone->limits_of_motion || bone->kind == OSSA_JOINT_PRISMATIC) continue;
		ossai_turn_range_of_all(&before, order[i], was);
		ossai_turn_range_of_all(rig, i, is);
		if (ossai_same_doubles(&was[0][0], &is[0][0], 6)) continue;
		for (int e = 0; e < 6; e++) slack = fmin(slack, fabs(kept.limits[e / 2][e % 2]) - fabs(was[e / 2][e % 2]));
		if (!ossai_limits_of_motion(rig, i, fmax(slack, 0), bone)) *bone = kept;
	}
}

ossa_status ossai_solve_store(ossai_solve_work *w, ossa_solve_facts *facts)
{
	uint8_t *bone_changed = ossai_arena_zero(w->arena, w->bones, 1);
	rig_parts *p = ossai_arena_zero(w->arena, 1, sizeof *p);
	if (!bone_changed || !p) return ossa_context_error(w->context)->status;
	ossa_status status = make_parts(w, p);
	if (status == OSSA_OK) status = count_changes(w, &w->rig->weights, &p->weights, bone_changed, &facts->vertices_changed);
	for (uint32_t b = 0; b < w->bones; b++) bone_changed[b] |= has_moved(w, b) || has_other_children(w, b);
	if (status != OSSA_OK) {
		free_parts(w->context, p);
		return status;
	}
	if (!w->motion_solved) {
		/* these are kept and must not be freed */
		w->keeps_motion = true;
		p->clips = ossai_clips_of(w->rig);
		p->free_clip = w->rig->free_clip;
		p->free_weights = w->rig->free_weights;
	}
	w->other = p;
	swap_parts(w);
	if (w->motion_solved && w->was_moving) follow_limits(w->rig, p, w->tree.order);
	for (uint32_t b = 0; b < w->bones; b++) facts->bones_changed += bone_changed[b];
	facts->weights = w->weights_solved;
	facts->tree = w->tree_solved;
	facts->joints = w->joints_solved;
	facts->motion = w->motion_solved;
	return OSSA_OK;
}

static void forget_shared(ossai_solve_work *w)
{
	rig_parts *p = w->other;
	if (!w->keeps_motion) return;
	p->clips = (ossai_clips){0};
	p->free_clip = NULL;
	p->free_weights = (ossa_weights){0};
}

void ossai_solve_put_back(ossai_solve_work *w)
{
	if (!w->other) return;
	swap_parts(w);
	forget_shared(w);
	free_parts(w->context, w->other);
}

void ossai_solve_drop_old(ossai_solve_work *w)
{
	if (!w->other) return;
	forget_shared(w);
	free_parts(w->context, w->other);
}
