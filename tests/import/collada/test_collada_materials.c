/* tests/import/collada/test_collada_materials.c: effects and images in handwritten Collada files:
   what other programs write, and what is wrong. */
#include "support/dae.h"
#include "support/support.h"

#include <string.h>

/* ---- files of one square whose material has the effect `inner` ---- */

#define FACES                                                                                                                  \
	GEOMETRY("G",                                                                                                              \
		SOURCE("P", "4", "3", "0 0 0 1 0 0 1 1 0 0 1 0") VERTICES("P") "<polylist material=\"S\" count=\"1\">" CORNERS         \
																	   "<vcount>4</vcount><p>0 1 2 3</p></polylist>")
#define BOUND                                                                                                                  \
	SCENE("<node><instance_geometry url=\"#G\"><bind_material><technique_common><instance_material symbol=\"S\" "              \
		  "target=\"#M\"/></technique_common></bind_material></instance_geometry></node>")
#define MATERIAL                                                                                                               \
	"<library_materials><material id=\"M\" name=\"skin\"><instance_effect url=\"#E\"/></material></library_materials>\n"
#define EFFECT(parameters, shader)                                                                                             \
	"<library_effects><effect id=\"E\"><profile_COMMON>" parameters "<technique sid=\"common\">" shader                        \
	"</technique></profile_COMMON></effect></library_effects>\n"
#define LOOK(images, parameters, shader) DAE(images EFFECT(parameters, shader) MATERIAL FACES BOUND)
#define IMAGE(id, from) "<library_images><image id=\"" id "\"><init_from>" from "</init_from></image></library_images>\n"
#define SAMPLER                                                                                                                \
	"<newparam sid=\"f\"><surface type=\"2D\"><init_from>I</init_from></surface></newparam>"                                   \
	"<newparam sid=\"s\"><sampler2D><source>f</source><wrap_t>CLAMP</wrap_t></sampler2D></newparam>"
#define TEXTURED "<lambert><diffuse><texture texture=\"s\" texcoord=\"UV\"/></diffuse></lambert>"
#define COLOR(name, rgba) "<" name "><color>" rgba "</color></" name ">"
#define NUMBER(name, value) "<" name "><float>" value "</float></" name ">"

static ossa_material read_look(const char *text)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context, text);
	assert_int_equal(mesh->material_count, 1);
	assert_string_equal(mesh->materials[0], "skin");
	assert_non_null(mesh->appearance);
	const ossa_material look = mesh->appearance->materials[0];
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	return look;
}

/* ---- sets of UVs ---- */

#define SET(number) "<input semantic=\"TEXCOORD\" source=\"#T\" offset=\"0\" set=\"" number "\"/>"
#define TWO_SETS                                                                                                               \
	GEOMETRY("G",                                                                                                              \
		SOURCE("P", "4", "3", "0 0 0 1 0 0 1 1 0 0 1 0") SOURCE("T", "4", "2", "0 0 1 0 1 1 0 1")                              \
			VERTICES("P") "<polylist material=\"S\" count=\"1\">" CORNERS SET("3")                                             \
				SET("5") "<vcount>4</vcount><p>0 1 2 3</p></polylist>")
#define BINDING(set)                                                                                                           \
	"<node><instance_geometry url=\"#G\"><bind_material><technique_common><instance_material symbol=\"S\" "                    \
	"target=\"#M\"><bind_vertex_input semantic=\"UV\" input_semantic=\"TEXCOORD\" input_set=\"" set                            \
	"\"/></instance_material></technique_common></bind_material></instance_geometry></node>"
#define OF_SETS(nodes) DAE(EFFECT(SAMPLER, TEXTURED) MATERIAL TWO_SETS SCENE(nodes))

/* a material has one set for each texture: the first mesh decides, and that is said */
static void sets_that_differ_are_counted(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t set;
		int64_t differing;
	} files[] = {{OF_SETS(BINDING("3") BINDING("3")), 0, 0}, {OF_SETS(BINDING("5") BINDING("5")), 1, 0},
		{OF_SETS(BINDING("5") BINDING("3") BINDING("5") BINDING("3")), 1, 1},
		/* a set that the mesh does not have decides nothing */
		{OF_SETS(BINDING("4") BINDING("5")), 1, 0}};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = dae_mesh(context, files[i].text);
		assert_int_equal(mesh->appearance->materials[0].base_color_texture.uv_set, files[i].set);
		assert_int_equal(test_warned(context, "texture-sets"), files[i].differing);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

/* ---- numbers ---- */

static void colors_are_read(void **state)
{
	(void)state;
	const ossa_material look = read_look(LOOK("", "",
		"<phong>" COLOR("emission", "0.1 0.2 0.3 1") COLOR("diffuse", "0.4 0.5 0.6 1") NUMBER("shininess", "25")
			NUMBER("reflectivity", "0.5") "</phong>"));
	assert_near_array(3, look.emission, ((double[]){0.1, 0.2, 0.3}), 1e-12);
	assert_near_array(4, look.base_color, ((double[]){0.4, 0.5, 0.6, 1}), 1e-12);
	assert_near(look.roughness, 0.5, 1e-12);
	assert_near(look.metallic, 0.5, 1e-12);
	assert_int_equal(look.alpha, OSSA_ALPHA_OPAQUE);
	assert_true(look.double_sided);
}

/* as Maya and 3ds Max write all materials */
static void black_reflections_are_no_metal(void **state)
{
	(void)state;
	const ossa_material look = read_look(
		LOOK("", "", "<phong>" COLOR("reflective", "0 0 0 1") NUMBER("reflectivity", "0.5") "</phong>"));
	assert_near(look.metallic, 0, 0);
}

static void check_alpha(const char *text, double alpha)
{
	const ossa_material look = read_look(text);
	assert_near(look.base_color[3], alpha, 1e-6);
	assert_int_equal(look.alpha, alpha < 1 ? OSSA_ALPHA_BLEND : OSSA_ALPHA_OPAQUE);
}

#define CLEAR(mode, rgba, amount)                                                                                              \
	LOOK("", "",                                                                                                               \
		"<lambert><transparent opaque=\"" mode "\"><color>" rgba                                                               \
		"</color></transparent>" NUMBER("transparency", amount) "</lambert>")

static void transparency_has_four_meanings(void **state)
{
	(void)state;
	check_alpha(CLEAR("A_ONE", "0 0 0 0.5", "0.5"), 0.25);
	check_alpha(CLEAR("A_ZERO", "0 0 0 0.5", "0.5"), 0.75);
	check_alpha(CLEAR("RGB_ZERO", "0.5 0.5 0.5 1", "0.5"), 0.75);
	check_alpha(CLEAR("RGB_ONE", "0.5 0.5 0.5 1", "0.5"), 0.25);
	check_alpha(CLEAR("RGB_ZERO", "0 0 0 1", "1"), 1);
	/* writers that had it reversed: nothing would be seen */
	check_alpha(CLEAR("RGB_ZERO", "1 1 1 1", "1"), 1);
	check_alpha(LOOK("", "", "<lambert>" NUMBER("transparency", "0") "</lambert>"), 1);
}

static void sides_are_read(void **state)
{
	(void)state;
	assert_false(read_look(
		LOOK("", "", "<lambert/><extra><technique profile=\"GOOGLEEARTH\"><double_sided>0</double_sided></technique></extra>"))
					 .double_sided);
}

static void numbers_that_are_none_are_left_out(void **state)
{
	(void)state;
	const ossa_material plain = ossa_material_default(),
						look = read_look(LOOK("", "",
							"<phong>" COLOR("diffuse", "1 red 0 1") COLOR("emission", "nan 1e999 0 1")
								NUMBER("reflectivity", "") "</phong>"));
	assert_near_array(4, look.base_color, plain.base_color, 0);
	assert_near_array(3, look.emission, plain.emission, 0);
	assert_near(look.metallic, 0, 0);
}

static void effects_may_be_missing(void **state)
{
	(void)state;
	const ossa_material plain = ossa_material_default();
	assert_near(read_look(DAE(MATERIAL FACES BOUND)).roughness, plain.roughness, 0);
	assert_near(read_look(LOOK("", "", "")).roughness, plain.roughness, 0);
	assert_int_equal(read_look(LOOK("", "", TEXTURED)).base_color_texture.image, OSSA_NONE);
	/* a surface that is its own, a sampler of no image */
	assert_int_equal(read_look(LOOK("", SAMPLER, TEXTURED)).base_color_texture.image, OSSA_NONE);
}

/* ---- images ---- */

static void check_image(const char *text, const char *name)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dae_mesh(context, text);
	const ossa_texture *texture = &mesh->appearance->materials[0].base_color_texture;
	assert_int_equal(texture->image != OSSA_NONE, name != NULL);
	assert_int_equal(test_warned(context, "image-missing"), name ? 0 : 1);
	if (name) assert_string_equal(strrchr(mesh->appearance->images[texture->image].path, '/') + 1, name);
	if (name) assert_string_equal(mesh->appearance->images[texture->image].type, "image/png");
	if (name) assert_near(mesh->appearance->materials[0].base_color[0], 1, 0);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

#define FROM(path) LOOK(IMAGE("I", path), SAMPLER, TEXTURED)

static void images_are_found_by_uri_and_by_last_part(void **state)
{
	(void)state;
	test_file("a b.png", "\x89PNG", 0);
	test_file("gr\xc3\xbcn.png", "\x89PNG", 0);
	check_image(FROM("a%20b.png"), "a b.png");
	check_image(FROM("./a b.png"), "a b.png");
	check_image(FROM("gr%C3%BCn.png"), "gr\xc3\xbcn.png");
	check_image(FROM("gr\xc3\xbcn.png"), "gr\xc3\xbcn.png");
	check_image(FROM("file:///C:/Users/x/a%20b.png"), "a b.png");
	check_image(FROM("C:\\Users\\x\\a b.png"), "a b.png");
	check_image(FROM("/home/x/a%20b.png"), "a b.png");
	check_image(FROM("../textures/a%20b.png"), "a b.png");
}

static void images_elsewhere_are_missing(void **state)
{
	(void)state;
	check_image(FROM("none.png"), NULL);
	check_image(FROM("/etc/hostname"), NULL);
	check_image(FROM("%2e%2e/%2e%2e/etc/hostname"), NULL);
	check_image(FROM("http://localhost/x.png"), NULL);
	check_image(FROM("."), NULL);
}

static void newer_files_and_lazy_ones_name_images_directly(void **state)
{
	(void)state;
	test_file("c.png", "\x89PNG", 0);
	check_image(LOOK("<library_images><image id=\"I\"><init_from><ref>c.png</ref></init_from></image></library_images>",
					"<newparam sid=\"s\"><sampler2D><instance_image url=\"#I\"/></sampler2D></newparam>", TEXTURED),
		"c.png");
	check_image(LOOK(IMAGE("s", "c.png"), "", TEXTURED), "c.png");
}

#define MAYA                                                                                                                   \
	"<lambert><diffuse><texture texture=\"s\" texcoord=\"UV\"><extra><technique profile=\"MAYA\"><repeatU>2</repeatU>"         \
	"<repeatV>3</repeatV><offsetU>0.5</offsetU><wrapU>1</wrapU></technique></extra></texture></diffuse></lambert>"

static void maya_moves_textures(void **state)
{
	(void)state;
	test_file("c.png", "\x89PNG", 0);
	const ossa_texture texture = read_look(LOOK(IMAGE("I", "c.png"), SAMPLER, MAYA)).base_color_texture;
	assert_near_array(2, texture.scale, ((double[]){2, 3}), 0);
	assert_near_array(2, texture.offset, ((double[]){0.5, 0}), 0);
	assert_int_equal(texture.wraps[0], OSSA_WRAP_REPEAT);
	assert_int_equal(texture.wraps[1], OSSA_WRAP_CLAMP);
	const ossa_texture mirrored = read_look(
		LOOK(IMAGE("I", "c.png"), SAMPLER,
			"<lambert><diffuse><texture texture=\"s\" texcoord=\"UV\"><extra><technique profile=\"MAYA\"><mirrorV>1</mirrorV>"
			"</technique></extra></texture></diffuse></lambert>"))
									  .base_color_texture;
	assert_int_equal(mirrored.wraps[0], OSSA_WRAP_REPEAT);
	assert_int_equal(mirrored.wraps[1], OSSA_WRAP_MIRROR);
}

#define BUMP(type)                                                                                                             \
	"<lambert/><extra><technique profile=\"FCOLLADA\"><bump bumptype=\"" type                                                  \
	"\"><texture texture=\"s\" texcoord=\"UV\"/></bump></technique></extra>"

static void bumps_are_normals_where_they_say_so(void **state)
{
	(void)state;
	test_file("c.png", "\x89PNG", 0);
	assert_int_equal(read_look(LOOK(IMAGE("I", "c.png"), SAMPLER, BUMP("NORMALMAP"))).normal_texture.image, 0);
	assert_int_equal(read_look(LOOK(IMAGE("I", "c.png"), SAMPLER, BUMP("HEIGHTFIELD"))).normal_texture.image, OSSA_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_that_differ_are_counted),
		cmocka_unit_test(colors_are_read),
		cmocka_unit_test(black_reflections_are_no_metal),
		cmocka_unit_test(transparency_has_four_meanings),
		cmocka_unit_test(sides_are_read),
		cmocka_unit_test(numbers_that_are_none_are_left_out),
		cmocka_unit_test(effects_may_be_missing),
		cmocka_unit_test(images_are_found_by_uri_and_by_last_part),
		cmocka_unit_test(images_elsewhere_are_missing),
		cmocka_unit_test(newer_files_and_lazy_ones_name_images_directly),
		cmocka_unit_test(maya_moves_textures),
		cmocka_unit_test(bumps_are_normals_where_they_say_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
