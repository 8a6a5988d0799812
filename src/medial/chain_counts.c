/* medial/chain_counts.c: see chain_counts.h. */
#include "medial/chain_counts.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* Edges that a straight chain needs beyond its length over the limit, and what one that was parted at a bend does: nothing is longer than the limit in
   the mean, and between bends by a quarter. */
static const double WHOLE_MORE = 0.5, PART_MORE = 0.25;

/* What is left of a need is not worth another look. */
static const double LEAST_SHARE = 0.01;

/* Chains to ends are like each other where their needs differ by less than this share. */
static const double LIKE_CHAINS = 0.15;

/* Sums lack or have too much in their last digits. */
static const double LAST_DIGIT = 1e-9;

static ossai_vec3 point_of(const ossai_path_tree *tree, const ossai_graph_chains *chains, uint32_t point)
{
	return tree->node[chains->node[point]];
}

static double distance_to_edge(ossai_vec3 from, ossai_vec3 to, ossai_vec3 point)
{
	return ossai_distance(ossai_nearest_on_segment(from, to, point), point);
}

uint32_t ossai_stretch_worst(
	const ossai_path_tree *tree, const ossai_graph_chains *chains, uint32_t begin, uint32_t end, double *error)
{
	const ossai_vec3 from = point_of(tree, chains, begin), to = point_of(tree, chains, end);
	const double *arc = chains->arc, middle = (arc[begin] + arc[end]) / 2;
	uint32_t worst = begin;
	double off = INFINITY;
	*error = 0;
	for (uint32_t i = begin + 1; i < end; i++) {
		const double own = distance_to_edge(from, to, point_of(tree, chains, i)), own_off = fabs(arc[i] - middle);
		if (own < *error || (own == *error && own_off >= off)) continue;
		*error = own;
		worst = i;
		off = own_off;
	}
	return worst;
}

double ossai_stretch_needs(const ossai_path_tree *tree, const ossai_graph_chains *chains, const ossai_chain_limits *limits,
	uint32_t begin, uint32_t end, double *stack)
{
	double sum = 0, more = WHOLE_MORE;
	size_t depth = 0;
	/* begin, end and how much of the need is that of this stretch, the rest that of its two parts */
	const double whole[3] = {begin, end, 1};
	for (int i = 0; i < 3; i++) stack[depth++] = whole[i];
	while (depth > 0) {
		const double share = stack[depth - 1];
		const uint32_t last = (uint32_t)stack[depth - 2], first = (uint32_t)stack[depth - 3];
		const double length = chains->arc[last] - chains->arc[first];
		depth -= 3;
		double error = 0, bent = 0;
		const uint32_t worst = ossai_stretch_worst(tree, chains, first, last, &error);
		const bool may_part = worst > first && length >= limits->lower;
		if (may_part) bent = limits->tolerance > 0 ? fmin(fmax(error / limits->tolerance - 0.5, 0), 1) : error > 0;
		if (share * bent < LEAST_SHARE) bent = 0;
		const double parts = limits->upper > 0 ? length / limits->upper : INFINITY,
					 own = may_part && length > 0 ? parts + more : 1;
		sum += share * (1 - bent) * fmin(fmax(1, own), fmax(last - first, 1));
		more = PART_MORE;
		if (!(bent > 0)) continue;
		const double two[6] = {first, worst, share * bent, worst, last, share * bent};
		for (int i = 0; i < 6; i++) stack[depth++] = two[i];
	}
	return sum;
}

/* Chains that get the same number. */
typedef struct like {
	double needs;          /* the mean's */
	uint32_t first, count; /* in the list of chains */
} like;

typedef struct listed {
	double needs;
	uint32_t chain;
	bool is_leaf;
} listed;

/* leaves first, by what they need */
static int by_needs(const void *x, const void *y)
{
	const listed *a = x, *b = y;
	if (a->is_leaf != b->is_leaf) return a->is_leaf ? -1 : 1;
	if (a->needs != b->needs) return a->needs > b->needs ? -1 : 1;
	return a->chain < b->chain ? -1 : a->chain > b->chain;
}

/* the most alike first: few that are left make good for what these have too much or too little */
static int by_count(const void *x, const void *y)
{
	const like *a = x, *b = y;
	if (a->count != b->count) return a->count > b->count ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static size_t gather(const listed *list, size_t count, like *likes)
{
	size_t groups = 0;
	for (uint32_t i = 0; i < count; i++) {
		like *last = groups > 0 ? &likes[groups - 1] : NULL;
		const bool joins = last && list[i].is_leaf == list[last->first].is_leaf &&
			(list[i].needs == list[last->first].needs ||
				(list[i].is_leaf && list[last->first].needs < (1 + LIKE_CHAINS) * list[i].needs));
		if (!joins) {
			likes[groups++] = (like){list[i].needs, i, 1};
			continue;
		}
		last->needs = (last->needs * last->count + list[i].needs) / (last->count + 1);
		last->count++;
	}
	return groups;
}

ossa_status ossai_chain_counts(ossai_arena *scratch, const ossai_path_tree *tree, const ossai_graph_chains *chains,
	const ossai_chain_limits *limits, double *stack, uint32_t *edges)
{
	const size_t count = chains->count;
	listed *list = ossai_arena_new(scratch, count, sizeof *list);
	like *likes = ossai_arena_new(scratch, count, sizeof *likes);
	if (!list || !likes) return ossa_context_error(scratch->context)->status;
	for (uint32_t c = 0; c < count; c++) {
		const ossai_graph_chain *chain = &chains->chain[c];
		list[c] = (listed){
			ossai_stretch_needs(tree, chains, limits, chain->begin, chain->begin + chain->count - 1, stack), c, chain->is_leaf};
	}
	/* mirrored chains share */
	for (uint32_t c = 0; c < count; c++) {
		const uint32_t other = chains->chain[c].mirrored;
		if (other == OSSA_NONE || other <= c || chains->chain[other].mirrored != c) continue;
		list[c].needs = list[other].needs = (list[c].needs + list[other].needs) / 2;
		list[c].is_leaf = list[other].is_leaf = list[c].is_leaf && list[other].is_leaf;
	}
	qsort(list, count, sizeof *list, by_needs);
	const size_t groups = gather(list, count, likes);
	qsort(likes, groups, sizeof *likes, by_count);
	double carried = 0;
	for (size_t g = 0; g < groups; g++) {
		const double needs = likes[g].needs, most = ceil(needs - LAST_DIGIT), least = fmax(1, floor(needs + LAST_DIGIT));
		const double wanted = floor(needs + carried / likes[g].count + 0.5 - LAST_DIGIT);
		const double number = fmin(fmax(fmin(fmax(wanted, least), most), 1), INT32_MAX);
		carried += likes[g].count * (needs - number);
		for (uint32_t i = 0; i < likes[g].count; i++) edges[list[likes[g].first + i].chain] = (uint32_t)number;
	}
	return OSSA_OK;
}
