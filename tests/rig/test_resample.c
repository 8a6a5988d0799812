/* tests/rig/test_resample.c: motions at other frame rates. */
#include "support/walker.h"

#include <math.h>
#include <string.h>

static double apart(const ossai_rigid *a, const ossai_rigid *b)
{
	const ossai_mat3 back = ossai_mat3_transpose(&a->r), turn = ossai_mat3_mul(&back, &b->r);
	return fmax(ossai_distance(a->t, b->t), ossai_quat_angle(ossai_mat3_quat(&turn)));
}

static void frames_are_steady_and_the_last_is_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.has_root = true, .ahead = 1.2, .sway = 0.03, .turn = 40});
	ossa_clip *slow;
	/* a second at 7 frames: 8 times; at 7.5: 8 and the last */
	assert_ok(context, ossa_clip_resample(context, rig->clip, 7, &slow));
	assert_int_equal(slow->frame_count, 8);
	for (size_t f = 0; f < 8; f++) assert_near(slow->times[f], 0.5 + (double)f / 7, 1e-12);
	assert_string_equal(slow->name, "walk");
	ossa_clip_free(context, slow);
	assert_ok(context, ossa_clip_resample(context, rig->clip, 7.5, &slow));
	assert_int_equal(slow->frame_count, 9);
	assert_near(slow->times[7], 0.5 + 7 / 7.5, 1e-12);
	assert_near(slow->times[8], 1.5, 0);
	const ossai_rigid was = test_joint_at(rig, rig->clip, "foot_L", 60), is = test_joint_at(rig, slow, "foot_L", 8);
	assert_true(apart(&was, &is) < 1e-9);
	ossa_clip_free(context, slow);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void faster_and_back_is_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 1.2, .turn = 400});
	ossa_clip *fast, *back, *own = rig->clip;
	assert_ok(context, ossa_clip_resample(context, rig->clip, 240, &fast));
	assert_int_equal(fast->frame_count, 241);
	assert_ok(context, ossa_clip_resample(context, fast, 60, &back));
	assert_int_equal(back->frame_count, own->frame_count);
	for (size_t f = 0; f < own->frame_count; f++) {
		const ossai_rigid was = test_joint_at(rig, own, "head", f), is = test_joint_at(rig, back, "head", f);
		assert_true(apart(&was, &is) < 1e-7);
	}
	rig->clip = fast;
	assert_ok(context, ossa_rig_validate(context, rig));
	rig->clip = own;
	ossa_clip_free(context, fast);
	ossa_clip_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bad_rates_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.frames = 1});
	ossa_clip *made;
	assert_fails(context, ossa_clip_resample(context, rig->clip, 0, &made), OSSA_ERROR_ARGUMENT, "frames per second");
	assert_fails(context, ossa_clip_resample(context, rig->clip, NAN, &made), OSSA_ERROR_ARGUMENT, "frames per second");
	/* one frame stays one */
	assert_ok(context, ossa_clip_resample(context, rig->clip, 1e9, &made));
	assert_int_equal(made->frame_count, 1);
	ossa_clip_free(context, made);
	ossa_rig_free(context, rig);
	rig = test_walker(context, &(test_walk){.frames = 3});
	assert_fails(context, ossa_clip_resample(context, rig->clip, 1e9, &made), OSSA_ERROR_LIMIT, "lower rate");
	assert_null(made);
	/* slower than the motion is long: its ends */
	assert_ok(context, ossa_clip_resample(context, rig->clip, 1e-9, &made));
	assert_int_equal(made->frame_count, 2);
	ossa_clip_free(context, made);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_steady_and_the_last_is_kept),
		cmocka_unit_test(faster_and_back_is_the_same),
		cmocka_unit_test(bad_rates_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
