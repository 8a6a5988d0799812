/* tests/voxels/test_voxels.c: which voxels are interior, against plain methods: boxes cut by
   triangles, winding numbers of every voxel; for closed meshes, soups, open and nested ones. */
#include "support/support.h"
#include "support/shapes.h"
#include "query/winding_numbers.h"
#include "voxels/voxel_cells.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* ---- triangles and boxes ---- */

/* separating axes; `half` of the box about the origin */
static bool box_meets(const ossai_vec3 *corner, double half)
{
	const ossai_vec3 edge[3] = {
		ossai_sub(corner[1], corner[0]), ossai_sub(corner[2], corner[1]), ossai_sub(corner[0], corner[2])};
	const ossai_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int i = 0; i < 13; i++) {
		const ossai_vec3 axis = i < 3 ? unit[i]
			: i == 3                  ? ossai_cross(edge[0], edge[1])
									  : ossai_cross(unit[(i - 4) / 3], edge[(i - 4) % 3]);
		const double a = ossai_dot(axis, corner[0]), b = ossai_dot(axis, corner[1]), c = ossai_dot(axis, corner[2]);
		const double reach = half * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
		if (fmin(a, fmin(b, c)) > reach || fmax(a, fmax(b, c)) < -reach) return false;
	}
	return true;
}

static void check_touched(const double *points, uint32_t nx, uint32_t ny, uint32_t nz)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t triangles[3] = {0, 1, 2};
	ossai_oriented surface = {.point_count = 3, .points = (double *)points, .face_count = 1, .triangles = triangles};
	ossai_cells cells = {.size = {nx, ny, nz}, .row_words = (nx - 1) / 64 + 1, .step = 1};
	cells.bits = ossai_arena_zero(&arena, ossai_cell_rows(&cells), cells.row_words * sizeof *cells.bits);
	assert_ok(context, ossai_cells_touch(&arena, &surface, &cells));
	for (size_t c = 0; c < (size_t)nx * ny * nz; c++) {
		const size_t x = c % nx, y = c / nx % ny, z = c / nx / ny;
		const ossai_vec3 middle = ossai_v3(x + 0.5, y + 0.5, z + 0.5);
		ossai_vec3 corner[3];
		for (int k = 0; k < 3; k++) corner[k] = ossai_sub(ossai_v3_of(points + 3 * k), middle);
		const bool is_set = cells.bits[(z * ny + y) * cells.row_words + x / 64] >> (x % 64) & 1;
		const bool is_outermost = x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
		/* cells that are only just touched may be either */
		if (is_set) assert_true(!is_outermost && box_meets(corner, 0.5 + 3e-6));
		else assert_true(is_outermost || !box_meets(corner, 0.5));
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void test_faces_touch_boxes(void **state)
{
	(void)state;
	uint64_t random = 5;
	for (int i = 0; i < 300; i++) {
		double points[9];
		const double reach = i % 3 == 0 ? 0.7 : i % 3 == 1 ? 3 : 11;
		const ossai_vec3 at = ossai_madd(ossai_v3(20, 9, 13), 0.6 / reach, test_random_point(&random, 7));
		for (int k = 0; k < 9; k++) {
			points[k] = (k % 3 == 0          ? at.x
								: k % 3 == 1 ? at.y
											 : at.z) +
				test_random(&random) * fmin(reach, k % 3 == 1 ? 7 : 11);
			/* on corners and sides of cells */
			if (i % 5 == 0) points[k] = round(points[k]);
		}
		/* slivers and points */
		if (i % 7 == 0) memcpy(points + 6, points + 3, 3 * sizeof *points);
		for (int k = 0; k < 9; k++) {
			const double most = (k % 3 == 0 ? 70 : k % 3 == 1 ? 18 : 26) - 1.01;
			points[k] = fmin(fmax(points[k] + (k % 3 == 0 && i % 2 ? 30 : 0), 1.01), most);
		}
		check_touched(points, 70, 18, 26);
	}
}

/* ---- inside ---- */

static void test_box(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(3, 2, 1), true);
	test_surface t;
	const ossai_voxels v = test_shape_voxels(s, 1.0 / 30.5, &t);
	/* 30.5 x 20.33 x 10.17 cells in the middle of 31 x 21 x 11, and a layer around them */
	assert_int_equal(v.size[0], 33);
	assert_int_equal(v.size[1], 23);
	assert_int_equal(v.size[2], 13);
	assert_int_equal(v.count, 31 * 21 * 11);
	uint32_t deepest = 0;
	for (size_t i = 0; i < v.count; i++) deepest = v.distance2[i] > deepest ? v.distance2[i] : deepest;
	assert_int_equal(deepest, 36);
	assert_int_equal(v.part_count, 1);
	assert_no_warnings(t.context);
	test_surface_end(&t);
	free(s);
}

/* Every cell that no face touches is as its winding number says. What is between a half and six
   tenths, or nearly so, may be on either side. */
static void check_winding(test_surface *t, const ossai_voxels *v)
{
	const size_t cells = (size_t)v->size[0] * v->size[1] * v->size[2];
	ossai_oriented o;
	assert_ok(t->context, ossai_orient(&t->arena, t->s.vertex_count, t->s.rest, t->s.face_count, t->s.triangles, &o));
	const ossai_mesh_view mesh = ossai_oriented_view(&o);
	double *points = ossai_arena_new(&t->arena, cells, 3 * sizeof *points), *numbers = ossai_arena_new(&t->arena, cells, 8);
	ossai_cells touched = {.row_words = (v->size[0] - 1) / 64 + 1, .step = v->step};
	memcpy(touched.size, v->size, sizeof touched.size);
	touched.origin = ossai_madd(v->origin, -0.5 * v->step, ossai_v3(1, 1, 1));
	touched.bits = ossai_arena_zero(&t->arena, ossai_cell_rows(&touched), touched.row_words * sizeof *touched.bits);
	assert_ok(t->context, ossai_cells_touch(&t->arena, &o, &touched));
	for (size_t c = 0; c < cells; c++) {
		const ossai_vec3 at = ossai_v3(
			(double)(c % v->size[0]), (double)(c / v->size[0] % v->size[1]), (double)(c / v->size[0] / v->size[1]));
		ossai_v3_store(ossai_madd(v->origin, v->step, at), points + 3 * c);
	}
	assert_ok(t->context, ossai_winding_numbers_fast(t->context, &mesh, cells, points, numbers));
	size_t errors = 0;
	for (size_t c = 0; c < cells; c++) {
		const size_t x = c % v->size[0], row = c / v->size[0];
		const bool is_set = v->of_cell[c] != OSSA_NONE;
		if (touched.bits[row * touched.row_words + x / 64] >> (x % 64) & 1) errors += !is_set;
		else if (fabs(fabs(numbers[c]) - 0.55) > 0.08) errors += is_set != (fabs(numbers[c]) > 0.5);
	}
	assert_int_equal(errors, 0);
}

static void test_winding_numbers(void **state)
{
	(void)state;
	const double tops[] = {2, 0.8, 0.3, -0.2};
	/* as a surface and, from the fifth, as separate faces */
	for (int i = 0; i < 8; i += test_is_long() ? 1 : 3) {
		test_shape *s = test_shape_new();
		test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, tops[i % 4]);
		if (i >= 4) test_shape_soup(s, true);
		test_surface t = test_shape_surface(1, s);
		const ossai_voxels v = test_shape_voxels_of(&t, 1.0 / 33);
		assert_int_equal(v.part_count, 1);
		check_winding(&t, &v);
		test_surface_end(&t);
		free(s);
	}
}

/* Corners that do not meet, faces of either orientation: winding numbers mean nothing, but faces
   close it all around. */
static void test_turned_soup(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 20, 2);
	test_shape_soup(s, false);
	uint64_t random = 11;
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->positions[i] += (float)(1e-4 * test_random(&random));
	for (size_t f = 0; f < s->face_count; f++) {
		if (test_random(&random) < 0) continue;
		const uint32_t swap = s->triangles[3 * f];
		s->triangles[3 * f] = s->triangles[3 * f + 1];
		s->triangles[3 * f + 1] = swap;
	}
	test_surface t;
	const ossai_voxels v = test_shape_voxels(s, 1 / 31.5, &t);
	/* a ball of radius 15.75 and half of the cells at its surface */
	assert_in_range(v.count, 16300 + 1500, 16300 + 3500);
	assert_int_equal(v.part_count, 1);
	test_surface_end(&t);
	free(s);
}

/* a sheet with waves has no inside */
static void test_sheet(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 60, 60, 1);
	/* bent, too: only its waves are checked */
	for (size_t i = 0; i < t.s.vertex_count; i++) {
		double *p = t.s.rest + 3 * i;
		const double x = (double)(i / 61) / 60, y = (double)(i % 61) / 60;
		ossai_v3_store(ossai_v3(0.7 * x, 0.7 * y, 0.03 * sin(9 * x) * cos(12 * y)), p);
	}
	const ossai_voxels v = test_shape_voxels_of(&t, 0.01);
	uint32_t deepest = 0;
	for (size_t i = 0; i < v.count; i++) deepest = v.distance2[i] > deepest ? v.distance2[i] : deepest;
	assert_in_range(v.count, 100 * 100, 100 * 100 * 2);
	assert_true(deepest <= 4);
	test_surface_end(&t);
}

/* Few faces in any position, slivers, duplicate faces, needles, distant points: there is always a
   valid result, whose voxels contain every corner of the kept component, or all. */
static void test_any_faces(void **state)
{
	(void)state;
	uint64_t random = 17;
	test_shape *s = test_shape_new();
	for (int round = 0; round < 120; round++) {
		s->face_count = 1 + (size_t)(round % 40);
		s->vertex_count = 3 + s->face_count;
		const double flat = round % 3 == 0 ? 0 : round % 3 == 1 ? 1e-5 : 1, far = round % 7 == 0 ? 1e4 : 1;
		for (size_t i = 0; i < 3 * s->vertex_count; i++) {
			s->positions[i] = (float)((i % 3 == 2 ? flat : 1) * test_random(&random) * (i < 3 ? far : 1));
		}
		for (size_t i = 0; i < 3 * s->face_count; i++) {
			s->triangles[i] = (uint32_t)((0.5 + 0.4999 * test_random(&random)) * (double)s->vertex_count);
		}
		memcpy(s->triangles, (uint32_t[]){0, 1, 2}, 3 * sizeof *s->triangles);
		test_surface t = test_shape_surface(1 + round % 2, s);
		const double sizes[] = {0.02, 0.3, 1.5, 0.01};
		const ossai_voxels v = test_shape_voxels_of(&t, sizes[round % 4]);
		for (size_t i = 0; v.part_count == 1 && i < 3 * s->face_count; i++) {
			const uint32_t *face = t.s.triangles + i / 3 * 3;
			if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) continue;
			const ossai_vec3 p = ossai_sub(ossai_rest_point(&t.s, t.s.triangles[i]), v.origin);
			const size_t x = (size_t)floor(p.x / v.step + 0.5), y = (size_t)floor(p.y / v.step + 0.5);
			const size_t cell = x + v.size[0] * (y + v.size[1] * (size_t)floor(p.z / v.step + 0.5));
			assert_true(v.of_cell[cell] != OSSA_NONE);
		}
		/* those chosen for the first, a sliver, are very many: most of the time of all rounds */
		if (round % 10 == 0 && (round > 0 || test_is_long())) test_shape_voxels_of(&t, 0);
		test_surface_end(&t);
	}
	free(s);
}

static bool stop_at(void *user, const char *stage, double fraction)
{
	(void)stage;
	double *most = user;
	return !(fraction >= *most);
}

/* progress never decreases, and a call stops when it is cancelled */
static void test_cancelled(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 0.7);
	test_surface t = test_shape_surface(1, s);
	for (double most = 0.05; most < 1; most += 0.3) {
		ossa_context *context;
		ossa_context_options options = ossa_context_default();
		options.progress = stop_at;
		options.progress_user = &most;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_voxel_options voxel_options = {.size = 0.05};
		ossai_voxels v;
		assert_fails(context, ossai_voxels_make(&arena, &t.s, &voxel_options, &v), OSSA_ERROR_CANCELLED, NULL);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	test_surface_end(&t);
	free(s);
}

/* turning all or some faces of a closed surface changes nothing */
static void test_inside_out(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 1, 12, 2);
	test_surface t;
	const ossai_voxels v = test_shape_voxels(s, 0.03, &t);
	for (int i = 0; i < 2; i++) {
		for (size_t f = 0; f < s->face_count; f++) {
			if (i == 1 && f % 3 == 0) continue;
			const uint32_t swap = s->triangles[3 * f];
			s->triangles[3 * f] = s->triangles[3 * f + 1];
			s->triangles[3 * f + 1] = swap;
		}
		test_surface t2;
		const ossai_voxels turned = test_shape_voxels(s, 0.03, &t2);
		assert_int_equal(turned.count, v.count);
		assert_memory_equal(turned.cell, v.cell, v.count * sizeof *v.cell);
		test_surface_end(&t2);
	}
	test_surface_end(&t);
	free(s);
}

/* what is enclosed twice is inside, whichever orientation the faces of the inner box have */
static void test_box_in_box(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		test_shape *s = test_shape_new();
		test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(3, 3, 3), true);
		test_shape_box(s, ossai_v3(1, 1, 1), ossai_v3(2, 2, 2), true);
		for (size_t f = 12; turn && f < 24; f++) {
			const uint32_t swap = s->triangles[3 * f];
			s->triangles[3 * f] = s->triangles[3 * f + 1];
			s->triangles[3 * f + 1] = swap;
		}
		test_surface t;
		const ossai_voxels v = test_shape_voxels(s, 1.0 / 30.5, &t);
		assert_int_equal(v.count, 31 * 31 * 31);
		test_surface_end(&t);
		free(s);
	}
}

/* ---- what has no volume ---- */

static void test_flat(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	s->vertex_count = 4;
	s->face_count = 2;
	memcpy(s->positions, (float[]){0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 12 * sizeof(float));
	memcpy(s->triangles, (uint32_t[]){0, 1, 2, 0, 2, 3}, 6 * sizeof(uint32_t));
	test_surface t;
	ossai_voxels v = test_shape_voxels(s, 1 / 20.5, &t);
	/* one voxel thick */
	assert_int_equal(v.count, 21 * 21);
	for (size_t i = 0; i < v.count; i++) assert_int_equal(v.distance2[i], 1);
	v = test_shape_voxels_of(&t, 0);
	assert_in_range(v.count, 20000, 200000);
	test_surface_end(&t);
	/* a triangle by itself */
	s->vertex_count = 3;
	s->face_count = 1;
	v = test_shape_voxels(s, 1 / 20.5, &t);
	assert_in_range(v.count, 21 * 21 / 2, 21 * 21 / 2 + 35);
	v = test_shape_voxels_of(&t, 0);
	assert_in_range(v.count, 20000, 200000);
	assert_no_warnings(t.context);
	test_surface_end(&t);
	/* three points on a line */
	memcpy(s->positions, (float[]){0, 0, 0, 1, 0, 0, 0.5f, 0, 0}, 9 * sizeof(float));
	v = test_shape_voxels(s, 1 / 20.5, &t);
	assert_int_equal(v.count, 21);
	test_surface_end(&t);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faces_touch_boxes),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_winding_numbers),
		cmocka_unit_test(test_turned_soup),
		cmocka_unit_test(test_sheet),
		cmocka_unit_test(test_any_faces),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_inside_out),
		cmocka_unit_test(test_box_in_box),
		cmocka_unit_test(test_flat),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
