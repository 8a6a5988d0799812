/* import/gltf/gltf_faces.c: the triangles of a glTF mesh and their materials.

   Place in the path: inside the glTF reader, after the plan of a mesh.
   Input: primitives: lists, strips and fans of triangles.
   Output: the mesh's corners, polygons (each a triangle), triangles and the materials that it uses.
   Source: glTF 2.0 specification, 3.7.2.1. */
#include "base/order.h"
#include "base/scan.h"
#include "import/gltf/gltf_mesh.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

/* ---- corners ---- */

static ossa_status check_indices(const ossai_gltf_plan *plan, const ossai_gltf_primitive *primitive, const uint32_t *indices)
{
	const size_t limit = plan->blocks[primitive->block].count, count = primitive->indices.run.count;
	if (ossai_all_below(indices, count, limit, false)) return OSSA_OK;
	size_t first = 0;
	while (indices[first] < limit) first++;
	return ossai_asset_fail(plan->document->asset, "index %zu of accessor %zu is %u, but there are %zu vertices", first,
		primitive->indices.index, (unsigned)indices[first], limit);
}

/* triangles of a strip or fan of `indices`; every other one of a strip is reversed */
static void unroll(const ossai_gltf_primitive *primitive, const uint32_t *indices, uint32_t *corners)
{
	const bool is_fan = primitive->mode == OSSAI_GLTF_FAN;
	for (size_t t = 0; t < primitive->count; t++) {
		const size_t turned = is_fan ? 0 : t % 2;
		corners[3 * t] = indices[is_fan ? 0 : t];
		corners[3 * t + 1] = indices[t + 1 + turned];
		corners[3 * t + 2] = indices[t + 2 - turned];
	}
}

static ossa_status read_indices(const ossai_gltf_plan *plan, const ossai_gltf_primitive *primitive, uint32_t *to)
{
	if (primitive->is_indexed) {
		OSSAI_TRY(ossai_gltf_integers(plan->document, &primitive->indices, to, 1));
		return check_indices(plan, primitive, to);
	}
	const uint32_t count = (uint32_t)plan->blocks[primitive->block].count;
	for (uint32_t i = 0; i < count; i++) to[i] = i;
	return OSSA_OK;
}

static ossa_status read_corners(const ossai_gltf_plan *plan, const ossai_gltf_primitive *primitive, uint32_t *corners)
{
	const ossai_gltf_block *block = &plan->blocks[primitive->block];
	if (primitive->count == 0) return OSSA_OK;
	if (primitive->mode == OSSAI_GLTF_TRIANGLES) {
		OSSAI_TRY(read_indices(plan, primitive, corners));
	} else {
		uint32_t *indices;
		const size_t count = primitive->is_indexed ? primitive->indices.run.count : block->count;
		OSSAI_TRY(ossai_gltf_scratch(plan->document, &indices, count, sizeof *indices));
		OSSAI_TRY(read_indices(plan, primitive, indices));
		unroll(primitive, indices, corners);
	}
	const uint32_t base = (uint32_t)block->vertex;
	for (size_t i = 0; i < 3 * primitive->count && base > 0; i++) corners[i] += base;
	return OSSA_OK;
}

/* the corners' indices into values that lie in a block as its vertices do, from `first` on; not in
   blocks that have none */
static void shift_corners(const ossai_gltf_plan *plan, const ossai_gltf_primitive *primitive, bool present, size_t first,
	const uint32_t *vertices, uint32_t *to)
{
	/* may wrap around, and back */
	const uint32_t shift = (uint32_t)first - (uint32_t)plan->blocks[primitive->block].vertex;
	const size_t end = 3 * (primitive->triangle + primitive->count);
	for (size_t i = 3 * primitive->triangle; i < end; i++) to[i] = present ? vertices[i] + shift : OSSA_NONE;
}

static void index_looks(const ossai_gltf_plan *plan, const ossa_mesh *mesh)
{
	for (size_t p = 0; p < plan->primitive_count; p++) {
		const ossai_gltf_primitive *primitive = &plan->primitives[p];
		const ossai_gltf_block *block = &plan->blocks[primitive->block];
		const uint32_t *vertices = mesh->corner_vertex;
		if (mesh->normals) shift_corners(plan, primitive, block->has_normals, block->normal, vertices, mesh->corner_normal);
		for (size_t set = 0; set < ossai_uv_count(mesh); set++) {
			uint32_t *to = set == 0 ? mesh->corner_texcoord : mesh->more_uvs[set - 1].corner_texcoord;
			shift_corners(plan, primitive, set < block->uv_count, block->texcoord[set], vertices, to);
		}
	}
}

/* ---- arrays ---- */

static ossa_status allocate(const ossai_gltf_plan *plan, uint32_t **array, size_t count)
{
	*array = ossai_new(plan->document->context, count, sizeof **array);
	return *array ? OSSA_OK : ossa_context_error(plan->document->context)->status;
}

static ossa_status allocate_corners(const ossai_gltf_plan *plan, ossa_mesh *mesh)
{
	const size_t corners = 3 * plan->triangle_count;
	OSSAI_TRY(allocate(plan, &mesh->polygon_start, plan->triangle_count + 1));
	OSSAI_TRY(allocate(plan, &mesh->corner_vertex, corners));
	OSSAI_TRY(allocate(plan, &mesh->triangles, corners));
	OSSAI_TRY(allocate(plan, &mesh->triangle_corners, corners));
	if (mesh->texcoords) OSSAI_TRY(allocate(plan, &mesh->corner_texcoord, corners));
	for (size_t i = 0; i < mesh->more_uv_count; i++) OSSAI_TRY(allocate(plan, &mesh->more_uvs[i].corner_texcoord, corners));
	if (mesh->normals) OSSAI_TRY(allocate(plan, &mesh->corner_normal, corners));
	mesh->corner_count = corners;
	mesh->polygon_count = mesh->triangle_count = plan->triangle_count;
	return OSSA_OK;
}

/* ---- materials ---- */

/* the materials that primitives name, each once, in the file's order */
static ossa_status list_materials(const ossai_gltf_plan *plan, uint32_t **list, size_t *count)
{
	size_t named = 0;
	OSSAI_TRY(ossai_gltf_keep(plan->document, list, plan->primitive_count, sizeof **list));
	for (size_t p = 0; p < plan->primitive_count; p++) {
		const ossai_gltf_primitive *primitive = &plan->primitives[p];
		if (primitive->material != SIZE_MAX && primitive->count > 0) (*list)[named++] = (uint32_t)primitive->material;
	}
	if (named > 0) qsort(*list, named, sizeof **list, ossai_compare_indices);
	*count = 0;
	for (size_t i = 0; i < named; i++) {
		if (i == 0 || (*list)[i] != (*list)[i - 1]) (*list)[(*count)++] = (*list)[i];
	}
	return OSSA_OK;
}

/* `rows`: the materials' numbers in the file, untouched where there are none */
static ossa_status fill_materials(const ossai_gltf_plan *plan, ossa_mesh *mesh, uint32_t **rows)
{
	uint32_t *list;
	size_t count;
	OSSAI_TRY(list_materials(plan, &list, &count));
	if (count == 0) return OSSA_OK;
	mesh->materials = ossa_alloc(plan->document->context, count, sizeof *mesh->materials);
	if (!mesh->materials) return ossa_context_error(plan->document->context)->status;
	mesh->material_count = count;
	*rows = list;
	OSSAI_TRY(allocate(plan, &mesh->polygon_material, mesh->polygon_count));
	for (size_t m = 0; m < count; m++) {
		const json_t *name = json_object_get(ossai_gltf_item(plan->document, "materials", list[m]), "name");
		const ossai_word word = {json_string_value(name), json_string_length(name)};
		if (word.bytes) ossai_name_copy(mesh->materials[m], word);
	}
	for (size_t p = 0; p < plan->primitive_count; p++) {
		const ossai_gltf_primitive *primitive = &plan->primitives[p];
		const uint32_t wanted = (uint32_t)primitive->material;
		const uint32_t *found = bsearch(&wanted, list, count, sizeof *list, ossai_compare_indices);
		const uint32_t slot = primitive->material != SIZE_MAX && found ? (uint32_t)(found - list) : OSSA_NONE;
		for (size_t t = 0; t < primitive->count; t++) mesh->polygon_material[primitive->triangle + t] = slot;
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_fill_faces(const ossai_gltf_plan *plan, ossa_mesh *mesh, uint32_t **rows)
{
	OSSAI_TRY(allocate_corners(plan, mesh));
	for (size_t p = 0; p < plan->primitive_count; p++) {
		const ossai_gltf_primitive *primitive = &plan->primitives[p];
		OSSAI_TRY(read_corners(plan, primitive, mesh->corner_vertex + 3 * primitive->triangle));
	}
	memcpy(mesh->triangles, mesh->corner_vertex, mesh->corner_count * sizeof *mesh->triangles);
	for (size_t i = 0; i < mesh->corner_count; i++) mesh->triangle_corners[i] = (uint32_t)i;
	for (size_t i = 0; i <= mesh->polygon_count; i++) mesh->polygon_start[i] = (uint32_t)(3 * i);
	index_looks(plan, mesh);
	return fill_materials(plan, mesh, rows);
}
