/* tests/support/maya.h: Maya scripts run with the mock of Maya (tests/maya). */
#ifndef OSSA_TEST_MAYA_H
#define OSSA_TEST_MAYA_H

#include <ossa/ossa.h>

/* A group's set-up: finds a python3 with numpy. */
int test_find_python(void **state);

/* Writes a script NAME.py, and beside it ossa's own result, in ossa's own conventions. */
void test_maya_write(ossa_context *context, const ossa_rig *rig, const char *name, const ossa_write_options *options);

/* Fails the test where the script does not build what is beside it; skips it without python. */
void test_maya_judge(const char *name, double largest_step);

/* Runs NAME.py of the test folder and compares its objects with NAME.obj; each has so many sets of
   UVs and colours (tests/maya/judge_objects.py). */
void test_maya_judge_objects(const char *name, int uv_sets, int color_sets);

#endif
