/* tests/rig/test_find_dependencies.c: which hinges turn as others do, on rigs of few hinges whose
   angles are given. */
#include "support/hinge.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 40 };

/* below the root but for the last two, which are below each other */
enum { OWN = 8, FIRST = OWN, SECOND, HINGES };
static const int32_t parents[HINGES] = {0, 0, 0, 0, 0, 0, 0, 0, 1, FIRST + 1};

/* all but the last two hinges turn on their own, these as is asked for */
typedef struct motion {
	double ratio, offset; /* of the first to hinge 0 */
	double other, beside; /* of the second to the first; what is added to the first, by turns */
	double step;          /* hinge 0 turns so much from frame to frame; 0: at random */
	size_t pose_count;    /* independent ones, with even steps from one to the next; 0: all */
} motion;

static double chance(size_t hinge, size_t frame)
{
	uint64_t seed = 1 + hinge + 31 * frame;
	test_random(&seed);
	return 40 * test_random(&seed);
}

/* the angle of a hinge that turns on its own: at random, or between poses at random */
static double own_angle(const motion *m, size_t hinge, size_t frame)
{
	if (m->pose_count == 0) return chance(hinge, frame);
	const double at = (double)(frame + 1) * (double)m->pose_count / FRAMES, first = floor(at);
	const double before = first > 0 ? chance(hinge, (size_t)first) : 0;
	return before + (at - first) * (chance(hinge, (size_t)first + 1) - before);
}

static double angle_at(const void *user, size_t hinge, size_t frame)
{
	const motion *m = user;
	if (hinge == 0 && m->step > 0) return m->step * (double)(frame + 1);
	if (hinge < OWN) return own_angle(m, hinge, frame);
	const double first = m->ratio * angle_at(user, 0, frame) + m->offset + (frame % 2 ? m->beside : -m->beside);
	return hinge == FIRST ? first : m->other * first + (m->other == 0 ? chance(SECOND, frame) : 0);
}

static ossa_rig *rig_of(ossa_context *context, const motion *m)
{
	ossa_rig *rig = test_hinges_rig(context, HINGES, parents, FRAMES, angle_at, m);
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void check(const ossa_dependency *d, int32_t bone, double ratio, double offset)
{
	assert_int_equal(d->bone, bone);
	assert_int_equal(d->driver, 1);
	assert_near(d->ratio, ratio, 1e-9 + 1e-9 * fabs(ratio));
	assert_near(d->offset_degrees, offset, 1e-6);
}

static void chains_have_one_driver(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, &(motion){.ratio = 0.75, .other = -2});
	assert_int_equal(rig->dependency_count, 2);
	check(&rig->dependencies[0], FIRST + 1, 0.75, 0);
	check(&rig->dependencies[1], SECOND + 1, -1.5, 0);
	assert_true(rig->dependencies[0].offset_degrees == 0);
	assert_int_equal(ossa_rig_dependency_of(rig, SECOND + 1), 1);
	assert_int_equal(ossa_rig_dependency_of(rig, 1), -1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void offsets_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, &(motion){.ratio = -0.5, .offset = 12, .other = 2});
	assert_int_equal(rig->dependency_count, 2);
	check(&rig->dependencies[0], FIRST + 1, -0.5, 12);
	check(&rig->dependencies[1], SECOND + 1, -1, 24);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* both arms of a dancer, two legs; one arm, an arm and what is no part of a body */
static void limbs_of_a_body_do_not_drive_each_other(void **state)
{
	(void)state;
	static const ossa_role left = {OSSA_PART_LOWER_ARM, 1, 0, 0}, right = {OSSA_PART_LOWER_ARM, -1, 0, 0}, none = {0},
						   upper = {OSSA_PART_UPPER_ARM, 1, 0, 0}, front = {OSSA_PART_FRONT_LOWER_LEG, 1, 0, 0},
						   back = {OSSA_PART_BACK_LOWER_LEG, 1, 0, 0}, leg = {OSSA_PART_LEG, 1, 0, 1},
						   next = {OSSA_PART_LEG, 1, 0, 2};
	const ossa_role roles[][2] = {{left, right}, {front, back}, {leg, next}, {upper, left}, {left, none}};
	static const size_t wanted[] = {0, 0, 0, 1, 1};
	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = rig_of(context, &(motion){.ratio = 0.75});
		rig->skeleton.bones[1].role = roles[i][0];
		rig->skeleton.bones[FIRST + 1].role = roles[i][1];
		assert_ok(context, ossa_rig_find_dependencies(context, rig));
		assert_int_equal(rig->dependency_count, wanted[i]);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* 1600 degrees, and 1.8 times as many */
static void wheels_are_followed_beyond_full_circles(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, &(motion){.ratio = 1.8, .other = 0.5, .step = 40});
	assert_int_equal(rig->dependency_count, 2);
	check(&rig->dependencies[0], FIRST + 1, 1.8, 0);
	check(&rig->dependencies[1], SECOND + 1, 0.9, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static size_t count_of(const motion *m)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, m);
	const size_t count = rig->dependency_count;
	ossa_rig_free(context, rig);
	test_context_end(context);
	return count;
}

/* l - 1 - log l = 2 at l = 4.51: 2.12 times 0.1 + |ratio| 0.1 degrees, of which the line itself
   takes a part that is small in 40 frames */
static void lines_are_as_sure_as_angles(void **state)
{
	(void)state;
	assert_int_equal(count_of(&(motion){.ratio = 1, .beside = 2.05 * 0.2}), 1);
	assert_int_equal(count_of(&(motion){.ratio = 1, .beside = 2.25 * 0.2}), 0);
	assert_int_equal(count_of(&(motion){.ratio = 2, .beside = 2.05 * 0.3}), 1);
	assert_int_equal(count_of(&(motion){.ratio = 2, .beside = 2.25 * 0.3}), 0);
}

/* 2.1 times what is unsure on a spread of 7 times that is little evidence */
static void residuals_count_against_lines(void **state)
{
	(void)state;
	assert_int_equal(count_of(&(motion){.ratio = 0.03, .beside = 0.9 * 0.103}), 1);
	assert_int_equal(count_of(&(motion){.ratio = 0.03, .beside = 2.05 * 0.103}), 0);
}

/* in one pose all hinges are in line, however many frames lead there; in two any two, and a third
   is there by chance; an offset takes one more */
static void few_poses_show_nothing(void **state)
{
	(void)state;
	assert_int_equal(count_of(&(motion){.ratio = 1, .other = 1, .pose_count = 1}), 0);
	assert_int_equal(count_of(&(motion){.ratio = 1, .offset = 10, .other = 1, .pose_count = 2}), 0);
	assert_int_equal(count_of(&(motion){.ratio = 1, .other = 1, .pose_count = 4}), 2);
	assert_int_equal(count_of(&(motion){.ratio = 1, .offset = 10, .other = 1, .pose_count = 8}), 2);
}

static double no_turn(const void *user, size_t hinge, size_t frame)
{
	(void)user, (void)hinge, (void)frame;
	return 0;
}

/* the piston of a crank: a function of its angle, though no line */
static double piston(const void *user, size_t hinge, size_t frame)
{
	const double crank = 2 * chance(0, frame);
	if (hinge == FIRST) return asin(0.4 * sin(crank * OSSAI_PI / 180)) * 180 / OSSAI_PI;
	return hinge == 0 ? crank : angle_at(user, hinge, frame);
}

static void other_functions_are_no_lines(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const motion alone = {.ratio = 0};
	ossa_rig *rig = test_hinges_rig(context, HINGES, parents, FRAMES, piston, &alone);
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 0);
	ossa_rig_free(context, rig);
	rig = test_hinges_rig(context, HINGES, parents, FRAMES, no_turn, NULL);
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* without motion there are none, also where there were some; other motions count as the first */
static void all_motions_count(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const motion m = {.ratio = 0.75, .other = -2};
	ossa_rig *rig = rig_of(context, &m);
	ossa_clip *clips[2];
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clips[0]));
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clips[1]));
	for (size_t f = 0; f < FRAMES; f++) test_turn_hinge(rig, clips[1], f, FIRST + 1, chance(12, f));
	assert_ok(context, ossa_rig_set_clips(context, rig, 2, clips));
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 1);
	check(&rig->dependencies[0], SECOND + 1, -1.5, 0);
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clips[0]));
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clips[1]));
	assert_ok(context, ossa_rig_set_clips(context, rig, 2, clips));
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 2);
	assert_ok(context, ossa_rig_set_clips(context, rig, 0, NULL));
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- what it costs ---- */

/* RMS distance of all vertices and frames between two motions */
static double distance_of(ossa_context *context, const ossa_rig *rig, const ossa_clip *a, const ossa_clip *b)
{
	float at[2][9 * (TEST_HINGES_MAX + 1)];
	const size_t numbers = 3 * rig->mesh->vertex_count;
	double sum = 0;
	for (size_t f = 0; f < a->frame_count; f++) {
		assert_ok(context, ossa_rig_pose(context, rig, NULL, a, f, at[0]));
		assert_ok(context, ossa_rig_pose(context, rig, NULL, b, f, at[1]));
		for (size_t i = 0; i < numbers; i++)
			sum += ((double)at[0][i] - (double)at[1][i]) * ((double)at[0][i] - (double)at[1][i]);
	}
	return sqrt(sum / (double)(a->frame_count * rig->mesh->vertex_count));
}

/* the child of the driven bone turns on its own, and its skin moves along: to first order it is
   where it is at rest */
static void the_cost_is_how_far_skin_moves(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, &(motion){.ratio = 0.5, .beside = 0.2});
	assert_int_equal(rig->dependency_count, 1);
	const ossa_dependency *d = &rig->dependencies[0];
	ossa_clip *driven;
	assert_ok(context, ossa_clip_copy(context, rig->clip, &driven));
	for (size_t f = 0; f < FRAMES; f++) test_turn_hinge(rig, driven, f, FIRST + 1, d->ratio * chance(0, f) + d->offset_degrees);
	assert_near(d->error_degrees, 0.2, 0.01);
	assert_true(d->cost > 1e-4);
	assert_near(distance_of(context, rig, rig->clip, driven) / d->cost, 1, 0.1);
	ossa_clip_free(context, driven);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- allocation ---- */

static ossa_status find_again(ossa_context *context, void *user)
{
	const ossa_rig *from = user;
	ossa_rig own = *from;
	own.dependencies = NULL;
	own.dependency_count = 0;
	const ossa_status status = ossa_rig_find_dependencies(context, &own);
	ossa_free(context, own.dependencies);
	return status;
}

static void a_failed_search_leaves_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of(context, &(motion){.ratio = 0.5});
	assert_true(test_allocation_sweep(find_again, rig, 100, 1) >= 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_have_one_driver),
		cmocka_unit_test(offsets_are_found),
		cmocka_unit_test(limbs_of_a_body_do_not_drive_each_other),
		cmocka_unit_test(wheels_are_followed_beyond_full_circles),
		cmocka_unit_test(lines_are_as_sure_as_angles),
		cmocka_unit_test(residuals_count_against_lines),
		cmocka_unit_test(few_poses_show_nothing),
		cmocka_unit_test(other_functions_are_no_lines),
		cmocka_unit_test(all_motions_count),
		cmocka_unit_test(the_cost_is_how_far_skin_moves),
		cmocka_unit_test(a_failed_search_leaves_the_rig),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
