/* skeleton/naming/names.h: names of body parts for bones, where the shape tells them.

   Place in the path: joints, tails, weights -> here -> export.
   Input: a rig's mesh, bones and weights.
   Output: the bones' names.

   What is named, and by what evidence (nothing is guessed: a bone for which no rule is sure is
   bone_NN by its own number): - Left and right: the vertical plane that maps the centers of the
   bones' skin onto each other, found among the planes half way
     between feet or other ends of the tree; at least 60 % of the surface must have a partner within
     8 % of the diagonal, and
     both sides as many feet.  Feet are bones that reach into the lowest 5 % of the height.
   - Two legs (both long and steep): the bones from the trunk to the foot are thigh, calf, foot, toe
   by where along the leg they
     lie.  Ends that leave the trunk sideways on both sides are arms: upperarm, lowerarm, hand; what
     branches three times or more beyond
     both hands alike are fingers.  What stands up in the middle beyond the arms is neck and head;
     from the legs to the arms lie pelvis
     and spine, unless a bone's center lies above the shoulders (it holds the head); what leaves the
     body to the back is the tail.
   - Four legs: upperleg, lowerleg, foot, toe of _front and _back; spine between them; the limbs
   that leave the body in the
     middle at its ends are neck and head, or tail.
   - More legs in pairs: leg_1_01_L ..., front first.  Five or more limbs that spread evenly on the
   ground around a body: arm_1_01 ...,
     counted from +Z over +X.
   - Five ends that fan out from one body on one side, one of them apart: a hand with thumb_01,
   index_01, middle_01, ring_01, pinky_01.
     Fingers of other numbers are finger_1_01 ... from front to back.
   - One long chain without limbs: spine_01 ..., from its thicker end.
   Which way a body faces is told by its feet (soles lie ahead of shanks), by the height of the head
   over the tail, else +Z is taken for the front, as glTF has it; left is +X then.
   A part of several bones is numbered from the trunk outward (thigh_01_L, thigh_02_L); a bone that
   holds a whole limb is leg_L or arm_L, one that is the whole trunk torso.  A bone of an arm or leg
   that lies behind one before it in the tree keeps its number, as twigs off a limb do.  Thresholds
   stand beside the rules with what they were measured on. */
#ifndef OSSAI_SKELETON_NAMING_NAMES_H
#define OSSAI_SKELETON_NAMING_NAMES_H

#include "base/context.h"
#include <ossa/rig.h>

/* Names every bone; names are unique. More than a thousand bones are no body and get numbers.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT: the names are then as they were. */
ossa_status ossai_skeleton_name(
	ossa_context *context, ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, ossa_bone_names style);

#endif
