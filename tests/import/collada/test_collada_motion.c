/* tests/import/collada/test_collada_motion.c: animations in handwritten Collada files: targets,
   interpolations, clips; with numbers worked out by hand. Rest poses are in test_collada_in.c. */
#include "import/collada/collada.h"
#include "support/dae.h"
#include "support/support.h"

#include <stdio.h>

/* A triangle whose first vertex is 1 0 0, on a node of all transforms. */
#define SHAPE                                                                                                                  \
	GEOMETRY("G",                                                                                                              \
		SOURCE("P", "3", "3", "1 0 0 0 0 1 0 0 0")                                                                             \
			VERTICES("P") "<triangles>" INPUT_AT("VERTEX", "P-vertices", "0") "<p>0 1 2</p></triangles>")
#define NODE                                                                                                                   \
	SCENE("<node id=\"n\" name=\"part.1\" sid=\"s\"><translate sid=\"move\">0 0 0</translate><rotate sid=\"turn.z\">0 0 1 "    \
		  "0</rotate>"                                                                                                         \
		  "<scale sid=\"size\">1 1 1</scale><matrix sid=\"m\">" UNIT_MATRIX "</matrix>" INSTANCE("G") "</node>")
#define MOVING(animations) DAE(SHAPE NODE ANIMATIONS(animations))

/* The first vertex at the file's keys, or at `rate`: `count` frames of x y z. */
static void check_frames(ossa_context *context, const char *text, double rate, size_t count, const double *wanted)
{
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = rate;
	assert_ok(context, ossa_read_animation(context, test_file("a.dae", text, 0), &options, &mesh, &frames));
	assert_non_null(frames);
	assert_int_equal(frames->frame_count, count);
	for (size_t f = 0; f < count; f++) {
		for (size_t k = 0; k < 3; k++) {
			char what[64];
			snprintf(what, sizeof what, "frame %zu, axis %zu", f, k);
			test_assert_near(
				frames->positions[f * 3 * frames->vertex_count + k], wanted[3 * f + k], 1e-6, what, __FILE__, __LINE__);
		}
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
}

static void check(const char *text, double rate, size_t count, const double *wanted)
{
	ossa_context *context = test_context(1);
	check_frames(context, text, rate, count, wanted);
	if (ossa_context_warning_count(context)) fail_msg("%s", ossa_context_warning(context, 0)->message);
	test_context_end(context);
}

/* ---- targets ---- */

#define ONE(target, values) MOVING(ANIMATION("a", target, "2", "1", "0 1", values, "LINEAR LINEAR"))

static void single_numbers(void **state)
{
	(void)state;
	check(ONE("n/move.X", "0 5"), 0, 2, (double[]){1, 0, 0, 6, 0, 0});
	check(ONE("n/move.Y", "1 5"), 0, 2, (double[]){1, 1, 0, 1, 5, 0});
	check(ONE("n/move.Z", "1 5"), 0, 2, (double[]){1, 0, 1, 1, 0, 5});
	check(ONE("n/move(1)", "1 5"), 0, 2, (double[]){1, 1, 0, 1, 5, 0});
	check(ONE("n/size.X", "1 5"), 0, 2, (double[]){1, 0, 0, 5, 0, 0});
	/* a sid with a dot in it, with and without a member */
	check(ONE("n/turn.z.ANGLE", "0 90"), 0, 2, (double[]){1, 0, 0, 0, 1, 0});
	check(ONE("n/turn.z", "0 90"), 0, 2, (double[]){1, 0, 0, 0, 1, 0});
	check(ONE("n/turn.z(3)", "0 90"), 0, 2, (double[]){1, 0, 0, 0, 1, 0});
	/* column 3, row 1 is the position in y; column 0, row 2 takes x to z */
	check(ONE("n/m(3)(1)", "0 7"), 0, 2, (double[]){1, 0, 0, 1, 7, 0});
	check(ONE("n/m(0)(2)", "0 7"), 0, 2, (double[]){1, 0, 0, 1, 0, 7});
	/* a node by its sid or its name */
	check(ONE("s/move.X", "0 5"), 0, 2, (double[]){1, 0, 0, 6, 0, 0});
	check(ONE("part.1/move.X", "0 5"), 0, 2, (double[]){1, 0, 0, 6, 0, 0});
}

static void whole_transforms(void **state)
{
	(void)state;
	check(
		MOVING(ANIMATION("a", "n/move", "2", "3", "0 1", "1 2 3 4 5 6", "LINEAR LINEAR")), 0, 2, (double[]){2, 2, 3, 5, 5, 6});
	check(
		MOVING(ANIMATION("a", "n/size", "2", "3", "0 1", "2 1 1 3 1 1", "LINEAR LINEAR")), 0, 2, (double[]){2, 0, 0, 3, 0, 0});
	/* the axis, too */
	check(MOVING(ANIMATION("a", "n/turn.z", "2", "4", "0 1", "0 0 1 90 0 1 0 90", "LINEAR LINEAR")), 0, 2,
		(double[]){0, 1, 0, 0, 0, -1});
	check(MOVING(ANIMATION("a", "n/m", "2", "16", "0 1", UNIT_MATRIX " 0 0 1 5 0 1 0 0 -1 0 0 0 0 0 0 1", "LINEAR LINEAR")), 0,
		2, (double[]){1, 0, 0, 5, 0, -1});
	/* turns between matrices go along the arc */
	check(MOVING(ANIMATION("a", "n/m", "2", "16", "0 1", UNIT_MATRIX " 0 0 1 0 0 1 0 0 -1 0 0 0 0 0 0 1", "LINEAR LINEAR")), 2,
		3, (double[]){1, 0, 0, sqrt(0.5), 0, -sqrt(0.5), 0, 0, -1});
}

static void channels_on_instanced_nodes_and_deep_sids(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	const char *text = DAE(SHAPE "<library_nodes><node id=\"part\"><node sid=\"inner\"><translate sid=\"t\">0 0 "
								 "0</translate>" INSTANCE("G") "</node></node></library_nodes>" SCENE(
									 "<instance_node url=\"#part\"/><node><translate>0 10 0</translate><instance_node "
									 "url=\"#part\"/></node>")
									 ANIMATIONS(ANIMATION("a", "part/inner/t.X", "2", "1", "0 1", "0 3", "LINEAR LINEAR")));
	assert_ok(context, ossa_read_animation(context, test_file("a.dae", text, 0), NULL, &mesh, &frames));
	assert_int_equal(frames->vertex_count, 6);
	assert_near(frames->positions[18], 4, 1e-6);
	assert_near(frames->positions[18 + 9], 4, 1e-6);
	assert_near(frames->positions[18 + 10], 10, 1e-6);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

#define MORPHING(target)                                                                                                       \
	DAE(SHAPE GEOMETRY("Wide", SOURCE("Q", "3", "3", "3 0 0 0 0 1 0 0 0") VERTICES("Q"))                                       \
			GEOMETRY("Tall", SOURCE("R", "3", "3", "1 4 0 0 0 1 0 0 0") VERTICES("R")) CONTROLLER("M",                         \
				"<morph source=\"#G\">" WORDS("T", "IDREF", "2", "Wide Tall") SOURCE("M-weights", "2", "1",                    \
					".5 0") "<targets>" INPUT("MORPH_TARGET", "T") INPUT("MORPH_WEIGHT", "M-weights") "</targets></morph>")    \
				SCENE("<node><instance_controller url=\"#M\"/></node>")                                                        \
					ANIMATIONS(ANIMATION("a", target, "2", "1", "0 2", "0 1", "LINEAR LINEAR")))

static void weights_of_morphs(void **state)
{
	(void)state;
	check(MORPHING("M-weights(1)"), 1, 3, (double[]){2, 0, 0, 2, 2, 0, 2, 4, 0});
	check(MORPHING("M-weights(0)"), 1, 3, (double[]){1, 0, 0, 2, 0, 0, 3, 0, 0});
	check(MORPHING("M-weights-array(1)"), 1, 3, (double[]){2, 0, 0, 2, 2, 0, 2, 4, 0});
}

static void targets_that_are_none_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	check_frames(context,
		MOVING(ANIMATION("a", "n/move.X", "2", "1", "0 1", "0 5", "LINEAR LINEAR") ANIMATION("b", "camera/fov", "1", "1", "0",
			"0", "LINEAR") ANIMATION("c", "n/gone.X", "1", "1", "0", "0", "LINEAR") ANIMATION("d", "n/move.ANGLE", "1", "1",
			"0", "0", "LINEAR") ANIMATION("e", "n/m(4)(0)", "1", "1", "0", "0", "LINEAR")
				ANIMATION("f", "n/move(3)", "1", "1", "0", "0", "LINEAR") ANIMATION("g", "n", "1", "1", "0", "0", "LINEAR")
					ANIMATION("h", "", "1", "1", "0", "0", "LINEAR") ANIMATION("i", "n/move(", "1", "1", "0", "0", "LINEAR")),
		0, 2, (double[]){1, 0, 0, 6, 0, 0});
	assert_int_equal(test_warned(context, "skipped-channels"), 8);
	ossa_frames *frames;
	ossa_mesh *mesh;
	const char *narrow = test_file("b.dae", ONE("n/move", "0 5"), 0);
	assert_fails(
		context, ossa_read_animation(context, narrow, NULL, &mesh, &frames), OSSA_ERROR_INPUT, "1 numbers for a target of 3");
	/* without keys there is no motion */
	const char *none = MOVING("<animation><channel source=\"#x\" target=\"n/move\"/><sampler id=\"s\">" INPUT(
		"INPUT", "gone") "</sampler><channel source=\"#s\" target=\"n/move\"/></animation>");
	assert_ok(context, ossa_read_animation(context, test_file("b.dae", none, 0), NULL, &mesh, &frames));
	assert_null(frames);
	assert_int_equal(test_warned(context, "missing-keys"), 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* each instance is one; what Blender writes of every node is no property that a person added */
static void what_is_not_read_is_counted_and_listed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *stage = DAE(
		"<library_cameras><camera id=\"c\"><optics><technique_common><orthographic/></technique_common></optics></camera>"
		"</library_cameras><library_lights><light "
		"id=\"l\"><technique_common><spot/></technique_common></light></library_lights>" SHAPE SCENE(
			"<node name=\"body\"><instance_geometry url=\"#G\"/><node name=\"eye\"><instance_camera url=\"#c\"/></node>"
			"</node><node name=\"lamp\"><instance_light url=\"#l\"/><instance_light url=\"#gone\"/></node>"
			"<node name=\"socket\"><extra><technique profile=\"blender\"><layer>0</layer><grip>1</grip></technique>"
			"<technique profile=\"MAX3D\"><user_properties>a = 1</user_properties></technique><technique profile=\"MAYA\">"
			"<dynamic_attributes><one/><two/></dynamic_attributes></technique></extra></node>"));
	const char *path = test_file("stage.dae", stage, 0);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_int_equal(test_warned(context, "scene-not-read"), 8);
	assert_non_null(strstr(test_warning_text(context, "scene-not-read"),
		"keeps: cameras 1 (\"eye\"), lights 2, nodes that hold nothing, as sockets 1, custom properties 4"));
	ossa_mesh_free(context, mesh);
	ossa_scene_item *items;
	size_t count;
	static const char *const names[] = {"eye", "lamp", "lamp"}, *const types[] = {"orthographic", "spot", ""};
	assert_ok(context, ossa_read_scene(context, path, &count, &items));
	assert_int_equal(count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(items[i].name, names[i]);
		assert_string_equal(items[i].type, types[i]);
	}
	ossa_free(context, items);
	test_context_end(context);
}

/* joints and their motion, and no mesh */
static void a_skeleton_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	const char *text = DAE(SCENE("<node id=\"hip\" type=\"JOINT\"><rotate sid=\"r\">1 0 0 0</rotate><node id=\"knee\" "
								 "type=\"JOINT\"><translate>0 2 0</translate></node></node>")
			ANIMATIONS(ANIMATION("a", "hip/r.ANGLE", "2", "1", "0 1", "0 90", "LINEAR LINEAR")));
	assert_ok(context, ossa_read_rig(context, test_file("a.dae", text, 0), NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_int_equal(rig->clip->frame_count, 2);
	double matrices[24];
	ossa_rig_joint_matrices(rig, rig->clip, 1, matrices);
	/* the knee's position, after a quarter turn */
	assert_near(matrices[15], 0, 1e-6);
	assert_near(matrices[19], 0, 1e-6);
	assert_near(matrices[23], 2, 1e-6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- interpolation ---- */

static void steps_and_lines(void **state)
{
	(void)state;
	check(MOVING(ANIMATION("a", "n/move.Y", "3", "1", "0 1 2", "0 4 2", "LINEAR LINEAR LINEAR")), 2, 5,
		(double[]){1, 0, 0, 1, 2, 0, 1, 4, 0, 1, 3, 0, 1, 2, 0});
	check(MOVING(ANIMATION("a", "n/move.Y", "3", "1", "0 1 2", "0 4 2", "STEP STEP STEP")), 2, 5,
		(double[]){1, 0, 0, 1, 0, 0, 1, 4, 0, 1, 4, 0, 1, 2, 0});
	/* each key has its own; one for all counts for all */
	check(MOVING(ANIMATION("a", "n/move.Y", "3", "1", "0 1 2", "0 4 2", "STEP LINEAR STEP")), 2, 5,
		(double[]){1, 0, 0, 1, 0, 0, 1, 4, 0, 1, 3, 0, 1, 2, 0});
}

/* the value at half the time of a stretch from 0 to 8 whose control points have the values p and q
   and the times 1/3 and 2/3 */
static double bezier_half(double p, double q) { return 3 * p / 8 + 3 * q / 8 + 1; }

#define BEND(size, kinds, in, out) MOVING(CURVE("a", "n/move.Y", "2", size, "0 3", "0 8", kinds, in, out))
#define HALF(y) 1.0, 0.0, 0.0, 1.0, (y), 0.0, 1.0, 8.0, 0.0

static void curves(void **state)
{
	(void)state;
	/* control points 1 6 and 2 7: time is even */
	check(BEND("2", "BEZIER BEZIER", "0 0 2 7", "1 6 9 9"), 2.0 / 3, 3, (double[]){HALF(bezier_half(6, 7))});
	/* values alone: times are thirds */
	check(BEND("1", "BEZIER BEZIER", "0 7", "6 0"), 2.0 / 3, 3, (double[]){HALF(bezier_half(6, 7))});
	/* tangents of a Hermite curve, three times the distance to the control points: 1 6 and 2
	   7 again */
	check(BEND("2", "HERMITE HERMITE", "0 0 3 3", "3 18 0 0"), 2.0 / 3, 3, (double[]){HALF(bezier_half(6, 7))});
	check(BEND("1", "HERMITE HERMITE", "0 3", "18 0"), 2.0 / 3, 3, (double[]){HALF(bezier_half(6, 7))});
	/* both control points at the end's time: time is 1 - (1 - s)^3; half of it at s = 1 -
	   0.5^(1/3), the value 8 (3 s s (1 - s) + s^3) */
	const double s = 1 - cbrt(0.5);
	check(
		BEND("2", "BEZIER BEZIER", "0 0 3 8", "3 0 9 9"), 2.0 / 3, 3, (double[]){HALF(8 * (3 * s * s * (1 - s) + s * s * s))});
	/* control points beyond the stretch are brought back to its ends: the same */
	check(
		BEND("2", "BEZIER BEZIER", "0 0 30 8", "5 0 9 9"), 2.0 / 3, 3, (double[]){HALF(8 * (3 * s * s * (1 - s) + s * s * s))});
}

static void curves_of_several_numbers(void **state)
{
	(void)state;
	/* one time for both ends of three numbers, and a pair for each of them */
#define BENT_3(size, in, out)                                                                                                  \
	MOVING("<animation>" SOURCE("i", "2", "1", "0 3") SOURCE("o", "2", "3", "0 0 0 8 8 8") WORDS("k", "Name", "2",             \
		"BEZIER BEZIER") SOURCE("ti", "2", size, in) SOURCE("to", "2", size, out) "<sampler id=\"s\">" INPUT("INPUT", "i")     \
			INPUT("OUTPUT", "o") INPUT("INTERPOLATION", "k") INPUT("IN_TANGENT", "ti")                                         \
				INPUT("OUT_TANGENT", "to") "</sampler><channel source=\"#s\" target=\"n/move\"/></animation>")
	const double half[3] = {bezier_half(6, 7), bezier_half(5, 4), bezier_half(1, 2)};
	const double wanted[] = {1, 0, 0, 1 + half[0], half[1], half[2], 9, 8, 8};
	check(BENT_3("4", "0 0 0 0 2 7 4 2", "1 6 5 1 0 0 0 0"), 2.0 / 3, 3, wanted);
	check(BENT_3("6", "0 0 0 0 0 0 2 7 2 4 2 2", "1 6 1 5 1 1 0 0 0 0 0 0"), 2.0 / 3, 3, wanted);
	check(BENT_3("3", "0 0 0 7 4 2", "6 5 1 0 0 0"), 2.0 / 3, 3, wanted);
}

static void mixed_curves(void **state)
{
	(void)state;
	/* held, a line, a curve */
	check(MOVING(CURVE("a", "n/move.Y", "4", "1", "0 2 4 6", "5 1 3 11", "STEP LINEAR BEZIER STEP", "0 0 0 10", "0 0 9 0")), 1,
		7, (double[]){1, 5, 0, 1, 5, 0, 1, 1, 0, 1, 2, 0, 1, 3, 0, 1, bezier_half(6, 7) + 3, 0, 1, 11, 0});
}

static void what_is_not_known_of_curves_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	check_frames(context, MOVING(ANIMATION("a", "n/move.Y", "2", "1", "0 2", "0 8", "BEZIER BEZIER")), 1, 3,
		(double[]){1, 0, 0, 1, 4, 0, 1, 8, 0});
	assert_int_equal(test_warned(context, "missing-tangents"), 2);
	check_frames(context, MOVING(ANIMATION("a", "n/move.Y", "2", "1", "0 2", "0 8", "BSPLINE CARDINAL")), 1, 3,
		(double[]){1, 0, 0, 1, 4, 0, 1, 8, 0});
	assert_int_equal(test_warned(context, "unknown-interpolation"), 2);
	check_frames(context, BEND("2", "BEZIER BEZIER", "0 0 -1.#IND 8", "nan inf 9 9"), 2.0 / 3, 3, (double[]){HALF(4.0)});
	assert_int_equal(test_warned(context, "bad-tangents"), 1);
	/* keys that are no numbers, in the wrong order, twice */
	check_frames(context,
		MOVING(ANIMATION("a", "n/move.Y", "5", "1", "2 NaN 0 1 1", "8 7 0 3 INF", "LINEAR LINEAR LINEAR LINEAR LINEAR")), 0, 3,
		(double[]){1, 0, 0, 1, 3, 0, 1, 8, 0});
	assert_int_equal(test_warned(context, "bad-keys"), 2);
	check_frames(context, MOVING(ANIMATION("a", "n/move.Y", "3", "1", "0 1 1", "0 3 4", "LINEAR LINEAR LINEAR")), 0, 2,
		(double[]){1, 0, 0, 1, 4, 0});
	test_context_end(context);
}

/* ---- clips ---- */

#define UP ANIMATION("up", "n/move.Y", "3", "1", "0 1 2", "0 4 8", "LINEAR LINEAR LINEAR")
#define ASIDE ANIMATION("aside", "n/move.X", "2", "1", "0 1", "0 1", "LINEAR LINEAR")
#define CLIP(name, range, inner) "<animation_clip id=\"clip-" name "\" name=\"" name "\" " range ">" inner "</animation_clip>"
#define PLAYS(id) "<instance_animation url=\"#" id "\"/>"
#define CLIPS(inner) "<library_animation_clips>" inner "</library_animation_clips>"

static void check_clip(const char *text, const char *clip, size_t count, const double *wanted)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_read_options options = ossa_read_default();
	snprintf(options.clip, sizeof options.clip, "%s", clip);
	assert_ok(context, ossa_read_animation(context, test_file("a.dae", text, 0), &options, &mesh, &frames));
	assert_int_equal(frames->frame_count, count);
	for (size_t f = 0; f < count; f++) {
		test_assert_near(frames->positions[f * 9], wanted[2 * f], 1e-6, clip, __FILE__, __LINE__);
		test_assert_near(frames->positions[f * 9 + 1], wanted[2 * f + 1], 1e-6, clip, __FILE__, __LINE__);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

static void clips_play_what_they_name(void **state)
{
	(void)state;
	const char *text = DAE(SHAPE NODE ANIMATIONS("<animation id=\"all\">" UP "<animation>" ASIDE "</animation></animation>")
			CLIPS(CLIP("whole", "", PLAYS("all")) CLIP("rise", "", PLAYS("up")) CLIP("nothing", "", PLAYS("gone")) CLIP(
				"part", "start=\"0.5\" end=\"1.5\"", PLAYS("up")) CLIP("both", "end=\"1\"", PLAYS("up") PLAYS("aside"))));
	check_clip(text, "whole", 3, (double[]){1, 0, 2, 4, 2, 8});
	check_clip(text, "rise", 3, (double[]){1, 0, 1, 4, 1, 8});
	check_clip(text, "part", 3, (double[]){1, 2, 1, 4, 1, 6});
	check_clip(text, "both", 2, (double[]){1, 0, 2, 4});
	ossa_context *context = test_context(1);
	size_t count;
	ossa_clip_facts *clips;
	assert_ok(context, ossa_read_contents(context, test_file("a.dae", text, 0), NULL, &count, &clips));
	assert_int_equal(count, 4);
	assert_string_equal(clips[2].name, "part");
	assert_near(clips[2].seconds, 1, 1e-6);
	assert_true(clips[0].moves_parts && !clips[0].moves_joints);
	ossa_free(context, clips);
	test_context_end(context);
}

static void without_clips_all_is_one(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	size_t count;
	ossa_clip_facts *clips;
	/* flat: no name is that of all, so it has the file's; nested: the outer one's */
	assert_ok(context, ossa_read_contents(context, test_file("a.dae", MOVING(UP ASIDE), 0), NULL, &count, &clips));
	assert_int_equal(count, 1);
	assert_string_equal(clips[0].name, "a");
	assert_int_equal(clips[0].key_count, 3);
	ossa_free(context, clips);
	const char *nested = MOVING("<animation name=\"Walk\">" UP ASIDE "</animation>");
	assert_ok(context, ossa_read_contents(context, test_file("a.dae", nested, 0), NULL, &count, &clips));
	assert_int_equal(count, 1);
	assert_string_equal(clips[0].name, "Walk");
	ossa_free(context, clips);
	const char *own = DAE(SHAPE NODE ANIMATIONS(UP)
			CLIPS("<animation_clip name=\"x\">" PLAYS("up") "<extra type=\"ossa\"><technique profile=\"ossa\"><name>Gehen "
															"&amp; stehen</name></technique></extra></animation_clip>"));
	assert_ok(context, ossa_read_contents(context, test_file("a.dae", own, 0), NULL, &count, &clips));
	assert_string_equal(clips[0].name, "Gehen & stehen");
	ossa_free(context, clips);
	test_context_end(context);
}

/* what moves the same things cannot play at once: each is a motion of its own, unless most
   animations stand alone */
static void rivals_are_clips_of_their_own(void **state)
{
	(void)state;
	const char *text = MOVING("<animation id=\"walk\">" UP ASIDE "</animation><animation id=\"run\">" ANIMATION(
		"up2", "n/move.Y", "2", "1", "0 1", "2 3", "LINEAR LINEAR") "</animation>");
	check_clip(text, "walk", 3, (double[]){1, 0, 2, 4, 2, 8});
	check_clip(text, "run", 2, (double[]){1, 2, 1, 3});
	ossa_context *context = test_context(1);
	size_t count;
	ossa_clip_facts *clips;
	text = MOVING(UP ASIDE ANIMATION("size", "n/size.Y", "1", "1", "0", "1", "STEP") ANIMATION(
		"z", "n/move.Z", "1", "1", "0", "1", "STEP") ANIMATION("up2", "n/move.Y", "2", "1", "0 1", "2 3", "LINEAR LINEAR"));
	assert_ok(context, ossa_read_contents(context, test_file("a.dae", text, 0), NULL, &count, &clips));
	assert_int_equal(count, 1);
	ossa_free(context, clips);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_numbers),
		cmocka_unit_test(whole_transforms),
		cmocka_unit_test(channels_on_instanced_nodes_and_deep_sids),
		cmocka_unit_test(weights_of_morphs),
		cmocka_unit_test(what_is_not_read_is_counted_and_listed),
		cmocka_unit_test(targets_that_are_none_are_counted),
		cmocka_unit_test(a_skeleton_alone),
		cmocka_unit_test(steps_and_lines),
		cmocka_unit_test(curves),
		cmocka_unit_test(curves_of_several_numbers),
		cmocka_unit_test(mixed_curves),
		cmocka_unit_test(what_is_not_known_of_curves_is_reported),
		cmocka_unit_test(clips_play_what_they_name),
		cmocka_unit_test(without_clips_all_is_one),
		cmocka_unit_test(rivals_are_clips_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
