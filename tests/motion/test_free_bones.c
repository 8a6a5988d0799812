/* tests/motion/test_free_bones.c: free bones fitted in four poses at once, against one pose and one
   bone after the other. */
#include "motion/free_bones.h"

#include "math/rigid_fit.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* d -= S_jl X_l^T */
static void subtract(const ossai_moments *m, uint32_t j, uint32_t l, const ossai_rigid *x, double d[12])
{
	double s[4][4];
	const double t[3] = {x->t.x, x->t.y, x->t.z};
	ossai_moments_matrix(m, j, l, s);
	for (int i = 0; i < 12; i++) {
		const double *row = s[i / 3], *r = x->r.m[i % 3];
		d[i] -= row[0] * r[0] + row[1] * r[1] + row[2] * r[2] + row[3] * t[i % 3];
	}
}

static void fit_plainly(const ossai_moments *m, uint32_t j, size_t k, ossai_bone_motion *motion)
{
	double d[12], n[9], s[4][4];
	ossai_rigid *x = &motion->rigid[j * m->pose_count + k];
	ossai_moments_target(m, j, k, d);
	for (uint32_t l = 0; l < m->bone_count; l++) {
		const bool meet = l != j && m->pair_of[j * m->bone_count + l] != OSSA_NONE;
		if (meet) subtract(m, j, l, &motion->rigid[l * m->pose_count + k], d);
	}
	ossai_moments_matrix(m, j, j, s);
	if (!(s[3][3] > 1e-12)) return;
	const double mean[3] = {s[0][3] / s[3][3], s[1][3] / s[3][3], s[2][3] / s[3][3]};
	for (int i = 0; i < 9; i++) n[i] = d[i] - mean[i / 3] * d[9 + i % 3];
	x->r = ossai_quat_matrix(ossai_rigid_rotation(n));
	x->t = ossai_sub(ossai_scale(ossai_v3_of(d + 9), 1 / s[3][3]), ossai_mat3_mul_v(&x->r, ossai_v3_of(mean)));
}

/* any motion, from which the fit begins */
static void shake(ossai_bone_motion *motion, uint64_t *random)
{
	for (size_t i = 0; i < motion->bone_count * motion->pose_count; i++) {
		motion->rigid[i].r = ossai_quat_matrix(test_random_turn(random, 0.7));
		motion->rigid[i].t = test_random_point(random, 0.2);
	}
}

/* to the last bit, for numbers of poses that fill four or do not, in any number of threads */
static void four_poses_have_the_bytes_of_one(void **state)
{
	(void)state;
	for (size_t poses = 1; poses <= 9; poses++) {
		test_surface t = test_surface_grid(1 + poses % 3, 16, 4, poses);
		test_chain chain = test_chain_make(&t, 6, poses);
		uint64_t random = poses;
		ossai_bone_motion plain;
		ossai_moments m;
		assert_ok(t.context, ossai_moments_make(t.context, &t.s, &chain.weights, &m));
		assert_ok(t.context, ossai_bone_motion_new(&t.arena, 6, poses, &plain));
		shake(&plain, &random);
		ossai_bone_motion_copy(&plain, &chain.motion);
		assert_ok(t.context, ossai_free_bones_fit(t.context, &m, 3, &chain.motion));
		for (int sweep = 0; sweep < 3; sweep++) {
			for (size_t k = 0; k < poses; k++) {
				for (uint32_t b = 0; b < 6; b++) fit_plainly(&m, b, k, &plain);
			}
		}
		assert_memory_equal(plain.rigid, chain.motion.rigid, 6 * poses * sizeof *plain.rigid);
		ossai_moments_end(&m);
		test_surface_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_poses_have_the_bytes_of_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
