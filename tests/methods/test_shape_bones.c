/* tests/methods/test_shape_bones.c: frames rigged with the bones of the rest shape. */
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_sample *biped(ossa_context *context, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 3000;
	options.frames = frames;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_rig_result make(ossa_context *context, const ossa_sample *sample, const ossa_rig_options *options)
{
	ossa_frame_stream *stream;
	ossa_rig_result made;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	ossa_frame_stream_free(context, stream);
	return made;
}

static ossa_rig_options of_shape(void)
{
	ossa_rig_options options = ossa_rig_default();
	options.articulation = OSSA_ARTICULATION_SHAPE;
	return options;
}

static void assert_same_bones(const ossa_skeleton *a, const ossa_skeleton *b)
{
	assert_int_equal(a->bone_count, b->bone_count);
	for (size_t i = 0; i < a->bone_count; i++) {
		assert_string_equal(a->bones[i].name, b->bones[i].name);
		assert_int_equal(a->bones[i].parent, b->bones[i].parent);
		assert_true(a->bones[i].role.part == b->bones[i].role.part && a->bones[i].role.side == b->bones[i].role.side);
	}
}

/* names, tree and roles are those of the mesh alone; weights and joints follow the motion */
static void bones_are_those_of_the_rest_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = biped(context, 16);
	ossa_rig_options options = of_shape(), still = ossa_rig_default();
	ossa_rig_result made = make(context, sample, &options), rest, unsolved;
	strcpy(still.method, made.method->name);
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, NULL}, &still, &rest));
	unsolved = make(context, sample, &still);
	assert_false(made.method->takes_motion);
	assert_int_equal(made.rig->body.kind, OSSA_BODY_HUMAN);
	assert_same_bones(&made.rig->skeleton, &rest.rig->skeleton);
	assert_int_equal(made.rig->clip->frame_count, 16);
	assert_true(made.hierarchy.rms_percent < unsolved.hierarchy.rms_percent / 4);
	assert_true(made.hierarchy.rms_percent < 0.1);
	ossa_rig_result_free(context, &unsolved);
	ossa_rig_result_free(context, &rest);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_do_not_change_it(void **state)
{
	(void)state;
	ossa_rig *rig[2];
	ossa_context *context[2];
	for (int i = 0; i < 2; i++) {
		context[i] = test_context(1 + 3 * i);
		ossa_sample *sample = biped(context[i], 8);
		const ossa_rig_options options = of_shape();
		ossa_rig_result made = make(context[i], sample, &options);
		rig[i] = made.rig;
		made.rig = NULL;
		ossa_rig_result_free(context[i], &made);
		ossa_sample_free(context[i], sample);
	}
	assert_same_bones(&rig[0]->skeleton, &rig[1]->skeleton);
	assert_memory_equal(rig[0]->skeleton.bones, rig[1]->skeleton.bones, rig[0]->skeleton.bone_count * sizeof(ossa_bone));
	assert_memory_equal(rig[0]->weights.values, rig[1]->weights.values,
		rig[0]->weights.vertex_count * (size_t)rig[0]->weights.influences * sizeof *rig[0]->weights.values);
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(context[i], rig[i]);
		test_context_end(context[i]);
	}
}

static void methods_for_motion_find_no_bones_of_a_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = biped(context, 4);
	ossa_rig_options options = of_shape();
	ossa_frame_stream *stream;
	ossa_rig_result made;
	strcpy(options.method, "examples");
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_fails(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, &made),
		OSSA_ERROR_ARGUMENT, "takes the bones of the rest shape");
	/* options of them alone, too */
	ossa_method_options *all;
	strcpy(options.method, "auto");
	assert_ok(context, ossa_method_options_create(context, &all));
	options.methods = all;
	assert_ok(context, ossa_rig_option_set(context, &options, "worth", "0.1"));
	assert_fails(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, &made),
		OSSA_ERROR_ARGUMENT, "`worth` is of methods that find bones by motion");
	ossa_method_options_free(context, all);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void influences_are_those_of_the_options(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = biped(context, 4);
	ossa_rig_options options = of_shape();
	ossa_method_options *all;
	assert_ok(context, ossa_method_options_create(context, &all));
	options.methods = all;
	options.effort = OSSA_EFFORT_FAST;
	assert_ok(context, ossa_rig_option_set(context, &options, "influences", "2"));
	assert_ok(context, ossa_rig_option_set(context, &options, "symmetry", "enforce"));
	ossa_rig_result made = make(context, sample, &options);
	assert_int_equal(made.rig->weights.influences, 2);
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`symmetry`"));
	ossa_rig_result_free(context, &made);
	ossa_method_options_free(context, all);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bones_are_those_of_the_rest_shape),
		cmocka_unit_test(threads_do_not_change_it), cmocka_unit_test(methods_for_motion_find_no_bones_of_a_shape),
		cmocka_unit_test(influences_are_those_of_the_options)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
