/* math/multifrontal.h: a faster Cholesky factorization for sparse systems with much fill, such
   as the normal equations of a least-squares problem on a surface.

   Place in the path: above sparse, below contraction.
   Input: the lower triangle of a symmetric positive definite matrix.
   Output: solutions for four right-hand sides.
   Source: I. S. Duff and J. K. Reid, The Multifrontal Solution of Indefinite Sparse Symmetric
   Linear Equations, 1983; J. W. H. Liu, The Role of Elimination Trees in Sparse Factorization,
   1990.

   Columns with the same rows form a supernode, whose part of the matrix is dense: its columns are
   eliminated together, and what they subtract from later columns is kept on a stack until the
   parent takes it. CHOLMOD's simplicial factors, which sparse.h uses, work column by column and are
   slower by a factor of 3 to 5 where columns have hundreds of rows. */
#ifndef OSSAI_MATH_MULTIFRONTAL_H
#define OSSAI_MATH_MULTIFRONTAL_H

#include "math/sparse.h"

/* How many right-hand sides are solved together. */
enum { OSSAI_MULTIFRONTAL_WIDTH = 4 };

/* Columns `first` to `first + width - 1` in the order of elimination; their rows, rising, begin
   with these columns. */
typedef struct ossai_supernode {
	uint32_t first, width, height; /* height: rows, at least width */
	uint32_t parent;               /* OSSA_NONE: none */
	size_t rows;                   /* index into row and into_parent */
	size_t panel;                  /* index into panel: height x width, column by column */
} ossai_supernode;

typedef struct ossai_multifrontal {
	ossa_context *context;
	size_t size;
	ossai_sparse_pattern pattern; /* the caller's */
	uint32_t *order;              /* the unknown that is eliminated at each place */
	size_t node_count;
	ossai_supernode *node;
	uint32_t *row;         /* rows of all supernodes, as places in the order */
	uint32_t *into_parent; /* of each row behind the own columns: its index in the parent's */
	size_t *entry_panel;   /* of each entry of the matrix: its index in panel */
	size_t panel_size;
	double *panel;     /* the factor */
	double *stack;     /* what supernodes subtract from their parents; scratch of the solution */
	uint32_t *stacked; /* supernodes whose part of the stack is not taken yet */
	double *right;     /* size x OSSAI_MULTIFRONTAL_WIDTH: right-hand sides in the order */
} ossai_multifrontal;

/* Finds an order and the supernodes. `pattern` must outlive the system. Arrays are the arena's.
   Errors: as of ossai_sparse_analyse.  Cost: near linear in the entries of the factor. */
ossa_status ossai_multifrontal_make(ossai_arena *arena, const ossai_sparse_pattern *pattern, ossai_multifrontal *system);

/* Factorises for `values`, one for each entry of the pattern. Returns the largest ratio of a
   diagonal entry to its pivot, which is the factor by which rounding errors may have grown in
   elimination; infinity where a pivot is not positive or not finite, and then nothing can be
   solved.
   Cost: n^1.5 for surfaces; one thread, allocates nothing. */
double ossai_multifrontal_factorise(ossai_multifrontal *system, const double *values);

/* Solves in place: x is size x OSSAI_MULTIFRONTAL_WIDTH. Allocates nothing. */
void ossai_multifrontal_solve(ossai_multifrontal *system, double *x);

#endif
