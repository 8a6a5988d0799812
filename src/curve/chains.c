/* curve/chains.c: see chains.h. */
#include "curve/chains.h"

#include <ossa/mesh.h>

/* the first junction, else the first end, else node 0 */
static uint32_t choose_root(const ossai_curve *curve, const uint32_t *start)
{
	uint32_t end = OSSA_NONE;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		const uint32_t degree = ossai_curve_degree(start, i);
		if (degree > 2) return i;
		if (degree == 1 && end == OSSA_NONE) end = i;
	}
	return end == OSSA_NONE ? 0 : end;
}

/* the last chain is the one over the edge from a stop to `next` */
static void mark(ossai_curve_chains *all, uint32_t stop, uint32_t next)
{
	uint32_t k = all->start[stop];
	while (all->neighbor[k] != next) k++;
	all->over[k] = (uint32_t)(all->count - 1);
}

/* appends the chain that leaves `begin` over the edge to `next`; `last`: the node before its end */
static void walk(
	const ossai_curve *curve, uint32_t begin, uint32_t next, ossai_curve_chains *all, size_t *nodes, uint32_t *last)
{
	ossai_curve_chain *chain = &all->chain[all->count++];
	uint32_t from = begin, node = next;
	mark(all, begin, next);
	chain->begin = begin;
	chain->first = (uint32_t)*nodes;
	chain->length = ossai_distance(curve->node[begin], curve->node[next]);
	all->node[(*nodes)++] = begin;
	all->node[(*nodes)++] = next;
	while (ossai_curve_degree(all->start, node) == 2 && node != all->root) {
		const uint32_t onward = ossai_curve_onward(all->start, all->neighbor, from, node);
		chain->length += ossai_distance(curve->node[node], curve->node[onward]);
		all->node[(*nodes)++] = onward;
		from = node;
		node = onward;
	}
	chain->end = node;
	chain->count = (uint32_t)*nodes - chain->first;
	chain->is_leaf = ossai_curve_degree(all->start, node) == 1;
	mark(all, node, from);
	*last = from;
}

ossa_status ossai_curve_chains_make(ossai_arena *arena, const ossai_curve *curve, uint32_t root, ossai_curve_chains *chains)
{
	*chains = (ossai_curve_chains){.root = root};
	OSSAI_TRY(ossai_curve_neighbors(arena, curve, &chains->start, &chains->neighbor));
	/* each edge lies on one chain, which has a node more than edges */
	chains->chain = ossai_arena_new(arena, curve->edge_count, sizeof *chains->chain);
	chains->node = ossai_arena_new(arena, curve->edge_count, 2 * sizeof *chains->node);
	chains->over = ossai_arena_new(arena, curve->edge_count, 2 * sizeof *chains->over);
	uint32_t *before_end = ossai_arena_new(arena, curve->edge_count, sizeof *before_end);
	if (!chains->chain || !chains->node || !chains->over || !before_end) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < 2 * curve->edge_count; i++) chains->over[i] = OSSA_NONE;
	if (curve->node_count == 0) return OSSA_OK;
	if (root == OSSA_NONE) chains->root = choose_root(curve, chains->start);
	size_t nodes = 0;
	for (size_t done = 0; done <= chains->count; done++) {
		const uint32_t parent = done == 0 ? OSSA_NONE : (uint32_t)(done - 1);
		const uint32_t node = done == 0 ? chains->root : chains->chain[parent].end;
		for (uint32_t k = chains->start[node]; k < chains->start[node + 1]; k++) {
			if (done > 0 && chains->neighbor[k] == before_end[parent]) continue;
			const size_t c = chains->count;
			walk(curve, node, chains->neighbor[k], chains, &nodes, &before_end[c]);
			chains->chain[c].parent = parent;
		}
	}
	return OSSA_OK;
}
