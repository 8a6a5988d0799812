/* curve/prune.c: see prune.h. */
#include "curve/prune.h"

#include "curve/chains.h"
#include "curve/mirrored_chains.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* The prongs of a fork begin within this distance of the plane of symmetry, a share of their
   length. Tried: 0 to 1; below 0.1 forks lose one prong in some meshes of a shape, above 0.5 two
   arms count as a fork. */
static const double PRONG_OFF = 0.25;

/* A chain that ends in a leaf. */
typedef struct branch {
	double persistence; /* of the most persistent tip along it */
	uint32_t chain, junction, leaf;
	uint32_t mirrored; /* the leaf of its mirror image at the same junction; OSSA_NONE */
} branch;

static uint32_t first_leaf(const branch *b) { return b->mirrored < b->leaf ? b->mirrored : b->leaf; }

static int by_junction(const void *x, const void *y)
{
	const branch *a = x, *b = y;
	if (a->junction != b->junction) return a->junction < b->junction ? -1 : 1;
	if (a->persistence != b->persistence) return a->persistence < b->persistence ? -1 : 1;
	if (first_leaf(a) != first_leaf(b)) return first_leaf(a) < first_leaf(b) ? -1 : 1;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

static int by_leaf(const void *x, const void *y)
{
	const branch *a = x, *b = y;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

/* the chains from a junction to an end, in the order of their ends */
static size_t list_branches(const ossai_curve *curve, const ossai_curve_chains *chains, branch *list)
{
	size_t count = 0;
	for (uint32_t c = 0; c < chains->count; c++) {
		const ossai_curve_chain *chain = &chains->chain[c];
		if (!chain->is_leaf || !ossai_curve_is_junction(chains, chain->begin)) continue;
		branch *b = &list[count++];
		*b = (branch){.chain = c, .junction = chain->begin, .leaf = chain->end, .mirrored = OSSA_NONE};
		const uint32_t *node = ossai_curve_chain_nodes(chains, chain);
		for (uint32_t i = 1; i < chain->count; i++) b->persistence = fmax(b->persistence, curve->persistence[node[i]]);
	}
	qsort(list, count, sizeof *list, by_leaf);
	return count;
}

/* two branches of one junction, which lies on the plane of symmetry */
static bool are_prongs(const ossai_curve *curve, const ossai_mirror *mirror, const branch *a, const branch *b)
{
	const ossai_vec3 from = curve->node[a->junction];
	const double off = fabs(ossai_dot(mirror->normal, from) - mirror->offset);
	const double length = fmin(ossai_distance(curve->node[a->leaf], from), ossai_distance(curve->node[b->leaf], from));
	return a->junction == b->junction && off <= PRONG_OFF * length;
}

/* The prongs of a fork are kept or removed together, by the lesser persistence: the tip of the
   fork lies on one of the two, by chance. Mirror images at two junctions have the persistence of
   the greater one already (curve/tips.h). */
static ossa_status match_prongs(
	ossai_arena *scratch, const ossai_curve *curve, const ossai_mirror *mirror, size_t count, branch *list)
{
	ossai_branch *end = ossai_arena_new(scratch, count, sizeof *end);
	ossai_branch_image *image = ossai_arena_new(scratch, count, sizeof *image);
	if (!end || !image) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) end[i] = (ossai_branch){OSSA_NONE, true, curve->node[list[i].leaf]};
	OSSAI_TRY(ossai_mirrored_chains(scratch, mirror, NULL, count, end, image));
	for (size_t i = 0; i < count; i++) {
		const uint32_t other = image[i].chain;
		if (other == OSSA_NONE || other <= i || !are_prongs(curve, mirror, &list[i], &list[other])) continue;
		list[i].mirrored = list[other].leaf;
		list[other].mirrored = list[i].leaf;
		list[i].persistence = list[other].persistence = fmin(list[i].persistence, list[other].persistence);
	}
	return OSSA_OK;
}

/* merges all nodes of a branch into its junction */
static void remove_branch(const ossai_curve_chains *chains, const branch *gone, uint32_t *into)
{
	const ossai_curve_chain *chain = &chains->chain[gone->chain];
	const uint32_t *node = ossai_curve_chain_nodes(chains, chain);
	for (uint32_t i = 1; i < chain->count; i++) into[node[i]] = gone->junction;
}

/* Removes spurious branches, of each junction the least persistent first, and never so many that
   fewer than two chains are left there, or one where a fork would lose a prong: where
   a node is no junction any more, the chain through it is tested again as a whole. */
static ossa_status remove_branches(
	ossai_arena *scratch, const ossai_curve *curve, double least, const ossai_mirror *mirror, uint32_t *into, size_t *removed)
{
	ossai_curve_chains chains;
	*removed = 0;
	OSSAI_TRY(ossai_curve_chains_make(scratch, curve, OSSA_NONE, &chains));
	branch *list = ossai_arena_new(scratch, chains.count, sizeof *list);
	if (!list) return ossa_context_error(scratch->context)->status;
	const size_t all = list_branches(curve, &chains, list);
	if (mirror->exists) OSSAI_TRY(match_prongs(scratch, curve, mirror, all, list));
	size_t count = 0;
	for (size_t i = 0; i < all; i++) {
		if (list[i].persistence < least) list[count++] = list[i];
	}
	qsort(list, count, sizeof *list, by_junction);
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin; end < count && list[end].junction == list[begin].junction;) end++;
		size_t most = begin + ossai_curve_degree(chains.start, list[begin].junction) - 2;
		if (most < end && list[most].mirrored == list[most - 1].leaf) most++;
		for (size_t i = begin; i < end && i < most; i++, (*removed)++) remove_branch(&chains, &list[i], into);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_prune(ossai_arena *arena, double least, const ossai_mirror *mirror, ossai_curve *curve)
{
	ossa_status status = OSSA_OK;
	for (size_t removed = 1; status == OSSA_OK && removed > 0 && curve->node_count > 0;) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		uint32_t *into = ossai_arena_new(&scratch, curve->node_count, sizeof *into);
		if (!into) status = ossa_context_error(arena->context)->status;
		for (uint32_t i = 0; into && i < curve->node_count; i++) into[i] = i;
		if (status == OSSA_OK) status = remove_branches(&scratch, curve, least, mirror, into, &removed);
		if (status == OSSA_OK && removed > 0) status = ossai_curve_merge(arena, into, curve);
		ossai_arena_end(&scratch);
	}
	return status;
}
