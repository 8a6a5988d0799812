/* tests/methods/test_moving_inside.c: joints outside of a tube: those that the motion does not
   need there move inside, the others stay. */
#include "methods/moving.h"

#include "query/inside.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* MANY: the bones near a joint are few of all */
enum { BONES = 3, MANY = 24, POSES = 5, LENGTH = 13, SEED = 4 };

static const ossai_vec3 away = {0, 0.4, 0.3}; /* out of the tube */

/* a tube that a chain of bones has posed, and the work on it with the chain's weights */
typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_moving_work work;
	size_t bones;
} scene;

/* the bones meet at the chain's joints, whatever these are, and the surface follows */
static void pose(scene *s)
{
	ossai_bone_motion *motion = &s->chain.motion;
	for (size_t at = 1; at < s->bones; at++) {
		const uint32_t b = s->chain.tree.order[at], parent = s->chain.tree.parent[b];
		for (size_t k = 0; k < POSES; k++) {
			ossai_rigid *x = &motion->rigid[b * POSES + k];
			const ossai_vec3 c = s->chain.joint[b], image = ossai_rigid_point(&motion->rigid[parent * POSES + k], c);
			x->t = ossai_sub(image, ossai_mat3_mul_v(&x->r, c));
		}
	}
	test_surface_blend(&s->t, &s->chain.weights, motion);
}

/* a flat strip along x, which has no inside */
static test_surface make_strip(void)
{
	float points[POSES + 1][3 * 2 * LENGTH] = {{0}};
	uint32_t triangles[6 * (LENGTH - 1)];
	for (uint32_t i = 0; i < 2 * LENGTH; i++) {
		for (size_t k = 0; k <= POSES; k++) {
			points[k][3 * i] = (float)(i / 2);
			points[k][3 * i + 1] = (float)(i % 2);
		}
	}
	for (uint32_t i = 0; i + 1 < LENGTH; i++) {
		const uint32_t quad[] = {2 * i, 2 * i + 2, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 1};
		memcpy(triangles + 6 * i, quad, sizeof quad);
	}
	return test_surface_make(1, 2 * LENGTH, points[0], 2 * (LENGTH - 1), triangles, POSES, points[1]);
}

static void begin_on(scene *s, test_surface t, size_t bones, ossai_vec3 offset)
{
	s->t = t;
	s->bones = bones;
	s->chain = test_chain_make(&s->t, bones, SEED);
	s->chain.joint[1] = ossai_add(s->chain.joint[1], offset);
	pose(s);
	ossai_moving_work *m = &s->work;
	*m = (ossai_moving_work){.context = s->t.context, .arena = &s->t.arena, .surface = s->t.s, .tree = s->chain.tree};
	/* supports of so many bones are not connected: the exact ones would be lost */
	m->options.local = bones == BONES;
	m->joint = s->chain.joint;
	m->anchor = ossai_arena_new(m->arena, bones, sizeof *m->anchor);
	memcpy(m->anchor, m->joint, bones * sizeof *m->anchor);
	assert_ok(m->context, ossai_fit_new(m->context, m->arena, &m->surface, bones, s->chain.weights.width, &m->fit));
	ossai_bone_weights_copy(&s->chain.weights, &m->fit.weights);
	ossai_bone_motion_copy(&s->chain.motion, &m->fit.motion);
}

static void begin(scene *s, bool is_closed, ossai_vec3 offset)
{
	begin_on(s, is_closed ? test_surface_sample(1, OSSA_SAMPLE_TUBE, 1000, POSES) : make_strip(), BONES, offset);
}

static void begin_many(scene *s, ossai_vec3 offset)
{
	begin_on(s, test_surface_sample(1, OSSA_SAMPLE_TUBE, 4000, POSES), MANY, offset);
}

/* the hierarchy follows its joints as well as it can */
static void measure(scene *s)
{
	assert_ok(s->t.context, ossai_moving_turn_bones(&s->work));
	assert_ok(s->t.context, ossai_fit_error(&s->work.fit, &s->work.rounds.error));
}

static bool is_inside(const scene *s, uint32_t bone)
{
	const ossai_mesh_view view = ossai_posed_surface_view(&s->t.s);
	double point[3];
	uint8_t inside;
	ossai_v3_store(s->work.joint[bone], point);
	assert_ok(s->t.context, ossai_find_inside(s->t.context, &view, 1, point, &inside));
	return inside;
}

static void check_that_one_moves_inside(scene *s, uint32_t bone)
{
	s->work.joint[bone] = ossai_add(s->work.joint[bone], away);
	measure(s);
	const double before = s->work.rounds.error;
	assert_true(before > 1e-6 && !is_inside(s, bone));
	assert_ok(s->t.context, ossai_moving_keep_inside(&s->work));
	double after;
	assert_ok(s->t.context, ossai_fit_error(&s->work.fit, &after));
	assert_true(is_inside(s, bone));
	assert_true(after <= before);
	assert_near(after / s->work.rounds.error, 1, 1e-9);
	test_surface_end(&s->t);
}

static void a_joint_that_is_not_needed_outside_moves_inside(void **state)
{
	(void)state;
	scene s;
	begin(&s, true, ossai_v3(0, 0, 0));
	check_that_one_moves_inside(&s, 1);
}

/* where only the bones near it follow */
static void a_joint_of_many_moves_inside(void **state)
{
	(void)state;
	scene s;
	begin_many(&s, ossai_v3(0, 0, 0));
	check_that_one_moves_inside(&s, MANY / 2);
}

/* inside, but at the end of the tube, three radii from where the bones meet */
static void a_joint_far_from_its_limb_moves_back(void **state)
{
	(void)state;
	scene s;
	begin(&s, true, ossai_v3(0, 0, 0));
	ossai_vec3 end = {0, 0, 0};
	for (size_t v = 0; v < s.t.s.vertex_count; v++) {
		const ossai_vec3 p = ossai_rest_point(&s.t.s, v);
		if (ossai_length(p) > ossai_length(end)) end = p;
	}
	const ossai_vec3 joint = s.work.joint[1];
	s.work.joint[1] = ossai_scale(end, 0.8);
	const double far = ossai_distance(s.work.joint[1], joint);
	measure(&s);
	assert_true(is_inside(&s, 1));
	assert_ok(s.t.context, ossai_moving_keep_inside(&s.work));
	assert_true(ossai_distance(s.work.joint[1], joint) < 0.75 * far);
	test_surface_end(&s.t);
}

/* the root's joint changes no error: where it is outside, it moves to the bones around it */
static void the_roots_joint_moves_inside(void **state)
{
	(void)state;
	scene s;
	begin(&s, true, ossai_v3(0, 0, 0));
	const uint32_t root = s.work.tree.root;
	s.work.joint[root] = ossai_add(s.work.joint[root], away);
	measure(&s);
	assert_false(is_inside(&s, root));
	assert_ok(s.t.context, ossai_moving_keep_inside(&s.work));
	assert_true(is_inside(&s, root));
	test_surface_end(&s.t);
}

static void check_that_one_stays(scene *s)
{
	measure(s);
	const ossai_vec3 joint = s->work.joint[1];
	assert_false(is_inside(s, 1));
	assert_ok(s->t.context, ossai_moving_keep_inside(&s->work));
	assert_near_vec3(s->work.joint[1], joint, 0);
	test_surface_end(&s->t);
}

/* all that the poses show is a rotation about a point outside */
static void a_joint_that_the_motion_insists_on_stays(void **state)
{
	(void)state;
	scene s;
	begin(&s, true, away);
	check_that_one_stays(&s);
}

static void a_joint_of_many_stays_where_the_motion_insists(void **state)
{
	(void)state;
	scene s;
	begin_many(&s, away);
	check_that_one_stays(&s);
}

static void nothing_moves_where_nothing_is_inside(void **state)
{
	(void)state;
	scene s;
	begin(&s, false, ossai_v3(0, 0, 0));
	s.work.joint[1] = ossai_add(s.work.joint[1], away);
	measure(&s);
	ossai_vec3 joint[BONES];
	memcpy(joint, s.work.joint, sizeof joint);
	assert_ok(s.t.context, ossai_moving_keep_inside(&s.work));
	for (size_t b = 0; b < BONES; b++) assert_near_vec3(s.work.joint[b], joint[b], 0);
	test_surface_end(&s.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_joint_that_is_not_needed_outside_moves_inside),
		cmocka_unit_test(a_joint_of_many_moves_inside),
		cmocka_unit_test(a_joint_of_many_stays_where_the_motion_insists),
		cmocka_unit_test(a_joint_far_from_its_limb_moves_back),
		cmocka_unit_test(the_roots_joint_moves_inside),
		cmocka_unit_test(a_joint_that_the_motion_insists_on_stays),
		cmocka_unit_test(nothing_moves_where_nothing_is_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
