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

/* ---- four at once ---- */

/* ossai_rigid_lambda_newton from the largest upper bound; a lane that has converged stays */
OSSAI_INLINE ossai_lanes lambda_of(const ossai_lanes m[9], ossai_lanes f)
{
	ossai_lanes c[9], g = ossai_lanes_all(0);
	for (int i = 0; i < 9; i++) {
		const int a = 3 * ((i / 3 + 1) % 3), b = 3 * ((i / 3 + 2) % 3), p = (i % 3 + 1) % 3, q = (i % 3 + 2) % 3;
		c[i] = m[a + p] * m[b + q] - m[a + q] * m[b + p];
		g += c[i] * c[i];
	}
	const ossai_lanes d = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
	ossai_lanes lambda = ossai_lanes_root(3 * f);
	ossai_lane_mask going = lambda >= 0;
	for (int i = 0; i < 60 && ossai_lanes_any(going); i++) {
		const ossai_lanes h = lambda * lambda - f, slope = 4 * (lambda * h - 2 * d);
		const ossai_lanes step = (h * h - 8 * d * lambda - 4 * g) / slope;
		going &= slope > 0;
		lambda = ossai_lanes_choose(going, lambda - step, lambda);
		going &= step > 1e-15 * lambda;
	}
	return lambda;
}

/* the adjugate of a symmetric 4x4, by the minors of its upper and its lower two rows */
OSSAI_INLINE void adjugate(const ossai_lanes a[4][4], ossai_lanes out[4][4])
{
	static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
	ossai_lanes s[6], c[6];
	for (int i = 0; i < 6; i++) {
		const int p = pair[i][0], q = pair[i][1];
		s[i] = a[0][p] * a[1][q] - a[1][p] * a[0][q];
		c[i] = a[2][p] * a[3][q] - a[3][p] * a[2][q];
	}
	out[0][0] = a[1][1] * c[5] - a[1][2] * c[4] + a[1][3] * c[3];
	out[0][1] = a[0][2] * c[4] - a[0][1] * c[5] - a[0][3] * c[3];
	out[0][2] = a[1][3] * s[5] - a[2][3] * s[4] + a[3][3] * s[3];
	out[0][3] = a[2][2] * s[4] - a[1][2] * s[5] - a[2][3] * s[3];
	out[1][1] = a[0][0] * c[5] - a[0][2] * c[2] + a[0][3] * c[1];
	out[1][2] = a[2][3] * s[2] - a[0][3] * s[5] - a[3][3] * s[1];
	out[1][3] = a[0][2] * s[5] - a[2][2] * s[2] + a[2][3] * s[1];
	out[2][2] = a[0][3] * s[4] - a[1][3] * s[2] + a[3][3] * s[0];
	out[2][3] = a[1][2] * s[2] - a[0][2] * s[4] - a[2][3] * s[0];
	out[3][3] = a[0][2] * s[3] - a[1][2] * s[1] + a[2][2] * s[0];
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < i; j++) out[i][j] = out[j][i];
	}
}

/* the safe path for the lanes of the mask */
static void turn_by_jacobi(const ossai_lanes m[9], const ossai_lane_mask *lost, ossai_lanes r[9])
{
	for (int l = 0; l < OSSAI_LANES; l++) {
		double one[9];
		if (!(*lost)[l]) continue;
		for (int i = 0; i < 9; i++) one[i] = m[i][l];
		const ossai_mat3 turn = ossai_quat_matrix(rotation_by_jacobi(one));
		for (int i = 0; i < 9; i++) r[i][l] = turn.m[i / 3][i % 3];
	}
}

OSSAI_CLONES static void rotations_of(const ossai_lanes m[9], ossai_lanes r[9])
{
	ossai_lanes n[4][4], adjoint[4][4], best[4], most, f = m[0] * m[0];
	for (int i = 1; i < 9; i++) f += m[i] * m[i];
	const ossai_lanes trace = m[0] + m[4] + m[8], lambda = lambda_of(m, f);
	const ossai_lanes v[3] = {m[5] - m[7], m[6] - m[2], m[1] - m[3]};
	n[0][0] = trace - lambda;
	for (int i = 0; i < 3; i++) {
		n[0][1 + i] = n[1 + i][0] = v[i];
		for (int j = 0; j < 3; j++) n[1 + i][1 + j] = m[3 * i + j] + m[3 * j + i];
		n[1 + i][1 + i] -= trace + lambda;
	}
	adjugate(n, adjoint);
	most = ossai_lanes_all(0);
	for (int i = 0; i < 4; i++) best[i] = ossai_lanes_all(i == 0);
	for (int row = 0; row < 4; row++) {
		const ossai_lanes *q = adjoint[row];
		const ossai_lanes length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		const ossai_lane_mask larger = length > most;
		for (int i = 0; i < 4; i++) best[i] = ossai_lanes_choose(larger, q[i], best[i]);
		most = ossai_lanes_choose(larger, length, most);
	}
	const ossai_lane_mask lost = ~(most > 1e-8 * f * f * f);
	const ossai_lanes safe = ossai_lanes_choose(lost, ossai_lanes_all(1), most);
	ossai_lanes turn[9];
	ossai_lanes_rotation(best, safe, turn);
	if (ossai_lanes_any(lost)) turn_by_jacobi(m, &lost, turn);
	for (int i = 0; i < 9; i++) r[i] = turn[i];
}

void ossai_rigid_rotations(const ossai_lanes m[9], ossai_lanes r[9]) { rotations_of(m, r); }

/* ---- four at once, as one by one ---- */

/* cofactor_row */
OSSAI_INLINE void cofactors(const ossai_lanes a[4][4], int row, ossai_lanes out[4])
{
	static const int others[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
	const ossai_lanes *r[3] = {a[others[row][0]], a[others[row][1]], a[others[row][2]]};
#pragma GCC unroll 4
	for (int column = 0; column < 4; column++) {
		const int *c = others[column];
		const ossai_lanes minor = r[0][c[0]] * (r[1][c[1]] * r[2][c[2]] - r[1][c[2]] * r[2][c[1]]) -
			r[0][c[1]] * (r[1][c[0]] * r[2][c[2]] - r[1][c[2]] * r[2][c[0]]) +
			r[0][c[2]] * (r[1][c[0]] * r[2][c[1]] - r[1][c[1]] * r[2][c[0]]);
		out[column] = (row + column) % 2 ? -minor : minor;
	}
}

/* horn_matrix less lambda */
OSSAI_INLINE void shifted_horn(const ossai_lanes m[9], ossai_lanes lambda, ossai_lanes n[4][4])
{
	const ossai_lanes trace = m[0] + m[4] + m[8];
	const ossai_lanes v[3] = {m[5] - m[7], m[6] - m[2], m[1] - m[3]};
	n[0][0] = trace - lambda;
	for (int i = 0; i < 3; i++) {
		n[0][1 + i] = n[1 + i][0] = v[i];
		for (int j = 0; j < 3; j++) n[1 + i][1 + j] = m[3 * i + j] + m[3 * j + i];
		n[1 + i][1 + i] = n[1 + i][1 + i] - trace - lambda;
	}
}

/* ossai_quat_unit, of w x y z */
OSSAI_INLINE void make_unit(ossai_lanes q[4])
{
	const ossai_lanes length = ossai_lanes_root(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[0] * q[0]);
	for (int i = 0; i < 4; i++) q[i] /= length;
}

/* ossai_quat_matrix of a unit quaternion, w x y z */
OSSAI_INLINE void matrix_of(ossai_lanes q[4], ossai_lanes r[9])
{
	make_unit(q);
	const ossai_lanes xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
	const ossai_lanes xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
	const ossai_lanes wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
	const ossai_lanes out[9] = {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz),
		2 * (yz - wx), 2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)};
	for (int i = 0; i < 9; i++) r[i] = out[i];
}

OSSAI_CLONES static void each_rotation(const ossai_lanes m[9], ossai_lanes r[9])
{
	ossai_lanes n[4][4], best[4], most = ossai_lanes_all(0), size = ossai_lanes_all(0);
	for (int i = 0; i < 9; i++) size += m[i] * m[i];
	shifted_horn(m, lambda_of(m, size), n);
	for (int i = 0; i < 4; i++) best[i] = ossai_lanes_all(i == 0);
#pragma GCC unroll 4
	for (int row = 0; row < 4; row++) {
		ossai_lanes q[4];
		cofactors(n, row, q);
		const ossai_lanes length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		const ossai_lane_mask larger = length > most;
		for (int i = 0; i < 4; i++) best[i] = ossai_lanes_choose(larger, q[i], best[i]);
		most = ossai_lanes_choose(larger, length, most);
	}
	const ossai_lane_mask lost = ~(most > 1e-8 * size * size * size);
	ossai_lanes turn[9];
	for (int i = 0; i < 4; i++) best[i] = ossai_lanes_choose(lost, ossai_lanes_all(i == 0), best[i]);
	make_unit(best);
	matrix_of(best, turn);
	if (ossai_lanes_any(lost)) turn_by_jacobi(m, &lost, turn);
	for (int i = 0; i < 9; i++) r[i] = turn[i];
}

void ossai_rigid_each_rotation(const ossai_lanes m[9], ossai_lanes r[9]) { each_rotation(m, r); }

double ossai_rigid_lambda(const double m[9])
{
	double n[16], values[4], v[16];
	horn_matrix(m, n);
	ossai_symmetric_eigen(4, n, values, v);
	return values[0];
}
