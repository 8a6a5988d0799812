/* body/quadruped_measures.h: what is measured of a recognized quadruped, before joints are placed.

   Place in the path: body/recognize, body/limb_pair -> here -> body/quadruped_joints.
   Input: a figure, a recognized quadruped.
   Output: the axes of its limbs, and how high its back and its belly are.

   The trunk is measured by sections across the front, as limbs that all meet in one node of the
   curve leave it no axis. */
#ifndef OSSAI_BODY_QUADRUPED_MEASURES_H
#define OSSAI_BODY_QUADRUPED_MEASURES_H

#include "body/limb_axis.h"
#include "body/recognize.h"

typedef struct ossai_quadruped_measures {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_mirror *mirror; /* of the joints; may not exist */
	ossai_sections sections;
	ossai_limb_axis leg[2], arm[2], ear[2], head, tail; /* left, right */
	bool has_ears, has_tail;
	bool has_head;        /* else its axis is not set */
	size_t parting[2][2]; /* of hind and front legs, left and right: the sample where it leaves the trunk */
	ossai_vec3 middle;    /* of the trunk, between left and right */
	double unit;          /* the height of the back over the floor */
	double belly;         /* that of the belly, between hind and front legs, in units */
	double back[2];       /* that of the back over hind and front legs, in units */
	ossai_vec3 muzzle;    /* the tip of the head, or the point that is farthest ahead */
} ossai_quadruped_measures;

/* mirror: the plane of symmetry of the joints, which may not exist. The body needs a leg of each
   pair. Errors: OSSA_ERROR_MEMORY.  Cost: 8 limbs x 48 samples x the proxy's faces. */
ossa_status ossai_quadruped_measure(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_quadruped_measures *measures);

/* How far ahead of the trunk's middle a point is, in units. */
static inline double ossai_quadruped_ahead(const ossai_quadruped_measures *m, ossai_vec3 p)
{
	return ossai_dot(m->body->front, ossai_sub(p, m->middle)) / m->unit;
}

/* Height over the floor in units. */
static inline double ossai_quadruped_height(const ossai_quadruped_measures *m, ossai_vec3 p)
{
	return (ossai_dot(m->body->up, p) - m->body->low) / m->unit;
}

#endif
