/* skeleton/from_motion/joint_posterior.c: see joint_posterior.h. */
#include "skeleton/from_motion/joint_posterior.h"

#include <string.h>

/* the model error is estimated with the position; this converges at once */
enum { ROUNDS = 8 };

/* ---- 3x3 matrices, row-major ---- */

static void multiply(const double a[9], const double b[9], double c[9])
{
	for (int i = 0; i < 9; i++)
		c[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
}

static void transpose(const double a[9], double t[9])
{
	for (int i = 0; i < 9; i++) t[i] = a[i % 3 * 3 + i / 3];
}

/* c = a b a^T */
static void carry(const double a[9], const double b[9], double c[9])
{
	double ab[9], t[9];
	multiply(a, b, ab);
	transpose(a, t);
	multiply(ab, t, c);
}

/* of a symmetric positive definite matrix */
static void invert(const double a[9], double inverse[9])
{
	const double x = a[4] * a[8] - a[5] * a[7], y = a[5] * a[6] - a[3] * a[8], z = a[3] * a[7] - a[4] * a[6];
	const double s = 1 / (a[0] * x + a[1] * y + a[2] * z);
	const double m[9] = {s * x, s * (a[2] * a[7] - a[1] * a[8]), s * (a[1] * a[5] - a[2] * a[4]), s * y,
		s * (a[0] * a[8] - a[2] * a[6]), s * (a[2] * a[3] - a[0] * a[5]), s * z, s * (a[1] * a[6] - a[0] * a[7]),
		s * (a[0] * a[4] - a[1] * a[3])};
	memcpy(inverse, m, sizeof m);
}

static ossai_vec3 apply(const double a[9], ossai_vec3 v)
{
	return ossai_v3(ossai_dot(ossai_v3_of(a), v), ossai_dot(ossai_v3_of(a + 3), v), ossai_dot(ossai_v3_of(a + 6), v));
}

/* ---- what a motion is known from ---- */

static void add_vertex(const ossai_bone_weights *w, size_t v, ossai_vec3 p, ossai_bone_core *core, double (*second)[6])
{
	for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
		const double square = w->value[i] * w->value[i];
		double *s = second[w->bone[i]];
		core[w->bone[i]].weight += square;
		core[w->bone[i]].center = ossai_madd(core[w->bone[i]].center, square, p);
		const double products[6] = {p.x * p.x, p.x * p.y, p.x * p.z, p.y * p.y, p.y * p.z, p.z * p.z};
		for (int e = 0; e < 6; e++) s[e] += square * products[e];
	}
}

/* The inertia about the center, a little more where all vertices lie on a line: the rotation about
   it is not known. */
static void finish_core(const double s[6], ossai_bone_core *core)
{
	const double w = core->weight;
	const ossai_vec3 c = ossai_scale(core->center, 1 / w);
	const double xx = s[0] - w * c.x * c.x, yy = s[3] - w * c.y * c.y, zz = s[5] - w * c.z * c.z;
	const double xy = s[1] - w * c.x * c.y, xz = s[2] - w * c.x * c.z, yz = s[4] - w * c.y * c.z;
	const double least = 1e-6 * (xx + yy + zz) + 1e-12 * w;
	const double inertia[9] = {yy + zz + least, -xy, -xz, -xy, xx + zz + least, -yz, -xz, -yz, xx + yy + least};
	core->center = c;
	invert(inertia, core->turn);
}

/* the squared error of a vertex in a pose */
static double error_of(
	const ossai_posed_surface *surface, const ossai_bone_weights *w, const ossai_bone_motion *motion, size_t v, size_t k)
{
	const ossai_vec3 p = ossai_rest_point(surface, v);
	ossai_vec3 gap = ossai_pose_point(surface, v, k);
	for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
		const ossai_rigid *x = &motion->rigid[w->bone[i] * motion->pose_count + k];
		gap = ossai_madd(gap, -w->value[i], ossai_rigid_point(x, p));
	}
	return ossai_length2(gap);
}

static void add_noise(const ossai_posed_surface *surface, const ossai_bone_weights *w, const ossai_bone_motion *motion,
	ossai_bone_core *core, double *mass)
{
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) mass[w->bone[v * w->width + i]] += w->value[v * w->width + i];
		for (size_t k = 0; w->count[v] > 0 && k < motion->pose_count; k++) {
			const double error = error_of(surface, w, motion, v, k) / 3;
			for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
				core[w->bone[i]].noise[k] += w->value[i] * error;
			}
		}
	}
	for (size_t b = 0; b < w->bone_count; b++) {
		for (size_t k = 0; mass[b] > 0 && k < motion->pose_count; k++) core[b].noise[k] /= mass[b];
	}
}

ossa_status ossai_bone_cores_make(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, ossai_bone_core *core)
{
	const size_t n = weights->bone_count, poses = motion->pose_count;
	double *noise = ossai_arena_zero(arena, n, poses * sizeof *noise);
	double(*second)[6] = ossai_arena_zero(arena, n, sizeof *second);
	double *mass = ossai_arena_zero(arena, n, sizeof *mass);
	if (!noise || !second || !mass) return ossa_context_error(arena->context)->status;
	memset(core, 0, n * sizeof *core);
	for (size_t b = 0; b < n; b++) core[b].noise = noise + b * poses;
	for (size_t v = 0; v < weights->vertex_count; v++) add_vertex(weights, v, ossai_rest_point(surface, v), core, second);
	for (size_t b = 0; b < n; b++) {
		if (core[b].weight > 0) finish_core(second[b], &core[b]);
	}
	add_noise(surface, weights, motion, core, mass);
	return OSSA_OK;
}

/* ---- the posterior ---- */

/* the covariance of a bone's motion at x, per unit of noise, before the pose's rotation */
static void find_spread(const ossai_bone_core *core, ossai_vec3 x, double spread[9])
{
	const ossai_vec3 y = ossai_sub(x, core->center);
	const double arm[9] = {0, -y.z, y.y, y.z, 0, -y.x, -y.y, y.x, 0};
	carry(arm, core->turn, spread);
	for (int i = 0; i < 9; i += 4) spread[i] += 1 / core->weight;
}

double ossai_gap_variance(const ossai_bone_core *core, uint32_t a, uint32_t b, size_t pose_count, ossai_vec3 x)
{
	const uint32_t bone[2] = {a, b};
	double sum = 0;
	for (int side = 0; side < 2; side++) {
		const ossai_bone_core *own = &core[bone[side]];
		double spread[9], error = 0;
		find_spread(own, x, spread);
		for (size_t k = 0; k < pose_count; k++) error += own->noise[k] / (double)pose_count;
		const double alike = own->weight * OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR;
		sum += (OSSAI_CORRELATED_VERTICES * error + alike) * (spread[0] + spread[4] + spread[8]);
	}
	return sum;
}

/* a joint of two bones while it is searched for */
typedef struct posterior_work {
	const ossai_bone_motion *motion;
	const ossai_bone_core *core;
	uint32_t bone[2];
	double spread[2][9];
	double error; /* model error, a coordinate's variance */
} posterior_work;

static const ossai_rigid *motion_of(const posterior_work *w, int side, size_t k)
{
	return &w->motion->rigid[w->bone[side] * w->motion->pose_count + k];
}

/* the inverse of the covariance of the gap in pose k */
static void find_trust(const posterior_work *w, size_t k, double trust[9])
{
	double covariance[9] = {w->error, 0, 0, 0, w->error, 0, 0, 0, w->error};
	for (int side = 0; side < 2; side++) {
		const ossai_bone_core *core = &w->core[w->bone[side]];
		double turn[9], turned[9];
		memcpy(turn, motion_of(w, side, k)->r.m, sizeof turn);
		carry(turn, w->spread[side], turned);
		for (int i = 0; i < 9; i++) covariance[i] += OSSAI_CORRELATED_VERTICES * core->noise[k] * turned[i];
	}
	invert(covariance, trust);
}

/* adds the mean over the poses to the normal equations */
static void add_poses(const posterior_work *w, double h[9], double g[3])
{
	const size_t poses = w->motion->pose_count;
	for (size_t k = 0; k < poses; k++) {
		const ossai_rigid *p = motion_of(w, 0, k), *q = motion_of(w, 1, k);
		double trust[9], d[9], t[9], weighed[9], product[9];
		find_trust(w, k, trust);
		for (int i = 0; i < 9; i++) d[i] = p->r.m[i / 3][i % 3] - q->r.m[i / 3][i % 3];
		transpose(d, t);
		multiply(t, trust, weighed);
		multiply(weighed, d, product);
		const ossai_vec3 pull = apply(weighed, ossai_sub(p->t, q->t));
		for (int i = 0; i < 9; i++) h[i] += product[i] / (double)poses;
		g[0] -= pull.x / (double)poses;
		g[1] -= pull.y / (double)poses;
		g[2] -= pull.z / (double)poses;
	}
}

static double mean_gap(const posterior_work *w, ossai_vec3 x)
{
	double sum = 0;
	for (size_t k = 0; k < w->motion->pose_count; k++) {
		sum += ossai_length2(ossai_sub(ossai_rigid_point(motion_of(w, 0, k), x), ossai_rigid_point(motion_of(w, 1, k), x)));
	}
	return sum / (double)w->motion->pose_count;
}

ossai_joint_posterior ossai_joint_posterior_find(
	const ossai_bone_motion *motion, const ossai_bone_core *core, uint32_t a, uint32_t b, const ossai_joint_prior *prior)
{
	ossai_joint_posterior found = {.mean = prior->mean};
	memcpy(found.precision, prior->precision, sizeof found.precision);
	invert(found.precision, found.covariance);
	if (!(core[a].weight > 0 && core[b].weight > 0)) return found;
	posterior_work w = {.motion = motion, .core = core, .bone = {a, b}, .error = OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR};
	for (int round = 0; round < ROUNDS; round++) {
		const ossai_vec3 pull = apply(prior->precision, prior->mean);
		double g[3] = {pull.x, pull.y, pull.z};
		memcpy(found.precision, prior->precision, sizeof found.precision);
		for (int side = 0; side < 2; side++) find_spread(&core[w.bone[side]], found.mean, w.spread[side]);
		add_poses(&w, found.precision, g);
		invert(found.precision, found.covariance);
		found.mean = apply(found.covariance, ossai_v3_of(g));
		w.error = fmax(mean_gap(&w, found.mean) / 3, OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR);
	}
	return found;
}
