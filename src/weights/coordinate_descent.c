/* weights/coordinate_descent.c: see coordinate_descent.h. */
#include "weights/coordinate_descent.h"

#include "weights/residuals.h"
#include "weights/simplex_fit.h"

#include <string.h>

enum { MAX = OSSAI_SIMPLEX_MAX, VERTEX_GRAIN = 64, ROUNDS_MAX = 200 };

/* a new bone has to lower a vertex's squared error by this share, and its RMS by this much
   (diagonals) */
static const double entry_share = 0.02, entry_rms = 1e-5;
/* a change of the weights of its present bones by these */
static const double change_share = 1e-6, change_rms = 2e-7;
static const double least_weight = OSSAI_DESCENT_LEAST;

typedef struct descent {
	const ossai_posed_surface *surface;
	ossai_residuals residuals;
	const ossai_descent_bounds *bounds;
	ossai_bone_weights *weights;
	size_t count; /* vertices of this round */
	uint32_t *list;
	ossai_bone_weights found; /* of the list's vertices; width as the weights' */
	uint8_t *verdict;         /* of the list's vertices */
	bool any_bone;            /* vertices with no bone nearby take one from anywhere */
} descent;

enum { KEEPS, CHANGES, WAITS };

/* The bones that a vertex may blend: the locked ones first, then its own, then its neighbours'. */
typedef struct choice {
	size_t locked, own, count; /* own: locked ones included */
	uint16_t bone[MAX];
	double value[MAX]; /* the vertex's weights */
	double left;       /* what the locked ones leave */
} choice;

static bool is_locked(const descent *s, uint16_t bone) { return s->bounds->locked && s->bounds->locked[bone]; }

static void add_bone(choice *c, uint16_t bone, double value)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->bone[i] == bone) return;
	}
	if (c->count == MAX) return;
	c->bone[c->count] = bone;
	c->value[c->count++] = value;
}

static void add_own(const descent *s, size_t v, bool locked, choice *c)
{
	const ossai_bone_weights *w = s->weights;
	for (size_t i = 0; i < w->count[v]; i++) {
		const uint16_t bone = w->bone[v * w->width + i];
		if (is_locked(s, bone) == locked) add_bone(c, bone, w->value[v * w->width + i]);
	}
}

static void gather(const descent *s, size_t v, choice *c)
{
	const ossai_adjacency *adjacency = &s->surface->adjacency;
	const ossai_bone_weights *w = s->weights;
	*c = (choice){.left = 1};
	add_own(s, v, true, c);
	c->locked = c->count;
	for (size_t i = 0; i < c->locked; i++) c->left -= c->value[i];
	add_own(s, v, false, c);
	c->own = c->count;
	if (s->bounds->closed && s->bounds->closed[v] && c->own > 0) return;
	for (uint32_t i = adjacency->vertex_start[v]; i < adjacency->vertex_start[v + 1]; i++) {
		const size_t n = adjacency->vertex_neighbor[i];
		for (size_t j = 0; j < w->count[n]; j++) {
			const uint16_t bone = w->bone[n * w->width + j];
			if (!is_locked(s, bone)) add_bone(c, bone, 0);
		}
	}
}

/* of all bones the one that fits the vertex best alone */
static void take_any(const descent *s, size_t v, choice *c)
{
	double best = INFINITY;
	uint16_t found = 0;
	for (size_t b = 0; b < s->residuals.bone_count; b++) {
		const uint16_t bone = (uint16_t)b;
		if (is_locked(s, bone)) continue;
		const double error = ossai_residuals_square(&s->residuals, v, bone);
		if (!(error < best)) continue;
		best = error;
		found = bone;
	}
	if (best < INFINITY) add_bone(c, found, 0);
}

/* The Gram matrix of the free bones, whose unknowns are shares of what the locked ones leave: the
   residual of the locked part is added to each. */
static void gram_of(const descent *s, size_t v, const choice *c, double *g)
{
	double full[MAX * MAX], with_locked[MAX], locked = 0;
	const size_t n = c->count, m = n - c->locked;
	ossai_residuals_gram(&s->residuals, v, n, c->bone, full);
	for (size_t j = 0; j < n; j++) {
		with_locked[j] = 0;
		for (size_t l = 0; l < c->locked; l++) with_locked[j] += c->value[l] * full[l * n + j];
	}
	for (size_t l = 0; l < c->locked; l++) locked += c->value[l] * with_locked[l];
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < m; j++) {
			const size_t a = c->locked + i, b = c->locked + j;
			g[i * m + j] = c->left * c->left * full[a * n + b] + c->left * (with_locked[a] + with_locked[b]) + locked;
		}
	}
}

static double cost_of(size_t m, const double *g, const double *a)
{
	double sum = 0;
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < m; j++) sum += a[i] * g[i * m + j] * a[j];
	}
	return sum;
}

/* the best of the first n of m bones, with no weight below `least`; returns its cost */
static double solve(size_t m, const double *g, size_t n, size_t most, double least, double *a)
{
	size_t index[MAX], count = n;
	for (size_t i = 0; i < n; i++) index[i] = i;
	for (;;) {
		double part[MAX * MAX] = {0}, b[MAX];
		for (size_t i = 0; i < count; i++) {
			b[i] = a[index[i]];
			for (size_t j = 0; j < count; j++) part[i * count + j] = g[index[i] * m + index[j]];
		}
		ossai_simplex_fit(count, part, most, b);
		memset(a, 0, m * sizeof *a);
		size_t kept = 0, used = 0;
		for (size_t i = 0; i < count; i++) {
			used += b[i] > 0;
			a[index[i]] = b[i] > 0 ? b[i] : 0;
			if (b[i] >= least) index[kept++] = index[i];
		}
		if (kept == used || kept == 0) return cost_of(m, g, a);
		count = kept;
	}
}

/* stores the result: largest weights first, of equal ones in the order of the candidates */
static void store(descent *s, size_t at, const choice *c, const double *a)
{
	ossai_bone_weights *to = &s->found;
	to->count[at] = 0;
	memset(to->bone + at * to->width, 0, to->width * sizeof *to->bone);
	memset(to->value + at * to->width, 0, to->width * sizeof *to->value);
	for (size_t i = 0; i < c->count; i++) {
		const double value = i < c->locked ? c->value[i] : a[i - c->locked] * c->left;
		if (value > 0) ossai_bone_weights_keep(to, at, c->bone[i], value);
	}
}

static uint8_t solve_vertex(descent *s, size_t at)
{
	const size_t v = s->list[at];
	double g[MAX * MAX], own[MAX] = {0}, all[MAX] = {0};
	choice c;
	gather(s, v, &c);
	if (c.left < least_weight || c.locked >= s->weights->width) return KEEPS;
	if (c.count == c.locked && s->any_bone) take_any(s, v, &c);
	if (c.count == c.locked) return WAITS;
	const size_t m = c.count - c.locked, had = c.own - c.locked, most = s->weights->width - c.locked;
	if (m == 1 && had == 1) return KEEPS;
	const double least = least_weight / c.left, poses = (double)s->surface->pose_count;
	gram_of(s, v, &c, g);
	double before = INFINITY, kept = INFINITY;
	double *best = all;
	for (size_t i = 0; i < had; i++) own[i] = all[i] = c.value[c.locked + i] / c.left;
	if (had > 0) {
		before = cost_of(m, g, own);
		kept = had > 1 ? solve(m, g, had, most, least, own) : before;
	}
	const double found = m > had ? solve(m, g, m, most, least, all) : INFINITY;
	if (!(found < kept * (1 - entry_share) - poses * entry_rms * entry_rms)) {
		if (had > 0 && !(kept < before * (1 - change_share) - poses * change_rms * change_rms)) return KEEPS;
		if (had > 0) best = own;
	}
	store(s, at, &c, best);
	return CHANGES;
}

static void solve_range(void *arg, size_t begin, size_t end)
{
	descent *s = arg;
	for (size_t i = begin; i < end; i++) s->verdict[i] = solve_vertex(s, i);
}

/* lists the marked vertices and unmarks them */
static void list_pending(descent *s, uint8_t *pending)
{
	s->count = 0;
	for (size_t v = 0; v < s->surface->vertex_count; v++) {
		if (!pending[v]) continue;
		pending[v] = 0;
		if (s->surface->used[v] && !(s->bounds->fixed && s->bounds->fixed[v])) s->list[s->count++] = (uint32_t)v;
	}
}

static bool has_same_bones(const descent *s, size_t at)
{
	const ossai_bone_weights *w = s->weights;
	const size_t v = s->list[at], width = w->width;
	if (w->count[v] != s->found.count[at]) return false;
	for (size_t i = 0; i < w->count[v]; i++) {
		if (!(ossai_bone_weight_of(&s->found, at, w->bone[v * width + i]) > 0)) return false;
	}
	return true;
}

/* applies the results; the vertices that choose from a changed vertex are marked. Returns whether
   anything changed. */
static bool apply(descent *s, uint8_t *pending, uint8_t *changed, bool *waits)
{
	const ossai_adjacency *adjacency = &s->surface->adjacency;
	ossai_bone_weights *w = s->weights;
	bool any = false;
	*waits = false;
	for (size_t i = 0; i < s->count; i++) {
		const size_t v = s->list[i];
		if (s->verdict[i] == WAITS) {
			*waits = true;
			pending[v] = 1;
		}
		if (s->verdict[i] != CHANGES) continue;
		const bool same = has_same_bones(s, i);
		any = true;
		memcpy(w->bone + v * w->width, s->found.bone + i * w->width, w->width * sizeof *w->bone);
		memcpy(w->value + v * w->width, s->found.value + i * w->width, w->width * sizeof *w->value);
		w->count[v] = s->found.count[i];
		pending[v] = 1;
		if (changed) changed[v] = 1;
		if (same) continue;
		for (uint32_t e = adjacency->vertex_start[v]; e < adjacency->vertex_start[v + 1]; e++) {
			pending[adjacency->vertex_neighbor[e]] = 1;
		}
	}
	return any;
}

ossa_status ossai_weights_descend(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_descent_bounds *bounds, uint8_t *pending, uint8_t *changed, ossai_bone_weights *weights)
{
	ossai_arena arena = ossai_arena_begin(context);
	descent s = {.surface = surface, .bounds = bounds, .weights = weights};
	s.list = ossai_arena_new(&arena, surface->vertex_count, sizeof *s.list);
	s.verdict = ossai_arena_new(&arena, surface->vertex_count, sizeof *s.verdict);
	ossa_status status = ossai_bone_weights_new(&arena, surface->vertex_count, weights->bone_count, weights->width, &s.found);
	if (status == OSSA_OK && (!s.list || !s.verdict)) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_residuals_make(&arena, surface, motion, &s.residuals);
	bool waits = false;
	for (int round = 0; status == OSSA_OK && round < ROUNDS_MAX; round++) {
		list_pending(&s, pending);
		if (s.count == 0) break;
		ossai_parallel_for(context, s.count, VERTEX_GRAIN, solve_range, &s);
		const bool any = apply(&s, pending, changed, &waits);
		/* vertices that no bone reaches from a neighbour */
		if (!any && s.any_bone) break;
		if (!any && waits) s.any_bone = true;
		status = ossai_ask(context);
	}
	memset(pending, 0, surface->vertex_count);
	ossai_arena_end(&arena);
	return status;
}
