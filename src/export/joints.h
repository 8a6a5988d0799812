/* export/joints.h: a rig's joints as programs with Euler angles have them: a rest pose, angles
   against it, limits.

   Place in the path: between the rig and the writers of Maya scripts and FBX.
   Input: a rig.
   Output: numbers by joint. Every joint is translate(place) rotate(rest) rotate(turn): Maya's
   translate, jointOrient and rotate, FBX's Lcl Translation, PreRotation and Lcl Rotation. The rest
   is Rz Ry Rx for column vectors, the turn of the joint's own order. The turn is 0 at rest.
   A hinge is translate(place) rotate(rest) rotate(turn) rotate(after) with a turn about x: `after`
   (Maya's rotateAxis, FBX's PostRotation) is the half turn that exchanges x and the hinge's axis,
   and is in `rest` too. It is its own inverse, as Blender does not invert a PostRotation. */
#ifndef OSSAI_EXPORT_JOINTS_H
#define OSSAI_EXPORT_JOINTS_H

#include "base/context.h"
#include "math/euler.h"
#include <ossa/rig.h>

typedef struct ossai_joints {
	size_t count;
	double (*position)[3]; /* in the parent's frame; of the root in the world */
	double (*rest)[3];     /* degrees about x, y, z */
	double (*after)[3];    /* degrees about x, y, z: of hinges; else 0 */
	int *order;            /* of the turns: a number in ossai_euler_orders */
	double(
		/* of all clips, one after the other: F x count: degrees; NULL without a clip. Near those of
		   the frame before, so that a straight line between two keys takes the shorter rotation; a
		   joint that leaps (over 90 degrees) restarts near its rest pose */
		*turns)[3];
	size_t frame_count; /* of all clips */
	/* degrees about x, y, z: the rig's own or those of its motion; of hinges about y and z what
	   their motion is off its axis, and of x those about it */
	double (*limits)[3][2];
	bool (*limited)[3]; /* where they are known and the motion keeps to them */
	/* of joints that slide within limits, in the parent's frame along x, y, z: the box of their
	   path, mesh units */
	double (*places)[3][2];
	bool *slides; /* which */
	size_t leaf_count;
	uint32_t *leaves; /* bones without children */
} ossai_joints;

/* Everything is the arena's. `slack` is how much wider than the motion limits are. `own_orders`:
   joints that would come near gimbal lock have another order than XYZ, but for those with limits of
   the rig's own, which refer to that order. Warning "limits-left": the motion leaves them. */
ossa_status ossai_joints_find(ossai_arena *arena, const ossa_rig *rig, double slack, bool own_orders, ossai_joints *joints);

/* A bone's tail in its own frame. */
void ossai_joint_end(const ossa_bone *bone, double position[3]);

#endif
