/* edit/tree_edits.h: edits of the tree and of joints, one call each: what an edit says -> a plan ->
   the state.

   `bone`, `other` are bones of the state's rig. All may fail with OSSA_ERROR_ARGUMENT saying what
   would be right, or OSSA_ERROR_MEMORY; the state must then not be used any more. */
#ifndef OSSAI_EDIT_TREE_EDITS_H
#define OSSAI_EDIT_TREE_EDITS_H

#include "edit/state.h"

ossa_status ossai_edit_add(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3], const char *name);
ossa_status ossai_edit_split(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, double share, const char *name);
ossa_status ossai_edit_remove(ossai_arena *arena, ossai_edit_state *state, uint32_t bone);
ossa_status ossai_edit_merge(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t other);
ossa_status ossai_edit_move(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3]);
ossa_status ossai_edit_tail(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, const double point[3]);
ossa_status ossai_edit_connect(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t parent);
ossa_status ossai_edit_root(ossai_arena *arena, ossai_edit_state *state, uint32_t bone);

ossa_status ossai_edit_mirror(ossai_arena *arena, ossai_edit_state *state, uint32_t bone);

/* Whether `bone` is `above` or one of its descendants. */
static inline bool ossai_edit_is_descendant(const ossa_skeleton *skeleton, uint32_t bone, uint32_t above)
{
	for (int32_t up = (int32_t)bone; up >= 0; up = skeleton->bones[up].parent) {
		if ((uint32_t)up == above) return true;
	}
	return false;
}

/* The length below which a bone of this rig is degenerate. */
double ossai_edit_no_length(const ossai_edit_state *state);

/* Merges two bones into one that keeps the name and identity of `bone`, adjacent or not. */
ossa_status ossai_edit_make_one(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t other);

/* A free name similar to `like`: thigh_L -> thigh_02_L, with `word` in it (NULL: none):
   hand_branch_L. */
void ossai_new_bone_name(const ossa_skeleton *skeleton, const char *like, const char *word, char name[64]);

#endif
