/* import/asset/asset_merges.c: the merge hierarchy of a rig, from the extras of its mesh's file.

   Place in the path: asset_rig.c, once the rig has its mesh.
   Input: clusters by number.
   Output: ossa_rig's merges, in which clusters are named by their smallest faces. Data that does
   not fit the mesh, or is no hierarchy, is left out: nothing depends on it. */
#include "import/asset/asset_parts.h"

#include <math.h>

typedef struct merging {
	const ossai_asset_mesh *from; /* a mesh that names the merges, which all meshes share */
	size_t faces;
	uint32_t *cluster_of_face; /* of the joined mesh */
	/* by number: smallest face; OSSA_NONE where it has none, or is gone */
	uint32_t *name;
	ossa_merge *merges;
	uint32_t *face_clusters;
} merging;

static bool name_clusters(merging *m)
{
	for (size_t f = 0; f < m->faces; f++) {
		if (m->cluster_of_face[f] >= m->faces) return false;
	}
	for (size_t i = 0; i < m->faces; i++) m->name[i] = OSSA_NONE;
	for (uint32_t f = 0; f < m->faces; f++) {
		uint32_t *name = &m->name[m->cluster_of_face[f]];
		if (*name == OSSA_NONE) *name = f;
		m->face_clusters[f] = *name;
	}
	return true;
}

/* false where a pair names what is not there, or errors fall */
static bool name_merges(merging *m)
{
	double before = 0;
	for (size_t i = 0; i < m->from->merge_count; i++) {
		const uint32_t *pair = m->from->merge_pairs + 2 * i;
		const double error = (double)m->from->merge_errors[i];
		if (pair[0] >= m->faces || pair[1] >= m->faces || pair[0] == pair[1]) return false;
		const uint32_t a = m->name[pair[0]], b = m->name[pair[1]];
		if (a == OSSA_NONE || b == OSSA_NONE || !isfinite(error) || error < before) return false;
		/* faces may be in another order in the file */
		m->merges[i] = (ossa_merge){a < b ? a : b, a < b ? b : a, error};
		m->name[pair[0]] = m->merges[i].kept;
		m->name[pair[1]] = OSSA_NONE;
		before = error;
	}
	return true;
}

/* clusters of all faces; false where a mesh has none, or other merges */
static bool join_clusters(merging *m, const ossai_blocks *blocks)
{
	size_t face = 0;
	for (size_t b = 0; b < blocks->count; b++) {
		const ossai_asset_mesh *from = blocks->items[b].from;
		if (from->cluster_count == 0) continue;
		if (!m->from) m->from = from;
		if (from->merge_count != m->from->merge_count) return false;
		for (size_t f = 0; f < from->cluster_count && face < m->faces; f++)
			m->cluster_of_face[face++] = from->cluster_of_face[f];
	}
	return m->from && face == m->faces && m->from->merge_count < m->faces;
}

ossa_status ossai_asset_take_merges(ossai_asset *asset, const ossai_blocks *blocks, ossa_rig *rig)
{
	ossa_context *context = asset->context;
	merging m = {.faces = rig->mesh->triangle_count};
	size_t known = 0;
	for (size_t b = 0; b < blocks->count; b++) known += blocks->items[b].from->cluster_count;
	if (known != m.faces || m.faces == 0) return OSSA_OK;
	m.cluster_of_face = ossai_arena_new(&asset->arena, m.faces, sizeof *m.cluster_of_face);
	m.name = ossai_arena_new(&asset->arena, m.faces, sizeof *m.name);
	if (!m.cluster_of_face || !m.name) return ossa_context_error(context)->status;
	if (!join_clusters(&m, blocks)) return OSSA_OK;
	m.merges = ossai_new(context, m.from->merge_count + 1, sizeof *m.merges);
	m.face_clusters = m.merges ? ossai_new(context, m.faces, sizeof *m.face_clusters) : NULL;
	const bool ready = m.face_clusters != NULL;
	if (ready && name_clusters(&m) && name_merges(&m)) {
		rig->merges = m.merges;
		rig->merge_count = m.from->merge_count;
		rig->face_clusters = m.face_clusters;
		return OSSA_OK;
	}
	ossa_free(context, m.merges);
	ossa_free(context, m.face_clusters);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}
