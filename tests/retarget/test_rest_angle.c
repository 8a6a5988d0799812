/* tests/retarget/test_rest_angle.c: how far people at rest are from a T and an A, and who minds. */
#include "support/people.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double angle_to(const person *p, int pose)
{
	double degrees;
	assert_ok(p->context, ossa_rig_rest_angle(p->context, p->rig, pose, &degrees));
	return degrees;
}

/* in an exact T, its arms lowered by so much */
static person lowered(ossa_context *context, double left, double right)
{
	person p = person_make(context, (person_form){.names = PERSON_MIXAMO});
	assert_ok(context, ossa_rig_set_rest_pose(context, p.rig, OSSA_REST_T));
	person_bend(&p, PERSON_UPPER_ARM, 0, ossai_v3(0, 0, 1), -left);
	person_bend(&p, PERSON_UPPER_ARM, 1, ossai_v3(0, 0, 1), right);
	return p;
}

static void the_larger_angle_of_both_arms(void **state)
{
	(void)state;
	static const double angles[][2] = {{0, 0}, {10, 30}, {45, 45}, {90, 45}, {60, 0}};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
		person p = lowered(context, angles[i][0], angles[i][1]);
		assert_near(angle_to(&p, OSSA_REST_T), fmax(angles[i][0], angles[i][1]), 1e-3);
		assert_near(angle_to(&p, OSSA_REST_A), fmax(fabs(angles[i][0] - 45), fabs(angles[i][1] - 45)), 1e-3);
		person_end(&p);
	}
	test_context_end(context);
}

/* programs want a T or an A: arms that are nearer to the other one are warned of, but not where a
   pose was chosen */
static void programs_expect_a_pose(void **state)
{
	(void)state;
	static const struct {
		const char *target;
		double near, far; /* degrees that arms are lowered */
	} cases[] = {
		{"unity", 22, 23}, {"godot", 22, 23}, {"mixamo", 22, 23}, {"unreal", 23, 22}, {"unreal", 67, 68}, {"blender", 90, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_context *context = test_context(1);
		const ossa_target *target = ossa_target_find(cases[i].target);
		person near = lowered(context, cases[i].near, cases[i].near), far = lowered(context, cases[i].far, cases[i].far);
		assert_ok(context, ossa_target_check_rest(context, target, near.rig, OSSA_REST_KEEP));
		assert_ok(context, ossa_target_check_rest(context, target, far.rig, OSSA_REST_T));
		assert_string_equal(test_warning_text(context, "rest-pose"), "");
		assert_ok(context, ossa_target_check_rest(context, target, far.rig, OSSA_REST_KEEP));
		const char *text = test_warning_text(context, "rest-pose");
		if (target->rest_pose == OSSA_REST_KEEP) assert_string_equal(text, "");
		else assert_non_null(strstr(text, target->title));
		person_end(&near);
		person_end(&far);
		test_context_end(context);
	}
}

/* what is no human has no such pose */
static void others_have_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.names = PERSON_MIXAMO});
	double degrees = 0;
	for (size_t b = 0; b < p.rig->skeleton.bone_count; b++)
		snprintf(p.rig->skeleton.bones[b].name, sizeof p.rig->skeleton.bones[b].name, "part_%zu", b);
	p.rig->body.kind = OSSA_BODY_SPIDER;
	assert_true(isnan(angle_to(&p, OSSA_REST_T)));
	assert_ok(context, ossa_target_check_rest(context, ossa_target_find("unity"), p.rig, OSSA_REST_KEEP));
	assert_string_equal(test_warning_text(context, "rest-pose"), "");
	assert_fails(context, ossa_rig_rest_angle(context, p.rig, OSSA_REST_KEEP, &degrees), OSSA_ERROR_ARGUMENT, "neither");
	person_end(&p);
	test_context_end(context);
}

static ossa_status measure(ossa_context *context, void *rig)
{
	double degrees;
	return ossa_rig_rest_angle(context, rig, OSSA_REST_A, &degrees);
}

static void no_memory(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.names = PERSON_MIXAMO});
	assert_true(test_allocation_sweep(measure, p.rig, SIZE_MAX, 1) > 3);
	person_end(&p);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_larger_angle_of_both_arms),
		cmocka_unit_test(programs_expect_a_pose),
		cmocka_unit_test(others_have_none),
		cmocka_unit_test(no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
