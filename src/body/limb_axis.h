/* body/limb_axis.h: a limb as an axis from its tip to the trunk, with the thickness along it.

   Place in the path: body/recognize -> here -> body/joints.
   Input: a figure, an end of it, the node where its limb meets others.
   Output: samples at even distances, with the sections of the surface there. */
#ifndef OSSAI_BODY_LIMB_AXIS_H
#define OSSAI_BODY_LIMB_AXIS_H

#include "body/figure.h"
#include "query/plane_section.h"

enum { OSSAI_AXIS_SAMPLES = 48 };

typedef struct ossai_limb_axis {
	/* from the tip (0) to the node (OSSAI_AXIS_SAMPLES) */
	ossai_vec3 point[OSSAI_AXIS_SAMPLES + 1];
	ossai_vec3 along[OSSAI_AXIS_SAMPLES + 1]; /* unit, towards the trunk */
	double radius[OSSAI_AXIS_SAMPLES + 1];    /* of the section across it */
	double inward[OSSAI_AXIS_SAMPLES + 1];    /* of the section, the least dot(side, p) */
	double step;                              /* arc length between samples */
} ossai_limb_axis;

/* side: a unit vector that points from the middle of the body to the limb's side.
   Cost: samples x the proxy's faces. */
void ossai_limb_axis_make(
	const ossai_figure *figure, ossai_sections *sections, size_t end, uint32_t node, ossai_vec3 side, ossai_limb_axis *axis);

/* The point at an arc length from the tip. */
ossai_vec3 ossai_limb_axis_at(const ossai_limb_axis *axis, double arc);

/* The sample after which the limb runs into the trunk: where the logarithm of the radius rises
   most, from the mean of some samples before to the mean of as many after. other: the mirror image,
   whose radii count as much, or NULL. */
size_t ossai_limb_axis_begin(const ossai_limb_axis *axis, const ossai_limb_axis *other);

/* The neck: the likeliest sample between the ends, by how much narrower it is than the limb on both
   of its sides, and by `odds`: of each sample the logarithm of its probability before. */
size_t ossai_limb_axis_neck(const ossai_limb_axis *axis, const double *odds);

#endif
