/* methods/contraction.h: the method of contraction, for the files that it is written in and for pieces that are rigged apart.

   Used by: contraction.c (the recipe), contraction_published.c and contraction_refined.c (its stages), contraction_options.c, pieces. */
#ifndef OSSAI_METHODS_CONTRACTION_H
#define OSSAI_METHODS_CONTRACTION_H

#include "contraction/collapse.h"
#include "methods/still.h"
#include "query/clearance.h"
#include "skeleton/from_curve/curve_bones.h"

#include <ossa/contraction.h>

/* control points of the paper's examples */
enum { OSSAI_PUBLISHED_POINTS = 24 };

/* What the stages hand to each other. */
typedef struct ossai_contraction {
	ossai_still_work still;
	ossa_contraction_options own;
	ossai_proxy proxy;           /* proxy */
	ossai_contracted contracted; /* contraction */
	ossai_curve curve;           /* curve, skeleton */
	ossai_clearance clearance;   /* curve, refined: of the proxy */
	size_t point_count, outside; /* curve, refined: points of the curve, and those outside of the surface */
	ossai_mirror mirror;         /* skeleton, refined */
	ossai_tips tips;             /* skeleton, refined */
	uint32_t root;               /* skeleton: a node of the curve */
	ossai_curve_bones bones;     /* skeleton */
	ossai_cut_sides *sides;      /* skeleton: of the curve's cuts */
	bool is_piece;               /* of several: bones that it has too few vertices for are counted over all pieces */
	size_t told;                 /* skeleton, refined: how many bones the shape tells, however few vertices there are */
	ossai_bone_weights weights;  /* weights */
} ossai_contraction;

typedef ossa_status ossai_contraction_stage(ossai_contraction *contraction);

/* Fills what the stages begin with; own options are set.
   Errors: OSSA_ERROR_ARGUMENT (options out of range, or against each other). Warns of what is given and has no part ("unused-options"). */
ossa_status ossai_contraction_begin(ossa_context *context, const ossa_mesh *mesh, ossai_contraction *contraction);

/* ---- contraction_published.c: each stage as M. Madaras prints it ---- */

ossa_status ossai_contraction_published_proxy(ossai_contraction *contraction);
ossa_status ossai_contraction_published_curve(ossai_contraction *contraction);
ossa_status ossai_contraction_published_tree(ossai_contraction *contraction);

/* A joint at every control point; `bones`: as many as there should be, or 0. */
ossa_status ossai_contraction_published_bones(ossai_contraction *contraction, size_t bones);

/* The tree, and a joint at every control point. Warns where not as many were made as were wanted. */
ossa_status ossai_contraction_published_skeleton(ossai_contraction *contraction);
ossa_status ossai_contraction_published_weights(ossai_contraction *contraction);

/* Warns where contraction has not left as many points as were wanted ("fewer-bones", "more-bones"). */
void ossai_contraction_warn_of_points(const ossai_contraction *contraction, size_t wanted, size_t made);

/* ---- contraction_refined.c: what goes past it ---- */

ossa_status ossai_contraction_refined_proxy(ossai_contraction *contraction);
ossa_status ossai_contraction_refined_curve(ossai_contraction *contraction);

/* The curve becomes a tree without spurious branches: loops are cut, the plane of symmetry and the root are found. */
ossa_status ossai_contraction_refined_tree(ossai_contraction *contraction);

/* Joints on that tree: `bones` of them, 0: as many as the shape tells. May be called again with another number. */
ossa_status ossai_contraction_refined_bones(ossai_contraction *contraction, size_t bones);

/* The same without a warning where it cannot be exactly as many: what cannot be had here may be had elsewhere. */
ossa_status ossai_contraction_refined_bones_quietly(ossai_contraction *contraction, size_t bones);

/* The tree, and joints on it. */
ossa_status ossai_contraction_refined_skeleton(ossai_contraction *contraction);
ossa_status ossai_contraction_refined_weights(ossai_contraction *contraction);

/* ---- both ---- */

/* The proxy of a kind. */
ossa_status ossai_contraction_make_proxy(ossai_contraction *contraction, ossa_proxy_kind kind);

/* The proxy, contracted. */
ossa_status ossai_contraction_contract(ossai_contraction *contraction);

/* The curve that is left when its edges are collapsed; `nodes`: until so many are left, or 0. */
ossa_status ossai_contraction_collapse(ossai_contraction *contraction, size_t nodes);

/* Weights by heat, distance or coverage over the proxy. */
ossa_status ossai_contraction_weigh(ossai_contraction *contraction, ossa_weights_kind kind);

/* All of it for a mesh of several pieces, each for itself; after `prepare` of the whole. */
ossa_status ossai_contraction_pieces_published(ossai_contraction *whole, ossa_rig **rig);
ossa_status ossai_contraction_pieces_refined(ossai_contraction *whole, ossa_rig **rig);

#endif
