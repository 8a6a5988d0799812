/* tests/import/collada/test_collada_in.c: handwritten Collada files with numbers worked out by
   hand: axes, units, transforms, scenes and instances; and files of Blender's against Blender's
   own vertices (tests/data/collada_blender.py). Geometry: test_collada_geometry.c; controllers:
   test_collada_skin.c; animations: test_collada_motion.c. */
#include "import/collada/collada.h"
#include "support/dae.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- detecting the format ---- */

static void collada_is_recognized_by_its_root(void **state)
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

/* ---- space ---- */

static void check_first_point(const char *text, double x, double y, double z)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context, text);
	assert_point(mesh->positions, x, y, z, 1e-6);
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
	ossa_mesh *mesh = dae_mesh(context, POINT_UP("<unit meter=\"-3\"/>"));
	assert_int_equal(test_warned(context, "bad-unit"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* the user's choice overrides the file's: Y, Z, or the file's own */
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
				assert_point(mesh->positions, point[0], point[1], point[2], 1e-6);
				assert_int_equal(test_warned(context, "unknown-axis"), w == 3);
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
	assert_fails(context, dae_fails(context, POINT_IN("<rotate>0 0 1</rotate>")), OSSA_ERROR_INPUT, "has 3 of 4 numbers");
	assert_fails(context, dae_fails(context, POINT_IN("<scale>1 inf 1</scale>")), OSSA_ERROR_INPUT, "not finite");
	assert_fails(context, dae_fails(context, POINT_IN("<translate>1 two 1</translate>")), OSSA_ERROR_INPUT, "\"two\"");
	assert_fails(context, dae_fails(context, POINT_IN("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix>")), OSSA_ERROR_INPUT,
		"ends with 0 0 1 1");
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
	ossa_mesh *mesh = dae_mesh(context, DAE(POINT));
	assert_int_equal(test_warned(context, "no-scene"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void nodes_are_instantiated(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *text = DAE(POINT
		/* the part, and what it holds besides */
		"<library_nodes><node id=\"part\"><translate>0 1 0</translate>" INSTANCE(
			"G") "<instance_node url=\"#inner\"/></node>"
				 "<node id=\"inner\"><scale>2 2 2</scale>" INSTANCE("G") "</node></library_nodes>" SCENE(
					 "<node><translate>10 0 0</translate><instance_node url=\"#part\"/></node>"
					 "<instance_node url=\"#%70art\"/><node><instance_node url=\"other.dae#part\"/></node>"));
	ossa_mesh *mesh = dae_mesh(context, text);
	assert_int_equal(mesh->vertex_count, 12);
	assert_point(mesh->positions, 11, 3, 3, 1e-6);
	assert_point(mesh->positions + 9, 12, 5, 6, 1e-6);
	assert_point(mesh->positions + 18, 1, 3, 3, 1e-6);
	assert_point(mesh->positions + 27, 2, 5, 6, 1e-6);
	assert_int_equal(test_warned(context, "missing-nodes"), 1);
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
	assert_fails(context, dae_fails(context, loop), OSSA_ERROR_INPUT, "line 5: <instance_node> puts a node inside itself");
	char *text = doubling_nodes(60);
	assert_fails(context, dae_fails(context, text), OSSA_ERROR_INPUT, "more than");
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
	assert_fails(context, dae_fails(context, text), OSSA_ERROR_INPUT, "its instances make more");
	free(text);
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
		if (frames) assert_near(frames->times[f], time - first, 1e-5);
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
		cmocka_unit_test(collada_is_recognized_by_its_root),
		cmocka_unit_test(axes_and_units_are_honoured),
		cmocka_unit_test(the_user_chooses_what_is_up),
		cmocka_unit_test(every_transform),
		cmocka_unit_test(the_scene_that_counts),
		cmocka_unit_test(nodes_are_instantiated),
		cmocka_unit_test(instances_do_not_run_away),
		cmocka_unit_test(vertices_of_instances_are_bounded),
		cmocka_unit_test(blender_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
