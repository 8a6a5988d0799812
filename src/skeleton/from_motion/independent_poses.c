/* skeleton/from_motion/independent_poses.c: see independent_poses.h. */
#include "skeleton/from_motion/independent_poses.h"

/* a joint's turns less their mean, in units of their standard deviation, which is at least that by
   which they are unsure */
static void normalise(size_t pose_count, size_t joint_count, ossai_vec3 *turns, size_t joint, double variance)
{
	const double share = 1 / (double)pose_count;
	ossai_vec3 mean = {0, 0, 0};
	for (size_t k = 0; k < pose_count; k++) mean = ossai_madd(mean, share, turns[k * joint_count + joint]);
	for (size_t k = 0; k < pose_count; k++) {
		ossai_vec3 *turn = &turns[k * joint_count + joint];
		*turn = ossai_sub(*turn, mean);
		variance += share * ossai_length2(*turn);
	}
	for (size_t k = 0; k < pose_count && variance > 0; k++) {
		ossai_vec3 *turn = &turns[k * joint_count + joint];
		*turn = ossai_scale(*turn, 1 / sqrt(variance));
	}
}

static double product(const ossai_vec3 *a, const ossai_vec3 *b, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) sum += ossai_dot(a[i], b[i]);
	return sum;
}

/* by the products of poses, whose squares have the sum of those of the correlation */
double ossai_independent_poses(size_t pose_count, size_t joint_count, ossai_vec3 *turns, const double *variance)
{
	double trace = 0, squares = 0;
	for (size_t b = 0; b < joint_count; b++) normalise(pose_count, joint_count, turns, b, variance[b]);
	for (size_t k = 0; k < pose_count; k++) {
		for (size_t j = 0; j < pose_count; j++) {
			const double p = product(turns + k * joint_count, turns + j * joint_count, joint_count);
			squares += p * p;
			trace += j == k ? p : 0;
		}
	}
	return squares > 0 ? trace * trace / squares : 0;
}

enum { FEWEST_JOINTS = 3 };

/* the sum of the squares of a joint's own covariance, and its trace, of normalised turns */
static double own_square(size_t pose_count, size_t joint_count, const ossai_vec3 *turns, size_t joint, double *trace)
{
	double c[9] = {0}, square = 0;
	for (size_t k = 0; k < pose_count; k++) {
		const ossai_vec3 *turn = &turns[k * joint_count + joint];
		const double v[3] = {turn->x, turn->y, turn->z};
		for (int i = 0; i < 9; i++) c[i] += v[i / 3] * v[i % 3];
	}
	for (int i = 0; i < 9; i++) square += c[i] * c[i];
	*trace = c[0] + c[4] + c[8];
	return square;
}

double ossai_independent_frames(size_t pose_count, size_t joint_count, ossai_vec3 *turns, const double *variance)
{
	const double poses = ossai_independent_poses(pose_count, joint_count, turns, variance);
	double trace = 0, squares = 0;
	size_t moving = 0;
	for (size_t b = 0; b < joint_count; b++) {
		double own;
		squares += own_square(pose_count, joint_count, turns, b, &own);
		trace += own;
		moving += own > 0;
	}
	if (moving < FEWEST_JOINTS || !(poses > 0)) return poses;
	const double chance = 1 / poses - squares / (trace * trace);
	return chance * (double)pose_count > 1 ? 1 / chance : (double)pose_count;
}
