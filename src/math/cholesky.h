/* math/cholesky.h: dense symmetric positive definite systems of a few hundred unknowns.

   Place in the path: above base. */
#ifndef OSSAI_MATH_CHOLESKY_H
#define OSSAI_MATH_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Solves a x = b in place: `a` (n x n, row-major, lower half read and destroyed), `b` becomes x.
   False where a is not positive definite; b is then meaningless. */
bool ossai_cholesky_solve(size_t n, double *a, double *b);

#endif
