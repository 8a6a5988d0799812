/* tests/export/test_write.c: the registry of writers, meshes as OBJ and PLY, frames as PC2 and
   MDD, and full disks. */
#include "base/context.h"
#include "support/looks.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <math.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const float corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5f, 0.1f, 1};

/* a quad and a triangle: polygons must stay polygons */
static ossa_mesh *make_mesh(ossa_context *context)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 5, corners, 3, (uint32_t[]){0, 1, 2, 0, 2, 3, 0, 1, 4}, &mesh));
	mesh->polygon_count = 2;
	mesh->corner_count = 7;
	memcpy(mesh->polygon_start, (uint32_t[]){0, 4, 7}, 3 * sizeof(uint32_t));
	memcpy(mesh->corner_vertex, (uint32_t[]){0, 1, 2, 3, 0, 1, 4}, 7 * sizeof(uint32_t));
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	assert_int_equal(mesh->triangle_count, 3);
	return mesh;
}

static void endings_pick_the_writer(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_write_format *format;
	assert_ok(context, ossa_write_detect(context, "a/b.GLB", &format));
	assert_string_equal(format->name, "glb");
	assert_fails(context, ossa_write_detect(context, "a.glb/b", &format), OSSA_ERROR_ARGUMENT, ".glb, .gltf, ");
	assert_null(format);
	ossa_mesh *mesh = make_mesh(context);
	assert_fails(
		context, ossa_write_mesh(context, mesh, NULL, "x.pc2", NULL), OSSA_ERROR_ARGUMENT, "a mesh as PC2 point cache");
	ossa_mesh_free(context, mesh);
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const ossa_write_format *row = ossa_write_format_at(i);
		assert_true(row->writes_mesh || row->writes_frames || row->writes_rig);
	}
	assert_null(ossa_write_format_at(ossa_write_format_count()));
	test_context_end(context);
}

/* the exact text: what other programs see */
static void obj_keeps_polygons(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context);
	char text[1024];
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("m.obj"), NULL));
	text[test_read_bytes(test_path("m.obj"), text, sizeof text - 1)] = 0;
	assert_string_equal(text, "o mesh\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.100000001 1\nf 1 2 3 4\nf 1 2 5\n");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void assert_same_floats(const float *a, const float *b, size_t count)
{
	for (size_t i = 0; i < count; i++) assert_true(a[i] == b[i]);
}

/* what is written is read again: positions exactly, UVs and materials where the format has them */
static void meshes_come_back(void **state)
{
	(void)state;
	static const char *const names[] = {"m.obj", "m.ply", "m.glb"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	const ossa_mesh *mesh = rig->mesh;
	const size_t count = mesh->vertex_count * 3;
	float *moved = ossa_alloc(context, count, sizeof *moved);
	for (size_t i = 0; i < count; i++) moved[i] = mesh->positions[i] * 1.1f + 0.3f;
	for (size_t i = 0; i < 6; i++) {
		ossa_mesh *back;
		const float *positions = i < 3 ? NULL : moved;
		assert_ok(context, ossa_write_mesh(context, mesh, positions, test_path(names[i % 3]), NULL));
		assert_ok(context, ossa_read_mesh(context, test_path(names[i % 3]), NULL, &back));
		assert_int_equal(back->vertex_count, mesh->vertex_count);
		assert_int_equal(back->triangle_count, mesh->triangle_count);
		assert_same_floats(back->positions, positions ? positions : mesh->positions, count);
		assert_true((back->corner_texcoord != NULL) == (i % 3 != 1));
		ossa_mesh_free(context, back);
	}
	ossa_free(context, moved);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_frames *make_frames(ossa_context *context, size_t vertex_count)
{
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 3, vertex_count, 25, &frames));
	for (size_t i = 0; i < 9 * vertex_count; i++) frames->positions[i] = (float)sin((double)i);
	return frames;
}

static void caches_come_back(void **state)
{
	(void)state;
	static const char *const names[] = {"c.pc2", "c.mdd"};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context);
	ossa_frames *frames = make_frames(context, mesh->vertex_count), *back;
	for (int i = 0; i < 2; i++) {
		const char *path = test_path(names[i]);
		assert_ok(context, ossa_write_frames(context, NULL, frames, path, NULL));
		assert_ok(context, ossa_read_frames(context, mesh, 1, &path, true, NULL, &back));
		assert_int_equal(back->frame_count, 3);
		assert_same_floats(back->positions, frames->positions, 9 * mesh->vertex_count);
		if (i == 1) assert_near(back->times[2], frames->times[2], 1e-6);
		ossa_frames_free(context, back);
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void headers_are_as_specified(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_frames *frames = make_frames(context, 5);
	char bytes[512];
	assert_ok(context, ossa_write_frames(context, NULL, frames, test_path("h.pc2"), NULL));
	assert_int_equal(test_read_bytes(test_path("h.pc2"), bytes, sizeof bytes), 32 + 3 * 5 * 12);
	assert_memory_equal(bytes, "POINTCACHE2\0\1\0\0\0\5\0\0\0\0\0\0\0\0\0\200?\3\0\0\0", 32);
	assert_ok(context, ossa_write_frames(context, NULL, frames, test_path("h.mdd"), NULL));
	assert_int_equal(test_read_bytes(test_path("h.mdd"), bytes, sizeof bytes), 8 + 3 * 4 + 3 * 5 * 12);
	assert_memory_equal(bytes, "\0\0\0\3\0\0\0\5\0\0\0\0=#\xd7\x0a", 16);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

/* a rig of a broken value never becomes a file */
static void broken_rigs_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	rig->weights.values[0] = NAN;
	assert_fails(context, ossa_write_rig(context, rig, test_path("broken.glb"), NULL), OSSA_ERROR_INPUT, NULL);
	assert_null(fopen(test_path("broken.glb"), "rb"));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* with the largest file limited to 4 KiB every writer fails, says so, and leaves what was there */
static void full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	static const char *const names[] = {"full.glb", "full.dae", "full.obj", "full.ply", "full.pc2", "full.mdd"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_frames *frames = make_frames(context, rig->mesh->vertex_count);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const test_writing what = {
			.rig = i < 2 ? rig : NULL, .mesh = i < 4 ? rig->mesh : NULL, .frames = i < 4 ? NULL : frames};
		test_full_disk(context, &what, names[i], names[i], 4096);
	}
	assert_fails(context, ossa_write_rig(context, rig, test_path("no/such/folder.glb"), NULL), OSSA_ERROR_WRITE, "folder.glb");
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static size_t little(const char *bytes)
{
	size_t value = 0;
	for (size_t i = 4; i-- > 0;) value = value << 8 | (unsigned char)bytes[i];
	return value;
}

/* a .gltf is the GLB in two files: the same JSON but for the buffer's URI, the same binary chunk */
static void gltf_is_the_glb_in_two_files(void **state)
{
	(void)state;
	static char glb[1 << 20], text[1 << 20], binary[1 << 20];
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("whole.glb"), NULL));
	assert_ok(context, ossa_write_rig(context, rig, test_path("a p\xc3\xa4rt#%.GLTF"), NULL));
	const size_t glb_size = test_read_bytes(test_path("whole.glb"), glb, sizeof glb);
	const size_t text_size = test_read_bytes(test_path("a p\xc3\xa4rt#%.GLTF"), text, sizeof text);
	const size_t binary_size = test_read_bytes(test_path("a p\xc3\xa4rt#%.bin"), binary, sizeof binary);
	const size_t json_size = little(glb + 12), chunk = 20 + json_size;
	assert_int_equal(glb_size, chunk + 8 + binary_size);
	assert_int_equal(little(glb + chunk), binary_size);
	assert_memory_equal(glb + chunk + 8, binary, binary_size);
	json_t *whole = json_loadb(glb + 20, json_size, 0, NULL), *part = json_loadb(text, text_size, 0, NULL);
	json_t *buffer = json_array_get(json_object_get(part, "buffers"), 0);
	assert_string_equal(json_string_value(json_object_get(buffer, "uri")), "a%20p%C3%A4rt%23%25.bin");
	json_object_del(buffer, "uri");
	assert_true(whole && json_equal(whole, part));
	json_decref(whole);
	json_decref(part);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void gltf_warns_of_other_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context);
	ossa_write_options options = ossa_write_default();
	options.bone_axis = 0;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("w.glb"), &options));
	assert_int_equal(ossa_context_warning_count(context), 0);
	options.up = OSSA_UP_Z;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("w.glb"), &options));
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "gltf-convention");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* one file for each frame, which read as poses are the frames again */
static void numbered_files_come_back(void **state)
{
	(void)state;
	static const char *const names[] = {"walk_####.obj", "walk_##.ply", "#_walk.glb"};
	static const char *const first[] = {"walk_0001.obj", "walk_01.ply", "1_walk.glb"};
	static const char *const third[] = {"walk_0003.obj", "walk_03.ply", "3_walk.glb"};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context), *back;
	ossa_frames *frames = make_frames(context, mesh->vertex_count);
	for (int i = 0; i < 3; i++) {
		assert_ok(context, ossa_write_frames(context, mesh, frames, test_path(names[i]), NULL));
		assert_ok(context, ossa_read_mesh(context, test_path(first[i]), NULL, &back));
		assert_same_floats(back->positions, frames->positions, 15);
		ossa_mesh_free(context, back);
		assert_ok(context, ossa_read_mesh(context, test_path(third[i]), NULL, &back));
		assert_same_floats(back->positions, frames->positions + 30, 15);
		ossa_mesh_free(context, back);
	}
	assert_fails(
		context, ossa_write_frames(context, NULL, frames, test_path("x#.obj"), NULL), OSSA_ERROR_ARGUMENT, "needs the mesh");
	assert_fails(
		context, ossa_write_frames(context, mesh, frames, test_path("#x#.obj"), NULL), OSSA_ERROR_ARGUMENT, "no single");
	assert_fails(
		context, ossa_write_frames(context, mesh, frames, test_path("#.pc2"), NULL), OSSA_ERROR_ARGUMENT, "a mesh as PC2");
	frames->vertex_count = 4;
	assert_fails(
		context, ossa_write_frames(context, mesh, frames, test_path("x#.obj"), NULL), OSSA_ERROR_ARGUMENT, "of 4 vertices");
	frames->vertex_count = 5;
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* files that a reader would take for further frames are warned about; overwritten ones are not */
static void older_numbered_files_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context);
	ossa_frames *frames = make_frames(context, mesh->vertex_count);
	const char *path = test_path("older/f##.obj");
	assert_int_equal(mkdir(test_path("older"), 0700), 0);
	for (int round = 0; round < 2; round++) {
		assert_ok(context, ossa_write_frames(context, mesh, frames, path, NULL));
		assert_no_warnings(context);
	}
	static const char *const older[] = {"older/f00.obj", "older/f1.obj", "older/f04.obj", "older/f2nd.obj"};
	for (int i = 0; i < 4; i++) test_file(older[i], "v 0 0 0\n", 0);
	assert_ok(context, ossa_write_frames(context, mesh, frames, path, NULL));
	assert_int_equal(test_warned(context, "sequence-longer"), 3);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* if a folder has the third frame's name, none of the others is written and nothing is left
   behind */
static void numbered_files_are_all_or_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_mesh(context);
	ossa_frames *frames = make_frames(context, mesh->vertex_count);
	const char *folder = test_path("all");
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(test_path("all/f3.gltf"), 0700), 0);
	assert_fails(
		context, ossa_write_frames(context, mesh, frames, test_path("all/f#.gltf"), NULL), OSSA_ERROR_WRITE, "f3.gltf");
	assert_int_equal(rmdir(test_path("all/f3.gltf")), 0);
	assert_int_equal(rmdir(folder), 0);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	/* OBJ and PLY are written as they are read from the mesh, without memory of their own */
	static const char *const names[] = {"sweep.obj", "sweep.ply", "sweep.glb"};
	for (int i = 0; i < 3; i++) test_sweep_write(&(test_writing){.mesh = rig->mesh}, names[i], i < 2 ? 0 : 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the same bytes for any number of threads */
static void threads_change_nothing(void **state)
{
	(void)state;
	static char first[1 << 20], second[1 << 20];
	size_t size = 0;
	for (int threads = 1; threads <= 3; threads += 2) {
		ossa_context *context = test_context(threads);
		ossa_rig *rig;
		assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
		assert_ok(context, ossa_write_rig(context, rig, test_path("t.glb"), NULL));
		const size_t now = test_read_bytes(test_path("t.glb"), threads == 1 ? first : second, sizeof first);
		if (threads == 1) size = now;
		assert_int_equal(now, size);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	assert_memory_equal(first, second, size);
}

/* what lies by another set must not lie by the first */
static void textures_need_their_sets_of_uvs(void **state)
{
	(void)state;
	static const char *const names[] = {"sets.glb", "sets.dae", "sets.usda", "sets.fbx"};
	for (int i = 0; i < 4; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = test_looks(context), *back;
		ossa_material *skin = (ossa_material *)(uintptr_t)mesh->appearance->materials;
		skin->base_color_texture.uv_set = 8;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path(names[i]), NULL));
		assert_int_equal(test_warned(context, "texture-uvs"), 1);
		if (i < 2) {
			assert_ok(context, ossa_read_mesh(context, test_path(names[i]), NULL, &back));
			assert_int_equal(back->appearance->materials[0].base_color_texture.image, OSSA_NONE);
			assert_int_not_equal(back->appearance->materials[0].normal_texture.image, OSSA_NONE);
			ossa_mesh_free(context, back);
		}
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endings_pick_the_writer),
		cmocka_unit_test(obj_keeps_polygons),
		cmocka_unit_test(meshes_come_back),
		cmocka_unit_test(caches_come_back),
		cmocka_unit_test(headers_are_as_specified),
		cmocka_unit_test(broken_rigs_are_refused),
		cmocka_unit_test(full_disk_leaves_the_old_file),
		cmocka_unit_test(gltf_is_the_glb_in_two_files),
		cmocka_unit_test(textures_need_their_sets_of_uvs),
		cmocka_unit_test(gltf_warns_of_other_axes),
		cmocka_unit_test(numbered_files_come_back),
		cmocka_unit_test(older_numbered_files_are_reported),
		cmocka_unit_test(numbered_files_are_all_or_none),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(threads_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
