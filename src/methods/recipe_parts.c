/* methods/recipe_parts.c: parts that move together, by the stage that was chosen.

   Place in the path: posed surface -> parts/ -> here -> weights, skeleton. */
#include "methods/recipe.h"

#include "parts/lloyd.h"

/* bones to begin with, for each bone wanted */
static const double first_bones_factor = 2.5;
/* ... and for each part of seeds, where nobody says how many bones: those that explain 99 % are half as many as there are */
static const double first_parts_factor = 4;
/* of more bones than these fewer are tried for each, to this factor: parts cost the cube of their number */
static const double bones_to_choose = 150, first_bones_least = 1.25;
/* without a number of bones: what one part may add to the RMS of the whole, in % of the diagonal */
static const double default_tolerance = 0.2;
/* the most bones of a rig, also where a tolerance would have more: motion that needs them has no parts */
enum { BONES_MOST = 500 };

/* more than the bones wanted, for the pruning to choose from */
static size_t first_parts(const ossai_recipe *r)
{
	const bool explained = r->options.bones == 0 && r->spectral.part_count > 0;
	const double factor = !ossai_recipe_refines(r) ? 1 : explained ? first_parts_factor : first_bones_factor;
	const double bones = (double)r->bones, most = fmax(factor * bones_to_choose, fmin(factor, first_bones_least) * bones);
	const double wanted = fmin(factor * bones, most) + 0.5;
	return wanted < (double)r->surface.face_count ? (size_t)wanted : r->surface.face_count;
}

/* ---- clusters ---- */

/* how many bones to aim at: as asked, but never more than there are faces or the tolerance needs */
static void count_bones(ossai_recipe *r)
{
	const ossai_recipe_options *o = &r->options;
	const double tolerance = o->tolerance > 0 || o->bones > 0 ? o->tolerance : default_tolerance;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, (size_t)o->bones, tolerance / 100);
	r->bones = r->surface.face_count - level;
	if (o->bones == 0 && r->bones > BONES_MOST) {
		ossai_warn(r->context, "too-many-parts", 1,
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

static ossa_status cluster_faces(ossai_recipe *r)
{
	const size_t faces = r->surface.face_count;
	OSSAI_TRY(ossai_face_clusters_make(r->context, r->arena, &r->surface, &r->merges));
	count_bones(r);
	uint32_t *scratch = ossai_arena_new(r->arena, faces, sizeof *scratch);
	r->part_of_face = ossai_arena_new(r->arena, faces, sizeof *r->part_of_face);
	if (!scratch || !r->part_of_face) return ossa_context_error(r->context)->status;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, first_parts(r), 0);
	r->part_count = ossai_merge_hierarchy_cut(&r->merges, level, scratch, r->part_of_face);
	return ossai_lloyd(r->context, &r->surface, r->part_count, r->options.lloyd, r->part_of_face);
}

/* ---- seeds ---- */

/* how many groups to make: the paper's number of parts; refining, all that the motion shows, and more than the bones wanted */
static ossa_status make_groups(ossai_recipe *r)
{
	ossai_spectral_options options = r->options.spectral;
	ossai_spectral_parts *parts = &r->spectral;
	/* so many bones are more than the motion shows by itself */
	const bool many = r->options.bones > OSSAI_SPECTRAL_PARTS_MOST;
	if (r->options.bones == 0 || (ossai_recipe_refines(r) && !many)) {
		OSSAI_TRY(ossai_spectral_parts_make(r->context, r->arena, &r->surface, &options, parts));
		if (!parts->moves) return ossai_recipe_refuse_stillness(r);
	}
	r->bones = r->options.bones > 0 ? (size_t)r->options.bones : parts->part_count;
	if (first_parts(r) <= parts->part_count) return OSSA_OK;
	options.bones = (int)first_parts(r);
	OSSAI_TRY(ossai_spectral_parts_make(r->context, r->arena, &r->surface, &options, parts));
	return parts->moves ? OSSA_OK : ossai_recipe_refuse_stillness(r);
}

static ossa_status group_seeds(ossai_recipe *r)
{
	OSSAI_TRY(make_groups(r));
	r->part_count = r->spectral.part_count;
	r->part_of_face = r->spectral.part_of_face;
	if (r->part_count >= r->bones) return OSSA_OK;
	ossai_warn(r->context, "fewer-bones", (int64_t)(r->bones - r->part_count),
		"%zu bones were asked for, but the seeds' motion shows only %zu parts", r->bones, r->part_count);
	r->bones = r->part_count;
	return OSSA_OK;
}

ossa_status ossai_recipe_find_parts(ossai_recipe *r)
{
	return r->options.parts == OSSA_PARTS_SPECTRAL ? group_seeds(r) : cluster_faces(r);
}
