/* methods/still.h: stages that the methods for one mesh share: its shape on a scale of its own, weights found on a proxy, loops.

   Place in the path: proxy, curve, rest_weights -> here -> contraction, volume. */
#ifndef OSSAI_METHODS_STILL_H
#define OSSAI_METHODS_STILL_H

#include "curve/tips.h"
#include "methods/pipeline.h"
#include "methods/rig_tell.h"
#include "proxy/proxy.h"
#include "skeleton/from_curve/cut_sides.h"
#include "skeleton/rest_weights.h"

/* What the work of every method for one mesh begins with. */
typedef struct ossai_still_work {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	bool link_pieces;            /* parts of the shape may grow from one piece of the mesh to a near one */
	ossai_posed_surface surface; /* prepare */
	const uint8_t *is_flat;      /* of the rig's bones, or NULL: what it moves is a sheet without an inside */
	bool has_common_root;        /* bone 0 holds the skeletons of several pieces: it moves no vertex, and need not lie inside */
} ossai_still_work;

/* Fills `surface`: the rest shape; its lengths are shares of its size, 4.36 times its spread, which is about the diagonal. */
ossa_status ossai_still_prepare(ossai_still_work *work);

/* Refuses weights that are fitted to motion. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_still_check_weights(ossa_context *context, const char *method, int weights);

/* Why the power of distances has no part. */
#define OSSAI_UNUSED_POWER "only weights by distance have a power: `weights geodesic`"

/* The proxy as a surface of its own, in its own units. Arrays are the work's arena's. */
ossa_status ossai_still_skin_make(ossai_still_work *work, const ossai_proxy *proxy, ossai_posed_surface *skin);

/* From the units of the work's surface to the skin's. */
static inline ossai_vec3 ossai_still_to_skin(const ossai_posed_surface *skin, ossai_vec3 p)
{
	return ossai_scale(ossai_sub(p, skin->rest_center), 1 / skin->scale);
}

/* Makes `weights` of the work's surface from those `found` on the skin of its proxy. */
ossa_status ossai_still_carry(ossai_still_work *work, const ossai_proxy *proxy, const ossai_posed_surface *skin,
	ossai_bone_weights *found, size_t influences, ossai_bone_weights *weights);

/* Weights by heat or distance on the proxy, whatever the mesh is like, carried over to it. The bones are in the units of the work's surface. */
ossa_status ossai_still_weigh(ossai_still_work *work, const ossai_proxy *proxy, const ossai_rest_bones *bones,
	const ossai_rest_weights_options *options, ossai_bone_weights *weights);

/* Where nobody asked for a number of bones: leaves out those that move no vertex and hold no two others (warning "fewer-bones"), and names
   those that stay anew. Coarse meshes have fewer vertices than their shape would have bones. A bone that is the image of one that stays,
   stays too: `mirrored`, by bone of the tree, or NULL. `order`, or NULL: the bone of the tree that each of the rig's is.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_drop_idle(
	ossai_still_work *work, const ossai_tree *tree, const uint32_t *mirrored, uint32_t *order, ossa_rig **rig);

/* Warns of bones that move no vertex ("idle-bones"), and of joints that the mesh does not enclose ("joints-outside").
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_tell_bones(const ossai_still_work *work, const ossa_rig *rig);

/* How many bones to make: as many as are wanted; where nobody said how many (0) and the shape has no limbs and no loops, one (warning
   "no-limbs"). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_bone_count(const ossai_still_work *work, const ossai_proxy *proxy, const ossai_tips *tips,
	const ossai_curve *curve, size_t wanted, size_t *count);

/* Warns of loops that were cut ("loop-cut"). */
void ossai_still_warn_of_cuts(const ossai_still_work *work, const ossai_curve *curve);

/* Keeps them in the rig, behind those that it has, each with the bones on both its sides; `tree` is the rig's, in which the curve's bones
   begin with number `first`. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_still_keep_cuts(const ossai_still_work *work, const ossai_curve *curve, const ossai_tree *tree,
	uint32_t first, const ossai_cut_sides *sides, ossa_rig *rig);

#endif
