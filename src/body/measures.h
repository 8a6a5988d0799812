/* body/measures.h: what is measured of a recognized body, before any joint is placed.

   Place in the path: body/recognize, body/limb_axis -> here -> body/joints.
   Input: a figure, a recognized body.
   Output: the axes of its limbs, and where limbs leave the trunk and the neck is narrowest. */
#ifndef OSSAI_BODY_MEASURES_H
#define OSSAI_BODY_MEASURES_H

#include "body/hips.h"
#include "body/limb_axis.h"
#include "body/recognize.h"

typedef struct ossai_body_measures {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_mirror *mirror; /* may not exist */
	ossai_sections sections;
	ossai_limb_axis leg[2], arm[2], head; /* left, right */
	size_t arm_begin[2];                  /* samples: where arms leave the trunk */
	size_t parting[2];                    /* samples: the last one, from the foot, before the legs are one */
	size_t neck;                          /* sample of the head: where it is narrowest */
	ossai_vec3 throat;                    /* that point */
	double unit;                          /* height from the floor to the throat */
	ossai_vec3 shoulder[2];               /* the joints, and their deviations (shoulders.h) */
	double shoulder_deviation[2];
	ossai_build build;
} ossai_body_measures;

/* mirror: the plane of symmetry of the joints, which may not exist.
   Errors: OSSA_ERROR_MEMORY.  Cost: 5 limbs x 48 samples x the proxy's faces. */
ossa_status ossai_body_measure_limbs(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_body_measures *measures);

/* Height over the floor in units. */
static inline double ossai_measures_height(const ossai_body_measures *m, ossai_vec3 p)
{
	return (ossai_dot(m->body->up, p) - m->body->low) / m->unit;
}

/* The direction from the middle to a side: 0 left, 1 right. */
static inline ossai_vec3 ossai_measures_side(const ossai_body_measures *m, int k)
{
	return ossai_scale(m->body->left, k == 0 ? 1 : -1);
}

/* A point in the middle of a symmetric shape, moved onto its plane. */
static inline ossai_vec3 ossai_measures_middle(const ossai_body_measures *m, ossai_vec3 p)
{
	return m->mirror->exists ? ossai_lerp(p, ossai_mirror_point(m->mirror, p), 0.5) : p;
}

#endif
