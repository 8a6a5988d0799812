/* rig/clusters.c: which faces moved together, at a level of the merge hierarchy.

   Place in the path: pictures of clusters.
   Input: a rig's merges, and the clusters before the first of them.
   Output: a cluster of each face. */
#include "base/context.h"

#include <ossa/rig.h>
#include <string.h>

static uint32_t find_root(uint32_t *parent, uint32_t face)
{
	while (parent[face] != face) face = parent[face] = parent[parent[face]];
	return face;
}

static size_t count_first(const ossa_rig *rig)
{
	const size_t faces = rig->mesh->triangle_count;
	size_t count = 0;
	if (!rig->face_clusters) return faces;
	for (size_t f = 0; f < faces; f++) count += rig->face_clusters[f] == f;
	return count;
}

ossa_status ossa_rig_clusters(
	ossa_context *context, const ossa_rig *rig, size_t wanted, uint32_t *cluster_of_face, size_t *cluster_count)
{
	OSSAI_NEED(context, rig);
	OSSAI_NEED(context, rig->mesh);
	const size_t faces = rig->mesh->triangle_count;
	if (rig->merge_count == 0 && !rig->face_clusters) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the rig does not say which faces moved together; rigs of poses do, by either method, that were kept as glTF");
	}
	const size_t first = count_first(rig), goal = wanted > 0 ? wanted : rig->skeleton.bone_count;
	size_t level = first > goal ? first - goal : 0;
	if (level > rig->merge_count) level = rig->merge_count;
	uint32_t *parent = ossa_alloc(context, faces, 2 * sizeof *parent), count = 0;
	if (!parent) return ossa_context_error(context)->status;
	uint32_t *cluster = parent + faces;
	for (uint32_t f = 0; f < faces; f++) parent[f] = rig->face_clusters ? rig->face_clusters[f] : f;
	for (size_t i = 0; i < level; i++) parent[rig->merges[i].gone] = rig->merges[i].kept;
	for (uint32_t f = 0; f < faces; f++) {
		/* a cluster is named by its smallest face, which is visited first */
		const uint32_t root = find_root(parent, f);
		cluster[f] = root == f ? count++ : cluster[root];
	}
	if (cluster_of_face) memcpy(cluster_of_face, cluster, faces * sizeof *cluster);
	ossa_free(context, parent);
	if (cluster_count) *cluster_count = count;
	return OSSA_OK;
}
