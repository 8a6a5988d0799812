/* retarget/legs.h: which leg follows which, how long its steps are, and where the pelvis goes.

   Place in the path: two actors -> here -> feet.
   Input: the source's joints in a frame, the target's pose with the source's directions.
   Output: the stride, the target's hips.

   Pelvis and feet move as the source's do, times the ratio of the steps' lengths, so that what
   stands still there stands still here. */
#ifndef OSSAI_RETARGET_LEGS_H
#define OSSAI_RETARGET_LEGS_H

#include "retarget/moved.h"

/* Sums over frames of where a foot that stands is, level and relative to the pelvis, in the axes of
   the foot's heading, in both bodies. */
typedef struct ossai_step_sums {
	double weight, squares, products; /* |other|^2, own * other */
	ossai_vec3 own, other;
} ossai_step_sums;

/* A leg of the target and the source's leg that it follows. */
typedef struct ossai_leg_pair {
	const ossai_actor_leg *own, *other;
	ossai_step_sums sums;
	/* where the foot stands minus where the source's does times the stride, level */
	ossai_vec3 stance;
	double ankle_level; /* along the source's up: where its ankle is when the foot stands */
	double toe_level;   /* the same of the toes, where both have them */
	bool has_toes;
} ossai_leg_pair;

typedef struct ossai_legs {
	const ossai_actor *target, *source;
	double scale;  /* the target's leg over the source's */
	double stride; /* the target's steps and path over the source's */
	size_t count;
	ossai_leg_pair pair[OSSAI_ACTOR_LEGS];
} ossai_legs;

/* Matches legs, and finds the ground of a source without a mesh from its motion.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_find_legs(ossai_arena *arena, const ossai_actor *target, const ossai_actor *source, ossai_legs *legs);

/* Adds a frame to the sums that the stride is found from. moved: with all turns, placed. */
void ossai_add_step(ossai_legs *legs, const ossai_moved *moved, const double *worlds);

/* Finds stride and stances: legs of other proportions make steps of another length with the same
   directions, and those over which feet slide least in all frames are taken. */
void ossai_find_stride(ossai_legs *legs);

/* Where the target's hips are in a frame: below them the pelvis goes its scaled path. moved: with
   the turn of the hips. worlds: the source's joints, B x 12. */
ossai_vec3 ossai_place_hips(const ossai_legs *legs, const ossai_moved *moved, const double *worlds);

/* How sure it is that a joint of a foot stands: 1 where it is at its level, along up, or below,
   towards 0 the higher it is. */
double ossai_stands(const ossai_actor *source, ossai_vec3 joint, double level);

/* The part of a turn about the vertical. */
ossai_quat ossai_heading_of(const ossai_actor *a, ossai_quat turn);

/* of a bone by the joints' matrices, B x 12 */
static inline ossai_vec3 ossai_world_joint(const double *worlds, uint32_t bone)
{
	const double *m = worlds + 12 * (size_t)bone;
	return ossai_v3(m[3], m[7], m[11]);
}

#endif
