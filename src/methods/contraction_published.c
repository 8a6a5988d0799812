/* methods/contraction_published.c: the stages of M. Madaras, Extraction of skinning data by mesh
   contraction with Collada 1.5 support, as printed.

   Input: the mesh as it is.
   Output: a joint at each control point of the contracted mesh; weights by distance over the
   surface from these points.
   Departures: docs/contraction.md lists them with their effects. */
#include "curve/center.h"
#include "curve/tree.h"
#include "methods/contraction_warnings.h"
#include "skeleton/from_curve/node_bones.h"
#include "weights/geodesic_weights.h"

#include <string.h>

/* section 3: the graph of the mesh as it is, its pieces joined, then short edges removed */
ossa_status ossai_contraction_published_proxy(ossai_contraction *c)
{
	const ossa_proxy_kind kind = c->own.proxy == OSSA_PROXY_AUTO ? OSSA_PROXY_NONE : c->own.proxy;
	const double split = c->own.split > 0 ? c->own.split / 100 * c->still.surface.diagonal : c->own.split;
	OSSAI_TRY(ossai_contraction_make_proxy(c, kind, 0));
	OSSAI_TRY(ossai_proxy_split(c->still.arena, split, &c->still.proxy, &c->split));
	if (c->still.proxy.face_count == 0) {
		return ossai_fail(c->still.context, OSSA_ERROR_INPUT, NULL,
			"every face has an edge shorter than `split-distance`, %g %% of the diagonal: none would be left", c->own.split);
	}
	ossai_contraction_warn_of_surface(c);
	return OSSA_OK;
}

/* section 4 */
ossa_status ossai_contraction_published_contract(ossai_contraction *c)
{
	ossai_contraction_options options = ossai_contraction_default();
	options.as_printed = true;
	OSSAI_TRY(ossai_contraction_contract(c, &options));
	ossai_contraction_warn_of_end(c);
	return OSSA_OK;
}

/* before they move */
static ossa_status keep_points(ossai_contraction *c)
{
	const ossai_curve *curve = &c->still.curve;
	c->point = ossai_arena_new(c->still.arena, curve->node_count, sizeof *c->point);
	if (!c->point) return ossa_context_error(c->still.context)->status;
	if (curve->node_count > 0) memcpy(c->point, curve->node, curve->node_count * sizeof *c->point);
	return OSSA_OK;
}

/* section 5: edges collapse until only the control points are left; each is moved to the center of
   its patch, loops are cut, and the node with the patch of largest volume is the root */
ossa_status ossai_contraction_published_curve(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	ossai_collapse_options options = ossai_collapse_default();
	options.nodes = c->own.bones > 0 ? (size_t)c->own.bones : (size_t)OSSAI_PUBLISHED_POINTS;
	options.as_printed = true;
	OSSAI_TRY(ossai_contraction_collapse(c, &options));
	if (c->keeps_states) OSSAI_TRY(keep_points(c));
	if (c->own.center) OSSAI_TRY(ossai_curve_center_by_patches(still->arena, &still->proxy, &still->curve));
	OSSAI_TRY(ossai_curve_cut_loops(still->arena, &still->curve));
	still->root = ossai_curve_root(&still->curve);
	ossai_contraction_warn_of_loops(c);
	return OSSA_OK;
}

void ossai_contraction_warn_of_points(const ossai_contraction *c, size_t wanted, size_t made)
{
	if (made < wanted) {
		ossai_warn(c->still.context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: the mesh, of %zu vertices, has no more points left when it has contracted to "
			"a "
			"curve; divide its faces, or use `refine 1`",
			wanted, made, c->still.surface.vertex_count);
	} else if (made > wanted) {
		ossai_warn(c->still.context, "more-bones", (int64_t)(made - wanted),
			"%zu bones were wanted and %zu made: each piece of the mesh that is not linked to others has at least one point",
			wanted, made);
	}
}

ossa_status ossai_contraction_published_bones(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	OSSAI_TRY(ossai_curve_bones_of_nodes(still->arena, &still->proxy, &still->curve, still->root, &c->bones));
	return ossai_cut_sides_find(still->arena, &still->curve, &c->bones, &still->sides);
}

ossa_status ossai_contraction_published_skeleton(ossai_contraction *c)
{
	const size_t wanted = (size_t)c->own.bones;
	OSSAI_TRY(ossai_contraction_published_bones(c));
	if (wanted > 0) ossai_contraction_warn_of_points(c, wanted, c->bones.tree.bone_count);
	return OSSA_OK;
}

/* section 6.1: distances are those from the control points, each through the vertex nearest to
   it */
static ossa_status weigh_by_points(ossai_contraction *c)
{
	ossai_still_work *still = &c->still;
	const size_t bones = c->bones.tree.bone_count;
	ossai_segment *list = ossai_arena_new(still->arena, bones, sizeof *list);
	if (!list) return ossa_context_error(still->context)->status;
	ossai_posed_surface skin;
	OSSAI_TRY(ossai_still_skin_make(still, &skin));
	for (uint32_t b = 0; b < bones; b++) {
		const ossai_vec3 at = ossai_still_to_skin(&skin, c->bones.joint[b]);
		list[b] = (ossai_segment){b, at, at};
	}
	const ossai_bone_segments points = {bones, bones, list};
	const ossai_geodesic_options options = {.influences = (size_t)c->own.influences,
		.power = c->own.power,
		.points = true,
		.join_count = still->proxy.link_count,
		.joins = still->proxy.links};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_geodesic_weights(still->arena, &skin, &points, &options, &found));
	return ossai_still_carry(still, &skin, &found, options.influences, &c->weights);
}

ossa_status ossai_contraction_published_weights(ossai_contraction *c)
{
	const ossa_weights_kind kind = c->own.weights;
	return kind == OSSA_WEIGHTS_AUTO || kind == OSSA_WEIGHTS_GEODESIC ? weigh_by_points(c) : ossai_contraction_weigh(c, kind);
}
