/* scene/builder.c: growing a mesh while a file is read: see builder.h.

   Place in the path: between the readers of formats and ossa_mesh. */
#include "scene/builder.h"
#include "scene/names.h"

#include <math.h>
#include <string.h>

/* twice the area of a face, relative to the square of its longest edge, up to which it counts as
   having none */
static const double flat_face = 1e-10;

ossa_status ossai_builder_begin(ossa_context *context, const ossai_source *source, ossai_parts parts, ossai_builder *builder)
{
	*builder = (ossai_builder){.context = context, .path = source->path, .parts = parts, .material = OSSA_NONE};
	const ossai_place place = ossai_in_file(source->path);
	if (source->size == 0) return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is empty: export it again");
	builder->mesh = ossa_alloc(context, 1, sizeof *builder->mesh);
	if (!builder->mesh) return ossa_context_error(context)->status;
	ossai_name_of_path(builder->mesh->name, source->path);
	const ossa_status status = ossai_builder_expect(builder, 0, 15, 0);
	if (status == OSSA_OK) builder->mesh->polygon_start[0] = 0;
	else ossai_builder_abort(builder);
	return status;
}

void ossai_builder_abort(ossai_builder *builder)
{
	ossa_mesh_free(builder->context, builder->mesh);
	ossa_free(builder->context, builder->material_keys.slots);
	ossa_free(builder->context, builder->material_keys.keys);
	ossa_free(builder->context, builder->object_keys.slots);
	ossa_free(builder->context, builder->object_keys.keys);
	ossa_free(builder->context, builder->runs);
	*builder = (ossai_builder){.context = builder->context};
}

/* ---- growing ---- */

static ossa_status resize(ossai_builder *builder, void *array_pointer, size_t count, size_t size)
{
	void *array;
	memcpy(&array, array_pointer, sizeof array);
	array = ossai_resize(builder->context, array, count, size);
	if (!array) return ossa_context_error(builder->context)->status;
	memcpy(array_pointer, &array, sizeof array);
	return OSSA_OK;
}

/* capacity grows by half, so that appending costs constant time */
static size_t grown_capacity(size_t capacity) { return capacity + capacity / 2 + 64; }

static ossa_status set_vertex_capacity(ossai_builder *builder, size_t capacity)
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(resize(builder, &mesh->positions, capacity, 3 * sizeof(float)));
	if (mesh->colors) OSSAI_TRY(resize(builder, &mesh->colors, capacity, 4 * sizeof(float)));
	builder->vertex_capacity = capacity;
	return OSSA_OK;
}

static ossa_status set_corner_capacity(ossai_builder *builder, size_t capacity)
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(resize(builder, &mesh->corner_vertex, capacity, sizeof(uint32_t)));
	if (mesh->corner_texcoord) OSSAI_TRY(resize(builder, &mesh->corner_texcoord, capacity, sizeof(uint32_t)));
	if (mesh->corner_normal) OSSAI_TRY(resize(builder, &mesh->corner_normal, capacity, sizeof(uint32_t)));
	builder->corner_capacity = capacity;
	return OSSA_OK;
}

static ossa_status set_polygon_capacity(ossai_builder *builder, size_t capacity)
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(resize(builder, &mesh->polygon_start, capacity + 1, sizeof(uint32_t)));
	if (mesh->polygon_material) OSSAI_TRY(resize(builder, &mesh->polygon_material, capacity, sizeof(uint32_t)));
	builder->polygon_capacity = capacity;
	return OSSA_OK;
}

ossa_status ossai_builder_expect(ossai_builder *builder, size_t vertices, size_t polygons, size_t corners)
{
	const ossa_mesh *mesh = builder->mesh;
	if (vertices) OSSAI_TRY(set_vertex_capacity(builder, mesh->vertex_count + vertices));
	if (polygons) OSSAI_TRY(set_polygon_capacity(builder, mesh->polygon_count + polygons));
	if (corners) OSSAI_TRY(set_corner_capacity(builder, mesh->corner_count + corners));
	return OSSA_OK;
}

static ossa_status too_many(const ossai_builder *builder, const char *what)
{
	const ossai_place place = ossai_in_file(builder->path);
	return ossai_fail(builder->context, OSSA_ERROR_LIMIT, &place, "has more than 4294967294 %s: split the file", what);
}

/* ---- vertices and what belongs to them ---- */

ossa_status ossai_builder_vertex(ossai_builder *builder, const float position[3])
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->vertex_count == builder->vertex_capacity)
		OSSAI_TRY(set_vertex_capacity(builder, grown_capacity(builder->vertex_capacity)));
	if (mesh->vertex_count == UINT32_MAX - 1) return too_many(builder, "vertices");
	memcpy(mesh->positions + 3 * mesh->vertex_count, position, 3 * sizeof(float));
	if (mesh->colors) {
		/* white until the file says otherwise */
		for (int k = 0; k < 4; k++) mesh->colors[4 * mesh->vertex_count + (size_t)k] = 1;
	}
	mesh->vertex_count++;
	return OSSA_OK;
}

float ossai_builder_finite(ossai_builder *builder, float value)
{
	if (isfinite(value)) return value;
	builder->not_finite_count++;
	return 0;
}

ossa_status ossai_builder_color(ossai_builder *builder, const float rgba[4])
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	if (!mesh->colors) {
		OSSAI_TRY(resize(builder, &mesh->colors, builder->vertex_capacity, 4 * sizeof(float)));
		for (size_t i = 0; i < 4 * mesh->vertex_count; i++) mesh->colors[i] = 1;
	}
	for (size_t k = 0; k < 4; k++) mesh->colors[4 * (mesh->vertex_count - 1) + k] = ossai_builder_finite(builder, rgba[k]);
	return OSSA_OK;
}

ossa_status ossai_builder_texcoord(ossai_builder *builder, float u, float v)
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->texcoord_count == builder->texcoord_capacity) {
		OSSAI_TRY(resize(builder, &mesh->texcoords, grown_capacity(builder->texcoord_capacity), 2 * sizeof(float)));
		builder->texcoord_capacity = grown_capacity(builder->texcoord_capacity);
	}
	if (mesh->texcoord_count == UINT32_MAX - 1) return too_many(builder, "texture coordinates");
	mesh->texcoords[2 * mesh->texcoord_count] = ossai_builder_finite(builder, u);
	mesh->texcoords[2 * mesh->texcoord_count + 1] = ossai_builder_finite(builder, v);
	mesh->texcoord_count++;
	return OSSA_OK;
}

ossa_status ossai_builder_normal(ossai_builder *builder, const float normal[3])
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->normal_count == builder->normal_capacity) {
		OSSAI_TRY(resize(builder, &mesh->normals, grown_capacity(builder->normal_capacity), 3 * sizeof(float)));
		builder->normal_capacity = grown_capacity(builder->normal_capacity);
	}
	if (mesh->normal_count == UINT32_MAX - 1) return too_many(builder, "normals");
	for (size_t k = 0; k < 3; k++) mesh->normals[3 * mesh->normal_count + k] = ossai_builder_finite(builder, normal[k]);
	mesh->normal_count++;
	return OSSA_OK;
}

/* ---- faces ---- */

/* an index array per corner that comes into being with its first index */
static ossa_status set_corner_index(ossai_builder *builder, uint32_t **array, size_t corner, uint32_t index)
{
	if (!*array) {
		if (index == OSSA_NONE) return OSSA_OK;
		OSSAI_TRY(resize(builder, array, builder->corner_capacity, sizeof(uint32_t)));
		for (size_t i = 0; i < corner; i++) (*array)[i] = OSSA_NONE;
	}
	(*array)[corner] = index;
	return OSSA_OK;
}

ossa_status ossai_builder_corner(ossai_builder *builder, uint32_t vertex, uint32_t texcoord, uint32_t normal)
{
	ossa_mesh *mesh = builder->mesh;
	const size_t corner = mesh->corner_count;
	if (corner == builder->corner_capacity) OSSAI_TRY(set_corner_capacity(builder, grown_capacity(builder->corner_capacity)));
	if (corner == UINT32_MAX - 1) return too_many(builder, "face corners");
	mesh->corner_vertex[corner] = vertex;
	if (builder->parts == OSSAI_PARTS_ALL) {
		OSSAI_TRY(set_corner_index(builder, &mesh->corner_texcoord, corner, texcoord));
		OSSAI_TRY(set_corner_index(builder, &mesh->corner_normal, corner, normal));
	}
	mesh->corner_count++;
	return OSSA_OK;
}

ossa_status ossai_builder_polygon(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->polygon_count == builder->polygon_capacity)
		OSSAI_TRY(set_polygon_capacity(builder, grown_capacity(builder->polygon_capacity)));
	if (mesh->polygon_material) mesh->polygon_material[mesh->polygon_count] = builder->material;
	mesh->polygon_start[++mesh->polygon_count] = (uint32_t)mesh->corner_count;
	return OSSA_OK;
}

/* ---- the end ---- */

/* an index beyond the attribute's values is no reason to refuse a mesh: it does not affect the
   shape */
void ossai_builder_drop_bad(ossai_builder *builder, uint32_t *indices, size_t count, const char *code, const char *what)
{
	int64_t bad = 0;
	for (size_t i = 0; indices && i < builder->mesh->corner_count; i++) {
		if (indices[i] < count || indices[i] == OSSA_NONE) continue;
		indices[i] = OSSA_NONE;
		bad++;
	}
	if (bad) {
		ossai_warn(builder->context, code, bad, "%s: face corners name %s that the file does not hold; they go without",
			builder->path, what);
	}
}

/* a polygon that repeats a vertex or has no area */
static bool is_degenerate(const ossa_mesh *mesh, size_t polygon)
{
	const uint32_t first = mesh->polygon_start[polygon], last = mesh->polygon_start[polygon + 1];
	const float *origin = mesh->positions + 3 * (size_t)mesh->corner_vertex[first];
	double normal[3] = {0, 0, 0}, longest = 0;
	for (uint32_t i = first; i < last; i++) {
		const uint32_t v = mesh->corner_vertex[i], w = mesh->corner_vertex[i + 1 < last ? i + 1 : first];
		if (v == w) return true;
		const float *p = mesh->positions + 3 * (size_t)v, *q = mesh->positions + 3 * (size_t)w;
		double a[3], b[3], edge = 0;
		for (int k = 0; k < 3; k++) {
			a[k] = (double)p[k] - origin[k];
			b[k] = (double)q[k] - origin[k];
			edge += (b[k] - a[k]) * (b[k] - a[k]);
		}
		longest = fmax(longest, edge);
		for (int k = 0; k < 3; k++) normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
	}
	return !(sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) > flat_face * longest);
}

static void count_degenerate(ossai_builder *builder)
{
	int64_t count = 0;
	size_t first = 0;
	for (size_t i = builder->mesh->polygon_count; i-- > 0;) {
		if (!is_degenerate(builder->mesh, i)) continue;
		count++;
		first = i;
	}
	if (count) {
		ossai_warn(builder->context, "degenerate-faces", count,
			"%s: face %zu (counted from 0) repeats a vertex or has no area; such faces are kept", builder->path, first);
	}
}

/* indices without values and values without indices are dropped */
static void drop_unused(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	if (!mesh->corner_texcoord || !mesh->texcoords) {
		ossa_free(builder->context, mesh->corner_texcoord);
		ossa_free(builder->context, mesh->texcoords);
		mesh->corner_texcoord = NULL;
		mesh->texcoords = NULL;
		mesh->texcoord_count = 0;
	}
	if (!mesh->corner_normal || !mesh->normals) {
		ossa_free(builder->context, mesh->corner_normal);
		ossa_free(builder->context, mesh->normals);
		mesh->corner_normal = NULL;
		mesh->normals = NULL;
		mesh->normal_count = 0;
	}
}

/* arrays as long as what is in them */
static ossa_status trim(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(set_vertex_capacity(builder, mesh->vertex_count));
	OSSAI_TRY(set_corner_capacity(builder, mesh->corner_count));
	OSSAI_TRY(set_polygon_capacity(builder, mesh->polygon_count));
	if (mesh->texcoords) OSSAI_TRY(resize(builder, &mesh->texcoords, mesh->texcoord_count, 2 * sizeof(float)));
	if (mesh->normals) OSSAI_TRY(resize(builder, &mesh->normals, mesh->normal_count, 3 * sizeof(float)));
	if (mesh->materials) OSSAI_TRY(resize(builder, &mesh->materials, mesh->material_count, sizeof mesh->materials[0]));
	return OSSA_OK;
}

static ossa_status finish(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	const ossai_place place = ossai_in_file(builder->path);
	if (mesh->vertex_count == 0) {
		return ossai_fail(
			builder->context, OSSA_ERROR_INPUT, &place, "has no vertices: export it again, with the mesh selected");
	}
	if (builder->parts == OSSAI_PARTS_POSITIONS) return OSSA_OK;
	if (mesh->polygon_count == 0) {
		return ossai_fail(builder->context, OSSA_ERROR_INPUT, &place,
			"has %zu vertices and no faces: ossa needs a surface; export it again with faces", mesh->vertex_count);
	}
	if (builder->parts == OSSAI_PARTS_FACES) return OSSA_OK;
	OSSAI_TRY(ossai_builder_end_objects(builder));
	ossai_builder_drop_bad(builder, mesh->corner_texcoord, mesh->texcoord_count, "bad-texcoord-index", "texture coordinates");
	ossai_builder_drop_bad(builder, mesh->corner_normal, mesh->normal_count, "bad-normal-index", "normals");
	OSSAI_TRY(ossai_builder_end_sets(builder));
	drop_unused(builder);
	OSSAI_TRY(trim(builder));
	OSSAI_TRY(ossai_material_names_apart(builder->context, mesh->material_count, mesh->materials));
	if (builder->not_finite_count) {
		ossai_warn(builder->context, "attribute-not-finite", builder->not_finite_count,
			"%s: colours, texture coordinates or normals that are not finite are taken as 0", builder->path);
	}
	count_degenerate(builder);
	return ossa_mesh_triangulate(builder->context, mesh);
}

ossa_status ossai_builder_end(ossai_builder *builder, ossa_status status, ossa_mesh **mesh)
{
	*mesh = NULL;
	if (status == OSSA_OK) status = finish(builder);
	if (status == OSSA_OK) {
		*mesh = builder->mesh;
		builder->mesh = NULL;
	}
	ossai_builder_abort(builder);
	return status;
}
