/* volume/graph_chains.c: see graph_chains.h. */
#include "volume/graph_chains.h"

#include "curve/mirrored_chains.h"

#include <ossa/mesh.h>

typedef struct chain_maker {
	const ossai_path_tree *tree;
	const ossai_tree_ways *ways;
	const uint32_t *into;
	uint8_t *is_stop;   /* where chains begin and end: node 0, ends, branchings and all that was joined to one */
	uint32_t *chain_to; /* of a vertex: the chain that ends there */
} chain_maker;

static void find_stops(const chain_maker *m)
{
	for (uint32_t i = 0; i < m->tree->node_count; i++) {
		if (i == 0 || ossai_path_degree(m->tree, m->ways, i) != 2) m->is_stop[i] = 1;
		if (m->into[i] != i) m->is_stop[i] = m->is_stop[m->into[i]] = 1;
	}
}

/* where the chain that ends at stop `node` begins, and how many points it has */
static uint32_t walk_up(const chain_maker *m, uint32_t node, uint32_t *count)
{
	*count = 2;
	for (node = m->tree->parent[node]; !m->is_stop[node]; node = m->tree->parent[node]) (*count)++;
	return node;
}

/* the chain's points, from its last one up; a joined branching is where the largest one is */
static void fill_points(
	const chain_maker *m, uint32_t bottom, uint32_t top, const ossai_graph_chain *chain, ossai_graph_chains *chains)
{
	uint32_t *node = chains->node + chain->begin, at = m->tree->parent[bottom];
	node[0] = m->into[top];
	node[chain->count - 1] = m->into[bottom];
	for (uint32_t i = chain->count - 2; i > 0; i--, at = m->tree->parent[at]) node[i] = at;
	double *arc = chains->arc + chain->begin;
	arc[0] = 0;
	for (uint32_t i = 1; i < chain->count; i++) {
		arc[i] = arc[i - 1] + ossai_distance(m->tree->node[node[i - 1]], m->tree->node[node[i]]);
	}
}

static void find_chains(const chain_maker *m, ossai_graph_chains *chains)
{
	for (uint32_t i = 0; i < m->tree->node_count; i++) m->chain_to[i] = OSSA_NONE;
	/* parents first: what leads to a set of joined branchings ends at the first of their nodes */
	for (uint32_t i = 1; i < m->tree->node_count; i++) {
		uint32_t count;
		if (!m->is_stop[i]) continue;
		const uint32_t top = walk_up(m, i, &count);
		if (m->into[top] == m->into[i]) continue;
		ossai_graph_chain *chain = &chains->chain[chains->count];
		*chain = (ossai_graph_chain){.parent = m->chain_to[m->into[top]],
			.begin = (uint32_t)chains->point_count,
			.count = count,
			.is_leaf = ossai_path_degree(m->tree, m->ways, i) == 1,
			.mirrored = OSSA_NONE};
		fill_points(m, i, top, chain, chains);
		chains->point_count += count;
		m->chain_to[m->into[i]] = (uint32_t)chains->count++;
	}
}

ossa_status ossai_graph_chains_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_tree_ways *ways,
	const uint32_t *into, ossai_graph_chains *chains)
{
	const size_t count = tree->node_count;
	*chains = (ossai_graph_chains){0};
	chain_maker m = {.tree = tree, .ways = ways, .into = into};
	m.is_stop = ossai_arena_zero(arena, count, 1);
	m.chain_to = ossai_arena_new(arena, count, sizeof *m.chain_to);
	/* a node is a point of one chain, or the end of one and the beginning of others, which are no more than the ends */
	chains->chain = ossai_arena_new(arena, count, sizeof *chains->chain);
	chains->node = ossai_arena_new(arena, count, 2 * sizeof *chains->node);
	chains->arc = ossai_arena_new(arena, count, 2 * sizeof *chains->arc);
	if (!m.is_stop || !m.chain_to || !chains->chain || !chains->node || !chains->arc) {
		return ossa_context_error(arena->context)->status;
	}
	find_stops(&m);
	find_chains(&m, chains);
	return OSSA_OK;
}

ossa_status ossai_graph_chains_match(
	ossai_arena *arena, const ossai_path_tree *tree, const ossai_mirror *mirror, ossai_graph_chains *chains)
{
	ossai_branch *branch = ossai_arena_new(arena, chains->count, sizeof *branch);
	ossai_branch_image *image = ossai_arena_new(arena, chains->count, sizeof *image);
	if (!branch || !image) return ossa_context_error(arena->context)->status;
	for (size_t c = 0; c < chains->count; c++) {
		const ossai_graph_chain *chain = &chains->chain[c];
		branch[c] = (ossai_branch){chain->parent, chain->is_leaf, tree->node[chains->node[chain->begin + chain->count - 1]]};
	}
	/* node 0 is an end, too, but where several paths meet there */
	size_t first = 0;
	for (size_t c = 0; c < chains->count; c++) first += chains->chain[c].parent == OSSA_NONE;
	OSSAI_TRY(ossai_mirrored_chains(arena, mirror, first == 1 ? &tree->node[0] : NULL, chains->count, branch, image));
	for (size_t c = 0; c < chains->count; c++) {
		chains->chain[c].mirrored = image[c].chain;
		chains->chain[c].is_turned = image[c].is_turned;
	}
	return OSSA_OK;
}
