/* tests/rig/test_dependencies.c: dependent bones as values: what is refused, and how they follow
   the bones of other rigs made of a rig. */
#include "rig/dependencies.h"

#include "rig/copy_bones.h"
#include "rig/levels.h"
#include "support/compare.h"
#include "support/hinge.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const int32_t parents[] = {0, 1, 2, 0};

static double angle_at(const void *user, size_t hinge, size_t frame)
{
	(void)user;
	return 10 * (double)(hinge + 1) * (double)(frame % 3);
}

static ossa_rig *make_rig(ossa_context *context) { return test_hinges_rig(context, 4, parents, 3, angle_at, NULL); }

static const ossa_dependency good[] = {{3, 1, 0.5, 1, 0.1, 0.2, {0}}, {2, 1, -2, 0, 0, 0, {0}}};

static void they_are_sorted_and_replaced(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, good));
	assert_int_equal(rig->dependency_count, 2);
	assert_memory_equal(&rig->dependencies[0], &good[1], sizeof good[0]);
	assert_memory_equal(&rig->dependencies[1], &good[0], sizeof good[0]);
	assert_int_equal(ossa_rig_dependency_of(rig, 3), 1);
	assert_int_equal(ossa_rig_dependency_of(rig, 1), -1);
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 0, NULL));
	assert_true(rig->dependency_count == 0 && !rig->dependencies);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void nonsense_is_refused(void **state)
{
	(void)state;
	static const struct {
		size_t count;
		ossa_dependency list[2];
		const char *words;
	} cases[] = {
		{1, {{5, 1, 1, 0, 0, 0, {0}}}, "not there"},
		{1, {{1, -1, 1, 0, 0, 0, {0}}}, "not there"},
		{1, {{2, 2, 1, 0, 0, 0, {0}}}, "by itself"},
		{1, {{2, 0, 1, 0, 0, 0, {0}}}, "the root"},
		{1, {{2, 1, 0, 0, 0, 0, {0}}}, "ratio that is 0"},
		{1, {{2, 1, NAN, 0, 0, 0, {0}}}, "ratio"},
		{1, {{2, 1, 1, INFINITY, 0, 0, {0}}}, "offset"},
		{1, {{2, 1, 1, 0, -1, 0, {0}}}, "error"},
		{1, {{2, 1, 1, 0, 0, NAN, {0}}}, "cost"},
		{2, {{2, 1, 1, 0, 0, 0, {0}}, {2, 3, 1, 0, 0, 0, {0}}}, "a second time"},
		{2, {{2, 1, 1, 0, 0, 0, {0}}, {3, 2, 1, 0, 0, 0, {0}}}, "driven itself"},
		{2, {{2, 3, 1, 0, 0, 0, {0}}, {3, 2, 1, 0, 0, 0, {0}}}, "driven itself"},
	};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, good));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_fails(
			context, ossa_rig_set_dependencies(context, rig, cases[i].count, cases[i].list), OSSA_ERROR_INPUT, cases[i].words);
		assert_int_equal(rig->dependency_count, 2);
		ossa_rig wrong = *rig;
		wrong.dependency_count = cases[i].count;
		wrong.dependencies = (ossa_dependency *)cases[i].list;
		assert_fails(context, ossa_rig_validate(context, &wrong), OSSA_ERROR_INPUT, cases[i].words);
	}
	ossa_rig wrong = *rig;
	wrong.dependencies = NULL;
	assert_fails(context, ossa_rig_validate(context, &wrong), OSSA_ERROR_INPUT, "missing");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a coarser rig without bone 2: bone 3 turns against another parent then */
static void rigs_of_fewer_bones_keep_what_turns_alike(void **state)
{
	(void)state;
	static const ossa_dependency three[] = {{2, 1, -2, 0, 0, 0, {0}}, {3, 1, 0.5, 1, 0.1, 0.2, {0}}, {4, 1, 3, 0, 0, 0, {0}}};
	static const uint8_t gone[] = {0, 0, 1, 0, 0};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context), *fewer;
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 3, three));
	assert_ok(context, ossai_rig_without(context, rig, gone, &fewer));
	assert_ok(context, ossa_rig_validate(context, fewer));
	assert_int_equal(fewer->dependency_count, 1);
	assert_int_equal(fewer->dependencies[0].bone, 3);
	assert_string_equal(fewer->skeleton.bones[3].name, "hinge_4");
	assert_int_equal(fewer->dependencies[0].driver, 1);
	ossa_rig_free(context, fewer);
	assert_ok(context, ossa_rig_create(context, rig->mesh, 5, 1, &fewer));
	assert_ok(context, ossai_rig_copy_bones(context, rig, fewer));
	assert_int_equal(fewer->dependency_count, 3);
	assert_memory_equal(fewer->dependencies, rig->dependencies, sizeof three);
	ossa_rig_free(context, fewer);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the rest pose becomes frame 2: the same poses are in line with other offsets */
static void another_rest_pose_has_other_offsets(void **state)
{
	(void)state;
	static const ossa_dependency line = {2, 1, 2, 0, 0, 0, {0}};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 1, &line));
	/* angle_at: 20 per frame is 2 times 10 per frame, also from there on */
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, 1));
	assert_near(rig->dependencies[0].offset_degrees, 0, 1e-9);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 1, &(ossa_dependency){3, 1, 2, 0, 0, 0, {0}}));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, 2));
	/* b = 30 and a = 10 more than at the rest pose before */
	assert_near(rig->dependencies[0].offset_degrees, 2 * 10 - 30, 1e-6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_new_root_renumbers_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	bool added;
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, good));
	assert_ok(context, ossa_rig_add_root(context, rig, &added));
	assert_true(added);
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->skeleton.bones[rig->dependencies[0].bone].name, "hinge_2");
	assert_string_equal(rig->skeleton.bones[rig->dependencies[1].driver].name, "hinge_1");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* formats without what drives bones say so */
static void files_say_what_they_leave_out(void **state)
{
	(void)state;
	static const char *const names[] = {
		"driven.fbx", "driven.bvh", "driven.usda", "driven.glb", "driven.dae", "driven_maya.py", "driven.urdf", "driven.json"};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_MACHINE, 1000, 2);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ossa_context_reset(context);
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path(names[i]), NULL));
		assert_int_equal(test_warned(context, "dependencies-left-out"), i < 3 ? 4 : 0);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_sorted_and_replaced),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(rigs_of_fewer_bones_keep_what_turns_alike),
		cmocka_unit_test(another_rest_pose_has_other_offsets),
		cmocka_unit_test(a_new_root_renumbers_them),
		cmocka_unit_test(files_say_what_they_leave_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
