/* tests/methods/test_dependent_bones.c: creatures with known dependent bones, and without, rigged
   from their poses. */
#include "math/vec.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

typedef struct truth {
	const char *bone, *driver;
	double ratio, offset;
} truth;

static const truth of_machine[] = {{"wheel-1", "crank", -1.5, 0}, {"wheel-2", "crank", 0.5, 10},
	{"finger-2", "finger-1", 0.8, 0}, {"finger-3", "finger-1", 1.25, 0}};
static const truth of_hand[] = {{"ring-1", "middle-1", 1, 0}, {"ring-2", "middle-2", 1, 0}, {"ring-3", "middle-3", 1, 0}};

/* the true joint whose axis a hinge's is: the nearest line */
static const ossa_bone *truth_of(const ossa_rig *true_rig, const ossa_bone *bone)
{
	const ossa_bone *best = NULL;
	double nearest = 0.02 * test_diagonal(true_rig->mesh);
	for (size_t b = 1; b < true_rig->skeleton.bone_count; b++) {
		const ossa_bone *other = &true_rig->skeleton.bones[b];
		if (other->kind != OSSA_JOINT_HINGE) continue;
		const ossai_vec3 gap = ossai_sub(ossai_v3_of(bone->joint), ossai_v3_of(other->joint));
		const double far = ossai_length(ossai_cross(gap, ossai_v3_of(other->axis)));
		if (far >= nearest) continue;
		nearest = far;
		best = other;
	}
	return best;
}

/* of a bone by the group's true driver: angle = ratio driver + offset; 1 and 0 of itself */
static truth line_of(const truth *all, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(all[i].bone, name) == 0) return all[i];
	}
	return (truth){name, name, 1, 0};
}

/* +1 or -1: a hinge that turns about the opposite of the true axis */
static double side_of(const ossa_bone *bone, const ossa_bone *true_bone)
{
	return ossai_dot(ossai_v3_of(bone->axis), ossai_v3_of(true_bone->axis)) < 0 ? -1 : 1;
}

static void check_dependency(const ossa_rig *true_rig, const ossa_rig *rig, size_t i, const truth *all, size_t count)
{
	const ossa_dependency *d = &rig->dependencies[i];
	const ossa_bone *own = &rig->skeleton.bones[d->bone], *up = &rig->skeleton.bones[d->driver];
	const ossa_bone *true_own = truth_of(true_rig, own), *true_up = truth_of(true_rig, up);
	assert_true(true_own && true_up);
	const truth b = line_of(all, count, true_own->name), a = line_of(all, count, true_up->name);
	if (strcmp(a.driver, b.driver) != 0) fail_msg("%s does not turn as %s", true_own->name, true_up->name);
	/* b = r_b x + o_b with x = (a - o_a) / r_a */
	const double ratio = b.ratio / a.ratio, offset = b.offset - ratio * a.offset;
	const double sides = side_of(own, true_own) * side_of(up, true_up);
	if (fabs(d->ratio / (sides * ratio) - 1) > 0.01) fail_msg("%s: ratio %g, in truth %g", true_own->name, d->ratio, ratio);
	assert_near(d->offset_degrees, side_of(own, true_own) * offset, 0.2);
}

/* ---- what drives by a twist ---- */

/* the true bone whose skin a found one has */
static size_t true_bone(const ossa_rig *true_rig, const ossa_rig *rig, size_t bone)
{
	double shared[64] = {0};
	const ossa_weights *a = &rig->weights, *b = &true_rig->weights;
	size_t best = 0;
	for (size_t v = 0; v < a->vertex_count; v++) {
		for (int i = 0; i < b->influences; i++) {
			const size_t at = v * (size_t)b->influences + (size_t)i;
			shared[b->bones[at]] += (double)b->values[at] * (double)test_weight_of(a, v, bone);
		}
	}
	for (size_t i = 1; i < true_rig->skeleton.bone_count; i++) best = shared[i] > shared[best] ? i : best;
	return best;
}

/* degrees about an axis of the world at rest by which a bone turned against another one */
static double true_angle(const ossa_rig *true_rig, size_t frame, size_t bone, size_t above, ossai_vec3 axis)
{
	double matrices[12 * 64];
	ossai_mat3 turn[2];
	ossa_rig_joint_matrices(true_rig, true_rig->clip, frame, matrices);
	for (int i = 0; i < 2; i++) {
		const size_t b = i == 0 ? bone : above;
		const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(true_rig->skeleton.bones[b].orientation));
		const ossai_mat3 back = ossai_mat3_transpose(&rest);
		const ossai_rigid world = ossai_rigid_of(matrices + 12 * b);
		turn[i] = ossai_mat3_mul(&world.r, &back);
	}
	const ossai_mat3 up = ossai_mat3_transpose(&turn[1]), against = ossai_mat3_mul(&up, &turn[0]);
	return ossai_hinge_angle(ossai_mat3_quat(&against), axis, 0);
}

/* In the true motion, too, the bones are on a line, within half a degree, whose ratio is that of
   the dependency within `tolerance`: whatever the tree, as a twist bone that hangs below the hand
   turns by another part of its twist than one beside it. */
static void check_twist(const ossa_rig *true_rig, const ossa_rig *rig, const ossa_dependency *d, double tolerance)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const size_t own[2] = {true_bone(true_rig, rig, (size_t)d->bone), true_bone(true_rig, rig, (size_t)bones[d->bone].parent)};
	const size_t up[2] = {
		true_bone(true_rig, rig, (size_t)d->driver), true_bone(true_rig, rig, (size_t)bones[d->driver].parent)};
	const ossai_vec3 axis = ossai_v3_of(d->driver_axis);
	assert_true(ossai_length2(axis) > 0);
	const size_t frames = true_rig->clip->frame_count;
	double aa = 0, ab = 0, bb = 0;
	for (size_t f = 0; f < frames; f++) {
		const double a = true_angle(true_rig, f, up[0], up[1], axis), b = true_angle(true_rig, f, own[0], own[1], axis);
		aa += a * a;
		ab += a * b;
		bb += b * b;
	}
	const double off = sqrt(fmax(bb - ab * ab / aa, 0) / (double)frames), ratio = ab / aa;
	if (off > 0.5 || fabs(d->ratio / ratio - 1) > tolerance) {
		fail_msg("%s turns by %g of the twist of %s, in truth by %g (off by %g degrees)", bones[d->bone].name, d->ratio,
			bones[d->driver].name, ratio, off);
	}
	assert_near(d->offset_degrees, 0, 0.2);
}

/* a rig by default, but without a body: it changes nothing here, and looking for one takes most of
   the time */
static ossa_rig_result rig_of(ossa_context *context, const ossa_sample *sample)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_frame_stream *stream;
	ossa_rig_result made;
	options.body = OSSA_BODY_NONE;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, &made));
	ossa_frame_stream_free(context, stream);
	return made;
}

static void check_creature(int kind, double noise, int seed, const truth *all, size_t count)
{
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	/* where there is something to find, it is found exactly */
	options.faces = count > 0 ? 5000 : 2000;
	options.noise = noise;
	options.seed = seed;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig_result made = rig_of(context, sample);
	assert_ok(context, ossa_rig_validate(context, made.rig));
	if (made.rig->dependency_count != count) {
		fail_msg(
			"%s, noise %g, seed %d: %zu dependent bones", sample->rig->mesh->name, noise, seed, made.rig->dependency_count);
	}
	for (size_t i = 0; i < count; i++) check_dependency(sample->rig, made.rig, i, all, count);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* turns a dependent bone onto its line in every frame */
static void drive(const ossa_rig *rig, const ossa_dependency *d, ossa_clip *clip)
{
	double own[64], driver[64];
	const size_t bone = (size_t)d->bone;
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	assert_true(clip->frame_count <= 64);
	ossai_hinge_follow(rig, rig->clip, bone, own);
	ossai_hinge_follow(rig, rig->clip, (size_t)d->driver, driver);
	for (size_t f = 0; f < clip->frame_count; f++) {
		double *at = clip->rotations + 4 * (f * clip->bone_count + bone);
		const double degrees = d->ratio * driver[f] + d->offset_degrees - own[f];
		const ossai_quat more = ossai_quat_axis_angle(ossai_hinge_axis(&rig->skeleton.bones[bone]), degrees * OSSAI_PI / 180);
		const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(rest), ossai_quat_of(at));
		ossai_quat_store(ossai_quat_unit(ossai_quat_mul(rest, ossai_quat_mul(more, turn))), at);
	}
}

/* the mean squared error of a fitted motion grows by the square of the cost */
static void the_error_grows_by_the_cost(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = {.kind = OSSA_SAMPLE_MACHINE, .faces = 5000, .frames = 24, .noise = 0.3};
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig_result made = rig_of(context, sample);
	assert_true(made.rig->dependency_count > 0);
	const double diagonal = test_diagonal(made.rig->mesh);
	for (size_t i = 0; i < made.rig->dependency_count; i++) {
		const ossa_dependency *d = &made.rig->dependencies[i];
		ossa_metrics was, is;
		ossa_clip *driven;
		assert_ok(context, ossa_clip_copy(context, made.rig->clip, &driven));
		drive(made.rig, d, driven);
		assert_ok(context, ossa_rig_measure(context, made.rig, NULL, NULL, sample->frames, &was));
		assert_ok(context, ossa_rig_measure(context, made.rig, NULL, driven, sample->frames, &is));
		const double grown = sqrt(is.rms_percent * is.rms_percent - was.rms_percent * was.rms_percent) * diagonal / 100;
		assert_near(grown / d->cost, 1, 0.25);
		ossa_clip_free(context, driven);
	}
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void machines_are_found(void **state)
{
	(void)state;
	for (int seed = 0; seed < (test_is_long() ? 4 : 1); seed++) {
		check_creature(OSSA_SAMPLE_MACHINE, 0, seed, of_machine, 4);
		check_creature(OSSA_SAMPLE_MACHINE, 0.1, seed, of_machine, 4);
	}
}

static void fingers_that_move_alike_are_found(void **state)
{
	(void)state;
	check_creature(OSSA_SAMPLE_HAND, 0, 0, of_hand, 3);
	check_creature(OSSA_SAMPLE_HAND, 0.1, 0, of_hand, 3);
}

static void others_have_none(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind += test_is_long() ? 1 : 2) {
		if (kind == OSSA_SAMPLE_HAND) continue;
		check_creature(kind, 0, 0, NULL, 0);
		if (kind == OSSA_SAMPLE_BIPED || kind == OSSA_SAMPLE_QUADRUPED || test_is_long()) check_creature(kind, 0.1, 1, NULL, 0);
	}
}

/* ---- arms ---- */

static ossai_mat3 other_axes(void) { return ossai_quat_matrix(ossai_quat_unit((ossai_quat){0.3, -0.5, 0.1, 0.7})); }

static void place(size_t count, const float *from, float *to)
{
	const ossai_mat3 turn = other_axes();
	for (size_t v = 0; v < count; v++) {
		const ossai_vec3 at = ossai_mat3_mul_v(&turn, ossai_v3_of_float(from + 3 * v));
		const ossai_vec3 p = ossai_add(ossai_scale(at, 170), ossai_v3(40, -300, 20));
		float *q = to + 3 * (count - 1 - v);
		q[0] = (float)p.x;
		q[1] = (float)p.y;
		q[2] = (float)p.z;
	}
}

/* the sample in another order, turned, larger and elsewhere: mesh and frames; its rig stays */
static void move_sample(ossa_context *context, ossa_sample *sample)
{
	ossa_mesh *mesh = sample->rig->mesh;
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count;
	float *moved = ossa_alloc(context, 3 * vertices, sizeof *moved);
	uint32_t *corners = ossa_alloc(context, 3 * faces, sizeof *corners);
	assert_non_null(moved);
	assert_non_null(corners);
	for (size_t i = 0; i < 3 * faces; i++)
		corners[i] = (uint32_t)(vertices - 1) - mesh->triangles[3 * (faces - 1 - i / 3) + (i + 1) % 3];
	for (size_t f = 0; f < sample->frames->frame_count; f++) {
		float *at = sample->frames->positions + 3 * f * vertices;
		place(vertices, at, moved);
		memcpy(at, moved, 3 * vertices * sizeof *moved);
	}
	place(vertices, mesh->positions, moved);
	ossa_mesh *made;
	assert_ok(context, ossa_mesh_create(context, vertices, moved, faces, corners, &made));
	ossa_free(context, corners);
	ossa_free(context, moved);
	ossa_mesh_free(context, mesh);
	sample->rig->mesh = made;
}

/* the largest angle, degrees, between the axis of a twist and the nearest of the truth */
static double axis_off(const ossa_rig *true_rig, const ossa_dependency *d)
{
	double least = 90;
	for (size_t i = 0; i < true_rig->dependency_count; i++) {
		const ossai_vec3 axis = ossai_v3_of(true_rig->dependencies[i].driver_axis);
		least = fmin(least,
			atan2(ossai_length(ossai_cross(axis, ossai_v3_of(d->driver_axis))),
				fabs(ossai_dot(axis, ossai_v3_of(d->driver_axis)))) *
				180 / OSSAI_PI);
	}
	return least;
}

/* the found rig, back in the place of the truth */
static void move_back(ossa_rig *rig)
{
	ossa_weights *w = &rig->weights;
	const size_t width = (size_t)w->influences, count = w->vertex_count;
	for (size_t v = 0; v < count / 2; v++) {
		for (size_t i = 0; i < width; i++) {
			const size_t a = v * width + i, b = (count - 1 - v) * width + i;
			const uint16_t bone = w->bones[a];
			const float value = w->values[a];
			w->bones[a] = w->bones[b];
			w->values[a] = w->values[b];
			w->bones[b] = bone;
			w->values[b] = value;
		}
	}
	const ossai_mat3 turn = other_axes();
	for (size_t i = 0; i < rig->dependency_count; i++) {
		double *axis = rig->dependencies[i].driver_axis;
		ossai_v3_store(ossai_mat3_tmul_v(&turn, ossai_v3_of(axis)), axis);
	}
}

static void check_arms(double noise, int seed, bool moved, size_t least, double ratio, double axis)
{
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = {.kind = OSSA_SAMPLE_ARMS, .faces = 5000, .frames = 24, .noise = noise, .seed = seed};
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	if (moved) move_sample(context, sample);
	ossa_rig_result made = rig_of(context, sample);
	assert_ok(context, ossa_rig_validate(context, made.rig));
	if (moved) move_back(made.rig);
	for (size_t i = 0; i < made.rig->dependency_count; i++) {
		check_twist(sample->rig, made.rig, &made.rig->dependencies[i], ratio);
		assert_true(axis_off(sample->rig, &made.rig->dependencies[i]) < axis);
	}
	if (made.rig->dependency_count < least || made.rig->dependency_count > 4)
		fail_msg("noise %g, seed %d: %zu twist bones", noise, seed, made.rig->dependency_count);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* four, exactly. With noise the ratios of the fitted motion are up to 15 % too large, and motions
   of few independent poses (of seed 5) show none. */
static void twist_bones_are_found(void **state)
{
	(void)state;
	for (int seed = 0; seed < (test_is_long() ? 8 : 1); seed++) {
		check_arms(0, seed, false, 4, 0.01, 1);
		check_arms(0, seed, true, 4, 0.01, 1);
		check_arms(0.1, seed, false, seed < 2 ? 4 : 0, 0.15, 1);
	}
}

/* what the samples say of themselves is what their motion shows */
static void truth_is_found_again(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_SLIDES; kind++) {
		ossa_sample *sample = test_sample_of_kind(context, kind, 1000, 24);
		ossa_rig *rig = sample->rig;
		ossa_dependency said[8];
		const size_t count = rig->dependency_count;
		static const size_t counts[OSSA_SAMPLE_SLIDES + 1] = {
			[OSSA_SAMPLE_MACHINE] = 4, [OSSA_SAMPLE_HAND] = 3, [OSSA_SAMPLE_LINKAGE] = 2, [OSSA_SAMPLE_ARMS] = 4};
		assert_int_equal(count, counts[kind]);
		if (count > 0) memcpy(said, rig->dependencies, count * sizeof *said);
		assert_ok(context, ossa_rig_find_dependencies(context, rig));
		assert_int_equal(rig->dependency_count, count);
		for (size_t i = 0; i < count; i++) {
			const ossa_dependency *d = &rig->dependencies[i];
			assert_true(d->bone == said[i].bone && d->driver == said[i].driver);
			assert_near(d->ratio, said[i].ratio, 1e-9);
			assert_near(d->offset_degrees, said[i].offset_degrees, 1e-6);
			for (int k = 0; k < 3; k++) assert_near(d->driver_axis[k], said[i].driver_axis[k], 1e-12);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truth_is_found_again),
		cmocka_unit_test(machines_are_found),
		cmocka_unit_test(the_error_grows_by_the_cost),
		cmocka_unit_test(twist_bones_are_found),
		cmocka_unit_test(fingers_that_move_alike_are_found),
		cmocka_unit_test(others_have_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
