/* tests/weights/test_top_weights.c: the largest of many sums against a full table, and
   representative poses. */
#include "support/support.h"
#include "support/surfaces.h"
#include "weights/pose_choice.h"
#include "weights/top_weights.h"

#include <string.h>

enum { POINTS = 200, BONES = 300, POSES = 12, INFLUENCES = 4 };

/* every point has a few bones that stay over the poses and many small ones that come and go */
static void add_pose(uint64_t *random, bool few, ossai_top_weights *top, double *full)
{
	for (size_t p = 0; p < POINTS; p++) {
		for (uint32_t i = 0; i < (few ? 8 : 60); i++) {
			const uint32_t bone = i < 5 ? (uint32_t)(p * 7 + i) % BONES
										: (uint32_t)(fabs(test_random(random)) * (few ? 4 : BONES - 1));
			const double value = i < 5 ? 0.2 / (1 + i) : 1e-3 * fabs(test_random(random)) + 1e-9;
			ossai_top_weights_add(top, p, bone, value);
			full[p * BONES + bone] += value;
		}
	}
}

static void the_largest_are_those_of_a_full_table(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static double full[POINTS * BONES];
	for (int few = 0; few < 2; few++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_top_weights top;
		ossai_bone_weights w;
		uint64_t random = 9;
		memset(full, 0, sizeof full);
		assert_ok(context, ossai_top_weights_make(&arena, POINTS, INFLUENCES, &top));
		assert_ok(context, ossai_bone_weights_new(&arena, POINTS, BONES, INFLUENCES, &w));
		for (int pose = 0; pose < POSES; pose++) add_pose(&random, few, &top, full);
		for (size_t p = 0; p < POINTS; p++) {
			assert_true(ossai_top_weights_take(&top, p, 0, p, &w));
			double sum = 0, best[INFLUENCES];
			for (size_t i = 0; i < INFLUENCES; i++) {
				size_t largest = 0;
				for (size_t b = 1; b < BONES; b++) largest = full[p * BONES + b] > full[p * BONES + largest] ? b : largest;
				assert_int_equal(w.bone[p * INFLUENCES + i], largest);
				sum += best[i] = full[p * BONES + largest];
				full[p * BONES + largest] = 0;
			}
			for (size_t i = 0; i < INFLUENCES; i++) assert_near(w.value[p * INFLUENCES + i], best[i] / sum, 1e-2);
		}
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

static void what_could_be_lost_is_known(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_top_weights top;
	ossai_bone_weights w;
	assert_ok(context, ossai_top_weights_make(&arena, 2, 1, &top));
	assert_ok(context, ossai_bone_weights_new(&arena, 2, 100, 1, &w));
	assert_false(ossai_top_weights_take(&top, 0, 0, 0, &w));
	assert_int_equal(w.count[0], 0);
	for (uint32_t b = 0; b < 100; b++) ossai_top_weights_add(&top, 1, b, 1);
	assert_true(ossai_top_weights_take(&top, 1, 0, 1, &w));
	assert_true(w.count[1] == 1 && w.bone[1] == 0 && w.value[1] == 1);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* ---- poses ---- */

/* two bones; the second one is turned by angle[k] in pose k, and all is turned and moved besides */
static ossai_bone_motion bend(ossai_arena *arena, size_t pose_count, const double *angle)
{
	ossai_bone_motion motion;
	assert_ok(arena->context, ossai_bone_motion_new(arena, 2, pose_count, &motion));
	for (size_t k = 0; k < pose_count; k++) {
		const ossai_quat all = ossai_quat_axis_angle(ossai_v3(0, 1, 0), (double)k),
						 own = ossai_quat_axis_angle(ossai_v3(0, 0, 1), angle[k]);
		const ossai_rigid body = {ossai_quat_matrix(all), {(double)k, 0, 1}}, joint = {ossai_quat_matrix(own), {0, 0, 0}};
		motion.rigid[k] = body;
		motion.rigid[pose_count + k] = ossai_rigid_mul(&body, &joint);
	}
	return motion;
}

static void poses_are_as_far_apart_as_can_be(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	static const double angle[] = {0.1, 0, 2, 1.9, 1, 0, 0.05, 1.95, 1.05, 0};
	const ossai_bone_motion motion = bend(&arena, 10, angle);
	ossai_segment list[] = {{0, {-1, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {1, 0, 0}}};
	const ossai_bone_segments segments = {2, 2, list};
	ossai_pose_choice choice;
	assert_ok(context, ossai_pose_choose(&arena, &segments, &motion, 3, &choice));
	assert_int_equal(choice.count, 3);
	assert_true(choice.pose[0] == OSSAI_REST_POSE && choice.pose[1] == 2 && choice.pose[2] == 8);
	/* the rest and its like: 6 of 11; those near 2: 3; those near 1: 2 */
	assert_near(choice.share[0], 6 / 11.0, 1e-12);
	assert_near(choice.share[1], 3 / 11.0, 1e-12);
	assert_near(choice.share[2], 2 / 11.0, 1e-12);
	/* only the rest: when it is all that is wanted, when there is no motion, when nothing moves */
	static const double frozen[10] = {0};
	const ossai_bone_motion still = bend(&arena, 10, frozen);
	const struct {
		const ossai_bone_motion *motion;
		size_t wanted;
	} rests[] = {{&motion, 1}, {&motion, 0}, {NULL, 5}, {&still, 5}};
	for (size_t i = 0; i < 4; i++) {
		assert_ok(context, ossai_pose_choose(&arena, &segments, rests[i].motion, rests[i].wanted, &choice));
		assert_int_equal(choice.count, 1);
		assert_true(choice.pose[0] == OSSAI_REST_POSE);
		assert_near(choice.share[0], 1, 1e-12);
	}
	/* all that differ, in the order of time */
	assert_ok(context, ossai_pose_choose(&arena, &segments, &motion, 100, &choice));
	assert_int_equal(choice.count, 8);
	for (size_t i = 2; i < choice.count; i++) assert_true(choice.pose[i] > choice.pose[i - 1]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_are_those_of_a_full_table),
		cmocka_unit_test(what_could_be_lost_is_known),
		cmocka_unit_test(poses_are_as_far_apart_as_can_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
