/* tests/query/test_winding_numbers.c: winding numbers: inside, outside, inverted, open, against
   the sum of arc tangents, by rays and by a tree; units of any size. */
#include "math/vec.h"
#include "samples/samples.h"
#include "support/still.h"
#include "support/support.h"
#include "query/winding_numbers.h"
#include "query/winding_rays.h"

/* a cube from -1 to 1, faces outward */
static const float CUBE[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
static const uint32_t FACES[] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static double winding_of(const float *positions, size_t faces, const uint32_t *triangles, double x, double y, double z)
{
	ossa_context *context = test_context(1);
	const double point[3] = {x, y, z};
	double number = NAN;
	const ossai_mesh_view mesh = {.face_count = faces, .triangles = triangles, .floats = positions};
	ossai_winding_numbers(context, &mesh, 1, point, &number);
	test_context_end(context);
	return number;
}

static void cube_is_one_inside_and_zero_outside(void **state)
{
	(void)state;
	const double inside[][3] = {{0, 0, 0}, {0.999, 0.999, 0.999}, {0.5, 0.5, 0.1}, {-0.3, 0.2, 0.9}};
	const double outside[][3] = {{1.001, 0, 0}, {5, 5, 5}, {0, -1.5, 0}, {0, 0, 1e9}, {-1, -1, -4}};
	for (int i = 0; i < 4; i++) {
		assert_near(winding_of(CUBE, 12, FACES, inside[i][0], inside[i][1], inside[i][2]), 1, 1e-12);
	}
	for (int i = 0; i < 5; i++) {
		assert_near(winding_of(CUBE, 12, FACES, outside[i][0], outside[i][1], outside[i][2]), 0, 1e-12);
	}
}

static void inverted_and_doubled_cubes_count(void **state)
{
	(void)state;
	uint32_t inverted[36], doubled[72];
	for (int i = 0; i < 36; i++) {
		inverted[i] = FACES[i - i % 3 + (3 - i % 3) % 3];
		doubled[i] = doubled[36 + i] = FACES[i];
	}
	assert_near(winding_of(CUBE, 12, inverted, 0.1, 0.2, 0.3), -1, 1e-12);
	assert_near(winding_of(CUBE, 24, doubled, 0.1, 0.2, 0.3), 2, 1e-12);
	assert_near(winding_of(CUBE, 24, doubled, 3, 0.2, 0.3), 0, 1e-12);
}

static void open_and_degenerate_surfaces_are_fractions(void **state)
{
	(void)state;
	/* a cube without its two top faces has lost a sixth of the sphere around its center */
	uint32_t open[30];
	for (int i = 0; i < 6; i++) open[i] = FACES[i];
	for (int i = 6; i < 30; i++) open[i] = FACES[i + 6];
	assert_near(winding_of(CUBE, 10, open, 0, 0, 0), 5.0 / 6, 1e-12);
	assert_true(winding_of(CUBE, 0, FACES, 0, 0, 0) == 0);
	const uint32_t points[] = {0, 0, 0, 1, 2, 1};
	assert_true(winding_of(CUBE, 2, points, 0, 0.3, 0) == 0);
	/* the point on a corner, an edge, a face: a number between out and in */
	assert_true(isfinite(winding_of(CUBE, 12, FACES, -1, -1, -1)));
	assert_near(fabs(winding_of(CUBE, 12, FACES, 1, 0.25, 0)), 0.5, 0.5 + 1e-12);
}

/* half a solid angle of each face by its own arc tangent */
static double plain(const float *positions, size_t faces, const uint32_t *triangles, ossai_vec3 p)
{
	double sum = 0;
	for (size_t f = 0; f < faces; f++) {
		ossai_vec3 c[3];
		for (int k = 0; k < 3; k++) c[k] = ossai_sub(ossai_v3_of_float(positions + 3 * triangles[3 * f + k]), p);
		const double la = ossai_length(c[0]), lb = ossai_length(c[1]), lc = ossai_length(c[2]);
		sum += atan2(ossai_dot(c[0], ossai_cross(c[1], c[2])),
			la * lb * lc + ossai_dot(c[0], c[1]) * lc + ossai_dot(c[1], c[2]) * la + ossai_dot(c[2], c[0]) * lb);
	}
	return sum / (2 * OSSAI_PI);
}

static void random_soups_agree_with_arc_tangents(void **state)
{
	(void)state;
	enum { FACES_OF_SOUP = 60 };
	float positions[9 * FACES_OF_SOUP];
	uint32_t triangles[3 * FACES_OF_SOUP], seed = 7;
	for (uint32_t i = 0; i < 3 * FACES_OF_SOUP; i++) triangles[i] = i;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 9 * FACES_OF_SOUP; i++) {
			/* facing the origin more often than not, so that numbers grow large */
			positions[i] = (float)test_random_bits(&seed) / 16777216.0f - (i % 9 == i / 27 % 9 ? 0.9f : 0.4f);
		}
		const double found = winding_of(positions, FACES_OF_SOUP, triangles, 0.01, 0.02, 0.03);
		assert_near(found, plain(positions, FACES_OF_SOUP, triangles, ossai_v3(0.01, 0.02, 0.03)), 1e-10);
	}
}

/* ---- rays ---- */

/* a lattice, so that rays pass through corners and edges, those of a border too; the point is on
   the surface only where all of |x|, |y|, |z| are at most 1 and one is 1 */
static void assert_rays_agree_on_lattice(size_t faces, const uint32_t *triangles)
{
	enum { SIDE = 9 };
	ossa_context *context = test_context(2);
	double points[3 * SIDE * SIDE * SIDE], exact[SIDE * SIDE * SIDE], found[SIDE * SIDE * SIDE];
	size_t count = 0;
	bool made;
	for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
		const double x = i % SIDE * 0.5 - 2, y = i / SIDE % SIDE * 0.5 - 2, z = i / SIDE / SIDE * 0.5 - 2;
		if (fmax(fabs(x), fmax(fabs(y), fabs(z))) == 1) continue;
		ossai_v3_store(ossai_v3(x, y, z), points + 3 * count++);
	}
	const ossai_mesh_view mesh = ossai_view_of_floats(8, CUBE, faces, triangles);
	ossai_winding_numbers(context, &mesh, count, points, exact);
	assert_ok(context, ossai_winding_numbers_by_rays(context, &mesh, 36, count, points, found, &made));
	assert_true(made);
	for (size_t i = 0; i < count; i++) assert_near(found[i], exact[i], 1e-12);
	test_context_end(context);
}

static void rays_through_corners_and_edges_count_once(void **state)
{
	(void)state;
	assert_rays_agree_on_lattice(12, FACES);
	/* every face left out in turn: its border lies in the rays' way; some faces count twice */
	for (size_t out = 0; out < 12; out++) {
		uint32_t open[3 * 14];
		size_t count = 0;
		for (size_t i = 0; i < 15; i++) {
			const size_t face = i % 12;
			if (face == out) continue;
			for (size_t k = 0; k < 3; k++) open[3 * count + k] = FACES[3 * face + k];
			count++;
		}
		assert_rays_agree_on_lattice(count, open);
	}
}

static void a_long_border_is_left_to_others(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_mesh_view mesh = ossai_view_of_floats(8, CUBE, 11, FACES);
	const double point[3] = {0.1, 0.2, 0.3};
	double number;
	bool made;
	assert_ok(context, ossai_winding_numbers_by_rays(context, &mesh, 3, 1, point, &number, &made));
	assert_true(made);
	assert_ok(context, ossai_winding_numbers_by_rays(context, &mesh, 2, 1, point, &number, &made));
	assert_false(made);
	test_context_end(context);
}

/* ---- the tree ---- */

enum { TREE_POINTS = 600, SOUP_FACES = 3000 };
static const double TREE_ERROR = 1e-3;

/* points in and around the box of the vertices; every other one close to a vertex */
static void scatter_points(size_t vertex_count, const float *positions, double *points)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], positions[i]);
		high[i % 3] = fmax(high[i % 3], positions[i]);
	}
	uint32_t seed = 3;
	for (size_t i = 0; i < TREE_POINTS; i++) {
		const size_t vertex = test_random_bits(&seed) % vertex_count;
		for (int k = 0; k < 3; k++) {
			const double share = test_random_bits(&seed) / 16777216.0, side = high[k] - low[k];
			points[3 * i + k] = i % 2 ? positions[3 * vertex + k] + 0.02 * side * (share - 0.5)
									  : low[k] + side * (1.4 * share - 0.2);
		}
	}
}

/* the tree's numbers are the exact ones but for little, and on the same side */
static void assert_tree_agrees(
	size_t vertex_count, const float *positions, size_t faces, const uint32_t *triangles, double large)
{
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	double *points = ossai_arena_new(&arena, TREE_POINTS, 3 * sizeof *points);
	double *exact = ossai_arena_new(&arena, TREE_POINTS, sizeof *exact),
		   *found = ossai_arena_new(&arena, TREE_POINTS, sizeof *found);
	double *again = ossai_arena_new(&arena, TREE_POINTS, sizeof *again);
	scatter_points(vertex_count, positions, points);
	const ossai_mesh_view mesh = ossai_view_of_floats(vertex_count, positions, faces, triangles);
	ossai_winding_numbers(context, &mesh, TREE_POINTS, points, exact);
	ossai_winding_tree *tree;
	assert_ok(context, ossai_winding_tree_make(&arena, &mesh, &tree));
	ossai_winding_tree_numbers(context, tree, TREE_POINTS, points, found);
	assert_ok(context, ossai_winding_numbers_fast(context, &mesh, TREE_POINTS, points, again));
	bool made;
	double *by_rays = ossai_arena_new(&arena, TREE_POINTS, sizeof *by_rays);
	assert_ok(context, ossai_winding_numbers_by_rays(context, &mesh, 3 * faces, TREE_POINTS, points, by_rays, &made));
	assert_true(made);
	for (size_t i = 0; i < TREE_POINTS; i++) {
		assert_near(by_rays[i], exact[i], 1e-9 * large);
		assert_near(found[i], exact[i], TREE_ERROR * large);
		if (fabs(fabs(exact[i]) - 0.5) > 2 * TREE_ERROR * large) assert_true((fabs(found[i]) > 0.5) == (fabs(exact[i]) > 0.5));
		assert_true(again[i] == found[i] || fabs(again[i] - exact[i]) < 1e-12);
		assert_near(ossai_winding_tree_rough(tree, ossai_v3_of(points + 3 * i)), exact[i], 10 * TREE_ERROR * large);
		const bool inside = ossai_winding_tree_inside(tree, ossai_v3_of(points + 3 * i));
		if (large < 5) assert_int_equal(inside, fabs(found[i]) > 0.5);
		assert_true(ossai_winding_tree_at(tree, ossai_v3_of(points + 3 * i)) == found[i]);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void tree_agrees_on_creatures(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_OPEN, OSSA_SAMPLE_PIECES};
	for (int k = 0; k < 3; k++) {
		ossa_context *context = test_context(0);
		ossa_sample_options options = ossa_sample_default();
		options.kind = kinds[k];
		options.faces = 8000;
		options.frames = 1;
		ossa_sample *sample;
		assert_ok(context, ossa_sample_create(context, &options, &sample));
		ossa_mesh *mesh = sample->rig->mesh;
		assert_tree_agrees(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles, 1);
		/* far from the origin floats are coarse, but both versions use the same ones */
		for (size_t i = 0; i < 3 * mesh->vertex_count; i++) mesh->positions[i] += 50;
		assert_tree_agrees(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles, 1);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

/* many large faces through each other: numbers are large, and so is what is left out */
static void tree_agrees_on_soups(void **state)
{
	(void)state;
	static float positions[9 * SOUP_FACES];
	static uint32_t triangles[3 * SOUP_FACES];
	uint32_t seed = 11;
	for (uint32_t i = 0; i < 3 * SOUP_FACES; i++) triangles[i] = i;
	for (int size = 1; size <= 100; size *= 10) {
		for (size_t i = 0; i < 9 * SOUP_FACES; i++) {
			const float random = (float)test_random_bits(&seed) / 16777216.0f - 0.5f;
			positions[i] = i % 9 < 3 ? random : positions[i - i % 9 + i % 3] + random / (float)size;
		}
		assert_tree_agrees(3 * SOUP_FACES, positions, SOUP_FACES, triangles, 4);
	}
	/* all faces at one point, and none */
	for (size_t i = 9; i < 9 * SOUP_FACES; i++) positions[i] = positions[i % 9];
	assert_tree_agrees(3 * SOUP_FACES, positions, SOUP_FACES, triangles, SOUP_FACES);
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_winding_tree *tree;
	const ossai_mesh_view none = ossai_view_of_floats(3 * SOUP_FACES, positions, 0, triangles);
	assert_ok(context, ossai_winding_tree_make(&arena, &none, &tree));
	assert_true(ossai_winding_tree_at(tree, ossai_v3(1, 2, 3)) == 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* sizes whose moments are beyond the range of floats: powers of two, which round no position */
static void units_change_no_number_of_the_tree(void **state)
{
	(void)state;
	static const int exponents[] = {80, -80};
	static double points[3 * TREE_POINTS], numbers[2][TREE_POINTS];
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_OCTOPUS, 8000);
	ossa_mesh *mesh = sample->rig->mesh;
	scatter_points(mesh->vertex_count, mesh->positions, points);
	for (int k = 0, power = 0; k <= 2; k++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_winding_tree *tree;
		const ossai_mesh_view view = ossai_view_of_mesh(mesh);
		assert_ok(context, ossai_winding_tree_make(&arena, &view, &tree));
		ossai_winding_tree_numbers(context, tree, TREE_POINTS, points, numbers[k > 0]);
		ossai_arena_end(&arena);
		if (k > 0) assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
		if (k == 2) break;
		const int step = exponents[k] - power;
		for (size_t i = 0; i < 3 * mesh->vertex_count; i++) mesh->positions[i] = ldexpf(mesh->positions[i], step);
		for (size_t i = 0; i < 3 * TREE_POINTS; i++) points[i] = ldexp(points[i], step);
		power = exponents[k];
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status sweep_tree(ossa_context *context, void *arg)
{
	(void)arg;
	static uint32_t triangles[3 * 1200];
	static double points[3 * 50], numbers[50];
	for (uint32_t i = 0; i < 3 * 1200; i++) triangles[i] = FACES[i % 36];
	const ossai_mesh_view mesh = ossai_view_of_floats(8, CUBE, 1200, triangles);
	return ossai_winding_numbers_fast(context, &mesh, 50, points, numbers);
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_tree, NULL, 100, 1) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cube_is_one_inside_and_zero_outside),
		cmocka_unit_test(inverted_and_doubled_cubes_count),
		cmocka_unit_test(open_and_degenerate_surfaces_are_fractions),
		cmocka_unit_test(random_soups_agree_with_arc_tangents),
		cmocka_unit_test(rays_through_corners_and_edges_count_once),
		cmocka_unit_test(a_long_border_is_left_to_others),
		cmocka_unit_test(tree_agrees_on_creatures),
		cmocka_unit_test(tree_agrees_on_soups),
		cmocka_unit_test(units_change_no_number_of_the_tree),
		cmocka_unit_test(memory_may_fail_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
