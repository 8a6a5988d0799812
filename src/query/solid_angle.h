/* query/solid_angle.h: the solid angles of faces as seen from a point, summed.

   Place in the path: below winding numbers and their tree.
   Source: A. Van Oosterom and J. Strackee, The Solid Angle of a Plane Triangle, 1983 (half the
   angle of a face is the argument of a complex number). The arguments are summed by multiplying
   the complex numbers and counting the passes over the negative real axis: one arc tangent a
   point instead of one a face. */
#ifndef OSSAI_QUERY_SOLID_ANGLE_H
#define OSSAI_QUERY_SOLID_ANGLE_H

#include "math/vec.h"

typedef struct ossai_angle_sum {
	double re, im;
	double turns; /* full circles so far */
} ossai_angle_sum;

/* the number whose argument is half the solid angle of the face, over the product of the corner
   distances; 0 where the point is a corner. Corners are relative to the point. */
static inline void ossai_half_angle(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c, double *re, double *im)
{
	const double la = ossai_length(a), lb = ossai_length(b), lc = ossai_length(c);
	*re = la * lb * lc + ossai_dot(a, b) * lc + ossai_dot(b, c) * la + ossai_dot(c, a) * lb;
	*im = ossai_dot(a, ossai_cross(b, c));
}

/* sum' = sum * (re + i im), of which only the argument matters */
static inline void ossai_turn_by(ossai_angle_sum *sum, double re, double im)
{
	const double size = fabs(re) + fabs(im);
	if (!(size > 0)) return;
	re /= size;
	im /= size;
	/* + 0.0: never -0, of which the arc tangent is on the other side */
	const double next_re = sum->re * re - sum->im * im, next_im = sum->re * im + sum->im * re + 0.0;
	/* arguments lie in (-pi, pi]: a sum of two that leaves it comes out on the other side of the
	   real axis */
	const bool whole = next_im == 0 && sum->re < 0 && re < 0;
	if (sum->im >= 0 && im >= 0 && (next_im < 0 || whole)) sum->turns += 1;
	if (sum->im < 0 && im < 0 && next_im >= 0) sum->turns -= 1;
	const double scale = 1 / (fabs(next_re) + fabs(next_im));
	sum->re = next_re * scale;
	sum->im = next_im * scale;
}

/* half angles: a full sphere is 2 pi of them */
static inline double ossai_turns_of(const ossai_angle_sum *sum)
{
	return sum->turns + atan2(sum->im, sum->re) / (2 * OSSAI_PI);
}

#endif
