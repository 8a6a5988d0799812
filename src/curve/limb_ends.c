/* curve/limb_ends.c: see limb_ends.h. */
#include "curve/limb_ends.h"

#include "curve/chains.h"

#include <ossa/mesh.h>

/* A limb ends at the node nearest to its junction whose ball, this many times as large, holds all
   that is beyond. Tried: 1.5 to 3; below 2 the corners of a box stay, above 2.5 short limbs lose
   their last bone. */
static const double HOLDS = 2.2;

/* ... and no more is cut off than this many times the persistence of its tip: a spike on a ball
   is a limb. */
static const double MOST_CUT = 1.5;

/* Chains as paths from an end inward. */
typedef struct shortening {
	const ossai_curve *curve;
	const ossai_curve_chains *chains;
	uint32_t *path, *into; /* scratch of C; what each node becomes part of */
	uint8_t *is_end;
} shortening;

/* Fills `path` with the nodes of a chain from its end inward, without the one at which it begins;
   from its beginning outward where that is an end, too. Returns their number. */
static size_t take_path(const shortening *s, const ossai_curve_chain *chain, bool from_begin)
{
	const uint32_t *node = ossai_curve_chain_nodes(s->chains, chain), last = chain->count - 1;
	for (uint32_t i = 0; i < last; i++) s->path[i] = node[from_begin ? i : last - i];
	return last;
}

/* the number of nodes of a path that may be cut off: no other end, and no more than its tip's
   persistence allows */
static size_t count_allowed(const shortening *s, size_t count)
{
	const double *persistence = s->curve->persistence;
	double left = 0;
	for (size_t i = 0; i < count; i++) left = fmax(left, MOST_CUT * persistence[s->path[i]]);
	for (size_t i = 0; i + 1 < count; i++) {
		left -= ossai_distance(s->curve->node[s->path[i]], s->curve->node[s->path[i + 1]]);
		if (s->is_end[s->path[i + 1]] || left < 0) return i + 1;
	}
	return count;
}

/* whether the ball of path[k], enlarged, holds all balls before it: the last one first, which
   most often lies outside */
static bool holds(const shortening *s, size_t k)
{
	const ossai_curve *curve = s->curve;
	const uint32_t node = s->path[k];
	for (size_t i = 0; i < k; i++) {
		const double out = ossai_distance(curve->node[s->path[i]], curve->node[node]) + curve->radius[s->path[i]];
		if (out > HOLDS * curve->radius[node]) return false;
	}
	return true;
}

static void shorten(const shortening *s, const ossai_curve_chain *chain, bool from_begin)
{
	const size_t count = count_allowed(s, take_path(s, chain, from_begin));
	size_t last = 0;
	for (size_t k = 1; k < count; k++) last = holds(s, k) ? k : last;
	for (size_t i = 0; i < last; i++) s->into[s->path[i]] = s->path[last];
	for (size_t i = 0; i <= last; i++) s->is_end[s->path[i]] = 1;
}

static ossa_status shorten_all(ossai_arena *scratch, const ossai_curve *curve, uint32_t *into)
{
	ossai_curve_chains chains;
	OSSAI_TRY(ossai_curve_chains_make(scratch, curve, OSSA_NONE, &chains));
	const shortening s = {curve, &chains, ossai_arena_new(scratch, curve->node_count, sizeof *s.path), into,
		ossai_arena_zero(scratch, curve->node_count, sizeof *s.is_end)};
	if (!s.path || !s.is_end) return ossa_context_error(scratch->context)->status;
	for (size_t c = 0; c < chains.count; c++) {
		const ossai_curve_chain *chain = &chains.chain[c];
		/* a curve without junctions is one chain with two ends */
		if (ossai_curve_degree(chains.start, chain->begin) == 1) shorten(&s, chain, true);
		if (chain->is_leaf) shorten(&s, chain, false);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_shorten_ends(ossai_arena *arena, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	uint32_t *into = ossai_arena_new(&scratch, curve->node_count, sizeof *into);
	ossa_status status = into ? OSSA_OK : ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; into && i < curve->node_count; i++) into[i] = i;
	if (status == OSSA_OK) status = shorten_all(&scratch, curve, into);
	if (status == OSSA_OK) status = ossai_curve_merge(arena, into, curve);
	ossai_arena_end(&scratch);
	return status;
}
