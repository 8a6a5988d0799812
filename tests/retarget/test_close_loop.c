/* tests/retarget/test_close_loop.c: motions whose last frame becomes the first again. */
#include "support/walker.h"

#include <math.h>

static double turned(const ossai_rigid *a, const ossai_rigid *b)
{
	const ossai_mat3 back = ossai_mat3_transpose(&a->r), turn = ossai_mat3_mul(&back, &b->r);
	return ossai_quat_angle(ossai_mat3_quat(&turn)) * 180 / OSSAI_PI;
}

/* the largest turn between the same bones of two motions, in degrees */
static double farthest(const ossa_rig *rig, const ossa_clip *a, size_t i, const ossa_clip *b, size_t j)
{
	double most = 0;
	for (size_t bone = 0; bone < rig->skeleton.bone_count; bone++) {
		const ossai_quat p = ossai_quat_of(a->rotations + 4 * (i * a->bone_count + bone));
		const ossai_quat q = ossai_quat_of(b->rotations + 4 * (j * b->bone_count + bone));
		most = fmax(most, ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(p), q)) * 180 / OSSAI_PI);
	}
	return most;
}

static void drifts_are_spread(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 0.05, .sway = 0.03, .drift = 6});
	ossa_clip *closed, *own = rig->clip;
	ossa_clip_gap gap;
	const size_t last = own->frame_count - 1;
	assert_ok(context, ossa_clip_close_loop(context, rig, NULL, &closed, &gap));
	assert_false(gap.travels || gap.turns);
	assert_near(gap.degrees, 6, 1e-6);
	assert_near(gap.distance, 0.05, 1e-9);
	assert_near(farthest(rig, closed, 0, closed, last), 0, 1e-5);
	assert_near_array(3, closed->root_positions, closed->root_positions + 3 * last, 1e-12);
	for (size_t f = 0; f <= last; f++) {
		assert_true(farthest(rig, own, f, closed, f) <= 3 + 1e-6);
		/* no step grows by more than its share */
		if (f > 0) assert_true(fabs(farthest(rig, closed, f - 1, closed, f) - farthest(rig, own, f - 1, own, f)) < 6.1 / 60);
	}
	rig->clip = closed;
	assert_ok(context, ossa_rig_validate(context, rig));
	rig->clip = own;
	ossa_clip_free(context, closed);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a curve goes on where it ended, in the direction in which it ended */
static void travel_goes_on(void **state)
{
	(void)state;
	for (int has_root = 0; has_root < 2; has_root++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = test_walker(
			context, &(test_walk){.has_root = has_root, .ahead = 1.4, .turn = 30, .sway = 0.03, .drift = 4});
		ossa_clip *closed;
		ossa_clip_gap gap;
		const size_t last = rig->clip->frame_count - 1;
		assert_ok(context, ossa_clip_close_loop(context, rig, NULL, &closed, &gap));
		assert_true(gap.travels && gap.turns);
		assert_near(gap.degrees, 4, 1e-6);
		assert_near(gap.distance, 0, 1e-9);
		const ossai_rigid a = test_joint_at(rig, closed, "hips", 0), b = test_joint_at(rig, closed, "hips", last);
		assert_near_vec3(ossai_sub(b.t, a.t), ossai_v3(0, 0, 1.4), 1e-9);
		assert_near(turned(&a, &b), 30, 1e-6);
		/* the feet against the hips, as they were */
		const ossai_rigid foot = test_joint_at(rig, closed, "foot_L", 0), later = test_joint_at(rig, closed, "foot_L", last);
		const ossai_vec3 from = ossai_mat3_tmul_v(&a.r, ossai_sub(foot.t, a.t));
		assert_near_vec3(ossai_mat3_tmul_v(&b.r, ossai_sub(later.t, b.t)), from, 1e-9);
		ossa_clip_free(context, closed);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

static void single_frames_are_no_loops(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.frames = 1});
	ossa_clip *closed;
	assert_fails(context, ossa_clip_close_loop(context, rig, NULL, &closed, NULL), OSSA_ERROR_ARGUMENT, "two frames");
	assert_null(closed);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status close_again(ossa_context *context, void *user)
{
	const ossa_rig *rig = user;
	ossa_clip *closed;
	const ossa_status status = ossa_clip_close_loop(context, rig, NULL, &closed, NULL);
	if (status != OSSA_OK) assert_null(closed);
	ossa_clip_free(context, closed);
	return status;
}

static void failing_memory_leaves_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.has_root = true, .ahead = 1.4});
	assert_true(test_allocation_sweep(close_again, rig, SIZE_MAX, 1) > 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drifts_are_spread),
		cmocka_unit_test(travel_goes_on),
		cmocka_unit_test(single_frames_are_no_loops),
		cmocka_unit_test(failing_memory_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
