/* curve/mirrored_chains.h: pairs of chains of a tree that are mirror images.

   Place in the path: below curve/tips, curve/prune and skeleton/from_curve/curve_chains. */
#ifndef OSSAI_CURVE_MIRRORED_CHAINS_H
#define OSSAI_CURVE_MIRRORED_CHAINS_H

#include "proxy/mirror.h"

/* A chain of a tree that has been given a root: the path from the end of its parent to a junction
   or an end. */
typedef struct ossai_branch {
	uint32_t parent; /* before it in the list; OSSA_NONE: begins at the root */
	bool is_leaf;
	ossai_vec3 tip; /* where it ends */
} ossai_branch;

typedef struct ossai_branch_image {
	uint32_t chain; /* its mirror image, itself on the plane, or OSSA_NONE */
	bool is_turned; /* the mirror image runs in the opposite direction */
} ossai_branch_image;

/* Ends are a pair where each is the nearest to the other's mirror image, within the distance; a
   chain is the mirror image of the one that separates the counterparts of the ends that it
   separates. `root`: the position of the root where it is an end, too, else NULL: then no mirror
   image is reversed.
   Errors: OSSA_ERROR_MEMORY.  Cost: C log C. */
ossa_status ossai_mirrored_chains(ossai_arena *arena, const ossai_mirror *mirror, const ossai_vec3 *root, size_t count,
	const ossai_branch *branch, ossai_branch_image *image);

#endif
