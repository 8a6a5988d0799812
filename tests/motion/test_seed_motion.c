/* tests/motion/test_seed_motion.c: the fitted rigid motion of seeds against their true motion. */
#include "motion/seed_motion.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { POSES = 6 };

/* the halves of a grid move separately, and both true motions are found; vertices without a part
   are ignored */
static void true_motion_is_found(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, POSES);
	const size_t vertices = t.s.vertex_count;
	uint32_t *vertex = ossai_arena_new(&t.arena, vertices, sizeof *vertex),
			 *part = ossai_arena_new(&t.arena, vertices, sizeof *part);
	ossai_rigid truth[2 * POSES];
	uint64_t seed = 7;
	for (size_t i = 0; i < 2 * POSES; i++) {
		truth[i] = (ossai_rigid){
			ossai_quat_matrix(ossai_quat_exp(test_random_point(&seed, 1.5))), test_random_point(&seed, 0.3)};
	}
	for (uint32_t v = 0; v < vertices; v++) {
		vertex[v] = v;
		part[v] = v % 7 == 6 ? OSSA_NONE : v % 2;
		for (size_t k = 0; k < POSES; k++) {
			const ossai_vec3 image = ossai_rigid_point(&truth[v % 2 * POSES + k], ossai_rest_point(&t.s, v));
			const ossai_vec3 at = part[v] == OSSA_NONE ? ossai_v3(9, 9, 9) : image;
			ossai_v3_store(at, t.s.poses + 3 * (v * POSES + k));
		}
	}
	ossai_bone_motion motion;
	assert_ok(t.context, ossai_bone_motion_new(&t.arena, 3, POSES, &motion));
	assert_ok(t.context, ossai_seed_motion_fit(t.context, &t.s, vertices, vertex, part, &motion));
	for (size_t i = 0; i < 2 * POSES; i++) {
		assert_near_vec3(motion.rigid[i].t, truth[i].t, 1e-9);
		for (int e = 0; e < 9; e++) assert_near(motion.rigid[i].r.m[e / 3][e % 3], truth[i].r.m[e / 3][e % 3], 1e-9);
	}
	/* a part without vertices stays */
	for (size_t i = 2 * POSES; i < 3 * POSES; i++) {
		assert_near_vec3(motion.rigid[i].t, ossai_v3(0, 0, 0), 0);
		assert_true(motion.rigid[i].r.m[0][0] == 1 && motion.rigid[i].r.m[0][1] == 0);
	}
	test_surface_end(&t);
}

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	test_surface *t = arg;
	ossai_rigid rigid[POSES];
	ossai_bone_motion motion = {1, POSES, rigid};
	const uint32_t vertex[4] = {0, 1, 5, 9}, part[4] = {0, 0, 0, 0};
	return ossai_seed_motion_fit(context, &t->s, 4, vertex, part, &motion);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, POSES);
	assert_true(test_allocation_sweep(fit_in_sweep, &t, 20, 1) > 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(true_motion_is_found),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
