/* math/rigid_fit.h: the best rotation between two sets of points, by the quaternion of Horn, and
   how good it is.

   Place in the path: above base; parts/ ranks clusters by it, motion/ moves bones with it.
   M is the 3x3 correlation  sum w p q^T  about the weighted centroids; the rotation R that
   maximises tr(R M) takes the p best onto the q, with  lambda = max tr(R M).  Never a reflection;
   flat, thin and single triangles are fine.
   Source: B. Horn, Closed-form solution of absolute orientation using unit quaternions, JOSA A
   1987. */
#ifndef OSSAI_MATH_RIGID_FIT_H
#define OSSAI_MATH_RIGID_FIT_H

#include "math/lanes.h"
#include "math/vec.h"

/* The rotation for one M (row-major 3x3): the eigenvector of Horn's 4x4 from the adjugate, or by
   cyclic Jacobi rotations where the largest eigenvalue is nearly double. Safe for every M, also
   0. */
ossai_quat ossai_rigid_rotation(const double m[9]);

/* The rotations for four M at once, as matrices. */
void ossai_rigid_rotations(const ossai_lanes m[9], ossai_lanes r[9]);

/* The same to the last bit as ossai_quat_matrix of ossai_rigid_rotation one by one, with half as
   many operations more. */
void ossai_rigid_each_rotation(const ossai_lanes m[9], ossai_lanes r[9]);

/* lambda of one M by Jacobi rotations. */
double ossai_rigid_lambda(const double m[9]);

/* lambda from M's invariants by Newton's iteration on Horn's characteristic quartic in the form
   (l^2 - |M|^2)^2 - 8 det(M) l - 4 |cof M|^2 = 0, from `upper`, any number not below lambda. The
   factored form keeps full precision where the root is double (points on a line). Monotone, so it
   always ends. */
static inline double ossai_rigid_lambda_newton(const double m[9], double upper)
{
	const double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
	const double c3 = m[2] * m[7] - m[1] * m[8], c4 = m[0] * m[8] - m[2] * m[6], c5 = m[1] * m[6] - m[0] * m[7];
	const double c6 = m[1] * m[5] - m[2] * m[4], c7 = m[2] * m[3] - m[0] * m[5], c8 = m[0] * m[4] - m[1] * m[3];
	const double f = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3] + m[4] * m[4] + m[5] * m[5] + m[6] * m[6] +
		m[7] * m[7] + m[8] * m[8];
	const double d = m[0] * c0 + m[1] * c1 + m[2] * c2;
	const double g = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5 + c6 * c6 + c7 * c7 + c8 * c8;
	double lambda = sqrt(3 * f);
	if (upper < lambda) lambda = upper;
	for (int i = 0; i < 60; i++) {
		const double h = lambda * lambda - f;
		const double slope = 4 * (lambda * h - 2 * d);
		if (!(slope > 0)) break;
		const double step = (h * h - 8 * d * lambda - 4 * g) / slope;
		lambda -= step;
		if (!(step > 1e-15 * lambda)) break;
	}
	return lambda;
}

/* Eigenvalues (descending) and unit eigenvectors (columns of v: v[row * n + column]) of a symmetric
   n x n matrix, n <= 6, by cyclic Jacobi rotations. `a` is row-major and destroyed. */
void ossai_symmetric_eigen(int n, double *a, double *values, double *v);

#endif
