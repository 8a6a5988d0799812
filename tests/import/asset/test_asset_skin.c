/* tests/import/asset/test_asset_skin.c: joints of one or several skins as bones, meshes beside
   them, weights. Which nodes are bones: test_asset_joints.c; rest poses: test_asset_rest.c. */
#include "math/affine.h"
#include "support/skinned.h"
#include "support/support.h"

#include <stdlib.h>

/* ---- several skins ---- */

static void skins_become_one_skeleton(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[4];
	skinned_chain(s, OSSA_NONE, 4, joints);
	/* the second skin knows the later joints only, in another order */
	const uint32_t later[3] = {joints[3], joints[2], joints[1]};
	const uint32_t one = scene_add_skin(s, 2, joints), two = scene_add_skin(s, 3, later);
	skinned_flag(s, "body", one, scene_flag, skinned_second, skinned_ones, 1);
	skinned_flag(s, "hand", two, (float[]){3, 0, 0, 4, 0, 0, 3, 1, 0}, skinned_first, skinned_ones, 1);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[2]);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 4);
	skinned_assert_parent(rig, "a", NULL);
	skinned_assert_parent(rig, "b", "a");
	skinned_assert_parent(rig, "c", "b");
	skinned_assert_parent(rig, "d", "c");
	assert_int_equal(rig->mesh->vertex_count, 6);
	assert_int_equal(rig->weights.bones[3], skinned_bone(rig, "d"));
	float posed[18];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 1, posed));
	/* the hand turns about the joint at x = 2 */
	assert_point(posed + 3, 1, 0, 0, 1e-5);
	assert_point(posed + 9, 2, 1, 0, 1e-5);
	assert_point(posed + 12, 2, 2, 0, 1e-5);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* the second mesh was bound in a space that is moved, turned and half as large: one map, so nothing
   is lost */
static void skins_of_other_spaces_are_brought_together(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int shared = 0; shared < 2; shared++) {
		scene *s = scene_new();
		uint32_t joints[3];
		skinned_chain(s, OSSA_NONE, 3, joints);
		/* both skins have joint b, or none in common: then the nodes at rest tell */
		const uint32_t one = scene_add_skin(s, 2, joints);
		const uint32_t two = shared ? scene_add_skin(s, 2, joints + 1) : scene_add_skin(s, 1, joints + 2);
		const ossai_rigid space = {{{{0, -2, 0}, {2, 0, 0}, {0, 0, 2}}}, {5, 6, 7}};
		for (size_t j = 0; j < s->skins[two].joint_count; j++) {
			s->skins[two].inverse_bind[j] = ossai_rigid_mul(&s->skins[two].inverse_bind[j], &space);
		}
		skinned_flag(s, "body", one, scene_flag, skinned_second, skinned_ones, 1);
		/* its last vertex has no weight and follows the root */
		skinned_flag(s, "hand", two, scene_flag, shared ? skinned_second : skinned_first, (float[]){1, 1, 0}, 1);
		skinned_turn(s, scene_add_clip(s, "turn"), joints[2]);
		ossa_mesh *mesh;
		assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
		assert_point(mesh->positions + 9, 5, 6, 7, 1e-5);
		assert_point(mesh->positions + 12, 5, 8, 7, 1e-5);
		assert_point(mesh->positions + 15, 3, 6, 7, 1e-5);
		ossa_mesh_free(context, mesh);
		skinned_assert_like_frames(context, s);
		assert_int_equal(test_warned(context, "skins-differ"), 0);
		free(s);
	}
	test_context_end(context);
}

/* joints bound at other positions by the second skin: each vertex of one joint is still exact, with
   a warning */
static void skins_that_differ_are_blended(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[2];
	skinned_chain(s, OSSA_NONE, 2, joints);
	const uint32_t one = scene_add_skin(s, 2, joints), two = scene_add_skin(s, 2, joints);
	s->skins[two].inverse_bind[1].t.y -= 3;
	skinned_flag(s, "body", one, scene_flag, skinned_first, skinned_ones, 1);
	skinned_flag(s, "hand", two, scene_flag, (uint32_t[]){0, 1, 0, 1, 0, 1}, (float[]){1, 0, 0, 1, 0.5F, 0.5F}, 2);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[0]);
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_point(mesh->positions + 9, 0, 0, 0, 1e-5);
	assert_point(mesh->positions + 12, 1, -3, 0, 1e-5);
	assert_point(mesh->positions + 15, 0, -0.5, 0, 1e-5);
	assert_int_equal(test_warned(context, "skins-differ"), 1);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- meshes without a skin ---- */

static void meshes_on_joints_follow_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 5, 0);
	scene_turn(s, armature, 1, 0, 0, 90);
	skinned_chain(s, armature, 3, joints);
	const uint32_t grip = scene_node(s, "grip", joints[2]);
	scene_translate(s, grip, 0, 0.5, 0);
	scene_op(s, grip, OSSAI_OP_SCALE, 3, (double[]){2, 2, 2});
	const uint32_t shelf = scene_node(s, "shelf", OSSA_NONE);
	scene_translate(s, shelf, 9, 9, 9);
	skinned_flag(s, "body", scene_add_skin(s, 3, joints), scene_flag, skinned_first, skinned_ones, 1);
	const uint32_t sword = scene_add_mesh(s, "sword", grip, 3, scene_flag, 1, scene_face);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[1]);
	skinned_assert_like_frames(context, s);
	assert_int_equal(test_warned(context, "meshes-on-root"), 0);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->weights.bones[3], skinned_bone(rig, "c"));
	assert_true(rig->weights.values[3] == 1);
	ossa_rig_free(context, rig);
	/* one attached elsewhere follows the root, with a warning */
	s->meshes[sword].node = shelf;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(test_warned(context, "meshes-on-root"), 1);
	assert_int_equal(rig->weights.bones[3], 0);
	assert_point(rig->mesh->positions + 9, 9, 9, 9, 1e-5);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* ---- weights ---- */

static void weights_are_repaired_and_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	skinned_chain(s, OSSA_NONE, 3, joints);
	static const float row[24] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0, 7, 0, 0};
	static const uint32_t faces[6] = {0, 1, 2, 3, 4, 5};
	const uint32_t mesh = scene_add_mesh(s, "body", OSSA_NONE, 8, row, 2, faces);
	scene_bind(s, mesh, scene_add_skin(s, 3, joints), 3,
		(uint32_t[]){0, 1, 2, 0, 1, 2, 1, 2, 1, 0, 0, 0, 0, 1, 2, 9, 1, 2, 0, 1, 2, 0, 1, 2},
		(float[]){0.2F, 0.3F, 0.5F, /* in order once sorted */
			NAN, -1, 2,             /* two dropped, the rest made 1 */
			0.25F, 0.5F, 0.25F,     /* the same joint twice */
			0, 0, 0,                /* none: follows the root */
			1.004F, 0, 0,           /* what bytes leave: no warning */
			0, 1, 0,                /* a joint that is not there, without weight */
			INFINITY, 0, 1,         /* one dropped */
			0.25F, 0.25F, 0.25F});  /* not 1 */
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	static const uint16_t bones[8] = {2, 2, 1, 0, 0, 1, 2, 0};
	static const float largest[8] = {0.5F, 1, 0.5F, 1, 1, 1, 1, 1 / 3.0F};
	for (size_t v = 0; v < 8; v++) {
		assert_int_equal(rig->weights.bones[3 * v], bones[v]);
		assert_near(rig->weights.values[3 * v], largest[v], 1e-6F);
	}
	assert_int_equal(test_warned(context, "weights-dropped"), 3);
	assert_int_equal(test_warned(context, "weights-merged"), 1);
	assert_int_equal(test_warned(context, "weights-not-one"), 2);
	assert_int_equal(test_warned(context, "loose-vertices"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void a_joint_that_is_not_there_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[2];
	skinned_chain(s, OSSA_NONE, 2, joints);
	skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, (uint32_t[]){0, 1, 2}, skinned_ones, 1);
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_fails(
		context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, "vertex 2 of mesh \"body\" follows joint 2");
	assert_fails(context, scene_read_animation(context, s, NULL, &mesh, &frames), OSSA_ERROR_INPUT, "joint 2");
	/* the surface alone does not need them */
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* 70 joints of a skin that are 30 nodes or 70: a joint may be named more than once, and a rig holds
   64 weights of a vertex */
static void more_weights_than_a_rig_holds_are_cut(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	enum { PAIRS = 70 };
	static const size_t counts[] = {30, PAIRS};
	for (int c = 0; c < 2; c++) {
		scene *s = scene_new();
		uint32_t joints[PAIRS], list[PAIRS], named[3 * PAIRS];
		float weights[3 * PAIRS];
		joints[0] = scene_node(s, "root", OSSA_NONE);
		for (size_t j = 1; j < counts[c]; j++) joints[j] = scene_node(s, NULL, joints[0]);
		for (size_t i = 0; i < PAIRS; i++) list[i] = joints[i % counts[c]];
		for (size_t i = 0; i < 3 * PAIRS; i++) {
			named[i] = (uint32_t)(i % PAIRS);
			weights[i] = 1 / (float)PAIRS;
		}
		skinned_flag(s, "body", scene_add_skin(s, PAIRS, list), scene_flag, named, weights, PAIRS);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_int_equal(rig->weights.influences, c ? 64 : 30);
		assert_int_equal(test_warned(context, "influences-cut"), c ? 3 : 0);
		assert_ok(context, ossa_rig_validate(context, rig));
		ossa_rig_free(context, rig);
		free(s);
	}
	test_context_end(context);
}

/* vertices without weights follow the root in frames as in the rig */
static void loose_vertices_follow_the_root(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[2];
	skinned_chain(s, OSSA_NONE, 2, joints);
	skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, (uint32_t[]){1, 1, 0}, (float[]){1, 0, 0}, 1);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[0]);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skins_become_one_skeleton),
		cmocka_unit_test(skins_of_other_spaces_are_brought_together),
		cmocka_unit_test(skins_that_differ_are_blended),
		cmocka_unit_test(meshes_on_joints_follow_them),
		cmocka_unit_test(weights_are_repaired_and_reported),
		cmocka_unit_test(a_joint_that_is_not_there_is_refused),
		cmocka_unit_test(more_weights_than_a_rig_holds_are_cut),
		cmocka_unit_test(loose_vertices_follow_the_root),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
