/* tests/export/collada/test_collada_out_mesh.c: Collada files of every kind of mesh. */
#include "base/context.h"
#include "math/vec.h"
#include "support/check_collada.h"
#include "support/objects.h"
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

/* an object without materials beside others binds none */
static void objects_without_materials_bind_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mixed = test_mixed_mesh(context, "fur"), *mesh;
	assert_ok(context,
		ossa_mesh_create(context, mixed->vertex_count, mixed->positions, mixed->triangle_count, mixed->triangles, &mesh));
	test_add_objects(context, mesh);
	mesh->material_count = 1;
	mesh->materials = ossa_alloc(context, 1, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, mesh->polygon_count, sizeof *mesh->polygon_material);
	assert_true(mesh->materials && mesh->polygon_material);
	memcpy(mesh->materials, mixed->materials, sizeof *mesh->materials);
	for (size_t p = 0; p < mesh->polygon_count; p++) mesh->polygon_material[p] = mesh->polygon_object[p] == 1 ? OSSA_NONE : 0;
	for (int collada = 0; collada < 2; collada++) {
		xmlDoc *document = test_collada_mesh(context, mesh, NULL, collada);
		xmlNode *root = xmlDocGetRootElement(document);
		size_t bindings = 0, instances = 0;
		for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
			instances += xmlStrEqual(at->name, (const xmlChar *)"instance_geometry");
			if (!xmlStrEqual(at->name, (const xmlChar *)"bind_material")) continue;
			/* the schema asks for one at least */
			assert_non_null(test_xml_find(at, "instance_material"));
			bindings++;
		}
		/* its six triangles are enough for two objects */
		assert_int_equal(instances, 2);
		assert_int_equal(bindings, 1);
		xmlFreeDoc(document);
	}
	ossa_mesh_free(context, mixed);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_are_replaced),
		cmocka_unit_test(small_meshes_are_written),
		cmocka_unit_test(objects_without_materials_bind_none),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
