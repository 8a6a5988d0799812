/* skeleton/naming/names.h: names bones after body parts by rules, where the shape is clear. Bones
   of a rig from motion get names of a body plan by rest_parts.h where there is one.

   Place in the path: joints, tails, weights -> here -> export.
   Input: a rig's mesh, bones and weights.
   Output: the bones' names.

   The rules (nothing is guessed: a bone that no rule names with certainty is bone_NN by its own
   number):
   - Left and right: the vertical plane that maps the centers of the bones' skin onto each other,
     found among the planes half way between feet or other leaves of the tree. At least 60 % of the
     surface must have a counterpart within 8 % of the diagonal, and both sides must have as many
     feet. Feet are bones that reach into the lowest 5 % of the height.
   - Two legs (both long and steep): the bones from the trunk to the foot are thigh, calf, foot, toe
     by their position along the leg. Limbs that leave the trunk sideways on both sides are arms:
     upperarm, lowerarm, hand; three or more branches beyond each hand, as many on both sides, are
     fingers. What stands up on the plane of symmetry beyond the arms is neck and head. From the
     legs to the arms are pelvis and spine, except for a bone whose center lies above the shoulders
     (it carries the head). What leaves the body backwards is the tail.
   - Four legs: upperleg, lowerleg, foot, toe of _front and _back; spine between them; the medial
     limbs at the two ends of the body are neck and head, or tail.
   - More legs in pairs: leg_1_01_L ..., front first. Five or more limbs that spread evenly on the
     ground around a body: arm_1_01 ..., counted from +Z over +X.
   - Five limbs that fan out from one body on one side, one of them apart: a hand with thumb_01,
     index_01, middle_01, ring_01, pinky_01. Other numbers of fingers are finger_1_01 ... from front
     to back.
   - One long chain without limbs: spine_01 ..., from its thicker end.

   A body faces the direction of its feet (soles lie ahead of shanks), else of its head (higher than
   the tail), else +Z, as in glTF; left is +X then.

   A part of several bones is numbered from the trunk outward (thigh_01_L, thigh_02_L); a bone that
   is a whole limb is leg_L or arm_L, one that is the whole trunk torso. A bone of an arm or leg
   that lies behind one before it in the tree keeps its number, as side branches of a limb do.
   Thresholds are next to the rules, with the models that they were measured on. */
#ifndef OSSAI_SKELETON_NAMING_NAMES_H
#define OSSAI_SKELETON_NAMING_NAMES_H

#include "base/context.h"
#include <ossa/rig.h>

/* One of several skeletons with fewer bones is no body, whatever the shape of its limbs: its bones
   get numbers. */
enum { OSSAI_NAMES_BODY_BONES = 8 };

/* Names every bone; names are unique. More than a thousand bones are no body and get numbers.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT: the names are then as they were. */
ossa_status ossai_skeleton_name(
	ossa_context *context, ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, ossa_bone_names style);

/* Names all bones by their numbers: root, bone_01, bone_02 ... */
void ossai_names_number(ossa_skeleton *skeleton);

/* Whether a name is a number and no part of a body. */
bool ossai_name_is_number(const char *name);

/* Gives the bones that have numbers for names those of their order. */
void ossai_names_renumber(ossa_skeleton *skeleton);

/* Whether a bone's name gives its side: ends in _L or _R. */
bool ossai_names_have_sides(const ossa_skeleton *skeleton);

#endif
