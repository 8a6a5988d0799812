/* tests/import/asset/test_asset_joints.c: which nodes are bones, their names, and properties of
   bones in ossa's own files. */
#include "math/affine.h"
#include "support/skinned.h"
#include "support/support.h"

#include <stdlib.h>

/* ---- which nodes are bones ---- */

static void other_joints_of_the_tree_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	/* armature - hips(j) - plain - spine - head(j), spine is used alone; tail(j) hangs where hips
	   do; far(j) elsewhere */
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE), hips = scene_node(s, "hips", armature);
	const uint32_t plain = scene_node(s, "plain", hips), spine = scene_node(s, "spine", plain);
	const uint32_t head = scene_node(s, "head", spine), tail = scene_node(s, "tail", armature);
	const uint32_t far = scene_node(s, "far", OSSA_NONE);
	scene_translate(s, hips, 0, 1, 0);
	scene_translate(s, plain, 0, 1, 0);
	scene_translate(s, spine, 0, 1, 0);
	scene_translate(s, head, 0, 1, 0);
	s->nodes[hips].is_joint = s->nodes[head].is_joint = s->nodes[tail].is_joint = s->nodes[far].is_joint = true;
	skinned_flag(s, "body", scene_add_skin(s, 1, &spine), scene_flag, skinned_first, skinned_ones, 1);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 5);
	skinned_assert_parent(rig, "spine", "hips");
	skinned_assert_parent(rig, "head", "spine");
	skinned_assert_parent(rig, "hips", "root");
	skinned_assert_parent(rig, "tail", "root");
	assert_int_equal(test_warned(context, "added-root"), 1);
	static const double heights[] = {1, 3, 4};
	const size_t bones[] = {skinned_bone(rig, "hips"), skinned_bone(rig, "spine"), skinned_bone(rig, "head")};
	for (int i = 0; i < 3; i++) assert_near(rig->skeleton.bones[bones[i]].joint[1], heights[i], 1e-9);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* joints that are all children of a node that is not a joint; the last one is moved */
static void flat_lists_of_joints_move(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	uint32_t joints[4];
	for (uint32_t j = 0; j < 4; j++) {
		joints[j] = scene_node(s, (const char *const[]){"p", "q", "r", "s"}[j], armature);
		scene_translate(s, joints[j], j, 0, 0);
		scene_rotate(s, joints[j], 0, 0, 1, 0);
	}
	skinned_flag(s, "body", scene_add_skin(s, 4, joints), scene_flag, (uint32_t[]){0, 3, 3}, skinned_ones, 1);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[3]);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 5);
	for (size_t b = 1; b < 5; b++) assert_int_equal(rig->skeleton.bones[b].parent, 0);
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* a file of joints alone, as motion capture is */
static void joints_alone_are_a_rig_without_vertices(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	skinned_chain(s, OSSA_NONE, 3, joints);
	for (int j = 0; j < 3; j++) s->nodes[joints[j]].is_joint = true;
	skinned_turn(s, scene_add_clip(s, "turn"), joints[1]);
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_int_equal(rig->clip->frame_count, 2);
	double worlds[36];
	ossa_rig_joint_matrices(rig, rig->clip, 1, worlds);
	assert_near(worlds[24 + 3], 1, 1e-6);
	assert_near(worlds[24 + 7], 1, 1e-6);
	ossa_rig_free(context, rig);
	assert_fails(context, scene_read_mesh(context, s, NULL, &mesh), OSSA_ERROR_INPUT, "no triangles");
	assert_fails(context, scene_read_animation(context, s, NULL, &mesh, &frames), OSSA_ERROR_INPUT, "no triangles");

	/* a mesh beside them is not theirs, and one on a joint is */
	scene_add_mesh(s, "ground", OSSA_NONE, 3, scene_flag, 1, scene_face);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(test_warned(context, "meshes-left-out"), 1);
	ossa_rig_free(context, rig);
	scene_add_mesh(s, "hand", joints[2], 3, scene_flag, 1, scene_face);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 6);
	assert_int_equal(rig->weights.bones[0], 0);
	assert_int_equal(rig->weights.bones[3], 2);
	assert_int_equal(test_warned(context, "meshes-on-root"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void without_joints_there_is_no_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	ossa_rig *rig;
	scene_add_mesh(s, "ground", OSSA_NONE, 3, scene_flag, 1, scene_face);
	assert_fails(context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, "no joints");
	assert_null(rig);
	free(s);
	test_context_end(context);
}

/* ---- what ossa's files say of bones ---- */

static void extras_are_honoured(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[4];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	skinned_chain(s, armature, 4, joints);
	ossai_asset_bone hinge = {.has_tail = true,
		.kind = OSSA_JOINT_HINGE,
		.tail = {1.5, 0.25, 0},
		.axis = {0, 1, 0},
		.turn_degrees = 33,
		.fit_residual = 0.5,
		.has_limits = true,
		.limits = {{-10, 20}, {0, 0}, {-5, 5}}};
	ossai_asset_bone wrong = {.has_limits = true, .limits = {{5, 20}, {0, 0}, {0, 0}}, .kind = OSSA_JOINT_HINGE};
	ossai_asset_bone end = {.is_end = true};
	s->ops[joints[3]][0].values[0] = 0.25;
	s->nodes[joints[1]].bone = &hinge;
	s->nodes[joints[2]].bone = &wrong;
	s->nodes[joints[3]].bone = &end;
	s->method = "examples";
	/* a vertex on the end follows the leaf */
	skinned_flag(s, "body", scene_add_skin(s, 4, joints), scene_flag, (uint32_t[]){1, 2, 3}, skinned_ones, 1);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){2, 2, 2});
	scene_turn(s, armature, 1, 0, 0, 90);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_string_equal(rig->method, "examples");
	assert_int_equal(rig->skeleton.bone_count, 3);
	const ossa_bone *b = &rig->skeleton.bones[1], *c = &rig->skeleton.bones[2];
	assert_int_equal(b->kind, OSSA_JOINT_HINGE);
	assert_near_vec3(ossai_v3_of(b->tail), ossai_v3(3, 0, 0.5), 1e-9);
	assert_near_vec3(ossai_v3_of(b->axis), ossai_v3(0, 0, 1), 1e-9);
	assert_true(b->turn_degrees == 33);
	assert_near(b->fit_residual, 1, 1e-9);
	assert_true(b->has_limits && b->limits[0][1] == 20);
	assert_int_equal(c->kind, OSSA_JOINT_UNKNOWN);
	assert_false(c->has_limits);
	assert_int_equal(test_warned(context, "limits-dropped"), 1);
	assert_near_vec3(ossai_v3_of(c->tail), ossai_v3(4.5, 0, 0), 1e-9);
	assert_int_equal(rig->weights.bones[2], 2);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void names_become_safe_and_unique(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	static const char *const names[] = {"arm", "arm", "arm_2", "l\xc3\xa4nge", NULL, "", "arm"};
	static const char *const wanted[] = {"arm", "arm_2", "arm_2_2", "l__nge", "bone", "bone_2", "arm_3"};
	uint32_t joints[7];
	for (size_t j = 0; j < 7; j++) {
		joints[j] = scene_node(s, names[j], j > 0 ? joints[j - 1] : OSSA_NONE);
		scene_translate(s, joints[j], 1, 0, 0);
	}
	skinned_flag(s, "body", scene_add_skin(s, 7, joints), scene_flag, skinned_first, skinned_ones, 1);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	for (size_t b = 0; b < 7; b++) assert_string_equal(rig->skeleton.bones[b].name, wanted[b]);
	assert_int_equal(test_warned(context, "names-changed"), 4);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_joints_of_the_tree_stay),
		cmocka_unit_test(flat_lists_of_joints_move),
		cmocka_unit_test(joints_alone_are_a_rig_without_vertices),
		cmocka_unit_test(without_joints_there_is_no_rig),
		cmocka_unit_test(extras_are_honoured),
		cmocka_unit_test(names_become_safe_and_unique),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
