/* tests/import/asset/test_asset_moving.c: meshes that move rigidly, without skins and joints, as
   rigs of one bone for each part. */
#include "math/affine.h"
#include "support/skinned.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double times[3] = {0, 0.5, 1};

/* a node with a translation, a rotation and a scale, and a flag on it */
static uint32_t add_part(scene *s, const char *name, uint32_t parent, double x, double size)
{
	const uint32_t node = scene_node(s, name, parent);
	scene_translate(s, node, x, 0.5, 0);
	scene_rotate(s, node, 0, 1, 0, 20);
	scene_op(s, node, OSSAI_OP_SCALE, 3, (double[]){size, size, size});
	scene_add_mesh(s, name, node, 3, scene_flag, 1, scene_face);
	return node;
}

/* the node turns about z by 0, 45 and 90 degrees */
static void turn_part(scene *s, uint32_t clip, uint32_t node)
{
	static const float values[] = {0, 0, 0, 1, 0, 0, 0.38268343F, 0.92387953F, 0, 0, 0.70710678F, 0.70710678F};
	scene_channel(s, clip, node, 1, OSSAI_LINEAR, 3, times, values);
}

static void slide_part(scene *s, uint32_t clip, uint32_t node)
{
	scene_channel(s, clip, node, 0, OSSAI_LINEAR, 3, times, (float[]){1, 0, 0, 2, 1, 0, 3, 0, 1});
}

/* body - arm - hand, and a leg that is mirrored; the helper between arm and hand has no mesh and
   does not move */
static scene *make_robot(void)
{
	scene *s = scene_new();
	const uint32_t body = add_part(s, "body", OSSA_NONE, 0, 2), arm = add_part(s, "arm.L", body, 1, 0.5);
	const uint32_t helper = scene_node(s, "helper", arm);
	scene_translate(s, helper, 0.25, 0, 0);
	const uint32_t hand = add_part(s, "hand", helper, 1, 3), leg = scene_node(s, "leg", body);
	scene_translate(s, leg, 0, -1, 0);
	scene_rotate(s, leg, 1, 0, 0, 30);
	scene_op(s, leg, OSSAI_OP_SCALE, 3, (double[]){-1, 1, 1});
	scene_add_mesh(s, "leg", leg, 3, scene_flag, 1, scene_face);
	add_part(s, "shoe", leg, 0.5, 1);
	const uint32_t clip = scene_add_clip(s, "walk");
	slide_part(s, clip, body);
	turn_part(s, clip, arm);
	turn_part(s, clip, hand);
	turn_part(s, clip, leg);
	return s;
}

/* the bone that moves the three vertices of a mesh, alone */
static const char *bone_of_mesh(const ossa_rig *rig, size_t mesh)
{
	const size_t influences = (size_t)rig->weights.influences, first = 3 * mesh * influences;
	for (size_t v = 0; v < 3; v++) {
		assert_int_equal(rig->weights.bones[first + v * influences], rig->weights.bones[first]);
		assert_true(rig->weights.values[first + v * influences] == 1);
	}
	return rig->skeleton.bones[rig->weights.bones[first]].name;
}

static ossa_rig *read_rig(ossa_context *context, scene *s)
{
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static bool has_rig(ossa_context *context, scene *s)
{
	ossai_asset asset;
	bool found;
	assert_ok(context, scene_open(context, s, NULL, &asset));
	assert_ok(context, ossai_asset_has_rig(&asset, &found));
	ossai_asset_close(&asset);
	return found;
}

static void each_moving_part_is_a_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = make_robot();
	assert_true(has_rig(context, s));
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(test_warned(context, "parts-as-bones"), 4);
	assert_int_equal(test_warned(context, "added-root"), 0);
	assert_int_equal(rig->skeleton.bone_count, 4);
	skinned_assert_parent(rig, "body", NULL);
	skinned_assert_parent(rig, "arm_L", "body");
	skinned_assert_parent(rig, "hand", "arm_L");
	skinned_assert_parent(rig, "leg", "body");
	/* a static child of a part follows it */
	static const char *const followed[] = {"body", "arm_L", "hand", "leg", "leg"};
	for (size_t m = 0; m < 5; m++) assert_string_equal(bone_of_mesh(rig, m), followed[m]);
	assert_int_equal(rig->weights.influences, 1);
	ossa_rig_free(context, rig);
	/* sizes and the mirror at rest are in the mesh */
	skinned_assert_like_frames(context, s);
	assert_int_equal(test_warned(context, "scale-dropped"), 0);
	free(s);
	test_context_end(context);
}

static void what_stands_still_is_a_child_of_the_node_above(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t file = scene_node(s, "file", OSSA_NONE), mill = scene_node(s, "mill", file);
	add_part(s, "house", mill, 0, 1);
	const uint32_t wings = add_part(s, "wings", mill, 1, 1);
	turn_part(s, scene_add_clip(s, "blow"), wings);
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 2);
	skinned_assert_parent(rig, "wings", "mill");
	assert_string_equal(bone_of_mesh(rig, 0), "mill");
	assert_string_equal(bone_of_mesh(rig, 1), "wings");
	assert_int_equal(test_warned(context, "added-root") + test_warned(context, "meshes-on-root"), 0);
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

static void what_has_no_node_above_gets_a_root(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	/* one moving part beside static ones, in a node and in none; then two moving parts alone */
	scene *s = scene_new();
	add_part(s, "ground", OSSA_NONE, 0, 1);
	const uint32_t wheel = add_part(s, "wheel", OSSA_NONE, 1, 1);
	scene_add_mesh(s, "loose", OSSA_NONE, 3, scene_flag, 1, scene_face);
	turn_part(s, scene_add_clip(s, "roll"), wheel);
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(test_warned(context, "added-root"), 1);
	assert_int_equal(test_warned(context, "meshes-on-root"), 2);
	assert_int_equal(rig->skeleton.bone_count, 2);
	skinned_assert_parent(rig, "wheel", "root");
	assert_string_equal(bone_of_mesh(rig, 0), "root");
	assert_string_equal(bone_of_mesh(rig, 2), "root");
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	s = scene_new();
	const uint32_t one = add_part(s, "one", OSSA_NONE, 0, 1), two = add_part(s, "two", OSSA_NONE, 2, 1);
	const uint32_t clip = scene_add_clip(s, "both");
	turn_part(s, clip, one);
	slide_part(s, clip, two);
	rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 3);
	skinned_assert_parent(rig, "one", "root");
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* exporters write keys for everything; q and -q are one turn; a camera moves no mesh */
static void what_does_not_move_is_no_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t body = add_part(s, "body", OSSA_NONE, 0, 1), camera = scene_node(s, "camera", OSSA_NONE);
	scene_translate(s, camera, 0, 0, 5);
	const uint32_t clip = scene_add_clip(s, "all");
	const double *rest = s->ops[body][1].values;
	float turns[12];
	for (int i = 0; i < 12; i++) turns[i] = (float)(i < 4 ? rest[i] : -rest[i % 4]);
	scene_channel(s, clip, body, 1, OSSAI_LINEAR, 3, times, turns);
	slide_part(s, clip, camera);
	assert_false(has_rig(context, s));
	ossa_rig *rig;
	assert_fails(context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, "no moving parts");
	/* what only another animation moves is one nevertheless: the skeleton is that of the file */
	turn_part(s, scene_add_clip(s, "second"), body);
	assert_true(has_rig(context, s));
	rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 1);
	assert_string_equal(rig->skeleton.bones[0].name, "body");
	/* a single bone has a length: to its farthest vertex */
	assert_true(ossai_distance(ossai_v3_of(rig->skeleton.bones[0].tail), ossai_v3_of(rig->skeleton.bones[0].joint)) > 0.99);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void curves_with_tangents_move(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t node = add_part(s, "part", OSSA_NONE, 0, 1), clip = scene_add_clip(s, "a");
	/* in-tangent, value, out-tangent: the values stay, whatever the first tangents are */
	float values[27] = {9, 9, 9, 0, 0.5F, 0, 0, 0, 0};
	for (int k = 1; k < 3; k++) values[9 * k + 4] = 0.5F;
	ossai_asset_channel *channel = scene_channel(s, clip, node, 0, OSSAI_HERMITE, 3, times, values);
	assert_false(has_rig(context, s));
	channel->values[9 + 3] = 1;
	assert_true(has_rig(context, s));
	free(s);
	test_context_end(context);
}

static void sizes_that_change_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t node = add_part(s, "ball", OSSA_NONE, 0, 1);
	scene_channel(s, scene_add_clip(s, "squash"), node, 2, OSSAI_LINEAR, 3, times, (float[]){1, 1, 1, 1, 0.5F, 1, 1, 1, 1});
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(test_warned(context, "scale-dropped"), 1);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* a file of shapes stays one of frames, unless a rig is asked for */
static void shapes_are_not_traded_for_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = make_robot();
	static float deltas[9] = {0, 1, 0};
	static ossai_asset_target target = {.deltas = deltas};
	s->meshes[0].target_count = 1;
	s->meshes[0].targets = &target;
	ossai_asset_channel *channel = scene_channel(s, 0, 0, 0, OSSAI_LINEAR, 3, times, (float[]){0, 0.5F, 1, 0, 0, 0, 0, 0, 0});
	channel->node = OSSA_NONE;
	channel->mesh = 0;
	channel->width = 1;
	assert_false(has_rig(context, s));
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 4);
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	assert_int_equal(rig->clip->morph_count, 1);
	for (size_t f = 0; f < 3; f++) assert_true(rig->clip->morph_weights[f] == 0.5 * (double)f);
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

/* ---- props beside a skinned character ---- */

/* "armature" with joints a, b, c, a skinned flag, and the clip "turn", in which b turns */
static uint32_t make_character(scene *s, uint32_t *joints)
{
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE);
	scene_translate(s, armature, 0, 5, 0);
	scene_rotate(s, armature, 1, 0, 0, 90);
	skinned_chain(s, armature, 3, joints);
	skinned_flag(s, "body", scene_add_skin(s, 3, joints), scene_flag, skinned_second, skinned_ones, 1);
	skinned_turn(s, scene_add_clip(s, "turn"), joints[1]);
	return armature;
}

static void props_beside_a_skin_keep_their_motion(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	make_character(s, joints);
	/* a cart with a wheel, below a node that stands still; a tool that slides in the hand */
	const uint32_t props = scene_node(s, "props", OSSA_NONE), cart = add_part(s, "cart", props, 1, 2);
	const uint32_t axle = scene_node(s, "axle", cart), wheel = add_part(s, "wheel", axle, 1, 0.5);
	scene_translate(s, axle, 0, 1, 0);
	const uint32_t tool = add_part(s, "tool", joints[2], 1, 1);
	/* of another file's skeleton, unused */
	s->nodes[scene_node(s, "idle", props)].is_joint = true;
	slide_part(s, 0, cart);
	turn_part(s, 0, wheel);
	slide_part(s, 0, tool);
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(test_warned(context, "parts-as-bones"), 3);
	assert_int_equal(test_warned(context, "meshes-on-root"), 0);
	assert_int_equal(rig->skeleton.bone_count, 7);
	skinned_assert_parent(rig, "a", "root");
	skinned_assert_parent(rig, "cart", "root");
	skinned_assert_parent(rig, "wheel", "cart");
	skinned_assert_parent(rig, "tool", "c");
	static const char *const followed[] = {"b", "cart", "wheel", "tool"};
	for (size_t m = 0; m < 4; m++) assert_string_equal(bone_of_mesh(rig, m), followed[m]);
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	/* the same where the skin was bound in another pose than the nodes' */
	s->skins[0].inverse_bind[1].t.x += 0.5;
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

/* of several animations those that move no bone are counted: no file is kept that has them */
static void animations_of_what_is_no_bone_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	ossa_rig *rig;
	ossa_read_options options = ossa_read_default();
	uint32_t joints[3];
	make_character(s, joints);
	const uint32_t lamp = scene_node(s, "lamp", OSSA_NONE);
	scene_translate(s, lamp, 0, 1, 0);
	scene_channel(s, scene_add_clip(s, "swing"), lamp, 0, OSSAI_LINEAR, 3, times, (float[]){0, 1, 0, 1, 1, 0, 2, 1, 0});
	/* the first alone is asked for */
	assert_ok(context, scene_read_rig(context, s, &options, &rig));
	assert_int_equal(test_warned(context, "clips-left-out"), 0);
	ossa_rig_free(context, rig);
	strcpy(options.clip, "all");
	assert_ok(context, scene_read_rig(context, s, &options, &rig));
	assert_int_equal(ossa_rig_clip_count(rig), 1);
	assert_int_equal(test_warned(context, "clips-left-out"), 1);
	assert_non_null(strstr(test_warning_text(context, "clips-left-out"), "the first \"swing\""));
	ossa_rig_free(context, rig);
	free(s);
	test_context_end(context);
}

static void what_stands_still_beside_a_skin_does_so(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	uint32_t joints[3];
	const uint32_t armature = make_character(s, joints);
	add_part(s, "ground", OSSA_NONE, 2, 1);
	/* nothing moves the first joint: the ground may follow it */
	ossa_rig *rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 3);
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	/* the whole armature goes away */
	scene_channel(s, 0, armature, 0, OSSAI_LINEAR, 3, times, (float[]){0, 5, 0, 1, 5, 0, 2, 5, 1});
	rig = read_rig(context, s);
	assert_int_equal(rig->skeleton.bone_count, 4);
	assert_int_equal(test_warned(context, "parts-as-bones"), 0);
	assert_int_equal(test_warned(context, "added-root"), 1);
	skinned_assert_parent(rig, "a", "root");
	assert_string_equal(bone_of_mesh(rig, 1), "root");
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	/* a hat on the armature goes with it, and so the armature is a bone */
	add_part(s, "hat", armature, 0, 1);
	rig = read_rig(context, s);
	assert_int_equal(test_warned(context, "parts-as-bones"), 1);
	skinned_assert_parent(rig, "a", "armature");
	skinned_assert_parent(rig, "armature", "root");
	assert_string_equal(bone_of_mesh(rig, 2), "armature");
	ossa_rig_free(context, rig);
	skinned_assert_like_frames(context, s);
	free(s);
	test_context_end(context);
}

static ossa_status read_robot(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	const ossa_status status = scene_read_rig(context, arg, NULL, &rig);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	scene *s = make_robot();
	assert_true(test_allocation_sweep(read_robot, s, 200, 1) > 10);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_moving_part_is_a_bone),
		cmocka_unit_test(what_stands_still_is_a_child_of_the_node_above),
		cmocka_unit_test(what_has_no_node_above_gets_a_root),
		cmocka_unit_test(what_does_not_move_is_no_bone),
		cmocka_unit_test(curves_with_tangents_move),
		cmocka_unit_test(sizes_that_change_are_reported),
		cmocka_unit_test(shapes_are_not_traded_for_bones),
		cmocka_unit_test(props_beside_a_skin_keep_their_motion),
		cmocka_unit_test(animations_of_what_is_no_bone_are_counted),
		cmocka_unit_test(what_stands_still_beside_a_skin_does_so),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
