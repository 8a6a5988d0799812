/* methods/moving_weights.c: weights without refinement: fitted to the poses once, as published, or
   by heat, distance or coverage.

   Place in the path: parts or hierarchy -> weights/, skeleton/rest_weights -> here -> skeleton, the
   rig. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "parts/part_centers.h"
#include "weights/least_squares.h"
#include "weights/influence_maps.h"
#include "weights/locality.h"
#include "weights/symmetry.h"

/* ---- fitted to the poses ---- */

/* Schaefer and Yuksel 2007, section 4: among all bones, then among those whose influence map holds
   the vertex */
static ossa_status solve_twice(ossai_moving_work *m)
{
	ossai_fit *fit = &m->fit;
	OSSAI_TRY(ossai_weights_eliminate(m->context, &m->surface, &fit->motion, NULL, &fit->weights));
	if (!m->options.local) return OSSA_OK;
	ossai_allowed_bones allowed;
	OSSAI_TRY(ossai_influence_maps(m->arena, &m->surface, &fit->weights, &allowed));
	return ossai_weights_eliminate(m->context, &m->surface, &fit->motion, &allowed, &fit->weights);
}

ossa_status ossai_moving_fit_weights(ossai_moving_work *m)
{
	OSSAI_TRY(solve_twice(m));
	if (!m->options.local) return OSSA_OK;
	return ossai_locality_enforce(m->context, &m->surface, &m->fit.motion, NULL, OSSAI_SUPPORT_WEIGHT, &m->fit.weights);
}

ossa_status ossai_moving_published_weights(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_moving_begin_weights(m));
	m->off_center = ossai_part_distances(m->arena, &m->surface, m->part_count, m->part_of_face);
	if (!m->off_center) return ossa_context_error(m->context)->status;
	OSSAI_TRY(solve_twice(m));
	return ossai_fit_drop_idle(&m->fit, m->off_center, &m->dropped);
}

/* ---- from the positions of the bones ---- */

static ossai_rest_weights_options options_of(const ossai_moving_work *m)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_rest_weights_kind_of(m->options.weights);
	options.influences = (size_t)m->options.influences;
	options.local = m->options.local;
	if (m->options.weight_poses > 0) options.poses = (size_t)m->options.weight_poses;
	return options;
}

static ossa_status solve(ossai_moving_work *m, ossai_rest_weights_options options)
{
	const ossai_rest_bones bones = {&m->tree, m->joint, NULL, m->graph.bone_of_vertex};
	ossai_bone_weights weights;
	OSSAI_TRY(ossai_rest_weights(m->arena, &m->surface, &bones, &m->fit.motion, &options, &weights));
	ossai_bone_weights_copy(&weights, &m->fit.weights);
	return OSSA_OK;
}

/* the free bones take the same weights */
static ossa_status give_to_free(ossai_moving_work *m)
{
	m->has_free_weights = false;
	ossai_fit_copy(&m->fit, &m->free_fit);
	return ossai_fit_motion(&m->free_fit, NULL);
}

ossa_status ossai_moving_published_reweigh(ossai_moving_work *m)
{
	OSSAI_TRY(solve(m, options_of(m)));
	return give_to_free(m);
}

/* c = 1, every frame, wherever the heat goes */
ossa_status ossai_moving_published_heat(ossai_moving_work *m)
{
	ossai_rest_weights_options options = options_of(m);
	options.heat = 1;
	options.local = false;
	if (m->options.weight_poses == 0) options.poses = m->surface.pose_count + 1;
	OSSAI_TRY(solve(m, options));
	return give_to_free(m);
}

ossa_status ossai_moving_refined_reweigh(ossai_moving_work *m)
{
	OSSAI_TRY(solve(m, options_of(m)));
	ossai_share_weights(&m->surface, &m->fit.weights);
	OSSAI_TRY(ossai_moving_turn_bones(m));
	return give_to_free(m);
}
