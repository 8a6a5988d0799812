/* methods/contraction.c: a rig from one mesh without motion, by contracting it.

   In: a mesh.  Out: a rig without a clip.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support: make the mesh one graph, contract it (O. K.-C. Au and
   others, Skeleton Extraction by Mesh Contraction, 2008), collapse it to control points, move them to the centers of what they stand for, root
   the tree, weigh by distance over the surface. With `refine` 0 that is all. What goes past it: an even stand-in is contracted, so that
   neither resolution nor faults of the mesh show; joints lie where limbs begin, bend and end, alike on both sides; heat weighs. */
#include "methods/contraction.h"

#include "curve/center.h"
#include "curve/clean.h"
#include "curve/tree.h"
#include "rig/assemble.h"
#include "skeleton/from_curve/cut_sides.h"
#include "skeleton/from_curve/limb_weights.h"
#include "weights/geodesic_weights.h"

#include <string.h>

/* ---- proxy ---- */

ossa_status ossai_contraction_proxy(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = c->own.proxy;
	options.vertices = (size_t)c->own.proxy_size;
	options.join_distance = c->own.join > 0 ? c->recipe.surface.diagonal * c->own.join / 100 : -1;
	options.split_distance = c->recipe.surface.diagonal * c->own.split / 100;
	/* the paper contracts the mesh that it is given */
	if (!ossai_contraction_refines(c) && options.kind == OSSA_PROXY_AUTO) options.kind = OSSA_PROXY_NONE;
	return ossai_proxy_make(r->arena, &r->surface, &options, &c->proxy);
}

/* ---- contraction ---- */

ossa_status ossai_contraction_contract(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	ossai_contraction_options options = ossai_contraction_default();
	options.flow = c->own.flow;
	options.contraction = c->own.pull;
	options.growth = c->own.growth;
	options.attraction = c->own.attraction;
	options.volume = c->own.volume;
	options.steps = c->own.steps;
	return ossai_contract(r->arena, &c->proxy, &options, &c->contracted);
}

/* ---- curve ---- */

ossa_status ossai_contraction_collapse(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	ossai_collapse_options options = ossai_collapse_default();
	options.shape = c->own.shape;
	options.sampling = c->own.sampling;
	if (c->own.merge > 0) options.merge_distance = c->recipe.surface.diagonal * c->own.merge / 100;
	/* the paper's control points are what is left; else joints are chosen on a fine curve */
	if (!ossai_contraction_refines(c)) options.nodes = c->own.bones > 0 ? (size_t)c->own.bones : (size_t)OSSAI_PUBLISHED_POINTS;
	OSSAI_TRY(ossai_collapse(r->arena, &c->proxy, &c->contracted, &options, &c->curve));
	if (!ossai_contraction_refines(c)) {
		return c->own.center ? ossai_curve_center_by_loops(r->arena, &c->proxy, &c->curve) : OSSA_OK;
	}
	size_t outside = 0;
	const ossai_mesh_view mesh = ossai_proxy_view(&c->proxy);
	OSSAI_TRY(ossai_clearance_make(r->arena, &mesh, true, &c->room));
	if (!c->own.center) return OSSA_OK;
	OSSAI_TRY(ossai_curve_center(r->arena, &c->proxy, &c->room, &c->curve, &outside));
	if (outside > 0) {
		ossai_warn(r->context, "curve-outside", (int64_t)outside,
			"%zu of %zu points of the curve skeleton lie outside the surface: it is open or thinner there than can be told",
			outside, c->curve.node_count);
	}
	return OSSA_OK;
}

/* ---- skeleton ---- */

static ossa_symmetry_kind symmetry_of(const ossai_contraction *c)
{
	return ossai_contraction_refines(c) ? c->own.symmetry : OSSA_SYMMETRY_OFF;
}

/* loops are cut, and the node of the largest volume is the root */
static ossa_status take_published_tree(ossai_contraction *c)
{
	OSSAI_TRY(ossai_curve_cut_loops(c->recipe.arena, &c->curve));
	c->root = ossai_curve_root(&c->curve);
	return OSSA_OK;
}

static ossa_status clean_curve(ossai_contraction *c)
{
	ossai_arena *arena = c->recipe.arena;
	const double least = c->own.spurs / 100;
	if (symmetry_of(c) != OSSA_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(arena, &c->proxy, &c->mirror));
	OSSAI_TRY(ossai_tips_find(arena, &c->proxy, &c->mirror, least, &c->tips));
	const ossai_clean_shape shape = {&c->room, &c->mirror, &c->tips, least, false};
	return ossai_curve_clean(arena, &shape, &c->curve, &c->root);
}

ossa_status ossai_contraction_tree(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	OSSAI_TRY(ossai_contraction_refines(c) ? clean_curve(c) : take_published_tree(c));
	ossai_still_warn_of_cuts(r, &c->curve);
	return OSSA_OK;
}

/* the paper's control points are what contraction leaves */
void ossai_contraction_warn_of_points(const ossai_contraction *c, size_t wanted, size_t made)
{
	if (made < wanted) {
		ossai_warn(c->recipe.context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: the mesh, of %zu vertices, leaves no more points when it has contracted to a "
			"curve; "
			"divide its faces, or take --refine 1",
			wanted, made, c->recipe.surface.vertex_count);
	} else if (made > wanted) {
		ossai_warn(c->recipe.context, "more-bones", (int64_t)(made - wanted),
			"%zu bones were wanted and %zu made: each piece of the mesh that is not linked to others leaves a point at least",
			wanted, made);
	}
}

/* a bone that moves a vertex alone bends nothing: coarse shapes get no more than one for so many, unless more are asked for */
enum { VERTICES_OF_BONE = 2 };

ossa_status ossai_contraction_place(ossai_contraction *c, size_t bones)
{
	ossai_recipe *r = &c->recipe;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = bones;
	options.symmetry = symmetry_of(c);
	options.control_points = !ossai_contraction_refines(c);
	OSSAI_TRY(ossai_curve_bones_place(r->arena, &c->proxy, &c->curve, c->root, &c->mirror, &options, &c->bones));
	if (!ossai_contraction_refines(c) && bones > 0) ossai_contraction_warn_of_points(c, bones, c->bones.tree.bone_count);
	const size_t told = c->bones.tree.bone_count, most = r->surface.vertex_count / VERTICES_OF_BONE;
	if (bones == 0) c->told = told;
	if (bones == 0 && told > most && most > 0 && ossai_contraction_refines(c)) {
		OSSAI_TRY(ossai_contraction_place_quietly(c, most));
		const size_t made = c->bones.tree.bone_count;
		if (made < told && !c->is_piece) {
			ossai_warn(r->context, "fewer-bones", (int64_t)(told - made),
				"the shape tells of %zu bones, and %zu %s made: it has only %zu vertices", told, made, made == 1 ? "is" : "are",
				r->surface.vertex_count);
		}
		return OSSA_OK;
	}
	OSSAI_TRY(ossai_cut_sides_find(r->arena, &c->curve, &c->bones, &c->sides));
	r->tree = c->bones.tree;
	r->joint = c->bones.joint;
	return OSSA_OK;
}

ossa_status ossai_contraction_place_quietly(ossai_contraction *c, size_t bones)
{
	ossai_warnings *before = ossai_warnings_save(c->recipe.context);
	if (!before) return ossa_context_error(c->recipe.context)->status;
	const ossa_status status = ossai_contraction_place(c, bones);
	ossai_warnings_restore(c->recipe.context, before);
	ossa_free(c->recipe.context, before);
	return status;
}

static ossa_status place_bones(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	OSSAI_TRY(ossai_contraction_tree(r));
	size_t bones = (size_t)c->own.bones;
	if (ossai_contraction_refines(c)) OSSAI_TRY(ossai_still_bone_count(r, &c->tips, &c->curve, bones, &bones));
	return ossai_contraction_place(c, bones);
}

/* ---- weights ---- */

static ossai_rest_weights_options weights_options(const ossai_contraction *c)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	const ossa_weights_kind automatic = ossai_contraction_refines(c) ? OSSA_WEIGHTS_HEAT : OSSA_WEIGHTS_GEODESIC;
	options.kind = ossai_recipe_rest_kind(c->own.weights == OSSA_WEIGHTS_AUTO ? automatic : c->own.weights);
	options.influences = (size_t)c->own.influences;
	options.power = c->own.power;
	options.local = c->own.local;
	return options;
}

static bool is_published(const ossai_contraction *c)
{
	return !ossai_contraction_refines(c) && (c->own.weights == OSSA_WEIGHTS_AUTO || c->own.weights == OSSA_WEIGHTS_GEODESIC);
}

/* as published: control points in place of bones, each reached from the vertex nearest to it */
static ossa_status weigh_points(ossai_contraction *c)
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

ossa_status ossai_contraction_weigh(ossai_recipe *r)
{
	ossai_contraction *c = (ossai_contraction *)r;
	if (is_published(c)) return weigh_points(c);
	const ossai_rest_weights_options options = weights_options(c);
	const ossai_rest_bones bones = {&c->bones.tree, c->bones.joint, c->bones.tail, NULL};
	OSSAI_TRY(ossai_still_weigh(r, &c->proxy, &bones, &options, &c->weights));
	if (!ossai_contraction_refines(c)) return OSSA_OK;
	return ossai_limb_weights_part(r->context, &c->bones.tree, c->curve.cut_count, c->sides, &c->weights);
}

/* ---- the rig ---- */

static ossa_status assemble(ossai_contraction *c, ossa_rig **rig)
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
	OSSAI_TRY(ossai_still_keep_cuts(r, &c->curve, &c->bones.tree, 0, c->sides, *rig));
	if (ossai_contraction_refines(c) && c->own.bones == 0) {
		OSSAI_TRY(ossai_still_drop_idle(r, &c->bones.tree, c->bones.mirrored, NULL, rig));
	}
	OSSAI_TRY(ossai_recipe_tell_idle(r, *rig));
	return ossai_recipe_tell_outside(r, *rig);
}

static ossa_status run(ossai_recipe *r, ossa_rig **rig)
{
	OSSAI_TRY(ossai_recipe_run(r, "prepare", ossai_still_prepare));
	ossai_contraction *c = (ossai_contraction *)r;
	if (c->own.pieces == OSSA_PIECES_SEPARATE && r->surface.piece_count > 1) return ossai_contraction_of_pieces(c, rig);
	OSSAI_TRY(ossai_recipe_run(r, "proxy", ossai_contraction_proxy));
	OSSAI_TRY(ossai_recipe_run(r, "contraction", ossai_contraction_contract));
	OSSAI_TRY(ossai_recipe_run(r, "curve", ossai_contraction_collapse));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", place_bones));
	OSSAI_TRY(ossai_recipe_run(r, "weights", ossai_contraction_weigh));
	return assemble(c, rig);
}

/* ---- options ---- */

static void warn_unused(ossa_context *context, const ossai_contraction *c)
{
	static const char *const in_paper = "the paper has none of it: --refine 0";
	static const char *const only_separate = "pieces are linked: --pieces separate";
	const ossa_contraction_options *o = &c->own, usual = ossa_contraction_default();
	const bool by_distance = weights_options(c).kind == OSSAI_REST_WEIGHTS_GEODESIC;
	const ossai_unused options[] = {{"spurs", !ossai_contraction_refines(c) && o->spurs != usual.spurs, in_paper},
		{"symmetry", !ossai_contraction_refines(c) && o->symmetry == OSSA_SYMMETRY_ENFORCE, in_paper},
		{"join-distance", o->pieces == OSSA_PIECES_SEPARATE && o->join > 0, "--pieces separate joins none"},
		{"rigid-below", o->pieces == OSSA_PIECES_LINK && o->rigid_below != usual.rigid_below, only_separate},
		{"along-below", o->pieces == OSSA_PIECES_LINK && o->along_below != usual.along_below, only_separate},
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
	ossai_contraction work = {.own = options ? *options : ossa_contraction_default()};
	*rig = NULL;
	OSSAI_TRY(ossa_options_check(context, ossa_contraction_option_table(), &work.own));
	OSSAI_TRY(ossai_still_check_weights(context, "contraction", work.own.weights));
	warn_unused(context, &work);
	work.recipe = (ossai_recipe){.context = context,
		.method = "contraction",
		.mesh = mesh,
		.options = {.link_pieces = work.own.pieces == OSSA_PIECES_LINK, .influences = work.own.influences}};
	return ossai_recipe_make(&work.recipe, plan, sizeof plan / sizeof plan[0], run, rig);
}
