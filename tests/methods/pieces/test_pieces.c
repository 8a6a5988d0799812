/* tests/methods/pieces/test_pieces.c: the roles of pieces, and which are mirror images, just below
   and just above each threshold. */
#include "methods/pieces/pieces.h"
#include "support/shapes.h"
#include "support/support.h"

#include <stdlib.h>

/* ---- mirror images ---- */

static const ossai_mirror MIRROR = {.exists = true, .normal = {1, 0, 0}, .offset = 0};

static ossai_piece piece_at(double x, double size, double area)
{
	return (ossai_piece){.role = OSSAI_PIECE_SKELETON, .size = size, .area = area, .center = {x, 0, 0}};
}

static bool are_images(ossai_piece a, ossai_piece b) { return ossai_pieces_are_images(&MIRROR, &a, &b); }

static void images_lie_behind_the_mirror(void **state)
{
	(void)state;
	assert_true(are_images(piece_at(1, 0.5, 2), piece_at(-1, 0.5, 2)));
	/* a tenth of the size */
	assert_true(are_images(piece_at(1, 0.5, 2), piece_at(-1.0499, 0.5, 2)));
	assert_false(are_images(piece_at(1, 0.5, 2), piece_at(-1.0501, 0.5, 2)));
	assert_false(are_images(piece_at(1, 0.5, 2), piece_at(1, 0.5, 2)));
	const ossai_mirror none = {.exists = false};
	const ossai_piece left = piece_at(1, 0.5, 2), right = piece_at(-1, 0.5, 2);
	assert_false(ossai_pieces_are_images(&none, &left, &right));
}

static void images_are_as_large(void **state)
{
	(void)state;
	assert_true(are_images(piece_at(1, 1, 2), piece_at(-1, 0.9701, 2)));
	assert_false(are_images(piece_at(1, 1, 2), piece_at(-1, 0.9699, 2)));
	assert_true(are_images(piece_at(1, 1, 1), piece_at(-1, 1, 1.0599)));
	assert_false(are_images(piece_at(1, 1, 1), piece_at(-1, 1, 1.0601)));
	ossai_piece rigid = piece_at(-1, 1, 2);
	rigid.role = OSSAI_PIECE_BONE;
	assert_false(are_images(piece_at(1, 1, 2), rigid));
}

/* ---- roles ---- */

/* a large cube, and as many small ones of an edge of `small` beside it; returns how many get a
   bone */
static size_t count_rigid(double small, size_t count, ossai_piece_limits limits, double *along_below)
{
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(1, 1, 1), true);
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 at = ossai_v3(2 + 2 * small * (double)i, 0, 0);
		test_shape_box(s, at, ossai_add(at, ossai_v3(small, small, small)), true);
	}
	test_surface t = test_shape_surface(1, s);
	ossai_pieces pieces;
	assert_ok(t.context, ossai_pieces_find(&t.arena, &t.s, &limits, &pieces));
	assert_int_equal(pieces.count, count + 1);
	assert_true(pieces.piece[0].role == OSSAI_PIECE_SKELETON);
	*along_below = pieces.along_below;
	const size_t rigid = pieces.bones;
	test_surface_end(&t);
	free(s);
	return rigid;
}

static void roles_follow_from_sizes(void **state)
{
	(void)state;
	const ossai_piece_limits limits = {0.1, 0.01, 100, 100, 100};
	double along;
	assert_int_equal(count_rigid(0.101, 1, limits, &along), 0); /* a skeleton */
	assert_int_equal(count_rigid(0.099, 1, limits, &along), 1);
	assert_int_equal(count_rigid(0.0101, 1, limits, &along), 1);
	assert_int_equal(count_rigid(0.0099, 1, limits, &along), 0); /* no bone */
	assert_true(along == 0.01);
}

/* where too many pieces would be rigid the limit begins at 0.01 and doubles */
static void the_limit_rises_where_too_many_are_rigid(void **state)
{
	(void)state;
	const ossai_piece_limits limits = {0.1, 0, 100, 4, 100};
	double along;
	assert_int_equal(count_rigid(0.005, 4, limits, &along), 4);
	assert_true(along == 0);
	assert_int_equal(count_rigid(0.0099, 5, limits, &along), 0);
	assert_true(along == 0.01);
	assert_int_equal(count_rigid(0.0101, 5, limits, &along), 0);
	assert_true(along == 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_lie_behind_the_mirror),
		cmocka_unit_test(images_are_as_large),
		cmocka_unit_test(roles_follow_from_sizes),
		cmocka_unit_test(the_limit_rises_where_too_many_are_rigid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
