/* samples/motion.c: lets every joint of a creature swing within its range, and bends the skin
   along.

   Place in the path: creature -> skeleton and clip; rig -> frames. The blending is written out here
   once more, plainly and in double precision, so that what is judged by the frames does not make
   them. */
#include "samples/motion.h"
#include "base/context.h"
#include "samples/linkage.h"

#include <ossa/dependencies.h>

#include <stdio.h>
#include <string.h>

static const double radians = OSSAI_PI / 180;

/* ---- chance ---- */

/* A number from 0 to 1 (not 1) that depends on nothing but its arguments: no state, any order, any
   thread. Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, 2014
   (its mixing function). */
static double chance(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t h = seed * UINT64_C(0x9E3779B97F4A7C15) + a * UINT64_C(0xD1B54A32D192ED03) + b * UINT64_C(0x8CB92BA72F3D8DD7);
	for (int round = 0; round < 2; round++) {
		h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
		h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
		h ^= h >> 31;
	}
	return (double)(h >> 11) * 0x1p-53;
}

/* ---- skeleton ---- */

static void set_bone(const creature_bone *from, ossa_bone *to)
{
	memset(to, 0, sizeof *to);
	snprintf(to->name, sizeof to->name, "%s", from->name);
	to->parent = from->parent;
	to->kind = from->kind;
	ossai_v3_store(from->joint, to->joint);
	ossai_v3_store(from->tail, to->tail);
	const bool is_universal = from->kind == OSSA_JOINT_UNIVERSAL;
	const bool slides = from->kind == OSSA_JOINT_PRISMATIC;
	if (from->kind == OSSA_JOINT_HINGE || is_universal || slides) ossai_v3_store(from->axes[0], to->axis);
	to->has_limits = slides;
	for (int i = 0; i < 2 && slides; i++) to->slide_limits[i] = i ? from->high[0] : from->low[0];
	if (is_universal) ossai_v3_store(from->axes[1], to->second_axis);
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	const ossai_vec3 along = ossai_unit(ossai_sub(from->tail, from->joint), up);
	ossai_quat_store(ossai_quat_between(up, along), to->orientation);
}

/* ---- clip ---- */

/* Where an angle is in its range at a moment of the clip (0 to 1), from 0 to 1: a slow and a faster
   wave with phases of their own. The two waves never reach the range's ends together by much, so
   the sum is stretched a little and cut softly. */
static double swing(int seed, int bone, int axis, double moment)
{
	const uint64_t key = (uint64_t)bone * 3 + (uint64_t)axis;
	const double slow = 1 + floor(2 * chance((uint64_t)seed, key, 1)), fast = slow + 1;
	const double a = sin(2 * OSSAI_PI * (slow * moment + chance((uint64_t)seed, key, 2)));
	const double b = sin(2 * OSSAI_PI * (fast * moment + chance((uint64_t)seed, key, 3)));
	return 0.5 + 0.5 * fmax(-1, fmin(1, 0.75 * a + 0.35 * b));
}

/* an angle of a joint in its range, degrees; or how far it slides */
static double angle_at(const creature_bone *b, int k, int seed, double moment)
{
	const double round = moment + chance((uint64_t)seed, (uint64_t)b->like * 3, 2);
	const double share = b->goes_round && k == 0 ? round - floor(round) : swing(seed, b->like, k, moment);
	return b->low[k] + (b->high[k] - b->low[k]) * share;
}

/* a joint's turn against the rest pose, in world axes at rest */
static ossai_quat turn_at(const ossai_creature *creature, int bone, int seed, double moment)
{
	const creature_bone *b = &creature->bones[bone];
	const creature_linkage *linkage = ossai_linkage_of(creature, bone);
	if (linkage) {
		const double crank = angle_at(&creature->bones[linkage->crank], 0, seed, moment) * radians;
		return ossai_quat_axis_angle(b->axes[0], ossai_linkage_turn(creature, linkage, bone, crank));
	}
	if (b->twist != 0) {
		const ossai_quat q = turn_at(creature, b->like, seed, moment);
		const double angle = 2 * atan2(ossai_dot(ossai_v3(q.x, q.y, q.z), b->axes[0]), q.w);
		return ossai_quat_axis_angle(b->axes[0], b->twist * angle);
	}
	if (b->kind == OSSA_JOINT_PRISMATIC) return ossai_quat_identity();
	ossai_vec3 turn[3], sum = {0, 0, 0};
	for (int k = 0; k < 3; k++) {
		turn[k] = ossai_scale(b->axes[k], angle_at(b, k, seed, moment) * radians);
		sum = ossai_add(sum, turn[k]);
	}
	if (b->kind == OSSA_JOINT_UNIVERSAL) return ossai_quat_mul(ossai_quat_exp(turn[0]), ossai_quat_exp(turn[1]));
	return ossai_quat_exp(sum);
}

/* where a joint that slides is against the rest pose, in world axes at rest */
static ossai_vec3 slide_at(const ossai_creature *creature, int bone, int seed, double moment)
{
	const creature_bone *b = &creature->bones[bone];
	double to[3];
	if (b->kind == OSSA_JOINT_PRISMATIC) return ossai_scale(b->axes[0], angle_at(b, 0, seed, moment));
	for (int k = 0; k < 3; k++) to[k] = 2 * swing(seed, CREATURE_BONES + 1 + bone, k, moment) - 1;
	return ossai_v3(to[0] * b->slide.x, to[1] * b->slide.y, to[2] * b->slide.z);
}

/* the root wanders a little around its rest position: up to 6 % of a unit */
static ossai_vec3 root_at(const ossai_creature *creature, int seed, double moment)
{
	double offset[3];
	for (int k = 0; k < 3; k++) offset[k] = 0.12 * (swing(seed, CREATURE_BONES, k, moment) - 0.5);
	return ossai_add(creature->bones[0].joint, ossai_v3_of(offset));
}

/* the place of a joint in its parent's frame at rest, moved by `slide` in world axes */
static ossai_vec3 offset_of(const ossa_skeleton *skeleton, const ossa_bone *bone, ossai_vec3 slide)
{
	const ossa_bone *up = &skeleton->bones[bone->parent];
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(up->orientation));
	return ossai_mat3_tmul_v(&rest, ossai_add(ossai_sub(ossai_v3_of(bone->joint), ossai_v3_of(up->joint)), slide));
}

/* local rotations of a frame: conj(parent's rest orientation) * turn * own rest orientation */
static void set_frame(const ossai_creature *creature, int seed, double moment, size_t frame, ossa_rig *rig)
{
	ossa_clip *clip = rig->clip;
	ossai_v3_store(root_at(creature, seed, moment), clip->root_positions + 3 * frame);
	for (int b = 0; b < creature->bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		const ossai_quat turn = turn_at(creature, b, seed, moment);
		ossai_quat local = ossai_quat_mul(turn, ossai_quat_of(bone->orientation));
		if (bone->parent >= 0) {
			const ossai_quat up = ossai_quat_of(rig->skeleton.bones[bone->parent].orientation);
			local = ossai_quat_mul(ossai_quat_conjugate(up), local);
		}
		if (clip->translations) {
			const ossai_vec3 at = bone->parent < 0 ? root_at(creature, seed, moment)
												   : offset_of(&rig->skeleton, bone, slide_at(creature, b, seed, moment));
			ossai_v3_store(at, clip->translations + 3 * (frame * clip->bone_count + (size_t)b));
		}
		local = ossai_quat_unit(local);
		double *at = clip->rotations + 4 * (frame * clip->bone_count + (size_t)b);
		if (frame > 0 && ossai_quat_dot(local, ossai_quat_of(at - 4 * clip->bone_count)) < 0) local = ossai_quat_negate(local);
		ossai_quat_store(local, at);
		bone->turn_degrees = fmax(bone->turn_degrees, ossai_quat_angle(turn) / radians);
	}
}

/* hinges that swing with others, and twist bones */
static ossa_status set_dependencies(ossa_context *context, const ossai_creature *creature, ossa_rig *rig)
{
	ossa_dependency list[CREATURE_BONES];
	size_t count = 0;
	for (int b = 0; b < creature->bone_count; b++) {
		const creature_bone *bone = &creature->bones[b], *driver = &creature->bones[bone->like];
		if (bone->like == b || bone->kind != OSSA_JOINT_HINGE) continue;
		if (bone->twist != 0) {
			list[count] = (ossa_dependency){.bone = b, .driver = bone->like, .ratio = bone->twist};
			ossai_v3_store(bone->axes[0], list[count++].driver_axis);
			continue;
		}
		const double ratio = (bone->high[0] - bone->low[0]) / (driver->high[0] - driver->low[0]);
		list[count++] = (ossa_dependency){b, bone->like, ratio, bone->low[0] - ratio * driver->low[0], 0, 0, {0}};
	}
	return ossa_rig_set_dependencies(context, rig, count, list);
}

/* the pins of linkages */
static ossa_status set_loops(ossa_context *context, const ossai_creature *creature, ossa_rig *rig)
{
	if (creature->linkage_count == 0) return OSSA_OK;
	rig->loops = ossai_new(context, (size_t)creature->linkage_count, sizeof *rig->loops);
	if (!rig->loops) return ossa_context_error(context)->status;
	for (int i = 0; i < creature->linkage_count; i++) {
		const creature_linkage *linkage = &creature->linkages[i];
		ossa_loop *loop = &rig->loops[rig->loop_count++];
		*loop = (ossa_loop){.bones = {linkage->coupler, linkage->rocker}};
		ossai_v3_store(linkage->pin, loop->center);
	}
	return OSSA_OK;
}

ossa_status ossai_motion_build(ossa_context *context, const ossai_creature *creature, int frames, int seed, ossa_rig *rig)
{
	bool slides = false;
	for (int b = 0; b < creature->bone_count; b++) {
		set_bone(&creature->bones[b], &rig->skeleton.bones[b]);
		slides = slides || creature->bones[b].kind == OSSA_JOINT_FREE || creature->bones[b].kind == OSSA_JOINT_PRISMATIC;
	}
	OSSAI_TRY(ossa_clip_create(context, (size_t)frames, (size_t)creature->bone_count, slides, &rig->clip));
	snprintf(rig->clip->name, sizeof rig->clip->name, "truth");
	for (int f = 0; f < frames; f++) {
		rig->clip->times[f] = f / 24.0;
		set_frame(creature, seed, (f + 0.5) / frames, (size_t)f, rig);
	}
	OSSAI_TRY(set_loops(context, creature, rig));
	return set_dependencies(context, creature, rig);
}

/* ---- frames ---- */

typedef struct frames_job {
	const ossa_rig *rig;
	const ossa_sample_options *options;
	double diagonal;
	const ossai_rigid *skinning; /* of every bone: rest -> posed */
	/* of every bone: its turn against the parent, 0 at rest to 1 at half a circle */
	const double *bend;
	const ossai_vec3 *normals; /* rest, unit */
	size_t frame;
	float *positions;
} frames_job;

/* posed joint frames times inverse rest frames */
static void skinning_transforms(const ossa_rig *rig, size_t frame, ossai_rigid *world, ossai_rigid *skinning)
{
	const ossa_clip *clip = rig->clip;
	for (size_t b = 0; b < clip->bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(bone->orientation));
		const ossai_rigid bind = {rest, ossai_v3_of(bone->joint)}, unbind = ossai_rigid_inverse(&bind);
		ossai_rigid local = {ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + b))),
			ossai_v3_of(clip->root_positions + 3 * frame)};
		if (bone->parent >= 0) {
			local.t = clip->translations ? ossai_v3_of(clip->translations + 3 * (frame * clip->bone_count + b))
										 : offset_of(&rig->skeleton, bone, ossai_v3(0, 0, 0));
			world[b] = ossai_rigid_mul(&world[bone->parent], &local);
		} else {
			world[b] = local;
		}
		skinning[b] = ossai_rigid_mul(&world[b], &unbind);
	}
}

/* how far the flesh stands out where a vertex lies between a bone and its bent parent: most halfway
   between the two */
static double bulge_of(const frames_job *job, const uint16_t *bones, const float *values, int influences)
{
	double bulge = 0;
	for (int i = 0; i < influences; i++) {
		for (int k = 0; k < influences; k++) {
			if (!(values[i] > 0 && values[k] > 0) || job->rig->skeleton.bones[bones[i]].parent != (int32_t)bones[k]) continue;
			bulge += 4 * (double)values[i] * (double)values[k] * job->bend[bones[i]];
		}
	}
	return bulge * job->options->bulge / 100 * job->diagonal;
}

/* a normal deviate of a vertex's coordinate in a frame (Box & Muller 1958) */
static double deviate(int seed, size_t frame, size_t coordinate)
{
	const double u = 1 - chance((uint64_t)seed + 1000003, frame, 2 * coordinate);
	return sqrt(-2 * log(u)) * cos(2 * OSSAI_PI * chance((uint64_t)seed + 1000003, frame, 2 * coordinate + 1));
}

static void pose_range(void *arg, size_t begin, size_t end)
{
	const frames_job *job = arg;
	const ossa_weights *weights = &job->rig->weights;
	const double noise = job->options->noise / 100 * job->diagonal / sqrt(3);
	for (size_t v = begin; v < end; v++) {
		const uint16_t *bones = weights->bones + v * (size_t)weights->influences;
		const float *values = weights->values + v * (size_t)weights->influences;
		const ossai_vec3 rest = ossai_v3_of_float(job->rig->mesh->positions + 3 * v);
		ossai_vec3 sum = {0, 0, 0}, normal = {0, 0, 0};
		for (int i = 0; i < weights->influences && values[i] > 0; i++) {
			const ossai_rigid *move = &job->skinning[bones[i]];
			sum = ossai_madd(sum, (double)values[i], ossai_rigid_point(move, rest));
			if (job->normals) normal = ossai_madd(normal, (double)values[i], ossai_mat3_mul_v(&move->r, job->normals[v]));
		}
		if (job->normals) {
			const double bulge = bulge_of(job, bones, values, weights->influences);
			sum = ossai_madd(sum, bulge, ossai_unit(normal, ossai_v3(0, 0, 0)));
		}
		double at[3];
		ossai_v3_store(sum, at);
		for (size_t k = 0; k < 3; k++) {
			if (noise > 0) at[k] += noise * deviate(job->options->seed, job->frame, 3 * v + k);
			job->positions[3 * v + k] = (float)at[k];
		}
	}
}

static void rest_normals(const ossa_mesh *mesh, ossai_vec3 *normals)
{
	memset(normals, 0, mesh->vertex_count * sizeof *normals);
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *v = mesh->triangles + 3 * t;
		const ossai_vec3 a = ossai_v3_of_float(mesh->positions + 3 * (size_t)v[0]);
		const ossai_vec3 ab = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * (size_t)v[1]), a);
		const ossai_vec3 ac = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * (size_t)v[2]), a);
		const ossai_vec3 area = ossai_cross(ab, ac);
		for (int k = 0; k < 3; k++) normals[v[k]] = ossai_add(normals[v[k]], area);
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) normals[v] = ossai_unit(normals[v], ossai_v3(0, 0, 0));
}

static double rest_diagonal(const ossa_mesh *mesh)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], (double)mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], (double)mesh->positions[i]);
	}
	return ossai_distance(ossai_v3_of(low), ossai_v3_of(high));
}

/* each joint's turn against the parent in a frame */
static void bends(const ossa_rig *rig, const ossai_rigid *skinning, double *bend)
{
	bend[0] = 0;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossai_mat3 up = ossai_mat3_transpose(&skinning[rig->skeleton.bones[b].parent].r);
		const ossai_mat3 turn = ossai_mat3_mul(&up, &skinning[b].r);
		bend[b] = ossai_quat_angle(ossai_mat3_quat(&turn)) / OSSAI_PI;
	}
}

ossa_status ossai_motion_frames(
	ossa_context *context, const ossa_rig *rig, const ossa_sample_options *options, ossa_frames *frames)
{
	ossai_rigid world[CREATURE_BONES], skinning[CREATURE_BONES];
	double bend[CREATURE_BONES];
	ossai_arena arena = ossai_arena_begin(context);
	frames_job job = {.rig = rig, .options = options, .diagonal = rest_diagonal(rig->mesh), .skinning = skinning, .bend = bend};
	if (options->bulge > 0) {
		ossai_vec3 *normals = ossai_arena_new(&arena, rig->mesh->vertex_count, sizeof *normals);
		if (!normals) return ossa_context_error(context)->status;
		rest_normals(rig->mesh, normals);
		job.normals = normals;
	}
	for (size_t f = 0; f < frames->frame_count; f++) {
		skinning_transforms(rig, f, world, skinning);
		bends(rig, skinning, bend);
		job.frame = f;
		job.positions = frames->positions + 3 * f * frames->vertex_count;
		ossai_parallel_for(context, frames->vertex_count, 1024, pose_range, &job);
	}
	ossai_arena_end(&arena);
	return OSSA_OK;
}
