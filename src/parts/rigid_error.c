/* parts/rigid_error.c: see rigid_error.h. The union's error is the inner loop of the clustering: it
   needs the largest eigenvalue of Horn's matrix only, four poses at a time. */
#include "parts/rigid_error.h"

#include "base/clones.h"
#include "math/rigid_fit.h"

#include <string.h>

enum { ROW_Q = 0, ROW_M = 3, ROW_ENERGY = 12, LANES = OSSAI_REF_LANES };

void ossai_ref_face(const ossai_posed_surface *surface, size_t face, double *state)
{
	const size_t stride = ossai_ref_stride(surface->pose_count);
	const uint32_t *t = surface->triangles + 3 * face;
	const double area = surface->face_area[face];
	double p[3][3], c[3], p2 = 0;
	for (int i = 0; i < 3; i++) memcpy(p[i], surface->rest + 3 * t[i], sizeof p[i]);
	for (int i = 0; i < 3; i++) {
		c[i] = (p[0][i] + p[1][i] + p[2][i]) / 3;
		p2 += p[0][i] * p[0][i] + p[1][i] * p[1][i] + p[2][i] * p[2][i] + 9 * c[i] * c[i];
		state[1 + i] = area * c[i];
	}
	state[0] = area;
	double *rows = state + OSSAI_REF_SHARED;
	memset(rows, 0, OSSAI_REF_ROWS * stride * sizeof *rows);
	for (size_t k = 0; k < surface->pose_count; k++) {
		const double *q[3];
		double d[3], q2 = 0;
		for (int i = 0; i < 3; i++) q[i] = surface->poses + 3 * (t[i] * surface->pose_count + k);
		for (int i = 0; i < 3; i++) {
			d[i] = (q[0][i] + q[1][i] + q[2][i]) / 3;
			q2 += q[0][i] * q[0][i] + q[1][i] * q[1][i] + q[2][i] * q[2][i] + 9 * d[i] * d[i];
			rows[(size_t)(ROW_Q + i) * stride + k] = area * d[i];
		}
		for (int i = 0; i < 9; i++) {
			const int r = i / 3, s = i % 3;
			const double sum = p[0][r] * q[0][s] + p[1][r] * q[1][s] + p[2][r] * q[2][s] + 9 * c[r] * d[s];
			rows[(size_t)(ROW_M + i) * stride + k] = area / 12 * sum;
		}
		rows[(size_t)ROW_ENERGY * stride + k] = area / 12 * (p2 + q2);
	}
}

void ossai_ref_add(size_t pose_count, double *into, const double *from)
{
	const size_t size = ossai_ref_size(pose_count);
	for (size_t i = 0; i < size; i++) into[i] += from[i];
}

/* lambda of LANES correlations at once, from the upper bounds in `lambda`: the iteration of
   ossai_rigid_lambda_newton with every lane going on until the last has ended (a finished lane only
   moves by rounding) */
static inline void lambda_lanes(const double m[9][LANES], double lambda[LANES])
{
	double f[LANES], d[LANES], g[LANES];
	for (int l = 0; l < LANES; l++) {
		const double c0 = m[4][l] * m[8][l] - m[5][l] * m[7][l], c1 = m[5][l] * m[6][l] - m[3][l] * m[8][l];
		const double c2 = m[3][l] * m[7][l] - m[4][l] * m[6][l], c3 = m[2][l] * m[7][l] - m[1][l] * m[8][l];
		const double c4 = m[0][l] * m[8][l] - m[2][l] * m[6][l], c5 = m[1][l] * m[6][l] - m[0][l] * m[7][l];
		const double c6 = m[1][l] * m[5][l] - m[2][l] * m[4][l], c7 = m[2][l] * m[3][l] - m[0][l] * m[5][l];
		const double c8 = m[0][l] * m[4][l] - m[1][l] * m[3][l];
		double sum = 0;
		for (int i = 0; i < 9; i++) sum += m[i][l] * m[i][l];
		f[l] = sum;
		d[l] = m[0][l] * c0 + m[1][l] * c1 + m[2][l] * c2;
		g[l] = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5 + c6 * c6 + c7 * c7 + c8 * c8;
		const double largest = sqrt(3 * sum);
		lambda[l] = lambda[l] < largest ? lambda[l] : largest;
	}
	for (int iteration = 0; iteration < 60; iteration++) {
		double moved = 0;
		for (int l = 0; l < LANES; l++) {
			const double h = lambda[l] * lambda[l] - f[l];
			const double slope = 4 * (lambda[l] * h - 2 * d[l]);
			const double value = h * h - 8 * d[l] * lambda[l] - 4 * g[l];
			/* a lane on its root has no slope or no positive value left: it stays */
			const double step = slope > 0 && value > 0 ? value / slope : 0;
			const double relative = lambda[l] > 0 ? step / lambda[l] : 0;
			lambda[l] -= step;
			moved = relative > moved ? relative : moved;
		}
		if (!(moved > 1e-14)) break;
	}
}

/* errors of LANES poses from pose `k` on, added up in order */
__attribute__((always_inline)) static inline double lanes_error(
	const double *a, const double *b, size_t stride, size_t k, const double mean[3], double mean_energy, double inverse_area)
{
	double q[3][LANES], m[9][LANES], energy[LANES], lambda[LANES];
	for (int i = 0; i < 3; i++) {
		const size_t at = (size_t)(ROW_Q + i) * stride + k;
		for (int l = 0; l < LANES; l++) q[i][l] = a[at + (size_t)l] + b[at + (size_t)l];
	}
	for (int i = 0; i < 9; i++) {
		const size_t at = (size_t)(ROW_M + i) * stride + k;
		for (int l = 0; l < LANES; l++) m[i][l] = a[at + (size_t)l] + b[at + (size_t)l] - mean[i / 3] * q[i % 3][l];
	}
	for (int l = 0; l < LANES; l++) {
		const size_t at = (size_t)ROW_ENERGY * stride + k + (size_t)l;
		const double q2 = q[0][l] * q[0][l] + q[1][l] * q[1][l] + q[2][l] * q[2][l];
		energy[l] = a[at] + b[at] - mean_energy - q2 * inverse_area;
		/* the error is never below 0, so half the energy is an upper bound of lambda, close where
		   the set moved rigidly */
		lambda[l] = energy[l] > 0 ? 0.5 * energy[l] * (1 + 1e-12) : 0;
	}
	lambda_lanes(m, lambda);
	double sum = 0;
	for (int l = 0; l < LANES; l++) {
		const double error = energy[l] - 2 * lambda[l];
		sum += error > 0 ? error : 0;
	}
	return sum;
}

OSSAI_CLONES static double union_error(
	size_t pose_count, const double *a, const double *b, double partial, double bound, size_t *pose)
{
	const size_t stride = ossai_ref_stride(pose_count);
	const double area = a[0] + b[0];
	if (!(area > 0)) {
		*pose = stride;
		return 0;
	}
	const double mean[3] = {(a[1] + b[1]) / area, (a[2] + b[2]) / area, (a[3] + b[3]) / area};
	const double mean_energy = area * (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
	double sum = partial;
	size_t k = *pose;
	while (k < stride && sum <= bound) {
		sum += lanes_error(a + OSSAI_REF_SHARED, b + OSSAI_REF_SHARED, stride, k, mean, mean_energy, 1 / area);
		k += LANES;
	}
	*pose = k;
	return sum;
}

double ossai_ref_union_error(size_t pose_count, const double *a, const double *b, double partial, double bound, size_t *pose)
{
	return union_error(pose_count, a, b, partial, bound, pose);
}

ossai_rigid ossai_ref_motion(size_t pose_count, const double *state, size_t pose)
{
	const size_t stride = ossai_ref_stride(pose_count);
	const double *rows = state + OSSAI_REF_SHARED + pose;
	const double inverse_area = state[0] > 0 ? 1 / state[0] : 0;
	const double p[3] = {state[1] * inverse_area, state[2] * inverse_area, state[3] * inverse_area};
	double q[3], m[9];
	for (size_t i = 0; i < 3; i++) q[i] = rows[(ROW_Q + i) * stride];
	for (size_t i = 0; i < 9; i++) m[i] = rows[(ROW_M + i) * stride] - p[i / 3] * q[i % 3];
	ossai_rigid motion;
	motion.r = ossai_quat_matrix(ossai_rigid_rotation(m));
	motion.t = ossai_sub(ossai_scale(ossai_v3_of(q), inverse_area), ossai_mat3_mul_v(&motion.r, ossai_v3_of(p)));
	return motion;
}
