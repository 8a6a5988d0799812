/* query/clearance.h: the clearance of a point: its distance to the surface, the nearest point
   there, and whether it is inside.

   Place in the path: proxy -> here -> mirror, curve/center. Lengths are shares of the size, as a
   proxy has them. */
#ifndef OSSAI_QUERY_CLEARANCE_H
#define OSSAI_QUERY_CLEARANCE_H

#include "query/face_tree.h"
#include "query/winding_numbers.h"

typedef struct ossai_clearance {
	uint32_t *group; /* of each face: all 0 */
	ossai_face_tree tree;
	ossai_winding_tree *winding; /* NULL: the inside is not asked for */
} ossai_clearance;

/* The view's triangles, and its positions where they are floats, must outlive it. Arrays are the
   arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_clearance_make(ossai_arena *arena, const ossai_mesh_view *mesh, bool with_inside, ossai_clearance *clearance);

/* The nearest point of the surface (or NULL) and its face (or NULL). Returns the distance;
   infinite without faces. */
double ossai_clearance_nearest(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *point, uint32_t *face);

/* The same where the distance is more than `near`: else some distance of at most `near`, found
   sooner, with a point and a face that far. For those who ask how far only of what is farther. */
double ossai_clearance_beyond(
	const ossai_clearance *clearance, ossai_vec3 from, double near, ossai_vec3 *point, uint32_t *face);

/* The same where the distance is at most `most`: else infinite, and point and face are as before.
   face: a face that may be near, which the search begins with, or OSSA_NONE. */
double ossai_clearance_within(
	const ossai_clearance *clearance, ossai_vec3 from, double most, ossai_vec3 *point, uint32_t *face);

/* Whether the absolute winding number of the point is above a half. Only of a clearance made with
   its inside. */
bool ossai_clearance_inside(const ossai_clearance *clearance, ossai_vec3 point);

/* Whether the segment meets no surface: found by stepping from ball to ball, each as large as
   the clearance. */
bool ossai_clearance_clear(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 to);

/* The middle of the shape's thickness at the surface point nearest to `from`, along the normal
   there. False where no face is opposite. */
bool ossai_clearance_midpoint(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *midpoint);

#endif
