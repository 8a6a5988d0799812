/* proxy/slenderness.c: see slenderness.h. */
#include "proxy/slenderness.h"

#include "base/csr.h"
#include "base/heap.h"
#include "mesh/adjacency.h"

#include <stdlib.h>

/* Lengths below this many edges of the proxy are not resolved. */
enum { EDGES_LEAST = 2 };

typedef struct measuring {
	ossai_mesh_view mesh;
	const double *average;
	double shortest;            /* length that the proxy resolves */
	ossai_csr neighbors;        /* of each vertex */
	ossai_vertex_faces faces;   /* ... around it */
	double *area;               /* N: a third of the faces around */
	uint8_t *is_listed, *is_in; /* N: in the list; in the superlevel set so far */
	/* vertices of the largest superlevel set, the highest value first */
	ossai_heap_entry *list;
	double *sum; /* of the areas of the list, up to each vertex */
} measuring;

static ossa_status list_neighbors(ossai_arena *scratch, const ossai_proxy *proxy, ossai_csr *neighbors)
{
	uint32_t *edge;
	size_t count;
	OSSAI_TRY(ossai_proxy_edges(scratch, proxy, &edge, &count));
	return ossai_csr_of_edges(scratch, proxy->vertex_count, count, edge, neighbors);
}

/* lists the vertices around a maximum that lie above a value, the highest first; returns their
   number */
static size_t list_set(const measuring *m, uint32_t maximum, double above)
{
	size_t count = 0;
	m->list[count++] = (ossai_heap_entry){m->average[maximum], maximum};
	m->is_listed[maximum] = 1;
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = m->list[i].item;
		for (uint32_t k = m->neighbors.start[v]; k < m->neighbors.start[v + 1]; k++) {
			const uint32_t u = m->neighbors.item[k];
			if (m->is_listed[u] || !(m->average[u] > above)) continue;
			m->is_listed[u] = 1;
			m->list[count++] = (ossai_heap_entry){m->average[u], u};
		}
	}
	qsort(m->list, count, sizeof *m->list, ossai_heap_compare_falling);
	for (size_t i = 0; i < count; i++) m->is_listed[m->list[i].item] = 0;
	return count;
}

/* by how much a vertex changes the Euler characteristic of the set that it joins */
static int join_set(const measuring *m, uint32_t vertex)
{
	int change = 1;
	m->is_in[vertex] = 1;
	for (uint32_t k = m->neighbors.start[vertex]; k < m->neighbors.start[vertex + 1]; k++)
		change -= m->is_in[m->neighbors.item[k]];
	for (uint32_t k = m->faces.start[vertex]; k < m->faces.start[vertex + 1]; k++) {
		const uint32_t *corner = m->mesh.triangles + 3 * (size_t)m->faces.faces[k];
		change += m->is_in[corner[0]] && m->is_in[corner[1]] && m->is_in[corner[2]];
	}
	return change;
}

static double measure(const measuring *m, uint32_t maximum, double persistence)
{
	const size_t count = list_set(m, maximum, m->average[maximum] - persistence);
	double area = 0, best = 0;
	size_t half = 0;
	int characteristic = 0;
	for (size_t i = 0; i < count; i++) {
		const double length = m->average[maximum] - m->list[i].key;
		characteristic += join_set(m, m->list[i].item);
		area += m->area[m->list[i].item];
		m->sum[i] = area;
		while (half < i && m->average[maximum] - m->list[half].key < length / 2) half++;
		if (characteristic != 1 || length < m->shortest || !(area > m->sum[half])) continue;
		const double girth = (area - m->sum[half]) / (length / 2);
		best = fmax(best, length / girth);
	}
	for (size_t i = 0; i < count; i++) m->is_in[m->list[i].item] = 0;
	return best;
}

static ossa_status find(ossai_arena *scratch, const ossai_proxy *proxy, const double *average, size_t count,
	const uint32_t *maximum, const double *persistence, double *slenderness)
{
	const size_t n = proxy->vertex_count;
	measuring m = {.mesh = ossai_proxy_view(proxy),
		.average = average,
		.shortest = EDGES_LEAST * proxy->edge_length,
		.area = ossai_arena_new(scratch, n, sizeof *m.area),
		.is_listed = ossai_arena_zero(scratch, n, 1),
		.is_in = ossai_arena_zero(scratch, n, 1),
		.list = ossai_arena_new(scratch, n, sizeof *m.list),
		.sum = ossai_arena_new(scratch, n, sizeof *m.sum)};
	if (!m.area || !m.is_listed || !m.is_in || !m.list || !m.sum) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(list_neighbors(scratch, proxy, &m.neighbors));
	OSSAI_TRY(ossai_vertex_faces_make(scratch->context, scratch, n, m.mesh.face_count, m.mesh.triangles, &m.faces));
	ossai_view_vertex_areas(&m.mesh, m.area);
	for (size_t i = 0; i < count; i++) slenderness[i] = measure(&m, maximum[i], persistence[i]);
	return OSSA_OK;
}

ossa_status ossai_slenderness_find(ossai_arena *arena, const ossai_proxy *proxy, const double *average, size_t count,
	const uint32_t *maximum, const double *persistence, double *slenderness)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find(&scratch, proxy, average, count, maximum, persistence, slenderness);
	ossai_arena_end(&scratch);
	return status;
}
