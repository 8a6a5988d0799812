/* retarget/repose.c: see repose.h.

   A bone's frame at rest becomes move frame. Local rotations and translations of a clip are
   relative to the parent's frame in the same frame of the clip, not to the rest, so the clip stays
   valid as it is; what changes is the skinning matrix, to K move^-1 with K the one before. */
#include "retarget/repose.h"

#include "rig/pose.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 4096 };

/* of the skeleton's size: rounding of doubles */
static const double SAME = 1e-9;

/* ---- bones ---- */

double ossai_skeleton_size(const ossa_skeleton *skeleton)
{
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const double *p = skeleton->bones[b].joint;
		low = ossai_v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
		high = ossai_v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
	}
	return ossai_distance(low, high);
}

/* The axes of a universal joint stay square to each other where it is turned as it can, so that what
   is off that is taken from the first. Limits about them follow from those about the frame's axes:
   the angles begin elsewhere. */
static void repose_axes(const ossai_rigid *move, const ossai_rigid *above, ossa_bone *bone)
{
	const bool is_universal = bone->kind == OSSA_JOINT_UNIVERSAL, slides = bone->kind == OSSA_JOINT_PRISMATIC;
	ossai_vec3 first = ossai_mat3_mul_v(is_universal || slides ? &above->r : &move->r, ossai_v3_of(bone->axis));
	const ossai_vec3 second = ossai_mat3_mul_v(&move->r, ossai_v3_of(bone->second_axis));
	if (is_universal) first = ossai_unit(ossai_madd(first, -ossai_dot(first, second), second), first);
	ossai_v3_store(first, bone->axis);
	ossai_v3_store(second, bone->second_axis);
	if (!ossai_mat3_same(&move->r, &above->r)) memset(bone->axis_limits, 0, sizeof bone->axis_limits);
}

/* it begins where it slides to; was: the joint before */
static void repose_slide(const ossai_rigid *above, ossai_vec3 was, ossa_bone *bone)
{
	const ossai_vec3 offset = ossai_sub(ossai_v3_of(bone->joint), ossai_rigid_point(above, was));
	const double distance = ossai_dot(ossai_v3_of(bone->axis), offset);
	bone->slide_limits[0] = fmin(bone->slide_limits[0] - distance, 0);
	bone->slide_limits[1] = fmax(bone->slide_limits[1] - distance, 0);
}

/* above: the move of its parent, which holds the first axis of a universal joint and of a slide */
static void repose_bone(const ossai_rigid *move, const ossai_rigid *above, ossa_bone *bone)
{
	const ossai_vec3 was = ossai_v3_of(bone->joint);
	const ossai_quat turn = ossai_mat3_quat(&move->r), rest = ossai_quat_of(bone->orientation);
	ossai_v3_store(ossai_rigid_point(move, ossai_v3_of(bone->joint)), bone->joint);
	ossai_v3_store(ossai_rigid_point(move, ossai_v3_of(bone->tail)), bone->tail);
	repose_axes(move, above, bone);
	if (bone->kind == OSSA_JOINT_PRISMATIC && bone->has_limits) repose_slide(above, was, bone);
	ossai_quat_store(ossai_quat_unit(ossai_quat_mul(turn, rest)), bone->orientation);
	const ossai_rigid back = ossai_rigid_inverse(move), none = {ossai_mat3_identity(), {0, 0, 0}};
	memset(bone->modelled, 0, sizeof bone->modelled);
	if (ossai_rigid_same(move, &none)) return;
	ossai_quat_store(ossai_mat3_quat(&back.r), bone->modelled);
	ossai_v3_store(back.t, bone->modelled + 4);
}

/* a loop moves as the mean of its two bones */
static void repose_loop(const ossai_rigid *move, ossa_loop *loop)
{
	const ossai_vec3 center = ossai_v3_of(loop->center);
	const ossai_vec3 a = ossai_rigid_point(&move[loop->bones[0]], center), b = ossai_rigid_point(&move[loop->bones[1]], center);
	ossai_v3_store(ossai_lerp(a, b, 0.5), loop->center);
}

/* ---- motion ---- */

/* whether bones are at other places in their parents' frames, so that a clip must say where */
static bool bones_slide(const ossa_skeleton *before, const ossa_skeleton *after)
{
	const double same = SAME * ossai_skeleton_size(before);
	for (size_t b = 1; b < before->bone_count; b++) {
		const ossai_vec3 was = ossai_rest_offset(before->bones, b), now = ossai_rest_offset(after->bones, b);
		if (ossai_distance(was, now) > same) return true;
	}
	return false;
}

/* the rest offsets in every frame; `clip` becomes a copy that has them */
static ossa_status add_translations(ossai_arena *arena, const ossa_bone *bones, ossa_clip **clip)
{
	if (!*clip || (*clip)->translations) return OSSA_OK;
	ossa_clip *own = ossai_arena_new(arena, 1, sizeof *own);
	if (!own) return ossa_context_error(arena->context)->status;
	*own = **clip;
	own->translations = ossai_arena_new(arena, own->frame_count * own->bone_count, 3 * sizeof *own->translations);
	if (!own->translations) return ossa_context_error(arena->context)->status;
	ossai_rest_translations(bones, own, own->translations);
	*clip = own;
	return OSSA_OK;
}

static ossa_status repose_motion(ossai_arena *arena, const ossa_rig *rig, ossai_reposed *posed)
{
	const ossa_bone *bones = rig->skeleton.bones;
	if (!bones_slide(&rig->skeleton, &posed->rig.skeleton)) return OSSA_OK;
	ossa_clip **others = ossai_arena_new(arena, rig->other_clip_count, sizeof *others);
	if (!others) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < rig->other_clip_count; i++) {
		others[i] = rig->other_clips[i];
		OSSAI_TRY(add_translations(arena, bones, &others[i]));
	}
	posed->rig.other_clips = others;
	OSSAI_TRY(add_translations(arena, bones, &posed->rig.clip));
	return add_translations(arena, bones, &posed->rig.free_clip);
}

/* ---- vertices ---- */

typedef struct vertex_job {
	const ossa_rig *rig;
	const ossai_dual_quat *duals;
	float *positions;
} vertex_job;

static void repose_vertices(void *arg, size_t begin, size_t end)
{
	const vertex_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_dual_skin_vertex(job->rig->mesh->positions + 3 * v, &job->rig->weights, v, job->duals);
		job->positions[3 * v] = (float)p.x;
		job->positions[3 * v + 1] = (float)p.y;
		job->positions[3 * v + 2] = (float)p.z;
	}
}

ossai_dual_quat *ossai_duals_of(ossai_arena *arena, const ossai_rigid *move, size_t count)
{
	ossai_dual_quat *duals = ossai_arena_new(arena, count, sizeof *duals);
	for (size_t b = 0; duals && b < count; b++) {
		double matrix[12];
		ossai_rigid_store(&move[b], matrix);
		duals[b] = ossai_dual_quat_of(matrix);
	}
	return duals;
}

static ossa_status repose_mesh(ossai_arena *arena, const ossa_rig *rig, const ossai_rigid *move, ossai_reposed *posed)
{
	vertex_job job = {.rig = rig, .duals = ossai_duals_of(arena, move, rig->skeleton.bone_count)};
	job.positions = ossai_arena_new(arena, rig->mesh->vertex_count, 3 * sizeof *job.positions);
	if (!job.duals || !job.positions) return ossa_context_error(arena->context)->status;
	ossai_parallel_for(arena->context, rig->mesh->vertex_count, VERTICES_PER_RANGE, repose_vertices, &job);
	for (size_t i = 0; i < 3 * rig->mesh->vertex_count; i++) {
		if (isfinite(job.positions[i])) continue;
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "the rest pose moves vertices farther than floats reach");
	}
	posed->mesh = *rig->mesh;
	posed->mesh.positions = job.positions;
	posed->rig.mesh = &posed->mesh;
	posed->folds = ossai_count_folds(rig, job.duals, &posed->mesh);
	OSSAI_TRY(ossai_repose_morphs(arena, rig, job.duals, &posed->mesh));
	return ossai_repose_normals(arena, rig, job.duals, &posed->mesh);
}

ossa_status ossai_repose(ossai_arena *arena, const ossa_rig *rig, const ossai_rigid *move, ossai_reposed **posed)
{
	const size_t bones = rig->skeleton.bone_count, loops = rig->loop_count;
	ossai_reposed *made = *posed = ossai_arena_zero(arena, 1, sizeof *made);
	ossa_bone *bone = ossai_arena_new(arena, bones, sizeof *bone);
	ossa_loop *loop = ossai_arena_new(arena, loops, sizeof *loop);
	ossa_dependency *dependencies = ossai_arena_new(arena, rig->dependency_count, sizeof *dependencies);
	if (!made || !bone || !loop || !dependencies) return ossa_context_error(arena->context)->status;
	memcpy(bone, rig->skeleton.bones, bones * sizeof *bone);
	if (loops > 0) memcpy(loop, rig->loops, loops * sizeof *loop);
	made->rig = *rig;
	made->rig.skeleton.bones = bone;
	if (loops > 0) made->rig.loops = loop;
	if (rig->dependency_count > 0) memcpy(dependencies, rig->dependencies, rig->dependency_count * sizeof *dependencies);
	if (rig->dependency_count > 0) made->rig.dependencies = dependencies;
	for (size_t b = 0; b < bones; b++) repose_bone(&move[b], &move[bone[b].parent < 0 ? (int32_t)b : bone[b].parent], &bone[b]);
	for (size_t i = 0; i < loops; i++) repose_loop(move, &loop[i]);
	OSSAI_TRY(repose_motion(arena, rig, made));
	ossai_repose_dependencies(rig, move, &made->rig);
	made->near = ossai_repose_limits(rig, &made->rig);
	return repose_mesh(arena, rig, move, made);
}
