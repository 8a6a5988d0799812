/* tests/methods/test_examples.c: the method of example poses for its callers: the same rig under
   rigid motion of the input, options, warnings, progress, cancelling and lack of memory.
   test_examples_truth.c evaluates the rigs. */
#include "samples/samples.h"
#include "math/vec.h"
#include "support/compare.h"
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

static ossa_sample *sample_of(ossa_context *context, int kind, int faces, int frames, double bulge)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	options.bulge = bulge;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* the creature of most tests: no skeleton repeats its flesh, so that there is no exact answer to
   fall into */
static ossa_sample *quadruped(ossa_context *context) { return sample_of(context, OSSA_SAMPLE_QUADRUPED, 2000, 8, 1); }

static ossa_examples_options with_bones(int bones)
{
	ossa_examples_options options = ossa_examples_default();
	options.bones = bones;
	return options;
}

static ossa_rig *rig_of(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_examples_options *options)
{
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_from_examples(context, mesh, frames, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_metrics measure(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics));
	return metrics;
}

static double free_rms(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, &rig->free_weights, rig->free_clip, frames, &metrics));
	return metrics.rms_percent;
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
	ossa_rig *expected = rig_of(context, sample->rig->mesh, sample->frames, options);
	for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
		ossa_context *other = test_context(threads[i]);
		ossa_rig *rig = rig_of(other, sample->rig->mesh, sample->frames, options);
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
	ossa_rig *rig = rig_of(other, sample->rig->mesh, sample->frames, options);
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
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_QUADRUPED, 6000, 8, 1);
	ossa_examples_options options = with_bones(15);
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
	const ossa_examples_options options = with_bones(bones);
	const double diagonal = test_diagonal(sample->rig->mesh);
	ossa_rig *expected = rig_of(context, sample->rig->mesh, sample->frames, &options);
	input in = placed_input(context, sample, p, diagonal);
	ossa_rig *rig = rig_of(context, in.mesh, in.frames, &options);
	const double rms = measure(context, rig, in.frames).rms_percent;
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
	ossa_sample *exact = sample_of(context, OSSA_SAMPLE_QUADRUPED, 2000, 12, 0);
	const int bones = (int)exact->rig->skeleton.bone_count;
	for (size_t i = test_is_long() ? 0 : 2; i < sizeof near / sizeof near[0]; i++) check_placed(context, exact, bones, &near[i], 0.02, 0.1);
	check_placed(context, exact, bones, &far, 0.1, 5);
	ossa_sample_free(context, exact);
	/* floats double without rounding: the same rig, also where there is no right answer */
	ossa_sample *sample = quadruped(context);
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
	ossa_sample *sample = quadruped(context);
	const ossa_examples_options options = with_bones(27);
	ossa_rig *expected = rig_of(context, sample->rig->mesh, sample->frames, &options);
	const double rms = measure(context, expected, sample->frames).rms_percent;
	const double free_bones = free_rms(context, expected, sample->frames);
	static const placement turned = {"turned", 1e-3, {1, 2, 0.5}, {0, 0, 0}};
	for (int change = 0; change < 4; change++) {
		input in;
		if (change == 0) permute(context, sample, &in);
		else if (change == 3) in = placed_input(context, sample, &turned, 1);
		else in = take_input(context, sample->rig->mesh, sample->frames, change == 1 ? 2 : 1);
		if (change == 2) mirror(&in);
		ossa_rig *rig = rig_of(context, in.mesh, in.frames, &options);
		assert_int_equal(rig->skeleton.bone_count, 27);
		const double now = measure(context, rig, in.frames).rms_percent, free_now = free_rms(context, rig, in.frames);
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

/* ---- options ---- */

static void refinement_pays(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = quadruped(context);
	ossa_examples_options options = with_bones(20);
	double rms[2], free_bones[2];
	for (int refined = 0; refined < 2; refined++) {
		options.refine = refined ? ossa_examples_default().refine : 0;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
		const ossa_metrics metrics = measure(context, rig, sample->frames);
		/* the paper's second solve opens holes in the influence maps again */
		assert_true(metrics.disconnected_supports <= (refined ? 0 : 2));
		assert_true(metrics.weight_sum_error <= 1e-6 && metrics.max_influences <= 4);
		assert_int_equal(rig->skeleton.bone_count, 20);
		assert_null(rig->clip->translations);
		assert_non_null(rig->free_clip->translations);
		rms[refined] = metrics.rms_percent;
		free_bones[refined] = free_rms(context, rig, sample->frames);
		ossa_rig_free(context, rig);
	}
	print_message("refine 0: %g free %g; refined %g free %g\n", rms[0], free_bones[0], rms[1], free_bones[1]);
	assert_true(rms[1] < 0.8 * rms[0] && free_bones[1] < 0.8 * free_bones[0]);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void options_out_of_range_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_TUBE, 1000, 2, 0);
	const struct {
		const char *name;
		ossa_examples_options options;
	} bad[] = {
		{"bones", {.bones = -1, .influences = 4}},
		{"bones", {.bones = 100000, .influences = 4}},
		{"tolerance", {.tolerance = -1, .influences = 4}},
		{"tolerance", {.tolerance = NAN, .influences = 4}},
		{"tolerance", {.tolerance = INFINITY, .influences = 4}},
		{"influences", {.influences = 0}},
		{"influences", {.influences = 9}},
		{"lloyd", {.lloyd = -1, .influences = 4}},
		{"refine", {.refine = -1, .influences = 4}},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ossa_rig *rig = sample->rig; /* not NULL */
		ossa_examples_options options = bad[i].options;
		options.cookie = ossa_examples_default().cookie;
		assert_fails(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig),
			OSSA_ERROR_ARGUMENT, bad[i].name);
		assert_null(rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* without a number, a finer tolerance needs more bones and comes closer; with both, neither is
   passed */
static void a_tolerance_finds_the_number_of_bones(void **state)
{
	(void)state;
	static const double tolerances[] = {1, 0.2, 0.1};
	ossa_context *context = test_context(2);
	ossa_sample *sample = quadruped(context);
	size_t before = 1;
	double rms_before = INFINITY;
	ossa_examples_options options = with_bones(0);
	for (size_t i = 0; i < 3; i++) {
		options.tolerance = tolerances[i];
		ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
		const double rms = measure(context, rig, sample->frames).rms_percent;
		assert_true(rig->skeleton.bone_count > before && rms < rms_before);
		before = rig->skeleton.bone_count;
		rms_before = rms;
		ossa_rig_free(context, rig);
	}
	options = with_bones(5);
	options.tolerance = 0.1;
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void check_warning(ossa_context *context, const char *code, int64_t count)
{
	size_t at = 0;
	while (at < ossa_context_warning_count(context) && strcmp(ossa_context_warning(context, at)->code, code) != 0) at++;
	assert_true(at < ossa_context_warning_count(context));
	assert_int_equal(ossa_context_warning(context, at)->count, count);
	ossa_context_reset(context);
}

static void more_bones_than_faces_are_told(void **state)
{
	(void)state;
	static const float rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, ossa_mesh_create(context, 4, rest, 4, faces, &mesh));
	assert_ok(context, ossa_frames_create(context, 1, 4, 24, &frames));
	for (size_t i = 0; i < 12; i++) frames->positions[i] = rest[i] * (i % 3 == 1 ? 1.5F : 1) + (float)(i / 3 == 1);
	for (int refine = 0; refine <= 30; refine += 30) {
		ossa_examples_options options = with_bones(10);
		options.refine = refine;
		ossa_rig *rig = rig_of(context, mesh, frames, &options);
		/* a bone that would move no vertex is left out: the warning counts all that are missing */
		check_warning(context, "fewer-bones", 10 - (int64_t)rig->skeleton.bone_count);
		assert_true(rig->skeleton.bone_count <= 4);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

static void pieces_need_a_bone_each_or_links(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_PIECES, 2000, 6, 0);
	ossa_examples_options options = with_bones(5);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_int_equal(rig->merge_count, sample->rig->mesh->triangle_count - 1);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	options.link_pieces = false;
	rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 16);
	assert_int_equal(rig->merge_count, sample->rig->mesh->triangle_count - 16);
	check_warning(context, "more-bones", 11);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void more_influences_fit_better(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = quadruped(context);
	double before = INFINITY;
	for (int influences = 1; influences <= 8; influences *= 2) {
		ossa_examples_options options = with_bones(15);
		options.influences = influences;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
		const ossa_metrics metrics = measure(context, rig, sample->frames);
		const double rms = free_rms(context, rig, sample->frames);
		assert_true(metrics.max_influences <= influences);
		assert_int_equal(metrics.disconnected_supports, 0);
		assert_true(rms < 1.02 * before);
		before = rms;
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* Lloyd's rounds, area weighting and free supports are choices: each gives a whole rig of the
   number of bones asked for */
static void other_options_give_whole_rigs(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = quadruped(context);
	ossa_examples_options plain = with_bones(15);
	plain.refine = 0;
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &plain);
	const double rms = free_rms(context, rig, sample->frames);
	ossa_rig_free(context, rig);
	for (int choice = 0; choice < 3; choice++) {
		ossa_examples_options options = plain;
		options.lloyd = choice == 0 ? 5 : 0;
		options.area_weighting = choice == 1;
		options.local = choice != 2;
		rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
		assert_int_equal(rig->skeleton.bone_count, 15);
		const double now = free_rms(context, rig, sample->frames);
		assert_true(choice == 1 ? now == rms : choice == 0 ? now < 1.2 * rms : now < rms);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* every face but one is merged into another exactly once, the cheapest first */
static void the_merge_hierarchy_is_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = quadruped(context);
	const ossa_examples_options options = with_bones(15);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
	const size_t faces = rig->mesh->triangle_count;
	uint8_t *gone = ossa_alloc(context, faces, 1);
	assert_int_equal(rig->merge_count, faces - 1);
	for (size_t i = 0; i < rig->merge_count; i++) {
		const ossa_merge *merge = &rig->merges[i];
		assert_true(merge->kept < merge->gone && !gone[merge->kept] && !gone[merge->gone]);
		assert_true(i == 0 || merge->error >= rig->merges[i - 1].error * (1 - 1e-9));
		gone[merge->gone] = 1;
	}
	ossa_free(context, gone);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- progress and lack ---- */

/* What a progress function saw, and after how many calls it stops the work. */
typedef struct watch {
	size_t calls, stop_at;
	double last;
	bool fell;
} watch;

static bool see_progress(void *user, const char *stage, double fraction)
{
	watch *w = user;
	w->fell |= !(fraction >= w->last && fraction <= 1) || !stage[0];
	w->last = fraction;
	return ++w->calls != w->stop_at;
}

static ossa_context *watched_context(watch *w)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.progress = see_progress;
	options.progress_user = w;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	return context;
}

static void every_progress_call_can_cancel(void **state)
{
	(void)state;
	ossa_context *maker = test_context(1);
	ossa_sample *sample = sample_of(maker, OSSA_SAMPLE_TUBE, 1000, 3, 1);
	watch w = {0};
	ossa_context *context = watched_context(&w);
	const ossa_examples_options options = with_bones(6);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, &options);
	ossa_rig_free(context, rig);
	const size_t calls = w.calls;
	assert_false(w.fell);
	assert_true(calls > 20 && w.last > 0.8);
	for (size_t at = 1; at <= calls; at += at < 40 || test_is_long() ? 1 : 7) {
		w = (watch){.stop_at = at};
		ossa_context_reset(context);
		assert_fails(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig),
			OSSA_ERROR_CANCELLED, "stopped");
		assert_null(rig);
		assert_int_equal(ossa_context_bytes(context), 0);
		assert_int_equal(w.calls, at);
	}
	test_context_end(context);
	ossa_sample_free(maker, sample);
	test_context_end(maker);
}

/* what the sweep rigs: the sample's own context lends its mesh and frames */
typedef struct sweep {
	ossa_sample *sample;
	ossa_examples_options options;
} sweep;

static ossa_status rig_and_free(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossa_rig *rig;
	const ossa_status status = ossa_rig_from_examples(context, s->sample->rig->mesh, s->sample->frames, &s->options, &rig);
	if (status != OSSA_OK) assert_null(rig);
	ossa_rig_free(context, rig);
	return status;
}

static void failing_allocations_leave_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	sweep s = {sample_of(context, OSSA_SAMPLE_TUBE, 1000, 2, 1), with_bones(4)};
	const size_t refined = test_allocation_sweep(rig_and_free, &s, 40, 13);
	s.options.refine = 0;
	s.options.lloyd = 1;
	const size_t plain = test_allocation_sweep(rig_and_free, &s, 40, 13);
	assert_true(refined > 50 && plain > 50);
	ossa_sample_free(context, s.sample);
	test_context_end(context);
}

static void memory_limits_are_kept(void **state)
{
	(void)state;
	ossa_context *maker = test_context(1);
	ossa_sample *sample = quadruped(maker);
	const ossa_examples_options examples = with_bones(10);
	ossa_rig *rig = rig_of(maker, sample->rig->mesh, sample->frames, &examples);
	ossa_rig_free(maker, rig);
	for (size_t limit = 1000; limit < 100000000; limit *= 3) {
		ossa_context_options options = ossa_context_default();
		options.memory_limit = limit;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		const ossa_status status = ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &examples, &rig);
		assert_true(ossa_context_peak_bytes(context) <= limit);
		if (status != OSSA_OK) {
			assert_int_equal(status, OSSA_ERROR_LIMIT);
			assert_null(rig);
		}
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	ossa_sample_free(maker, sample);
	test_context_end(maker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(moved_input_gives_the_moved_rig),
		cmocka_unit_test(order_repetition_and_place_change_little),
		cmocka_unit_test(refinement_pays),
		cmocka_unit_test(options_out_of_range_are_refused),
		cmocka_unit_test(a_tolerance_finds_the_number_of_bones),
		cmocka_unit_test(more_bones_than_faces_are_told),
		cmocka_unit_test(pieces_need_a_bone_each_or_links),
		cmocka_unit_test(more_influences_fit_better),
		cmocka_unit_test(other_options_give_whole_rigs),
		cmocka_unit_test(the_merge_hierarchy_is_kept),
		cmocka_unit_test(every_progress_call_can_cancel),
		cmocka_unit_test(failing_allocations_leave_nothing),
		cmocka_unit_test(memory_limits_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
