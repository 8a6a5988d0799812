/* export/gltf/kept_moved.c: which meshes of a kept glTF file no longer are where the file has them.

   Place in the path: inside the GLB writer, before the data that stays.
   Input: positions of the mesh now and as they were read.
   Output: marks; the JSON without the positions of these meshes and what depends on them. */
#include "export/gltf/kept.h"

static bool has_moved(const ossai_kept *kept, const ossai_document_mesh *mesh)
{
	const ossa_document *document = kept->document;
	const float *now = kept->mesh->positions;
	for (size_t i = mesh->first_vertex; i < mesh->first_vertex + mesh->vertex_count; i++) {
		const size_t v = document->vertex_of[i];
		if (!ossai_same_floats(now + 3 * v, document->positions + 3 * v, 3)) return true;
	}
	return false;
}

static void drop_key(json_t *list, const char *key)
{
	json_t *item;
	size_t i;
	json_array_foreach(list, i, item) json_object_del(item, key);
}

/* what is written again must not be named, so that its bytes are left out */
static void drop_shape(json_t *primitive, bool is_mirrored)
{
	static const char *const moved[] = {"POSITION", "NORMAL", "TANGENT"};
	for (size_t k = 0; k < 3; k++) {
		json_object_del(json_object_get(primitive, "attributes"), moved[k]);
		drop_key(json_object_get(primitive, "targets"), moved[k]);
	}
	if (is_mirrored) json_object_del(primitive, "indices");
}

bool ossai_kept_is_mirrored(const ossai_document_mesh *mesh) { return mesh->is_mapped && ossai_mat3_det(&mesh->map.r) < 0; }

json_t *ossai_kept_primitive(const ossai_kept *kept, size_t m, size_t p)
{
	const json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]);
	const json_t *mesh = ossai_kept_item(kept, "meshes", ossai_kept_number(node, "mesh"));
	return json_array_get(json_object_get(mesh, "primitives"), p);
}

ossa_status ossai_kept_find_moved(ossai_kept *kept)
{
	const ossa_document *document = kept->document;
	kept->is_moved = ossai_arena_zero(&kept->writer->arena, document->mesh_count, 1);
	if (!kept->is_moved) return ossa_context_error(kept->writer->context)->status;
	for (size_t m = 0; m < document->mesh_count; m++) {
		const ossai_document_mesh *mesh = &document->meshes[m];
		/* what has no skin goes along with its node */
		if (ossai_kept_is_unskinned(kept, m)) continue;
		kept->is_moved[m] = !mesh->is_mapped || ossai_kept_is_mirrored(mesh) || has_moved(kept, mesh);
		for (size_t p = 0; kept->is_moved[m] && p < mesh->primitive_count; p++) {
			const bool is_read = document->primitive_vertex[mesh->first_primitive + p] != SIZE_MAX;
			drop_shape(ossai_kept_primitive(kept, m, p), is_read && ossai_kept_is_mirrored(mesh));
		}
	}
	return OSSA_OK;
}
