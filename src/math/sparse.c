/* math/sparse.c: the one file that knows CHOLMOD: see sparse.h.

   Only its Core and Cholesky modules are called (LGPL): simplicial factors. Its supernodal ones
   (GPL) pay for matrices with much more fill than those of surfaces. CHOLMOD takes its memory from
   the C library by itself: what it will take is known after the analysis and counted against the
   context's limit before it is taken. CHOLMOD's own solver handles four right-hand sides at a time
   on one thread; here a group's eight values of a row are one or two vectors, groups run in
   parallel, and columns that a right-hand side does not reach are passed over. */
#include "math/sparse.h"

#include "base/clones.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct ossai_sparse {
	ossa_context *context;
	cholmod_common common;
	bool started;
	size_t size, entry_count;
	int *start, *row; /* the pattern as CHOLMOD has its indices */
	cholmod_factor *factor;
	bool factorised;
	size_t counted; /* bytes of CHOLMOD's that the context counts */
};

/* makes the context count `bytes` for CHOLMOD in place of what it counted before */
static ossa_status count_foreign(ossai_sparse *s, size_t bytes)
{
	const size_t before = s->counted;
	if (bytes > before) OSSAI_TRY(ossai_foreign_take(s->context, bytes - before));
	else ossai_foreign_give(s->context, before - bytes);
	s->counted = bytes;
	return OSSA_OK;
}

static ossa_status fail_as(const ossai_sparse *s, const char *doing)
{
	const cholmod_common *common = &s->common;
	if (common->status == CHOLMOD_TOO_LARGE) {
		return ossai_fail(s->context, OSSA_ERROR_LIMIT, NULL,
			"%s a system of %zu unknowns needs more than 2^31 numbers: use a smaller mesh", doing, s->size);
	}
	if (common->status == CHOLMOD_OUT_OF_MEMORY) {
		return ossai_fail(s->context, OSSA_ERROR_MEMORY, NULL, "no memory for %s a system of %zu unknowns", doing, s->size);
	}
	return ossai_fail(s->context, OSSA_ERROR_ARGUMENT, NULL, "%s a system of %zu unknowns failed with CHOLMOD's status %d",
		doing, s->size, common->status);
}

static ossa_status check_pattern(ossa_context *context, const ossai_sparse_pattern *p)
{
	if (p->size >= INT_MAX || p->start[p->size] >= INT_MAX) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "a system of %zu unknowns is too large: use a smaller mesh", p->size);
	}
	for (size_t j = 0; j < p->size; j++) {
		bool good = p->start[j] < p->start[j + 1] && p->row[p->start[j]] == j;
		for (uint32_t i = p->start[j] + 1; good && i < p->start[j + 1]; i++) {
			good = p->row[i] > p->row[i - 1] && p->row[i] < p->size;
		}
		if (!good) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
				"column %zu of a sparse pattern does not begin with its diagonal or its rows do not rise", j);
		}
	}
	return OSSA_OK;
}

static ossa_status copy_pattern(ossai_sparse *s, const ossai_sparse_pattern *pattern)
{
	s->size = pattern->size;
	s->entry_count = pattern->start[pattern->size];
	s->start = ossai_new(s->context, s->size + 1, sizeof *s->start);
	if (s->start) s->row = ossai_new(s->context, s->entry_count, sizeof *s->row);
	if (!s->row) return ossa_context_error(s->context)->status;
	for (size_t j = 0; j <= s->size; j++) s->start[j] = (int)pattern->start[j];
	for (size_t i = 0; i < s->entry_count; i++) s->row[i] = (int)pattern->row[i];
	return OSSA_OK;
}

/* the matrix over the copied pattern; `values` NULL: the pattern alone */
static cholmod_sparse matrix_of(ossai_sparse *s, double *values)
{
	cholmod_sparse a = {.nrow = s->size, .ncol = s->size, .nzmax = s->entry_count, .p = s->start, .i = s->row, .x = values};
	a.stype = -1; /* the lower triangle is stored */
	a.itype = CHOLMOD_INT;
	a.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
	a.dtype = CHOLMOD_DOUBLE;
	a.sorted = 1;
	a.packed = 1;
	return a;
}

/* one fixed ordering and no choice by timing: the same factor everywhere */
static void start_library(ossai_sparse *s)
{
	cholmod_start(&s->common);
	s->started = true;
	s->common.print = 0;
	s->common.supernodal = CHOLMOD_SIMPLICIAL;
	s->common.nmethods = 1;
	s->common.method[0].ordering = CHOLMOD_AMD;
	s->common.postorder = 1;
	/* L L^T rather than L D L^T: it stops at a pivot that is not positive */
	s->common.final_ll = 1;
	s->common.grow2 = 0;
	s->common.final_pack = 1;
	s->common.final_monotonic = 1;
}

static ossa_status prepare_order(ossai_sparse *s, const ossai_sparse_pattern *pattern)
{
	OSSAI_TRY(copy_pattern(s, pattern));
	start_library(s);
	/* the ordering's copies of the pattern and its work arrays, generously */
	return count_foreign(s, (6 * s->entry_count + 40 * s->size) * sizeof(int));
}

static ossa_status analyse(ossai_sparse *s, const ossai_sparse_pattern *pattern)
{
	OSSAI_TRY(prepare_order(s, pattern));
	cholmod_sparse a = matrix_of(s, NULL);
	s->factor = cholmod_analyze(&a, &s->common);
	if (!s->factor) return fail_as(s, "analysing");
	/* lnz counts the factor's entries: an index and a number each; and the matrix is permuted once
	   more */
	const double entries = s->common.lnz;
	if (!(entries < INT_MAX)) {
		return ossai_fail(s->context, OSSA_ERROR_LIMIT, NULL,
			"the factor of a system of %zu unknowns has %.3g entries, too many", s->size, entries);
	}
	const size_t factor_bytes = (size_t)entries * (sizeof(int) + sizeof(double));
	const size_t matrix_bytes = s->entry_count * (sizeof(int) + sizeof(double));
	return count_foreign(s, factor_bytes + matrix_bytes + 16 * s->size * sizeof(double));
}

ossa_status ossai_sparse_analyse(ossa_context *context, const ossai_sparse_pattern *pattern, ossai_sparse **system)
{
	*system = NULL;
	OSSAI_TRY(check_pattern(context, pattern));
	ossai_sparse *s = ossa_alloc(context, 1, sizeof *s);
	if (!s) return ossa_context_error(context)->status;
	s->context = context;
	*system = s;
	return analyse(s, pattern);
}

static ossa_status find_order(ossai_sparse *s, const ossai_sparse_pattern *pattern, uint32_t *order)
{
	OSSAI_TRY(prepare_order(s, pattern));
	cholmod_sparse a = matrix_of(s, NULL);
	int *found = ossai_new(s->context, s->size, sizeof *found);
	if (!found) return ossa_context_error(s->context)->status;
	const int good = cholmod_amd(&a, NULL, 0, found, &s->common);
	for (size_t i = 0; good && i < s->size; i++) order[i] = (uint32_t)found[i];
	ossa_free(s->context, found);
	return good ? OSSA_OK : fail_as(s, "ordering");
}

ossa_status ossai_sparse_order(ossa_context *context, const ossai_sparse_pattern *pattern, uint32_t *order)
{
	OSSAI_TRY(check_pattern(context, pattern));
	ossai_sparse *s = ossa_alloc(context, 1, sizeof *s);
	if (!s) return ossa_context_error(context)->status;
	s->context = context;
	const ossa_status status = find_order(s, pattern, order);
	ossai_sparse_end(s);
	return status;
}

ossa_status ossai_sparse_factorise(ossai_sparse *s, const double *values)
{
	s->factorised = false;
	for (size_t i = 0; i < s->entry_count; i++) {
		if (isfinite(values[i])) continue;
		return ossai_fail(s->context, OSSA_ERROR_INPUT, NULL, "entry %zu of a sparse system is not finite", i);
	}
	/* the library does not write through it */
	double *unchanged;
	memcpy(&unchanged, &values, sizeof unchanged);
	cholmod_sparse a = matrix_of(s, unchanged);
	const int good = cholmod_factorize(&a, s->factor, &s->common);
	if (good && s->common.status == CHOLMOD_NOT_POSDEF) {
		return ossai_fail(s->context, OSSA_ERROR_INPUT, NULL,
			"a system of %zu unknowns is not positive definite (at unknown %zu)", s->size,
			(size_t)((int *)s->factor->Perm)[s->factor->minor]);
	}
	if (!good || s->common.status < 0) return fail_as(s, "factorising");
	s->factorised = true;
	return OSSA_OK;
}

typedef struct solve_job {
	const ossai_sparse *system;
	double *x, *permuted;
} solve_job;

enum { W = OSSAI_SPARSE_WIDTH };

/* L y = b; rows of y that are still zero send nothing on */
OSSAI_CLONES static void solve_forward(const cholmod_factor *factor, double *y)
{
	const int *start = factor->p, *count = factor->nz, *row = factor->i;
	const double *value = factor->x;
	for (size_t j = 0; j < factor->n; j++) {
		double *own = y + W * j, sum = 0;
		for (int k = 0; k < W; k++) sum += fabs(own[k]);
		if (sum == 0) continue;
		const int begin = start[j], end = begin + count[j];
		double pivot[W];
		for (int k = 0; k < W; k++) pivot[k] = own[k] = own[k] / value[begin];
		for (int e = begin + 1; e < end; e++) {
			double *other = y + W * (size_t)row[e];
			const double l = value[e];
			for (int k = 0; k < W; k++) other[k] -= l * pivot[k];
		}
	}
}

/* L^T x = y */
OSSAI_CLONES static void solve_backward(const cholmod_factor *factor, double *y)
{
	const int *start = factor->p, *count = factor->nz, *row = factor->i;
	const double *value = factor->x;
	for (size_t j = factor->n; j-- > 0;) {
		double *own = y + W * j, sum[W];
		const int begin = start[j], end = begin + count[j];
		for (int k = 0; k < W; k++) sum[k] = own[k];
		for (int e = begin + 1; e < end; e++) {
			const double *other = y + W * (size_t)row[e];
			const double l = value[e];
			for (int k = 0; k < W; k++) sum[k] -= l * other[k];
		}
		for (int k = 0; k < W; k++) own[k] = sum[k] / value[begin];
	}
}

static void solve_groups(void *arg, size_t begin, size_t end)
{
	const solve_job *job = arg;
	const size_t n = job->system->size;
	const int *unknown_at = job->system->factor->Perm;
	for (size_t g = begin; g < end; g++) {
		double *x = job->x + g * n * W, *y = job->permuted + g * n * W;
		for (size_t i = 0; i < n; i++) memcpy(y + W * i, x + W * (size_t)unknown_at[i], W * sizeof *y);
		solve_forward(job->system->factor, y);
		solve_backward(job->system->factor, y);
		for (size_t i = 0; i < n; i++) memcpy(x + W * (size_t)unknown_at[i], y + W * i, W * sizeof *y);
	}
}

ossa_status ossai_sparse_solve(ossai_sparse *s, size_t groups, double *x)
{
	if (!s->factorised) {
		return ossai_fail(s->context, OSSA_ERROR_ARGUMENT, NULL, "a sparse system is to be solved that was not factorised");
	}
	double *permuted = ossai_new(s->context, groups * s->size, W * sizeof *permuted);
	if (!permuted) return ossa_context_error(s->context)->status;
	ossai_parallel_for(s->context, groups, 1, solve_groups, &(solve_job){s, x, permuted});
	ossa_free(s->context, permuted);
	return OSSA_OK;
}

void ossai_sparse_end(ossai_sparse *s)
{
	if (!s) return;
	if (s->started) {
		cholmod_free_factor(&s->factor, &s->common);
		cholmod_finish(&s->common);
	}
	ossai_foreign_give(s->context, s->counted);
	ossa_free(s->context, s->start);
	ossa_free(s->context, s->row);
	ossa_free(s->context, s);
}
