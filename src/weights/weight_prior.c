/* weights/weight_prior.c: see weight_prior.h.

   A vertex's weights are k + (1 - sum k) x: k is what is kept, x >= 0 with sum 1 is solved for.
   Its squared error is then quadratic in x with the Gram matrix (1 - L)^2 G + (1 - L)(G k 1^T +
   1 k^T G) + k^T G k, L = sum k, as sum x = 1; so is the price of leaving the known weights. */
#include "weights/weight_prior.h"

#include "weights/simplex_fit.h"

#include <string.h>

/* where less than this is left beside what is kept, all is kept */
static const double least_left = 1e-6;

/* the bones of a vertex: those that it may choose from, then those that are kept besides */
typedef struct mixture {
	size_t count, open; /* the first `open` may be chosen */
	uint16_t bone[OSSAI_GRAM_MAX];
	double known[OSSAI_GRAM_MAX]; /* weights of the prior */
	double kept[OSSAI_GRAM_MAX];
	double left; /* beside what is kept */
} mixture;

/* ---- what is kept ---- */

static double share_of(const ossai_weight_prior *prior, size_t vertex, uint16_t bone)
{
	if (prior->locked && prior->locked[bone]) return 1;
	return prior->kept ? (double)prior->kept[vertex] : 0;
}

bool ossai_weight_prior_keeps(const ossai_weight_prior *prior, size_t vertex)
{
	const size_t at = vertex * prior->weights->width;
	for (size_t i = 0; i < prior->weights->count[vertex]; i++) {
		if (share_of(prior, vertex, prior->weights->bone[at + i]) > 0) return true;
	}
	return false;
}

static size_t find_bone(const mixture *m, uint16_t bone)
{
	size_t i = 0;
	while (i < m->count && m->bone[i] != bone) i++;
	return i;
}

static void gather(const ossai_weight_prior *prior, size_t vertex, size_t n, const uint16_t *bone, mixture *m)
{
	const ossai_bone_weights *known = prior->weights;
	/* bones that are kept have their place */
	if (n + known->count[vertex] > OSSAI_GRAM_MAX) n = OSSAI_GRAM_MAX - known->count[vertex];
	*m = (mixture){.count = n, .open = n, .left = 1};
	memcpy(m->bone, bone, n * sizeof *bone);
	for (size_t i = vertex * known->width; i < vertex * known->width + known->count[vertex]; i++) {
		const double kept = share_of(prior, vertex, known->bone[i]) * known->value[i];
		const size_t at = find_bone(m, known->bone[i]);
		if (at == m->count && kept == 0) continue;
		if (at == m->count) m->bone[m->count++] = known->bone[i];
		m->known[at] = known->value[i];
		m->kept[at] = kept;
		m->left -= kept;
	}
}

/* ---- the rest ---- */

/* the Gram matrix of x, n x n, of that of all bones */
static void fold(const mixture *m, const double *full, double price, double *g)
{
	double with[OSSAI_GRAM_MAX], both = 0, square = 0;
	const double left = m->left;
	for (size_t i = 0; i < m->count; i++) {
		with[i] = 0;
		for (size_t j = 0; j < m->count; j++) with[i] += full[i * m->count + j] * m->kept[j];
		both += with[i] * m->kept[i];
		square += (m->known[i] - m->kept[i]) * (m->known[i] - m->kept[i]);
	}
	for (size_t i = 0; i < m->open; i++) {
		for (size_t j = 0; j < m->open; j++) {
			const double a = m->known[i] - m->kept[i], b = m->known[j] - m->kept[j];
			const double error = left * left * full[i * m->count + j] + left * (with[i] + with[j]) + both;
			g[i * m->open + j] = error + price * (left * left * (i == j) - left * (a + b) + square);
		}
	}
}

/* Solves for x over the open bones that are not `barred`. */
static void solve_open(const mixture *m, const double *g, const uint8_t *barred, size_t most, double *x)
{
	double part[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX], a[OSSAI_SIMPLEX_MAX];
	size_t index[OSSAI_SIMPLEX_MAX], n = 0;
	for (size_t i = 0; i < m->open; i++) {
		if (!barred[i]) index[n++] = i;
	}
	for (size_t i = 0; i < n; i++) {
		a[i] = x[index[i]];
		for (size_t j = 0; j < n; j++) part[i * n + j] = g[index[i] * m->open + index[j]];
	}
	if (n == 1) a[0] = 1;
	if (n > 1) ossai_simplex_fit(n, part, most, a);
	memset(x, 0, m->open * sizeof *x);
	for (size_t i = 0; i < n; i++) x[index[i]] = a[i];
}

/* Bars the least of the bones that are only chosen until as many are left as the vertex may have
   beside those that are kept; false where none has to go. */
static bool bar_least(const mixture *m, size_t most, const double *x, uint8_t *barred)
{
	size_t used = 0, least = m->open;
	for (size_t i = 0; i < m->count; i++) {
		const bool is_chosen = i < m->open && x[i] > 0;
		used += m->kept[i] > 0 || is_chosen;
		if (is_chosen && !(m->kept[i] > 0) && (least == m->open || x[i] < x[least])) least = i;
	}
	if (used <= most || least == m->open) return false;
	barred[least] = 1;
	return true;
}

static void solve_rest(const mixture *m, const double *full, double price, size_t most, double *x)
{
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX];
	uint8_t barred[OSSAI_SIMPLEX_MAX] = {0};
	fold(m, full, price, g);
	do solve_open(m, g, barred, most, x);
	while (bar_least(m, most, x, barred));
}

size_t ossai_weight_prior_solve(const ossai_weight_prior *prior, const ossai_residuals *residuals, size_t vertex, size_t n,
	const uint16_t *bone, const double *own, size_t most, uint16_t *to, double *value)
{
	double full[OSSAI_GRAM_MAX * OSSAI_GRAM_MAX], x[OSSAI_SIMPLEX_MAX], sum = 0;
	mixture m;
	gather(prior, vertex, n, bone, &m);
	memcpy(x, own, m.open * sizeof *x);
	if (m.left >= least_left && m.open > 0) {
		ossai_residuals_gram(residuals, vertex, m.count, m.bone, full);
		solve_rest(&m, full, prior->price, most, x);
	} else memset(x, 0, m.open * sizeof *x);
	for (size_t i = 0; i < m.count; i++) {
		to[i] = m.bone[i];
		value[i] = m.kept[i] + (i < m.open ? m.left * x[i] : 0);
		sum += value[i];
	}
	for (size_t i = 0; i < m.count; i++) value[i] /= sum;
	return m.count;
}
