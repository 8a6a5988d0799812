/* tests/export/maya/test_maya_objects.c: several objects in a Maya script, as a mesh alone and
   with a skin, run with the mock of Maya. */
#include "base/context.h"
#include "support/maya.h"
#include "support/objects.h"
#include "support/rich_rig.h"
#include "support/support.h"

static ossa_rig *object_rig(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	test_add_objects(context, rig->mesh);
	test_add_sets(context, rig->mesh);
	assert_ok(context, ossa_mesh_validate(context, rig->mesh));
	return rig;
}

static void objects_are_transforms(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("still.py"), NULL));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("still.obj"), NULL));
	test_maya_judge_objects("still", 3, 2);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void each_object_has_a_skin(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	assert_ok(context, ossa_write_rig(context, rig, test_path("skin.py"), NULL));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("skin.obj"), NULL));
	test_maya_judge_objects("skin", 3, 2);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_transforms),
		cmocka_unit_test(each_object_has_a_skin),
	};
	return cmocka_run_group_tests(tests, test_find_python, NULL);
}
