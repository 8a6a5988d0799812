/* tests/import/gltf/test_gltf_buffers.c: sources of the bytes of glTF files, versions, and
   unsupported extensions. */
#include "support/gltf_file.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static void begin(test_gltf *file)
{
	test_gltf_begin(file, "{'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}");
	test_gltf_accessor(file, square, 4, TEST_F32, "VEC3");
}

static void assert_square(ossa_context *context, const char *path)
{
	test_asset opened;
	assert_ok(context, test_asset_open(context, path, &opened));
	assert_memory_equal(opened.asset.meshes[0].mesh->positions, square, sizeof square);
	test_asset_close(context, &opened);
}

/* ---- files beside ---- */

static void buffers_may_be_files_beside(void **state)
{
	(void)state;
	static const struct {
		const char *uri, *file;
	} cases[] = {{"square.bin", "square.bin"}, {"the%20square.bin", "the square.bin"}, {"the square.bin", "the square.bin"},
		{"100%25.bin", "100%.bin"}, {"100%.bin", "100%.bin"}, {"parts/inner.bin", "parts/inner.bin"},
		{"./parts/inner.bin", "parts/inner.bin"}, {"w%C3%BCrfel.bin", "würfel.bin"}, {"..bin", "..bin"}};
	ossa_context *context = test_context(1);
	mkdir(test_path("parts"), 0777);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test_gltf file;
		begin(&file);
		test_file(cases[i].file, square, sizeof square);
		assert_square(context, test_gltf_write_text(&file, "beside.gltf", cases[i].uri));
		unlink(test_path(cases[i].file));
	}
	test_context_end(context);
}

/* a file must not say where on this machine or on the net to look */
static void other_places_are_refused(void **state)
{
	(void)state;
	static const char *const outside[] = {"../square.bin", "parts/../../square.bin", "%2e%2e/square.bin", "..%2Fsquare.bin",
		"/etc/passwd", "%2Fetc%2Fpasswd", "//host/square.bin", "..\\square.bin", "\\\\host\\square.bin", "..", "", "a%00b"};
	static const char *const schemes[] = {
		"http://host/square.bin", "https:square.bin", "file:///etc/passwd", "C:\\square.bin", "FILE:square.bin", "blob:1"};
	ossa_context *context = test_context(1);
	test_asset opened;
	test_gltf file;
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		begin(&file);
		assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "out.gltf", outside[i]), &opened),
			OSSA_ERROR_INPUT, "outside the file's own folder");
	}
	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
		begin(&file);
		assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "out.gltf", schemes[i]), &opened),
			OSSA_ERROR_INPUT, "only files in the same folder");
	}
	test_context_end(context);
}

static void missing_files_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_asset opened;
	test_gltf file;
	begin(&file);
	assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "missing.gltf", "not-here.bin"), &opened),
		OSSA_ERROR_READ, "not-here.bin");
	assert_non_null(strstr(ossa_context_error(context)->message, "No such file"));
	begin(&file);
	test_file("short.bin", square, 47);
	assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "short.gltf", "short.bin"), &opened),
		OSSA_ERROR_INPUT, "buffer 0 says 48 bytes, there are 47");
	/* a buffer that nothing needs (an image's) is not looked for */
	begin(&file);
	test_gltf_change(&file, "buffers/1", "{'byteLength':10,'uri':'not-here.bin'}");
	assert_square(context, test_gltf_write_glb(&file, "images.glb"));
	test_context_end(context);
}

/* ---- data URIs ---- */

/* sizes of all remainders, so that every end of base64 is met */
static void data_uris_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t more = 0; more < 6; more++) {
		test_gltf file;
		begin(&file);
		for (size_t i = 0; i < more; i++) file.bytes[file.size++] = (uint8_t)(250 + i);
		char *uri = test_gltf_data_uri(&file);
		/* some writers leave the padding out */
		if (more % 2) *(strchr(uri, '=') ? strchr(uri, '=') : uri + strlen(uri)) = 0;
		assert_square(context, test_gltf_write_text(&file, "data.gltf", uri));
		free(uri);
	}
	test_context_end(context);
}

static size_t replace_all(const char *text, const char *from, const char *with, char *out)
{
	size_t size = 0;
	while (*text) {
		const bool found = strncmp(text, from, strlen(from)) == 0;
		size += (size_t)sprintf(out + size, "%s", found ? with : (char[]){*text, 0});
		text += found ? strlen(from) : 1;
	}
	return size;
}

/* long data URIs do not go through the JSON library, except where they have escapes; "data:0" is
   nothing */
static void long_data_uris_are_read(void **state)
{
	(void)state;
	static char text[20000], changed[30000];
	ossa_context *context = test_context(1);
	test_asset opened;
	test_gltf file;
	for (int escaped = 0; escaped < 2; escaped++) {
		begin(&file);
		for (size_t i = 0; i < 4000; i++) file.bytes[file.size++] = (uint8_t)(i * 7919 >> 3);
		char *uri = test_gltf_data_uri(&file);
		test_gltf_change(&file, "images", "[{'name':'\\\\ and \\u0041'}]");
		json_object_set_new(json_array_get(json_object_get(file.root, "images"), 0), "uri", json_string(uri));
		json_array_append_new(json_object_get(file.root, "buffers"), json_pack("{s:s,s:i}", "uri", uri, "byteLength", 4048));
		test_gltf_change(&file, "bufferViews/0/buffer", "1");
		const char *path = test_gltf_write_text(&file, "long.gltf", "data:0");
		memset(text, 0, sizeof text);
		assert_true(test_read_bytes(path, text, sizeof text) > 10000);
		free(uri);
		const size_t size = replace_all(text, "/", escaped ? "\\/" : "/", changed);
		assert_square(context, test_file("long.gltf", changed, size));
		/* a quote that never comes */
		char *last = strrchr(changed, '=');
		assert_non_null(last);
		assert_fails(context, test_asset_open(context, test_file("long.gltf", changed, (size_t)(last - changed)), &opened),
			OSSA_ERROR_INPUT, "is not good JSON");
	}
	/* a URI that only looks like a reference to another one */
	begin(&file);
	assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "token.gltf", "data:0"), &opened),
		OSSA_ERROR_INPUT, "without data");
	test_context_end(context);
}

/* plain ones, with bytes as %XX */
static void data_uris_without_base64_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	char uri[256] = "data:application/octet-stream,";
	begin(&file);
	for (size_t i = 0; i < file.size; i++) {
		const bool plain = file.bytes[i] == '?';
		snprintf(uri + strlen(uri), 4, plain ? "%c" : "%%%02x", file.bytes[i]);
	}
	assert_square(context, test_gltf_write_text(&file, "percent.gltf", uri));
	test_context_end(context);
}

static void bad_data_uris_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *uri, *words;
	} cases[] = {{"data:;base64,AA*A", "not base64"}, {"data:;base64,AA=A", "not base64"}, {"data:;base64", "without data"},
		{"data:;base64,", "says 48 bytes, there are 0"}, {"data:;base64,AAAA", "says 48 bytes, there are 3"},
		{"data:,abc", "says 48 bytes, there are 3"}};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		test_gltf file;
		test_asset opened;
		begin(&file);
		assert_fails(context, test_asset_open(context, test_gltf_write_text(&file, "bad.gltf", cases[i].uri), &opened),
			OSSA_ERROR_INPUT, cases[i].words);
	}
	test_context_end(context);
}

/* ---- versions and extensions ---- */

static void what_cannot_be_read_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *path, *value, *words, *more;
	} cases[] = {
		{"asset/version", "'1.0'", "glTF version 1.0", "export it again as glTF 2.0"},
		{"asset/version", "null", "does not say that it is glTF 2.0", NULL},
		{"asset/minVersion", "'2.1'", "glTF version 2.1", NULL},
		{"extensionsRequired", "['KHR_materials_unlit','EXT_mesh_gpu_instancing']", "EXT_mesh_gpu_instancing", "without inst"},
		{"extensionsRequired", "['ACME_voxels']", "ACME_voxels, which ossa does not read", "export it again without it"},
		{"extensionsRequired", "[7]", "(no name)", NULL},
	};
	ossa_context *context = test_context(1);
	test_gltf file;
	test_asset opened;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		begin(&file);
		test_gltf_change(&file, cases[i].path, cases[i].value);
		assert_fails(context, test_asset_open(context, test_gltf_write_glb(&file, "other.glb"), &opened), OSSA_ERROR_INPUT,
			cases[i].words);
		if (cases[i].more) assert_non_null(strstr(ossa_context_error(context)->message, cases[i].more));
	}
	/* version 1 of the container */
	static const uint8_t first[24] = {'g', 'l', 'T', 'F', 1, 0, 0, 0, 24, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' ', ' '};
	assert_fails(context, test_asset_open(context, test_file("one.glb", first, sizeof first), &opened), OSSA_ERROR_INPUT,
		"is GLB version 1; ossa reads version 2");
	test_context_end(context);
}

/* what only materials and images use does not touch the surface; what a mesh has, or nothing has,
   may */
static void unknown_looks_pass_through(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_asset opened;
	for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
		test_gltf file;
		begin(&file);
		test_gltf_change(&file, "extensionsRequired", "['ACME_shiny','KHR_materials_unlit']");
		test_gltf_change(
			&file, "materials", "[{'name':'a','pbrMetallicRoughness':{'extensions':{'ACME_shiny':{'more':[1]}}}}]");
		if (is_elsewhere) test_gltf_change(&file, "nodes/0/extensions", "{'ACME_shiny':{}}");
		const char *path = test_gltf_write_glb(&file, "shiny.glb");
		if (!is_elsewhere) assert_square(context, path);
		else assert_fails(context, test_asset_open(context, path, &opened), OSSA_ERROR_INPUT, "needs the extension ACME_shiny");
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void harmless_extensions_do_not_matter(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	begin(&file);
	test_gltf_change(&file, "extensionsRequired",
		"['KHR_mesh_quantization','KHR_texture_transform','KHR_materials_unlit','KHR_lights_punctual','KHR_texture_basisu']");
	test_gltf_change(&file, "extensionsUsed", "['ACME_voxels']");
	test_gltf_change(&file, "asset/minVersion", "'2.0'");
	assert_square(context, test_gltf_write_glb(&file, "fine.glb"));
	assert_int_equal(ossa_context_warning_count(context), 0);
	/* instances that a reader may leave out are said to be */
	begin(&file);
	test_gltf_change(&file, "nodes/0/extensions", "{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':0}}}");
	assert_square(context, test_gltf_write_glb(&file, "instances.glb"));
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "instances-ignored");
	test_context_end(context);
}

/* ---- what exporters leave around the text ---- */

/* not one empty chunk after the other, of which a damaged file may have hundreds of millions */
static void zeros_in_place_of_a_chunk_are_left(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	begin(&file);
	static uint8_t bytes[8192];
	const size_t size = test_read_bytes(test_gltf_write_glb(&file, "whole.glb"), bytes, sizeof bytes - 20);
	const uint32_t longer = (uint32_t)size + 20;
	memcpy(bytes + 8, &longer, 4);
	assert_square(context, test_file("filled.glb", bytes, longer));
	assert_int_equal(test_warned(context, "glb-bytes-left"), 20);
	test_context_end(context);
}

static void assert_cut(ossa_context *context, const uint8_t *bytes, size_t size, const char *words)
{
	test_asset opened;
	assert_fails(context, test_asset_open(context, test_file("cut.glb", bytes, size), &opened), OSSA_ERROR_INPUT, words);
}

/* wherever it ends, also where a program has corrected what the header says */
static void files_that_are_cut_off_say_so(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	begin(&file);
	static uint8_t bytes[8192];
	char words[96];
	const size_t size = test_read_bytes(test_gltf_write_glb(&file, "whole.glb"), bytes, sizeof bytes);
	const size_t text = bytes[12] + 256U * bytes[13], binary = 20 + text;
	for (size_t cut = 1; cut < size; cut += cut < 24 ? 1 : 13) {
		if (cut < 12) snprintf(words, sizeof words, "is cut off: a GLB begins with a header of 12 bytes, there are %zu", cut);
		else snprintf(words, sizeof words, "is cut off: its header says %zu bytes, there are %zu", size, cut);
		assert_cut(context, bytes, cut, words);
	}
	for (uint32_t cut = 12; cut < 20; cut++) {
		memcpy(bytes + 8, &cut, 4);
		snprintf(words, sizeof words, "at byte 12 a chunk should begin with 8 bytes, of which %u are left", cut - 12);
		assert_cut(context, bytes, cut, words);
	}
	const uint32_t ends[] = {30, (uint32_t)binary - 1, (uint32_t)binary, (uint32_t)binary + 5, (uint32_t)binary + 20};
	for (size_t i = 0; i < 5; i++) {
		memcpy(bytes + 8, &ends[i], 4);
		snprintf(words, sizeof words, "the chunk at byte %zu says %zu bytes, %zu are left", i < 2 ? 12 : binary,
			i < 2 ? text : size - binary - 8, ends[i] - (i < 2 ? 20 : binary + 8));
		assert_cut(context, bytes, ends[i], i == 2 || i == 3 ? "there are 0 in the file's BIN chunk: is it cut off?" : words);
	}
	/* the text alone */
	const uint32_t part = (uint32_t)text / 2, all = 20 + part;
	memcpy(bytes + 8, &all, 4);
	memcpy(bytes + 12, &part, 4);
	snprintf(words, sizeof words, "the text ends too early, after %u bytes", part);
	assert_cut(context, bytes, all, words);
	assert_cut(context, bytes + 20, part, words);
	test_context_end(context);
}

static void marks_and_zeros_around_json_are_passed_over(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_gltf file;
	begin(&file);
	char *uri = test_gltf_data_uri(&file), text[2048];
	const char *path = test_gltf_write_text(&file, "plain.gltf", uri);
	free(uri);
	memcpy(text, "\xef\xbb\xbf \n", 5);
	const size_t size = 5 + test_read_bytes(path, text + 5, sizeof text - 8);
	memset(text + size, 0, 3);
	assert_square(context, test_file("marked.gltf", text, size + 3));
	const ossa_read_format *format;
	assert_ok(context, ossa_read_detect(context, test_path("marked.gltf"), &format));
	assert_string_equal(format->name, "glb");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_may_be_files_beside),
		cmocka_unit_test(other_places_are_refused),
		cmocka_unit_test(missing_files_are_named),
		cmocka_unit_test(data_uris_are_read),
		cmocka_unit_test(long_data_uris_are_read),
		cmocka_unit_test(data_uris_without_base64_are_read),
		cmocka_unit_test(bad_data_uris_are_refused),
		cmocka_unit_test(what_cannot_be_read_is_named),
		cmocka_unit_test(unknown_looks_pass_through),
		cmocka_unit_test(harmless_extensions_do_not_matter),
		cmocka_unit_test(zeros_in_place_of_a_chunk_are_left),
		cmocka_unit_test(files_that_are_cut_off_say_so),
		cmocka_unit_test(marks_and_zeros_around_json_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
