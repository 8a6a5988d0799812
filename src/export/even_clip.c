/* export/even_clip.c: see even_clip.h.

   Place in the path: under the BVH writer.
   Input: a clip with any ascending times.
   Output: the same motion resampled at uniform times: rotations by slerp, positions linearly. */
#include "export/even_clip.h"

#include "base/order.h"
#include "math/vec.h"

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

static void blend(const double *a, const double *b, double share, double *out)
{
	for (int k = 0; k < 3; k++) out[k] = a[k] + share * (b[k] - a[k]);
}

static void blend_turns(const double *a, const double *b, double share, double *out)
{
	const ossai_quat from = ossai_quat_of(a), to = ossai_quat_of(b);
	ossai_quat step = ossai_quat_mul(ossai_quat_conjugate(from), to);
	if (step.w < 0) step = ossai_quat_negate(step);
	const ossai_vec3 vector = ossai_v3(step.x, step.y, step.z), unit = ossai_unit(vector, ossai_v3(1, 0, 0));
	const double angle = 2 * atan2(ossai_length(vector), step.w);
	ossai_quat_store(ossai_quat_unit(ossai_quat_mul(from, ossai_quat_axis_angle(unit, share * angle))), out);
}

/* frame `f` of `own` from the frames `before` and the next of `clip` */
static void sample(const ossa_clip *clip, size_t before, double share, ossa_clip *own, size_t f)
{
	const size_t after = before + 1 < clip->frame_count ? before + 1 : before, bones = clip->bone_count;
	blend(clip->root_positions + 3 * before, clip->root_positions + 3 * after, share, own->root_positions + 3 * f);
	for (size_t b = 0; b < bones; b++) {
		double *turn = own->rotations + 4 * (f * bones + b);
		blend_turns(clip->rotations + 4 * (before * bones + b), clip->rotations + 4 * (after * bones + b), share, turn);
		/* the sign that is continuous with the sample before */
		const ossai_quat now = ossai_quat_of(turn), last = ossai_quat_of(f > 0 ? turn - 4 * bones : turn);
		if (ossai_quat_dot(last, now) < 0) ossai_quat_store(ossai_quat_negate(now), turn);
		if (!clip->translations) continue;
		blend(clip->translations + 3 * (before * bones + b), clip->translations + 3 * (after * bones + b), share,
			own->translations + 3 * (f * bones + b));
	}
}

static ossa_status sample_all(ossa_context *context, const ossa_clip *clip, ossai_even_clip *even)
{
	const double whole = clip->times[clip->frame_count - 1] - clip->times[0];
	const size_t count = (size_t)ceil(whole / even->step - JITTER) + 1;
	OSSAI_TRY(ossa_clip_create(context, count, clip->bone_count, clip->translations != NULL, &even->own));
	for (size_t f = 0, before = 0; f < count; f++) {
		const double time = clip->times[0] + even->step * (double)f;
		while (before + 2 < clip->frame_count && clip->times[before + 1] <= time) before++;
		const double from = clip->times[before], to = clip->times[before + 1];
		even->own->times[f] = time;
		sample(clip, before, fmin((time - from) / (to - from), 1), even->own, f);
	}
	even->clip = even->own;
	return OSSA_OK;
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
