/* tests/support/maya.c: see maya.h. */
#include "support/maya.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

/* NULL where there is none */
static const char *python;

int test_find_python(void **state)
{
	(void)state;
	static const char *const commands[] = {"/usr/bin/python3", "python3"};
	for (size_t i = 0; !python && i < sizeof commands / sizeof commands[0]; i++) {
		char line[128];
		snprintf(line, sizeof line, "%s -c 'import numpy' 2>/dev/null", commands[i]);
		if (system(line) == 0) python = commands[i];
	}
	return 0;
}

void test_maya_judge(const char *name, double largest_step)
{
	char line[1024];
	if (!python) {
		print_message("skipped: no python3 with numpy\n");
		skip();
	}
	snprintf(line, sizeof line, "%s -B %s/tests/maya/judge.py --largest-step %g %s/%s.py", python, OSSA_SOURCE_DIR,
		largest_step, test_folder(), name);
	fflush(stdout);
	if (system(line) != 0) fail_msg("%s.py does not build what it should", name);
}

void test_maya_judge_objects(const char *name, int uv_sets, int color_sets)
{
	char line[1024];
	if (!python) {
		print_message("skipped: no python3 with numpy\n");
		skip();
	}
	snprintf(line, sizeof line, "%s -B %s/tests/maya/judge_objects.py %s/%s.py %d %d", python, OSSA_SOURCE_DIR, test_folder(),
		name, uv_sets, color_sets);
	fflush(stdout);
	if (system(line) != 0) fail_msg("%s.py does not build what it should", name);
}

static const char *path_of(const char *name, const char *ending)
{
	char file[128];
	snprintf(file, sizeof file, "%s%s", name, ending);
	return test_path(file);
}

void test_maya_write(ossa_context *context, const ossa_rig *rig, const char *name, const ossa_write_options *options)
{
	ossa_frames *frames;
	assert_ok(context, ossa_write_rig(context, rig, path_of(name, ".py"), options));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, path_of(name, ".obj"), NULL));
	if (!rig->clip) return;
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_ok(context, ossa_write_frames(context, NULL, frames, path_of(name, ".mdd"), NULL));
	ossa_frames_free(context, frames);
}
