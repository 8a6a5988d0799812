/* tests/methods/test_moving_ends.c: ends of the tree stay where the hierarchy's error would be
   larger without them by enough. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

enum { BONES = 4, POSES = 6, SEED = 4 };

/* a tube that a chain of bones has posed */
typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_moving_work work;
	uint32_t end, parent;
} scene;

/* the end turns by so much against its parent, radians; the others as the chain has it */
static void pose(scene *s, double angle)
{
	ossai_bone_motion *motion = &s->chain.motion;
	for (size_t at = 1; at < BONES; at++) {
		const uint32_t b = s->chain.tree.order[at], parent = s->chain.tree.parent[b];
		for (size_t k = 0; k < POSES; k++) {
			ossai_rigid *x = &motion->rigid[b * POSES + k];
			const ossai_rigid *above = &motion->rigid[parent * POSES + k];
			const ossai_vec3 c = s->chain.joint[b], image = ossai_rigid_point(above, c);
			const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 0, 1), angle * sin((double)k + 1)));
			if (b == s->end) x->r = ossai_mat3_mul(&above->r, &turn);
			x->t = ossai_sub(image, ossai_mat3_mul_v(&x->r, c));
		}
	}
	test_surface_blend(&s->t, &s->chain.weights, motion);
}

static void fill(scene *s, ossai_fit *fit)
{
	ossai_moving_work *m = &s->work;
	assert_ok(m->context, ossai_fit_new(m->context, m->arena, &m->surface, BONES, s->chain.weights.width, fit));
	ossai_bone_weights_copy(&s->chain.weights, &fit->weights);
	ossai_bone_motion_copy(&s->chain.motion, &fit->motion);
}

/* worth: % of the diagonal; noise: of the size of all, of the vertices */
static void begin(scene *s, double angle, double noise, double worth)
{
	s->t = test_surface_sample(1, OSSA_SAMPLE_TUBE, 1000, POSES);
	s->chain = test_chain_make(&s->t, BONES, SEED);
	s->end = s->chain.tree.order[BONES - 1];
	s->parent = s->chain.tree.parent[s->end];
	pose(s, angle);
	if (noise > 0) test_surface_shake(&s->t, noise, 3);
	ossai_moving_work *m = &s->work;
	*m = (ossai_moving_work){.context = s->t.context, .arena = &s->t.arena, .surface = s->t.s, .tree = s->chain.tree};
	m->joint = s->chain.joint;
	m->anchor = ossai_arena_new(m->arena, BONES, sizeof *m->anchor);
	memcpy(m->anchor, m->joint, BONES * sizeof *m->anchor);
	fill(s, &m->fit);
	fill(s, &m->free_fit);
	m->goal.worth = ossai_bone_worth_of(worth / 100, (double)m->surface.used_count * POSES);
	assert_ok(m->context, ossai_fit_error(&m->fit, &m->rounds.error));
}

static size_t count_left(double angle, double noise, double worth)
{
	scene s;
	bool has_any;
	begin(&s, angle, noise, worth);
	const ossai_vec3 joint = s.chain.joint[s.parent];
	assert_ok(s.t.context, ossai_moving_prune_ends(&s.work, &has_any));
	const ossai_moving_work *m = &s.work;
	const size_t left = m->tree.bone_count;
	assert_true(has_any == (left < BONES));
	assert_int_equal(m->fit.weights.bone_count, left);
	assert_int_equal(m->free_fit.weights.bone_count, left);
	/* what is left is the chain without its end */
	if (left == BONES - 1) {
		const uint32_t last = m->tree.order[left - 1];
		assert_true(ossai_distance(m->joint[last], joint) < 0.05);
		for (size_t i = 1; i < left; i++) assert_int_equal(m->tree.parent[m->tree.order[i]], m->tree.order[i - 1]);
	}
	test_surface_end(&s.t);
	return left;
}

static void ends_stay_where_they_are_missed(void **state)
{
	(void)state;
	/* a small one in clean skin; in skin that has more error than it mends; a large one there */
	assert_int_equal(count_left(0.002, 0, 0.05), BONES);
	assert_int_equal(count_left(0.002, 0.0005, 0.05), BONES - 1);
	assert_int_equal(count_left(0.3, 0.0005, 0.05), BONES);
	/* one that nobody sees */
	assert_int_equal(count_left(1e-6, 0, 0.05), BONES - 1);
}

static void an_asked_number_is_kept(void **state)
{
	(void)state;
	assert_int_equal(count_left(1e-6, 0, 0), BONES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_stay_where_they_are_missed), cmocka_unit_test(an_asked_number_is_kept)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
