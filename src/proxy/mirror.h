/* proxy/mirror.h: detects the plane of reflective symmetry of a shape.

   Place in the path: proxy -> here -> skeleton/from_curve/curve_bones.
   Input: a proxy.
   Output: a plane, its error, and whether it counts as a symmetry. */
#ifndef OSSAI_PROXY_MIRROR_H
#define OSSAI_PROXY_MIRROR_H

#include "proxy/proxy.h"
#include "query/clearance.h"

typedef struct ossai_mirror {
	bool exists;
	ossai_vec3 normal; /* unit */
	double offset;     /* normal . x = offset */
	/* mean distance of reflected points to the surface, share of the size; each is clamped at
	   0.08 */
	double error;
	/* share of the surface whose reflection is farther than OSSAI_MIRROR_OFF from the surface */
	double off_share;
} ossai_mirror;

/* a share of the size: a point whose reflection is farther from the surface has no
   counterpart */
#define OSSAI_MIRROR_OFF 0.03

/* Finds the best plane; `exists` where its error is below the stated share of the size.
   Translating, scaling and permuting the input change nothing. clearance: the proxy's; NULL: it is
   made. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_mirror_find(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_mirror *mirror);

/* Whether a given plane (unit normal, offset) is a symmetry by the same measure: sets `error` and
   `exists`. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_mirror_measure(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_mirror *mirror);

static inline ossai_vec3 ossai_mirror_point(const ossai_mirror *mirror, ossai_vec3 p)
{
	return ossai_madd(p, 2 * (mirror->offset - ossai_dot(mirror->normal, p)), mirror->normal);
}

#endif
