/* conventions/write_names.h: the names that other programs give the bones of a body.

   Place in the path: convention, find_roles -> here -> rig/bone_names, the VRM writer.
   Input: a skeleton.
   Output: its bones' names. */
#ifndef OSSAI_CONVENTIONS_WRITE_NAMES_H
#define OSSAI_CONVENTIONS_WRITE_NAMES_H

#include "base/context.h"
#include "conventions/convention.h"
#include <ossa/rig.h>

/* Of a trunk, which the names of its bones follow from. */
typedef struct ossai_trunk {
	int spine, neck; /* bones */
} ossai_trunk;

ossai_trunk ossai_trunk_of(const ossa_role *role, size_t bone_count);

/* The convention that a style writes; NULL of BODY, NUMBERS and what is no style. */
const ossai_convention *ossai_convention_of_style(ossa_bone_names style);

/* Writes the name of a role; false, and an empty text, where the convention has none. name: as
   large as that of a bone. */
bool ossai_convention_name(const ossai_convention *convention, ossai_trunk trunk, ossa_role role, char *name);

/* Names all bones by their roles, which are found where the bones have none (find_roles.h). Bones
   that the convention has no name for keep theirs, with a number where another bone is now called
   so: warning "unnamed-bones".
   Errors: OSSA_ERROR_MEMORY; the names are then as they were. */
ossa_status ossai_write_names(ossa_context *context, ossa_skeleton *skeleton, const ossai_convention *convention);

/* The first part that every humanoid of other programs has and this body lacks; PART_NONE: it has
   all of them. side: of that part. */
ossa_body_part ossai_missing_part(const ossa_role *role, size_t bone_count, int *side);

#endif
