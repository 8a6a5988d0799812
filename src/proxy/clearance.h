/* proxy/clearance.h: the distance from a point to the surface (its clearance), the nearest surface
   point, and whether a point is inside.

   Place in the path: proxy -> here -> mirror, curve/center.
   Input: a proxy.
   Output: answers to queries, by a tree of its faces and a tree of its winding numbers. */
#ifndef OSSAI_PROXY_CLEARANCE_H
#define OSSAI_PROXY_CLEARANCE_H

#include "query/face_tree.h"
#include "query/inside.h"
#include "proxy/proxy.h"

typedef struct ossai_clearance {
	const ossai_proxy *proxy;
	float *positions; /* the proxy's, in single precision, as the tree needs them */
	uint32_t *group;  /* of each face: all 0 */
	ossai_face_tree tree;
	ossai_winding_tree *winding; /* NULL where inside queries are not wanted */
} ossai_clearance;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_clearance_make(ossai_arena *arena, const ossai_proxy *proxy, bool with_inside, ossai_clearance *clearance);

/* Finds the nearest point of the surface (or NULL) and its face (or NULL). Returns its distance,
   infinite where there are no faces. */
double ossai_clearance_nearest(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *point, uint32_t *face);

/* Whether the winding number of the surface around the point is not zero, of either sign. For a
   clearance made with_inside. */
bool ossai_clearance_inside(const ossai_clearance *clearance, ossai_vec3 point);

/* Whether the segment meets no surface. Found by sphere tracing: each step is as long as the
   clearance. */
bool ossai_clearance_clear(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 to);

/* The point half way through the shape, along the inward normal at the surface point nearest to
   `from`. Returns false where no surface is opposite. */
bool ossai_clearance_midpoint(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *midpoint);

#endif
