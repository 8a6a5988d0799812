/* tests/methods/pieces/test_piece_sheets.c: floors beside what is rigged, and sheets alone. */
#include "support/pieces.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a floor below a character, however large, is one bone beside it: the character has the bones,
   names and small pieces that it has without */
static void a_floor_is_not_what_is_rigged(void **state)
{
	(void)state;
	static const double HALF[] = {3, 300};
	ossa_context *context = test_context(2);
	ossa_sample *biped = test_pieces_sample(context, OSSA_SAMPLE_BIPED);
	const ossa_mesh *body = biped->rig->mesh;
	ossa_contraction_options options = test_pieces_options();
	ossa_rig *alone = test_pieces_rig(context, body, &options);
	for (size_t k = 0; k < 3; k++) {
		test_shape *s = test_shape_new();
		test_pieces_add(s, body, 0, 0, 0);
		test_shape_ball(s, test_pieces_front(body, 0, 1.78, 0.06), 0.04, 5, INFINITY);
		/* the last is a slab with two sides */
		if (k < 2) test_pieces_add_floor(s, -0.001, HALF[k]);
		else test_shape_box(s, ossai_v3(-4, -0.1, -4), ossai_v3(4, -0.01, 4), true);
		ossa_mesh *mesh = test_pieces_mesh(context, s);
		ossa_rig *rig = test_pieces_rig(context, mesh, &options);
		assert_int_equal(rig->pieces.skeletons, 1);
		assert_int_equal(rig->pieces.rigid, 2);
		assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count + 3);
		for (size_t b = 0; b < alone->skeleton.bone_count; b++) {
			if (ossa_rig_bone(rig, alone->skeleton.bones[b].name) < 0) fail_msg("no bone %s", alone->skeleton.bones[b].name);
		}
		const int32_t floor = ossa_rig_bone(rig, "piece_2"), nose = ossa_rig_bone(rig, "piece_3");
		assert_true(floor > 0 && nose > 0);
		assert_int_equal(rig->skeleton.bones[floor].parent, 0);
		assert_string_equal(rig->skeleton.bones[0].name, "root");
		assert_string_equal(rig->skeleton.bones[rig->skeleton.bones[nose].parent].name, "head");
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	ossa_rig_free(context, alone);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* sheets that are all there is are rigged, and one that is small beside a ball does not stand below
   it */
static void sheets_alone_are_rigged(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	for (int with_ball = 0; with_ball < 2; with_ball++) {
		test_shape *s = test_shape_new();
		test_pieces_add_floor(s, 0, 1);
		if (with_ball) test_shape_ball(s, ossai_v3(0, 5, 0), 3, 8, INFINITY);
		else test_pieces_add_floor(s, 2, 1.5);
		ossa_mesh *mesh = test_pieces_mesh(context, s);
		ossa_contraction_options options = test_pieces_options();
		options.proxy_size = 200;
		ossa_rig *rig = test_pieces_rig(context, mesh, &options);
		assert_int_equal(rig->pieces.skeletons, 2);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_floor_is_not_what_is_rigged), cmocka_unit_test(sheets_alone_are_rigged)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
