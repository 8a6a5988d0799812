/* tests/export/collada/test_collada_out_mesh.c: Collada files of every kind of mesh. */
#include "base/context.h"
#include "math/vec.h"
#include "support/check_collada.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

/* ---- meshes ---- */

/* other positions replace the mesh's, and normals of the old ones are left out */
static void positions_are_replaced(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	float moved[24];
	for (size_t i = 0; i < 24; i++) moved[i] = mesh->positions[i] * 0.5f + 1;
	xmlDoc *document = test_collada_mesh(context, mesh, moved, 0);
	test_xml_floats(document, "ossa-positions-array", moved, 24);
	assert_string_equal(test_xml_attribute(test_xml_by_id(document, "ossa-normals-array"), "count"), "24");
	xmlFreeDoc(document);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* no vertices, vertices alone, and a bare mesh */
static void small_meshes_are_written(void **state)
{
	(void)state;
	static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	ossa_context *context = test_context(1);
	for (size_t round = 0; round < 3; round++) {
		ossa_mesh *mesh;
		assert_ok(
			context, ossa_mesh_create(context, round > 0 ? 3 : 0, corners, round > 1 ? 1 : 0, (uint32_t[]){0, 1, 2}, &mesh));
		xmlDoc *document = test_collada_mesh(context, mesh, NULL, 0);
		xmlNode *root = xmlDocGetRootElement(document);
		assert_true((test_xml_find(root, "geometry") != NULL) == (round > 0));
		assert_true((test_xml_find(root, "polylist") != NULL) == (round > 1));
		assert_null(test_xml_find(root, "material"));
		xmlFreeDoc(document);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

/* ---- failures ---- */

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	strcpy(rig->skeleton.bones[1].name, "0-inst_");
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	test_sweep_write(&(test_writing){.rig = rig, .options = &options}, "sweep.dae", 10);
	options.collada = 1;
	test_sweep_write(&(test_writing){.rig = rig, .options = &options}, "sweep.dae", 10);
	test_sweep_write(&(test_writing){.mesh = rig->mesh, .options = &options}, "sweep.dae", 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_are_replaced),
		cmocka_unit_test(small_meshes_are_written),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
