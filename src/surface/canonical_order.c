/* surface/canonical_order.c: see canonical_order.h. */
#include "surface/canonical_order.h"

#include "mesh/weld.h"
#include "query/morton.h"

#include <stdlib.h>
#include <string.h>

typedef struct ordering {
	const ossa_mesh *mesh;
	const ossa_frames *poses;
	ossai_placed_vertex *list; /* V: as they are ordered so far */
	uint32_t *run;             /* V: where the run of equal ones begins that a place is in */
} ordering;

/* ---- vertices ---- */

/* + 0: never -0 */
static void take_place(const float *position, ossai_placed_vertex *to)
{
	for (int k = 0; k < 3; k++) to->place[k] = position[k] + 0.0f;
}

static size_t end_of_run(const ordering *o, size_t begin)
{
	size_t end = begin + 1;
	while (end < o->mesh->vertex_count && o->run[end] == o->run[begin]) end++;
	return end;
}

/* orders a run by the places that its vertices have now, and cuts it where these differ */
static void sort_run(const ordering *o, size_t begin, size_t end)
{
	ossai_sort_by_place(o->list + begin, end - begin);
	for (size_t i = begin; i < end; i++) {
		const bool is_same = i > begin && ossai_compare_places(&o->list[i - 1], &o->list[i]) == 0;
		o->run[i] = is_same ? o->run[i - 1] : (uint32_t)i;
	}
}

/* by the positions of one shape; runs of one vertex are done */
static void sort_by_shape(const ordering *o, const float *positions)
{
	for (size_t begin = 0, end; begin < o->mesh->vertex_count; begin = end) {
		end = end_of_run(o, begin);
		if (end - begin == 1) continue;
		for (size_t i = begin; i < end; i++) take_place(positions + 3 * (size_t)o->list[i].vertex, &o->list[i]);
		sort_run(o, begin, end);
	}
}

/* of equal ones those that a face uses come first: one of them stands for all (mesh/weld.h) */
static void sort_by_use(const ordering *o, const uint8_t *used)
{
	for (size_t begin = 0, end; begin < o->mesh->vertex_count; begin = end) {
		end = end_of_run(o, begin);
		if (end - begin == 1) continue;
		for (size_t i = begin; i < end; i++) o->list[i].place[0] = used[o->list[i].vertex] ? 0 : 1;
		ossai_sort_by_place(o->list + begin, end - begin);
	}
}

static void sort_by_positions(const ordering *o)
{
	const size_t count = o->mesh->vertex_count;
	for (size_t v = 0; v < count; v++) {
		o->list[v].vertex = (uint32_t)v;
		o->run[v] = 0;
	}
	sort_by_shape(o, o->mesh->positions);
	for (size_t k = 0; k < o->poses->frame_count; k++) sort_by_shape(o, o->poses->positions + 3 * k * count);
}

/* Along the curve; of equal codes, which one point's vertices have, those come first that are first
   in the list. first: V, the first vertex of each one's run. */
static ossa_status sort_by_curve(ossai_arena *scratch, const ordering *o, ossai_canonical_order *order, uint32_t *first)
{
	const size_t count = o->mesh->vertex_count;
	float *points = ossai_arena_new(scratch, count, 3 * sizeof *points);
	uint64_t *codes = ossai_arena_new(scratch, count, sizeof *codes);
	if (!points || !codes) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		memcpy(points + 3 * i, o->mesh->positions + 3 * (size_t)o->list[i].vertex, 3 * sizeof *points);
		first[o->list[i].vertex] = o->list[o->run[i]].vertex;
	}
	OSSAI_TRY(ossai_morton_order(scratch->context, count, points, order->vertex, codes));
	for (size_t i = 0; i < count; i++) order->vertex[i] = o->list[order->vertex[i]].vertex;
	for (size_t i = 0; i < count; i++) order->place[order->vertex[i]] = (uint32_t)i;
	return OSSA_OK;
}

/* ---- faces ---- */

typedef struct ordered_face {
	uint32_t corner[3]; /* places, of equal vertices the first one's */
	uint32_t face;
} ordered_face;

static int compare_faces(const void *left, const void *right)
{
	const ordered_face *a = left, *b = right;
	for (int i = 0; i < 3; i++) {
		if (a->corner[i] != b->corner[i]) return a->corner[i] < b->corner[i] ? -1 : 1;
	}
	return (a->face > b->face) - (a->face < b->face);
}

/* the corner that a triangle begins with: the one from where its corners are least */
static int first_corner(const uint32_t corner[3])
{
	int best = 0;
	for (int first = 1; first < 3; first++) {
		for (int i = 0; i < 3; i++) {
			const uint32_t a = corner[(first + i) % 3], b = corner[(best + i) % 3];
			if (a < b) best = first;
			if (a != b) break;
		}
	}
	return best;
}

static ossa_status sort_faces(ossai_arena *scratch, const ossa_mesh *mesh, const uint32_t *first, ossai_canonical_order *order)
{
	ordered_face *list = ossai_arena_new(scratch, mesh->triangle_count, sizeof *list);
	if (!list) return ossa_context_error(scratch->context)->status;
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		uint32_t corner[3];
		for (int i = 0; i < 3; i++) corner[i] = order->place[first[mesh->triangles[3 * f + i]]];
		const int begin = first_corner(corner);
		for (int i = 0; i < 3; i++) list[f].corner[i] = corner[(begin + i) % 3];
		list[f].face = (uint32_t)f;
	}
	qsort(list, mesh->triangle_count, sizeof *list, compare_faces);
	for (size_t f = 0; f < mesh->triangle_count; f++) order->face[f] = list[f].face;
	return OSSA_OK;
}

/* ---- both ---- */

static ossa_status make(ossai_arena *scratch, ordering *o, ossai_canonical_order *order)
{
	const size_t count = o->mesh->vertex_count;
	uint32_t *first = ossai_arena_new(scratch, count, sizeof *first);
	uint8_t *used = ossai_arena_zero(scratch, count, 1);
	o->list = ossai_arena_new(scratch, count, sizeof *o->list);
	o->run = ossai_arena_new(scratch, count, sizeof *o->run);
	if (!first || !used || !o->list || !o->run) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < 3 * o->mesh->triangle_count; i++) used[o->mesh->triangles[i]] = 1;
	sort_by_positions(o);
	sort_by_use(o, used);
	OSSAI_TRY(sort_by_curve(scratch, o, order, first));
	return sort_faces(scratch, o->mesh, first, order);
}

ossa_status ossai_canonical_order_make(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, ossai_canonical_order *order)
{
	*order = (ossai_canonical_order){.vertex = ossai_arena_new(arena, mesh->vertex_count, sizeof *order->vertex),
		.place = ossai_arena_new(arena, mesh->vertex_count, sizeof *order->place),
		.face = ossai_arena_new(arena, mesh->triangle_count, sizeof *order->face)};
	if (!order->vertex || !order->place || !order->face) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ordering o = {.mesh = mesh, .poses = poses};
	const ossa_status status = make(&scratch, &o, order);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- what is ordered ---- */

static void take_positions(const ossai_canonical_order *order, size_t count, const float *from, float *to)
{
	for (size_t i = 0; i < count; i++) memcpy(to + 3 * i, from + 3 * (size_t)order->vertex[i], 3 * sizeof *to);
}

static ossa_status take_arrays(ossai_arena *arena, const ossa_mesh *mesh, ossa_mesh *to)
{
	to->positions = ossai_arena_new(arena, to->vertex_count, 3 * sizeof *to->positions);
	to->polygon_start = ossai_arena_new(arena, to->polygon_count + 1, sizeof *to->polygon_start);
	to->corner_vertex = ossai_arena_new(arena, to->corner_count, sizeof *to->corner_vertex);
	to->triangles = ossai_arena_new(arena, to->triangle_count, 3 * sizeof *to->triangles);
	to->triangle_corners = ossai_arena_new(arena, to->triangle_count, 3 * sizeof *to->triangle_corners);
	const bool all = to->positions && to->polygon_start && to->corner_vertex && to->triangles && to->triangle_corners;
	if (!all) return ossa_context_error(arena->context)->status;
	memcpy(to->polygon_start, mesh->polygon_start, (to->polygon_count + 1) * sizeof *to->polygon_start);
	return OSSA_OK;
}

ossa_status ossai_canonical_order_mesh(
	ossai_arena *arena, const ossa_mesh *mesh, const ossai_canonical_order *order, ossa_mesh *ordered)
{
	*ordered = (ossa_mesh){.vertex_count = mesh->vertex_count,
		.polygon_count = mesh->polygon_count,
		.corner_count = mesh->corner_count,
		.triangle_count = mesh->triangle_count};
	OSSAI_TRY(take_arrays(arena, mesh, ordered));
	take_positions(order, mesh->vertex_count, mesh->positions, ordered->positions);
	for (size_t c = 0; c < mesh->corner_count; c++) ordered->corner_vertex[c] = order->place[mesh->corner_vertex[c]];
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		const uint32_t *corners = mesh->triangle_corners + 3 * (size_t)order->face[f];
		uint32_t place[3];
		for (int i = 0; i < 3; i++) place[i] = ordered->corner_vertex[corners[i]];
		const int begin = first_corner(place);
		for (int i = 0; i < 3; i++) {
			ordered->triangles[3 * f + i] = place[(begin + i) % 3];
			ordered->triangle_corners[3 * f + i] = corners[(begin + i) % 3];
		}
	}
	return OSSA_OK;
}

ossa_status ossai_canonical_order_poses(
	ossai_arena *arena, const ossa_frames *poses, const ossai_canonical_order *order, ossa_frames *ordered)
{
	const size_t count = poses->vertex_count;
	*ordered = *poses;
	ordered->positions = ossai_arena_new(arena, poses->frame_count, 3 * count * sizeof *ordered->positions);
	if (!ordered->positions) return ossa_context_error(arena->context)->status;
	for (size_t k = 0; k < poses->frame_count; k++) {
		take_positions(order, count, poses->positions + 3 * k * count, ordered->positions + 3 * k * count);
	}
	return OSSA_OK;
}
