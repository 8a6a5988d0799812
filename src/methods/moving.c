/* methods/moving.c: the stages that published and refined outlines share, and the rig; see
   moving.h. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "rig/assemble.h"

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

/* ---- the rig ---- */

/* parts of seeds, which were not merged: those that the work began with, named by their smallest
   faces */
static ossa_status keep_parts(const ossai_moving_work *m, ossa_rig *rig)
{
	const size_t faces = m->surface.face_count;
	rig->face_clusters = ossai_new(m->context, faces, sizeof *rig->face_clusters);
	uint32_t *name = ossai_arena_new(m->arena, m->part_count, sizeof *name);
	if (!rig->face_clusters || !name) return ossa_context_error(m->context)->status;
	for (size_t p = 0; p < m->part_count; p++) name[p] = OSSA_NONE;
	for (uint32_t f = 0; f < faces; f++) {
		uint32_t *first = &name[m->part_of_face[f]];
		if (*first == OSSA_NONE) *first = f;
		rig->face_clusters[f] = *first;
	}
	return OSSA_OK;
}

/* faces that were one from the beginning */
static ossa_status keep_clusters(const ossai_moving_work *m, ossa_rig *rig)
{
	rig->face_clusters = ossai_new(m->context, m->surface.face_count, sizeof *rig->face_clusters);
	if (!rig->face_clusters) return ossa_context_error(m->context)->status;
	memcpy(rig->face_clusters, m->first_cluster, m->surface.face_count * sizeof *rig->face_clusters);
	return OSSA_OK;
}

ossa_status ossai_moving_assemble(ossai_moving_work *m, ossa_rig **rig)
{
	const ossai_findings findings = {.method = m->method,
		.mesh = m->mesh,
		.frames = m->poses,
		.surface = &m->surface,
		.tree = &m->tree,
		.joint = m->joint,
		.deviation = m->deviation,
		.joint_of_pair = m->joint_of_pair,
		.weights = &m->fit.weights,
		.motion = &m->fit.motion,
		.free_weights = &m->free_fit.weights,
		.free_motion = &m->free_fit.motion,
		.influences = m->options.influences,
		.loop_count = m->loop_count,
		.loops = m->loops};
	OSSAI_TRY(ossai_rig_assemble(m->context, &findings, rig));
	OSSAI_TRY(ossai_warn_of_idle_bones(m->arena, &m->surface, false, *rig));
	if (m->merges.count == 0) return keep_parts(m, *rig);
	(*rig)->merges = ossai_new(m->context, m->merges.count, sizeof *(*rig)->merges);
	if (!(*rig)->merges) return ossa_context_error(m->context)->status;
	memcpy((*rig)->merges, m->merges.merges, m->merges.count * sizeof *(*rig)->merges);
	if (m->first_cluster) OSSAI_TRY(keep_clusters(m, *rig));
	(*rig)->merge_count = m->merges.count;
	return OSSA_OK;
}
