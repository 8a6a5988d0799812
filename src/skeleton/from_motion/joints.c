/* skeleton/from_motion/joints.c: see joints.h. */
#include "skeleton/from_motion/joints.h"

#include "math/rigid_fit.h"

#include <string.h>

/* of mean D^T D: a joint where rotation about one axis has more than this share of that about its
   main axis is determined along its axis. An axis of rotation by t contributes 4 sin^2(t/2) to the
   two other eigenvalues, so the smallest two differ where a second axis rotates. */
static const double speaking_share = 0.06;
/* mean D^T D of a rotation of 2 degrees: (2 sin 1 degree)^2 */
static const double still_spread = 1.22e-3;

/* mean over poses of D^T D (a), D^T (D x + e) (b) about the guess, and |D x + e|^2 */
typedef struct joint_sums {
	double a[9], b[3], c;
} joint_sums;

static joint_sums sum_poses(const ossai_bone_motion *motion, uint32_t bone_a, uint32_t bone_b, ossai_vec3 x)
{
	joint_sums sums;
	memset(&sums, 0, sizeof sums);
	const double share = 1 / (double)motion->pose_count;
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_rigid *p = &motion->rigid[bone_a * motion->pose_count + k];
		const ossai_rigid *q = &motion->rigid[bone_b * motion->pose_count + k];
		const ossai_vec3 gap = ossai_sub(ossai_rigid_point(p, x), ossai_rigid_point(q, x));
		const double e[3] = {gap.x, gap.y, gap.z};
		for (int i = 0; i < 3; i++) {
			for (int r = 0; r < 3; r++) {
				const double d = (p->r.m[r][i] - q->r.m[r][i]) * share;
				for (int j = 0; j < 3; j++) sums.a[3 * i + j] += d * (p->r.m[r][j] - q->r.m[r][j]);
				sums.b[i] += d * e[r];
			}
		}
		sums.c += share * ossai_length2(gap);
	}
	return sums;
}

static ossai_joint solve(const joint_sums *sums, ossai_vec3 prior, double ridge, double tolerance)
{
	ossai_joint joint = {.position = prior};
	double a[9], values[3], v[9], squared = sums->c;
	memcpy(a, sums->a, sizeof a);
	ossai_symmetric_eigen(3, a, values, v);
	for (int i = 0; i < 3; i++) {
		const double value = values[i] > 0 ? values[i] : 0;
		joint.spread[i] = value;
		if (value <= tolerance * values[0] || value + ridge < 1e-30) continue;
		const ossai_vec3 direction = ossai_v3(v[i], v[3 + i], v[6 + i]);
		const double b = ossai_dot(direction, ossai_v3_of(sums->b));
		const double step = -b / (value + ridge);
		joint.position = ossai_madd(joint.position, step, direction);
		squared += 2 * step * b + step * step * value;
	}
	joint.axis = ossai_v3(v[2], v[5], v[8]);
	joint.residual = sqrt(squared > 0 ? squared : 0);
	joint.prior_distance = ossai_distance(joint.position, prior);
	return joint;
}

ossai_joint ossai_joint_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double tolerance)
{
	const joint_sums sums = sum_poses(motion, a, b, prior);
	return solve(&sums, prior, 0, tolerance);
}

ossai_joint ossai_joint_fit_soft(
	const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double doubt, double noise)
{
	const joint_sums sums = sum_poses(motion, a, b, prior);
	ossai_joint joint = solve(&sums, prior, noise * noise / (doubt * doubt), 0);
	/* the remaining residual is the better estimate of the noise; this converges at once */
	for (int i = 0; i < 3; i++) {
		const double level = joint.residual > noise ? joint.residual : noise;
		joint = solve(&sums, prior, level * level / (doubt * doubt), 0);
	}
	return joint;
}

void ossai_joint_measure_turns(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_joint *joint)
{
	joint_sums sums = sum_poses(motion, a, b, ossai_v3(0, 0, 0));
	double v[9];
	ossai_symmetric_eigen(3, sums.a, joint->spread, v);
	joint->axis = ossai_v3(v[2], v[5], v[8]);
}

double ossai_joint_silence(const double spread[3])
{
	if (spread[0] < still_spread) return 0;
	const double silence = 1 - spread[2] / (speaking_share * spread[0]);
	return silence > 0 ? silence : 0;
}
