/* tests/report/test_raster.c: the rasteriser against a plain one. */
#include "report/camera.h"
#include "report/raster.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = OSSAI_RASTER_SAMPLES, PIXEL = OSSAI_RASTER_PIXEL };

static uint32_t random_state = 1;

static int random_below(int limit) { return (int)(test_random_bits(&random_state) % (uint32_t)limit); }

/* by the definition: the whole-number edge functions of one sample, top and left edges included */
static bool plainly_covers(const ossai_raster_point *const *p, int64_t x, int64_t y)
{
	for (int i = 0; i < 3; i++) {
		const ossai_raster_point *a = p[i], *b = p[(i + 1) % 3];
		const int64_t dx = b->x - a->x, dy = b->y - a->y, edge = dx * (y - a->y) - dy * (x - a->x);
		const bool top_left = dy < 0 || (dy == 0 && dx > 0);
		if (edge < 0 || (edge == 0 && !top_left)) return false;
	}
	return true;
}

static double plain_nearness(const ossai_raster_point *const *p, double x, double y)
{
	double sum = 0, area = 0;
	for (int i = 0; i < 3; i++) {
		const ossai_raster_point *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
		const double part = (a->x - x) * (b->y - y) - (a->y - y) * (b->x - x);
		sum += part * p[i]->nearness;
		area += part;
	}
	return sum / area;
}

/* the nearest triangle at a sample, and how clear that is */
static uint32_t plain_owner(const ossai_raster_point *points, size_t count, int64_t x, int64_t y, double *lead)
{
	uint32_t owner = OSSA_NONE;
	double best = 0, second = 0;
	for (uint32_t t = 0; t < count; t++) {
		const ossai_raster_point *p[3] = {&points[3 * t], &points[3 * t + 1], &points[3 * t + 2]};
		const int64_t area = (int64_t)(p[1]->x - p[0]->x) * (p[2]->y - p[0]->y) -
			(int64_t)(p[1]->y - p[0]->y) * (p[2]->x - p[0]->x);
		if (area == 0) continue;
		const ossai_raster_point *clockwise[3] = {p[0], area > 0 ? p[1] : p[2], area > 0 ? p[2] : p[1]};
		if (!plainly_covers(clockwise, x, y)) continue;
		const double nearness = plain_nearness(clockwise, (double)x, (double)y);
		if (nearness > best) {
			second = best;
			best = nearness;
			owner = t;
		} else if (nearness > second) second = nearness;
	}
	*lead = best - second;
	return owner;
}

static void compare_with_plain(size_t width, size_t height, size_t count, int spread)
{
	ossa_context *context = test_context(2);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster raster;
	assert_ok(context, ossai_raster_make(&arena, width, height, &raster));
	ossai_raster_point *points = ossai_arena_new(&arena, 3 * count, sizeof *points);
	uint32_t *triangles = ossai_arena_new(&arena, 3 * count, sizeof *triangles);
	for (size_t t = 0; t < count; t++) {
		const int x = random_below((int)width * PIXEL), y = random_below((int)height * PIXEL);
		for (size_t i = 3 * t; i < 3 * t + 3; i++) {
			/* on a grid of 16, so that many edges pass exactly through samples */
			points[i].x = (x + random_below(2 * spread) - spread) / 16 * 16;
			points[i].y = (y + random_below(2 * spread) - spread) / 16 * 16;
			points[i].nearness = 0.1f + (float)random_below(1000) * 0.001f;
			triangles[i] = (uint32_t)i;
		}
	}
	assert_ok(context, ossai_raster_draw(context, &raster, points, count, triangles, NULL));
	size_t covered = 0;
	for (size_t i = 0; i < width * height * SAMPLES; i++) {
		const int64_t pixel = (int64_t)(i / SAMPLES), w = (int64_t)width;
		const int64_t x = pixel % w * PIXEL + PIXEL / 2 + ossai_raster_sample_x[i % SAMPLES];
		const int64_t y = pixel / w * PIXEL + PIXEL / 2 + ossai_raster_sample_y[i % SAMPLES];
		double lead;
		const uint32_t owner = plain_owner(points, count, x, y, &lead);
		if (raster.owner[i] == owner) covered += owner != OSSA_NONE;
		/* two surfaces that coincide to the last bits of a float: either is right */
		else if (lead > 1e-6) fail_msg("sample %zu: triangle %u, plainly %u (lead %g)", i, raster.owner[i], owner, lead);
	}
	assert_true(covered > 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void raster_agrees_with_plain(void **state)
{
	(void)state;
	random_state = 1;
	compare_with_plain(37, 29, 300, 3 * PIXEL);
	/* larger than the image and over each other, so that blocks behind others are skipped */
	compare_with_plain(61, 70, 200, 60 * PIXEL);
	compare_with_plain(40, 33, 500, 40);
}

/* a square cut into a fan around each of several points, drawn triangle by triangle */
static void shared_edges_are_drawn_once(void **state)
{
	(void)state;
	enum { SIDE = 24, SPOKES = 12 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster raster;
	assert_ok(context, ossai_raster_make(&arena, SIDE, SIDE, &raster));
	for (int trial = 0; trial < 8; trial++) {
		uint8_t times[SIDE * SIDE * SAMPLES] = {0};
		ossai_raster_point points[SPOKES + 1];
		/* the rim far outside, the hub on a sample or on a corner of a pixel */
		for (int i = 0; i < SPOKES; i++) {
			double cosine, sine;
			ossai_turn((double)i / SPOKES, &cosine, &sine);
			points[i] = ossai_raster_point_of(SIDE / 2 + 40 * cosine, SIDE / 2 + 40 * sine, 1);
		}
		points[SPOKES] = (ossai_raster_point){
			(8 + trial) * PIXEL + (trial % 2) * (PIXEL / 2 + 16), 12 * PIXEL + (trial % 2) * (PIXEL / 2 - 48), 1};
		for (uint32_t i = 0; i < SPOKES; i++) {
			const uint32_t triangle[3] = {SPOKES, i, (i + 1) % SPOKES};
			assert_ok(context, ossai_raster_draw(context, &raster, points, 1, triangle, NULL));
			for (size_t s = 0; s < sizeof times; s++) times[s] = (uint8_t)(times[s] + (raster.owner[s] == 0));
		}
		for (size_t s = 0; s < sizeof times; s++) {
			if (times[s] != 1) fail_msg("trial %d: sample %zu is drawn %d times", trial, s, times[s]);
		}
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void known_triangle_covers_its_pixels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster raster;
	assert_ok(context, ossai_raster_make(&arena, 8, 8, &raster));
	/* the lower left half of the pixels 1..4 x 1..4; the diagonal's pixels in part */
	const ossai_raster_point points[3] = {{PIXEL, PIXEL, 1}, {5 * PIXEL, 5 * PIXEL, 1}, {PIXEL, 5 * PIXEL, 1}};
	const uint32_t triangle[3] = {0, 1, 2};
	assert_ok(context, ossai_raster_draw(context, &raster, points, 1, triangle, NULL));
	for (size_t y = 0; y < 8; y++) {
		for (size_t x = 0; x < 8; x++) {
			int count = 0;
			for (size_t k = 0; k < SAMPLES; k++) count += raster.owner[(y * 8 + x) * SAMPLES + k] == 0;
			const bool in_square = x >= 1 && x < 5 && y >= 1 && y < 5;
			if (in_square && x < y) assert_int_equal(count, SAMPLES);
			else if (in_square && x == y) assert_in_range(count, 3, 5);
			else assert_int_equal(count, 0);
		}
	}
	/* it runs clockwise, or counter-clockwise when turned round: one of both is a front */
	const uint32_t turned[3] = {0, 2, 1};
	const ossai_raster_rules front = {.front_only = true};
	assert_ok(context, ossai_raster_draw(context, &raster, points, 1, triangle, &front));
	const bool shown = raster.owner[(3 * 8 + 1) * SAMPLES] == 0;
	assert_ok(context, ossai_raster_draw(context, &raster, points, 1, turned, &front));
	assert_int_not_equal(shown, raster.owner[(3 * 8 + 1) * SAMPLES] == 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void nearer_hides_farther(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster raster;
	assert_ok(context, ossai_raster_make(&arena, 16, 16, &raster));
	for (int order = 0; order < 2; order++) {
		/* both cover all; the second triangle is nearer, then farther, than the first */
		const float near[2] = {order ? 0.9f : 0.3f, order ? 0.3f : 0.9f};
		ossai_raster_point points[6];
		for (int i = 0; i < 6; i++) {
			points[i] = (ossai_raster_point){i % 3 == 1 ? 90 * PIXEL : -PIXEL, i % 3 == 2 ? 90 * PIXEL : -PIXEL, near[i / 3]};
		}
		const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
		assert_ok(context, ossai_raster_draw(context, &raster, points, 2, triangles, NULL));
		for (size_t s = 0; s < 16 * 16 * SAMPLES; s++) assert_int_equal(raster.owner[s], order ? 0 : 1);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* layers from the front until nothing is left: each triangle over a sample is in one of them */
static void layers_hold_every_triangle_once(void **state)
{
	(void)state;
	enum { WIDTH = 21, HEIGHT = 18, COUNT = 60 };
	ossa_context *context = test_context(2);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster_point points[3 * COUNT];
	uint32_t triangles[3 * COUNT] = {0};
	uint8_t kinds[COUNT], found[WIDTH * HEIGHT * SAMPLES] = {0};
	ossai_raster layers[2];
	random_state = 5;
	for (uint32_t i = 0; i < 3 * COUNT; i++) {
		/* some at the same nearness throughout */
		const float nearness = i / 3 % 3 ? 0.1f + (float)random_below(1000) * 0.001f : 0.5f;
		points[i] = (ossai_raster_point){random_below(WIDTH * PIXEL), random_below(HEIGHT * PIXEL), nearness};
		triangles[i] = i;
		kinds[i / 3] = i / 3 % 4 ? 2 : 1;
	}
	for (int k = 0; k < 2; k++) assert_ok(context, ossai_raster_make(&arena, WIDTH, HEIGHT, &layers[k]));
	ossai_raster_rules rules = {.kinds = kinds, .only_kinds = 2};
	for (int i = 0; i <= COUNT; i++) {
		ossai_raster *layer = &layers[i % 2];
		assert_ok(context, ossai_raster_draw(context, layer, points, COUNT, triangles, &rules));
		for (size_t s = 0; s < sizeof found; s++) {
			if (layer->owner[s] == OSSA_NONE) continue;
			found[s]++;
			if (!rules.behind) continue;
			const float before = rules.behind->nearness[s];
			assert_true(
				layer->nearness[s] < before || (layer->nearness[s] == before && layer->owner[s] > rules.behind->owner[s]));
		}
		rules.behind = layer;
	}
	for (size_t s = 0; s < sizeof found; s++) {
		const int64_t pixel = (int64_t)(s / SAMPLES);
		const int64_t x = pixel % WIDTH * PIXEL + PIXEL / 2 + ossai_raster_sample_x[s % SAMPLES];
		const int64_t y = pixel / WIDTH * PIXEL + PIXEL / 2 + ossai_raster_sample_y[s % SAMPLES];
		int covering = 0;
		for (uint32_t t = 0; t < COUNT; t++) {
			const ossai_raster_point *p = points + 3 * (size_t)t;
			const bool turned = ((int64_t)p[1].x - p->x) * (p[2].y - p->y) < ((int64_t)p[1].y - p->y) * (p[2].x - p->x);
			covering += kinds[t] == 2 &&
				plainly_covers((const ossai_raster_point *[]){p, p + (turned ? 2 : 1), p + (turned ? 1 : 2)}, x, y);
		}
		assert_int_equal(found[s], covering);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raster_agrees_with_plain),
		cmocka_unit_test(shared_edges_are_drawn_once),
		cmocka_unit_test(known_triangle_covers_its_pixels),
		cmocka_unit_test(nearer_hides_farther),
		cmocka_unit_test(layers_hold_every_triangle_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
