/* tests/import/collada/test_collada_geometry.c: geometry in handwritten Collada files: all
   primitives, attributes of corners, materials. */
#include "support/dae.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- faces ---- */

#define PLACED(geometry) DAE(GEOMETRY("G", geometry) SCENE("<node>" INSTANCE("G") "</node>"))
/* six points: 0 0, 1 0, 2 0, 0 1, 1 1, 2 1 */
#define GRID SOURCE("P", "6", "3", "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0") VERTICES("P")

static void check_polygons(const char *text, size_t count, const uint32_t *sizes, const uint32_t *corners)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context, text);
	size_t at = 0;
	assert_int_equal(mesh->polygon_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(mesh->polygon_start[i + 1] - mesh->polygon_start[i], sizes[i]);
		for (size_t k = 0; k < sizes[i]; k++, at++) assert_int_equal(mesh->corner_vertex[at], corners[at]);
	}
	assert_int_equal(mesh->corner_count, at);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void every_way_of_listing_faces(void **state)
{
	(void)state;
	static const uint32_t quads[] = {0, 1, 4, 3, 1, 2, 5, 4}, four[] = {4, 4}, three[] = {3, 3, 3, 3};
	static const uint32_t mixed[] = {0, 1, 4, 1, 2, 5, 4}, mixed_sizes[] = {3, 4};
	check_polygons(
		PLACED(GRID "<polylist count=\"2\">" CORNERS "<vcount>4 4</vcount><p>0 1 4 3 1 2 5 4</p></polylist>"), 2, four, quads);
	check_polygons(
		PLACED(GRID "<polylist>" CORNERS "<vcount>3\n4</vcount><p>0 1 4 1 2 5\n4</p></polylist>"), 2, mixed_sizes, mixed);
	check_polygons(
		PLACED(GRID "<polygons count=\"2\">" CORNERS "<p>0 1 4</p><p>1 2 5 4</p></polygons>"), 2, mixed_sizes, mixed);
	static const uint32_t triangles[] = {0, 1, 4, 0, 4, 3};
	check_polygons(PLACED(GRID "<triangles count=\"2\">" CORNERS "<p>0 1 4 0 4 3</p></triangles>"), 2, three, triangles);
	static const uint32_t fan[] = {0, 1, 2, 0, 2, 5, 0, 5, 4, 3, 4, 1};
	check_polygons(PLACED(GRID "<trifans count=\"2\">" CORNERS "<p>0 1 2 5 4</p><p>3 4 1</p></trifans>"), 4, three, fan);
	/* the second triangle of a strip runs 4 3 ... so that it faces the same way; the repeated 2
	   makes no face */
	static const uint32_t strip[] = {0, 1, 3, 3, 1, 4, 4, 1, 2};
	check_polygons(PLACED(GRID "<tristrips count=\"1\">" CORNERS "<p>0 1 3 4</p><p>4 1 2 2</p></tristrips>"), 3, three, strip);
	/* several primitives follow each other */
	check_polygons(PLACED(GRID "<triangles>" CORNERS "<p>0 1 4</p></triangles><polylist>" CORNERS
							   "<vcount>4</vcount><p>1 2 5 4</p></polylist>"),
		2, mixed_sizes, mixed);
}

static void what_is_no_face_is_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context,
		PLACED(GRID "<polygons>" CORNERS "<ph><p>0 2 5 3</p><h>1 4 2</h></ph><p>0 1</p></polygons>"
					"<lines count=\"1\">" CORNERS "<p>0 1</p></lines>"
					"<polylist>" CORNERS "<vcount>2 3 0 1</vcount><p>0 1 3 4 5 2</p></polylist>"));
	assert_int_equal(mesh->polygon_count, 2);
	assert_int_equal(mesh->corner_vertex[2], 5);
	assert_int_equal(mesh->corner_vertex[4], 3);
	assert_int_equal(test_warned(context, "filled-holes"), 1);
	assert_int_equal(test_warned(context, "skipped-lines"), 1);
	assert_int_equal(test_warned(context, "skipped-faces"), 3);
	ossa_mesh_free(context, mesh);
	assert_fails(
		context, dae_fails(context, PLACED(GRID "<lines>" CORNERS "<p>0 1</p></lines>")), OSSA_ERROR_INPUT, "no triangles");
	assert_int_equal(test_warned(context, "skipped-geometry"), 1);
	test_context_end(context);
}

static void faces_that_cannot_be_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const struct {
		const char *text, *words;
	} files[] = {
		{PLACED(GRID "<triangles>" CORNERS "<p>\n0 1\n6</p></triangles>"),
			"line 8: a face asks for vertex 6, and the mesh has 6"},
		{PLACED(GRID "<triangles>" CORNERS "<p>0 1 -1</p></triangles>"), "vertex -1"},
		{PLACED(GRID "<triangles>" CORNERS "<p>0 1 99999999999999999999</p></triangles>"), "a face asks for vertex"},
		{PLACED(GRID "<triangles>" CORNERS "<p>0 1 4 0</p></triangles>"), "middle of a triangle"},
		{PLACED(GRID "<triangles>" CORNERS "<p>0 1 x</p></triangles>"), "\"x\" where an index"},
		{PLACED(GRID "<polylist>" CORNERS "<vcount>3 4</vcount><p>0 1 4 0 1</p></polylist>"), "<p> ends"},
		{PLACED(GRID "<polylist>" CORNERS "<vcount>4000000000</vcount><p>0 1 4</p></polylist>"), "<p> ends"},
		{PLACED(GRID "<triangles>" CORNERS INPUT_AT("NORMAL", "P", "1") "<p>0 0 1 0 4</p></triangles>"), "middle of a corner"},
		{PLACED(GRID "<triangles><p>0 1 4</p></triangles>"), "has no VERTEX"},
		{PLACED("<triangles>" CORNERS "<p>0 1 4</p></triangles>"), "has no POSITION"},
		{PLACED(VERTICES("Q") "<triangles>" INPUT_AT("VERTEX", "Q-vertices", "0") "<p>0 1 4</p></triangles>"),
			"not in this file"},
		{PLACED(SOURCE("P", "2", "3", "0 0 0 NaN 0 0") VERTICES("P") "<triangles>" CORNERS "<p>0 1 0</p></triangles>"),
			"vertex 1 is not finite"},
		{PLACED(SOURCE("P", "2", "3", "0 0 0 1e99 0 0") VERTICES("P") "<triangles>" CORNERS "<p>0 1 0</p></triangles>"),
			"vertex 1 is not finite"},
		{PLACED(SOURCE("P", "3", "3", "0 0 0 1 0 0") VERTICES("P") "<triangles>" CORNERS "<p>0 1 0</p></triangles>"),
			"asks for 3 items of 3 numbers"},
		{PLACED(SOURCE("P", "4000000000", "4000000000", "0 0 0 1 0 0") VERTICES("P") "<triangles>" CORNERS
																					 "<p>0 1 0</p></triangles>"),
			"the array holds 6"},
		{PLACED(SOURCE("P", "2", "0", "0 0 0 1 0 0") VERTICES("P") "<triangles>" CORNERS "<p>0 1 0</p></triangles>"),
			"stride of 0"},
		{PLACED(SOURCE("P", "2", "3", "0 0 0 1 0 none") VERTICES("P") "<triangles>" CORNERS "<p>0 1 0</p></triangles>"),
			"\"none\" where a number"},
		{PLACED(GRID "<triangles>" INPUT_AT("VERTEX", "P-vertices", "4000000000") "<p>0 1 4</p></triangles>"),
			"offset 4000000000"},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		assert_fails(context, dae_fails(context, files[i].text), OSSA_ERROR_INPUT, files[i].words);
	}
	test_context_end(context);
}

/* ---- what corners carry ---- */

static void attributes_go_by_their_own_indices(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* offsets 0, 2 and 3, nothing at 1; two sets of UVs, the lower one is the first; V between
	   other numbers of the source */
	ossa_mesh *mesh = dae_mesh(context,
		PLACED(GRID SOURCE("N", "2", "3", "0 0 1 0 0 -1") SOURCE("T1", "2", "2",
			"9 9 6 5") "<source id=\"T0\"><float_array id=\"T0-array\">7 7 .25 8 .5 .75 8 1</float_array><technique_common>"
					   "<accessor source=\"#T0-array\" count=\"2\" offset=\"2\" stride=\"3\"><param name=\"S\" type=\"float\"/>"
					   "<param type=\"float\"/><param name=\"T\" type=\"float\"/></accessor></technique_common></source>"
					   "<triangles>" CORNERS INPUT_AT(
						   "NORMAL", "N", "2") "<input semantic=\"TEXCOORD\" source=\"#T1\" offset=\"3\" set=\"2\"/>"
											   "<input semantic=\"TEXCOORD\" source=\"#T0\" offset=\"3\" set=\"1\"/>"
											   "<p>0 5 1 0  1 5 0 1  4 5 0 -1</p></triangles>"));
	assert_int_equal(mesh->normal_count, 2);
	assert_point(mesh->normals + 3 * mesh->corner_normal[0], 0, 0, -1, 1e-6);
	assert_point(mesh->normals + 3 * mesh->corner_normal[1], 0, 0, 1, 1e-6);
	const float *first = mesh->texcoords + 2 * mesh->corner_texcoord[0],
				*second = mesh->texcoords + 2 * mesh->corner_texcoord[1];
	assert_true(first[0] == 0.25F && first[1] == 0.5F && second[0] == 0.75F && second[1] == 1);
	assert_true(mesh->corner_texcoord[2] == OSSA_NONE);
	assert_int_equal(mesh->more_uv_count, 1);
	const ossa_uv_set *more = &mesh->more_uvs[0];
	assert_int_equal(more->texcoord_count, 2);
	assert_true(more->texcoords[2 * more->corner_texcoord[0]] == 9 && more->texcoords[2 * more->corner_texcoord[1] + 1] == 5);
	assert_true(more->corner_texcoord[2] == OSSA_NONE);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* the sets of each primitive are its own; what is beyond eight is counted */
static void primitives_have_their_own_sets(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char text[8192], inputs[2048] = "";
	ossa_mesh *mesh = dae_mesh(context,
		PLACED(GRID SOURCE("T", "1", "2", "7 7") SOURCE("C", "1", "3",
			"0 1 0") "<triangles>" CORNERS "<p>0 1 4</p></triangles>"
					 "<triangles>" CORNERS INPUT_AT("TEXCOORD", "T",
						 "1") "<p>0 0 1 0 4 0</p></triangles>"
							  "<triangles>" CORNERS "<input semantic=\"TEXCOORD\" source=\"#T\" offset=\"1\" set=\"0\"/>"
							  "<input semantic=\"TEXCOORD\" source=\"#T\" offset=\"1\" set=\"1\"/>" INPUT_AT(
								  "COLOR", "C", "1") "<p>1 0 2 0 5 0</p></triangles>"));
	assert_no_warnings(context);
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_true(mesh->corner_count == 9 && mesh->more_uv_count == 1);
	for (size_t c = 0; c < 9; c++) {
		assert_true((mesh->corner_texcoord[c] == OSSA_NONE) == (c < 3));
		assert_true((mesh->more_uvs[0].corner_texcoord[c] == OSSA_NONE) == (c < 6));
	}
	ossa_mesh_free(context, mesh);
	for (int set = 0; set < 10; set++) {
		const size_t used = strlen(inputs);
		snprintf(inputs + used, sizeof inputs - used,
			"<input semantic=\"TEXCOORD\" source=\"#T\" offset=\"1\" set=\"%d\"/>"
			"<input semantic=\"COLOR\" source=\"#C\" offset=\"1\" set=\"%d\"/>",
			set, set);
	}
	snprintf(text, sizeof text,
		PLACED(GRID SOURCE("T", "1", "2", "7 7") SOURCE("C", "1", "3", "0 1 0") "<triangles>" CORNERS
																				"%s<p>0 0 1 0 4 0</p></triangles>"),
		inputs);
	mesh = dae_mesh(context, text);
	assert_true(mesh->more_uv_count == 7 && mesh->more_color_count == 7);
	assert_int_equal(test_warned(context, "sets-left-out"), 4);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void attributes_of_vertices_and_axes_by_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context,
		PLACED("<source id=\"P\"><float_array id=\"P-array\">3 2 1 0 0 1 0 2 0</float_array><technique_common>"
			   "<accessor source=\"#P-array\" count=\"3\" stride=\"3\"><param name=\"Z\" type=\"float\"/><param name=\"Y\" "
			   "type=\"float\"/>"
			   "<param name=\"X\" type=\"float\"/></accessor></technique_common></source>" SOURCE(
				   "N", "3", "3", "1 0 0 0 1 0 0 0 1")
				   SOURCE("C", "3", "3", "1 0 0 1 1 1 0 0 0") "<vertices id=\"V\">" INPUT("POSITION", "P") INPUT("NORMAL", "N")
					   INPUT("COLOR", "C") "</vertices><triangles>" INPUT_AT("VERTEX", "V", "0") "<p>2 0 1</p></triangles>"));
	assert_point(mesh->positions, 1, 2, 3, 1e-6);
	assert_point(mesh->normals + 3 * mesh->corner_normal[0], 0, 0, 1, 1e-6);
	assert_point(mesh->normals + 3 * mesh->corner_normal[1], 1, 0, 0, 1e-6);
	assert_point(mesh->colors, 1, 0, 0, 1e-6);
	assert_true(mesh->colors[3] == 1);
	assert_point(mesh->colors + 8, 0, 0, 0, 1e-6);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void colors_of_corners_are_averaged(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context,
		PLACED(GRID SOURCE("C", "2", "4", "1 1 1 1 0 0 0 1") "<triangles>" CORNERS INPUT_AT(
			"COLOR", "C", "1") "<p>0 0 1 0 4 0  0 1 4 0 3 0</p></triangles>"));
	/* half of the eye's scale is 0.214 of light */
	assert_near(mesh->colors[0], 0.214041F, 1e-5F);
	assert_point(mesh->colors + 16, 1, 1, 1, 1e-6);
	assert_int_equal(test_warned(context, "averaged-colors"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void materials_have_the_names_that_the_instance_binds(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context,
		DAE("<library_materials><material id=\"m1\" name=\"Red paint\"/><material id=\"m2\"/></library_materials>" GEOMETRY("G",
			GRID "<triangles material=\"s1\">" CORNERS "<p>0 1 4</p></triangles><triangles material=\"s2\">" CORNERS
				 "<p>0 4 3</p></triangles><triangles material=\"glass\">" CORNERS "<p>1 2 4</p></triangles><triangles>" CORNERS
				 "<p>2 5 4</p></triangles><triangles material=\"m2\">" CORNERS "<p>2 5 1</p></triangles>")
				SCENE("<node><instance_geometry url=\"#G\"><bind_material><technique_common>"
					  "<instance_material symbol=\"s2\" target=\"#m1\"/><instance_material symbol=\"s1\" target=\"#m2\"/>"
					  "</technique_common></bind_material></instance_geometry></node>")));
	static const char *const names[] = {"m2", "Red paint", "glass", NULL, "m2"};
	for (size_t i = 0; i < 5; i++) {
		const uint32_t material = mesh->polygon_material[i];
		if (!names[i]) assert_true(material == OSSA_NONE);
		else assert_string_equal(mesh->materials[material], names[i]);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_of_listing_faces),
		cmocka_unit_test(what_is_no_face_is_counted),
		cmocka_unit_test(faces_that_cannot_be_are_refused),
		cmocka_unit_test(attributes_go_by_their_own_indices),
		cmocka_unit_test(primitives_have_their_own_sets),
		cmocka_unit_test(attributes_of_vertices_and_axes_by_name),
		cmocka_unit_test(colors_of_corners_are_averaged),
		cmocka_unit_test(materials_have_the_names_that_the_instance_binds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
