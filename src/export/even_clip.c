/* export/even_clip.c: see even_clip.h.

   Place in the path: under the BVH writer.
   Input: a clip with any ascending times.
   Output: the same motion at uniform times (rig/resample.h). */
#include "export/even_clip.h"

#include "base/order.h"
#include "rig/resample.h"

#include <math.h>
#include <stdlib.h>

/* of a step: the error of times rounded to floats, or to milliseconds at 100 frames per second */
static const double JITTER = 0.05;
/* frames: no motion grows beyond this, or ten times its own frames */
enum { MOST_FRAMES = 100000 };

static bool is_even(const ossa_clip *clip, double step)
{
	for (size_t f = 0; f < clip->frame_count; f++) {
		if (fabs(clip->times[f] - clip->times[0] - step * (double)f) > JITTER * step) return false;
	}
	return true;
}

/* a tenth of the steps are as small or smaller: one odd frame does not count */
static ossa_status usual_step(ossa_context *context, const ossa_clip *clip, double *step)
{
	const size_t count = clip->frame_count - 1, most = clip->frame_count * 10;
	double *steps = ossai_new(context, count, sizeof *steps);
	if (!steps) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) steps[i] = clip->times[i + 1] - clip->times[i];
	qsort(steps, count, sizeof *steps, ossai_compare_doubles);
	const double whole = clip->times[count] - clip->times[0];
	*step = fmax(steps[count / 10], whole / (double)(most > MOST_FRAMES ? most : MOST_FRAMES));
	ossa_free(context, steps);
	return OSSA_OK;
}

static ossa_status sample_all(ossa_context *context, const ossa_clip *clip, ossai_even_clip *even)
{
	const double whole = clip->times[clip->frame_count - 1] - clip->times[0];
	const size_t count = (size_t)ceil(whole / even->step - JITTER) + 1;
	double *times = ossai_new(context, count, sizeof *times);
	if (!times) return ossa_context_error(context)->status;
	for (size_t f = 0; f < count; f++) times[f] = clip->times[0] + even->step * (double)f;
	const ossa_status status = ossai_clip_at_times(context, clip, count, times, &even->own);
	ossa_free(context, times);
	even->clip = even->own;
	return status;
}

ossa_status ossai_even_clip_make(ossa_context *context, const ossa_clip *clip, ossai_even_clip *even)
{
	*even = (ossai_even_clip){.clip = clip, .step = 1.0 / 24};
	if (clip->frame_count < 2) return OSSA_OK;
	even->step = (clip->times[clip->frame_count - 1] - clip->times[0]) / (double)(clip->frame_count - 1);
	if (is_even(clip, even->step)) return OSSA_OK;
	OSSAI_TRY(usual_step(context, clip, &even->step));
	OSSAI_TRY(sample_all(context, clip, even));
	ossai_warn(context, "times-resampled", 1,
		"the frames are not evenly spaced, as the format wants them: the motion is sampled every %.6g seconds", even->step);
	return OSSA_OK;
}

void ossai_even_clip_end(ossa_context *context, ossai_even_clip *even)
{
	ossa_clip_free(context, even->own);
	even->own = NULL;
}
