/* skeleton/naming/part_names.h: names of bones as a word, a number and a side, spine_02 or
   thigh_01_L, and bones whose roles are of one part or of both sides.

   Place in the path: below rest_parts and methods/complete. */
#ifndef OSSAI_SKELETON_NAMING_PART_NAMES_H
#define OSSAI_SKELETON_NAMING_PART_NAMES_H

#include <ossa/rig.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its end that gives the side: "_L", "_R" or "". */
const char *ossai_name_side(const char *name);

/* Whether a number of two digits is before the side. */
bool ossai_name_has_number(const char *name);

/* Whether two names are the same but for the number: of one part and side. False for bones that
   have numbers for names. */
bool ossai_names_are_alike(const char *a, const char *b);

/* Whether two roles are of one part and side: they may differ in the number. */
static inline bool ossai_are_one_part(const ossa_role *a, const ossa_role *b)
{
	return a->part == b->part && a->side == b->side && a->limb == b->limb;
}

/* Whether two roles are of one part on opposite sides, or both central; the number may differ. */
static inline bool ossai_are_images(const ossa_role *a, const ossa_role *b)
{
	return a->part == b->part && a->side == -b->side && a->limb == b->limb;
}

/* The bone that is the same part of the other side, with the same number, or OSSA_NONE. */
uint32_t ossai_image_of_bone(const ossa_skeleton *skeleton, size_t bone);

/* Writes the name of a part with another number; 0: without. name: as large as that of a bone. */
void ossai_part_name(const char *part, int number, char *name);

#endif
