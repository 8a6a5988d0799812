/* tests/methods/test_face.c: faces rigged from their frames: bones that move freely on a head. */
#include "rig/flatten.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ossa_sample *face(ossa_context *context, int faces, int frames, double noise)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_FACE;
	options.faces = faces;
	options.frames = frames;
	options.noise = noise;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_rig_result make(ossa_context *context, const ossa_sample *sample, const ossa_rig_options *options)
{
	ossa_frame_stream *stream;
	ossa_rig_result made;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	ossa_frame_stream_free(context, stream);
	return made;
}

static ossa_rig_options of_face(void)
{
	ossa_rig_options options = ossa_rig_default();
	options.articulation = OSSA_ARTICULATION_FACE;
	return options;
}

/* the mean of a bone's skin by weight and by a third of the area of the faces around, plainly */
static ossai_vec3 skin_center(const ossa_rig *rig, size_t bone)
{
	const ossa_mesh *mesh = rig->mesh;
	ossai_vec3 sum = {0, 0, 0};
	double mass = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		ossai_vec3 p[3];
		for (int k = 0; k < 3; k++) p[k] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 * t + k]);
		const double area = 0.5 * ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0])));
		for (int k = 0; k < 3; k++) {
			const double share = area / 3 * (double)test_weight_of(&rig->weights, mesh->triangles[3 * t + k], bone);
			sum = ossai_madd(sum, share, p[k]);
			mass += share;
		}
	}
	return ossai_scale(sum, 1 / mass);
}

/* the largest distance of a true patch's center to the nearest joint, as a share of the diagonal */
static double farthest_patch(const ossa_sample *sample, const ossa_rig *rig)
{
	double worst = 0;
	for (size_t b = 1; b < sample->rig->skeleton.bone_count; b++) {
		const ossai_vec3 truth = skin_center(sample->rig, b);
		double nearest = INFINITY;
		for (size_t i = 1; i < rig->skeleton.bone_count; i++)
			nearest = fmin(nearest, ossai_distance(truth, ossai_v3_of(rig->skeleton.bones[i].joint)));
		worst = fmax(worst, nearest);
	}
	return worst / test_diagonal(rig->mesh);
}

static void assert_is_face(const ossa_rig *rig)
{
	assert_true(ossai_skeleton_is_free(&rig->skeleton));
	assert_string_equal(rig->skeleton.bones[0].name, "head");
	assert_string_equal(rig->skeleton.bones[1].name, "face_01");
	assert_non_null(rig->clip->translations);
	assert_null(rig->free_clip);
	assert_int_equal(rig->free_weights.vertex_count, 0);
}

static void patches_of_a_face_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = face(context, 6000, 24, 0);
	const ossa_rig_options options = of_face();
	ossa_rig_options usual = ossa_rig_default();
	usual.body = OSSA_BODY_NONE;
	ossa_rig_result made = make(context, sample, &options), limbs = make(context, sample, &usual);
	assert_is_face(made.rig);
	assert_int_equal(made.rig->skeleton.bone_count, sample->rig->skeleton.bone_count);
	assert_true(made.hierarchy.rms_percent < 0.001 && isnan(made.free_bones.rms_percent));
	assert_true(farthest_patch(sample, made.rig) < 1e-3);
	/* bones that keep their lengths cannot follow skin that slides */
	assert_true(limbs.hierarchy.rms_percent > 50 * made.hierarchy.rms_percent);
	assert_null(limbs.rig->clip->translations);
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++)
		assert_near_vec3(ossai_v3_of(made.rig->skeleton.bones[b].joint), skin_center(made.rig, b), 1e-6);
	ossa_rig_result_free(context, &limbs);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void noise_leaves_the_patches(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = face(context, 6000, 24, 0.01);
	const ossa_rig_options options = of_face();
	ossa_rig_result made = make(context, sample, &options);
	assert_is_face(made.rig);
	assert_near(farthest_patch(sample, made.rig), 0, 0.01);
	/* of the noise, little is explained */
	assert_near(made.hierarchy.rms_percent, 0.01, 0.001);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* bones are made from few frames, the motion is fitted to all; then to others, by the rig alone */
static void all_frames_are_followed(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = face(context, 4000, 40, 0);
	ossa_rig_options options = of_face();
	options.key_frames = 12;
	ossa_rig_result made = make(context, sample, &options);
	assert_is_face(made.rig);
	assert_int_equal(made.key_frame_count, 12);
	assert_int_equal(made.rig->clip->frame_count, 40);
	assert_true(made.hierarchy.rms_percent < 0.002);
	ossa_frame_stream *stream;
	ossa_motion_fit *fit;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_fit_motion(context, made.rig, stream, NULL, &fit));
	assert_non_null(fit->clip->translations);
	assert_near(fit->errors.rms_percent, made.hierarchy.rms_percent, 1e-4);
	ossa_motion_fit_free(context, fit);
	/* what keeps lengths is refused */
	ossa_fit_options solved = ossa_fit_default();
	solved.joints = true;
	assert_fails(context, ossa_rig_fit_weights(context, made.rig, stream, &solved, NULL, NULL), OSSA_ERROR_INPUT,
		"the bones of this face move freely");
	ossa_frame_stream_free(context, stream);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the places of all joints, in all frames */
static void assert_same_joints(const ossa_rig *a, const ossa_rig *b)
{
	double one[64 * 12], other[64 * 12];
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t f = 0; f < a->clip->frame_count; f++) {
		ossa_rig_joint_matrices(a, a->clip, f, one);
		ossa_rig_joint_matrices(b, b->clip, f, other);
		for (size_t i = 0; i < a->skeleton.bone_count; i++) {
			const double *x = one + 12 * i, *y = other + 12 * (size_t)ossa_rig_bone(b, a->skeleton.bones[i].name);
			assert_near_vec3(ossai_v3(x[3], x[7], x[11]), ossai_v3(y[3], y[7], y[11]), 1e-5);
		}
	}
}

static bool reads_fbx(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	return false;
}

static void files_keep_faces(void **state)
{
	(void)state;
	static const char *const names[] = {"face.glb", "face.dae", "face.fbx"};
	ossa_context *context = test_context(1);
	ossa_sample *sample = face(context, 2000, 6, 0);
	assert_true(ossai_skeleton_is_free(&sample->rig->skeleton));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ossa_rig *read;
		if (i == 2 && !reads_fbx()) continue;
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path(names[i]), NULL));
		assert_ok(context, ossa_read_rig(context, test_path(names[i]), NULL, &read));
		assert_non_null(read->clip->translations);
		if (i < 2) assert_true(ossai_skeleton_is_free(&read->skeleton));
		assert_same_joints(sample->rig, read);
		/* FBX has its vertices in an order of its own */
		if (i < 2) assert_near(test_largest_difference(context, sample->rig, read, NULL), 0, 1e-5);
		ossa_rig_free(context, read);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* one piece that does not move, or moves as a whole, is one bone */
static void still_faces_are_one_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = face(context, 2000, 3, 0);
	const ossa_mesh *mesh = sample->rig->mesh;
	const ossa_rig_options options = of_face();
	for (int moves = 0; moves < 2; moves++) {
		for (size_t i = 0; i < 3 * mesh->vertex_count * sample->frames->frame_count; i++) {
			const float at_rest = mesh->positions[i % (3 * mesh->vertex_count)];
			sample->frames->positions[i] = at_rest + (moves ? 0.3F * (float)(i % 3) : 0);
		}
		ossa_rig_result made = make(context, sample, &options);
		assert_int_equal(made.rig->skeleton.bone_count, 1);
		assert_true(made.hierarchy.rms_percent < 1e-4);
		assert_int_equal(test_warned(context, "no-motion"), 1);
		assert_int_equal(test_warned(context, "too-many-parts"), 0);
		ossa_rig_result_free(context, &made);
		ossa_context_reset(context);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* bones of a face are worth less than this share of their motion, whatever more is asked */
static void large_worth_is_that_of_a_face(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = face(context, 3000, 8, 0);
	ossa_rig_options options = of_face();
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	assert_ok(context, ossa_rig_option_set(context, &options, "worth", "100"));
	ossa_rig_result made = make(context, sample, &options);
	assert_int_equal(made.rig->skeleton.bone_count, sample->rig->skeleton.bone_count);
	assert_int_equal(test_warned(context, "too-many-parts"), 0);
	ossa_rig_result_free(context, &made);
	ossa_method_options_free(context, options.methods);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void options_of_bodies_are_not_used(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = face(context, 2000, 6, 0);
	ossa_rig_options options = of_face();
	options.complete = true;
	options.body = OSSA_BODY_HUMAN;
	snprintf(options.root_bone, sizeof options.root_bone, "center");
	ossa_rig_result made = make(context, sample, &options);
	assert_int_equal(test_warned(context, "unused-options"), 3);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* bones of the rest shape are a hierarchy's, and stay that */
static void rigs_of_the_rest_shape_are_no_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_QUADRUPED, 2000, 3);
	ossa_rig_options options = of_face();
	snprintf(options.method, sizeof options.method, "contraction");
	ossa_rig_result made = make(context, sample, &options);
	assert_int_equal(test_warned(context, "unused-options"), 1);
	assert_true(made.rig->skeleton.bone_count > 1 && !ossai_skeleton_is_free(&made.rig->skeleton));
	assert_null(made.rig->clip->translations);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(patches_of_a_face_are_found),
		cmocka_unit_test(noise_leaves_the_patches), cmocka_unit_test(all_frames_are_followed),
		cmocka_unit_test(files_keep_faces), cmocka_unit_test(still_faces_are_one_bone),
		cmocka_unit_test(large_worth_is_that_of_a_face), cmocka_unit_test(options_of_bodies_are_not_used),
		cmocka_unit_test(rigs_of_the_rest_shape_are_no_faces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
