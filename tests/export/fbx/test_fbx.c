/* tests/export/fbx/test_fbx.c: rigs through an FBX file and back, where ossa is built with
   assimp; malicious files. */
#include "base/context.h"
#include "import/fbx/fbx_guard.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* whether FBX can be read; says so where it cannot */
static bool can_read(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	print_message("skipped: this build has no FBX reader (libassimp-dev)\n");
	return false;
}

static uint8_t *file_bytes(ossa_context *context, const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	uint8_t *bytes = ossa_alloc(context, *size, 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

/* ---- round trips ---- */

/* assimp numbers vertices by their first use in the faces, which come back in their order unless
   materials sort them: the vertex of `back` for each of `rig`, by position */
static uint32_t *match_vertices(ossa_context *context, const ossa_rig *rig, const ossa_rig *back)
{
	const size_t count = rig->mesh->vertex_count;
	assert_int_equal(back->mesh->vertex_count, count);
	uint32_t *found = ossa_alloc(context, count, sizeof *found);
	assert_non_null(found);
	for (size_t v = 0; v < count; v++) {
		double nearest = INFINITY;
		for (uint32_t w = 0; w < count; w++) {
			const double far = ossai_distance(
				ossai_v3_of_float(rig->mesh->positions + 3 * v), ossai_v3_of_float(back->mesh->positions + 3 * w));
			if (far >= nearest) continue;
			nearest = far;
			found[v] = w;
		}
		assert_true(nearest < 1e-5 * test_diagonal(rig->mesh));
	}
	return found;
}

static void assert_same_bones(const ossa_rig *a, const ossa_rig *b, double length)
{
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		const ossa_bone *x = &a->skeleton.bones[i], *y = NULL;
		for (size_t k = 0; k < b->skeleton.bone_count; k++) {
			if (strcmp(b->skeleton.bones[k].name, x->name) == 0) y = &b->skeleton.bones[k];
		}
		assert_non_null(y);
		assert_int_equal(x->parent < 0, y->parent < 0);
		if (x->parent >= 0) {
			assert_string_equal(a->skeleton.bones[x->parent].name, b->skeleton.bones[y->parent].name);
		}
		assert_near_vec3(ossai_v3_of(x->joint), ossai_v3_of(y->joint), 1e-6 * length);
		const double turn = ossai_quat_dot(ossai_quat_of(x->orientation), ossai_quat_of(y->orientation));
		assert_near(fabs(turn), 1, 1e-6);
	}
}

static void assert_same_weights(const ossa_rig *a, const ossa_rig *b, const uint32_t *match)
{
	for (size_t v = 0; v < a->mesh->vertex_count; v++) {
		for (size_t i = 0; i < a->skeleton.bone_count; i++) {
			const char *name = a->skeleton.bones[i].name;
			assert_near(test_weight_named(a, v, name), test_weight_named(b, match[v], name), 1e-6f);
		}
	}
}

static void check_round_trip(ossa_context *context, const ossa_rig *rig, const ossa_write_options *options)
{
	ossa_rig *back;
	assert_ok(context, ossa_write_rig(context, rig, test_path("trip.fbx"), options));
	assert_ok(context, ossa_read_rig(context, test_path("trip.fbx"), NULL, &back));
	uint32_t *match = match_vertices(context, rig, back);
	assert_same_bones(rig, back, test_diagonal(rig->mesh));
	assert_same_weights(rig, back, match);
	assert_int_equal(rig->mesh->triangle_count, back->mesh->triangle_count);
	assert_non_null(back->clip);
	assert_int_equal(rig->clip->frame_count, back->clip->frame_count);
	for (size_t f = 0; f < rig->clip->frame_count; f++) assert_near(rig->clip->times[f], back->clip->times[f], 1e-6);
	const double difference = test_largest_difference(context, rig, back, match);
	if (difference > 1e-5) fail_msg("vertices differ by %g of the diagonal", difference);
	ossa_free(context, match);
	ossa_rig_free(context, back);
}

static void rig_comes_back(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig;
	options.leaf_bones = true;
	assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
	check_round_trip(context, rig, &options);
	ossa_rig *back;
	assert_ok(context, ossa_read_rig(context, test_path("trip.fbx"), NULL, &back));
	assert_null(back->clip->translations);
	/* two materials of its own, and one for faces that have none */
	assert_int_equal(back->mesh->material_count, 3);
	assert_non_null(back->mesh->corner_texcoord);
	assert_non_null(back->mesh->colors);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* axes, units and joint frames change the file's numbers and not the rig */
static void conventions_are_honoured(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig;
	options.up = OSSA_UP_Z;
	options.unit = 0.0254;
	assert_ok(context, test_rich_rig(context, 1000, 4, 6, &rig));
	check_round_trip(context, rig, &options);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void free_bones_come_back(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, test_rich_rig_slides(context, rig));
	check_round_trip(context, rig, NULL);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void mesh_comes_back(void **state)
{
	(void)state;
	if (!can_read()) skip();
	static const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh, *back;
	static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 1, 4};
	assert_ok(context, ossa_mesh_create(context, 5, positions, 3, triangles, &mesh));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mesh.fbx"), NULL));
	assert_ok(context, ossa_read_mesh(context, test_path("mesh.fbx"), NULL, &back));
	/* metres became centimetres and metres again; vertices are in the order of their first use,
	   which is their own */
	assert_int_equal(back->vertex_count, 5);
	for (size_t i = 0; i < 15; i++) assert_near(back->positions[i], positions[i], 1e-6f);
	assert_memory_equal(back->triangles, triangles, sizeof triangles);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

/* ---- what is written ---- */

/* how often a text occurs in a file */
static size_t count_text(const uint8_t *bytes, size_t size, const char *text)
{
	const size_t length = strlen(text);
	size_t count = 0;
	for (size_t i = 0; i + length <= size; i++) count += memcmp(bytes + i, text, length) == 0;
	return count;
}

/* needs no reader: the file is valid, the same every time, and complete */
static void file_is_sound(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	size_t size, again_size;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("one.fbx"), NULL));
	assert_ok(context, ossa_write_rig(context, rig, test_path("two.fbx"), NULL));
	uint8_t *bytes = file_bytes(context, test_path("one.fbx"), &size);
	uint8_t *again = file_bytes(context, test_path("two.fbx"), &again_size);
	const ossai_source source = {.path = "one.fbx", .bytes = bytes, .size = size};
	size_t unpacked;
	assert_true(ossai_fbx_detect(bytes, size));
	assert_ok(context, ossai_fbx_check(context, &source, &unpacked));
	assert_int_equal(size, again_size);
	assert_memory_equal(bytes, again, size);
	const size_t bones = rig->skeleton.bone_count;
	/* one definition, one model and one attribute each; a cluster for each bone, a curve for each
	   rotation and the root's position */
	assert_int_equal(count_text(bytes, size, "Cluster"), bones);
	assert_int_equal(count_text(bytes, size, "PreRotation"), bones);
	assert_int_equal(count_text(bytes, size, "KeyValueFloat"), 3 * (bones + 1));
	assert_int_equal(count_text(bytes, size, "PoseNode"), bones + 1 + 1);
	/* the foot makes the size a multiple of 16 */
	assert_int_equal((size - 16 - 120 - 4) % 16, 0);
	ossa_free(context, bytes);
	ossa_free(context, again);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void failing_allocations_are_survived_writing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	test_sweep_write(&(test_writing){.rig = rig, .options = &options}, "sweep.fbx", 6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status read_body(ossa_context *context, void *path)
{
	ossa_rig *rig;
	OSSAI_TRY(ossa_read_rig(context, path, NULL, &rig));
	ossa_rig_free(context, rig);
	return OSSA_OK;
}

static void failing_allocations_are_survived_reading(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	char path[1024];
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	snprintf(path, sizeof path, "%s", test_path("read.fbx"));
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	assert_true(test_allocation_sweep(read_body, path, 40, 29) > 50);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- the guard ---- */

static uint8_t *small_file(ossa_context *context, size_t *size)
{
	static const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
	static const uint32_t triangles[] = {0, 1, 2};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 3, positions, 1, triangles, &mesh));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("small.fbx"), NULL));
	ossa_mesh_free(context, mesh);
	return file_bytes(context, test_path("small.fbx"), size);
}

/* answers, and what is let through is read without harm */
static ossa_status guard_bytes(ossa_context *context, const uint8_t *bytes, size_t size)
{
	const ossai_source source = {.path = "bytes.fbx", .bytes = bytes, .size = size};
	size_t unpacked;
	const ossa_status status = ossai_fbx_check(context, &source, &unpacked);
	if (status != OSSA_OK) assert_true(ossa_context_error(context)->message[0] != 0);
	return status;
}

static ossa_status check_bytes(ossa_context *context, const uint8_t *bytes, size_t size)
{
	const ossa_status status = guard_bytes(context, bytes, size);
	if (status != OSSA_OK) return status;
	ossa_mesh *mesh = NULL;
	if (size > 0) (void)ossa_read_mesh(context, test_file("bytes.fbx", bytes, size), NULL, &mesh);
	ossa_mesh_free(context, mesh);
	return OSSA_OK;
}

static void cut_files_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	size_t size;
	uint8_t *bytes = small_file(context, &size);
	/* the foot alone may be missing: nothing in it counts */
	const size_t foot = 16 + 120 + 4 + 16 + 4 + 16 + 13;
	for (size_t cut = 18; cut < size - foot; cut++) assert_int_equal(check_bytes(context, bytes, cut), OSSA_ERROR_INPUT);
	assert_ok(context, check_bytes(context, bytes, size));
	ossa_free(context, bytes);
	test_context_end(context);
}

/* every byte once something else: an answer each time; the library, which begins a process, is
   asked for one in so many of those that it may have */
static void changed_bytes_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	size_t size;
	uint8_t *bytes = small_file(context, &size);
	uint64_t random = 11;
	size_t passed = 0;
	for (size_t i = 0; i < size - 160; i++) {
		const uint8_t was = bytes[i];
		bytes[i] = (uint8_t)(127 * (1 + test_random(&random)));
		if (guard_bytes(context, bytes, size) == OSSA_OK && passed++ % 4 == 0) check_bytes(context, bytes, size);
		bytes[i] = was;
	}
	ossa_free(context, bytes);
	test_context_end(context);
}

/* where the bytes of an array property of that name begin, behind its letter */
static uint8_t *find_array(uint8_t *bytes, size_t size, const char *name)
{
	const size_t length = strlen(name);
	for (size_t i = 0; i + length < size; i++) {
		if (memcmp(bytes + i, name, length) == 0) return bytes + i + length + 1;
	}
	fail_msg("no %s", name);
	return NULL;
}

static void lengths_that_lie_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	size_t size;
	uint8_t *bytes = small_file(context, &size);
	uint8_t *array = find_array(bytes, size, "PolygonVertexIndex");
	assert_int_equal(array[-1], 'i');
	/* 2^30 numbers in 12 bytes: as they are, and packed beyond what zlib can do */
	array[3] = 0x40;
	assert_fails(context, check_bytes(context, bytes, size), OSSA_ERROR_INPUT, "longer than its bytes can hold");
	array[4] = 1;
	assert_fails(context, check_bytes(context, bytes, size), OSSA_ERROR_INPUT, "longer than its bytes can hold");
	array[4] = 2;
	assert_fails(context, check_bytes(context, bytes, size), OSSA_ERROR_INPUT, "unknown encoding");
	ossa_free(context, bytes);
	test_context_end(context);
}

static void memory_limit_holds_for_the_library(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	ossa_context *context, *narrow;
	ossa_rig *rig;
	context = test_context(1);
	assert_ok(context, test_rich_rig(context, 4000, 8, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("wide.fbx"), NULL));
	size_t size;
	uint8_t *bytes = file_bytes(context, test_path("wide.fbx"), &size);
	options.memory_limit = 3 * size;
	assert_int_equal(ossa_context_create(&options, &narrow), OSSA_OK);
	const ossai_source source = {.path = "wide.fbx", .bytes = bytes, .size = size};
	assert_fails(narrow, ossai_fbx_check(narrow, &source, &size), OSSA_ERROR_LIMIT, "memory limit");
	ossa_context_free(narrow);
	ossa_free(context, bytes);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void assert_refused(const char *text, size_t size, const char *words)
{
	ossa_context *context = test_context(1);
	const ossai_source source = {.path = "text.fbx", .bytes = (const uint8_t *)text, .size = size ? size : strlen(text)};
	size_t unpacked;
	assert_fails(context, ossai_fbx_check(context, &source, &unpacked), OSSA_ERROR_INPUT, words);
	test_context_end(context);
}

static void old_and_broken_files_are_named(void **state)
{
	(void)state;
	assert_refused("Kaydara FBX Binary  \0\x1a\0\xd4\x17\0\0", 27, "FBX 6.1, from before 2011");
	assert_refused("Kaydara FBX Binary  ", 0, "header is incomplete");
	assert_refused("; FBX 6.1.0 project file\nFBXHeaderExtension: {\n  FBXVersion: 6100\n}\n", 0, "FBX 6.1");
	assert_refused("; FBX 7.4.0 project file\n", 0, "has no version");
	assert_refused("; FBX 7.4.0 project file\nFBXVersion: 7400\nVertices: *4000000000 {\n a: 0 }\n", 0, "longer than the file");
	static char deep[1024] = "; FBX 7.4.0 project file\nFBXVersion: 7400\n";
	memset(deep + strlen(deep), '{', 100);
	assert_refused(deep, 0, "nested deeper than 64");
	/* braces and stars in strings and comments mean nothing */
	static char quoted[1024] = "; FBX *9999999999 {{{\nFBXVersion: 7400\nName: \"*9999999999";
	memset(quoted + strlen(quoted), '{', 100);
	strcat(quoted, "\"\n");
	ossa_context *context = test_context(1);
	const ossai_source source = {.path = "quoted.fbx", .bytes = (const uint8_t *)quoted, .size = strlen(quoted)};
	size_t unpacked;
	assert_ok(context, ossai_fbx_check(context, &source, &unpacked));
	test_context_end(context);
}

/* 200 records inside each other, each of them in order */
static void deep_records_are_refused(void **state)
{
	(void)state;
	enum { DEPTH = 200, HEAD = 27, RECORD = 14 };
	static uint8_t bytes[HEAD + DEPTH * (RECORD + 13)];
	memcpy(bytes, "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", HEAD);
	for (size_t i = 0; i < DEPTH; i++) {
		uint8_t *record = bytes + HEAD + i * RECORD;
		const uint32_t end = (uint32_t)(sizeof bytes - 13 * i);
		for (int k = 0; k < 4; k++) record[k] = (uint8_t)(end >> (8 * k));
		record[12] = 1;
		record[13] = 'a';
	}
	assert_refused((const char *)bytes, sizeof bytes, "nested deeper than 64");
}

/* what fuzzing found, and the seeds it began with: read, or refused with a message; assimp's end is
   not ours */
static void seeds_are_survived(void **state)
{
	(void)state;
	if (!can_read()) skip();
	static const char *const names[] = {"quad-rig", "ascii", "stops-assimp"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ossa_context *context = test_context(1);
		char path[1024];
		ossa_mesh *mesh;
		snprintf(path, sizeof path, "%s/fuzz/seeds/fbx/%s.fbx", OSSA_SOURCE_DIR, names[i]);
		if (i < 2) assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
		else assert_fails(context, ossa_read_mesh(context, path, NULL, &mesh), OSSA_ERROR_INPUT, "cannot be read as FBX");
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

/* what assimp makes of an ASCII file: a pre-rotation and a shape, in inches, Z up */
static void units_axes_and_shapes_are_read(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, OSSA_SOURCE_DIR "/fuzz/seeds/fbx/ascii.fbx", NULL, &mesh));
	/* (1, 0, 0) turned about z and moved by (1, 2, 3) is (1, 3, 3); Y up that is (1, 3, -3), in
	   metres */
	const float *p = mesh->positions + 3;
	assert_near(p[0], 0.0254f, 1e-6f);
	assert_near(p[1], 0.0762f, 1e-6f);
	assert_near(p[2], -0.0762f, 1e-6f);
	assert_int_equal(mesh->vertex_count, 4);
	assert_int_equal(mesh->polygon_count, 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rig_comes_back),
		cmocka_unit_test(conventions_are_honoured),
		cmocka_unit_test(free_bones_come_back),
		cmocka_unit_test(mesh_comes_back),
		cmocka_unit_test(file_is_sound),
		cmocka_unit_test(failing_allocations_are_survived_writing),
		cmocka_unit_test(failing_allocations_are_survived_reading),
		cmocka_unit_test(cut_files_are_refused),
		cmocka_unit_test(changed_bytes_are_survived),
		cmocka_unit_test(lengths_that_lie_are_refused),
		cmocka_unit_test(memory_limit_holds_for_the_library),
		cmocka_unit_test(old_and_broken_files_are_named),
		cmocka_unit_test(deep_records_are_refused),
		cmocka_unit_test(seeds_are_survived),
		cmocka_unit_test(units_axes_and_shapes_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
