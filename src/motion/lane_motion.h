/* motion/lane_motion.h: the motions of all bones in four poses, side by side.

   Place in the path: bone motion -> here -> free_bones, moments.
   The rows of [R | t] of bone b are numbers 12 b to 12 b + 11; a lane is a pose, and the last pose
   fills the lanes behind it. */
#ifndef OSSAI_MOTION_LANE_MOTION_H
#define OSSAI_MOTION_LANE_MOTION_H

#include "math/lanes.h"
#include "weights/bone_weights.h"

/* The pose in a lane of those from `k` on. */
static inline size_t ossai_lane_pose(size_t k, size_t lane, size_t pose_count)
{
	return k + lane < pose_count ? k + lane : pose_count - 1;
}

static inline void ossai_lane_motion_load(const ossai_bone_motion *motion, size_t k, ossai_lanes *rows)
{
	for (size_t b = 0; b < motion->bone_count; b++, rows += 12) {
		for (size_t l = 0; l < OSSAI_LANES; l++) {
			const ossai_rigid *x = &motion->rigid[b * motion->pose_count + ossai_lane_pose(k, l, motion->pose_count)];
			const double t[3] = {x->t.x, x->t.y, x->t.z};
			for (size_t i = 0; i < 12; i++) rows[i][l] = i % 4 < 3 ? x->r.m[i / 4][i % 4] : t[i / 4];
		}
	}
}

static inline void ossai_lane_motion_store(const ossai_lanes *rows, size_t k, ossai_bone_motion *motion)
{
	for (size_t b = 0; b < motion->bone_count; b++, rows += 12) {
		for (size_t l = 0; l < OSSAI_LANES && k + l < motion->pose_count; l++) {
			ossai_rigid *x = &motion->rigid[b * motion->pose_count + k + l];
			for (size_t i = 0; i < 9; i++) x->r.m[i / 3][i % 3] = rows[i / 3 * 4 + i % 3][l];
			x->t = ossai_v3(rows[3][l], rows[7][l], rows[11][l]);
		}
	}
}

#endif
