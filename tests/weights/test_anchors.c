/* tests/weights/test_anchors.c: sets of bones and their weights against exhaustive searches, on
   literal grids. */
#include "weights/anchors.h"

#include "support/support.h"
#include "support/surfaces.h"
#include "weights/anchor_sets.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* A grid made by hand: distances by a plain search. */
typedef struct grid {
	ossai_voxels v;
	size_t cells;
} grid;

typedef bool (*inside_body)(const int *at);

static grid make_grid(ossai_arena *arena, const uint32_t *size, inside_body inside)
{
	grid g = {.v = {.size = {size[0], size[1], size[2]}, .step = 1, .part_count = 1}};
	g.cells = (size_t)size[0] * size[1] * size[2];
	g.v.cell = ossai_arena_new(arena, g.cells, sizeof *g.v.cell);
	g.v.of_cell = ossai_arena_new(arena, g.cells, sizeof *g.v.of_cell);
	g.v.distance2 = ossai_arena_new(arena, g.cells, sizeof *g.v.distance2);
	for (uint32_t c = 0; c < g.cells; c++) {
		const int at[3] = {(int)(c % size[0]), (int)(c / size[0] % size[1]), (int)(c / size[0] / size[1])};
		bool is_border = false;
		for (int k = 0; k < 3; k++) is_border = is_border || at[k] == 0 || at[k] == (int)size[k] - 1;
		g.v.of_cell[c] = OSSA_NONE;
		if (is_border || !inside(at)) continue;
		g.v.of_cell[c] = (uint32_t)g.v.count;
		g.v.cell[g.v.count++] = c;
	}
	for (uint32_t v = 0; v < g.v.count; v++) {
		g.v.distance2[v] = UINT32_MAX;
		uint32_t at[3];
		ossai_voxel_at(&g.v, v, at);
		for (uint32_t c = 0; c < g.cells; c++) {
			if (g.v.of_cell[c] != OSSA_NONE) continue;
			const int x = (int)(c % size[0]) - (int)at[0], y = (int)(c / size[0] % size[1]) - (int)at[1],
					  z = (int)(c / size[0] / size[1]) - (int)at[2];
			const uint32_t square = (uint32_t)(x * x + y * y + z * z);
			if (square < g.v.distance2[v]) g.v.distance2[v] = square;
		}
	}
	return g;
}

/* three tubes of different thickness that meet, and a plate */
static bool is_body(const int *at)
{
	const int x = at[0] - 12, y = at[1] - 10, z = at[2] - 8;
	return x * x + y * y + z * z <= 36 || (y * y + z * z <= 5 && x > 0) || (x * x + z * z <= 8 && y > 0) ||
		(abs(z) <= 1 && x < 0 && abs(y) < 8);
}

static const uint32_t body_size[3] = {30, 26, 17};

static uint32_t square_between(const ossai_voxels *v, uint32_t a, uint32_t b)
{
	uint32_t p[3], q[3], sum = 0;
	ossai_voxel_at(v, a, p);
	ossai_voxel_at(v, b, q);
	for (int k = 0; k < 3; k++) sum += (p[k] - q[k]) * (p[k] - q[k]);
	return sum;
}

/* of each voxel and bone whether it is in the set, by looking at everything */
static uint8_t *plain_sets(const ossai_voxels *v, size_t bones, size_t ball_count, const ossai_anchor_ball *balls)
{
	uint8_t *has = calloc(v->count, bones);
	for (uint32_t i = 0; i < v->count; i++) {
		for (size_t k = 0; k < ball_count; k++) {
			if (square_between(v, i, balls[k].voxel) <= v->distance2[balls[k].voxel]) has[i * bones + balls[k].bone] = 1;
		}
	}
	for (bool grew = true; grew;) {
		grew = false;
		uint8_t *next = malloc(v->count * bones);
		memcpy(next, has, v->count * bones);
		for (uint32_t i = 0; i < v->count; i++) {
			if (memchr(has + i * bones, 1, bones)) continue;
			for (uint32_t k = 0; k < v->count; k++) {
				/* a corner away at most */
				for (size_t b = 0; square_between(v, i, k) <= 3 && b < bones; b++) next[i * bones + b] |= has[k * bones + b];
			}
			grew = grew || memchr(next + i * bones, 1, bones) != NULL;
		}
		memcpy(has, next, v->count * bones);
		free(next);
	}
	return has;
}

enum { BONES = 9, BALLS = 40 };

static void make_balls(const ossai_voxels *v, uint32_t *random, ossai_anchor_ball *balls)
{
	for (int i = 0; i < BALLS; i++) {
		balls[i] = (ossai_anchor_ball){(uint32_t)(test_random_bits(random) % v->count), test_random_bits(random) % BONES};
	}
}

static void sets_are_those_of_a_plain_search(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const grid g = make_grid(&arena, body_size, is_body);
	assert_true(g.v.count > 1000);
	uint32_t random = 1;
	for (int run = 0; run < 12; run++) {
		ossai_anchor_ball balls[BALLS];
		make_balls(&g.v, &random, balls);
		const size_t ball_count = run < 4 ? (size_t)run : BALLS;
		uint8_t *plain = plain_sets(&g.v, BONES, ball_count, balls);
		ossai_bone_sets sets;
		uint32_t *set = malloc(g.v.count * sizeof *set);
		assert_ok(context, ossai_bone_sets_begin(context, BONES, &sets));
		assert_ok(context, ossai_anchor_sets_make(context, &g.v, BONES, ball_count, balls, &sets, set));
		for (size_t v = 0; v < g.v.count; v++) {
			uint8_t has[BONES] = {0};
			uint32_t size = 0;
			for (uint32_t s = set[v]; s != 0; s = sets.list[s].rest, size++) has[sets.list[s].bone] = 1;
			assert_int_equal(size, sets.list[set[v]].size);
			assert_memory_equal(has, plain + v * BONES, BONES);
		}
		/* equal sets have one number */
		for (uint32_t i = 1; i < sets.count; i++) {
			for (uint32_t k = 0; k < i; k++) {
				assert_false(sets.list[i].rest == sets.list[k].rest && sets.list[i].bone == sets.list[k].bone);
			}
		}
		ossai_bone_sets_end(&sets);
		free(plain);
		free(set);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void unions_are_those_of_bits(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_bone_sets sets;
	assert_ok(context, ossai_bone_sets_begin(context, 10, &sets));
	uint32_t of_bits[1024];
	for (uint32_t bits = 0; bits < 1024; bits++) {
		of_bits[bits] = 0;
		for (uint32_t b = 0; b < 10; b++) {
			if (bits >> b & 1) assert_ok(context, ossai_bone_sets_add(&sets, of_bits[bits], b, &of_bits[bits]));
		}
	}
	assert_int_equal(sets.count, 1024);
	uint32_t random = 9;
	for (int i = 0; i < 20000; i++) {
		const uint32_t a = test_random_bits(&random) % 1024, b = test_random_bits(&random) % 1024;
		uint32_t both;
		assert_ok(context, ossai_bone_sets_unite(&sets, of_bits[a], of_bits[b], &both));
		assert_int_equal(both, of_bits[a | b]);
	}
	assert_int_equal(sets.count, 1024);
	ossai_bone_sets_end(&sets);
	test_context_end(context);
}

/* ---- weights ---- */

/* a sheet that lies in the grid, and out of it, and bones across it */
typedef struct setting {
	test_surface t;
	grid g;
	ossai_segment list[BONES + 3];
	ossai_bone_segments segments;
	ossai_anchor_ball balls[BALLS];
} setting;

static setting make_setting(int threads, uint32_t *random)
{
	setting s = {.t = test_surface_grid(threads, 24, 12, 1)};
	s.g = make_grid(&s.t.arena, body_size, is_body);
	s.g.v.step = 0.03;
	s.g.v.origin = ossai_v3(-0.4, -0.3, -0.25);
	uint64_t state = *random;
	for (uint32_t b = 0; b < BONES + 3; b++) {
		s.list[b] = (ossai_segment){b % BONES, test_random_point(&state, 0.4), test_random_point(&state, 0.4)};
	}
	s.list[4].to = s.list[4].from;
	s.segments = (ossai_bone_segments){BONES, BONES + 3, NULL};
	make_balls(&s.g.v, random, s.balls);
	return s;
}

static double plain_distance(const setting *s, uint32_t bone, ossai_vec3 p)
{
	double least = INFINITY;
	for (size_t i = 0; i < s->segments.count; i++) {
		if (s->list[i].bone == bone) least = fmin(least, ossai_distance(p, ossai_segment_nearest(&s->list[i], p)));
	}
	return least;
}

static uint32_t plain_voxel(const setting *s, ossai_vec3 p)
{
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t v = 0; v < s->g.v.count; v++) {
		const double distance = ossai_distance(p, ossai_voxel_center(&s->g.v, v));
		if (distance >= least) continue;
		least = distance;
		best = v;
	}
	return best;
}

static void check_vertex(const setting *s, const uint8_t *has, size_t vertex, size_t influences, const ossai_bone_weights *w)
{
	const ossai_vec3 p = ossai_rest_point(&s->t.s, vertex);
	double weight[BONES], total = 0, kept = 0;
	size_t n = 0, wanted = 0;
	for (uint32_t b = 0; b < BONES; b++) {
		n += has[b];
		total += has[b] ? plain_distance(s, b, p) : 0;
	}
	for (uint32_t b = 0; b < BONES; b++) {
		weight[b] = !has[b] ? 0 : n == 1 ? 1 : (total - plain_distance(s, b, p)) / ((double)(n - 1) * total);
	}
	/* the largest ones */
	double left[BONES];
	uint32_t order[BONES];
	memcpy(left, weight, sizeof left);
	for (; wanted < (influences ? influences : BONES); wanted++) {
		uint32_t best = 0;
		for (uint32_t b = 1; b < BONES; b++) best = left[b] > left[best] ? b : best;
		if (!(left[best] > 0)) break;
		kept += left[best];
		order[wanted] = best;
		left[best] = 0;
	}
	assert_int_equal(w->count[vertex], wanted);
	for (size_t i = 0; i < wanted; i++) {
		assert_int_equal(w->bone[vertex * w->width + i], order[i]);
		assert_near(w->value[vertex * w->width + i], weight[order[i]] / kept, 1e-12);
	}
}

static void weights_are_the_formula_s(void **state)
{
	(void)state;
	uint32_t random = 4;
	for (int run = 0; run < 6; run++) {
		setting s = make_setting(1 + run % 3, &random);
		s.segments.list = s.list;
		static const size_t influences[] = {0, 1, 2, 4, 8, 64};
		const size_t ball_count = run == 1 ? 3 : BALLS;
		uint8_t *has = plain_sets(&s.g.v, BONES, ball_count, s.balls);
		ossai_bone_weights w;
		assert_ok(s.t.context,
			ossai_anchor_weights(&s.t.arena, &s.g.v, ball_count, s.balls, &s.t.s, &s.segments, influences[run], &w));
		size_t far = 0;
		for (size_t v = 0; v < s.t.s.vertex_count; v++) {
			const ossai_vec3 p = ossai_rest_point(&s.t.s, v);
			const uint32_t voxel = plain_voxel(&s, p);
			far += ossai_distance(p, ossai_voxel_center(&s.g.v, voxel)) > 0.03;
			check_vertex(&s, has + voxel * BONES, v, influences[run], &w);
		}
		/* some are in voxels, some are not */
		assert_in_range(far, 20, s.t.s.vertex_count - 20);
		free(has);
		test_surface_end(&s.t);
	}
}

static void without_balls_the_nearest_bone(void **state)
{
	(void)state;
	uint32_t random = 8;
	setting s = make_setting(1, &random);
	s.segments.list = s.list;
	ossai_bone_weights w;
	assert_ok(s.t.context, ossai_anchor_weights(&s.t.arena, &s.g.v, 0, NULL, &s.t.s, &s.segments, 4, &w));
	for (size_t v = 0; v < s.t.s.vertex_count; v++) {
		assert_int_equal(w.count[v], 1);
		assert_true(w.value[v * w.width] == 1);
		for (uint32_t b = 0; b < BONES; b++) {
			const ossai_vec3 p = ossai_rest_point(&s.t.s, v);
			assert_true(plain_distance(&s, w.bone[v * w.width], p) <= plain_distance(&s, b, p));
		}
	}
	const ossai_bone_segments none = {0, 0, NULL};
	assert_fails(
		s.t.context, ossai_anchor_weights(&s.t.arena, &s.g.v, 0, NULL, &s.t.s, &none, 4, &w), OSSA_ERROR_ARGUMENT, "0 bones");
	test_surface_end(&s.t);
}

/* all bones run through one point on which a vertex lies: no distance at all */
static void vertices_on_bones_share_evenly(void **state)
{
	(void)state;
	uint32_t random = 5;
	setting s = make_setting(1, &random);
	s.segments.list = s.list;
	const ossai_vec3 p = ossai_rest_point(&s.t.s, 40);
	s.g.v.origin = ossai_sub(p, ossai_scale(ossai_v3(12, 10, 8), s.g.v.step));
	const uint32_t center = s.g.v.of_cell[(8 * 26 + 10) * 30 + 12];
	for (uint32_t b = 0; b < BONES + 3; b++) s.list[b].from = p;
	for (uint32_t i = 0; i < 3; i++) s.balls[i] = (ossai_anchor_ball){center, i};
	ossai_bone_weights w;
	assert_ok(s.t.context, ossai_anchor_weights(&s.t.arena, &s.g.v, 3, s.balls, &s.t.s, &s.segments, 0, &w));
	assert_int_equal(w.count[40], 3);
	for (size_t i = 0; i < 3; i++) assert_near(w.value[40 * w.width + i], 1.0 / 3, 1e-15);
	test_surface_end(&s.t);
}

static void segments_become_balls(void **state)
{
	(void)state;
	uint32_t random = 6;
	setting s = make_setting(1, &random);
	const ossai_voxels *v = &s.g.v;
	const ossai_vec3 center = ossai_madd(v->origin, v->step, ossai_v3(12, 10, 8));
	ossai_segment list[] = {
		/* along the arm, out of it and far beyond the grid; in the air; nowhere; a point */
		{0, center, ossai_madd(center, 1e6, ossai_v3(1, 0, 0))},
		{1, ossai_v3(5, 5, 5), ossai_v3(6, 5, 5)},
		{2, ossai_v3(NAN, 0, 0), ossai_v3(0, INFINITY, 0)},
		{3, center, center},
	};
	const ossai_bone_segments segments = {4, 4, list};
	size_t count;
	ossai_anchor_ball *balls;
	assert_ok(s.t.context, ossai_anchor_balls_of_segments(&s.t.arena, v, &segments, &count, &balls));
	/* x from 12 to 28 */
	assert_int_equal(count, 17 + 3);
	for (uint32_t i = 0; i < 17; i++) {
		uint32_t at[3];
		ossai_voxel_at(v, balls[i].voxel, at);
		assert_int_equal(at[0], 12 + i);
		assert_int_equal(at[1], 10);
		assert_int_equal(balls[i].bone, 0);
	}
	assert_int_equal(balls[17].bone, 3);
	assert_int_equal(balls[17].voxel, balls[0].voxel);
	assert_int_equal(balls[18].bone, 1);
	assert_int_equal(balls[18].voxel, plain_voxel(&s, ossai_v3(5.5, 5, 5)));
	assert_int_equal(balls[19].bone, 2);
	test_surface_end(&s.t);
}

/* one voxel thick, a single voxel, and a bone without one */
static bool is_line(const int *at) { return at[1] == 1 && at[2] == 1; }

static void hardly_any_voxels(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 4, 4, 1);
	for (uint32_t length = 3; length < 140; length += 43) {
		const uint32_t size[3] = {length, 3, 3};
		grid g = make_grid(&t.arena, size, is_line);
		g.v.step = 1.0 / length;
		g.v.origin = ossai_v3(-0.5, 0, 0);
		const ossai_anchor_ball balls[] = {{0, 1}, {(uint32_t)g.v.count - 1, 2}};
		ossai_segment list[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {-0.5, 0, 0}, {0, 0, 0}}, {2, {0, 0, 0}, {0.5, 0, 0}}};
		const ossai_bone_segments segments = {3, 3, list};
		ossai_bone_weights w;
		assert_ok(t.context, ossai_anchor_weights(&t.arena, &g.v, 2, balls, &t.s, &segments, 0, &w));
		for (size_t v = 0; v < t.s.vertex_count; v++) {
			double sum = 0;
			for (size_t i = 0; i < w.count[v]; i++) {
				assert_true(w.bone[v * w.width + i] != 0);
				sum += w.value[v * w.width + i];
			}
			assert_near(sum, 1, 1e-12);
		}
	}
	test_surface_end(&t);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const setting *s = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_bone_weights w;
	ossai_anchor_ball *balls;
	size_t count;
	ossa_status status = ossai_anchor_balls_of_segments(&arena, &s->g.v, &s->segments, &count, &balls);
	if (status == OSSA_OK) {
		status = ossai_anchor_weights(&arena, &s->g.v, count, balls, &s->t.s, &s->segments, 4, &w);
	}
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	uint32_t random = 2;
	setting s = make_setting(1, &random);
	s.segments.list = s.list;
	assert_true(test_allocation_sweep(sweep, &s, 200, 1) > 15);
	test_surface_end(&s.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_are_those_of_a_plain_search),
		cmocka_unit_test(unions_are_those_of_bits),
		cmocka_unit_test(weights_are_the_formula_s),
		cmocka_unit_test(without_balls_the_nearest_bone),
		cmocka_unit_test(vertices_on_bones_share_evenly),
		cmocka_unit_test(segments_become_balls),
		cmocka_unit_test(hardly_any_voxels),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
