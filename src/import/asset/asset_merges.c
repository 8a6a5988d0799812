/* import/asset/asset_merges.c: the merge hierarchy of a rig, from the extras of its mesh's file.

   Place in the path: asset_rig.c, once the rig has its mesh.
   Input: clusters by number.
   Output: ossa_rig's merges, in which clusters are named by their smallest faces. Data that does
   not fit the mesh, or is no hierarchy, is left out: nothing depends on it. */
#include "import/asset/asset_parts.h"

#include <math.h>

typedef struct merging {
	const ossai_asset_mesh *from;
	size_t faces;
	uint32_t *name; /* by number: smallest face; OSSA_NONE where it has none, or is gone */
	ossa_merge *merges;
	uint32_t *face_clusters;
} merging;

static bool name_clusters(merging *m)
{
	for (size_t f = 0; f < m->faces; f++) {
		if (m->from->cluster_of_face[f] >= m->faces) return false;
	}
	for (size_t i = 0; i < m->faces; i++) m->name[i] = OSSA_NONE;
	for (uint32_t f = 0; f < m->faces; f++) {
		uint32_t *name = &m->name[m->from->cluster_of_face[f]];
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

ossa_status ossai_asset_take_merges(ossai_asset *asset, const ossai_asset_mesh *from, ossa_rig *rig)
{
	ossa_context *context = asset->context;
	merging m = {.from = from, .faces = rig->mesh->triangle_count};
	if (from->cluster_count == 0 || from->merge_count >= m.faces || from->cluster_count != m.faces) return OSSA_OK;
	m.name = ossai_arena_new(&asset->arena, m.faces, sizeof *m.name);
	m.merges = ossai_new(context, from->merge_count + 1, sizeof *m.merges);
	m.face_clusters = m.merges ? ossai_new(context, m.faces, sizeof *m.face_clusters) : NULL;
	const bool ready = m.name && m.face_clusters;
	if (ready && name_clusters(&m) && name_merges(&m)) {
		rig->merges = m.merges;
		rig->merge_count = from->merge_count;
		rig->face_clusters = m.face_clusters;
		return OSSA_OK;
	}
	ossa_free(context, m.merges);
	ossa_free(context, m.face_clusters);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}
