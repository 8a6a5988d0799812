/* tests/import/alembic/test_alembic.c: meshes of Alembic files over time, with attributes of
   vertices and corners, in every variant of the format. Transforms: test_alembic_xform.c;
   frames: test_alembic_frames.c; broken files: test_alembic_bad.c. */
#include "support/alembic_scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static void a_mesh_comes_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.positions.sampling = 1});
	ossai_source source;
	ossai_asset asset;
	assert_true(ossai_alembic_detect(file.bytes, file.size));
	alembic_open_shape(context, &file, &source, &asset);
	const ossa_mesh *mesh = asset.meshes[0].mesh;
	assert_string_equal(mesh->name, "shape");
	/* attributes of a corner move with it when the face is reversed */
	for (size_t c = 0; c < ALEMBIC_CORNERS; c++) {
		const float *uv = mesh->texcoords + 2 * mesh->corner_texcoord[c];
		const uint32_t v = alembic_corners[c];
		assert_true(uv[0] == (v == 4 ? 0.2F : (float)v / 10) && uv[1] == (c >= 4 ? 1 : 0));
		assert_true(mesh->normals[3 * mesh->corner_normal[c] + 2] == (float)v);
	}
	assert_int_equal(mesh->material_count, 1);
	assert_string_equal(mesh->materials[0], "cloth");
	assert_int_equal(mesh->polygon_material[0], OSSA_NONE);
	assert_int_equal(mesh->polygon_material[1], 0);
	assert_int_equal(asset.meshes[0].sample_count, 3);
	for (size_t s = 0; s < 3; s++) {
		assert_near(asset.meshes[0].sample_times[s], (double)(s + 1) / 24, 1e-12);
		alembic_check_sample(context, &asset, s, (float)s);
	}
	assert_int_equal(asset.node_count, 0);
	assert_int_equal(asset.clip_count, 0);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void every_way_of_writing_gives_the_same(void **state)
{
	(void)state;
	const alembic_form forms[] = {
		{.hint = 1},
		{.hint = 2, .mesh_metadata = "schema=AbcGeom_PolyMesh_v1"},
		{.position_pod = OGAWA_F64},
		{.position_pod = OGAWA_F16},
		{.geometry_metadata = "interpretation=vector"},
		{.plain_attributes = true},
		{.is_subd = true, .mesh_metadata = "a=b;schema=AbcGeom_SubD_v1"},
		{.repeats = 1},
		{.repeats = 2},
		{.dimensions = 5},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		ogawa_bytes file = alembic_make_scene(&forms[i]);
		ossai_source source;
		ossai_asset asset;
		alembic_open_shape(context, &file, &source, &asset);
		const ossa_mesh *mesh = asset.meshes[0].mesh;
		for (size_t s = 0; s < 3; s++) alembic_check_sample(context, &asset, s, (float)s);
		assert_int_equal(mesh->texcoord_count, forms[i].plain_attributes ? 5 : 6);
		assert_int_equal(mesh->corner_texcoord[5], forms[i].plain_attributes ? 4 : 5);
		assert_int_equal(mesh->normal_count, forms[i].is_subd ? 0 : 5);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void samples_that_are_alike_are_stored_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* four stored: 0 for samples 0 and 1, then 2, 3 and from 4 on */
	ogawa_bytes file = alembic_make_scene(
		&(alembic_form){.stored = 4, .positions = {.sample_count = 7, .has_changes = 1, .first = 2, .last = 4}});
	ossai_source source;
	ossai_asset asset;
	alembic_open_shape(context, &file, &source, &asset);
	assert_int_equal(asset.meshes[0].sample_count, 7);
	const float heights[] = {0, 0, 1, 2, 3, 3, 3};
	for (size_t s = 0; s < 7; s++) alembic_check_sample(context, &asset, s, heights[s]);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	/* a constant one has many samples and is at rest */
	file = alembic_make_scene(&(alembic_form){.stored = 1, .positions = {.hint = 2, .sample_count = 200, .is_constant = 1}});
	alembic_open_shape(context, &file, &source, &asset);
	assert_int_equal(asset.meshes[0].sample_count, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = alembic_make_scene(&(alembic_form){.hint = 2, .positions = {.sample_count = 100000}});
	alembic_refused(&file, OSSA_ERROR_INPUT, "property \"P\" declares 100000 samples and holds 6");
	ogawa_free(&file);
	file = alembic_make_scene(&(alembic_form){.positions = {.sample_count = 3, .has_changes = 1, .first = 2, .last = 1}});
	alembic_refused(&file, OSSA_ERROR_INPUT, "changes last before it changes first");
	ogawa_free(&file);
	test_context_end(context);
}

static void times_are_even_cyclic_or_listed(void **state)
{
	(void)state;
	static const struct {
		int sampling;
		double times[5];
	} forms[] = {
		{0, {0, 1, 2, 3, 4}},
		{1, {1 / 24.0, 2 / 24.0, 3 / 24.0, 4 / 24.0, 5 / 24.0}},
		{2, {1, 1.1, 1.5, 1.6, 2}},
	};
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	for (size_t i = 0; i < 3; i++) {
		ogawa_bytes file = alembic_make_scene(&(alembic_form){.stored = 5, .positions.sampling = forms[i].sampling});
		alembic_open_shape(context, &file, &source, &asset);
		for (size_t s = 0; s < 5; s++) assert_near(asset.meshes[0].sample_times[s], forms[i].times[s], 1e-12);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.positions.sampling = 3});
	alembic_open_shape(context, &file, &source, &asset);
	assert_true(asset.meshes[0].sample_times[0] == -1 && asset.meshes[0].sample_times[2] == 7);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	assert_int_equal(ossa_context_warning_count(context), 0);
	/* times that stand still, and fewer times than samples */
	for (int i = 3; i < 5; i++) {
		file = alembic_make_scene(&(alembic_form){.stored = i == 3 ? 4 : 3, .positions.sampling = i});
		alembic_open_shape(context, &file, &source, &asset);
		assert_near(asset.meshes[0].sample_times[2], 2 / 24.0, 1e-12);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	assert_string_equal(ossa_context_warning(context, 0)->code, "alembic-times");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	file = alembic_make_scene(&(alembic_form){.positions.sampling = 5});
	alembic_refused(&file, OSSA_ERROR_INPUT, "property \"P\" has the times number 5 of 5");
	ogawa_free(&file);
	test_context_end(context);
}

static void changing_meshes_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.other_faces = true});
	alembic_refused(&file, OSSA_ERROR_INPUT, "scene.abc: /shape: its sample 2 has other faces than its first");
	ogawa_free(&file);
	file = alembic_make_scene(&(alembic_form){.dimensions = 6});
	alembic_refused(&file, OSSA_ERROR_INPUT, "property \"P\" has other dimensions than values");
	ogawa_free(&file);
	file = alembic_make_scene(&(alembic_form){.other_count = true});
	alembic_refused(&file, OSSA_ERROR_INPUT, "/shape: its sample 2 has another number of vertices than its first");
	ogawa_free(&file);
}

static void positions_that_are_no_numbers_are_named(void **state)
{
	(void)state;
	float values[15];
	memcpy(values, alembic_rest, sizeof values);
	values[7] = NAN;
	ossa_context *context = test_context(1);
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.values = values});
	ossai_source source;
	ossai_asset asset;
	alembic_open_shape(context, &file, &source, &asset);
	float positions[15];
	alembic_check_sample(context, &asset, 0, 0);
	assert_fails(context, asset.meshes[0].read_sample(asset.reader, asset.meshes, 1, positions), OSSA_ERROR_INPUT,
		"scene.abc, frame 2, vertex 2: the position is not finite");
	alembic_check_sample(context, &asset, 2, 2);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void attributes_that_do_not_fit_are_dropped(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* one value for each face: six are not */
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.geometry_metadata = "geoScope=uni"});
	ossai_source source;
	ossai_asset asset;
	alembic_open_shape(context, &file, &source, &asset);
	assert_null(asset.meshes[0].mesh->texcoords);
	assert_null(asset.meshes[0].mesh->normals);
	assert_string_equal(ossa_context_warning(context, 0)->code, "alembic-attribute");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

/* ---- what is only listed ---- */

static void cameras_are_listed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {0};
	const uint64_t mesh = alembic_make_mesh(&file, &form, true), eye = alembic_make_instance(&file, "/shape");
	ogawa_list top = ogawa_object(0);
	ogawa_add_object(&top, "shape", NULL, 1, mesh);
	ogawa_add_object(&top, "eye", "schema=AbcGeom_Camera_v1", 0, eye);
	alembic_finish(&file, &top);
	const char *path = test_file("stage.abc", file.bytes, file.size);
	ossa_scene_item *items;
	size_t count;
	assert_ok(context, ossa_read_scene(context, path, &count, &items));
	assert_int_equal(count, 1);
	assert_int_equal(items[0].kind, OSSA_SCENE_CAMERA);
	assert_string_equal(items[0].name, "eye");
	assert_string_equal(items[0].type, "");
	assert_int_equal(test_warned(context, "scene-not-read"), 1);
	ossa_free(context, items);
	ogawa_free(&file);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cameras_are_listed),
		cmocka_unit_test(a_mesh_comes_whole),
		cmocka_unit_test(every_way_of_writing_gives_the_same),
		cmocka_unit_test(samples_that_are_alike_are_stored_once),
		cmocka_unit_test(times_are_even_cyclic_or_listed),
		cmocka_unit_test(changing_meshes_are_refused),
		cmocka_unit_test(positions_that_are_no_numbers_are_named),
		cmocka_unit_test(attributes_that_do_not_fit_are_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
