/* skeleton/from_curve/curve_chains.h: the chains of a curve that is a tree, as the points that
   joints are placed on.

   Place in the path: below skeleton/from_curve/curve_bones. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_CHAINS_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_CHAINS_H

#include "curve/curve.h"
#include "proxy/mirror.h"

typedef struct ossai_chain {
	uint32_t parent;       /* the chain at whose end it begins; OSSA_NONE: at the root */
	uint32_t begin, count; /* its points, from the node it begins at to its last */
	/* its last point is the tip of its last node's patch, or that node where it has none */
	bool is_leaf;
	double length;
	uint32_t mirrored; /* the mirror image; itself on the plane of symmetry; OSSA_NONE */
	double volume;     /* of its patches and those of all chains beyond */
	/* of its end in the canonical frame: an order for limbs that are alike in all else */
	double place;
} ossai_chain;

/* Chains come parents first; those from one node in the order of their next nodes. Arrays are the
   arena's. */
typedef struct ossai_chains {
	size_t count;
	ossai_chain *chain;
	uint32_t root;     /* node */
	size_t root_count; /* chains that begin there */
	ossai_vec3 *point; /* of all chains, one after another */
	double *arc;       /* from the chain's beginning */
	double *radius;
	uint32_t *node; /* OSSA_NONE: a tip */
} ossai_chains;

/* Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT (the curve is no tree).  Cost: linear. */
ossa_status ossai_chains_make(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root, ossai_chains *chains);

/* Fills `mirrored`: ends are a pair where the mirror image of each tip is nearest to the other tip;
   chains that lead to mirrored ends are, too. */
ossa_status ossai_chains_match(ossai_arena *arena, const ossai_mirror *mirror, ossai_chains *chains);

/* The point, and the radius (or NULL), at an arc length of a chain. */
ossai_vec3 ossai_chain_at(const ossai_chains *chains, uint32_t chain, double arc, double *radius);

#endif
