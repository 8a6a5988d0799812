/* query/facing.h: the nearest face that looks the same way as a point of another surface, of those
   that the point may lie on.

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
	/* F: whose points alone find the face, OSSA_NONE: all do; NULL: of all faces */
	const uint32_t *owner;
} ossai_facing;

/* A point of another surface. */
typedef struct ossai_facing_point {
	ossai_vec3 position;
	ossai_vec3 normal; /* unit; 0: no face looks the same way */
	double angle;      /* radians; pi: faces may look anywhere, and normals are not asked for */
	uint32_t owner;    /* OSSA_NONE: every face may be found */
} ossai_facing_point;

/* The face nearest to the point within the distance whose normal is at most the point's angle and
   the face's slack, and less than a right angle, from that of the point; of equally near ones the
   smallest.  Cost: log F where most faces around look the same way. */
ossai_near_face ossai_facing_nearest(const ossai_facing *facing, const ossai_facing_point *point, double distance);

#endif
