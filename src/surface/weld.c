/* surface/weld.c: see weld.h. */
#include "surface/weld.h"

#include <stdlib.h>
#include <string.h>

typedef struct placed_vertex {
	double place[3];
	uint32_t vertex;
} placed_vertex;

static int compare_places(const placed_vertex *a, const placed_vertex *b)
{
	for (int k = 0; k < 3; k++) {
		if (a->place[k] != b->place[k]) return a->place[k] < b->place[k] ? -1 : 1;
	}
	return 0;
}

static int compare_vertices(const void *left, const void *right)
{
	const placed_vertex *a = left, *b = right;
	const int order = compare_places(a, b);
	if (order != 0) return order;
	return a->vertex < b->vertex ? -1 : 1;
}

static bool same_in_poses(const ossai_posed_surface *s, uint32_t a, uint32_t b)
{
	const double *x = s->poses + 3 * a * s->pose_count, *y = s->poses + 3 * b * s->pose_count;
	for (size_t i = 0; i < 3 * s->pose_count; i++) {
		if (x[i] != y[i]) return false;
	}
	return true;
}

/* in a run of vertices at one place, each goes to the first that stays with it in all poses; crowds are compared with the
   last few of the first ones only, so that a run of any length is no trap */
static void join_run(const ossai_posed_surface *s, const placed_vertex *run, size_t count, uint32_t *first_of)
{
	enum { FIRSTS = 16 };
	uint32_t firsts[FIRSTS];
	size_t first_count = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = run[i].vertex;
		const size_t known = first_count < FIRSTS ? first_count : FIRSTS;
		first_of[v] = v;
		for (size_t j = 0; j < known && first_of[v] == v; j++) {
			if (same_in_poses(s, v, firsts[j])) first_of[v] = firsts[j];
		}
		if (first_of[v] == v) firsts[first_count++ % FIRSTS] = v;
	}
}

static ossa_status find_firsts(ossai_arena *scratch, const ossai_posed_surface *s, uint32_t **first_of)
{
	placed_vertex *list = ossai_arena_new(scratch, s->vertex_count, sizeof *list);
	*first_of = list ? ossai_arena_new(scratch, s->vertex_count, sizeof **first_of) : NULL;
	if (!*first_of) return ossa_context_error(scratch->context)->status;
	size_t count = 0;
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		if (!s->used[v]) continue;
		const double *p = s->rest + 3 * (size_t)v;
		/* + 0.0: never -0 */
		list[count++] = (placed_vertex){{p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}, v};
	}
	qsort(list, count, sizeof *list, compare_vertices);
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && compare_places(&list[begin], &list[end]) == 0;) end++;
		join_run(s, list + begin, end - begin, *first_of);
	}
	return OSSA_OK;
}

static void number_points(const ossai_posed_surface *s, const uint32_t *first_of, ossai_weld *weld)
{
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		weld->point_of_vertex[v] = OSSA_NONE;
		if (!s->used[v]) continue;
		/* firsts are the smallest of theirs: they have their number already */
		if (first_of[v] != v) weld->point_of_vertex[v] = weld->point_of_vertex[first_of[v]];
		else {
			weld->vertex_of_point[weld->point_count] = v;
			weld->point_of_vertex[v] = (uint32_t)weld->point_count++;
		}
	}
	for (size_t i = 0; i < 3 * s->face_count; i++) weld->triangles[i] = weld->point_of_vertex[s->triangles[i]];
}

ossa_status ossai_weld_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_weld *weld)
{
	*weld = (ossai_weld){0};
	weld->point_of_vertex = ossai_arena_new(arena, surface->vertex_count, sizeof *weld->point_of_vertex);
	weld->vertex_of_point = ossai_arena_new(arena, surface->vertex_count, sizeof *weld->vertex_of_point);
	weld->triangles = ossai_arena_new(arena, surface->face_count, 3 * sizeof *weld->triangles);
	if (!weld->point_of_vertex || !weld->vertex_of_point || !weld->triangles) {
		return ossa_context_error(arena->context)->status;
	}
	ossai_arena scratch = ossai_arena_begin(arena->context);
	uint32_t *first_of;
	const ossa_status status = find_firsts(&scratch, surface, &first_of);
	if (status == OSSA_OK) number_points(surface, first_of, weld);
	ossai_arena_end(&scratch);
	return status;
}
