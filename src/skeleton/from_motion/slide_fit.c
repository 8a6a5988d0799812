/* skeleton/from_motion/slide_fit.c: see slide_fit.h. */
#include "skeleton/from_motion/slide_fit.h"

#include "math/rigid_fit.h"

#include <math.h>

/* mean square of R x over the points x of a body about its center */
static double turned_square(const ossai_mat3 *r, const double *m)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 9; j++) sum += r->m[i][j / 3] * m[j] * r->m[i][j % 3];
	}
	return fmax(sum, 0);
}

/* what a body does in the frame of another; the rest is a pose of its own, in which it is at 0 */
typedef struct relative {
	double turns;   /* mean square over poses of what it does not do as a translation */
	double square;  /* mean square over poses of the offset of its center */
	double spread2; /* about its mean motion */
	double s[9];    /* sum of v v^T of the offsets v */
} relative;

static ossai_vec3 offset_of(const ossai_rigid *x, const ossai_slide_body *body)
{
	return ossai_sub(ossai_rigid_point(x, body->center), body->center);
}

static relative relative_motion(size_t poses, const ossai_rigid *x, const ossai_slide_body *body)
{
	const ossai_mat3 none = ossai_mat3_identity();
	relative r = {0};
	ossai_vec3 mean = {0, 0, 0};
	ossai_mat3 mean_turn = none;
	double turned = turned_square(&none, body->m);
	for (size_t k = 0; k < poses; k++) {
		const ossai_vec3 offset = offset_of(&x[k], body);
		ossai_mat3 off = x[k].r;
		double v[3];
		for (int i = 0; i < 3; i++) off.m[i][i] -= 1;
		for (int i = 0; i < 9; i++) mean_turn.m[i / 3][i % 3] += x[k].r.m[i / 3][i % 3];
		ossai_v3_store(offset, v);
		for (int i = 0; i < 9; i++) r.s[i] += v[i / 3] * v[i % 3];
		mean = ossai_add(mean, offset);
		r.square += ossai_length2(offset) / (double)poses;
		r.turns += turned_square(&off, body->m) / (double)poses;
		turned += turned_square(&x[k].r, body->m);
	}
	const double count = (double)poses + 1;
	for (int i = 0; i < 9; i++) mean_turn.m[i / 3][i % 3] /= count;
	r.spread2 = r.square * (double)poses / count - ossai_length2(mean) / (count * count) + turned / count -
		turned_square(&mean_turn, body->m);
	return r;
}

/* the direction of most of the offsets, toward the farthest place */
static ossai_vec3 find_axis(
	size_t poses, const ossai_rigid *x, const ossai_slide_body *body, const double *offsets, double *distance)
{
	double s[9], values[3], vectors[9], least = 0, most = 0;
	for (int i = 0; i < 9; i++) s[i] = offsets[i];
	ossai_symmetric_eigen(3, s, values, vectors);
	const ossai_vec3 axis = ossai_unit(ossai_v3(vectors[0], vectors[3], vectors[6]), ossai_v3(1, 0, 0));
	for (size_t k = 0; k < poses; k++) {
		distance[k] = ossai_dot(axis, offset_of(&x[k], body));
		least = fmin(least, distance[k]);
		most = fmax(most, distance[k]);
	}
	if (most >= -least) return axis;
	for (size_t k = 0; k < poses; k++) distance[k] = -distance[k];
	return ossai_scale(axis, -1);
}

ossai_slide_fit ossai_slide_fit_to(size_t poses, const ossai_rigid *x, const ossai_slide_body *body, double *distance)
{
	const relative r = relative_motion(poses, x, body);
	const ossai_vec3 axis = find_axis(poses, x, body, r.s, distance);
	double along2 = 0;
	for (size_t k = 0; k < poses; k++) along2 += distance[k] * distance[k] / (double)poses;
	return (ossai_slide_fit){.axis = axis, .residual2 = fmax(r.square - along2, 0) + r.turns, .spread2 = fmax(r.spread2, 0)};
}

double ossai_joined_odds(double residual2, double joined2, double free2)
{
	return log(free2 / joined2) - residual2 / joined2 + residual2 / free2;
}
