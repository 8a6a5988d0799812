/* tests/methods/test_refit.c: the motion of a rig for frames of its mesh: the true one where
   there is one, the same bytes for any threads, never worse than from scratch, and correct
   errors. */
#include "base/context.h"
#include "math/vec.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/compare.h"
#include "support/support.h"

#include <samples/samples.h>

#include <math.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context, int kind, int frames, double bulge, double noise)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = 2000;
	options.frames = frames;
	options.bulge = bulge;
	options.noise = noise;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_status fit_frames(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, bool free_motion, ossa_motion_fit **fit)
{
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = free_motion;
	ossa_frame_stream *stream;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossa_rig_fit_motion(context, rig, stream, &options, fit);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* ---- the true motion ---- */

/* largest angle between the bones' world rotations, and distance of their joints */
static void compare_motion(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *a, const ossa_clip *b, double *angle, double *distance)
{
	const size_t bones = rig->skeleton.bone_count;
	double *p = ossa_alloc(context, 2 * bones, 12 * sizeof *p), *q = p + 12 * bones;
	*angle = *distance = 0;
	for (size_t f = 0; f < a->frame_count; f++) {
		ossa_rig_joint_matrices(rig, a, f, p);
		ossa_rig_joint_matrices(rig, b, f, q);
		for (size_t i = 0; i < bones; i++) {
			const ossai_rigid x = ossai_rigid_of(p + 12 * i), y = ossai_rigid_of(q + 12 * i);
			const ossai_mat3 back = ossai_mat3_transpose(&x.r), turn = ossai_mat3_mul(&back, &y.r);
			*angle = fmax(*angle, ossai_quat_angle(ossai_mat3_quat(&turn)));
			*distance = fmax(*distance, ossai_distance(x.t, y.t));
		}
	}
	ossa_free(context, p);
}

static void a_true_rig_gets_its_true_motion(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	for (int kind = 0; kind <= OSSA_SAMPLE_OPEN; kind++) {
		ossa_sample *sample = make_sample(context, kind, 21, 0, 0);
		ossa_motion_fit *fit;
		double angle, distance;
		assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &fit));
		compare_motion(context, sample->rig, sample->rig->clip, fit->clip, &angle, &distance);
		assert_true(angle < 1e-5);
		assert_true(distance < 1e-6 * test_diagonal(sample->rig->mesh));
		/* what floats can tell */
		assert_true(fit->errors.rms_percent < 1e-5);
		assert_memory_equal(fit->clip->times, sample->frames->times, 21 * sizeof(double));
		assert_null(fit->free_clip);
		ossa_motion_fit_free(context, fit);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* more frames than a batch, turning on and on: signs stay, rotations are unit */
static void long_motion_is_continuous(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_QUADRUPED, 301, 0, 0);
	ossa_motion_fit *fit;
	double angle, distance;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &fit));
	compare_motion(context, sample->rig, sample->rig->clip, fit->clip, &angle, &distance);
	assert_true(angle < 1e-5);
	const size_t bones = sample->rig->skeleton.bone_count;
	for (size_t i = bones; i < 301 * bones; i++) {
		const ossai_quat q = ossai_quat_of(fit->clip->rotations + 4 * i),
						 before = ossai_quat_of(fit->clip->rotations + 4 * (i - bones));
		assert_true(ossai_quat_dot(q, before) >= 0);
	}
	ossa_rig_take_motion(context, sample->rig, fit);
	assert_null(fit->clip);
	assert_ok(context, ossa_rig_validate(context, sample->rig));
	ossa_motion_fit_free(context, fit);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- hinges ---- */

static ossa_status fit_hinged(ossa_context *context, const ossa_sample *sample, ossa_motion_fit **fit)
{
	ossa_motion_options options = ossa_motion_default();
	options.keep_hinges = true;
	ossa_frame_stream *stream;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, sample->frames, &stream));
	const ossa_status status = ossa_rig_fit_motion(context, sample->rig, stream, &options, fit);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* a joint's turn against the rest, in its own frame */
static ossai_quat turn_in(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	const double *local = clip->rotations + 4 * (frame * clip->bone_count + bone);
	return ossai_quat_mul(ossai_quat_conjugate(rest), ossai_quat_of(local));
}

/* The RMS error of the clip with every turn of a hinge replaced by the nearest about its axis. */
static double projected_rms(ossa_context *context, const ossa_sample *sample, const ossa_clip *clip)
{
	const ossa_rig *rig = sample->rig;
	ossa_clip *own;
	ossa_frames *posed;
	double sum = 0;
	assert_ok(context, ossa_clip_copy(context, clip, &own));
	for (size_t i = 0; i < own->frame_count * own->bone_count; i++) {
		const size_t frame = i / own->bone_count, b = i % own->bone_count;
		const ossai_vec3 axis = ossai_hinge_axis(&rig->skeleton.bones[b]);
		if (!(ossai_length2(axis) > 0)) continue;
		const double degrees = ossai_hinge_angle(turn_in(rig, own, frame, b), axis, 0);
		const ossai_quat turn = ossai_quat_axis_angle(axis, degrees * OSSAI_PI / 180);
		ossai_quat_store(ossai_quat_mul(ossai_rest_rotation(rig->skeleton.bones, b), turn), own->rotations + 4 * i);
	}
	assert_ok(context, ossa_rig_frames(context, rig, own, &posed));
	const size_t count = posed->frame_count * posed->vertex_count;
	for (size_t i = 0; i < 3 * count; i++) {
		const double gap = (double)posed->positions[i] - (double)sample->frames->positions[i];
		sum += gap * gap;
	}
	ossa_frames_free(context, posed);
	ossa_clip_free(context, own);
	return 100 * sqrt(sum / (double)count) / test_diagonal(rig->mesh);
}

/* On demand hinges turn about their axis alone: the error rises, by less than where hinges of a
   free fit lose what they turn beside it, as the other bones make up for that. True hinges lose
   nothing. */
static void hinges_are_kept_on_demand(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	for (int bulge = 0; bulge < 3; bulge += 2) {
		ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 21, bulge, bulge);
		ossa_motion_fit *loose, *fit;
		assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &loose));
		assert_ok(context, fit_hinged(context, sample, &fit));
		size_t hinges = 0;
		for (size_t i = 0; i < 21 * fit->clip->bone_count; i++) {
			const size_t b = i % fit->clip->bone_count;
			const ossai_quat turn = turn_in(sample->rig, fit->clip, i / fit->clip->bone_count, b);
			const ossai_vec3 axis = ossai_hinge_axis(&sample->rig->skeleton.bones[b]);
			if (!(ossai_length2(axis) > 0)) continue;
			assert_near(ossai_length(ossai_cross(ossai_v3(turn.x, turn.y, turn.z), axis)), 0, 1e-9);
			hinges++;
		}
		assert_int_equal(hinges, 21 * 6);
		const double projected = projected_rms(context, sample, loose->clip);
		print_message("RMS %.6f %% free, %.6f %% with hinges, %.6f %% projected\n", loose->errors.rms_percent,
			fit->errors.rms_percent, projected);
		if (bulge == 0) assert_true(fit->errors.rms_percent < 1e-4);
		else assert_true(fit->errors.rms_percent > loose->errors.rms_percent && fit->errors.rms_percent < projected);
		ossa_motion_fit_free(context, fit);
		ossa_motion_fit_free(context, loose);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* ---- errors ---- */

#define assert_close(value, expected) assert_near((value), (expected), 1e-6 * fabs((double)(expected)))

static void check_errors(ossa_context *context, const ossa_sample *sample, const ossa_clip *clip, const ossa_metrics *errors)
{
	ossa_metrics measured;
	assert_ok(context, ossa_rig_measure(context, sample->rig, NULL, clip, sample->frames, &measured));
	assert_close(errors->rms_percent, measured.rms_percent);
	assert_close(errors->max_percent, measured.max_percent);
	assert_close(errors->accu_percent, measured.accu_percent);
	assert_int_equal(errors->max_vertex, measured.max_vertex);
	assert_int_equal(errors->max_frame, measured.max_frame);
	assert_true(isnan(errors->normal_rms));
	assert_close(errors->compression, measured.compression);
}

static void check_bones(ossa_context *context, const ossa_sample *sample, const ossa_motion_fit *fit)
{
	const size_t bones = sample->rig->skeleton.bone_count;
	double *rms = ossa_alloc(context, bones, sizeof *rms);
	assert_ok(context, ossa_rig_bone_errors(context, sample->rig, NULL, fit->clip, sample->frames, rms));
	for (size_t b = 0; b < bones; b++) assert_close(fit->bone_rms[b], rms[b]);
	ossa_free(context, rms);
}

static void errors_are_those_of_the_metrics(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 19, 3, 0.2);
	ossa_motion_fit *fit;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, true, &fit));
	check_errors(context, sample, fit->clip, &fit->errors);
	check_errors(context, sample, fit->free_clip, &fit->free_errors);
	assert_true(fit->free_errors.rms_percent <= fit->errors.rms_percent);
	check_bones(context, sample, fit);
	double square = 0;
	for (size_t f = 0; f < 19; f++) square += fit->frame_rms[f] * fit->frame_rms[f] / 19;
	assert_close(sqrt(square), fit->errors.rms_percent);
	/* the least squares are not more than what the truth leaves */
	ossa_metrics truth;
	assert_ok(context, ossa_rig_measure(context, sample->rig, NULL, NULL, sample->frames, &truth));
	assert_true(fit->errors.rms_percent <= truth.rms_percent);
	assert_true(fit->errors.rms_percent > 0.1);
	ossa_rig_take_motion(context, sample->rig, fit);
	assert_non_null(sample->rig->free_clip);
	assert_ok(context, ossa_rig_validate(context, sample->rig));
	ossa_motion_fit_free(context, fit);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void what_no_motion_repeats_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 6, 0, 0);
	const size_t size = 3 * sample->frames->vertex_count;
	ossa_motion_fit *fit;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &fit));
	ossa_motion_fit_warn(context, sample->rig, fit);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_motion_fit_free(context, fit);
	/* the third frame in other units */
	for (size_t i = 2 * size; i < 3 * size; i++) sample->frames->positions[i] *= 100;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &fit));
	ossa_motion_fit_warn(context, sample->rig, fit);
	assert_int_equal(test_warned(context, "pose-size"), 1);
	assert_non_null(strstr(test_warning_text(context, "pose-size"), "pose 3 is "));
	assert_int_equal(test_warned(context, "unexplained"), sample->rig->skeleton.bone_count);
	ossa_motion_fit_free(context, fit);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* frames in an order in which none is near the one before it */
static void shuffle(ossa_frames *frames)
{
	const size_t count = 3 * frames->vertex_count;
	for (size_t f = 0; f < frames->frame_count; f++) {
		const size_t other = f * 7 % frames->frame_count;
		for (size_t i = 0; i < count && other > f; i++) {
			const float x = frames->positions[f * count + i];
			frames->positions[f * count + i] = frames->positions[other * count + i];
			frames->positions[other * count + i] = x;
		}
	}
}

static void no_frame_is_worse_than_by_itself(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const int kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_SNAKE, OSSA_SAMPLE_BIPED};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		ossa_sample *sample = make_sample(context, kinds[i], 40, 3, 0.5);
		ossa_motion_fit *fit, *alone;
		ossa_frames frame = {.frame_count = 1, .vertex_count = sample->frames->vertex_count, .times = (double[]){0}};
		shuffle(sample->frames);
		assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &fit));
		for (size_t f = 0; f < 40; f++) {
			frame.positions = sample->frames->positions + 3 * f * frame.vertex_count;
			assert_ok(context, fit_frames(context, sample->rig, &frame, false, &alone));
			assert_true(fit->frame_rms[f] <= alone->frame_rms[0] * (1 + 1e-5));
			ossa_motion_fit_free(context, alone);
		}
		ossa_motion_fit_free(context, fit);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* ---- the same for all ---- */

static void threads_do_not_matter(void **state)
{
	(void)state;
	ossa_clip *clips[4] = {NULL}, *free_clips[4] = {NULL};
	ossa_context *contexts[4];
	static const int threads[4] = {1, 2, 3, 8};
	for (size_t i = 0; i < 4; i++) {
		contexts[i] = test_context(threads[i]);
		ossa_sample *sample = make_sample(contexts[i], OSSA_SAMPLE_OCTOPUS, 37, 2, 0.3);
		ossa_motion_fit *fit;
		assert_ok(contexts[i], fit_frames(contexts[i], sample->rig, sample->frames, true, &fit));
		clips[i] = fit->clip;
		free_clips[i] = fit->free_clip;
		fit->clip = fit->free_clip = NULL;
		const size_t turns = 37 * sample->rig->skeleton.bone_count;
		assert_memory_equal(clips[i]->rotations, clips[0]->rotations, 4 * turns * sizeof(double));
		assert_memory_equal(clips[i]->root_positions, clips[0]->root_positions, 3 * 37 * sizeof(double));
		assert_memory_equal(free_clips[i]->rotations, free_clips[0]->rotations, 4 * turns * sizeof(double));
		assert_memory_equal(free_clips[i]->translations, free_clips[0]->translations, 3 * turns * sizeof(double));
		ossa_motion_fit_free(contexts[i], fit);
		ossa_sample_free(contexts[i], sample);
	}
	for (size_t i = 0; i < 4; i++) {
		ossa_clip_free(contexts[i], clips[i]);
		ossa_clip_free(contexts[i], free_clips[i]);
		test_context_end(contexts[i]);
	}
}

static void walking_far_away_changes_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 9, 2, 0.1);
	ossa_motion_fit *here, *there;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &here));
	for (size_t i = 0; i < 9 * sample->frames->vertex_count; i++) sample->frames->positions[3 * i] += 100;
	assert_ok(context, fit_frames(context, sample->rig, sample->frames, false, &there));
	const size_t turns = 9 * sample->rig->skeleton.bone_count;
	/* floats at 100 have lost some digits */
	for (size_t i = 0; i < 4 * turns; i++) assert_near(here->clip->rotations[i], there->clip->rotations[i], 1e-4);
	for (size_t f = 0; f < 9; f++) {
		assert_near(here->clip->root_positions[3 * f] + 100, there->clip->root_positions[3 * f], 1e-4);
	}
	ossa_motion_fit_free(context, here);
	ossa_motion_fit_free(context, there);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bones that no vertex determines ---- */

/* the rig with a leaf that no vertex follows, and one between a bone and its parent */
static ossa_rig *with_silent_bones(ossa_context *context, const ossa_rig *rig, size_t split)
{
	const size_t bones = rig->skeleton.bone_count;
	ossa_rig *more;
	assert_ok(context, ossa_rig_create(context, rig->mesh, bones + 2, rig->weights.influences, &more));
	ossa_bone *to = more->skeleton.bones;
	memcpy(to, rig->skeleton.bones, split * sizeof *to);
	memcpy(to + split + 1, rig->skeleton.bones + split, (bones - split) * sizeof *to);
	/* halfway from the parent's joint */
	to[split] = rig->skeleton.bones[split];
	strcpy(to[split].name, "between");
	const ossa_bone *parent = &to[to[split].parent];
	for (int k = 0; k < 3; k++) to[split].joint[k] = 0.5 * (parent->joint[k] + to[split + 1].joint[k]);
	for (size_t b = split + 1; b <= bones; b++) {
		if (to[b].parent >= (int32_t)split) to[b].parent++;
	}
	to[split + 1].parent = (int32_t)split;
	to[bones + 1] = to[bones];
	strcpy(to[bones + 1].name, "end");
	to[bones + 1].parent = (int32_t)bones;
	memcpy(to[bones + 1].joint, to[bones].tail, sizeof to->joint);
	const size_t pairs = rig->mesh->vertex_count * (size_t)rig->weights.influences;
	memcpy(more->weights.values, rig->weights.values, pairs * sizeof(float));
	for (size_t i = 0; i < pairs; i++) {
		more->weights.bones[i] = (uint16_t)(rig->weights.bones[i] + (rig->weights.bones[i] >= split));
		if (more->weights.values[i] == 0) more->weights.bones[i] = 0;
	}
	return more;
}

static double local_turn(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_quat up = ossai_quat_conjugate(ossai_quat_of(bones[bones[bone].parent].orientation));
	const ossai_quat rest = ossai_quat_mul(up, ossai_quat_of(bones[bone].orientation));
	const ossai_quat q = ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + bone));
	return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(rest), q));
}

static void silent_bones_follow_their_parents(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_SNAKE, 12, 0, 0);
	const size_t split = 4;
	ossa_rig *rig = with_silent_bones(context, sample->rig, split);
	ossa_motion_fit *fit;
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_ok(context, fit_frames(context, rig, sample->frames, false, &fit));
	assert_true(fit->errors.rms_percent < 1e-4);
	for (size_t f = 0; f < 12; f++) {
		assert_true(local_turn(rig, fit->clip, f, rig->skeleton.bone_count - 1) < 1e-7);
		/* its direction is known: straight on; its twist is between its parent's and its child's */
		assert_true(local_turn(rig, fit->clip, f, split) < 0.5 * local_turn(rig, fit->clip, f, split + 1));
	}
	ossa_motion_fit_free(context, fit);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 3, 0, 0),
				*other = make_sample(context, OSSA_SAMPLE_HAND, 3, 0, 0);
	ossa_motion_fit *fit = (ossa_motion_fit *)1;
	assert_fails(context, fit_frames(context, sample->rig, other->frames, false, &fit), OSSA_ERROR_INPUT, "the rig's mesh has");
	assert_null(fit);
	const ossa_frames none = {.vertex_count = sample->frames->vertex_count};
	assert_fails(context, fit_frames(context, sample->rig, &none, false, &fit), OSSA_ERROR_INPUT, "no frames");
	sample->frames->positions[3 * sample->frames->vertex_count + 4] = NAN;
	assert_fails(context, fit_frames(context, sample->rig, sample->frames, true, &fit), OSSA_ERROR_INPUT, "frame 2, vertex 1");
	assert_null(fit);
	ossa_mesh *nothing;
	ossa_rig *skeleton;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &nothing));
	assert_ok(context, ossa_rig_create(context, nothing, 2, 1, &skeleton));
	assert_fails(context, fit_frames(context, skeleton, &none, false, &fit), OSSA_ERROR_INPUT, "without a mesh");
	ossa_rig_free(context, skeleton);
	ossa_mesh_free(context, nothing);
	ossa_sample_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void one_frame_and_frozen_frames_are_fine(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 5, 0, 0);
	const size_t count = 3 * sample->frames->vertex_count;
	for (size_t f = 0; f < 5; f++) {
		memcpy(sample->frames->positions + f * count, sample->rig->mesh->positions, count * sizeof(float));
	}
	for (size_t frames = 1; frames < 6; frames += 4) {
		ossa_motion_fit *fit;
		sample->frames->frame_count = frames;
		assert_ok(context, fit_frames(context, sample->rig, sample->frames, true, &fit));
		for (size_t b = 1; b < sample->rig->skeleton.bone_count; b++)
			assert_true(local_turn(sample->rig, fit->clip, 0, b) < 1e-6);
		assert_true(fit->errors.max_percent < 1e-4);
		ossa_motion_fit_free(context, fit);
	}
	sample->frames->frame_count = 5;
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static bool stop_halfway(void *user, const char *stage, double fraction)
{
	(void)stage;
	*(int *)user += fraction > 0.3;
	return fraction <= 0.3;
}

static void stopping_gives_all_back(void **state)
{
	(void)state;
	int stopped = 0;
	ossa_context *maker = test_context(1), *context;
	ossa_sample *sample = make_sample(maker, OSSA_SAMPLE_TUBE, 400, 0, 0);
	ossa_context_options options = ossa_context_default();
	options.progress = stop_halfway;
	options.progress_user = &stopped;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossa_motion_fit *fit;
	assert_int_equal(fit_frames(context, sample->rig, sample->frames, true, &fit), OSSA_ERROR_CANCELLED);
	assert_null(fit);
	assert_int_equal(stopped, 1);
	ossa_sample_free(maker, sample);
	test_context_end(maker);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const ossa_sample *sample = arg;
	ossa_motion_fit *fit = NULL;
	const ossa_status status = fit_frames(context, sample->rig, sample->frames, true, &fit);
	ossa_motion_fit_free(context, fit);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 3, 0, 0);
	assert_true(test_allocation_sweep(sweep_body, sample, 1000, 1) > 40);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_true_rig_gets_its_true_motion),
		cmocka_unit_test(long_motion_is_continuous),
		cmocka_unit_test(hinges_are_kept_on_demand),
		cmocka_unit_test(errors_are_those_of_the_metrics),
		cmocka_unit_test(what_no_motion_repeats_is_reported),
		cmocka_unit_test(no_frame_is_worse_than_by_itself),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(walking_far_away_changes_nothing),
		cmocka_unit_test(silent_bones_follow_their_parents),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(one_frame_and_frozen_frames_are_fine),
		cmocka_unit_test(stopping_gives_all_back),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
