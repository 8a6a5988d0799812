/* body/theropod_measures.h: what is measured of a recognized bird or theropod, before joints are
   placed.

   Place in the path: body/recognize, body/limb_pair -> here -> body/theropod_joints.
   Input: a figure, a recognized bird or theropod; any limb but one pair may be hidden.
   Output: the axes of its limbs, where they leave the trunk, and how high the back is. */
#ifndef OSSAI_BODY_THEROPOD_MEASURES_H
#define OSSAI_BODY_THEROPOD_MEASURES_H

#include "body/limb_axis.h"
#include "body/recognize.h"

typedef struct ossai_theropod_measures {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_mirror *mirror; /* of the joints; may not exist */
	ossai_sections sections;
	bool has_legs, has_arms, has_head, has_tail; /* else their axes are not set */
	ossai_limb_axis leg[2], arm[2], head, tail;  /* left, right; arms are wings of a bird */
	size_t leg_parting[2], arm_begin[2];         /* the sample where a limb leaves the trunk */
	ossai_vec3 middle;                           /* of the trunk, between left and right */
	double unit;                                 /* RMS distance of the surface from its centroid */
	double back;                                 /* dot(up, p) of the back over the legs */
	ossai_vec3 muzzle;                           /* the tip of the head, or the point that is farthest ahead */
} ossai_theropod_measures;

/* mirror: the plane of symmetry of the joints, which may not exist. The body needs a leg and its
   hip_node, or an arm and its shoulder_node. Errors: OSSA_ERROR_MEMORY.
   Cost: 6 limbs x 48 samples x the proxy's faces. */
ossa_status ossai_theropod_measure(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_theropod_measures *measures);

#endif
