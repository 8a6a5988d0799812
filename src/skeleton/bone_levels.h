/* skeleton/bone_levels.h: which bones a coarser skeleton can do without.

   Place in the path: tree, joints -> here -> rig (levels of articulation). */
#ifndef OSSAI_SKELETON_BONE_LEVELS_H
#define OSSAI_SKELETON_BONE_LEVELS_H

#include "skeleton/tree.h"

/* Fills last_level (B): the coarsest of `levels` levels that still has the bone, 0 the finest,
   which has all. Each level has about half of the bones of the one before, and no others; the root
   is in all of them. What goes first is what is missed least: ends that reach least far, and joints
   in a chain with another close above them. mirrored (B, or NULL): partners go together. Errors:
   OSSA_ERROR_MEMORY.  Cost: bones squared. */
ossa_status ossai_bone_levels(ossai_arena *scratch, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail,
	const uint32_t *mirrored, size_t levels, uint8_t *last_level);

#endif
