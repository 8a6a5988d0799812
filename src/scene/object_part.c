/* scene/object_part.c: the mesh of one object: its polygons and what these use.

   Place in the path: inside ossai_objects_split, for each object.
   Input: a mesh, the polygons of the object.
   Output: a mesh of these alone, numbered in the order of the whole. */
#include "scene/object_part.h"
#include "base/order.h"
#include "base/scan.h"
#include "math/affine.h"
#include "scene/reverse.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

static ossa_status last_error(const ossai_splitting *s) { return ossa_context_error(s->arena->context)->status; }

/* ---- polygons ---- */

static ossa_status take_polygons(ossai_part_job *job)
{
	const ossai_splitting *s = job->s;
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
static uint32_t *take_corners(const ossai_part_job *job, const uint32_t *of_corner)
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

/* ---- lists ---- */

/* Sorts values, all of which `numbers` marks with 0, and none else. What an object uses is mostly
   one run of the whole: then the marks are read in order, where that takes fewer steps than
   sorting. */
static void sort_marked(const uint32_t *numbers, uint32_t *list, size_t count)
{
	uint32_t least = OSSA_NONE, largest = 0;
	size_t steps = count, found = 0;
	for (size_t i = 0; i < count; i++) {
		if (list[i] < least) least = list[i];
		if (list[i] > largest) largest = list[i];
	}
	for (size_t rest = count; rest > 1; rest /= 2) steps += count;
	if (count == 0) return;
	if (largest - least > steps) {
		qsort(list, count, sizeof *list, ossai_compare_indices);
		return;
	}
	for (size_t value = least; value <= largest; value++) {
		if (numbers[value] == 0) list[found++] = (uint32_t)value;
	}
}

/* ---- what corners index ---- */

/* The values that corners name, once and rising, in `list`; corners get numbers in it. */
static ossa_status number_values(const ossai_part_job *job, uint32_t *of_corner, uint32_t **list, size_t *count)
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
	if (!is_rising) sort_marked(numbers, *list, *count);
	for (size_t i = 0; i < *count; i++) numbers[(*list)[i]] = (uint32_t)i;
	for (size_t c = 0; c < corners; c++) {
		if (of_corner[c] != OSSA_NONE) of_corner[c] = numbers[of_corner[c]];
	}
	for (size_t i = 0; i < *count; i++) numbers[(*list)[i]] = OSSA_NONE;
	return OSSA_OK;
}

/* rows of `width` numbers */
static float *take_rows(const ossai_splitting *s, const float *from, const uint32_t *list, size_t count, size_t width)
{
	float *to = ossai_arena_new(s->arena, count, width * sizeof *to);
	for (size_t i = 0; to && i < count; i++) memcpy(to + width * i, from + width * (size_t)list[i], width * sizeof *to);
	return to;
}

static ossa_status take_uvs(const ossai_part_job *job, size_t set)
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

static ossa_status take_normals(const ossai_part_job *job)
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
static ossa_status list_vertices(const ossai_part_job *job, size_t object, uint32_t **list, size_t *count)
{
	const ossai_splitting *s = job->s;
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
	if (*count > own) sort_marked(s->numbers, *list, *count);
	return OSSA_OK;
}

static void move_points(const ossai_part_job *job, float *points, size_t count)
{
	for (size_t i = 0; i < count && job->is_moved; i++) {
		const ossai_vec3 p = ossai_rigid_point(&job->back, ossai_v3_of_float(points + 3 * i));
		points[3 * i] = (float)p.x;
		points[3 * i + 1] = (float)p.y;
		points[3 * i + 2] = (float)p.z;
	}
}

/* with the numbers of the corners */
static ossa_status take_vertices(const ossai_part_job *job, size_t object)
{
	const ossai_splitting *s = job->s;
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

static ossa_status take_triangles(const ossai_part_job *job)
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
static void drop_sets(const ossai_splitting *s, ossa_mesh *to)
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

ossa_status ossai_object_part_take(ossai_part_job *job, size_t object)
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
