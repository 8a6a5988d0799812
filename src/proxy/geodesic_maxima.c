/* proxy/geodesic_maxima.c: see geodesic_maxima.h. */
#include "proxy/geodesic_maxima.h"

#include "base/union_find.h"
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
	ossai_distance_field field;
	double *area; /* N: a third of the faces around */
} graph;

static ossai_vec3 position_of(const graph *g, uint32_t v) { return ossai_v3_of(g->proxy->positions + 3 * (size_t)v); }

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
	OSSAI_TRY(ossai_proxy_edges(scratch, proxy, &edge, &count));
	*g = (graph){.proxy = proxy, .area = ossai_arena_zero(scratch, proxy->vertex_count, sizeof *g->area)};
	if (!g->area) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_edge_graph_of_points(scratch, proxy->vertex_count, proxy->positions, count, edge, &g->edges));
	OSSAI_TRY(ossai_distance_field_make(scratch, &g->edges, &g->field));
	share_area(g);
	return OSSA_OK;
}

/* ---- average geodesic distance ---- */

/* distance: lengths of shortest paths over the graph from a vertex; Euclidean distance where none
   leads */
static void measure_from(graph *g, uint32_t from, double *geodesic)
{
	g->field.distance = geodesic;
	ossai_distance_field_clear(&g->field);
	ossai_distance_field_add(&g->edges, 1, &from, 0, &g->field);
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
	for (uint8_t i = 0; i < BASE_POINTS; i++) {
		double *own = geodesic + i * n;
		OSSAI_TRY(ossai_progress(scratch->context, (double)i / BASE_POINTS));
		measure_from(g, from, own);
		for (uint32_t v = 0; v < n; v++) {
			if (!(own[v] < nearest[v])) continue;
			nearest[v] = own[v];
			owner[v] = i;
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

/* Superlevel sets of the average geodesic distance: the vertices at or above the value of the
   vertex visited last, by connected component. */
typedef struct superlevel_sets {
	const double *geodesic;
	double *persistence;
	uint32_t *set;  /* N: union-find; OSSA_NONE: not visited yet */
	uint32_t *peak; /* by component: its maximum */
} superlevel_sets;

/* two components merge: that of the lower maximum ends, at the value `saddle` */
static void merge_components(const superlevel_sets *h, uint32_t a, uint32_t b, double saddle)
{
	const ossai_heap_entry first = {h->geodesic[h->peak[a]], h->peak[a]}, second = {h->geodesic[h->peak[b]], h->peak[b]};
	const bool first_is_higher = ossai_heap_compare_falling(&first, &second) < 0;
	const ossai_heap_entry high = first_is_higher ? first : second, low = first_is_higher ? second : first;
	h->persistence[low.item] = low.key - saddle;
	ossai_union_join(h->set, a, b);
	h->peak[ossai_union_find(h->set, a)] = high.item;
}

static ossa_status find_persistence(ossai_arena *scratch, const graph *g, const double *geodesic, double *persistence)
{
	const ossai_csr *around = &g->edges.neighbors;
	const size_t n = g->proxy->vertex_count;
	ossai_heap_entry *order = ossai_arena_new(scratch, n, sizeof *order);
	const superlevel_sets h = {
		geodesic, persistence, ossai_arena_new(scratch, n, sizeof *h.set), ossai_arena_new(scratch, n, sizeof *h.peak)};
	if (!order || !h.set || !h.peak) return ossa_context_error(scratch->context)->status;
	for (uint32_t v = 0; v < n; v++) {
		order[v] = (ossai_heap_entry){geodesic[v], v};
		h.set[v] = OSSA_NONE;
		persistence[v] = 0;
	}
	qsort(order, n, sizeof *order, ossai_heap_compare_falling);
	for (size_t i = 0; i < n; i++) {
		const uint32_t v = order[i].item;
		h.set[v] = h.peak[v] = v;
		for (uint32_t k = around->start[v]; k < around->start[v + 1]; k++) {
			if (h.set[around->item[k]] == OSSA_NONE) continue;
			const uint32_t a = ossai_union_find(h.set, v), b = ossai_union_find(h.set, around->item[k]);
			if (a != b) merge_components(&h, a, b, geodesic[v]);
		}
	}
	for (uint32_t v = 0; v < n; v++) {
		if (h.set[v] == v) persistence[h.peak[v]] = geodesic[h.peak[v]] - order[n - 1].key;
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
