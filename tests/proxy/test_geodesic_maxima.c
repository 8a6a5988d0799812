/* tests/proxy/test_geodesic_maxima.c: where surfaces protrude: on flat crosses whose arms are known, and on creatures at two resolutions. */
#include "support/still.h"
#include "support/support.h"
#include "proxy/geodesic_maxima.h"

enum { ARMS = 4, MOST_VERTICES = 4000 };

/* A flat cross: a middle of 6 x 6 squares with four arms, 4 squares wide and so many long. */
typedef struct cross {
	double positions[3 * MOST_VERTICES];
	uint32_t triangles[6 * MOST_VERTICES], links[2];
	ossai_proxy proxy;
} cross;

static bool is_in_cross(const int arm[ARMS], int x, int y)
{
	if (x >= -3 && x < 3 && y >= -3 && y < 3) return true;
	if (y >= -2 && y < 2) return x >= 0 ? x < 3 + arm[0] : x >= -3 - arm[1];
	return x >= -2 && x < 2 && (y >= 0 ? y < 3 + arm[2] : y >= -3 - arm[3]);
}

static void make_cross(const int arm[ARMS], cross *c)
{
	enum { HALF = 50 };
	static uint32_t number[2 * HALF][2 * HALF];
	c->proxy = (ossai_proxy){.positions = c->positions, .triangles = c->triangles, .links = c->links};
	for (int x = -HALF; x < HALF; x++) {
		for (int y = -HALF; y < HALF; y++) {
			number[x + HALF][y + HALF] = OSSA_NONE;
			if (!is_in_cross(arm, x, y) && !is_in_cross(arm, x - 1, y) && !is_in_cross(arm, x, y - 1) &&
				!is_in_cross(arm, x - 1, y - 1))
				continue;
			const uint32_t v = number[x + HALF][y + HALF] = (uint32_t)c->proxy.vertex_count++;
			assert_true(v < MOST_VERTICES);
			c->positions[3 * v] = x;
			c->positions[3 * v + 1] = y;
			c->positions[3 * v + 2] = 0;
		}
	}
	for (int x = -HALF; x + 1 < HALF; x++) {
		for (int y = -HALF; y + 1 < HALF; y++) {
			if (!is_in_cross(arm, x, y)) continue;
			const uint32_t *a = &number[x + HALF][y + HALF], *b = &number[x + HALF + 1][y + HALF];
			const uint32_t two[6] = {a[0], b[0], b[1], a[0], b[1], a[1]};
			for (int i = 0; i < 6; i++) c->triangles[3 * c->proxy.face_count + (size_t)i] = two[i];
			c->proxy.face_count += 2;
		}
	}
}

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
	static cross c;
	const int arm[ARMS] = {40, 30, 20, 10};
	make_cross(arm, &c);
	double heights[8];
	assert_int_equal(heights_of(&c.proxy, 5, 8, heights), ARMS);
	/* along an arm the mean way to everything rises by as much as one goes, but for the share of the surface that is beyond, which comes nearer */
	const double all = 36 + 4 * (40 + 30 + 20 + 10);
	for (size_t i = 0; i < ARMS; i++) {
		const double share = 4 * arm[i] / all;
		assert_near(heights[i], arm[i] * (1 - share), 1);
	}
}

static void corners_and_stubs_protrude_little(void **state)
{
	(void)state;
	static cross c;
	make_cross((int[ARMS]){40, 40, 2, 0}, &c);
	double heights[8];
	assert_int_equal(heights_of(&c.proxy, 4, 8, heights), 2);
}

static void order_and_place_change_nothing(void **state)
{
	(void)state;
	static cross c, changed;
	static uint32_t number[MOST_VERTICES];
	make_cross((int[ARMS]){41, 32, 23, 14}, &c);
	make_cross((int[ARMS]){41, 32, 23, 14}, &changed);
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
static void what_hangs_together_by_links_is_one(void **state)
{
	(void)state;
	static cross c;
	make_cross((int[ARMS]){30, 30, 0, 0}, &c);
	const size_t n = c.proxy.vertex_count, m = c.proxy.face_count;
	assert_true(2 * n <= MOST_VERTICES);
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
	for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
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
		cmocka_unit_test(what_hangs_together_by_links_is_one), cmocka_unit_test(limbs_protrude_alike_at_any_resolution)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
