/* tests/import/gltf/test_gltf_mesh.c: meshes of glTF files: primitives, shared vertices,
   materials, scenes, ignored parts. */
#include "support/gltf_file.h"
#include "support/support.h"

#include <math.h>

static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

/* a file whose accessor 0 are the square's positions */
static void begin(test_gltf *file, const char *text)
{
	test_gltf_begin(file, text);
	test_gltf_accessor(file, square, 4, TEST_F32, "VEC3");
}

static void open_file(ossa_context *context, test_gltf *file, test_asset *opened)
{
	assert_ok(context, test_asset_open(context, test_gltf_write_glb(file, "mesh.glb"), opened));
}

static void assert_triangles(const ossa_mesh *mesh, const uint32_t *expected, size_t count)
{
	assert_int_equal(mesh->triangle_count, count);
	assert_memory_equal(mesh->triangles, expected, 3 * count * sizeof *expected);
	assert_memory_equal(mesh->corner_vertex, expected, 3 * count * sizeof *expected);
}

/* lists, strips and fans of the same five indices, of all types */
static void all_kinds_of_triangles_are_read(void **state)
{
	(void)state;
	static const uint8_t i8[6] = {0, 1, 2, 3, 1, 0};
	static const uint16_t i16[6] = {0, 1, 2, 3, 1, 0};
	static const uint32_t i32[6] = {0, 1, 2, 3, 1, 0};
	static const struct {
		const char *mode;
		size_t count;
		uint32_t triangles[12];
	} cases[] = {
		{"4", 2, {0, 1, 2, 3, 1, 0}},
		{"5", 4, {0, 1, 2, 1, 3, 2, 2, 3, 1, 3, 0, 1}},
		{"6", 4, {0, 1, 2, 0, 2, 3, 0, 3, 1, 0, 1, 0}},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 9; i++) {
		const void *data[] = {i8, i16, i32};
		const int types[] = {TEST_U8, TEST_U16, TEST_U32};
		test_gltf file;
		test_asset opened;
		begin(&file, "{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}]}");
		test_gltf_accessor(&file, data[i % 3], 6, types[i % 3], "SCALAR");
		test_gltf_change(&file, "meshes/0/primitives/0/mode", cases[i / 3].mode);
		open_file(context, &file, &opened);
		assert_triangles(opened.asset.meshes[0].mesh, cases[i / 3].triangles, cases[i / 3].count);
		test_asset_close(context, &opened);
	}
	test_context_end(context);
}

/* without indices the vertices are the corners */
static void meshes_without_indices_are_read(void **state)
{
	(void)state;
	static const uint32_t strip[6] = {0, 1, 2, 1, 3, 2}, fan[6] = {0, 1, 2, 0, 2, 3};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0},{'mesh':1}],'meshes':[{'name':'strip','primitives':[{'attributes':{'POSITION':0},'mode':5}]},"
		"{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
	open_file(context, &file, &opened);
	assert_int_equal(opened.asset.mesh_count, 2);
	assert_triangles(opened.asset.meshes[0].mesh, strip, 2);
	assert_triangles(opened.asset.meshes[1].mesh, fan, 2);
	assert_string_equal(opened.asset.meshes[0].mesh->name, "strip");
	assert_int_equal(opened.asset.meshes[0].node, 0);
	assert_int_equal(opened.asset.meshes[1].node, 1);
	assert_int_equal(opened.asset.meshes[0].skin, OSSA_NONE);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* the first and third primitive share attributes, the second has its own positions and no texture
   coordinates */
static void primitives_that_share_attributes_share_vertices(void **state)
{
	(void)state;
	static const float other[9] = {5, 5, 5, 6, 5, 5, 5, 6, 5}, uv[8] = {0, 0, 1, 0, 1, 1, 0.25F, 0.75F};
	static const float up[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const uint8_t first[3] = {0, 1, 2}, third[3] = {0, 2, 3};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0}],'materials':[{'name':'red'},{'name':'unused'},{'name':'blue'},"
		"{'extras':{'ossa':{'none':true}}}],"
		"'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'indices':4,'material':2},"
		"{'attributes':{'POSITION':2,'NORMAL':3},'material':3},"
		"{'attributes':{'TEXCOORD_0':1,'POSITION':0},'indices':5,'material':0}]}]}");
	test_gltf_accessor(&file, uv, 4, TEST_F32, "VEC2");
	test_gltf_accessor(&file, other, 3, TEST_F32, "VEC3");
	test_gltf_accessor(&file, up, 3, TEST_F32, "VEC3");
	test_gltf_accessor(&file, first, 3, TEST_U8, "SCALAR");
	test_gltf_accessor(&file, third, 3, TEST_U8, "SCALAR");
	open_file(context, &file, &opened);
	const ossa_mesh *mesh = opened.asset.meshes[0].mesh;
	assert_int_equal(mesh->vertex_count, 7);
	assert_memory_equal(mesh->positions, square, sizeof square);
	assert_memory_equal(mesh->positions + 12, other, sizeof other);
	assert_triangles(mesh, (uint32_t[]){0, 1, 2, 4, 5, 6, 0, 2, 3}, 3);
	assert_int_equal(mesh->texcoord_count, 4);
	assert_memory_equal(
		mesh->corner_texcoord, ((uint32_t[]){0, 1, 2, OSSA_NONE, OSSA_NONE, OSSA_NONE, 0, 2, 3}), 9 * sizeof(uint32_t));
	/* v points up here */
	assert_memory_equal(mesh->texcoords, ((float[]){0, 1, 1, 1, 1, 0, 0.25F, 0.25F}), 8 * sizeof(float));
	assert_int_equal(mesh->normal_count, 3);
	assert_memory_equal(mesh->corner_normal,
		((uint32_t[]){OSSA_NONE, OSSA_NONE, OSSA_NONE, 0, 1, 2, OSSA_NONE, OSSA_NONE, OSSA_NONE}), 9 * sizeof(uint32_t));
	/* only what is used, in the file's order */
	assert_int_equal(mesh->material_count, 2);
	assert_string_equal(mesh->materials[0], "red");
	assert_string_equal(mesh->materials[1], "blue");
	assert_memory_equal(mesh->polygon_material, ((uint32_t[]){1, OSSA_NONE, 0}), 3 * sizeof(uint32_t));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* a quad and a triangle of it, with other counts of sets */
static void primitives_have_their_own_sets(void **state)
{
	(void)state;
	static const float uv[8] = {0, 0, 1, 0, 1, 1, 0, 1};
	static const float half[8] = {0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F};
	static const float green[12] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'mode':6},"
		"{'attributes':{'POSITION':0,'TEXCOORD_0':2,'TEXCOORD_1':1,'COLOR_0':3,'COLOR_1':3},'mode':6}]}]}");
	test_gltf_accessor(&file, uv, 4, TEST_F32, "VEC2");
	test_gltf_accessor(&file, half, 4, TEST_F32, "VEC2");
	test_gltf_accessor(&file, green, 4, TEST_F32, "VEC3");
	open_file(context, &file, &opened);
	assert_no_warnings(context);
	const ossa_mesh *mesh = opened.asset.meshes[0].mesh;
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_true(mesh->more_uv_count == 1 && mesh->more_color_count == 1);
	const ossa_uv_set *more = &mesh->more_uvs[0];
	assert_int_equal(mesh->corner_count, 12);
	for (size_t c = 0; c < 6; c++) {
		/* the first one's corners have no second set, and its vertices are white */
		assert_true(more->corner_texcoord[c] == OSSA_NONE && more->corner_texcoord[6 + c] != OSSA_NONE);
		assert_near((double)mesh->texcoords[2 * (size_t)mesh->corner_texcoord[6 + c]], 0.5, 0);
		assert_near((double)more->texcoords[2 * (size_t)more->corner_texcoord[6 + c]],
			(double)mesh->texcoords[2 * (size_t)mesh->corner_texcoord[c]], 0);
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) assert_near((double)mesh->more_colors[0][4 * v], v < 4 ? 1 : 0, 0);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* a mesh has eight of each, numbered without a gap */
static void sets_that_are_left_out_are_counted(void **state)
{
	(void)state;
	static const struct {
		const char *sets;
		size_t uvs, colors;
		int64_t left_out;
	} cases[] = {{"'TEXCOORD_0':1,'TEXCOORD_1':1,'TEXCOORD_2':1,'TEXCOORD_3':1,'TEXCOORD_4':1,'TEXCOORD_5':1,'TEXCOORD_6':1,"
				  "'TEXCOORD_7':1",
					 8, 0, 0},
		{"'TEXCOORD_0':1,'TEXCOORD_1':1,'TEXCOORD_2':1,'TEXCOORD_3':1,'TEXCOORD_4':1,'TEXCOORD_5':1,'TEXCOORD_6':1,"
		 "'TEXCOORD_7':1,'TEXCOORD_8':1,'TEXCOORD_9':1,'TEXCOORD_10':1",
			8, 0, 3},
		{"'TEXCOORD_1':1", 0, 0, 1}, {"'TEXCOORD_0':1,'TEXCOORD_2':1,'COLOR_0':0,'COLOR_2':0,'COLOR_3':0", 1, 1, 3}};
	static const float uv[8] = {0, 0, 1, 0, 1, 1, 0, 1};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ossa_context *context = test_context(1);
		test_gltf file;
		test_asset opened;
		char text[512];
		snprintf(text, sizeof text,
			"{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,%s},'mode':6}]}]}", cases[i].sets);
		begin(&file, text);
		test_gltf_accessor(&file, uv, 4, TEST_F32, "VEC2");
		open_file(context, &file, &opened);
		const ossa_mesh *mesh = opened.asset.meshes[0].mesh;
		assert_int_equal(mesh->corner_texcoord ? 1 + mesh->more_uv_count : 0, cases[i].uvs);
		assert_int_equal(mesh->colors ? 1 + mesh->more_color_count : 0, cases[i].colors);
		assert_int_equal(test_warned(context, "sets-left-out"), cases[i].left_out);
		test_asset_close(context, &opened);
		test_context_end(context);
	}
}

static void quantized_looks_are_read(void **state)
{
	(void)state;
	static const int8_t normals[16] = {0, 0, 127, 0, 127, 0, 0, 0, 0, -128, 0, 0, 0, 0, -127, 0};
	static const uint16_t uv[8] = {0, 0, 65535, 0, 65535, 65535, 0, 65535};
	static const uint8_t rgb[12] = {255, 0, 51, 0, 255, 0, 0, 0, 255, 255, 255, 255};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2,"
		"'COLOR_0':3},'mode':6}]}]}");
	test_gltf_accessor(&file, normals, 16, TEST_I8, "SCALAR");
	test_gltf_change(&file, "bufferViews/1/byteStride", "4");
	test_gltf_change(&file, "accessors/1", "{'bufferView':1,'componentType':5120,'normalized':true,'count':4,'type':'VEC3'}");
	test_gltf_accessor(&file, uv, 4, TEST_U16, "VEC2");
	test_gltf_change(&file, "accessors/2/normalized", "true");
	test_gltf_accessor(&file, rgb, 4, TEST_U8, "VEC3");
	test_gltf_change(&file, "accessors/3/normalized", "true");
	open_file(context, &file, &opened);
	const ossa_mesh *mesh = opened.asset.meshes[0].mesh;
	assert_memory_equal(mesh->normals, ((float[]){0, 0, 1, 1, 0, 0, 0, -1, 0, 0, 0, -1}), 12 * sizeof(float));
	assert_memory_equal(mesh->texcoords, ((float[]){0, 1, 1, 1, 1, 0, 0, 0}), 8 * sizeof(float));
	assert_memory_equal(
		mesh->colors, ((float[]){1, 0, 51 / 255.0F, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1}), 16 * sizeof(float));
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* a NaN in attributes that do not affect the shape is no reason to refuse a file */
static void looks_that_are_not_finite_are_repaired(void **state)
{
	(void)state;
	const float normals[12] = {0, 0, 1, NAN, 0, 1, 0, INFINITY, 1, 0, 0, 1};
	const float colors[16] = {0, 1, 0.5F, 1, 1.5F, -1, 0, 1, 1, 1, 1, 1, 0, 0, 0, NAN};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'COLOR_0':2},"
		"'mode':6}]}]}");
	test_gltf_accessor(&file, normals, 4, TEST_F32, "VEC3");
	test_gltf_accessor(&file, colors, 4, TEST_F32, "VEC4");
	open_file(context, &file, &opened);
	assert_memory_equal(
		opened.asset.meshes[0].mesh->normals, ((float[]){0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}), 12 * sizeof(float));
	assert_memory_equal(
		opened.asset.meshes[0].mesh->colors, ((float[]){0, 1, 0.5F, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0}), 64);
	assert_int_equal(test_warned(context, "attribute-not-finite"), 3);
	assert_int_equal(test_warned(context, "colors-clamped"), 2);
	test_asset_close(context, &opened);
	test_context_end(context);
}

static void points_and_lines_are_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'mesh':0},{'mesh':1},{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':0},"
		"{'attributes':{'POSITION':0},'mode':6},{'attributes':{'POSITION':0},'mode':1},{'attributes':{}}]},"
		"{'primitives':[{'attributes':{'POSITION':0},'mode':3}]}]}");
	open_file(context, &file, &opened);
	/* each once, however many nodes show it */
	assert_int_equal(opened.asset.mesh_count, 2);
	assert_int_equal(opened.asset.meshes[0].mesh->vertex_count, 4);
	assert_int_equal(test_warned(context, "skipped-primitives"), 4);
	test_asset_close(context, &opened);
	test_context_end(context);
}

/* a mesh of two nodes is two meshes; the scene that is shown decides which nodes count */
static void only_the_shown_scene_is_read(void **state)
{
	(void)state;
	static const struct {
		const char *scene, *scenes;
		size_t count;
		uint32_t first;
	} cases[] = {
		{"0", "[{'nodes':[0]},{'nodes':[3]}]", 2, 1},
		{"1", "[{'nodes':[0]},{'nodes':[3]}]", 1, 3},
		{"null", "[{'nodes':[3]}]", 1, 3},
		/* scenes that show no mesh say nothing */
		{"null", "[{'nodes':[4]}]", 3, 1},
		{"null", "null", 3, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_context *context = test_context(1);
		test_gltf file;
		test_asset opened;
		begin(&file,
			"{'nodes':[{'children':[1,2]},{'mesh':0},{'mesh':0},{'mesh':0},{}],"
			"'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
		test_gltf_change(&file, "scene", cases[i].scene);
		test_gltf_change(&file, "scenes", cases[i].scenes);
		open_file(context, &file, &opened);
		assert_int_equal(opened.asset.mesh_count, cases[i].count);
		assert_int_equal(opened.asset.meshes[0].node, cases[i].first);
		if (cases[i].count < 3) assert_int_equal(test_warned(context, "outside-scene"), 3 - (int64_t)cases[i].count);
		else assert_int_equal(ossa_context_warning_count(context), 0);
		test_asset_close(context, &opened);
		test_context_end(context);
	}
}

static void nodes_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file,
		"{'nodes':[{'name':'upper arm.L','translation':[1,2,3],'scale':[2,2,2],'children':[1]},"
		"{'matrix':[1,2,3,0,4,5,6,0,7,8,10,0,11,12,13,1]},{'mesh':0,'rotation':[0,0,0.6,0.8]}],"
		"'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
	open_file(context, &file, &opened);
	const ossai_asset_node *nodes = opened.asset.nodes;
	assert_int_equal(opened.asset.node_count, 3);
	assert_string_equal(nodes[0].name, "upper arm.L");
	assert_int_equal(nodes[0].parent, OSSA_NONE);
	assert_int_equal(nodes[0].op_count, 2);
	assert_int_equal(nodes[0].ops[0].kind, OSSAI_OP_TRANSLATE);
	assert_true(nodes[0].ops[0].values[2] == 3);
	assert_int_equal(nodes[0].ops[1].kind, OSSAI_OP_SCALE);
	assert_null(nodes[1].name);
	assert_int_equal(nodes[1].parent, 0);
	assert_int_equal(nodes[1].ops[0].kind, OSSAI_OP_MATRIX);
	/* columns in the file, rows here */
	static const double rows[16] = {1, 4, 7, 11, 2, 5, 8, 12, 3, 6, 10, 13, 0, 0, 0, 1};
	assert_memory_equal(nodes[1].ops[0].values, rows, sizeof rows);
	assert_int_equal(nodes[2].ops[0].kind, OSSAI_OP_ROTATE);
	assert_true(nodes[2].ops[0].values[3] == 0.8);
	assert_true(opened.asset.unit == 1);
	assert_int_equal(opened.asset.up, OSSA_UP_Y);
	test_asset_close(context, &opened);
	test_context_end(context);
}

static void what_is_wrong_with_meshes_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *path, *value, *words;
	} cases[] = {
		{"nodes/0/translation", "[1,2]", "\"translation\" must be 3 finite numbers"},
		{"nodes/0/rotation", "[1,2,3,'4']", "\"rotation\" must be 4"},
		{"nodes/0/matrix", "[1,0,0,0,0,1,0,0,0,0,1,0.5,0,0,0,1]", "last row of its matrix"},
		{"nodes/0/children", "[0]", "loop"},
		{"nodes/0/children", "[-1]", "a child that is not there"},
		{"nodes/0/mesh", "5", "there are only 1 meshes"},
		{"nodes/0/mesh", "'cube'", "\"mesh\" must be a whole number"},
		{"scenes", "[{'nodes':[77]}]", "shows a node that is not there"},
		{"scene", "3", "there are only 0 scenes"},
		{"meshes/0/primitives/0/indices", "9", "there are only 2 accessors"},
		{"meshes/0/primitives/0/mode", "4", "a list of triangles has 4 indices"},
		{"meshes/0/primitives/0/attributes/NORMAL", "1", "NORMAL has 3 elements for 4 vertices"},
		{"meshes/0/primitives/0/attributes/TEXCOORD_0", "1", "VEC3 where elements of 2"},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test_gltf file;
		test_asset opened;
		begin(&file, "{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
		test_gltf_accessor(&file, square, 3, TEST_F32, "VEC3");
		test_gltf_change(&file, cases[i].path, cases[i].value);
		assert_fails(context, test_asset_open(context, test_gltf_write_glb(&file, "bad.glb"), &opened), OSSA_ERROR_INPUT,
			cases[i].words);
	}
	test_context_end(context);
}

/* a small file must not make large meshes: each of many nodes would get its own copy of an accessor
   without data */
static void bombs_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	begin(&file, "{'nodes':[],'meshes':[{'primitives':[{'attributes':{'POSITION':1},'mode':5}]}]}");
	test_gltf_change(&file, "accessors/1", "{'componentType':5126,'count':100000,'type':'VEC3'}");
	for (size_t i = 0; i < 200; i++) test_gltf_change(&file, "nodes/999", "{'mesh':0}");
	assert_fails(context, test_asset_open(context, test_gltf_write_glb(&file, "bomb.glb"), &opened), OSSA_ERROR_LIMIT,
		"asks for far more numbers");
	assert_true(ossa_context_peak_bytes(context) < (size_t)200 << 20);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_of_triangles_are_read),
		cmocka_unit_test(meshes_without_indices_are_read),
		cmocka_unit_test(primitives_that_share_attributes_share_vertices),
		cmocka_unit_test(primitives_have_their_own_sets),
		cmocka_unit_test(sets_that_are_left_out_are_counted),
		cmocka_unit_test(quantized_looks_are_read),
		cmocka_unit_test(looks_that_are_not_finite_are_repaired),
		cmocka_unit_test(points_and_lines_are_left_out),
		cmocka_unit_test(only_the_shown_scene_is_read),
		cmocka_unit_test(nodes_are_read),
		cmocka_unit_test(what_is_wrong_with_meshes_is_said),
		cmocka_unit_test(bombs_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
