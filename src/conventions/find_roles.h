/* conventions/find_roles.h: which part of a body each bone of any skeleton is.

   Place in the path: names and tree -> here -> retargeting, rest poses, names to write.
   Input: a skeleton of ossa's or from a file.
   Output: roles, and how they were found: those that the bones have are kept; else by names of any
   convention; else by the shape of the tree. */
#ifndef OSSAI_CONVENTIONS_FIND_ROLES_H
#define OSSAI_CONVENTIONS_FIND_ROLES_H

#include "base/context.h"
#include "conventions/convention.h"
#include <ossa/rig.h>

typedef enum ossai_roles_origin {
	OSSAI_ROLES_NONE,  /* nothing is known: no bone has a role */
	OSSAI_ROLES_KEPT,  /* the bones had them */
	OSSAI_ROLES_NAMES, /* of a convention, or plain words */
	OSSAI_ROLES_TREE   /* by the shape of the tree */
} ossai_roles_origin;

typedef struct ossai_roles_source {
	ossai_roles_origin origin;
	const ossai_convention *convention; /* NAMES: which; NULL: plain words */
	size_t matched;                     /* bones with a role */
	ossa_body_kind kind;                /* HUMAN, QUADRUPED; NONE: neither, or too little is there */
} ossai_roles_source;

/* Fills role (B) in the terms of ossa's plans (docs/bodies.md): spine and tail are numbered from 1
   on, fingers 1 to 3, parts of several bones 1, 2 .. outward, all others 0. Names of arms on a body
   that plainly stands on four legs are front legs. source: NULL where it is not needed.
   Errors: OSSA_ERROR_MEMORY.  Cost: bones x names of all conventions. */
ossa_status ossai_find_roles(ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, ossai_roles_source *source);

/* HUMAN or QUADRUPED where hips, thighs and shins of one are there; else NONE. */
ossa_body_kind ossai_kind_of_roles(const ossa_role *role, size_t bone_count);

/* HUMAN where hips, both legs and a head or an arm of one are there, as of somebody who has lost an
   arm, or whose arms a motion leaves out; NONE where limbs of animals are there, too, or less. */
ossa_body_kind ossai_partial_kind_of_roles(const ossa_role *role, size_t bone_count);

/* The bone of a part and side, of several the one with the lowest number; -1 where there is none. */
int32_t ossai_bone_of_role(const ossa_role *role, size_t bone_count, ossa_body_part part, int side);

/* Writes how roles were found: "names of Mixamo", "plain words", "the shape of the tree". Returns
   `text`. */
const char *ossai_roles_source_print(const ossai_roles_source *source, char *text, size_t size);

#endif
