/* tests/voxels/test_voxels_options.c: voxels of empty, huge or separate shapes; their size,
   limits, and invariances. */
#include "support/support.h"
#include "support/shapes.h"
#include "voxels/voxel_cells.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* ---- what has no volume ---- */

static void test_nothing(void **state)
{
	(void)state;
	const float positions[] = {0, 0, 0, 1, 0, 0};
	const uint32_t triangles[] = {0, 1, 1};
	test_surface t = test_surface_make(1, 2, positions, 1, triangles, 1, NULL);
	const ossai_voxel_options options = ossai_voxel_options_default();
	ossai_voxels v;
	assert_fails(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v), OSSA_ERROR_INPUT, "three corners");
	test_surface_end(&t);
}

/* ---- sizes ---- */

static void test_parts(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(1, 1, 1), true);
	test_shape_box(s, ossai_v3(2, 0, 0), ossai_v3(4, 1, 1), true);
	test_shape_box(s, ossai_v3(5, 0, 0), ossai_v3(5.5, 1, 1), true);
	test_surface t;
	ossai_voxels v = test_shape_voxels(s, 0.02, &t);
	assert_int_equal(v.part_count, 3);
	assert_true(test_warned(t.context, "voxel-parts") == (int64_t)v.left_out);
	/* the largest is in the middle */
	uint32_t at[3];
	ossai_voxel_at(&v, 0, at);
	assert_in_range(at[0], v.size[0] / 3, v.size[0] / 2);
	/* voxels larger than the gaps join them */
	v = test_shape_voxels_of(&t, 0.19);
	assert_int_equal(v.part_count, 1);
	test_surface_end(&t);
	free(s);
}

static void test_memory_limit(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
	test_surface t = test_shape_surface(1, s);
	ossai_voxel_options options = {.size = 1e-5, .memory_limit = 0};
	ossai_voxels v;
	assert_fails(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v), OSSA_ERROR_LIMIT, "smallest size that fits is ");
	options = (ossai_voxel_options){.size = 0.001, .memory_limit = 4e6};
	assert_fails(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v), OSSA_ERROR_LIMIT, "smallest size that fits is ");
	/* the size in the message works */
	const char *tail = strrchr(ossa_context_error(t.context)->message, ' ');
	options.size = strtod(tail, NULL);
	assert_true(options.size > 0.005 && options.size < 0.02);
	assert_ok(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v));
	options.size *= 0.99;
	assert_fails(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v), OSSA_ERROR_LIMIT, "smallest size");
	/* chosen sizes keep to the limit */
	options.size = 0;
	assert_ok(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v));
	assert_true(v.count > 20000 && v.step > 0.005);
	options.memory_limit = 100;
	assert_fails(t.context, ossai_voxels_make(&t.arena, &t.s, &options, &v), OSSA_ERROR_LIMIT, "no voxels fit");
	test_surface_end(&t);
	free(s);
}

/* the same shape, however large and wherever it is */
static void test_scale(void **state)
{
	(void)state;
	size_t first = 0;
	const double scales[] = {1, 1e30, 1e-30};
	for (int i = 0; i < 3; i++) {
		test_shape *s = test_shape_new();
		test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
		test_shape_box(s, ossai_v3(-2, -0.2, -0.2), ossai_v3(2, 0.2, 0.2), true);
		for (size_t k = 0; k < 3 * s->vertex_count; k++) s->positions[k] = (float)(s->positions[k] * scales[i]);
		test_surface t;
		const ossai_voxels v = test_shape_voxels(s, 0, &t);
		assert_in_range(v.count, 50000, 170000);
		if (i == 0) first = v.count;
		assert_in_range(v.count, first - 20, first + 20);
		test_surface_end(&t);
		free(s);
	}
}

static void test_chosen_size(void **state)
{
	(void)state;
	for (int i = 0; i < 12; i++) {
		test_surface t = test_surface_sample(1, (ossa_sample_kind)(i % 4), 3000, 1);
		const ossai_voxels v = test_shape_voxels_of(&t, 0);
		assert_in_range(v.count, 45000, 170000);
		test_surface_end(&t);
	}
}

/* other orders of faces and vertices: the same voxels; mirrored: mirrored; turned: voxels as large,
   and nearly as many */
static void test_moved(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0.1, 0.2, 0), 1, 12, 2);
	test_shape_box(s, ossai_v3(-2, 0.01, -0.2), ossai_v3(2.4, 0.31, 0.17), true);
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels v = test_shape_voxels_of(&t, 0);
	test_shape *other = test_shape_new();
	*other = *s;
	for (size_t f = 0; f < s->face_count; f++) {
		for (size_t k = 0; k < 3; k++) {
			const uint32_t from = s->triangles[3 * (f * 7 % s->face_count) + (k + f) % 3];
			other->triangles[3 * f + k] = (uint32_t)s->vertex_count - 1 - from;
		}
	}
	for (size_t i = 0; i < s->vertex_count; i++) {
		memcpy(other->positions + 3 * i, s->positions + 3 * (s->vertex_count - 1 - i), 3 * sizeof(float));
	}
	test_surface t2 = test_shape_surface(1, other);
	const ossai_voxels same = test_shape_voxels_of(&t2, 0);
	assert_int_equal(same.count, v.count);
	assert_memory_equal(same.cell, v.cell, v.count * sizeof *v.cell);
	test_surface_end(&t2);
	*other = *s;
	for (size_t i = 0; i < s->vertex_count; i++) other->positions[3 * i] = -s->positions[3 * i];
	t2 = test_shape_surface(1, other);
	const ossai_voxels mirrored = test_shape_voxels_of(&t2, 0);
	assert_int_equal(mirrored.count, v.count);
	for (size_t i = 0; i < v.count; i++) {
		const uint32_t x = v.cell[i] % v.size[0], to = mirrored.of_cell[v.cell[i] - x + v.size[0] - 1 - x];
		assert_true(to != OSSA_NONE && mirrored.distance2[to] == v.distance2[i]);
	}
	test_surface_end(&t2);
	uint64_t random = 3;
	for (int turn = 0; turn < 4; turn++) {
		const ossai_quat q = test_random_turn(&random, 3);
		const ossai_mat3 m = ossai_quat_matrix(q);
		for (size_t i = 0; i < s->vertex_count; i++) {
			const ossai_vec3 p = ossai_mat3_mul_v(&m, ossai_v3_of_float(s->positions + 3 * i));
			other->positions[3 * i] = (float)p.x;
			other->positions[3 * i + 1] = (float)p.y;
			other->positions[3 * i + 2] = (float)p.z;
		}
		t2 = test_shape_surface(1, other);
		const ossai_voxels turned = test_shape_voxels_of(&t2, 0);
		/* lengths are shares of the box's diagonal, which turns, too */
		assert_near(turned.step * t2.s.scale / (v.step * t.s.scale), 1, 1e-4);
		assert_in_range(turned.count, v.count * 96 / 100, v.count * 104 / 100);
		test_surface_end(&t2);
	}
	test_surface_end(&t);
	free(other);
	free(s);
}

static void test_same_for_any_threads(void **state)
{
	(void)state;
	uint32_t *cell = NULL, *distance2 = NULL;
	size_t count = 0;
	const int threads[] = {1, 2, 3, 8};
	for (int i = 0; i < 4; i++) {
		test_shape *s = test_shape_new();
		test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 0.7);
		test_shape_ball(s, ossai_v3(0, 1.5, 0), 1, 12, 0.4);
		test_surface t = test_shape_surface(threads[i], s);
		const ossai_voxels v = test_shape_voxels_of(&t, 0.02);
		if (!cell) {
			count = v.count;
			cell = malloc(count * sizeof *cell);
			distance2 = malloc(count * sizeof *distance2);
			memcpy(cell, v.cell, count * sizeof *cell);
			memcpy(distance2, v.distance2, count * sizeof *distance2);
		}
		assert_int_equal(v.count, count);
		assert_memory_equal(cell, v.cell, count * sizeof *cell);
		assert_memory_equal(distance2, v.distance2, count * sizeof *cell);
		test_surface_end(&t);
		free(s);
	}
	free(cell);
	free(distance2);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const test_surface *t = arg;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_voxel_options options = {.size = 0.1, .memory_limit = 0};
	ossai_voxels v;
	const ossa_status status = ossai_voxels_make(&arena, &t->s, &options, &v);
	ossai_arena_end(&arena);
	return status;
}

static void test_allocations(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 0.7);
	test_surface t = test_shape_surface(1, s);
	assert_true(test_allocation_sweep(sweep_body, &t, 200, 1) >= 20);
	test_surface_end(&t);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_memory_limit),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_chosen_size),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_same_for_any_threads),
		cmocka_unit_test(test_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
