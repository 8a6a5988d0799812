/* surface/correspondence.c: see correspondence.h. The nearest vertex first; where several are at
   that position, edges between positions vote for one of them. */
#include "surface/correspondence.h"

#include "base/search.h"
#include "mesh/bounds.h"
#include "query/nearest_point.h"
#include "mesh/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the largest distance of corresponding vertices, in diagonals: files keep six digits, programs
   convert units */
static const double tolerance = 1e-4;

/* most edges of the other mesh between two positions that are compared with one edge; more are no
   surface */
enum { EDGES_LOOKED_AT = 16 };

typedef struct correspondence_search {
	const ossa_mesh *mesh;
	const ossai_correspondence_target *other;
	uint32_t *counterpart;
	ossai_arena scratch;
} correspondence_search;

/* ---- the nearest ---- */

static bool is_in_box(const ossai_bounds *box, const float *p, double margin)
{
	return p[0] >= box->minimum.x - margin && p[0] <= box->maximum.x + margin && p[1] >= box->minimum.y - margin &&
		p[1] <= box->maximum.y + margin && p[2] >= box->minimum.z - margin && p[2] <= box->maximum.z + margin;
}

static double *to_doubles(ossai_arena *arena, size_t count, const float *values)
{
	double *result = ossai_arena_new(arena, count, sizeof *result);
	for (size_t i = 0; result && i < count; i++) result[i] = values[i];
	return result;
}

/* lists the vertices inside the other mesh's box and their positions: those outside have no
   counterpart, and searching for one is slow */
static size_t list_within(const correspondence_search *s, double limit, uint32_t *vertices, double *places)
{
	const ossai_bounds box = ossai_bounds_make(s->other->vertex_count, s->other->positions);
	size_t count = 0;
	for (size_t v = 0; v < s->mesh->vertex_count; v++) {
		const float *p = s->mesh->positions + 3 * v;
		s->counterpart[v] = OSSA_NONE;
		if (!is_in_box(&box, p, limit)) continue;
		for (size_t k = 0; k < 3; k++) places[3 * count + k] = p[k];
		vertices[count++] = (uint32_t)v;
	}
	return count;
}

static double square_between(const double *a, const double *b)
{
	double sum = 0;
	for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
	return sum;
}

static ossa_status find_nearest(correspondence_search *s)
{
	const size_t count = s->mesh->vertex_count;
	const double limit = tolerance * ossai_bounds_make(count, s->mesh->positions).diagonal;
	uint32_t *vertices = ossai_arena_new(&s->scratch, count, sizeof *vertices);
	uint32_t *nearest = ossai_arena_new(&s->scratch, count, sizeof *nearest);
	double *places = ossai_arena_new(&s->scratch, count, 3 * sizeof *places);
	double *points = to_doubles(&s->scratch, 3 * s->other->vertex_count, s->other->positions);
	if (!vertices || !nearest || !places || !points) return ossa_context_error(s->scratch.context)->status;
	const size_t within = list_within(s, limit, vertices, places);
	if (within == 0) return OSSA_OK;
	OSSAI_TRY(ossai_nearest_points(s->scratch.context, s->other->vertex_count, points, within, places, nearest));
	for (size_t i = 0; i < within; i++) {
		const double off2 = square_between(places + 3 * i, points + 3 * (size_t)nearest[i]);
		if (off2 <= limit * limit) s->counterpart[vertices[i]] = nearest[i];
	}
	return OSSA_OK;
}

/* ---- several at one position ---- */

/* a directed edge from one of its ends, whose position several vertices share */
typedef struct placed_edge {
	uint32_t at, to; /* positions: the first vertex of the other mesh there */
	uint32_t is_end; /* the triangle goes from `to` to `at` */
	uint32_t vertex; /* of the other mesh, or when looking: of the mesh */
} placed_edge;

/* edges of triangles, in each direction whose begin shares its position with others */
typedef struct edge_list {
	size_t count, capacity;
	placed_edge *items;
} edge_list;

static int compare_edges(const placed_edge *a, const placed_edge *b)
{
	if (a->at != b->at) return a->at < b->at ? -1 : 1;
	if (a->to != b->to) return a->to < b->to ? -1 : 1;
	return a->is_end < b->is_end ? -1 : a->is_end > b->is_end;
}

static int compare_placed(const void *left, const void *right)
{
	const placed_edge *a = left, *b = right;
	const int order = compare_edges(a, b);
	return order != 0 ? order : a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static ossa_status list_edges(ossa_context *context, size_t triangle_count, const uint32_t *triangles, const uint32_t *place,
	const uint8_t *crowded, edge_list *edges)
{
	for (size_t i = 0; i < 3 * triangle_count; i++) {
		const uint32_t a = triangles[i], b = triangles[i % 3 == 2 ? i - 2 : i + 1];
		const placed_edge seen[2] = {{place[a], place[b], 0, a}, {place[b], place[a], 1, b}};
		for (int k = 0; k < 2; k++) {
			if (!crowded[seen[k].at]) continue;
			OSSAI_TRY(ossai_reserve(context, &edges->items, &edges->capacity, edges->count, sizeof *edges->items));
			edges->items[edges->count++] = seen[k];
		}
	}
	return OSSA_OK;
}

/* the first of the sorted edges that is like `edge` or behind it */
static size_t first_like(const edge_list *edges, const placed_edge *edge)
{
	const placed_edge first = {edge->at, edge->to, edge->is_end, 0};
	return ossai_search(&first, edges->items, edges->count, sizeof first, compare_placed);
}

typedef struct pair_vote {
	uint32_t vertex, counterpart;
} pair_vote;

typedef struct vote_list {
	size_t count, capacity;
	pair_vote *items;
} vote_list;

static int compare_votes(const void *left, const void *right)
{
	const pair_vote *a = left, *b = right;
	if (a->vertex != b->vertex) return a->vertex < b->vertex ? -1 : 1;
	return a->counterpart < b->counterpart ? -1 : a->counterpart > b->counterpart;
}

/* each of the mesh's edges votes for the vertices from which an edge of the other mesh runs
   between the same positions */
static ossa_status collect_votes(ossa_context *context, const edge_list *own, const edge_list *others, vote_list *votes)
{
	for (size_t i = 0; i < own->count; i++) {
		const placed_edge *edge = &own->items[i];
		const size_t first = first_like(others, edge);
		for (size_t j = first; j < others->count && j < first + EDGES_LOOKED_AT; j++) {
			if (compare_edges(&others->items[j], edge) != 0) break;
			OSSAI_TRY(ossai_reserve(context, &votes->items, &votes->capacity, votes->count, sizeof *votes->items));
			votes->items[votes->count++] = (pair_vote){edge->vertex, others->items[j].vertex};
		}
	}
	return OSSA_OK;
}

/* the candidate of a vertex with the most votes; of equal ones the first of the mesh */
static void count_votes(vote_list *votes, uint32_t *counterpart)
{
	size_t most = 0;
	if (votes->count > 0) qsort(votes->items, votes->count, sizeof *votes->items, compare_votes);
	for (size_t begin = 0, end; begin < votes->count; begin = end) {
		const pair_vote *vote = &votes->items[begin];
		for (end = begin; end < votes->count && compare_votes(&votes->items[end], vote) == 0;) end++;
		if (begin == 0 || votes->items[begin - 1].vertex != vote->vertex) most = 0;
		if (end - begin <= most) continue;
		most = end - begin;
		counterpart[vote->vertex] = vote->counterpart;
	}
}

static ossa_status vote(correspondence_search *s, const uint32_t *first, const uint8_t *crowded)
{
	ossa_context *context = s->scratch.context;
	edge_list own = {0}, others = {0};
	vote_list votes = {0};
	ossa_status status = list_edges(context, s->mesh->triangle_count, s->mesh->triangles, s->counterpart, crowded, &own);
	if (status == OSSA_OK) {
		status = list_edges(context, s->other->triangle_count, s->other->triangles, first, crowded, &others);
	}
	if (others.count > 0) qsort(others.items, others.count, sizeof *others.items, compare_placed);
	if (status == OSSA_OK) status = collect_votes(context, &own, &others, &votes);
	if (status == OSSA_OK) count_votes(&votes, s->counterpart);
	ossa_free(context, own.items);
	ossa_free(context, others.items);
	ossa_free(context, votes.items);
	return status;
}

static ossa_status choose_counterparts(correspondence_search *s)
{
	const size_t count = s->other->vertex_count;
	size_t more = 0;
	uint32_t *first = ossai_arena_new(&s->scratch, count, sizeof *first);
	uint8_t *used = ossai_arena_new(&s->scratch, count, 1), *crowded = ossai_arena_zero(&s->scratch, count, 1);
	if (!first || !used || !crowded) return ossa_context_error(s->scratch.context)->status;
	memset(used, 1, count);
	OSSAI_TRY(ossai_weld_vertices(s->scratch.context, count, used, s->other->positions, 0, NULL, first, &more));
	if (more == 0) return OSSA_OK;
	for (size_t v = 0; v < count; v++) {
		if (first[v] != v) crowded[first[v]] = 1;
	}
	/* the nearest of several is the first already, except for zeros of either sign */
	for (size_t v = 0; v < s->mesh->vertex_count; v++) s->counterpart[v] = first[s->counterpart[v]];
	return vote(s, first, crowded);
}

ossa_status ossai_correspondence_find(ossa_context *context, const ossa_mesh *mesh, const ossai_correspondence_target *other,
	uint32_t *counterpart, size_t *missing)
{
	correspondence_search search = {
		.mesh = mesh, .other = other, .counterpart = counterpart, .scratch = ossai_arena_begin(context)};
	*missing = mesh->vertex_count;
	ossa_status status = OSSA_OK;
	if (mesh->vertex_count > 0 && other->vertex_count > 0) {
		status = find_nearest(&search);
		if (status == OSSA_OK) *missing = 0;
		for (size_t v = 0; v < mesh->vertex_count && status == OSSA_OK; v++) *missing += counterpart[v] == OSSA_NONE;
		if (status == OSSA_OK && *missing == 0 && other->triangle_count > 0) status = choose_counterparts(&search);
	}
	ossai_arena_end(&search.scratch);
	return status;
}
