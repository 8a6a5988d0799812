/* import/gltf/gltf_merges.c: the merge hierarchy in ossa's own files: see export/gltf/glb_merges.c.

   Place in the path: inside the glTF reader, after a mesh's faces.
   Input: extras.
   Output: the asset's mesh.
   Other programs may have changed the file and kept the extras: what does not fit is left out. */
#include "import/gltf/gltf_mesh.h"

/* the accessor under `key`, of single numbers; false where there is none that fits */
static bool has_accessor(ossai_gltf *document, const json_t *item, const char *key, size_t *index)
{
	const size_t count = ossai_gltf_length(document, "accessors");
	return ossai_gltf_is_whole(json_object_get(item, key), index) && *index < count && ossai_gltf_width(document, *index) == 1;
}

static ossa_status read_integers(ossai_gltf *document, size_t index, size_t *count, uint32_t **values)
{
	ossai_gltf_accessor accessor;
	OSSAI_TRY(ossai_gltf_open_accessor(document, index, 1, &accessor));
	*count = accessor.run.count;
	*values = ossai_arena_new(&document->asset->arena, *count, sizeof **values);
	if (!*values) return ossa_context_error(document->context)->status;
	/* numbers that are none are not ours */
	const ossai_gltf_component component = accessor.run.component;
	if (component != OSSAI_GLTF_U8 && component != OSSAI_GLTF_U16 && component != OSSAI_GLTF_U32) {
		*count = 0;
		return OSSA_OK;
	}
	return ossai_gltf_integers(document, &accessor, *values, 1);
}

static ossa_status read_errors(ossai_gltf *document, size_t index, size_t *count, float **values)
{
	ossai_gltf_accessor accessor;
	OSSAI_TRY(ossai_gltf_open_accessor(document, index, 1, &accessor));
	*count = accessor.run.count;
	*values = ossai_arena_new(&document->asset->arena, *count, sizeof **values);
	if (!*values) return ossa_context_error(document->context)->status;
	return ossai_gltf_floats(document, &accessor, *values, 1);
}

ossa_status ossai_gltf_fill_merges(const ossai_gltf_plan *plan, ossai_asset_mesh *mesh)
{
	ossai_gltf *document = plan->document;
	const json_t *item = json_object_get(ossai_gltf_extras(plan->item), "merges");
	size_t clusters, pairs, errors, cluster_count, pair_count, error_count;
	uint32_t *cluster, *pair;
	float *error;
	if (!has_accessor(document, item, "clusters", &clusters)) return OSSA_OK;
	/* parts of seeds were not merged */
	const bool has_merges = json_object_get(item, "pairs") || json_object_get(item, "errors");
	if (has_merges && !has_accessor(document, item, "pairs", &pairs)) return OSSA_OK;
	if (has_merges && !has_accessor(document, item, "errors", &errors)) return OSSA_OK;
	OSSAI_TRY(read_integers(document, clusters, &cluster_count, &cluster));
	if (cluster_count != plan->triangle_count) return OSSA_OK;
	if (has_merges) {
		OSSAI_TRY(read_integers(document, pairs, &pair_count, &pair));
		OSSAI_TRY(read_errors(document, errors, &error_count, &error));
		if (pair_count != 2 * error_count || error_count == 0) return OSSA_OK;
		mesh->merge_count = error_count;
		mesh->merge_pairs = pair;
		mesh->merge_errors = error;
	}
	mesh->cluster_count = cluster_count;
	mesh->cluster_of_face = cluster;
	return OSSA_OK;
}
