/* body/names.h: what the bones of a body are called.

   Place in the path: body/plan -> here -> skeleton/naming. */
#ifndef OSSAI_BODY_NAMES_H
#define OSSAI_BODY_NAMES_H

#include <ossa/body.h>

#include <stddef.h>

/* How many kinds of bodies there are, AUTO and NONE among them; and how many parts. */
enum { OSSAI_BODY_KINDS = OSSA_BODY_OCTOPUS + 1, OSSAI_BODY_PARTS = OSSA_PART_BODY + 1 };

/* Of several bones of one part. */
enum { OSSAI_ROLE_NUMBER_MAX = 999 };

/* Writes the name of a bone, such as thigh_L or spine_02; an empty text where its part is not
   known. name: `size` characters. */
void ossai_role_name(ossa_role role, char *name, size_t size);

#endif
