/* methods/moving.c: the stages that published and refined outlines share, and the rig; see
   moving.h. */
#include "methods/moving.h"

#include "motion/prune.h"

#include <string.h>

/* ---- prepare ---- */

ossa_status ossai_moving_prepare(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_posed_surface_make(m->context, m->arena, m->mesh, m->poses, m->options.link_pieces, &m->surface));
	return ossai_moving_warn_of_poses(m);
}

/* ---- weights ---- */

ossa_status ossai_moving_begin_weights(ossai_moving_work *m)
{
	ossai_fit *fit = &m->fit;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, m->part_count, (size_t)m->options.influences, fit));
	ossai_bone_weights_from_clusters(&m->surface, m->part_of_face, &fit->weights);
	return ossai_bone_motion_from_clusters(m->context, &m->surface, m->part_of_face, &fit->motion);
}

ossa_status ossai_moving_drop_idle(ossai_moving_work *m) { return ossai_fit_drop_idle(&m->fit, NULL, &m->dropped); }

/* ---- hierarchy ---- */

ossa_status ossai_moving_turn_bones(ossai_moving_work *m)
{
	ossai_moments moments;
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	ossa_status status = ossai_moments_make(m->context, &m->surface, &m->fit.weights, &moments);
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit_some(
			m->context, &moments, &hierarchy, NULL, OSSAI_MOVING_SWEEPS, OSSAI_MOVING_NEWTON_STEPS, &m->fit.motion);
	}
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_moving_keep_free(ossai_moving_work *m)
{
	const size_t bones = m->fit.weights.bone_count, influences = (size_t)m->options.influences;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, bones, influences, &m->free_fit));
	ossai_fit_copy(&m->fit, &m->free_fit);
	return OSSA_OK;
}

ossa_status ossai_moving_published_hierarchy(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_moving_keep_free(m));
	return ossai_moving_turn_bones(m);
}
