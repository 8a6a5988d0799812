/* tests/import/fbx/test_fbx_scenes.c: scenes in ASCII files, by hand, through assimp: models of one
   name, and of other counts of sets. */
#include "support/support.h"

#include <ossa/ossa.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the file ---- */

typedef struct scene {
	char objects[32768], links[2048];
} scene;

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
	const size_t used = strlen(text);
	va_list values;
	va_start(values, format);
	vsnprintf(text + used, size - used, format, values);
	va_end(values);
}

#define OBJECT(s, ...) add((s)->objects, sizeof(s)->objects, __VA_ARGS__)
#define LINK(s, child, parent) add((s)->links, sizeof(s)->links, "\tC: \"OO\",%d,%d\n", child, parent)

static void model(scene *s, int id, const char *name, const char *kind, int parent)
{
	OBJECT(s, "\tModel: %d, \"Model::%s\", \"%s\" {\n\t\tVersion: 232\n\t}\n", id, name, kind);
	LINK(s, id, parent);
}

/* a quad `x` along the first axis; layers: further elements of the geometry */
static void quad(scene *s, int id, int of_model, int x, const char *layers)
{
	OBJECT(s,
		"\tGeometry: %d, \"Geometry::quad\", \"Mesh\" {\n\t\tVertices: *12 {\n\t\t\ta: %d,0,0,%d,0,0,%d,1,0,%d,1,0\n\t\t}\n"
		"\t\tPolygonVertexIndex: *4 {\n\t\t\ta: 0,1,2,-4\n\t\t}\n\t\tGeometryVersion: 124\n%s\t}\n",
		id, x, x + 1, x + 1, x, layers);
	LINK(s, id, of_model);
}

/* a shape that raises the third corner; ids from `id` on */
static void shape(scene *s, int id, int of_geometry, const char *name, double percent)
{
	OBJECT(s,
		"\tGeometry: %d, \"Geometry::%s\", \"Shape\" {\n\t\tVersion: 100\n\t\tIndexes: *1 {\n\t\t\ta: 2\n\t\t}\n"
		"\t\tVertices: *3 {\n\t\t\ta: 0,0,1\n\t\t}\n\t\tNormals: *3 {\n\t\t\ta: 0,0,0\n\t\t}\n\t}\n",
		id, name);
	OBJECT(s, "\tDeformer: %d, \"Deformer::\", \"BlendShape\" {\n\t\tVersion: 100\n\t}\n", id + 1);
	OBJECT(s,
		"\tDeformer: %d, \"SubDeformer::%s\", \"BlendShapeChannel\" {\n\t\tVersion: 100\n\t\tDeformPercent: %g\n"
		"\t\tFullWeights: *1 {\n\t\t\ta: 100\n\t\t}\n\t}\n",
		id + 2, name, percent);
	LINK(s, id + 1, of_geometry);
	LINK(s, id + 2, id + 1);
	LINK(s, id, id + 2);
}

static const char *write_scene(const scene *s, const char *name)
{
	static char text[sizeof(scene) + 1024];
	snprintf(text, sizeof text,
		"; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
		"GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
		"\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n\t}\n}\nDefinitions:  {\n\tVersion: 100\n\tCount: 2\n}\n"
		"Objects:  {\n%s}\nConnections:  {\n%s}\n",
		s->objects, s->links);
	return test_file(name, text, 0);
}

/* whether FBX can be read; says so where it cannot */
static bool can_read(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	print_message("skipped: this build has no FBX reader (libassimp-dev)\n");
	return false;
}

/* ---- models of one name ---- */

/* at which percentage of the shape of a mesh whose vertices begin at `x` */
static double weight_at(const ossa_mesh *mesh, int x)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const ossa_morph *morph = &mesh->morphs[m];
		assert_int_equal(morph->count, 1);
		const double place = (double)mesh->positions[3 * (size_t)morph->vertices[0]];
		if (fabs(place - x - 1) < 1e-6) return 100 * morph->weight;
	}
	fail_msg("no shape at %d", x);
	return NAN;
}

/* heads on their own, and below groups of one name: weights at rest are those of each, in whatever
   order the file connects them */
static void models_of_one_name_have_their_own_weights(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	static scene s;
	model(&s, 1, "Group", "Null", 0);
	model(&s, 2, "Group", "Null", 0);
	model(&s, 21, "Head", "Mesh", 2);
	model(&s, 20, "Head", "Mesh", 1);
	model(&s, 22, "Head", "Mesh", 0);
	model(&s, 23, "Head001", "Mesh", 21);
	for (int i = 0; i < 4; i++) {
		quad(&s, 10 + i, 20 + i, 10 * i, "");
		shape(&s, 30 + 3 * i, 10 + i, "smile", 10 + 20 * i);
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, write_scene(&s, "heads.fbx"), NULL, &mesh));
	assert_int_equal(mesh->morph_count, 4);
	for (int i = 0; i < 4; i++) assert_near(weight_at(mesh, 10 * i), 10 + 20 * i, 1e-9);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* all corners of a quad follow a model; ids from `id` on */
static void skin(scene *s, int id, int of_geometry, int joint, int x)
{
	OBJECT(s, "\tDeformer: %d, \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n\t}\n", id);
	OBJECT(s,
		"\tDeformer: %d, \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n\t\tIndexes: *4 {\n\t\t\ta: 0,1,2,3\n\t\t}\n"
		"\t\tWeights: *4 {\n\t\t\ta: 1,1,1,1\n\t\t}\n\t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,%d,0,0,1\n\t\t}\n"
		"\t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,%d,0,0,1\n\t\t}\n\t}\n",
		id + 1, -x, x);
	LINK(s, id, of_geometry);
	LINK(s, id + 1, id);
	LINK(s, joint, id + 1);
}

/* a model goes up by `up` in a second; ids from `id` on, layer 51 */
static void motion(scene *s, int id, int of_model, int x, int up)
{
	OBJECT(s,
		"\tAnimationCurveNode: %d, \"AnimCurveNode::T\", \"\" {\n\t\tProperties70:  {\n"
		"\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",%d\n\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",0\n\t\t}\n\t}\n",
		id, x);
	OBJECT(s,
		"\tAnimationCurve: %d, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n"
		"\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,%d\n\t\t}\n\t}\n",
		id + 1, up);
	LINK(s, id, 51);
	add(s->links, sizeof s->links, "\tC: \"OP\",%d,%d, \"Lcl Translation\"\n\tC: \"OP\",%d,%d, \"d|Y\"\n", id, of_model, id + 1,
		id);
}

/* two skeletons, as of two characters from one program: each mesh follows its own, and so does
   each motion */
static void skeletons_of_one_name_move_their_own_skin(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	static scene s;
	memset(&s, 0, sizeof s);
	OBJECT(
		&s, "\tAnimationStack: 50, \"AnimStack::act\", \"\" {\n\t}\n\tAnimationLayer: 51, \"AnimLayer::base\", \"\" {\n\t}\n");
	LINK(&s, 51, 50);
	for (int i = 0; i < 2; i++) {
		OBJECT(&s,
			"\tModel: %d, \"Model::hips\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
			"\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",%d,0,0\n\t\t}\n\t}\n",
			40 + i, 10 * i);
		LINK(&s, 40 + i, 0);
		model(&s, 20 + i, "body", "Mesh", 0);
		quad(&s, 10 + i, 20 + i, 10 * i, "");
		skin(&s, 60 + 10 * i, 10 + i, 40 + i, 10 * i);
		motion(&s, 80 + 10 * i, 40 + i, 10 * i, 3 + 2 * i);
	}
	ossa_mesh *mesh;
	ossa_frames *frames;
	const char *path = write_scene(&s, "twins.fbx");
	assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, &frames));
	assert_int_equal(test_warned(context, "fbx-names"), 0);
	assert_int_equal(mesh->object_count, 2);
	for (size_t i = 0; i < 2; i++) assert_string_equal(mesh->objects[i].name, "body");
	assert_int_equal(mesh->vertex_count, 8);
	const float *last = frames->positions + 3 * mesh->vertex_count * (frames->frame_count - 1);
	for (size_t v = 0; v < 8; v++) {
		const bool is_second = (double)mesh->positions[3 * v] > 5;
		assert_near((double)last[3 * v], (double)mesh->positions[3 * v], 1e-5);
		assert_near((double)last[3 * v + 1] - (double)mesh->positions[3 * v + 1], is_second ? 5 : 3, 1e-5);
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, path, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_string_equal(rig->skeleton.bones[1].name, "hips");
	assert_string_equal(rig->skeleton.bones[2].name, "hips_2");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- what is not read ---- */

/* a model with what makes it a thing of a kind; ids `id` and `id` + 100 */
static void thing(scene *s, int id, const char *name, const char *kind, const char *attribute, const char *properties)
{
	OBJECT(s, "\tModel: %d, \"Model::%s\", \"%s\" {\n\t\tVersion: 232\n%s\t}\n", id, name, kind, properties);
	LINK(s, id, 0);
	OBJECT(s, "\tNodeAttribute: %d, \"NodeAttribute::%s\", \"%s\" {\n\t\tTypeFlags: \"%s\"\n\t}\n", id + 100, name, attribute,
		attribute);
	LINK(s, id + 100, id);
}

/* a layer of vectors, one at each corner */
#define LAYER(kind)                                                                                                            \
	"\t\tLayerElement" kind ": 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n\t\t\tMappingInformationType: "                      \
	"\"ByPolygonVertex\"\n\t\t\tReferenceInformationType: \"Direct\"\n\t\t\t" kind "s: *12 {\n\t\t\t\ta: "                     \
	"1,0,0,1,0,0,1,0,0,1,0,0\n\t\t\t}\n\t\t}\n"
#define LAYER_ELEMENT(kind) "\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElement" kind "\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n"
#define TANGENTS                                                                                                               \
	LAYER("Normal")                                                                                                            \
	LAYER("Tangent") "\t\tLayer: 0 {\n\t\t\tVersion: 100\n" LAYER_ELEMENT("Normal") LAYER_ELEMENT("Tangent") "\t\t}\n"
#define CUSTOM(name, flags, value) "\t\t\tP: \"" name "\", \"KString\", \"\", \"" flags "\", " value "\n"

/* bones without skin, as programs put at the ends of limbs, are no empties; properties that
   programs add, empty and hidden ones are not a person's */
static void what_is_not_read_is_counted_and_listed(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	static scene s;
	memset(&s, 0, sizeof s);
	model(&s, 20, "Head", "Mesh", 0);
	quad(&s, 10, 20, 0, TANGENTS);
	thing(&s, 30, "Eye", "Camera", "Camera", "");
	thing(&s, 31, "Sun", "Light", "Light", "");
	thing(&s, 32, "Lamp", "Light", "Light", "");
	thing(&s, 33, "Socket", "Null", "Null",
		"\t\tProperties70:  {\n" CUSTOM("strength", "AU", "\"3\"") CUSTOM("name", "U", "\"a\"")
			CUSTOM("currentUVSet", "U", "\"map1\"") CUSTOM("MaxHandle", "UH", "\"2\"") CUSTOM("UDP3DSMAX", "U", "\"\"")
				CUSTOM("Show", "A", "\"1\"") "\t\t}\n");
	thing(&s, 34, "Tip", "LimbNode", "LimbNode", "");
	const char *path = write_scene(&s, "stage.fbx");
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_int_equal(test_warned(context, "scene-not-read"), 7);
	assert_non_null(strstr(test_warning_text(context, "scene-not-read"),
		"keeps: cameras 1 (\"Eye\"), lights 2, primitives with tangents 1, nodes that hold nothing, as sockets 1, custom "
		"properties 2"));
	ossa_mesh_free(context, mesh);
	ossa_scene_item *items;
	size_t count;
	static const char *const names[] = {"Eye", "Sun", "Lamp", "Head"}, *const types[] = {"perspective", "point", "point", ""};
	assert_ok(context, ossa_read_scene(context, path, &count, &items));
	assert_int_equal(count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(items[i].name, names[i]);
		assert_string_equal(items[i].type, types[i]);
		assert_int_equal(items[i].kind, i == 0 ? OSSA_SCENE_CAMERA : i < 3 ? OSSA_SCENE_LIGHT : OSSA_SCENE_TANGENTS);
	}
	ossa_free(context, items);
	test_context_end(context);
}

/* ---- sets ---- */

/* `count` sets of UVs, set k at u = k / 10, and of colours */
static void layers_of(int count, char *text, size_t size)
{
	text[0] = 0;
	for (int set = 0; set < count; set++) {
		add(text, size,
			"\t\tLayerElementUV: %d {\n\t\t\tVersion: 101\n\t\t\tName: \"uv%d\"\n\t\t\tMappingInformationType: "
			"\"ByPolygonVertex\"\n"
			"\t\t\tReferenceInformationType: \"Direct\"\n\t\t\tUV: *8 {\n\t\t\t\ta: %g,0,%g,0,%g,1,%g,1\n\t\t\t}\n\t\t}\n",
			set, set, 0.1 * set, 0.1 * set, 0.1 * set, 0.1 * set);
		add(text, size,
			"\t\tLayerElementColor: %d {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n\t\t\tMappingInformationType: "
			"\"ByPolygonVertex\"\n"
			"\t\t\tReferenceInformationType: \"Direct\"\n\t\t\tColors: *16 {\n\t\t\t\ta: "
			"1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1\n\t\t\t}\n"
			"\t\t}\n",
			set);
	}
	for (int set = 0; set < count; set++) {
		add(text, size, "\t\tLayer: %d {\n\t\t\tVersion: 100\n", set);
		for (int i = 0; i < 2; i++)
			add(text, size, "\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElement%s\"\n\t\t\t\tTypedIndex: %d\n\t\t\t}\n",
				i == 0 ? "UV" : "Color", set);
		add(text, size, "\t\t}\n");
	}
}

/* two models of other counts of sets */
static ossa_mesh *read_sets(ossa_context *context, int first, int second)
{
	static scene s;
	static char layers[16384];
	ossa_mesh *mesh;
	memset(&s, 0, sizeof s);
	for (int i = 0; i < 2; i++) {
		layers_of(i == 0 ? first : second, layers, sizeof layers);
		model(&s, 20 + i, i == 0 ? "first" : "second", "Mesh", 0);
		quad(&s, 10 + i, 20 + i, 10 * i, layers);
	}
	assert_ok(context, ossa_read_mesh(context, write_scene(&s, "sets.fbx"), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

static void models_have_their_own_sets(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_sets(context, 1, 3);
	assert_no_warnings(context);
	assert_true(mesh->more_uv_count == 2 && mesh->more_color_count == 2);
	for (size_t set = 0; set < 3; set++) {
		const uint32_t *of_corner = set == 0 ? mesh->corner_texcoord : mesh->more_uvs[set - 1].corner_texcoord;
		const float *uvs = set == 0 ? mesh->texcoords : mesh->more_uvs[set - 1].texcoords;
		for (size_t c = 0; c < mesh->corner_count; c++) {
			const bool is_first = (double)mesh->positions[3 * (size_t)mesh->corner_vertex[c]] < 5;
			assert_true((of_corner[c] == OSSA_NONE) == (is_first && set > 0));
			if (of_corner[c] != OSSA_NONE) assert_near((double)uvs[2 * (size_t)of_corner[c]], 0.1 * (double)set, 1e-6);
		}
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* eight of each are read, the others counted */
static void sets_beyond_eight_are_counted(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_sets(context, 8, 8);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	mesh = read_sets(context, 10, 9);
	assert_true(mesh->more_uv_count == 7 && mesh->more_color_count == 7);
	assert_int_equal(test_warned(context, "sets-left-out"), 2 * (2 + 1));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- memory ---- */

static ossa_status read_file(ossa_context *context, void *path)
{
	ossa_mesh *mesh = NULL;
	const ossa_status status = ossa_read_mesh(context, path, NULL, &mesh);
	ossa_mesh_free(context, mesh);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	if (!can_read()) skip();
	static scene s;
	char path[512];
	model(&s, 20, "Head", "Mesh", 0);
	model(&s, 21, "Head", "Null", 0);
	quad(&s, 10, 20, 0, "");
	shape(&s, 30, 10, "smile", 50);
	snprintf(path, sizeof path, "%s", write_scene(&s, "head.fbx"));
	assert_true(test_allocation_sweep(read_file, path, 1000, 1) > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_of_one_name_have_their_own_weights),
		cmocka_unit_test(skeletons_of_one_name_move_their_own_skin),
		cmocka_unit_test(what_is_not_read_is_counted_and_listed),
		cmocka_unit_test(models_have_their_own_sets),
		cmocka_unit_test(sets_beyond_eight_are_counted),
		cmocka_unit_test(memory_may_fail_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
