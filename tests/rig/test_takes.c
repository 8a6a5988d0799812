/* tests/rig/test_takes.c: the motion of a rig is cut where the takes of its frames begin. */
#include "support/still.h"
#include "support/support.h"

#include "scene/frame_stream.h"

#include <ossa/clip.h>

#include <math.h>
#include <string.h>

enum { FRAMES = 9 };

static ossa_status read_nothing(void *user, size_t frame, float *positions)
{
	(void)user, (void)frame, (void)positions;
	return OSSA_OK;
}

/* a rig whose rotations and positions say of which frame they are */
static ossa_rig *moving_rig(ossa_context *context)
{
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	ossa_clip *clip;
	assert_ok(context, ossa_clip_create(context, FRAMES, rig->skeleton.bone_count, true, &clip));
	for (size_t f = 0; f < FRAMES; f++) {
		clip->times[f] = (double)f / 10;
		clip->root_positions[3 * f] = (double)f;
		for (size_t b = 0; b < clip->bone_count; b++) {
			clip->rotations[4 * (f * clip->bone_count + b) + 3] = 1;
			clip->translations[3 * (f * clip->bone_count + b) + 1] = (double)(f + b);
		}
	}
	assert_ok(context, ossa_rig_set_clips(context, rig, 1, &clip));
	return rig;
}

/* frames 0 to 3, 4 to 5, 6 to 8 */
static ossa_status open_three(ossa_context *context, ossa_frame_stream **stream)
{
	static const ossa_take takes[] = {{0, 4, "walk"}, {4, 2, "run"}, {6, 3, "walk"}};
	OSSAI_TRY(ossa_frame_stream_of_function(context, FRAMES, 0, NULL, 10, read_nothing, NULL, stream));
	(*stream)->takes = ossa_alloc(context, 3, sizeof *(*stream)->takes);
	if (!(*stream)->takes) return ossa_context_error(context)->status;
	memcpy((*stream)->takes, takes, sizeof takes);
	(*stream)->take_count = 3;
	return OSSA_OK;
}

static void all_frames_are_one_take(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_frame_stream *stream;
	assert_ok(context, ossa_frame_stream_of_function(context, FRAMES, 0, NULL, 10, read_nothing, NULL, &stream));
	assert_int_equal(ossa_frame_stream_take_count(stream), 1);
	assert_int_equal(ossa_frame_stream_take(stream, 0).frame_count, FRAMES);
	assert_int_equal(ossa_frame_stream_take(stream, 1).frame_count, 0);
	ossa_rig *rig = moving_rig(context);
	ossa_clip *clip = rig->clip;
	assert_ok(context, ossa_rig_split_takes(context, rig, stream));
	assert_ptr_equal(rig->clip, clip);
	ossa_rig_free(context, rig);
	ossa_frame_stream_free(context, stream);
	test_context_end(context);
}

static void each_take_becomes_a_clip(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t first, count;
	} wanted[] = {{"walk", 0, 4}, {"run", 4, 2}, {"walk_2", 6, 3}};
	ossa_context *context = test_context(1);
	ossa_frame_stream *stream;
	ossa_rig *rig = moving_rig(context);
	assert_ok(context, open_three(context, &stream));
	assert_ok(context, ossa_rig_split_takes(context, rig, stream));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_int_equal(ossa_rig_clip_count(rig), 3);
	for (size_t i = 0; i < 3; i++) {
		const ossa_clip *clip = ossa_rig_clip_at(rig, i);
		assert_string_equal(clip->name, wanted[i].name);
		assert_int_equal(clip->frame_count, wanted[i].count);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const size_t frame = wanted[i].first + f, last = clip->bone_count - 1;
			assert_true(fabs(clip->times[f] - (double)f / 10) < 1e-12);
			assert_true(clip->root_positions[3 * f] == (double)frame);
			assert_true(clip->translations[3 * (f * clip->bone_count + last) + 1] == (double)(frame + last));
		}
	}
	/* the motion is no longer that of all frames */
	assert_fails(context, ossa_rig_split_takes(context, rig, stream), OSSA_ERROR_ARGUMENT, "4 frames");
	assert_int_equal(ossa_rig_clip_count(rig), 3);
	ossa_frame_stream_free(context, stream);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void frames_that_are_not_there_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = moving_rig(context);
	ossa_clip *part;
	assert_ok(context, ossa_clip_part(context, rig->clip, FRAMES, 0, &part));
	assert_int_equal(part->frame_count, 0);
	ossa_clip_free(context, part);
	assert_fails(context, ossa_clip_part(context, rig->clip, FRAMES - 1, 2, &part), OSSA_ERROR_ARGUMENT, "9 to 10");
	assert_null(part);
	assert_fails(context, ossa_clip_part(context, rig->clip, SIZE_MAX, 2, &part), OSSA_ERROR_ARGUMENT, NULL);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status split(ossa_context *context, void *data)
{
	ossa_rig *rig = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_status status = ossa_rig_create(context, data, 1, 1, &rig);
	if (status == OSSA_OK) status = ossa_clip_create(context, FRAMES, 1, false, &rig->clip);
	if (status == OSSA_OK) status = open_three(context, &stream);
	if (status == OSSA_OK) {
		status = ossa_rig_split_takes(context, rig, stream);
		/* all or nothing */
		assert_int_equal(ossa_rig_clip_count(rig), status == OSSA_OK ? 3 : 1);
	}
	ossa_frame_stream_free(context, stream);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = moving_rig(context);
	assert_true(test_allocation_sweep(split, rig->mesh, 200, 1) > 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_frames_are_one_take),
		cmocka_unit_test(each_take_becomes_a_clip),
		cmocka_unit_test(frames_that_are_not_there_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
