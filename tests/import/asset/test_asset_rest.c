/* tests/import/asset/test_asset_rest.c: nodes whose rest pose is not the bind pose; armatures
   and joints that are mirrored, stretched or slide. */
#include "math/affine.h"
#include "support/skinned.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rest pose ---- */

/* nodes whose rest pose is not the bind pose: the mesh follows the armature, and moves exactly */
static void rest_may_be_another_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[4];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	skinned_chain(s, armature, 4, joints);
	const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
	skinned_flag(s, "body", scene_add_skin(s, 4, joints), positions, (uint32_t[]){0, 1, 2}, skinned_ones, 1);
	/* after the binding: lying down becomes standing, and an arm is let down */
	scene_turn(s, armature, 1, 0, 0, -90);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){10, 10, 10});
	scene_turn(s, joints[3], 0, 0, 1, -70);
	/* a mesh on the arm is where the arm was bound */
	scene_add_mesh(s, "sword", joints[3], 3, positions, 1, scene_face);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[1]);
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_point(mesh->positions + 3, 10, 0, 0, 1e-5);
	assert_point(mesh->positions + 6, 0, 10, 0, 1e-5);
	assert_point(mesh->positions + 12, 40, 0, 0, 1e-5);
	ossa_mesh_free(context, mesh);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* nothing is as it was bound, for the root itself was turned: what most joints agree on is the
   pose */
static void most_joints_tell_the_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[5];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 0, 0);
	skinned_chain(s, armature, 5, joints);
	skinned_flag(s, "body", scene_add_skin(s, 5, joints), scene_flag, (uint32_t[]){0, 1, 4}, skinned_ones, 1);
	scene_turn(s, joints[0], 0, 0, 1, 90);
	scene_turn(s, joints[4], 0, 0, 1, 45);
	s->ops[armature][0].values[1] = 3;
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_point(mesh->positions, 0, 3, 0, 1e-5);
	assert_point(mesh->positions + 3, 0, 4, 0, 1e-5);
	assert_point(mesh->positions + 6, -1, 3, 0, 1e-5);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* every joint is elsewhere than it was bound: the node of the mesh decides, which the root agrees
   with */
static void the_mesh_s_node_decides(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[5];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 0, 0);
	skinned_chain(s, armature, 5, joints);
	const uint32_t body = scene_node(s, "body", OSSA_NONE);
	scene_translate(s, body, 0, 2, 0);
	const uint32_t flag = skinned_flag(
		s, "body", scene_add_skin(s, 5, joints), scene_flag, (uint32_t[]){0, 1, 4}, skinned_ones, 1);
	s->meshes[flag].node = body;
	/* the root went up with the mesh; the others turn more and more, so that those in the middle
	   are nearest to all others */
	scene_op(s, joints[0], OSSAI_OP_TRANSLATE, 3, (double[]){0, 2, 0});
	for (int j = 1; j < 5; j++) scene_turn(s, joints[j], 0, 0, 1, 10);
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	for (size_t v = 0; v < 3; v++) {
		const float *p = scene_flag + 3 * v;
		assert_point(mesh->positions + 3 * v, (double)p[0], (double)p[1] + 2, (double)p[2], 1e-5);
	}
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* the same where the reader has brought the vertices to the space that joints were bound in, as
   that of FBX does: the node has the axes that they were in before, and the joint that stands as
   it was bound decides */
static void the_axes_of_the_mesh_are_at_its_node(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[5];
	skinned_chain(s, OSSA_NONE, 5, joints);
	const uint32_t body = scene_node(s, "body", OSSA_NONE);
	scene_turn(s, body, 1, 0, 0, -90);
	scene_op(s, body, OSSAI_OP_SCALE, 3, (double[]){100, 100, 100});
	ossai_asset_mesh *mesh =
		&s->meshes[skinned_flag(s, "body", scene_add_skin(s, 5, joints), scene_flag, (uint32_t[]){0, 1, 4}, skinned_ones, 1)];
	mesh->node = body;
	mesh->has_axes = true;
	mesh->axes = (ossai_rigid){.r = {{{100, 0, 0}, {0, 0, 100}, {0, -100, 0}}}};
	/* those in the middle are nearest to all others */
	for (int j = 1; j < 5; j++) scene_turn(s, joints[j], 0, 0, 1, 10);
	ossa_mesh *read;
	assert_ok(context, scene_read_mesh(context, s, NULL, &read));
	for (size_t v = 0; v < 3; v++) {
		const float *p = scene_flag + 3 * v;
		assert_point(read->positions + 3 * v, (double)p[0], (double)p[1], (double)p[2], 1e-5);
	}
	ossa_mesh_free(context, read);
	free(s);
	test_context_end(context);
}

/* a joint that no skin binds was bound as its child was: at rest only it has let the arm down */
static void joints_between_are_bound_as_their_children(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[4];
	skinned_chain(s, OSSA_NONE, 4, joints);
	for (int j = 0; j < 4; j++) s->nodes[joints[j]].is_joint = true;
	const uint32_t bound[3] = {joints[0], joints[1], joints[3]};
	skinned_flag(s, "body", scene_add_skin(s, 3, bound), scene_flag, skinned_first, skinned_ones, 1);
	scene_turn(s, joints[2], 0, 0, 1, -50);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	const ossa_bone *shoulder = &rig->skeleton.bones[skinned_bone(rig, "c")];
	assert_near_vec3(ossai_v3_of(shoulder->joint), ossai_v3(2, 0, 0), 1e-9);
	assert_true(fabs(shoulder->orientation[3]) > 1 - 1e-9);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* limits refer to the bind pose: where that is not the rest pose they are dropped, with a
   warning */
static void limits_of_another_pose_are_dropped(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	skinned_chain(s, OSSA_NONE, 3, joints);
	ossai_asset_bone limited = {.has_limits = true, .limits = {{-10, 20}, {0, 0}, {-5, 5}}};
	s->nodes[joints[1]].bone = &limited;
	skinned_flag(s, "body", scene_add_skin(s, 3, joints), scene_flag, skinned_first, skinned_ones, 1);
	scene_turn(s, joints[2], 0, 0, 1, -50);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_false(rig->skeleton.bones[1].has_limits);
	assert_int_equal(test_warned(context, "limits-dropped"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* an armature that mirrors or stretches everything: the mesh is placed by it, polygons turn
   round */
static void mirrored_armatures_turn_polygons_round(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[2];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	skinned_chain(s, armature, 2, joints);
	skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, skinned_second, skinned_ones, 1);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){-2, 1, 1});
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_point(mesh->positions + 3, -2, 0, 0, 1e-5);
	assert_int_equal(mesh->triangles[0], 0);
	assert_int_equal(mesh->triangles[1], 2);
	assert_int_equal(mesh->triangles[2], 1);
	assert_ok(context, ossa_mesh_validate(context, mesh));
	ossa_mesh_free(context, mesh);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* scaled joints move vertices in frames, and are warned about where a rig cannot hold them */
static void scales_are_in_frames_and_dropped_from_rigs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[2];
	skinned_chain(s, OSSA_NONE, 2, joints);
	scene_op(s, joints[1], OSSAI_OP_SCALE, 3, (double[]){1, 1, 1});
	skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, skinned_second, skinned_ones, 1);
	static const double times[] = {0, 1};
	static const float values[] = {1, 1, 1, 1, 3, 1};
	scene_channel(s, scene_add_clip(s, "grow"), joints[1], 2, OSSAI_LINEAR, 2, times, values);
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_point(frames->positions + 9 + 6, 0, 3, 0, 1e-5);
	assert_int_equal(test_warned(context, "scale-dropped"), 0);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(test_warned(context, "scale-dropped"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* keeping the volume does not make a rotation: squashed, sheared and mirrored joints are warned
   about with their error */
static void stretched_joints_are_reported(void **state)
{
	(void)state;
	static const double times[] = {0, 1};
	static const float maps[5][9] = {
		{0, -1, 0, 1, 0, 0, 0, 0, 1},               /* turned: held */
		{2, 0, 0, 0, 0.5F, 0, 0, 0, 1},             /* squashed */
		{1, 0.5F, 0, 0, 1, 0, 0, 0, 1},             /* sheared */
		{-1, 0, 0, 0, 1, 0, 0, 0, 1},               /* mirrored */
		{1.0005F, 0, 0, 0, 1 / 1.0005F, 0, 0, 0, 1} /* noise */
	};
	/* the flag's farthest vertex from the second joint, at (1, 0, 0), is sqrt 2 away, which is its
	   diagonal too */
	static const char *const words[5] = {NULL, "to 100 % of", "to 50 % of", "to 200 % of", NULL};
	for (int i = 0; i < 5; i++) {
		ossa_context *context = test_context(0);
		scene *s = scene_new();
		uint32_t joints[2];
		float values[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
		skinned_chain(s, OSSA_NONE, 2, joints);
		scene_op(s, joints[1], OSSAI_OP_MATRIX, 16, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
		skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, skinned_second, skinned_ones, 1);
		for (int k = 0; k < 9; k++) values[16 + k / 3 * 4 + k % 3] = maps[i][k];
		values[31] = 1;
		scene_channel(s, scene_add_clip(s, "stretch"), joints[1], 2, OSSAI_LINEAR, 2, times, values);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_int_equal(test_warned(context, "scale-dropped"), words[i] ? 1 : 0);
		if (words[i] && !strstr(test_warning_text(context, "scale-dropped"), words[i])) {
			fail_msg("%d: %s", i, test_warning_text(context, "scale-dropped"));
		}
		ossa_rig_free(context, rig);
		free(s);
		test_context_end(context);
	}
}

/* sliding joints keep their translations; the root's translation does not count */
static void sliding_joints_keep_their_translations(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {-1, 1};
	static const float values[] = {1, 0, 0, 4, 2, 0};
	for (int moved = 0; moved < 2; moved++) {
		scene *s = scene_new();
		uint32_t joints[2];
		skinned_chain(s, OSSA_NONE, 2, joints);
		skinned_flag(s, "body", scene_add_skin(s, 2, joints), scene_flag, skinned_second, skinned_ones, 1);
		scene_channel(s, scene_add_clip(s, "slide"), joints[moved], 0, OSSAI_LINEAR, 2, times, values);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_true(moved ? rig->clip->translations != NULL : rig->clip->translations == NULL);
		/* motion that begins before 0 begins at 0 */
		assert_true(rig->clip->times[0] == 0 && rig->clip->times[1] == 2);
		ossa_rig_free(context, rig);
		skinned_assert_like_frames(context, s);
		free(s);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_may_be_another_pose),
		cmocka_unit_test(most_joints_tell_the_pose),
		cmocka_unit_test(the_mesh_s_node_decides),
		cmocka_unit_test(the_axes_of_the_mesh_are_at_its_node),
		cmocka_unit_test(joints_between_are_bound_as_their_children),
		cmocka_unit_test(limits_of_another_pose_are_dropped),
		cmocka_unit_test(mirrored_armatures_turn_polygons_round),
		cmocka_unit_test(scales_are_in_frames_and_dropped_from_rigs),
		cmocka_unit_test(stretched_joints_are_reported),
		cmocka_unit_test(sliding_joints_keep_their_translations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
