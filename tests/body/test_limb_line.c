/* tests/body/test_limb_line.c: limbs as lines: where they bend, and where the ankle is. */
#include "body/ankle.h"
#include "support/support.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* an axis along corners, from the tip to the trunk, of an even radius */
static ossai_limb_axis axis_of(size_t count, const ossai_vec3 *corner)
{
	ossai_limb_axis axis = {.step = 0};
	double length = 0;
	for (size_t i = 1; i < count; i++) length += ossai_distance(corner[i - 1], corner[i]);
	axis.step = length / SAMPLES;
	for (int i = 0; i <= SAMPLES; i++) {
		double left = i * axis.step;
		size_t c = 1;
		while (c + 1 < count && left > ossai_distance(corner[c - 1], corner[c])) {
			left -= ossai_distance(corner[c - 1], corner[c]);
			c++;
		}
		axis.along[i] = ossai_unit(ossai_sub(corner[c], corner[c - 1]), ossai_v3(0, 1, 0));
		axis.point[i] = ossai_madd(corner[c - 1], left, axis.along[i]);
		axis.radius[i] = 0.05;
	}
	return axis;
}

static const ossai_range ELBOW = {0.35, 0.05};

/* the elbow of an arm of length 1 that is bent by 60 degrees at a place */
static double elbow_of(double bend)
{
	const ossai_vec3 shoulder = {0, 0, 0}, elbow = {bend, 0, 0};
	const ossai_vec3 tip = ossai_add(elbow, ossai_scale(ossai_v3(0.5, 0, sqrt(0.75)), 1 - bend));
	const ossai_vec3 corner[] = {tip, elbow, shoulder};
	const ossai_limb_axis axis = axis_of(3, corner);
	ossai_limb_line line;
	ossai_limb_line_make(&axis, shoulder, SAMPLES, &line);
	assert_near(ossai_limb_line_length(&line), 1, 0.03);
	return ossai_limb_line_bend(&line, ELBOW, ossai_limb_line_length(&line)).mean;
}

static void an_elbow_that_is_seen_is_found(void **state)
{
	(void)state;
	for (double bend = 0.29; bend < 0.42; bend += 0.03) assert_near(elbow_of(bend), bend, 0.02);
}

static void a_straight_arm_bends_where_arms_do(void **state)
{
	(void)state;
	const ossai_vec3 corner[] = {{1, 0, 0}, {0, 0, 0}};
	const ossai_limb_axis axis = axis_of(2, corner);
	ossai_limb_line line;
	ossai_limb_line_make(&axis, corner[1], SAMPLES, &line);
	const ossai_range bend = ossai_limb_line_bend(&line, ELBOW, ossai_limb_line_length(&line));
	assert_near(bend.mean, ELBOW.mean, 0.005);
	/* nothing was learned */
	assert_near(bend.deviation, ELBOW.deviation, 0.006);
}

/* a shoulder beside the axis makes a bend near it, which is no elbow */
static void a_shoulder_off_the_axis_is_no_elbow(void **state)
{
	(void)state;
	const ossai_vec3 corner[] = {{1, 0, 0}, {0, 0, 0}};
	const ossai_limb_axis axis = axis_of(2, corner);
	ossai_limb_line line;
	ossai_limb_line_make(&axis, ossai_v3(0.02, 0.12, 0), SAMPLES, &line);
	const double length = ossai_limb_line_length(&line);
	assert_near(ossai_limb_line_bend(&line, ELBOW, length).mean / length, ELBOW.mean, 0.06);
}

/* samples that lie in the trunk, beyond `inner`, are no part of the limb */
static void a_leg_under_a_skirt_is_straight(void **state)
{
	(void)state;
	/* the axis turns to the middle in the skirt */
	const ossai_vec3 corner[] = {{0.1, 0, 0}, {0.1, 0.3, 0}, {0, 0.6, 0}};
	const ossai_limb_axis axis = axis_of(3, corner);
	size_t hem = 0;
	while (axis.point[hem + 1].y < 0.29) hem++;
	ossai_limb_line line;
	ossai_limb_line_make(&axis, ossai_v3(0.1, 0.6, 0), hem, &line);
	for (double arc = 0; arc < 0.6; arc += 0.05) assert_near(ossai_limb_line_at(&line, arc, NULL).x, 0.1, 1e-9);
}

/* a leg of height 0.55, straight above 0.1, whose axis cuts the corner to the tip of the foot */
static ossai_limb_line leg_of(double foot, double *ankle)
{
	const ossai_vec3 corner[] = {{0, 0, foot}, {0, 0.1, 0}, {0, 0.55, 0}};
	const ossai_limb_axis axis = axis_of(3, corner);
	ossai_limb_line line;
	ossai_limb_line_make(&axis, corner[2], SAMPLES, &line);
	*ankle = ossai_ankle_find(&line, ossai_v3(0, 1, 0), 1);
	return line;
}

static void the_ankle_is_under_the_shin(void **state)
{
	(void)state;
	for (double foot = 0.05; foot < 0.31; foot += 0.05) {
		double arc;
		const ossai_limb_line line = leg_of(foot, &arc);
		const ossai_vec3 ankle = ossai_limb_line_at(&line, arc, NULL);
		assert_near_vec3(ankle, ossai_v3(0, 0.055, 0), 0.005);
		/* straight from there to the tip */
		assert_near(ossai_limb_line_length(&line) - arc, ossai_distance(ankle, ossai_v3(0, 0, foot)), 1e-9);
	}
}

/* no height of an ankle on a leg that is level: where ankles are along a leg */
static void a_level_leg_has_an_ankle(void **state)
{
	(void)state;
	const ossai_vec3 corner[] = {{0, 0, 1}, {0, 0, 0}};
	const ossai_limb_axis axis = axis_of(2, corner);
	ossai_limb_line line;
	ossai_limb_line_make(&axis, corner[1], SAMPLES, &line);
	const double arc = ossai_ankle_find(&line, ossai_v3(0, 1, 0), 1);
	assert_near(arc, 0.77, 0.03);
	assert_near(ossai_limb_line_length(&line), 1, 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(an_elbow_that_is_seen_is_found),
		cmocka_unit_test(a_straight_arm_bends_where_arms_do), cmocka_unit_test(a_shoulder_off_the_axis_is_no_elbow),
		cmocka_unit_test(a_leg_under_a_skirt_is_straight), cmocka_unit_test(the_ankle_is_under_the_shin),
		cmocka_unit_test(a_level_leg_has_an_ankle)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
