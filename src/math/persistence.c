/* math/persistence.c: see persistence.h. */
#include "math/persistence.h"

#include "base/union_find.h"

#include <ossa/mesh.h>

/* Superlevel sets: the nodes visited so far, by connected component. */
typedef struct superlevel_sets {
	ossai_local_maxima *maxima;
	const uint32_t *rank;
	uint32_t *set;  /* N: union-find; OSSA_NONE: not visited yet */
	uint32_t *peak; /* by component: its maximum */
} superlevel_sets;

/* two components merge: that of the lower maximum ends */
static void merge_components(const superlevel_sets *s, uint32_t a, uint32_t b, uint32_t saddle)
{
	const bool first_is_higher = s->rank[s->peak[a]] < s->rank[s->peak[b]];
	const uint32_t high = s->peak[first_is_higher ? a : b], low = s->peak[first_is_higher ? b : a];
	ossai_union_join(s->set, a, b);
	s->peak[ossai_union_find(s->set, a)] = high;
	s->maxima->higher[low] = high;
	s->maxima->saddle[low] = saddle;
}

static void visit(const superlevel_sets *s, uint32_t node, const uint32_t *start, const uint32_t *neighbor)
{
	s->maxima->higher[node] = s->maxima->saddle[node] = s->set[node] = s->peak[node] = node;
	for (uint32_t k = start[node]; k < start[node + 1]; k++) {
		if (s->set[neighbor[k]] == OSSA_NONE) continue;
		const uint32_t a = ossai_union_find(s->set, node), b = ossai_union_find(s->set, neighbor[k]);
		if (a != b) merge_components(s, a, b, node);
	}
}

ossa_status ossai_local_maxima_find(ossai_arena *arena, size_t count, const uint32_t *order, const uint32_t *rank,
	const uint32_t *start, const uint32_t *neighbor, ossai_local_maxima *maxima)
{
	maxima->higher = ossai_arena_new(arena, count, sizeof *maxima->higher);
	maxima->saddle = ossai_arena_new(arena, count, sizeof *maxima->saddle);
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const superlevel_sets s = {
		maxima, rank, ossai_arena_new(&scratch, count, sizeof *s.set), ossai_arena_new(&scratch, count, sizeof *s.peak)};
	const bool has_all = maxima->higher && maxima->saddle && s.set && s.peak;
	for (size_t i = 0; has_all && i < count; i++) s.set[i] = OSSA_NONE;
	for (size_t i = 0; has_all && i < count; i++) visit(&s, order[i], start, neighbor);
	ossai_arena_end(&scratch);
	return has_all ? OSSA_OK : ossa_context_error(arena->context)->status;
}
