/* skeleton/from_motion/contour.h: the contour of a function on a surface, face by face.

   Place in the path: weights -> here -> joint_prior, pair_priors. */
#ifndef OSSAI_SKELETON_FROM_MOTION_CONTOUR_H
#define OSSAI_SKELETON_FROM_MOTION_CONTOUR_H

#include "math/vec.h"

/* A straight piece of the contour within a face: its two ends, each on an edge from one corner to
   another (0 to 2), `at` of the way. */
typedef struct ossai_contour_piece {
	int corner[2][2];
	double at[2];
} ossai_contour_piece;

/* The piece where a function that is linear on the face, with these values at its corners, is 0;
   what is above is on the left of the way from the first end to the second. False where all corners
   are above, or none is. */
static inline bool ossai_contour_cut(const double value[3], ossai_contour_piece *piece)
{
	const bool above[3] = {value[0] > 0, value[1] > 0, value[2] > 0};
	if (above[0] == above[1] && above[1] == above[2]) return false;
	/* the corner that is alone on its side */
	const int lone = above[0] == above[1] ? 2 : above[0] == above[2] ? 1 : 0;
	for (int end = 0; end < 2; end++) {
		const int other = (lone + (above[lone] == (end == 0) ? 1 : 2)) % 3;
		piece->corner[end][0] = lone;
		piece->corner[end][1] = other;
		piece->at[end] = value[lone] / (value[lone] - value[other]);
	}
	return true;
}

/* a function that is linear on the face at an end of the piece */
static inline double ossai_contour_value(const ossai_contour_piece *piece, int end, const double value[3])
{
	const double from = value[piece->corner[end][0]], to = value[piece->corner[end][1]];
	return from + piece->at[end] * (to - from);
}

/* where an end is, of the positions of the corners */
static inline ossai_vec3 ossai_contour_point(const ossai_contour_piece *piece, int end, const ossai_vec3 corner[3])
{
	return ossai_lerp(corner[piece->corner[end][0]], corner[piece->corner[end][1]], piece->at[end]);
}

#endif
