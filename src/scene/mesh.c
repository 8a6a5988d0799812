/* scene/mesh.c: making, copying, checking and freeing meshes. The triangulation is in
   triangulate.c.

   Place in the path: what every reader makes and every stage takes.
   Input and output: ossa_mesh. */
#include "scene/mesh.h"
#include "base/scan.h"
#include "scene/appearance.h"
#include "scene/document.h"
#include "scene/objects.h"
#include "scene/sets.h"

#include <math.h>
#include <string.h>

void ossa_mesh_free(ossa_context *context, ossa_mesh *mesh)
{
	if (!mesh) return;
	ossa_free(context, mesh->positions);
	ossa_free(context, mesh->colors);
	ossa_free(context, mesh->polygon_start);
	ossa_free(context, mesh->polygon_material);
	ossa_free(context, mesh->corner_vertex);
	ossa_free(context, mesh->corner_texcoord);
	ossa_free(context, mesh->corner_normal);
	ossa_free(context, mesh->triangles);
	ossa_free(context, mesh->triangle_corners);
	ossa_free(context, mesh->texcoords);
	ossa_free(context, mesh->normals);
	ossa_free(context, mesh->materials);
	ossai_sets_free(context, mesh);
	ossai_objects_free(context, mesh);
	ossai_morphs_free(context, mesh->morphs, mesh->morph_count);
	ossa_mesh_forget(mesh);
	ossai_appearance_release(mesh->appearance);
	ossa_free(context, mesh);
}

void ossa_mesh_forget(ossa_mesh *mesh)
{
	if (!mesh) return;
	ossai_document_release(mesh->document);
	mesh->document = NULL;
}

/* `*target` becomes a copy of `source`, NULL of NULL */
static ossa_status copy_array(ossa_context *context, void *target_pointer, const void *source, size_t count, size_t size)
{
	void *target = NULL;
	if (source) {
		target = ossai_new(context, count, size);
		if (!target) return ossa_context_error(context)->status;
		memcpy(target, source, count * size);
	}
	memcpy(target_pointer, &target, sizeof target);
	return OSSA_OK;
}

/* ---- creating ---- */

static ossa_status check_sizes(ossa_context *context, size_t vertex_count, size_t corner_count)
{
	if (vertex_count < UINT32_MAX && corner_count < UINT32_MAX) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
		"%zu vertices and %zu face corners: a mesh has at most 4294967294 of each", vertex_count, corner_count);
}

static ossa_status check_positions(ossa_context *context, const float *positions, size_t vertex_count)
{
	if (ossai_all_finite(positions, 3 * vertex_count)) return OSSA_OK;
	for (size_t i = 0; i < 3 * vertex_count; i++) {
		if (isfinite(positions[i])) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.vertex = (int64_t)(i / 3);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite: repair the mesh first");
	}
	return OSSA_OK;
}

/* every index is less than `limit`, or OSSA_NONE where that is allowed; `per` indices make one
   `what` */
static ossa_status check_indices(
	ossa_context *context, const uint32_t *indices, size_t count, size_t limit, bool allow_none, size_t per, const char *what)
{
	if (ossai_all_below(indices, count, limit, allow_none)) return OSSA_OK;
	for (size_t i = 0; i < count; i++) {
		if (indices[i] < limit || (allow_none && indices[i] == OSSA_NONE)) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s %zu has the index %u, but there are only %zu", what, i / per,
			(unsigned)indices[i], limit);
	}
	return OSSA_OK;
}

static ossa_status fill_triangles(ossa_context *context, ossa_mesh *mesh, const float *positions, const uint32_t *triangles)
{
	const size_t count = mesh->triangle_count;
	OSSAI_TRY(copy_array(context, &mesh->positions, positions, mesh->vertex_count, 3 * sizeof *positions));
	OSSAI_TRY(copy_array(context, &mesh->triangles, triangles, count, 3 * sizeof *triangles));
	OSSAI_TRY(copy_array(context, &mesh->corner_vertex, triangles, count, 3 * sizeof *triangles));
	mesh->triangle_corners = ossai_new(context, count, 3 * sizeof *triangles);
	mesh->polygon_start = ossai_new(context, count + 1, sizeof *mesh->polygon_start);
	if (!mesh->triangle_corners || !mesh->polygon_start) return ossa_context_error(context)->status;
	for (size_t i = 0; i < 3 * count; i++) mesh->triangle_corners[i] = (uint32_t)i;
	for (size_t i = 0; i <= count; i++) mesh->polygon_start[i] = (uint32_t)(3 * i);
	return OSSA_OK;
}

ossa_status ossa_mesh_create(ossa_context *context, size_t vertex_count, const float *positions, size_t triangle_count,
	const uint32_t *triangles, ossa_mesh **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, result);
	/* the same arrays serve where there is nothing to copy */
	static const float no_positions[3];
	static const uint32_t no_triangles[3];
	if (vertex_count == 0) positions = no_positions;
	if (triangle_count == 0) triangles = no_triangles;
	OSSAI_NEED(context, positions, triangles);
	OSSAI_TRY(check_sizes(context, vertex_count, triangle_count < UINT32_MAX / 3 ? 3 * triangle_count : SIZE_MAX));
	OSSAI_TRY(check_positions(context, positions, vertex_count));
	OSSAI_TRY(check_indices(context, triangles, 3 * triangle_count, vertex_count, false, 3, "triangle"));
	ossa_mesh *mesh = ossa_alloc(context, 1, sizeof *mesh);
	if (!mesh) return ossa_context_error(context)->status;
	strcpy(mesh->name, "mesh");
	mesh->vertex_count = vertex_count;
	mesh->polygon_count = mesh->triangle_count = triangle_count;
	mesh->corner_count = 3 * triangle_count;
	const ossa_status status = fill_triangles(context, mesh, positions, triangles);
	if (status == OSSA_OK) *result = mesh;
	else ossa_mesh_free(context, mesh);
	return status;
}

/* ---- copying ---- */

static ossa_status copy_arrays(ossa_context *context, const ossa_mesh *from, ossa_mesh *to)
{
	const size_t index = sizeof(uint32_t);
	const struct {
		void *target;
		const void *source;
		size_t count, size;
	} arrays[] = {
		{&to->positions, from->positions, from->vertex_count, 3 * sizeof(float)},
		{&to->colors, from->colors, from->vertex_count, 4 * sizeof(float)},
		{&to->polygon_start, from->polygon_start, from->polygon_count + 1, index},
		{&to->polygon_material, from->polygon_material, from->polygon_count, index},
		{&to->corner_vertex, from->corner_vertex, from->corner_count, index},
		{&to->corner_texcoord, from->corner_texcoord, from->corner_count, index},
		{&to->corner_normal, from->corner_normal, from->corner_count, index},
		{&to->triangles, from->triangles, from->triangle_count, 3 * index},
		{&to->triangle_corners, from->triangle_corners, from->triangle_count, 3 * index},
		{&to->texcoords, from->texcoords, from->texcoord_count, 2 * sizeof(float)},
		{&to->normals, from->normals, from->normal_count, 3 * sizeof(float)},
		{&to->materials, from->materials, from->material_count, sizeof from->materials[0]},
	};
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && status == OSSA_OK; i++) {
		status = copy_array(context, arrays[i].target, arrays[i].source, arrays[i].count, arrays[i].size);
	}
	return status;
}

ossa_status ossa_mesh_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, mesh, result);
	ossa_mesh *copy = ossa_alloc(context, 1, sizeof *copy);
	if (!copy) return ossa_context_error(context)->status;
	memcpy(copy->name, mesh->name, sizeof copy->name);
	memcpy(copy->uv_name, mesh->uv_name, sizeof copy->uv_name);
	copy->vertex_count = mesh->vertex_count;
	copy->polygon_count = mesh->polygon_count;
	copy->corner_count = mesh->corner_count;
	copy->triangle_count = mesh->triangle_count;
	copy->texcoord_count = mesh->texcoord_count;
	copy->normal_count = mesh->normal_count;
	copy->material_count = mesh->material_count;
	if (mesh->document && mesh->document->context == context) copy->document = ossai_document_share(mesh->document);
	if (mesh->appearance && ossai_appearance_context(mesh->appearance) == context)
		copy->appearance = ossai_appearance_share(mesh->appearance);
	ossa_status status = copy_arrays(context, mesh, copy);
	if (status == OSSA_OK) status = ossai_sets_copy(context, mesh, copy);
	if (status == OSSA_OK) status = ossai_objects_copy(context, mesh, copy);
	if (status == OSSA_OK) status = ossai_morphs_copy(context, mesh, copy);
	if (status == OSSA_OK) *result = copy;
	else ossa_mesh_free(context, copy);
	return status;
}

static bool has_same_corners(const ossa_mesh *a, const ossa_mesh *b)
{
	return a->vertex_count == b->vertex_count && a->corner_count == b->corner_count && a->material_count == b->material_count &&
		a->polygon_count == b->polygon_count &&
		(a->corner_count == 0 || memcmp(a->corner_vertex, b->corner_vertex, a->corner_count * sizeof *a->corner_vertex) == 0);
}

ossa_status ossa_mesh_adopt(ossa_context *context, ossa_mesh *mesh, const ossa_mesh *from, bool *adopted)
{
	OSSAI_NEED(context, mesh, from, adopted);
	*adopted = has_same_corners(mesh, from);
	if (!*adopted) return OSSA_OK;
	ossa_mesh_forget(mesh);
	ossai_appearance_release(mesh->appearance);
	ossai_morphs_free(context, mesh->morphs, mesh->morph_count);
	mesh->morphs = NULL;
	mesh->morph_count = 0;
	mesh->document = ossai_document_share(from->document);
	mesh->appearance = ossai_appearance_share(from->appearance);
	ossai_sets_free(context, mesh);
	ossai_objects_free(context, mesh);
	const bool has_first = (mesh->corner_texcoord || from->more_uv_count == 0) && (mesh->colors || from->more_color_count == 0);
	if (has_first) OSSAI_TRY(ossai_sets_copy(context, from, mesh));
	OSSAI_TRY(ossai_objects_copy(context, from, mesh));
	return ossai_morphs_copy(context, from, mesh);
}

/* ---- checking ---- */

static ossa_status fault(ossa_context *context, const char *what)
{
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the mesh is not whole: %s", what);
}

static ossa_status check_present(ossa_context *context, const ossa_mesh *mesh)
{
	if (!mesh->positions && mesh->vertex_count) return fault(context, "it has vertices without positions");
	if (!mesh->polygon_start) return fault(context, "it has no polygon_start");
	if (!mesh->corner_vertex && mesh->corner_count) return fault(context, "it has corners without vertices");
	if ((!mesh->triangles || !mesh->triangle_corners) && mesh->triangle_count) return fault(context, "it has no triangles");
	if (!mesh->texcoords && mesh->texcoord_count) return fault(context, "it has no texture coordinates");
	if (!mesh->normals && mesh->normal_count) return fault(context, "it has no normals");
	if (!mesh->materials && mesh->material_count) return fault(context, "it has no materials");
	if (mesh->appearance && mesh->appearance->material_count != mesh->material_count)
		return fault(context, "its appearance is of another number of materials");
	if (!memchr(mesh->name, 0, sizeof mesh->name)) return fault(context, "its name is not terminated");
	for (size_t i = 0; i < mesh->material_count; i++) {
		if (!memchr(mesh->materials[i], 0, sizeof mesh->materials[i]))
			return fault(context, "a material's name is not terminated");
	}
	return check_sizes(context, mesh->vertex_count, mesh->corner_count);
}

ossa_status ossai_mesh_check_polygons(ossa_context *context, const ossa_mesh *mesh)
{
	if (mesh->polygon_start[0] != 0 || mesh->polygon_start[mesh->polygon_count] != mesh->corner_count) {
		return fault(context, "polygon_start does not go from 0 to the number of corners");
	}
	const bool rising = ossai_all_rising(mesh->polygon_start, mesh->polygon_count + 1, 3);
	for (size_t i = 0; i < mesh->polygon_count && !rising; i++) {
		const uint32_t first = mesh->polygon_start[i], next = mesh->polygon_start[i + 1];
		if (next >= first && next - first >= 3) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "polygon %zu has fewer than 3 corners", i);
	}
	return check_indices(context, mesh->corner_vertex, mesh->corner_count, mesh->vertex_count, false, 1, "corner");
}

static ossa_status check_triangles(ossa_context *context, const ossa_mesh *mesh)
{
	if (mesh->triangle_count != mesh->corner_count - 2 * mesh->polygon_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%zu triangles, but the polygons make %zu: triangulate the mesh",
			mesh->triangle_count, mesh->corner_count - 2 * mesh->polygon_count);
	}
	const size_t count = 3 * mesh->triangle_count;
	OSSAI_TRY(check_indices(context, mesh->triangles, count, mesh->vertex_count, false, 3, "triangle"));
	OSSAI_TRY(check_indices(context, mesh->triangle_corners, count, mesh->corner_count, false, 3, "triangle corners"));
	for (size_t i = 0; i < count; i++) {
		if (mesh->corner_vertex[mesh->triangle_corners[i]] == mesh->triangles[i]) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "triangle %zu and its corners name different vertices", i / 3);
	}
	return OSSA_OK;
}

static ossa_status check_values(
	ossa_context *context, const float *values, size_t count, float low, float high, const char *what)
{
	if (!values || ossai_all_within(values, count, low, high)) return OSSA_OK;
	for (size_t i = 0; i < count; i++) {
		if (values[i] >= low && values[i] <= high) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s value %zu is %g", what, i, (double)values[i]);
	}
	return OSSA_OK;
}

static ossa_status check_attributes(ossa_context *context, const ossa_mesh *mesh)
{
	const float most = 3.40282347e38F;
	OSSAI_TRY(check_values(context, mesh->colors, 4 * mesh->vertex_count, 0, 1, "colour"));
	OSSAI_TRY(check_values(context, mesh->texcoords, 2 * mesh->texcoord_count, -most, most, "texture coordinate"));
	OSSAI_TRY(check_values(context, mesh->normals, 3 * mesh->normal_count, -most, most, "normal"));
	if (mesh->polygon_material) {
		OSSAI_TRY(check_indices(
			context, mesh->polygon_material, mesh->polygon_count, mesh->material_count, true, 1, "material of polygon"));
	}
	if (mesh->corner_texcoord) {
		OSSAI_TRY(check_indices(
			context, mesh->corner_texcoord, mesh->corner_count, mesh->texcoord_count, true, 1, "texture coordinate of corner"));
	}
	if (!mesh->corner_normal) return OSSA_OK;
	return check_indices(context, mesh->corner_normal, mesh->corner_count, mesh->normal_count, true, 1, "normal of corner");
}

ossa_status ossa_mesh_validate(ossa_context *context, const ossa_mesh *mesh)
{
	OSSAI_NEED(context, mesh);
	OSSAI_TRY(check_present(context, mesh));
	OSSAI_TRY(check_positions(context, mesh->positions, mesh->vertex_count));
	OSSAI_TRY(ossai_mesh_check_polygons(context, mesh));
	OSSAI_TRY(check_triangles(context, mesh));
	OSSAI_TRY(ossai_morphs_check(context, mesh));
	OSSAI_TRY(check_attributes(context, mesh));
	OSSAI_TRY(ossai_objects_check(context, mesh));
	return ossai_sets_check(context, mesh);
}

ossa_status ossai_polygons_of_materials(ossai_arena *arena, const ossa_mesh *mesh, ossai_csr *polygons)
{
	OSSAI_TRY(ossai_csr_begin(arena, mesh->material_count + 1, polygons));
	for (size_t p = 0; p < mesh->polygon_count; p++) ossai_csr_count(polygons, ossai_material_slot(mesh, p));
	OSSAI_TRY(ossai_csr_take_items(arena, polygons));
	for (size_t p = 0; p < mesh->polygon_count; p++) ossai_csr_put(polygons, ossai_material_slot(mesh, p), (uint32_t)p);
	return OSSA_OK;
}
