/* tests/scene/test_key_frames.c: key frames: rare but extreme poses are among them, rigid motion
   of the whole is ignored. */
#include "base/context.h"
#include "math/vec.h"
#include "support/support.h"

#include <samples/samples.h>

#include <math.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 1000;
	options.frames = frames;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_status choose(
	ossa_context *context, const ossa_frames *frames, const ossa_mesh *rest, size_t wanted, size_t *indices, size_t *count)
{
	ossa_frame_stream *stream;
	*count = 0;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossa_frame_stream_choose(context, stream, rest, wanted, indices, count);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* all frames become the pose that `which` gives for their index */
static void repeat_poses(ossa_frames *frames, const ossa_frames *poses, const size_t *which)
{
	const size_t count = 3 * frames->vertex_count;
	for (size_t f = 0; f < frames->frame_count; f++) {
		memcpy(frames->positions + f * count, poses->positions + which[f] * count, count * sizeof(float));
	}
}

static void each_pose_is_chosen_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, 4);
	ossa_frames *frames;
	size_t which[40], indices[40], count;
	/* the third pose is seen in one frame alone */
	for (size_t f = 0; f < 40; f++) which[f] = f == 29 ? 2 : f < 20 ? 0 : 1 + 2 * (f % 2);
	assert_ok(context, ossa_frames_create(context, 40, sample->frames->vertex_count, 24, &frames));
	repeat_poses(frames, sample->frames, which);
	assert_ok(context, choose(context, frames, sample->rig->mesh, 4, indices, &count));
	assert_int_equal(count, 4);
	bool seen[4] = {false};
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || indices[i] > indices[i - 1]);
		assert_false(seen[which[indices[i]]]);
		seen[which[indices[i]]] = true;
	}
	assert_int_equal(indices[0], 0);
	/* the others are like these */
	assert_ok(context, choose(context, frames, NULL, 40, indices, &count));
	assert_int_equal(count, 4);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void what_moves_the_whole_is_not_seen(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, 30);
	const size_t vertices = sample->frames->vertex_count;
	size_t before[8], after[8], count, count_after;
	assert_ok(context, choose(context, sample->frames, sample->rig->mesh, 8, before, &count));
	assert_int_equal(count, 8);
	for (size_t f = 0; f < 30; f++) {
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(ossai_v3(0.3 * (double)f, 1, 0.2)));
		for (size_t v = 0; v < vertices; v++) {
			float *p = sample->frames->positions + 3 * (f * vertices + v);
			const ossai_vec3 q = ossai_add(ossai_mat3_mul_v(&turn, ossai_v3_of_float(p)), ossai_v3((double)f, 2, 0));
			p[0] = (float)q.x;
			p[1] = (float)q.y;
			p[2] = (float)q.z;
		}
	}
	assert_ok(context, choose(context, sample->frames, sample->rig->mesh, 8, after, &count_after));
	assert_int_equal(count_after, 8);
	assert_memory_equal(before, after, sizeof before);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	size_t first[20], indices[20], count;
	static const int threads[] = {1, 2, 3, 8};
	for (size_t i = 0; i < 4; i++) {
		ossa_context *context = test_context(threads[i]);
		ossa_sample *sample = make_sample(context, 700);
		assert_ok(context, choose(context, sample->frames, sample->rig->mesh, 20, indices, &count));
		assert_int_equal(count, 20);
		assert_true(indices[19] < 700);
		if (i == 0) memcpy(first, indices, sizeof first);
		assert_memory_equal(indices, first, sizeof first);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

static void what_cannot_be_chosen_from_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, 3);
	size_t indices[3], count;
	assert_fails(context, choose(context, sample->frames, NULL, 0, indices, &count), OSSA_ERROR_ARGUMENT, "0 frames");
	const ossa_frames none = {.vertex_count = 5};
	assert_fails(context, choose(context, &none, NULL, 1, indices, &count), OSSA_ERROR_INPUT, "no frames");
	sample->frames->vertex_count--;
	assert_fails(
		context, choose(context, sample->frames, sample->rig->mesh, 1, indices, &count), OSSA_ERROR_INPUT, "rest mesh");
	sample->frames->vertex_count++;
	sample->frames->positions[3 * sample->frames->vertex_count] = INFINITY;
	assert_fails(context, choose(context, sample->frames, NULL, 2, indices, &count), OSSA_ERROR_INPUT, "frame 2, vertex 0");
	/* one frame */
	sample->frames->frame_count = 1;
	assert_ok(context, choose(context, sample->frames, NULL, 3, indices, &count));
	assert_int_equal(count, 1);
	sample->frames->frame_count = 3;
	/* all vertices at one point */
	memset(sample->frames->positions, 0, 9 * sample->frames->vertex_count * sizeof(float));
	assert_ok(context, choose(context, sample->frames, NULL, 3, indices, &count));
	assert_int_equal(count, 1);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const ossa_sample *sample = arg;
	size_t indices[3], count;
	return choose(context, sample->frames, sample->rig->mesh, 3, indices, &count);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, 5);
	assert_true(test_allocation_sweep(sweep_body, sample, 100, 1) > 5);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pose_is_chosen_once),
		cmocka_unit_test(what_moves_the_whole_is_not_seen),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(what_cannot_be_chosen_from_is_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
