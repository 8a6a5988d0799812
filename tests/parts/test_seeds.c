/* tests/parts/test_seeds.c: every file that fuzzing began with or found: read in every way there
   is, or refused with a message. */
#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static void check(ossa_context *context, const char *path, ossa_status status, const void *result)
{
	if (status == OSSA_OK) return;
	if (result || ossa_context_error(context)->message[0] == 0)
		fail_msg("%s: a failure leaves something, or says nothing", path);
}

static void read_all(ossa_context *context, const char *path)
{
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_rig *rig = NULL;
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	bool has_rig;
	ossa_status status = ossa_read_mesh(context, path, NULL, &mesh);
	check(context, path, status, mesh);
	if (status == OSSA_OK) assert_ok(context, ossa_mesh_validate(context, mesh));
	ossa_mesh_free(context, mesh);
	mesh = NULL;
	status = ossa_read_animation(context, path, NULL, &mesh, &frames);
	check(context, path, status, mesh);
	if (status == OSSA_OK && frames) assert_ok(context, ossa_frames_validate(context, frames));
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	frames = NULL;
	status = ossa_read_frames(context, NULL, 1, &path, false, NULL, &frames);
	check(context, path, status, frames);
	ossa_frames_free(context, frames);
	status = ossa_read_rig(context, path, NULL, &rig);
	check(context, path, status, rig);
	if (status == OSSA_OK) assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	check(context, path, ossa_read_contents(context, path, &has_rig, &count, &clips), clips);
	ossa_free(context, clips);
}

static size_t read_folder(const char *folder)
{
	char path[2048];
	size_t count = 0;
	DIR *dir = opendir(folder);
	if (!dir) return 0;
	for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (entry->d_name[0] == '.') continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		ossa_context *context = test_context(1);
		read_all(context, path);
		test_context_end(context);
		count++;
	}
	closedir(dir);
	return count;
}

static void seeds_are_read_or_refused(void **state)
{
	(void)state;
	static const char *const readers[] = {
		"alembic", "bvh", "collada", "fbx", "glb", "maya_cache", "mdd", "obj", "off", "pc2", "ply", "stl"};
	for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
		char folder[1024];
		snprintf(folder, sizeof folder, "%s/fuzz/seeds/%s", OSSA_SOURCE_DIR, readers[i]);
		if (read_folder(folder) == 0) fail_msg("%s: holds no seeds", folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(seeds_are_read_or_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
