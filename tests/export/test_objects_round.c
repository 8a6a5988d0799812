/* tests/export/test_objects_round.c: objects with their names and transforms, and sets of UVs and
   colours, through every format that is read and written, and what formats cannot hold in
   warnings. */
#include "base/context.h"
#include "scene/sets.h"
#include "support/faults.h"
#include "support/morphs.h"
#include "support/objects.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a creature in three objects, without materials: some readers sort polygons by these */
static ossa_rig *object_rig(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	ossa_mesh *mesh = rig->mesh;
	ossa_free(context, mesh->materials);
	ossa_free(context, mesh->polygon_material);
	mesh->materials = NULL;
	mesh->polygon_material = NULL;
	mesh->material_count = 0;
	test_add_objects(context, mesh);
	test_add_sets(context, mesh);
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return rig;
}

static bool can_read(const char *format)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, format) == 0) return true;
	}
	return false;
}

static const struct {
	const char *file, *format;
	test_kept kept;
} formats[] = {
	{"a.glb", "glb", {true, true, 1e-5}},
	{"a.dae", "dae", {true, true, 1e-5}},
	{"a.fbx", "fbx", {true, true, 1e-4}},
	{"a.obj", "obj", {false, false, 1e-6}},
};
enum { FORMATS = sizeof formats / sizeof formats[0], OBJ = 3 };

static void meshes_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	for (int i = 0; i < FORMATS; i++) {
		ossa_mesh *back;
		if (!can_read(formats[i].format)) continue;
		assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path(formats[i].file), NULL));
		assert_ok(context, ossa_read_mesh(context, test_path(formats[i].file), NULL, &back));
		test_assert_objects(rig->mesh, back, &formats[i].kept);
		ossa_mesh_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* writes the mesh with names of its three sets and reads these again */
static void check_set_names(const char *file, ossa_collada_version version, const char *const wanted[3])
{
	static const char *const names[3] = {"body atlas", "2nd.light", ""};
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	ossa_mesh *back;
	ossa_write_options options = ossa_write_default();
	options.collada = version;
	for (size_t set = 0; set < 3; set++) snprintf(ossai_uv_slot_of(rig->mesh, set).name, 64, "%s", names[set]);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path(file), &options));
	assert_ok(context, ossa_read_mesh(context, test_path(file), NULL, &back));
	for (size_t set = 0; set < 3; set++) assert_string_equal(ossai_uv_slot_of(back, set).name, wanted[set]);
	ossa_mesh_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the older Collada has no other letters in names */
static void names_of_sets_come_back(void **state)
{
	(void)state;
	check_set_names("sets.dae", OSSA_COLLADA_1_5, (const char *const[3]){"body atlas", "2nd.light", ""});
	/* FBX from Blender has a name for each set */
	check_set_names("sets.fbx", OSSA_COLLADA_AUTO, (const char *const[3]){"body atlas", "2nd.light", "UVMap_3"});
	check_set_names("sets-old.dae", OSSA_COLLADA_1_4_1, (const char *const[3]){"body_atlas", "_2nd.light", ""});
}

static void rigs_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	for (int i = 0; i < OBJ; i++) {
		ossa_rig *back;
		if (!can_read(formats[i].format)) continue;
		assert_ok(context, ossa_write_rig(context, rig, test_path(formats[i].file), NULL));
		assert_ok(context, ossa_read_rig(context, test_path(formats[i].file), NULL, &back));
		test_assert_objects(rig->mesh, back->mesh, &formats[i].kept);
		test_assert_object_weights(rig, back);
		/* and from there to another format, which keeps the transforms */
		assert_ok(context, ossa_write_rig(context, back, test_path("again.dae"), NULL));
		ossa_rig_free(context, back);
		assert_ok(context, ossa_read_rig(context, test_path("again.dae"), NULL, &back));
		test_assert_objects(rig->mesh, back->mesh, &formats[i].kept);
		ossa_rig_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* axes and units of the output: what is read is what was written */
static void transforms_follow_axes_and_unit(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	ossa_write_options options = ossa_write_default();
	ossa_mesh *back;
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("z.dae"), &options));
	assert_ok(context, ossa_read_mesh(context, test_path("z.dae"), NULL, &back));
	test_assert_objects(rig->mesh, back, &(test_kept){true, true, 1e-5});
	ossa_mesh_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void morph_targets_stay_with_their_objects(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context), *back;
	test_add_morphs(context, rig->mesh);
	assert_ok(context, ossa_write_rig(context, rig, test_path("m.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("m.glb"), NULL, &back));
	assert_int_equal(back->mesh->morph_count, rig->mesh->morph_count);
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		ossa_mesh *moved, *also;
		assert_ok(context, ossa_mesh_copy(context, rig->mesh, &moved));
		assert_ok(context, ossa_mesh_copy(context, back->mesh, &also));
		size_t same = 0;
		while (same < back->mesh->morph_count && strcmp(back->mesh->morphs[same].name, rig->mesh->morphs[m].name) != 0) same++;
		assert_true(same < back->mesh->morph_count);
		assert_near(rig->mesh->morphs[m].weight, back->mesh->morphs[same].weight, 1e-7);
		test_apply_morph(&rig->mesh->morphs[m], 1, moved->positions);
		test_apply_morph(&back->mesh->morphs[same], 1, also->positions);
		test_assert_objects(moved, also, &formats[0].kept);
		ossa_mesh_free(context, moved);
		ossa_mesh_free(context, also);
	}
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* which faces moved together, in files of several meshes */
static void merges_are_those_of_the_whole_mesh(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context), *back;
	const size_t faces = rig->mesh->triangle_count;
	ossa_free(context, rig->face_clusters);
	ossa_free(context, rig->merges);
	rig->merges = NULL;
	rig->merge_count = 0;
	rig->face_clusters = ossa_alloc(context, faces, sizeof *rig->face_clusters);
	/* pairs of faces, some of two objects */
	for (size_t f = 0; f < faces; f++) rig->face_clusters[f] = (uint32_t)(f < faces / 2 ? f : f - (faces + 1) / 2);
	assert_ok(context, ossa_write_rig(context, rig, test_path("c.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("c.glb"), NULL, &back));
	assert_non_null(back->face_clusters);
	assert_memory_equal(back->face_clusters, rig->face_clusters, faces * sizeof *rig->face_clusters);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void losses_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("a.fbx"), NULL));
	assert_no_warnings(context);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("a.obj"), NULL));
	assert_int_equal(test_warned(context, "sets-left-out"), 3);
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("a.ply"), NULL));
	assert_int_equal(test_warned(context, "objects-joined"), 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- bad input ---- */

static ossa_status write_everywhere(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	for (int i = 0; i < FORMATS; i++) {
		const ossa_status status = ossa_write_mesh(context, rig->mesh, NULL, test_path(formats[i].file), NULL);
		if (status != OSSA_OK) return status;
	}
	return ossa_write_rig(context, rig, test_path("r.usda"), NULL);
}

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = object_rig(context);
	test_allocation_sweep(write_everywhere, rig, 0, 29);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a tetrahedron for each name; faces are of named objects or groups */
static void write_tetrahedra(const char *path, const char *word, size_t count, const char *(*name)(size_t))
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < count; i++) {
		fprintf(file, "%s %s\nv %zu 0 0\nv %zu.5 0 0\nv %zu 1 0\nv %zu 0 1\n", word, name(i), i, i, i, i);
		fputs("f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n", file);
	}
	fclose(file);
}

static const char *one_name(size_t i)
{
	(void)i;
	return "Same";
}

static const char *next_name(size_t i)
{
	static char name[32];
	snprintf(name, sizeof name, "part_%zu", i);
	return name;
}

static const char *long_name(size_t i)
{
	static char name[200];
	memset(name, 'x', sizeof name);
	snprintf(name + 150, 50, "%zu", i);
	return name;
}

static void many_objects_are_read_and_written(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh, *back;
	write_tetrahedra(test_path("many.obj"), "o", 2000, next_name);
	assert_ok(context, ossa_read_mesh(context, test_path("many.obj"), NULL, &mesh));
	assert_int_equal(mesh->object_count, 2000);
	/* all of one name: apart in the file */
	for (size_t o = 0; o < 2000; o++) strcpy(mesh->objects[o].name, o % 2 ? "same" : "");
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("many.glb"), NULL));
	assert_ok(context, ossa_read_mesh(context, test_path("many.glb"), NULL, &back));
	assert_int_equal(back->object_count, 2000);
	for (size_t o = 1; o < 2000; o++) assert_string_not_equal(back->objects[o].name, back->objects[o - 1].name);
	assert_string_equal(back->objects[1].name, "same");
	ossa_mesh_free(context, back);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void names_of_obj_files_are_judged(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	/* a name that comes again goes on */
	write_tetrahedra(test_path("one.obj"), "o", 5, one_name);
	assert_ok(context, ossa_read_mesh(context, test_path("one.obj"), NULL, &mesh));
	assert_int_equal(mesh->object_count, 0);
	ossa_mesh_free(context, mesh);
	/* names that are the same when they are cut are those of as many objects as before */
	write_tetrahedra(test_path("long.obj"), "o", 5, long_name);
	assert_ok(context, ossa_read_mesh(context, test_path("long.obj"), NULL, &mesh));
	assert_int_equal(mesh->object_count, 5);
	ossa_mesh_free(context, mesh);
	write_tetrahedra(test_path("groups.obj"), "g", 3, next_name);
	assert_ok(context, ossa_read_mesh(context, test_path("groups.obj"), NULL, &mesh));
	assert_int_equal(mesh->object_count, 3);
	assert_string_equal(mesh->objects[2].name, "part_2");
	ossa_mesh_free(context, mesh);
	/* groups of one surface, objects of one surface, an object without faces, faces before any */
	static const char *const texts[] = {
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng a\nf 1 2 3\ng b\nf 3 2 4\n",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no a\nf 1 2 3\no b\nf 3 2 4\n",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\no empty\no b\ng c\nf 3 2 4\n",
	};
	static const size_t counts[] = {0, 2, 2};
	for (int i = 0; i < 3; i++) {
		test_file("text.obj", texts[i], 0);
		assert_ok(context, ossa_read_mesh(context, test_path("text.obj"), NULL, &mesh));
		assert_int_equal(mesh->object_count, counts[i]);
		if (i > 0) assert_string_equal(mesh->objects[1].name, "b");
		if (i == 2) assert_string_equal(mesh->objects[0].name, "text");
		assert_ok(context, ossa_mesh_validate(context, mesh));
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meshes_come_back),
		cmocka_unit_test(names_of_sets_come_back),
		cmocka_unit_test(rigs_come_back),
		cmocka_unit_test(transforms_follow_axes_and_unit),
		cmocka_unit_test(morph_targets_stay_with_their_objects),
		cmocka_unit_test(merges_are_those_of_the_whole_mesh),
		cmocka_unit_test(losses_are_counted),
		cmocka_unit_test(failing_allocations_are_survived),
		cmocka_unit_test(many_objects_are_read_and_written),
		cmocka_unit_test(names_of_obj_files_are_judged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
