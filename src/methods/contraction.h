/* methods/contraction.h: the stages of the contraction of one shape, for contraction.c and for pieces that are rigged apart.

   Place in the path: methods/still -> here -> contraction, contraction_pieces. */
#ifndef OSSAI_METHODS_CONTRACTION_H
#define OSSAI_METHODS_CONTRACTION_H

#include "contraction/collapse.h"
#include "methods/still.h"
#include "skeleton/from_curve/curve_bones.h"
#include "query/clearance.h"

#include <ossa/contraction.h>

/* control points of the paper's examples */
enum { OSSAI_PUBLISHED_POINTS = 24 };

/* the stages' value, with what only this method has */
typedef struct ossai_contraction {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_contraction_options own;
	ossai_proxy proxy;           /* proxy */
	ossai_contracted contracted; /* contract */
	ossai_clearance room;        /* collapse: of the proxy, where the curve is centered */
	ossai_curve curve;           /* collapse, center */
	ossai_mirror mirror;         /* tree */
	ossai_tips tips;             /* tree: refined */
	uint32_t root;               /* tree: a node of the curve */
	ossai_curve_bones bones;     /* skeleton */
	ossai_cut_sides *sides;      /* of the curve's cuts */
	bool is_piece;               /* of several: what it has too few vertices for is told of all */
	size_t told;                 /* skeleton: how many bones the shape tells, however few vertices there are */
	ossai_bone_weights weights;  /* weights */
} ossai_contraction;

static inline bool ossai_contraction_refines(const ossai_contraction *c) { return c->own.refine > 0; }

/* The stages, in their order. A recipe is the first field of an ossai_contraction. */
ossa_status ossai_contraction_proxy(ossai_recipe *recipe);
ossa_status ossai_contraction_contract(ossai_recipe *recipe);
ossa_status ossai_contraction_collapse(ossai_recipe *recipe);

/* The curve becomes a tree without spurs: loops are cut, the plane of symmetry and the root are found. */
ossa_status ossai_contraction_tree(ossai_recipe *recipe);

/* Joints on that tree: `bones` of them, 0: as many as the shape tells. May be called again with another number. */
ossa_status ossai_contraction_place(ossai_contraction *contraction, size_t bones);

/* The same without a warning where it cannot be exactly as many: what cannot be had here may be had elsewhere. */
ossa_status ossai_contraction_place_quietly(ossai_contraction *contraction, size_t bones);

/* Without refinement: warns where not as many were made as were wanted ("fewer-bones", "more-bones"). */
void ossai_contraction_warn_of_points(const ossai_contraction *contraction, size_t wanted, size_t made);

ossa_status ossai_contraction_weigh(ossai_recipe *recipe);

/* All of it for a mesh of several pieces, each for itself; after ossai_still_prepare of the whole. */
ossa_status ossai_contraction_of_pieces(ossai_contraction *whole, ossa_rig **rig);

#endif
