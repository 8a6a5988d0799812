/* tests/import/collada/test_collada_skin.c: controllers in handwritten Collada files: joints,
   weights and morphs, with numbers worked out by hand; and properties of bones. */
#include "import/collada/collada.h"
#include "support/compare.h"
#include "support/dae.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void check_arm(const char *text)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = dae_rig(context, text);
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_string_equal(rig->skeleton.bones[0].name, "root-name");
	assert_string_equal(rig->skeleton.bones[1].name, "tip-name");
	assert_int_equal(rig->skeleton.bones[1].parent, 0);
	assert_near(rig->skeleton.bones[1].joint[1], 1, 1e-9);
	assert_true(test_weight_named(rig, 0, "root-name") == 1 && test_weight_named(rig, 3, "root-name") == 0.5F &&
		test_weight_named(rig, 3, "tip-name") == 0.5F);
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
	assert_fails(context, dae_rig_fails(context, RIG(JOINTS("Name", "root-sid tap-sid"), BELOW)), OSSA_ERROR_INPUT,
		"the joint \"tap-sid\" moves vertices");
	assert_fails(context, dae_rig_fails(context, RIG(JOINTS("Name", "root-sid tip sid"), BELOW)), OSSA_ERROR_INPUT,
		"should hold 2 names and holds 3");
	test_context_end(context);
}

/* two skeletons of the same sids: what is below the <skeleton> counts */
static void joints_below_the_skeleton_come_first(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = dae_rig(context,
		DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS) SCENE(
			SKINNED("<skeleton>#second</skeleton>")
				JOINT("first", "a", "root-sid", JOINT("first-tip", "b", "tip-sid", "<translate>0 1 0</translate>"))
					JOINT("second", "c", "root-sid", JOINT("second-tip", "d", "tip-sid", "<translate>0 1 0</translate>")))));
	assert_true(test_weight_named(rig, 0, "c") == 1 && test_weight_named(rig, 3, "d") == 0.5F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void the_bind_shape_is_baked_in(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* twice as large, a quarter turn about z, moved by 3 in x; the mesh's node has no effect */
	ossa_rig *rig = dae_rig(context,
		DAE(SQUARE SKIN_WITH("<bind_shape_matrix>0 -2 0 3  2 0 0 0  0 0 2 0  0 0 0 1</bind_shape_matrix>",
			JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS)
				SCENE("<node><translate>0 0 77</translate>" SKINNED("") "</node>" ARM(""))));
	assert_point(rig->mesh->positions, 3, 0, 0, 1e-6);
	assert_point(rig->mesh->positions + 3, 3, 2, 0, 1e-6);
	assert_point(rig->mesh->positions + 6, 1, 2, 0, 1e-6);
	ossa_rig_free(context, rig);
	/* X up turns the mesh, the joints and the binds alike */
	rig = dae_rig(context,
		DAE("<asset><up_axis>X_UP</up_axis></asset>" SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, WEIGHTS)
				SCENE(SKINNED("") ARM(""))));
	assert_point(rig->mesh->positions + 3, 0, 1, 0, 1e-6);
	assert_near(rig->skeleton.bones[1].joint[0], -1, 1e-9);
	assert_near(rig->skeleton.bones[1].joint[1], 0, 1e-9);
	float moved[12];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, NULL, 0, moved));
	for (size_t i = 0; i < 12; i++) assert_near(moved[i], rig->mesh->positions[i], 1e-6F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* <v> with a third index, weights at the second; joint -1 stays as it was bound */
static void weights_with_more_indices_and_without_a_joint(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = dae_rig(context,
		DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS,
			SOURCE("W", "3", "1", "1 .25 .75") "<vertex_weights count=\"4\">" INPUT_AT("JOINT", "J", "2") INPUT_AT(
				"WEIGHT", "W", "1") "<vcount>1 1 2 2</vcount><v>9 0 0  9 0 0  9 1 0 9 2 1  9 1 -1 9 2 0</v></vertex_weights>")
				SCENE(SKINNED("") ARM(""))));
	assert_true(test_weight_named(rig, 2, "root-name") == 0.25F && test_weight_named(rig, 2, "tip-name") == 0.75F);
	assert_true(test_weight_named(rig, 3, "bind_shape") == 0.25F && test_weight_named(rig, 3, "root-name") == 0.75F);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

#define BAD_WEIGHTS(weights)                                                                                                   \
	DAE(SQUARE SKIN_WITH("", JOINTS("Name", "root-sid tip-sid"), BINDS, weights) SCENE(SKINNED("") ARM("")))
#define PAIRS(values, vcount, v)                                                                                               \
	SOURCE("W", "2", "1", values)                                                                                              \
	"<vertex_weights count=\"4\">" INPUT_AT("JOINT", "J", "0") INPUT_AT("WEIGHT", "W", "1") "<vcount>" vcount "</vcount><v>" v \
																							"</v></vertex_weights>"

static void weights_that_cannot_be_are_refused_or_reported(void **state)
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
		assert_fails(context, dae_rig_fails(context, files[i].text), OSSA_ERROR_INPUT, files[i].words);
	}
	/* fewer weights than vertices: the rest follows the root; NaN is dropped; both with a
	   warning */
	ossa_rig *rig = dae_rig(context, BAD_WEIGHTS(PAIRS("1 NaN", "1 2", "0 0 0 0 1 1")));
	assert_int_equal(test_warned(context, "weights-mismatch"), 1);
	assert_int_equal(test_warned(context, "weights-dropped"), 1);
	assert_true(test_weight_named(rig, 3, "root-name") == 1);
	ossa_rig_free(context, rig);
	/* joints without a node and without children */
	rig = dae_rig(context,
		DAE(SQUARE SKIN_WITH("", WORDS("J", "Name", "3", "gone root-sid tip-sid"),
			SOURCE("B", "3", "16", UNIT_MATRIX " " UNIT_MATRIX " 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1"),
			PAIRS("1 .5", "1 1 1 1", "1 0 1 0 2 0 2 0")) SCENE(SKINNED("") ARM(""))));
	assert_int_equal(test_warned(context, "missing-joints"), 1);
	assert_true(test_weight_named(rig, 0, "root-name") == 1 && test_weight_named(rig, 3, "tip-name") == 1);
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
	ossa_rig *rig = dae_rig(context, text);
	assert_int_equal(test_warned(context, "influences-cut"), 1);
	assert_true(
		test_weight_named(rig, 3, "j99") > 0 && test_weight_named(rig, 3, "j36") > 0 && test_weight_named(rig, 3, "j35") == 0);
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
	ossa_mesh *mesh = dae_mesh(context, MORPHED("NORMALIZED"));
	assert_point(mesh->positions + 6, 1.75, 0.75, 1, 1e-6);
	ossa_mesh_free(context, mesh);
	/* 1 1 0 + .5 (3 1 0) + .25 (0 0 4) */
	mesh = dae_mesh(context, MORPHED("RELATIVE"));
	assert_point(mesh->positions + 6, 2.5, 1.5, 1, 1e-6);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	/* under a skin that bakes in a scale of 2 */
	ossa_rig *rig = dae_rig(context,
		DAE(SQUARE TARGETS CONTROLLER("Morph", MORPH("NORMALIZED", "Square")) CONTROLLER("Skin",
			"<skin source=\"#Morph\"><bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>" JOINTS(
				"Name", "root-sid tip-sid") BINDS "<joints>" INPUT("JOINT", "J")
				INPUT("INV_BIND_MATRIX", "B") "</joints>" WEIGHTS "</skin>") SCENE(SKINNED("") ARM(""))));
	assert_point(rig->mesh->positions + 6, 3.5, 1.5, 2, 1e-6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void controllers_that_lead_nowhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *loop = DAE(SQUARE TARGETS CONTROLLER("A", MORPH("NORMALIZED", "B")) CONTROLLER("B", MORPH("NORMALIZED", "A"))
			SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, dae_fails(context, loop), OSSA_ERROR_INPUT, "in a cycle");
	const char *self = DAE(CONTROLLER("A", "<skin source=\"#A\"/>") SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, dae_fails(context, self), OSSA_ERROR_INPUT, "in a cycle");
	const char *empty = DAE(CONTROLLER("A", "") SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, dae_fails(context, empty), OSSA_ERROR_INPUT, "neither <skin> nor <morph>");
	const char *target = DAE(
		SQUARE CONTROLLER("A", MORPH("NORMALIZED", "Square")) SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, dae_fails(context, target), OSSA_ERROR_INPUT, "\"Wide\" is no geometry of this file");
	const char *size = DAE(SQUARE GEOMETRY("Wide", SOURCE("PW", "1", "3", "0 0 0") VERTICES("PW"))
			CONTROLLER("A", MORPH("NORMALIZED", "Square")) SCENE("<node><instance_controller url=\"#A\"/></node>"));
	assert_fails(context, dae_fails(context, size), OSSA_ERROR_INPUT, "has 1 vertices and its mesh 4");
	/* what is in another file is left out */
	ossa_mesh *mesh = dae_mesh(
		context, DAE(SQUARE SCENE("<node>" INSTANCE("Square") "<instance_geometry url=\"b.dae#c\"/></node>")));
	assert_int_equal(test_warned(context, "missing-geometry"), 1);
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
	ossa_rig *rig = dae_rig(context,
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
	assert_true(tip->turn_degrees == 33);
	assert_near(tip->axis[2], 1, 1e-9);
	assert_near(tip->tail[0], 1, 1e-9);
	assert_near(tip->tail[1], 2, 1e-9);
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
	const ossai_source source = {.path = "k.dae", .bytes = (const uint8_t *)text, .size = strlen(text)};
	assert_ok(context, ossai_asset_open(context, &source, ossai_collada_read_asset, NULL, &asset));
	const ossai_asset_bone *bone = asset.nodes[1].bone;
	assert_string_equal(asset.nodes[1].name, "root-name");
	assert_non_null(bone);
	assert_true(bone->has_limits);
	/* from the angle at rest; about the positive axis */
	static const double wanted[3][2] = {{-15, 5}, {-30, 40}, {-30, 40}};
	for (int k = 0; k < 3; k++) {
		assert_near(bone->limits[k][0], wanted[k][0], 1e-9);
		assert_near(bone->limits[k][1], wanted[k][1], 1e-9);
	}
	assert_null(asset.nodes[2].bone);
	ossai_asset_close(&asset);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_are_found_as_writers_name_them),
		cmocka_unit_test(joints_below_the_skeleton_come_first),
		cmocka_unit_test(the_bind_shape_is_baked_in),
		cmocka_unit_test(weights_with_more_indices_and_without_a_joint),
		cmocka_unit_test(weights_that_cannot_be_are_refused_or_reported),
		cmocka_unit_test(many_weights_are_cut),
		cmocka_unit_test(morphs_normalized_and_relative),
		cmocka_unit_test(controllers_that_lead_nowhere),
		cmocka_unit_test(bones_carry_what_ossa_wrote),
		cmocka_unit_test(kinematics_give_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
