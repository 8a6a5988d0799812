/* skeleton/bone_levels.h: levels of articulation: which bones are redundant in a coarser skeleton.

   Place in the path: tree, joints -> here -> rig (levels of articulation).
   Input: a tree, joints.
   Output: the coarsest level of each bone. */
#ifndef OSSAI_SKELETON_BONE_LEVELS_H
#define OSSAI_SKELETON_BONE_LEVELS_H

#include "math/vec.h"
#include "skeleton/tree.h"

/* Fills last_level (B): the coarsest of `levels` levels that still has the bone, 0 the finest,
   which has all. Each level has about half of the bones of the one before, and no others; the root
   is in all of them. The bones of least cost are removed first: leaves of small extent, and joints
   in a chain with another close above them. mirrored (B, or NULL): pairs are removed together.
   Errors: OSSA_ERROR_MEMORY.  Cost: bones squared. */
ossa_status ossai_bone_levels(ossai_arena *scratch, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail,
	const uint32_t *mirrored, size_t levels, uint8_t *last_level);

#endif
