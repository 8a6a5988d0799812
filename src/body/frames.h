/* body/frames.h: the axes that a figure may have as a body: which way is up, left and front.

   Place in the path: body/figure -> here -> body/recognize.
   Input: a figure.
   Output: candidates with the odds of each before limbs are looked at, and the figure's moments. */
#ifndef OSSAI_BODY_FRAMES_H
#define OSSAI_BODY_FRAMES_H

#include "body/figure.h"

/* Of the surface, by the proxy's vertices, which are spread evenly over it. */
typedef struct ossai_spread_moments {
	ossai_vec3 center;
	double covariance[9]; /* row-major */
	double scale;         /* RMS distance from the center */
} ossai_spread_moments;

ossai_spread_moments ossai_spread_moments_of(const ossai_proxy *proxy);

typedef struct ossai_frame {
	ossai_vec3 left, up, front; /* unit; left x up = front where the figure's hand is 1 */
	double odds;                /* logarithm, of this frame before limbs are looked at */
	double low, height;         /* of the figure along `up` */
	bool is_symmetric;          /* left and right are mirror images */
} ossai_frame;

/* Six directions of up with five axes from side to side, and 72 that are askew, each facing two
   ways. */
enum { OSSAI_FRAMES = (6 * 5 + 72) * 2 };

/* The axes of the file are up, or rarely down or sideways, or another direction in the plane of
   symmetry, or a principal axis of the surface is; the sides are those of the plane of symmetry, or
   of the principal axes, or of the file. Returns their number. */
size_t ossai_frames_find(const ossai_figure *figure, const ossai_spread_moments *moments, ossai_frame frames[OSSAI_FRAMES]);

#endif
