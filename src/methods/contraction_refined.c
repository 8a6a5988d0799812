/* methods/contraction_refined.c: the stages of the method of contraction where they depart from the
   paper.

   Input: a mesh of any resolution, with any faults.
   Output: joints on a curve, a chain for each limb; weights by heat.
   Departures from M. Madaras: an isotropic proxy is contracted, so that the result depends neither
   on the resolution nor on faults of the mesh; the curve keeps all nodes, is centered by clearance
   and cleaned (curve/clean.h); joints lie where limbs begin, bend and end, and are symmetric;
   weights are found by heat. */
#include "curve/center.h"
#include "methods/contraction.h"

/* Vertices of the mesh for each bone, at least, where no number of bones is given: a bone that
   moves one vertex alone bends nothing. */
enum { VERTICES_OF_BONE = 2 };

/* ---- proxy ---- */

ossa_status ossai_contraction_refined_proxy(ossai_contraction *c)
{
	return ossai_contraction_make_proxy(c, c->own.proxy, fmax(c->own.split, 0));
}

/* ---- contraction ---- */

static ossa_status measure(ossai_still_work *still, const void *arg)
{
	const ossa_contraction_options *own = arg;
	return ossai_still_measure(still, own->symmetry, own->spurs / 100);
}

/* what is measured on the proxy needs nothing of its contraction */
ossa_status ossai_contraction_refined_contract(ossai_contraction *c)
{
	ossai_contraction_options options = ossai_contraction_default();
	ossai_still_beside beside;
	OSSAI_TRY(ossai_still_beside_begin(&c->still, measure, &c->own, &beside));
	return ossai_still_beside_end(&beside, ossai_contraction_contract(c, &options), &c->still);
}

/* ---- curve ---- */

/* by clearance, inside of the surface */
static ossa_status center(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	c->point_count = still->curve.node_count;
	return ossai_curve_center(still->arena, &still->proxy, &still->clearance, &still->curve, &c->outside);
}

/* all nodes that the collapse leaves: joints are chosen among them later */
ossa_status ossai_contraction_refined_curve(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	ossai_collapse_options options = ossai_collapse_default();
	OSSAI_TRY(ossai_contraction_collapse(c, &options));
	if (c->own.center) OSSAI_TRY(center(c));
	OSSAI_TRY(ossai_still_clean(still, c->own.spurs / 100, false));
	if (still->curve.cut_count > 0) ossai_still_warn_of_cuts(still, still->curve.cuts[0].center);
	return OSSA_OK;
}

/* ---- skeleton ---- */

static ossa_status place_joints(ossai_contraction *c, size_t bones)
{
	ossai_still_work *still = &c->still;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = bones;
	options.symmetry = c->own.symmetry;
	options.landmarks = c->is_piece ? NULL : &c->own.landmarks;
	OSSAI_TRY(ossai_still_place_bones(still, NULL, c->own.body, &options, &c->bones));
	return ossai_cut_sides_find(still->arena, &still->curve, &c->bones, &still->sides);
}

/* A rig of one bone depends on no curve. */
static void warn_of_outside(const ossai_contraction *c)
{
	if (c->outside == 0 || c->bones.tree.bone_count < 2) return;
	ossai_warn(c->still.context, "curve-outside", (int64_t)c->outside,
		"%zu of %zu points of the curve skeleton lie outside the surface: it is open there, or too thin", c->outside,
		c->point_count);
}

/* as many bones as the shape suggests; where there are more than `most`, what was warned of them is
   taken back */
static ossa_status place_suggested(ossai_contraction *c, size_t most)
{
	ossa_context *context = c->still.context;
	ossai_warnings *before = ossai_warnings_save(context);
	if (!before) return ossa_context_error(context)->status;
	const ossa_status status = place_joints(c, 0);
	if (status == OSSA_OK && c->bones.tree.bone_count > most) ossai_warnings_restore(context, before);
	ossa_free(context, before);
	return status;
}

ossa_status ossai_contraction_refined_bones(ossai_contraction *c, size_t bones)
{
	const size_t vertices = c->still.surface.vertex_count, most = vertices / VERTICES_OF_BONE;
	if (bones == 0 && most > 0) OSSAI_TRY(place_suggested(c, most));
	else OSSAI_TRY(place_joints(c, bones));
	warn_of_outside(c);
	if (bones > 0) return OSSA_OK;
	const size_t suggested = c->suggested = c->bones.tree.bone_count;
	if (suggested <= most || most == 0) return OSSA_OK;
	OSSAI_TRY(ossai_contraction_refined_bones_quietly(c, most));
	const size_t made = c->bones.tree.bone_count;
	if (made == suggested || c->is_piece) return OSSA_OK;
	ossai_warn(c->still.context, "fewer-bones", (int64_t)(suggested - made),
		"the shape suggests %zu bones, and %zu %s made: the mesh has only %zu vertices", suggested, made,
		made == 1 ? "is" : "are", vertices);
	return OSSA_OK;
}

ossa_status ossai_contraction_refined_bones_quietly(ossai_contraction *c, size_t bones)
{
	ossai_warnings *before = ossai_warnings_save(c->still.context);
	if (!before) return ossa_context_error(c->still.context)->status;
	const ossa_status status = ossai_contraction_refined_bones(c, bones);
	ossai_warnings_restore(c->still.context, before);
	ossa_free(c->still.context, before);
	return status;
}

ossa_status ossai_contraction_refined_skeleton(ossai_contraction *c)
{
	return ossai_contraction_refined_bones(c, ossai_still_bone_count(&c->still, (size_t)c->own.bones));
}

/* ---- weights ---- */

ossa_status ossai_contraction_refined_weights(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	OSSAI_TRY(ossai_contraction_weigh(c, c->own.weights == OSSA_WEIGHTS_AUTO ? OSSA_WEIGHTS_HEAT : c->own.weights));
	return ossai_still_weigh_pieces(still, c->own.rigid_pieces, &c->bones.tree, c->bones.role, &c->weights);
}
