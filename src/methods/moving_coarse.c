/* methods/moving_coarse.c: parts, bones and tree of a few vertices, then weights, joints and
   rotations of all.

   Place in the path: prepare -> coarsen -> the refined stages -> here -> free bones, the rig.
   What a number of bones or a tree depends on is known from a small share of the vertices; only the
   last rounds need all of them, and they begin close to their end. */
#include "methods/moving.h"

#include <string.h>

/* Vertices that stand for all others (docs/examples.md, coarsen, says what fewer do), and for each
   bone or seed that is asked for. */
enum { VERTICES_LEAST = 2000, VERTICES_PER_BONE = 24, VERTICES_PER_SEED = 4 };
/* there is no coarse surface where it would save less than this share of the vertices */
static const double least_saving = 0.75;

static size_t wanted_vertices(const ossai_moving_options *options)
{
	const size_t bones = VERTICES_PER_BONE * (size_t)options->bones;
	const size_t seeds = VERTICES_PER_SEED * (size_t)options->spectral.seeds;
	size_t wanted = VERTICES_LEAST;
	wanted = wanted < bones ? bones : wanted;
	return wanted < seeds ? seeds : wanted;
}

static void take_few(ossai_moving_work *m, const ossai_coarse_surface *coarse)
{
	m->fine = m->surface;
	m->coarse = *coarse;
	m->surface = m->coarse.surface;
	m->is_coarse = true;
}

ossa_status ossai_moving_coarsen(ossai_moving_work *m)
{
	const size_t wanted = wanted_vertices(&m->options);
	ossai_coarse_surface coarse;
	if ((double)wanted > (1 - least_saving) * (double)m->surface.used_count) return OSSA_OK;
	OSSAI_TRY(ossai_coarse_surface_make(m->context, m->arena, &m->surface, wanted, &coarse));
	if ((double)coarse.surface.used_count <= (1 - least_saving) * (double)m->surface.used_count) take_few(m, &coarse);
	return OSSA_OK;
}

bool ossai_moving_can_share(const ossai_moving_work *m, const ossai_moving_work *earlier)
{
	return m->options.link_pieces == earlier->options.link_pieces &&
		wanted_vertices(&m->options) == wanted_vertices(&earlier->options);
}

ossa_status ossai_moving_share(ossai_moving_work *m, const ossai_moving_work *earlier)
{
	m->surface = *ossai_moving_whole_surface(earlier);
	m->own_mesh = m->mesh;
	m->mesh = earlier->mesh;
	ossai_posed_surface_warn(m->context, &m->surface, m->mesh);
	OSSAI_TRY(ossai_moving_warn_of_poses(m));
	if (earlier->is_coarse) take_few(m, &earlier->coarse);
	return OSSA_OK;
}

/* ---- to all vertices ---- */

/* every vertex has the weights of the one that stands for it, and the bones their motion */
static ossa_status lift_fit(ossai_moving_work *m, ossai_fit *fit)
{
	const ossai_fit few = *fit;
	const size_t bones = few.weights.bone_count, width = few.weights.width;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, bones, width, fit));
	ossai_bone_motion_copy(&few.motion, &fit->motion);
	ossai_bone_weights_lift(&few.weights, m->coarse.of_vertex, &fit->weights);
	return OSSA_OK;
}

static ossa_status lift_graph(ossai_moving_work *m)
{
	const uint32_t *few = m->graph.bone_of_vertex;
	uint32_t *all = ossai_arena_new(m->arena, m->surface.vertex_count, sizeof *all);
	if (!all) return ossa_context_error(m->context)->status;
	for (size_t v = 0; v < m->surface.vertex_count; v++) {
		const uint32_t from = m->coarse.of_vertex[v];
		all[v] = from == OSSA_NONE ? OSSA_NONE : few[from];
	}
	m->graph.bone_of_vertex = all;
	return OSSA_OK;
}

/* ---- to all faces ---- */

static ossa_status lift_faces(ossai_moving_work *m)
{
	const size_t all = m->surface.face_count, few = m->coarse.surface.face_count;
	const uint32_t *of_face = m->coarse.of_face, *part = m->part_of_face;
	m->part_of_face = ossai_arena_new(m->arena, all, sizeof *m->part_of_face);
	m->first_cluster = ossai_arena_new(m->arena, all, sizeof *m->first_cluster);
	ossai_arena scratch = ossai_arena_begin(m->context);
	uint32_t *first = ossai_arena_new(&scratch, few, sizeof *first), *parent = ossai_arena_new(&scratch, few, sizeof *parent);
	const bool ready = m->part_of_face && m->first_cluster && first && parent;
	if (ready) {
		for (size_t f = 0; f < few; f++) first[f] = OSSA_NONE;
		for (uint32_t f = 0; f < all; f++) {
			if (first[of_face[f]] == OSSA_NONE) first[of_face[f]] = f;
			m->first_cluster[f] = first[of_face[f]];
			m->part_of_face[f] = part[of_face[f]];
		}
		ossai_merges_rename(m->merges.count, m->merges.merges, few, first, parent);
	}
	ossai_arena_end(&scratch);
	return ready ? OSSA_OK : ossa_context_error(m->context)->status;
}

ossa_status ossai_moving_take_all(ossai_moving_work *m)
{
	m->surface = m->fine;
	OSSAI_TRY(lift_faces(m));
	OSSAI_TRY(lift_graph(m));
	OSSAI_TRY(lift_fit(m, &m->fit));
	return lift_fit(m, &m->free_fit);
}
