/* tests/methods/test_rig_levels.c: levels of articulation of whatever ossa_rig_make makes. */
#include "support/compare.h"
#include "support/shapes.h"
#include "support/support.h"

#include <ossa/ossa.h>
#include <string.h>

/* each level has some of the bones of the one before, at their places, and the first at
   most half of them */
static void assert_nested(ossa_context *context, const ossa_rig *rig, int levels)
{
	size_t before = rig->skeleton.bone_count;
	assert_int_equal(rig->level_count, levels);
	for (int level = 1; level < levels; level++) {
		ossa_rig *coarser;
		assert_ok(context, ossa_rig_of_level(context, rig, level, &coarser));
		assert_ok(context, ossa_rig_validate(context, coarser));
		const size_t count = coarser->skeleton.bone_count;
		assert_in_range(count, 1, level == 1 ? (before + 1) / 2 : before - 1);
		for (size_t b = 0; b < count; b++) {
			const ossa_bone *bone = &coarser->skeleton.bones[b];
			const int32_t same = ossa_rig_bone(rig, bone->name);
			assert_true(same >= 0 && rig->last_level[same] >= level);
			assert_memory_equal(bone->joint, rig->skeleton.bones[same].joint, sizeof bone->joint);
		}
		before = count;
		ossa_rig_free(context, coarser);
	}
}

static ossa_rig_result make(
	ossa_context *context, const ossa_mesh *mesh, ossa_frame_stream *frames, const char *method, int levels)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	strcpy(options.method, method);
	options.levels = levels;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, frames}, &options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	return made;
}

static void every_method_has_levels(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_BIPED, 1000, 2);
	ossa_frame_stream *stream = NULL;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		ossa_frame_stream *frames = method->takes_motion ? stream : NULL;
		ossa_rig_result made = make(context, sample->rig->mesh, frames, method->name, 3);
		assert_nested(context, made.rig, 3);
		assert_int_equal(test_warned(context, "fewer-levels"), 0);
		ossa_rig_result_free(context, &made);
	}
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* coarser levels go without twist bones, however they are named; sides leave together */
static void levels_of_other_names_are_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_BIPED, 1000, 1);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_rig_result plain = make(context, mesh, NULL, "contraction", 3), without = make(context, mesh, NULL, "contraction", 1),
					made;
	/* the rig itself is the same without levels */
	assert_int_equal(without.rig->level_count, 0);
	assert_int_equal(without.rig->skeleton.bone_count, plain.rig->skeleton.bone_count);
	assert_true(test_largest_difference(context, plain.rig, without.rig, NULL) == 0);
	ossa_rig_result_free(context, &without);
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, "contraction");
	options.levels = 3;
	options.twist = 2;
	options.names = OSSA_NAMES_UNREAL;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &options, &made));
	const size_t bones = plain.rig->skeleton.bone_count;
	assert_memory_equal(plain.rig->last_level, made.rig->last_level, bones);
	assert_true(made.rig->skeleton.bone_count > bones);
	for (size_t b = bones; b < made.rig->skeleton.bone_count; b++) assert_int_equal(made.rig->last_level[b], 0);
	const int32_t left = ossa_rig_bone(plain.rig, "thigh_L"), right = ossa_rig_bone(plain.rig, "thigh_R");
	assert_true(left >= 0 && right >= 0 && plain.rig->last_level[left] == plain.rig->last_level[right]);
	ossa_rig_result_free(context, &plain);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* each with bones of its own, below one root */
static void separate_pieces_have_levels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(6, 1, 1), true);
	test_shape_box(shape, ossai_v3(0, 5, 0), ossai_v3(6, 6, 1), true);
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	ossa_rig_options options = ossa_rig_default();
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	assert_ok(context, ossa_rig_option_set(context, &options, "pieces", "separate"));
	assert_ok(context, ossa_rig_option_set(context, &options, "levels", "16"));
	ossa_rig_result made;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &options, &made));
	assert_true(made.rig->skeleton.bone_count > 3);
	assert_int_equal(test_warned(context, "fewer-levels"), 16 - made.rig->level_count);
	assert_nested(context, made.rig, made.rig->level_count);
	/* the coarsest is the root alone */
	for (size_t b = 1; b < made.rig->skeleton.bone_count; b++) assert_true(made.rig->last_level[b] < made.rig->level_count - 1);
	ossa_rig_result_free(context, &made);
	ossa_method_options_free(context, options.methods);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void numbers_out_of_range_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig_options options = ossa_rig_default();
	for (int levels = 0; levels <= 17; levels += 17) {
		options.levels = levels;
		assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "`levels`");
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_has_levels),
		cmocka_unit_test(levels_of_other_names_are_the_same), cmocka_unit_test(separate_pieces_have_levels),
		cmocka_unit_test(numbers_out_of_range_are_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
