/* weights/simplex_fit.h: the weights of one vertex: min a^T G a with sum a = 1, a >= 0 and a
   limited number of non-zeros.

   Place in the path: base, math -> here -> least_squares.
   G is the Gram matrix of the bones' residuals at the vertex: G_jl = sum_k (X_jk p - v_k) . (X_lk p
   - v_k), so that a^T G a is the squared error of the blend a. */
#ifndef OSSAI_WEIGHTS_SIMPLEX_FIT_H
#define OSSAI_WEIGHTS_SIMPLEX_FIT_H

#include <stddef.h>

/* Maximum number of bones that one solve may choose from. */
enum { OSSAI_SIMPLEX_MAX = 24 };

/* The exact optimum over the n candidates by an active-set method (a bone is dropped where it would
   become negative, added where that lowers the error), then the bones of least cost are removed
   until at most `most` are left. `a` (n) comes in as a start (all zero: none) and goes out as the
   weights. Returns a^T G a. n <= OSSAI_SIMPLEX_MAX. Where G is singular (fewer rows than bones) a
   ridge of 1e-10 of its trace selects the solution of least norm. */
double ossai_simplex_fit(size_t n, const double *g, size_t most, double *a);

/* The published elimination (Schaefer & Yuksel 2007, section 4): solve with the equality only,
   force the most negative weight to zero until none is negative, then the smallest positive one
   until at most `most` are left. Any n; `h` is scratch of n x n + n doubles. The solves are
   downdates of one inverse, so the whole costs O(n^3), not O(n^4). */
double ossai_simplex_eliminate(size_t n, const double *g, size_t most, double *h, double *a);

#endif
