/* skeleton/from_motion/universal.c: see universal.h. */
#include "skeleton/from_motion/universal.h"

#include "math/cholesky.h"

#include <string.h>

/* products of two of the four numbers of a quaternion x, y, z, w */
enum { PRODUCTS = 10 };
/* the axes at the begin of a search: a rotation by this share of a circle about each of three
   directions; as a frame and its half turns are the same joint, the best is never far from one */
enum { STARTS = 4, ROUNDS = 40 };

/* the mean over the poses of the products of products */
typedef struct moments {
	double m[PRODUCTS][PRODUCTS];
} moments;

static void products_of(ossai_quat q, double p[PRODUCTS])
{
	const double c[4] = {q.x, q.y, q.z, q.w};
	int at = 0;
	for (int i = 0; i < 4; i++) {
		for (int j = i; j < 4; j++) p[at++] = c[i] * c[j];
	}
}

static moments moments_of(const ossai_bone_motion *motion, uint32_t a, uint32_t b)
{
	moments sum = {{{0}}};
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_mat3 up = ossai_mat3_transpose(&motion->rigid[a * motion->pose_count + k].r);
		const ossai_mat3 turn = ossai_mat3_mul(&up, &motion->rigid[b * motion->pose_count + k].r);
		double p[PRODUCTS];
		products_of(ossai_mat3_quat(&turn), p);
		for (int i = 0; i < PRODUCTS; i++) {
			for (int j = 0; j < PRODUCTS; j++) sum.m[i][j] += p[i] * p[j] / (double)motion->pose_count;
		}
	}
	return sum;
}

/* the axes a, b, c are the columns of a frame; 2 (w (c v) - (a v) (b v)) as factors of the
   products */
static void form_of(ossai_quat frame, double f[PRODUCTS])
{
	const ossai_mat3 r = ossai_quat_matrix(frame);
	int at = 0;
	for (int i = 0; i < 4; i++) {
		for (int j = i; j < 4; j++, at++) {
			if (j == 3) f[at] = i < 3 ? 2 * r.m[i][2] : 0;
			else f[at] = -2 * (r.m[i][0] * r.m[j][1] + (i == j ? 0 : r.m[j][0] * r.m[i][1]));
		}
	}
}

static double product(const moments *s, const double f[PRODUCTS], const double g[PRODUCTS])
{
	double sum = 0;
	for (int i = 0; i < PRODUCTS; i++) {
		for (int j = 0; j < PRODUCTS; j++) sum += f[i] * s->m[i][j] * g[j];
	}
	return sum;
}

static ossai_quat turned(ossai_quat frame, const double turn[3])
{
	return ossai_quat_unit(ossai_quat_mul(ossai_quat_exp(ossai_v3_of(turn)), frame));
}

/* normal equations of a step (Gauss and Newton), by differences */
static double equations(const moments *s, ossai_quat frame, double a[9], double g[3])
{
	static const double step = 1e-4;
	double f[PRODUCTS], slope[3][PRODUCTS];
	form_of(frame, f);
	for (int k = 0; k < 3; k++) {
		double more[3] = {0, 0, 0}, f1[PRODUCTS], f0[PRODUCTS];
		more[k] = step;
		form_of(turned(frame, more), f1);
		more[k] = -step;
		form_of(turned(frame, more), f0);
		for (int i = 0; i < PRODUCTS; i++) slope[k][i] = (f1[i] - f0[i]) / (2 * step);
	}
	for (int k = 0; k < 3; k++) {
		for (int e = 0; e < 3; e++) a[3 * k + e] = product(s, slope[k], slope[e]);
		g[k] = -product(s, slope[k], f);
	}
	return product(s, f, f);
}

/* Levenberg and Marquardt, from one frame; answers the mean square */
static double descend(const moments *s, ossai_quat *frame)
{
	double damping = 1e-3, square = INFINITY;
	for (int round = 0; round < ROUNDS && damping < 1e6; round++) {
		double a[9], turn[3], f[PRODUCTS];
		square = equations(s, *frame, a, turn);
		const double mean = (a[0] + a[4] + a[8]) / 3;
		for (int k = 0; k < 9; k += 4) a[k] += damping * mean + 1e-300;
		if (!ossai_cholesky_solve(3, a, turn)) break;
		const ossai_quat next = turned(*frame, turn);
		form_of(next, f);
		const double there = product(s, f, f);
		if (there < square) *frame = next;
		damping *= there < square ? 0.1 : 10;
		square = fmin(square, there);
	}
	return square;
}

ossai_universal ossai_universal_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b)
{
	const moments s = moments_of(motion, a, b);
	ossai_quat best = ossai_quat_identity();
	double least = INFINITY;
	for (int start = 0; start < STARTS * STARTS * STARTS; start++) {
		const double share = OSSAI_PI / STARTS;
		const double turn[3] = {share * (start % STARTS), share * (start / STARTS % STARTS), share * (start / STARTS / STARTS)};
		ossai_quat frame = turned(ossai_quat_identity(), turn);
		const double square = descend(&s, &frame);
		/* by more than rounding, so that the first of equal ones stays */
		if (!(square < least * (1 - 1e-9))) continue;
		least = square;
		best = frame;
	}
	const ossai_mat3 r = ossai_quat_matrix(best);
	return (ossai_universal){{r.m[0][0], r.m[1][0], r.m[2][0]}, {r.m[0][1], r.m[1][1], r.m[2][1]}, fmax(least, 0)};
}
