/* tests/methods/bodies/test_slide_bodies.c: a machine whose parts slide, rigged from its poses. */
#include "math/vec.h"
#include "rig/join_rigs.h"
#include "support/compare.h"
#include "support/support.h"

#include <ossa/method.h>
#include <ossa/motion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* degrees between axes, and shares of the diagonal between limits, exact and with noise */
static const double axis_off[] = {0.01, 0.5}, limit_off[] = {1e-5, 2e-3};

typedef struct machine {
	ossa_context *context;
	ossa_sample *sample;
	ossa_rig_result made;
	ossai_mat3 turn; /* the input was turned and scaled by */
	double scale;
} machine;

/* the same surface with its faces the other way round, and so its pieces */
static void reverse_faces(machine *m)
{
	ossa_mesh *old = m->sample->rig->mesh, *mesh;
	uint32_t *triangles = malloc(3 * old->triangle_count * sizeof *triangles);
	assert_non_null(triangles);
	for (size_t f = 0; f < old->triangle_count; f++)
		memcpy(triangles + 3 * f, old->triangles + 3 * (old->triangle_count - 1 - f), 3 * sizeof *triangles);
	assert_ok(
		m->context, ossa_mesh_create(m->context, old->vertex_count, old->positions, old->triangle_count, triangles, &mesh));
	free(triangles);
	ossa_mesh_free(m->context, old);
	m->sample->rig->mesh = mesh;
}

/* in place */
static void change(ossa_mesh *mesh, ossa_frames *frames, const ossai_mat3 *turn, double scale)
{
	const size_t points = mesh->vertex_count * (1 + frames->frame_count);
	for (size_t i = 0; i < points; i++) {
		float *p = i < mesh->vertex_count ? mesh->positions + 3 * i : frames->positions + 3 * (i - mesh->vertex_count);
		const ossai_vec3 to = ossai_scale(ossai_mat3_mul_v(turn, ossai_v3_of_float(p)), scale);
		p[0] = (float)to.x;
		p[1] = (float)to.y;
		p[2] = (float)to.z;
	}
}

static ossa_rig_options with_bones(const machine *m, int bones)
{
	ossa_rig_options options = ossa_rig_default();
	assert_ok(m->context, ossa_method_options_create(m->context, &options.methods));
	((ossa_examples_options *)ossa_method_options_of(options.methods, "examples"))->bones = bones;
	((ossa_sequence_options *)ossa_method_options_of(options.methods, "sequence"))->bones = bones;
	return options;
}

static machine rig_of(double noise, ossai_quat turn, double scale, int threads)
{
	machine m = {.context = test_context(threads), .turn = ossai_quat_matrix(turn), .scale = scale};
	ossa_sample_options options = ossa_sample_default();
	ossa_frame_stream *stream;
	options.kind = OSSA_SAMPLE_SLIDES;
	options.faces = 3000;
	options.noise = noise;
	assert_ok(m.context, ossa_sample_create(m.context, &options, &m.sample));
	if (scale != 1) reverse_faces(&m);
	change(m.sample->rig->mesh, m.sample->frames, &m.turn, scale);
	assert_ok(m.context, ossa_frame_stream_of_frames(m.context, m.sample->frames, &stream));
	const ossa_rig_input input = {m.sample->rig->mesh, stream};
	assert_ok(m.context, ossa_rig_make(m.context, &input, NULL, &m.made));
	assert_ok(m.context, ossa_rig_validate(m.context, m.made.rig));
	ossa_frame_stream_free(m.context, stream);
	return m;
}

static void end(machine *m)
{
	ossa_rig_result_free(m->context, &m->made);
	ossa_sample_free(m->context, m->sample);
	test_context_end(m->context);
}

/* the true bone whose vertices a bone moves */
static size_t truth_of(const machine *m, size_t bone)
{
	const ossa_weights *weights = &m->made.rig->weights, *truth = &m->sample->rig->weights;
	size_t votes[64] = {0}, best = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		if (weights->bones[v * (size_t)weights->influences] == bone) votes[truth->bones[v * (size_t)truth->influences]]++;
	}
	for (size_t b = 1; b < 64; b++) best = votes[b] > votes[best] ? b : best;
	return best;
}

/* the axis may point the other way, and the limits with it */
static void check_slide(const machine *m, const ossa_bone *bone, const ossa_bone *truth, bool noisy)
{
	const double diagonal = test_diagonal(m->made.rig->mesh);
	const ossai_vec3 wanted = ossai_mat3_mul_v(&m->turn, ossai_v3_of(truth->axis)), axis = ossai_v3_of(bone->axis);
	const double side = ossai_dot(wanted, axis) < 0 ? -1 : 1;
	const double off = asin(fmin(ossai_length(ossai_cross(wanted, axis)), 1)) * 180 / OSSAI_PI;
	if (off > axis_off[noisy]) fail_msg("the axis of %s is %.3f degrees off", truth->name, off);
	double range[2];
	const size_t index = (size_t)(truth - m->sample->rig->skeleton.bones);
	assert_true(ossa_rig_slide_range(m->sample->rig, NULL, index, range));
	assert_true(bone->has_limits && bone->limits_of_motion);
	for (int i = 0; i < 2; i++) {
		const double limit = side * bone->slide_limits[side > 0 ? i : 1 - i];
		assert_near(limit, range[i] * m->scale, limit_off[noisy] * diagonal);
	}
}

/* out of what holds it, as the true one */
static void check_tail(const machine *m, const ossa_bone *bone, const ossa_bone *truth)
{
	const ossai_vec3 none = {0, 0, 0}, along = ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)),
					 true_along = ossai_sub(ossai_v3_of(truth->tail), ossai_v3_of(truth->joint));
	assert_true(ossai_dot(ossai_unit(along, none), ossai_mat3_mul_v(&m->turn, ossai_unit(true_along, none))) > 0.98);
}

static void check_machine(const machine *m, bool noisy)
{
	const ossa_skeleton *skeleton = &m->made.rig->skeleton, *truth = &m->sample->rig->skeleton;
	size_t slides = 0;
	assert_int_equal(skeleton->bone_count, truth->bone_count);
	assert_int_equal(ossai_rig_body_count(skeleton), 0);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b], *wanted = &truth->bones[truth_of(m, b)];
		assert_string_equal(ossa_joint_kind_name(bone->kind), ossa_joint_kind_name(wanted->kind));
		if (bone->parent >= 0) assert_int_equal((int)truth_of(m, (size_t)bone->parent), wanted->parent);
		if (bone->kind != OSSA_JOINT_PRISMATIC) continue;
		check_slide(m, bone, wanted, noisy);
		check_tail(m, bone, wanted);
		slides++;
	}
	assert_int_equal(slides, 4);
	assert_true(m->made.hierarchy.rms_percent < (noisy ? 0.105 : 1e-4));
}

static void the_machine_is_found(void **state)
{
	(void)state;
	const ossai_quat turned = ossai_quat_axis_angle(ossai_v3(0.48, 0.6, 0.64), 1.2);
	for (int noisy = 0; noisy < 2; noisy++) {
		for (int moved = 0; moved < 2; moved++) {
			machine m = rig_of(noisy ? 0.1 : 0, moved ? turned : ossai_quat_identity(), moved ? 40 : 1, 1);
			check_machine(&m, noisy);
			end(&m);
		}
	}
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	machine one = rig_of(0.1, ossai_quat_identity(), 1, 1), three = rig_of(0.1, ossai_quat_identity(), 1, 3);
	const ossa_rig *a = one.made.rig, *b = three.made.rig;
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	assert_memory_equal(a->skeleton.bones, b->skeleton.bones, a->skeleton.bone_count * sizeof *a->skeleton.bones);
	const size_t cells = a->clip->frame_count * a->clip->bone_count;
	assert_memory_equal(a->clip->translations, b->clip->translations, 3 * cells * sizeof(double));
	end(&one);
	end(&three);
}

/* its joints slide again, and never turn */
static void a_motion_is_fitted_to_a_rig_that_slides(void **state)
{
	(void)state;
	machine m = rig_of(0.1, ossai_quat_identity(), 1, 1);
	ossa_frame_stream *stream;
	ossa_motion_fit *fit;
	assert_ok(m.context, ossa_frame_stream_of_frames(m.context, m.sample->frames, &stream));
	assert_ok(m.context, ossa_rig_fit_motion(m.context, m.made.rig, stream, NULL, &fit));
	assert_non_null(fit->clip->translations);
	assert_near(fit->errors.rms_percent, m.made.hierarchy.rms_percent, 1e-3);
	for (size_t b = 1; b < m.made.rig->skeleton.bone_count; b++) {
		double turns[3][2], was[2], is[2];
		if (m.made.rig->skeleton.bones[b].kind != OSSA_JOINT_PRISMATIC) continue;
		assert_false(ossa_rig_turn_range(m.made.rig, fit->clip, b, turns));
		ossa_rig_slide_range(m.made.rig, m.made.rig->clip, b, was);
		ossa_rig_slide_range(m.made.rig, fit->clip, b, is);
		assert_near_array(2, is, was, 1e-3);
	}
	ossa_motion_fit_free(m.context, fit);
	ossa_frame_stream_free(m.context, stream);
	end(&m);
}

static void a_number_of_bones_is_shared(void **state)
{
	(void)state;
	machine m = rig_of(0, ossai_quat_identity(), 1, 1);
	ossa_frame_stream *stream;
	assert_ok(m.context, ossa_frame_stream_of_frames(m.context, m.sample->frames, &stream));
	const ossa_rig_input input = {m.sample->rig->mesh, stream};
	/* all slide on one, so that no common root takes one; with too few it does */
	for (int bones = 7; bones < 12; bones += 2) {
		ossa_rig_options options = with_bones(&m, bones);
		ossa_rig_result_free(m.context, &m.made);
		assert_ok(m.context, ossa_rig_make(m.context, &input, &options, &m.made));
		assert_int_equal(m.made.rig->skeleton.bone_count, bones);
		ossa_method_options_free(m.context, options.methods);
	}
	ossa_frame_stream_free(m.context, stream);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_found),
		cmocka_unit_test(a_number_of_bones_is_shared),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(a_motion_is_fitted_to_a_rig_that_slides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
