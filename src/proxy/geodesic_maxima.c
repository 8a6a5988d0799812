/* proxy/geodesic_maxima.c: see geodesic_maxima.h. */
#include "proxy/geodesic_maxima.h"

#include "math/persistence.h"
#include "math/shortest_paths.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* The number of base points. The average geodesic distance is the mean of the distances to these:
   each is the vertex farthest from those chosen before, and has the weight of the area that is
   nearest to it. */
enum { BASE_POINTS = 16 };

/* The proxy as a graph: its edges and the links between its pieces. */
typedef struct graph {
	const ossai_proxy *proxy;
	ossai_edge_graph edges;
	ossai_path_front front;
	double *area; /* N: a third of the faces around */
} graph;

static ossai_vec3 position_of(const graph *g, uint32_t v) { return ossai_v3_of(g->proxy->positions + 3 * (size_t)v); }

static ossa_status graph_make(ossai_arena *scratch, const ossai_proxy *proxy, graph *g)
{
	uint32_t *edge;
	size_t count;
	OSSAI_TRY(ossai_proxy_edges(scratch, proxy, &edge, &count));
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	*g = (graph){.proxy = proxy, .area = ossai_arena_new(scratch, proxy->vertex_count, sizeof *g->area)};
	if (!g->area) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_edge_graph_of_points(scratch, proxy->vertex_count, proxy->positions, count, edge, &g->edges));
	OSSAI_TRY(ossai_path_front_make(scratch, &g->edges, &g->front));
	ossai_view_vertex_areas(&mesh, g->area);
	return OSSA_OK;
}

/* ---- average geodesic distance ---- */

/* distance: lengths of shortest paths over the graph from a vertex; Euclidean distance where none
   leads */
static void measure_from(graph *g, uint32_t from, double *geodesic)
{
	ossai_path_lengths_from(&g->edges, from, &g->front, geodesic);
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) {
		if (!isfinite(geodesic[v])) geodesic[v] = ossai_distance(position_of(g, v), position_of(g, from));
	}
}

static uint32_t farthest(size_t count, const double *geodesic)
{
	uint32_t best = 0;
	for (uint32_t v = 1; v < count; v++) {
		if (geodesic[v] > geodesic[best]) best = v;
	}
	return best;
}

/* the vertex farthest from the centroid of the surface */
static uint32_t first_base_point(const graph *g, double *geodesic)
{
	ossai_vec3 sum = {0, 0, 0};
	double area = 0;
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) {
		sum = ossai_madd(sum, g->area[v], position_of(g, v));
		area += g->area[v];
	}
	const ossai_vec3 centroid = area > 0 ? ossai_scale(sum, 1 / area) : position_of(g, 0);
	for (uint32_t v = 0; v < g->proxy->vertex_count; v++) geodesic[v] = ossai_distance(position_of(g, v), centroid);
	return farthest(g->proxy->vertex_count, geodesic);
}

/* mean: the average geodesic distance of each vertex to all base points */
static ossa_status measure(ossai_arena *scratch, graph *g, double *mean)
{
	const size_t n = g->proxy->vertex_count;
	double *geodesic = ossai_arena_new(scratch, n, BASE_POINTS * sizeof *geodesic);
	double *nearest = ossai_arena_new(scratch, n, sizeof *nearest);
	uint8_t *owner = ossai_arena_zero(scratch, n, sizeof *owner);
	if (!geodesic || !nearest || !owner) return ossa_context_error(scratch->context)->status;
	uint32_t from = first_base_point(g, nearest);
	for (uint32_t v = 0; v < n; v++) nearest[v] = INFINITY;
	for (size_t i = 0; i < BASE_POINTS; i++) {
		double *own = geodesic + i * n;
		OSSAI_TRY(ossai_progress(scratch->context, (double)i / BASE_POINTS));
		measure_from(g, from, own);
		for (uint32_t v = 0; v < n; v++) {
			if (!(own[v] < nearest[v])) continue;
			nearest[v] = own[v];
			owner[v] = (uint8_t)i;
		}
		from = farthest(n, nearest);
	}
	double weight[BASE_POINTS] = {0}, all = 0;
	for (uint32_t v = 0; v < n; v++) {
		weight[owner[v]] += g->area[v];
		all += g->area[v];
	}
	for (uint32_t v = 0; v < n; v++) {
		mean[v] = 0;
		for (size_t i = 0; i < BASE_POINTS; i++)
			mean[v] += (all > 0 ? weight[i] / all : 1.0 / BASE_POINTS) * geodesic[i * n + v];
	}
	return OSSA_OK;
}

/* ---- persistence ---- */

static ossa_status find_persistence(ossai_arena *scratch, const graph *g, const double *geodesic, double *persistence)
{
	const size_t n = g->proxy->vertex_count;
	const ossai_csr *around = &g->edges.neighbors;
	ossai_heap_entry *sorted = ossai_arena_new(scratch, n, sizeof *sorted);
	uint32_t *order = ossai_arena_new(scratch, n, sizeof *order), *rank = ossai_arena_new(scratch, n, sizeof *rank);
	if (!sorted || !order || !rank) return ossa_context_error(scratch->context)->status;
	for (uint32_t v = 0; v < n; v++) sorted[v] = (ossai_heap_entry){geodesic[v], v};
	qsort(sorted, n, sizeof *sorted, ossai_heap_compare_falling);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = sorted[i].item;
		rank[order[i]] = i;
	}
	ossai_local_maxima maxima;
	OSSAI_TRY(ossai_local_maxima_find(scratch, n, order, rank, around->start, around->item, &maxima));
	for (uint32_t v = 0; v < n; v++) {
		persistence[v] = geodesic[v] - geodesic[maxima.higher[v] == v ? order[n - 1] : maxima.saddle[v]];
	}
	return OSSA_OK;
}

ossa_status ossai_geodesic_maxima_find(ossai_arena *arena, const ossai_proxy *proxy, double *persistence, double *average)
{
	if (proxy->vertex_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	graph g = {.proxy = proxy};
	ossa_status status = graph_make(&scratch, proxy, &g);
	double *geodesic = status == OSSA_OK ? ossai_arena_new(&scratch, proxy->vertex_count, sizeof *geodesic) : NULL;
	if (status == OSSA_OK && !geodesic) status = ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = measure(&scratch, &g, geodesic);
	if (status == OSSA_OK) status = find_persistence(&scratch, &g, geodesic, persistence);
	if (status == OSSA_OK && average) memcpy(average, geodesic, proxy->vertex_count * sizeof *average);
	ossai_arena_end(&scratch);
	return status;
}
