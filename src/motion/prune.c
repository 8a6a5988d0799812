/* motion/prune.c: see prune.h. */
#include "motion/prune.h"

#include "weights/residuals.h"
#include "weights/simplex_fit.h"
#include "weights/symmetry.h"

#include <string.h>

enum { VERTEX_GRAIN = 256, FRESH_AT_ONCE = 4 };

/* of the bones still to go, this part at most is removed at once */
static const size_t part_at_once = 8;

/* a vertex that loses a smaller weight is not solved again: its error grows with the square */
static const double weight_that_counts = 0.02;

typedef struct pruning {
	ossai_fit *fit;
	ossai_residuals residuals; /* of the fit's motion, while costs are evaluated */
	ossai_bone_worth worth;    /* of a bone: one that is worth it stays */
	double error;              /* of the fit */
	double *cost;              /* B: increase of the error without the bone, as last computed */
	const uint32_t *heir;      /* B: may take over anywhere; NULL: bones nearby alone do */
	uint8_t *asked;            /* B: bones whose cost is computed now */
	uint8_t *fresh;            /* B: cost computed in this round */
	uint8_t *going;            /* B: chosen for removal */
	uint8_t *nearby;           /* B: shares a vertex with a bone chosen for removal */
} pruning;

/* ---- symmetric bones ---- */

static const ossai_symmetry *symmetry_of(const pruning *p) { return p->fit->surface->symmetry; }

/* the other bone of a pair; else the bone itself */
static size_t other_of(const pruning *p, size_t bone) { return ossai_image_of(symmetry_of(p), (uint32_t)bone); }

/* both of a pair cost the mean of both */
static void share_costs(const pruning *p)
{
	for (size_t b = 0; b < p->fit->weights.bone_count; b++) {
		const size_t other = other_of(p, b);
		if (p->asked[b] && other > b) p->cost[b] = p->cost[other] = 0.5 * (p->cost[b] + p->cost[other]);
	}
}

static size_t count_central(const pruning *p)
{
	size_t count = 0;
	for (uint32_t b = 0; b < p->fit->weights.bone_count; b++) count += ossai_is_central(symmetry_of(p), b) && !p->going[b];
	return count;
}

/* Whether a bone may be removed while so many are to go: a symmetric rig has a central bone, its
   root, and loses pairs as long as there are two to lose, or no central bone in their place. */
static bool may_go(const pruning *p, size_t bone, size_t excess)
{
	if (!symmetry_of(p)) return true;
	if (ossai_is_lone(symmetry_of(p), (uint32_t)bone)) return true;
	const size_t central = count_central(p);
	return other_of(p, bone) == bone ? central > 1 : excess > 1 || central < 2;
}

/* ---- the cost of removing a bone ---- */

static size_t add_bone(uint32_t bone, size_t n, uint16_t bones[OSSAI_SIMPLEX_MAX])
{
	size_t at = 0;
	while (at < n && bones[at] != bone) at++;
	if (at == n && n < OSSAI_SIMPLEX_MAX) bones[n++] = (uint16_t)bone;
	return n;
}

/* the bones of a vertex first, then those of its neighbours */
static size_t bones_around(const ossai_fit *fit, size_t v, uint16_t bones[OSSAI_SIMPLEX_MAX])
{
	const ossai_bone_weights *w = &fit->weights;
	const ossai_adjacency *adjacency = &fit->surface->adjacency;
	size_t n = 0;
	for (size_t i = 0; i < w->count[v]; i++) bones[n++] = w->bone[v * w->width + i];
	for (uint32_t e = adjacency->vertex_start[v]; e < adjacency->vertex_start[v + 1]; e++) {
		const size_t u = adjacency->vertex_neighbor[e];
		for (size_t i = 0; i < w->count[u]; i++) {
			n = add_bone(w->bone[u * w->width + i], n, bones);
		}
	}
	return n;
}

/* the error of a vertex that stays at rest */
static double rest_error(const ossai_posed_surface *surface, size_t v)
{
	double error = 0;
	for (size_t k = 0; k < surface->pose_count; k++) {
		error += ossai_length2(ossai_sub(ossai_rest_point(surface, v), ossai_pose_point(surface, v, k)));
	}
	return error;
}

static void strike_row_and_column(size_t n, size_t out, double *g)
{
	size_t to = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; i != out && j < n; j++) {
			if (j != out) g[to++] = g[i * n + j];
		}
	}
}

/* increase of a vertex's error without its `out`-th bone */
static double vertex_cost(const ossai_fit *fit, size_t v, size_t out, size_t n, const double *gram)
{
	const ossai_bone_weights *w = &fit->weights;
	const double *value = w->value + v * w->width;
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX], a[OSSAI_SIMPLEX_MAX] = {0}, now = 0;
	/* no bone nearby can take over */
	if (n == 1) return rest_error(fit->surface, v);
	for (size_t i = 0; i < w->count[v]; i++) {
		for (size_t j = 0; j < w->count[v]; j++) now += value[i] * value[j] * gram[i * n + j];
	}
	memcpy(g, gram, n * n * sizeof *g);
	strike_row_and_column(n, out, g);
	return ossai_simplex_fit(n - 1, g, w->width, a) - now;
}

/* those around, and the heirs of the vertex's own */
static size_t bones_for(const pruning *p, size_t v, uint16_t bones[OSSAI_SIMPLEX_MAX])
{
	const ossai_bone_weights *w = &p->fit->weights;
	size_t n = bones_around(p->fit, v, bones);
	for (size_t i = 0; p->heir && i < w->count[v]; i++) {
		const uint16_t own = w->bone[v * w->width + i];
		if (p->asked[own]) n = add_bone(p->heir[own], n, bones);
	}
	return n;
}

static void evaluate_range(void *arg, size_t begin, size_t end)
{
	const pruning *p = arg;
	const ossai_bone_weights *w = &p->fit->weights;
	for (size_t v = begin; v < end; v++) {
		uint16_t bones[OSSAI_SIMPLEX_MAX];
		double gram[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX];
		size_t n = 0;
		for (size_t i = 0; i < w->count[v]; i++) {
			const size_t slot = v * w->width + i;
			p->fit->slot_cost[slot] = 0;
			if (!p->asked[w->bone[slot]] || w->value[slot] < weight_that_counts) continue;
			if (n == 0) {
				n = bones_for(p, v, bones);
				ossai_residuals_gram(&p->residuals, v, n, bones, gram);
			}
			p->fit->slot_cost[slot] = vertex_cost(p->fit, v, i, n, gram);
		}
	}
}

static ossa_status evaluate(pruning *p)
{
	const ossai_bone_weights *w = &p->fit->weights;
	ossai_arena arena = ossai_arena_begin(p->fit->context);
	const ossa_status status = ossai_residuals_make(&arena, p->fit->surface, &p->fit->motion, &p->residuals);
	if (status == OSSA_OK) ossai_parallel_for(p->fit->context, w->vertex_count, VERTEX_GRAIN, evaluate_range, p);
	ossai_arena_end(&arena);
	if (status != OSSA_OK) return status;
	for (size_t b = 0; b < w->bone_count; b++) {
		if (p->asked[b]) p->cost[b] = 0;
	}
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) {
			const size_t slot = v * w->width + i;
			if (p->asked[w->bone[slot]]) p->cost[w->bone[slot]] += p->fit->slot_cost[slot];
		}
	}
	if (symmetry_of(p)) share_costs(p);
	return OSSA_OK;
}

ossa_status ossai_fit_costs(ossai_fit *fit, const uint8_t *asked, const uint32_t *heir, double *cost)
{
	ossai_arena arena = ossai_arena_begin(fit->context);
	pruning p = {.fit = fit, .cost = cost, .heir = heir, .asked = ossai_arena_new(&arena, fit->weights.bone_count, 1)};
	ossa_status status = p.asked ? OSSA_OK : ossa_context_error(fit->context)->status;
	if (status == OSSA_OK) {
		memcpy(p.asked, asked, fit->weights.bone_count);
		status = evaluate(&p);
	}
	ossai_arena_end(&arena);
	return status;
}

/* ---- choosing ---- */

/* the bone of least cost that is not marked, or the bone count; excess: how many are to go */
static size_t cheapest(const pruning *p, const uint8_t *marked, size_t excess)
{
	const size_t n = p->fit->weights.bone_count;
	size_t best = n;
	for (size_t b = 0; b < n; b++) {
		if (!marked[b] && (best == n || p->cost[b] < p->cost[best]) && may_go(p, b, excess)) best = b;
	}
	return best;
}

/* a bone, and its image */
static void mark(const pruning *p, size_t bone, uint8_t *marks) { marks[bone] = marks[other_of(p, bone)] = 1; }

/* marks the bones that share a vertex with one */
static void mark_nearby(const ossai_fit *fit, size_t bone, uint8_t *marks)
{
	const ossai_bone_weights *w = &fit->weights;
	marks[bone] = 1;
	for (size_t v = 0; v < w->vertex_count; v++) {
		if (!(ossai_bone_weight_of(w, v, (uint32_t)bone) > 0)) continue;
		for (size_t i = 0; i < w->count[v]; i++) marks[w->bone[v * w->width + i]] = 1;
	}
}

static bool is_worth_it(const pruning *p, size_t bone)
{
	return p->worth.most > 0 && p->cost[bone] >= ossai_bone_worth_at(&p->worth, p->error);
}

/* Chooses up to `count` bones that are not worth it, pairs as one choice, and returns how
   many; excess: how many are to go in all. Costs of earlier rounds only order the search: the
   cheapest bone is evaluated again until the cheapest is up to date. */
static ossa_status choose(pruning *p, size_t count, size_t excess, size_t *chosen)
{
	const size_t n = p->fit->weights.bone_count;
	*chosen = 0;
	memset(p->fresh, 0, n);
	memset(p->going, 0, n);
	memset(p->nearby, 0, n);
	while (*chosen < count) {
		const size_t best = cheapest(p, p->nearby, excess - *chosen);
		if (best == n) break;
		if (p->fresh[best]) {
			const size_t other = other_of(p, best);
			if (is_worth_it(p, best)) break;
			mark(p, best, p->going);
			mark_nearby(p->fit, best, p->nearby);
			if (other != best) mark_nearby(p->fit, other, p->nearby);
			*chosen += other == best ? 1 : 2;
			continue;
		}
		memset(p->asked, 0, n);
		for (int i = 0; i < FRESH_AT_ONCE; i++) {
			const size_t next = cheapest(p, p->fresh, excess - *chosen);
			if (next == n) break;
			mark(p, next, p->asked);
			mark(p, next, p->fresh);
		}
		mark(p, best, p->asked);
		mark(p, best, p->fresh);
		OSSAI_TRY(ossai_ask(p->fit->context));
		OSSAI_TRY(evaluate(p));
	}
	return OSSA_OK;
}

/* ---- removing ---- */

/* the last bone takes the index of the removed one; returns its old index */
static size_t renumber(ossai_fit *fit, size_t gone)
{
	ossai_bone_weights *w = &fit->weights;
	const size_t last = w->bone_count - 1, poses = fit->surface->pose_count;
	for (size_t i = 0; i < w->vertex_count * w->width; i++) {
		if (w->bone[i] == last) w->bone[i] = (uint16_t)gone;
	}
	memmove(fit->motion.rigid + gone * poses, fit->motion.rigid + last * poses, poses * sizeof *fit->motion.rigid);
	w->bone_count = fit->spare.bone_count = fit->motion.bone_count = fit->last.bone_count = last;
	return last;
}

static ossa_status remove_chosen(pruning *p, int rounds)
{
	OSSAI_TRY(ossai_fit_weights(p->fit, p->going, p->nearby));
	for (size_t b = p->fit->weights.bone_count; b-- > 0;) {
		if (!p->going[b]) continue;
		const size_t last = renumber(p->fit, b);
		ossai_symmetry_renumber(symmetry_of(p), b, last);
		p->cost[b] = p->cost[last];
		p->nearby[b] = p->nearby[last];
	}
	OSSAI_TRY(ossai_fit_motion(p->fit, &p->error));
	for (int round = 1; round < rounds; round++) {
		OSSAI_TRY(ossai_ask(p->fit->context));
		OSSAI_TRY(ossai_fit_weights(p->fit, NULL, p->nearby));
		OSSAI_TRY(ossai_fit_motion(p->fit, &p->error));
	}
	return OSSA_OK;
}

static ossa_status prune(pruning *p, size_t bones, int rounds)
{
	const size_t begin = p->fit->weights.bone_count;
	memset(p->asked, 1, begin);
	if (p->worth.most > 0) OSSAI_TRY(ossai_fit_error(p->fit, &p->error));
	OSSAI_TRY(evaluate(p));
	while (p->fit->weights.bone_count > bones) {
		const size_t excess = p->fit->weights.bone_count - bones;
		size_t chosen;
		OSSAI_TRY(choose(p, excess / part_at_once + 1, excess, &chosen));
		if (chosen == 0) break;
		OSSAI_TRY(ossai_ask(p->fit->context));
		OSSAI_TRY(remove_chosen(p, rounds));
		const double done = (double)(begin - p->fit->weights.bone_count) / (double)(begin - bones);
		OSSAI_TRY(ossai_progress(p->fit->context, done));
	}
	return OSSA_OK;
}

ossa_status ossai_fit_prune(ossai_fit *fit, const ossai_prune_goal *goal)
{
	const size_t n = fit->weights.bone_count;
	if (goal->bones >= n) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(fit->context);
	pruning p = {.fit = fit,
		.worth = goal->worth,
		.cost = ossai_arena_new(&arena, n, sizeof *p.cost),
		.asked = ossai_arena_new(&arena, n, 1),
		.fresh = ossai_arena_new(&arena, n, 1),
		.going = ossai_arena_new(&arena, n, 1),
		.nearby = ossai_arena_new(&arena, n, 1)};
	const bool ready = p.cost && p.asked && p.fresh && p.going && p.nearby;
	const ossa_status status = ready ? prune(&p, goal->bones, goal->rounds) : ossa_context_error(fit->context)->status;
	ossai_arena_end(&arena);
	return status;
}

static void renumber_marked(ossai_fit *fit, const uint8_t *going)
{
	for (size_t b = fit->weights.bone_count; b-- > 0;) {
		if (going[b]) renumber(fit, b);
	}
}

ossa_status ossai_fit_remove(ossai_fit *fit, const uint8_t *going)
{
	OSSAI_TRY(ossai_fit_weights(fit, going, NULL));
	renumber_marked(fit, going);
	return ossai_fit_motion(fit, NULL);
}

void ossai_fit_strike(ossai_fit *fit, const uint8_t *going)
{
	ossai_bone_weights *w = &fit->weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		uint16_t *bone = w->bone + v * w->width;
		double *value = w->value + v * w->width, sum = 0;
		uint8_t left = 0;
		for (size_t i = 0; i < w->count[v]; i++) {
			if (going[bone[i]]) continue;
			bone[left] = bone[i];
			value[left] = value[i];
			sum += value[left++];
		}
		if (left == w->count[v]) continue;
		w->count[v] = left;
		for (size_t i = 0; i < left; i++) value[i] /= sum;
	}
	renumber_marked(fit, going);
}

ossa_status ossai_fit_drop_idle(ossai_fit *fit, double *of_bone, size_t *dropped)
{
	const ossai_bone_weights *w = &fit->weights;
	*dropped = 0;
	uint8_t *busy = ossa_alloc(fit->context, w->bone_count, sizeof *busy);
	if (!busy) return ossa_context_error(fit->context)->status;
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) busy[w->bone[v * w->width + i]] = 1;
	}
	/* one bone stays, whatever it moves */
	for (size_t b = w->bone_count; b-- > 0 && w->bone_count > 1;) {
		if (busy[b]) continue;
		ossai_symmetry_renumber(fit->surface->symmetry, b, renumber(fit, b));
		if (of_bone) of_bone[b] = of_bone[w->bone_count];
		++*dropped;
	}
	ossa_free(fit->context, busy);
	return OSSA_OK;
}
