/* edit/mirror_edit.h: mirrors a limb to the other side of the shape.

   Place in the path: part of the editor, split in three: mirror_plane.c which plane, mirror_edit.c
   the bones, mirror_weights.c the skin. */
#ifndef OSSAI_EDIT_MIRROR_EDIT_H
#define OSSAI_EDIT_MIRROR_EDIT_H

#include "edit/state.h"
#include "proxy/mirror.h"

/* The shape's plane of symmetry, in the mesh's units; else the one between bones whose
   names say left and right. Errors: OSSA_ERROR_ARGUMENT where there is neither. */
ossa_status ossai_edit_plane(ossai_arena *arena, const ossai_edit_state *state, ossai_mirror *plane);

/* The name of the other side (thigh_L -> thigh_R, in upper or lower case, after _ or -); false
   where the name has no side. */
bool ossai_other_side(const char *name, char other[OSSA_EDIT_NAME_SIZE]);

/* The way to the modelled pose (ossa_bone.modelled) of a bone's mirror image. */
void ossai_mirror_modelled(const ossai_mirror *plane, double modelled[7]);

/* A bone and its mirror image, by the state's new rig; the weights are of the old bones. */
typedef struct ossai_mirrored_bone {
	uint32_t from;  /* before */
	uint32_t image; /* after */
} ossai_mirrored_bone;

/* Gives the mirrored bones, in `state`, the weights of the vertices opposite to those of their
   bones. `before`: the old weights, `replaced` (of those bones) whose weights are free, `now`: the
   new index of each of those bones. Vertices that are left without a bone go to `heir` (now). */
ossa_status ossai_mirror_weights(ossai_arena *arena, const ossai_mirror *plane, const ossa_weights *before,
	size_t mirrored_count, const ossai_mirrored_bone *images, const uint8_t *replaced, const uint32_t *now, uint32_t heir,
	ossai_edit_state *state);

#endif
