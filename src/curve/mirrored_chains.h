/* curve/mirrored_chains.h: which chains of a tree are the mirror images of which.

   Place in the path: below curve/tips, curve/prune and skeleton/from_curve/curve_chains. */
#ifndef OSSAI_CURVE_MIRRORED_CHAINS_H
#define OSSAI_CURVE_MIRRORED_CHAINS_H

#include "proxy/mirror.h"

/* A chain of a tree that has been given a root: the way from where its parent ends to a branching or an end. */
typedef struct ossai_branch {
	uint32_t parent; /* before it in the list; OSSA_NONE: begins at the root */
	bool is_leaf;
	ossai_vec3 tip; /* where it ends */
} ossai_branch;

typedef struct ossai_branch_image {
	uint32_t chain; /* on the other side, itself in the middle, OSSA_NONE */
	bool is_turned; /* the image begins where this one ends */
} ossai_branch_image;

/* Ends whose mirrored tips are near, and each other's nearest, are a pair; a chain that parts the ends in two is the image of the one that
   parts their partners so. `root`: the place of the root where it is an end, too, else NULL: then no image is turned.
   Errors: OSSA_ERROR_MEMORY.  Cost: C log C. */
ossa_status ossai_mirrored_chains(ossai_arena *arena, const ossai_mirror *mirror, const ossai_vec3 *root, size_t count,
	const ossai_branch *branch, ossai_branch_image *image);

#endif
