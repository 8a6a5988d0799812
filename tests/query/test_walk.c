/* tests/query/test_walk.c: walks over a sphere, a sheet and a folded strip; on a convex surface
   a walk ends at the nearest point of all. */
#include "query/walk.h"
#include "support/half_edges.h"
#include "support/support.h"
#include "support/surfaces.h"

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* the least distance to points laid over the face, `steps` along each side: never less than the
   true one */
static double sampled_distance(const ossai_half_edges *m, size_t face, ossai_vec3 point, int steps)
{
	const ossai_vec3 a = ossai_edge_point(m, m->vertex[3 * face]), b = ossai_edge_point(m, m->vertex[3 * face + 1]);
	const ossai_vec3 c = ossai_edge_point(m, m->vertex[3 * face + 2]);
	double least = INFINITY;
	for (int i = 0; i <= steps; i++) {
		for (int j = 0; i + j <= steps; j++) {
			const ossai_vec3 at = ossai_add(ossai_scale(a, (double)(steps - i - j) / steps),
				ossai_add(ossai_scale(b, (double)i / steps), ossai_scale(c, (double)j / steps)));
			least = fmin(least, ossai_distance(at, point));
		}
	}
	return least;
}

/* the point is on its face, at the returned distance */
static void assert_spot(const ossai_half_edges *m, ossai_spot spot, ossai_vec3 point)
{
	const ossai_vec3 normal = ossai_edge_normal(m, spot.face), unit = ossai_unit(normal, normal);
	assert_near(sqrt(spot.distance2), ossai_distance(spot.point, point), 1e-9);
	assert_near(ossai_dot(ossai_sub(spot.point, ossai_edge_point(m, m->vertex[3 * spot.face])), unit), 0, 1e-9);
	for (uint32_t h = 3 * spot.face; h < 3 * spot.face + 3; h++) {
		const ossai_vec3 a = ossai_edge_point(m, m->vertex[h]), along = ossai_sub(ossai_edge_point(m, ossai_edge_end(m, h)), a);
		assert_true(ossai_dot(ossai_cross(along, ossai_sub(spot.point, a)), unit) >= -1e-9);
	}
}

static void a_walk_on_a_sphere_ends_at_the_nearest_place(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges m = test_sphere(&b.arena, 2);
	uint64_t seed = 3;
	int count = 0;
	for (int i = 0; count < 60; i++) {
		const ossai_vec3 point = ossai_scale(ossai_unit(test_random_point(&seed, 1), ossai_v3(1, 0, 0)), 1.1 + 0.01 * count);
		const uint32_t face = (uint32_t)((test_random(&seed) + 1) / 2 * (double)m.face_count) % (uint32_t)m.face_count;
		/* from behind, a walk would end at the center of a back face */
		if (ossai_dot(ossai_edge_normal(&m, face), point) <= 0) continue;
		count++;
		const ossai_spot spot = ossai_walk_to(&m, face, point);
		assert_spot(&m, spot, point);
		for (size_t f = 0; f < m.face_count; f++) {
			assert_true(sampled_distance(&m, f, point, 8) >= sqrt(spot.distance2) - 1e-9);
		}
	}
	end(&b);
}

/* beside the sheet: on its border, and at its corner */
static void a_walk_stops_at_the_border(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges m = test_flat_sheet(&b.arena, 4, 4, 0);
	for (uint32_t face = 0; face < m.face_count; face++) {
		const ossai_vec3 inner = ossai_v3(2.3, 1.6, 0.7), beside = ossai_v3(5, 2.2, 0.5), corner = ossai_v3(-1, 6, 0);
		assert_near_vec3(ossai_walk_to(&m, face, inner).point, ossai_v3(2.3, 1.6, 0), 1e-12);
		assert_near_vec3(ossai_walk_to(&m, face, beside).point, ossai_v3(4, 2.2, 0), 1e-12);
		const ossai_spot spot = ossai_walk_to(&m, face, corner);
		assert_near_vec3(spot.point, ossai_v3(0, 4, 0), 1e-12);
		assert_near(spot.distance2, 5, 1e-12);
	}
	end(&b);
}

/* A strip along x that is folded back over itself, 0.1 above: from the lower sheet the upper one is
   not seen. */
static void a_walk_stays_on_its_sheet(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_flat_sheet(&b.arena, 9, 1, 0);
	for (size_t v = 0; v < m.vertex_count; v++) {
		double *p = m.positions + 3 * v;
		if (p[0] > 4.5) {
			p[0] = 9 - p[0];
			p[2] = 0.1;
		}
	}
	/* on the upper sheet, and a little above it */
	const ossai_vec3 point = ossai_v3(1.5, 0.6, 0.11);
	const ossai_spot lower = ossai_walk_to(&m, 2, point), upper = ossai_walk_to(&m, 15, point);
	assert_near_vec3(lower.point, ossai_v3(1.5, 0.6, 0), 1e-12);
	assert_near_vec3(upper.point, ossai_v3(1.5, 0.6, 0.1), 1e-12);
	/* and along a line the same */
	const ossai_spot along = ossai_walk_along(&m, 1, ossai_v3(0.2, 0.6, 0), ossai_v3(3.5, 0.5, 0.02));
	assert_near_vec3(along.point, ossai_v3(3.5, 0.5, 0), 1e-12);
	end(&b);
}

/* Two faces that meet in a sharp edge, like a roof of 10 degrees: from a point on the edge either
   side is found. */
static void a_walk_goes_over_a_sharp_edge(void **state)
{
	(void)state;
	bench b = begin();
	const double positions[] = {0, 0, 0, 1, 0, 0, 0.5, 0.1, -1, 0.5, -0.1, -1};
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3};
	const ossai_half_edges m = test_half_edges(&b.arena, 4, positions, 2, triangles, 0);
	const ossai_vec3 edge = ossai_v3(0.5, 0, 0), corner = ossai_v3(0, 0, 0), sides[] = {{0.5, 0.08, -0.8}, {0.5, -0.08, -0.8}};
	for (uint32_t face = 0; face < 2; face++) {
		for (uint32_t side = 0; side < 2; side++) {
			const ossai_spot over = ossai_walk_along(&m, face, edge, sides[side]);
			assert_int_equal(over.face, side);
			assert_near_vec3(over.point, sides[side], 1e-9);
			assert_int_equal(ossai_walk_along(&m, face, corner, sides[side]).face, side);
		}
	}
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_walk_on_a_sphere_ends_at_the_nearest_place),
		cmocka_unit_test(a_walk_stops_at_the_border),
		cmocka_unit_test(a_walk_stays_on_its_sheet),
		cmocka_unit_test(a_walk_goes_over_a_sharp_edge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
