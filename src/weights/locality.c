/* weights/locality.c: see locality.h. */
#include "weights/locality.h"

#include "weights/residuals.h"
#include "weights/simplex_fit.h"
#include "weights/weight_patches.h"

#include <stdlib.h>
#include <string.h>

/* what the rounds of one call work with */
typedef struct cutting {
	const ossai_posed_surface *surface;
	const ossai_residuals *residuals; /* NULL: there is no motion */
	const ossai_weight_prior *prior;  /* NULL: none */
	double least;
	ossai_bone_weights *weights;
	ossai_weight_patches patches;
	/* B: whose support changed since its patches were found; the others have kept theirs */
	uint8_t *changed;
} cutting;

static bool is_kept(const cutting *c, size_t vertex) { return c->prior && ossai_weight_prior_keeps(c->prior, vertex); }

static int compare_patches(const void *left, const void *right)
{
	const ossai_weight_patch *a = left, *b = right;
	if (a->bone != b->bone) return a->bone < b->bone ? -1 : 1;
	if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
	if (a->mass != b->mass) return a->mass > b->mass ? -1 : 1;
	return a->id < b->id ? -1 : 1;
}

/* marks the patches to be removed: keep[id] = 0; returns how many */
static size_t choose_patches(ossai_weight_patches *p, uint8_t *keep)
{
	size_t lost = 0;
	qsort(p->list, p->count, sizeof *p->list, compare_patches);
	for (size_t i = 0; i < p->count; i++) {
		const bool first = i == 0 || p->list[i].bone != p->list[i - 1].bone || p->list[i].piece != p->list[i - 1].piece;
		keep[p->list[i].id] = first;
		lost += !first;
	}
	return lost;
}

static bool is_removed(const ossai_weight_patches *p, const uint8_t *keep, size_t slot)
{
	return p->of_slot[slot] != OSSA_NONE && !keep[p->of_slot[slot]];
}

/* removes a vertex's pairs that are in removed patches; true where one was */
static bool drop_pairs(const cutting *c, size_t vertex, const uint8_t *keep)
{
	ossai_bone_weights *weights = c->weights;
	const size_t at = vertex * weights->width, before = weights->count[vertex];
	size_t kept = 0;
	for (size_t i = 0; i < before; i++) {
		if (is_removed(&c->patches, keep, at + i)) {
			c->changed[weights->bone[at + i]] = 1;
			continue;
		}
		weights->bone[at + kept] = weights->bone[at + i];
		weights->value[at + kept++] = weights->value[at + i];
	}
	weights->count[vertex] = (uint8_t)kept;
	return kept != before;
}

/* scales the remaining weights of a vertex to sum 1 */
static void scale_again(size_t vertex, ossai_bone_weights *weights)
{
	double *value = weights->value + vertex * weights->width, sum = 0;
	for (size_t i = 0; i < weights->count[vertex]; i++) sum += value[i];
	for (size_t i = 0; i < weights->count[vertex]; i++) value[i] /= sum;
}

/* the least error of the bones that a vertex has, and the price of what is known */
static void solve_again(const cutting *c, size_t vertex)
{
	ossai_bone_weights *weights = c->weights;
	if (!c->residuals) {
		scale_again(vertex, weights);
		return;
	}
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX], a[OSSAI_GRAM_MAX] = {0};
	uint16_t bone[OSSAI_GRAM_MAX];
	const size_t n = weights->count[vertex], at = vertex * weights->width;
	for (size_t i = 0; i < n; i++) {
		a[i] = weights->value[at + i];
		bone[i] = weights->bone[at + i];
	}
	if (c->prior)
		ossai_weight_prior_solve(c->prior, c->residuals, vertex, n, weights->bone + at, weights->value + at, n, bone, a);
	else {
		ossai_residuals_gram(c->residuals, vertex, n, bone, g);
		ossai_simplex_fit(n, g, n, a);
	}
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(a[i] > 0)) {
			c->changed[bone[i]] = 1;
			continue;
		}
		weights->bone[at + kept] = bone[i];
		weights->value[at + kept++] = a[i];
	}
	weights->count[vertex] = (uint8_t)kept;
}

/* the misfit of a bone at a vertex without any: the squared error of its motion, else its negative
   weight at the neighbour */
static double misfit(const ossai_residuals *residuals, size_t vertex, uint16_t bone, double value)
{
	return residuals ? ossai_residuals_square(residuals, vertex, bone) : 1 - value;
}

/* a vertex without any bone takes the bone of a neighbour that fits it best; false where no
   neighbour has one */
static bool adopt(const cutting *c, size_t vertex)
{
	const ossai_posed_surface *surface = c->surface;
	ossai_bone_weights *weights = c->weights;
	const uint8_t *is_fixed = c->patches.is_fixed, *locked = c->prior ? c->prior->locked : NULL;
	double best = INFINITY;
	for (uint32_t i = surface->patch_start[vertex]; i < surface->patch_start[vertex + 1]; i++) {
		const uint32_t n = surface->patch_neighbor[i];
		for (size_t j = 0; is_fixed[n] && j < weights->count[n]; j++) {
			const uint16_t bone = weights->bone[n * weights->width + j];
			if (locked && locked[bone]) continue;
			const double error = misfit(c->residuals, vertex, bone, weights->value[n * weights->width + j]);
			if (!(error < best)) continue;
			best = error;
			weights->bone[vertex * weights->width] = bone;
			weights->value[vertex * weights->width] = 1;
		}
	}
	if (best == INFINITY) return false;
	c->changed[weights->bone[vertex * weights->width]] = 1;
	weights->count[vertex] = 1;
	return true;
}

/* moves pairs that are too small behind the others; returns how many are left */
static size_t keep_large(const cutting *c, size_t v)
{
	ossai_bone_weights *weights = c->weights;
	const size_t at = v * weights->width;
	size_t kept = 0;
	for (size_t i = 0; i < weights->count[v]; i++) {
		if (weights->value[at + i] < c->least) continue;
		const uint16_t bone = weights->bone[at + i];
		const double value = weights->value[at + i];
		weights->bone[at + i] = weights->bone[at + kept];
		weights->value[at + i] = weights->value[at + kept];
		weights->bone[at + kept] = bone;
		weights->value[at + kept++] = value;
	}
	return kept;
}

static void drop_small(const cutting *c, size_t v)
{
	ossai_bone_weights *weights = c->weights;
	for (bool again = true; again && weights->count[v] > 1;) {
		const size_t before = weights->count[v], kept = keep_large(c, v);
		again = kept < before && kept > 0;
		if (!again) continue;
		for (size_t i = kept; i < before; i++) c->changed[weights->bone[v * weights->width + i]] = 1;
		weights->count[v] = (uint8_t)kept;
		solve_again(c, v);
	}
}

/* vertices without bones form groups: each round advances by one ring; the largest patch of the
   piece is never removed */
static void fill_orphans(cutting *c, size_t orphans)
{
	ossai_bone_weights *weights = c->weights;
	for (size_t left = SIZE_MAX; orphans > 0 && orphans < left;) {
		left = orphans;
		for (size_t v = 0; v < weights->vertex_count; v++) c->patches.is_fixed[v] = weights->count[v] > 0;
		for (size_t v = 0; v < weights->vertex_count; v++) {
			if (c->surface->used[v] && weights->count[v] == 0 && adopt(c, v)) orphans--;
		}
	}
}

/* patches with weights that are known stay, wherever they are: a person may have made them so */
static void keep_known(const cutting *c, uint8_t *keep)
{
	const ossai_bone_weights *weights = c->weights;
	for (size_t v = 0; c->prior && v < weights->vertex_count; v++) {
		for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
			if (ossai_bone_weight_of(c->prior->weights, v, weights->bone[i]) >= c->least) keep[c->patches.of_slot[i]] = 1;
		}
	}
}

/* one round; `*lost` patches were removed, but for what is kept of them */
static ossa_status cut_once(ossa_context *context, cutting *c, size_t *lost)
{
	ossai_bone_weights *weights = c->weights;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		if (!is_kept(c, v)) drop_small(c, v);
	}
	*lost = 0;
	OSSAI_TRY(ossai_weight_patches_find(context, c->surface, weights, c->changed, &c->patches));
	if (c->patches.count == 0) return OSSA_OK;
	uint8_t *keep = ossai_new(context, c->patches.count, sizeof *keep);
	if (!keep) return ossa_context_error(context)->status;
	/* where weights are known several patches of a bone may stay: all are found every time */
	if (!c->prior) memset(c->changed, 0, weights->bone_count);
	const size_t cut = choose_patches(&c->patches, keep);
	keep_known(c, keep);
	size_t orphans = 0;
	for (size_t v = 0; cut > 0 && v < weights->vertex_count; v++) {
		if (is_kept(c, v) || !drop_pairs(c, v, keep)) continue;
		*lost = cut;
		if (weights->count[v] > 0) solve_again(c, v);
		else orphans++;
	}
	ossa_free(context, keep);
	fill_orphans(c, orphans);
	return OSSA_OK;
}

ossa_status ossai_locality_enforce(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_weight_prior *prior, double least, ossai_bone_weights *weights)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_residuals residuals;
	cutting c = {.surface = surface, .prior = prior, .least = least, .weights = weights};
	ossa_status status = ossai_weight_patches_new(&arena, surface, weights->width, &c.patches);
	if (status == OSSA_OK && motion) {
		status = ossai_residuals_make(&arena, surface, motion, &residuals);
		c.residuals = &residuals;
	}
	c.changed = ossai_arena_new(&arena, weights->bone_count, sizeof *c.changed);
	if (!c.changed) status = ossa_context_error(context)->status;
	else memset(c.changed, 1, weights->bone_count);
	size_t lost = 1;
	/* pairs are only removed, except for vertices that take a neighbour's bone: it ends, mostly
	   after two or three rounds */
	for (int round = 0; status == OSSA_OK && lost > 0 && round < 50; round++) status = cut_once(context, &c, &lost);
	ossa_free(context, c.patches.list);
	ossai_arena_end(&arena);
	return status;
}

static ossa_status mark_scattered(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const uint8_t *open, ossai_weight_patches *p, uint8_t *scattered, size_t *count)
{
	OSSAI_TRY(ossai_weight_patches_find(context, surface, weights, NULL, p));
	uint8_t *keep = ossai_new(context, p->count, sizeof *keep);
	if (!keep) return ossa_context_error(context)->status;
	choose_patches(p, keep);
	for (size_t v = 0; v < weights->vertex_count; v++) {
		for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
			scattered[i] = open[weights->bone[i]] && !keep[p->of_slot[i]];
			*count += scattered[i];
		}
	}
	ossa_free(context, keep);
	return OSSA_OK;
}

ossa_status ossai_locality_scattered(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, uint8_t *scattered, size_t *count)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_weight_patches p;
	*count = 0;
	ossa_status status = ossai_weight_patches_new(&arena, surface, weights->width, &p);
	if (status == OSSA_OK) status = mark_scattered(context, surface, weights, open, &p, scattered, count);
	ossa_free(context, p.list);
	ossai_arena_end(&arena);
	return status;
}
