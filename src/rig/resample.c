/* rig/resample.c: see resample.h, and ossa_clip_resample. */
#include "rig/resample.h"

#include "math/vec.h"

#include <string.h>

/* of a step: a last frame nearer than this to the one before it takes its place; of times that were
   rounded to floats */
static const double SAME_FRAME = 1e-3;

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

static void blend_morphs(const ossa_clip *clip, size_t before, size_t after, double share, double *out)
{
	const double *from = clip->morph_weights + before * clip->morph_count;
	const double *to = clip->morph_weights + after * clip->morph_count;
	for (size_t m = 0; m < clip->morph_count; m++) out[m] = from[m] + share * (to[m] - from[m]);
}

/* frame `f` of `own` from the frames `before` and the next of `clip` */
static void sample(const ossa_clip *clip, size_t before, double share, ossa_clip *own, size_t f)
{
	const size_t after = before + 1 < clip->frame_count ? before + 1 : before, bones = clip->bone_count;
	if (clip->morph_weights) blend_morphs(clip, before, after, share, own->morph_weights + f * clip->morph_count);
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

ossa_status ossai_clip_at_times(
	ossa_context *context, const ossa_clip *clip, size_t count, const double *times, ossa_clip **sampled)
{
	const size_t last = clip->frame_count - 1;
	OSSAI_TRY(ossa_clip_create(context, count, clip->bone_count, clip->translations != NULL, sampled));
	const ossa_status status = clip->morph_weights ? ossa_clip_add_morphs(context, *sampled, clip->morph_count) : OSSA_OK;
	if (status != OSSA_OK) {
		ossa_clip_free(context, *sampled);
		*sampled = NULL;
		return status;
	}
	memcpy((*sampled)->name, clip->name, sizeof clip->name);
	for (size_t f = 0, before = 0; f < count; f++) {
		while (before < last && clip->times[before + 1] <= times[f]) before++;
		const double from = clip->times[before], to = before < last ? clip->times[before + 1] : from;
		(*sampled)->times[f] = times[f];
		sample(clip, before, to > from ? (times[f] - from) / (to - from) : 0, *sampled, f);
	}
	return OSSA_OK;
}

/* how many times there are at that rate, the last frame's own among them */
static ossa_status count_times(ossa_context *context, const ossa_clip *clip, double rate, size_t *count)
{
	const double steps = (clip->times[clip->frame_count - 1] - clip->times[0]) * rate;
	if (steps < OSSAI_RESAMPLED_MAX) {
		*count = (size_t)fmax(ceil(steps - SAME_FRAME), 1) + 1;
		return OSSA_OK;
	}
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
		"%g frames per second make %.0f frames of the %g seconds of \"%s\": take a lower rate", rate, steps,
		clip->times[clip->frame_count - 1] - clip->times[0], clip->name);
}

ossa_status ossa_clip_resample(ossa_context *context, const ossa_clip *clip, double frames_per_second, ossa_clip **resampled)
{
	if (resampled) *resampled = NULL;
	OSSAI_NEED(context, clip, resampled);
	if (!(frames_per_second > 0) || !isfinite(frames_per_second)) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "%g frames per second is not a number above 0", frames_per_second);
	}
	if (clip->frame_count < 2) return ossa_clip_copy(context, clip, resampled);
	size_t count = 0;
	OSSAI_TRY(count_times(context, clip, frames_per_second, &count));
	double *times = ossai_new(context, count, sizeof *times);
	if (!times) return ossa_context_error(context)->status;
	for (size_t f = 0; f < count; f++) times[f] = clip->times[0] + (double)f / frames_per_second;
	times[count - 1] = clip->times[clip->frame_count - 1];
	const ossa_status status = ossai_clip_at_times(context, clip, count, times, resampled);
	ossa_free(context, times);
	return status;
}
