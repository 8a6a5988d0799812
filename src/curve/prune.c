/* curve/prune.c: branches that are no limbs, and branchings that are one: see tree.h. */
#include "base/union_find.h"
#include "curve/tree.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* What comes less far out of the ball than this, a share of the diagonal, is no limb either. */
static const double LEAST_OUT = 0.06;

/* Branchings are one where they are this near, in the sum of the radii of the largest balls that hold them: what lies between is the body. */
static const double SAME_BODY = 1.12;

/* A branch that ends: from a leaf to the branching that it hangs on. */
typedef struct spur {
	double reach; /* how far out of the branching's ball it comes, as a share of the ball's radius */
	uint32_t branching, leaf;
} spur;

static int by_branching(const void *x, const void *y)
{
	const spur *a = x, *b = y;
	if (a->branching != b->branching) return a->branching < b->branching ? -1 : 1;
	if (a->reach != b->reach) return a->reach < b->reach ? -1 : 1;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

typedef struct graph {
	const ossai_curve *curve;
	uint32_t *start, *neighbor;
} graph;

static uint32_t degree(const graph *g, uint32_t node) { return g->start[node + 1] - g->start[node]; }

/* the node after `node` on a way that comes from `from`; `node` has two neighbours */
static uint32_t onward(const graph *g, uint32_t from, uint32_t node)
{
	const uint32_t first = g->neighbor[g->start[node]];
	return first != from ? first : g->neighbor[g->start[node] + 1];
}

/* follows a leaf to its branching; false where the curve is a path */
static bool follow(const graph *g, uint32_t leaf, spur *found)
{
	uint32_t from = leaf, node = g->neighbor[g->start[leaf]];
	while (degree(g, node) == 2) {
		const uint32_t next = onward(g, from, node);
		from = node;
		node = next;
	}
	if (degree(g, node) < 3) return false;
	*found = (spur){0, node, leaf};
	/* how far the balls along it come */
	const double radius = g->curve->radius[node];
	double farthest = 0;
	for (uint32_t before = OSSA_NONE, at = leaf; at != node;) {
		const double far = ossai_distance(g->curve->node[at], g->curve->node[node]) + g->curve->radius[at];
		if (far > farthest) farthest = far;
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]] : onward(g, before, at);
		before = at;
		at = next;
	}
	found->reach = radius > 0 ? farthest / radius - 1 : INFINITY;
	if (farthest - radius < LEAST_OUT) found->reach = -1;
	return true;
}

/* all nodes of a spur become its branching */
static void remove_spur(const graph *g, const spur *gone, uint32_t *into)
{
	uint32_t before = OSSA_NONE;
	for (uint32_t at = gone->leaf; at != gone->branching;) {
		into[at] = gone->branching;
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]] : onward(g, before, at);
		before = at;
		at = next;
	}
}

/* removes short spurs, of each branching the shortest first, and never so many that fewer than two ways are left there: what is left of
   one that loses its branching is looked at again, as a whole. Tells how many. */
static ossa_status remove_spurs(ossai_arena *scratch, const graph *g, double reach, uint32_t *into, size_t *removed)
{
	const ossai_curve *curve = g->curve;
	spur *spurs = ossai_arena_new(scratch, curve->node_count, sizeof *spurs);
	if (!spurs) return ossa_context_error(scratch->context)->status;
	size_t count = 0;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (degree(g, i) == 1 && follow(g, i, &spurs[count]) && spurs[count].reach < reach) count++;
	}
	qsort(spurs, count, sizeof *spurs, by_branching);
	*removed = 0;
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin; end < count && spurs[end].branching == spurs[begin].branching;) end++;
		const size_t most = degree(g, spurs[begin].branching) - 2;
		for (size_t i = begin; i < end && i - begin < most; i++, (*removed)++) remove_spur(g, &spurs[i], into);
	}
	return OSSA_OK;
}

/* ---- branchings that are one ---- */

static ossai_ball ball_of(const ossai_curve *curve, uint32_t node)
{
	return curve->ball ? curve->ball[node] : (ossai_ball){curve->node[node], curve->radius[node]};
}

/* joins what lies between two branchings of one body */
static void join_branchings(const graph *g, uint32_t *set)
{
	for (uint32_t i = 0; i < g->curve->node_count; i++) {
		if (degree(g, i) < 3) continue;
		const ossai_ball ball = ball_of(g->curve, i);
		for (uint32_t k = g->start[i]; k < g->start[i + 1]; k++) {
			uint32_t from = i, node = g->neighbor[k];
			while (degree(g, node) == 2) {
				const uint32_t next = onward(g, from, node);
				from = node;
				node = next;
			}
			if (degree(g, node) < 3) continue;
			const ossai_ball other = ball_of(g->curve, node);
			const double apart = ossai_distance(g->curve->node[i], g->curve->node[node]);
			if (other.radius > ball.radius || apart > SAME_BODY * (ball.radius + other.radius)) continue;
			/* back along the way */
			for (uint32_t at = node, before = OSSA_NONE; at != i;) {
				ossai_union_join(set, at, i);
				const uint32_t next = before == OSSA_NONE ? from : onward(g, before, at);
				before = at;
				at = next;
			}
		}
	}
}

/* of each set the branching with the largest ball stands for all */
static ossa_status merge_branchings(ossai_arena *arena, ossai_arena *scratch, ossai_curve *curve)
{
	graph g = {.curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &g.start, &g.neighbor));
	uint32_t *set = ossai_arena_new(scratch, curve->node_count, sizeof *set);
	uint32_t *into = ossai_arena_new(scratch, curve->node_count, sizeof *into);
	uint32_t *largest = ossai_arena_new(scratch, curve->node_count, sizeof *largest);
	if (!set || !into || !largest) return ossa_context_error(scratch->context)->status;
	ossai_union_begin(set, curve->node_count);
	join_branchings(&g, set);
	for (uint32_t i = 0; i < curve->node_count; i++) largest[i] = OSSA_NONE;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		uint32_t *best = &largest[ossai_union_find(set, i)];
		const bool is_first = *best == OSSA_NONE;
		if (is_first ||
			(degree(&g, i) > 2 && (degree(&g, *best) < 3 || ball_of(curve, i).radius > ball_of(curve, *best).radius)))
			*best = i;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) into[i] = largest[ossai_union_find(set, i)];
	return ossai_curve_merge(arena, into, curve);
}

ossa_status ossai_curve_prune(ossai_arena *arena, double reach, ossai_curve *curve)
{
	ossa_status status = OSSA_OK;
	for (size_t removed = 1; status == OSSA_OK && removed > 0 && curve->node_count > 0;) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		graph g = {.curve = curve};
		status = ossai_curve_neighbors(&scratch, curve, &g.start, &g.neighbor);
		uint32_t *into = status == OSSA_OK ? ossai_arena_new(&scratch, curve->node_count, sizeof *into) : NULL;
		if (status == OSSA_OK && !into) status = ossa_context_error(arena->context)->status;
		for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) into[i] = i;
		if (status == OSSA_OK) status = remove_spurs(&scratch, &g, reach, into, &removed);
		if (status == OSSA_OK && removed > 0) status = ossai_curve_merge(arena, into, curve);
		if (status == OSSA_OK && removed == 0) status = merge_branchings(arena, &scratch, curve);
		ossai_arena_end(&scratch);
	}
	return status;
}
