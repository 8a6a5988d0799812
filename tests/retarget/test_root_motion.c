/* tests/retarget/test_root_motion.c: travel kept, removed, and put on the root bone. */
#include "support/walker.h"

#include <math.h>

static ossai_vec3 at(const ossa_rig *rig, const ossa_clip *clip, const char *bone, size_t frame)
{
	return test_joint_at(rig, clip, bone, frame).t;
}

static ossa_clip *changed(ossa_context *context, ossa_rig *rig, ossa_root_motion root_motion)
{
	ossa_clip *made, *own = rig->clip;
	assert_ok(context, ossa_clip_set_root_motion(context, rig, NULL, root_motion, &made));
	rig->clip = made;
	assert_ok(context, ossa_rig_validate(context, rig));
	rig->clip = own;
	return made;
}

/* a walk ahead: its line goes, its sway and bobbing stay, whether or not a bone is above the hips
   */
static void in_place_keeps_the_sway(void **state)
{
	(void)state;
	for (int has_root = 0; has_root < 2; has_root++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = test_walker(context, &(test_walk){.has_root = has_root, .ahead = 1.4, .sway = 0.03, .sway_turn = 5});
		ossa_clip *placed = changed(context, rig, OSSA_ROOT_IN_PLACE);
		for (size_t f = 0; f < placed->frame_count; f++) {
			const ossai_vec3 was = at(rig, rig->clip, "hips", f), is = at(rig, placed, "hips", f);
			assert_near_vec3(is, ossai_v3(was.x, was.y, 0), 1e-9);
			const ossai_vec3 foot = ossai_sub(at(rig, rig->clip, "foot_L", f), was);
			assert_near_vec3(ossai_sub(at(rig, placed, "foot_L", f), is), foot, 1e-9);
		}
		ossa_clip_free(context, placed);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* an idle that ends a little beside its start is left alone */
static void small_drifts_are_sway(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 0.09, .sway = 0.05});
	ossa_clip *placed = changed(context, rig, OSSA_ROOT_IN_PLACE);
	assert_near_array(3 * placed->frame_count, placed->root_positions, rig->clip->root_positions, 1e-12);
	ossa_clip_free(context, placed);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a lunge and back; and a way there and back */
static void only_long_ways_back_are_travel(void **state)
{
	(void)state;
	for (int is_long = 0; is_long < 2; is_long++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = test_walker(context, &(test_walk){.frames = 61});
		for (size_t f = 0; f < 61; f++)
			rig->clip->root_positions[3 * f + 2] = (is_long ? 3 : 0.5) * (1 - fabs((double)f - 30) / 30);
		ossa_clip *placed = changed(context, rig, OSSA_ROOT_IN_PLACE);
		double most = 0;
		for (size_t f = 0; f < 61; f++) most = fmax(most, placed->root_positions[3 * f + 2]);
		assert_near(most, is_long ? 0.6 : 0.5, 1e-9);
		assert_near(placed->root_positions[3 * 60 + 2], 0, 1e-12);
		ossa_clip_free(context, placed);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

static void extracted_roots_carry_the_body(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(
		context, &(test_walk){.has_root = true, .ahead = 1.4, .turn = 90, .sway = 0.03, .sway_turn = 5});
	ossa_clip *made = changed(context, rig, OSSA_ROOT_EXTRACT);
	static const char *const names[] = {"hips", "head", "foot_L", "foot_R"};
	for (size_t f = 0; f < made->frame_count; f++) {
		const ossai_rigid root = test_joint_at(rig, made, "root", f);
		const double share = (double)f / 60;
		/* nobody moves but the root */
		for (size_t i = 0; i < 4; i++) assert_near_vec3(at(rig, made, names[i], f), at(rig, rig->clip, names[i], f), 1e-9);
		assert_near_vec3(root.t, ossai_v3(0, 0, 1.4 * share), 1e-9);
		/* its front */
		const double angle = share * OSSAI_PI / 2;
		assert_near_vec3(ossai_mat3_mul_v(&root.r, ossai_v3(0, 0, 1)), ossai_v3(sin(angle), 0, cos(angle)), 1e-9);
	}
	ossa_clip_free(context, made);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void roots_without_a_bone_above_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 1});
	ossa_clip *made;
	assert_fails(context, ossa_clip_set_root_motion(context, rig, NULL, OSSA_ROOT_EXTRACT, &made), OSSA_ERROR_INPUT, "hips");
	assert_null(made);
	made = changed(context, rig, OSSA_ROOT_KEEP);
	assert_near_array(3 * made->frame_count, made->root_positions, rig->clip->root_positions, 0);
	ossa_clip_free(context, made);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status extract_again(ossa_context *context, void *user)
{
	const ossa_rig *rig = user;
	ossa_clip *made;
	const ossa_status status = ossa_clip_set_root_motion(context, rig, NULL, OSSA_ROOT_EXTRACT, &made);
	if (status != OSSA_OK) assert_null(made);
	ossa_clip_free(context, made);
	return status;
}

static void failing_memory_leaves_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.has_root = true, .ahead = 1.4});
	ossa_free(context, rig->clip->translations);
	rig->clip->translations = NULL;
	assert_true(test_allocation_sweep(extract_again, rig, SIZE_MAX, 1) > 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_place_keeps_the_sway),
		cmocka_unit_test(small_drifts_are_sway),
		cmocka_unit_test(only_long_ways_back_are_travel),
		cmocka_unit_test(extracted_roots_carry_the_body),
		cmocka_unit_test(roots_without_a_bone_above_are_refused),
		cmocka_unit_test(failing_memory_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
