/* tests/import/gltf/test_gltf_accessor.c: the numbers of glTF files: component types, normalised
   integers, strides, sparse accessors, missing data. */
#include "support/gltf_file.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* one triangle whose positions are accessor 0 */
static const char one_mesh[] = "{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}";

static void assert_floats(const float *values, const float *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] == expected[i]) continue;
		fail_msg("number %zu is %.9g instead of %.9g", i, (double)values[i], (double)expected[i]);
	}
}

/* the positions of the file's only mesh; ends the file */
static void assert_positions(test_gltf *file, const float *expected, size_t count)
{
	ossa_context *context = test_context(1);
	test_asset opened;
	assert_ok(context, test_asset_open(context, test_gltf_write_glb(file, "numbers.glb"), &opened));
	assert_int_equal(opened.asset.mesh_count, 1);
	assert_int_equal(opened.asset.meshes[0].mesh->vertex_count, count);
	assert_floats(opened.asset.meshes[0].mesh->positions, expected, 3 * count);
	test_asset_close(context, &opened);
	test_context_end(context);
}

static void assert_refused(test_gltf *file, const char *words)
{
	ossa_context *context = test_context(1);
	test_asset opened;
	assert_fails(context, test_asset_open(context, test_gltf_write_glb(file, "numbers.glb"), &opened), OSSA_ERROR_INPUT, words);
	test_context_end(context);
}

/* three vertices of each component type, as numbers and as fractions */
static void all_components_are_read(void **state)
{
	(void)state;
	static const int8_t i8[9] = {-128, -127, -1, 0, 1, 127, 2, 3, 4};
	static const uint8_t u8[9] = {0, 1, 255, 127, 128, 2, 3, 4, 5};
	static const int16_t i16[9] = {-32768, -32767, -1, 0, 1, 32767, 300, 4, 5};
	static const uint16_t u16[9] = {0, 1, 65535, 32767, 32768, 2, 3, 4, 5};
	static const uint32_t u32[9] = {0, 1, 16777216, 4000000000U, 5, 6, 7, 8, 9};
	static const float f32[9] = {0, -1.5F, 1e-30F, 3e30F, 5, 6, 7, 8, 9};
	const struct {
		const void *data;
		int component;
		double divisor, least; /* of normalised ones */
	} cases[] = {{i8, TEST_I8, 127, -1}, {u8, TEST_U8, 255, 0}, {i16, TEST_I16, 32767, -1}, {u16, TEST_U16, 65535, 0},
		{u32, TEST_U32, 0, 0}, {f32, TEST_F32, 0, 0}};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		for (int normalized = 0; normalized < (cases[c].divisor > 0 ? 2 : 1); normalized++) {
			float expected[9];
			test_gltf file;
			for (size_t i = 0; i < 9; i++) {
				const double raw[] = {i8[i], u8[i], i16[i], u16[i], u32[i], (double)f32[i]};
				expected[i] = (float)(normalized ? fmax(raw[c] / cases[c].divisor, cases[c].least) : raw[c]);
			}
			test_gltf_begin(&file, one_mesh);
			test_gltf_accessor(&file, cases[c].data, 3, cases[c].component, "VEC3");
			test_gltf_change(&file, "accessors/0/normalized", normalized ? "true" : "false");
			assert_positions(&file, expected, 3);
		}
	}
}

/* packed numbers take another loop than strided ones */
static void strides_are_followed(void **state)
{
	(void)state;
	static const float rows[4][5] = {{9, 1, 2, 3, 9}, {9, 4, 5, 6, 9}, {9, 7, 8, 10, 9}, {9, 9, 9, 9, 9}};
	static const float expected[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
	test_gltf file;
	test_gltf_begin(&file, one_mesh);
	test_gltf_accessor(&file, rows, 20, TEST_F32, "SCALAR");
	test_gltf_change(&file, "bufferViews/0/byteStride", "20");
	test_gltf_change(&file, "accessors/0", "{'bufferView':0,'byteOffset':4,'componentType':5126,'count':3,'type':'VEC3'}");
	assert_positions(&file, expected, 3);
	/* three 16-bit numbers of each 8 bytes */
	static const uint16_t quantized[12] = {1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 10, 99};
	test_gltf_begin(&file, one_mesh);
	test_gltf_accessor(&file, quantized, 12, TEST_U16, "SCALAR");
	test_gltf_change(&file, "bufferViews/0/byteStride", "8");
	test_gltf_change(&file, "accessors/0", "{'bufferView':0,'componentType':5123,'count':3,'type':'VEC3'}");
	test_gltf_change(&file, "extensionsRequired", "['KHR_mesh_quantization']");
	assert_positions(&file, expected, 3);
}

static void sparse_elements_replace_others(void **state)
{
	(void)state;
	static const float base[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, changes[6] = {5, 6, 7, 8, 9, 10};
	static const uint8_t places8[2] = {1, 3};
	static const uint16_t places16[2] = {1, 3};
	static const uint32_t places32[2] = {1, 3};
	const void *places[3] = {places8, places16, places32};
	const char *types[3] = {"5121", "5123", "5125"};
	for (int with_base = 0; with_base < 2; with_base++) {
		for (size_t i = 0; i < 3; i++) {
			float expected[12] = {0};
			test_gltf file;
			test_gltf_begin(&file, one_mesh);
			test_gltf_change(&file, "meshes/0/primitives/0/mode", "5");
			test_gltf_accessor(&file, base, 4, TEST_F32, "VEC3");
			test_gltf_view(&file, places[i], 2 * ((size_t)1 << i));
			test_gltf_view(&file, changes, sizeof changes);
			test_gltf_change(&file, "accessors/0/sparse",
				"{'count':2,'indices':{'bufferView':1,'componentType':0},'values':{'bufferView':2}}");
			test_gltf_change(&file, "accessors/0/sparse/indices/componentType", types[i]);
			if (!with_base) test_gltf_change(&file, "accessors/0/bufferView", "null");
			if (with_base) memcpy(expected, base, sizeof base);
			memcpy(expected + 3, changes, 12);
			memcpy(expected + 9, changes + 3, 12);
			assert_positions(&file, expected, 4);
		}
	}
}

/* a fraction in a sparse accessor is a fraction too */
static void sparse_elements_are_of_the_base_type(void **state)
{
	(void)state;
	static const int8_t changes[3] = {127, -127, 0};
	static const uint8_t place = 2;
	test_gltf file;
	test_gltf_begin(&file, one_mesh);
	test_gltf_view(&file, &place, 1);
	test_gltf_view(&file, changes, 3);
	test_gltf_change(&file, "accessors/0",
		"{'componentType':5120,'normalized':true,'count':3,'type':'VEC3',"
		"'sparse':{'count':1,'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':1}}}");
	assert_positions(&file, (float[]){0, 0, 0, 0, 0, 0, 1, -1, 0}, 3);
}

static void what_is_wrong_with_numbers_is_said(void **state)
{
	(void)state;
	static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const uint8_t places[4] = {0, 3, 0, 0};
	static const struct {
		const char *path, *value, *words;
	} cases[] = {
		{"accessors/0/sparse", "{'count':2,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':0}}",
			"sparse index 3 is not below 3"},
		{"accessors/0/sparse", "{'count':4,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':0}}",
			"its sparse indices are invalid"},
		{"accessors/0/sparse", "{'count':2,'indices':{'bufferView':1,'componentType':5126},'values':{'bufferView':0}}",
			"its sparse indices are invalid"},
		{"accessors/0/sparse", "{'count':2,'indices':{'componentType':5121},'values':{'bufferView':0}}", "have no data"},
		{"accessors/0/sparse", "{'count':2,'indices':{'bufferView':1,'componentType':5121},'values':{}}", "have no data"},
		{"accessors/0/sparse", "{'count':2,'indices':{'bufferView':1,'byteOffset':3,'componentType':5121},'values':{}}",
			"are not in the 4 bytes"},
		{"accessors/0/byteOffset", "4", "3 elements from byte 4 on are not in the 36 bytes"},
		{"accessors/0/type", "'VEC5'", "is VEC5 where"},
		{"accessors/0/componentType", "5124", "5124 is no component type"},
		{"accessors/0/bufferView", "9", "there are only 2 bufferViews"},
		{"accessors/0/bufferView", "-1", "must be a whole number"},
		{"bufferViews/0/byteStride", "8", "elements of 12 bytes every 8"},
		{"bufferViews/0/byteLength", "1000", "reaches past"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test_gltf file;
		test_gltf_begin(&file, one_mesh);
		test_gltf_accessor(&file, positions, 3, TEST_F32, "VEC3");
		test_gltf_view(&file, places, 4);
		test_gltf_change(&file, cases[i].path, cases[i].value);
		assert_refused(&file, cases[i].words);
	}
	float bad[9];
	memcpy(bad, positions, sizeof bad);
	bad[7] = INFINITY;
	test_gltf file;
	test_gltf_begin(&file, one_mesh);
	test_gltf_accessor(&file, bad, 3, TEST_F32, "VEC3");
	assert_refused(&file, "accessor 0: element 2 is not a finite number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_components_are_read),
		cmocka_unit_test(strides_are_followed),
		cmocka_unit_test(sparse_elements_replace_others),
		cmocka_unit_test(sparse_elements_are_of_the_base_type),
		cmocka_unit_test(what_is_wrong_with_numbers_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
