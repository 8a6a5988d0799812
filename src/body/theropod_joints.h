/* body/theropod_joints.h: the joints of a bird or a theropod by its shape and by what is known of
   such bodies.

   Place in the path: body/theropod_measures -> here -> body/joints.

   Where the legs leave the trunk, and how high the back is, say where the hips lie; neck and tail
   begin where they are thinner than the trunk; joints of legs, arms and wings lie at shares of the
   line from there to the tip (body/theropod.c). */
#ifndef OSSAI_BODY_THEROPOD_JOINTS_H
#define OSSAI_BODY_THEROPOD_JOINTS_H

#include "body/joints.h"

/* As ossai_body_joints_find, for the plans of theropods and birds. */
ossa_status ossai_theropod_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints);

#endif
