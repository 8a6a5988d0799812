/* medial/junctions.c: see branchings.h. */
#include "medial/junctions.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* A branching may come out of a larger one's ball by this share of its own radius at most. */
static const double MOST_OUT = 0.5;

ossa_status ossai_tree_ways_make(ossai_arena *arena, const ossai_path_tree *tree, ossai_tree_ways *ways)
{
	const size_t count = tree->node_count;
	/* counts two places on, so that sums are begins one place on, which filling moves to the ends */
	ways->start = ossai_arena_zero(arena, count + 2, sizeof *ways->start);
	ways->child = ossai_arena_new(arena, count, sizeof *ways->child);
	if (!ways->start || !ways->child) return ossa_context_error(arena->context)->status;
	for (size_t i = 1; i < count; i++) ways->start[tree->parent[i] + 2]++;
	for (size_t i = 2; i < count + 2; i++) ways->start[i] += ways->start[i - 1];
	for (uint32_t i = 1; i < count; i++) ways->child[ways->start[tree->parent[i] + 1]++] = i;
	return OSSA_OK;
}

/* A branching, in the order in which they take in others. */
typedef struct branching {
	double radius, far; /* of its ball; from the heart */
	uint32_t node;
} branching;

static int by_size(const void *x, const void *y)
{
	const branching *a = x, *b = y;
	if (a->radius != b->radius) return a->radius > b->radius ? -1 : 1;
	if (a->far != b->far) return a->far < b->far ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* A node that is reached from a branching. */
typedef struct reached {
	double out; /* the most that the way to it comes out of the ball, as a share of what comes out */
	uint32_t node, before;
} reached;

typedef struct joiner {
	const ossai_path_tree *tree;
	const ossai_tree_ways *ways;
	uint32_t *into;
	uint8_t *is_taken; /* by a branching, or one itself */
	uint32_t *place;   /* of a node in `list`; OSSA_NONE: not reached */
	reached *list;
	double *outs;
	size_t count;
} joiner;

static bool is_branching(const joiner *j, uint32_t node) { return node != 0 && ossai_path_degree(j->tree, j->ways, node) > 2; }

static double out_of_ball(const ossai_path_tree *tree, uint32_t center, uint32_t node)
{
	const double out = ossai_distance(tree->node[center], tree->node[node]) - tree->radius[center];
	if (!(out > 0)) return 0;
	return tree->radius[node] > 0 ? out / tree->radius[node] : INFINITY;
}

static void reach(joiner *j, uint32_t center, uint32_t from, uint32_t node)
{
	if (node == 0 || node == OSSA_NONE || j->place[node] != OSSA_NONE || j->is_taken[node]) return;
	const double own = out_of_ball(j->tree, center, node), before = j->list[from].out;
	const double out = own > before ? own : before;
	if (!(out <= MOST_OUT)) return;
	j->place[node] = (uint32_t)j->count;
	j->list[j->count++] = (reached){out, node, from};
}

/* what is in the ball or near it, by breadth */
static void reach_all(joiner *j, uint32_t center)
{
	j->count = 1;
	j->list[0] = (reached){0, center, 0};
	j->place[center] = 0;
	for (uint32_t i = 0; i < j->count; i++) {
		const uint32_t node = j->list[i].node;
		reach(j, center, i, j->tree->parent[node]);
		for (uint32_t k = j->ways->start[node]; k < j->ways->start[node + 1]; k++) reach(j, center, i, j->ways->child[k]);
	}
	for (size_t i = 0; i < j->count; i++) j->place[j->list[i].node] = OSSA_NONE;
}

static int by_value(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;
	return a < b ? -1 : a > b;
}

/* the beginning of the widest gap between the branchings' shares, from 0 to the most */
static double widest_gap(joiner *j)
{
	size_t count = 0;
	for (size_t i = 1; i < j->count; i++) {
		if (is_branching(j, j->list[i].node)) j->outs[count++] = j->list[i].out;
	}
	qsort(j->outs, count, sizeof *j->outs, by_value);
	double begin = 0, widest = -1;
	for (size_t i = 0; i <= count; i++) {
		const double low = i == 0 ? 0 : j->outs[i - 1], high = i == count ? MOST_OUT : j->outs[i];
		if (high - low <= widest) continue;
		widest = high - low;
		begin = low;
	}
	return begin;
}

static void take_in(joiner *j, uint32_t center)
{
	reach_all(j, center);
	const double most = widest_gap(j);
	j->is_taken[center] = 1;
	for (size_t i = 1; i < j->count; i++) {
		if (!is_branching(j, j->list[i].node) || j->list[i].out > most) continue;
		for (uint32_t at = (uint32_t)i; j->list[at].node != center && !j->is_taken[j->list[at].node]; at = j->list[at].before) {
			j->is_taken[j->list[at].node] = 1;
			j->into[j->list[at].node] = center;
		}
	}
}

static ossa_status join(ossai_arena *scratch, joiner *j)
{
	const size_t count = j->tree->node_count;
	j->is_taken = ossai_arena_zero(scratch, count, 1);
	j->place = ossai_arena_new(scratch, count, sizeof *j->place);
	j->list = ossai_arena_new(scratch, count, sizeof *j->list);
	j->outs = ossai_arena_new(scratch, count, sizeof *j->outs);
	branching *all = ossai_arena_new(scratch, count, sizeof *all);
	if (!j->is_taken || !j->place || !j->list || !j->outs || !all) return ossa_context_error(scratch->context)->status;
	size_t branchings = 0;
	const ossai_vec3 heart = j->tree->node[j->tree->heart];
	for (uint32_t i = 0; i < count; i++) {
		j->into[i] = i;
		j->place[i] = OSSA_NONE;
		if (is_branching(j, i)) {
			all[branchings++] = (branching){j->tree->radius[i], ossai_distance(heart, j->tree->node[i]), i};
		}
	}
	qsort(all, branchings, sizeof *all, by_size);
	for (size_t i = 0; i < branchings; i++) {
		if (!j->is_taken[all[i].node]) take_in(j, all[i].node);
	}
	return OSSA_OK;
}

ossa_status ossai_junctions_merge(ossai_arena *arena, const ossai_path_tree *tree, const ossai_tree_ways *ways, uint32_t *into)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	joiner j = {.tree = tree, .ways = ways, .into = into};
	const ossa_status status = join(&scratch, &j);
	ossai_arena_end(&scratch);
	return status;
}
