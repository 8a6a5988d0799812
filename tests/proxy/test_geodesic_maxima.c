/* tests/proxy/test_geodesic_maxima.c: persistent maxima of the average geodesic distance: on
   flat crosses with known arms, and on creatures at two resolutions. */
#include "support/crosses.h"
#include "support/still.h"
#include "support/support.h"
#include "proxy/geodesic_maxima.h"

/* the heights of all tips of at least `least`, highest first */
static size_t heights_of(const ossai_proxy *proxy, double least, size_t most, double *heights)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double *height = ossai_arena_new(&arena, proxy->vertex_count, sizeof *height);
	assert_ok(context, ossai_geodesic_maxima_find(&arena, proxy, height, NULL));
	size_t count = 0;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		assert_true(height[v] >= 0);
		if (height[v] < least) continue;
		size_t at = count < most ? count++ : most;
		for (; at > 0 && heights[at - 1] < height[v]; at--) {
			if (at < most) heights[at] = heights[at - 1];
		}
		if (at < most) heights[at] = height[v];
	}
	ossai_arena_end(&arena);
	test_context_end(context);
	return count;
}

static void arms_protrude_as_far_as_they_are_long(void **state)
{
	(void)state;
	static test_cross c;
	const int arm[TEST_CROSS_ARMS] = {40, 30, 20, 10};
	test_cross_make(arm, &c);
	double heights[8];
	assert_int_equal(heights_of(&c.proxy, 5, 8, heights), TEST_CROSS_ARMS);
	/* along an arm the average geodesic distance rises by the length, except for the share of the
	   surface beyond, whose distance decreases */
	const double all = 36 + 4 * (40 + 30 + 20 + 10);
	for (size_t i = 0; i < TEST_CROSS_ARMS; i++) {
		const double share = 4 * arm[i] / all;
		assert_near(heights[i], arm[i] * (1 - share), 1);
	}
}

static void corners_and_stubs_protrude_little(void **state)
{
	(void)state;
	static test_cross c;
	test_cross_make((int[TEST_CROSS_ARMS]){40, 40, 2, 0}, &c);
	double heights[8];
	assert_int_equal(heights_of(&c.proxy, 4, 8, heights), 2);
}

static void order_and_place_change_nothing(void **state)
{
	(void)state;
	static test_cross c, changed;
	static uint32_t number[TEST_CROSS_VERTICES];
	test_cross_make((int[TEST_CROSS_ARMS]){41, 32, 23, 14}, &c);
	test_cross_make((int[TEST_CROSS_ARMS]){41, 32, 23, 14}, &changed);
	const size_t n = c.proxy.vertex_count, m = c.proxy.face_count;
	/* no divisor in common with the counts */
	enum { STEP = 101 };
	assert_true(n % STEP != 0 && m % STEP != 0);
	for (size_t v = 0; v < n; v++) {
		number[v] = (uint32_t)(STEP * v % n);
		double *to = changed.positions + 3 * (size_t)number[v];
		to[0] = 5 - c.positions[3 * v + 1];
		to[1] = 3 + c.positions[3 * v];
		to[2] = 2;
	}
	for (size_t f = 0; f < m; f++) {
		for (size_t i = 0; i < 3; i++) changed.triangles[3 * (STEP * f % m) + i] = number[c.triangles[3 * f + (i + 1) % 3]];
	}
	double heights[8], again[8];
	const size_t count = heights_of(&c.proxy, 3, 8, heights);
	assert_int_equal(heights_of(&changed.proxy, 3, 8, again), count);
	for (size_t i = 0; i < count; i++) assert_near(heights[i], again[i], 1e-9);
}

/* two crosses side by side */
static void what_is_connected_by_links_is_one(void **state)
{
	(void)state;
	static test_cross c;
	test_cross_make((int[TEST_CROSS_ARMS]){30, 30, 0, 0}, &c);
	const size_t n = c.proxy.vertex_count, m = c.proxy.face_count;
	assert_true(2 * n <= TEST_CROSS_VERTICES);
	for (size_t v = 0; v < n; v++) {
		c.positions[3 * (n + v)] = c.positions[3 * v];
		c.positions[3 * (n + v) + 1] = c.positions[3 * v + 1] + 20;
		c.positions[3 * (n + v) + 2] = 0;
	}
	for (size_t i = 0; i < 3 * m; i++) c.triangles[3 * m + i] = c.triangles[i] + (uint32_t)n;
	c.proxy.vertex_count = 2 * n;
	c.proxy.face_count = 2 * m;
	double heights[8];
	/* apart: two ends each */
	assert_int_equal(heights_of(&c.proxy, 8, 8, heights), 4);
	/* from the end of one to that of the other beside it */
	for (uint32_t v = 0; v < n; v++) {
		if (c.positions[3 * v + 1] != 0 || c.positions[3 * v] != 33) continue;
		c.links[0] = v;
		c.links[1] = v + (uint32_t)n;
	}
	c.proxy.link_count = 1;
	assert_int_equal(heights_of(&c.proxy, 8, 8, heights), 2);
}

static size_t limbs_of(int kind, int faces, double *heights)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_sample *sample = test_sample(context, kind, faces);
	ossai_posed_surface surface;
	assert_ok(context, ossai_posed_surface_make(context, &arena, sample->rig->mesh, NULL, true, &surface));
	ossai_proxy_options options = ossai_proxy_default();
	options.vertices = 3000;
	ossai_proxy proxy;
	assert_ok(context, ossai_proxy_make(&arena, &surface, &options, &proxy));
	const size_t count = heights_of(&proxy, 0.06, 16, heights);
	ossai_arena_end(&arena);
	ossa_sample_free(context, sample);
	test_context_end(context);
	return count;
}

static void limbs_protrude_alike_at_any_resolution(void **state)
{
	(void)state;
	const struct {
		int kind;
		size_t limbs;
	} samples[] = {{OSSA_SAMPLE_OCTOPUS, 9}, {OSSA_SAMPLE_QUADRUPED, 6}, {OSSA_SAMPLE_BIPED, 5}, {OSSA_SAMPLE_HAND, 6}};
	for (size_t s = 0; s < (test_is_long() ? sizeof samples / sizeof *samples : 2); s++) {
		double coarse[16], fine[16];
		assert_int_equal(limbs_of(samples[s].kind, 3000, coarse), samples[s].limbs);
		assert_int_equal(limbs_of(samples[s].kind, 12000, fine), samples[s].limbs);
		for (size_t i = 0; i < samples[s].limbs; i++) assert_near(coarse[i] / fine[i], 1, 0.1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(arms_protrude_as_far_as_they_are_long),
		cmocka_unit_test(corners_and_stubs_protrude_little), cmocka_unit_test(order_and_place_change_nothing),
		cmocka_unit_test(what_is_connected_by_links_is_one), cmocka_unit_test(limbs_protrude_alike_at_any_resolution)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
