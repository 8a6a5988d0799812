/* methods/examples.c: a rig from example poses.

   In: a rest mesh and poses of the same vertices.  Out: a rig with one keyframe per pose.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: cluster faces by rigid error, solve weights, keep
   them local, span a tree, root it, place joints. With `refine` 0 that is all, but for the hierarchy's rotations, which the
   paper leaves to the animator. What goes beyond it is told in recipe.c. */
#include <ossa/examples.h>

#include "methods/recipe.h"
#include "parts/lloyd.h"
#include "weights/least_squares.h"
#include "weights/locality.h"

/* bones to begin with, for each bone wanted */
static const double first_bones_factor = 2.5;
/* without a number of bones: what one part may add to the RMS of the whole, in % of the diagonal */
static const double default_tolerance = 0.2;
/* the most bones of a rig, also where a tolerance would have more: motion that needs them has no parts */
enum { BONES_MOST = 500 };

/* the stages' value, with what only this method has */
typedef struct examples {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_examples_options options;
} examples;

static const ossa_examples_options *options_of(const ossai_recipe *r) { return &((const examples *)r)->options; }

/* ---- clusters ---- */

/* how many bones to aim at: as asked, but never more than there are faces or the tolerance needs */
static void count_bones(ossai_recipe *r)
{
	const ossa_examples_options *o = options_of(r);
	const double tolerance = o->tolerance > 0 || o->bones > 0 ? o->tolerance : default_tolerance;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, (size_t)o->bones, tolerance / 100);
	r->bones = r->surface.face_count - level;
	if (o->bones == 0 && r->bones > BONES_MOST) {
		ossai_warn(r->context, "too-many-parts", (int64_t)r->bones,
			"the poses would need %zu bones to stay within the tolerance, %d are made: if the poses' vertices are in another "
			"order than "
			"the rest mesh's, no rig can follow them",
			r->bones, (int)BONES_MOST);
		r->bones = BONES_MOST;
	}
	if (o->bones > 0 && r->bones > (size_t)o->bones) {
		ossai_warn(r->context, "more-bones", (int64_t)r->bones - o->bones,
			"%d bones were asked for, but the mesh has %zu pieces that are not linked, and each needs one", o->bones, r->bones);
	}
	if (o->bones > 0 && r->bones < (size_t)o->bones && tolerance == 0) {
		ossai_warn(r->context, "fewer-bones", (int64_t)(size_t)o->bones - (int64_t)r->bones,
			"%d bones were asked for, but the mesh has only %zu faces", o->bones, r->surface.face_count);
	}
}

static ossa_status cluster(ossai_recipe *r)
{
	const size_t faces = r->surface.face_count;
	OSSAI_TRY(ossai_face_clusters_make(r->context, r->arena, &r->surface, &r->merges));
	count_bones(r);
	uint32_t *scratch = ossai_arena_new(r->arena, faces, sizeof *scratch);
	r->part_of_face = ossai_arena_new(r->arena, faces, sizeof *r->part_of_face);
	if (!scratch || !r->part_of_face) return ossa_context_error(r->context)->status;
	const double wanted = ossai_recipe_refines(r) ? first_bones_factor * (double)r->bones + 0.5 : (double)r->bones;
	const size_t first = wanted < (double)faces ? (size_t)wanted : faces;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, first, 0);
	r->part_count = ossai_merge_hierarchy_cut(&r->merges, level, scratch, r->part_of_face);
	return ossai_lloyd(r->context, &r->surface, r->part_count, options_of(r)->lloyd, r->part_of_face);
}

/* ---- weights ---- */

/* refined: they spread from the clusters; the paper: solved at once, then again where each bone may act */
static ossa_status solve_weights(ossai_recipe *r)
{
	ossai_fit *fit = &r->fit;
	OSSAI_TRY(ossai_recipe_spread_weights(r));
	if (ossai_recipe_refines(r)) return OSSA_OK;
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, NULL, &fit->weights));
	if (!r->options.local) return OSSA_OK;
	ossai_allowed_bones allowed;
	OSSAI_TRY(ossai_influence_maps(r->arena, &r->surface, &fit->weights, &allowed));
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, &allowed, &fit->weights));
	return ossai_locality_enforce(r->context, &r->surface, &fit->motion, 0, &fit->weights);
}

/* ---- the rig ---- */

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 2}, {"clusters", 15}, {"weights", 5}, {"refine", 40}, {"skeleton", 1}, {"hierarchy", 25}, {"free bones", 12}};

static ossa_status run(ossai_recipe *r, ossa_rig **rig)
{
	OSSAI_TRY(ossai_recipe_run(r, "prepare", ossai_recipe_prepare));
	OSSAI_TRY(ossai_recipe_run(r, "clusters", cluster));
	OSSAI_TRY(ossai_recipe_run(r, "weights", solve_weights));
	OSSAI_TRY(ossai_recipe_run(r, "refine", ossai_recipe_refine));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", ossai_recipe_join));
	OSSAI_TRY(ossai_recipe_run(r, "hierarchy", ossai_recipe_fit_hierarchy));
	OSSAI_TRY(ossai_recipe_run(r, "free bones", ossai_recipe_refine_free));
	return ossai_recipe_assemble(r, rig);
}

ossa_status ossa_rig_from_examples(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, ossa_rig **rig)
{
	const ossa_examples_options own = options ? *options : ossa_examples_default();
	*rig = NULL;
	OSSAI_TRY(ossa_options_check(context, ossa_examples_option_table(), &own));
	ossai_arena arena = ossai_arena_begin(context);
	examples work = {.options = own,
		.recipe = {.context = context,
			.arena = &arena,
			.method = "examples",
			.mesh = mesh,
			.poses = poses,
			.options = {own.influences, own.link_pieces, own.local, own.area_weighting, own.refine}}};
	ossai_plan(context, plan, sizeof plan / sizeof plan[0]);
	const ossa_status status = run(&work.recipe, rig);
	ossai_plan(context, NULL, 0);
	ossai_arena_end(&arena);
	if (status != OSSA_OK) {
		ossa_rig_free(context, *rig);
		*rig = NULL;
	}
	return status;
}
