/* methods/moving_rig.c: the rig of all findings, in the order of the mesh's vertices and faces; see
   moving.h. */
#include "methods/moving.h"

#include "methods/rig_warnings.h"
#include "rig/assemble.h"

#include <string.h>

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Parts of seeds, which were not merged: those that the work began with, named by their smallest
   faces. */
static ossa_status keep_parts(const ossai_moving_work *m, ossa_rig *rig)
{
	const size_t faces = m->surface.face_count;
	rig->face_clusters = ossai_new(m->context, faces, sizeof *rig->face_clusters);
	uint32_t *name = ossai_arena_new(m->arena, m->part_count, sizeof *name);
	if (!rig->face_clusters || !name) return ossa_context_error(m->context)->status;
	for (size_t p = 0; p < m->part_count; p++) name[p] = OSSA_NONE;
	for (size_t f = 0; f < faces; f++) {
		uint32_t *first = &name[m->part_of_face[f]];
		*first = smaller(*first, ossai_surface_mesh_face(&m->surface, f));
	}
	for (size_t f = 0; f < faces; f++) {
		rig->face_clusters[ossai_surface_mesh_face(&m->surface, f)] = name[m->part_of_face[f]];
	}
	return OSSA_OK;
}

/* The smallest face of the mesh in each cluster, by the name that the cluster has in the work;
   faces that were one from the beginning are in one. */
static void find_names(const ossai_moving_work *m, uint32_t *name)
{
	const size_t faces = m->surface.face_count;
	for (size_t f = 0; f < faces; f++) name[f] = OSSA_NONE;
	for (size_t f = 0; f < faces; f++) {
		uint32_t *first = &name[m->first_cluster ? m->first_cluster[f] : f];
		*first = smaller(*first, ossai_surface_mesh_face(&m->surface, f));
	}
}

static ossa_status keep_clusters(const ossai_moving_work *m, const uint32_t *name, ossa_rig *rig)
{
	rig->face_clusters = ossai_new(m->context, m->surface.face_count, sizeof *rig->face_clusters);
	if (!rig->face_clusters) return ossa_context_error(m->context)->status;
	for (size_t f = 0; f < m->surface.face_count; f++) {
		rig->face_clusters[ossai_surface_mesh_face(&m->surface, f)] = name[m->first_cluster[f]];
	}
	return OSSA_OK;
}

static ossa_status keep_merges(const ossai_moving_work *m, ossa_rig *rig)
{
	const size_t faces = m->surface.face_count;
	uint32_t *name = ossai_arena_new(m->arena, faces, sizeof *name);
	uint32_t *parent = ossai_arena_new(m->arena, faces, sizeof *parent);
	rig->merges = ossai_new(m->context, m->merges.count, sizeof *rig->merges);
	if (!name || !parent || !rig->merges) return ossa_context_error(m->context)->status;
	memcpy(rig->merges, m->merges.merges, m->merges.count * sizeof *rig->merges);
	rig->merge_count = m->merges.count;
	find_names(m, name);
	if (m->first_cluster) OSSAI_TRY(keep_clusters(m, name, rig));
	ossai_merges_rename(rig->merge_count, rig->merges, faces, name, parent);
	return OSSA_OK;
}

ossa_status ossai_moving_assemble(ossai_moving_work *m, ossa_rig **rig)
{
	const ossai_findings findings = {.method = m->method,
		.mesh = m->own_mesh ? m->own_mesh : m->mesh,
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
	/* where each bone has its worth those without skin are pivots */
	if (!(m->goal.worth.most > 0)) OSSAI_TRY(ossai_warn_of_idle_bones(m->arena, &m->surface, false, *rig));
	return m->merges.count == 0 ? keep_parts(m, *rig) : keep_merges(m, *rig);
}
