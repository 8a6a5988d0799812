/* scene/object_parts.c: a mesh for each object of a mesh: see objects.h.

   Place in the path: called by writers of formats with nodes.
   Input: a mesh with objects.
   Output: for each a mesh with what its polygons use, numbered in the order of the whole. */
#include "base/csr.h"
#include "base/order.h"
#include "base/scan.h"
#include "math/affine.h"
#include "scene/names.h"
#include "scene/objects.h"
#include "scene/reverse.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

typedef struct splitting {
	ossai_arena *arena; /* of the result */
	ossai_arena scratch;
	const ossa_mesh *mesh;
	const float *positions; /* or NULL */
	ossai_axes axes;
	ossai_csr polygons; /* of each object */
	ossai_csr vertices; /* of each object those that no object before it uses, rising */
	/* by vertex, texture coordinate or normal of the mesh: its number in the part; OSSA_NONE
	   between uses */
	uint32_t *numbers;
} splitting;

/* one part while it is made */
typedef struct part_job {
	splitting *s;
	const uint32_t *polygons; /* of the object */
	ossa_mesh *mesh;
	ossai_object_part *part;
	bool is_moved;    /* it is in its own axes */
	ossai_rigid back; /* from the whole mesh's space to the part's */
} part_job;

static ossa_status last_error(const splitting *s) { return ossa_context_error(s->arena->context)->status; }

/* ---- what belongs to which object ---- */

/* by vertex: the object of its first polygon; one without any: that of the vertex before it */
static void find_objects(const ossa_mesh *mesh, uint32_t *object_of)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) object_of[v] = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			uint32_t *object = &object_of[mesh->corner_vertex[c]];
			if (*object == OSSA_NONE) *object = mesh->polygon_object[p];
		}
	}
	uint32_t before = mesh->polygon_count > 0 ? mesh->polygon_object[0] : 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		if (object_of[v] == OSSA_NONE) object_of[v] = before;
		before = object_of[v];
	}
}

static ossa_status sort_all(splitting *s)
{
	const ossa_mesh *mesh = s->mesh;
	uint32_t *object_of = ossai_arena_new(&s->scratch, mesh->vertex_count, sizeof *object_of);
	size_t most = mesh->vertex_count > mesh->normal_count ? mesh->vertex_count : mesh->normal_count;
	for (size_t i = 0; i < ossai_uv_count(mesh); i++) {
		if (ossai_uvs_at(mesh, i).count > most) most = ossai_uvs_at(mesh, i).count;
	}
	s->numbers = ossai_arena_new(&s->scratch, most, sizeof *s->numbers);
	if (!object_of || !s->numbers) return last_error(s);
	if (most > 0) memset(s->numbers, 0xff, most * sizeof *s->numbers);
	find_objects(mesh, object_of);
	OSSAI_TRY(ossai_csr_of_keys(&s->scratch, mesh->object_count, mesh->vertex_count, object_of, &s->vertices));
	return ossai_csr_of_keys(&s->scratch, mesh->object_count, mesh->polygon_count, mesh->polygon_object, &s->polygons);
}

/* ---- polygons ---- */

static ossa_status take_polygons(part_job *job)
{
	const splitting *s = job->s;
	const ossa_mesh *mesh = s->mesh;
	ossa_mesh *to = job->mesh;
	size_t corners = 0, triangles = 0;
	to->polygon_start = ossai_arena_new(s->arena, to->polygon_count + 1, sizeof *to->polygon_start);
	if (mesh->polygon_material)
		to->polygon_material = ossai_arena_new(s->arena, to->polygon_count, sizeof *to->polygon_material);
	if (!to->polygon_start || (mesh->polygon_material && !to->polygon_material)) return last_error(s);
	for (size_t i = 0; i < to->polygon_count; i++) {
		const uint32_t p = job->polygons[i];
		to->polygon_start[i] = (uint32_t)corners;
		corners += mesh->polygon_start[p + 1] - mesh->polygon_start[p];
		if (mesh->polygon_material) to->polygon_material[i] = mesh->polygon_material[p];
	}
	to->polygon_start[to->polygon_count] = (uint32_t)corners;
	to->corner_count = corners;
	to->triangle_count = corners - 2 * to->polygon_count;
	uint32_t *rows = ossai_arena_new(s->arena, to->triangle_count, sizeof *rows);
	to->triangle_corners = ossai_arena_new(s->arena, to->triangle_count, 3 * sizeof *to->triangle_corners);
	if (!rows || !to->triangle_corners) return last_error(s);
	for (size_t i = 0; i < to->polygon_count; i++) {
		const uint32_t p = job->polygons[i], first = mesh->polygon_start[p], end = mesh->polygon_start[p + 1];
		/* a polygon of n corners has n - 2 triangles, in the order of the polygons */
		for (size_t t = first - 2 * (size_t)p; t < end - 2 * ((size_t)p + 1); t++, triangles++) {
			rows[triangles] = (uint32_t)t;
			for (size_t k = 0; k < 3; k++)
				to->triangle_corners[3 * triangles + k] = mesh->triangle_corners[3 * t + k] - first + to->polygon_start[i];
		}
	}
	job->part->triangles = rows;
	return OSSA_OK;
}

/* the values of the object's corners */
static uint32_t *take_corners(const part_job *job, const uint32_t *of_corner)
{
	const ossa_mesh *mesh = job->s->mesh;
	uint32_t *to = ossai_arena_new(job->s->arena, job->mesh->corner_count, sizeof *to);
	for (size_t i = 0; to && i < job->mesh->polygon_count; i++) {
		const uint32_t first = mesh->polygon_start[job->polygons[i]];
		const uint32_t at = job->mesh->polygon_start[i], size = job->mesh->polygon_start[i + 1] - at;
		memcpy(to + at, of_corner + first, size * sizeof *to);
	}
	return to;
}

/* ---- what corners index ---- */

/* The values that corners name, once and rising, in `list`; corners get numbers in it. */
static ossa_status number_values(const part_job *job, uint32_t *of_corner, uint32_t **list, size_t *count)
{
	uint32_t *numbers = job->s->numbers;
	const size_t corners = job->mesh->corner_count;
	size_t distinct = 0;
	/* found once as 1, then put into the list as 0 */
	for (size_t c = 0; c < corners; c++) {
		if (of_corner[c] == OSSA_NONE || numbers[of_corner[c]] != OSSA_NONE) continue;
		numbers[of_corner[c]] = 1;
		distinct++;
	}
	*list = ossai_arena_new(job->s->arena, distinct, sizeof **list);
	*count = 0;
	if (!*list) return last_error(job->s);
	bool is_rising = true;
	for (size_t c = 0; c < corners; c++) {
		const uint32_t value = of_corner[c];
		if (value == OSSA_NONE || numbers[value] != 1) continue;
		is_rising = is_rising && (*count == 0 || value > (*list)[*count - 1]);
		numbers[value] = 0;
		(*list)[(*count)++] = value;
	}
	if (!is_rising) qsort(*list, *count, sizeof **list, ossai_compare_indices);
	for (size_t i = 0; i < *count; i++) numbers[(*list)[i]] = (uint32_t)i;
	for (size_t c = 0; c < corners; c++) {
		if (of_corner[c] != OSSA_NONE) of_corner[c] = numbers[of_corner[c]];
	}
	for (size_t i = 0; i < *count; i++) numbers[(*list)[i]] = OSSA_NONE;
	return OSSA_OK;
}

/* rows of `width` numbers */
static float *take_rows(const splitting *s, const float *from, const uint32_t *list, size_t count, size_t width)
{
	float *to = ossai_arena_new(s->arena, count, width * sizeof *to);
	for (size_t i = 0; to && i < count; i++) memcpy(to + width * i, from + width * (size_t)list[i], width * sizeof *to);
	return to;
}

static ossa_status take_uvs(const part_job *job, size_t set)
{
	const ossai_uvs uvs = ossai_uvs_at(job->s->mesh, set);
	const ossai_uv_slot slot = ossai_uv_slot_of(job->mesh, set);
	uint32_t *list;
	*slot.of_corner = take_corners(job, uvs.of_corner);
	if (!*slot.of_corner) return last_error(job->s);
	OSSAI_TRY(number_values(job, *slot.of_corner, &list, slot.count));
	*slot.texcoords = take_rows(job->s, uvs.texcoords, list, *slot.count, 2);
	return *slot.texcoords ? OSSA_OK : last_error(job->s);
}

static ossa_status take_normals(const part_job *job)
{
	const ossa_mesh *mesh = job->s->mesh;
	ossa_mesh *to = job->mesh;
	uint32_t *list;
	if (!mesh->corner_normal) return OSSA_OK;
	to->corner_normal = take_corners(job, mesh->corner_normal);
	if (!to->corner_normal) return last_error(job->s);
	OSSAI_TRY(number_values(job, to->corner_normal, &list, &to->normal_count));
	to->normals = take_rows(job->s, mesh->normals, list, to->normal_count, 3);
	if (!to->normals) return last_error(job->s);
	for (size_t i = 0; i < to->normal_count && job->is_moved; i++) {
		const ossai_vec3 n = ossai_affine_normal(&job->back.r, ossai_v3_of_float(to->normals + 3 * i));
		to->normals[3 * i] = (float)n.x;
		to->normals[3 * i + 1] = (float)n.y;
		to->normals[3 * i + 2] = (float)n.z;
	}
	return OSSA_OK;
}

/* ---- vertices ---- */

/* the object's own, and those that it shares with objects before it */
static ossa_status list_vertices(const part_job *job, size_t object, uint32_t **list, size_t *count)
{
	const splitting *s = job->s;
	const size_t own = ossai_csr_size(&s->vertices, object);
	const uint32_t *corners = job->mesh->corner_vertex, *first = s->vertices.item + s->vertices.start[object];
	size_t shared = 0;
	/* found once as 1, then put into the list as 0 */
	for (size_t i = 0; i < own; i++) s->numbers[first[i]] = 0;
	for (size_t c = 0; c < job->mesh->corner_count; c++) {
		if (s->numbers[corners[c]] != OSSA_NONE) continue;
		s->numbers[corners[c]] = 1;
		shared++;
	}
	*list = ossai_arena_new(s->arena, own + shared, sizeof **list);
	if (!*list) return last_error(s);
	memcpy(*list, first, own * sizeof **list);
	*count = own;
	for (size_t c = 0; c < job->mesh->corner_count && shared > 0; c++) {
		if (s->numbers[corners[c]] != 1) continue;
		s->numbers[corners[c]] = 0;
		(*list)[(*count)++] = corners[c];
	}
	if (*count > own) qsort(*list, *count, sizeof **list, ossai_compare_indices);
	return OSSA_OK;
}

static void move_points(const part_job *job, float *points, size_t count)
{
	for (size_t i = 0; i < count && job->is_moved; i++) {
		const ossai_vec3 p = ossai_rigid_point(&job->back, ossai_v3_of_float(points + 3 * i));
		points[3 * i] = (float)p.x;
		points[3 * i + 1] = (float)p.y;
		points[3 * i + 2] = (float)p.z;
	}
}

/* with the numbers of the corners */
static ossa_status take_vertices(const part_job *job, size_t object)
{
	const splitting *s = job->s;
	const ossa_mesh *mesh = s->mesh;
	ossa_mesh *to = job->mesh;
	uint32_t *list;
	to->corner_vertex = take_corners(job, mesh->corner_vertex);
	if (!to->corner_vertex) return last_error(s);
	OSSAI_TRY(list_vertices(job, object, &list, &to->vertex_count));
	const size_t count = to->vertex_count;
	for (size_t i = 0; i < count; i++) s->numbers[list[i]] = (uint32_t)i;
	for (size_t c = 0; c < to->corner_count; c++) to->corner_vertex[c] = s->numbers[to->corner_vertex[c]];
	for (size_t i = 0; i < count; i++) s->numbers[list[i]] = OSSA_NONE;
	float *positions = take_rows(s, s->positions ? s->positions : mesh->positions, list, count, 3);
	if (!positions) return last_error(s);
	move_points(job, positions, count);
	to->positions = positions;
	if (s->positions) job->part->positions = positions;
	for (size_t i = 0; i < ossai_color_count(mesh); i++) {
		float **colors = ossai_color_slot_of(to, i);
		*colors = take_rows(s, ossai_colors_at(mesh, i), list, count, 4);
		if (!*colors) return last_error(s);
	}
	job->part->vertices = list;
	return OSSA_OK;
}

static ossa_status take_triangles(const part_job *job)
{
	ossa_mesh *to = job->mesh;
	to->triangles = ossai_arena_new(job->s->arena, to->triangle_count, 3 * sizeof *to->triangles);
	if (!to->triangles) return last_error(job->s);
	for (size_t i = 0; i < 3 * to->triangle_count; i++) to->triangles[i] = to->corner_vertex[to->triangle_corners[i]];
	if (job->is_moved && ossai_mat3_det(&job->back.r) < 0) ossai_mesh_reverse(to);
	return OSSA_OK;
}

/* Other objects of the mesh may have more sets: the last ones in which no corner of this one has a
   UV, or all its vertices are white, are not its own. */
static void drop_sets(const splitting *s, ossa_mesh *to)
{
	while (to->more_uv_count > 0 && to->more_uvs[to->more_uv_count - 1].texcoord_count == 0)
		to->more_uvs[--to->more_uv_count] = (ossa_uv_set){.texcoord_count = 0};
	if (to->more_uv_count == 0 && s->mesh->corner_texcoord && to->texcoord_count == 0) {
		to->corner_texcoord = NULL;
		to->texcoords = NULL;
	}
	while (to->colors) {
		const size_t last = ossai_color_count(to) - 1;
		if (!ossai_all_within(ossai_colors_at(to, last), 4 * to->vertex_count, 1, 1)) break;
		*ossai_color_slot_of(to, last) = NULL;
		if (last > 0) to->more_color_count--;
	}
}

static ossa_status take_part(part_job *job, size_t object)
{
	const ossa_mesh *mesh = job->s->mesh;
	*job->mesh = (ossa_mesh){.polygon_count = ossai_csr_size(&job->s->polygons, object),
		.material_count = mesh->material_count,
		.materials = mesh->materials,
		.appearance = mesh->appearance,
		.more_uv_count = mesh->more_uv_count,
		.more_color_count = mesh->more_color_count};
	memcpy(job->mesh->uv_name, mesh->uv_name, sizeof mesh->uv_name);
	for (size_t i = 0; i < mesh->more_uv_count; i++)
		memcpy(job->mesh->more_uvs[i].name, mesh->more_uvs[i].name, sizeof mesh->more_uvs[i].name);
	OSSAI_TRY(take_polygons(job));
	OSSAI_TRY(take_vertices(job, object));
	for (size_t i = 0; i < ossai_uv_count(mesh); i++) OSSAI_TRY(take_uvs(job, i));
	OSSAI_TRY(take_normals(job));
	drop_sets(job->s, job->mesh);
	return take_triangles(job);
}

/* ---- all objects ---- */

static void find_axes(part_job *job, const ossa_object *object)
{
	const ossai_rigid own = ossai_rigid_of(object->transform), none = ossai_affine_identity();
	ossai_quat turn;
	double scale[3];
	if (job->s->axes == OSSAI_AXES_MESH || ossai_rigid_same(&own, &none)) return;
	if (job->s->axes == OSSAI_AXES_RIGHT_ANGLED && !ossai_affine_split(&own, &turn, scale)) return;
	job->is_moved = ossai_affine_inverse(&own, &job->back);
	if (job->is_moved) job->part->transform = own;
}

static ossa_status make_parts(splitting *s, ossai_object_parts *parts)
{
	const ossa_mesh *mesh = s->mesh;
	ossa_mesh *meshes = ossai_arena_new(s->arena, mesh->object_count, sizeof *meshes);
	char(*names)[64] = ossai_arena_new(&s->scratch, mesh->object_count, sizeof *names);
	parts->items = ossai_arena_new(s->arena, mesh->object_count, sizeof *parts->items);
	if (!meshes || !names || !parts->items) return last_error(s);
	OSSAI_TRY(sort_all(s));
	for (size_t o = 0; o < mesh->object_count; o++) {
		if (ossai_csr_size(&s->polygons, o) == 0) continue;
		ossai_object_part *part = &parts->items[parts->count];
		*part = (ossai_object_part){
			.mesh = &meshes[parts->count], .object = &mesh->objects[o], .transform = ossai_affine_identity()};
		part_job job = {.s = s,
			.polygons = s->polygons.item + s->polygons.start[o],
			.mesh = &meshes[parts->count],
			.part = part,
			.back = ossai_affine_identity()};
		find_axes(&job, &mesh->objects[o]);
		OSSAI_TRY(take_part(&job, o));
		const char *name = mesh->objects[o].name[0] ? mesh->objects[o].name : mesh->name;
		memcpy(names[parts->count++], name, sizeof *names);
	}
	OSSAI_TRY(ossai_names_apart(s->arena->context, parts->count, names));
	for (size_t i = 0; i < parts->count; i++) memcpy(meshes[i].name, names[i], sizeof *names);
	return ossai_object_morphs(s->arena, mesh, parts, meshes);
}

/* the mesh as its only part */
static ossa_status take_whole(ossai_arena *arena, const ossa_mesh *mesh, const float *positions, ossai_object_parts *parts)
{
	parts->items = ossai_arena_new(arena, 1, sizeof *parts->items);
	if (!parts->items) return ossa_context_error(arena->context)->status;
	parts->items[0] = (ossai_object_part){.mesh = mesh, .positions = positions, .transform = ossai_affine_identity()};
	parts->count = 1;
	return OSSA_OK;
}

ossa_status ossai_objects_split(
	ossai_arena *arena, const ossa_mesh *mesh, const float *positions, ossai_axes axes, ossai_object_parts *parts)
{
	*parts = (ossai_object_parts){0};
	if (mesh->object_count == 0 || mesh->polygon_count == 0) return take_whole(arena, mesh, positions, parts);
	splitting s = {
		.arena = arena, .scratch = ossai_arena_begin(arena->context), .mesh = mesh, .positions = positions, .axes = axes};
	const ossa_status status = make_parts(&s, parts);
	ossai_arena_end(&s.scratch);
	return status;
}

/* ---- what belongs to a part's vertices ---- */

ossa_status ossai_object_weights(
	ossai_arena *arena, const ossai_object_part *part, const ossa_weights *weights, ossa_weights *own)
{
	*own = *weights;
	if (!part->vertices) return OSSA_OK;
	const size_t width = (size_t)weights->influences, count = part->mesh->vertex_count;
	own->vertex_count = count;
	own->bones = ossai_arena_new(arena, count, width * sizeof *own->bones);
	own->values = ossai_arena_new(arena, count, width * sizeof *own->values);
	if (!own->bones || !own->values) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < count; i++) {
		const size_t from = width * part->vertices[i];
		memcpy(own->bones + width * i, weights->bones + from, width * sizeof *own->bones);
		memcpy(own->values + width * i, weights->values + from, width * sizeof *own->values);
	}
	return OSSA_OK;
}
