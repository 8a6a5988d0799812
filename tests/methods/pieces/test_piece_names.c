/* tests/methods/pieces/test_piece_names.c: names of rigid pieces, and which planes have a left and
   a right side. */
#include "methods/pieces/piece_names.h"
#include "support/support.h"

#include <string.h>

/* the names of two rigid pieces, one on either side of the plane with this normal, the second the
   image of the first */
static void name_pair(ossai_vec3 normal, char names[2][64])
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_piece piece[2] = {{.role = OSSAI_PIECE_BONE, .center = normal, .image = OSSA_NONE},
		{.role = OSSAI_PIECE_BONE, .center = ossai_scale(normal, -1), .image = 0}};
	const ossai_pieces pieces = {.count = 2, .piece = piece, .bones = 2};
	const ossai_mirror mirror = {.exists = true, .normal = normal, .offset = 0};
	const uint32_t piece_of_bone[2] = {0, 1};
	const ossai_named_pieces named = {.pieces = &pieces, .mirror = &mirror, .piece_of_bone = piece_of_bone};
	ossa_bone bones[2] = {{.parent = -1}, {.parent = 0}};
	ossa_rig rig = {.skeleton = {.bone_count = 2, .bones = bones}};
	assert_ok(context, ossai_pieces_name(&arena, &named, &rig));
	for (int i = 0; i < 2; i++) strcpy(names[i], bones[i].name);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossai_vec3 normal_of(double x) { return ossai_v3(x, 0, sqrt(1 - x * x)); }

static void images_have_sides_where_the_plane_is_upright(void **state)
{
	(void)state;
	char names[2][64];
	name_pair(normal_of(0.708), names);
	assert_string_equal(names[0], "piece_1_L");
	assert_string_equal(names[1], "piece_1_R");
	name_pair(normal_of(-0.708), names);
	assert_string_equal(names[0], "piece_1_R");
	assert_string_equal(names[1], "piece_1_L");
	/* a front and a back */
	name_pair(normal_of(0.706), names);
	assert_string_equal(names[0], "piece_1");
	assert_string_equal(names[1], "piece_2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(images_have_sides_where_the_plane_is_upright)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
