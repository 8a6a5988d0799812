/* tests/export/maya/test_maya_morphs.c: morph targets in Maya scripts: what the blendShape does at
   rest and under the skin. */
#include "base/context.h"
#include "support/maya.h"
#include "support/bulges.h"
#include "support/morphs.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NAME.morphs; and for each target ossa's own result where it is added to the rest shape */
static void write_targets(ossa_context *context, ossa_rig *rig, const char *name, const char *const *names)
{
	char path[128];
	float *rest = rig->mesh->positions;
	const size_t size = 3 * rig->mesh->vertex_count * sizeof *rest;
	snprintf(path, sizeof path, "%s.morphs", name);
	FILE *file = fopen(test_path(path), "w");
	float *moved = malloc(size);
	assert_true(file && moved);
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		fprintf(file, "%s\n", names[m]);
		memcpy(moved, rest, size);
		test_apply_morph(&rig->mesh->morphs[m], 1, moved);
		rig->mesh->positions = moved;
		snprintf(path, sizeof path, "%s.morph-%zu", name, m + 1);
		test_maya_write(context, rig, path, NULL);
	}
	rig->mesh->positions = rest;
	free(moved);
	assert_int_equal(fclose(file), 0);
}

static void check_targets(const char *name, const ossa_write_options *options)
{
	/* "weight" is an attribute that every blendShape has */
	static const char *const names[] = {"smile", "_2_jaw__open_____wide_____", "weight_"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	write_targets(context, rig, name, names);
	ossa_context_reset(context);
	test_maya_write(context, rig, name, options);
	test_maya_judge(name, 181);
	/* names of joints, which have hyphens, and one of the targets; OBJ has no targets */
	assert_int_equal(ossa_context_warning_count(context), 2);
	assert_string_equal(ossa_context_warning(context, 0)->code, "maya-names");
	assert_string_equal(ossa_context_warning(context, 1)->code, "morphs-left-out");
	assert_int_equal(ossa_context_warning(context, 1)->count, 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void targets_deform_under_the_skin(void **state)
{
	(void)state;
	check_targets("plain", NULL);
}

/* expressions on hinges, which turn about x alone, and on a ball */
static void check_shapes(const char *name, const ossa_write_options *options)
{
	static const char *const names[] = {"elbow", "knee", "hip"};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	test_bulges_add(context, rig, "forearm-l", names[0], 0, 0.02);
	test_bulges_add(context, rig, "shin-r", names[1], 0.5, 0.02);
	test_bulges_add(context, rig, "shin-l", names[2], 0, 0.02);
	ossa_driver *driver = &rig->mesh->morphs[2].driver;
	*driver = (ossa_driver){"thigh-l", {0.6, 0, 0.8}, 0, -40};
	write_targets(context, rig, name, names);
	ossa_context_reset(context);
	test_maya_write(context, rig, name, options);
	test_maya_judge(name, 181);
	assert_int_equal(test_warned(context, "shapes-still"), 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void shapes_follow_joints(void **state)
{
	(void)state;
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	options.unit = 0.0254;
	options.bone_axis = OSSA_AXIS_X;
	check_shapes("shapes", NULL);
	check_shapes("turned_shapes", &options);
}

/* keys of weights; what is beside the script are ossa's own frames */
static void weights_have_keys(void **state)
{
	(void)state;
	static const char *const names[] = {"smile", "_2_jaw__open_____wide_____", "weight_"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	test_move_morphs(context, rig->mesh, rig->clip);
	write_targets(context, rig, "moving", names);
	test_maya_write(context, rig, "moving", NULL);
	test_maya_judge("moving", 181);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void conventions_reach_the_targets(void **state)
{
	(void)state;
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	options.unit = 0.0254;
	check_targets("inches", &options);
}

static void mesh_alone_has_them(void **state)
{
	(void)state;
	static const char *const names[] = {"smile", "_2_jaw__open_____wide_____", "weight_"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	test_add_morphs(context, rig->mesh);
	write_targets(context, rig, "alone", names);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("alone.py"), NULL));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("alone.obj"), NULL));
	test_maya_judge("alone", 181);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* two targets of one name, one that Maya would make the same of */
static void names_are_unique(void **state)
{
	(void)state;
	static const char *const wanted[] = {"a-b", "a_b", "a_b"}, *const names[] = {"a_b_2", "a_b", "a_b_3"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	for (size_t m = 0; m < 3; m++) strcpy(rig->mesh->morphs[m].name, wanted[m]);
	write_targets(context, rig, "names", names);
	test_maya_write(context, rig, "names", NULL);
	test_maya_judge("names", 181);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	test_add_morphs(context, mesh);
	test_sweep_write(&(test_writing){.mesh = mesh}, "sweep.py", 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_deform_under_the_skin),
		cmocka_unit_test(shapes_follow_joints),
		cmocka_unit_test(weights_have_keys),
		cmocka_unit_test(conventions_reach_the_targets),
		cmocka_unit_test(mesh_alone_has_them),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, test_find_python, NULL);
}
