/* math/cholesky.c: see cholesky.h. Row by row, so that the inner loop runs along two rows. */
#include "math/cholesky.h"

/* ---- dense ---- */

/* rows that are reduced together: what they are multiplied with is read once */
enum { ROWS = 4 };

/* `count` rows, n apart: the product of their beginnings with `other` is taken off column j */
OSSAI_INLINE void reduce(size_t count, size_t n, double *row, const double *other, size_t j)
{
	ossai_lanes sum[ROWS] = {{0}};
	size_t k = 0;
	for (; k + OSSAI_LANES <= j; k += OSSAI_LANES) {
		const ossai_lanes b = *(const ossai_lanes *)(other + k);
		for (size_t r = 0; r < count; r++) sum[r] += *(const ossai_lanes *)(row + r * n + k) * b;
	}
	for (size_t r = 0; r < count; r++) {
		double rest = 0;
		for (size_t l = k; l < j; l++) rest += row[r * n + l] * other[l];
		row[r * n + j] -= ossai_lanes_sum(sum[r]) + rest;
	}
}

OSSAI_CLONES static bool factor(size_t n, double *a)
{
	for (size_t top = 0; top < n; top += ROWS) {
		const bool full = top + ROWS <= n;
		for (size_t j = 0; full && j < top; j++) {
			reduce(ROWS, n, a + top * n, a + j * n, j);
			for (size_t r = 0; r < ROWS; r++) a[(top + r) * n + j] /= a[j * n + j];
		}
		for (size_t i = top; i < n && i < top + ROWS; i++) {
			double *row = a + i * n;
			for (size_t j = full ? top : 0; j < i; j++) {
				reduce(1, n, row, a + j * n, j);
				row[j] /= a[j * n + j];
			}
			reduce(1, n, row, row, i);
			if (!(row[i] > 0)) return false;
			row[i] = sqrt(row[i]);
		}
	}
	return true;
}

bool ossai_cholesky_solve(size_t n, double *a, double *b)
{
	if (!factor(n, a)) return false;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++) b[i] -= a[i * n + k] * b[k];
		b[i] /= a[i * n + i];
	}
	/* by rows, as they lie in memory */
	for (size_t i = n; i-- > 0;) {
		b[i] /= a[i * n + i];
		for (size_t k = 0; k < i; k++) b[k] -= a[i * n + k] * b[i];
	}
	return true;
}

/* ---- one with zeros ---- */

double ossai_skyline_cost(const ossai_skyline *s)
{
	double cost = 0;
	for (size_t i = 0; i < s->count; i++) {
		for (size_t j = s->first[i]; j <= i; j++) cost += (double)(j - (s->first[i] > s->first[j] ? s->first[i] : s->first[j]));
	}
	return cost;
}

/* the three rows of a block row; numbers before their first column are 0 */
typedef struct block_row {
	double *a;
	size_t first, stride;
} block_row;

static block_row row_of(const ossai_skyline *s, double *a, size_t i)
{
	return (block_row){a + 9 * s->start[i], 3 * s->first[i], 3 * (i - s->first[i] + 1)};
}

/* takes the products of three rows with row j, from where both begin, off their column j, and
   divides it */
OSSAI_INLINE void reduce_three(const block_row *rows, const block_row *other, size_t j)
{
	const size_t begin = rows->first > other->first ? rows->first : other->first, count = j - begin;
	const double *line = other->a + j % 3 * other->stride + begin - other->first;
	double *row = rows->a + begin - rows->first;
	reduce(3, rows->stride, row, line, count);
	for (size_t r = 0; r < 3; r++) row[r * rows->stride + count] /= line[count];
}

/* the block on the diagonal, whose rows begin together */
static bool factor_diagonal(const block_row *rows, size_t i)
{
	for (size_t r = 0; r < 3; r++) {
		double *row = rows->a + r * rows->stride;
		const size_t at = 3 * i - rows->first;
		for (size_t j = 0; j < r; j++) {
			const double *other = rows->a + j * rows->stride;
			reduce(1, rows->stride, row, other, at + j);
			row[at + j] /= other[at + j];
		}
		reduce(1, rows->stride, row, row, at + r);
		if (!(row[at + r] > 0)) return false;
		row[at + r] = sqrt(row[at + r]);
	}
	return true;
}

OSSAI_CLONES static bool factor_one(const ossai_skyline *s, double *a)
{
	for (size_t i = 0; i < s->count; i++) {
		const block_row rows = row_of(s, a, i);
		for (size_t j = rows.first; j < 3 * i; j++) {
			const block_row other = row_of(s, a, j / 3);
			reduce_three(&rows, &other, j);
		}
		if (!factor_diagonal(&rows, i)) return false;
	}
	return true;
}

bool ossai_skyline_solve_one(const ossai_skyline *s, double *a, double *b)
{
	if (!factor_one(s, a)) return false;
	for (size_t i = 0; i < 3 * s->count; i++) {
		const block_row rows = row_of(s, a, i / 3);
		const double *row = rows.a + i % 3 * rows.stride;
		for (size_t k = rows.first; k < i; k++) b[i] -= row[k - rows.first] * b[k];
		b[i] /= row[i - rows.first];
	}
	for (size_t i = 3 * s->count; i-- > 0;) {
		const block_row rows = row_of(s, a, i / 3);
		const double *row = rows.a + i % 3 * rows.stride;
		b[i] /= row[i - rows.first];
		for (size_t k = rows.first; k < i; k++) b[k] -= row[k - rows.first] * b[i];
	}
	return true;
}

/* ---- four with zeros ---- */

/* block -= x y^T */
OSSAI_INLINE void subtract_product(const ossai_lanes x[9], const ossai_lanes y[9], ossai_lanes block[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			block[3 * i + j] -= x[3 * i] * y[3 * j] + x[3 * i + 1] * y[3 * j + 1] + x[3 * i + 2] * y[3 * j + 2];
		}
	}
}

/* block <- block L^-T for the factor L of a block on the diagonal, whose own diagonal is
   inverted */
OSSAI_INLINE void divide(ossai_lanes block[9], const ossai_lanes l[9])
{
	for (int i = 0; i < 9; i += 3) {
		block[i] = block[i] * l[0];
		block[i + 1] = (block[i + 1] - block[i] * l[3]) * l[4];
		block[i + 2] = (block[i + 2] - block[i] * l[6] - block[i + 1] * l[7]) * l[8];
	}
}

/* 1 / sqrt; lanes that have none are marked and go on with 1 */
OSSAI_INLINE void invert_root(ossai_lanes *value, ossai_lane_mask *failed)
{
	const ossai_lane_mask good = *value > 0;
	*failed |= ~good;
	*value = 1 / ossai_lanes_root(ossai_lanes_choose(good, *value, ossai_lanes_all(1)));
}

OSSAI_INLINE void factor_block(ossai_lanes l[9], ossai_lane_mask *failed)
{
	invert_root(&l[0], failed);
	l[3] *= l[0];
	l[6] *= l[0];
	l[4] -= l[3] * l[3];
	invert_root(&l[4], failed);
	l[7] = (l[7] - l[6] * l[3]) * l[4];
	l[8] -= l[6] * l[6] + l[7] * l[7];
	invert_root(&l[8], failed);
}

OSSAI_INLINE void factor_row(const ossai_skyline *s, ossai_lanes *a, size_t i, ossai_lane_mask *failed)
{
	/* row[9 j] is block (i, j) */
	ossai_lanes *row = a + 9 * s->start[i];
	for (size_t j = s->first[i]; j <= i; j++) {
		const ossai_lanes *other = a + 9 * s->start[j];
		const size_t begin = s->first[i] > s->first[j] ? s->first[i] : s->first[j];
		ossai_lanes block[9];
		for (int e = 0; e < 9; e++) block[e] = row[9 * (j - s->first[i]) + (size_t)e];
		for (size_t k = begin; k < j; k++) subtract_product(row + 9 * (k - s->first[i]), other + 9 * (k - s->first[j]), block);
		if (j < i) divide(block, other + 9 * (j - s->first[j]));
		else factor_block(block, failed);
		for (int e = 0; e < 9; e++) row[9 * (j - s->first[i]) + (size_t)e] = block[e];
	}
}

OSSAI_INLINE void substitute(const ossai_skyline *s, const ossai_lanes *a, ossai_lanes *b)
{
	for (size_t i = 0; i < s->count; i++) {
		const ossai_lanes *row = a + 9 * s->start[i], *l = row + 9 * (i - s->first[i]);
		ossai_lanes x[3] = {b[3 * i], b[3 * i + 1], b[3 * i + 2]};
		for (size_t j = s->first[i]; j < i; j++, row += 9) {
			for (size_t e = 0; e < 9; e++) x[e / 3] -= row[e] * b[3 * j + e % 3];
		}
		x[0] *= l[0];
		x[1] = (x[1] - l[3] * x[0]) * l[4];
		x[2] = (x[2] - l[6] * x[0] - l[7] * x[1]) * l[8];
		for (size_t e = 0; e < 3; e++) b[3 * i + e] = x[e];
	}
	for (size_t i = s->count; i-- > 0;) {
		const ossai_lanes *row = a + 9 * s->start[i], *l = row + 9 * (i - s->first[i]);
		ossai_lanes x[3] = {b[3 * i], b[3 * i + 1], b[3 * i + 2] * l[8]};
		x[1] = (x[1] - l[7] * x[2]) * l[4];
		x[0] = (x[0] - l[3] * x[1] - l[6] * x[2]) * l[0];
		for (size_t e = 0; e < 3; e++) b[3 * i + e] = x[e];
		for (size_t j = s->first[i]; j < i; j++, row += 9) {
			for (size_t e = 0; e < 9; e++) b[3 * j + e % 3] -= row[e] * x[e / 3];
		}
	}
}

OSSAI_CLONES static void solve_skyline(const ossai_skyline *s, ossai_lanes *a, ossai_lanes *b, ossai_lane_mask *failed)
{
	ossai_lane_mask bad = {0, 0, 0, 0};
	for (size_t i = 0; i < s->count; i++) factor_row(s, a, i, &bad);
	substitute(s, a, b);
	*failed = bad;
}

void ossai_skyline_solve(const ossai_skyline *shape, ossai_lanes *a, ossai_lanes *b, ossai_lane_mask *failed)
{
	solve_skyline(shape, a, b, failed);
}
