/* body/shoulders.h: where the shoulder joints of a human are.

   Place in the path: body/limb_axis -> here -> body/measures. */
#ifndef OSSAI_BODY_SHOULDERS_H
#define OSSAI_BODY_SHOULDERS_H

#include "body/limb_axis.h"

/* What a shoulder follows from: its arm with the sample where that leaves the trunk, the throat,
   and the axes of the body; side: from the middle to the arm; unit: the height from the floor to
   the throat. */
typedef struct ossai_shoulder_view {
	const ossai_limb_axis *arm;
	size_t begin;
	ossai_vec3 throat, up, front, side;
	double unit;
} ossai_shoulder_view;

/* The likeliest point by the axis of the arm, by where it leaves the trunk, and by how far below
   the throat and how far from the middle shoulders are. deviation: receives the root of the sum
   of the variances of its coordinates. */
ossai_vec3 ossai_shoulder_find(const ossai_shoulder_view *view, double *deviation);

#endif
