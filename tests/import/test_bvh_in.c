/* tests/import/test_bvh_in.c: BVH as other programs write it, in literals; and malicious files. */
#include "base/context.h"
#include "import/bvh.h"
#include "math/vec.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = OSSAI_PI / 180;

static ossa_rig *read_text(ossa_context *context, const char *text)
{
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, test_file("a walk.bvh", text, 0), NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void fails(const char *text, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_fails(context, ossa_read_rig(context, test_file("bad.bvh", text, 0), NULL, &rig), OSSA_ERROR_INPUT, words);
	assert_null(rig);
	test_context_end(context);
}

/* where a joint is in a frame */
static void assert_joint(const ossa_rig *rig, size_t frame, size_t bone, double x, double y, double z)
{
	double matrices[12 * 16];
	assert_true(rig->skeleton.bone_count <= 16);
	ossa_rig_joint_matrices(rig, rig->clip, frame, matrices);
	const double *m = matrices + 12 * bone;
	if (fabs(m[3] - x) + fabs(m[7] - y) + fabs(m[11] - z) > 1e-5) {
		fail_msg("frame %zu, bone %zu: (%g, %g, %g) instead of (%g, %g, %g)", frame, bone, m[3], m[7], m[11], x, y, z);
	}
}

#define LEG                                                                                                                    \
	"  JOINT Leg\n  {\n    OFFSET 1 0 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"                                       \
	"    End Site\n    {\n      OFFSET 0 -2 0\n    }\n  }\n"
#define HEAD                                                                                                                   \
	"HIERARCHY\nROOT Hips\n{\n  OFFSET 0 3 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"

static const char plain[] = HEAD LEG "}\nMOTION\nFrames: 3\nFrame Time: 0.04\n"
									 "0 3 0 0 0 0 0 0 0\n"
									 "5 6 7 90 0 0 0 0 0\n"
									 "5 6 7 90 0 0 10 20 30\n";

static void skeleton_and_motion_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, plain);
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(rig->skeleton.bone_count, 2);
	const ossa_bone *leg = &rig->skeleton.bones[1];
	assert_string_equal(rig->skeleton.bones[0].name, "Hips");
	assert_string_equal(leg->name, "Leg");
	assert_int_equal(leg->parent, 0);
	/* at rest every joint is unturned; the End Site is the tail */
	assert_true(leg->joint[0] == 1 && leg->joint[1] == 3 && leg->tail[0] == 1 && leg->tail[1] == 1);
	assert_true(leg->orientation[3] == 1);
	assert_non_null(rig->clip);
	assert_string_equal(rig->clip->name, "a walk");
	assert_int_equal(rig->clip->frame_count, 3);
	assert_near(rig->clip->times[2], 0.08, 1e-6);
	assert_null(rig->clip->translations);
	/* the position replaces the OFFSET; a quarter turn about z puts the leg above the hips */
	assert_joint(rig, 0, 1, 1, 3, 0);
	assert_joint(rig, 1, 0, 5, 6, 7);
	assert_joint(rig, 1, 1, 5, 7, 7);
	/* z, then x, then y about the turned axes */
	const ossai_quat z = ossai_quat_axis_angle(ossai_v3(0, 0, 1), 10 * degrees),
					 x = ossai_quat_axis_angle(ossai_v3(1, 0, 0), 20 * degrees),
					 y = ossai_quat_axis_angle(ossai_v3(0, 1, 0), 30 * degrees);
	const ossai_quat wanted = ossai_quat_mul(ossai_quat_mul(z, x), y);
	assert_near(fabs(ossai_quat_dot(wanted, ossai_quat_of(rig->clip->rotations + 4 * 5))), 1, 1e-12);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* Windows' line ends, tabs, a byte order mark, braces on the line of the name, lower-case keywords,
   names with blanks, a colon with blanks around it, numbers over several lines, no line end at the
   end */
static void quirks_of_writers_are_read(void **state)
{
	(void)state;
	static const char text[] =
		"\xEF\xBB\xBF\r\nhierarchy\r\nroot mixamorig:The Hips\t{\r\n\toffset\t0\t0.0\t-.5e1\r\n"
		"\tchannels 4 yrotation XROTATION Zrotation Yposition\r\n"
		"\tjoint Left Arm\r\n\t{\r\n\t\tOFFSET 1 2 3 CHANNELS 0\r\n\t\tend site End of the arm\r\n\t\t{ offset 0 0 0 "
		"}\r\n\t}\r\n"
		"\tEnd Site\r\n\t{\r\n\t\tOFFSET 9 9 9\r\n\t}\r\n}\r\nmotion\r\nframes : 2\r\nframe time :\t.5\r\n"
		"90 0 0\r\n7\r\n0 0 0 -1e0";
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, text);
	assert_string_equal(rig->skeleton.bones[0].name, "mixamorig_The_Hips");
	assert_string_equal(rig->skeleton.bones[1].name, "Left_Arm");
	/* the hips end where their child is, whatever their own End Site says */
	assert_true(rig->skeleton.bones[0].tail[0] == 1 && rig->skeleton.bones[0].tail[2] == -2);
	assert_joint(rig, 0, 0, 0, 7, -5);
	assert_joint(rig, 0, 1, 3, 9, -6);
	assert_joint(rig, 1, 1, 1, 1, -2);
	assert_true(rig->clip->times[1] == 0.5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a position of a joint that is not the root: its distance to the parent changes */
static void positions_of_any_joint_move_it(void **state)
{
	(void)state;
	static const char text[] =
		"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\nJOINT b\n{\nOFFSET 1 2 3\nCHANNELS 3 Zposition Xposition "
		"Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1\n0 3 1 0\n90 5 4 0\n";
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, text);
	assert_non_null(rig->clip->translations);
	assert_joint(rig, 0, 1, 1, 2, 3);
	assert_joint(rig, 1, 1, -2, 4, 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void several_roots_get_one_above(void **state)
{
	(void)state;
	static const char text[] =
		"HIERARCHY\nROOT a\n{\nOFFSET 1 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
		"ROOT b\n{\nOFFSET -1 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
		"MOTION\nFrames: 1\nFrame Time: 1\n0 0 0 4 5 6\n";
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, text);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_joint(rig, 0, 1, 1, 0, 0);
	assert_joint(rig, 0, 2, 4, 5, 6);
	assert_true(ossa_context_warning_count(context) > 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- motion that is not as stated ---- */

static void missing_frames_are_reported(void **state)
{
	(void)state;
	char text[1024];
	ossa_context *context = test_context(1);
	snprintf(text, sizeof text, "%s", plain);
	memcpy(strstr(text, "Frames: 3"), "Frames: 9", 9);
	ossa_rig *rig = read_text(context, text);
	assert_int_equal(rig->clip->frame_count, 3);
	assert_int_equal(test_warned(context, "bvh-frames"), 1);
	assert_non_null(strstr(ossa_context_warning(context, 0)->message, "states 9 frames but holds 3 whole ones"));
	ossa_rig_free(context, rig);
	/* cut off within a frame: the whole ones stay */
	*strstr(text, " 10 20 30") = 0;
	rig = read_text(context, text);
	assert_int_equal(rig->clip->frame_count, 2);
	ossa_rig_free(context, rig);
	/* and where none is left the skeleton alone */
	strcpy(strstr(text, "0 3 0 0"), "0 3");
	rig = read_text(context, text);
	assert_null(rig->clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void more_than_stated_is_left_out(void **state)
{
	(void)state;
	char text[1024];
	ossa_context *context = test_context(1);
	snprintf(text, sizeof text, "%s", plain);
	memcpy(strstr(text, "Frames: 3"), "Frames: 2", 9);
	ossa_rig *rig = read_text(context, text);
	assert_int_equal(rig->clip->frame_count, 2);
	assert_int_equal(test_warned(context, "bvh-frames"), 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void frame_time_of_zero_is_replaced(void **state)
{
	(void)state;
	char text[1024];
	ossa_context *context = test_context(1);
	snprintf(text, sizeof text, "%s", plain);
	memcpy(strstr(text, "0.04"), "0.00", 4);
	ossa_rig *rig = read_text(context, text);
	assert_near(rig->clip->times[1], 1.0 / 24, 1e-9);
	assert_int_equal(test_warned(context, "bvh-frame-time"), 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void skeleton_without_motion_is_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, HEAD LEG "}\n");
	assert_null(rig->clip);
	assert_int_equal(rig->skeleton.bone_count, 2);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- bad files ---- */

static void broken_files_are_refused(void **state)
{
	(void)state;
	fails("HIERARCHY\n", "the hierarchy ends where ROOT must be");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", "line 5: the hierarchy ends where OFFSET, CHANNELS, JOINT, End Site or }");
	fails("HIERARCHY\nROOT a\nOFFSET 0 0 0\n", "line 3: \"OFFSET\" stands where {");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", "line 4: OFFSET ends after 2 of 3 numbers");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 nan 0\n}\n", "finite number");
	fails("HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\nOFFSET 0 0 0\n}\n", "CHANNELS before its OFFSET");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n}\n", "second OFFSET");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n}\n", "CHANNELS twice");
	fails("HIERARCHY\nROOT a\n{\n}\n", "no OFFSET");
	fails("HIERARCHY\nROOT a\n{\nJOINT b\n{\nOFFSET 0 0 0\n}\n}\n", "no OFFSET before its children");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 7 Xrotation\n}\n", "from 0 to 6");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Wrotation\n}\n", "\"Wrotation\" stands where a channel");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation\n}\n", "\"}\" stands where a channel");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nHello\n", "\"Hello\" stands where ROOT or MOTION");
	fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 0 0\nJOINT b\n}\n}\n", "after the OFFSET of an End Site");
	fails(HEAD LEG "}\nMOTION\nFrame Time: 1\n", "\"Frame\" stands where Frames");
	fails(HEAD LEG "}\nMOTION\nFrames: -4\nFrame Time: 1\n", "number of frames");
	fails(HEAD LEG "}\nMOTION\nFrames: 1\nFrame Time: x\n", "Frame Time has \"x\"");
	fails(HEAD LEG "}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0 0 0 0 0 0 zero\n", "motion has \"zero\" where a number must be");
	fails(HEAD LEG "}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0 0 0 0 0 0 inf\n", "finite number");
	/* a line that is longer or shorter than a frame would shift all that follow */
	fails(HEAD LEG "}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0\n",
		"frame 1 does not end with its line: the hierarchy has 9 channels");
	fails(HEAD LEG "}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0\n", "frame 1 does not end");
}

/* 10^12 frames stated by a file of 300 bytes */
static void stated_counts_ask_for_no_memory(void **state)
{
	(void)state;
	char text[1024];
	ossa_context_options options = ossa_context_default();
	ossa_context *context;
	options.memory_limit = (size_t)1 << 20;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	snprintf(text, sizeof text, "%s", plain);
	char *frames = strstr(text, "3\nFrame Time");
	memmove(frames + 12, frames, strlen(frames) + 1);
	memset(frames, '9', 12);
	ossa_rig *rig = read_text(context, text);
	assert_int_equal(rig->clip->frame_count, 3);
	ossa_rig_free(context, rig);
	ossa_context_free(context);
}

/* thousands of joints inside each other: no recursion, no error */
static void deep_hierarchies_are_read(void **state)
{
	(void)state;
	enum { DEPTH = 20000 };
	static char text[DEPTH * 40];
	size_t used = (size_t)snprintf(text, sizeof text, "HIERARCHY\nROOT a{OFFSET 0 0 0\n");
	for (size_t i = 1; i < DEPTH; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "JOINT j%zu\n{OFFSET 0 1 0\n", i);
	memset(text + used, '}', DEPTH);
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_text(context, text);
	assert_int_equal(rig->skeleton.bone_count, DEPTH);
	assert_true(rig->skeleton.bones[DEPTH - 1].joint[1] == DEPTH - 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* cut off anywhere it is refused or read, and never harms */
static void truncated_files_are_survived(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof plain; size++) {
		ossa_context *context = test_context(1);
		/* a file of 0 bytes cannot be asked of test_file */
		const ossai_source source = {.path = "cut.bvh", .bytes = (const uint8_t *)plain, .size = size};
		ossai_asset asset;
		if (ossai_asset_open(context, &source, ossai_bvh_read_asset, NULL, &asset) == OSSA_OK) ossai_asset_close(&asset);
		else assert_true(ossa_context_error(context)->message[0] != 0);
		test_context_end(context);
	}
}

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	test_sweep_read_rig(test_file("sweep.bvh", plain, 0), 6);
}

static void format_is_recognized_by_content(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_read_format *format;
	assert_ok(context, ossa_read_detect(context, test_file("motion.txt", plain, 0), &format));
	assert_string_equal(format->name, "bvh");
	assert_false(format->reads_mesh);
	ossa_mesh *mesh;
	assert_fails(context, ossa_read_mesh(context, test_path("motion.txt"), NULL, &mesh), OSSA_ERROR_INPUT, NULL);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skeleton_and_motion_are_read),
		cmocka_unit_test(quirks_of_writers_are_read),
		cmocka_unit_test(positions_of_any_joint_move_it),
		cmocka_unit_test(several_roots_get_one_above),
		cmocka_unit_test(missing_frames_are_reported),
		cmocka_unit_test(more_than_stated_is_left_out),
		cmocka_unit_test(frame_time_of_zero_is_replaced),
		cmocka_unit_test(skeleton_without_motion_is_read),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(stated_counts_ask_for_no_memory),
		cmocka_unit_test(deep_hierarchies_are_read),
		cmocka_unit_test(truncated_files_are_survived),
		cmocka_unit_test(failing_allocations_are_survived),
		cmocka_unit_test(format_is_recognized_by_content),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
