/* tests/methods/test_still_attempt.c: which of two rigs of one mesh is kept: what is measured, and
   each threshold just below and just above it. */
#include "methods/still_attempt.h"
#include "support/support.h"

#include <string.h>

/* ---- what is measured ---- */

/* a box from (0, 0, 0) to (4, 1, 1), its faces outward */
static ossa_mesh *box(ossa_context *context)
{
	static const float corners[8][3] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 1, 0}, {0, 0, 1}, {4, 0, 1}, {4, 1, 1}, {0, 1, 1}};
	static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
		{1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 8, &corners[0][0], 12, &faces[0][0], &mesh));
	return mesh;
}

/* one bone along x in the middle of the box */
static ossai_attempt attempt_of(ossa_context *context, ossa_mesh *mesh, double from, double to)
{
	ossa_bone bone = {.parent = -1, .joint = {from, 0.5, 0.5}, .tail = {to, 0.5, 0.5}};
	ossa_rig rig = {.mesh = mesh, .skeleton = {.bone_count = 1, .bones = &bone}};
	ossai_attempt attempt = {.rig = &rig};
	assert_ok(context, ossai_still_attempt_measure_inside(context, &attempt));
	ossai_still_attempt_measure_distance(&attempt);
	attempt.rig = NULL;
	return attempt;
}

static void points_inside_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = box(context);
	/* eight points from the joint on, without the tip */
	assert_true(attempt_of(context, mesh, 0.1, 3.9).inside == 1);
	assert_true(attempt_of(context, mesh, 0.1, 4.1).inside == 1);
	assert_true(attempt_of(context, mesh, 0.1, 8.1).inside == 0.5);
	assert_true(attempt_of(context, mesh, -8, -1).inside == 0);
	/* a joint just outside and just inside of the face at x = 0, where the winding number goes from
	   0 to 1 */
	assert_true(attempt_of(context, mesh, -0.01, 3.9).inside == 7.0 / 8);
	assert_true(attempt_of(context, mesh, 0.01, 3.9).inside == 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void distances_are_relative_to_the_size(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = box(context);
	/* all corners are as far from the nearest point of the bone, and as far from the centroid */
	const double corner = sqrt(4 + 0.5), near = sqrt(0.5);
	assert_near(attempt_of(context, mesh, 0, 4).distance, near / corner, 1e-6);
	assert_near(attempt_of(context, mesh, 2, 2).distance, 1, 1e-6);
	assert_near(attempt_of(context, mesh, 1, 3).distance, sqrt(1 + 0.5) / corner, 1e-6);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- what is decided ---- */

static ossa_rig a_rig;

static ossai_attempt found(double inside, double distance)
{
	return (ossai_attempt){.rig = &a_rig, .inside = inside, .distance = distance};
}

static bool is_enough(double inside)
{
	const ossai_attempt a = found(inside, 0.2);
	return ossai_still_attempt_is_enough(&a);
}

static bool is_partial(double distance, double other)
{
	const ossai_attempt a = found(1, distance), b = found(1, other);
	return ossai_still_attempt_is_partial(&a, &b);
}

static bool is_better(ossai_attempt late, ossai_attempt early) { return ossai_still_attempt_is_better(&late, &early); }

static void nearly_all_inside_is_enough(void **state)
{
	(void)state;
	assert_true(is_enough(0.95) && is_enough(1));
	assert_false(is_enough(0.9499));
}

static void no_other_method_finds_limbs_where_one_found_none(void **state)
{
	(void)state;
	ossai_attempt a = found(0, 0.2);
	assert_false(ossai_still_attempt_is_enough(&a));
	a.has_no_limbs = true;
	assert_true(ossai_still_attempt_is_enough(&a));
}

static void a_rig_that_leaves_parts_or_loops_out_is_not_better(void **state)
{
	(void)state;
	ossa_rig two_loops = {.loop_count = 2}, one_loop = {.loop_count = 1};
	ossai_attempt late = found(1, 0.2), early = found(0.5, 0.2);
	late.leaves_parts_out = true;
	assert_true(ossai_still_attempt_is_partial(&late, &early));
	assert_false(is_better(late, early));
	late = found(1, 0.2);
	late.rig = &one_loop;
	early.rig = &two_loops;
	assert_true(ossai_still_attempt_lacks_loops(&late, &early) && !is_better(late, early));
	/* more loops, or as many, are no shortcoming */
	assert_true(is_better(late, found(0.5, 0.2)));
	early.rig = &one_loop;
	assert_true(is_better(late, early));
}

static void a_little_more_inside_is_not_better(void **state)
{
	(void)state;
	assert_false(is_better(found(0.9199, 0.2), found(0.9, 0.2)));
	assert_true(is_better(found(0.9201, 0.2), found(0.9, 0.2)));
}

static void bones_in_a_part_leave_the_surface_far_away(void **state)
{
	(void)state;
	assert_false(is_partial(0.2999, 0.2));
	assert_true(is_partial(0.3001, 0.2));
	/* thin shapes, too */
	assert_false(is_partial(0.01499, 0.01));
	assert_true(is_partial(0.01501, 0.01));
	/* and then more bones inside do not make it better */
	assert_true(is_better(found(1, 0.2999), found(0.5, 0.2)));
	assert_false(is_better(found(1, 0.3001), found(0.5, 0.2)));
	/* a method that failed is not compared */
	const ossai_attempt failed = {.rig = NULL}, complete = found(1, 0.5);
	assert_false(ossai_still_attempt_is_partial(&complete, &failed));
	assert_false(ossai_still_attempt_is_partial(&failed, &complete));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_inside_are_counted),
		cmocka_unit_test(distances_are_relative_to_the_size),
		cmocka_unit_test(nearly_all_inside_is_enough),
		cmocka_unit_test(no_other_method_finds_limbs_where_one_found_none),
		cmocka_unit_test(a_rig_that_leaves_parts_or_loops_out_is_not_better),
		cmocka_unit_test(a_little_more_inside_is_not_better),
		cmocka_unit_test(bones_in_a_part_leave_the_surface_far_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
