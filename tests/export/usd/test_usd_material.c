/* tests/export/usd/test_usd_material.c: materials of USD files, and the images beside them. */
#include "base/file.h"
#include "support/dressed.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char text[1 << 16];

static void load(const char *path) { text[test_read_bytes(path, text, sizeof text - 1)] = 0; }

/* the lines of the prim `name` up to its end, without indentation */
static const char *prim(const char *material, const char *name)
{
	static char lines[4096];
	char key[128];
	size_t used = 0;
	snprintf(key, sizeof key, "def Material \"%s\"", material);
	const char *at = strstr(text, key);
	assert_non_null(at);
	snprintf(key, sizeof key, "def Shader \"%s\"\n", name);
	at = strstr(at, key);
	if (!at) return NULL;
	for (at = strchr(at, '{') + 2; *(at += strspn(at, " ")) != '}';) {
		const size_t size = strcspn(at, "\n") + 1;
		assert_true(used + size < sizeof lines);
		memcpy(lines + used, at, size);
		used += size;
		at += size;
	}
	lines[used] = 0;
	return lines;
}

#define OUTPUTS "float outputs:r\nfloat outputs:g\nfloat outputs:b\nfloat outputs:a\nfloat3 outputs:rgb\n"
#define WRAPS(how) "token inputs:wrapS = \"" how "\"\ntoken inputs:wrapT = \"" how "\"\n"
#define SKIN "/dressed/Materials/old_skin"
#define GLASS "/dressed/Materials/glass"

static void surfaces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("look.usda"), NULL));
	assert_no_warnings(context);
	load(test_path("look.usda"));
	assert_non_null(strstr(text, "uniform bool doubleSided = 0\n"));
	assert_non_null(strstr(text, "rel material:binding = <" SKIN ">"));
	assert_non_null(strstr(text, "token outputs:surface.connect = <" SKIN "/Shader.outputs:surface>"));
	assert_string_equal(prim("old_skin", "Shader"),
		"uniform token info:id = \"UsdPreviewSurface\"\ncolor3f inputs:diffuseColor.connect = <" SKIN
		"/base_color.outputs:rgb>\nfloat inputs:metallic.connect = <" SKIN
		"/metallic_roughness.outputs:b>\nfloat inputs:roughness.connect = <" SKIN
		"/metallic_roughness.outputs:g>\ncolor3f inputs:emissiveColor.connect = <" SKIN
		"/emission.outputs:rgb>\nnormal3f inputs:normal.connect = <" SKIN
		"/normal.outputs:rgb>\nfloat inputs:occlusion.connect = <" SKIN "/occlusion.outputs:r>\ntoken outputs:surface\n");
	assert_string_equal(prim("glass", "Shader"),
		"uniform token info:id = \"UsdPreviewSurface\"\ncolor3f inputs:diffuseColor.connect = <" GLASS
		"/base_color.outputs:rgb>\nfloat inputs:metallic = 0\nfloat inputs:roughness = 0.9\nfloat inputs:opacity.connect = "
		"<" GLASS "/base_color.outputs:a>\ntoken outputs:surface\n");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* faces without a material have a plain one, which is there for them alone */
static void faces_without_a_material(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	for (int bare = 0; bare < 2; bare++) {
		if (bare) mesh->polygon_material[0] = OSSA_NONE;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("bare.usda"), NULL));
		load(test_path("bare.usda"));
		assert_int_equal(strstr(text, "def Material \"surface\"") != NULL, bare);
		assert_int_equal(strstr(text, "rel material:binding = </dressed/Materials/surface>") != NULL, bare);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void textures(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("look.usda"), NULL));
	load(test_path("look.usda"));
	assert_string_equal(prim("old_skin", "uv"),
		"uniform token info:id = \"UsdPrimvarReader_float2\"\nstring inputs:varname = \"st\"\nfloat2 outputs:result\n");
	assert_string_equal(prim("old_skin", "base_color_place"),
		"uniform token info:id = \"UsdTransform2d\"\nfloat2 inputs:in.connect = <" SKIN
		"/uv.outputs:result>\nfloat inputs:rotation = 90\nfloat2 inputs:scale = (1, 2)\nfloat2 inputs:translation = (0.5, "
		"0)\nfloat2 outputs:result\n");
	assert_string_equal(prim("old_skin", "base_color"),
		"uniform token info:id = \"UsdUVTexture\"\nasset inputs:file = @./look_color.png@\nfloat2 inputs:st.connect = <" SKIN
		"/base_color_place.outputs:result>\n" WRAPS("repeat") "token inputs:sourceColorSpace = \"sRGB\"\nfloat4 inputs:scale = "
															  "(0.5, 0.25, 1, 1)\n" OUTPUTS);
	assert_non_null(strstr(prim("old_skin", "metallic_roughness"), "float4 inputs:scale = (1, 0.75, 0.5, 1)\n"));
	/* half as strong: to -1/2 .. 1/2, and strength 1/4: to 3/4 .. 1 */
	assert_non_null(strstr(prim("old_skin", "normal"),
		"token inputs:sourceColorSpace = \"raw\"\nfloat4 inputs:scale = (1, 1, 2, 1)\nfloat4 inputs:bias = (-0.5, -0.5, -1, "
		"0)\n"));
	assert_non_null(strstr(prim("old_skin", "occlusion"),
		"float4 inputs:scale = (0.25, 0.25, 0.25, 1)\nfloat4 inputs:bias = (0.75, 0.75, 0.75, 0)\n"));
	assert_non_null(strstr(prim("glass", "base_color"), WRAPS("clamp")));
	assert_true(ossai_file_exists(context, test_path("look_color.png")));
	assert_true(ossai_file_exists(context, test_path("look_both.png")));
	assert_true(ossai_file_exists(context, test_path("look_normal.png")));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void masks_and_sides(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	ossa_material *glass = test_dressed_material(mesh, 1);
	glass->alpha = OSSA_ALPHA_MASK;
	glass->alpha_cutoff = 0.25;
	glass->double_sided = true;
	glass->base_color_texture.uv_set = 1;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mask.usda"), NULL));
	load(test_path("mask.usda"));
	assert_non_null(strstr(text, "uniform bool doubleSided = 1\n"));
	assert_non_null(strstr(prim("glass", "Shader"),
		"color3f inputs:diffuseColor = (1, 1, 1)\nfloat inputs:metallic = 0\nfloat inputs:roughness = 0.9\nfloat "
		"inputs:opacity = "
		"0.5\nfloat inputs:opacityThreshold = 0.25\n"));
	assert_null(prim("glass", "base_color"));
	assert_int_equal(test_warned(context, "texture-uvs"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void names_of_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	test_file("w@ld 50%.png", "\x89PNG", 0);
	test_file("w.mtl", "newmtl a\nmap_Kd w@ld 50%.png\n", 0);
	assert_ok(context,
		ossa_read_mesh(
			context, test_file("w.obj", "mtllib w.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n", 0), NULL, &mesh));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("w.usda"), NULL));
	load(test_path("w.usda"));
	assert_non_null(strstr(text, "asset inputs:file = @@@./w@ld 50%.png@@@\n"));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void plain_surfaces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(
		context, ossa_read_mesh(context, test_file("p.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n", 0), NULL, &mesh));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("p.usda"), NULL));
	load(test_path("p.usda"));
	assert_string_equal(prim("a", "Shader"),
		"uniform token info:id = \"UsdPreviewSurface\"\nfloat inputs:metallic = 0\nfloat inputs:roughness = 0.9\ntoken "
		"outputs:surface\n");
	assert_non_null(strstr(text, "uniform bool doubleSided = 1\n"));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surfaces),
		cmocka_unit_test(faces_without_a_material),
		cmocka_unit_test(textures),
		cmocka_unit_test(masks_and_sides),
		cmocka_unit_test(names_of_files),
		cmocka_unit_test(plain_surfaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
