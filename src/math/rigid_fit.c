/* math/rigid_fit.c: Horn's quaternion by Jacobi rotations: the safe path, for final transforms and
   as oracle.

   Input: a 3x3 correlation.
   Output: the unit quaternion of the best rotation.
   Source: see rigid_fit.h. */
#include "math/rigid_fit.h"

/* one Jacobi rotation that makes a[p][q] zero */
static void rotate(int n, double *a, double *v, int p, int q)
{
	const double apq = a[p * n + q];
	if (apq == 0) return;
	const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
	const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
	const double c = 1 / sqrt(t * t + 1), s = t * c;
	for (int i = 0; i < n; i++) {
		const double x = a[i * n + p], y = a[i * n + q];
		a[i * n + p] = c * x - s * y;
		a[i * n + q] = s * x + c * y;
	}
	for (int i = 0; i < n; i++) {
		const double x = a[p * n + i], y = a[q * n + i];
		a[p * n + i] = c * x - s * y;
		a[q * n + i] = s * x + c * y;
	}
	for (int i = 0; i < n; i++) {
		const double x = v[i * n + p], y = v[i * n + q];
		v[i * n + p] = c * x - s * y;
		v[i * n + q] = s * x + c * y;
	}
	a[p * n + q] = a[q * n + p] = 0;
}

/* largest value first, with its vector */
static void sort_eigen(int n, double *values, double *v)
{
	for (int i = 0; i < n; i++) {
		int best = i;
		for (int j = i + 1; j < n; j++) {
			if (values[j] > values[best]) best = j;
		}
		if (best == i) continue;
		const double value = values[i];
		values[i] = values[best];
		values[best] = value;
		for (int r = 0; r < n; r++) {
			const double x = v[r * n + i];
			v[r * n + i] = v[r * n + best];
			v[r * n + best] = x;
		}
	}
}

void ossai_symmetric_eigen(int n, double *a, double *values, double *v)
{
	for (int i = 0; i < n * n; i++) v[i] = i % (n + 1) == 0;
	for (int sweep = 0; sweep < 50; sweep++) {
		double off = 0, diagonal = 0;
		for (int i = 0; i < n; i++) {
			diagonal += a[i * n + i] * a[i * n + i];
			for (int j = 0; j < i; j++) off += a[i * n + j] * a[i * n + j];
		}
		if (!(off > 1e-34 * diagonal)) break;
		for (int p = 0; p < n; p++) {
			for (int q = p + 1; q < n; q++) rotate(n, a, v, p, q);
		}
	}
	for (int i = 0; i < n; i++) values[i] = a[i * n + i];
	sort_eigen(n, values, v);
}

/* Horn's symmetric 4x4 for M = sum p q^T, in the order w x y z */
static void horn_matrix(const double m[9], double n[16])
{
	const double trace = m[0] + m[4] + m[8];
	const double v[3] = {m[5] - m[7], m[6] - m[2], m[1] - m[3]};
	n[0] = trace;
	for (int i = 0; i < 3; i++) {
		n[1 + i] = n[4 * (1 + i)] = v[i];
		for (int j = 0; j < 3; j++) n[4 * (1 + i) + 1 + j] = m[3 * i + j] + m[3 * j + i] - (i == j ? trace : 0);
	}
}

/* cofactors of one row of a symmetric 4x4 */
static void cofactor_row(const double a[16], int row, double out[4])
{
	for (int column = 0; column < 4; column++) {
		int r[3], c[3];
		for (int i = 0, n = 0, m = 0; i < 4; i++) {
			if (i != row) r[n++] = 4 * i;
			if (i != column) c[m++] = i;
		}
		const double minor = a[r[0] + c[0]] * (a[r[1] + c[1]] * a[r[2] + c[2]] - a[r[1] + c[2]] * a[r[2] + c[1]]) -
			a[r[0] + c[1]] * (a[r[1] + c[0]] * a[r[2] + c[2]] - a[r[1] + c[2]] * a[r[2] + c[0]]) +
			a[r[0] + c[2]] * (a[r[1] + c[0]] * a[r[2] + c[1]] - a[r[1] + c[1]] * a[r[2] + c[0]]);
		out[column] = (row + column) % 2 ? -minor : minor;
	}
}

static ossai_quat rotation_by_jacobi(const double m[9])
{
	double n[16], values[4], v[16];
	horn_matrix(m, n);
	ossai_symmetric_eigen(4, n, values, v);
	return ossai_quat_unit((ossai_quat){v[4], v[8], v[12], v[0]});
}

ossai_quat ossai_rigid_rotation(const double m[9])
{
	double n[16], best[4] = {1, 0, 0, 0}, size = 0, most = 0;
	const double lambda = ossai_rigid_lambda_newton(m, INFINITY);
	horn_matrix(m, n);
	for (int i = 0; i < 4; i++) n[5 * i] -= lambda;
	/* the adjugate of N - lambda is a multiple of q q^T: any row that is not small gives q */
	for (int row = 0; row < 4; row++) {
		double q[4];
		cofactor_row(n, row, q);
		const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		if (length > most) {
			most = length;
			for (int i = 0; i < 4; i++) best[i] = q[i];
		}
	}
	for (int i = 0; i < 9; i++) size += m[i] * m[i];
	/* its size is the product of the gaps to the other eigenvalues: where one is small, digits are
	   lost */
	if (!(most > 1e-8 * size * size * size)) return rotation_by_jacobi(m);
	return ossai_quat_unit((ossai_quat){best[1], best[2], best[3], best[0]});
}

double ossai_rigid_lambda(const double m[9])
{
	double n[16], values[4], v[16];
	horn_matrix(m, n);
	ossai_symmetric_eigen(4, n, values, v);
	return values[0];
}
