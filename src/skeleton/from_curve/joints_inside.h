/* skeleton/from_curve/joints_inside.h: joints that a surface does not enclose, brought to where it
   does.

   Place in the path: joints -> here -> weights, rig. Merged junctions, and limbs that begin beside
   them, leave hollow places between limbs; voxels and shells hold more than an open surface
   encloses. */
#ifndef OSSAI_SKELETON_FROM_CURVE_JOINTS_INSIDE_H
#define OSSAI_SKELETON_FROM_CURVE_JOINTS_INSIDE_H

#include "mesh/view.h"

/* Moves each joint that the surface, open or not, does not wind around towards the nearest of
   `places` that it winds around, by no more than is needed; where there is none, the joint stays.
   Errors: OSSA_ERROR_MEMORY.
   Cost: a winding number for each joint and each place; and 16 for each joint that is outside. */
ossa_status ossai_joints_keep_inside(ossa_context *context, const ossai_mesh_view *mesh, size_t place_count,
	const ossai_vec3 *places, size_t joint_count, ossai_vec3 *joints);

#endif
