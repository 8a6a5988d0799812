/* tests/proxy/test_slenderness.c: the slenderness of tubes, cones, corners and rims, and against
   a plain recomputation on small meshes. */
#include "support/proxies.h"
#include "support/shapes.h"
#include "support/support.h"
#include "proxy/geodesic_maxima.h"
#include "proxy/slenderness.h"

#include <stdlib.h>

enum { RINGS = 60, AROUND = 24, CONE_RINGS = 400, SMALL_RINGS = 9, SMALL_AROUND = 6 };

/* lengths below so many edges are left out (slenderness.c) */
enum { EDGES_LEAST = 2 };

/* of one maximum */
static double slenderness_of(
	ossai_arena *arena, const ossai_proxy *proxy, const double *average, uint32_t maximum, double persistence)
{
	double slenderness = -1;
	assert_ok(arena->context, ossai_slenderness_find(arena, proxy, average, 1, &maximum, &persistence, &slenderness));
	return slenderness;
}

/* as if all of the surface were far beyond -x: the distance falls by as much as x does */
static double *fall_along_x(ossai_arena *arena, const ossai_proxy *proxy)
{
	double *average = ossai_arena_new(arena, proxy->vertex_count, sizeof *average);
	assert_non_null(average);
	for (size_t v = 0; v < proxy->vertex_count; v++) average[v] = proxy->positions[3 * v];
	return average;
}

/* its cross-section is round: twice that */
static void a_tube_has_length_over_girth(void **state)
{
	(void)state;
	static const double radii[] = {0.02, 0.05, 0.1};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_proxy tube = test_tube(&arena, RINGS, AROUND, radii[i]);
		const uint32_t right = RINGS * AROUND + 1;
		const double length = 2 * tube.positions[3 * (size_t)right], expected = length / (OSSAI_PI * radii[i]);
		const double *average = fall_along_x(&arena, &tube);
		assert_near(slenderness_of(&arena, &tube, average, right, length), expected, 0.1 * expected);
		/* half of the persistence: half of the length */
		assert_near(slenderness_of(&arena, &tube, average, right, length / 2), expected / 2, 0.1 * expected / 2);
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

/* the rings of a tube up to a length, with edges just short enough to measure it, and just not */
static void lengths_of_two_edges_are_measured(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_proxy tube = test_tube(&arena, RINGS, AROUND, 0.05);
	const uint32_t right = RINGS * AROUND + 1;
	const double *average = fall_along_x(&arena, &tube), persistence = 0.2;
	double longest = 0;
	for (size_t v = 0; v < tube.vertex_count; v++) {
		const double length = average[right] - average[v];
		if (length < persistence) longest = fmax(longest, length);
	}
	tube.edge_length = longest / EDGES_LEAST * (1 - 1e-9);
	assert_true(slenderness_of(&arena, &tube, average, right, persistence) > 0);
	tube.edge_length = longest / EDGES_LEAST * (1 + 1e-9);
	assert_near(slenderness_of(&arena, &tube, average, right, persistence), 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a tube whose points are moved onto a cone with its apex at the right and slant length 1 */
static void a_cone_has_that_of_its_angle(void **state)
{
	(void)state;
	static const double angles[] = {10, 20, 45};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
		const double a = angles[i] * OSSAI_PI / 180;
		ossai_arena arena = ossai_arena_begin(context);
		ossai_proxy cone = test_tube(&arena, CONE_RINGS, AROUND, 0.1);
		const uint32_t left = CONE_RINGS * AROUND, right = left + 1;
		double *average = ossai_arena_zero(&arena, cone.vertex_count, sizeof *average);
		for (uint32_t v = 0; v < left; v++) {
			const double slant = (CONE_RINGS - v / AROUND) / (double)CONE_RINGS, turn = 2 * OSSAI_PI * (v % AROUND) / AROUND;
			const ossai_vec3 p = ossai_v3(-slant * cos(a), slant * sin(a) * cos(turn), slant * sin(a) * sin(turn));
			ossai_v3_store(p, cone.positions + 3 * (size_t)v);
			average[v] = -slant;
		}
		average[left] = -2;
		ossai_v3_store(ossai_v3(0, 0, 0), cone.positions + 3 * (size_t)right);
		/* the centroid of its second half is 7/9 of the length from the apex; the girth is that at
		   3/4 */
		const double roundness = fmin(1, 28.0 / 27 * cos(a)), expected = 2 / (3 * OSSAI_PI * sin(a)) * (1 + roundness);
		assert_near(slenderness_of(&arena, &cone, average, right, 1), expected, 0.25 * expected);
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

static void a_rim_is_no_disk(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_proxy tube = test_tube(&arena, RINGS, AROUND, 0.1);
	/* without the fans at its ends */
	size_t kept = 0;
	for (size_t f = 0; f < tube.face_count; f++) {
		const uint32_t *t = tube.triangles + 3 * f;
		if (t[0] >= RINGS * AROUND) continue;
		for (size_t k = 0; k < 3; k++) tube.triangles[3 * kept + k] = t[k];
		kept++;
	}
	assert_int_equal(kept, tube.face_count - 2 * (size_t)AROUND);
	tube.face_count = kept;
	tube.is_closed = false;
	const double *average = fall_along_x(&arena, &tube);
	assert_near(slenderness_of(&arena, &tube, average, (RINGS - 1) * AROUND, 0.9), 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* ---- measured on the surface ---- */

/* the most of all maxima of a shape, on its proxy */
static double most_slender(const test_shape *shape)
{
	test_surface t = test_shape_surface(1, shape);
	const ossai_proxy_options options = ossai_proxy_default();
	ossai_proxy proxy;
	assert_ok(t.context, ossai_proxy_make(&t.arena, &t.s, &options, &proxy));
	double *persistence = ossai_arena_new(&t.arena, proxy.vertex_count, sizeof *persistence);
	double *average = ossai_arena_new(&t.arena, proxy.vertex_count, sizeof *average);
	assert_ok(t.context, ossai_geodesic_maxima_find(&t.arena, &proxy, persistence, average));
	double most = 0;
	for (uint32_t v = 0; v < proxy.vertex_count; v++) {
		if (persistence[v] <= 0) continue;
		most = fmax(most, slenderness_of(&t.arena, &proxy, average, v, persistence[v]));
	}
	test_surface_end(&t);
	return most;
}

static void corners_are_not_slender_and_balls_not_at_all(void **state)
{
	(void)state;
	static const double boxes[][3] = {{1, 1, 1}, {1, 0.8, 0.6}, {2, 1, 1}};
	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
		test_shape *box = test_shape_new();
		test_shape_box(box, ossai_v3(0, 0, 0), ossai_v3(boxes[i][0], boxes[i][1], boxes[i][2]), true);
		const double slenderness = most_slender(box);
		if (!(slenderness < 0.2)) fail_msg("box %zu: %g", i, slenderness);
		free(box);
	}
	test_shape *ball = test_shape_new();
	test_shape_ball(ball, ossai_v3(0, 0, 0), 0.5, 24, 2);
	assert_near(most_slender(ball), 0, 0);
	free(ball);
}

/* ---- a plain recomputation ---- */

/* the vertices above a value that are connected to the maximum */
static void mark_connected(const ossai_proxy *proxy, const double *average, uint32_t maximum, double above, uint8_t *is_in)
{
	for (size_t v = 0; v < proxy->vertex_count; v++) is_in[v] = v == maximum;
	for (bool grows = true; grows;) {
		grows = false;
		for (size_t i = 0; i < 3 * proxy->face_count; i++) {
			const uint32_t a = proxy->triangles[i], b = proxy->triangles[i % 3 == 2 ? i - 2 : i + 1];
			if (is_in[a] == is_in[b] || !(average[is_in[a] ? b : a] > above)) continue;
			is_in[a] = is_in[b] = 1;
			grows = true;
		}
	}
}

/* of the marked vertices with a value in [least, most): length of the level sets by the face's
   gradients, and radius from the centroid, each vertex standing for a third of its faces */
static double plain_value(
	const ossai_proxy *proxy, const double *average, const uint8_t *is_in, double least, double most, double length)
{
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	double area = 0, slopes = 0, flux = 0;
	ossai_vec3 centroid = {0, 0, 0};
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < 3 * proxy->face_count; i++) {
			const uint32_t *t = proxy->triangles + 3 * (i / 3), v = proxy->triangles[i];
			if (!is_in[v] || average[v] < least || average[v] >= most) continue;
			const ossai_vec3 normal = ossai_view_face_normal(&mesh, i / 3), p = ossai_v3_of(proxy->positions + 3 * (size_t)v);
			const double third = ossai_length(normal) / 6;
			if (round == 1) {
				flux += ossai_dot(ossai_sub(p, centroid), normal) / 6;
				continue;
			}
			area += third;
			centroid = ossai_madd(centroid, third, p);
			/* the gradient solves two equations along edges, in a basis of the face */
			const ossai_vec3 o = ossai_v3_of(proxy->positions + 3 * (size_t)t[0]);
			const ossai_vec3 a = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[1]), o);
			const ossai_vec3 b = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[2]), o);
			const ossai_vec3 x = ossai_unit(a, ossai_v3(0, 0, 0));
			const ossai_vec3 y = ossai_unit(ossai_cross(normal, x), ossai_v3(0, 0, 0));
			const double gx = (average[t[1]] - average[t[0]]) / ossai_length(a);
			const double gy = (average[t[2]] - average[t[0]] - gx * ossai_dot(b, x)) / ossai_dot(b, y);
			slopes += third * hypot(gx, gy);
		}
		if (round == 0) centroid = ossai_scale(centroid, 1 / area);
	}
	if (!(area > 0)) return 0;
	const double girth = slopes / (length / 2);
	return length / girth * (1 + fmin(1, fmax(0, 2 * OSSAI_PI * flux / area / girth)));
}

/* vertices - edges + faces; every edge of the proxy has two faces */
static int characteristic_from(const ossai_proxy *proxy, const double *average, const uint8_t *is_in, double least)
{
	int vertices = 0, half_edges = 0, faces = 0;
	for (size_t v = 0; v < proxy->vertex_count; v++) vertices += is_in[v] && average[v] >= least;
	for (size_t f = 0; f < proxy->face_count; f++) {
		int in[3];
		for (size_t k = 0; k < 3; k++) {
			const uint32_t v = proxy->triangles[3 * f + k];
			in[k] = is_in[v] && average[v] >= least;
		}
		half_edges += (in[0] && in[1]) + (in[1] && in[2]) + (in[2] && in[0]);
		faces += in[0] && in[1] && in[2];
	}
	return vertices - half_edges / 2 + faces;
}

static double plain_slenderness(
	ossai_arena *arena, const ossai_proxy *proxy, const double *average, uint32_t maximum, double persistence)
{
	uint8_t *is_in = ossai_arena_new(arena, proxy->vertex_count, 1);
	const double top = average[maximum];
	mark_connected(proxy, average, maximum, top - persistence, is_in);
	double best = 0;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double length = top - average[v];
		if (!is_in[v] || length < EDGES_LEAST * proxy->edge_length ||
			characteristic_from(proxy, average, is_in, average[v]) != 1)
			continue;
		best = fmax(best, plain_value(proxy, average, is_in, average[v], top - length / 2, length));
	}
	return best;
}

static void a_plain_recomputation_agrees(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint32_t seed = 7;
	size_t above = 0;
	for (int round = 0; round < 20; round++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_proxy proxy = round % 2 ? test_torus(&arena, SMALL_RINGS, SMALL_AROUND, 0.1)
									  : test_tube(&arena, SMALL_RINGS, SMALL_AROUND, 0.1);
		/* as of a finer one, or hardly any length could be measured */
		proxy.edge_length = 0.0175;
		double *average = fall_along_x(&arena, &proxy);
		uint32_t maximum = 0;
		for (uint32_t v = 0; v < proxy.vertex_count; v++) {
			average[v] += 0.2 * test_random_bits(&seed) / (1 << 24);
			if (average[v] > average[maximum]) maximum = v;
		}
		const double persistence = 0.1 + 0.8 * round / 20;
		const double expected = plain_slenderness(&arena, &proxy, average, maximum, persistence);
		assert_near(slenderness_of(&arena, &proxy, average, maximum, persistence), expected, 1e-9);
		above += expected > 0;
		ossai_arena_end(&arena);
	}
	assert_true(above > 10);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tube_has_length_over_girth),
		cmocka_unit_test(lengths_of_two_edges_are_measured),
		cmocka_unit_test(a_cone_has_that_of_its_angle),
		cmocka_unit_test(a_rim_is_no_disk),
		cmocka_unit_test(corners_are_not_slender_and_balls_not_at_all),
		cmocka_unit_test(a_plain_recomputation_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
