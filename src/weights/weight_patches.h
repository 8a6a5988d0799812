/* weights/weight_patches.h: the patches of the surface that each bone's weights cover.

   Place in the path: bone weights -> here -> influence_maps, locality.
   Input: weights.
   Output: connected components of each bone's support. */
#ifndef OSSAI_WEIGHTS_WEIGHT_PATCHES_H
#define OSSAI_WEIGHTS_WEIGHT_PATCHES_H

#include "weights/bone_weights.h"

/* A connected component of the vertices that a bone influences. */
typedef struct ossai_weight_patch {
	uint32_t bone, piece;
	double mass; /* sum of weights */
	double peak; /* largest weight */
	uint32_t id;
} ossai_weight_patch;

typedef struct ossai_weight_patches {
	size_t count, capacity;
	ossai_weight_patch *list; /* the context's: ossa_free */
	uint32_t *of_slot;        /* V x width: the patch of each pair; OSSA_NONE: of a bone left out */
	uint8_t *is_fixed;        /* V: had a bone when the ring began (locality.c) */
} ossai_weight_patches;

/* The pair of the vertex and bone, an index into V x width; SIZE_MAX where there is none. */
static inline size_t ossai_weight_slot(const ossai_bone_weights *weights, size_t vertex, uint32_t bone)
{
	for (size_t i = 0; i < weights->count[vertex]; i++) {
		if (weights->bone[vertex * weights->width + i] == bone) return vertex * weights->width + i;
	}
	return SIZE_MAX;
}

/* Arrays for patches of weights of that width. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_weight_patches_new(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t width, ossai_weight_patches *patches);

/* Finds those of the bones that `open` marks (B, or NULL: all); `list` is kept for the next time.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_weight_patches_find(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, ossai_weight_patches *patches);

#endif
