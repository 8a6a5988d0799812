/* tests/test_collada_in.c: Collada files written by hand, construct by construct, with numbers worked out by hand; and files of
   Blender's against Blender's own vertices (tests/data/collada_blender.py). Animations: test_collada_motion.c. */
#include "import/collada/collada.h"
#include "support/dae.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_mesh *read_mesh(ossa_context *context, const char *text)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("a.dae", text, 0), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

static ossa_status fails_to_read(ossa_context *context, const char *text)
{
	ossa_mesh *mesh;
	const ossa_status status = ossa_read_mesh(context, test_file("bad.dae", text, 0), NULL, &mesh);
	assert_null(mesh);
	return status;
}

static void assert_point(const float *p, double x, double y, double z)
{
	const double wanted[3] = {x, y, z};
	for (size_t k = 0; k < 3; k++) {
		if (fabs((double)p[k] - wanted[k]) <= 1e-6) continue;
		fail_msg("%g %g %g in place of %g %g %g", (double)p[0], (double)p[1], (double)p[2], x, y, z);
	}
}

static int64_t warned(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		if (strcmp(ossa_context_warning(context, i)->code, code) == 0) return ossa_context_warning(context, i)->count;
	}
	return 0;
}

static void assert_no_warnings(const ossa_context *context)
{
	if (ossa_context_warning_count(context)) fail_msg("%s", ossa_context_warning(context, 0)->message);
}

/* ---- telling the format ---- */

static void collada_is_told_by_its_root(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t size;
		bool is;
	} files[] = {
		{"<COLLADA>", 0, true},
		{"<?xml version='1.0'?>\n<COLLADA version='1.5.0'>", 0, true},
		{"\xEF\xBB\xBF<?xml version='1.0'?><!-- <X3D> --><COLLADA\n>", 0, true},
		{"<?xml version='1.0'?><!DOCTYPE COLLADA [ <!ENTITY a \"b>\"> ]><COLLADA/>", 0, true},
		{"<c:COLLADA xmlns:c='http://www.collada.org/2008/03/COLLADASchema'>", 0, true},
		{"\xFF\xFE<\0C\0O\0L\0L\0A\0D\0A\0>\0", 20, true},
		{"\0<\0C\0O\0L\0L\0A\0D\0A\0>", 18, true},
		{"<COLLADA2>", 0, false},
		{"<X3D><COLLADA>", 0, false},
		{"COLLADA", 0, false},
		{"<?xml version='1.0'?><!-- COLLADA", 0, false},
		{"<COLLADA", 0, false},
		{"<", 0, false},
		{"\xFF", 1, false},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		const size_t size = files[i].size ? files[i].size : strlen(files[i].text);
		if (ossai_collada_detect((const uint8_t *)files[i].text, size) != files[i].is)
			fail_msg("file %zu: %s", i, files[i].text);
	}
	ossa_context *context = test_context(1);
	const ossa_read_format *format;
	assert_ok(context, ossa_read_detect(context, test_file("a.xml", DAE(""), 0), &format));
	assert_string_equal(format->name, "dae");
	const char *other = test_file("b.xml", "<?xml version=\"1.0\"?><X3D/>", 0);
	assert_fails(context, ossa_read_detect(context, other, &format), OSSA_ERROR_INPUT, "not Collada");
	test_context_end(context);
}

/* ---- faces ---- */

#define PLACED(geometry) DAE(GEOMETRY("G", geometry) SCENE("<node>" INSTANCE("G") "</node>"))
/* six points: 0 0, 1 0, 2 0, 0 1, 1 1, 2 1 */
#define GRID SOURCE("P", "6", "3", "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0") VERTICES("P")
#define CORNERS INPUT_AT("VERTEX", "P-vertices", "0")

static void check_polygons(const char *text, size_t count, const uint32_t *sizes, const uint32_t *corners)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context, text);
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
	/* the second triangle of a strip runs 4 3 ... so that it faces the same way; the repeated 2 makes no face */
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
	ossa_mesh *mesh = read_mesh(context,
		PLACED(GRID "<polygons>" CORNERS "<ph><p>0 2 5 3</p><h>1 4 2</h></ph><p>0 1</p></polygons>"
					"<lines count=\"1\">" CORNERS "<p>0 1</p></lines>"
					"<polylist>" CORNERS "<vcount>2 3 0 1</vcount><p>0 1 3 4 5 2</p></polylist>"));
	assert_int_equal(mesh->polygon_count, 2);
	assert_int_equal(mesh->corner_vertex[2], 5);
	assert_int_equal(mesh->corner_vertex[4], 3);
	assert_int_equal(warned(context, "filled-holes"), 1);
	assert_int_equal(warned(context, "skipped-lines"), 1);
	assert_int_equal(warned(context, "skipped-faces"), 3);
	ossa_mesh_free(context, mesh);
	assert_fails(
		context, fails_to_read(context, PLACED(GRID "<lines>" CORNERS "<p>0 1</p></lines>")), OSSA_ERROR_INPUT, "no triangles");
	assert_int_equal(warned(context, "skipped-geometry"), 1);
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
		assert_fails(context, fails_to_read(context, files[i].text), OSSA_ERROR_INPUT, files[i].words);
	}
	test_context_end(context);
}

/* ---- what corners carry ---- */

static void attributes_go_by_their_own_indices(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* offsets 0, 2 and 3, nothing at 1; two sets of UVs, the lower one counts; V between other numbers of the source */
	ossa_mesh *mesh = read_mesh(context,
		PLACED(GRID SOURCE("N", "2", "3", "0 0 1 0 0 -1") SOURCE("T1", "1", "2",
			"9 9") "<source id=\"T0\"><float_array id=\"T0-array\">7 7 .25 8 .5 .75 8 1</float_array><technique_common>"
				   "<accessor source=\"#T0-array\" count=\"2\" offset=\"2\" stride=\"3\"><param name=\"S\" type=\"float\"/>"
				   "<param type=\"float\"/><param name=\"T\" type=\"float\"/></accessor></technique_common></source>"
				   "<triangles>" CORNERS INPUT_AT(
					   "NORMAL", "N", "2") "<input semantic=\"TEXCOORD\" source=\"#T1\" offset=\"3\" set=\"2\"/>"
										   "<input semantic=\"TEXCOORD\" source=\"#T0\" offset=\"3\" set=\"1\"/>"
										   "<p>0 5 1 0  1 5 0 1  4 5 0 -1</p></triangles>"));
	assert_int_equal(mesh->normal_count, 2);
	assert_point(mesh->normals + 3 * mesh->corner_normal[0], 0, 0, -1);
	assert_point(mesh->normals + 3 * mesh->corner_normal[1], 0, 0, 1);
	const float *first = mesh->texcoords + 2 * mesh->corner_texcoord[0],
				*second = mesh->texcoords + 2 * mesh->corner_texcoord[1];
	assert_true(first[0] == 0.25F && first[1] == 0.5F && second[0] == 0.75F && second[1] == 1);
	assert_true(mesh->corner_texcoord[2] == OSSA_NONE);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void attributes_of_vertices_and_axes_by_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context,
		PLACED("<source id=\"P\"><float_array id=\"P-array\">3 2 1 0 0 1 0 2 0</float_array><technique_common>"
			   "<accessor source=\"#P-array\" count=\"3\" stride=\"3\"><param name=\"Z\" type=\"float\"/><param name=\"Y\" "
			   "type=\"float\"/>"
			   "<param name=\"X\" type=\"float\"/></accessor></technique_common></source>" SOURCE(
				   "N", "3", "3", "1 0 0 0 1 0 0 0 1")
				   SOURCE("C", "3", "3", "1 0 0 1 1 1 0 0 0") "<vertices id=\"V\">" INPUT("POSITION", "P") INPUT("NORMAL", "N")
					   INPUT("COLOR", "C") "</vertices><triangles>" INPUT_AT("VERTEX", "V", "0") "<p>2 0 1</p></triangles>"));
	assert_point(mesh->positions, 1, 2, 3);
	assert_point(mesh->normals + 3 * mesh->corner_normal[0], 0, 0, 1);
	assert_point(mesh->normals + 3 * mesh->corner_normal[1], 1, 0, 0);
	assert_point(mesh->colors, 1, 0, 0);
	assert_true(mesh->colors[3] == 1);
	assert_point(mesh->colors + 8, 0, 0, 0);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void colors_of_corners_are_averaged(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context,
		PLACED(GRID SOURCE("C", "2", "4", "1 1 1 1 0 0 0 1") "<triangles>" CORNERS INPUT_AT(
			"COLOR", "C", "1") "<p>0 0 1 0 4 0  0 1 4 0 3 0</p></triangles>"));
	/* half of the eye's scale is 0.214 of light */
	assert_true(fabsf(mesh->colors[0] - 0.214041F) < 1e-5F);
	assert_point(mesh->colors + 16, 1, 1, 1);
	assert_int_equal(warned(context, "averaged-colors"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void materials_have_the_names_that_the_instance_binds(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context,
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

/* ---- space ---- */

static void check_first_point(const char *text, double x, double y, double z)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context, text);
	assert_point(mesh->positions, x, y, z);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a triangle whose first point is 1 2 3 */
#define POINT                                                                                                                  \
	GEOMETRY("G", SOURCE("P", "3", "3", "1 2 3 1 0 0 0 0 1") VERTICES("P") "<triangles>" CORNERS "<p>0 1 2</p></triangles>")
#define POINT_IN(transforms) DAE(POINT SCENE("<node>" transforms INSTANCE("G") "</node>"))
#define POINT_UP(asset) DAE("<asset>" asset "</asset>" POINT SCENE("<node>" INSTANCE("G") "</node>"))

static void axes_and_units_are_honoured(void **state)
{
	(void)state;
	check_first_point(POINT_UP(""), 1, 2, 3);
	check_first_point(POINT_UP("<unit meter=\"0.01\" name=\"cm\"/><up_axis>Y_UP</up_axis>"), 0.01, 0.02, 0.03);
	check_first_point(POINT_UP("<up_axis> Z_UP\n</up_axis>"), 1, 3, -2);
	check_first_point(POINT_UP("<up_axis>X_UP</up_axis>"), -2, 1, 3);
	check_first_point(POINT_UP("<unit meter=\"2\"/><up_axis>X_UP</up_axis>"), -4, 2, 6);
	/* a node's own transform is within the file's space */
	check_first_point(DAE("<asset><up_axis>X_UP</up_axis></asset>" POINT SCENE(
						  "<node><translate>10 0 0</translate><node>" INSTANCE("G") "</node></node>")),
		-2, 11, 3);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context, POINT_UP("<unit meter=\"-3\"/>"));
	assert_int_equal(warned(context, "bad-unit"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* what the user says takes the place of what the file says: Y, Z, or the file's own */
static void the_user_chooses_what_is_up(void **state)
{
	(void)state;
	static const char *const words[] = {"Y_UP", "Z_UP", "X_UP", "W_UP"};
	static const double points[][3] = {{1, 2, 3}, {1, 3, -2}, {-2, 1, 3}, {1, 2, 3}};
	ossa_context *context = test_context(1);
	for (size_t w = 0; w < 4; w++) {
		char asset[64], text[4096];
		snprintf(asset, sizeof asset, "<up_axis>%s</up_axis>", words[w]);
		/* on a node, and without a scene */
		for (int form = 0; form < 2; form++) {
			snprintf(text, sizeof text, DAE("<asset>%s</asset>" POINT "%s"), asset,
				form ? "" : SCENE("<node>" INSTANCE("G") "</node>"));
			for (int up = OSSA_UP_FILE; up <= OSSA_UP_Z; up++) {
				ossa_read_options options = ossa_read_default();
				ossa_mesh *mesh;
				options.input_up = up;
				ossa_context_reset(context);
				assert_ok(context, ossa_read_mesh(context, test_file("a.dae", text, 0), &options, &mesh));
				const double *point = points[up == OSSA_UP_FILE ? w : (size_t)up - OSSA_UP_Y];
				assert_point(mesh->positions, point[0], point[1], point[2]);
				assert_int_equal(warned(context, "unknown-axis"), w == 3);
				ossa_mesh_free(context, mesh);
			}
		}
	}
	test_context_end(context);
}

static void every_transform(void **state)
{
	(void)state;
	check_first_point(POINT_IN("<translate>10 20 30</translate>"), 11, 22, 33);
	check_first_point(POINT_IN("<scale>2 3 -1</scale>"), 2, 6, -3);
	check_first_point(POINT_IN("<rotate>0 0 2 90</rotate>"), -2, 1, 3);
	check_first_point(POINT_IN("<matrix>1 0 0 5  0 0 -1 6  0 1 0 7  0 0 0 1</matrix>"), 6, 3, 9);
	check_first_point(POINT_IN("<matrix>2 0 0 10  0 0 -2 12  0 2 0 14  0 0 0 2</matrix>"), 6, 3, 9);
	/* in their order, the first outermost */
	check_first_point(POINT_IN("<translate>1 0 0</translate><rotate>1 0 0 90</rotate><scale>1 1 2</scale>"), 2, -6, 2);
	/* at 0 0 5, looking along +x with +y up: its -z is the scene's +x, its x the scene's +z */
	check_first_point(POINT_IN("<lookat>0 0 5  9 0 5  0 1 0</lookat>"), -3, 2, 6);
	/* points move along x by their height in y times the tangent */
	check_first_point(POINT_IN("<skew>45  0 1 0  1 0 0</skew>"), 3, 2, 3);
	check_first_point(POINT_IN("<skew>120  0 1 0  1 0 0</skew>"), 1, 2, 3);
	ossa_context *context = test_context(1);
	assert_fails(context, fails_to_read(context, POINT_IN("<rotate>0 0 1</rotate>")), OSSA_ERROR_INPUT, "has 3 of 4 numbers");
	assert_fails(context, fails_to_read(context, POINT_IN("<scale>1 inf 1</scale>")), OSSA_ERROR_INPUT, "not finite");
	assert_fails(context, fails_to_read(context, POINT_IN("<translate>1 two 1</translate>")), OSSA_ERROR_INPUT, "\"two\"");
	assert_fails(context, fails_to_read(context, POINT_IN("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix>")),
		OSSA_ERROR_INPUT, "ends with 0 0 1 1");
	test_context_end(context);
}

/* ---- scenes and instances ---- */

static void the_scene_that_counts(void **state)
{
	(void)state;
#define TWO_SCENES                                                                                                             \
	"<library_visual_scenes><visual_scene id=\"A\"><node>" INSTANCE(                                                           \
		"G") "</node></visual_scene><visual_scene id=\"B\"><node>"                                                             \
			 "<translate>5 0 0</translate>" INSTANCE("G") "</node></visual_scene></library_visual_scenes>"
	check_first_point(DAE(POINT TWO_SCENES "<scene><instance_visual_scene url=\"#B\"/></scene>"), 6, 2, 3);
	check_first_point(DAE(POINT TWO_SCENES), 1, 2, 3);
	check_first_point(DAE("<asset><up_axis>X_UP</up_axis></asset>" POINT), -2, 1, 3);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context, DAE(POINT));
	assert_int_equal(warned(context, "no-scene"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void nodes_are_instantiated(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_mesh(context,
		DAE(POINT "<library_nodes><node id=\"part\"><translate>0 1 0</translate>" INSTANCE("G") "<instance_node "
																								"url=\"#inner\"/></node><node "
																								"id=\"inner\"><scale>2 2 "
																								"2</scale>" INSTANCE(
																									"G") "</node></"
																										 "library_"
																										 "nodes"
																										 ">" SCENE("<node>"
																												   "<trans"
																												   "late>"
																												   "10 0 "
																												   "0</"
																												   "transl"
																												   "ate><"
																												   "instan"
																												   "ce_"
																												   "node "
																												   "url="
																												   "\"#"
																												   "part\""
																												   "/></"
																												   "node><"
																												   "instan"
																												   "ce_"
																												   "node "
																												   "url="
																												   "\"%"
																												   "70art"
																												   "\"/>"
																												   "<node>"
																												   "<insta"
																												   "nce_"
																												   "node "
																												   "url="
																												   "\"othe"
																												   "r.dae#"
																												   "part\""
																												   "/></"
																												   "node"
																												   ">")));
	assert_int_equal(mesh->vertex_count, 12);
	assert_point(mesh->positions, 11, 3, 3);
	assert_point(mesh->positions + 9, 12, 5, 6);
	assert_point(mesh->positions + 18, 1, 3, 3);
	assert_point(mesh->positions + 27, 2, 5, 6);
	assert_int_equal(warned(context, "missing-nodes"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* each of `count` nodes holds the next one twice */
static char *doubling_nodes(int count)
{
	char *text = malloc(200 + (size_t)count * 120), *at = text;
	assert_non_null(text);
	at += sprintf(at, "<COLLADA><library_nodes>");
	for (int i = 0; i < count; i++) {
		at += sprintf(
			at, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i, i + 1, i + 1);
	}
	sprintf(at, "<node id=\"n%d\"/></library_nodes>" SCENE("<instance_node url=\"#n0\"/>") "</COLLADA>", count);
	return text;
}

static void instances_do_not_run_away(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *loop = DAE("<library_nodes><node id=\"a\"><node><instance_node url=\"#b\"/></node></node>\n<node id=\"b\">\n"
						   "<instance_node url=\"#a\"/></node></library_nodes>" SCENE("<instance_node url=\"#a\"/>"));
	assert_fails(context, fails_to_read(context, loop), OSSA_ERROR_INPUT, "line 5: <instance_node> puts a node inside itself");
	char *text = doubling_nodes(60);
	assert_fails(context, fails_to_read(context, text), OSSA_ERROR_INPUT, "more than");
	assert_true(ossa_context_peak_bytes(context) < (size_t)16 << 20);
	free(text);
	test_context_end(context);
}

static void vertices_of_instances_are_bounded(void **state)
{
	(void)state;
	enum { VERTICES = 3000, COPIES = 3000 };
	char *text = malloc(VERTICES * 8 + COPIES * 80 + 2000), *at = text;
	assert_non_null(text);
	at += sprintf(at, "<COLLADA><library_geometries><geometry id=\"G\"><mesh><source id=\"P\"><float_array>");
	for (int i = 0; i < VERTICES; i++) at += sprintf(at, "%d 0 0 ", i % 10);
	at += sprintf(at,
		"</float_array></source>" VERTICES(
			"P") "<triangles>" CORNERS
				 "<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene>");
	for (int i = 0; i < COPIES; i++) at += sprintf(at, "<node>" INSTANCE("G") "</node>");
	sprintf(at, "</visual_scene></library_visual_scenes></COLLADA>");
	ossa_context *context = test_context(1);
	assert_fails(context, fails_to_read(context, text), OSSA_ERROR_INPUT, "its instances make more");
	free(text);
	test_context_end(context);
}

/* ---- skins ---- */

#define JOINT(id, name, sid, inner) "<node id=\"" id "\" name=\"" name "\" sid=\"" sid "\" type=\"JOINT\">" inner "</node>\n"
/* root at the origin, tip at 0 1 0 */
#define ARM(inner)                                                                                                             \
	JOINT("root-id", "root-name", "root-sid",                                                                                  \
		inner JOINT("tip-id", "tip-name", "tip-sid", "<translate sid=\"t\">0 1 0</translate>"))
#define BINDS SOURCE("B", "2", "16", UNIT_MATRIX " 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1")
#define SKIN_WITH(shape, joints, binds, weights)                                                                               \
	CONTROLLER("Skin",                                                                                                         \
		"<skin source=\"#Square\">" shape joints binds "<joints>" INPUT("JOINT", "J")                                          \
			INPUT("INV_BIND_MATRIX", "B") "</joints>" weights "</skin>")
/* the lower corners of the square follow the root, the upper ones half of each */
#define WEIGHTS                                                                                                                \
	SOURCE("W", "2", "1", "1 .5")                                                                                              \
	"<vertex_weights count=\"4\">" INPUT_AT("JOINT", "J", "0")                                                                 \
		INPUT_AT("WEIGHT", "W", "1") "<vcount>1 1 2 2</vcount><v>0 0  0 0  0 1 1 1  0 1 1 1</v></vertex_weights>"
#define JOINTS(kind, words) WORDS("J", kind, "2", words)
#define SKINNED(skeleton) "<node id=\"body\"><instance_controller url=\"#Skin\">" skeleton "</instance_controller></node>"
#define RIG(joints, skeleton) DAE(SQUARE SKIN_WITH("", joints, BINDS, WEIGHTS) SCENE(SKINNED(skeleton) ARM("")))

static ossa_rig *read_rig(ossa_context *context, const char *text)
{
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, test_file("rig.dae", text, 0), NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_status fails_to_rig(ossa_context *context, const char *text)
{
	ossa_rig *rig;
	const ossa_status status = ossa_read_rig(context, test_file("bad.dae", text, 0), NULL, &rig);
	assert_null(rig);
	return status;
}

static float weight_of(const ossa_rig *rig, size_t vertex, const char *bone)
{
	float sum = 0;
	for (size_t k = 0; k < (size_t)rig->weights.influences; k++) {
		const size_t at = vertex * (size_t)rig->weights.influences + k;
		if (strcmp(rig->skeleton.bones[rig->weights.bones[at]].name, bone) == 0) sum += rig->weights.values[at];
	}
	return sum;
}

static void check_arm(const char *text)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_rig(context, text);
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_string_equal(rig->skeleton.bones[0].name, "root-name");
	assert_string_equal(rig->skeleton.bones[1].name, "tip-name");
	assert_int_equal(rig->skeleton.bones[1].parent, 0);
	assert_true(fabs(rig->skeleton.bones[1].joint[1] - 1) < 1e-9);
	assert_true(
		weight_of(rig, 0, "root-name") == 1 && weight_of(rig, 3, "root-name") == 0.5F && weight_of(rig, 3, "tip-name") == 0.5F);
	assert_no_warnings(context);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void joints_are_found_as_writers_name_them(void **state)
{
	(void)state;
#define BELOW "<skeleton>#root-id</skeleton>"
	check_arm(RIG(JOINTS("Name", "root-sid tip-sid"), BELOW));
	check_arm(RIG(JOINTS("Name", "root-sid tip-sid"), ""));
	check_arm(RIG(JOINTS("Name", "root-id tip-id"), BELOW));
	check_arm(RIG(JOINTS("Name", "root-name tip-name"), BELOW));
	check_arm(RIG(JOINTS("IDREF", "root-id tip-id"), BELOW));
	check_arm(RIG(JOINTS("SIDREF", "root-id root-id/tip-sid"), BELOW));
	check_arm(RIG(JOINTS("Name", "root-sid tip-sid"), "<skeleton>#Scene</skeleton>"));
	ossa_context *context = test_context(1);
	assert_fails(context, fails_to_rig(context, RIG(JOINTS("Name", "root-sid tap-sid"), BELOW)), OSSA_ERROR_INPUT,
		"the joint \"tap-sid\" moves vertices");
	assert_fails(context, fails_to_rig(context, RIG(JOINTS("Name", "root-sid tip sid"), BELOW)), OSSA_ERROR_INPUT,
		"should hold 2 names and holds 3");
	test_context_end(context);
}

/* two skeletons of the same sids: what is below the <skeleton> counts */
static void joints_below_the_skeleton_come_first(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_rig(context,
		DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS) SCENE(
			SKINNED("<skeleton>#second</skeleton>")
				JOINT("first", "a", "root-sid", JOINT("first-tip", "b", "tip-sid", "<translate>0 1 0</translate>"))
					JOINT("second", "c", "root-sid", JOINT("second-tip", "d", "tip-sid", "<translate>0 1 0</translate>")))));
	assert_true(weight_of(rig, 0, "c") == 1 && weight_of(rig, 3, "d") == 0.5F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void the_bind_shape_is_baked_in(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* twice as large, a quarter turn about z, moved by 3 in x; the node that the mesh hangs on says nothing */
	ossa_rig *rig = read_rig(context,
		DAE(SQUARE SKIN_WITH("<bind_shape_matrix>0 -2 0 3  2 0 0 0  0 0 2 0  0 0 0 1</bind_shape_matrix>",
			JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS)
				SCENE("<node><translate>0 0 77</translate>" SKINNED("") "</node>" ARM(""))));
	assert_point(rig->mesh->positions, 3, 0, 0);
	assert_point(rig->mesh->positions + 3, 3, 2, 0);
	assert_point(rig->mesh->positions + 6, 1, 2, 0);
	ossa_rig_free(context, rig);
	/* X up turns the mesh, the joints and the binds alike */
	rig = read_rig(context,
		DAE("<asset><up_axis>X_UP</up_axis></asset>" SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS)
				SCENE(SKINNED("") ARM(""))));
	assert_point(rig->mesh->positions + 3, 0, 1, 0);
	assert_true(fabs(rig->skeleton.bones[1].joint[0] + 1) < 1e-9 && fabs(rig->skeleton.bones[1].joint[1]) < 1e-9);
	float moved[12];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, NULL, 0, moved));
	for (size_t i = 0; i < 12; i++) assert_true(fabsf(moved[i] - rig->mesh->positions[i]) < 1e-6F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* <v> with a third index, weights at the second; joint -1 stays as it was bound */
static void weights_with_more_indices_and_without_a_joint(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_rig(context,
		DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS,
			SOURCE("W", "3", "1", "1 .25 .75") "<vertex_weights count=\"4\">" INPUT_AT("JOINT", "J", "2") INPUT_AT(
				"WEIGHT", "W", "1") "<vcount>1 1 2 2</vcount><v>9 0 0  9 0 0  9 1 0 9 2 1  9 1 -1 9 2 0</v></vertex_weights>")
				SCENE(SKINNED("") ARM(""))));
	assert_true(weight_of(rig, 2, "root-name") == 0.25F && weight_of(rig, 2, "tip-name") == 0.75F);
	assert_true(weight_of(rig, 3, "bind_shape") == 0.25F && weight_of(rig, 3, "root-name") == 0.75F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

#define BAD_WEIGHTS(weights)                                                                                                   \
	DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, weights) SCENE(SKINNED("") ARM("")))
#define PAIRS(values, vcount, v)                                                                                               \
	SOURCE("W", "2", "1", values)                                                                                              \
	"<vertex_weights count=\"4\">" INPUT_AT("JOINT", "J", "0") INPUT_AT("WEIGHT", "W", "1") "<vcount>" vcount "</vcount><v>" v \
																							"</v></vertex_weights>"

static void weights_that_cannot_be_are_refused_or_told(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const struct {
		const char *text, *words;
	} files[] = {
		{BAD_WEIGHTS(PAIRS("1 .5", "1 1 1 1", "0 0 0 0 2 0 0 0")), "joint 2, and the skin has 2"},
		{BAD_WEIGHTS(PAIRS("1 .5", "1 1 1 1", "0 0 0 0 -2 0 0 0")), "joint -2"},
		{BAD_WEIGHTS(PAIRS("1 .5", "1 1 1 1", "0 0 0 0 1 2 0 0")), "weight 2, and there are 2"},
		{BAD_WEIGHTS(PAIRS("1 .5", "1 1 1 9", "0 0 0 0 1 0 0 0")), "<v> ends"},
		{BAD_WEIGHTS(PAIRS("1 .5", "1 1 1 99999999999", "0 0 0 0 1 0 0 0")), "<v> ends"},
		{BAD_WEIGHTS(""), "no JOINT or no WEIGHT"},
		{DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), SOURCE("B", "1", "16", UNIT_MATRIX), WEIGHTS)
				 SCENE(SKINNED("") ARM(""))),
			"holds 1 matrices"},
		{DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"),
			 SOURCE("B", "2", "16", UNIT_MATRIX " 1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 1"), WEIGHTS) SCENE(SKINNED("") ARM(""))),
			"joint 1 (\"tip-sid\") has no inverse"},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		assert_fails(context, fails_to_rig(context, files[i].text), OSSA_ERROR_INPUT, files[i].words);
	}
	/* fewer weights than vertices: the rest follows the root; NaN is dropped; both are told */
	ossa_rig *rig = read_rig(context, BAD_WEIGHTS(PAIRS("1 NaN", "1 2", "0 0 0 0 1 1")));
	assert_int_equal(warned(context, "weights-mismatch"), 1);
	assert_int_equal(warned(context, "weights-dropped"), 1);
	assert_true(weight_of(rig, 3, "root-name") == 1);
	ossa_rig_free(context, rig);
	/* joints that no node is, and nothing hangs on */
	rig = read_rig(context,
		DAE(SQUARE SKIN_WITH("", WORDS("J", "Name", "3", "gone root-sid tip-sid"),
			SOURCE("B", "3", "16", UNIT_MATRIX " " UNIT_MATRIX " 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1"),
			PAIRS("1 .5", "1 1 1 1", "1 0 1 0 2 0 2 0")) SCENE(SKINNED("") ARM(""))));
	assert_int_equal(warned(context, "missing-joints"), 1);
	assert_true(weight_of(rig, 0, "root-name") == 1 && weight_of(rig, 3, "tip-name") == 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* one vertex of 100 weights: 64 stay */
static void many_weights_are_cut(void **state)
{
	(void)state;
	char *text = malloc(40000), *at = text;
	ossa_context *context = test_context(1);
	assert_non_null(text);
	at += sprintf(at,
		"<COLLADA>" SQUARE
		"<library_controllers><controller id=\"Skin\"><skin source=\"#Square\"><source id=\"J\"><Name_array>");
	for (int i = 0; i < 100; i++) at += sprintf(at, "j%d ", i);
	at += sprintf(at, "</Name_array></source><source id=\"B\"><float_array>");
	for (int i = 0; i < 100; i++) at += sprintf(at, "%s ", UNIT_MATRIX);
	at += sprintf(at,
		"</float_array><technique_common><accessor count=\"100\" stride=\"16\"/></technique_common></source><source "
		"id=\"W\"><float_array>");
	for (int i = 0; i < 100; i++) at += sprintf(at, "%d ", i + 1);
	at += sprintf(at,
		"</float_array></source><joints>" INPUT("JOINT", "J")
			INPUT("INV_BIND_MATRIX", "B") "</joints><vertex_weights>" INPUT_AT("JOINT", "J", "0")
				INPUT_AT("WEIGHT", "W", "0") "<vcount>1 1 1 100</vcount><v>0 0 0 ");
	for (int i = 0; i < 100; i++) at += sprintf(at, "%d ", i);
	at += sprintf(
		at, "</v></vertex_weights></skin></controller></library_controllers><library_visual_scenes><visual_scene>" SKINNED(""));
	for (int i = 0; i < 100; i++) at += sprintf(at, "<node sid=\"j%d\" type=\"JOINT\">", i);
	for (int i = 0; i < 100; i++) at += sprintf(at, "</node>");
	sprintf(at, "</visual_scene></library_visual_scenes></COLLADA>");
	ossa_rig *rig = read_rig(context, text);
	assert_int_equal(warned(context, "influences-cut"), 1);
	assert_true(weight_of(rig, 3, "j99") > 0 && weight_of(rig, 3, "j36") > 0 && weight_of(rig, 3, "j35") == 0);
	ossa_rig_free(context, rig);
	free(text);
	test_context_end(context);
}

/* ---- morphs ---- */

#define TARGETS                                                                                                                \
	GEOMETRY("Wide", SOURCE("PW", "4", "3", "0 0 0 3 0 0 3 1 0 0 1 0") VERTICES("PW"))                                         \
	GEOMETRY("Deep", SOURCE("PD", "4", "3", "0 0 0 0 0 0 0 0 4 0 0 4") VERTICES("PD"))
#define MORPH(method, source)                                                                                                  \
	"<morph source=\"#" source "\" method=\"" method "\">" WORDS("T", "IDREF", "2", "Wide Deep") SOURCE(                       \
		"MW", "2", "1", ".5 .25") "<targets>" INPUT("MORPH_TARGET", "T") INPUT("MORPH_WEIGHT", "MW") "</targets></morph>"
#define MORPHED(method)                                                                                                        \
	DAE(SQUARE TARGETS CONTROLLER("Morph", MORPH(method, "Square")) SCENE("<node><instance_controller "                        \
																		  "url=\"#Morph\"/></node>"))

static void morphs_normalized_and_relative(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* 1 1 0 + .5 (2 0 0) + .25 (-1 -1 4) */
	ossa_mesh *mesh = read_mesh(context, MORPHED("NORMALIZED"));
	assert_point(mesh->positions + 6, 1.75, 0.75, 1);
	ossa_mesh_free(context, mesh);
	/* 1 1 0 + .5 (3 1 0) + .25 (0 0 4) */
	mesh = read_mesh(context, MORPHED("RELATIVE"));
	assert_point(mesh->positions + 6, 2.5, 1.5, 1);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	/* under a skin that bakes in a scale of 2 */
	ossa_rig *rig = read_rig(context,
		DAE(SQUARE TARGETS CONTROLLER("Morph", MORPH("NORMALIZED", "Square")) CONTROLLER("Skin",
			"<skin source=\"#Morph\"><bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>" JOINTS(
				"Name", "root-sid tip-sid") BINDS "<joints>" INPUT("JOINT", "J")
				INPUT("INV_BIND_MATRIX", "B") "</joints>" WEIGHTS "</skin>") SCENE(SKINNED("") ARM(""))));
	assert_point(rig->mesh->positions + 6, 3.5, 1.5, 2);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void controllers_that_lead_nowhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *loop = DAE(SQUARE TARGETS CONTROLLER("A", MORPH("NORMALIZED", "B")) CONTROLLER("B", MORPH("NORMALIZED", "A"))
			SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, fails_to_read(context, loop), OSSA_ERROR_INPUT, "in a loop");
	const char *self = DAE(CONTROLLER("A", "<skin source=\"#A\"/>") SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, fails_to_read(context, self), OSSA_ERROR_INPUT, "in a loop");
	const char *empty = DAE(CONTROLLER("A", "") SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, fails_to_read(context, empty), OSSA_ERROR_INPUT, "neither <skin> nor <morph>");
	const char *target = DAE(
		SQUARE CONTROLLER("A", MORPH("NORMALIZED", "Square")) SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, fails_to_read(context, target), OSSA_ERROR_INPUT, "\"Wide\" is no geometry of this file");
	const char *size = DAE(SQUARE GEOMETRY("Wide", SOURCE("PW", "1", "3", "0 0 0") VERTICES("PW"))
			CONTROLLER("A", MORPH("NORMALIZED", "Square")) SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, fails_to_read(context, size), OSSA_ERROR_INPUT, "has 1 vertices and its mesh 4");
	/* what is in another file is left out */
	ossa_mesh *mesh = read_mesh(
		context, DAE(SQUARE SCENE("<node>" INSTANCE("Square") "<instance_geometry url=\"b.dae#c\"/></node>")));
	assert_int_equal(warned(context, "missing-geometry"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- what files say of bones ---- */

#define OWN(inner) "<extra type=\"ossa\"><technique profile=\"ossa\">" inner "</technique></extra>"
#define HINGE(name, axis, limits)                                                                                              \
	"<joint name=\"" name "\" sid=\"" name "\"><revolute sid=\"axis0\"><axis>" axis "</axis><limits>" limits                   \
	"</limits></revolute></joint>"
#define KINEMATICS(joints)                                                                                                     \
	"<library_kinematics_models><kinematics_model id=\"k\"><technique_common>" joints "</technique_common></kinematics_model>" \
	"</library_kinematics_models>"

static void bones_carry_what_ossa_wrote(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_rig(context,
		DAE(SQUARE SKIN_WITH(
			"", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS) SCENE(SKINNED("") JOINT("root-id", "r", "root-sid",
			OWN("<name>hip</name><kind>root</kind><tail>0 1 0</tail><residual>0.5</residual>") JOINT("tip-id", "t", "tip-sid",
				"<translate>0 1 0</translate>" OWN("<kind>hinge</kind><axis>0 0 1</axis><turn>33</turn><tail>1 2 0</tail>"
												   "<limits>-1 2 -3 4 -5 6</limits>") JOINT("e", "e", "e",
					"<translate>1 1 0</translate>" OWN("<end>true</end>")))) OWN("<method>examples</method>"))));
	assert_string_equal(rig->method, "examples");
	assert_int_equal(rig->skeleton.bone_count, 2);
	const ossa_bone *root = &rig->skeleton.bones[0], *tip = &rig->skeleton.bones[1];
	assert_string_equal(root->name, "hip");
	assert_true(root->fit_residual == 0.5);
	assert_int_equal(tip->kind, OSSA_JOINT_HINGE);
	assert_true(tip->turn_degrees == 33 && fabs(tip->axis[2] - 1) < 1e-9);
	assert_true(fabs(tip->tail[0] - 1) < 1e-9 && fabs(tip->tail[1] - 2) < 1e-9);
	assert_true(tip->has_limits);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the joint's frame at rest is such that no axes are turned into others: +Y along the bone */
static void kinematics_give_limits(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_asset asset;
	const char *text = DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS) SCENE(SKINNED("") ARM(
		"<rotate sid=\"r_rz\">0 0 1 0</rotate><rotate sid=\"r_ry\">0 1 0 10</rotate><rotate sid=\"r_rx\">-1 0 0 0</rotate>"))
			KINEMATICS(
				HINGE("r_rz", "0 0 1", "<min>-30</min><max>40</max>") HINGE("r_ry", "0 1 0", "<min>-20</min><max>50</max>")
					HINGE("r_rx", "-1 0 0", "<min>-5</min><max>15</max>") HINGE("r_rw", "0 0 1", "<min>0</min><max>1</max>")));
	const ossai_source source = {"k.dae", (const uint8_t *)text, strlen(text)};
	assert_ok(context, ossai_asset_open(context, &source, ossai_collada_read_asset, NULL, &asset));
	const ossai_asset_bone *bone = asset.nodes[1].bone;
	assert_string_equal(asset.nodes[1].name, "root-name");
	assert_non_null(bone);
	assert_true(bone->has_limits);
	/* from the angle at rest; about the positive axis */
	static const double wanted[3][2] = {{-15, 5}, {-30, 40}, {-30, 40}};
	for (int k = 0; k < 3; k++) {
		assert_true(fabs(bone->limits[k][0] - wanted[k][0]) < 1e-9 && fabs(bone->limits[k][1] - wanted[k][1]) < 1e-9);
	}
	assert_null(asset.nodes[2].bone);
	ossai_asset_close(&asset);
	test_context_end(context);
}

/* ---- Blender's files ---- */

/* Blender's vertices of the next frame; false at the end */
static bool next_frame(FILE *stream, size_t count, double *time, double *points)
{
	if (fscanf(stream, "%lf", time) != 1) return false;
	for (size_t i = 0; i < 3 * count; i++) assert_int_equal(fscanf(stream, "%lf", &points[i]), 1);
	return true;
}

/* every vertex in every frame; the keys are Blender's frames, the first at time 0 */
static void check_blender(const char *name, bool moves)
{
	ossa_context *context = test_context(0);
	char path[512];
	size_t frame_count, count, f = 0;
	double time, points[3 * 64], first = -1;
	ossa_mesh *mesh;
	ossa_frames *frames;
	snprintf(path, sizeof path, "%s/tests/data/%s.txt", OSSA_SOURCE_DIR, name);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	assert_int_equal(fscanf(stream, "%zu %zu", &frame_count, &count), 2);
	assert_true(count <= 64);
	snprintf(path, sizeof path, "%s/tests/data/%s.dae", OSSA_SOURCE_DIR, name);
	assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, &frames));
	assert_true((frames != NULL) == moves);
	if (frames) assert_int_equal(frames->frame_count, frame_count);
	assert_int_equal(mesh->vertex_count, count);
	for (; next_frame(stream, count, &time, points); f++) {
		if (first < 0) first = time;
		if (frames) assert_true(fabs(frames->times[f] - (time - first)) < 1e-5);
		const float *ours = frames ? frames->positions + f * 3 * count : mesh->positions;
		for (size_t i = 0; i < 3 * count; i++) {
			if (fabs((double)ours[i] - points[i]) > 5e-6)
				fail_msg("%s: frame %zu, vertex %zu: %g, %g", name, f, i / 3, (double)ours[i], points[i]);
		}
	}
	assert_int_equal(f, frame_count);
	fclose(stream);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

static void blender_agrees(void **state)
{
	(void)state;
	check_blender("blender_skin", true);
	check_blender("blender_shapes", true);
	check_blender("blender_parts", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collada_is_told_by_its_root),
		cmocka_unit_test(every_way_of_listing_faces),
		cmocka_unit_test(what_is_no_face_is_counted),
		cmocka_unit_test(faces_that_cannot_be_are_refused),
		cmocka_unit_test(attributes_go_by_their_own_indices),
		cmocka_unit_test(attributes_of_vertices_and_axes_by_name),
		cmocka_unit_test(colors_of_corners_are_averaged),
		cmocka_unit_test(materials_have_the_names_that_the_instance_binds),
		cmocka_unit_test(axes_and_units_are_honoured),
		cmocka_unit_test(the_user_chooses_what_is_up),
		cmocka_unit_test(every_transform),
		cmocka_unit_test(the_scene_that_counts),
		cmocka_unit_test(nodes_are_instantiated),
		cmocka_unit_test(instances_do_not_run_away),
		cmocka_unit_test(vertices_of_instances_are_bounded),
		cmocka_unit_test(joints_are_found_as_writers_name_them),
		cmocka_unit_test(joints_below_the_skeleton_come_first),
		cmocka_unit_test(the_bind_shape_is_baked_in),
		cmocka_unit_test(weights_with_more_indices_and_without_a_joint),
		cmocka_unit_test(weights_that_cannot_be_are_refused_or_told),
		cmocka_unit_test(many_weights_are_cut),
		cmocka_unit_test(morphs_normalized_and_relative),
		cmocka_unit_test(controllers_that_lead_nowhere),
		cmocka_unit_test(bones_carry_what_ossa_wrote),
		cmocka_unit_test(kinematics_give_limits),
		cmocka_unit_test(blender_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
