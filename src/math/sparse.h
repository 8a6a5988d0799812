/* math/sparse.h: sparse symmetric positive definite systems: one pattern, many sets of values, many
   right-hand sides.

   Place in the path: above base, below everything that solves on a surface (heat, contraction).
   Input: the lower triangle of a matrix.
   Output: solutions.
   The factors are CHOLMOD's simplicial ones (Y. Chen, T. Davis, W. Hager and S. Rajamanickam,
   Algorithm 887: CHOLMOD, 2008) in the order of approximate minimum degree, which on creatures'
   surfaces is faster in all than nested dissection (by METIS or by cutting space); the triangular
   solves are done here, eight right-hand sides at a time, on all threads. */
#ifndef OSSAI_MATH_SPARSE_H
#define OSSAI_MATH_SPARSE_H

#include "base/context.h"

/* How many right-hand sides lie together. */
enum { OSSAI_SPARSE_WIDTH = 8 };

/* The lower triangle of a symmetric pattern by columns: column j has the rows row[start[j]] = j <
   row[start[j] + 1] < ...; every diagonal is there. The same arrays read by rows are the upper
   triangle. */
typedef struct ossai_sparse_pattern {
	size_t size;           /* n: rows and columns */
	const uint32_t *start; /* n + 1 */
	const uint32_t *row;   /* start[n] */
} ossai_sparse_pattern;

typedef struct ossai_sparse ossai_sparse;

/* Finds an order with little fill and what the factor will look like. The pattern is copied.
   Errors: OSSA_ERROR_ARGUMENT (a pattern that breaks the rules above), OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT. Ownership: ossai_sparse_end, also after a failure.  Cost: near linear in the
   entries for surfaces. */
ossa_status ossai_sparse_analyse(ossa_context *context, const ossai_sparse_pattern *pattern, ossai_sparse **system);

/* Factorises for `values`, one for each entry of the pattern; what was factorised before is
   replaced. Errors: OSSA_ERROR_INPUT where the matrix is not positive definite to working precision
   or not finite, OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT; nothing can be solved then until a
   factorisation succeeds.  Cost: n^1.5 for surfaces; one thread. */
ossa_status ossai_sparse_factorise(ossai_sparse *system, const double *values);

/* Solves for `groups` groups of OSSAI_SPARSE_WIDTH right-hand sides in place: x[(group * n + row) *
   OSSAI_SPARSE_WIDTH + side]. Columns of the factor that a group does not reach are passed over.
   Threads: the context's, a group each; the same bytes for any number.
   Errors: OSSA_ERROR_MEMORY (scratch as large as x). */
ossa_status ossai_sparse_solve(ossai_sparse *system, size_t groups, double *x);

/* An order of elimination with little fill, of approximate minimum degree: order[k] is the
   unknown at place k. Errors: as of ossai_sparse_analyse.  Cost: near linear in the entries for
   surfaces. */
ossa_status ossai_sparse_order(ossa_context *context, const ossai_sparse_pattern *pattern, uint32_t *order);

/* NULL is allowed. */
void ossai_sparse_end(ossai_sparse *system);

#endif
