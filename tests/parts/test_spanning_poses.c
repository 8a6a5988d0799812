/* tests/parts/test_spanning_poses.c: spanning poses: distinct ones are chosen, repeated ones are
   not. */
#include "parts/face_clusters.h"
#include "parts/seed_distances.h"
#include "parts/spanning_poses.h"
#include "parts/spectral.h"
#include "support/support.h"
#include "support/surfaces.h"

/* ---- spanning poses ---- */

static void poses_that_differ_are_chosen_and_repeats_are_not(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 20, 4, 12);
	test_chain chain = test_chain_make(&t, 3, 4);
	/* poses 0, 3, 6, 9 differ, those after repeat them, pose 6 and its repeats are the rest */
	for (size_t b = 0; b < 3; b++) {
		for (size_t k = 0; k < 12; k++) {
			ossai_rigid *x = &chain.motion.rigid[b * 12 + k];
			if (k / 3 == 2) *x = (ossai_rigid){ossai_mat3_identity(), ossai_v3(0, 0, 0)};
			else *x = chain.motion.rigid[b * 12 + k / 3 * 3];
		}
	}
	test_surface_blend(&t, &chain.weights, &chain.motion);
	ossai_seeds seeds;
	assert_ok(t.context, ossai_seeds_choose(t.context, &t.arena, &t.s, 30, &seeds));
	uint32_t pose[12];
	size_t count;
	assert_ok(t.context, ossai_spanning_poses(t.context, &t.s, &seeds, 12, &count, pose));
	assert_int_equal(count, 3);
	assert_true(pose[0] == 0 && pose[1] == 3 && pose[2] == 9);
	ossai_posed_surface few;
	assert_ok(t.context, ossai_surface_of_poses(&t.arena, &t.s, count, pose, &few));
	assert_int_equal(few.pose_count, 3);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		for (size_t k = 0; k < 3; k++) {
			const double away = ossai_distance(ossai_pose_point(&few, v, k), ossai_pose_point(&t.s, v, pose[k]));
			assert_true(away == 0);
		}
	}
	test_surface_end(&t);
}

static bool stop_after(void *calls, const char *stage, double fraction)
{
	(void)stage;
	(void)fraction;
	return --*(int *)calls > 0;
}

static void it_stops_wherever_that_is_asked(void **state)
{
	(void)state;
	const uint32_t columns = test_is_long() ? 30 : 15;
	test_surface t = test_surface_grid(1, columns, 8, 4);
	test_surface_shake(&t, 0.02, 3);
	int asked = 0;
	for (ossa_status status = OSSA_ERROR_CANCELLED; status != OSSA_OK;) {
		/* densely at first, then fewer: one more or less of the same loop adds nothing */
		int calls = asked += 1 + asked / 24;
		ossa_context_options options = ossa_context_default();
		options.progress = stop_after;
		options.progress_user = &calls;
		options.threads = 1;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_spectral_options spectral = ossai_spectral_default();
		ossai_spectral_parts p;
		status = ossai_spectral_parts_make(context, &arena, &t.s, &spectral, &p);
		assert_true(status == OSSA_OK || status == OSSA_ERROR_CANCELLED);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	/* seeds, distances, eigenvalues, rounds of groups, parts, borders */
	assert_true(asked > 60);
	test_surface_end(&t);
}

static ossa_status find_in_sweep(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_spectral_options options = ossai_spectral_default();
	options.seeds = 20;
	ossai_spectral_parts p;
	const ossa_status status = ossai_spectral_parts_make(context, &arena, arg, &options, &p);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, 3);
	test_surface_shake(&t, 0.02, 3);
	test_allocation_sweep(find_in_sweep, &t.s, 400, 3);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_that_differ_are_chosen_and_repeats_are_not),
		cmocka_unit_test(it_stops_wherever_that_is_asked),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
