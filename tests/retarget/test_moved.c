/* tests/retarget/test_moved.c: where bones are when some of them have turned. */
#include "retarget/moved.h"

#include "support/actors.h"

static ossai_quat about(double x, double y, double z, double degrees)
{
	return ossai_quat_axis_angle(ossai_v3(x, y, z), degrees * OSSAI_PI / 180);
}

/* the clip of one frame in which the body is as it was moved */
static ossa_clip *stored(ossa_context *context, const person *p, ossai_moved *moved)
{
	ossa_clip *clip;
	assert_ok(context, ossa_clip_create(context, 1, p->rig->skeleton.bone_count, moved->has_slides, &clip));
	ossai_moved_store(moved, 0, clip);
	return clip;
}

/* joints and turns of the clip are those of the body */
static void assert_stored(ossa_context *context, const person *p, ossai_moved *moved)
{
	static double worlds[12 * ACTOR_BONES];
	ossa_clip *clip = stored(context, p, moved);
	ossa_rig_joint_matrices(p->rig, clip, 0, worlds);
	for (size_t b = 0; b < p->rig->skeleton.bone_count; b++) {
		const ossai_rigid world = ossai_rigid_of(worlds + 12 * b);
		const ossai_quat turned = ossai_quat_mul(moved->turn[b], ossai_quat_of(p->rig->skeleton.bones[b].orientation));
		assert_near_vec3(world.t, moved->joint[b], 1e-9);
		assert_near(fabs(ossai_quat_dot(ossai_quat_unit(turned), ossai_mat3_quat(&world.r))), 1, 1e-9);
	}
	ossa_clip_free(context, clip);
}

static void turn_some(ossai_moved *moved, const person *p)
{
	moved->turn[p->bone[PERSON_HIPS][0]] = about(0, 1, 0, 30);
	moved->turn[p->bone[PERSON_SPINE_1][0]] = about(1, 0, 0, 20);
	moved->turn[p->bone[PERSON_THIGH][0]] = about(1, 0, 0, -40);
	moved->turn[p->bone[PERSON_CALF][0]] = about(1, 0, 0, 50);
	moved->turn[p->bone[PERSON_FOOT][0]] = about(0, 0, 1, 10);
}

/* a bone is where its parent's turn puts it; the hips where they are put */
static void parents_carry(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){0});
	test_actor a;
	test_actor_make(&a, &p);
	ossai_moved moved = test_moved_at_rest(&a);
	for (size_t b = 0; b < p.rig->skeleton.bone_count; b++)
		assert_near_vec3(moved.joint[b], ossai_v3_of(p.rig->skeleton.bones[b].joint), 1e-12);
	turn_some(&moved, &p);
	ossai_moved_place(&moved, ossai_v3(1, 2, 3));
	assert_false(moved.has_slides);
	assert_near_vec3(moved.joint[moved.hips], ossai_v3(1, 2, 3), 1e-12);
	const uint32_t calf = p.bone[PERSON_CALF][0], foot = p.bone[PERSON_FOOT][0];
	const ossai_mat3 turn = ossai_quat_matrix(about(1, 0, 0, 50));
	const ossai_vec3 shin = ossai_sub(person_joint(&p, NULL, 0, PERSON_FOOT, 0), person_joint(&p, NULL, 0, PERSON_CALF, 0));
	assert_near_vec3(moved.joint[foot], ossai_add(moved.joint[calf], ossai_mat3_mul_v(&turn, shin)), 1e-12);
	assert_stored(context, &p, &moved);
	test_actor_end(&a);
	person_end(&p);
	test_context_end(context);
}

/* what has no turn of its own turns as its carrier, after what is extra */
static void others_follow_their_carriers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.strands = 2});
	test_actor a;
	test_actor_make(&a, &p);
	ossai_moved moved = test_moved_at_rest(&a);
	const uint32_t head = p.bone[PERSON_HEAD][0], hair = (uint32_t)ossa_rig_bone(p.rig, "hair_01");
	moved.turn[head] = about(0, 1, 0, 35);
	moved.extra[hair] = about(1, 0, 0, 5);
	ossai_moved_place(&moved, moved.joint[moved.hips]);
	assert_near(fabs(ossai_quat_dot(moved.turn[hair], ossai_quat_mul(about(0, 1, 0, 35), about(1, 0, 0, 5)))), 1, 1e-12);
	assert_near(fabs(ossai_quat_dot(moved.turn[hair + 1], moved.turn[head])), 1, 1e-12);
	assert_stored(context, &p, &moved);
	test_actor_end(&a);
	person_end(&p);
	test_context_end(context);
}

/* feet that are children of the hips, as of inverse kinematics, stay at the ends of their legs */
static void feet_stay_on_legs(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){0}), straight = person_make(context, (person_form){0});
	test_actor a, b;
	for (int side = 0; side < 2; side++) p.rig->skeleton.bones[p.bone[PERSON_FOOT][side]].parent = 0;
	test_actor_make(&a, &p);
	test_actor_make(&b, &straight);
	ossai_moved moved = test_moved_at_rest(&a), expected = test_moved_at_rest(&b);
	assert_true(moved.has_slides);
	assert_int_equal(moved.carrier[p.bone[PERSON_FOOT][0]], p.bone[PERSON_CALF][0]);
	turn_some(&moved, &p);
	turn_some(&expected, &p);
	ossai_moved_place(&moved, ossai_v3(0, 1, 0));
	ossai_moved_place(&expected, ossai_v3(0, 1, 0));
	for (size_t i = 0; i < p.rig->skeleton.bone_count; i++) assert_near_vec3(moved.joint[i], expected.joint[i], 1e-12);
	assert_stored(context, &p, &moved);
	test_actor_end(&b);
	test_actor_end(&a);
	person_end(&straight);
	person_end(&p);
	test_context_end(context);
}

/* makes the first bone of the spine the root, and the hips its child */
static void root_at_spine(person *p)
{
	ossa_bone *bones = p->rig->skeleton.bones;
	const ossa_bone hips = bones[0], spine = bones[1];
	assert_int_equal(p->bone[PERSON_HIPS][0], 0);
	assert_int_equal(p->bone[PERSON_SPINE_1][0], 1);
	for (size_t b = 2; b < p->rig->skeleton.bone_count; b++)
		bones[b].parent = bones[b].parent < 2 ? 1 - bones[b].parent : bones[b].parent;
	bones[0] = spine;
	bones[0].parent = -1;
	bones[1] = hips;
	bones[1].parent = 0;
	p->bone[PERSON_HIPS][0] = 1;
	p->bone[PERSON_SPINE_1][0] = 0;
}

/* whichever bone is the root of a file, the body moves from its hips */
static void bodies_move_from_their_hips(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){0}), usual = person_make(context, (person_form){0});
	test_actor a, b;
	root_at_spine(&p);
	test_actor_make(&a, &p);
	test_actor_make(&b, &usual);
	ossai_moved moved = test_moved_at_rest(&a), expected = test_moved_at_rest(&b);
	assert_false(moved.has_slides);
	turn_some(&moved, &p);
	turn_some(&expected, &usual);
	ossai_moved_place(&moved, ossai_v3(1, 2, 3));
	ossai_moved_place(&expected, ossai_v3(1, 2, 3));
	/* the joint between both is where the spine's bone has it, as the root of that file */
	const ossai_mat3 spine = ossai_quat_matrix(about(1, 0, 0, 20));
	const ossai_vec3 down = ossai_sub(
		person_joint(&usual, NULL, 0, PERSON_HIPS, 0), person_joint(&usual, NULL, 0, PERSON_SPINE_1, 0));
	assert_near_vec3(moved.joint[1], ossai_add(moved.joint[0], ossai_mat3_mul_v(&spine, down)), 1e-12);
	assert_near_vec3(moved.joint[1], ossai_v3(1, 2, 3), 1e-12);
	for (int part = PERSON_THIGH; part < PERSON_PARTS; part++)
		assert_near_vec3(moved.joint[p.bone[part][0]], expected.joint[usual.bone[part][0]], 1e-12);
	assert_stored(context, &p, &moved);
	test_actor_end(&b);
	test_actor_end(&a);
	person_end(&usual);
	person_end(&p);
	test_context_end(context);
}

/* all bones of a part turn, on top of what they turned */
static void parts_turn_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.split_calves = true});
	test_actor a;
	test_actor_make(&a, &p);
	ossai_moved moved = test_moved_at_rest(&a);
	const uint32_t first = (uint32_t)ossa_rig_bone(p.rig, "calf_01_L"), second = (uint32_t)ossa_rig_bone(p.rig, "calf_02_L");
	moved.turn[first] = about(0, 1, 0, 90);
	ossai_moved_turn_part(&moved, OSSA_PART_LOWER_LEG, 1, about(1, 0, 0, 30));
	assert_near(fabs(ossai_quat_dot(moved.turn[first], ossai_quat_mul(about(1, 0, 0, 30), about(0, 1, 0, 90)))), 1, 1e-12);
	assert_near(fabs(ossai_quat_dot(moved.turn[second], about(1, 0, 0, 30))), 1, 1e-12);
	assert_near(moved.turn[ossa_rig_bone(p.rig, "calf_01_R")].w, 1, 1e-12);
	test_actor_end(&a);
	person_end(&p);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_carry),
		cmocka_unit_test(others_follow_their_carriers),
		cmocka_unit_test(feet_stay_on_legs),
		cmocka_unit_test(bodies_move_from_their_hips),
		cmocka_unit_test(parts_turn_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
