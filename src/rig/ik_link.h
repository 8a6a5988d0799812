/* rig/ik_link.h: a joint of an IK chain: the angles by which it turns.

   Place in the path: under ik.c.
   Input: a bone in a frame of a clip.
   Output: the axes about which it may turn, its rotation after it did.
   With limits these are the three angles that limits are given in; of a hinge, with limits or
   without, one about its axis, and what the pose turns it beside that stays; else the world's axes,
   and any angle. */
#ifndef OSSAI_RIG_IK_LINK_H
#define OSSAI_RIG_IK_LINK_H

#include "math/vec.h"

#include <ossa/rig.h>

enum { OSSAI_IK_AXES = 3 };

typedef struct ossai_ik_link {
	uint32_t bone;
	bool is_universal; /* the first angle is none of its own, and stays */
	bool has_ranges;   /* it turns by angles that have ranges: it has limits, or is a hinge */
	ossai_vec3 offset; /* of the joint in the parent's frame */
	ossai_quat rest;   /* local rotation at rest */
	ossai_quat local;
	/* degrees; where it has ranges */
	double angle[OSSAI_IK_AXES], low[OSSAI_IK_AXES], high[OSSAI_IK_AXES];
	ossai_quat frame; /* in its own frame: the axes x, y, z of the angles; of hinges nothing */
	ossai_vec3 hinge; /* axis in its own frame, of the first angle; else 0 */
	ossai_quat aside; /* of hinges: local = rest, turn about the axis, aside */
	ossai_rigid world;
} ossai_ik_link;

/* The link in the clip's pose; `world` is not set. An angle beyond its limits is its limit. */
void ossai_ik_link_begin(const ossa_rig *rig, const ossa_clip *clip, size_t frame, uint32_t bone, ossai_ik_link *link);

/* A bone's joint in its parent's frame, in a frame of the clip. */
ossai_vec3 ossai_ik_offset(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone);

/* The axes in the world, below a parent's world rotation; 0 for angles that the link has not. */
void ossai_ik_link_axes(const ossai_ik_link *link, const ossai_mat3 *up, ossai_vec3 axis[OSSAI_IK_AXES]);

/* Turns it by radians about each of them, within its ranges. */
void ossai_ik_link_turn(ossai_ik_link *link, const ossai_mat3 *up, const double turn[OSSAI_IK_AXES]);

/* Turns a hinge by so many degrees more, whatever its range. */
void ossai_ik_link_follow(ossai_ik_link *link, double degrees);

/* Whether an angle is at its limit. */
bool ossai_ik_link_is_limited(const ossai_ik_link *link);

#endif
