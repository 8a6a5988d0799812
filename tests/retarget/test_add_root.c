/* tests/retarget/test_add_root.c: a root bone on the ground, and nothing else moves. */
#include "support/many_clips.h"
#include "support/walker.h"

#include "samples/samples.h"

#include <string.h>

static void the_ground_gets_a_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 1.4, .sway = 0.03});
	ossa_rig *before = test_walker(context, &(test_walk){.ahead = 1.4, .sway = 0.03});
	ossa_clip *made;
	bool added;
	test_add_clips(context, rig);
	test_add_clips(context, before);
	assert_ok(context, ossa_rig_add_root(context, rig, &added));
	assert_true(added);
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->skeleton.bones[0].name, "root");
	assert_near_vec3(ossai_v3_of(rig->skeleton.bones[0].joint), ossai_v3(0, 0, 0), 1e-12);
	test_assert_same_clips(before, rig, 1e-9);
	for (size_t f = 0; f < 61; f++) {
		const ossai_rigid was = test_joint_at(before, before->clip, "foot_L", f),
						  is = test_joint_at(rig, rig->clip, "foot_L", f);
		assert_near_vec3(is.t, was.t, 1e-12);
	}
	/* so that its travel can be extracted; one root is enough */
	assert_ok(context, ossa_clip_set_root_motion(context, rig, NULL, OSSA_ROOT_EXTRACT, &made));
	assert_near(made->root_positions[3 * 60 + 2], 1.4, 1e-9);
	ossa_clip_free(context, made);
	assert_ok(context, ossa_rig_add_root(context, rig, &added));
	assert_false(added);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static float *pose(ossa_context *context, const ossa_rig *rig)
{
	float *positions = ossa_alloc(context, rig->mesh->vertex_count, 3 * sizeof *positions);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 2, positions));
	return positions;
}

static void no_vertex_moves(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.faces = 1000;
	options.frames = 4;
	options.kind = OSSA_SAMPLE_SNAKE;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	const size_t bones = rig->skeleton.bone_count;
	strcpy(rig->skeleton.bones[bones - 1].name, "root");
	float *was = pose(context, rig);
	bool added;
	assert_ok(context, ossa_rig_add_root(context, rig, &added));
	assert_true(added);
	assert_int_equal(rig->skeleton.bone_count, bones + 1);
	assert_string_equal(rig->skeleton.bones[0].name, "root_2");
	assert_ok(context, ossa_rig_validate(context, rig));
	float *is = pose(context, rig);
	for (size_t i = 0; i < 3 * rig->mesh->vertex_count; i++) assert_near((double)is[i], (double)was[i], 1e-6);
	ossa_free(context, was);
	ossa_free(context, is);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status add_again(ossa_context *context, void *user)
{
	ossa_rig *rig;
	const ossa_rig *source = user;
	ossa_status status = ossa_rig_create(context, source->mesh, source->skeleton.bone_count, 1, &rig);
	if (status != OSSA_OK) return status;
	memcpy(rig->skeleton.bones, source->skeleton.bones, source->skeleton.bone_count * sizeof *rig->skeleton.bones);
	status = ossa_clip_copy(context, source->clip, &rig->clip);
	if (status == OSSA_OK) status = ossa_rig_add_root(context, rig, NULL);
	ossa_rig_free(context, rig);
	return status;
}

static void failing_memory_leaves_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_walker(context, &(test_walk){.ahead = 1.4});
	assert_true(test_allocation_sweep(add_again, rig, SIZE_MAX, 1) > 8);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ground_gets_a_bone),
		cmocka_unit_test(no_vertex_moves),
		cmocka_unit_test(failing_memory_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
