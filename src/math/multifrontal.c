/* math/multifrontal.c: see multifrontal.h. */
#include "math/multifrontal.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

enum { W = OSSAI_MULTIFRONTAL_WIDTH, BLOCK = 8 };

/* ---- dense parts: columns of `height` numbers ---- */

/* to[i] -= sum over p of column p at i, times factor[p * height] */
OSSAI_CLONES static void subtract_columns(double *restrict to, size_t count, const double *restrict column,
	const double *restrict factor, size_t columns, size_t height)
{
	size_t p = 0;
	for (; p + BLOCK <= columns; p += BLOCK) {
		const double *restrict c = column + p * height;
		double f[BLOCK];
		for (size_t k = 0; k < BLOCK; k++) f[k] = factor[(p + k) * height];
		for (size_t i = 0; i < count; i++) {
			const double first = c[i] * f[0] + c[height + i] * f[1] + c[2 * height + i] * f[2] + c[3 * height + i] * f[3];
			const double second = c[4 * height + i] * f[4] + c[5 * height + i] * f[5] + c[6 * height + i] * f[6] +
				c[7 * height + i] * f[7];
			to[i] -= first + second;
		}
	}
	for (; p < columns; p++) {
		const double *restrict c = column + p * height;
		const double f = factor[p * height];
		for (size_t i = 0; i < count; i++) to[i] -= c[i] * f;
	}
}

/* Cholesky's factorization of the top of a panel, and of the rows below it by that. Returns whether
   all pivots are positive. */
static bool factorise_panel(const ossai_multifrontal *s, const ossai_supernode *node, const double *values, double *worst)
{
	const size_t height = node->height;
	double *panel = s->panel + node->panel;
	for (size_t j = 0; j < node->width; j++) {
		double *own = panel + j * height + j;
		subtract_columns(own, height - j, panel + j, panel + j, j, height);
		const double pivot = own[0];
		if (!(pivot > 0) || !isfinite(pivot)) return false;
		const double ratio = values[s->pattern.start[s->order[node->first + j]]] / pivot;
		if (ratio > *worst) *worst = ratio;
		const double inverse = 1 / sqrt(pivot);
		for (size_t i = 0; i < height - j; i++) own[i] *= inverse;
	}
	return true;
}

/* what a supernode subtracts from later columns: a lower triangle of (height - width) columns */
static void subtract_from_rest(const ossai_multifrontal *s, const ossai_supernode *node, double *rest)
{
	const size_t count = node->height - node->width;
	const double *below = s->panel + node->panel + node->width;
	for (size_t j = 0; j < count; j++) {
		subtract_columns(rest + j * count + j, count - j, below + j, below + j, node->width, node->height);
	}
}

/* ---- factorization ---- */

/* adds what a child has kept to the parent's panel and its rest */
static void take_child(const ossai_multifrontal *s, const ossai_supernode *child, const double *from, double *rest)
{
	const ossai_supernode *parent = &s->node[child->parent];
	const uint32_t *into = s->into_parent + child->rows + child->width;
	const size_t count = child->height - child->width, rest_count = parent->height - parent->width;
	for (size_t j = 0; j < count; j++, from += count) {
		const bool is_own = into[j] < parent->width;
		const uint32_t skipped = is_own ? 0 : parent->width;
		double *to = is_own ? s->panel + parent->panel + (size_t)into[j] * parent->height
							: rest + (into[j] - parent->width) * rest_count;
		for (size_t i = j; i < count; i++) to[into[i] - skipped] += from[i];
	}
}

double ossai_multifrontal_factorise(ossai_multifrontal *s, const double *values)
{
	memset(s->panel, 0, s->panel_size * sizeof *s->panel);
	for (size_t i = 0; i < s->pattern.start[s->size]; i++) s->panel[s->entry_panel[i]] = values[i];
	double worst = 1;
	size_t top = 0;    /* of the stack */
	uint32_t open = 0; /* of `stacked` */
	uint32_t *const stacked = s->stacked;
	for (uint32_t n = 0; n < s->node_count; n++) {
		const ossai_supernode *node = &s->node[n];
		const size_t count = node->height - node->width;
		double *rest = s->stack + top;
		memset(rest, 0, count * count * sizeof *rest);
		size_t base = top;
		while (open > 0 && s->node[stacked[open - 1]].parent == n) {
			const ossai_supernode *child = &s->node[stacked[--open]];
			const size_t size = child->height - child->width;
			base -= size * size;
			take_child(s, child, s->stack + base, rest);
		}
		if (!factorise_panel(s, node, values, &worst)) return INFINITY;
		subtract_from_rest(s, node, rest);
		memmove(s->stack + base, rest, count * count * sizeof *rest);
		top = base + count * count;
		if (count > 0) stacked[open++] = n;
	}
	return isfinite(worst) ? worst : INFINITY;
}

/* ---- solution ---- */

/* The rows below a panel, times the solution of its columns; x and below: rows of W numbers. */
OSSAI_CLONES static void add_below(
	const double *restrict panel, size_t height, size_t width, const double *restrict x, double *restrict below)
{
	const size_t count = height - width;
	size_t j = 0;
	for (; j + 4 <= width; j += 4) {
		const double *restrict a = panel + j * height + width, *restrict b = a + height;
		const double *restrict c = b + height, *restrict d = c + height, *restrict y = x + j * W;
		for (size_t i = 0; i < count; i++) {
			for (int k = 0; k < W; k++) {
				below[i * W + k] += (a[i] * y[k] + b[i] * y[W + k]) + (c[i] * y[2 * W + k] + d[i] * y[3 * W + k]);
			}
		}
	}
	for (; j < width; j++) {
		const double *restrict a = panel + j * height + width;
		for (size_t i = 0; i < count; i++) {
			for (int k = 0; k < W; k++) below[i * W + k] += a[i] * x[j * W + k];
		}
	}
}

/* The same transposed: subtracts the rows below, times their solution, from the panel's columns. */
OSSAI_CLONES static void subtract_below(
	const double *restrict panel, size_t height, size_t width, const double *restrict below, double *restrict x)
{
	const size_t count = height - width;
	size_t j = 0;
	for (; j + 4 <= width; j += 4) {
		const double *restrict a = panel + j * height + width, *restrict b = a + height;
		const double *restrict c = b + height, *restrict d = c + height;
		double sum[4 * W] = {0};
		for (size_t i = 0; i < count; i++) {
			const double *restrict y = below + i * W;
			for (int k = 0; k < W; k++) {
				sum[k] += a[i] * y[k];
				sum[W + k] += b[i] * y[k];
				sum[2 * W + k] += c[i] * y[k];
				sum[3 * W + k] += d[i] * y[k];
			}
		}
		for (int k = 0; k < 4 * W; k++) x[j * W + (size_t)k] -= sum[k];
	}
	for (; j < width; j++) {
		const double *restrict a = panel + j * height + width;
		for (size_t i = 0; i < count; i++) {
			for (int k = 0; k < W; k++) x[j * W + k] -= a[i] * below[i * W + k];
		}
	}
}

/* the lower triangle at the top of a panel: L y = x in place */
OSSAI_CLONES static void solve_top(const double *restrict panel, size_t height, size_t width, double *restrict x)
{
	for (size_t j = 0; j < width; j++) {
		const double *restrict column = panel + j * height;
		double own[W];
		for (int k = 0; k < W; k++) own[k] = x[j * W + k] /= column[j];
		for (size_t i = j + 1; i < width; i++) {
			for (int k = 0; k < W; k++) x[i * W + k] -= column[i] * own[k];
		}
	}
}

/* the same transposed: L^T y = x; four sums at a time, which do not wait for each other */
OSSAI_CLONES static void solve_top_transposed(const double *restrict panel, size_t height, size_t width, double *restrict x)
{
	for (size_t j = width; j-- > 0;) {
		const double *restrict column = panel + j * height;
		double sum[4 * W] = {0};
		size_t i = j + 1;
		for (; i + 4 <= width; i += 4) {
			const double *restrict y = x + i * W;
			for (int k = 0; k < W; k++) {
				sum[k] += column[i] * y[k];
				sum[W + k] += column[i + 1] * y[W + k];
				sum[2 * W + k] += column[i + 2] * y[2 * W + k];
				sum[3 * W + k] += column[i + 3] * y[3 * W + k];
			}
		}
		for (; i < width; i++) {
			for (int k = 0; k < W; k++) sum[k] += column[i] * x[i * W + k];
		}
		for (int k = 0; k < W; k++) {
			const double all = (sum[k] + sum[W + k]) + (sum[2 * W + k] + sum[3 * W + k]);
			x[j * W + k] = (x[j * W + k] - all) / column[j];
		}
	}
}

static void solve_forward(const ossai_multifrontal *s, double *x)
{
	for (size_t n = 0; n < s->node_count; n++) {
		const ossai_supernode *node = &s->node[n];
		const size_t count = node->height - node->width;
		const uint32_t *row = s->row + node->rows + node->width;
		const double *panel = s->panel + node->panel;
		double *own = x + (size_t)node->first * W, *below = s->stack;
		solve_top(panel, node->height, node->width, own);
		memset(below, 0, count * W * sizeof *below);
		add_below(panel, node->height, node->width, own, below);
		for (size_t i = 0; i < count; i++) {
			for (int k = 0; k < W; k++) x[(size_t)row[i] * W + k] -= below[i * W + k];
		}
	}
}

static void solve_backward(const ossai_multifrontal *s, double *x)
{
	for (size_t n = s->node_count; n-- > 0;) {
		const ossai_supernode *node = &s->node[n];
		const size_t count = node->height - node->width;
		const uint32_t *row = s->row + node->rows + node->width;
		const double *panel = s->panel + node->panel;
		double *own = x + (size_t)node->first * W, *below = s->stack;
		for (size_t i = 0; i < count; i++) memcpy(below + i * W, x + (size_t)row[i] * W, W * sizeof *below);
		subtract_below(panel, node->height, node->width, below, own);
		solve_top_transposed(panel, node->height, node->width, own);
	}
}

void ossai_multifrontal_solve(ossai_multifrontal *s, double *x)
{
	for (size_t i = 0; i < s->size; i++) memcpy(s->right + W * i, x + W * (size_t)s->order[i], W * sizeof *x);
	solve_forward(s, s->right);
	solve_backward(s, s->right);
	for (size_t i = 0; i < s->size; i++) memcpy(x + W * (size_t)s->order[i], s->right + W * i, W * sizeof *x);
}
