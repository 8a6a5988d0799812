/* query/facing.h: the nearest face that looks the same way as a point of another surface.

   Place in the path: below weights/surface_match.
   Input: a tree over faces, their normals.
   Output: faces. */
#ifndef OSSAI_QUERY_FACING_H
#define OSSAI_QUERY_FACING_H

#include "query/face_tree.h"

typedef struct ossai_facing {
	const ossai_face_tree *tree;
	const float *normals; /* F x 3: unit; 0 for a face without area, which is never found */
	const float *slack;   /* F: radians by which the normal is uncertain */
} ossai_facing;

/* The face nearest to `point` within the distance whose normal is at most `angle` radians and its
   slack, and less than a right angle, from `normal` (unit; 0: none is found); of equally near ones
   the smallest.  Cost: log F where most faces around look the same way. */
ossai_near_face ossai_facing_nearest(
	const ossai_facing *facing, ossai_vec3 point, ossai_vec3 normal, double angle, double distance);

#endif
