/* proxy/slenderness.c: see slenderness.h. */
#include "proxy/slenderness.h"

#include "base/csr.h"
#include "base/heap.h"

#include <stdlib.h>

/* Lengths below this share of the size are about two edges of a proxy of the usual size.
   Tried: 0.02 to 0.06. */
static const double SHORTEST = 0.035;

typedef struct measuring {
	ossai_mesh_view mesh;
	const double *average;
	ossai_csr neighbors, faces; /* of each vertex */
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

static ossa_status list_faces(ossai_arena *scratch, measuring *m)
{
	OSSAI_TRY(ossai_csr_begin(scratch, m->mesh.vertex_count, &m->faces));
	for (size_t i = 0; i < 3 * m->mesh.face_count; i++) ossai_csr_count(&m->faces, m->mesh.triangles[i]);
	OSSAI_TRY(ossai_csr_take_items(scratch, &m->faces));
	for (uint32_t f = 0; f < m->mesh.face_count; f++) {
		const double third = ossai_length(ossai_view_face_normal(&m->mesh, f)) / 6;
		for (size_t k = 0; k < 3; k++) {
			const uint32_t v = m->mesh.triangles[3 * (size_t)f + k];
			ossai_csr_put(&m->faces, v, f);
			m->area[v] += third;
		}
	}
	return OSSA_OK;
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
		const uint32_t *corner = m->mesh.triangles + 3 * (size_t)m->faces.item[k];
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
		if (characteristic != 1 || length < SHORTEST || !(area > m->sum[half])) continue;
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
		.area = ossai_arena_zero(scratch, n, sizeof *m.area),
		.is_listed = ossai_arena_zero(scratch, n, 1),
		.is_in = ossai_arena_zero(scratch, n, 1),
		.list = ossai_arena_new(scratch, n, sizeof *m.list),
		.sum = ossai_arena_new(scratch, n, sizeof *m.sum)};
	if (!m.area || !m.is_listed || !m.is_in || !m.list || !m.sum) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(list_neighbors(scratch, proxy, &m.neighbors));
	OSSAI_TRY(list_faces(scratch, &m));
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
