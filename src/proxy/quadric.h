/* proxy/quadric.h: quadric error metrics: the sum of squared distances to planes, as a function of
   a point.

   Place in the path: below coarsen and isotropic.
   Source: M. Garland, P. Heckbert, Surface Simplification Using Quadric Error Metrics, SIGGRAPH
   1997. */
#ifndef OSSAI_PROXY_QUADRIC_H
#define OSSAI_PROXY_QUADRIC_H

#include "math/vec.h"

/* p -> p^T A p - 2 b^T p + constant, without the constant; A is symmetric. All points are relative
   to one origin. */
typedef struct ossai_quadric {
	double xx, xy, xz, yy, yz, zz;
	double bx, by, bz;
} ossai_quadric;

static inline void ossai_quadric_add(ossai_quadric *q, const ossai_quadric *other)
{
	q->xx += other->xx;
	q->xy += other->xy;
	q->xz += other->xz;
	q->yy += other->yy;
	q->yz += other->yz;
	q->zz += other->zz;
	q->bx += other->bx;
	q->by += other->by;
	q->bz += other->bz;
}

/* adds `weight` times the squared distance to the plane through `point` with this unit normal */
static inline void ossai_quadric_add_plane(ossai_quadric *q, ossai_vec3 normal, ossai_vec3 point, double weight)
{
	const ossai_vec3 n = ossai_scale(normal, weight);
	const double along = ossai_dot(normal, point);
	q->xx += n.x * normal.x;
	q->xy += n.x * normal.y;
	q->xz += n.x * normal.z;
	q->yy += n.y * normal.y;
	q->yz += n.y * normal.z;
	q->zz += n.z * normal.z;
	q->bx += n.x * along;
	q->by += n.y * along;
	q->bz += n.z * along;
}

/* The minimiser of the quadric plus `pull` times its trace times the squared distance to `anchor`:
   in directions that no plane fixes it stays at `anchor`. */
static inline ossai_vec3 ossai_quadric_best(const ossai_quadric *q, ossai_vec3 anchor, double pull)
{
	const double stay = pull * (q->xx + q->yy + q->zz);
	if (!(stay > 0)) return anchor;
	const double a = q->xx + stay, d = q->yy + stay, f = q->zz + stay, b = q->xy, c = q->xz, e = q->yz;
	/* the residual at `anchor` */
	const double x = q->bx - (q->xx * anchor.x + b * anchor.y + c * anchor.z);
	const double y = q->by - (b * anchor.x + q->yy * anchor.y + e * anchor.z);
	const double z = q->bz - (c * anchor.x + e * anchor.y + q->zz * anchor.z);
	const double aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
	const double determinant = a * aa + b * ab + c * ac;
	if (!(determinant > 0)) return anchor;
	const double bb = a * f - c * c, bc = b * c - a * e, cc = a * d - b * b;
	return ossai_v3(anchor.x + (aa * x + ab * y + ac * z) / determinant, anchor.y + (ab * x + bb * y + bc * z) / determinant,
		anchor.z + (ac * x + bc * y + cc * z) / determinant);
}

#endif
