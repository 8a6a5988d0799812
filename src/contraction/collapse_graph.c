/* contraction/collapse_graph.c: see collapse_graph.h. */
#include "contraction/collapse_graph.h"

#include "base/union_find.h"
#include "mesh/pairs.h"

#include <string.h>

typedef ossai_collapse_graph graph_type;

/* ---- the hash table ---- */

static size_t bucket_of(const graph_type *g, uint32_t a, uint32_t b)
{
	const uint64_t low = a < b ? a : b, high = a < b ? b : a;
	uint64_t hash = (low << 32 | high) * 0x9e3779b97f4a7c15u;
	hash ^= hash >> 32;
	return (size_t)(hash * 0xd6e8feb86659fd93u >> 20) & g->mask;
}

static bool joins(const graph_type *g, uint32_t edge, uint32_t a, uint32_t b)
{
	const uint32_t *end = g->end + 2 * (size_t)edge;
	return (end[0] == a && end[1] == b) || (end[0] == b && end[1] == a);
}

uint32_t ossai_collapse_edge(const graph_type *g, uint32_t a, uint32_t b)
{
	for (size_t i = bucket_of(g, a, b); g->table[i] != OSSA_NONE; i = (i + 1) & g->mask) {
		if (joins(g, g->table[i], a, b)) return g->table[i];
	}
	return OSSA_NONE;
}

static void table_add(graph_type *g, uint32_t edge)
{
	size_t i = bucket_of(g, g->end[2 * (size_t)edge], g->end[2 * (size_t)edge + 1]);
	while (g->table[i] != OSSA_NONE) i = (i + 1) & g->mask;
	g->table[i] = edge;
}

/* removes an edge and moves up the entries that could no longer be found (D. Knuth, The Art of
   Computer Programming 3, 6.4, algorithm R) */
static void table_remove(graph_type *g, uint32_t edge)
{
	size_t hole = bucket_of(g, g->end[2 * (size_t)edge], g->end[2 * (size_t)edge + 1]);
	while (g->table[hole] != edge) hole = (hole + 1) & g->mask;
	for (size_t i = (hole + 1) & g->mask; g->table[i] != OSSA_NONE; i = (i + 1) & g->mask) {
		const uint32_t *end = g->end + 2 * (size_t)g->table[i];
		const size_t home = bucket_of(g, end[0], end[1]);
		if (((i - home) & g->mask) < ((i - hole) & g->mask)) continue;
		g->table[hole] = g->table[i];
		hole = i;
	}
	g->table[hole] = OSSA_NONE;
}

/* ---- lists of incident edges ---- */

static void list_add(graph_type *g, uint32_t side)
{
	const uint32_t slot = g->end[side], old = g->first[slot];
	g->next[side] = old;
	g->last[side] = OSSA_NONE;
	if (old != OSSA_NONE) g->last[old] = side;
	g->first[slot] = side;
	g->degree[slot]++;
}

static void list_remove(graph_type *g, uint32_t side)
{
	const uint32_t slot = g->end[side], next = g->next[side], last = g->last[side];
	if (last == OSSA_NONE) g->first[slot] = next;
	else g->next[last] = next;
	if (next != OSSA_NONE) g->last[next] = last;
	g->degree[slot]--;
}

/* ---- making ---- */

static ossa_status take_arrays(ossai_arena *arena, graph_type *g)
{
	const size_t n = g->vertex_count, e = g->edge_count;
	size_t capacity = 16;
	while (capacity < 2 * e) capacity *= 2;
	g->mask = capacity - 1;
	g->end = ossai_arena_new(arena, e, 2 * sizeof *g->end);
	g->next = ossai_arena_new(arena, e, 2 * sizeof *g->next);
	g->last = ossai_arena_new(arena, e, 2 * sizeof *g->last);
	g->first = ossai_arena_new(arena, n, sizeof *g->first);
	g->degree = ossai_arena_zero(arena, n, sizeof *g->degree);
	g->parent = ossai_arena_new(arena, n, sizeof *g->parent);
	g->table = ossai_arena_new(arena, capacity, sizeof *g->table);
	g->ring = ossai_arena_new(arena, e, sizeof *g->ring);
	g->ring_next = ossai_arena_new(arena, g->face_count, 3 * sizeof *g->ring_next);
	g->is_dead = ossai_arena_zero(arena, e, sizeof *g->is_dead);
	g->is_link = ossai_arena_zero(arena, e, sizeof *g->is_link);
	g->face_dead = ossai_arena_zero(arena, g->face_count, sizeof *g->face_dead);
	const bool all = g->end && g->next && g->last && g->first && g->degree && g->parent && g->table && g->ring &&
		g->ring_next && g->is_dead && g->is_link && g->face_dead;
	if (!all) return ossa_context_error(arena->context)->status;
	memset(g->first, 0xff, n * sizeof *g->first);
	memset(g->table, 0xff, capacity * sizeof *g->table);
	ossai_union_begin(g->parent, n);
	return OSSA_OK;
}

static void add_edge(graph_type *g, uint32_t edge, const ossai_pair *pairs, size_t begin, size_t end)
{
	g->end[2 * (size_t)edge] = pairs[begin].first;
	g->end[2 * (size_t)edge + 1] = pairs[begin].second;
	list_add(g, 2 * edge);
	list_add(g, 2 * edge + 1);
	table_add(g, edge);
	/* the faces of an edge form a ring */
	uint32_t first = OSSA_NONE, before = OSSA_NONE;
	for (size_t i = begin; i < end && pairs[i].tag < 3 * g->face_count; i++) {
		if (first == OSSA_NONE) first = pairs[i].tag;
		else g->ring_next[before] = pairs[i].tag;
		before = pairs[i].tag;
	}
	g->ring[edge] = first;
	if (first == OSSA_NONE) g->is_link[edge] = 1;
	else g->ring_next[before] = first;
}

static ossa_status fill(ossai_arena *arena, const ossai_proxy *proxy, ossai_pair *pairs, graph_type *g)
{
	const size_t count = ossai_proxy_pairs(proxy, pairs);
	OSSAI_TRY(ossai_pairs_sort(arena->context, pairs, count, g->vertex_count));
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(pairs, count, i)) g->edge_count++;
	OSSAI_TRY(take_arrays(arena, g));
	uint32_t edge = 0;
	for (size_t i = 0; i < count; edge++) {
		const size_t end = ossai_pairs_run_end(pairs, count, i);
		add_edge(g, edge, pairs, i, end);
		i = end;
	}
	for (size_t f = 0; f < g->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		g->face_dead[f] = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
		g->live_faces += !g->face_dead[f];
	}
	return OSSA_OK;
}

ossa_status ossai_collapse_graph_make(ossai_arena *arena, const ossai_proxy *proxy, graph_type *g)
{
	*g = (graph_type){.vertex_count = proxy->vertex_count, .face_count = proxy->face_count, .live_slots = proxy->vertex_count};
	const size_t most = (size_t)UINT32_MAX / 8;
	if (proxy->face_count > most || proxy->link_count > most || proxy->vertex_count > 4 * most) {
		return ossai_fail(
			arena->context, OSSA_ERROR_LIMIT, NULL, "%zu faces are too many to collapse to a curve", proxy->face_count);
	}
	ossai_pair *pairs = ossai_new(arena->context, 3 * proxy->face_count + proxy->link_count, sizeof *pairs);
	if (!pairs) return ossa_context_error(arena->context)->status;
	const ossa_status status = fill(arena, proxy, pairs, g);
	ossa_free(arena->context, pairs);
	return status;
}

/* ---- faces ---- */

bool ossai_collapse_has_face(graph_type *g, uint32_t edge)
{
	/* dead faces are removed from the ring as they are met */
	while (g->ring[edge] != OSSA_NONE) {
		const uint32_t at = g->ring[edge], next = g->ring_next[at];
		if (!g->face_dead[next / 3]) {
			g->ring[edge] = next;
			return true;
		}
		if (next == at) g->ring[edge] = OSSA_NONE;
		else g->ring_next[at] = g->ring_next[next];
	}
	return false;
}

static void kill_faces(graph_type *g, uint32_t edge)
{
	const uint32_t begin = g->ring[edge];
	if (begin == OSSA_NONE) return;
	uint32_t at = begin;
	do {
		g->live_faces -= !g->face_dead[at / 3];
		g->face_dead[at / 3] = 1;
		at = g->ring_next[at];
	} while (at != begin);
	g->ring[edge] = OSSA_NONE;
}

/* two rings become one by exchanging one successor of each */
static void join_rings(graph_type *g, uint32_t from, uint32_t to)
{
	const uint32_t a = g->ring[from], b = g->ring[to];
	if (a == OSSA_NONE) return;
	if (b == OSSA_NONE) {
		g->ring[to] = a;
		return;
	}
	const uint32_t swap = g->ring_next[a];
	g->ring_next[a] = g->ring_next[b];
	g->ring_next[b] = swap;
}

/* ---- collapsing ---- */

void ossai_collapse_drop(graph_type *g, uint32_t edge)
{
	table_remove(g, edge);
	list_remove(g, 2 * edge);
	list_remove(g, 2 * edge + 1);
	g->is_dead[edge] = 1;
}

/* moves one side of an edge from the vanishing slot to the other slot, or merges the edge with the
   one that is already there; returns the edge that remains */
static uint32_t move_side(graph_type *g, uint32_t side, uint32_t slot)
{
	const uint32_t edge = side / 2, there = ossai_collapse_edge(g, slot, g->end[side ^ 1]);
	if (there != OSSA_NONE) {
		join_rings(g, edge, there);
		g->is_link[there] &= g->is_link[edge];
		ossai_collapse_drop(g, edge);
		return there;
	}
	table_remove(g, edge);
	list_remove(g, side);
	g->end[side] = slot;
	list_add(g, side);
	table_add(g, edge);
	return edge;
}

uint32_t ossai_collapse_merge(graph_type *g, uint32_t edge, uint32_t *moved, size_t *moved_count)
{
	const uint32_t a = g->end[2 * (size_t)edge], b = g->end[2 * (size_t)edge + 1];
	const bool keep_a = g->degree[a] > g->degree[b] || (g->degree[a] == g->degree[b] && a < b);
	const uint32_t kept = keep_a ? a : b, gone = keep_a ? b : a;
	kill_faces(g, edge);
	ossai_collapse_drop(g, edge);
	size_t count = 0;
	while (g->first[gone] != OSSA_NONE) moved[count++] = move_side(g, g->first[gone], kept);
	g->parent[gone] = kept;
	g->live_slots--;
	*moved_count = count;
	return kept;
}
