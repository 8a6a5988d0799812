/* tests/body/test_shoulders.c: shoulders by the arm and by what is known of shoulders. */
#include "body/shoulders.h"
#include "support/support.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES, BEGIN = 40 };

/* an arm from the tip to the trunk: its sample BEGIN is at `edge`, and it points from there outward
   along `out` */
static ossai_limb_axis arm_at(ossai_vec3 edge, ossai_vec3 out)
{
	ossai_limb_axis arm = {.step = 0.01};
	for (int i = 0; i <= SAMPLES; i++) arm.point[i] = ossai_madd(edge, (BEGIN - i) * arm.step, out);
	return arm;
}

static ossai_vec3 shoulder_of(ossai_vec3 edge, ossai_vec3 out, double *deviation)
{
	const ossai_limb_axis arm = arm_at(edge, out);
	const ossai_shoulder_view view = {
		.arm = &arm, .begin = BEGIN, .throat = {0, 1, 0}, .up = {0, 1, 0}, .front = {0, 0, 1}, .side = {1, 0, 0}, .unit = 1};
	return ossai_shoulder_find(&view, deviation);
}

static void where_all_agree_it_is_there(void **state)
{
	(void)state;
	const ossai_vec3 edge = {0.152, 0.964, 0.02};
	double deviation;
	assert_near_vec3(shoulder_of(edge, ossai_v3(1, 0, 0), &deviation), edge, 1e-9);
	assert_near_vec3(shoulder_of(edge, ossai_v3(0, -1, 0), &deviation), edge, 1e-9);
	assert_true(deviation > 0.01 && deviation < 0.06);
}

/* a sleeve ends far out on a level arm: the shoulder is near where shoulders are, on its axis */
static void a_cuff_is_no_shoulder(void **state)
{
	(void)state;
	double deviation;
	const ossai_vec3 found = shoulder_of(ossai_v3(0.3, 0.964, 0.02), ossai_v3(1, 0, 0), &deviation);
	assert_true(found.x > 0.16 && found.x < 0.24);
	assert_near(found.y, 0.964, 1e-9);
	assert_near(found.z, 0.02, 1e-9);
}

/* the armpit is lower than the joint of an arm that hangs */
static void a_hanging_arm_begins_above_its_armpit(void **state)
{
	(void)state;
	double deviation;
	const ossai_vec3 found = shoulder_of(ossai_v3(0.16, 0.82, 0), ossai_v3(0, -1, 0), &deviation);
	assert_true(found.y > 0.9 && found.y < 0.96);
	assert_near(found.x, 0.16, 0.005);
}

static void scale_and_mirror_images_change_nothing(void **state)
{
	(void)state;
	double deviation, other;
	const ossai_vec3 edge = {0.2, 0.9, 0.03}, out = ossai_unit(ossai_v3(1, -1, 0.2), ossai_v3(1, 0, 0));
	const ossai_vec3 found = shoulder_of(edge, out, &deviation);
	ossai_limb_axis arm = arm_at(edge, out);
	for (int i = 0; i <= SAMPLES; i++) arm.point[i] = ossai_v3(-8 * arm.point[i].x, 8 * arm.point[i].y, 8 * arm.point[i].z);
	const ossai_shoulder_view view = {
		.arm = &arm, .begin = BEGIN, .throat = {0, 8, 0}, .up = {0, 1, 0}, .front = {0, 0, 1}, .side = {-1, 0, 0}, .unit = 8};
	assert_near_vec3(ossai_shoulder_find(&view, &other), ossai_v3(-8 * found.x, 8 * found.y, 8 * found.z), 1e-9);
	assert_near(other, 8 * deviation, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(where_all_agree_it_is_there), cmocka_unit_test(a_cuff_is_no_shoulder),
		cmocka_unit_test(a_hanging_arm_begins_above_its_armpit), cmocka_unit_test(scale_and_mirror_images_change_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
