/* body/quadruped_joints.h: the joints of a quadruped by its shape and by what is known of such
   bodies.

   Place in the path: body/quadruped_measures -> here -> body/joints.

   Where a leg leaves the trunk, and how high belly and back are, say where hips, shoulders and the
   spine lie; joints of legs lie at shares of the line from there to the tip (body/quadruped.c). */
#ifndef OSSAI_BODY_QUADRUPED_JOINTS_H
#define OSSAI_BODY_QUADRUPED_JOINTS_H

#include "body/joints.h"

/* As ossai_body_joints_find, for the quadruped's plan. */
ossa_status ossai_quadruped_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints);

#endif
