/* export/joint_axes.h: a joint as hinges one after the other, or a slide, for formats that know no
   others.

   Place in the path: under the writers of Collada and URDF.
   Input: a bone.
   Output: axes in its own frame, with limits. */
#ifndef OSSAI_EXPORT_JOINT_AXES_H
#define OSSAI_EXPORT_JOINT_AXES_H

#include <ossa/rig.h>

typedef struct ossai_joint_axis {
	const char *name; /* after that of the bone: "_rz" */
	double direction[3];
	double limits[2]; /* degrees; of a slide mesh units; 0 where the bone has none */
	bool slides;      /* along the direction, in place of a turn about it */
} ossai_joint_axis;

/* What a name is followed by: of the three axes of a joint, of that of a hinge, of the two of a
   universal joint, of that of a slide. */
enum { OSSAI_AXIS_NAMES = 7 };
extern const char *const ossai_axis_names[OSSAI_AXIS_NAMES];

/* The turns of a joint as its transforms follow each other, outermost first: about z, y and x of
   its frame; of hinges and universal joints about their own axes; a slide along its own. Returns
   how many. */
size_t ossai_joint_axes(const ossa_bone *bone, ossai_joint_axis axes[3]);
/* How many, without them. */
size_t ossai_joint_axis_count(const ossa_bone *bone);

#endif
