/* skeleton/from_motion/universal.c: see universal.h. */
#include "skeleton/from_motion/universal.h"

#include "math/cholesky.h"

/* products of the three numbers of the first axis and those of the second */
enum { PRODUCTS = 9 };
/* Second axes over half a sphere, 9 degrees apart, for each of which the best first one is known;
   the best of them that are not neighbours begin a search. */
enum { DIRECTIONS = 256, STARTS = 4, ROUNDS = 40 };
/* the cosine of the angle between directions that are neighbours, of 30 degrees */
static const double NEIGHBOUR = 0.866;

/* 2 (w (c v) - (a v) (b v)) of a pose is -a^T N b with N = 2 (v v^T + w [v]x): the mean over the
   poses of the products of the numbers of N */
typedef struct moments {
	double m[PRODUCTS][PRODUCTS];
} moments;

static void numbers_of(ossai_quat q, double n[PRODUCTS])
{
	const double v[3] = {q.x, q.y, q.z};
	for (int i = 0; i < PRODUCTS; i++) n[i] = 2 * v[i / 3] * v[i % 3];
	for (int i = 0; i < 3; i++) {
		const int next = (i + 1) % 3, last = (i + 2) % 3;
		n[3 * last + next] += 2 * q.w * v[i];
		n[3 * next + last] -= 2 * q.w * v[i];
	}
}

static moments moments_of(const ossai_bone_motion *motion, uint32_t a, uint32_t b)
{
	moments sum = {{{0}}};
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_mat3 up = ossai_mat3_transpose(&motion->rigid[a * motion->pose_count + k].r);
		const ossai_mat3 turn = ossai_mat3_mul(&up, &motion->rigid[b * motion->pose_count + k].r);
		double n[PRODUCTS];
		numbers_of(ossai_mat3_quat(&turn), n);
		for (int i = 0; i < PRODUCTS; i++) {
			for (int j = 0; j < PRODUCTS; j++) sum.m[i][j] += n[i] * n[j] / (double)motion->pose_count;
		}
	}
	return sum;
}

/* of a joint: unit, square to each other */
typedef struct axes {
	ossai_vec3 first, second;
} axes;

static void multiply(const moments *s, const double f[PRODUCTS], double sf[PRODUCTS])
{
	for (int i = 0; i < PRODUCTS; i++) {
		sf[i] = 0;
		for (int j = 0; j < PRODUCTS; j++) sf[i] += s->m[i][j] * f[j];
	}
}

static double dot(const double f[PRODUCTS], const double g[PRODUCTS])
{
	double sum = 0;
	for (int i = 0; i < PRODUCTS; i++) sum += f[i] * g[i];
	return sum;
}

static void add_outer(ossai_vec3 a, ossai_vec3 b, double f[PRODUCTS])
{
	const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
	for (int i = 0; i < PRODUCTS; i++) f[i] += x[i / 3] * y[i % 3];
}

static double square_of(const moments *s, axes at)
{
	double f[PRODUCTS] = {0}, sf[PRODUCTS];
	add_outer(at.first, at.second, f);
	multiply(s, f, sf);
	return dot(f, sf);
}

/* ---- where to begin ---- */

/* the first axis that suits a second one best, square to it: of the form that the second one leaves
   of the moments, in its plane, the direction of least value */
static double best_with(const moments *s, ossai_vec3 second, axes *at)
{
	const double size[3] = {fabs(second.x), fabs(second.y), fabs(second.z)};
	const int least = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
	const ossai_vec3 u = ossai_unit(ossai_cross(second, ossai_v3(least == 0, least == 1, least == 2)), second);
	const ossai_vec3 w = ossai_cross(second, u);
	double fu[PRODUCTS] = {0}, fw[PRODUCTS] = {0}, su[PRODUCTS], sw[PRODUCTS];
	add_outer(u, second, fu);
	add_outer(w, second, fw);
	multiply(s, fu, su);
	multiply(s, fw, sw);
	const double uu = dot(fu, su), ww = dot(fw, sw), uw = dot(fu, sw);
	const double angle = atan2(2 * uw, uu - ww) / 2;
	*at = (axes){ossai_madd(ossai_scale(u, -sin(angle)), cos(angle), w), second};
	return (uu + ww) / 2 - hypot((uu - ww) / 2, uw);
}

/* ---- descent ---- */

static axes turned(axes at, const double turn[3])
{
	const ossai_mat3 by = ossai_quat_matrix(ossai_quat_exp(ossai_v3_of(turn)));
	const ossai_vec3 first = ossai_unit(ossai_mat3_mul_v(&by, at.first), at.first);
	const ossai_vec3 second = ossai_mat3_mul_v(&by, at.second);
	/* square to rounding after any number of turns */
	return (axes){first, ossai_unit(ossai_madd(second, -ossai_dot(first, second), first), second)};
}

/* normal equations of a step (Gauss and Newton) of a turn of both axes */
static double equations(const moments *s, axes at, double a[9], double g[3])
{
	static const ossai_vec3 about[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double f[PRODUCTS] = {0}, sf[PRODUCTS], slope[3][PRODUCTS] = {{0}};
	add_outer(at.first, at.second, f);
	multiply(s, f, sf);
	for (int k = 0; k < 3; k++) {
		double of_slope[PRODUCTS];
		add_outer(ossai_cross(about[k], at.first), at.second, slope[k]);
		add_outer(at.first, ossai_cross(about[k], at.second), slope[k]);
		multiply(s, slope[k], of_slope);
		for (int e = 0; e <= k; e++) a[3 * k + e] = a[3 * e + k] = dot(slope[e], of_slope);
		g[k] = -dot(slope[k], sf);
	}
	return dot(f, sf);
}

/* Levenberg and Marquardt, from two axes; answers the mean square */
static double descend(const moments *s, axes *at)
{
	double damping = 1e-3, square = INFINITY;
	for (int round = 0; round < ROUNDS && damping < 1e6; round++) {
		double a[9], turn[3];
		square = equations(s, *at, a, turn);
		const double mean = (a[0] + a[4] + a[8]) / 3;
		for (int k = 0; k < 9; k += 4) a[k] += damping * mean + 1e-300;
		if (!ossai_cholesky_solve(3, a, turn)) break;
		const axes next = turned(*at, turn);
		const double there = square_of(s, next);
		if (there < square) *at = next;
		damping *= there < square ? 0.1 : 10;
		square = fmin(square, there);
	}
	return square;
}

static bool is_near(ossai_vec3 direction, const axes *starts, int count)
{
	for (int i = 0; i < count; i++) {
		if (fabs(ossai_dot(direction, starts[i].second)) > NEIGHBOUR) return true;
	}
	return false;
}

/* the best of all directions, then the best that is near none before */
static int find_starts(const moments *s, axes starts[STARTS])
{
	axes all[DIRECTIONS];
	double square[DIRECTIONS];
	int count = 0;
	for (size_t i = 0; i < DIRECTIONS; i++) square[i] = best_with(s, ossai_spread_direction(i, 2 * DIRECTIONS), &all[i]);
	for (; count < STARTS; count++) {
		const axes *best = NULL;
		double least = INFINITY;
		for (size_t i = 0; i < DIRECTIONS; i++) {
			if (!(square[i] < least) || is_near(all[i].second, starts, count)) continue;
			least = square[i];
			best = &all[i];
		}
		if (!best) break;
		starts[count] = *best;
	}
	return count;
}

ossai_universal ossai_universal_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b)
{
	const moments s = moments_of(motion, a, b);
	axes starts[STARTS];
	const int count = find_starts(&s, starts);
	ossai_universal best = {.square = INFINITY};
	for (int i = 0; i < count; i++) {
		axes at = starts[i];
		const double square = descend(&s, &at);
		/* by more than rounding, so that the first of equal ones stays */
		if (square < best.square * (1 - 1e-9)) best = (ossai_universal){at.first, at.second, square};
	}
	best.square = fmax(best.square, 0);
	return best;
}
