/* proxy/proxy_split.c: see proxy_split.h.

   Cycles are counted by Euler's formula, V - E + F = 2 C - 2 handles - borders, of the faces that
   are left, with vertices at which faces only touch counted once for each fan; and for the links by
   the graph of the pieces. Both counts can only fall when more edges go, so the least distance is
   found by bisection over the lengths. */
#include "proxy/proxy_split.h"

#include "base/union_find.h"
#include "mesh/pairs.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

typedef struct splitter {
	ossa_context *context;
	ossai_proxy *proxy;
	double *length;        /* 3 M: of side i, from corner i of a face to the next; then of links */
	uint32_t *counterpart; /* 3 M: the side of the one face beyond; OSSA_NONE */
	uint8_t *is_gone;      /* M: faces */
	uint8_t *is_seen;      /* 3 M */
	uint32_t *set;         /* 3 M, or N where that is more */
	ossai_pair *pairs;     /* 3 M + links */
	double *sorted;        /* 3 M + links */
} splitter;

static uint32_t next_side(uint32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }

static double edge_length(const ossai_proxy *p, uint32_t a, uint32_t b)
{
	return ossai_distance(ossai_v3_of(p->positions + 3 * (size_t)a), ossai_v3_of(p->positions + 3 * (size_t)b));
}

static ossa_status take_arrays(ossai_arena *scratch, splitter *s)
{
	const size_t sides = 3 * s->proxy->face_count, all = sides + s->proxy->link_count;
	const size_t sets = sides > s->proxy->vertex_count ? sides : s->proxy->vertex_count;
	s->length = ossai_arena_new(scratch, all, sizeof *s->length);
	s->counterpart = ossai_arena_new(scratch, sides, sizeof *s->counterpart);
	s->is_gone = ossai_arena_zero(scratch, s->proxy->face_count, 1);
	s->is_seen = ossai_arena_new(scratch, sides, 1);
	s->set = ossai_arena_new(scratch, sets, sizeof *s->set);
	s->pairs = ossai_arena_new(scratch, all, sizeof *s->pairs);
	s->sorted = ossai_arena_new(scratch, all, sizeof *s->sorted);
	const bool has_all = s->length && s->counterpart && s->is_gone && s->is_seen && s->set && s->pairs && s->sorted;
	return has_all ? OSSA_OK : ossa_context_error(s->context)->status;
}

/* where an edge has two faces of one orientation, each side has that of the other face */
static ossa_status find_counterparts(splitter *s)
{
	const ossai_proxy *p = s->proxy;
	const size_t sides = 3 * p->face_count;
	for (uint32_t i = 0; i < sides; i++) {
		const uint32_t a = p->triangles[i], b = p->triangles[next_side(i)];
		s->length[i] = edge_length(p, a, b);
		s->counterpart[i] = OSSA_NONE;
		s->pairs[i] = ossai_pair_of(a, b, i);
	}
	for (size_t i = 0; i < p->link_count; i++) s->length[sides + i] = edge_length(p, p->links[2 * i], p->links[2 * i + 1]);
	OSSAI_TRY(ossai_pairs_sort(s->context, s->pairs, sides, p->vertex_count));
	for (size_t i = 0; i < sides;) {
		const size_t end = ossai_pairs_run_end(s->pairs, sides, i);
		const uint32_t one = s->pairs[i].tag, other = s->pairs[end - 1].tag;
		if (end == i + 2 && p->triangles[one] != p->triangles[other]) {
			s->counterpart[one] = other;
			s->counterpart[other] = one;
		}
		i = end;
	}
	return OSSA_OK;
}

static void mark_gone(splitter *s, double distance)
{
	for (size_t f = 0; f < s->proxy->face_count; f++) {
		const double *side = s->length + 3 * f;
		s->is_gone[f] = side[0] < distance || side[1] < distance || side[2] < distance;
	}
}

static bool is_border(const splitter *s, uint32_t side)
{
	return s->counterpart[side] == OSSA_NONE || s->is_gone[s->counterpart[side] / 3];
}

/* ---- cycles ---- */

/* how many sets `count` items of `set` make, of faces that are left */
static size_t count_sets(splitter *s, size_t count, size_t items_of_face)
{
	size_t sets = 0;
	for (uint32_t i = 0; i < count; i++) sets += !s->is_gone[i / items_of_face] && ossai_union_find(s->set, i) == i;
	return sets;
}

static size_t count_components(splitter *s)
{
	ossai_union_begin(s->set, s->proxy->face_count);
	for (uint32_t i = 0; i < 3 * s->proxy->face_count; i++) {
		if (!s->is_gone[i / 3] && !is_border(s, i)) ossai_union_join(s->set, i / 3, s->counterpart[i] / 3);
	}
	return count_sets(s, s->proxy->face_count, 1);
}

/* vertices, each once for each fan of faces around it */
static size_t count_fans(splitter *s)
{
	ossai_union_begin(s->set, 3 * s->proxy->face_count);
	for (uint32_t i = 0; i < 3 * s->proxy->face_count; i++) {
		if (s->is_gone[i / 3] || is_border(s, i)) continue;
		ossai_union_join(s->set, i, next_side(s->counterpart[i]));
		ossai_union_join(s->set, next_side(i), s->counterpart[i]);
	}
	return count_sets(s, 3 * s->proxy->face_count, 3);
}

static size_t count_borders(splitter *s)
{
	size_t borders = 0;
	memset(s->is_seen, 0, 3 * s->proxy->face_count);
	for (uint32_t i = 0; i < 3 * s->proxy->face_count; i++) {
		if (s->is_gone[i / 3] || !is_border(s, i) || s->is_seen[i]) continue;
		borders++;
		for (uint32_t at = i; !s->is_seen[at];) {
			s->is_seen[at] = 1;
			/* around the end of the side to the next one on the border */
			for (at = next_side(at); !is_border(s, at);) at = next_side(s->counterpart[at]);
		}
	}
	return borders;
}

static size_t count_handles(splitter *s)
{
	size_t faces = 0, borders = 0;
	for (uint32_t i = 0; i < 3 * s->proxy->face_count; i++) {
		faces += i % 3 == 0 && !s->is_gone[i / 3];
		borders += !s->is_gone[i / 3] && is_border(s, i);
	}
	const int64_t edges = ((int64_t)(3 * faces) + (int64_t)borders) / 2;
	const int64_t euler = (int64_t)count_fans(s) - edges + (int64_t)faces;
	const int64_t twice = 2 * (int64_t)count_components(s) - (int64_t)count_borders(s) - euler;
	return twice > 0 ? (size_t)twice / 2 : 0;
}

/* pairs of pieces that links connect, each once, which a tree of the pieces does not need */
static ossa_status count_link_cycles(splitter *s, double distance, size_t *cycles)
{
	const ossai_proxy *p = s->proxy;
	size_t count = 0;
	*cycles = 0;
	if (p->link_count == 0) return OSSA_OK;
	ossai_union_begin(s->set, p->vertex_count);
	for (size_t i = 0; i < 3 * p->face_count; i++) {
		if (!s->is_gone[i / 3]) ossai_union_join(s->set, p->triangles[i], p->triangles[next_side((uint32_t)i)]);
	}
	for (size_t i = 0; i < p->link_count; i++) {
		if (s->length[3 * p->face_count + i] < distance) continue;
		const uint32_t a = ossai_union_find(s->set, p->links[2 * i]), b = ossai_union_find(s->set, p->links[2 * i + 1]);
		if (a != b) s->pairs[count++] = ossai_pair_of(a, b, 0);
	}
	OSSAI_TRY(ossai_pairs_sort(s->context, s->pairs, count, p->vertex_count));
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(s->pairs, count, i)) {
		*cycles += !ossai_union_join(s->set, s->pairs[i].first, s->pairs[i].second);
	}
	return OSSA_OK;
}

static ossa_status count_cycles(splitter *s, double distance, size_t *cycles)
{
	mark_gone(s, distance);
	OSSAI_TRY(count_link_cycles(s, distance, cycles));
	*cycles += count_handles(s);
	return OSSA_OK;
}

/* vertices of faces that have neither a face nor a link any more */
static size_t count_torn(splitter *s, double distance)
{
	const ossai_proxy *p = s->proxy;
	size_t torn = 0;
	/* 1: has had a face, 2: has an edge */
	memset(s->set, 0, p->vertex_count * sizeof *s->set);
	for (size_t i = 0; i < 3 * p->face_count; i++) s->set[p->triangles[i]] |= s->is_gone[i / 3] ? 1 : 2;
	for (size_t i = 0; i < 2 * p->link_count; i++) {
		if (s->length[3 * p->face_count + i / 2] >= distance) s->set[p->links[i]] |= 2;
	}
	for (size_t v = 0; v < p->vertex_count; v++) torn += s->set[v] == 1;
	return torn;
}

/* ---- the distance ---- */

static int by_length(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;
	return a < b ? -1 : a > b;
}

/* the least distance, just above a length, that leaves no cycle; 0 where it would tear vertices
   off */
static ossa_status find_distance(splitter *s, double *distance)
{
	const size_t all = 3 * s->proxy->face_count + s->proxy->link_count;
	size_t low = 0, high = all, cycles;
	*distance = 0;
	memcpy(s->sorted, s->length, all * sizeof *s->sorted);
	qsort(s->sorted, all, sizeof *s->sorted, by_length);
	/* without the shortest low edges there are cycles, without the shortest high there are none */
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		OSSAI_TRY(ossai_progress(s->context, 0.5));
		OSSAI_TRY(count_cycles(s, nextafter(s->sorted[middle - 1], INFINITY), &cycles));
		if (cycles > 0) low = middle;
		else high = middle;
	}
	const double found = nextafter(s->sorted[high - 1], INFINITY);
	mark_gone(s, found);
	if (count_torn(s, found) == 0) *distance = found;
	return OSSA_OK;
}

/* ---- removing ---- */

static bool edge_is_gone(const splitter *s, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		if (!s->is_gone[s->pairs[i].tag / 3]) return false;
	}
	return true;
}

/* the edges that have no face any more, and the short links */
static ossa_status list_removed(ossai_arena *arena, splitter *s, ossai_split *split)
{
	const ossai_proxy *p = s->proxy;
	const size_t sides = 3 * p->face_count;
	split->edges = ossai_arena_new(arena, sides + p->link_count, 2 * sizeof *split->edges);
	if (!split->edges) return ossa_context_error(s->context)->status;
	for (uint32_t i = 0; i < sides; i++) s->pairs[i] = ossai_pair_of(p->triangles[i], p->triangles[next_side(i)], i);
	OSSAI_TRY(ossai_pairs_sort(s->context, s->pairs, sides, p->vertex_count));
	for (size_t i = 0; i < sides;) {
		const size_t end = ossai_pairs_run_end(s->pairs, sides, i);
		if (edge_is_gone(s, i, end)) {
			split->edges[2 * split->count] = s->pairs[i].first;
			split->edges[2 * split->count++ + 1] = s->pairs[i].second;
		}
		i = end;
	}
	for (size_t i = 0; i < p->link_count; i++) {
		if (s->length[sides + i] >= split->distance) continue;
		memcpy(split->edges + 2 * split->count++, p->links + 2 * i, 2 * sizeof *p->links);
	}
	return OSSA_OK;
}

static size_t keep_long(const ossai_proxy *p, double distance, size_t count, uint32_t *links)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (edge_length(p, links[2 * i], links[2 * i + 1]) < distance) continue;
		memmove(links + 2 * kept++, links + 2 * i, 2 * sizeof *links);
	}
	return kept;
}

static void remove_edges(splitter *s, double distance)
{
	ossai_proxy *p = s->proxy;
	size_t kept = 0;
	for (size_t f = 0; f < p->face_count; f++) {
		if (!s->is_gone[f]) memmove(p->triangles + 3 * kept++, p->triangles + 3 * f, 3 * sizeof *p->triangles);
	}
	if (kept < p->face_count) p->is_closed = false;
	p->face_count = kept;
	p->link_count = keep_long(p, distance, p->link_count, p->links);
	p->tie_count = keep_long(p, distance, p->tie_count, p->ties);
}

static ossa_status split_at(ossai_arena *arena, splitter *s, ossai_split *split)
{
	OSSAI_TRY(count_cycles(s, 0, &split->cycles));
	split->left = split->cycles;
	if (split->distance < 0) {
		split->distance = 0;
		if (split->cycles > 0) OSSAI_TRY(find_distance(s, &split->distance));
	}
	if (!(split->distance > 0)) return OSSA_OK;
	OSSAI_TRY(count_cycles(s, split->distance, &split->left));
	split->torn = count_torn(s, split->distance);
	OSSAI_TRY(list_removed(arena, s, split));
	remove_edges(s, split->distance);
	return OSSA_OK;
}

ossa_status ossai_proxy_split(ossai_arena *arena, double distance, ossai_proxy *proxy, ossai_split *split)
{
	splitter s = {.context = arena->context, .proxy = proxy};
	*split = (ossai_split){.distance = distance};
	if (distance == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = take_arrays(&scratch, &s);
	if (status == OSSA_OK) status = find_counterparts(&s);
	if (status == OSSA_OK) status = split_at(arena, &s, split);
	ossai_arena_end(&scratch);
	return status;
}
