/* curve/limbs.c: see limbs.h. */
#include "curve/limbs.h"

#include "curve/mirrored_chains.h"
#include "proxy/geodesic_maxima.h"

#include <ossa/mesh.h>

/* What protrudes by less than this share of what a limb does is no limb's image either. */
static const double NEARLY = 0.7;

/* both of a pair protrude as far as the one that does more */
static ossa_status match_tips(
	ossai_arena *scratch, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, double *height)
{
	uint32_t *tip = ossai_arena_new(scratch, proxy->vertex_count, sizeof *tip);
	if (!tip) return ossa_context_error(scratch->context)->status;
	size_t count = 0;
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		if (height[v] >= NEARLY * least) tip[count++] = v;
	}
	ossai_branch *branch = ossai_arena_new(scratch, count, sizeof *branch);
	ossai_branch_image *image = ossai_arena_new(scratch, count, sizeof *image);
	if (!branch || !image) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		branch[i] = (ossai_branch){OSSA_NONE, true, ossai_v3_of(proxy->positions + 3 * (size_t)tip[i])};
	}
	OSSAI_TRY(ossai_mirrored_chains(scratch, mirror, NULL, count, branch, image));
	for (size_t i = 0; i < count; i++) {
		const uint32_t other = image[i].chain;
		if (other != OSSA_NONE && other > i) height[tip[i]] = height[tip[other]] = fmax(height[tip[i]], height[tip[other]]);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_find_limbs(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	double *height = ossai_arena_new(&scratch, proxy->vertex_count, sizeof *height);
	curve->limb = ossai_arena_zero(arena, curve->node_count, sizeof *curve->limb);
	ossa_status status = height && curve->limb ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = ossai_geodesic_maxima_find(&scratch, proxy, height);
	if (status == OSSA_OK && mirror->exists) status = match_tips(&scratch, proxy, mirror, least, height);
	for (size_t v = 0; status == OSSA_OK && v < curve->vertex_count; v++) {
		double *limb = &curve->limb[curve->node_of_vertex[v]];
		*limb = fmax(*limb, height[v]);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* ---- ends ---- */

/* A limb ends at the node nearest to its body whose ball, so many times as large, holds all that is beyond. */
static const double HOLDS = 2.2;

typedef struct graph {
	const ossai_curve *curve;
	uint32_t *start, *neighbor;
	uint32_t *way, *into; /* scratch of C; what each node becomes part of */
	uint8_t *is_end;
} graph;

/* ... and no more is cut off than so many times as far as it protrudes: a spike on a ball is a limb. */
static const double MOST_OF_LIMB = 1.5;

/* how far the surface protrudes along the chain that ends at a leaf; infinite where that is not known */
static double height_of(const graph *g, uint32_t leaf)
{
	if (!g->curve->limb) return INFINITY;
	double height = g->curve->limb[leaf];
	uint32_t before = leaf, at = g->neighbor[g->start[leaf]];
	while (ossai_curve_degree(g->start, at) == 2) {
		height = fmax(height, g->curve->limb[at]);
		const uint32_t next = ossai_curve_onward(g->start, g->neighbor, before, at);
		before = at;
		at = next;
	}
	return height;
}

/* the nodes from a leaf inward, as far as nothing branches, no other end is met, and enough of the limb is left */
static size_t walk_inward(const graph *g, uint32_t leaf)
{
	size_t count = 0;
	uint32_t before = OSSA_NONE, at = leaf;
	double left = MOST_OF_LIMB * height_of(g, leaf);
	for (;;) {
		g->way[count++] = at;
		const uint32_t next = before == OSSA_NONE ? g->neighbor[g->start[at]]
												  : ossai_curve_onward(g->start, g->neighbor, before, at);
		left -= ossai_distance(g->curve->node[at], g->curve->node[next]);
		if (ossai_curve_degree(g->start, next) != 2 || g->is_end[next] || left < 0) return count;
		before = at;
		at = next;
	}
}

/* whether the ball of way[k], enlarged, holds all balls before it: the last one first, which most often lies outside */
static bool holds(const graph *g, size_t k)
{
	const ossai_curve *curve = g->curve;
	const uint32_t node = g->way[k];
	for (size_t i = 0; i < k; i++) {
		const double far = ossai_distance(curve->node[g->way[i]], curve->node[node]) + curve->radius[g->way[i]];
		if (far > HOLDS * curve->radius[node]) return false;
	}
	return true;
}

static void shorten(const graph *g, uint32_t leaf)
{
	const size_t count = walk_inward(g, leaf);
	size_t last = 0;
	for (size_t k = 1; k < count; k++) last = holds(g, k) ? k : last;
	for (size_t i = 0; i < last; i++) g->into[g->way[i]] = g->way[last];
	for (size_t i = 0; i <= last; i++) g->is_end[g->way[i]] = 1;
}

ossa_status ossai_curve_shorten_ends(ossai_arena *arena, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	graph g = {.curve = curve};
	ossa_status status = ossai_curve_neighbors(&scratch, curve, &g.start, &g.neighbor);
	g.way = ossai_arena_new(&scratch, curve->node_count, sizeof *g.way);
	g.into = ossai_arena_new(&scratch, curve->node_count, sizeof *g.into);
	g.is_end = ossai_arena_zero(&scratch, curve->node_count, 1);
	if (status == OSSA_OK && (!g.way || !g.into || !g.is_end)) status = ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) g.into[i] = i;
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) == 1 && !g.is_end[i]) shorten(&g, i);
	}
	if (status == OSSA_OK) status = ossai_curve_merge(arena, g.into, curve);
	ossai_arena_end(&scratch);
	return status;
}
