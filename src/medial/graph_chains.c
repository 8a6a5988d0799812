/* medial/graph_chains.c: see graph_chains.h. */
#include "medial/graph_chains.h"

#include "curve/mirrored_chains.h"
#include "query/nearest_point.h"

#include <ossa/mesh.h>

/* Chains that lead to different ends are images all the same where their own ends are this near to each other's images (shares of the
   diagonal and of their length), and one is longer than the other by this share at most. */
static const double END_NEAR = 0.02, END_NEAR_SHARE = 0.1, LONGER = 0.2;

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

/* ---- the other side ---- */

typedef struct chain_matcher {
	const ossai_path_tree *tree;
	const ossai_mirror *mirror;
	ossai_graph_chains *chains;
} chain_matcher;

static ossai_vec3 end_of(const chain_matcher *m, uint32_t chain, bool last)
{
	const ossai_graph_chain *c = &m->chains->chain[chain];
	return m->tree->node[m->chains->node[last ? c->begin + c->count - 1 : c->begin]];
}

static double length_of(const chain_matcher *m, uint32_t chain)
{
	const ossai_graph_chain *c = &m->chains->chain[chain];
	return m->chains->arc[c->begin + c->count - 1];
}

/* the larger distance of one chain's ends from the images of the other's */
static double ends_apart(const chain_matcher *m, uint32_t one, uint32_t other, bool is_turned)
{
	double most = 0;
	for (int last = 0; last < 2; last++) {
		const ossai_vec3 image = ossai_mirror_point(m->mirror, end_of(m, one, last));
		const double far = ossai_distance(image, end_of(m, other, is_turned ? !last : last));
		if (far > most) most = far;
	}
	return most;
}

static void match_if_near(const chain_matcher *m, uint32_t one, uint32_t other)
{
	const double a = length_of(m, one), b = length_of(m, other), straight = ends_apart(m, one, other, false),
				 turned = ends_apart(m, one, other, true), apart = straight < turned ? straight : turned;
	if (!(apart < END_NEAR + END_NEAR_SHARE * (a + b) / 2) || a > b * (1 + LONGER) || b > a * (1 + LONGER)) return;
	const uint32_t pair[] = {one, other};
	for (int i = 0; i < 2; i++) {
		m->chains->chain[pair[i]].mirrored = pair[1 - i];
		m->chains->chain[pair[i]].is_turned = turned < straight;
	}
}

/* what has no image by the ends that it leads to: by its own place, each the nearest to the other's image */
static ossa_status match_places(ossai_arena *scratch, const chain_matcher *m)
{
	const size_t count = m->chains->count;
	uint32_t *chain = ossai_arena_new(scratch, count, sizeof *chain), left = 0;
	uint32_t *nearest = ossai_arena_new(scratch, count, sizeof *nearest);
	double *middles = ossai_arena_new(scratch, count, 3 * sizeof *middles);
	double *images = ossai_arena_new(scratch, count, 3 * sizeof *images);
	if (!chain || !nearest || !middles || !images) return ossa_context_error(scratch->context)->status;
	for (uint32_t c = 0; c < count; c++) {
		if (m->chains->chain[c].mirrored != OSSA_NONE) continue;
		const ossai_vec3 middle = ossai_lerp(end_of(m, c, false), end_of(m, c, true), 0.5);
		ossai_v3_store(middle, middles + 3 * (size_t)left);
		ossai_v3_store(ossai_mirror_point(m->mirror, middle), images + 3 * (size_t)left);
		chain[left++] = c;
	}
	if (left == 0) return OSSA_OK;
	OSSAI_TRY(ossai_nearest_points(scratch->context, left, middles, left, images, nearest));
	for (uint32_t i = 0; i < left; i++) {
		if (nearest[i] >= i && nearest[nearest[i]] == i) match_if_near(m, chain[i], chain[nearest[i]]);
	}
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
	const chain_matcher matcher = {tree, mirror, chains};
	return match_places(arena, &matcher);
}
