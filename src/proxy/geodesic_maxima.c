/* proxy/geodesic_maxima.c: see geodesic_maxima.h. */
#include "proxy/geodesic_maxima.h"

#include "base/union_find.h"
#include "math/shortest_paths.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* The mean is that of the shortest paths to so many places, each as far from the others as can be, and each for the surface that is nearest to it. */
enum { PLACES = 16 };

/* The proxy as a graph: its edges and the links between its pieces. */
typedef struct graph {
	const ossai_proxy *proxy;
	ossai_edge_graph edges;
	ossai_distance_field field;
	double *area; /* N: a third of the faces around */
} graph;

static ossai_vec3 place(const graph *g, uint32_t v) { return ossai_v3_of(g->proxy->positions + 3 * (size_t)v); }

static ossa_status list_edges(ossai_arena *scratch, const ossai_proxy *proxy, uint32_t **edge, size_t *count)
{
	ossai_pair *pairs = ossai_arena_new(scratch, 3 * proxy->face_count + proxy->link_count, sizeof *pairs);
	if (!pairs) return ossa_context_error(scratch->context)->status;
	const size_t all = ossai_proxy_pairs(proxy, pairs);
	OSSAI_TRY(ossai_pairs_sort(scratch->context, pairs, all, proxy->vertex_count));
	return ossai_pairs_unique(scratch, pairs, all, edge, count);
}

static void share_area(graph *g)
{
	const ossai_mesh_view mesh = ossai_proxy_view(g->proxy);
	for (size_t f = 0; f < mesh.face_count; f++) {
		const double own = ossai_length(ossai_view_face_normal(&mesh, f)) / 6;
		for (int i = 0; i < 3; i++) g->area[mesh.triangles[3 * f + (size_t)i]] += own;
	}
}

static ossa_status graph_make(ossai_arena *scratch, const ossai_proxy *proxy, graph *g)
{
	uint32_t *edge;
	size_t count;
	OSSAI_TRY(list_edges(scratch, proxy, &edge, &count));
	*g = (graph){.proxy = proxy, .area = ossai_arena_zero(scratch, proxy->vertex_count, sizeof *g->area)};
	if (!g->area) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_edge_graph_of_points(scratch, proxy->vertex_count, proxy->positions, count, edge, &g->edges));
	OSSAI_TRY(ossai_distance_field_make(scratch, &g->edges, &g->field));
	share_area(g);
	return OSSA_OK;
}

/* ---- how far everything is from the rest ---- */

/* far: by shortest paths over the graph from a vertex; straight where there is none */
static void measure_from(graph *g, uint32_t from, double *far)
{
	g->field.distance = far;
	ossai_distance_field_clear(&g->field);
	ossai_distance_field_add(&g->edges, 1, &from, 0, &g->field);
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) {
		if (!isfinite(far[v])) far[v] = ossai_distance(place(g, v), place(g, from));
	}
}

static uint32_t farthest(size_t count, const double *far)
{
	uint32_t best = 0;
	for (uint32_t v = 1; v < count; v++) {
		if (far[v] > far[best]) best = v;
	}
	return best;
}

/* the vertex farthest from the middle of the surface */
static uint32_t first_place(const graph *g, double *far)
{
	ossai_vec3 sum = {0, 0, 0};
	double area = 0;
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) {
		sum = ossai_madd(sum, g->area[v], place(g, v));
		area += g->area[v];
	}
	const ossai_vec3 middle = area > 0 ? ossai_scale(sum, 1 / area) : place(g, 0);
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) far[v] = ossai_distance(place(g, v), middle);
	return farthest(g->proxy->vertex_count, far);
}

/* mean: of each vertex's paths to all places */
static ossa_status measure(ossai_arena *scratch, graph *g, double *mean)
{
	const size_t n = g->proxy->vertex_count;
	double *far = ossai_arena_new(scratch, n, PLACES * sizeof *far);
	double *nearest = ossai_arena_new(scratch, n, sizeof *nearest);
	uint8_t *owner = ossai_arena_zero(scratch, n, sizeof *owner);
	if (!far || !nearest || !owner) return ossa_context_error(scratch->context)->status;
	uint32_t from = first_place(g, nearest);
	for (uint32_t v = 0; v < n; v++) nearest[v] = INFINITY;
	for (uint8_t i = 0; i < PLACES; i++) {
		double *own = far + i * n;
		OSSAI_TRY(ossai_progress(scratch->context, (double)i / PLACES));
		measure_from(g, from, own);
		for (uint32_t v = 0; v < n; v++) {
			if (!(own[v] < nearest[v])) continue;
			nearest[v] = own[v];
			owner[v] = i;
		}
		from = farthest(n, nearest);
	}
	double worth[PLACES] = {0}, all = 0;
	for (uint32_t v = 0; v < n; v++) {
		worth[owner[v]] += g->area[v];
		all += g->area[v];
	}
	for (uint32_t v = 0; v < n; v++) {
		mean[v] = 0;
		for (size_t i = 0; i < PLACES; i++) mean[v] += (all > 0 ? worth[i] / all : 1.0 / PLACES) * far[i * n + v];
	}
	return OSSA_OK;
}

/* ---- hills ---- */

/* What is farther from the rest than the vertex that was looked at last, in parts that hang together. */
typedef struct hills {
	const double *far;
	double *height;
	uint32_t *set;  /* N: union-find; OSSA_NONE: not looked at yet */
	uint32_t *peak; /* by set: its farthest vertex */
} hills;

/* two hills become one: the lower one ends */
static void join_hills(const hills *h, uint32_t a, uint32_t b, double foot)
{
	const ossai_heap_entry first = {h->far[h->peak[a]], h->peak[a]}, second = {h->far[h->peak[b]], h->peak[b]};
	const bool first_is_higher = ossai_heap_compare_falling(&first, &second) < 0;
	const ossai_heap_entry high = first_is_higher ? first : second, low = first_is_higher ? second : first;
	h->height[low.item] = low.key - foot;
	ossai_union_join(h->set, a, b);
	h->peak[ossai_union_find(h->set, a)] = high.item;
}

static ossa_status find_hills(ossai_arena *scratch, const graph *g, const double *far, double *height)
{
	const ossai_csr *around = &g->edges.neighbors;
	const size_t n = g->proxy->vertex_count;
	ossai_heap_entry *order = ossai_arena_new(scratch, n, sizeof *order);
	const hills h = {far, height, ossai_arena_new(scratch, n, sizeof *h.set), ossai_arena_new(scratch, n, sizeof *h.peak)};
	if (!order || !h.set || !h.peak) return ossa_context_error(scratch->context)->status;
	for (uint32_t v = 0; v < n; v++) {
		order[v] = (ossai_heap_entry){far[v], v};
		h.set[v] = OSSA_NONE;
		height[v] = 0;
	}
	qsort(order, n, sizeof *order, ossai_heap_compare_falling);
	for (size_t i = 0; i < n; i++) {
		const uint32_t v = order[i].item;
		h.set[v] = h.peak[v] = v;
		for (uint32_t k = around->start[v]; k < around->start[v + 1]; k++) {
			if (h.set[around->item[k]] == OSSA_NONE) continue;
			const uint32_t a = ossai_union_find(h.set, v), b = ossai_union_find(h.set, around->item[k]);
			if (a != b) join_hills(&h, a, b, far[v]);
		}
	}
	for (uint32_t v = 0; v < n; v++) {
		if (h.set[v] == v) height[h.peak[v]] = far[h.peak[v]] - order[n - 1].key;
	}
	return OSSA_OK;
}

ossa_status ossai_geodesic_maxima_find(ossai_arena *arena, const ossai_proxy *proxy, double *height)
{
	if (proxy->vertex_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	graph g = {.proxy = proxy};
	ossa_status status = graph_make(&scratch, proxy, &g);
	double *far = status == OSSA_OK ? ossai_arena_new(&scratch, proxy->vertex_count, sizeof *far) : NULL;
	if (status == OSSA_OK && !far) status = ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = measure(&scratch, &g, far);
	if (status == OSSA_OK) status = find_hills(&scratch, &g, far, height);
	ossai_arena_end(&scratch);
	return status;
}
