/* tests/weights/test_geodesic_weights.c: the closest bones against shortest paths between all
   vertices, and pieces without bones. */
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"
#include "weights/geodesic_weights.h"

#include <stdlib.h>

/* all shortest paths by Floyd and Warshall, n x n */
static double *all_distances(const ossai_posed_surface *s)
{
	const size_t n = s->vertex_count;
	double *distance = malloc(n * n * sizeof *distance);
	for (size_t i = 0; i < n * n; i++) distance[i] = i / n == i % n ? 0 : INFINITY;
	for (size_t f = 0; f < 3 * s->face_count; f++) {
		const size_t a = s->triangles[f], b = s->triangles[f / 3 * 3 + (f + 1) % 3];
		distance[a * n + b] = distance[b * n + a] = ossai_distance(ossai_rest_point(s, a), ossai_rest_point(s, b));
	}
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++)
				distance[i * n + j] = fmin(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
		}
	}
	return distance;
}

static void points_are_weighed_as_published(void **state)
{
	(void)state;
	enum { BONES = 7, INFLUENCES = 3 };
	test_surface t = test_surface_grid(1, 20, 8, 1);
	const size_t n = t.s.vertex_count;
	ossai_segment list[BONES];
	uint32_t nearest[BONES] = {0};
	uint64_t random = 5;
	for (uint32_t b = 0; b < BONES; b++) {
		const ossai_vec3 point = test_random_point(&random, 0.4);
		list[b] = (ossai_segment){b, point, point};
		for (uint32_t v = 1; v < n; v++) {
			const double now = ossai_distance(point, ossai_rest_point(&t.s, nearest[b]));
			if (ossai_distance(point, ossai_rest_point(&t.s, v)) < now) nearest[b] = v;
		}
	}
	const ossai_bone_segments segments = {BONES, BONES, list};
	const ossai_geodesic_options options = {.influences = INFLUENCES, .power = 1, .points = true};
	ossai_bone_weights w;
	assert_ok(t.context, ossai_geodesic_weights(&t.arena, &t.s, &segments, &options, &w));
	double *distance = all_distances(&t.s);
	for (size_t v = 0; v < n; v++) {
		double gd[BONES], sum = 0;
		for (size_t b = 0; b < BONES; b++) {
			gd[b] = distance[v * n + nearest[b]] + ossai_distance(list[b].from, ossai_rest_point(&t.s, nearest[b]));
		}
		assert_int_equal(w.count[v], INFLUENCES);
		for (size_t i = 0; i < INFLUENCES; i++) {
			/* the i-th closest */
			size_t best = BONES;
			for (size_t b = 0; b < BONES; b++) {
				if (isfinite(gd[b]) && (best == BONES || gd[b] < gd[best])) best = b;
			}
			assert_int_equal(w.bone[v * INFLUENCES + i], best);
			if (i == 0) {
				double all[BONES];
				for (size_t b = 0; b < BONES; b++) all[b] = gd[b];
				for (size_t k = 0; k < INFLUENCES; k++) {
					size_t least = 0;
					for (size_t b = 1; b < BONES; b++) least = all[b] < all[least] ? b : least;
					sum += 1 / all[least];
					all[least] = INFINITY;
				}
			}
			assert_near(w.value[v * INFLUENCES + i], 1 / gd[best] / sum, 1e-12);
			gd[best] = INFINITY;
		}
	}
	free(distance);
	test_surface_end(&t);
}

static void pieces_without_a_bone_follow_those_they_touch(void **state)
{
	(void)state;
	/* two strips of a ladder a little apart, a bone in the first alone */
	static const float positions[] = {
		0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0, 2.1F, 0, 0, 2.1F, 1, 0, 3, 0, 0, 3, 1, 0};
	static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5, 6, 8, 7, 7, 8, 9};
	test_surface t = test_surface_make(1, 10, positions, 6, triangles, 1, NULL);
	assert_int_equal(t.s.piece_count, 2);
	ossai_segment list[] = {
		{0, ossai_rest_point(&t.s, 0), ossai_rest_point(&t.s, 1)}, {1, ossai_rest_point(&t.s, 4), ossai_rest_point(&t.s, 5)}};
	const ossai_bone_segments segments = {2, 2, list};
	ossai_geodesic_options options = ossai_geodesic_default();
	ossai_bone_weights w;
	options.points = true;
	assert_ok(t.context, ossai_geodesic_weights(&t.arena, &t.s, &segments, &options, &w));
	for (size_t v = 6; v < 10; v++) {
		assert_int_equal(w.count[v], 2);
		assert_int_equal(w.bone[v * w.width], 1);
	}
	const ossai_bone_segments none = {2, 0, list};
	assert_fails(t.context, ossai_geodesic_weights(&t.arena, &t.s, &none, &options, &w), OSSA_ERROR_ARGUMENT, "0 bones");
	test_surface_end(&t);
}

static void creatures_are_posed(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_PIECES, OSSA_SAMPLE_OPEN};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		test_creature c = test_creature_make(1, kinds[i], 3000, 6);
		ossai_bone_weights w;
		const ossai_rest_bones rest = {&c.tree, c.joint, c.tail, NULL};
		ossai_rest_weights_options options = ossai_rest_weights_default();
		options.kind = OSSAI_REST_WEIGHTS_GEODESIC;
		options.local = true;
		assert_ok(c.t.context, ossai_rest_weights(&c.t.arena, &c.t.s, &rest, &c.motion, &options, &w));
		for (size_t v = 0; v < w.vertex_count; v++) {
			double sum = 0;
			for (size_t k = 0; k < w.count[v]; k++) sum += w.value[v * w.width + k];
			assert_near(sum, c.t.s.used[v], 1e-12);
		}
		const double rms = test_creature_replay(&c, &w);
		print_message("%d %.3f\n", (int)kinds[i], rms);
		assert_true(rms < 1);
		test_creature_end(&c);
	}
}

static ossa_status weigh_in_sweep(ossa_context *context, void *arg)
{
	const test_creature *c = arg;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_rest_bones rest = {&c->tree, c->joint, NULL, NULL};
	ossai_rest_weights_options options = ossai_rest_weights_default();
	ossai_bone_weights w;
	options.kind = OSSAI_REST_WEIGHTS_GEODESIC;
	const ossa_status status = ossai_rest_weights(&arena, &c->t.s, &rest, NULL, &options, &w);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_PIECES, 1000, 2);
	test_allocation_sweep(weigh_in_sweep, &c, 200, 1);
	test_creature_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_weighed_as_published),
		cmocka_unit_test(pieces_without_a_bone_follow_those_they_touch),
		cmocka_unit_test(creatures_are_posed),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
