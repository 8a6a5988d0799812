/* methods/contraction_refined.c: the stages of the method of contraction where they go past the paper.

   Input: a mesh of any resolution, with any faults.
   Output: joints on a curve, a chain for every limb; weights by heat.
   Departures from M. Madaras: an isotropic proxy is contracted, so that neither resolution nor faults of the mesh show; the curve stays fine,
   is centered by clearance and cleaned (curve/clean.h); joints lie where limbs begin, bend and end, alike on both sides; heat weighs. */
#include "curve/center.h"
#include "curve/clean.h"
#include "methods/contraction.h"
#include "skeleton/from_curve/limb_weights.h"

/* a bone that moves a vertex alone bends nothing: coarse shapes get no more than one for so many, unless more are asked for */
enum { VERTICES_OF_BONE = 2 };

ossa_status ossai_contraction_refined_proxy(ossai_contraction *c) { return ossai_contraction_make_proxy(c, c->own.proxy); }

/* all that collapsing leaves, for joints to be chosen on, inside of the surface */
ossa_status ossai_contraction_refined_curve(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	const ossai_mesh_view mesh = ossai_proxy_view(&c->proxy);
	OSSAI_TRY(ossai_contraction_collapse(c, 0));
	OSSAI_TRY(ossai_clearance_make(still->arena, &mesh, true, &c->clearance));
	if (!c->own.center) return OSSA_OK;
	c->point_count = c->curve.node_count;
	return ossai_curve_center(still->arena, &c->proxy, &c->clearance, &c->curve, &c->outside);
}

ossa_status ossai_contraction_refined_tree(ossai_contraction *c)
{
	ossai_arena *arena = c->still.arena;
	const double least = c->own.spurs / 100;
	if (c->own.symmetry != OSSA_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(arena, &c->proxy, &c->mirror));
	OSSAI_TRY(ossai_tips_find(arena, &c->proxy, &c->mirror, least, &c->tips));
	const ossai_clean_shape shape = {.clearance = &c->clearance, .mirror = &c->mirror, .tips = &c->tips, .least = least};
	OSSAI_TRY(ossai_curve_clean(arena, &shape, &c->curve, &c->root));
	ossai_still_warn_of_cuts(&c->still, &c->curve);
	return OSSA_OK;
}

static ossa_status place(ossai_contraction *c, size_t bones)
{
	ossai_arena *arena = c->still.arena;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = bones;
	options.symmetry = c->own.symmetry;
	OSSAI_TRY(ossai_curve_bones_place(arena, &c->proxy, &c->curve, c->root, &c->mirror, &options, &c->bones));
	return ossai_cut_sides_find(arena, &c->curve, &c->bones, &c->sides);
}

/* one bone stands for the whole shape, wherever the curve runs */
static void warn_of_outside(const ossai_contraction *c)
{
	if (c->outside == 0 || c->bones.tree.bone_count < 2) return;
	ossai_warn(c->still.context, "curve-outside", (int64_t)c->outside,
		"%zu of %zu points of the curve skeleton lie outside the surface: it is open or thinner there than can be told",
		c->outside, c->point_count);
}

ossa_status ossai_contraction_refined_bones(ossai_contraction *c, size_t bones)
{
	const size_t vertices = c->still.surface.vertex_count, most = vertices / VERTICES_OF_BONE;
	OSSAI_TRY(place(c, bones));
	warn_of_outside(c);
	if (bones > 0) return OSSA_OK;
	const size_t told = c->told = c->bones.tree.bone_count;
	if (told <= most || most == 0) return OSSA_OK;
	OSSAI_TRY(ossai_contraction_refined_bones_quietly(c, most));
	const size_t made = c->bones.tree.bone_count;
	if (made == told || c->is_piece) return OSSA_OK;
	ossai_warn(c->still.context, "fewer-bones", (int64_t)(told - made),
		"the shape tells of %zu bones, and %zu %s made: it has only %zu vertices", told, made, made == 1 ? "is" : "are",
		vertices);
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
	OSSAI_TRY(ossai_contraction_refined_tree(c));
	size_t bones;
	OSSAI_TRY(ossai_still_bone_count(&c->still, &c->proxy, &c->tips, &c->curve, (size_t)c->own.bones, &bones));
	return ossai_contraction_refined_bones(c, bones);
}

ossa_status ossai_contraction_refined_weights(ossai_contraction *c)
{
	OSSAI_TRY(ossai_contraction_weigh(c, c->own.weights == OSSA_WEIGHTS_AUTO ? OSSA_WEIGHTS_HEAT : c->own.weights));
	return ossai_limb_weights_part(c->still.context, &c->bones.tree, c->curve.cut_count, c->sides, &c->weights);
}
