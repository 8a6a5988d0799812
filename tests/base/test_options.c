/* tests/base/test_options.c: option structs come from their default functions or are refused;
   unwanted results may be NULL. */
#include "samples/samples.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 1000;
	options.frames = 4;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* every struct zeroed, or with another cookie, is refused by the call that takes it, in words that
   name its default function */
static void options_that_no_default_function_made_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_rig *rig;
	ossa_mesh *read;
	ossa_frame_stream *stream;
	ossa_rig_result made;
	ossa_motion_fit *fit;
	ossa_picture *picture;
	ossa_clip *clip;
	const ossa_examples_options examples = {0};
	const ossa_sequence_options sequence = {0};
	const ossa_contraction_options contraction = {0};
	const ossa_volume_options volume = {0};
	const ossa_rig_options making = {0};
	const ossa_motion_options motion = {0};
	const ossa_picture_options drawn = {0};
	const ossa_read_options reading = {0};
	const ossa_write_options writing = {0};
	const ossa_motion_edit edit = {0};
	const int frame = 0;
	const char *file = test_file("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0);
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
#define REFUSED(call, words) assert_fails(context, call, OSSA_ERROR_ARGUMENT, words)
	REFUSED(ossa_rig_from_examples(context, mesh, sample->frames, &examples, &rig), "ossa_examples_default()");
	REFUSED(ossa_rig_from_sequence(context, mesh, sample->frames, &sequence, &rig), "ossa_sequence_default()");
	REFUSED(ossa_rig_from_contraction(context, mesh, &contraction, &rig), "ossa_contraction_default()");
	REFUSED(ossa_rig_from_volume(context, mesh, &volume, &rig), "ossa_volume_default()");
	REFUSED(ossa_rig_make(context, &(ossa_rig_input){mesh, stream}, &making, &made), "ossa_rig_default()");
	REFUSED(ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &making, NULL), "ossa_rig_default()");
	REFUSED(ossa_rig_fit_motion(context, sample->rig, stream, &motion, &fit), "ossa_motion_default()");
	REFUSED(ossa_picture_rig(context, sample->rig, &frame, 1, &drawn, &picture), "ossa_picture_default()");
	REFUSED(ossa_read_mesh(context, file, &reading, &read), "ossa_read_default()");
	REFUSED(ossa_write_rig(context, sample->rig, test_path("t.glb"), &writing), "ossa_write_default()");
	REFUSED(ossa_motion_edit_apply(context, sample->rig, NULL, 1, &edit, &clip), "ossa_motion_edit_default()");
#undef REFUSED
	/* the method of the other struct */
	ossa_examples_options other = ossa_examples_default();
	other.cookie = ossa_sequence_default().cookie;
	assert_fails(context, ossa_rig_from_examples(context, mesh, sample->frames, &other, &rig), OSSA_ERROR_ARGUMENT, "examples");
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void so_are_those_of_contexts(void **state)
{
	(void)state;
	const ossa_context_options options = {.threads = 1};
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_ERROR_ARGUMENT);
	assert_null(context);
	const ossa_context_options made = ossa_context_default();
	assert_int_equal(ossa_context_create(&made, &context), OSSA_OK);
	ossa_context_free(context);
}

static void the_version_is_that_of_the_headers(void **state)
{
	(void)state;
	const ossa_version_facts version = ossa_version();
	char text[32];
	assert_int_equal(version.major, OSSA_VERSION_MAJOR);
	assert_int_equal(version.minor, OSSA_VERSION_MINOR);
	assert_int_equal(version.patch, OSSA_VERSION_PATCH);
	snprintf(text, sizeof text, "%d.%d.%d", version.major, version.minor, version.patch);
	assert_string_equal(version.text, text);
	assert_string_equal(version.text, OSSA_VERSION);
	/* what the build calls the library and its package */
	assert_string_equal(version.text, OSSA_BUILD_VERSION);
}

/* ---- unwanted results ---- */

static void results_may_be_null(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	const ossa_rig *rig = sample->rig;
	const char *path = test_path("r.glb");
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_clip_facts *clips;
	char **paths;
	size_t count;
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	assert_ok(context, ossa_read_detect(context, path, NULL));
	assert_ok(context, ossa_write_detect(context, path, NULL));
	assert_ok(context, ossa_read_contents(context, path, NULL, NULL, NULL));
	assert_ok(context, ossa_read_contents(context, path, NULL, &count, NULL));
	assert_int_equal(count, 1);
	assert_ok(context, ossa_read_contents(context, path, NULL, NULL, &clips));
	ossa_free(context, clips);
	assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, NULL));
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_read_animation(context, path, NULL, NULL, &frames));
	ossa_frames_free(context, frames);
	assert_ok(context, ossa_read_paths(context, path, &count, NULL));
	assert_ok(context, ossa_read_paths(context, path, NULL, &paths));
	ossa_free(context, paths);
	assert_ok(context, ossa_frame_stream_open_animation(context, path, NULL, &mesh, NULL));
	ossa_mesh_free(context, mesh);
	assert_fails(context, ossa_frame_stream_open_animation(context, path, NULL, NULL, NULL), OSSA_ERROR_ARGUMENT, "mesh");
	assert_ok(context, ossa_rig_find_bone(context, rig, rig->skeleton.bones[1].name, NULL));
	assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, NULL));
	assert_true(ossa_rig_turn_range(rig, NULL, 1, NULL) == ossa_rig_turn_range(rig, NULL, 1, (double[3][2]){{0}}));
	assert_true(ossa_rig_bend_axis(rig, NULL, 1, NULL) == ossa_rig_bend_axis(rig, NULL, 1, (double[3]){0}));
	ossa_rig_options making = ossa_rig_default();
	strcpy(making.method, "volume");
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){rig->mesh, NULL}, &making, NULL));
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void indices_and_bytes_may_be_wanted_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	ossa_picture_options options = ossa_picture_default();
	ossa_frame_stream *stream;
	ossa_picture *picture;
	size_t chosen[2], size;
	const int frame = 0;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_frame_stream_choose(context, stream, NULL, 2, chosen, NULL));
	ossa_frame_stream_free(context, stream);
	options.width = options.height = 32;
	assert_ok(context, ossa_picture_rig(context, sample->rig, &frame, 1, &options, &picture));
	assert_ok(context, ossa_picture_png(context, picture, NULL, &size));
	assert_true(size > 0);
	ossa_picture_free(context, picture);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_no_default_function_made_are_refused),
		cmocka_unit_test(so_are_those_of_contexts),
		cmocka_unit_test(the_version_is_that_of_the_headers),
		cmocka_unit_test(results_may_be_null),
		cmocka_unit_test(indices_and_bytes_may_be_wanted_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
