/* rig/pose.c: forward kinematics and skinning: linear here, by dual quaternions in pose_dual.c.

   Place in the path: the rig's motion.
   Input: a rig and a frame of a clip.
   Output: joints' matrices, vertices' positions.
   Source: linear blend skinning: N. Magnenat-Thalmann, R. Laperriere, D. Thalmann, Joint-Dependent
   Local Deformations for Hand Animation and Object Grasping, 1988. A skinned vertex is sum_b w_b
   P_b B_b^-1 v, with P_b the bone's world matrix in the frame and B_b the one at rest. The v are at
   rest with the corrective shapes of the frame (shapes.c). */
#include "rig/pose.h"

#include "rig/pose_dual.h"
#include "rig/shapes.h"
#include "scene/mesh.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 4096 };

ossai_vec3 ossai_rest_offset(const ossa_bone *bones, size_t b)
{
	const ossai_rigid parent = ossai_rest_frame(&bones[bones[b].parent]);
	return ossai_mat3_tmul_v(&parent.r, ossai_sub(ossai_v3_of(bones[b].joint), parent.t));
}

void ossai_rest_translations(const ossa_bone *bones, const ossa_clip *clip, double *to)
{
	for (size_t f = 0; f < clip->frame_count; f++) {
		memcpy(to, clip->root_positions + 3 * f, 3 * sizeof *to);
		for (size_t b = 1; b < clip->bone_count; b++) ossai_v3_store(ossai_rest_offset(bones, b), to + 3 * b);
		to += 3 * clip->bone_count;
	}
}

static ossai_rigid frame_of_joint(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t b, const double *matrices)
{
	const ossa_bone *bones = rig->skeleton.bones;
	if (!clip) return ossai_rest_frame(&bones[b]);
	const size_t at = frame * clip->bone_count + b;
	ossai_rigid local = {ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * at)), {0, 0, 0}};
	if (bones[b].parent < 0) {
		local.t = ossai_v3_of(clip->root_positions + 3 * frame);
		return local;
	}
	local.t = clip->translations ? ossai_v3_of(clip->translations + 3 * at) : ossai_rest_offset(bones, b);
	const ossai_rigid parent = ossai_rigid_of(matrices + 12 * (size_t)bones[b].parent);
	return ossai_rigid_mul(&parent, &local);
}

void ossa_rig_joint_matrices(const ossa_rig *rig, const ossa_clip *clip, size_t frame, double *matrices)
{
	/* parents come before their children */
	for (size_t b = 0; rig && rig->skeleton.bones && matrices && b < rig->skeleton.bone_count; b++) {
		const ossai_rigid world = frame_of_joint(rig, clip, frame, b, matrices);
		ossai_rigid_store(&world, matrices + 12 * b);
	}
}

void ossai_skin_matrices(const ossa_rig *rig, const ossa_clip *clip, size_t frame, double *matrices)
{
	ossa_rig_joint_matrices(rig, clip, frame, matrices);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossai_rigid rest = ossai_rest_frame(&rig->skeleton.bones[b]), unbind = ossai_rigid_inverse(&rest);
		const ossai_rigid world = ossai_rigid_of(matrices + 12 * b), skin = ossai_rigid_mul(&world, &unbind);
		ossai_rigid_store(&skin, matrices + 12 * b);
	}
}

ossai_vec3 ossai_skin_vertex(const float *position, const ossa_weights *weights, size_t vertex, const double *matrices)
{
	const ossai_vec3 p = ossai_v3_of_float(position);
	const size_t first = vertex * (size_t)weights->influences;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = first; i < first + (size_t)weights->influences; i++) {
		const double w = weights->values[i];
		if (w == 0) continue;
		const double *m = matrices + 12 * (size_t)weights->bones[i];
		sum.x += w * (m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3]);
		sum.y += w * (m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7]);
		sum.z += w * (m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
	}
	return sum;
}

ossa_status ossai_rig_check_fit(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip)
{
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	const size_t bone_count = rig->skeleton.bone_count;
	if (weights->vertex_count != rig->mesh->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the weights are for %zu vertices, the mesh has %zu",
			weights->vertex_count, rig->mesh->vertex_count);
	}
	if (clip && clip->bone_count != bone_count) {
		return ossai_fail(
			context, OSSA_ERROR_INPUT, NULL, "the motion is for %zu bones, the skeleton has %zu", clip->bone_count, bone_count);
	}
	if (clip && clip->morph_count > rig->mesh->morph_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the motion has weights of %zu morph targets, the mesh has %zu",
			clip->morph_count, rig->mesh->morph_count);
	}
	if (ossai_shapes_move(rig, weights, clip) || ossai_morphs_driven(rig->mesh) > 0)
		OSSAI_TRY(ossai_morphs_check(context, rig->mesh));
	const size_t slots = (size_t)weights->influences;
	for (size_t i = 0; i < weights->vertex_count * slots; i++) {
		if (weights->bones[i] < bone_count) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.vertex = (int64_t)(i / slots);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is weighted to bone %d of a skeleton of %zu",
			(int)weights->bones[i], bone_count);
	}
	return OSSA_OK;
}

typedef struct pose_job {
	const float *rest;
	const ossa_weights *weights;
	const double *matrices;
	const ossai_dual_quat *duals; /* NULL: blended linearly */
	float *positions;
} pose_job;

static void pose_range(void *arg, size_t begin, size_t end)
{
	const pose_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = job->duals ? ossai_dual_skin_vertex(job->rest + 3 * v, job->weights, v, job->duals)
										: ossai_skin_vertex(job->rest + 3 * v, job->weights, v, job->matrices);
		job->positions[3 * v] = (float)p.x;
		job->positions[3 * v + 1] = (float)p.y;
		job->positions[3 * v + 2] = (float)p.z;
	}
}

ossa_status ossa_rig_pose_by(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	size_t frame, ossa_blend blend, float *positions)
{
	OSSAI_NEED(context, rig, positions);
	if (!weights) weights = &rig->weights;
	OSSAI_TRY(ossai_rig_check_fit(context, rig, weights, clip));
	if (blend != OSSA_BLEND_LINEAR && blend != OSSA_BLEND_DUAL_QUATERNIONS) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no blending %d", (int)blend);
	}
	if (clip && frame >= clip->frame_count) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no frame %zu: the motion has %zu, counted from 0",
			frame, clip->frame_count);
	}
	ossai_arena scratch = ossai_arena_begin(context);
	const size_t bones = rig->skeleton.bone_count;
	double *matrices = ossai_arena_new(&scratch, bones, 12 * sizeof *matrices);
	ossai_dual_quat *duals = ossai_arena_new(&scratch, bones, sizeof *duals);
	const float *rest = matrices && duals ? ossai_shapes_rest(&scratch, rig, weights, clip, frame) : NULL;
	if (rest) {
		ossai_skin_matrices(rig, clip, frame, matrices);
		for (size_t b = 0; b < bones; b++) duals[b] = ossai_dual_quat_of(matrices + 12 * b);
		pose_job job = {rest, weights, matrices, blend == OSSA_BLEND_DUAL_QUATERNIONS ? duals : NULL, positions};
		ossai_parallel_for(context, rig->mesh->vertex_count, VERTICES_PER_RANGE, pose_range, &job);
	}
	ossai_arena_end(&scratch);
	return rest ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossa_rig_pose(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	size_t frame, float *positions)
{
	return ossa_rig_pose_by(context, rig, weights, clip, frame, OSSA_BLEND_LINEAR, positions);
}

ossa_status ossa_rig_frames(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_frames **frames)
{
	if (frames) *frames = NULL;
	OSSAI_NEED(context, rig, frames);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!clip) clip = rig->clip;
	if (!clip) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the rig has no motion to make frames of");
	ossa_status status = ossa_frames_create(context, clip->frame_count, rig->mesh->vertex_count, 1, frames);
	if (status == OSSA_OK) memcpy((*frames)->name, clip->name, sizeof clip->name);
	for (size_t f = 0; status == OSSA_OK && f < clip->frame_count; f++) {
		(*frames)->times[f] = clip->times[f] - clip->times[0];
		status = ossa_rig_pose(context, rig, NULL, clip, f, (*frames)->positions + 3 * f * rig->mesh->vertex_count);
	}
	if (status == OSSA_OK) return OSSA_OK;
	ossa_frames_free(context, *frames);
	*frames = NULL;
	return status;
}
