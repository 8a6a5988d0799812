/* tests/rig/test_drivers.c: morph targets that follow a bone: their weights by angle, poses with
   them, and what becomes of them when bones change. */
#include "rig/pose.h"
#include "rig/shapes.h"
#include "scene/mesh.h"
#include "support/bulges.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static void weights_rise_from_one_angle_to_another(void **state)
{
	(void)state;
	const ossa_driver up = {.from = 30, .to = 90}, down = {.from = 0, .to = -45};
	assert_near(ossai_driver_weight(&up, -200), 0, 0);
	assert_near(ossai_driver_weight(&up, 30), 0, 0);
	assert_near(ossai_driver_weight(&up, 45), 0.25, 1e-15);
	assert_near(ossai_driver_weight(&up, 90), 1, 0);
	assert_near(ossai_driver_weight(&up, 120), 1, 0);
	assert_near(ossai_driver_weight(&down, 10), 0, 0);
	assert_near(ossai_driver_weight(&down, -9), 0.2, 1e-15);
	assert_near(ossai_driver_weight(&down, -90), 1, 0);
}

/* a clip of one frame, at rest but for one bone, which turns about an axis of the mesh */
static ossa_clip *turned(ossa_context *context, const ossa_rig *rig, size_t bone, const double axis[3], double degrees)
{
	ossa_clip *clip;
	const ossa_bone *bones = rig->skeleton.bones;
	assert_ok(context, ossa_clip_create(context, 1, rig->skeleton.bone_count, false, &clip));
	memcpy(clip->root_positions, bones[0].joint, sizeof bones[0].joint);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossai_quat world = ossai_quat_of(bones[b].orientation), parent = ossai_quat_identity();
		if (bones[b].parent >= 0) parent = ossai_quat_of(bones[bones[b].parent].orientation);
		if (b == bone) world = ossai_quat_mul(ossai_quat_axis_angle(ossai_v3_of(axis), degrees * OSSAI_PI / 180), world);
		ossai_quat_store(ossai_quat_mul(ossai_quat_conjugate(parent), world), clip->rotations + 4 * b);
	}
	return clip;
}

/* the axis is the mesh's at rest, whatever the joint's frame; a turn across it adds nothing */
static void the_angle_is_about_an_axis_of_the_mesh(void **state)
{
	(void)state;
	static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	const size_t bone = (size_t)ossa_rig_bone(sample->rig, "forearm-l");
	for (double degrees = -170; degrees <= 170; degrees += 34) {
		ossa_clip *clip = turned(context, sample->rig, bone, x, degrees);
		assert_near(ossai_driver_angle(sample->rig, bone, x, clip, 0), degrees, 1e-6);
		assert_near(ossai_driver_angle(sample->rig, bone, y, clip, 0), 0, 1e-6);
		ossa_clip_free(context, clip);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the definition: bones move the rest pose with the weighted shape in it */
static void poses_show_shapes(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	const size_t vertices = rig->mesh->vertex_count, shape = test_bulges_add(context, rig, "shin-l", "knee", 0.5, 0.02);
	const ossa_morph *morph = &rig->mesh->morphs[shape];
	float *posed = ossa_alloc(context, vertices, 3 * sizeof *posed), *rest = ossa_alloc(context, vertices, 3 * sizeof *rest);
	double *matrices = ossa_alloc(context, rig->skeleton.bone_count, 12 * sizeof *matrices), most = 0;
	assert_true(posed && rest && matrices);
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const double weight = ossa_rig_shape_weight(rig, shape, rig->clip, f);
		most = fmax(most, weight);
		memcpy(rest, rig->mesh->positions, 3 * vertices * sizeof *rest);
		for (size_t i = 0; i < 3 * morph->count; i++)
			rest[3 * (size_t)morph->vertices[i / 3] + i % 3] += (float)(weight * (double)morph->deltas[i]);
		ossai_skin_matrices(rig, rig->clip, f, matrices);
		assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, f, posed));
		for (size_t v = 0; v < vertices; v++) {
			const ossai_vec3 p = ossai_skin_vertex(rest + 3 * v, &rig->weights, v, matrices);
			assert_near_vec3(ossai_v3_of_float(posed + 3 * v), p, 1e-6);
		}
	}
	assert_true(most == 1);
	/* at rest there are none */
	assert_ok(context, ossa_rig_pose(context, rig, NULL, NULL, 0, posed));
	for (size_t i = 0; i < 3 * vertices; i++) assert_near(posed[i], rig->mesh->positions[i], 1e-6);
	ossa_free(context, posed);
	ossa_free(context, rest);
	ossa_free(context, matrices);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static double rms(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_frames *frames)
{
	ossa_metrics metrics;
	double *bones = ossa_alloc(context, rig->skeleton.bone_count, sizeof *bones);
	assert_non_null(bones);
	assert_ok(context, ossa_rig_measure(context, rig, weights, NULL, frames, &metrics));
	assert_ok(context, ossa_rig_bone_errors(context, rig, weights, NULL, frames, bones));
	ossa_free(context, bones);
	return metrics.rms_percent;
}

static void errors_are_with_shapes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	ossa_weights other = rig->weights;
	ossa_frames *frames;
	float percent[3] = {1, 1, 1}, *each = ossa_alloc(context, rig->mesh->vertex_count, sizeof *each);
	assert_non_null(each);
	test_bulges_add(context, rig, "shin-l", "knee", 0, 0.02);
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_true(rms(context, rig, NULL, frames) < 1e-4);
	/* weights that it was not made for go without it */
	assert_true(rms(context, rig, &other, frames) > 0.02);
	for (size_t f = 0; f < frames->frame_count; f++) {
		assert_ok(context,
			ossa_rig_vertex_errors(context, rig, NULL, NULL, f, frames->positions + 3 * f * frames->vertex_count, each));
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) percent[0] = fmaxf(percent[0] * (f + v > 0), each[v]);
	}
	assert_true(percent[0] < 1e-3F);
	/* nor does the motion of another one: fitted to the frames it has the shape again */
	ossa_frame_stream *stream;
	ossa_motion_fit *fit;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_fit_motion(context, rig, stream, NULL, &fit));
	assert_true(fit->errors.rms_percent < 0.02);
	double square = 0;
	for (size_t f = 0; f < frames->frame_count; f++) square += fit->frame_rms[f] * fit->frame_rms[f];
	assert_near(sqrt(square / (double)frames->frame_count), fit->errors.rms_percent, 1e-6);
	ossa_motion_fit_free(context, fit);
	ossa_frame_stream_free(context, stream);
	ossa_frames_free(context, frames);
	ossa_free(context, each);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bones that change ---- */

static void names_are_followed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	const int32_t bone = ossa_rig_bone(rig, "shin-l");
	test_bulges_add(context, rig, "shin-l", "knee", 0, 0.02);
	const double weight = ossa_rig_shape_weight(rig, 0, rig->clip, 5);
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_NUMBERS));
	assert_string_equal(rig->mesh->morphs[0].driver.bone, rig->skeleton.bones[bone].name);
	assert_true(strncmp(rig->skeleton.bones[bone].name, "bone_", 5) == 0);
	assert_near(ossa_rig_shape_weight(rig, 0, rig->clip, 5), weight, 0);
	/* of a bone that is gone */
	memcpy(rig->skeleton.bones[bone].name, "other", sizeof "other");
	for (size_t f = 0; f < rig->clip->frame_count; f++) assert_near(ossa_rig_shape_weight(rig, 0, rig->clip, f), 0, 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void another_rest_pose_has_no_drivers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	test_bulges_add(context, sample->rig, "shin-l", "knee", 0, 0.02);
	assert_ok(context, ossa_rig_set_rest_pose(context, sample->rig, 3));
	assert_int_equal(test_warned(context, "shapes-unbound"), 1);
	assert_int_equal(sample->rig->mesh->morph_count, 1);
	assert_int_equal(ossa_rig_shape_count(sample->rig), 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void drivers_are_checked(void **state)
{
	(void)state;
	static const struct {
		double from, to, length, weight;
	} bad[] = {{-1, 5, 1, 0}, {0, 0, 1, 0}, {5, 4, 1, 0}, {0, 181, 1, 0}, {1, -5, 1, 0}, {0, -181, 1, 0}, {0, 5, 1.1, 0},
		{0, 5, 0, 0}, {0, 5, 1, 0.5}, {0, NAN, 1, 0}, {NAN, 5, 1, 0}};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	test_bulges_add(context, rig, "shin-l", "knee", 0, 0.02);
	ossa_morph *morph = &rig->mesh->morphs[0];
	const ossa_driver good = morph->driver;
	float *posed = ossa_alloc(context, rig->mesh->vertex_count, 3 * sizeof *posed);
	assert_non_null(posed);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		morph->driver = good;
		for (int k = 0; k < 3; k++) morph->driver.axis[k] *= bad[i].length;
		morph->driver.from = bad[i].from;
		morph->driver.to = bad[i].to;
		morph->weight = bad[i].weight;
		assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "driver");
		assert_fails(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, posed), OSSA_ERROR_INPUT, "driver");
	}
	morph->driver = good;
	morph->weight = 0;
	morph->vertices[0] = UINT32_MAX;
	assert_fails(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, posed), OSSA_ERROR_INPUT, "vertices");
	morph->vertices[0] = 0;
	memset(morph->driver.bone, 'a', sizeof morph->driver.bone);
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "not terminated");
	ossa_free(context, posed);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_rise_from_one_angle_to_another),
		cmocka_unit_test(the_angle_is_about_an_axis_of_the_mesh),
		cmocka_unit_test(poses_show_shapes),
		cmocka_unit_test(errors_are_with_shapes),
		cmocka_unit_test(names_are_followed),
		cmocka_unit_test(another_rest_pose_has_no_drivers),
		cmocka_unit_test(drivers_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
