/* skeleton/from_motion/joint_kind.c: see joint_kind.h. */
#include "skeleton/from_motion/joint_kind.h"

#include "math/rigid_fit.h"
#include "skeleton/from_motion/independent_poses.h"
#include "skeleton/from_motion/universal.h"

#include <string.h>

/* numbers in a symmetric matrix of three rows and this rank */
static const double parameters[] = {0, 3, 5, 6};
/* of a universal joint: of its axes, and with these those of the covariance of its two angles */
static const double axes_parameters = 3, universal_parameters = 6;

/* |v| of a turn of 2 degrees (RMS): a joint that turns farther in the file does turn there, however
   unsure that is */
static const double still = 0.0349;

/* ---- how unsure turns are ---- */

/* the error of bones as large as the mesh: more is never known */
static void begin_noise(double noise[9])
{
	memset(noise, 0, 9 * sizeof *noise);
	for (int i = 0; i < 9; i += 4) noise[i] = OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR;
}

void ossai_turn_noise(const ossai_bone_core *core, uint32_t a, uint32_t b, size_t pose_count, double noise[9])
{
	const uint32_t bone[2] = {a, b};
	begin_noise(noise);
	for (int side = 0; side < 2; side++) {
		const ossai_bone_core *own = &core[bone[side]];
		double error = 0;
		for (size_t k = 0; k < pose_count; k++) error += own->noise[k] / (double)pose_count;
		const double alike = own->weight * OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR;
		for (int i = 0; i < 9; i++) noise[i] += (OSSAI_CORRELATED_VERTICES * error + alike) * own->turn[i];
	}
}

void ossai_turn_noise_of_lengths(double a, double b, double noise[9])
{
	begin_noise(noise);
	const double share = (a > 0 ? 1 / (a * a) : 0) + (b > 0 ? 1 / (b * b) : 0);
	for (int i = 0; i < 9; i += 4) noise[i] += share * OSSAI_LEAST_ERROR * OSSAI_LEAST_ERROR;
}

double ossai_turn_deviation(const double noise[9], ossa_joint_kind kind, ossai_vec3 axis)
{
	const double a[3] = {axis.x, axis.y, axis.z};
	double square = 0;
	for (int i = 0; i < 9; i++) square += a[i / 3] * noise[i] * a[i % 3];
	if (kind != OSSA_JOINT_HINGE) square = (noise[0] + noise[4] + noise[8]) / 3;
	return sqrt(square) * 180 / OSSAI_PI;
}

/* ---- turns ---- */

/* v = 2 sin(angle / 2) axis of bone b against a */
static ossai_vec3 turn_in(const ossai_bone_motion *motion, uint32_t a, uint32_t b, size_t k)
{
	const ossai_mat3 up = ossai_mat3_transpose(&motion->rigid[a * motion->pose_count + k].r);
	const ossai_mat3 turn = ossai_mat3_mul(&up, &motion->rigid[b * motion->pose_count + k].r);
	const ossai_quat q = ossai_mat3_quat(&turn);
	return ossai_v3(2 * q.x, 2 * q.y, 2 * q.z);
}

/* the mean of v v^T over the poses */
static void second_moment(const ossai_bone_motion *motion, uint32_t a, uint32_t b, double moment[9])
{
	memset(moment, 0, 9 * sizeof *moment);
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_vec3 turn = turn_in(motion, a, b, k);
		const double v[3] = {turn.x, turn.y, turn.z};
		for (int i = 0; i < 9; i++) moment[i] += v[i / 3] * v[i % 3] / (double)motion->pose_count;
	}
}

ossa_status ossai_independent_poses_of(
	ossai_arena *arena, const ossai_bone_motion *motion, const uint32_t *parent, const ossai_bone_core *core, double *poses)
{
	const size_t width = motion->bone_count, all = motion->pose_count;
	const size_t count = all < OSSAI_COUNTED_POSES ? all : OSSAI_COUNTED_POSES;
	ossai_vec3 *turns = ossai_arena_zero(arena, count + 1, width * sizeof *turns);
	double *variance = ossai_arena_zero(arena, width, sizeof *variance);
	if (!turns || !variance) return ossa_context_error(arena->context)->status;
	/* the last row is the rest pose */
	for (uint32_t b = 0; b < width; b++) {
		double noise[9];
		if (parent[b] == OSSA_NONE) continue;
		for (size_t k = 0; k < count; k++) turns[k * width + b] = turn_in(motion, parent[b], b, k * all / count);
		ossai_turn_noise(core, parent[b], b, all, noise);
		variance[b] = noise[0] + noise[4] + noise[8];
	}
	*poses = ossai_independent_frames(count + 1, width, turns, variance);
	return OSSA_OK;
}

/* noise = L L^T, L lower triangular, row-major; noise is positive definite */
static void factor(const double noise[9], double lower[9])
{
	memset(lower, 0, 9 * sizeof *lower);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = noise[3 * i + j];
			for (int e = 0; e < j; e++) sum -= lower[3 * i + e] * lower[3 * j + e];
			lower[3 * i + j] = i == j ? sqrt(sum) : sum / lower[4 * j];
		}
	}
}

/* m = L^-1 m */
static void divide(const double lower[9], double m[9])
{
	for (int column = 0; column < 3; column++) {
		for (int i = 0; i < 3; i++) {
			for (int e = 0; e < i; e++) m[3 * i + column] -= lower[3 * i + e] * m[3 * e + column];
			m[3 * i + column] /= lower[4 * i];
		}
	}
}

/* m = L^-1 m L^-T, m symmetric */
static void whiten(const double lower[9], double m[9])
{
	divide(lower, m);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < i; j++) {
			const double kept = m[3 * i + j];
			m[3 * i + j] = m[3 * j + i];
			m[3 * j + i] = kept;
		}
	}
	divide(lower, m);
}

/* ---- the choice ---- */

/* Akaike's criterion of rank d but for a constant; l: descending */
static double criterion(const double l[3], int rank)
{
	double sum = 2 * parameters[rank];
	for (int i = 0; i < 3; i++) sum += i < rank ? 1 + log(l[i] > 1 ? l[i] : 1) : l[i];
	return sum;
}

static int best_rank(const double l[3])
{
	int best = 0;
	for (int rank = 1; rank <= 3; rank++) {
		if (criterion(l, rank) < criterion(l, best)) best = rank;
	}
	return best;
}

/* whether two axes one after the other explain the turns better than the best rank; l:
   descending */
static bool is_universal(const ossai_turning *turning, const double noise[9], const double l[3], int rank, ossai_vec3 axis[2])
{
	const double more = turning->poses - axes_parameters;
	if (!(more * log(1 + l[2]) > OSSAI_STRONG_EVIDENCE)) return false;
	const ossai_universal found = ossai_universal_fit(turning->motion, turning->a, turning->b);
	const ossai_vec3 c = ossai_cross(found.first, found.second);
	const double third[3] = {c.x, c.y, c.z};
	double unsure = 0;
	for (int i = 0; i < 9; i++) unsure += third[i / 3] * noise[i] * third[i % 3];
	double sum = 2 * universal_parameters + found.square / unsure * turning->poses / more;
	for (int i = 0; i < 2; i++) sum += 1 + log(l[i] > 1 ? l[i] : 1);
	axis[0] = found.first;
	axis[1] = found.second;
	return sum < criterion(l, rank);
}

ossa_joint_kind ossai_joint_kind_find(const ossai_turning *turning, const double noise[9], ossai_vec3 axis[2])
{
	double moment[9], lower[9], l[3], v[9];
	second_moment(turning->motion, turning->a, turning->b, moment);
	const bool is_still = moment[0] + moment[4] + moment[8] < still * still;
	factor(noise, lower);
	whiten(lower, moment);
	ossai_symmetric_eigen(3, moment, l, v);
	const int rank = best_rank(l);
	axis[0] = axis[1] = ossai_v3(0, 0, 0);
	if (rank == 0) return is_still ? OSSA_JOINT_WELDED : OSSA_JOINT_BALL;
	if (rank > 1) {
		ossai_vec3 both[2];
		if (!is_universal(turning, noise, l, rank, both)) return OSSA_JOINT_BALL;
		memcpy(axis, both, sizeof both);
		return OSSA_JOINT_UNIVERSAL;
	}
	const ossai_mat3 back = {{{lower[0], 0, 0}, {lower[3], lower[4], 0}, {lower[6], lower[7], lower[8]}}};
	axis[0] = ossai_unit(ossai_mat3_mul_v(&back, ossai_v3(v[0], v[3], v[6])), ossai_v3(1, 0, 0));
	return OSSA_JOINT_HINGE;
}
