/* rig/rebuild.c: see rebuild.h.

   A bone's skin moves as before: the frame of a joint in the world is the skinning matrix of the
   bone that it moves as, times the joint's own frame at rest. */
#include "rig/rebuild.h"

#include "rig/clips.h"
#include "rig/dependencies.h"
#include "rig/pose.h"
#include "rig/universal_joint.h"
#include "skeleton/frames.h"
#include "skeleton/naming/names.h"
#include "skeleton/tree.h"

#include <string.h>

typedef struct rebuilding {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_rebuilt *to;
	const ossa_rig *rig;
	uint16_t *place; /* per bone of the rig: its new number */
} rebuilding;

/* ---- weights ---- */

static ossa_status find_places(rebuilding *r)
{
	const size_t old = r->rig->skeleton.bone_count;
	r->place = ossai_arena_zero(r->arena, old, sizeof *r->place);
	if (!r->place) return ossa_context_error(r->context)->status;
	for (size_t b = r->to->count; b-- > 0;) r->place[r->to->source[b]] = (uint16_t)b;
	return OSSA_OK;
}

static void renumber(const uint16_t *place, ossa_weights *weights)
{
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		/* unused pairs are of bone 0 */
		weights->bones[i] = weights->values[i] > 0 ? place[weights->bones[i]] : 0;
	}
}

/* ---- motion ---- */

/* the joint's frame in the world, and relative to its parent's */
static void put_joint(const rebuilding *r, size_t frame, size_t b, const double *skin, ossai_rigid *world, ossa_clip *clip)
{
	const ossa_bone *bone = &r->to->bone[b];
	const ossai_rigid rest = ossai_rest_frame(bone), moved = ossai_rigid_of(skin + 12 * (size_t)r->to->source[b]);
	ossai_rigid local = world[b] = ossai_rigid_mul(&moved, &rest);
	if (bone->parent >= 0) {
		const ossai_rigid up = ossai_rigid_inverse(&world[bone->parent]);
		local = ossai_rigid_mul(&up, &world[b]);
	} else {
		ossai_v3_store(local.t, clip->root_positions + 3 * frame);
	}
	double *to = clip->rotations + 4 * (frame * clip->bone_count + b);
	ossai_quat q = ossai_mat3_quat(&local.r);
	ossai_quat_store_after(q, frame > 0 ? to - 4 * clip->bone_count : NULL, to);
	if (clip->translations) ossai_v3_store(local.t, clip->translations + 3 * (frame * clip->bone_count + b));
}

static ossa_status rebuild_clip(void *user, const ossa_clip *old, ossa_clip **clip)
{
	const rebuilding *r = user;
	*clip = NULL;
	double *skin = ossai_arena_new(r->arena, old->bone_count, 12 * sizeof *skin);
	ossai_rigid *world = ossai_arena_new(r->arena, r->to->count, sizeof *world);
	if (!skin || !world) return ossa_context_error(r->context)->status;
	const bool moves = old->translations || r->to->moves;
	OSSAI_TRY(ossa_clip_create(r->context, old->frame_count, r->to->count, moves, clip));
	memcpy((*clip)->name, old->name, sizeof old->name);
	memcpy((*clip)->times, old->times, old->frame_count * sizeof *old->times);
	for (size_t k = 0; k < old->frame_count; k++) {
		ossai_skin_matrices(r->rig, old, k, skin);
		for (size_t b = 0; b < r->to->count; b++) put_joint(r, k, b, skin, world, *clip);
	}
	return OSSA_OK;
}

ossa_status ossai_rig_rebuild_clip(
	ossa_context *context, const ossa_rig *rig, const ossai_rebuilt *to, const ossa_clip *old, ossa_clip **clip)
{
	ossai_arena arena = ossai_arena_begin(context);
	rebuilding r = {.context = context, .arena = &arena, .to = to, .rig = rig};
	const ossa_status status = rebuild_clip(&r, old, clip);
	ossai_arena_end(&arena);
	return status;
}

/* ---- the whole ---- */

/* frames need the weights in their new order, and the clips the old rig */
static ossa_status rebuild(rebuilding *r, ossa_rig *rig, ossa_bone *bones)
{
	ossai_clips clips;
	ossa_clip *free_clip = NULL;
	ossa_status status = ossai_clips_change(r->context, rig, rebuild_clip, r, &clips);
	if (status == OSSA_OK && rig->free_clip) status = rebuild_clip(r, rig->free_clip, &free_clip);
	if (status != OSSA_OK) {
		ossai_clips_drop(r->context, &clips);
		ossa_free(r->context, bones);
		return status;
	}
	memcpy(bones, r->to->bone, r->to->count * sizeof *bones);
	renumber(r->place, &rig->weights);
	renumber(r->place, &rig->free_weights);
	ossai_clips_free(r->context, rig);
	ossai_clips_put(rig, &clips);
	ossa_clip_free(r->context, rig->free_clip);
	rig->free_clip = free_clip;
	ossa_free(r->context, rig->skeleton.bones);
	rig->skeleton = (ossa_skeleton){r->to->count, bones};
	for (size_t i = 0; i < 2 * rig->loop_count; i++) {
		int32_t *bone = &rig->loops[i / 2].bones[i % 2];
		*bone = (int32_t)r->place[*bone];
	}
	/* found again where they are wanted */
	ossai_dependencies_warn_of_lost(r->context, rig->dependency_count);
	ossa_free(r->context, rig->dependencies);
	rig->dependencies = NULL;
	rig->dependency_count = 0;
	return OSSA_OK;
}

/* of a copy of the weights, because the rig's are still those of its own bones */
static ossa_status find_frames(const rebuilding *r)
{
	const ossa_rig *rig = r->rig;
	const size_t pairs = rig->weights.vertex_count * (size_t)rig->weights.influences;
	ossa_weights weights = rig->weights;
	weights.bones = ossai_arena_new(r->arena, pairs, sizeof *weights.bones);
	if (!weights.bones) return ossa_context_error(r->context)->status;
	memcpy(weights.bones, rig->weights.bones, pairs * sizeof *weights.bones);
	renumber(r->place, &weights);
	ossa_skeleton skeleton = {r->to->count, r->to->bone};
	ossai_skeleton_frames(&skeleton, rig->mesh, &weights, r->to->keep_tails);
	return OSSA_OK;
}

ossa_status ossai_rig_rebuild(ossa_context *context, const ossai_rebuilt *to, ossa_rig *rig)
{
	ossai_arena arena = ossai_arena_begin(context);
	rebuilding r = {.context = context, .arena = &arena, .to = to, .rig = rig};
	ossa_status status = find_places(&r);
	if (status == OSSA_OK) status = find_frames(&r);
	ossa_bone *bones = status == OSSA_OK ? ossa_alloc(context, to->count, sizeof *bones) : NULL;
	if (status == OSSA_OK) status = bones ? rebuild(&r, rig, bones) : ossa_context_error(context)->status;
	ossai_arena_end(&arena);
	return status;
}

/* ---- another root ---- */

/* what belongs to the joint between a bone and its parent */
static void copy_joint(const ossa_bone *from, ossa_bone *to)
{
	to->kind = from->kind;
	to->turn_degrees = from->turn_degrees;
	to->fit_residual = from->fit_residual;
	to->deviation = from->deviation;
	to->turn_deviation = from->turn_deviation;
	memcpy(to->joint, from->joint, sizeof to->joint);
	/* seen from the other side: of a universal joint the second axis comes first */
	ossai_bone_take_axes(from, from->kind == OSSA_JOINT_UNIVERSAL || from->kind == OSSA_JOINT_PRISMATIC, to);
	/* of turns it has none here, those of a slide do not depend on the frame */
	to->has_limits = from->kind == OSSA_JOINT_PRISMATIC && from->has_limits;
	to->limits_of_motion = to->has_limits && from->limits_of_motion;
}

/* turns the path from the root round: the joint between two bones is then the other one's */
static void turn_path(const ossa_skeleton *skeleton, uint32_t root, const double joint[3], ossai_tree *tree, ossa_bone *bone)
{
	const ossa_bone *old = skeleton->bones;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		bone[b] = old[b];
		tree->parent[b] = old[b].parent < 0 ? OSSA_NONE : (uint32_t)old[b].parent;
	}
	for (uint32_t b = root; old[b].parent >= 0; b = (uint32_t)old[b].parent) {
		tree->parent[old[b].parent] = b;
		copy_joint(&old[b], &bone[old[b].parent]);
	}
	tree->parent[root] = OSSA_NONE;
	tree->root = root;
	const ossa_bone none = {.kind = OSSA_JOINT_ROOT};
	copy_joint(&none, &bone[root]);
	memcpy(bone[root].joint, joint, sizeof bone[root].joint);
	ossai_tree_sort(tree);
}

static ossa_status reroot(ossai_arena *arena, uint32_t root, const double joint[3], ossa_rig *rig)
{
	const size_t count = rig->skeleton.bone_count;
	ossai_tree tree;
	OSSAI_TRY(ossai_tree_new(arena, count, &tree));
	ossa_bone *bone = ossai_arena_new(arena, count, sizeof *bone);
	ossai_rebuilt to = {.count = count, .bone = ossai_arena_new(arena, count, sizeof *to.bone), .source = tree.order};
	uint32_t *place = ossai_arena_new(arena, count, sizeof *place);
	if (!bone || !to.bone || !place) return ossa_context_error(arena->context)->status;
	turn_path(&rig->skeleton, root, joint, &tree, bone);
	for (uint32_t i = 0; i < count; i++) place[tree.order[i]] = i;
	for (size_t i = 0; i < count; i++) {
		const uint32_t parent = tree.parent[tree.order[i]];
		to.bone[i] = bone[tree.order[i]];
		to.bone[i].parent = parent == OSSA_NONE ? -1 : (int32_t)place[parent];
	}
	return ossai_rig_rebuild(arena->context, &to, rig);
}

ossa_status ossai_rig_reroot(ossa_context *context, uint32_t root, const double joint[3], ossa_rig *rig)
{
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = reroot(&arena, root, joint, rig);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) ossai_names_renumber(&rig->skeleton);
	return status;
}
