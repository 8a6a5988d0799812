/* tests/voxels/test_fine_voxels.c: parts in finer voxels against winding numbers of every fine cell, and against the whole refined at once; what is thin. */
#include "voxels/fine_voxels.h"
#include "support/shapes.h"
#include "support/support.h"
#include "query/winding_numbers.h"
#include "voxels/voxel_cells.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

static ossai_voxels coarse_of(test_surface *t, double size)
{
	const ossai_voxel_options options = {.size = size};
	ossai_voxels v;
	assert_ok(t->context, ossai_voxels_make(&t->arena, &t->s, &options, &v));
	return v;
}

static ossai_voxel_parts all_of(test_surface *t, const ossai_voxels *v)
{
	return (ossai_voxel_parts){1, ossai_arena_zero(&t->arena, v->count, sizeof(uint32_t))};
}

static ossai_fine_voxels refined(test_surface *t, const ossai_voxels *coarse, const ossai_voxel_parts *parts, uint32_t factor)
{
	ossai_fine_voxels fine;
	assert_int_equal(parts->count, 1);
	assert_ok(t->context, ossai_voxels_refine(&t->arena, &t->s, coarse, parts, factor, 0, &fine));
	/* aligned: the corner of the first fine cell is that of its coarse cell */
	const ossai_vec3 corner = ossai_madd(fine.voxels.origin, -0.5 * fine.voxels.step, ossai_v3(1, 1, 1));
	const ossai_vec3 wanted = ossai_madd(
		coarse->origin, coarse->step, ossai_v3(fine.first[0] - 0.5, fine.first[1] - 0.5, fine.first[2] - 0.5));
	assert_true(ossai_distance(corner, wanted) < 1e-12);
	assert_true(fabs(fine.voxels.step * factor - coarse->step) < 1e-12);
	for (uint32_t i = 0; i < fine.voxels.count; i++) {
		const uint32_t voxel = ossai_coarse_of_fine(coarse, &fine, i);
		assert_true(voxel != OSSA_NONE && parts->of_voxel[voxel] == 0);
	}
	return fine;
}

/* how many fine cells are not as faces and winding numbers say; `tolerance` of winding numbers */
static size_t count_errors(test_surface *t, const ossai_voxels *v, double tolerance)
{
	const size_t cells = (size_t)v->size[0] * v->size[1] * v->size[2];
	ossai_oriented o;
	ossai_winding_tree *tree;
	assert_ok(t->context, ossai_orient(&t->arena, t->s.vertex_count, t->s.rest, t->s.face_count, t->s.triangles, &o));
	const ossai_mesh_view mesh = ossai_oriented_view(&o);
	assert_ok(t->context, ossai_winding_tree_make(&t->arena, &mesh, &tree));
	ossai_cells touched = {.row_words = (v->size[0] - 1) / 64 + 1, .step = v->step};
	memcpy(touched.size, v->size, sizeof touched.size);
	touched.origin = ossai_madd(v->origin, -0.5 * v->step, ossai_v3(1, 1, 1));
	touched.bits = ossai_arena_zero(&t->arena, ossai_cell_rows(&touched), touched.row_words * sizeof *touched.bits);
	assert_ok(t->context, ossai_cells_touch(&t->arena, &o, &touched));
	size_t errors = 0;
	for (size_t c = 0; c < cells; c++) {
		const size_t x = c % v->size[0], row = c / v->size[0], y = row % v->size[1], z = row / v->size[1];
		const bool is_set = v->of_cell[c] != OSSA_NONE;
		if (touched.bits[row * touched.row_words + x / 64] >> (x % 64) & 1) {
			errors += !is_set;
			continue;
		}
		const ossai_vec3 at = ossai_v3((double)x, (double)y, (double)z);
		const double winding = fabs(ossai_winding_tree_at(tree, ossai_madd(v->origin, v->step, at)));
		if (fabs(winding - 0.5) > tolerance) errors += is_set != (winding > 0.5);
	}
	return errors;
}

static void test_whole(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		test_shape *s = test_shape_new();
		test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
		if (i % 2) test_shape_box(s, ossai_v3(-1.6, -0.04, -0.03), ossai_v3(1.6, 0.04, 0.03), true);
		if (i == 3) test_shape_soup(s, true);
		test_surface t = test_shape_surface(1, s);
		const ossai_voxels coarse = coarse_of(&t, 1.0 / 15);
		const ossai_voxel_parts parts = all_of(&t, &coarse);
		const ossai_fine_voxels fine = refined(&t, &coarse, &parts, 2 + (uint32_t)i % 3);
		assert_int_equal(fine.voxels.part_count, 1);
		test_check_voxels(&fine.voxels);
		assert_int_equal(count_errors(&t, &fine.voxels, 0.01), 0);
		test_surface_end(&t);
		free(s);
	}
}

/* through a large hole, and one that coarse voxels close */
static void test_holes(void **state)
{
	(void)state;
	const double tops[] = {0.5, 0.95};
	for (int i = 0; i < 2; i++) {
		test_shape *s = test_shape_new();
		test_shape_ball(s, ossai_v3(0, 0, 0), 1, 20, tops[i]);
		test_surface t = test_shape_surface(1, s);
		const ossai_voxels coarse = coarse_of(&t, 1.0 / 10);
		const ossai_voxel_parts parts = all_of(&t, &coarse);
		const ossai_fine_voxels fine = refined(&t, &coarse, &parts, 4);
		test_check_voxels(&fine.voxels);
		/* only beside the hole it may be told otherwise */
		assert_true(count_errors(&t, &fine.voxels, 0.25) < fine.voxels.count / 100);
		test_surface_end(&t);
		free(s);
	}
}

/* a part has the distances that it has in the whole */
static void test_part(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
	test_shape_box(s, ossai_v3(-3, -0.1, -0.1), ossai_v3(3, 0.1, 0.1), true);
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels coarse = coarse_of(&t, 1.0 / 41);
	ossai_voxel_parts parts = all_of(&t, &coarse);
	const ossai_fine_voxels whole = refined(&t, &coarse, &parts, 3);
	size_t wanted = 0;
	for (uint32_t v = 0; v < coarse.count; v++) {
		parts.of_voxel[v] = ossai_voxel_center(&coarse, v).x > 0.02 ? 0 : OSSA_NONE;
		wanted += parts.of_voxel[v] == 0;
	}
	const ossai_fine_voxels part = refined(&t, &coarse, &parts, 3);
	assert_true(part.voxels.count > 10 * wanted && part.voxels.count < 27 * wanted);
	assert_true((double)part.voxels.size[0] < 0.8 * whole.voxels.size[0]);
	size_t count = 0;
	for (uint32_t v = 0; v < whole.voxels.count; v++) {
		uint32_t at[3];
		if (parts.of_voxel[ossai_coarse_of_fine(&coarse, &whole, v)] == OSSA_NONE) continue;
		ossai_voxel_at(&whole.voxels, v, at);
		for (int k = 0; k < 3; k++) at[k] += 3 * whole.first[k] - 3 * part.first[k];
		const size_t cell = at[0] + part.voxels.size[0] * (at[1] + (size_t)part.voxels.size[1] * at[2]);
		const uint32_t own = part.voxels.of_cell[cell];
		assert_true(own != OSSA_NONE);
		assert_int_equal(part.voxels.distance2[own], whole.voxels.distance2[v]);
		/* the cut is one coarse voxel wide */
		const double beyond = ossai_voxel_center(&coarse, ossai_coarse_of_fine(&coarse, &part, own)).x - 0.02;
		assert_int_equal(ossai_fine_on_cut(&coarse, &parts, &part, own), beyond <= coarse.step);
		count++;
	}
	assert_int_equal(count, part.voxels.count);
	test_surface_end(&t);
	free(s);
}

/* a palm with four fingers, closer than coarse voxels: these see one limb, finer ones see four */
static void test_fingers(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(0.9, 2, 2), true);
	for (int i = 0; i < 4; i++) {
		test_shape_box(s, ossai_v3(0.3, 0.3 * i, 1.9), ossai_v3(0.5, 0.3 * i + 0.2, 4), true);
	}
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels coarse = coarse_of(&t, 0.15 / 4);
	ossai_voxel_parts parts;
	assert_ok(t.context, ossai_thin_parts(&t.arena, &coarse, 2, 6, 3, &parts));
	assert_int_equal(parts.count, 1);
	const ossai_fine_voxels fine = refined(&t, &coarse, &parts, 4);
	assert_int_equal(fine.voxels.part_count, 1);
	/* across the fingers, at half their length */
	const uint32_t factor[2] = {1, 4};
	const ossai_voxels *grids[2] = {&coarse, &fine.voxels};
	for (int g = 0; g < 2; g++) {
		const ossai_voxels *v = grids[g];
		int limbs = 0;
		bool was = false;
		const double z = 3 / t.s.scale - t.s.rest_center.z / t.s.scale, x = 0.4 / t.s.scale - t.s.rest_center.x / t.s.scale;
		const size_t zi = (size_t)((z - v->origin.z) / v->step + 0.5), xi = (size_t)((x - v->origin.x) / v->step + 0.5);
		for (size_t y = 0; y < v->size[1]; y++) {
			const bool is = v->of_cell[xi + v->size[0] * (y + v->size[1] * zi)] != OSSA_NONE;
			limbs += is && !was;
			was = is;
		}
		assert_int_equal(limbs, factor[g]);
	}
	test_surface_end(&t);
	free(s);
}

/* each thin limb is a part, thick ones are in none; edges and corners are not limbs */
static void test_thin_parts(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(-1, -1, -1), ossai_v3(1, 1, 1), true);
	test_shape_ball(s, ossai_v3(0, 0, 1.5), 1, 24, 9);
	for (int i = 0; i < 4; i++) {
		const double x = i % 2 ? 0.8 : -0.8, y = i / 2 ? 0.8 : -0.8, w = i == 3 ? 0.15 : 0.03;
		test_shape_box(s, ossai_v3(x - w, y - w, -3), ossai_v3(x + w, y + w, -0.9), true);
	}
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels coarse = coarse_of(&t, 1.0 / 100);
	ossai_voxel_parts parts;
	assert_ok(t.context, ossai_thin_parts(&t.arena, &coarse, 2, 6, 2, &parts));
	assert_int_equal(parts.count, 3);
	const double bottom = (-1 - t.s.rest_center.z) / t.s.scale;
	for (uint32_t v = 0; v < coarse.count; v++) {
		const ossai_vec3 at = ossai_voxel_center(&coarse, v);
		const bool is_leg = at.z<bottom - 0.1, is_body = at.z> bottom + 0.1;
		const bool is_thick = is_leg && at.x > 0 && at.y > 0;
		if (is_body || is_thick) assert_int_equal(parts.of_voxel[v], OSSA_NONE);
		else if (is_leg) assert_true(parts.of_voxel[v] < 3);
	}
	/* nothing is longer than the whole */
	assert_ok(t.context, ossai_thin_parts(&t.arena, &coarse, 2, 1000, 2, &parts));
	assert_int_equal(parts.count, 0);
	assert_ok(t.context, ossai_voxels_refine(&t.arena, &t.s, &coarse, &parts, 2, 0, NULL));
	test_surface_end(&t);
	free(s);
}

/* several parts at once are as each by itself; the same for any threads */
static void test_several(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 0.9);
	test_shape_box(s, ossai_v3(-3, -0.05, -0.05), ossai_v3(3, 0.05, 0.05), true);
	ossai_fine_voxels first[2] = {{.factor = 0}};
	test_surface kept = {0};
	for (int i = 0; i < 3; i++) {
		test_surface t = test_shape_surface(i == 0 ? 1 : i == 1 ? 2 : 8, s);
		const ossai_voxels coarse = coarse_of(&t, 1.0 / 80);
		ossai_voxel_parts parts;
		ossai_fine_voxels fine[2];
		assert_ok(t.context, ossai_thin_parts(&t.arena, &coarse, 2, 6, 2, &parts));
		assert_int_equal(parts.count, 2);
		assert_ok(t.context, ossai_voxels_refine(&t.arena, &t.s, &coarse, &parts, 3, 0, fine));
		for (int p = 0; p < 2; p++) {
			const ossai_voxels *v = &fine[p].voxels;
			assert_true(v->count > 500);
			if (i > 0) {
				assert_int_equal(v->count, first[p].voxels.count);
				assert_memory_equal(v->cell, first[p].voxels.cell, v->count * sizeof *v->cell);
				assert_memory_equal(v->distance2, first[p].voxels.distance2, v->count * sizeof *v->distance2);
			}
		}
		if (i == 0) {
			memcpy(first, fine, sizeof first);
			kept = t;
		} else {
			test_surface_end(&t);
		}
	}
	test_surface_end(&kept);
	free(s);
}

static void test_limit(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels coarse = coarse_of(&t, 1.0 / 20);
	const ossai_voxel_parts parts = all_of(&t, &coarse);
	ossai_fine_voxels fine;
	assert_fails(t.context, ossai_voxels_refine(&t.arena, &t.s, &coarse, &parts, 4, 4e6, &fine), OSSA_ERROR_LIMIT,
		"the largest factor is 2");
	assert_ok(t.context, ossai_voxels_refine(&t.arena, &t.s, &coarse, &parts, 2, 4e6, &fine));
	assert_fails(t.context, ossai_voxels_refine(&t.arena, &t.s, &coarse, &parts, 1000000000, 0, &fine), OSSA_ERROR_LIMIT,
		"the largest factor is ");
	test_surface_end(&t);
	free(s);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const test_surface *t = arg;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_voxel_options options = {.size = 0.03};
	ossai_voxels coarse;
	ossai_voxel_parts parts;
	ossai_fine_voxels fine[8];
	ossa_status status = ossai_voxels_make(&arena, &t->s, &options, &coarse);
	if (status == OSSA_OK) status = ossai_thin_parts(&arena, &coarse, 2, 4, 2, &parts);
	if (status == OSSA_OK) assert_in_range(parts.count, 1, 8);
	if (status == OSSA_OK) status = ossai_voxels_refine(&arena, &t->s, &coarse, &parts, 2, 0, fine);
	ossai_arena_end(&arena);
	return status;
}

static void test_allocations(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 8, 0.9);
	test_shape_box(s, ossai_v3(-3, -0.05, -0.05), ossai_v3(3, 0.05, 0.05), true);
	test_surface t = test_shape_surface(1, s);
	assert_true(test_allocation_sweep(sweep_body, &t, 400, 1) >= 60);
	test_surface_end(&t);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_fingers),
		cmocka_unit_test(test_thin_parts),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
