/* body/landmarks.h: joints found again where a person has set points of the body.

   Place in the path: body/joints -> here -> skeleton/from_curve/body_bones.
   Input: a recognized body, its joints, points.
   Output: the joints, given these points.

   A point is an observation of its joint: sharp along the limb; across it the shape tells more the
   nearer the point lies to the surface, so that a point on the skin is not a joint on the skin.
   Joints between a point and where the limb begins keep their share of the way. Without a point of
   the other side that of this one counts for both where the shape is symmetric. */
#ifndef OSSAI_BODY_LANDMARKS_H
#define OSSAI_BODY_LANDMARKS_H

#include "body/joints.h"

#include <ossa/landmarks.h>

/* In the axes and lengths of the figure. */
typedef struct ossai_marks {
	bool is_set[OSSA_LANDMARK_COUNT];
	ossai_vec3 at[OSSA_LANDMARK_COUNT];
} ossai_marks;

/* The option of the first landmark that is set, or NULL. */
const char *ossai_landmarks_first(const ossa_landmarks *landmarks);

/* Says of each end of the figure how much likelier it is the head, a leg or an arm, as points lie by
   the way to it, or to its mirror image. Cost: ends x points x the path's. */
void ossai_marks_tell(const ossai_marks *marks, ossai_figure *figure);

/* Checks points against the body, and exchanges its front with its back, and so left and right,
   where all points of limbs ask for it and are more likely to be right. Errors: OSSA_ERROR_INPUT
   (a point far from the body, sides that contradict each other, or the shape). */
ossa_status ossai_marks_check(ossa_context *context, const ossai_figure *figure, const ossai_marks *marks, ossai_body *body);

/* Moves the joints. mirror: the plane of symmetry of the joints, which may not exist; with
   `enforce` the points of both sides become images. */
void ossai_marks_apply(
	const ossai_body *body, const ossai_mirror *mirror, bool enforce, const ossai_marks *marks, ossai_body_joints *joints);

#endif
