/* methods/contraction_warnings.c: see contraction_warnings.h. Steps are those of M. Madaras,
   Extraction of skinning data by mesh contraction with Collada 1.5 support. */
#include "methods/contraction_warnings.h"

void ossai_contraction_warn_of_options(ossa_context *context, const ossa_contraction_options *o)
{
	const bool is_own = o->proxy == OSSA_PROXY_AUTO || o->proxy == OSSA_PROXY_NONE;
	const bool by_distance = o->weights == OSSA_WEIGHTS_AUTO || o->weights == OSSA_WEIGHTS_GEODESIC;
	const char *of_mesh = is_own ? NULL : "a proxy in place of the mesh (3)";
	const char *of_pieces = o->pieces == OSSA_PIECES_SEPARATE ? "a graph for each piece in place of one (3.1)" : NULL;
	const char *of_flow = o->flow == OSSA_FLOW_IMPLICIT ? "a step that is not the least-squares solution of (2)" : NULL;
	const char *of_growth = o->growth == 1 ? "W_L does not grow (4.1.1)" : NULL;
	const char *of_center = o->center ? NULL : "control points that do not move to the center of their area (5)";
	const char *of_weights = by_distance ? NULL : "weights by something else than distance (6.1)";
	const char *of_power = by_distance && o->power != 1 ? "weights by a power of the distance (6.1)" : NULL;
	const char *said[] = {of_mesh, of_pieces, of_flow, of_growth, of_center, of_weights, of_power};
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		if (!said[i]) continue;
		ossai_warn(context, "paper-options", 1, "`refine 0` is the paper's procedure, but the options are not the paper's: %s",
			said[i]);
	}
}

static void warn_of_split(const ossai_contraction *c)
{
	const ossai_split *split = &c->split;
	if (c->own.split < 0 && split->distance == 0 && split->cycles > 0) {
		ossai_warn(c->still.context, "paper-split", (int64_t)split->cycles,
			"the paper has no formula for the splitting distance (3.1): here it is the least that leaves no loop and every "
			"vertex an edge, and no distance does that to the %zu loop%s of this mesh; no edge is removed",
			split->cycles, split->cycles == 1 ? "" : "s");
	}
	if (split->torn == 0) return;
	ossai_warn(c->still.context, "paper-split", (int64_t)split->left,
		"%zu vertices have no edge that is as long as the splitting distance (3.1), so they are in no graph: they get the "
		"weights that are nearest; and %zu loop%s left",
		split->torn, split->left, split->left == 1 ? " is" : "s are");
}

void ossai_contraction_warn_of_surface(const ossai_contraction *c)
{
	ossa_context *context = c->still.context;
	const ossai_proxy *proxy = &c->still.proxy;
	if (proxy->link_count > 0) {
		ossai_warn(context, "paper-pieces", (int64_t)proxy->unlinked_count,
			"%u pieces are joined by %zu edge%s (3.1), to which the paper's operator (1) gives no weight, because they have no "
			"opposite angle: each gets the weight 2, where an edge between equilateral triangles has 1.15",
			proxy->unlinked_count, proxy->link_count, proxy->link_count == 1 ? "" : "s");
	}
	warn_of_split(c);
	if (proxy->is_closed || c->split.count > 0) return;
	ossai_warn(context, "paper-surface", 1,
		"the paper takes closed meshes with the connectivity of a manifold (9), and this one is open or has edges of more than "
		"two faces: an edge gets the cotangents that there are (1), the volume (4.1.1) is that of a tube that shrinks as the "
		"area does, and the root (5) is found from cones over the patches");
}

void ossai_contraction_warn_of_end(const ossai_contraction *c)
{
	const ossai_contracted *k = &c->contracted;
	if (k->end == OSSAI_CONTRACTION_DONE) return;
	const bool grew = k->end == OSSAI_CONTRACTION_GUARD;
	ossai_warn(c->still.context, "paper-contraction", 1,
		"the paper contracts until the volume is close to zero (4.1.1); after %d step%s, at %.2g of it, %s: `pull`, `growth` "
		"and `volume` are to be set by hand",
		k->steps, k->steps == 1 ? "" : "s", k->volume_share,
		grew ? "the next one would make the surface larger and is left out" : "all steps are used");
}

void ossai_contraction_warn_of_loops(const ossai_contraction *c)
{
	const ossai_posed_surface *s = &c->still.surface;
	const ossai_curve *curve = &c->still.curve;
	if (curve->cut_count == 0) return;
	const ossai_vec3 at = ossai_madd(s->rest_center, s->scale, curve->cuts[0].center);
	ossai_warn(c->still.context, "paper-loops", (int64_t)curve->cut_count,
		"the graph of the %zu control points has %zu edge%s too many for a tree, of loops of the shape or of faces that are "
		"left (5.1), and the paper does not say which: they are cut where the patches are thinnest, the first near (%.4g, "
		"%.4g, %.4g)",
		curve->node_count, curve->cut_count, curve->cut_count == 1 ? "" : "s", at.x, at.y, at.z);
}
