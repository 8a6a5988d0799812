/* math/rigid_fit.c: Horn's quaternion by Jacobi rotations: the safe path, for final transforms and as oracle.

   In: a 3x3 correlation.  Out: the unit quaternion of the best rotation.  Source: see rigid_fit.h. */
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

ossai_quat ossai_rigid_rotation(const double m[9])
{
	double n[16], values[4], v[16];
	horn_matrix(m, n);
	ossai_symmetric_eigen(4, n, values, v);
	return ossai_quat_unit((ossai_quat){v[4], v[8], v[12], v[0]});
}

double ossai_rigid_lambda(const double m[9])
{
	double n[16], values[4], v[16];
	horn_matrix(m, n);
	ossai_symmetric_eigen(4, n, values, v);
	return values[0];
}
