/* tests/weights/test_heat_surfaces.c: heat weights of surfaces that are no bodies, and of
   existing rigs. */
#include "math/cholesky.h"
#include "rig/reweigh.h"
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"
#include "weights/heat.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>

/* ---- surfaces that are no bodies ---- */

enum { SHEET_ROWS = 6, SHEET_COLUMNS = 12, SHEET = (SHEET_ROWS + 1) * (SHEET_COLUMNS + 1) };

/* bones in a row under a grid of the support's, at the grid's own scale */
static ossai_bone_segments row_of_bones(test_surface *t, uint32_t count, double depth)
{
	ossai_bone_segments segments = {count, count, ossai_arena_new(&t->arena, count, sizeof *segments.list)};
	assert_non_null(segments.list);
	for (uint32_t b = 0; b < count; b++) {
		const double begin = (double)b / count - 0.5, end = (b + 1.0) / count - 0.5;
		segments.list[b] = (ossai_segment){b, {begin, depth, 0}, {end, depth, 0}};
	}
	return segments;
}

static ossai_bone_weights heat_surface(test_surface *t, const ossai_bone_segments *segments)
{
	ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights weights;
	options.local = true;
	assert_ok(t->context, ossai_heat_weights(&t->arena, &t->s, segments, NULL, &options, &weights));
	test_assert_simplex(&t->s, &weights);
	return weights;
}

static void any_bones_anywhere_give_weights(void **state)
{
	(void)state;
	/* one bone, many, at the surface, in it, far off, and of no length */
	static const double depths[] = {-0.3, 0, 0.2, 50};
	for (uint32_t count = 1; count <= 400; count = 3 * count + 1) {
		for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
			test_surface t = test_surface_grid(2, 20, 6, 1);
			ossai_bone_segments segments = row_of_bones(&t, count, depths[i]);
			heat_surface(&t, &segments);
			for (uint32_t b = 0; b < count; b++) segments.list[b].to = segments.list[b].from;
			heat_surface(&t, &segments);
			/* all at one point: the first few share everything */
			for (uint32_t b = 0; b < count; b++) segments.list[b].to = segments.list[b].from = ossai_v3(0, depths[i], 0);
			heat_surface(&t, &segments);
			test_surface_end(&t);
		}
	}
	test_surface t = test_surface_grid(1, 4, 4, 1);
	const ossai_bone_segments none = {0, 0, NULL};
	const ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights weights;
	assert_fails(t.context, ossai_heat_weights(&t.arena, &t.s, &none, NULL, &options, &weights), OSSA_ERROR_ARGUMENT,
		"weights for 0 bones");
	test_surface_end(&t);
}

static void bad_triangles_get_weights(void **state)
{
	(void)state;
	/* slivers, needles, an edge of five faces, a duplicate face and a reversed one, one of no area,
	   one in a line, a vertex of no face, one of NaN-free coincidence with another, and a far small
	   piece */
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0.5F, 1e-7F, 0, 0.5F, 0, 0, 0, 0, 0, 1, 1e-7F, 0, 0, 1, 0, 0, 0, 1, 0,
		-1, 0, 3, 3, 3, 5, 5, 5, 5.0001F, 5, 5, 5, 5.0001F, 5, 0, 0, 0};
	static const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 1, 5, 6, 0, 1, 6, 0, 1, 7, 1, 0, 8, 0, 1, 6, 6, 1, 0, 4, 4,
		7, 6, 6, 6, 10, 11, 12, 13, 1, 7};
	/* as it is, and collapsed to a point in a pose */
	static float poses[2 * 14 * 3];
	memcpy(poses, positions, sizeof positions);
	test_surface t = test_surface_make(1, 14, positions, 13, triangles, 2, poses);
	ossai_bone_segments segments = row_of_bones(&t, 5, 0);
	ossai_bone_motion motion;
	ossai_bone_weights weights;
	assert_ok(t.context, ossai_bone_motion_new(&t.arena, 5, 2, &motion));
	for (size_t i = 0; i < 10; i++) motion.rigid[i] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 1e-3 * (double)i}};
	heat_surface(&t, &segments);
	ossai_heat_options options = {4, 3, 3, true};
	assert_ok(t.context, ossai_heat_weights(&t.arena, &t.s, &segments, &motion, &options, &weights));
	test_assert_simplex(&t.s, &weights);
	test_surface_end(&t);
}

static void vertices_at_one_point_follow_the_same_bones(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, SHEET_COLUMNS, SHEET_ROWS, 1);
	assert_int_equal(t.s.vertex_count, SHEET);
	/* every triangle with vertices of its own */
	float positions[9 * 2 * SHEET_ROWS * SHEET_COLUMNS];
	uint32_t triangles[3 * 2 * SHEET_ROWS * SHEET_COLUMNS];
	const size_t corners = 3 * t.s.face_count;
	for (uint32_t i = 0; i < corners; i++) {
		memcpy(positions + 3 * i, t.mesh->positions + 3 * t.s.triangles[i], 3 * sizeof *positions);
		triangles[i] = i;
	}
	test_surface soup = test_surface_make(1, corners, positions, t.s.face_count, triangles, 1, NULL);
	/* their centers of gravity differ: bones are moved along */
	const ossai_vec3 shift = ossai_sub(ossai_rest_point(&soup.s, 0), ossai_rest_point(&t.s, t.s.triangles[0]));
	const ossai_bone_segments segments = row_of_bones(&t, 4, -0.1), moved = row_of_bones(&soup, 4, -0.1);
	for (size_t i = 0; i < 4; i++) {
		moved.list[i].from = ossai_add(moved.list[i].from, shift);
		moved.list[i].to = ossai_add(moved.list[i].to, shift);
	}
	ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights whole, torn;
	assert_ok(t.context, ossai_heat_weights(&t.arena, &t.s, &segments, NULL, &options, &whole));
	assert_ok(soup.context, ossai_heat_weights(&soup.arena, &soup.s, &moved, NULL, &options, &torn));
	for (size_t i = 0; i < corners; i++) {
		for (uint32_t b = 0; b < 4; b++) {
			const double found = ossai_bone_weight_of(&torn, soup.s.first_of_vertex[i], b);
			assert_near(found, ossai_bone_weight_of(&whole, t.s.triangles[i], b), 1e-5);
		}
	}
	test_surface_end(&soup);
	test_surface_end(&t);
}

static void pieces_that_see_no_bone_are_reported(void **state)
{
	(void)state;
	/* a box in a box: bones are in the outer one's corner, beyond the inner one's wall */
	float positions[48];
	uint32_t triangles[72];
	static const uint32_t box[36] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	for (uint32_t i = 0; i < 16; i++) {
		for (uint32_t k = 0; k < 3; k++)
			positions[3 * i + k] = (i < 8 ? 1.0F : 0.2F) * (i >> k & 1 ? 1.0F : -1.0F) + (i < 8 ? 0.0F : 4.0F);
	}
	for (uint32_t i = 0; i < 72; i++) triangles[i] = box[i % 36] + (i < 36 ? 0 : 8);
	test_surface t = test_surface_make(1, 16, positions, 24, triangles, 1, NULL);
	const ossai_vec3 middle = ossai_lerp(ossai_rest_point(&t.s, 0), ossai_rest_point(&t.s, 7), 0.5);
	ossai_segment list[] = {{0, middle, middle}};
	const ossai_bone_segments segments = {1, 1, list};
	heat_surface(&t, &segments);
	assert_int_equal(ossa_context_warning_count(t.context), 1);
	assert_string_equal(ossa_context_warning(t.context, 0)->code, "unseen-pieces");
	assert_int_equal(ossa_context_warning(t.context, 0)->count, 1);
	test_surface_end(&t);
}

/* ---- rigs ---- */

static void rigs_are_weighed_again(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_BIPED, 3000, 4);
	ossa_rig *rig = c.rig;
	/* a bone without weights stays so: its own go to its parent */
	const size_t idle = rig->skeleton.bone_count - 1;
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		if (rig->weights.bones[i] == idle) rig->weights.bones[i] = (uint16_t)rig->skeleton.bones[idle].parent;
	}
	for (int kind = OSSAI_REST_WEIGHTS_HEAT; kind <= OSSAI_REST_WEIGHTS_COVERAGE; kind++) {
		ossai_rest_weights_options options = ossai_rest_weights_default();
		ossa_weights weights;
		options.kind = kind;
		assert_ok(c.t.context, ossai_rig_reweigh(c.t.context, rig, &options, &weights));
		const ossa_weights before = rig->weights;
		rig->weights = weights;
		assert_ok(c.t.context, ossa_rig_validate(c.t.context, rig));
		bool used[64] = {false};
		for (size_t i = 0; i < weights.vertex_count * (size_t)weights.influences; i++) {
			used[weights.bones[i]] |= weights.values[i] > 0;
		}
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) assert_int_equal(used[b], b != idle);
		rig->weights = before;
		ossa_free(c.t.context, weights.bones);
		ossa_free(c.t.context, weights.values);
	}
	test_creature_end(&c);
}

static ossa_status reweigh_in_sweep(ossa_context *context, void *rig)
{
	const ossai_rest_weights_options options = ossai_rest_weights_default();
	ossa_weights weights;
	const ossa_status status = ossai_rig_reweigh(context, rig, &options, &weights);
	ossa_free(context, weights.bones);
	ossa_free(context, weights.values);
	return status;
}

static void rigs_are_weighed_or_nothing_is_held(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_TUBE, 1000, 2);
	test_allocation_sweep(reweigh_in_sweep, c.rig, 200, 1);
	test_creature_end(&c);
}

typedef struct sweep {
	test_creature *c;
} sweep;

static ossa_status weigh_in_sweep(ossa_context *context, void *arg)
{
	test_creature *c = ((sweep *)arg)->c;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_rest_bones rest = {&c->tree, c->joint, NULL, NULL};
	ossai_rest_weights_options options = ossai_rest_weights_default();
	ossai_bone_weights weights;
	options.poses = 2;
	options.local = true;
	const ossa_status status = ossai_rest_weights(&arena, &c->t.s, &rest, &c->motion, &options, &weights);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_PIECES, 1000, 2);
	sweep s = {&c};
	test_allocation_sweep(weigh_in_sweep, &s, 200, 1);
	test_creature_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bones_anywhere_give_weights),
		cmocka_unit_test(bad_triangles_get_weights),
		cmocka_unit_test(vertices_at_one_point_follow_the_same_bones),
		cmocka_unit_test(pieces_that_see_no_bone_are_reported),
		cmocka_unit_test(rigs_are_weighed_again),
		cmocka_unit_test(rigs_are_weighed_or_nothing_is_held),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
