/* methods/contraction.h: the work and the stages of the method of contraction.

   Used by: contraction.c (the outlines), contraction_published.c and contraction_refined.c (the
   stages), contraction_options.c, and pieces/ where pieces are rigged separately. */
#ifndef OSSAI_METHODS_CONTRACTION_H
#define OSSAI_METHODS_CONTRACTION_H

#include "contraction/collapse.h"
#include "methods/still.h"
#include "proxy/proxy_split.h"
#include "skeleton/from_curve/curve_bones.h"

#include <ossa/contraction.h>

/* The number of control points in the paper's examples. */
enum { OSSAI_PUBLISHED_POINTS = 24 };

/* What the stages pass on; each member is labelled with the stage that fills it. */
typedef struct ossai_contraction {
	ossai_still_work still;
	ossa_contraction_options own;
	ossai_split split;           /* proxy, published */
	ossai_contracted contracted; /* contraction */
	/* curve, published, where states are kept: control points before they move to centers */
	ossai_vec3 *point;
	/* curve, refined: points of the curve, and those outside the surface */
	size_t point_count, outside;
	ossai_curve_bones bones; /* skeleton */
	/* of several: what is said about the number of bones is said for all of them */
	bool is_piece;
	bool keeps_states; /* record what each step of the contraction leaves */
	/* skeleton, refined: bones that the shape suggests, whatever its number of vertices */
	size_t suggested;
	ossai_bone_weights weights; /* weights */
} ossai_contraction;

typedef ossa_status ossai_contraction_stage(ossai_contraction *contraction);

/* An outline: the stages after `prepare`, up to the rig. */
typedef ossa_status ossai_contraction_outline(ossai_contraction *contraction, ossa_rig **rig);

/* Checks the options in `own`, and fills what the stages begin with. Warns of options without
   effect ("unused-options"). Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_contraction_begin(ossa_context *context, const ossa_mesh *mesh, ossai_contraction *contraction);

/* ---- contraction_published.c: the stages of M. Madaras ---- */

/* The mesh as it is, or the proxy that was asked for. */
ossa_status ossai_contraction_published_proxy(ossai_contraction *contraction);

/* Contracts it with W_L and W_H as printed. */
ossa_status ossai_contraction_published_contract(ossai_contraction *contraction);

/* The curve of control points: collapsed, centered, without loops, with its root. */
ossa_status ossai_contraction_published_curve(ossai_contraction *contraction);

/* A joint at each control point. */
ossa_status ossai_contraction_published_bones(ossai_contraction *contraction);

/* The same, with a warning where their number is not the one wanted. */
ossa_status ossai_contraction_published_skeleton(ossai_contraction *contraction);

/* By distance from the control points, or as asked for. */
ossa_status ossai_contraction_published_weights(ossai_contraction *contraction);

/* Warns where contraction leaves more or fewer points than were wanted ("more-bones",
   "fewer-bones"). */
void ossai_contraction_warn_of_points(const ossai_contraction *contraction, size_t wanted, size_t made);

/* ---- contraction_refined.c: our stages ---- */

/* An isotropic one. */
ossa_status ossai_contraction_refined_proxy(ossai_contraction *contraction);

/* Contracts the proxy, the same at any resolution, and measures its clearance, plane of symmetry
   and tips. */
ossa_status ossai_contraction_refined_contract(ossai_contraction *contraction);

/* The curve: collapsed, centered, cleaned. */
ossa_status ossai_contraction_refined_curve(ossai_contraction *contraction);

/* Joints on the curve: `bones` of them; 0: as many as the shape suggests. May be called again with
   another number. */
ossa_status ossai_contraction_refined_bones(ossai_contraction *contraction, size_t bones);

/* The same without warnings of another number: other pieces may have bones that this one cannot. */
ossa_status ossai_contraction_refined_bones_quietly(ossai_contraction *contraction, size_t bones);

/* As many joints as are wanted, or as the shape suggests. */
ossa_status ossai_contraction_refined_skeleton(ossai_contraction *contraction);

/* By heat, or as asked for; no vertex follows two limbs. */
ossa_status ossai_contraction_refined_weights(ossai_contraction *contraction);

/* ---- contraction.c: what both outlines use ---- */

/* The proxy of a kind. Links shorter than `split`, in % of the diagonal, are left out. */
ossa_status ossai_contraction_make_proxy(ossai_contraction *contraction, ossa_proxy_kind kind, double split);

/* Contracts the proxy. Into `options` go those of the method. */
ossa_status ossai_contraction_contract(ossai_contraction *contraction, ossai_contraction_options *options);

/* Collapses the edges of the contracted proxy to a curve. Into `options` go those of the method. */
ossa_status ossai_contraction_collapse(ossai_contraction *contraction, ossai_collapse_options *options);

/* Weights by heat, distance or coverage over the proxy. */
ossa_status ossai_contraction_weigh(ossai_contraction *contraction, ossa_weights_kind kind);

/* ---- pieces/contraction_pieces.c ---- */

/* The outlines for a mesh whose pieces are rigged separately. */
ossai_contraction_outline ossai_contraction_pieces_published;
ossai_contraction_outline ossai_contraction_pieces_refined;

#endif
