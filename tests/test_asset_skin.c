/* tests/test_asset_skin.c: joints of one or several skins as bones, meshes on bones and beside them, weights. */
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t face[3] = {0, 1, 2};
static const float flag[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static int64_t warned(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		if (strcmp(ossa_context_warning(context, i)->code, code) == 0) return ossa_context_warning(context, i)->count;
	}
	return 0;
}

static scene *new_scene(void)
{
	scene *s = calloc(1, sizeof *s);
	assert_non_null(s);
	return s;
}

/* a row of joints at x = 0, 1, 2 ...; each the child of the one before */
static void add_chain(scene *s, uint32_t parent, size_t count, uint32_t *joints)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	for (size_t i = 0; i < count; i++) {
		joints[i] = scene_node(s, names[i], i > 0 ? joints[i - 1] : parent);
		scene_translate(s, joints[i], i > 0, 0, 0);
		scene_rotate(s, joints[i], 0, 0, 1, 0);
	}
}

/* the node turns about z: to 90 degrees in one second */
static void turn_in(scene *s, uint32_t clip, uint32_t node)
{
	static const double times[] = {0, 1};
	static const float values[] = {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F};
	scene_channel(s, clip, node, 1, OSSAI_LINEAR, 2, times, values);
}

static uint32_t add_skinned_flag(scene *s, const char *name, uint32_t skin, const float *positions, const uint32_t *joints,
	const float *weights, size_t influences)
{
	const uint32_t mesh = scene_add_mesh(s, name, OSSA_NONE, 3, positions, 1, face);
	scene_bind(s, mesh, skin, influences, joints, weights);
	return mesh;
}

static size_t bone_called(const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, name) == 0) return b;
	}
	fail_msg("no bone is called %s", name);
	return 0;
}

static void assert_parent(const ossa_rig *rig, const char *name, const char *parent)
{
	const int32_t found = rig->skeleton.bones[bone_called(rig, name)].parent;
	assert_int_equal(found, parent ? (int32_t)bone_called(rig, parent) : -1);
}

static void assert_near(const float *p, double x, double y, double z)
{
	if (!(ossai_distance(ossai_v3_of_float(p), ossai_v3(x, y, z)) < 1e-5)) {
		fail_msg("%g %g %g instead of %g %g %g", (double)p[0], (double)p[1], (double)p[2], x, y, z);
	}
}

/* rig and frames of the same scene say the same of every vertex in every frame */
static void assert_rig_is_like_frames(ossa_context *context, scene *s)
{
	ossai_asset asset;
	ossa_mesh *mesh;
	ossa_frames *frames, *own;
	ossa_rig *rig;
	assert_ok(context, scene_open(context, s, NULL, &asset));
	assert_ok(context, ossai_asset_frames(&asset, NULL, &mesh, &frames));
	ossai_asset_close(&asset);
	assert_non_null(frames);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &own));
	assert_int_equal(own->vertex_count, frames->vertex_count);
	assert_int_equal(own->frame_count, frames->frame_count);
	assert_memory_equal(mesh->positions, rig->mesh->positions, 3 * mesh->vertex_count * sizeof(float));
	for (size_t i = 0; i < own->frame_count * own->vertex_count; i++) {
		const float *p = own->positions + 3 * i;
		assert_near(frames->positions + 3 * i, (double)p[0], (double)p[1], (double)p[2]);
	}
	ossa_frames_free(context, own);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
}

/* ---- several skins ---- */

static const uint32_t second_joint[3] = {1, 1, 1}, first_joint[3] = {0, 0, 0};
static const float ones[3] = {1, 1, 1};

static void skins_become_one_skeleton(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[4];
	add_chain(s, OSSA_NONE, 4, joints);
	/* the second skin knows the later joints only, in another order */
	const uint32_t later[3] = {joints[3], joints[2], joints[1]};
	const uint32_t one = scene_add_skin(s, 2, joints), two = scene_add_skin(s, 3, later);
	add_skinned_flag(s, "body", one, flag, second_joint, ones, 1);
	add_skinned_flag(s, "hand", two, (float[]){3, 0, 0, 4, 0, 0, 3, 1, 0}, first_joint, ones, 1);
	turn_in(s, scene_add_clip(s, "turn"), joints[2]);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 4);
	assert_parent(rig, "a", NULL);
	assert_parent(rig, "b", "a");
	assert_parent(rig, "c", "b");
	assert_parent(rig, "d", "c");
	assert_int_equal(rig->mesh->vertex_count, 6);
	assert_int_equal(rig->weights.bones[3], bone_called(rig, "d"));
	float posed[18];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 1, posed));
	/* the hand turns about the joint at x = 2 */
	assert_near(posed + 3, 1, 0, 0);
	assert_near(posed + 9, 2, 1, 0);
	assert_near(posed + 12, 2, 2, 0);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	assert_rig_is_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* the second mesh was bound in a space that is moved, turned and half as large: one map, so nothing is lost */
static void skins_of_other_spaces_are_brought_together(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int shared = 0; shared < 2; shared++) {
		scene *s = new_scene();
		uint32_t joints[3];
		add_chain(s, OSSA_NONE, 3, joints);
		/* both skins have joint b, or none in common: then the nodes at rest tell */
		const uint32_t one = scene_add_skin(s, 2, joints);
		const uint32_t two = shared ? scene_add_skin(s, 2, joints + 1) : scene_add_skin(s, 1, joints + 2);
		const ossai_rigid space = {{{{0, -2, 0}, {2, 0, 0}, {0, 0, 2}}}, {5, 6, 7}};
		for (size_t j = 0; j < s->skins[two].joint_count; j++) {
			s->skins[two].inverse_bind[j] = ossai_rigid_mul(&s->skins[two].inverse_bind[j], &space);
		}
		add_skinned_flag(s, "body", one, flag, second_joint, ones, 1);
		/* its last vertex has no weight and follows the root */
		add_skinned_flag(s, "hand", two, flag, shared ? second_joint : first_joint, (float[]){1, 1, 0}, 1);
		turn_in(s, scene_add_clip(s, "turn"), joints[2]);
		ossa_mesh *mesh;
		assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
		assert_near(mesh->positions + 9, 5, 6, 7);
		assert_near(mesh->positions + 12, 5, 8, 7);
		assert_near(mesh->positions + 15, 3, 6, 7);
		ossa_mesh_free(context, mesh);
		assert_rig_is_like_frames(context, s);
		assert_int_equal(warned(context, "skins-differ"), 0);
		free(s);
	}
	test_context_end(context);
}

/* joints bound in other places by the second skin: each vertex of one joint is still exact, and it is told */
static void skins_that_differ_are_blended(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[2];
	add_chain(s, OSSA_NONE, 2, joints);
	const uint32_t one = scene_add_skin(s, 2, joints), two = scene_add_skin(s, 2, joints);
	s->skins[two].inverse_bind[1].t.y -= 3;
	add_skinned_flag(s, "body", one, flag, first_joint, ones, 1);
	add_skinned_flag(s, "hand", two, flag, (uint32_t[]){0, 1, 0, 1, 0, 1}, (float[]){1, 0, 0, 1, 0.5F, 0.5F}, 2);
	turn_in(s, scene_add_clip(s, "turn"), joints[0]);
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_near(mesh->positions + 9, 0, 0, 0);
	assert_near(mesh->positions + 12, 1, -3, 0);
	assert_near(mesh->positions + 15, 0, -0.5, 0);
	assert_int_equal(warned(context, "skins-differ"), 1);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- which nodes are bones ---- */

static void other_joints_of_the_tree_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	/* armature - hips(j) - plain - spine - head(j), spine is used alone; tail(j) hangs where hips do; far(j) elsewhere */
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE), hips = scene_node(s, "hips", armature);
	const uint32_t plain = scene_node(s, "plain", hips), spine = scene_node(s, "spine", plain);
	const uint32_t head = scene_node(s, "head", spine), tail = scene_node(s, "tail", armature);
	const uint32_t far = scene_node(s, "far", OSSA_NONE);
	scene_translate(s, hips, 0, 1, 0);
	scene_translate(s, plain, 0, 1, 0);
	scene_translate(s, spine, 0, 1, 0);
	scene_translate(s, head, 0, 1, 0);
	s->nodes[hips].is_joint = s->nodes[head].is_joint = s->nodes[tail].is_joint = s->nodes[far].is_joint = true;
	add_skinned_flag(s, "body", scene_add_skin(s, 1, &spine), flag, first_joint, ones, 1);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_parent(rig, "spine", "hips");
	assert_parent(rig, "head", "spine");
	assert_parent(rig, "hips", "root");
	assert_parent(rig, "tail", "root");
	assert_int_equal(warned(context, "added-root"), 1);
	static const double heights[] = {1, 3, 4};
	const size_t bones[] = {bone_called(rig, "hips"), bone_called(rig, "spine"), bone_called(rig, "head")};
	for (int i = 0; i < 3; i++) assert_true(fabs(rig->skeleton.bones[bones[i]].joint[1] - heights[i]) < 1e-9);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* joints that all hang on one node that is none; the last one is moved */
static void flat_lists_of_joints_move(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	uint32_t joints[4];
	for (uint32_t j = 0; j < 4; j++) {
		joints[j] = scene_node(s, (const char *const[]){"p", "q", "r", "s"}[j], armature);
		scene_translate(s, joints[j], j, 0, 0);
		scene_rotate(s, joints[j], 0, 0, 1, 0);
	}
	add_skinned_flag(s, "body", scene_add_skin(s, 4, joints), flag, (uint32_t[]){0, 3, 3}, ones, 1);
	turn_in(s, scene_add_clip(s, "turn"), joints[3]);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 5);
	for (size_t b = 1; b < 5; b++) assert_int_equal(rig->skeleton.bones[b].parent, 0);
	ossa_rig_free(context, rig);
	assert_rig_is_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* a file of joints alone, as motion capture is */
static void joints_alone_are_a_rig_without_vertices(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[3];
	add_chain(s, OSSA_NONE, 3, joints);
	for (int j = 0; j < 3; j++) s->nodes[joints[j]].is_joint = true;
	turn_in(s, scene_add_clip(s, "turn"), joints[1]);
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_int_equal(rig->clip->frame_count, 2);
	double worlds[36];
	ossa_rig_joint_matrices(rig, rig->clip, 1, worlds);
	assert_true(fabs(worlds[24 + 3] - 1) < 1e-6 && fabs(worlds[24 + 7] - 1) < 1e-6);
	ossa_rig_free(context, rig);
	assert_fails(context, scene_read_mesh(context, s, NULL, &mesh), OSSA_ERROR_INPUT, "no triangles");
	assert_fails(context, scene_read_animation(context, s, NULL, &mesh, &frames), OSSA_ERROR_INPUT, "no triangles");

	/* a mesh beside them is not theirs, and one on a joint is */
	scene_add_mesh(s, "ground", OSSA_NONE, 3, flag, 1, face);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(warned(context, "meshes-left-out"), 1);
	ossa_rig_free(context, rig);
	scene_add_mesh(s, "hand", joints[2], 3, flag, 1, face);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 6);
	assert_int_equal(rig->weights.bones[0], 0);
	assert_int_equal(rig->weights.bones[3], 2);
	assert_int_equal(warned(context, "meshes-on-root"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void without_joints_there_is_no_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	ossa_rig *rig;
	scene_add_mesh(s, "ground", OSSA_NONE, 3, flag, 1, face);
	assert_fails(context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, "no joints");
	assert_null(rig);
	free(s);
	test_context_end(context);
}

/* ---- meshes without a skin ---- */

static void meshes_on_joints_follow_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[3];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 5, 0);
	scene_turn(s, armature, 1, 0, 0, 90);
	add_chain(s, armature, 3, joints);
	const uint32_t grip = scene_node(s, "grip", joints[2]);
	scene_translate(s, grip, 0, 0.5, 0);
	scene_op(s, grip, OSSAI_OP_SCALE, 3, (double[]){2, 2, 2});
	const uint32_t shelf = scene_node(s, "shelf", OSSA_NONE);
	scene_translate(s, shelf, 9, 9, 9);
	add_skinned_flag(s, "body", scene_add_skin(s, 3, joints), flag, first_joint, ones, 1);
	const uint32_t sword = scene_add_mesh(s, "sword", grip, 3, flag, 1, face);
	turn_in(s, scene_add_clip(s, "turn"), joints[1]);
	assert_rig_is_like_frames(context, s);
	assert_int_equal(warned(context, "meshes-on-root"), 0);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->weights.bones[3], bone_called(rig, "c"));
	assert_true(rig->weights.values[3] == 1);
	ossa_rig_free(context, rig);
	/* one that hangs elsewhere follows the root, and it is told */
	s->meshes[sword].node = shelf;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(warned(context, "meshes-on-root"), 1);
	assert_int_equal(rig->weights.bones[3], 0);
	assert_near(rig->mesh->positions + 9, 9, 9, 9);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* ---- the rest pose ---- */

/* nodes at rest in another pose than the mesh was bound in: the mesh stands as the armature does, and moves exactly */
static void rest_may_be_another_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[4];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	add_chain(s, armature, 4, joints);
	const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
	add_skinned_flag(s, "body", scene_add_skin(s, 4, joints), positions, (uint32_t[]){0, 1, 2}, ones, 1);
	/* after the binding: lying down becomes standing, and an arm is let down */
	scene_turn(s, armature, 1, 0, 0, -90);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){10, 10, 10});
	scene_turn(s, joints[3], 0, 0, 1, -70);
	/* a mesh on the arm is where the arm was bound */
	scene_add_mesh(s, "sword", joints[3], 3, positions, 1, face);
	turn_in(s, scene_add_clip(s, "turn"), joints[1]);
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_near(mesh->positions + 3, 10, 0, 0);
	assert_near(mesh->positions + 6, 0, 10, 0);
	assert_near(mesh->positions + 12, 40, 0, 0);
	ossa_mesh_free(context, mesh);
	assert_rig_is_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* nothing is as it was bound, for the root itself was turned: what most joints agree on is the pose */
static void most_joints_tell_the_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[5];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 0, 0);
	add_chain(s, armature, 5, joints);
	add_skinned_flag(s, "body", scene_add_skin(s, 5, joints), flag, (uint32_t[]){0, 1, 4}, ones, 1);
	scene_turn(s, joints[0], 0, 0, 1, 90);
	scene_turn(s, joints[4], 0, 0, 1, 45);
	s->ops[armature][0].values[1] = 3;
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_near(mesh->positions, 0, 3, 0);
	assert_near(mesh->positions + 3, 0, 4, 0);
	assert_near(mesh->positions + 6, -1, 3, 0);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* a joint that no skin binds was bound as its child was: at rest only it has let the arm down */
static void joints_between_are_bound_as_their_children(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[4];
	add_chain(s, OSSA_NONE, 4, joints);
	for (int j = 0; j < 4; j++) s->nodes[joints[j]].is_joint = true;
	const uint32_t bound[3] = {joints[0], joints[1], joints[3]};
	add_skinned_flag(s, "body", scene_add_skin(s, 3, bound), flag, first_joint, ones, 1);
	scene_turn(s, joints[2], 0, 0, 1, -50);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	const ossa_bone *shoulder = &rig->skeleton.bones[bone_called(rig, "c")];
	assert_true(ossai_distance(ossai_v3_of(shoulder->joint), ossai_v3(2, 0, 0)) < 1e-9);
	assert_true(fabs(shoulder->orientation[3]) > 1 - 1e-9);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* limits are against the pose the mesh was bound in: where that is another than at rest, they go, and it is told */
static void limits_of_another_pose_are_dropped(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[3];
	add_chain(s, OSSA_NONE, 3, joints);
	ossai_asset_bone limited = {.has_limits = true, .limits = {{-10, 20}, {0, 0}, {-5, 5}}};
	s->nodes[joints[1]].bone = &limited;
	add_skinned_flag(s, "body", scene_add_skin(s, 3, joints), flag, first_joint, ones, 1);
	scene_turn(s, joints[2], 0, 0, 1, -50);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_false(rig->skeleton.bones[1].has_limits);
	assert_int_equal(warned(context, "limits-dropped"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* an armature that mirrors or stretches everything: the mesh is placed by it, polygons turn round */
static void mirrored_armatures_turn_polygons_round(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[2];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	add_chain(s, armature, 2, joints);
	add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, second_joint, ones, 1);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){-2, 1, 1});
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_near(mesh->positions + 3, -2, 0, 0);
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

/* what scales joints moves vertices in frames, and is told where a rig cannot hold it */
static void scales_are_in_frames_and_dropped_from_rigs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[2];
	add_chain(s, OSSA_NONE, 2, joints);
	scene_op(s, joints[1], OSSAI_OP_SCALE, 3, (double[]){1, 1, 1});
	add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, second_joint, ones, 1);
	static const double times[] = {0, 1};
	static const float values[] = {1, 1, 1, 1, 3, 1};
	scene_channel(s, scene_add_clip(s, "grow"), joints[1], 2, OSSAI_LINEAR, 2, times, values);
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_near(frames->positions + 9 + 6, 0, 3, 0);
	assert_int_equal(warned(context, "scale-dropped"), 0);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(warned(context, "scale-dropped"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static const char *warning_text(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		if (strcmp(ossa_context_warning(context, i)->code, code) == 0) return ossa_context_warning(context, i)->message;
	}
	return "";
}

/* what keeps the volume is no rotation for that: squashed, sheared and mirrored joints are told with what they cost */
static void stretched_joints_are_told(void **state)
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
	/* the flag's farthest vertex from the second joint, at (1, 0, 0), is sqrt 2 away, which is its diagonal too */
	static const char *const told[5] = {NULL, "to 100 % of", "to 50 % of", "to 200 % of", NULL};
	for (int i = 0; i < 5; i++) {
		ossa_context *context = test_context(0);
		scene *s = new_scene();
		uint32_t joints[2];
		float values[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
		add_chain(s, OSSA_NONE, 2, joints);
		scene_op(s, joints[1], OSSAI_OP_MATRIX, 16, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
		add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, second_joint, ones, 1);
		for (int k = 0; k < 9; k++) values[16 + k / 3 * 4 + k % 3] = maps[i][k];
		values[31] = 1;
		scene_channel(s, scene_add_clip(s, "stretch"), joints[1], 2, OSSAI_LINEAR, 2, times, values);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_int_equal(warned(context, "scale-dropped"), told[i] ? 1 : 0);
		if (told[i] && !strstr(warning_text(context, "scale-dropped"), told[i])) {
			fail_msg("%d: %s", i, warning_text(context, "scale-dropped"));
		}
		ossa_rig_free(context, rig);
		free(s);
		test_context_end(context);
	}
}

/* joints that slide keep their translations; the root's way is no reason for that */
static void sliding_joints_keep_their_translations(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {-1, 1};
	static const float values[] = {1, 0, 0, 4, 2, 0};
	for (int moved = 0; moved < 2; moved++) {
		scene *s = new_scene();
		uint32_t joints[2];
		add_chain(s, OSSA_NONE, 2, joints);
		add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, second_joint, ones, 1);
		scene_channel(s, scene_add_clip(s, "slide"), joints[moved], 0, OSSAI_LINEAR, 2, times, values);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_true(moved ? rig->clip->translations != NULL : rig->clip->translations == NULL);
		/* motion that begins before 0 begins at 0 */
		assert_true(rig->clip->times[0] == 0 && rig->clip->times[1] == 2);
		ossa_rig_free(context, rig);
		assert_rig_is_like_frames(context, s);
		free(s);
	}
	test_context_end(context);
}

/* ---- weights ---- */

static void weights_are_repaired_and_told(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[3];
	add_chain(s, OSSA_NONE, 3, joints);
	static const float row[24] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0, 7, 0, 0};
	static const uint32_t faces[6] = {0, 1, 2, 3, 4, 5};
	const uint32_t mesh = scene_add_mesh(s, "body", OSSA_NONE, 8, row, 2, faces);
	scene_bind(s, mesh, scene_add_skin(s, 3, joints), 3,
		(uint32_t[]){0, 1, 2, 0, 1, 2, 1, 2, 1, 0, 0, 0, 0, 1, 2, 9, 1, 2, 0, 1, 2, 0, 1, 2},
		(float[]){0.2F, 0.3F, 0.5F, /* in order once sorted */
			NAN, -1, 2,             /* two dropped, the rest made 1 */
			0.25F, 0.5F, 0.25F,     /* the same joint twice */
			0, 0, 0,                /* none: follows the root */
			1.004F, 0, 0,           /* what bytes leave: quietly */
			0, 1, 0,                /* a joint that is not there, without weight */
			INFINITY, 0, 1,         /* one dropped */
			0.25F, 0.25F, 0.25F});  /* not 1 */
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	static const uint16_t bones[8] = {2, 2, 1, 0, 0, 1, 2, 0};
	static const float largest[8] = {0.5F, 1, 0.5F, 1, 1, 1, 1, 1 / 3.0F};
	for (size_t v = 0; v < 8; v++) {
		assert_int_equal(rig->weights.bones[3 * v], bones[v]);
		assert_true(fabsf(rig->weights.values[3 * v] - largest[v]) < 1e-6F);
	}
	assert_int_equal(warned(context, "weights-dropped"), 3);
	assert_int_equal(warned(context, "weights-merged"), 1);
	assert_int_equal(warned(context, "weights-not-one"), 2);
	assert_int_equal(warned(context, "loose-vertices"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void a_joint_that_is_not_there_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[2];
	add_chain(s, OSSA_NONE, 2, joints);
	add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, (uint32_t[]){0, 1, 2}, ones, 1);
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

/* 70 joints of a skin that are 30 nodes or 70: a joint may be named more than once, and a rig holds 64 weights of a vertex */
static void more_weights_than_a_rig_holds_are_cut(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	enum { PAIRS = 70 };
	static const size_t counts[] = {30, PAIRS};
	for (int c = 0; c < 2; c++) {
		scene *s = new_scene();
		uint32_t joints[PAIRS], list[PAIRS], named[3 * PAIRS];
		float weights[3 * PAIRS];
		joints[0] = scene_node(s, "root", OSSA_NONE);
		for (size_t j = 1; j < counts[c]; j++) joints[j] = scene_node(s, NULL, joints[0]);
		for (size_t i = 0; i < PAIRS; i++) list[i] = joints[i % counts[c]];
		for (size_t i = 0; i < 3 * PAIRS; i++) {
			named[i] = (uint32_t)(i % PAIRS);
			weights[i] = 1 / (float)PAIRS;
		}
		add_skinned_flag(s, "body", scene_add_skin(s, PAIRS, list), flag, named, weights, PAIRS);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, s, NULL, &rig));
		assert_int_equal(rig->weights.influences, c ? 64 : 30);
		assert_int_equal(warned(context, "influences-cut"), c ? 3 : 0);
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
	scene *s = new_scene();
	uint32_t joints[2];
	add_chain(s, OSSA_NONE, 2, joints);
	add_skinned_flag(s, "body", scene_add_skin(s, 2, joints), flag, (uint32_t[]){1, 1, 0}, (float[]){1, 0, 0}, 1);
	turn_in(s, scene_add_clip(s, "turn"), joints[0]);
	assert_rig_is_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* ---- what ossa's files say of bones ---- */

static void extras_are_honoured(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	uint32_t joints[4];
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	add_chain(s, armature, 4, joints);
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
	add_skinned_flag(s, "body", scene_add_skin(s, 4, joints), flag, (uint32_t[]){1, 2, 3}, ones, 1);
	scene_op(s, armature, OSSAI_OP_SCALE, 3, (double[]){2, 2, 2});
	scene_turn(s, armature, 1, 0, 0, 90);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_string_equal(rig->method, "examples");
	assert_int_equal(rig->skeleton.bone_count, 3);
	const ossa_bone *b = &rig->skeleton.bones[1], *c = &rig->skeleton.bones[2];
	assert_int_equal(b->kind, OSSA_JOINT_HINGE);
	assert_true(ossai_distance(ossai_v3_of(b->tail), ossai_v3(3, 0, 0.5)) < 1e-9);
	assert_true(ossai_distance(ossai_v3_of(b->axis), ossai_v3(0, 0, 1)) < 1e-9);
	assert_true(b->turn_degrees == 33 && fabs(b->fit_residual - 1) < 1e-9 && b->has_limits && b->limits[0][1] == 20);
	assert_int_equal(c->kind, OSSA_JOINT_UNKNOWN);
	assert_false(c->has_limits);
	assert_int_equal(warned(context, "limits-dropped"), 1);
	assert_true(ossai_distance(ossai_v3_of(c->tail), ossai_v3(4.5, 0, 0)) < 1e-9);
	assert_int_equal(rig->weights.bones[2], 2);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void names_become_safe_and_unique(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = new_scene();
	static const char *const names[] = {"arm", "arm", "arm_2", "l\xc3\xa4nge", NULL, "", "arm"};
	static const char *const wanted[] = {"arm", "arm_2", "arm_2_2", "l__nge", "bone", "bone_2", "arm_3"};
	uint32_t joints[7];
	for (size_t j = 0; j < 7; j++) {
		joints[j] = scene_node(s, names[j], j > 0 ? joints[j - 1] : OSSA_NONE);
		scene_translate(s, joints[j], 1, 0, 0);
	}
	add_skinned_flag(s, "body", scene_add_skin(s, 7, joints), flag, first_joint, ones, 1);
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	for (size_t b = 0; b < 7; b++) assert_string_equal(rig->skeleton.bones[b].name, wanted[b]);
	assert_int_equal(warned(context, "names-changed"), 4);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skins_become_one_skeleton),
		cmocka_unit_test(skins_of_other_spaces_are_brought_together),
		cmocka_unit_test(skins_that_differ_are_blended),
		cmocka_unit_test(other_joints_of_the_tree_stay),
		cmocka_unit_test(flat_lists_of_joints_move),
		cmocka_unit_test(joints_alone_are_a_rig_without_vertices),
		cmocka_unit_test(without_joints_there_is_no_rig),
		cmocka_unit_test(meshes_on_joints_follow_them),
		cmocka_unit_test(rest_may_be_another_pose),
		cmocka_unit_test(most_joints_tell_the_pose),
		cmocka_unit_test(joints_between_are_bound_as_their_children),
		cmocka_unit_test(limits_of_another_pose_are_dropped),
		cmocka_unit_test(mirrored_armatures_turn_polygons_round),
		cmocka_unit_test(scales_are_in_frames_and_dropped_from_rigs),
		cmocka_unit_test(stretched_joints_are_told),
		cmocka_unit_test(sliding_joints_keep_their_translations),
		cmocka_unit_test(weights_are_repaired_and_told),
		cmocka_unit_test(a_joint_that_is_not_there_is_refused),
		cmocka_unit_test(more_weights_than_a_rig_holds_are_cut),
		cmocka_unit_test(loose_vertices_follow_the_root),
		cmocka_unit_test(extras_are_honoured),
		cmocka_unit_test(names_become_safe_and_unique),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
