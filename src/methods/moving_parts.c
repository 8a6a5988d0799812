/* methods/moving_parts.c: parts that move together, by clustering faces or by seeds, and their
   number.

   Place in the path: posed surface -> parts/ -> here -> weights, skeleton. */
#include "methods/moving.h"

#include "methods/option_rows.h"
#include "parts/lloyd.h"

/* parts to begin with for each bone wanted, so that pruning can choose */
static const double first_bones_factor = 2.5;
/* the same where seeds give the number: the parts that explain 99 % of the variation are half as
   many as there are */
static const double first_parts_factor = 4;
/* the factor falls to this one above so many bones: the time grows with the cube of the parts */
static const double bones_to_choose = 150, first_bones_least = 1.25;
/* without a number of bones: the RMS that one part may add to that of the whole, % of the
   diagonal */
static const double default_tolerance = 0.2;
/* bones of a rig, at most, whatever the tolerance: motion that needs more has no rigid parts */
enum { BONES_MOST = 500 };

/* the number of parts to begin with, `spare` for each bone; 1: no more than bones */
static size_t first_parts(const ossai_moving_work *m, size_t bone_count, double spare)
{
	const double bones = (double)bone_count, most = fmax(spare * bones_to_choose, fmin(spare, first_bones_least) * bones);
	const double wanted = fmin(spare * bones, most) + 0.5;
	return wanted < (double)m->surface.face_count ? (size_t)wanted : m->surface.face_count;
}

/* ---- clusters ---- */

/* the RMS that one part may add: of a face as much smaller as its bones are worth less
   than those of the default, which the default tolerance goes with */
static ossa_status find_tolerance(ossai_moving_work *m, double *tolerance)
{
	const ossai_moving_options *o = &m->options;
	double worth;
	*tolerance = o->tolerance > 0 || o->bones > 0 ? o->tolerance : default_tolerance;
	if (!o->is_face || o->tolerance > 0 || o->bones > 0 || !(o->worth > 0)) return OSSA_OK;
	OSSAI_TRY(ossai_moving_find_worth(m, &worth));
	*tolerance *= 100 * worth / fmin(o->worth, OSSAI_USUAL_WORTH);
	return OSSA_OK;
}

/* how many bones to make: as many as are wanted, but no more than there are faces, or than the
   tolerance needs */
static void count_bones(ossai_moving_work *m, double tolerance)
{
	const ossai_moving_options *o = &m->options;
	const size_t level = ossai_merge_hierarchy_level(&m->merges, &m->surface, (size_t)o->bones, tolerance / 100);
	m->bones = m->surface.face_count - level;
	if (o->bones == 0 && m->bones > BONES_MOST) {
		ossai_warn(m->context, "too-many-parts", 1,
			"the poses would need %zu bones to stay within the tolerance, and %d are made: if their vertices are in another "
			"order than those of the rest mesh, no rig can follow them",
			m->bones, (int)BONES_MOST);
		m->bones = BONES_MOST;
	}
	if (o->bones > 0 && m->bones > (size_t)o->bones) {
		ossai_warn(m->context, "more-bones", (int64_t)m->bones - o->bones,
			"%d bones were wanted, but the mesh has %zu pieces that are not linked, and each needs one", o->bones, m->bones);
	}
	if (o->bones > 0 && m->bones < (size_t)o->bones && tolerance == 0) {
		ossai_warn(m->context, "fewer-bones", (int64_t)(size_t)o->bones - (int64_t)m->bones,
			"%d bones were wanted, but the mesh has only %zu faces", o->bones, m->surface.face_count);
	}
}

static ossa_status cluster_faces(ossai_moving_work *m, bool has_spare)
{
	const size_t faces = m->surface.face_count;
	double tolerance;
	OSSAI_TRY(ossai_face_clusters_make(m->context, m->arena, &m->surface, &m->merges));
	OSSAI_TRY(find_tolerance(m, &tolerance));
	count_bones(m, tolerance);
	uint32_t *scratch = ossai_arena_new(m->arena, faces, sizeof *scratch);
	m->part_of_face = ossai_arena_new(m->arena, faces, sizeof *m->part_of_face);
	if (!scratch || !m->part_of_face) return ossa_context_error(m->context)->status;
	const size_t level = ossai_merge_hierarchy_level(
		&m->merges, &m->surface, first_parts(m, m->bones, has_spare ? first_bones_factor : 1), 0);
	m->part_count = ossai_merge_hierarchy_cut(&m->merges, level, scratch, m->part_of_face);
	return ossai_lloyd(m->context, &m->surface, m->part_count, m->options.lloyd, m->part_of_face);
}

/* ---- seeds ---- */

typedef struct grouping {
	const ossai_moving_work *m;
	bool has_spare;
} grouping;

/* the parts to make where the motion shows so many */
static size_t parts_for(const void *arg, size_t shown)
{
	const grouping *g = arg;
	const bool is_asked = g->m->options.bones > 0;
	const double factor = is_asked ? first_bones_factor : first_parts_factor;
	return first_parts(g->m, is_asked ? (size_t)g->m->options.bones : shown, g->has_spare ? factor : 1);
}

/* groups of seeds: as many as the paper makes; has_spare: all that the motion shows, and more than
   bones are wanted */
static ossa_status make_groups(ossai_moving_work *m, bool has_spare)
{
	const grouping g = {m, has_spare};
	ossai_spectral_options options = m->options.spectral;
	ossai_spectral_parts *parts = &m->spectral;
	/* more bones than the motion can show */
	const bool many = m->options.bones > OSSAI_SPECTRAL_PARTS_MOST;
	if (m->options.bones == 0 || (has_spare && !many)) {
		options.more = parts_for;
		options.more_arg = &g;
	} else {
		options.bones = (int)parts_for(&g, 0);
	}
	OSSAI_TRY(ossai_spectral_parts_make(m->context, m->arena, &m->surface, &options, parts));
	if (!parts->moves) return ossai_moving_refuse_stillness(m);
	m->bones = m->options.bones > 0 ? (size_t)m->options.bones : parts->shown_count;
	return OSSA_OK;
}

static ossa_status group_seeds(ossai_moving_work *m, bool has_spare)
{
	OSSAI_TRY(make_groups(m, has_spare));
	m->part_count = m->spectral.part_count;
	m->part_of_face = m->spectral.part_of_face;
	if (m->part_count >= m->bones) return OSSA_OK;
	ossai_warn(m->context, "fewer-bones", (int64_t)(m->bones - m->part_count),
		"%zu bones were wanted, but the motion of the seeds shows only %zu parts", m->bones, m->part_count);
	m->bones = m->part_count;
	return OSSA_OK;
}

/* ---- both ---- */

static ossa_status find_parts(ossai_moving_work *m, bool has_spare)
{
	return m->options.parts == OSSA_PARTS_SPECTRAL ? group_seeds(m, has_spare) : cluster_faces(m, has_spare);
}

ossa_status ossai_moving_published_parts(ossai_moving_work *m) { return find_parts(m, false); }

ossa_status ossai_moving_refined_parts(ossai_moving_work *m)
{
	OSSAI_TRY(find_parts(m, true));
	return m->options.parts == OSSA_PARTS_SPECTRAL ? ossai_moving_cut_at_limbs(m) : OSSA_OK;
}
