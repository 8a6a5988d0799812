/* retarget/smooth_turns.c: see smooth_turns.h. */
#include "retarget/smooth_turns.h"

/* seconds: a foot begins to turn this much before it would be below the ground, and ends as much
   after; a frame of the usual motion capture */
static const double ahead_of_landing = 1.0 / 30;
/* seconds: frames are as far away, but for rounding */
static const double rounding = 1e-7;

/* The turns of one leg over time, between frames in proportion. */
typedef struct turn_path {
	const ossai_vec3 *turns; /* F x legs, at the leg */
	size_t frame_count, legs;
	const double *times; /* F */
} turn_path;

/* at a time next to a frame, which is on the side of `step`: -1 or 1 */
static ossai_vec3 turn_at(const turn_path *p, size_t frame, int step, double time)
{
	const size_t next = frame + (size_t)step;
	const double span = p->times[next] - p->times[frame];
	const double share = span * step > 0 ? (time - p->times[frame]) / span : 0;
	return ossai_lerp(p->turns[frame * p->legs], p->turns[next * p->legs], share);
}

static bool has_next(const turn_path *p, size_t frame, int step) { return step < 0 ? frame > 0 : frame + 1 < p->frame_count; }

/* The end of the window around a frame on the side of `step`: `ahead_of_landing` away, and at least
   the next frame. */
static double end_of_window(const turn_path *p, size_t frame, int step)
{
	if (!has_next(p, frame, step)) return p->times[frame] + step * ahead_of_landing;
	const double next = p->times[frame + (size_t)step], end = p->times[frame] + step * ahead_of_landing;
	return step * (next - end) > -rounding ? next : end;
}

/* the longest of the frames within the window around a frame, up to the first one past it: a mean
   over the window then has nothing in it that is shorter than this frame's */
static ossai_vec3 longest_of(const turn_path *p, size_t frame)
{
	ossai_vec3 longest = p->turns[frame * p->legs];
	for (int step = -1; step <= 1; step += 2) {
		const double end = end_of_window(p, frame, step);
		for (size_t f = frame; has_next(p, f, step) && step * (end - p->times[f]) > rounding; f += (size_t)step) {
			const ossai_vec3 turn = p->turns[(f + (size_t)step) * p->legs];
			if (ossai_length2(turn) > ossai_length2(longest)) longest = turn;
		}
	}
	return longest;
}

/* the mean over the half of the window on the side of `step`; past the first and last frame nothing changes */
static ossai_vec3 half_mean(const turn_path *p, size_t frame, int step)
{
	const double from = p->times[frame], end = end_of_window(p, frame, step), width = fabs(end - from);
	ossai_vec3 sum = {0, 0, 0};
	size_t f = frame;
	double at = from;
	for (; has_next(p, f, step) && step * (end - at) > 0; f += (size_t)step) {
		const double next = step * ossai_lesser(step * p->times[f + (size_t)step], step * end);
		const ossai_vec3 both = ossai_add(turn_at(p, f, step, at), turn_at(p, f, step, next));
		sum = ossai_madd(sum, fabs(next - at) / (2 * width), both);
		at = next;
	}
	return ossai_madd(sum, fmax(0, step * (end - at)) / width, p->turns[f * p->legs]);
}

void ossai_smooth_turns(const double *times, size_t frame_count, size_t legs, ossai_vec3 *turns, ossai_vec3 *scratch)
{
	for (size_t leg = 0; leg < legs; leg++) {
		const turn_path given = {turns + leg, frame_count, legs, times}, longest = {scratch + leg, frame_count, legs, times};
		for (size_t f = 0; f < frame_count; f++) scratch[f * legs + leg] = longest_of(&given, f);
		for (size_t f = 0; f < frame_count; f++) {
			const ossai_vec3 both = ossai_add(half_mean(&longest, f, -1), half_mean(&longest, f, 1));
			turns[f * legs + leg] = ossai_scale(both, 0.5);
		}
	}
}
