/* tests/import/gltf/test_gltf_animation.c: animations of glTF files, and properties of bones in
   ossa's own files. */
#include "support/gltf_file.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- animations ---- */

static const char moving[] =
	"{'nodes':[{'mesh':0},{'rotation':[0,0,0,1]},{'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]}],"
	"'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6,'targets':[{'POSITION':0},{'POSITION':0}]}]}],"
	"'animations':[{'name':'walk','samplers':[{'input':1,'output':2},{'input':1,'output':3,'interpolation':'STEP'},"
	"{'input':1,'output':4,'interpolation':'CUBICSPLINE'},{'input':1,'output':5}],"
	"'channels':[{'sampler':0,'target':{'node':1,'path':'rotation'}},{'sampler':1,'target':{'node':1,'path':'scale'}},"
	"{'sampler':2,'target':{'node':2,'path':'translation'}},{'sampler':3,'target':{'node':0,'path':'weights'}},"
	"{'sampler':3,'target':{'path':'pointer'}},{'sampler':3,'target':{'node':1,'path':'weights'}}]},"
	"{'samplers':[{'input':1,'output':3}],'channels':[{'sampler':0,'target':{'node':2,'path':'translation'}}]}]}";

static void animations_are_read(void **state)
{
	(void)state;
	/* a key before 0, and two at one time: the last one counts */
	static const float times[3] = {-0.5F, 1, 1}, scales[9] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
	static const int16_t turns[12] = {0, 0, 0, 32767, 0, 0, 32767, 0, 0, 32767, 0, -32767};
	static const float spline[27] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
	static const uint8_t weights[6] = {0, 255, 51, 102, 255, 0};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin_square(&file, moving);
	test_gltf_accessor(&file, times, 3, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, turns, 3, TEST_I16, "VEC4");
	test_gltf_accessor(&file, scales, 3, TEST_F32, "VEC3");
	test_gltf_accessor(&file, spline, 9, TEST_F32, "VEC3");
	test_gltf_accessor(&file, weights, 6, TEST_U8, "SCALAR");
	test_gltf_open(context, &file, &opened);
	assert_int_equal(opened.asset.clip_count, 2);
	const ossai_asset_clip *clip = &opened.asset.clips[0];
	assert_string_equal(clip->name, "walk");
	char of_file[64];
	ossai_name_of_path(of_file, opened.asset.path);
	assert_string_equal(opened.asset.clips[1].name, of_file);
	assert_int_equal(clip->channel_count, 4);
	const ossai_asset_channel *c = clip->channels;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(c[i].key_count, 2);
		assert_true(c[i].times[0] == -0.5 && c[i].times[1] == 1);
	}
	assert_int_equal(c[0].node, 1);
	assert_int_equal(opened.asset.nodes[1].ops[c[0].op].kind, OSSAI_OP_ROTATE);
	assert_int_equal(c[0].interpolation, OSSAI_LINEAR);
	assert_memory_equal(c[0].values, ((float[]){0, 0, 0, 1, 0, 1, 0, -1}), 32);
	assert_int_equal(opened.asset.nodes[1].ops[c[1].op].kind, OSSAI_OP_SCALE);
	assert_int_equal(c[1].interpolation, OSSAI_STEP);
	assert_memory_equal(c[1].values, ((float[]){1, 1, 1, 3, 3, 3}), 24);
	assert_int_equal(c[2].interpolation, OSSAI_HERMITE);
	assert_memory_equal(c[2].values, spline, 36);
	assert_memory_equal(c[2].values + 9, spline + 18, 36);
	assert_int_equal(c[3].node, OSSA_NONE);
	assert_int_equal(c[3].mesh, 0);
	assert_int_equal(c[3].width, 2);
	assert_memory_equal(c[3].values, ((float[]){0, 1, 1, 0}), 16);
	assert_int_equal(opened.asset.clips[1].channel_count, 1);
	/* two channels move nothing that is known */
	assert_int_equal(test_warned(context, "skipped-channels"), 2);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* keys so far apart that the later ones are one moment, counted from the first */
static void far_times_stay_in_order(void **state)
{
	(void)state;
	static const float times[3] = {-6.5e32F, 1, 2}, places[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
	ossa_context *context = test_context(1);
	test_gltf file;
	ossa_mesh *mesh;
	ossa_frames *frames;
	test_gltf_begin_square(&file,
		"{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}],"
		"'animations':[{'samplers':[{'input':1,'output':2}],"
		"'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]}");
	test_gltf_accessor(&file, times, 3, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, places, 3, TEST_F32, "VEC3");
	assert_ok(context, ossa_read_animation(context, test_gltf_write_glb(&file, "far.glb"), NULL, &mesh, &frames));
	assert_int_equal(frames->frame_count, 2);
	assert_ok(context, ossa_frames_validate(context, frames));
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

/* the matrix of an animated node: a quarter turn about z, twice the size, moved */
static void matrices_that_are_animated_are_decomposed(void **state)
{
	(void)state;
	static const float times[1] = {0}, places[3] = {1, 2, 3};
	ossa_context *context = test_context(1);
	for (int shears = 0; shears < 2; shears++) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin_square(&file,
			"{'nodes':[{'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1],'mesh':0}],"
			"'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}],"
			"'animations':[{'samplers':[{'input':1,'output':2}],"
			"'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]}");
		test_gltf_accessor(&file, times, 1, TEST_F32, "SCALAR");
		test_gltf_accessor(&file, places, 1, TEST_F32, "VEC3");
		if (shears) test_gltf_change(&file, "nodes/0/matrix/5", "1");
		test_gltf_open(context, &file, &opened);
		const ossai_asset_node *node = &opened.asset.nodes[0];
		assert_int_equal(node->op_count, shears ? 1 : 3);
		assert_int_equal(opened.asset.clips[0].channel_count, shears ? 0 : 1);
		if (!shears) {
			const double half = sqrt(0.5);
			assert_true(node->ops[0].values[0] == 5 && node->ops[0].values[2] == 7);
			assert_near(node->ops[1].values[2], half, 1e-12);
			assert_near(node->ops[1].values[3], half, 1e-12);
			assert_true(node->ops[2].values[0] == 2 && node->ops[2].values[1] == 2);
		}
		test_asset_close(context, &opened);
	}
	assert_string_equal(ossa_context_warning(context, 0)->code, "matrix-animated");
	test_context_end(context);
}

static void what_is_wrong_with_motion_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *path, *value, *words;
	} cases[] = {
		{"animations/0/samplers/3/output", "6", "1 values for 3 keys"},
		{"animations/0/samplers/2/output", "2", "VEC4 where elements of 3"},
		{"animations/0/samplers/0/output", "null", "lacks its output"},
		{"animations/0/samplers/0/input", "null", "lacks its input"},
		{"animations/0/samplers/0/input", "3", "VEC3 where elements of 1"},
		{"animations/0/channels/0/sampler", "4", "has no sampler"},
		{"animations/0/channels/0/target/node", "4", "there are only 3 nodes"},
		{"skins", "[{'joints':[5]}]", "joint 0 of skin 0 is a node that is not there"},
		{"skins", "[{'joints':[1,2],'inverseBindMatrices':7}]", "has 1 inverse bind matrices for 2 joints"},
	};
	static const float zeros[27] = {0}, identity[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin_square(&file, moving);
		test_gltf_accessor(&file, zeros, 3, TEST_F32, "SCALAR");
		test_gltf_accessor(&file, zeros, 3, TEST_F32, "VEC4");
		test_gltf_accessor(&file, zeros, 3, TEST_F32, "VEC3");
		test_gltf_accessor(&file, zeros, 9, TEST_F32, "VEC3");
		test_gltf_accessor(&file, zeros, 6, TEST_F32, "SCALAR");
		test_gltf_accessor(&file, zeros, 3, TEST_F32, "SCALAR");
		test_gltf_accessor(&file, identity, 1, TEST_F32, "MAT4");
		test_gltf_change(&file, cases[i].path, cases[i].value);
		assert_fails(context, test_asset_open(context, test_gltf_write_glb(&file, "bad.glb"), &opened), OSSA_ERROR_INPUT,
			cases[i].words);
	}
	test_context_end(context);
}

/* ---- what ossa's own files say ---- */

static void bones_of_ossa_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin_square(&file,
		"{'nodes':[{'mesh':0},{'extras':{'ossa':{'kind':'hinge','axis':[0,1,0],'tail':[1,2,3],'turn_degrees':40,"
		"'fit_residual':0.5,'limits':[[-10,20],[0,0],[-90.5,0]]}}},{'extras':{'ossa':{'end':true}}},"
		"{'extras':{'ossa':{'kind':'hinge','axis':[0,2,0],'limits':[[10,20],[0,0],[0,0]],'tail':[1,2]}}},{'extras':{}}],"
		"'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
	test_gltf_open(context, &file, &opened);
	const ossai_asset_node *nodes = opened.asset.nodes;
	/* joints even where there is no skin */
	assert_true(nodes[1].is_joint && nodes[2].is_joint && !nodes[0].is_joint && !nodes[4].is_joint);
	assert_null(nodes[0].bone);
	assert_null(nodes[4].bone);
	const ossai_asset_bone *bone = nodes[1].bone;
	assert_int_equal(bone->kind, OSSA_JOINT_HINGE);
	assert_true(bone->has_tail && bone->has_limits && !bone->is_end);
	assert_true(bone->axis[1] == 1 && bone->tail[2] == 3 && bone->turn_degrees == 40 && bone->fit_residual == 0.5);
	assert_true(bone->limits[0][0] == -10 && bone->limits[0][1] == 20 && bone->limits[2][0] == -90.5);
	assert_true(nodes[2].bone->is_end);
	/* what another program bent out of shape is not believed */
	bone = nodes[3].bone;
	assert_int_equal(bone->kind, OSSA_JOINT_UNKNOWN);
	assert_true(!bone->has_tail && !bone->has_limits && bone->axis[1] == 0);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* the fourth vertex is a copy of the second */
static void copies_of_seams_are_reported(void **state)
{
	(void)state;
	static const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0};
	ossa_context *context = test_context(1);
	for (uint32_t original = 0; original < 2; original++) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin(&file,
			"{'nodes':[{'mesh':0}],'meshes':[{'extras':{'ossa':{'vertices':3,'copies':1}},"
			"'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
		test_gltf_accessor(&file, positions, 4, TEST_F32, "VEC3");
		test_gltf_accessor(&file, &original, 1, TEST_U32, "SCALAR");
		test_gltf_open(context, &file, &opened);
		const ossai_asset_mesh *mesh = &opened.asset.meshes[0];
		/* one that differs from its original is not believed */
		assert_int_equal(mesh->own_count, original == 1 ? 3 : 4);
		if (original == 1) assert_int_equal(mesh->copy_of[0], 1);
		else assert_null(mesh->copy_of);
		test_asset_close(context, &opened);
	}
	test_context_end(context);
}

/* motion without a mesh: nodes that move, and their descendants, are joints */
static void nodes_alone_are_a_skeleton(void **state)
{
	(void)state;
	static const float times[1] = {0}, places[3] = {1, 2, 3};
	static const bool joints[5] = {true, false, true, true, false};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin(&file,
		"{'nodes':[{},{'children':[3]},{'children':[0]},{'children':[2]},{}],"
		"'animations':[{'samplers':[{'input':0,'output':1}],"
		"'channels':[{'sampler':0,'target':{'node':3,'path':'translation'}}]}]}");
	test_gltf_accessor(&file, times, 1, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, places, 1, TEST_F32, "VEC3");
	test_gltf_open(context, &file, &opened);
	for (size_t n = 0; n < 5; n++) assert_int_equal(opened.asset.nodes[n].is_joint, joints[n]);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* ---- faults ---- */

static ossa_status open_body(ossa_context *context, void *path)
{
	test_asset opened;
	OSSAI_TRY(test_asset_open(context, path, &opened));
	test_asset_close(context, &opened);
	return OSSA_OK;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	static const float times[3] = {3, 2, 1}, turns[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, other[27] = {0};
	test_gltf file;
	test_gltf_begin_square(&file, moving);
	test_gltf_accessor(&file, times, 3, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, turns, 3, TEST_F32, "VEC4");
	test_gltf_accessor(&file, other, 3, TEST_F32, "VEC3");
	test_gltf_accessor(&file, other, 9, TEST_F32, "VEC3");
	test_gltf_accessor(&file, other, 6, TEST_F32, "SCALAR");
	test_gltf_change(&file, "materials", "[{'name':'skin'}]");
	test_gltf_change(&file, "meshes/0/primitives/0/material", "0");
	char *uri = test_gltf_data_uri(&file), path[512];
	snprintf(path, sizeof path, "%s", test_gltf_write_text(&file, "sweep.gltf", uri));
	free(uri);
	assert_true(test_allocation_sweep(open_body, path, 1000, 1) > 40);
}

static ossa_status list_body(ossa_context *context, void *path)
{
	ossa_scene_item *items;
	size_t count;
	OSSAI_TRY(ossa_read_scene(context, path, &count, &items));
	assert_int_equal(count, 1);
	ossa_free(context, items);
	return OSSA_OK;
}

static void every_allocation_of_a_list_may_fail(void **state)
{
	(void)state;
	test_gltf file;
	test_gltf_begin_square(&file, moving);
	test_gltf_change(&file, "animations", "[]");
	test_gltf_change(&file, "cameras", "[{'name':'eye','type':'perspective'}]");
	test_gltf_change(&file, "nodes/0/camera", "0");
	char path[512];
	snprintf(path, sizeof path, "%s", test_gltf_write_glb(&file, "list.glb"));
	assert_true(test_allocation_sweep(list_body, path, 1000, 1) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(animations_are_read),
		cmocka_unit_test(far_times_stay_in_order),
		cmocka_unit_test(matrices_that_are_animated_are_decomposed),
		cmocka_unit_test(what_is_wrong_with_motion_is_said),
		cmocka_unit_test(bones_of_ossa_are_read),
		cmocka_unit_test(copies_of_seams_are_reported),
		cmocka_unit_test(nodes_alone_are_a_skeleton),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(every_allocation_of_a_list_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
