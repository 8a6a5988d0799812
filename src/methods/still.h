/* methods/still.h: what the methods for one mesh share: the work that their stages pass on, and
   stages from the proxy to the rig.

   Place in the path: proxy, curve, rest_weights -> here -> contraction, volume. */
#ifndef OSSAI_METHODS_STILL_H
#define OSSAI_METHODS_STILL_H

#include "body/recognize.h"
#include "curve/tips.h"
#include "methods/pieces/props.h"
#include "methods/pipeline.h"
#include "methods/rig_warnings.h"
#include "proxy/proxy.h"
#include "query/clearance.h"
#include "skeleton/from_curve/cut_sides.h"
#include "skeleton/from_curve/curve_bones.h"
#include "skeleton/rest_weights.h"

/* The size of a mesh in spreads (root mean square distances from the centroid): the median ratio of
   the diagonal of the box to the spread over the creatures of docs/results.md, so that the size is
   about the diagonal. Of a sphere and of a thin rod the ratio is 3.46. */
#define OSSAI_SIZE_OF_SPREAD 4.36

/* The first member of the work of each method for one mesh; its own members are labelled with the
   stage that fills them. */
typedef struct ossai_still_work {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	ossai_posed_surface surface; /* prepare: its shape alone */
	ossai_proxy proxy;           /* proxy */
	ossai_clearance clearance;   /* proxy, refined: of the proxy, as are mirror and tips */
	ossai_mirror mirror;         /* proxy, refined */
	ossai_tips tips;             /* proxy, refined */
	ossai_curve curve;           /* curve */
	uint32_t root;               /* curve: a node of it */
	const ossai_props *props;    /* props, refined: NULL where there are none */
	ossa_body body;              /* skeleton: in the axes of the mesh */
	ossai_cut_sides *sides;      /* skeleton: which bones meet at the cuts of the curve */
	/* of the rig's bones: it moves a sheet, which has no inside; or NULL */
	const uint8_t *is_flat;
	/* bone 0 is the parent of several skeletons; it moves no vertex and may lie outside */
	bool has_common_root;
} ossai_still_work;

/* The surface that has the shape of the body: all of it but props. */
static inline const ossai_posed_surface *ossai_still_shape(const ossai_still_work *work)
{
	return work->props ? &work->props->shape : &work->surface;
}

/* Fills `surface` with the rest shape. Its lengths are shares of its size: 4.36 times its spread,
   which is about the diagonal. */
ossa_status ossai_still_prepare(ossai_still_work *work);

/* Refuses weights that are fitted to motion. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_still_check_weights(ossa_context *context, const char *method, int weights);

/* Why an option --power has no effect. */
#define OSSAI_UNUSED_POWER "only weights by distance have a power: `weights geodesic`"

/* Whether it is asked for props: it has several pieces, and a body that nobody has marked or given
   a number of bones. */
bool ossai_still_may_have_props(const ossai_still_work *work, ossa_body_kind kind, int bones, const ossa_landmarks *landmarks);

/* Leaves props out of the shape: the surface gets the lengths of the shape without them. Warning
   "props". */
void ossai_still_leave_out(ossai_still_work *work, const ossai_props *props);

/* ---- proxy ---- */

/* Measures the proxy: its clearance, its plane of symmetry unless that is switched off, and the
   tips of its limbs. least: the persistence of a limb's tip, in the lengths of the surface.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_still_measure(ossai_still_work *work, ossa_symmetry_kind symmetry, double least);

/* ---- beside ---- */

/* A stage about the proxy, or the stage that makes it. */
typedef ossa_status ossai_still_stage(ossai_still_work *work, const void *arg);

/* Runs such a stage beside what the caller does, which needs none of its results. */
typedef struct ossai_still_beside {
	ossai_task *task;
	ossai_still_work own; /* the caller's as it was at the begin */
	ossai_arena arena;
	ossai_still_stage *stage;
	const void *arg;
} ossai_still_beside;

/* `beside` and what `arg` points to stay where they are until the end. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_still_beside_begin(
	const ossai_still_work *work, ossai_still_stage *stage, const void *arg, ossai_still_beside *beside);
/* Gives `work` the proxy, its clearance, plane of symmetry and tips. status: what the caller's own
   stages were; where they failed, the other one is stopped. Returns the first that failed. */
ossa_status ossai_still_beside_end(ossai_still_beside *beside, ossa_status status, ossai_still_work *work);

/* ---- curve ---- */

/* Cleans the curve and finds its root (curve/clean.h). least: as of ossai_still_measure.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_still_clean(ossai_still_work *work, double least, bool ends_are_deep);

/* Warns of loops of the curve that were cut ("loop-cut"). first: the center of the first cut, in
   the axes of the mesh and the lengths of the surface. */
void ossai_still_warn_of_cuts(const ossai_still_work *work, ossai_vec3 first);

/* ---- skeleton ---- */

/* Whether the shape has limbs or loops. */
bool ossai_still_has_limbs(const ossai_still_work *work);

/* Makes a figure of the curve and finds out which body it is: none where it has no limbs. axes,
   kind: as below. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_recognize(
	ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind, ossai_figure *figure, ossai_body *body);

/* Recognizes the body (`body` of the work), and places its joints, or where it is none, joints on
   the curve (skeleton/from_curve/). axes: turns the axes of the mesh into those of the surface;
   NULL: they are the same. kind: the body that it has to be, or AUTO; a wanted number of bones is
   met by joints on the curve. Warnings "body-doubtful", "front-doubtful". Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT (it is no such body). */
ossa_status ossai_still_place_bones(ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones);

/* The number of bones to make: `wanted`, or where that is 0 and the shape has neither limbs nor
   loops, one (warning "no-limbs"). 0: as many as the shape suggests. */
size_t ossai_still_bone_count(const ossai_still_work *work, size_t wanted);

/* ---- weights ---- */

/* The proxy as a posed surface, in units of its own. Arrays are the work's arena's. */
ossa_status ossai_still_skin_make(ossai_still_work *work, ossai_posed_surface *skin);

/* From the units of the work's surface to those of the skin. */
static inline ossai_vec3 ossai_still_to_skin(const ossai_posed_surface *skin, ossai_vec3 p)
{
	return ossai_scale(ossai_sub(p, skin->rest_center), 1 / skin->scale);
}

/* Transfers the weights `found` on the skin of the proxy to the surface, as `weights`. */
ossa_status ossai_still_carry(ossai_still_work *work, const ossai_posed_surface *skin, ossai_bone_weights *found,
	size_t influences, ossai_bone_weights *weights);

/* Weights of the surface by heat, distance or coverage, found on the proxy. Joints and tails are in
   the units of the surface. */
ossa_status ossai_still_weigh(ossai_still_work *work, const ossai_rest_bones *bones, const ossai_rest_weights_options *options,
	ossai_bone_weights *weights);

/* No vertex follows two limbs (skeleton/from_curve/limb_weights.h), and with `rigid` each piece
   that is likely to be rigid follows one bone (weights/rigid_pieces.h); a prop does so in any case.
   role: by bone; NULL: there is no body.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_weigh_pieces(
	ossai_still_work *work, bool rigid, const ossai_tree *tree, const ossa_role *role, ossai_bone_weights *weights);

/* Each prop, if there are any, follows one bone. */
ossa_status ossai_still_weigh_props(ossai_still_work *work, const ossa_role *role, ossai_bone_weights *weights);

/* ---- rig ---- */

/* Removes bones that move no vertex and have fewer than two children (warning "fewer-bones"), and
   names the others again: for callers that did not ask for a number of bones, as a coarse mesh has
   fewer vertices than its shape has bones. A bone stays where its mirror image does. mirrored: the
   image of each bone of the tree, or NULL. order: receives the bone of the tree that each bone of
   the rig is, or NULL. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_drop_idle(
	ossai_still_work *work, const ossai_tree *tree, const uint32_t *mirrored, uint32_t *order, ossa_rig **rig);

/* Warns of bones that move no vertex ("idle-bones") and of joints outside of the mesh
   ("joints-outside"). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_warn_of_bones(const ossai_still_work *work, const ossa_rig *rig);

/* Appends the cuts of the curve to the rig's loops, each with the bones on its two sides. tree: the
   rig's; first: the bone of it that is the first of the curve's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_keep_cuts(const ossai_still_work *work, const ossai_tree *tree, uint32_t first, ossa_rig *rig);

#endif
