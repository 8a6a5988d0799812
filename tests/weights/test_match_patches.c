/* tests/weights/test_match_patches.c: a patch that finds its places on another limb is not sure;
   parts that a mesh joins stay sure. */
#include "support/support.h"
#include "weights/match_patches.h"

#include <string.h>

enum { ACROSS = 21, POINTS = 2 * ACROSS, FACES = 2 * (ACROSS - 1) };

/* a ribbon along a path of points (x, y), one unit wide in z */
static ossa_mesh *ribbon(ossa_context *context, float (*path)[2], size_t cut)
{
	float positions[3 * POINTS];
	uint32_t triangles[3 * FACES];
	size_t faces = 0;
	for (size_t i = 0; i < ACROSS; i++) {
		const float pair[6] = {path[i][0], path[i][1], 0, path[i][0], path[i][1], 1};
		memcpy(positions + 6 * i, pair, sizeof pair);
	}
	for (uint32_t i = 0; i + 1 < ACROSS; i++) {
		const uint32_t p = 2 * i, corners[6] = {p, p + 1, p + 2, p + 2, p + 1, p + 3};
		if (i == cut) continue;
		memcpy(triangles + 3 * faces, corners, sizeof corners);
		faces += 2;
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, POINTS, positions, faces, triangles, &mesh));
	return mesh;
}

/* How many points stay sure of a straight ribbon whose 3 pairs from the 4th on have their places at
   the far end of a rig that is `cut` at an edge. */
static size_t count_sure(size_t cut)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	float path[ACROSS][2];
	for (size_t i = 0; i < ACROSS; i++) {
		path[i][0] = (float)i;
		path[i][1] = 0;
	}
	ossa_mesh *whole = ribbon(context, path, ACROSS), *rig = ribbon(context, path, cut);
	ossai_match_surface from, to;
	ossai_surface_match match;
	assert_ok(context, ossai_match_surface_make(&arena, whole, &from));
	assert_ok(context, ossai_match_surface_make(&arena, rig, &to));
	assert_ok(context, ossai_surface_match_make(&arena, &from, &to, 0.1, 30, &match));
	for (size_t p = 8; p < 14; p++) match.face[p] = (uint32_t)to.view.face_count - 1;
	assert_ok(context, ossai_match_drop_strays(&arena, &from, &to, &match));
	size_t sure = 0;
	for (size_t p = 0; p < POINTS; p++) {
		sure += match.kind[p] == OSSAI_MATCH_SURE;
		if (match.kind[p] != OSSAI_MATCH_SURE) assert_in_range(p, 8, 13);
	}
	ossa_mesh_free(context, whole);
	ossa_mesh_free(context, rig);
	ossai_arena_end(&arena);
	test_context_end(context);
	return sure;
}

static void a_patch_on_another_limb_is_not_sure(void **state)
{
	(void)state;
	assert_int_equal(count_sure(ACROSS), POINTS - 6);
}

/* the rig has another piece beyond the 10th edge, and the places are there */
static void another_piece_stays_sure(void **state)
{
	(void)state;
	assert_int_equal(count_sure(10), POINTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_on_another_limb_is_not_sure),
		cmocka_unit_test(another_piece_stays_sure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
