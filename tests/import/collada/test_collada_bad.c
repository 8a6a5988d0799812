/* tests/import/collada/test_collada_bad.c: a Collada file with everything in it, truncated
   anywhere, with memory failing anywhere; and files that claim much more than they hold. */
#include "import/collada/collada.h"
#include "support/dae.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A morph under a skin of two joints, with UVs, colours and a material; curves, matrices and
   weights that move; clips, limits. */
static char *rich;
static size_t rich_size;

static int load_rich(void **state)
{
	(void)state;
	FILE *stream = fopen(OSSA_SOURCE_DIR "/fuzz/seeds/collada/rich.dae", "rb");
	rich = calloc(20000, 1);
	if (!stream || !rich) return -1;
	rich_size = fread(rich, 1, 19999, stream);
	return fclose(stream);
}

static int free_rich(void **state)
{
	(void)state;
	free(rich);
	return 0;
}

/* reads all that a file may be asked for; OSSA_OK only where the rig can be read */
static ossa_status read_everything(ossa_context *context, const char *bytes, size_t size)
{
	const ossai_source source = {.path = "rich.dae", .bytes = (const uint8_t *)bytes, .size = size};
	ossai_asset asset;
	ossa_mesh *mesh = NULL;
	ossa_rig *rig = NULL;
	ossa_frames *frames = NULL;
	ossa_clip_facts *clips = NULL;
	size_t count;
	OSSAI_TRY(ossai_asset_open(context, &source, ossai_collada_read_asset, NULL, &asset));
	ossa_status status = ossai_asset_clips(&asset, &count, &clips);
	if (status == OSSA_OK) status = ossai_asset_rig(&asset, NULL, &rig);
	ossai_asset_close(&asset);
	if (status == OSSA_OK) status = ossa_rig_validate(context, rig);
	ossa_free(context, clips);
	ossa_rig_free(context, rig);
	if (status != OSSA_OK) return status;
	OSSAI_TRY(ossai_asset_open(context, &source, ossai_collada_read_asset, NULL, &asset));
	status = ossai_asset_animation(&asset, NULL, &mesh, &frames);
	ossai_asset_close(&asset);
	if (status == OSSA_OK) status = ossa_mesh_validate(context, mesh);
	if (status == OSSA_OK && frames) status = ossa_frames_validate(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	return status;
}

static void the_whole_file_is_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, read_everything(context, rich, rich_size));
	assert_ok(context, ossa_read_rig(context, test_file("rich.dae", rich, 0), NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 4);
	assert_non_null(rig->clip);
	assert_string_equal(rig->clip->name, "k");
	assert_int_equal(rig->mesh->vertex_count, 4);
	assert_int_equal(rig->mesh->material_count, 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void every_beginning_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t size = 1; size < rich_size - 3; size += size < 300 ? 1 : 9) {
		char *copy = malloc(size);
		assert_non_null(copy);
		memcpy(copy, rich, size);
		assert_fails(context, read_everything(context, copy, size), OSSA_ERROR_INPUT, "rich.dae");
		free(copy);
	}
	test_context_end(context);
}

/* any one element, text or attribute removed: a result or an error, never a crash */
static void any_piece_may_be_missing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char *copy = malloc(rich_size);
	int read = 0, refused = 0;
	assert_non_null(copy);
	for (const char *at = rich; (at = strpbrk(at + 1, "\"># ")) != NULL;) {
		/* up to the next mark: numbers, names, attributes, tags */
		const char *end = strpbrk(at + 1, "\"<# ");
		if (!end) break;
		const size_t before = (size_t)(at + 1 - rich), after = rich_size - (size_t)(end - rich);
		memcpy(copy, rich, before);
		memcpy(copy + before, end, after);
		const ossa_status status = read_everything(context, copy, before + after);
		if (status != OSSA_OK) assert_true(ossa_context_error(context)->message[0] != 0);
		read += status == OSSA_OK;
		refused += status != OSSA_OK;
	}
	assert_true(read > 50 && refused > 50);
	free(copy);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	(void)arg;
	return read_everything(context, rich, rich_size);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, NULL, 10000, 1) > 100);
}

/* ---- small files that ask for much ---- */

/* `count` copies of a piece between two others */
static char *repeated(const char *first, const char *piece, size_t count, const char *last)
{
	const size_t size = strlen(piece);
	char *text = malloc(strlen(first) + count * size + strlen(last) + 1), *at = text;
	assert_non_null(text);
	at = stpcpy(at, first);
	for (size_t i = 0; i < count; i++, at += size) memcpy(at, piece, size);
	strcpy(at, last);
	return text;
}

/* refused or read in a time and memory that belong to the file's size */
static void check_cost(char *text)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	const clock_t begin = clock();
	const char *path = test_file("much.dae", text, 0);
	const ossa_status status = ossa_read_animation(context, path, NULL, &mesh, &frames);
	const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	const size_t most = ((size_t)32 << 20) + 1024 * strlen(text);
	assert_true(status == OSSA_OK || ossa_context_error(context)->message[0] != 0);
	if (seconds > 20) fail_msg("%g seconds", seconds);
	if (ossa_context_peak_bytes(context) > most) fail_msg("%zu bytes", ossa_context_peak_bytes(context));
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	free(text);
	test_context_end(context);
}

static void much_is_not_taken_for_granted(void **state)
{
	(void)state;
	/* the same source of keys for many channels */
	char *keys = repeated("<COLLADA>" SQUARE SCENE("<node id=\"n\"><translate sid=\"t\">0 0 0</translate>" INSTANCE(
							  "Square") "</node>") "<library_animations><animation><source id=\"i\"><float_array>",
		"1 2 3 4 5 6 7 8 9 ", 5000, "</float_array></source>");
	char *samplers = repeated(keys, "<channel source=\"#s\" target=\"n/t.X\"/>", 5000,
		"<sampler id=\"s\">" INPUT("INPUT", "i") INPUT("OUTPUT", "i") "</sampler></animation></library_animations></COLLADA>");
	free(keys);
	check_cost(samplers);
	/* nodes, ids and joints of one name */
	char *nodes = repeated("<COLLADA>" SQUARE "<library_visual_scenes><visual_scene><node>" INSTANCE("Square") "</node>",
		"<node id=\"n\" sid=\"n\" name=\"n\"/>", 20000, "</visual_scene></library_visual_scenes><library_animations>");
	char *channels = repeated(
		nodes, "<animation><channel source=\"#s\" target=\"n/t/u.X\"/></animation>", 20000, "</library_animations></COLLADA>");
	free(nodes);
	check_cost(channels);
	/* clips of all animations */
	char *clips = repeated("<COLLADA>" SQUARE SCENE("<node id=\"n\"><translate sid=\"t\">0 0 0</translate>" INSTANCE(
							   "Square") "</node>") "<library_animations><animation id=\"all\"><source id=\"i\"><float_array>1 "
													"2</float_array></source><sampler id=\"s\">" INPUT("INPUT", "i")
														INPUT("OUTPUT", "i") "</sampler>",
		"<channel source=\"#s\" target=\"n/t.X\"/>", 3000, "</animation></library_animations><library_animation_clips>");
	char *plays = repeated(clips, "<animation_clip><instance_animation url=\"#all\"/></animation_clip>", 3000,
		"</library_animation_clips></COLLADA>");
	free(clips);
	check_cost(plays);
	/* one mesh with many primitives that each bring the same UVs and normals in turn */
	char *numbers = repeated("<COLLADA><library_geometries><geometry id=\"G\"><mesh>" SQUARE_POSITIONS VERTICES(
								 "P") "<source id=\"T\"><float_array>",
		"1 2 3 4 5 6 7 8 9 ", 3000,
		"</float_array><technique_common><accessor stride=\"3\"/></technique_common></source>" SOURCE("U", "1", "2", "0 0"));
	char *primitives = repeated(numbers,
		"<triangles>" INPUT_AT("VERTEX", "P-vertices", "0")
			INPUT_AT("TEXCOORD", "T", "0") "<p>0 1 2</p></triangles><triangles>" INPUT_AT("VERTEX", "P-vertices", "0")
				INPUT_AT("TEXCOORD", "U", "0") "<p>0 1 2</p></triangles>",
		2000, "</mesh></geometry></library_geometries></COLLADA>");
	free(numbers);
	check_cost(primitives);
	/* many faces, and many instances of them */
	char *faces = repeated("<COLLADA><library_geometries><geometry id=\"G\"><mesh>" SQUARE_POSITIONS VERTICES(
							   "P") "<triangles>" INPUT_AT("VERTEX", "P-vertices", "0") "<p>",
		"0 1 2 ", 10000, "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene>");
	char *instances = repeated(
		faces, "<node>" INSTANCE("G") "</node>", 3000, "</visual_scene></library_visual_scenes></COLLADA>");
	free(faces);
	check_cost(instances);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_file_is_read),
		cmocka_unit_test(every_beginning_is_refused),
		cmocka_unit_test(any_piece_may_be_missing),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(much_is_not_taken_for_granted),
	};
	return cmocka_run_group_tests(tests, load_rich, free_rich);
}
