/* tests/rig/test_slides.c: joints that slide: rules, motion, edits, files. */
#include "rig/slides.h"
#include "math/vec.h"
#include "rig/join_rigs.h"
#include "rig/universal_joint.h"
#include "support/check_collada.h"
#include "support/compare.h"
#include "support/support.h"

#include <ossa/edit_motion.h>
#include <ossa/read.h>
#include <ossa/write.h>

#include <math.h>
#include <string.h>

static ossa_sample *slides(ossa_context *context)
{
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_SLIDES, 1000, 6);
	assert_ok(context, ossa_rig_validate(context, sample->rig));
	return sample;
}

static ossa_bone *bone_of(ossa_rig *rig, const char *name)
{
	const int32_t b = ossa_rig_bone(rig, name);
	assert_true(b >= 0);
	return &rig->skeleton.bones[b];
}

static void rules_are_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = slides(context);
	ossa_bone *ram = bone_of(sample->rig, "ram"), kept = *ram;
	memset(ram->axis, 0, sizeof ram->axis);
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "without a unit axis");
	*ram = kept;
	ram->slide_limits[0] = 0.1;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "must hold 0");
	ram->slide_limits[0] = NAN;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "must hold 0");
	*ram = kept;
	ram->has_limits = false;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "not said to be known");
	*ram = kept;
	ram->limits[0][1] = 5;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "never turns");
	*ram = kept;
	ram->kind = OSSA_JOINT_HINGE;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "does not slide");
	*ram = kept;
	assert_fails(context, ossai_rig_check_one_tree(context, sample->rig), OSSA_ERROR_INPUT, "slide");
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* from the other side the parent slides as far, along the opposite axis */
static void joints_can_be_turned_round(void **state)
{
	(void)state;
	const ossa_bone from = {.kind = OSSA_JOINT_PRISMATIC, .axis = {0, 1, 0}, .slide_limits = {-1, 2}};
	ossa_bone to = {.kind = OSSA_JOINT_PRISMATIC};
	ossai_bone_take_axes(&from, true, &to);
	assert_near(to.axis[1], -1, 0);
	assert_near(to.slide_limits[0], -1, 0);
	assert_near(to.slide_limits[1], 2, 0);
}

static void free_motion_becomes_a_slide(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = slides(context);
	ossa_rig *rig = sample->rig;
	ossa_clip *clip;
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
	const size_t b = (size_t)ossa_rig_bone(rig, "stage-1");
	for (size_t f = 0; f < clip->frame_count; f++) {
		/* square to its axis, and turned */
		const ossai_vec3 axis = ossai_slide_axis(rig->skeleton.bones, b), off = ossai_cross(axis, ossai_v3(0.3, -0.2, 0.1));
		double *t = clip->translations + 3 * (f * clip->bone_count + b), *q = clip->rotations + 4 * (f * clip->bone_count + b);
		for (int k = 0; k < 3; k++) t[k] += 0.02 * (k == 0 ? off.x : k == 1 ? off.y : off.z);
		ossai_quat_store(ossai_quat_mul(ossai_quat_axis_angle(axis, 0.02), ossai_quat_of(q)), q);
	}
	assert_ok(context, ossai_slides_project(context, rig, clip));
	double turns[3][2];
	assert_false(ossa_rig_turn_range(rig, clip, b, turns));
	for (size_t f = 0; f < clip->frame_count; f++)
		assert_near(ossai_slide_in(rig, clip, f, b), ossai_slide_in(rig, rig->clip, f, b), 5e-3);
	ossa_clip_free(context, clip);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_clip *edited(ossa_context *context, const ossa_rig *rig, ossa_motion_edit edit)
{
	ossa_clip *clip;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &clip));
	return clip;
}

static void slides_are_posed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = slides(context);
	ossa_rig *rig = sample->rig;
	const size_t ram = (size_t)ossa_rig_bone(rig, "ram"), mast = (size_t)ossa_rig_bone(rig, "mast");
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_SLIDE, ram);
	edit.distance = 0.5;
	ossa_clip *clip = edited(context, rig, edit);
	for (size_t f = 0; f < clip->frame_count; f++) assert_near(ossai_slide_in(rig, clip, f, ram), 0.5, 1e-12);
	const ossa_limit_facts facts = ossa_rig_past_limits(rig, clip, ram, 0, SIZE_MAX);
	assert_int_equal(facts.frame_count, clip->frame_count);
	assert_near(facts.most_distance, 0.3, 1e-12);
	assert_int_equal(ossa_rig_warn_past_limits(context, rig, rig->clip, clip), 1);
	assert_int_equal(test_warned(context, "past-limits"), 1);
	ossa_clip *own = rig->clip;
	rig->clip = clip;
	ossa_clip *clamped = edited(context, rig, ossa_motion_edit_default(OSSA_MOTION_CLAMP, OSSA_ALL_BONES));
	assert_near(ossai_slide_in(rig, clamped, 2, ram), 0.2, 1e-12);
	edit = ossa_motion_edit_default(OSSA_MOTION_SCALE, ram);
	edit.factor = 0.5;
	ossa_clip *scaled = edited(context, rig, edit),
			  *reset = edited(context, rig, ossa_motion_edit_default(OSSA_MOTION_SET, ram));
	assert_near(ossai_slide_in(rig, scaled, 3, ram), 0.25, 1e-12);
	assert_near(ossai_slide_in(rig, reset, 3, ram), 0, 1e-12);
	rig->clip = own;
	/* what turns does not slide, and the other way round */
	ossa_clip *none;
	edit = ossa_motion_edit_default(OSSA_MOTION_SLIDE, mast);
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &none), OSSA_ERROR_ARGUMENT, "mast");
	edit = ossa_motion_edit_default(OSSA_MOTION_TURN, ram);
	edit.rotation[0] = 0.6;
	edit.rotation[3] = 0.8;
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &none), OSSA_ERROR_ARGUMENT, "never turns");
	/* farther than files can say */
	edit = ossa_motion_edit_default(OSSA_MOTION_SLIDE, ram);
	edit.distance = 1e39;
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &none), OSSA_ERROR_ARGUMENT, "floats");
	edit = ossa_motion_edit_default(OSSA_MOTION_MOVE, 0);
	edit.offset[0] = 1e300;
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &none), OSSA_ERROR_ARGUMENT, "floats");
	ossa_clip *all[] = {clip, clamped, scaled, reset};
	for (size_t i = 0; i < 4; i++) ossa_clip_free(context, all[i]);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* kind, axis and limits come back, in other axes and units */
static void files_keep_slides(void **state)
{
	(void)state;
	static const char *const names[] = {"slides.glb", "slides.dae"};
	ossa_context *context = test_context(1);
	ossa_sample *sample = slides(context);
	for (int i = 0; i < 2; i++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *back;
		options.up = OSSA_UP_Z;
		options.unit = 0.01;
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path(names[i]), &options));
		if (i == 1) test_check_collada(test_path(names[i]));
		assert_ok(context, ossa_read_rig(context, test_path(names[i]), NULL, &back));
		assert_ok(context, ossa_rig_validate(context, back));
		for (size_t b = 0; b < back->skeleton.bone_count; b++) {
			const ossa_bone *was = &sample->rig->skeleton.bones[b], *is = bone_of(back, was->name);
			double range[2], wanted[2];
			assert_string_equal(ossa_joint_kind_name(is->kind), ossa_joint_kind_name(was->kind));
			if (was->kind != OSSA_JOINT_PRISMATIC) continue;
			assert_true(is->has_limits);
			/* as long as its way: the mesh has the units of the file or those before */
			assert_true(ossa_rig_slide_range(back, NULL, (size_t)(is - back->skeleton.bones), range));
			assert_true(ossa_rig_slide_range(sample->rig, NULL, b, wanted));
			const double scale = range[1] / wanted[1];
			assert_near(is->slide_limits[0], scale * was->slide_limits[0], 1e-4 * scale);
			assert_near(is->slide_limits[1], scale * was->slide_limits[1], 1e-4 * scale);
		}
		ossa_rig_free(context, back);
	}
	assert_ok(context, ossa_write_rig(context, sample->rig, test_path("slides.urdf"), NULL));
	static char text[1 << 16];
	text[test_read_bytes(test_path("slides.urdf"), text, sizeof text - 1)] = 0;
	assert_non_null(strstr(text, "<joint name=\"ram\" type=\"prismatic\">"));
	assert_non_null(strstr(text, "lower=\"-0.06\" upper=\"0.2\""));
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* what other programs made of the extras is left out */
static void bad_slides_of_files_are_left_out(void **state)
{
	(void)state;
	static char text[1 << 20];
	static const struct {
		const char *was, *is, *bone;
		ossa_joint_kind kind;
		bool has_limits;
		int64_t limits, axes; /* dropped */
	} cases[] = {
		{"\"slide_limits\":[-0.0", "\"slide_limits\":[1.0", "stage-2", OSSA_JOINT_PRISMATIC, false, 1, 0},
		{"\"slide_limits\":[-0.0", "\"slide_limits\":[\"x\",", "stage-2", OSSA_JOINT_PRISMATIC, false, 1, 0},
		{"\"slide_limits\":[-0.0", "\"slide_limitz\":[-0.0", "stage-2", OSSA_JOINT_PRISMATIC, false, 0, 0},
		{"\"axis\":[0.0,0.8", "\"axis\":[0.0,5.8", "ram", OSSA_JOINT_PRISMATIC, true, 0, 0},
		{"\"axis\":[0.0,0.80000000000000004,0.59999999999999998", "\"axis\":[0.0,0.00000000000000000,0.00000000000000000",
			"ram", OSSA_JOINT_UNKNOWN, false, 0, 1},
		{"\"axis\":[0.0,0.8", "\"axos\":[0.0,0.8", "ram", OSSA_JOINT_UNKNOWN, false, 0, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_sample *sample = slides(context);
		ossa_rig *back;
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path("bad.gltf"), NULL));
		const size_t size = test_read_bytes(test_path("bad.gltf"), text, sizeof text - 1);
		text[size] = 0;
		char *at = strstr(text, cases[i].was);
		if (!at) fail_msg("no %s", cases[i].was);
		memcpy(at, cases[i].is, strlen(cases[i].is));
		assert_ok(context, ossa_read_rig(context, test_file("bad.gltf", text, size), NULL, &back));
		assert_ok(context, ossa_rig_validate(context, back));
		const ossa_bone *ram = bone_of(back, cases[i].bone);
		assert_int_equal(ram->kind, cases[i].kind);
		assert_int_equal(ram->has_limits, cases[i].has_limits);
		assert_int_equal(test_warned(context, "limits-dropped"), cases[i].limits);
		assert_int_equal(test_warned(context, "axes-dropped"), cases[i].axes);
		ossa_rig_free(context, back);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_checked),
		cmocka_unit_test(joints_can_be_turned_round),
		cmocka_unit_test(free_motion_becomes_a_slide),
		cmocka_unit_test(slides_are_posed),
		cmocka_unit_test(files_keep_slides),
		cmocka_unit_test(bad_slides_of_files_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
