/* proxy/mirror.h: the plane that a shape is symmetric to.

   Place in the path: proxy -> here -> skeleton/from_curve/curve_bones. */
#ifndef OSSAI_PROXY_MIRROR_H
#define OSSAI_PROXY_MIRROR_H

#include "proxy/proxy.h"

typedef struct ossai_mirror {
	bool exists;
	ossai_vec3 normal; /* unit */
	double offset;     /* normal . x = offset */
	/* mean distance of mirrored points to the surface, share of the diagonal; 0.08 at most counts
	   of each */
	double error;
	double off_share; /* of the surface: what has no image within OSSAI_MIRROR_OFF */
} ossai_mirror;

/* as a share of the diagonal: what is farther from the surface than that when it is mirrored has no
   image */
#define OSSAI_MIRROR_OFF 0.03

/* Finds the best plane: exists where the mirrored surface lies on itself to within a stated share
   of the diagonal. Moving, scaling and permuting the input change nothing. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_mirror_find(ossai_arena *arena, const ossai_proxy *proxy, ossai_mirror *mirror);

/* Whether a plane that is given, by its unit normal and offset, is a symmetry by the same measure:
   sets `error` and `exists`. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_mirror_judge(ossai_arena *arena, const ossai_proxy *proxy, ossai_mirror *mirror);

static inline ossai_vec3 ossai_mirror_point(const ossai_mirror *mirror, ossai_vec3 p)
{
	return ossai_madd(p, 2 * (mirror->offset - ossai_dot(mirror->normal, p)), mirror->normal);
}

#endif
