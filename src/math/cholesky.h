/* math/cholesky.h: symmetric positive definite systems: dense ones of a few hundred unknowns, and
   four at a time that have zeros.

   Place in the path: above base. */
#ifndef OSSAI_MATH_CHOLESKY_H
#define OSSAI_MATH_CHOLESKY_H

#include "math/lanes.h"

/* Solves a x = b in place: `a` (n x n, row-major, lower half read and destroyed), `b` becomes x.
   False where a is not positive definite; b is then meaningless. */
bool ossai_cholesky_solve(size_t n, double *a, double *b);

/* The zeros of a system of 3x3 blocks: block row i begins at block column `first[i]` <= i, and its
   blocks first[i] ... i are number start[i] ... of the matrix. What is 0 before the first stays 0
   in the factor. */
typedef struct ossai_skyline {
	size_t count;
	const uint32_t *first; /* count */
	const size_t *start;   /* count + 1 */
} ossai_skyline;

/* Products of blocks in a factorisation. Cost: the number of blocks. */
double ossai_skyline_cost(const ossai_skyline *shape);

/* Solves one system in place: at a + 9 start[i] block row i has three rows of 3 (i - first[i] + 1)
   numbers, from its first column to the diagonal block, whose upper half is not read. The result is
   that of ossai_cholesky_solve where nothing is 0. False where a is not positive definite; b is
   then meaningless. */
bool ossai_skyline_solve_one(const ossai_skyline *shape, double *a, double *b);

/* Solves one such system in each lane: `a` (start[count] x 9) is destroyed, `b` (3 count) becomes
   x. `failed` marks the lanes whose matrix is not positive definite; their x is meaningless. Cost:
   for each block its distance from the beginning of its row or its column's, whichever is less. */
void ossai_skyline_solve(const ossai_skyline *shape, ossai_lanes *a, ossai_lanes *b, ossai_lane_mask *failed);

#endif
