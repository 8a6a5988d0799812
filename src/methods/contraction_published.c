/* methods/contraction_published.c: the stages of M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support, as printed.

   Input: the mesh as it stands.
   Output: a joint at every control point of the contracted mesh; weights by distance over the surface from these points.
   Departures: those of contraction/ and curve/tree.h. */
#include "curve/center.h"
#include "curve/tree.h"
#include "methods/contraction.h"
#include "weights/geodesic_weights.h"

/* the paper contracts the mesh that it is given */
ossa_status ossai_contraction_published_proxy(ossai_contraction *c)
{
	return ossai_contraction_make_proxy(c, c->own.proxy == OSSA_PROXY_AUTO ? OSSA_PROXY_NONE : c->own.proxy);
}

/* edges collapse until the control points are left, each moved to the center of the loops that it stands for */
ossa_status ossai_contraction_published_curve(ossai_contraction *c)
{
	OSSAI_TRY(ossai_contraction_collapse(c, c->own.bones > 0 ? (size_t)c->own.bones : (size_t)OSSAI_PUBLISHED_POINTS));
	return c->own.center ? ossai_curve_center_by_loops(c->still.arena, &c->proxy, &c->curve) : OSSA_OK;
}

/* loops are cut, and the node of the largest volume is the root */
ossa_status ossai_contraction_published_tree(ossai_contraction *c)
{
	OSSAI_TRY(ossai_curve_cut_loops(c->still.arena, &c->curve));
	c->root = ossai_curve_root(&c->curve);
	ossai_still_warn_of_cuts(&c->still, &c->curve);
	return OSSA_OK;
}

void ossai_contraction_warn_of_points(const ossai_contraction *c, size_t wanted, size_t made)
{
	if (made < wanted) {
		ossai_warn(c->still.context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: the mesh, of %zu vertices, leaves no more points when it has contracted to a "
			"curve; "
			"divide its faces, or take `refine 1`",
			wanted, made, c->still.surface.vertex_count);
	} else if (made > wanted) {
		ossai_warn(c->still.context, "more-bones", (int64_t)(made - wanted),
			"%zu bones were wanted and %zu made: each piece of the mesh that is not linked to others leaves a point at least",
			wanted, made);
	}
}

ossa_status ossai_contraction_published_bones(ossai_contraction *c, size_t bones)
{
	ossai_arena *arena = c->still.arena;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = bones;
	options.symmetry = OSSA_SYMMETRY_OFF;
	options.control_points = true;
	OSSAI_TRY(ossai_curve_bones_place(arena, &c->proxy, &c->curve, c->root, &c->mirror, &options, &c->bones));
	return ossai_cut_sides_find(arena, &c->curve, &c->bones, &c->sides);
}

ossa_status ossai_contraction_published_skeleton(ossai_contraction *c)
{
	const size_t wanted = (size_t)c->own.bones;
	OSSAI_TRY(ossai_contraction_published_tree(c));
	OSSAI_TRY(ossai_contraction_published_bones(c, wanted));
	if (wanted > 0) ossai_contraction_warn_of_points(c, wanted, c->bones.tree.bone_count);
	return OSSA_OK;
}

/* control points in place of bones, each reached from the vertex nearest to it */
static ossa_status weigh_points(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	const size_t bones = c->bones.tree.bone_count;
	ossai_segment *list = ossai_arena_new(still->arena, bones, sizeof *list);
	if (!list) return ossa_context_error(still->context)->status;
	ossai_posed_surface skin;
	OSSAI_TRY(ossai_still_skin_make(still, &c->proxy, &skin));
	for (uint32_t b = 0; b < bones; b++) {
		const ossai_vec3 at = ossai_still_to_skin(&skin, c->bones.joint[b]);
		list[b] = (ossai_segment){b, at, at};
	}
	const ossai_bone_segments points = {bones, bones, list};
	const ossai_geodesic_options options = {
		.influences = (size_t)c->own.influences, .power = c->own.power, .points = true, .local = c->own.local};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_geodesic_weights(still->arena, &skin, &points, &options, &found));
	return ossai_still_carry(still, &c->proxy, &skin, &found, options.influences, &c->weights);
}

ossa_status ossai_contraction_published_weights(ossai_contraction *c)
{
	const ossa_weights_kind kind = c->own.weights;
	return kind == OSSA_WEIGHTS_AUTO || kind == OSSA_WEIGHTS_GEODESIC ? weigh_points(c) : ossai_contraction_weigh(c, kind);
}
