/* tests/import/asset/test_asset_bad.c: invalid assets from a reader: every check of the asset
   layer, and failing memory. */
#include "import/asset/asset_parts.h"
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* everything that an asset can hold, in little: two skins, a mesh on a bone, a morph target, a
   Bezier curve, a sorted mess of keys */
static scene *make_rich(void)
{
	static ossai_asset_target target;
	static ossai_asset_bone bone;
	scene *s = scene_new();
	const uint32_t armature = scene_node(s, "armature", OSSA_NONE), a = scene_node(s, "a", armature);
	const uint32_t b = scene_node(s, "b", a), grip = scene_node(s, "grip", b);
	scene_op(s, armature, OSSAI_OP_MATRIX, 16, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
	scene_translate(s, a, 0, 1, 0);
	scene_rotate(s, a, 0, 0, 1, 0);
	scene_translate(s, b, 0, 1, 0);
	scene_turn(s, b, 0, 0, 1, 0);
	const uint32_t joints[2] = {a, b};
	const uint32_t one = scene_add_skin(s, 2, joints), two = scene_add_skin(s, 1, joints);
	scene_bind(s, scene_add_mesh(s, "body", OSSA_NONE, 3, scene_flag, 1, scene_face), one, 2, (uint32_t[]){0, 1, 1, 0, 0, 1},
		(float[]){0.5F, 0.5F, 1, 0, NAN, 1});
	scene_bind(s, scene_add_mesh(s, "hair", OSSA_NONE, 3, scene_flag, 1, scene_face), two, 1, (uint32_t[]){0, 0, 0},
		(float[]){1, 1, 1});
	const uint32_t sword = scene_add_mesh(s, "sword", grip, 3, scene_flag, 1, scene_face);
	target = (ossai_asset_target){.name = "bend", .deltas = scene_floats(s, 9, scene_flag), .weight = 0.5};
	s->meshes[sword].targets = &target;
	s->meshes[sword].target_count = 1;
	bone = (ossai_asset_bone){.has_tail = true, .tail = {0, 3, 0}};
	s->nodes[b].bone = &bone;
	const uint32_t clip = scene_add_clip(s, "clip");
	scene_channel(s, clip, a, 1, OSSAI_LINEAR, 3, (double[]){0, 2, 1}, (float[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0});
	ossai_asset_channel *turn = scene_channel(
		s, clip, b, 1, OSSAI_BEZIER, 2, (double[]){0, 1}, (float[]){0, 0, 1, 0, 0, 0, 1, 90});
	turn->controls = scene_doubles(s, 32, (double[32]){0});
	ossai_asset_channel *morph = &s->channels[clip][s->clips[clip].channel_count++];
	*morph = (ossai_asset_channel){.node = OSSA_NONE, .mesh = sword, .width = 1, .interpolation = OSSAI_LINEAR, .key_count = 2};
	morph->times = scene_doubles(s, 2, (double[]){0, 1});
	morph->values = scene_floats(s, 2, (float[]){0, 1});
	return s;
}

static void the_rich_scene_is_good(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = make_rich();
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_int_equal(rig->mesh->vertex_count, 9);
	ossa_rig_free(context, rig);
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_int_equal(frames->frame_count, 3);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* ---- one fault at a time ---- */

static void node_is_its_own_child(ossai_asset *a) { a->nodes[1].parent = 1; }
static void nodes_form_a_loop(ossai_asset *a) { a->nodes[0].parent = 3; }
static void parent_is_not_there(ossai_asset *a) { a->nodes[2].parent = 4; }
static void op_has_no_kind(ossai_asset *a) { a->nodes[1].ops[0].kind = (ossai_op_kind)77; }
static void op_is_not_finite(ossai_asset *a) { a->nodes[1].ops[0].values[2] = NAN; }
static void matrix_is_not_affine(ossai_asset *a) { a->nodes[0].ops[0].values[14] = 1e-3; }
static void skin_has_no_joints(ossai_asset *a) { a->skins[1].joint_count = 0; }
static void skin_has_too_many_joints(ossai_asset *a) { a->skins[1].joint_count = 70000; }
static void joint_is_no_node(ossai_asset *a) { a->skins[0].joints[1] = 4; }
static void bind_is_singular(ossai_asset *a) { memset(&a->skins[0].inverse_bind[1], 0, sizeof(ossai_rigid)); }
static void bind_is_not_finite(ossai_asset *a) { a->skins[0].inverse_bind[1].t.x = INFINITY; }
static void mesh_node_is_not_there(ossai_asset *a) { a->meshes[2].node = 4; }
static void mesh_skin_is_not_there(ossai_asset *a) { a->meshes[1].skin = 2; }
static void mesh_has_no_weights(ossai_asset *a) { a->meshes[1].weights = NULL; }
static void mesh_is_broken(ossai_asset *a) { a->meshes[1].mesh->corner_vertex[1] = 3; }
static void position_is_not_finite(ossai_asset *a) { a->meshes[1].mesh->positions[4] = NAN; }
static void target_is_not_finite(ossai_asset *a) { a->meshes[2].targets[0].deltas[8] = INFINITY; }
static void target_weight_is_not_finite(ossai_asset *a) { a->meshes[2].targets[0].weight = NAN; }
static void channel_node_is_not_there(ossai_asset *a) { a->clips[0].channels[0].node = 4; }
static void channel_op_is_not_there(ossai_asset *a) { a->clips[0].channels[0].op = 2; }
static void channel_is_too_wide(ossai_asset *a) { a->clips[0].channels[0].width = 5; }
static void channel_begins_behind(ossai_asset *a) { a->clips[0].channels[1].first = UINT32_MAX; }
static void channel_mesh_is_not_there(ossai_asset *a) { a->clips[0].channels[2].mesh = 3; }
static void channel_target_is_not_there(ossai_asset *a) { a->clips[0].channels[2].first = 1; }
static void channel_has_no_target(ossai_asset *a) { a->clips[0].channels[0].interpolation = (ossai_interpolation)9; }
static void key_time_is_not_finite(ossai_asset *a) { a->clips[0].channels[0].times[1] = NAN; }
static void key_value_is_not_finite(ossai_asset *a) { a->clips[0].channels[0].values[11] = INFINITY; }
static void control_is_not_finite(ossai_asset *a) { a->clips[0].channels[1].controls[31] = NAN; }
static void channel_has_no_values(ossai_asset *a) { a->clips[0].channels[1].values = NULL; }
static void clip_ends_before_it_begins(ossai_asset *a) { a->clips[0].begin = 1; }
static void place_is_beyond_floats(ossai_asset *a) { a->nodes[0].ops[0].values[3] = 1e300; }

static const struct {
	void (*change)(ossai_asset *asset);
	const char *words;
} faults[] = {
	{node_is_its_own_child, "loop at \"a\""},
	{nodes_form_a_loop, "loop"},
	{parent_is_not_there, "node 2 \"b\" has a parent node that is not there"},
	{op_has_no_kind, "no known kind"},
	{op_is_not_finite, "node 1 \"a\" has a transform that is no finite number"},
	{matrix_is_not_affine, "last row"},
	{skin_has_no_joints, "skin 1 has no joints"},
	{skin_has_too_many_joints, "65535"},
	{joint_is_no_node, "joint 1 of skin 0"},
	{bind_is_singular, "joint 1, \"b\", of skin 0 has no inverse"},
	{bind_is_not_finite, "no inverse"},
	{mesh_node_is_not_there, "mesh \"sword\" has a parent node"},
	{mesh_skin_is_not_there, "mesh \"hair\" has a skin that is not there"},
	{mesh_has_no_weights, "no joints and weights"},
	{mesh_is_broken, "mesh 1 \"hair\""},
	{position_is_not_finite, "not finite"},
	{target_is_not_finite, "morph target 0 of mesh \"sword\""},
	{target_weight_is_not_finite, "morph target 0 of mesh \"sword\""},
	{channel_node_is_not_there, "animation 1 \"clip\", channel 1: moves a node"},
	{channel_op_is_not_there, "channel 1: moves a transform"},
	{channel_is_too_wide, "channel 1: moves more values"},
	{channel_begins_behind, "channel 2: moves more values"},
	{channel_mesh_is_not_there, "channel 3: moves a mesh"},
	{channel_target_is_not_there, "channel 3: moves more values"},
	{channel_has_no_target, "no known interpolation"},
	{key_time_is_not_finite, "has a time"},
	{key_value_is_not_finite, "has a value"},
	{control_is_not_finite, "has a tangent"},
	{channel_has_no_values, "no keys or no values"},
	{clip_ends_before_it_begins, "plays from 1 to 0"},
	{place_is_beyond_floats, "out of the range of numbers"},
};

static void every_fault_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		scene *s = make_rich();
		ossa_rig *rig;
		ossa_mesh *mesh;
		ossa_frames *frames;
		s->change = faults[i].change;
		assert_fails(context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, faults[i].words);
		assert_fails(context, scene_read_rig(context, s, NULL, &rig), OSSA_ERROR_INPUT, "by-hand.scene");
		free(s);
		s = make_rich();
		s->change = faults[i].change;
		assert_fails(context, scene_read_animation(context, s, NULL, &mesh, &frames), OSSA_ERROR_INPUT, faults[i].words);
		assert_null(mesh);
		assert_null(frames);
		free(s);
	}
	test_context_end(context);
}

/* ---- what is strange but can be used ---- */

static void flatten_joint(ossai_asset *a)
{
	/* a joint without size at rest: its inverse bind was another */
	for (int i = 0; i < 11; i++) a->nodes[0].ops[0].values[i] = 0;
}

static void empty_channels(ossai_asset *a)
{
	for (size_t i = 0; i < a->clips[0].channel_count; i++) a->clips[0].channels[i].key_count = 0;
}

static void zero_quaternion(ossai_asset *a)
{
	memset(a->nodes[1].ops[1].values, 0, 4 * sizeof(double));
	memset(a->nodes[2].ops[1].values, 0, 3 * sizeof(double));
}

static void huge_bind(ossai_asset *a)
{
	a->skins[0].inverse_bind[0].t.x = 1e30;
	a->skins[0].inverse_bind[1].r.m[0][0] = 1e-30;
}

static void strange_things_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	void (*const changes[])(ossai_asset *) = {flatten_joint, empty_channels, zero_quaternion, huge_bind};
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		scene *s = make_rich();
		ossa_rig *rig;
		ossa_mesh *mesh;
		ossa_frames *frames;
		s->change = changes[i];
		ossa_status status = scene_read_rig(context, s, NULL, &rig);
		assert_true(status == OSSA_OK || status == OSSA_ERROR_INPUT);
		if (status == OSSA_OK) assert_ok(context, ossa_rig_validate(context, rig));
		ossa_rig_free(context, rig);
		status = scene_read_animation(context, s, NULL, &mesh, &frames);
		assert_true(status == OSSA_OK || status == OSSA_ERROR_INPUT);
		if (status == OSSA_OK) assert_ok(context, ossa_mesh_validate(context, mesh));
		if (frames) assert_ok(context, ossa_frames_validate(context, frames));
		ossa_mesh_free(context, mesh);
		ossa_frames_free(context, frames);
		free(s);
	}
	test_context_end(context);
}

/* a chain of nodes as long as files can make it costs no stack */
static void deep_trees_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	enum { DEEP = 200000 };
	ossai_asset_node *nodes = calloc(DEEP, sizeof *nodes);
	scene *s = calloc(1, sizeof *s);
	assert_true(nodes && s);
	for (uint32_t n = 0; n < DEEP; n++) nodes[n].parent = n + 1 < DEEP ? n + 1 : OSSA_NONE;
	ossai_asset asset = {.context = context, .arena = ossai_arena_begin(context), .path = "deep"};
	asset.node_count = DEEP;
	asset.nodes = nodes;
	const ossa_read_options options = ossa_read_default();
	assert_ok(context, ossai_asset_finish(&asset, &options));
	assert_int_equal(asset.order[0], DEEP - 1);
	assert_int_equal(asset.order[DEEP - 1], 0);
	nodes[DEEP - 1].parent = 7;
	assert_fails(context, ossai_asset_finish(&asset, &options), OSSA_ERROR_INPUT, "loop");
	asset.nodes = NULL;
	ossai_asset_close(&asset);
	free(nodes);
	free(s);
	test_context_end(context);
}

/* ---- threads and memory ---- */

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_mesh *first_mesh = NULL;
	ossa_frames *first = NULL;
	ossa_context *contexts[2];
	static const int threads[] = {1, 3};
	for (int i = 0; i < 2; i++) {
		contexts[i] = test_context(threads[i]);
		scene *s = make_rich();
		ossa_mesh *mesh;
		ossa_frames *frames;
		assert_ok(contexts[i], scene_read_animation(contexts[i], s, NULL, &mesh, &frames));
		free(s);
		if (i == 0) {
			first_mesh = mesh;
			first = frames;
			continue;
		}
		assert_int_equal(frames->vertex_count, first->vertex_count);
		assert_memory_equal(mesh->positions, first_mesh->positions, 3 * mesh->vertex_count * sizeof(float));
		assert_memory_equal(
			frames->positions, first->positions, 3 * frames->frame_count * frames->vertex_count * sizeof(float));
		ossa_mesh_free(contexts[1], mesh);
		ossa_frames_free(contexts[1], frames);
	}
	ossa_mesh_free(contexts[0], first_mesh);
	ossa_frames_free(contexts[0], first);
	for (int i = 0; i < 2; i++) test_context_end(contexts[i]);
}

static ossa_status read_everything(ossa_context *context, void *arg)
{
	(void)arg;
	scene *s = make_rich();
	ossa_mesh *mesh = NULL;
	ossa_rig *rig = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = scene_read_mesh(context, s, NULL, &mesh);
	ossa_mesh_free(context, mesh);
	if (status == OSSA_OK) status = scene_read_rig(context, s, NULL, &rig);
	ossa_rig_free(context, rig);
	mesh = NULL;
	if (status == OSSA_OK) status = scene_read_animation(context, s, NULL, &mesh, &frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	free(s);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(read_everything, NULL, 2000, 1) > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rich_scene_is_good),
		cmocka_unit_test(every_fault_is_reported),
		cmocka_unit_test(strange_things_are_survived),
		cmocka_unit_test(deep_trees_are_read),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
