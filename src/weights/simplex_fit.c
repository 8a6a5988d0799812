/* weights/simplex_fit.c: see simplex_fit.h. */
#include "weights/simplex_fit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX = OSSAI_SIMPLEX_MAX };

/* of the trace: below it G counts as singular */
static const double ridge_share = 1e-10;

typedef struct support {
	size_t count;
	size_t index[MAX];
} support;

static double trace(size_t n, const double *g)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) sum += g[i * n + i];
	return sum;
}

/* (G_S + ridge) = L D L^T, and y where that times y = 1 */
typedef struct factors {
	double l[MAX * (MAX + 1) / 2]; /* by rows, without its diagonal of ones */
	double inverse[MAX];           /* of D */
	double y[MAX], sum;            /* of y */
} factors;

/* A pivot lost to rounding counts as the ridge. To be inlined with a literal m where that is
   small: the loops are then unrolled, and everything is kept in registers. */
__attribute__((always_inline)) static inline void factorise(
	size_t m, size_t n, const double *g, double ridge, const support *s, factors *f)
{
#pragma GCC unroll 8
	for (size_t i = 0; i < m; i++) {
		const double *from = g + s->index[i] * n;
		double *row = f->l + i * (i + 1) / 2, pivot = from[s->index[i]] + ridge;
		f->y[i] = 1;
#pragma GCC unroll 8
		for (size_t j = 0; j < i; j++) {
			const double *other = f->l + j * (j + 1) / 2;
			double value = from[s->index[j]];
#pragma GCC unroll 8
			for (size_t k = 0; k < j; k++) value -= row[k] * other[k];
			row[j] = value; /* L_ij D_j for now */
		}
#pragma GCC unroll 8
		for (size_t j = 0; j < i; j++) {
			const double scaled = row[j] * f->inverse[j];
			pivot -= scaled * row[j];
			row[j] = scaled;
			f->y[i] -= scaled * f->y[j];
		}
		f->inverse[i] = 1 / (pivot > 1e-3 * ridge ? pivot : 1e-3 * ridge);
	}
	f->sum = 0;
#pragma GCC unroll 8
	for (size_t i = m; i-- > 0;) {
		double value = f->y[i] * f->inverse[i];
#pragma GCC unroll 8
		for (size_t k = i + 1; k < m; k++) value -= f->l[k * (k + 1) / 2 + i] * f->y[k];
		f->y[i] = value;
		f->sum += value;
	}
}

/* a = y / sum y: the optimum under the equality alone */
__attribute__((always_inline)) static inline void solve_unrolled(
	size_t m, size_t n, const double *g, double ridge, const support *s, double *a)
{
	factors f;
	factorise(m, n, g, ridge, s, &f);
#pragma GCC unroll 8
	for (size_t i = 0; i < m; i++) a[i] = f.y[i] / f.sum;
}

static void solve_equality(size_t n, const double *g, double ridge, const support *s, double *a)
{
	switch (s->count) {
	case 1: a[0] = 1; return;
	case 2: solve_unrolled(2, n, g, ridge, s, a); return;
	case 3: solve_unrolled(3, n, g, ridge, s, a); return;
	case 4: solve_unrolled(4, n, g, ridge, s, a); return;
	case 5: solve_unrolled(5, n, g, ridge, s, a); return;
	default: solve_unrolled(s->count, n, g, ridge, s, a);
	}
}

/* Shrinks the support until the solution under the equality is positive on it, moving from the
   feasible `a` towards each solution and stopping where a weight reaches zero. */
static void descend(size_t n, const double *g, double ridge, support *s, double *a)
{
	for (;;) {
		double wanted[MAX], step = 1;
		size_t blocking = MAX;
		solve_equality(n, g, ridge, s, wanted);
		for (size_t i = 0; i < s->count; i++) {
			const double now = a[s->index[i]];
			if (wanted[i] > 0) continue;
			const double reach = now > wanted[i] ? now / (now - wanted[i]) : 0;
			if (reach < step || blocking == MAX) {
				step = reach < step ? reach : step;
				blocking = i;
			}
		}
		for (size_t i = 0; i < s->count; i++) a[s->index[i]] += step * (wanted[i] - a[s->index[i]]);
		if (blocking == MAX) return;
		a[s->index[blocking]] = 0;
		s->count--;
		for (size_t i = blocking; i < s->count; i++) s->index[i] = s->index[i + 1];
		if (s->count == 1) {
			a[s->index[0]] = 1;
			return;
		}
	}
}

static double cost(size_t n, const double *g, const support *s, const double *a)
{
	double sum = 0;
	for (size_t i = 0; i < s->count; i++) {
		const double *row = g + s->index[i] * n;
		double value = 0;
		for (size_t j = 0; j < s->count; j++) value += row[s->index[j]] * a[s->index[j]];
		sum += a[s->index[i]] * value;
	}
	return sum;
}

/* the candidate whose entry lowers the cost fastest, or n: its gradient is below that of the
   support */
static size_t best_entry(size_t n, const double *g, double ridge, const support *s, const double *a)
{
	double level = 0, best = 0, gradient[MAX] = {0};
	size_t entry = n;
	for (size_t j = 0; j < s->count; j++) {
		const double *row = g + s->index[j] * n, share = a[s->index[j]];
		for (size_t c = 0; c < n; c++) gradient[c] += share * row[c];
	}
	for (size_t i = 0; i < s->count; i++) {
		const double share = a[s->index[i]];
		level += share * (gradient[s->index[i]] + ridge * share);
	}
	for (size_t c = 0; c < n; c++) {
		const double gain = level - gradient[c];
		if (a[c] > 0 || !(gain > best && gain > 1e-9 * (level + ridge))) continue;
		best = gain;
		entry = c;
	}
	return entry;
}

static void start_support(size_t n, const double *g, support *s, double *a)
{
	double sum = 0;
	s->count = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(a[i] > 0)) a[i] = 0;
		else s->index[s->count++] = i;
		sum += a[i];
	}
	if (s->count > 0) {
		for (size_t i = 0; i < n; i++) a[i] /= sum;
		return;
	}
	size_t best = 0;
	for (size_t i = 1; i < n; i++) {
		if (g[i * n + i] < g[best * n + best]) best = i;
	}
	s->index[s->count++] = best;
	a[best] = 1;
}

__attribute__((always_inline)) static inline void bound_unrolled(
	size_t m, size_t n, const double *g, double ridge, const support *s, double *least)
{
	factors f;
	factorise(m, n, g, ridge, s, &f);
#pragma GCC unroll 8
	for (size_t r = 0; r < m; r++) {
		double column[MAX], h = 0; /* column r of L^-1 */
#pragma GCC unroll 8
		for (size_t i = r; i < m; i++) {
			const double *row = f.l + i * (i + 1) / 2;
			column[i] = i == r;
#pragma GCC unroll 8
			for (size_t j = r; j < i; j++) column[i] -= row[j] * column[j];
			h += column[i] * column[i] * f.inverse[i];
		}
		const double left = f.sum - f.y[r] * f.y[r] / h;
		least[r] = left > 0 ? 1 / left : INFINITY;
	}
}

/* Without its r-th bone the sum of a support's y falls by y_r^2 / H_rr, H = (G_S + ridge)^-1, and
   the optimum under the equality is its reciprocal: `least` receives these, lower bounds of the
   costs. One bone more than four is what most vertices have where any goes. */
static void bound_removals(size_t n, const double *g, double ridge, const support *s, double *least)
{
	if (s->count == 5) bound_unrolled(5, n, g, ridge, s, least);
	else bound_unrolled(s->count, n, g, ridge, s, least);
}

/* the support without its `out`-th bone, the others solved again from their shares of what is
   left; returns the cost */
static double solve_without(
	size_t n, const double *g, double ridge, const support *s, size_t out, const double *a, support *tried, double *b)
{
	const double left = 1 - a[s->index[out]];
	tried->count = 0;
	memset(b, 0, n * sizeof *b);
	for (size_t i = 0; i < s->count; i++) {
		if (i == out) continue;
		tried->index[tried->count++] = s->index[i];
		b[s->index[i]] = left > 0 ? a[s->index[i]] / left : 1 / (double)(s->count - 1);
	}
	descend(n, g, ridge, tried, b);
	return cost(n, g, tried, b);
}

/* Removes the bone whose removal raises the cost least, the others solved again. Bones are tried
   in the order of their bounds, until the next bound is above the least cost: mostly one. */
static void remove_cheapest(size_t n, const double *g, double ridge, support *s, double *a)
{
	double least[MAX], best_cost = INFINITY, best_a[MAX] = {0};
	support best = *s;
	bound_removals(n, g, ridge, s, least);
	for (size_t turn = 0; turn < s->count; turn++) {
		size_t out = 0;
		for (size_t i = 1; i < s->count; i++) out = least[i] < least[out] ? i : out;
		if (turn > 0 && !(least[out] < best_cost)) break;
		support tried;
		double b[MAX];
		const double value = solve_without(n, g, ridge, s, out, a, &tried, b);
		least[out] = INFINITY;
		if (!(value < best_cost)) continue;
		best_cost = value;
		best = tried;
		memcpy(best_a, b, n * sizeof *b);
	}
	if (best_cost == INFINITY) return;
	*s = best;
	memcpy(a, best_a, n * sizeof *a);
}

/* two bones: the minimum of a parabola */
static double fit_two(const double *g, double ridge, size_t most, double *a)
{
	const double first = g[3] - g[1] + ridge, second = g[0] - g[1] + ridge;
	if (first <= 0 || second <= 0 || most < 2) a[0] = g[0] <= g[3];
	else a[0] = first / (first + second);
	a[1] = 1 - a[0];
	return a[0] * a[0] * g[0] + 2 * a[0] * a[1] * g[1] + a[1] * a[1] * g[3];
}

double ossai_simplex_fit(size_t n, const double *g, size_t most, double *a)
{
	const double ridge = ridge_share * trace(n, g) / (double)n + 1e-300;
	if (n == 2) return fit_two(g, ridge, most, a);
	support s;
	start_support(n, g, &s, a);
	descend(n, g, ridge, &s, a);
	/* each entry lowers a strictly convex cost, so no support occurs twice; the bound is for
	   rounding */
	for (size_t round = 0; round < 3 * n && s.count < n; round++) {
		const size_t entry = best_entry(n, g, ridge, &s, a);
		if (entry == n) break;
		s.index[s.count++] = entry;
		descend(n, g, ridge, &s, a);
	}
	while (s.count > most) remove_cheapest(n, g, ridge, &s, a);
	return cost(n, g, &s, a);
}

/* h = (g + ridge)^-1 by Gauss-Jordan on a positive definite matrix, in place */
static void invert(size_t n, double *h)
{
	for (size_t p = 0; p < n; p++) {
		const double pivot = 1 / h[p * n + p];
		h[p * n + p] = 1;
		for (size_t j = 0; j < n; j++) h[p * n + j] *= pivot;
		for (size_t i = 0; i < n; i++) {
			const double factor = h[i * n + p];
			if (i == p || factor == 0) continue;
			h[i * n + p] = 0;
			for (size_t j = 0; j < n; j++) h[i * n + j] -= factor * h[p * n + j];
		}
	}
}

/* the inverse without variable r: h - h_r h_r^T / h_rr on the others */
static void downdate(size_t n, double *h, const double *y, size_t r)
{
	const double scale = 1 / h[r * n + r];
	for (size_t i = 0; i < n; i++) {
		const double factor = h[i * n + r] * scale;
		if (i == r || y[i] == 0 || factor == 0) continue;
		for (size_t j = 0; j < n; j++) h[i * n + j] -= factor * h[r * n + j];
	}
}

double ossai_simplex_eliminate(size_t n, const double *g, size_t most, double *h, double *a)
{
	double *y = h + n * n; /* h times ones; 0 marks a bone that is removed */
	const double ridge = 1e-8 * trace(n, g) / (double)n + 1e-300;
	memcpy(h, g, n * n * sizeof *h);
	for (size_t i = 0; i < n; i++) h[i * n + i] += ridge;
	invert(n, h);
	for (size_t i = 0; i < n; i++) {
		y[i] = 0;
		for (size_t j = 0; j < n; j++) y[i] += h[i * n + j];
		if (y[i] == 0) y[i] = 1e-300;
	}
	for (size_t left = n; left > 1; left--) {
		size_t out = n;
		double smallest = INFINITY;
		for (size_t i = 0; i < n; i++) {
			if (y[i] != 0 && y[i] < smallest) {
				smallest = y[i];
				out = i;
			}
		}
		/* sum y > 0 for a positive definite G, so the sign of y is the sign of the weight */
		if (smallest >= 0 && left <= most) break;
		const double factor = y[out] / h[out * n + out];
		for (size_t i = 0; i < n; i++) {
			if (y[i] == 0 || i == out) continue;
			y[i] -= h[i * n + out] * factor;
			if (y[i] == 0) y[i] = 1e-300;
		}
		downdate(n, h, y, out);
		y[out] = 0;
	}
	double sum = 0, error = 0;
	for (size_t i = 0; i < n; i++) sum += y[i];
	for (size_t i = 0; i < n; i++) a[i] = y[i] / sum;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; a[i] != 0 && j < n; j++) error += a[i] * g[i * n + j] * a[j];
	}
	return error;
}
