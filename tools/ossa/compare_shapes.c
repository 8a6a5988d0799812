/* tools/ossa/compare_shapes.c: the corrective shapes of a rig on the mesh that it is compared on.

   Place in the path: the top, for `ossa compare`.
   Input: a rig as its file has it, for each vertex of the other mesh the corresponding one.
   Output: morph targets with drivers of the other mesh. */
#include "compare.h"

#include <string.h>

/* by vertex of the rig's mesh: its place in the shape, or OSSA_NONE */
static void list_places(const ossa_morph *shape, size_t vertices, uint32_t *place)
{
	for (size_t v = 0; v < vertices; v++) place[v] = OSSA_NONE;
	for (size_t i = 0; i < shape->count; i++) place[shape->vertices[i]] = (uint32_t)i;
}

/* the mesh owns it, whole or not */
static ossa_status copy_shape(
	command_run *run, const ossa_morph *from, const uint32_t *match, const uint32_t *place, ossa_mesh *mesh)
{
	ossa_morph *to = &mesh->morphs[mesh->morph_count++];
	size_t count = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) count += place[match[v]] != OSSA_NONE;
	*to = *from;
	to->count = 0;
	to->vertices = ossa_alloc(run->context, count, sizeof *to->vertices);
	to->deltas = ossa_alloc(run->context, count, 3 * sizeof *to->deltas);
	if (!to->vertices || !to->deltas) return ossa_context_error(run->context)->status;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const uint32_t i = place[match[v]];
		if (i == OSSA_NONE) continue;
		to->vertices[to->count] = (uint32_t)v;
		memcpy(to->deltas + 3 * to->count++, from->deltas + 3 * (size_t)i, 3 * sizeof *to->deltas);
	}
	return OSSA_OK;
}

static ossa_status copy_all(command_run *run, const ossa_mesh *from, const uint32_t *match, ossa_mesh *mesh)
{
	ossa_status status = OSSA_OK;
	uint32_t *place = ossa_alloc(run->context, from->vertex_count, sizeof *place);
	if (!place) return ossa_context_error(run->context)->status;
	for (size_t m = 0; status == OSSA_OK && m < from->morph_count; m++) {
		if (!from->morphs[m].driver.bone[0]) continue;
		list_places(&from->morphs[m], from->vertex_count, place);
		status = copy_shape(run, &from->morphs[m], match, place, mesh);
	}
	ossa_free(run->context, place);
	return status;
}

ossa_status compare_copy_shapes(command_run *run, const ossa_rig *from, const uint32_t *match, ossa_rig *to)
{
	ossa_mesh *mesh = to->mesh;
	const size_t more = ossa_rig_shape_count(from);
	if (more == 0) return OSSA_OK;
	ossa_morph *morphs = ossa_alloc(run->context, mesh->morph_count + more, sizeof *morphs);
	if (!morphs) return ossa_context_error(run->context)->status;
	if (mesh->morph_count > 0) memcpy(morphs, mesh->morphs, mesh->morph_count * sizeof *morphs);
	ossa_free(run->context, mesh->morphs);
	mesh->morphs = morphs;
	return copy_all(run, from->mesh, match, mesh);
}
