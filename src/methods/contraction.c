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
#include "methods/still.h"
#include "rig/assemble.h"
#include "skeleton/cut_sides.h"
#include "skeleton/limb_weights.h"
#include "weights/geodesic_weights.h"

#include <string.h>

enum { PIECES_LINK, PIECES_SEPARATE };

/* control points of the paper's examples */
static const size_t published_points = 24;

/* the stages' value, with what only this method has */
typedef struct contraction {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_contraction_options own;
	ossai_proxy proxy;           /* proxy */
	ossai_contracted contracted; /* contract */
	ossai_curve curve;           /* collapse, center */
	ossai_mirror mirror;         /* skeleton */
	ossai_curve_bones bones;
	ossai_cut_sides *sides;     /* of the curve's cuts */
	ossai_bone_weights weights; /* weights */
} contraction;

static bool refines(const contraction *c) { return c->own.refine > 0; }

/* ---- proxy ---- */

static ossa_status make_proxy(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = (ossai_proxy_kind)c->own.proxy;
	options.vertices = (size_t)c->own.proxy_size;
	options.join_distance = c->own.join > 0 ? c->recipe.surface.diagonal * c->own.join / 100 : -1;
	if (c->own.pieces == PIECES_SEPARATE) options.join_distance = 0;
	options.split_distance = c->recipe.surface.diagonal * c->own.split / 100;
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
	if (c->own.merge > 0) options.merge_distance = c->recipe.surface.diagonal * c->own.merge / 100;
	/* the paper's control points are what is left; else joints are chosen on a fine curve */
	if (!refines(c)) options.nodes = c->own.bones > 0 ? (size_t)c->own.bones : published_points;
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

static ossa_status place_bones(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = (size_t)c->own.bones;
	options.symmetry = refines(c) ? (ossai_symmetry)c->own.symmetry : OSSAI_SYMMETRY_OFF;
	options.control_points = !refines(c);
	OSSAI_TRY(ossai_curve_cut_loops(r->arena, &c->curve));
	ossai_still_warn_of_cuts(r, &c->curve);
	if (options.symmetry != OSSAI_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(r->arena, &c->proxy, &c->mirror));
	if (refines(c)) OSSAI_TRY(ossai_curve_prune(r->arena, c->own.spurs, &c->mirror, &c->curve));
	uint32_t root = ossai_curve_root(&c->curve);
	if (refines(c)) OSSAI_TRY(ossai_curve_middle(r->arena, &c->curve, &root));
	OSSAI_TRY(ossai_curve_bones_place(r->arena, &c->proxy, &c->curve, root, &c->mirror, &options, &c->bones));
	OSSAI_TRY(ossai_cut_sides_find(r->arena, &c->curve, &c->bones, &c->sides));
	r->tree = c->bones.tree;
	r->joint = c->bones.joint;
	return OSSA_OK;
}

/* ---- weights ---- */

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

static bool is_published(const contraction *c)
{
	return !refines(c) && (c->own.weights == OSSA_WEIGHTS_AUTO || c->own.weights == OSSA_WEIGHTS_GEODESIC);
}

/* as published: control points in place of bones, each reached from the vertex nearest to it */
static ossa_status weigh_points(contraction *c)
{
	ossai_recipe *r = &c->recipe;
	const size_t bones = c->bones.tree.bone_count;
	ossai_segment *list = ossai_arena_new(r->arena, bones, sizeof *list);
	if (!list) return ossa_context_error(r->context)->status;
	ossai_posed_surface skin;
	OSSAI_TRY(ossai_still_skin_make(r, &c->proxy, &skin));
	for (uint32_t b = 0; b < bones; b++) {
		const ossai_vec3 at = ossai_still_to_skin(&skin, c->bones.joint[b]);
		list[b] = (ossai_segment){b, at, at};
	}
	const ossai_bone_segments points = {bones, bones, list};
	const ossai_geodesic_options options = {
		.influences = (size_t)c->own.influences, .power = c->own.power, .points = true, .local = c->own.local};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_geodesic_weights(r->arena, &skin, &points, &options, &found));
	return ossai_still_carry(r, &c->proxy, &skin, &found, options.influences, &c->weights);
}

static ossa_status weigh(ossai_recipe *r)
{
	contraction *c = (contraction *)r;
	if (is_published(c)) return weigh_points(c);
	const ossai_rest_weights_options options = weights_options(c);
	const ossai_rest_bones bones = {&c->bones.tree, c->bones.joint, c->bones.tail, NULL};
	OSSAI_TRY(ossai_still_weigh(r, &c->proxy, &bones, &options, &c->weights));
	if (!refines(c)) return OSSA_OK;
	return ossai_limb_weights_part(r->context, &c->bones.tree, c->curve.cut_count, c->sides, &c->weights);
}

/* ---- the rig ---- */

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
	OSSAI_TRY(ossai_still_keep_cuts(r, &c->curve, &c->bones.tree, c->sides, *rig));
	if (refines(c) && c->own.bones == 0) OSSAI_TRY(ossai_still_drop_idle(r, rig));
	OSSAI_TRY(ossai_recipe_tell_idle(r, *rig));
	return ossai_recipe_tell_outside(r, *rig);
}

static ossa_status run(ossai_recipe *r, ossa_rig **rig)
{
	OSSAI_TRY(ossai_recipe_run(r, "prepare", ossai_still_prepare));
	OSSAI_TRY(ossai_recipe_run(r, "proxy", make_proxy));
	OSSAI_TRY(ossai_recipe_run(r, "contraction", contract));
	OSSAI_TRY(ossai_recipe_run(r, "curve", collapse));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", place_bones));
	OSSAI_TRY(ossai_recipe_run(r, "weights", weigh));
	return assemble((contraction *)r, rig);
}

/* ---- options ---- */

static void warn_unused(ossa_context *context, const contraction *c)
{
	static const char *const in_paper = "the paper has none of it: --refine 0";
	const ossa_contraction_options *o = &c->own, usual = ossa_contraction_default();
	const bool by_distance = weights_options(c).kind == OSSAI_REST_WEIGHTS_GEODESIC;
	const ossai_unused options[] = {{"spurs", !refines(c) && o->spurs != usual.spurs, in_paper},
		{"symmetry", !refines(c) && o->symmetry == OSSAI_SYMMETRY_ENFORCE, in_paper},
		{"join-distance", o->pieces == PIECES_SEPARATE && o->join > 0, "--pieces separate joins none"},
		{"power", o->power != usual.power && !by_distance, OSSAI_UNUSED_POWER}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

/* ---- the whole ---- */

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 10}, {"proxy", 30}, {"contraction", 30}, {"curve", 10}, {"skeleton", 5}, {"weights", 15}};

ossa_status ossa_rig_from_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_rig **rig)
{
	contraction work = {.own = options ? *options : ossa_contraction_default()};
	*rig = NULL;
	OSSAI_TRY(ossa_options_check(context, ossa_contraction_option_table(), &work.own));
	OSSAI_TRY(ossai_still_check_weights(context, "contraction", work.own.weights));
	warn_unused(context, &work);
	work.recipe = (ossai_recipe){.context = context,
		.method = "contraction",
		.mesh = mesh,
		.options = {.link_pieces = work.own.pieces == PIECES_LINK, .influences = work.own.influences}};
	return ossai_recipe_make(&work.recipe, plan, sizeof plan / sizeof plan[0], run, rig);
}
