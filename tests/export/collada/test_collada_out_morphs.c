/* tests/export/collada/test_collada_out_morphs.c: morph targets through Collada files of both
   versions and back. */
#include "base/context.h"
#include "support/check_collada.h"
#include "support/morphs.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <string.h>

static const ossa_collada_version versions[] = {OSSA_COLLADA_1_5, OSSA_COLLADA_1_4_1};

/* under a skin and in a mesh alone, without a warning */
static void targets_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig, *back;
	ossa_mesh *mesh;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	for (size_t i = 0; i < 2; i++) {
		options.collada = versions[i];
		assert_ok(context, ossa_write_rig(context, rig, test_path("rig.dae"), &options));
		assert_ok(context, ossa_read_rig(context, test_path("rig.dae"), NULL, &back));
		test_assert_morphs(rig->mesh, back->mesh);
		assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("mesh.dae"), &options));
		assert_ok(context, ossa_read_mesh(context, test_path("mesh.dae"), NULL, &mesh));
		test_assert_morphs(rig->mesh, mesh);
		ossa_rig_free(context, back);
		ossa_mesh_free(context, mesh);
	}
	assert_no_warnings(context);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* as Blender and assimp want it: the skin names the geometry, and a target has every polygon in one
   list */
static void layout_is_blender_s(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	test_add_morphs(context, mesh);
	xmlDoc *document = test_collada_mesh(context, mesh, NULL, 0);
	xmlNode *target = test_xml_by_id(document, "ossa-target-1");
	xmlNode *list = test_xml_find(target, "polylist");
	assert_string_equal(test_xml_attribute(list, "count"), "3");
	assert_string_equal(test_xml_attribute(list, "material"), "");
	assert_string_equal(test_xml_attribute(test_xml_find(xmlDocGetRootElement(document), "morph"), "source"), "#ossa-geometry");
	float moved[24];
	memcpy(moved, mesh->positions, sizeof moved);
	/* positions are without what is seen at rest, and targets are beside them */
	ossa_morph smile = mesh->morphs[0];
	test_apply_morph(&smile, 0, moved);
	test_xml_floats(document, "ossa-positions-array", moved, 24);
	smile.weight = 0;
	test_apply_morph(&smile, 1, moved);
	test_xml_floats(document, "ossa-target-1-positions-array", moved, 24);
	xmlFreeDoc(document);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	test_add_morphs(context, mesh);
	test_sweep_write(&(test_writing){.mesh = mesh}, "sweep.dae", 3);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("read.dae"), NULL));
	test_sweep_read_mesh(test_path("read.dae"), 10);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_come_back),
		cmocka_unit_test(layout_is_blender_s),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
