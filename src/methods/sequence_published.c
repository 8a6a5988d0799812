/* methods/sequence_published.c: the published stages of a rig from a mesh animation.

   Place in the path: parts -> here (motion/, skeleton/from_motion, weights) -> the rig.
   Source: E. de Aguiar, C. Theobalt, S. Thrun, H.-P. Seidel, Automatic Conversion of Mesh
   Animations into Skeleton-based Animations, Eurographics 2008, sections 5 to 7.
   Departures: docs/sequence.md lists them with their effects. */
#include "methods/sequence.h"

#include "motion/bone_lengths.h"
#include "motion/descent.h"
#include "motion/seed_motion.h"
#include "skeleton/from_motion/boundary_graph.h"
#include "skeleton/from_motion/variance_joints.h"

/* fewer points do not determine a rotation; the paper assumes enough seeds */
enum { MARKERS_LEAST = 4 };

/* ---- tree ---- */

/* the seeds that parts were found by; where they were found by merging faces, new seeds */
static ossa_status seed_parts(ossai_moving_work *m)
{
	ossai_spectral_parts *parts = &m->spectral;
	if (parts->part_count > 0) return OSSA_OK;
	const size_t wanted = m->surface.used_count / 100 + 100;
	OSSAI_TRY(ossai_seeds_choose(m->context, m->arena, &m->surface, wanted, &parts->seeds));
	parts->part_of_seed = ossai_arena_new(m->arena, parts->seeds.count, sizeof *parts->part_of_seed);
	if (!parts->part_of_seed) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < parts->seeds.count; i++) parts->part_of_seed[i] = m->graph.bone_of_vertex[parts->seeds.vertex[i]];
	return OSSA_OK;
}

/* the seeds of parts with enough of them, all vertices of other parts */
static ossa_status list_markers(ossai_sequence *s)
{
	const ossai_moving_work *m = &s->moving;
	const ossai_spectral_parts *parts = &m->spectral;
	const size_t vertices = m->surface.vertex_count, most = parts->seeds.count + vertices;
	uint32_t *seeds = ossai_arena_zero(m->arena, m->part_count, sizeof *seeds);
	s->marker_vertex = ossai_arena_new(m->arena, most, sizeof *s->marker_vertex);
	s->marker_part = ossai_arena_new(m->arena, most, sizeof *s->marker_part);
	if (!seeds || !s->marker_vertex || !s->marker_part) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < parts->seeds.count; i++) {
		if (parts->part_of_seed[i] < m->part_count) seeds[parts->part_of_seed[i]]++;
	}
	for (size_t i = 0; i < most; i++) {
		const bool is_seed = i < parts->seeds.count;
		const uint32_t vertex = is_seed ? parts->seeds.vertex[i] : (uint32_t)(i - parts->seeds.count);
		const uint32_t part = is_seed ? parts->part_of_seed[i] : m->graph.bone_of_vertex[vertex];
		if (part >= m->part_count || is_seed != (seeds[part] >= MARKERS_LEAST)) continue;
		s->marker_vertex[s->marker_count] = vertex;
		s->marker_part[s->marker_count++] = part;
	}
	return OSSA_OK;
}

/* the paper assumes a single piece, and enough seeds in every part */
static void warn_of_undefined(const ossai_sequence *s)
{
	const ossai_moving_work *m = &s->moving;
	const uint32_t pieces = m->surface.piece_count;
	const size_t few = m->spectral.extra_parts;
	if (pieces > 1) {
		ossai_warn(m->context, "beyond-the-paper", (int64_t)pieces - 1,
			"the paper connects parts with a common boundary, and %u pieces have none: their parts are connected where they "
			"are "
			"close",
			pieces);
	}
	if (few == 0) return;
	ossai_warn(m->context, "beyond-the-paper", (int64_t)few,
		"%zu of %zu parts have no seed, which the paper does not define: all of their vertices serve as seeds", few,
		m->part_count);
}

ossa_status ossai_sequence_tree(ossai_sequence *s)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(ossai_moving_begin_weights(m));
	OSSAI_TRY(ossai_boundary_graph_make(m->arena, &m->surface, m->part_of_face, m->part_count, &m->graph));
	OSSAI_TRY(ossai_boundary_tree_make(m->arena, &m->surface, &m->graph, &m->tree));
	OSSAI_TRY(seed_parts(m));
	OSSAI_TRY(list_markers(s));
	warn_of_undefined(s);
	return ossai_seed_motion_fit(m->context, &m->surface, s->marker_count, s->marker_vertex, s->marker_part, &m->fit.motion);
}

/* ---- joints ---- */

ossa_status ossai_sequence_joints(ossai_sequence *s)
{
	ossai_moving_work *m = &s->moving;
	const ossai_variance_evidence evidence = {
		&m->surface, &m->graph, &m->tree, &m->fit.motion, s->marker_count, s->marker_vertex, s->marker_part};
	m->joint_of_pair = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *m->joint_of_pair);
	m->joint = ossai_arena_new(m->arena, m->part_count, sizeof *m->joint);
	s->position = ossai_arena_new(m->arena, m->part_count, m->surface.pose_count * sizeof *s->position);
	double *length = ossai_arena_new(m->arena, m->part_count, sizeof *length);
	if (!m->joint_of_pair || !m->joint || !s->position || !length) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_variance_joints_fit(m->context, &evidence, s->alpha, m->joint_of_pair));
	ossai_joint_paths(&m->graph, &m->tree, m->joint_of_pair, &m->fit.motion, m->joint, s->position);
	ossai_bone_lengths_project(&m->tree, m->surface.pose_count, m->joint, s->position, length);
	return OSSA_OK;
}

/* ---- motion ---- */

ossa_status ossai_sequence_motion(ossai_sequence *s)
{
	ossai_moving_work *m = &s->moving;
	const ossai_hierarchy hierarchy = {&m->tree, m->joint, NULL};
	ossai_descent_options options = ossai_descent_default();
	options.markers = (ossai_descent_markers){&m->surface, s->marker_count, s->marker_vertex, s->marker_part};
	ossai_bone_motion parts;
	OSSAI_TRY(ossai_bone_motion_new(m->arena, m->part_count, m->surface.pose_count, &parts));
	ossai_bone_motion_copy(&m->fit.motion, &parts);
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, m->part_count, (size_t)m->options.influences, &m->free_fit));
	return ossai_descent_fit(m->context, &hierarchy, s->position, &parts, &options, &m->fit.motion, NULL);
}

/* ---- weights ---- */

ossa_status ossai_sequence_weights(ossai_sequence *s)
{
	ossai_moving_work *m = &s->moving;
	if (m->options.weights == OSSA_WEIGHTS_HEAT) return ossai_moving_published_heat(m);
	if (m->options.weights != OSSA_WEIGHTS_LEAST_SQUARES) return ossai_moving_published_reweigh(m);
	OSSAI_TRY(ossai_moving_fit_weights(m));
	ossai_fit_copy(&m->fit, &m->free_fit);
	return ossai_fit_motion(&m->free_fit, NULL);
}
