/* export/gltf/glb_tangents.c: tangents of a mesh that came from a glTF file and is written into
   another one, as a level of detail is: ossa_mesh has no field for them.

   Place in the path: inside the GLB writer, before such a mesh is written.
   Input: the mesh with its document.
   Output: a tangent for each vertex, in the mesh's axes.
   Source: glTF 2.0 specification, 3.7.2.1 (TANGENT). */
#include "export/gltf/kept.h"

#include <string.h>

typedef struct tangent_search {
	ossai_kept kept; /* the document, to be read again */
	ossai_kept_file file;
	ossai_mat3 *gradients; /* by vertex of the mesh since it was read; NULL: it is where it was */
	float *tangents;       /* V x 4, w 0 where a vertex has none */
	bool is_single;        /* no vertex of the mesh has two that differ */
} tangent_search;

/* A vertex of the mesh may stand for several of the file. */
static void take(tangent_search *search, const ossai_document_mesh *mesh, size_t vertex, const float *tangent)
{
	const size_t v = search->kept.document->vertex_of[mesh->first_vertex + vertex];
	ossai_mat3 map = mesh->is_mapped ? mesh->map.r : mesh->turns[vertex];
	float *to = search->tangents + 4 * v, turned[4];
	if (search->gradients) map = ossai_mat3_mul(&search->gradients[v], &map);
	ossai_kept_turn_tangent(&map, tangent, turned);
	turned[3] = turned[3] < 0 ? -1 : 1;
	search->is_single = search->is_single && (to[3] == 0 || ossai_same_floats(to, turned, 4));
	memcpy(to, turned, sizeof turned);
}

static ossa_status read_primitive(tangent_search *search, const ossai_document_mesh *mesh, size_t p, const json_t *primitive)
{
	const size_t first = search->kept.document->primitive_vertex[mesh->first_primitive + p];
	size_t count;
	float *values;
	if (first == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_read_floats(&search->file.gltf, json_object_get(primitive, "attributes"), "TANGENT", 4, true,
		&search->kept.writer->arena, &count, &values));
	for (size_t i = 0; values && i < count && first + i < mesh->vertex_count; i++)
		take(search, mesh, first + i, values + 4 * i);
	return OSSA_OK;
}

static ossa_status read_mesh(tangent_search *search, const ossai_document_mesh *mesh)
{
	const json_t *meshes = json_object_get(search->kept.document->root, "meshes");
	const json_t *primitives = json_object_get(json_array_get(meshes, mesh->mesh), "primitives");
	for (size_t p = 0; p < mesh->primitive_count; p++)
		OSSAI_TRY(read_primitive(search, mesh, p, json_array_get(primitives, p)));
	return OSSA_OK;
}

static ossa_status read_file(tangent_search *search)
{
	const ossa_document *document = search->kept.document;
	ossa_status status = OSSA_OK;
	OSSAI_TRY(ossai_kept_open_file(&search->kept, &search->file));
	for (size_t m = 0; m < document->mesh_count && status == OSSA_OK; m++) status = read_mesh(search, &document->meshes[m]);
	ossai_kept_close_file(&search->file);
	return status;
}

static bool is_where_it_was(const ossa_mesh *mesh, const ossa_document *document)
{
	return memcmp(document->positions, mesh->positions, 3 * mesh->vertex_count * sizeof *mesh->positions) == 0;
}

ossa_status ossai_glb_find_tangents(ossai_glb_writer *writer, const ossa_mesh *mesh, float **tangents)
{
	tangent_search search = {.kept = {.writer = writer, .document = mesh->document}, .is_single = true};
	*tangents = NULL;
	if (!mesh->document || mesh->document->vertex_count != mesh->vertex_count) return OSSA_OK;
	search.tangents = ossai_arena_zero(&writer->arena, mesh->vertex_count, 4 * sizeof *search.tangents);
	if (!search.tangents) return ossa_context_error(writer->context)->status;
	if (!is_where_it_was(mesh, mesh->document))
		OSSAI_TRY(ossai_kept_gradients(&writer->arena, mesh, mesh->document->positions, &search.gradients));
	OSSAI_TRY(read_file(&search));
	if (search.is_single) *tangents = search.tangents;
	return OSSA_OK;
}

static const float *tangent_of(const ossai_object_part *part, const float *tangents, size_t v)
{
	return tangents + 4 * (part->vertices ? (size_t)part->vertices[v] : v);
}

ossa_status ossai_glb_part_tangents(
	ossai_glb_writer *writer, const ossai_object_part *part, const float *tangents, const float **of_part, bool *is_partial)
{
	const size_t count = part->mesh->vertex_count;
	size_t found = 0;
	*of_part = NULL;
	*is_partial = false;
	if (!tangents) return OSSA_OK;
	float *own = ossai_arena_new(&writer->arena, count, 4 * sizeof *own);
	if (!own) return ossa_context_error(writer->context)->status;
	for (size_t v = 0; v < count; v++) {
		const float *from = tangent_of(part, tangents, v);
		memcpy(own + 4 * v, from, 4 * sizeof *own);
		found += from[3] != 0;
	}
	*is_partial = found > 0 && found < count;
	if (found == count) *of_part = own;
	return OSSA_OK;
}
