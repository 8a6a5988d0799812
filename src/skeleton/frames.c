/* skeleton/frames.c: see frames.h. */
#include "skeleton/frames.h"

#include "math/vec.h"

/* of the mesh's diagonal: the length below which a bone counts as degenerate, and the length it
   then gets */
static const double no_length = 1e-6, short_length = 0.02;

static double mesh_diagonal(const ossa_mesh *mesh)
{
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const float *p = mesh->positions + 3 * v;
		low = ossai_v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
		high = ossai_v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
	}
	const double length = ossai_distance(low, high);
	return length > 0 ? length : 1;
}

/* the tail towards the children; false for a leaf */
static bool tail_from_children(const ossa_skeleton *skeleton, size_t bone, ossai_vec3 *tail)
{
	ossai_vec3 sum = {0, 0, 0};
	size_t count = 0;
	for (size_t c = bone + 1; c < skeleton->bone_count; c++) {
		if (skeleton->bones[c].parent != (int32_t)bone) continue;
		sum = ossai_add(sum, ossai_v3_of(skeleton->bones[c].joint));
		count++;
	}
	if (count > 0) *tail = ossai_scale(sum, 1 / (double)count);
	return count > 0;
}

/* centroid of the vertices whose largest weight is the bone's, relative to its joint; zero where
   there are none */
static ossai_vec3 patch_direction(const ossa_mesh *mesh, const ossa_weights *weights, size_t bone, ossai_vec3 joint)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const size_t at = v * (size_t)weights->influences;
		if (weights->bones[at] != bone || !(weights->values[at] > 0)) continue;
		sum = ossai_add(sum, ossai_sub(ossai_v3_of_float(mesh->positions + 3 * v), joint));
	}
	return ossai_unit(sum, ossai_v3(0, 0, 0));
}

static ossai_vec3 leaf_tail(const ossa_mesh *mesh, const ossa_weights *weights, size_t bone, ossai_vec3 joint)
{
	const ossai_vec3 direction = patch_direction(mesh, weights, bone, joint);
	double farthest = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const size_t at = v * (size_t)weights->influences;
		if (weights->bones[at] != bone || !(weights->values[at] > 0)) continue;
		const double reach = ossai_dot(direction, ossai_sub(ossai_v3_of_float(mesh->positions + 3 * v), joint));
		farthest = reach > farthest ? reach : farthest;
	}
	return ossai_madd(joint, farthest, direction);
}

void ossai_skeleton_frames(ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, bool keep_leaves)
{
	const double diagonal = mesh_diagonal(mesh);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		ossa_bone *bone = &skeleton->bones[b];
		const ossai_vec3 joint = ossai_v3_of(bone->joint);
		ossai_vec3 tail;
		if (!tail_from_children(skeleton, b, &tail)) {
			tail = keep_leaves ? ossai_v3_of(bone->tail) : leaf_tail(mesh, weights, b, joint);
		}
		const ossa_bone *parent = bone->parent >= 0 ? &skeleton->bones[bone->parent] : NULL;
		if (!(ossai_distance(joint, tail) > no_length * diagonal)) {
			const ossai_vec3 along = parent ? ossai_sub(ossai_v3_of(parent->tail), ossai_v3_of(parent->joint))
											: ossai_v3(0, 1, 0);
			tail = ossai_madd(joint, short_length * diagonal, ossai_unit(along, ossai_v3(0, 1, 0)));
		}
		ossai_v3_store(tail, bone->tail);
		const ossai_vec3 up = ossai_unit(ossai_sub(tail, joint), ossai_v3(0, 1, 0));
		ossai_quat_store(ossai_quat_between(ossai_v3(0, 1, 0), up), bone->orientation);
	}
}

void ossai_bone_stand(ossai_vec3 joint, ossai_vec3 tail, bool turns, ossa_bone *bone)
{
	const ossai_vec3 none = {0, 0, 0};
	const ossai_vec3 before = ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), none);
	ossai_v3_store(joint, bone->joint);
	ossai_v3_store(tail, bone->tail);
	const ossai_vec3 after = ossai_unit(ossai_sub(tail, joint), none);
	if (!turns || ossai_length2(before) < 0.5 || ossai_length2(after) < 0.5) return;
	const ossai_quat turned = ossai_quat_mul(ossai_quat_between(before, after), ossai_quat_of(bone->orientation));
	ossai_quat_store(ossai_quat_unit(turned), bone->orientation);
}
