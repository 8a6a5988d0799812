/* tests/motion/test_moments.c: the error of a blend from the moments against the error at the
   vertices; free bones fitted on them. */
#include "motion/moments.h"

#include "motion/free_bones.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

static ossai_moments new_moments(test_surface *t, const ossai_bone_weights *weights)
{
	ossai_moments m;
	assert_ok(t->context, ossai_moments_make(t->context, &t->s, weights, &m));
	return m;
}

/* any bones at any vertex, up to four */
static ossai_bone_weights draw_weights(test_surface *t, size_t bones, uint64_t seed)
{
	ossai_bone_weights w;
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, t->s.vertex_count, bones, 4, &w));
	for (size_t v = 0; v < w.vertex_count; v++) {
		const size_t first = (size_t)(fabs(test_random(&seed)) * (double)bones), count = t->s.used[v] ? 1 + v % 4 : 0;
		double left = 1;
		for (size_t i = 0; i < count; i++) {
			w.bone[4 * v + i] = (uint16_t)((first + i) % bones);
			w.value[4 * v + i] = i + 1 == count ? left : left * fabs(test_random(&seed));
			left -= w.value[4 * v + i];
		}
		w.count[v] = (uint8_t)count;
	}
	return w;
}

static void turn_bones(ossai_bone_motion *motion, double most, uint64_t *random)
{
	for (size_t i = 0; i < motion->bone_count * motion->pose_count; i++) {
		const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(random, most));
		motion->rigid[i].r = ossai_mat3_mul(&turn, &motion->rigid[i].r);
		motion->rigid[i].t = ossai_add(motion->rigid[i].t, test_random_point(random, 0.3 * most));
	}
}

static void error_is_that_of_the_vertices(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		test_surface t = test_surface_grid(2, 14, 4, 1 + seed % 9);
		test_chain chain = test_chain_make(&t, 2 + seed % 7, seed);
		const ossai_bone_weights w = draw_weights(&t, chain.weights.bone_count, seed);
		uint64_t random = seed;
		turn_bones(&chain.motion, 0.5, &random);
		ossai_moments m = new_moments(&t, &w);
		const double plain = test_blend_error(&t, &w, &chain.motion);
		assert_near(ossai_moments_error(&m, &chain.motion), plain, 1e-9 * plain);
		ossai_moments_end(&m);
		test_surface_end(&t);
	}
}

static void assert_plain_sums(
	const test_surface *t, const ossai_bone_weights *w, const ossai_moments *m, uint32_t j, uint32_t l)
{
	double s[16] = {0}, found[4][4], c[12] = {0}, target[12];
	const size_t pose = t->s.pose_count - 1;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const double *rest = t->s.rest + 3 * v, p[4] = {rest[0], rest[1], rest[2], 1};
		const double a = ossai_bone_weight_of(w, v, j), both = a * ossai_bone_weight_of(w, v, l);
		for (size_t i = 0; i < 16; i++) s[i] += both * p[i / 4] * p[i % 4];
		for (size_t i = 0; i < 12; i++) c[i] += a * p[i / 3] * t->s.poses[3 * (v * (pose + 1) + pose) + i % 3];
	}
	ossai_moments_matrix(m, j, l, found);
	ossai_moments_target(m, j, pose, target);
	for (size_t i = 0; i < 16; i++) assert_near(found[i / 4][i % 4], s[i], 1e-9);
	for (size_t i = 0; i < 12; i++) assert_near(target[i], c[i], 1e-9);
}

/* bones of more vertices than one task sums, and rows of poses that end anywhere in the lanes */
static void sums_of_many_vertices_are_the_plain_ones(void **state)
{
	(void)state;
	for (size_t poses = 1; poses <= 6; poses++) {
		test_surface t[2];
		ossai_moments m[2];
		for (int i = 0; i < 2; i++) {
			t[i] = test_surface_grid(i + 1, 100, 39, poses);
			test_surface_shake(&t[i], 0.2, 3);
			const ossai_bone_weights w = draw_weights(&t[i], 5, 7);
			m[i] = new_moments(&t[i], &w);
			for (uint32_t j = 0; j < 25; j++) assert_plain_sums(&t[i], &w, &m[i], j / 5, j % 5);
		}
		assert_memory_equal(m[0].c, m[1].c, 5 * 12 * poses * sizeof *m[0].c);
		assert_memory_equal(m[0].s, m[1].s, m[0].pair_count * sizeof *m[0].s);
		for (int i = 0; i < 2; i++) ossai_moments_end(&m[i]);
		for (int i = 0; i < 2; i++) test_surface_end(&t[i]);
	}
}

static void vertices_without_a_face_do_not_count(void **state)
{
	(void)state;
	const float p[] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, -7, 3, 2};
	const uint32_t triangles[] = {1, 2, 3, 3, 2, 4};
	test_surface t = test_surface_make(1, 6, p, 2, triangles, 3, NULL);
	test_surface_shake(&t, 0.2, 2);
	const ossai_bone_weights w = draw_weights(&t, 2, 4);
	uint64_t random = 3;
	ossai_rigid rigid[6];
	for (int i = 0; i < 6; i++) rigid[i] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	ossai_bone_motion motion = {2, 3, rigid};
	turn_bones(&motion, 1, &random);
	ossai_moments m = new_moments(&t, &w);
	const double plain = test_blend_error(&t, &w, &motion);
	assert_true(plain > 0.1);
	assert_near(ossai_moments_error(&m, &motion), plain, 1e-9 * plain);
	assert_true(m.vertex_count == 4);
	ossai_moments_end(&m);
	test_surface_end(&t);
}

static void same_moments_for_any_threads(void **state)
{
	(void)state;
	test_surface t[3];
	ossai_moments m[3];
	for (int i = 0; i < 3; i++) {
		t[i] = test_surface_grid(i + 1, 100, 4, 5);
		const ossai_bone_weights w = draw_weights(&t[i], 9, 3);
		m[i] = new_moments(&t[i], &w);
		assert_int_equal(m[0].pair_count, m[i].pair_count);
		assert_memory_equal(m[0].s, m[i].s, m[0].pair_count * sizeof *m[0].s);
		assert_memory_equal(m[0].c, m[i].c, 9 * 12 * 5 * sizeof(double));
	}
	for (int i = 0; i < 3; i++) {
		ossai_moments_end(&m[i]);
		test_surface_end(&t[i]);
	}
}

/* ---- free bones ---- */

static void a_sweep_never_raises_the_error(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		test_surface t = test_surface_grid(2, 14, 4, 5);
		test_chain chain = test_chain_make(&t, 6, seed);
		test_surface_shake(&t, 0.02, seed);
		const ossai_bone_weights w = draw_weights(&t, 6, seed);
		uint64_t random = seed;
		turn_bones(&chain.motion, 2, &random);
		ossai_moments m = new_moments(&t, &w);
		double before = ossai_moments_error(&m, &chain.motion);
		for (int sweep = 0; sweep < 12; sweep++) {
			ossai_free_bones_fit(t.context, &m, 1, &chain.motion);
			const double now = ossai_moments_error(&m, &chain.motion);
			assert_true(now <= before * (1 + 1e-12));
			before = now;
		}
		ossai_moments_end(&m);
		test_surface_end(&t);
	}
}

static void exact_motion_is_found_again(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 24, 4, 5);
	test_chain chain = test_chain_make(&t, 4, 3);
	uint64_t random = 5;
	turn_bones(&chain.motion, 0.2, &random);
	ossai_moments m = new_moments(&t, &chain.weights);
	ossai_free_bones_fit(t.context, &m, 400, &chain.motion);
	assert_true(test_rms_percent(&t.s, test_blend_error(&t, &chain.weights, &chain.motion)) < 1e-3);
	ossai_moments_end(&m);
	test_surface_end(&t);
}

static void a_bone_without_vertices_stays_where_it_was(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 10, 3, 4);
	test_chain chain = test_chain_make(&t, 3, 3);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		chain.weights.count[v] = 1;
		chain.weights.bone[4 * v] = v % 2;
		chain.weights.value[4 * v] = 1;
	}
	ossai_rigid before[4];
	memcpy(before, chain.motion.rigid + 8, sizeof before);
	ossai_moments m = new_moments(&t, &chain.weights);
	ossai_free_bones_fit(t.context, &m, 3, &chain.motion);
	assert_memory_equal(before, chain.motion.rigid + 8, sizeof before);
	ossai_moments_end(&m);
	test_surface_end(&t);
}

typedef struct sweep {
	const test_surface *t;
	const ossai_bone_weights *weights;
} sweep;

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossai_moments m;
	const ossa_status status = ossai_moments_make(context, &s->t->s, s->weights, &m);
	ossai_moments_end(&m);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 10, 3, 4);
	const ossai_bone_weights w = draw_weights(&t, 5, 4);
	sweep s = {&t, &w};
	test_allocation_sweep(make_in_sweep, &s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_is_that_of_the_vertices),
		cmocka_unit_test(sums_of_many_vertices_are_the_plain_ones),
		cmocka_unit_test(vertices_without_a_face_do_not_count),
		cmocka_unit_test(same_moments_for_any_threads),
		cmocka_unit_test(a_sweep_never_raises_the_error),
		cmocka_unit_test(exact_motion_is_found_again),
		cmocka_unit_test(a_bone_without_vertices_stays_where_it_was),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
