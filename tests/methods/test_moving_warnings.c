/* tests/methods/test_moving_warnings.c: which poses are still, just below and just above the
   limit. */
#include "methods/moving.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* warnings about a pose in which one vertex of many has moved by this, in diagonals, after a turn
   of the whole */
static bool is_still(double moved, double radians)
{
	test_surface t = test_surface_grid(1, 20, 20, 1);
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 1, 0), radians));
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		ossai_vec3 p = ossai_rest_point(&t.s, v);
		if (v == t.s.vertex_count / 2) p.z += moved;
		ossai_v3_store(ossai_mat3_mul_v(&turn, p), t.s.poses + 3 * v);
	}
	const ossai_moving_work work = {.context = t.context, .poses = t.frames, .surface = t.s};
	assert_ok(t.context, ossai_moving_warn_of_poses(&work));
	const bool is = test_warned(t.context, "no-motion") > 0;
	test_surface_end(&t);
	return is;
}

static void one_vertex_that_moves_is_motion(void **state)
{
	(void)state;
	for (int turned = 0; turned < 2; turned++) {
		assert_true(is_still(0, turned));
		assert_true(is_still(0.99e-4, turned));
		/* the turn that fits best takes next to nothing of it away */
		assert_false(is_still(1.02e-4, turned));
	}
}

/* seeds are grouped by motion, and cannot be without it */
static void seeds_need_motion(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 4, 4, 1);
	const ossai_moving_work work = {
		.context = t.context, .poses = t.frames, .surface = t.s, .options = {.parts = OSSA_PARTS_SPECTRAL}};
	assert_fails(t.context, ossai_moving_warn_of_poses(&work), OSSA_ERROR_INPUT, "`method contraction` or `method volume`");
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_vertex_that_moves_is_motion), cmocka_unit_test(seeds_need_motion)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
