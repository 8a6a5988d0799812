/* tests/methods/test_examples.c: the method of example poses gives the same rig with any number of
   threads and wherever the input is. test_examples_options.c has its options,
   test_examples_limits.c progress, cancelling and lack of memory, test_examples_truth.c evaluates
   the rigs. */
#include "samples/samples.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/examples.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* a rest mesh and poses of one's own, to move about */
typedef struct input {
	ossa_mesh *mesh;
	ossa_frames *frames;
} input;

static input take_input(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *from, size_t repeats)
{
	input in;
	assert_ok(context, ossa_mesh_copy(context, mesh, &in.mesh));
	assert_ok(context, ossa_frames_create(context, repeats * from->frame_count, from->vertex_count, 24, &in.frames));
	const size_t count = 3 * from->frame_count * from->vertex_count;
	for (size_t i = 0; i < repeats; i++) memcpy(in.frames->positions + i * count, from->positions, count * sizeof(float));
	return in;
}

static void free_input(ossa_context *context, input *in)
{
	ossa_mesh_free(context, in->mesh);
	ossa_frames_free(context, in->frames);
}

/* ---- the same bytes ---- */

#define assert_same(a, b, count) assert_memory_equal(a, b, (count) * sizeof *(a))

static void check_same_weights(const ossa_weights *a, const ossa_weights *b)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_int_equal(a->influences, b->influences);
	assert_same(a->bones, b->bones, a->vertex_count * (size_t)a->influences);
	assert_same(a->values, b->values, a->vertex_count * (size_t)a->influences);
}

static void check_same_clip(const ossa_clip *a, const ossa_clip *b)
{
	assert_int_equal(a->frame_count, b->frame_count);
	assert_same(a->times, b->times, a->frame_count);
	assert_same(a->rotations, b->rotations, 4 * a->frame_count * a->bone_count);
	assert_same(a->root_positions, b->root_positions, 3 * a->frame_count);
	assert_int_equal(!a->translations, !b->translations);
	if (a->translations) assert_same(a->translations, b->translations, 3 * a->frame_count * a->bone_count);
}

static void check_same_rig(const ossa_rig *a, const ossa_rig *b)
{
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	assert_same(a->skeleton.bones, b->skeleton.bones, a->skeleton.bone_count);
	check_same_weights(&a->weights, &b->weights);
	check_same_weights(&a->free_weights, &b->free_weights);
	check_same_clip(a->clip, b->clip);
	check_same_clip(a->free_clip, b->free_clip);
	assert_int_equal(a->merge_count, b->merge_count);
	assert_same(a->merges, b->merges, a->merge_count);
}

/* an embedder's threads: here one, that takes the ranges from the last */
static void backwards(void *user, size_t count, void (*body)(void *arg, size_t index), void *arg)
{
	++*(size_t *)user;
	while (count-- > 0) body(arg, count);
}

static void check_threads(const ossa_sample *sample, const ossa_examples_options *options)
{
	static const int threads[] = {3, 8};
	ossa_context *context = test_context(1);
	ossa_rig *expected = test_examples_rig(context, sample->rig->mesh, sample->frames, options);
	for (size_t i = test_is_long() ? 0 : 1; i < sizeof threads / sizeof threads[0]; i++) {
		ossa_context *other = test_context(threads[i]);
		ossa_rig *rig = test_examples_rig(other, sample->rig->mesh, sample->frames, options);
		check_same_rig(expected, rig);
		ossa_rig_free(other, rig);
		test_context_end(other);
	}
	size_t calls = 0;
	ossa_context_options embedded = ossa_context_default();
	embedded.parallel_for = backwards;
	embedded.parallel_for_user = &calls;
	ossa_context *other;
	assert_int_equal(ossa_context_create(&embedded, &other), OSSA_OK);
	ossa_rig *rig = test_examples_rig(other, sample->rig->mesh, sample->frames, options);
	check_same_rig(expected, rig);
	assert_true(calls > 0);
	ossa_rig_free(other, rig);
	test_context_end(other);
	ossa_rig_free(context, expected);
	test_context_end(context);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_QUADRUPED, 6000, 8, 1);
	ossa_examples_options options = test_examples_bones(15);
	check_threads(sample, &options);
	options.refine = 0;
	options.lloyd = 2;
	check_threads(sample, &options);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- the same rig wherever the input lies ---- */

/* p -> scale * rotation * p + offset */
typedef struct placement {
	const char *name;
	double scale;
	ossai_vec3 turn;   /* radians times axis */
	ossai_vec3 offset; /* in diagonals */
} placement;

static ossai_vec3 place(const placement *p, const ossai_mat3 *turn, double diagonal, ossai_vec3 at)
{
	return ossai_madd(ossai_scale(ossai_mat3_mul_v(turn, at), p->scale), diagonal * p->scale, p->offset);
}

static void place_points(const placement *p, double diagonal, size_t count, float *positions)
{
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(p->turn));
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 to = place(p, &turn, diagonal, ossai_v3_of_float(positions + 3 * i));
		positions[3 * i] = (float)to.x;
		positions[3 * i + 1] = (float)to.y;
		positions[3 * i + 2] = (float)to.z;
	}
}

/* the largest distance of a joint of `rig` from the nearest of `other` once that is placed, in % of
   the diagonal */
static double joint_change(const ossa_rig *rig, const ossa_rig *other, const placement *p, double diagonal)
{
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(p->turn));
	double largest = 0;
	for (size_t a = 0; a < rig->skeleton.bone_count; a++) {
		const ossai_vec3 joint = ossai_v3_of(rig->skeleton.bones[a].joint);
		double nearest = INFINITY;
		for (size_t b = 0; b < other->skeleton.bone_count; b++) {
			const ossai_vec3 placed = place(p, &turn, diagonal, ossai_v3_of(other->skeleton.bones[b].joint));
			nearest = fmin(nearest, ossai_distance(joint, placed));
		}
		largest = fmax(largest, nearest);
	}
	return 100 * largest / (diagonal * p->scale);
}

static input placed_input(ossa_context *context, const ossa_sample *sample, const placement *p, double diagonal)
{
	input in = take_input(context, sample->rig->mesh, sample->frames, 1);
	place_points(p, diagonal, in.mesh->vertex_count, in.mesh->positions);
	place_points(p, diagonal, in.frames->vertex_count * in.frames->frame_count, in.frames->positions);
	return in;
}

/* how the rig of a placed creature differs from the creature's own */
static void check_placed(
	ossa_context *context, const ossa_sample *sample, int bones, const placement *p, double most_rms, double most_joint_change)
{
	const ossa_examples_options options = test_examples_bones(bones);
	const double diagonal = test_diagonal(sample->rig->mesh);
	ossa_rig *expected = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	input in = placed_input(context, sample, p, diagonal);
	ossa_rig *rig = test_examples_rig(context, in.mesh, in.frames, &options);
	const double rms = test_examples_measure(context, rig, in.frames).rms_percent;
	const double joints = joint_change(rig, expected, p, diagonal);
	assert_int_equal(rig->skeleton.bone_count, bones);
	if (rms > most_rms || joints > most_joint_change) fail_msg("%s: RMS %g %%, joints %g %% off", p->name, rms, joints);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, expected);
	free_input(context, &in);
}

/* Where there is a right answer it is found from any position: to 0.1 % of the diagonal, as a moved
   input is rounded to floats again. Far away, 10^4 diagonals from the origin, floats leave 1/1000
   of the diagonal of the shape itself: noise of 0.04 % RMS. */
static void moved_input_gives_the_moved_rig(void **state)
{
	(void)state;
	static const placement near[] = {
		{"tiny", 1e-3, {0, 0, 0}, {0, 0, 0}},
		{"huge", 1e3, {0, 0, 0}, {0, 0, 0}},
		{"turned", 1, {1, 2, 0.5}, {0, 0, 0}},
		{"moved", 1, {0, 0, 0}, {3, -2, 5}},
	};
	static const placement far = {"far", 1, {0, 0, 0}, {1e4, 0, -1e4}}, doubled = {"doubled", 2, {0, 0, 0}, {0, 0, 0}};
	ossa_context *context = test_context(2);
	ossa_sample *exact = test_examples_sample(context, OSSA_SAMPLE_QUADRUPED, 2000, 12, 0);
	const int bones = (int)exact->rig->skeleton.bone_count;
	for (size_t i = test_is_long() ? 0 : 2; i < sizeof near / sizeof near[0]; i++)
		check_placed(context, exact, bones, &near[i], 0.02, 0.1);
	check_placed(context, exact, bones, &far, 0.1, 5);
	ossa_sample_free(context, exact);
	/* floats double without rounding: the same rig, also where there is no right answer */
	ossa_sample *sample = test_examples_quadruped(context);
	check_placed(context, sample, 15, &doubled, 100, 1e-9);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a fixed shuffle of `count` things: to[i] is where i goes */
static uint32_t *shuffle(ossa_context *context, size_t count, uint64_t seed)
{
	uint32_t *to = ossa_alloc(context, count, sizeof *to);
	assert_non_null(to);
	for (size_t i = 0; i < count; i++) to[i] = (uint32_t)i;
	for (size_t i = count - 1; i > 0; i--) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		const size_t k = (size_t)(seed >> 33) % (i + 1);
		const uint32_t kept = to[i];
		to[i] = to[k];
		to[k] = kept;
	}
	return to;
}

static void permute(ossa_context *context, const ossa_sample *sample, input *in)
{
	const ossa_mesh *mesh = sample->rig->mesh;
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count;
	uint32_t *vertex_to = shuffle(context, vertices, 1), *face_to = shuffle(context, faces, 2);
	float *positions = ossa_alloc(context, 3 * vertices, sizeof *positions);
	uint32_t *triangles = ossa_alloc(context, 3 * faces, sizeof *triangles);
	for (size_t i = 0; i < 3 * vertices; i++) positions[3 * vertex_to[i / 3] + i % 3] = mesh->positions[i];
	for (size_t i = 0; i < 3 * faces; i++) triangles[3 * face_to[i / 3] + i % 3] = vertex_to[mesh->triangles[i]];
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &in->mesh));
	assert_ok(context, ossa_frames_create(context, sample->frames->frame_count, vertices, 24, &in->frames));
	for (size_t i = 0; i < 3 * vertices * sample->frames->frame_count; i++) {
		const size_t frame = i / (3 * vertices), v = i / 3 % vertices;
		in->frames->positions[3 * (frame * vertices + vertex_to[v]) + i % 3] = sample->frames->positions[i];
	}
	ossa_free(context, positions);
	ossa_free(context, triangles);
	ossa_free(context, vertex_to);
	ossa_free(context, face_to);
}

static void mirror(input *in)
{
	for (size_t v = 0; v < in->mesh->vertex_count; v++) in->mesh->positions[3 * v] *= -1;
	for (size_t i = 0; i < in->frames->frame_count * in->frames->vertex_count; i++) in->frames->positions[3 * i] *= -1;
}

/* Bulging flesh has no right answer, only good ones: the order of things, doubled poses, a mirror
   and most of all a rotation, which rounds every vertex again, change the sums' last digits, and so
   now and then what merges first. The error stays; measured: to 1, 0, 0 and 5 %. */
static void order_repetition_and_place_change_little(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	const ossa_examples_options options = test_examples_bones(27);
	ossa_rig *expected = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	const double rms = test_examples_measure(context, expected, sample->frames).rms_percent;
	const double free_bones = test_examples_free_rms(context, expected, sample->frames);
	static const placement turned = {"turned", 1e-3, {1, 2, 0.5}, {0, 0, 0}};
	for (int change = 0; change < 4; change++) {
		input in;
		if (change == 0) permute(context, sample, &in);
		else if (change == 3) in = placed_input(context, sample, &turned, 1);
		else in = take_input(context, sample->rig->mesh, sample->frames, change == 1 ? 2 : 1);
		if (change == 2) mirror(&in);
		ossa_rig *rig = test_examples_rig(context, in.mesh, in.frames, &options);
		assert_int_equal(rig->skeleton.bone_count, 27);
		const double now = test_examples_measure(context, rig, in.frames).rms_percent,
					 free_now = test_examples_free_rms(context, rig, in.frames);
		const double most = change == 3 ? 0.1 : 0.05;
		assert_near(now / rms, 1, most);
		assert_near(free_now / free_bones, 1, most);
		ossa_rig_free(context, rig);
		free_input(context, &in);
	}
	ossa_rig_free(context, expected);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(moved_input_gives_the_moved_rig),
		cmocka_unit_test(order_repetition_and_place_change_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
