/* tests/methods/pieces/test_piece_images.c: mirrored pieces: their sides, and their names. */
#include "support/pieces.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* for each bone that ends with _L there is one with _R, its image across x = 0 */
static size_t assert_sides(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		char name[64];
		memcpy(name, rig->skeleton.bones[b].name, sizeof name);
		const size_t length = strlen(name);
		if (length < 3 || strcmp(name + length - 2, "_L") != 0) continue;
		name[length - 1] = 'R';
		const int32_t other = ossa_rig_bone(rig, name);
		if (other < 0) fail_msg("%s has no other side", rig->skeleton.bones[b].name);
		const double *left = rig->skeleton.bones[b].joint, *right = rig->skeleton.bones[other].joint;
		if (!(left[0] > 0 && fabs(left[0] + right[0]) < 1e-2)) {
			fail_msg("%s at %g, the other at %g", rig->skeleton.bones[b].name, left[0], right[0]);
		}
		assert_near(left[1], right[1], 1e-2);
		assert_near(left[2], right[2], 1e-2);
		count++;
	}
	return count;
}

static void images_get_images(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *robot = test_pieces_sample(context, OSSA_SAMPLE_PIECES);
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 200;
	ossa_rig *rig = test_pieces_rig(context, robot->rig->mesh, &options);
	/* arms, legs, feet, hands: six pairs of pieces */
	assert_true(assert_sides(rig) >= 6);
	ossa_rig_free(context, rig);
	/* the same with a number of bones, of which pairs have as many on both sides */
	options.bones = 36;
	rig = test_pieces_rig(context, robot->rig->mesh, &options);
	assert_int_equal(rig->skeleton.bone_count, 36);
	assert_true(assert_sides(rig) >= 6);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, robot);
	test_context_end(context);
}

/* a round head has many planes of symmetry: that of its eyes decides left and right */
static void eyes_of_a_ball_are_left_and_right(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 1, 0), 1, 12, INFINITY);
	for (int side = -1; side <= 1; side += 2) test_shape_ball(s, ossai_v3(0.35 * side, 1.3, 0.9), 0.08, 6, INFINITY);
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	ossa_rig *rig = test_pieces_rig(context, mesh, &options);
	const int32_t left = ossa_rig_bone(rig, "piece_2_L"), right = ossa_rig_bone(rig, "piece_2_R");
	assert_true(left > 0 && right > 0);
	assert_true(rig->skeleton.bones[left].joint[0] > 0.3 && rig->skeleton.bones[right].joint[0] < -0.3);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* a rig that is renamed, as by `ossa convert --names body`, keeps its pieces distinct */
static void pieces_keep_their_names_in_new_ones(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *biped = test_pieces_sample(context, OSSA_SAMPLE_BIPED);
	test_shape *s = test_shape_new();
	test_pieces_add(s, biped->rig->mesh, 0, 0, 0);
	test_pieces_add(s, biped->rig->mesh, 3, 0, 0);
	test_shape_ball(s, test_pieces_front(biped->rig->mesh, 0, 1.78, 0.06), 0.05, 5, INFINITY);
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	ossa_rig *rig = test_pieces_rig(context, mesh, &options);
	const size_t bones = rig->skeleton.bone_count;
	char(*before)[64] = calloc(bones, sizeof *before);
	assert_non_null(before);
	for (size_t b = 0; b < bones; b++) memcpy(before[b], rig->skeleton.bones[b].name, sizeof *before);
	/* parts of the body that somebody numbered are found again */
	const int32_t head = ossa_rig_bone(rig, "piece_2_head");
	assert_true(head > 0);
	snprintf(rig->skeleton.bones[head].name, sizeof rig->skeleton.bones[head].name, "piece_2_bone_99");
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	for (size_t b = 0; b < bones; b++) assert_string_equal(rig->skeleton.bones[b].name, before[b]);
	assert_ok(context, ossa_rig_validate(context, rig));
	free(before);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(images_get_images), cmocka_unit_test(eyes_of_a_ball_are_left_and_right),
		cmocka_unit_test(pieces_keep_their_names_in_new_ones)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
