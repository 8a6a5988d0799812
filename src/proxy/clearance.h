/* proxy/clearance.h: the space around a point: how far the surface is, where it is nearest, whether
   the point is inside.

   Place in the path: proxy -> here -> mirror, curve/center. */
#ifndef OSSAI_PROXY_CLEARANCE_H
#define OSSAI_PROXY_CLEARANCE_H

#include "query/face_tree.h"
#include "query/inside.h"
#include "proxy/proxy.h"

typedef struct ossai_clearance {
	const ossai_proxy *proxy;
	float *positions; /* the proxy's, as the tree has them */
	uint32_t *group;  /* of each face: all 0 */
	ossai_face_tree tree;
	ossai_winding_tree *winding; /* NULL: the inside is not asked for */
} ossai_clearance;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_clearance_make(ossai_arena *arena, const ossai_proxy *proxy, bool with_inside, ossai_clearance *room);

/* Where the surface is nearest: the point (or NULL) and its face (or NULL), and how far that is;
   infinite without faces. */
double ossai_clearance_nearest(const ossai_clearance *room, ossai_vec3 from, ossai_vec3 *point, uint32_t *face);

/* Whether the surface winds around the point, in whichever sense. Of a room made with its
   inside. */
bool ossai_clearance_inside(const ossai_clearance *room, ossai_vec3 point);

/* Whether the segment meets no surface: told by stepping from ball to ball, each as large as there
   is room. */
bool ossai_clearance_clear(const ossai_clearance *room, ossai_vec3 from, ossai_vec3 to);

/* Half way through the shape where the surface is nearest to `from`, along the normal there. False
   where nothing is opposite. */
bool ossai_clearance_middle(const ossai_clearance *room, ossai_vec3 from, ossai_vec3 *middle);

#endif
