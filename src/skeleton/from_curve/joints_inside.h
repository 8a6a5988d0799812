/* skeleton/from_curve/joints_inside.h: joints that a surface does not enclose, brought to where it
   does.

   Place in the path: joints -> here -> weights, rig. */
#ifndef OSSAI_SKELETON_FROM_CURVE_JOINTS_INSIDE_H
#define OSSAI_SKELETON_FROM_CURVE_JOINTS_INSIDE_H

#include "surface/posed_surface.h"

/* Moves each joint that the surface, open or not, does not wind around to the nearest of `places`
   that it winds around; where there is none, the joint stays. For shapes whose voxels or shells
   hold more than the surface encloses. Errors: OSSA_ERROR_MEMORY. Cost: a winding number a joint;
   and one a place, where a joint is outside. */
ossa_status ossai_joints_keep_inside(ossa_context *context, const ossai_posed_surface *surface, size_t place_count,
	const ossai_vec3 *places, size_t joint_count, ossai_vec3 *joints);

#endif
