/* math/symmetric_eigen.h: eigenvalues of a dense symmetric matrix, and the eigenvectors of its
   largest ones.

   Place in the path: above base; spectral clustering stands on it. The only file that knows
   LAPACK. */
#ifndef OSSAI_MATH_SYMMETRIC_EIGEN_H
#define OSSAI_MATH_SYMMETRIC_EIGEN_H

#include "base/context.h"

/* A matrix in progress: first all values, then, once it is known how many are wanted, vectors.
   Arrays are the arena's. */
typedef struct ossai_eigen {
	size_t size;
	double *values;   /* n, descending */
	double *matrix;   /* the caller's: holds the reflections that make it tridiagonal */
	double *diagonal; /* n: of the tridiagonal matrix */
	double *beside;   /* n - 1: off the diagonal */
	double *scale;    /* n - 1: of the reflections */
} ossai_eigen;

/* All eigenvalues of `matrix` (n x n; the half on and above the diagonal by rows is read;
   destroyed, and kept for the vectors). The same bytes for any number of threads, the BLAS's own
   too.
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT where LAPACK gives up (the matrix
   is not finite). Cost: 4/3 n^3 (0.04 s at 500, 0.35 s at 1000 with the reference BLAS). */
ossa_status ossai_eigen_make(ossa_context *context, ossai_arena *arena, size_t size, double *matrix, ossai_eigen *eigen);

/* Unit eigenvectors of the `count` largest values, row by row: vectors[i * count + j] is entry i of
   vector j. Signs, and rotations among equal values, are arbitrary. Again with another count, too.
   Cost: 2 n^2 count. */
ossa_status ossai_eigen_vectors(ossa_context *context, const ossai_eigen *eigen, size_t count, double *vectors);

#endif
