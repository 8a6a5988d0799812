/* tests/methods/test_make_rig.c: which of two rigs is closer, what is missing in the input, and how
   bones are named. */
#include "methods/make_rig.h"
#include "support/shapes.h"
#include "support/support.h"

#include <ossa/ossa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_closer(double late, double early)
{
	return ossai_attempt_is_closer(&(ossai_attempt){.rms_percent = late}, &(ossai_attempt){.rms_percent = early});
}

/* by 1e-3 % of the diagonal, and by 1 % of the error */
static void noise_does_not_choose(void **state)
{
	(void)state;
	assert_true(is_closer(1, 1.0102));
	assert_false(is_closer(1, 1.0100));
	assert_false(is_closer(1, 0.9));
	assert_false(is_closer(1, 1));
	/* small errors: their share is large, their difference is not */
	assert_false(is_closer(0.001, 0.0019));
	assert_true(is_closer(0.001, 0.0021));
	/* an attempt that failed has no error */
	assert_false(is_closer(NAN, 1));
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig_result result = {.rig = (ossa_rig *)1};
	assert_fails(context, ossa_rig_make(context, NULL, NULL, &result), OSSA_ERROR_ARGUMENT, "ossa_rig_input");
	assert_null(result.rig);
	assert_fails(context, ossa_rig_make(context, &(ossa_rig_input){NULL, NULL}, NULL, &result), OSSA_ERROR_ARGUMENT, "mesh");
	ossa_rig_result_free(context, NULL);
	test_context_end(context);
}

/* of one mesh the options of motion have no effect, and of one method there is no choice to
   explain */
static void a_box_by_one_method(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(6, 1, 1), true);
	ossa_mesh *mesh;
	assert_ok(
		context, ossa_mesh_create(context, shape->vertex_count, shape->positions, shape->face_count, shape->triangles, &mesh));
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, "volume");
	options.names = OSSA_NAMES_NUMBERS;
	options.key_frames += 1;
	options.effort = OSSA_EFFORT_BEST;
	options.body = OSSA_BODY_HUMAN;
	ossa_rig_result made;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &options, &made));
	assert_string_equal(made.method->name, "volume");
	assert_string_equal(made.rig->method, "volume");
	assert_string_equal(made.reason, "");
	assert_int_equal(made.attempt_count, 1);
	assert_non_null(
		strstr(test_warning_text(context, "unused-options"), "`key-frames` (nothing moves), `effort` (nothing moves)"));
	assert_non_null(
		strstr(test_warning_text(context, "unused-options"), "`body` (for one mesh it is an option of the method)"));
	for (size_t b = 1; b < made.rig->skeleton.bone_count; b++) {
		char name[64];
		snprintf(name, sizeof name, "bone_%02zu", b);
		assert_string_equal(made.rig->skeleton.bones[b].name, name);
	}
	ossa_rig_result_free(context, &made);
	assert_null(made.rig);
	/* nobody needs the result */
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &options, NULL));
	ossa_mesh_free(context, mesh);
	free(shape);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(noise_does_not_choose), cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_box_by_one_method)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
