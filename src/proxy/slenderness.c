/* proxy/slenderness.c: see slenderness.h. */
#include "proxy/slenderness.h"

#include "base/csr.h"
#include "base/heap.h"
#include "mesh/adjacency.h"

#include <stdlib.h>

/* Lengths below this many edges of the proxy are not resolved. */
enum { EDGES_LEAST = 2 };

/* Integrals over a piece of the surface; of a vertex, over a third of the faces around it. */
typedef struct integrals {
	double area;
	double slope;      /* of |gradient| of the average distance */
	double flux;       /* of position . normal */
	ossai_vec3 moment; /* of position */
	ossai_vec3 normal;
} integrals;

typedef struct measuring {
	ossai_mesh_view mesh;
	const double *average;
	double shortest;            /* length that the proxy resolves */
	ossai_csr neighbors;        /* of each vertex */
	ossai_vertex_faces faces;   /* ... around it */
	integrals *own;             /* N */
	uint8_t *is_listed, *is_in; /* N: in the list; in the superlevel set so far */
	/* vertices of the largest superlevel set, the highest value first */
	ossai_heap_entry *list;
} measuring;

/* ---- integrals ---- */

static void add(integrals *sum, const integrals *own, double factor)
{
	sum->area += factor * own->area;
	sum->slope += factor * own->slope;
	sum->flux += factor * own->flux;
	sum->moment = ossai_madd(sum->moment, factor, own->moment);
	sum->normal = ossai_madd(sum->normal, factor, own->normal);
}

/* |gradient| of the average distance, times twice the face's area; normal: the face's, as long as
   that */
static double face_slope(const ossai_vec3 p[3], const double value[3], ossai_vec3 normal)
{
	const double length = ossai_length(normal);
	ossai_vec3 sum = {0, 0, 0};
	if (!(length > 0)) return 0;
	for (int k = 0; k < 3; k++) sum = ossai_madd(sum, value[k], ossai_sub(p[(k + 2) % 3], p[(k + 1) % 3]));
	/* the sum lies in the face: a right angle further it is the gradient */
	return ossai_length(ossai_cross(normal, sum)) / length;
}

static void integrate(measuring *m)
{
	for (uint32_t f = 0; f < m->mesh.face_count; f++) {
		const uint32_t *t = m->mesh.triangles + 3 * (size_t)f;
		const ossai_vec3 normal = ossai_view_face_normal(&m->mesh, f);
		ossai_vec3 p[3];
		double value[3];
		for (int k = 0; k < 3; k++) {
			p[k] = ossai_view_point(&m->mesh, t[k]);
			value[k] = m->average[t[k]];
		}
		const double area = ossai_length(normal) / 6, slope = face_slope(p, value, normal) / 6;
		for (int k = 0; k < 3; k++) {
			const ossai_vec3 third = ossai_scale(normal, 1.0 / 6);
			add(&m->own[t[k]], &(integrals){area, slope, ossai_dot(p[k], third), ossai_scale(p[k], area), third}, 1);
		}
	}
}

/* Length over girth of a band that the average distance crosses in `fall`, and as much again where
   its cross-section is round: 4 pi area / girth^2, 1 of a circle, 0 of a flat sheet. The girth is
   the mean length of the level sets, by the coarea formula. radius: the mean distance of the
   surface from the band's centroid along its normals, twice the cross-section's area over the
   girth. */
static double slenderness_of(const integrals *band, double fall, double length)
{
	const double girth = band->slope / fall;
	if (!(band->area > 0) || !(girth > 0)) return 0;
	const double radius = (band->flux - ossai_dot(band->moment, band->normal) / band->area) / band->area;
	const double roundness = fmin(1, fmax(0, 2 * OSSAI_PI * radius / girth));
	return length / girth * (1 + roundness);
}

/* ---- superlevel sets ---- */

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
	integrals band = {.area = 0}; /* the second half of the length */
	double best = 0;
	size_t half = 0;
	int characteristic = 0;
	for (size_t i = 0; i < count; i++) {
		const double length = m->average[maximum] - m->list[i].key;
		characteristic += join_set(m, m->list[i].item);
		add(&band, &m->own[m->list[i].item], 1);
		for (; half <= i && m->average[maximum] - m->list[half].key <= length / 2; half++)
			add(&band, &m->own[m->list[half].item], -1);
		if (characteristic != 1 || length < m->shortest || half > i) continue;
		best = fmax(best, slenderness_of(&band, length / 2, length));
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
		.own = ossai_arena_zero(scratch, n, sizeof *m.own),
		.is_listed = ossai_arena_zero(scratch, n, 1),
		.is_in = ossai_arena_zero(scratch, n, 1),
		.list = ossai_arena_new(scratch, n, sizeof *m.list)};
	if (!m.own || !m.is_listed || !m.is_in || !m.list) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(list_neighbors(scratch, proxy, &m.neighbors));
	OSSAI_TRY(ossai_vertex_faces_make(scratch->context, scratch, n, m.mesh.face_count, m.mesh.triangles, &m.faces));
	integrate(&m);
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
