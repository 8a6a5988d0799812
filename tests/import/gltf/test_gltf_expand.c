/* tests/import/gltf/test_gltf_expand.c: compressed files by what is around the compressed data:
   what a build reads, what it refuses and what is left when it is expanded.
   tests/command/test_compressed.py has the data. */
#include "import/gltf/gltf_expand.h"
#include "scene/document.h"
#include "support/faults.h"
#include "support/gltf_file.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char one_mesh[] = "{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}";
static const char *const names[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};

static void compressions_are_known_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) assert_string_equal(ossai_gltf_compression_of(names[i])->name, names[i]);
	assert_null(ossai_gltf_compression_of("KHR_texture_basisu"));
	assert_null(ossai_gltf_compression_of(""));
}

/* what this build does not read is refused with the package and the command that expands; what it
   reads may be required though nothing is compressed */
static void required_compressions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 3; i++) {
		test_gltf file;
		test_asset opened;
		char required[64];
		const ossai_gltf_compression *compression = ossai_gltf_compression_of(names[i]);
		snprintf(required, sizeof required, "['%s']", names[i]);
		test_gltf_begin_square(&file, one_mesh);
		test_gltf_change(&file, "extensionsRequired", required);
		const char *path = test_gltf_write_glb(&file, "required.glb");
		if (compression->is_read) {
			assert_ok(context, test_asset_open(context, path, &opened));
			test_asset_close(context, &opened);
			continue;
		}
		assert_fails(context, test_asset_open(context, path, &opened), OSSA_ERROR_INPUT, names[i]);
		assert_non_null(strstr(ossa_context_error(context)->message, compression->package));
		assert_non_null(strstr(ossa_context_error(context)->message, "npx @gltf-transform/cli copy IN OUT"));
	}
	test_context_end(context);
}

/* the library for a view, or the view uncompressed beside it, must be there */
static void views_without_anything(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	test_gltf_begin_square(&file, one_mesh);
	test_gltf_change(&file, "buffers/1", "{'byteLength':48}");
	test_gltf_change(&file, "bufferViews/0/extensions", "{'EXT_meshopt_compression':{}}");
	test_gltf_change(&file, "bufferViews/0/buffer", "1");
	assert_fails(context, test_asset_open(context, test_gltf_write_glb(&file, "bad.glb"), &opened), OSSA_ERROR_INPUT,
		"EXT_meshopt_compression");
	test_context_end(context);
}

/* a primitive whose accessors have data needs no library; one whose accessors have none does */
static void primitives_with_and_without_data(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int has_data = 1; has_data >= 0; has_data--) {
		test_gltf file;
		test_asset opened;
		test_gltf_begin_square(&file, one_mesh);
		test_gltf_change(&file, "extensionsUsed", "['KHR_draco_mesh_compression','KHR_xmp']");
		test_gltf_change(
			&file, "meshes/0/primitives/0/extensions", "{'KHR_draco_mesh_compression':{'attributes':{'POSITION':0}}}");
		if (!has_data) test_gltf_change(&file, "accessors/0/bufferView", "null");
		const char *path = test_gltf_write_glb(&file, "draco.glb");
		if (!has_data) {
			assert_fails(context, test_asset_open(context, path, &opened), OSSA_ERROR_INPUT, "KHR_draco_mesh_compression");
			continue;
		}
		assert_ok(context, test_asset_open(context, path, &opened));
		assert_int_equal(opened.asset.meshes[0].mesh->vertex_count, 4);
		/* what is kept says nothing of it any more */
		char *text = json_dumps(opened.asset.document->root, JSON_COMPACT);
		assert_null(strstr(text, "draco"));
		assert_non_null(strstr(text, "\"extensionsUsed\":[\"KHR_xmp\"]"));
		assert_int_equal(opened.asset.document->expanded, 1);
		free(text);
		test_asset_close(context, &opened);
	}
	test_context_end(context);
}

/* compressed files with every allocation failing once; those that this build does not read are
   refused */
static void every_allocation_may_fail(void **state)
{
	(void)state;
	static const struct {
		const char *path, *name;
	} files[] = {{OSSA_SOURCE_DIR "/fuzz/seeds/glb/meshopt.glb", "EXT_meshopt_compression"},
		{OSSA_SOURCE_DIR "/fuzz/seeds/glb/draco.glb", "KHR_draco_mesh_compression"},
		{OSSA_SOURCE_DIR "/fuzz/seeds/glb/draco-edgebreaker.glb", "KHR_draco_mesh_compression"}};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = NULL;
		const bool is_read = ossai_gltf_compression_of(files[i].name)->is_read;
		assert_int_equal(ossa_read_mesh(context, files[i].path, NULL, &mesh), is_read ? OSSA_OK : OSSA_ERROR_INPUT);
		if (is_read) assert_int_equal(mesh->triangle_count, 12);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
		if (is_read) test_sweep_read_mesh(files[i].path, 10);
	}
}

/* Draco's memory counts as the context's */
static void memory_is_limited(void **state)
{
	(void)state;
	if (!ossai_gltf_compression_of(names[0])->is_read) skip();
	ossa_context_options options = ossa_context_default();
	ossa_context *context;
	ossa_mesh *mesh;
	options.memory_limit = 16000;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	assert_int_equal(ossa_read_mesh(context, OSSA_SOURCE_DIR "/fuzz/seeds/glb/draco.glb", NULL, &mesh), OSSA_ERROR_LIMIT);
	/* the same cube without it */
	assert_int_equal(ossa_read_mesh(context, OSSA_SOURCE_DIR "/fuzz/seeds/glb/meshopt.glb", NULL, &mesh),
		ossai_gltf_compression_of(names[1])->is_read ? OSSA_OK : OSSA_ERROR_INPUT);
	ossa_mesh_free(context, mesh);
	ossa_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compressions_are_known_by_name),
		cmocka_unit_test(required_compressions),
		cmocka_unit_test(views_without_anything),
		cmocka_unit_test(primitives_with_and_without_data),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(memory_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
