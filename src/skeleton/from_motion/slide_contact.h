/* skeleton/from_motion/slide_contact.h: whether a part that slides stays with the other one.

   Place in the path: inside piece_slides. */
#ifndef OSSAI_SKELETON_FROM_MOTION_SLIDE_CONTACT_H
#define OSSAI_SKELETON_FROM_MOTION_SLIDE_CONTACT_H

#include "surface/posed_surface.h"

/* Two parts of a surface at rest, of which the second slides. */
typedef struct ossai_slide_pair {
	const ossai_posed_surface *surface;
	size_t face_count[2];
	const uint32_t *faces[2];
	ossai_vec3 axis; /* unit */
	double size;     /* of the smaller part: RMS distance from its center */
	double slack;    /* distances that differ by less are alike */
	size_t pose_count;
	const double *distance; /* K: how far it slid in each pose, along the axis */
} ossai_slide_pair;

/* Whether one holds the other: from the second part's points that are near the first and outside
   of it, the nearest points of that lie to opposite sides, square to the axis (a floor is on one
   side, a corner on two that meet), and in every pose some point of one is as near to the other
   as at rest; or, as solids are often drawn through each other, in every pose some point of one
   is inside of the other, which is no sheet.
   Errors: OSSA_ERROR_MEMORY.  Cost: a nearest distance a face, and a few a pose. */
ossa_status ossai_slide_is_held(ossai_arena *arena, const ossai_slide_pair *pair, bool *is_held);

#endif
