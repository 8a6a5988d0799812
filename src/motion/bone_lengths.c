/* motion/bone_lengths.c: see bone_lengths.h. */
#include "motion/bone_lengths.h"

/* diagonals: joints closer than this to each other have no direction */
static const double coincident = 1e-9;

/* One joint's positions: at rest, then in the poses. */
typedef struct joint_path {
	ossai_vec3 *rest, *poses;
} joint_path;

static ossai_vec3 *position(const joint_path *path, size_t frame) { return frame == 0 ? path->rest : path->poses + frame - 1; }

static double mean_length(const joint_path *parent, const joint_path *own, size_t frames)
{
	double sum = 0;
	for (size_t f = 0; f < frames; f++) sum += ossai_distance(*position(parent, f), *position(own, f));
	return sum / (double)frames;
}

/* the first direction that exists, for the frames before it */
static ossai_vec3 first_direction(const joint_path *parent, const joint_path *own, size_t frames)
{
	for (size_t f = 0; f < frames; f++) {
		const ossai_vec3 gap = ossai_sub(*position(own, f), *position(parent, f));
		if (ossai_length(gap) > coincident) return ossai_unit(gap, gap);
	}
	return ossai_v3(0, 0, 0);
}

static void project(const joint_path *parent, const joint_path *own, size_t frames, double length)
{
	ossai_vec3 direction = first_direction(parent, own, frames);
	for (size_t f = 0; f < frames; f++) {
		const ossai_vec3 gap = ossai_sub(*position(own, f), *position(parent, f));
		if (ossai_length(gap) > coincident) direction = ossai_unit(gap, direction);
		*position(own, f) = ossai_madd(*position(parent, f), length, direction);
	}
}

void ossai_bone_lengths_project(
	const ossai_tree *tree, size_t pose_count, ossai_vec3 *joint, ossai_vec3 *position, double *length)
{
	length[tree->root] = 0;
	for (size_t at = 1; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], up = tree->parent[b];
		const joint_path own = {joint + b, position + b * pose_count}, parent = {joint + up, position + up * pose_count};
		length[b] = mean_length(&parent, &own, pose_count + 1);
		if (!(length[b] > coincident)) length[b] = 0;
		project(&parent, &own, pose_count + 1, length[b]);
	}
}
