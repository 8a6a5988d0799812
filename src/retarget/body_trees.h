/* retarget/body_trees.h: the bodies of a rig, and the bones of each by role.

   Place in the path: a rig -> here -> rest poses.
   Input: bones of ossa's or from a file.
   Output: a body and a role for every bone. */
#ifndef OSSAI_RETARGET_BODY_TREES_H
#define OSSAI_RETARGET_BODY_TREES_H

#include "base/context.h"
#include <ossa/rig.h>

typedef struct ossai_body_trees {
	/* B: as the number of the body's root; of a rig of one tree bone 0; OSSA_NONE of what is above
	   several */
	uint32_t *body;
	ossa_role *role;     /* B */
	ossa_body_kind kind; /* what a rig of one tree is; NONE: not known */
} ossai_body_trees;

/* Several bodies are those of ossa's own rigs (rig/join_rigs.h); of other files the trees under the
   first bone that has several children, where two or more of them are whole humans by themselves:
   names of files say what a bone is in its own skeleton. Arrays of the arena.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_body_trees_find(ossai_arena *arena, const ossa_rig *rig, ossai_body_trees *bodies);

/* The roles of one body alone (B): other bones have none. False where it has none. */
bool ossai_roles_of_body(const ossai_body_trees *bodies, size_t bone_count, uint32_t root, ossa_role *own);

#endif
