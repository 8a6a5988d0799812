/* tests/methods/test_moving_pivots.c: bones without skin, where one joint is not enough. */
#include "math/vec.h"
#include "support/boxes.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { POSES = 16, LIMBS = 3 };

/* a trunk and two legs, children of a pelvis that has no skin */
static const test_box boxes[LIMBS] = {{"trunk", NULL, {0, 1, 0}, {0, 2.2, 0}, 0.25},
	{"leg_l", "trunk", {0.5, 0.9, 0}, {0.5, 0, 0}, 0.15}, {"leg_r", "trunk", {-0.5, 0.9, 0}, {-0.5, 0, 0}, 0.15}};
static const ossai_vec3 pelvis = {0, 1, 0};

/* angles that never repeat together */
static ossai_mat3 turn(double degrees, int k, double pace)
{
	const double a = degrees * OSSAI_PI / 180, t = (double)(k + 1);
	const ossai_vec3 v = {a * sin(pace * t), a * sin(1.7 * pace * t + 1), a * sin(2.3 * pace * t + 2)};
	return ossai_quat_matrix(ossai_quat_exp(v));
}

/* where a point of a limb is; the trunk turns about the pelvis, and so do the hips */
static ossai_vec3 move(size_t limb, ossai_vec3 p, int k)
{
	const ossai_mat3 own = turn(limb == 0 ? 15 : 35, k, 0.9 + 0.37 * (double)limb), hips = turn(25, k, 0.61);
	if (limb == 0) return ossai_add(pelvis, ossai_mat3_mul_v(&own, ossai_sub(p, pelvis)));
	const ossai_vec3 joint = ossai_v3_of(boxes[limb].joint);
	const ossai_vec3 at = ossai_add(pelvis, ossai_mat3_mul_v(&hips, ossai_sub(joint, pelvis)));
	return ossai_add(at, ossai_mat3_mul_v(&own, ossai_sub(p, joint)));
}

static ossa_frames *make_frames(ossa_context *context, const ossa_rig *rig)
{
	ossa_frames *frames;
	const size_t vertices = rig->mesh->vertex_count, width = (size_t)rig->weights.influences;
	assert_ok(context, ossa_frames_create(context, POSES, vertices, 30, &frames));
	for (int k = 0; k < POSES; k++) {
		for (size_t v = 0; v < vertices; v++) {
			const ossai_vec3 p = move(rig->weights.bones[v * width], ossai_v3_of_float(rig->mesh->positions + 3 * v), k);
			float *to = frames->positions + 3 * ((size_t)k * vertices + v);
			to[0] = (float)p.x;
			to[1] = (float)p.y;
			to[2] = (float)p.z;
		}
	}
	return frames;
}

static ossa_rig_result make(ossa_context *context, const ossa_rig *truth, const ossa_frames *frames, const char *bones)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_frame_stream *stream;
	ossa_rig_result made;
	options.roots = OSSA_ROOTS_ONE;
	options.body = OSSA_BODY_NONE;
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	if (bones) assert_ok(context, ossa_rig_option_set(context, &options, "bones", bones));
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){truth->mesh, stream}, &options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	ossa_frame_stream_free(context, stream);
	ossa_method_options_free(context, options.methods);
	return made;
}

/* the bone of no skin, between the others */
static void assert_near_pelvis(const ossa_rig *rig)
{
	size_t between = 0;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		if (ossai_distance(ossai_v3_of(bone->joint), pelvis) > 1e-3) continue;
		between++;
		assert_int_equal(bone->parent, 0);
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) assert_true(test_weight_of(&rig->weights, v, b) < 1e-3F);
	}
	assert_int_equal(between, 1);
}

static void a_pelvis_needs_no_skin(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *truth;
	assert_ok(context, test_boxes_rig(context, LIMBS, boxes, &truth));
	ossa_frames *frames = make_frames(context, truth);
	ossa_rig_result made = make(context, truth, frames, NULL), three = make(context, truth, frames, "3");
	/* three bones move all skin exactly, and do not meet */
	assert_int_equal(three.rig->skeleton.bone_count, 3);
	assert_true(three.free_bones.rms_percent < 0.01);
	assert_true(three.hierarchy.rms_percent > 1);
	assert_int_equal(made.rig->skeleton.bone_count, 4);
	assert_true(made.hierarchy.rms_percent < 1e-3);
	assert_near_pelvis(made.rig);
	assert_int_equal(test_warned(context, "idle-bones"), 0);
	ossa_rig_result_free(context, &three);
	ossa_rig_result_free(context, &made);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, truth);
	test_context_end(context);
}

static void threads_do_not_change_it(void **state)
{
	(void)state;
	ossa_rig_result made[2];
	ossa_context *context[2];
	for (int i = 0; i < 2; i++) {
		ossa_rig *truth;
		context[i] = test_context(1 + 3 * i);
		assert_ok(context[i], test_boxes_rig(context[i], LIMBS, boxes, &truth));
		ossa_frames *frames = make_frames(context[i], truth);
		made[i] = make(context[i], truth, frames, NULL);
		ossa_frames_free(context[i], frames);
		ossa_rig_free(context[i], truth);
	}
	const ossa_skeleton *one = &made[0].rig->skeleton, *four = &made[1].rig->skeleton;
	assert_int_equal(one->bone_count, four->bone_count);
	assert_memory_equal(one->bones, four->bones, one->bone_count * sizeof *one->bones);
	for (int i = 0; i < 2; i++) {
		ossa_rig_result_free(context[i], &made[i]);
		test_context_end(context[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_pelvis_needs_no_skin), cmocka_unit_test(threads_do_not_change_it)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
