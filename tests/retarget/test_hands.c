/* tests/retarget/test_hands.c: hands that stay out of the body. */
#include "retarget/hands.h"

#include "retarget/two_bones.h"
#include "support/actors.h"

enum { LEFT_ARM = 0 };

typedef struct stage {
	ossa_context *context;
	person target, source;
	test_actor own, other;
	ossai_hands hands;
	ossai_moved moved;
	double worlds[12 * ACTOR_BONES];
} stage;

static void begin(stage *s)
{
	s->context = test_context(1);
	s->source = person_make(s->context, (person_form){0});
	s->target = person_make(s->context, (person_form){0});
	test_actor_make(&s->own, &s->target);
	test_actor_make(&s->other, &s->source);
	assert_ok(s->context, ossai_find_hands(&s->own.arena, &s->own.actor, &s->other.actor, 1, &s->hands));
	s->moved = test_moved_at_rest(&s->own);
	ossa_rig_joint_matrices(s->source.rig, NULL, 0, s->worlds);
}

static void end(stage *s)
{
	test_actor_end(&s->other);
	test_actor_end(&s->own);
	person_end(&s->target);
	person_end(&s->source);
	test_context_end(s->context);
}

/* the middle of the left hand in the pose */
static ossai_vec3 middle(const stage *s)
{
	const uint32_t hand = s->own.actor.arm[LEFT_ARM].end;
	const ossai_mat3 turn = ossai_quat_matrix(s->moved.turn[hand]);
	const ossai_vec3 wrist = ossai_v3_of(s->target.rig->skeleton.bones[hand].joint);
	return ossai_add(s->moved.joint[hand], ossai_mat3_mul_v(&turn, ossai_sub(s->hands.target.center[LEFT_ARM], wrist)));
}

/* moves the middle of the left hand to a point of the pose */
static void put_hand(stage *s, ossai_vec3 point)
{
	for (int round = 0; round < 20; round++) {
		const ossai_vec3 wrist = s->moved.joint[s->own.actor.arm[LEFT_ARM].end];
		const ossai_vec3 goal = ossai_add(wrist, ossai_sub(point, middle(s)));
		ossai_reach(&s->moved, &s->own.actor.arm[LEFT_ARM], goal, 0.999, ossai_v3(0, 0, -1), false);
		ossai_moved_place(&s->moved, s->moved.joint[s->moved.hips]);
	}
}

/* The box around what a bone moves most: a plain oracle for prisms that did not turn. */
static bool is_in_box_of(const stage *s, uint32_t bone, ossai_vec3 p, double margin)
{
	const ossa_rig *rig = s->target.rig;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		if (rig->weights.bones[v * (size_t)rig->weights.influences] != bone) continue;
		for (int k = 0; k < 3; k++) {
			low[k] = fmin(low[k], rig->mesh->positions[3 * v + (size_t)k]);
			high[k] = fmax(high[k], rig->mesh->positions[3 * v + (size_t)k]);
		}
	}
	const double at[3] = {p.x, p.y, p.z};
	for (int k = 0; k < 3; k++) {
		if (at[k] < low[k] + margin || at[k] > high[k] - margin) return false;
	}
	return true;
}

static void hands_beside_the_body_stay(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	const ossai_vec3 before = middle(&s);
	ossai_clear_hands(&s.hands, &s.moved, s.worlds);
	assert_near(ossai_distance(before, middle(&s)), 0, 0);
	end(&s);
}

/* a hand in the hips goes out, to the nearest side; the other hand stays */
static void a_hand_in_the_body_goes_out(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	const ossa_bone *hips = &s.target.rig->skeleton.bones[s.moved.hips];
	const ossai_vec3 inside = ossai_add(ossai_v3_of(hips->joint), ossai_v3(0.06, 0.03, 0.01));
	const ossai_vec3 right = s.moved.joint[s.own.actor.arm[1].end];
	put_hand(&s, inside);
	assert_near(ossai_distance(middle(&s), inside), 0, 0.01);
	assert_true(is_in_box_of(&s, s.moved.hips, middle(&s), 0.005));
	ossai_clear_hands(&s.hands, &s.moved, s.worlds);
	for (uint32_t b = 0; b < s.target.rig->skeleton.bone_count; b++) {
		const ossa_body_part part = s.own.role[b].part;
		if (part == OSSA_PART_HIPS || part == OSSA_PART_SPINE) assert_false(is_in_box_of(&s, b, middle(&s), 0.02));
	}
	/* to its own side */
	assert_true(middle(&s).x > inside.x);
	assert_near(ossai_distance(right, s.moved.joint[s.own.actor.arm[1].end]), 0, 0);
	end(&s);
}

/* as deep as the source's own hand is, it may be on purpose */
static void a_hand_on_the_hip_stays(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	const ossa_bone *hips = &s.target.rig->skeleton.bones[s.moved.hips];
	put_hand(&s, ossai_add(ossai_v3_of(hips->joint), ossai_v3(0.06, 0.03, 0.01)));
	const ossai_vec3 before = middle(&s);
	/* the source in the same pose */
	for (size_t b = 0; b < s.target.rig->skeleton.bone_count; b++) {
		const ossai_quat own = ossai_quat_of(s.target.rig->skeleton.bones[b].orientation);
		const ossai_rigid world = {ossai_quat_matrix(ossai_quat_mul(s.moved.turn[b], own)), s.moved.joint[b]};
		ossai_rigid_store(&world, s.worlds + 12 * b);
	}
	ossai_clear_hands(&s.hands, &s.moved, s.worlds);
	assert_near(ossai_distance(before, middle(&s)), 0, 1e-6);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hands_beside_the_body_stay),
		cmocka_unit_test(a_hand_in_the_body_goes_out), cmocka_unit_test(a_hand_on_the_hip_stays)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
