/* mesh/weld.c: see weld.h. */
#include "mesh/weld.h"

#include <stdlib.h>

typedef struct welding {
	size_t vertex_count, pose_count;
	const uint8_t *used;
	const float *poses;
	uint32_t *first_of_vertex;
	size_t others; /* vertices that are welded to another one */
} welding;

int ossai_compare_places(const ossai_placed_vertex *a, const ossai_placed_vertex *b)
{
	for (int k = 0; k < 3; k++) {
		if (a->place[k] != b->place[k]) return a->place[k] < b->place[k] ? -1 : 1;
	}
	return 0;
}

static int compare_vertices(const void *left, const void *right)
{
	const ossai_placed_vertex *a = left, *b = right;
	const int order = ossai_compare_places(a, b);
	if (order != 0) return order;
	return a->vertex < b->vertex ? -1 : 1;
}

void ossai_sort_by_place(ossai_placed_vertex *list, size_t count) { qsort(list, count, sizeof *list, compare_vertices); }

static bool same_in_poses(const welding *w, size_t a, size_t b)
{
	for (size_t k = 0; k < w->pose_count; k++) {
		const float *x = w->poses + 3 * (k * w->vertex_count + a), *y = w->poses + 3 * (k * w->vertex_count + b);
		if (x[0] != y[0] || x[1] != y[1] || x[2] != y[2]) return false;
	}
	return true;
}

enum { FIRSTS = 16 };

/* the representatives of a run, of which the last few are remembered, so that long runs stay
   linear */
typedef struct first_vertices {
	size_t count;
	uint32_t last[FIRSTS];
} first_vertices;

/* to the first one that shares its position in all poses */
static bool join(welding *w, const first_vertices *firsts, uint32_t vertex)
{
	const size_t known = firsts->count < FIRSTS ? firsts->count : FIRSTS;
	for (size_t i = 0; i < known; i++) {
		if (!same_in_poses(w, vertex, firsts->last[i])) continue;
		w->first_of_vertex[vertex] = firsts->last[i];
		w->others++;
		return true;
	}
	return false;
}

/* vertices at one position: those that faces use, then copies of these that none does */
static void join_run(welding *w, const ossai_placed_vertex *run, size_t count)
{
	first_vertices firsts = {0};
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = run[i].vertex;
		if (w->used[v] && !join(w, &firsts, v)) firsts.last[firsts.count++ % FIRSTS] = v;
	}
	for (size_t i = 0; i < count; i++) {
		if (!w->used[run[i].vertex]) join(w, &firsts, run[i].vertex);
	}
}

ossa_status ossai_weld_vertices(ossa_context *context, size_t vertex_count, const uint8_t *used, const float *rest,
	size_t pose_count, const float *poses, uint32_t *first_of_vertex, size_t *others)
{
	welding w = {vertex_count, pose_count, used, poses, first_of_vertex, 0};
	ossai_placed_vertex *list = ossa_alloc(context, vertex_count, sizeof *list);
	if (!list) return ossa_context_error(context)->status;
	for (uint32_t v = 0; v < vertex_count; v++) {
		const float *p = rest + 3 * (size_t)v;
		first_of_vertex[v] = v;
		/* + 0: never -0 */
		list[v] = (ossai_placed_vertex){{p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f}, v};
	}
	ossai_sort_by_place(list, vertex_count);
	for (size_t begin = 0, end; begin < vertex_count; begin = end) {
		for (end = begin + 1; end < vertex_count && ossai_compare_places(&list[begin], &list[end]) == 0;) end++;
		join_run(&w, list + begin, end - begin);
	}
	ossa_free(context, list);
	*others = w.others;
	return OSSA_OK;
}

ossa_status ossai_weld_make(ossai_arena *arena, const ossai_mesh_view *mesh, const uint8_t *used, ossai_weld *weld)
{
	*weld = (ossai_weld){0};
	weld->point_of_vertex = ossai_arena_new(arena, mesh->vertex_count, sizeof *weld->point_of_vertex);
	weld->vertex_of_point = ossai_arena_new(arena, mesh->vertex_count, sizeof *weld->vertex_of_point);
	weld->triangles = ossai_arena_new(arena, mesh->face_count, 3 * sizeof *weld->triangles);
	if (!weld->point_of_vertex || !weld->vertex_of_point || !weld->triangles) {
		return ossa_context_error(arena->context)->status;
	}
	for (uint32_t v = 0; v < mesh->vertex_count; v++) {
		weld->point_of_vertex[v] = OSSA_NONE;
		if (!used[v]) continue;
		weld->vertex_of_point[weld->point_count] = v;
		weld->point_of_vertex[v] = (uint32_t)weld->point_count++;
	}
	for (size_t i = 0; i < 3 * mesh->face_count; i++) {
		weld->triangles[i] = weld->point_of_vertex[mesh->triangles[i]];
	}
	return OSSA_OK;
}
