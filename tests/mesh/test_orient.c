/* tests/mesh/test_orient.c: triangle soups are welded and oriented outward; on tetrahedra, open
   boxes and discs. */
#include "mesh/orient.h"
#include "support/support.h"

#include <string.h>

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_oriented made;
} bench;

static bench orient(size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	assert_ok(b.context, ossai_orient(&b.arena, vertex_count, positions, face_count, triangles, &b.made));
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static ossai_vec3 corner(const ossai_oriented *made, size_t i)
{
	return ossai_v3_of(made->points + 3 * (size_t)made->triangles[i]);
}

/* about the points' own mean, so that an open surface has one too */
static double volume_of(const ossai_oriented *made)
{
	ossai_vec3 mean = {0, 0, 0};
	double sum = 0;
	for (size_t i = 0; i < made->point_count; i++) {
		mean = ossai_madd(mean, 1 / (double)made->point_count, ossai_v3_of(made->points + 3 * i));
	}
	for (size_t f = 0; f < made->face_count; f++) {
		const ossai_vec3 a = ossai_sub(corner(made, 3 * f), mean), b = ossai_sub(corner(made, 3 * f + 1), mean);
		sum += ossai_dot(a, ossai_cross(b, ossai_sub(corner(made, 3 * f + 2), mean))) / 6;
	}
	return sum;
}

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

/* each face with corners of its own, some turned; zeros of either sign are the same position */
static void a_soup_is_welded_and_turned(void **state)
{
	(void)state;
	for (unsigned turned = 0; turned < 16; turned++) {
		double positions[36];
		uint32_t triangles[12];
		for (uint32_t i = 0; i < 12; i++) {
			for (size_t k = 0; k < 3; k++) {
				const double x = corners[3 * tetrahedron[i] + k];
				positions[3 * i + k] = x == 0 && i % 2 ? -0.0 : x;
			}
			triangles[i] = turned >> i / 3 & 1 && i % 3 ? i - i % 3 + 3 - i % 3 : i;
		}
		bench b = orient(12, positions, 4, triangles);
		assert_int_equal(b.made.point_count, 4);
		assert_int_equal(b.made.face_count, 4);
		assert_true(b.made.is_closed);
		assert_near(b.made.area, 1.5 + sqrt(3) / 2, 1e-12);
		assert_near(volume_of(&b.made), 1.0 / 6, 1e-15);
		for (uint32_t i = 0; i < 12; i++) {
			const double *p = b.made.points + 3 * b.made.point_of_vertex[i];
			for (size_t k = 0; k < 3; k++) assert_near(p[k], positions[3 * i + k], 0);
		}
		end(&b);
	}
}

static void doubles_and_faces_without_area_go(void **state)
{
	(void)state;
	/* vertex 4 is where vertex 1 is, and no face uses vertex 5 */
	const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 7, 7, 7};
	uint32_t triangles[24];
	memcpy(triangles, tetrahedron, sizeof tetrahedron);
	memcpy(triangles + 12, (const uint32_t[]){4, 0, 2, 3, 4, 1, 2, 4, 3, 0, 0, 1}, 12 * sizeof *triangles);
	bench b = orient(6, positions, 8, triangles);
	assert_int_equal(b.made.point_count, 4);
	assert_int_equal(b.made.face_count, 4);
	assert_int_equal(b.made.point_of_vertex[4], b.made.point_of_vertex[1]);
	assert_int_equal(b.made.point_of_vertex[5], OSSA_NONE);
	assert_true(b.made.is_closed);
	end(&b);
}

/* a box of 1 x 1 x height without its lid, all faces inward */
static double open_box(double height, bool *is_closed)
{
	double positions[24];
	const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
	for (size_t i = 0; i < 24; i++) positions[i] = (i / 3 >> i % 3 & 1) * (i % 3 == 2 ? height : 1);
	bench b = orient(8, positions, 10, triangles);
	const double volume = volume_of(&b.made);
	*is_closed = b.made.is_closed;
	end(&b);
	return volume;
}

/* its border is 4 long: it is nearly closed where its area, 1 + 4 height, is over 16 / 8 */
static void what_is_nearly_closed_is_turned_outward(void **state)
{
	(void)state;
	bool is_closed;
	assert_true(open_box(1, &is_closed) > 0);
	assert_false(is_closed);
	assert_true(open_box(0.26, &is_closed) > 0);
	assert_true(open_box(0.24, &is_closed) < 0);
}

/* a fan of six faces of which some are turned: the side of most of the area is kept */
static void a_disc_keeps_the_side_of_most_of_it(void **state)
{
	(void)state;
	for (size_t turned = 0; turned <= 6; turned++) {
		double positions[21] = {0};
		uint32_t triangles[18];
		for (uint32_t i = 0; i < 6; i++) {
			positions[3 * i + 3] = cos(i * 1.0471975511965976);
			positions[3 * i + 4] = sin(i * 1.0471975511965976);
			const uint32_t next = 1 + (i + 1) % 6;
			memcpy(triangles + 3 * i, (const uint32_t[]){0, i < turned ? next : 1 + i, i < turned ? 1 + i : next},
				3 * sizeof *triangles);
		}
		if (turned == 3) continue;
		bench b = orient(7, positions, 6, triangles);
		for (size_t f = 0; f < 6; f++) {
			const ossai_vec3 a = corner(&b.made, 3 * f);
			const ossai_vec3 normal = ossai_cross(
				ossai_sub(corner(&b.made, 3 * f + 1), a), ossai_sub(corner(&b.made, 3 * f + 2), a));
			assert_true(turned < 3 ? normal.z > 0 : normal.z < 0);
		}
		assert_false(b.made.is_closed);
		end(&b);
	}
}

/* two tetrahedra on both sides of one face that is a wall: its edges have three faces each, and
   winding numbers are not whole */
static void crowded_edges_count_by_direction(void **state)
{
	(void)state;
	const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1};
	const uint32_t with_wall[] = {0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 4, 1, 0, 2, 4, 1, 4, 2, 0, 2, 1};
	bench b = orient(5, positions, 6, with_wall);
	assert_true(b.made.is_closed);
	end(&b);
	b = orient(5, positions, 7, with_wall);
	assert_int_equal(b.made.face_count, 7);
	assert_false(b.made.is_closed);
	end(&b);
	/* two that share an edge: four faces there, two each way */
	const double pair[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, -1, 0, 0, -1, -1, 0};
	const uint32_t both[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2, 0, 1, 4, 0, 5, 1, 0, 4, 5, 1, 5, 4};
	b = orient(6, pair, 8, both);
	assert_int_equal(b.made.face_count, 8);
	assert_true(b.made.is_closed);
	end(&b);
}

/* Four pointed hats on one triangle, all high enough to be nearly closed: each edge of the brim has
   four faces. Hats on one side run along it in one direction, two on either side balance. */
static bool hats_are_closed(const double height[4])
{
	double positions[21] = {1, 0, 0, -0.5, 0.866, 0, -0.5, -0.866, 0};
	uint32_t triangles[36];
	for (uint32_t i = 0; i < 4; i++) {
		positions[9 + 3 * i + 2] = height[i];
		memcpy(triangles + 9 * i, (const uint32_t[]){0, 1, 3 + i, 1, 2, 3 + i, 2, 0, 3 + i}, 9 * sizeof *triangles);
	}
	bench b = orient(7, positions, 12, triangles);
	const bool is_closed = b.made.is_closed;
	end(&b);
	return is_closed;
}

static void borders_on_borders_count_by_direction(void **state)
{
	(void)state;
	assert_true(hats_are_closed((const double[]){3, 4, -3, -4}));
	assert_false(hats_are_closed((const double[]){3, 4, 5, -4}));
	assert_false(hats_are_closed((const double[]){3, 4, 5, 6}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_soup_is_welded_and_turned),
		cmocka_unit_test(doubles_and_faces_without_area_go),
		cmocka_unit_test(what_is_nearly_closed_is_turned_outward),
		cmocka_unit_test(a_disc_keeps_the_side_of_most_of_it),
		cmocka_unit_test(crowded_edges_count_by_direction),
		cmocka_unit_test(borders_on_borders_count_by_direction),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
