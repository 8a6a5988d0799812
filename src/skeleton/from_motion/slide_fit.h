/* skeleton/from_motion/slide_fit.h: the translation along a line that a relative motion is nearest
   to.

   Place in the path: inside piece_slides, for clusters, and methods/bodies/slide_bodies, for the
   bones that were made of them. */
#ifndef OSSAI_SKELETON_FROM_MOTION_SLIDE_FIT_H
#define OSSAI_SKELETON_FROM_MOTION_SLIDE_FIT_H

#include "math/vec.h"

/* What moves: a part of a surface at rest. */
typedef struct ossai_slide_body {
	ossai_vec3 center;
	double m[9]; /* mean of (x - center)(x - center)^T */
} ossai_slide_body;

typedef struct ossai_slide_fit {
	ossai_vec3 axis;  /* unit, toward the farthest place */
	double residual2; /* mean square over points and poses of what the slide does not explain */
	double spread2;   /* about the mean motion; the rest, at 0, is a pose of its own */
} ossai_slide_fit;

/* x: K: how the body moves in the frame of another at rest. Fills distance (K), along the axis. */
ossai_slide_fit ossai_slide_fit_to(size_t poses, const ossai_rigid *x, const ossai_slide_body *body, double *distance);

/* The logarithm of the likelihood of a residual within `joined2` over that within `free2`: of two
   normal distributions. */
double ossai_joined_odds(double residual2, double joined2, double free2);

#endif
