/* tests/body/test_fingers.c: the fingers of a figure of boxes, at the default options. */
#include "body/fingers.h"
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

/* a man of boxes in a T-pose who faces +Z, with large hands: a palm, `fingers` beside each other
   along z, and a thumb */
static ossa_mesh *make_man(ossa_context *context, int fingers, bool has_thumb)
{
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(-0.17, 0.85, -0.1), ossai_v3(0.17, 1.47, 0.1), true);
	test_shape_box(shape, ossai_v3(-0.05, 1.45, -0.05), ossai_v3(0.05, 1.57, 0.05), true);
	test_shape_box(shape, ossai_v3(-0.1, 1.55, -0.1), ossai_v3(0.1, 1.8, 0.1), true);
	for (int side = -1; side <= 1; side += 2) {
		const double leg[2] = {side * 0.03, side * 0.16}, arm[2] = {side * 0.12, side * 0.7},
					 palm[2] = {side * 0.68, side * 0.85};
		test_shape_box(shape, ossai_v3(fmin(leg[0], leg[1]), 0, -0.07), ossai_v3(fmax(leg[0], leg[1]), 0.9, 0.06), true);
		test_shape_box(shape, ossai_v3(fmin(leg[0], leg[1]), 0, -0.07), ossai_v3(fmax(leg[0], leg[1]), 0.08, 0.2), true);
		test_shape_box(shape, ossai_v3(fmin(arm[0], arm[1]), 1.36, -0.04), ossai_v3(fmax(arm[0], arm[1]), 1.44, 0.04), true);
		test_shape_box(
			shape, ossai_v3(fmin(palm[0], palm[1]), 1.38, -0.13), ossai_v3(fmax(palm[0], palm[1]), 1.42, 0.09), true);
		for (int i = 0; i < fingers; i++) {
			const double z = 0.07 - 0.06 * i, out[2] = {side * 0.84, side * 1};
			test_shape_box(shape, ossai_v3(fmin(out[0], out[1]), 1.385, z - 0.015),
				ossai_v3(fmax(out[0], out[1]), 1.415, z + 0.015), true);
		}
		const double thumb[2] = {side * 0.77, side * 0.8};
		if (has_thumb)
			test_shape_box(
				shape, ossai_v3(fmin(thumb[0], thumb[1]), 1.385, 0.08), ossai_v3(fmax(thumb[0], thumb[1]), 1.415, 0.22), true);
	}
	return test_shape_mesh(context, shape);
}

static size_t finger_bones(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_body_part part = rig->skeleton.bones[b].role.part;
		count += part >= OSSA_PART_THUMB && part <= OSSA_PART_LITTLE;
	}
	return count;
}

static const double *joint_of(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) fail_msg("there is no bone %s", name);
	return rig->skeleton.bones[bone].joint;
}

/* along the middle of its box, from the knuckle outward */
static void five_fingers_lie_in_theirs(void **state)
{
	(void)state;
	static const char *const words[] = {"index", "middle", "ring", "pinky"};
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 4, true));
	assert_int_equal(finger_bones(rig), 30);
	for (int i = 0; i < 4; i++) {
		for (int k = 2; k <= 3; k++) {
			char name[64];
			snprintf(name, sizeof name, "%s_%02d_L", words[i], k);
			const double *at = joint_of(rig, name);
			assert_near(at[1], 1.4, 0.015);
			assert_near(at[2], 0.07 - 0.06 * i, 0.02);
			assert_true(at[0] > 0.84 && at[0] < 1);
		}
	}
	const double *thumb = joint_of(rig, "thumb_03_L");
	assert_near(thumb[0], 0.785, 0.02);
	assert_true(thumb[2] > 0.1 && thumb[2] < 0.22);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a mitten has a thumb; six fingers are no human's */
static void as_many_as_a_hand_has(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 3, true));
	assert_int_equal(finger_bones(rig), 24);
	ossa_rig_free(context, rig);
	rig = test_human_rig(context, make_man(context, 1, false));
	assert_int_equal(finger_bones(rig), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the number of fingers of a hand 1 long along +X, its wrist at the origin: the tip of the arm, an
   index finger, and one more tip of a persistence */
static size_t count_fingers(ossai_vec3 third, double persistence)
{
	enum { VERTICES = 4 };
	const ossai_vec3 wrist = {0, 0, 0}, along = {1, 0, 0}, index = {0.9, 0.3, 0};
	double positions[3 * VERTICES] = {0, 0, 0, 1, 0, 0, 0.9, 0.3, 0, third.x, third.y, third.z};
	uint32_t triangles[6] = {0, 1, 2, 0, 2, 3}, vertex[3] = {1, 2, 3};
	double persistences[3] = {5, 0.7, persistence};
	ossai_vec3 point[3] = {along, index, third};
	const ossai_proxy proxy = {
		.vertex_count = VERTICES, .face_count = 2, .positions = positions, .triangles = triangles, .piece_count = 1};
	const ossai_tips tips = {.count = 3, .vertex = vertex, .persistence = persistences, .point = point};
	const ossai_figure figure = {.proxy = &proxy, .tips = &tips};
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_finger_search search;
	ossai_fingers fingers;
	assert_ok(context, ossai_finger_search_make(&arena, &proxy, &search));
	ossai_fingers_find(&figure, &search, wrist, along, along, &fingers);
	ossai_arena_end(&arena);
	test_context_end(context);
	return fingers.count;
}

/* a fingertip is as persistent as 0.12 of the hand is long, no farther from the wrist than 1.45 of
   it, and no farther behind than 0.15: of two tips one is the thumb, of three all are fingers */
static void what_is_a_fingertip(void **state)
{
	(void)state;
	const ossai_vec3 side = {0.5, -0.6, 0};
	assert_int_equal(count_fingers(side, 0.125), 3);
	assert_int_equal(count_fingers(side, 0.115), 1);
	assert_int_equal(count_fingers(ossai_v3(0.6 * 1.44, -0.8 * 1.44, 0), 0.3), 3);
	assert_int_equal(count_fingers(ossai_v3(0.6 * 1.46, -0.8 * 1.46, 0), 0.3), 1);
	assert_int_equal(count_fingers(ossai_v3(-0.145, -0.6, 0), 0.3), 3);
	assert_int_equal(count_fingers(ossai_v3(-0.155, -0.6, 0), 0.3), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(five_fingers_lie_in_theirs), cmocka_unit_test(as_many_as_a_hand_has),
		cmocka_unit_test(what_is_a_fingertip)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
