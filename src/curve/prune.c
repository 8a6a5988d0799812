/* curve/prune.c: branches that are no limbs: see tree.h. */
#include "curve/mirrored_chains.h"
#include "curve/tree.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* What comes less far out of the ball than this, a share of the diagonal, is no limb either. */
static const double LEAST_OUT = 0.06;

/* Two branches that are images of each other and as thick as this outside of the ball, shares of its radius, are limbs already where a lone one
   would have to reach so many times as far: stubby legs, which noise is not, nor are corners, which taper. */
static const double PAIR_WORTH = 2, PAIR_THICK = 0.2;

/* Prongs of one fork begin no farther from the plane of symmetry than this, a share of their length. */
static const double PRONG_OFF = 0.25;

/* A branch that ends: from a leaf to the branching that it hangs on. */
typedef struct spur {
	double
		reach; /* how far the surface protrudes, or how far out of the branching's ball it comes, as a share of the ball's radius */
	double thick; /* mean radius outside of that ball, the same share */
	uint32_t branching, leaf;
	uint32_t image; /* the other side's leaf; OSSA_NONE */
} spur;

static uint32_t first_leaf(const spur *s) { return s->image < s->leaf ? s->image : s->leaf; }

static int by_branching(const void *x, const void *y)
{
	const spur *a = x, *b = y;
	if (a->branching != b->branching) return a->branching < b->branching ? -1 : 1;
	if (a->reach != b->reach) return a->reach < b->reach ? -1 : 1;
	if (first_leaf(a) != first_leaf(b)) return first_leaf(a) < first_leaf(b) ? -1 : 1;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

typedef struct graph {
	const ossai_curve *curve;
	uint32_t *start, *neighbor;
} graph;

/* how far the surface protrudes along it */
static void measure_by_limbs(const graph *g, spur *found)
{
	found->reach = 0;
	for (uint32_t before = OSSA_NONE, at = found->leaf; at != found->branching;) {
		found->reach = fmax(found->reach, g->curve->limb[at]);
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]]
												  : ossai_curve_onward(g->start, g->neighbor, before, at);
		before = at;
		at = next;
	}
}

/* how far the balls along it come, and how large they are where they are out */
static void measure_by_balls(const graph *g, spur *found)
{
	const double radius = g->curve->radius[found->branching];
	double farthest = 0, radii = 0, count = 0;
	for (uint32_t before = OSSA_NONE, at = found->leaf; at != found->branching;) {
		const double far = ossai_distance(g->curve->node[at], g->curve->node[found->branching]);
		if (far + g->curve->radius[at] > farthest) farthest = far + g->curve->radius[at];
		radii += far > radius ? g->curve->radius[at] : 0;
		count += far > radius;
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]]
												  : ossai_curve_onward(g->start, g->neighbor, before, at);
		before = at;
		at = next;
	}
	found->reach = radius > 0 ? farthest / radius - 1 : INFINITY;
	if (farthest - radius < LEAST_OUT) found->reach = -1;
	found->thick = count > 0 && radius > 0 ? radii / count / radius : 0;
}

/* follows a leaf to its branching; false where the curve is a path */
static bool follow(const graph *g, uint32_t leaf, spur *found)
{
	uint32_t from = leaf, node = g->neighbor[g->start[leaf]];
	while (ossai_curve_degree(g->start, node) == 2) {
		const uint32_t next = ossai_curve_onward(g->start, g->neighbor, from, node);
		from = node;
		node = next;
	}
	if (ossai_curve_degree(g->start, node) < 3) return false;
	*found = (spur){.branching = node, .leaf = leaf, .image = OSSA_NONE};
	if (g->curve->limb) measure_by_limbs(g, found);
	else measure_by_balls(g, found);
	return true;
}

/* all nodes of a spur become its branching */
static void remove_spur(const graph *g, const spur *gone, uint32_t *into)
{
	uint32_t before = OSSA_NONE;
	for (uint32_t at = gone->leaf; at != gone->branching;) {
		into[at] = gone->branching;
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]]
												  : ossai_curve_onward(g->start, g->neighbor, before, at);
		before = at;
		at = next;
	}
}

/* two that fork from one branching, which lies on the plane itself, next to how long they are */
static bool are_prongs(const ossai_curve *curve, const ossai_mirror *mirror, const spur *a, const spur *b)
{
	const ossai_vec3 from = curve->node[a->branching];
	const double off = fabs(ossai_dot(mirror->normal, from) - mirror->offset);
	const double length = fmin(ossai_distance(curve->node[a->leaf], from), ossai_distance(curve->node[b->leaf], from));
	return a->branching == b->branching && off <= PRONG_OFF * length;
}

/* images of each other reach as far as the one that reaches farther; thick ones count for more. Where limbs are known, those at one branching as far as
   the one that reaches less: images elsewhere protrude alike already */
static ossa_status match_spurs(
	ossai_arena *scratch, const ossai_curve *curve, const ossai_mirror *mirror, size_t count, spur *spurs)
{
	ossai_branch *branch = ossai_arena_new(scratch, count, sizeof *branch);
	ossai_branch_image *image = ossai_arena_new(scratch, count, sizeof *image);
	if (!branch || !image) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) branch[i] = (ossai_branch){OSSA_NONE, true, curve->node[spurs[i].leaf]};
	OSSAI_TRY(ossai_mirrored_chains(scratch, mirror, NULL, count, branch, image));
	for (size_t i = 0; i < count; i++) {
		const uint32_t other = image[i].chain;
		if (other == OSSA_NONE || other <= i) continue;
		if (curve->limb && !are_prongs(curve, mirror, &spurs[i], &spurs[other])) continue;
		spurs[i].image = spurs[other].leaf;
		spurs[other].image = spurs[i].leaf;
		if (curve->limb) {
			/* the tip of what forks lies on one of the prongs, which is none if the other is none */
			spurs[i].reach = spurs[other].reach = fmin(spurs[i].reach, spurs[other].reach);
			continue;
		}
		const double worth = fmin(spurs[i].thick, spurs[other].thick) > PAIR_THICK ? PAIR_WORTH : 1;
		spurs[i].reach = spurs[other].reach = worth * fmax(spurs[i].reach, spurs[other].reach);
	}
	return OSSA_OK;
}

/* the branches that end, those that come out of a branching by less than `reach` first in it; how many these are altogether */
static ossa_status find_spurs(
	ossai_arena *scratch, const graph *g, double reach, const ossai_mirror *mirror, spur **spurs, size_t *short_count)
{
	const ossai_curve *curve = g->curve;
	*spurs = ossai_arena_new(scratch, curve->node_count, sizeof **spurs);
	if (!*spurs) return ossa_context_error(scratch->context)->status;
	size_t count = 0;
	*short_count = 0;
	for (uint32_t i = 0; i < curve->node_count; i++)
		count += ossai_curve_degree(g->start, i) == 1 && follow(g, i, &(*spurs)[count]);
	if (mirror && mirror->exists) OSSAI_TRY(match_spurs(scratch, curve, mirror, count, *spurs));
	for (size_t i = 0; i < count; i++) {
		if ((*spurs)[i].reach < reach) (*spurs)[(*short_count)++] = (*spurs)[i];
	}
	qsort(*spurs, *short_count, sizeof **spurs, by_branching);
	return OSSA_OK;
}

/* removes short spurs, of each branching the shortest first, and never so many that fewer than two ways are left there, or one where a pair
   would have been parted: what is left of one that loses its branching is looked at again, as a whole. Tells how many. */
static ossa_status remove_spurs(
	ossai_arena *scratch, const graph *g, double reach, const ossai_mirror *mirror, uint32_t *into, size_t *removed)
{
	spur *spurs = NULL;
	size_t count = 0;
	OSSAI_TRY(find_spurs(scratch, g, reach, mirror, &spurs, &count));
	*removed = 0;
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin; end < count && spurs[end].branching == spurs[begin].branching;) end++;
		size_t most = begin + ossai_curve_degree(g->start, spurs[begin].branching) - 2;
		if (most < end && spurs[most].image == spurs[most - 1].leaf) most++;
		for (size_t i = begin; i < end && i < most; i++, (*removed)++) remove_spur(g, &spurs[i], into);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_prune(ossai_arena *arena, double reach, const ossai_mirror *mirror, ossai_curve *curve)
{
	ossa_status status = OSSA_OK;
	for (size_t removed = 1; status == OSSA_OK && removed > 0 && curve->node_count > 0;) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		graph g = {.curve = curve};
		status = ossai_curve_neighbors(&scratch, curve, &g.start, &g.neighbor);
		uint32_t *into = status == OSSA_OK ? ossai_arena_new(&scratch, curve->node_count, sizeof *into) : NULL;
		if (status == OSSA_OK && !into) status = ossa_context_error(arena->context)->status;
		for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) into[i] = i;
		if (status == OSSA_OK) status = remove_spurs(&scratch, &g, reach, mirror, into, &removed);
		if (status == OSSA_OK && removed > 0) status = ossai_curve_merge(arena, into, curve);
		ossai_arena_end(&scratch);
	}
	return status;
}
