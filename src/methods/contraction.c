/* methods/contraction.c: a rig from one mesh without motion, by contracting it.

   In: a mesh.  Out: a rig without a clip.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support: make the mesh one graph, contract it (O. K.-C. Au and
   others, Skeleton Extraction by Mesh Contraction, 2008), collapse it to control points, move them to the centers of what they stand for, root
   the tree, weigh by distance over the surface. With `refine` 0 that is all. What goes past it: an even stand-in is contracted, so that
   neither resolution nor faults of the mesh show; joints lie where limbs begin, bend and end, alike on both sides; heat weighs. */
#include <ossa/contraction.h>

#include "contraction/collapse.h"
#include "curve/center.h"
#include "curve/tree.h"
#include "methods/recipe.h"
#include "rig/assemble.h"
#include "skeleton/cut_sides.h"
#include "skeleton/limb_weights.h"
#include "weights/geodesic_weights.h"
#include "weights/transfer.h"

#include <string.h>

enum { PIECES_LINK, PIECES_SEPARATE };

/* of the diagonal: places are told to one of so many parts */
static const double place_steps = 1 << 24;

/* the stages' value, with what only this method has */
typedef struct contraction {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_contraction_options own;
	ossai_proxy proxy;           /* proxy */
	ossai_contracted contracted; /* contract */
	ossai_curve curve;           /* collapse, center */
	ossai_mirror mirror;         /* skeleton */
	ossai_curve_bones bones;
	ossai_cut_sides *sides;   /* of the curve's cuts */
	ossai_posed_surface skin; /* weights: the proxy as a surface, in its own units */
	ossai_bone_weights weights;
} contraction;

static bool refines(const contraction *c) { return c->own.refine > 0; }

/* ---- proxy ---- */

/* The rest shape on a scale of its own. What moving and scaling a mesh leaves of differences, in the last digits of doubles, could turn
   one of many choices between edges and with it the curve: places are rounded to what floats tell. */
static ossa_status prepare(ossai_recipe *r)
{
	ossai_posed_surface *s = &r->surface;
	OSSAI_TRY(ossai_posed_surface_make(r->context, r->arena, r->mesh, NULL, r->options.link_pieces, s));
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->rest[i] = nearbyint(s->rest[i] * place_steps) / place_steps;
	return OSSA_OK;
}

static ossa_status make_proxy(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = (ossai_proxy_kind)c->own.proxy;
	options.vertices = (size_t)c->own.proxy_size;
	options.join_distance = c->own.join > 0 ? c->own.join / 100 : -1;
	if (c->own.pieces == PIECES_SEPARATE) options.join_distance = 0;
	options.split_distance = c->own.split / 100;
	/* the paper contracts the mesh that it is given */
	if (!refines(c) && options.kind == OSSAI_PROXY_AUTO) options.kind = OSSAI_PROXY_NONE;
	return ossai_proxy_make(r->arena, &r->surface, &options, &c->proxy);
}

/* ---- contraction ---- */

static ossa_status contract(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_contraction_options options = ossai_contraction_default();
	options.flow = (ossai_contraction_flow)c->own.flow;
	options.contraction = c->own.pull;
	options.growth = c->own.growth;
	options.attraction = c->own.attraction;
	options.volume = c->own.volume;
	options.steps = c->own.steps;
	return ossai_contract(r->arena, &c->proxy, &options, &c->contracted);
}

/* ---- curve ---- */

static ossa_status collapse(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_collapse_options options = ossai_collapse_default();
	options.shape = c->own.shape;
	options.sampling = c->own.sampling;
	if (c->own.merge > 0) options.merge_distance = c->own.merge / 100;
	/* the paper's control points are what is left; else joints are chosen on a fine curve */
	if (!refines(c)) options.nodes = (size_t)c->own.bones;
	OSSAI_TRY(ossai_collapse(r->arena, &c->proxy, &c->contracted, &options, &c->curve));
	if (!c->own.center) return OSSA_OK;
	if (!refines(c)) return ossai_curve_center_by_loops(r->arena, &c->proxy, &c->curve);
	size_t outside = 0;
	OSSAI_TRY(ossai_curve_center(r->arena, &c->proxy, &c->curve, &outside));
	if (outside > 0) {
		ossai_warn(r->context, "curve-outside", (int64_t)outside,
			"%zu of %zu points of the curve skeleton lie outside the surface: it is open or thinner there than can be told",
			outside, c->curve.node_count);
	}
	return OSSA_OK;
}

/* ---- skeleton ---- */

static void warn_of_cuts(const contraction *c)
{
	const ossai_curve *curve = &c->curve;
	if (curve->cut_count == 0) return;
	const ossai_posed_surface *s = &c->recipe.surface;
	const ossai_vec3 at = ossai_madd(s->rest_center, s->scale, curve->cuts[0].center);
	ossai_warn(c->recipe.context, "loop-cut", (int64_t)curve->cut_count,
		"%zu loops of the shape were cut to make a tree of bones, the first near (%.4g, %.4g, %.4g)", curve->cut_count, at.x,
		at.y, at.z);
}

static ossa_status place_bones(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = (size_t)c->own.bones;
	options.symmetry = refines(c) ? (ossai_symmetry)c->own.symmetry : OSSAI_SYMMETRY_OFF;
	options.control_points = !refines(c);
	OSSAI_TRY(ossai_curve_cut_loops(r->arena, &c->curve));
	warn_of_cuts(c);
	if (refines(c)) OSSAI_TRY(ossai_curve_prune(r->arena, c->own.spurs, &c->curve));
	if (options.symmetry != OSSAI_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(r->arena, &c->proxy, &c->mirror));
	uint32_t root = ossai_curve_root(&c->curve);
	if (refines(c)) OSSAI_TRY(ossai_curve_middle(r->arena, &c->curve, &root));
	OSSAI_TRY(ossai_curve_bones_place(r->arena, &c->proxy, &c->curve, root, &c->mirror, &options, &c->bones));
	OSSAI_TRY(ossai_cut_sides_find(r->arena, &c->curve, &c->bones, &c->sides));
	r->tree = c->bones.tree;
	r->joint = c->bones.joint;
	return OSSA_OK;
}

/* ---- weights ---- */

/* the proxy as a surface of its own */
static ossa_status make_skin(contraction *c)
{
	ossai_recipe *r = &c->recipe;
	ossai_arena scratch = ossai_arena_begin(r->context);
	ossa_mesh *mesh = NULL;
	float *positions = ossai_arena_new(&scratch, c->proxy.vertex_count, 3 * sizeof *positions);
	ossa_status status = positions ? OSSA_OK : ossa_context_error(r->context)->status;
	for (size_t i = 0; positions && i < 3 * c->proxy.vertex_count; i++) positions[i] = (float)c->proxy.positions[i];
	if (status == OSSA_OK) {
		status = ossa_mesh_create(r->context, c->proxy.vertex_count, positions, c->proxy.face_count, c->proxy.triangles, &mesh);
	}
	if (status == OSSA_OK) status = ossai_posed_surface_make(r->context, r->arena, mesh, NULL, true, &c->skin);
	/* the faces outlive the mesh; where floats made vertices one the skin has its own */
	if (status == OSSA_OK && !c->skin.first_of_vertex) c->skin.triangles = c->proxy.triangles;
	ossa_mesh_free(r->context, mesh);
	ossai_arena_end(&scratch);
	return status;
}

static ossai_rest_weights_options weights_options(const contraction *c)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	const ossa_weights_kind automatic = refines(c) ? OSSA_WEIGHTS_HEAT : OSSA_WEIGHTS_GEODESIC;
	options.kind = ossai_recipe_rest_kind(c->own.weights == OSSA_WEIGHTS_AUTO ? automatic : (ossa_weights_kind)c->own.weights);
	options.influences = (size_t)c->own.influences;
	options.power = c->own.power;
	options.local = c->own.local;
	return options;
}

static ossai_vec3 to_skin(const contraction *c, ossai_vec3 p)
{
	return ossai_scale(ossai_sub(p, c->skin.rest_center), 1 / c->skin.scale);
}

static bool is_published(const contraction *c)
{
	return !refines(c) && (c->own.weights == OSSA_WEIGHTS_AUTO || c->own.weights == OSSA_WEIGHTS_GEODESIC);
}

/* as published: control points in place of bones, each reached from the vertex nearest to it */
static ossa_status weigh_points(contraction *c, const ossai_vec3 *joint, ossai_bone_weights *found)
{
	ossai_recipe *r = &c->recipe;
	const size_t bones = c->bones.tree.bone_count;
	ossai_segment *list = ossai_arena_new(r->arena, bones, sizeof *list);
	if (!list) return ossa_context_error(r->context)->status;
	for (uint32_t b = 0; b < bones; b++) list[b] = (ossai_segment){b, joint[b], joint[b]};
	const ossai_bone_segments points = {bones, bones, list};
	const ossai_geodesic_options options = {
		.influences = (size_t)c->own.influences, .power = c->own.power, .points = true, .local = c->own.local};
	return ossai_geodesic_weights(r->arena, &c->skin, &points, &options, found);
}

/* Weights are found on the proxy, whatever the mesh is like, and carried over to it. */
static ossa_status weigh(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	const size_t bones = c->bones.tree.bone_count;
	const ossai_rest_weights_options options = weights_options(c);
	ossai_vec3 *joint = ossai_arena_new(r->arena, bones, sizeof *joint);
	ossai_vec3 *tail = ossai_arena_new(r->arena, bones, sizeof *tail);
	if (!joint || !tail) return ossa_context_error(r->context)->status;
	OSSAI_TRY(make_skin(c));
	for (size_t b = 0; b < bones; b++) {
		joint[b] = to_skin(c, c->bones.joint[b]);
		tail[b] = to_skin(c, c->bones.tail[b]);
	}
	const ossai_rest_bones rest = {&c->bones.tree, joint, tail, NULL};
	ossai_bone_weights found;
	if (is_published(c)) OSSAI_TRY(weigh_points(c, joint, &found));
	else OSSAI_TRY(ossai_rest_weights(r->arena, &c->skin, &rest, NULL, &options, &found));
	ossai_bone_weights_spread(c->skin.first_of_vertex, &found);
	OSSAI_TRY(ossai_bone_weights_new(r->arena, r->surface.vertex_count, bones, options.influences, &c->weights));
	OSSAI_TRY(ossai_weights_transfer(r->context, &c->proxy, &found, &r->surface, &c->weights));
	if (!refines(c)) return OSSA_OK;
	return ossai_limb_weights_part(r->context, &c->bones.tree, c->curve.cut_count, c->sides, &c->weights);
}

/* ---- the rig ---- */

/* the rig has the bones in the tree's order */
static int32_t place_of(const ossai_tree *tree, uint32_t bone)
{
	int32_t place = 0;
	while (tree->order[place] != bone) place++;
	return place;
}

static ossa_status keep_cuts(const contraction *c, ossa_rig *rig)
{
	const ossai_curve *curve = &c->curve;
	const ossai_posed_surface *s = &c->recipe.surface;
	if (curve->cut_count == 0) return OSSA_OK;
	rig->loops = ossai_new(c->recipe.context, curve->cut_count, sizeof *rig->loops);
	if (!rig->loops) return ossa_context_error(c->recipe.context)->status;
	rig->loop_count = curve->cut_count;
	for (size_t i = 0; i < curve->cut_count; i++) {
		ossai_v3_store(ossai_madd(s->rest_center, s->scale, curve->cuts[i].center), rig->loops[i].center);
		for (int side = 0; side < 2; side++) rig->loops[i].bones[side] = place_of(&c->bones.tree, c->sides[i].bones[side]);
	}
	return OSSA_OK;
}

static ossa_status assemble(contraction *c, ossa_rig **rig)
{
	ossai_recipe *r = &c->recipe;
	const ossai_findings findings = {.method = "contraction",
		.mesh = r->mesh,
		.surface = &r->surface,
		.tree = &r->tree,
		.joint = r->joint,
		.tail = c->bones.tail,
		.weights = &c->weights,
		.influences = c->own.influences};
	OSSAI_TRY(ossai_rig_assemble(r->context, &findings, rig));
	OSSAI_TRY(ossai_recipe_tell_idle(r, *rig));
	OSSAI_TRY(ossai_recipe_tell_outside(r, *rig));
	return keep_cuts(c, *rig);
}

static ossa_status run(ossai_recipe *r, ossa_rig **rig)
{
	OSSAI_TRY(ossai_recipe_run(r, "prepare", prepare));
	OSSAI_TRY(ossai_recipe_run(r, "proxy", make_proxy));
	OSSAI_TRY(ossai_recipe_run(r, "contraction", contract));
	OSSAI_TRY(ossai_recipe_run(r, "curve", collapse));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", place_bones));
	OSSAI_TRY(ossai_recipe_run(r, "weights", weigh));
	return assemble((contraction *)r, rig);
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 10}, {"proxy", 30}, {"contraction", 30}, {"curve", 10}, {"skeleton", 5}, {"weights", 15}};

ossa_status ossa_rig_from_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_rig **rig)
{
	contraction work = {.own = options ? *options : ossa_contraction_default()};
	*rig = NULL;
	OSSAI_TRY(ossa_options_check(context, ossa_contraction_option_table(), &work.own));
	if (work.own.weights == OSSA_WEIGHTS_LEAST_SQUARES) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"weights by least squares are fitted to motion, and the method contraction looks at none: take heat, geodesic or "
			"coverage");
	}
	work.recipe = (ossai_recipe){.context = context,
		.method = "contraction",
		.mesh = mesh,
		.options = {.link_pieces = work.own.pieces == PIECES_LINK, .influences = work.own.influences}};
	return ossai_recipe_make(&work.recipe, plan, sizeof plan / sizeof plan[0], run, rig);
}
