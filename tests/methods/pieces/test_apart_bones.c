/* tests/methods/pieces/test_apart_bones.c: how many bones hundreds of pieces get, and what is said
   of those that get none. */
#include "support/pieces.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_pieces(const ossa_rig *rig) { return rig->pieces.skeletons + rig->pieces.rigid + rig->pieces.along; }

static void grass_has_no_more_bones_than_engines_take(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	for (int i = 0; i < 300; i++) test_pieces_add_strip(s, ossai_v3(i % 20, 0, i / 20), 1 + 0.001 * i, 0.2 + 0.001 * (i % 7));
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 100;
	ossa_rig *rig = test_pieces_rig(context, mesh, &options);
	assert_true(rig->skeleton.bone_count > 150 && rig->skeleton.bone_count <= 256);
	assert_int_equal(count_pieces(rig), 300);
	/* what is counted adds up, and says which option changes it */
	assert_int_equal(test_warned(context, "pieces-along"), (int64_t)rig->pieces.along);
	assert_non_null(strstr(test_warning_text(context, "pieces-along"), "`bones N`"));
	size_t reported = 0, made = 0, over = 0;
	const char *text = test_warning_text(context, "fewer-bones");
	assert_int_equal(
		sscanf(text, "the shapes of the pieces suggest %zu bones, and %zu are made: %zu would", &reported, &made, &over), 3);
	assert_int_equal(made, rig->skeleton.bone_count);
	assert_int_equal(reported - made, over);
	assert_int_equal(test_warned(context, "fewer-bones"), (int64_t)over);
	/* which pieces a warning is about */
	assert_non_null(strstr(test_warning_text(context, "proxy-shell"), "piece_1, near (19."));
	assert_non_null(strstr(test_warning_text(context, "proxy-shell"), " more: the surface does not"));
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* hair on a head: the body has the bones that it has without, whether cards are small or large */
static void hair_takes_no_bones_of_the_body(void **state)
{
	(void)state;
	static const double LENGTH[] = {0.06, 0.5};
	ossa_context *context = test_context(2);
	ossa_sample *biped = test_pieces_sample(context, OSSA_SAMPLE_BIPED);
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 500;
	ossa_rig *alone = test_pieces_rig(context, biped->rig->mesh, &options);
	for (size_t k = 0; k < (test_is_long() ? 2 : 1); k++) {
		test_shape *s = test_shape_new();
		test_pieces_add(s, biped->rig->mesh, 0, 0, 0);
		for (int i = 0; i < 300; i++) {
			test_pieces_add_strip(
				s, ossai_v3(-0.1 + 0.01 * (i % 20), 1.9, -0.07 + 0.01037 * (i / 20)), LENGTH[k] * (1 + 0.001 * i), 0.5);
		}
		ossa_mesh *mesh = test_pieces_mesh(context, s);
		options.proxy_size = k == 0 ? 500 : 120;
		ossa_rig *rig = test_pieces_rig(context, mesh, &options);
		const size_t of_hair = test_pieces_count(rig, "piece_") - test_pieces_count(rig, "piece_1_");
		assert_true(rig->skeleton.bone_count <= 256);
		assert_int_equal(count_pieces(rig), 301);
		if (k == 0) {
			/* cards go along with the head, and the body keeps its names */
			assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count);
			assert_true(ossa_rig_bone(rig, "head") >= 0);
			assert_int_equal(test_warned(context, "pieces-along"), 300);
			assert_non_null(strstr(test_warning_text(context, "pieces-along"), "`along-below "));
		} else {
			assert_true(of_hair > 150);
			assert_true(test_pieces_count(rig, "piece_1_") >= 10);
		}
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	ossa_rig_free(context, alone);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* if more bones are asked for than pieces with bones can use, those without are reported too: all
   pieces are accounted for */
static void counts_of_pieces_and_bones_add_up(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 2, 8, INFINITY);
	for (int i = 0; i < 280; i++) test_shape_ball(s, ossai_v3(3 + i % 20, i / 20, 0), 0.1 + 0.0001 * i, 3, INFINITY);
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	options.bones = 400;
	options.proxy_size = 100;
	ossa_rig *rig = test_pieces_rig(context, mesh, &options);
	size_t wanted = 0, made = 0, all = 0, have = 0, along = 0;
	const char *text = test_warning_text(context, "fewer-bones");
	assert_int_equal(
		sscanf(text, "%zu bones were wanted and %zu made: of %zu pieces %zu have bones", &wanted, &made, &all, &have), 4);
	assert_int_equal(made, rig->skeleton.bone_count);
	assert_int_equal(test_warned(context, "fewer-bones"), (int64_t)(wanted - made));
	assert_int_equal(sscanf(strchr(text, ';'), "; %zu move with them", &along), 1);
	assert_int_equal(all, 281);
	assert_int_equal(have, rig->pieces.skeletons + rig->pieces.rigid);
	assert_int_equal(have + along, all);
	assert_int_equal(test_warned(context, "pieces-along"), (int64_t)along);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(grass_has_no_more_bones_than_engines_take),
		cmocka_unit_test(hair_takes_no_bones_of_the_body), cmocka_unit_test(counts_of_pieces_and_bones_add_up)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
