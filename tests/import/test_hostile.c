/* tests/import/test_hostile.c: every file of ../shared/corpus/hostile and static through
   detection and every reader: always a result or an error, never a crash, and every result is
   valid. Run it under the sanitizers too. */
#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What became of the files. */
typedef struct tally {
	int files, meshes, rigs, animations;
} tally;

static void read_as_mesh(ossa_context *context, const char *path, tally *counts)
{
	ossa_mesh *mesh;
	if (ossa_read_mesh(context, path, NULL, &mesh) == OSSA_OK) {
		counts->meshes++;
		assert_ok(context, ossa_mesh_validate(context, mesh));
		/* as a pose of itself it must match */
		const ossa_read_format *format;
		assert_ok(context, ossa_read_detect(context, path, &format));
		ossa_frames *frames;
		if (format->reads_frames) {
			assert_ok(context, ossa_read_frames(context, mesh, 1, &path, false, NULL, &frames));
			assert_ok(context, ossa_frames_validate(context, frames));
			ossa_frames_free(context, frames);
		}
	} else {
		assert_null(mesh);
		assert_true(ossa_context_error(context)->message[0] != 0);
	}
	ossa_mesh_free(context, mesh);
}

static void read_as_motion(ossa_context *context, const char *path, tally *counts)
{
	ossa_mesh *mesh;
	ossa_frames *frames;
	if (ossa_read_animation(context, path, NULL, &mesh, &frames) == OSSA_OK) {
		assert_ok(context, ossa_mesh_validate(context, mesh));
		if (frames) assert_ok(context, ossa_frames_validate(context, frames));
		counts->animations += frames != NULL;
	} else {
		assert_true(!mesh && !frames && ossa_context_error(context)->message[0]);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	size_t count;
	ossa_clip_facts *clips;
	if (ossa_read_contents(context, path, NULL, &count, &clips) != OSSA_OK) assert_true(!clips && count == 0);
	ossa_free(context, clips);
	ossa_scene_item *items;
	if (ossa_read_scene(context, path, &count, &items) != OSSA_OK) assert_true(!items && count == 0);
	ossa_free(context, items);
}

static void read_file(const char *path, tally *counts)
{
	ossa_context *context = test_context(1);
	const ossa_read_format *format = NULL;
	counts->files++;
	const ossa_status status = ossa_read_detect(context, path, &format);
	assert_true((status == OSSA_OK) == (format != NULL));
	read_as_mesh(context, path, counts);
	ossa_rig *rig;
	if (ossa_read_rig(context, path, NULL, &rig) == OSSA_OK) {
		counts->rigs++;
		assert_ok(context, ossa_rig_validate(context, rig));
	}
	ossa_rig_free(context, rig);
	read_as_motion(context, path, counts);
	test_context_end(context);
}

static void read_folder(const char *folder, tally *counts)
{
	DIR *stream = opendir(folder);
	assert_non_null(stream);
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (entry->d_name[0] == '.') continue;
		char path[2048];
		struct stat status;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		assert_int_equal(stat(path, &status), 0);
		if (S_ISDIR(status.st_mode)) read_folder(path, counts);
		else read_file(path, counts);
	}
	closedir(stream);
}

static void read_corpus(const char *name, int least_meshes)
{
	const char *found = test_corpus(name);
	if (!found) skip();
	char folder[1024];
	tally counts = {0};
	snprintf(folder, sizeof folder, "%s", found);
	read_folder(folder, &counts);
	print_message(
		"%s: %d files, %d meshes, %d rigs, %d animations\n", name, counts.files, counts.meshes, counts.rigs, counts.animations);
	assert_true(counts.meshes >= least_meshes);
}

static void hostile_files_are_survived(void **state)
{
	(void)state;
	read_corpus("hostile", 30);
}

static void static_files_are_read(void **state)
{
	(void)state;
	read_corpus("static", 25);
}

/* bytes of no format, of every small size */
static void junk_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	unsigned char bytes[600];
	uint32_t random = 7;
	for (size_t size = 1; size <= sizeof bytes; size++) {
		for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)((random = random * 1664525 + 1013904223) >> 24);
		ossa_mesh *mesh;
		const ossa_read_format *format;
		const char *path = test_file("junk.bin", bytes, size);
		assert_fails(context, ossa_read_detect(context, path, &format), OSSA_ERROR_INPUT, "stl, mdd, obj");
		assert_fails(context, ossa_read_mesh(context, path, NULL, &mesh), OSSA_ERROR_INPUT, "junk.bin");
	}
	test_context_end(context);
}

static void known_strangers_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_read_format *format;
	assert_fails(context, ossa_read_detect(context, test_file("a.usda", "#usda 1.0", 0), &format), OSSA_ERROR_INPUT, "is USD");
	assert_fails(context, ossa_read_detect(context, test_file("a", "BLENDER-v300", 0), &format), OSSA_ERROR_INPUT, "Blender");
	assert_fails(context, ossa_read_detect(context, test_folder(), &format), OSSA_ERROR_READ, "is a folder");
	ossa_rig *rig;
	assert_fails(
		context, ossa_read_rig(context, test_file("a.obj", "v 0 0 0\n", 0), NULL, &rig), OSSA_ERROR_INPUT, "holds no rig");
	test_context_end(context);
}

static void the_name_does_not_matter(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_read_format *format;
	assert_ok(context, ossa_read_detect(context, test_file("mesh.ply", "# text\nv 0 0 0\n", 0), &format));
	assert_string_equal(format->name, "obj");
	assert_ok(context, ossa_read_detect(context, test_file("mesh.obj", "ply\nformat", 0), &format));
	assert_string_equal(format->name, "ply");
	for (size_t i = 0; i < ossa_read_format_count(); i++) assert_non_null(ossa_read_format_at(i)->title);
	assert_null(ossa_read_format_at(ossa_read_format_count()));
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_files_are_survived),
		cmocka_unit_test(static_files_are_read),
		cmocka_unit_test(junk_is_refused),
		cmocka_unit_test(known_strangers_are_named),
		cmocka_unit_test(the_name_does_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
