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
