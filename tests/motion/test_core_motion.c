/* tests/motion/test_core_motion.c: the motion of parts whose borders bend with their neighbours,
   against the motion that posed them. */
#include "motion/core_motion.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { BONES = 3, POSES = 8 };

typedef struct scene {
	test_surface t;
	test_chain chain;
	uint32_t *part; /* V */
	ossai_bone_motion motion;
	double *trust;
} scene;

/* a chain on a long sheet; only the thirds' middles follow one bone alone where weights are made
   steeper */
static scene scene_make(int threads, double shake)
{
	scene s = {.t = test_surface_grid(threads, 60, 8, POSES)};
	const size_t vertices = s.t.s.vertex_count;
	s.chain = test_chain_make(&s.t, BONES, 5);
	s.part = ossai_arena_new(&s.t.arena, vertices, sizeof *s.part);
	s.trust = ossai_arena_new(&s.t.arena, vertices, sizeof *s.trust);
	assert_true(s.part && s.trust);
	for (size_t v = 0; v < vertices; v++) {
		double *value = s.chain.weights.value + v * 4;
		value[1] = fmin(fmax(2 * value[1] - 0.5, 0), 1);
		value[0] = 1 - value[1];
		s.part[v] = s.chain.weights.bone[v * 4 + (value[1] > value[0])];
	}
	test_surface_blend(&s.t, &s.chain.weights, &s.chain.motion);
	if (shake > 0) test_surface_shake(&s.t, shake, 3);
	assert_ok(s.t.context, ossai_bone_motion_new(&s.t.arena, BONES, POSES, &s.motion));
	return s;
}

static void fit(scene *s)
{
	assert_ok(s->t.context, ossai_core_motion_fit(s->t.context, &s->t.s, s->part, &s->motion, s->trust));
}

/* largest difference from the true rotations, radians */
static double worst_turn(const scene *s, const ossai_bone_motion *motion)
{
	double worst = 0;
	for (size_t i = 0; i < BONES * POSES; i++) {
		const ossai_mat3 back = ossai_mat3_transpose(&s->chain.motion.rigid[i].r);
		const ossai_mat3 gap = ossai_mat3_mul(&back, &motion->rigid[i].r);
		worst = fmax(worst, ossai_quat_angle(ossai_mat3_quat(&gap)));
	}
	return worst;
}

/* the plain fit to all vertices of a part */
static double worst_plain_turn(scene *s)
{
	uint32_t *part_of_face = ossai_arena_new(&s->t.arena, s->t.s.face_count, sizeof *part_of_face);
	for (size_t f = 0; f < s->t.s.face_count; f++) part_of_face[f] = s->part[s->t.s.triangles[3 * f]];
	ossai_bone_motion plain;
	assert_ok(s->t.context, ossai_bone_motion_new(&s->t.arena, BONES, POSES, &plain));
	assert_ok(s->t.context, ossai_bone_motion_from_clusters(s->t.context, &s->t.s, part_of_face, &plain));
	return worst_turn(s, &plain);
}

static void cores_move_exactly(void **state)
{
	(void)state;
	scene s = scene_make(1, 0);
	fit(&s);
	assert_true(worst_turn(&s, &s.motion) < 3e-4);
	assert_true(worst_plain_turn(&s) > 0.02);
	double trust = 0, torn = 0;
	/* who follows one bone alone is trusted, who follows two by halves is not */
	for (size_t v = 0; v < s.t.s.vertex_count; v++) {
		const double share = fmax(s.chain.weights.value[4 * v], s.chain.weights.value[4 * v + 1]);
		assert_true(s.trust[v] > 0 && s.trust[v] <= 1);
		if (share == 1) assert_true(s.trust[v] > 0.5);
		trust += share < 0.6 ? s.trust[v] : 0;
		torn += share < 0.6;
	}
	assert_true(torn > 20 && trust < 0.1 * torn);
	test_surface_end(&s.t);
}

static void little_noise_does_less_harm_than_bending(void **state)
{
	(void)state;
	scene s = scene_make(1, 0.0005);
	fit(&s);
	assert_true(worst_turn(&s, &s.motion) < 0.5 * worst_plain_turn(&s));
	test_surface_end(&s.t);
}

static void odd_parts_are_borne(void **state)
{
	(void)state;
	scene s = scene_make(1, 0);
	/* part 0 is one vertex, part 1 two, part 2 none; the others have no part */
	for (size_t v = 0; v < s.t.s.vertex_count; v++) s.part[v] = OSSA_NONE;
	s.part[0] = 0;
	s.part[7] = s.part[70] = 1;
	fit(&s);
	for (size_t i = 0; i < BONES * POSES; i++) {
		const ossai_rigid *x = &s.motion.rigid[i];
		assert_near(ossai_mat3_det(&x->r), 1, 1e-9);
		assert_true(isfinite(x->t.x) && isfinite(x->t.y) && isfinite(x->t.z));
	}
	for (size_t k = 0; k < POSES; k++) {
		const ossai_vec3 image = ossai_rigid_point(&s.motion.rigid[k], ossai_rest_point(&s.t.s, 0));
		assert_near_vec3(image, ossai_pose_point(&s.t.s, 0, k), 1e-12);
		assert_true(ossai_length(s.motion.rigid[2 * POSES + k].t) == 0);
	}
	assert_true(s.trust[0] > 0 && s.trust[1] == 0);
	/* all vertices in one point */
	for (size_t i = 0; i < 3 * s.t.s.vertex_count; i++) s.t.s.rest[i] = 0.1;
	for (size_t v = 0; v < s.t.s.vertex_count; v++) s.part[v] = 1;
	fit(&s);
	for (size_t i = 0; i < BONES * POSES; i++) assert_true(isfinite(s.motion.rigid[i].t.x));
	test_surface_end(&s.t);
}

static void same_motion_for_any_threads(void **state)
{
	(void)state;
	scene one = scene_make(1, 0.01), three = scene_make(3, 0.01);
	fit(&one);
	fit(&three);
	assert_memory_equal(one.motion.rigid, three.motion.rigid, BONES * POSES * sizeof *one.motion.rigid);
	assert_memory_equal(one.trust, three.trust, one.t.s.vertex_count * sizeof *one.trust);
	test_surface_end(&one.t);
	test_surface_end(&three.t);
}

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	scene *s = arg;
	return ossai_core_motion_fit(context, &s->t.s, s->part, &s->motion, s->trust);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	scene s = scene_make(1, 0);
	assert_true(test_allocation_sweep(fit_in_sweep, &s, 100, 1) > 4);
	test_surface_end(&s.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_move_exactly),
		cmocka_unit_test(little_noise_does_less_harm_than_bending),
		cmocka_unit_test(odd_parts_are_borne),
		cmocka_unit_test(same_motion_for_any_threads),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
