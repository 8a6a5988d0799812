/* body/joints.h: the joints of a body by its shape and by what is known of such bodies.

   Place in the path: body/recognize -> here -> skeleton/from_curve/body_bones. Input: a recognized
   body. Output: a joint for each bone of its plan.

   Every joint is the mean of a normal distribution that is a product of normal ones: what follows
   from the shape (the axis of a limb, where it leaves the trunk, where the neck is narrowest, where
   a limb bends), and what the plan says (where such joints lie, in lengths of the body or of the
   limb), each with its own deviation. */
#ifndef OSSAI_BODY_JOINTS_H
#define OSSAI_BODY_JOINTS_H

#include "body/recognize.h"

/* Rows of a plan times two sides. */
enum { OSSAI_BODY_BONES = 64 }; /* with all fingers */

typedef struct ossai_body_joint {
	ossa_role role;
	uint32_t parent; /* in the list; OSSA_NONE: the root */
	ossai_vec3 joint, tail;
	double radius;    /* of the limb or the trunk there */
	double deviation; /* the root of the sum of the variances of its three coordinates */
	uint32_t image;   /* the joint of the other side; itself where it is medial */
} ossai_body_joint;

typedef struct ossai_body_joints {
	size_t count;
	ossai_body_joint bone[OSSAI_BODY_BONES]; /* parents first */
	bool is_finger[OSSAI_FIGURE_ENDS];       /* of the figure's ends */
} ossai_body_joints;

/* mirror: the plane of symmetry of the joints, which may not exist; pairs that differ from mirror
   images by no more than they are uncertain become such; with `enforce` all do, after the left one.
   Errors: OSSA_ERROR_MEMORY.  Cost: 5 limbs x 48 samples x the proxy's faces. */
ossa_status ossai_body_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints);

#endif
