/* skeleton/naming/names.h: names bones after their parts of a body, and by their numbers.

   Place in the path: joints, tails, weights, roles -> here -> export.
   Input: bones, with roles where the shape was recognized as a body (body/recognize.h,
   rest_parts.h).
   Output: the bones' names.

   A bone that has no role, and every bone of a shape that is no body, is bone_NN by its own number:
   nothing is guessed. */
#ifndef OSSAI_SKELETON_NAMING_NAMES_H
#define OSSAI_SKELETON_NAMING_NAMES_H

#include "base/context.h"
#include <ossa/rig.h>

/* One of several skeletons with fewer bones is no body, whatever the shape of its limbs: its bones
   get numbers. */
enum { OSSAI_NAMES_BODY_BONES = 8 };

/* Names all bones by their numbers: root, bone_01, bone_02 ... */
void ossai_names_number(ossa_skeleton *skeleton);

/* Names the bones that have roles after these, the others by their numbers. Names are unique: the
   second of two bones that files or edits gave one role has a number. */
void ossai_names_by_roles(ossa_skeleton *skeleton);

/* Whether a name is a number and no part of a body. */
bool ossai_name_is_number(const char *name);

/* Gives the bones that have numbers for names those of their order. */
void ossai_names_renumber(ossa_skeleton *skeleton);

/* Whether a bone's name gives its side: ends in _L or _R. */
bool ossai_names_have_sides(const ossa_skeleton *skeleton);

#endif
