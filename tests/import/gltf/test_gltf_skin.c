/* tests/import/gltf/test_gltf_skin.c: skins and morph targets of glTF files. */
#include "support/gltf_file.h"
#include "support/support.h"

#include <string.h>

/* ---- skins ---- */

static const char skinned[] = "{'nodes':[{'mesh':0,'skin':0},{'name':'root','children':[2]},{'name':'arm'}],"
							  "'skins':[{'name':'puppet','joints':[2,1],'extras':{'ossa':{'method':'examples'}}}],"
							  "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'mode':6}]}]}";

/* without inverse bind matrices joints are bound at the origin */
static void skins_are_read(void **state)
{
	(void)state;
	static const uint8_t joints[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0};
	static const float weights[16] = {1, 0, 0, 0, 0.75F, 0.25F, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0};
	float inverse[32] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 10, 0, 11, 12, 13, 1};
	for (size_t k = 0; k < 4; k++) inverse[16 + 5 * k] = 1;
	ossa_context *context = test_context(1);
	for (int with_inverse = 0; with_inverse < 2; with_inverse++) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin_square(&file, skinned);
		test_gltf_accessor(&file, joints, 4, TEST_U8, "VEC4");
		test_gltf_accessor(&file, weights, 4, TEST_F32, "VEC4");
		test_gltf_accessor(&file, inverse, 2, TEST_F32, "MAT4");
		if (with_inverse) test_gltf_change(&file, "skins/0/inverseBindMatrices", "3");
		test_gltf_open(context, &file, &opened);
		const ossai_asset_skin *skin = &opened.asset.skins[0];
		assert_int_equal(skin->joint_count, 2);
		assert_string_equal(skin->name, "puppet");
		assert_string_equal(opened.asset.method, "examples");
		assert_int_equal(skin->joints[0], 2);
		assert_int_equal(skin->joints[1], 1);
		assert_true(skin->inverse_bind[0].r.m[0][1] == (with_inverse ? 4 : 0));
		assert_true(skin->inverse_bind[0].r.m[2][2] == (with_inverse ? 10 : 1));
		assert_true(skin->inverse_bind[0].t.z == (with_inverse ? 13 : 0));
		assert_true(skin->inverse_bind[1].r.m[1][1] == 1 && skin->inverse_bind[1].t.x == 0);
		const ossai_asset_mesh *mesh = &opened.asset.meshes[0];
		assert_int_equal(mesh->skin, 0);
		assert_int_equal(mesh->influences, 4);
		for (size_t i = 0; i < 16; i++) assert_int_equal(mesh->joints[i], joints[i]);
		assert_memory_equal(mesh->weights, weights, sizeof weights);
		test_asset_close(context, &opened);
	}
	test_context_end(context);
}

/* two sets of other types in the first primitive, one in the second: zeros fill what is missing */
static void sets_of_weights_are_joined(void **state)
{
	(void)state;
	static const uint16_t joints16[16] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, large[4] = {65535, 0, 0, 0};
	static const uint8_t weights8[16] = {51, 204, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0};
	static const float floats[16] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
	uint16_t weights16[16] = {0};
	memcpy(weights16, large, sizeof large);
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin_square(&file, skinned);
	test_gltf_accessor(&file, joints16, 4, TEST_U16, "VEC4");
	/* bytes that forget to say that they are fractions */
	test_gltf_accessor(&file, weights8, 4, TEST_U8, "VEC4");
	test_gltf_accessor(&file, floats, 4, TEST_F32, "VEC4");
	test_gltf_accessor(&file, weights16, 4, TEST_U16, "VEC4");
	test_gltf_change(&file, "accessors/4/normalized", "true");
	test_gltf_change(&file, "meshes/0/primitives/1", "{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'mode':6}");
	test_gltf_change(&file, "meshes/0/primitives/0/attributes/JOINTS_1", "3");
	test_gltf_change(&file, "meshes/0/primitives/0/attributes/WEIGHTS_1", "4");
	test_gltf_open(context, &file, &opened);
	const ossai_asset_mesh *mesh = &opened.asset.meshes[0];
	assert_int_equal(mesh->influences, 8);
	assert_int_equal(mesh->mesh->vertex_count, 8);
	assert_memory_equal(mesh->joints, ((uint32_t[]){0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}), 64);
	assert_memory_equal(mesh->weights, ((float[]){0.2F, 0.8F, 0, 0, 1, 0, 0, 0}), 32);
	assert_memory_equal(mesh->weights + 32, ((float[]){0.2F, 0.8F, 0, 0, 0, 0, 0, 0}), 32);
	assert_memory_equal(mesh->joints + 40, ((uint32_t[]){1, 0, 0, 0, 0, 0, 0, 0}), 32);
	assert_string_equal(ossa_context_warning(context, 0)->code, "joints-as-floats");
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* as many as the format's readers know: 64 pairs a vertex */
static void sixteen_sets_are_read(void **state)
{
	(void)state;
	static const uint8_t joints[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
	static const float weights[16] = {0.0625F, 0, 0, 0, 0.0625F, 0, 0, 0, 0.0625F, 0, 0, 0, 0.0625F, 0, 0, 0};
	ossa_context *context = test_context(1);
	for (int sets = 16; sets <= 17; sets++) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin_square(&file, skinned);
		test_gltf_accessor(&file, joints, 4, TEST_U8, "VEC4");
		test_gltf_accessor(&file, weights, 4, TEST_F32, "VEC4");
		for (int set = 1; set < sets; set++) {
			char path[80];
			snprintf(path, sizeof path, "meshes/0/primitives/0/attributes/JOINTS_%d", set);
			test_gltf_change(&file, path, "1");
			snprintf(path, sizeof path, "meshes/0/primitives/0/attributes/WEIGHTS_%d", set);
			test_gltf_change(&file, path, "2");
		}
		const ossa_status status = test_asset_open(context, test_gltf_write_glb(&file, "sets.glb"), &opened);
		if (sets == 17) {
			assert_fails(context, status, OSSA_ERROR_INPUT, "more than 16 sets");
			continue;
		}
		assert_ok(context, status);
		assert_int_equal(opened.asset.meshes[0].influences, 64);
		for (size_t i = 0; i < 256; i++) assert_true(opened.asset.meshes[0].weights[i] == (i % 4 == 0 ? 0.0625F : 0));
		test_asset_close(context, &opened);
	}
	test_context_end(context);
}

/* ---- morph targets ---- */

static const char morphed[] = "{'nodes':[{'mesh':0,'weights':[0.25,0.5]},{'mesh':0}],"
							  "'meshes':[{'weights':[1,2],'extras':{'targetNames':['smile',7]},'primitives':["
							  "{'attributes':{'POSITION':0},'mode':6,'targets':[{'POSITION':1},{'NORMAL':1}]},"
							  "{'attributes':{'POSITION':2},'targets':[{},{'POSITION':3},{'POSITION':2}]}]}]}";

static void morph_targets_are_read(void **state)
{
	(void)state;
	static const float deltas[12] = {0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4}, more[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9};
	static const int8_t change[3] = {-127, 0, 127};
	static const uint8_t place = 1;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin_square(&file, morphed);
	test_gltf_accessor(&file, deltas, 4, TEST_F32, "VEC3");
	test_gltf_accessor(&file, more, 3, TEST_F32, "VEC3");
	test_gltf_view(&file, &place, 1);
	test_gltf_view(&file, change, 3);
	test_gltf_change(&file, "accessors/3",
		"{'componentType':5120,'normalized':true,'count':3,'type':'VEC3',"
		"'sparse':{'count':1,'indices':{'bufferView':3,'componentType':5121},'values':{'bufferView':4}}}");
	test_gltf_open(context, &file, &opened);
	assert_int_equal(opened.asset.mesh_count, 2);
	for (size_t m = 0; m < 2; m++) {
		const ossai_asset_mesh *mesh = &opened.asset.meshes[m];
		const float expected[3][21] = {
			{0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4}, {[15] = -1, [17] = 1}, {[12] = 9, [16] = 9, [20] = 9}};
		assert_int_equal(mesh->target_count, 3);
		for (size_t t = 0; t < 3; t++) assert_memory_equal(mesh->targets[t].deltas, expected[t], sizeof expected[t]);
		assert_string_equal(mesh->targets[0].name, "smile");
		assert_null(mesh->targets[1].name);
		/* the node's own go before the mesh's */
		assert_true(mesh->targets[0].weight == (m == 0 ? 0.25 : 1) && mesh->targets[1].weight == (m == 0 ? 0.5 : 2));
		assert_true(mesh->targets[2].weight == 0);
	}
	test_asset_close(context, &opened);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skins_are_read),
		cmocka_unit_test(sets_of_weights_are_joined),
		cmocka_unit_test(sixteen_sets_are_read),
		cmocka_unit_test(morph_targets_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
