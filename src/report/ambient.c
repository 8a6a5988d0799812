/* report/ambient.c: ambient occlusion: the share of the sky visible from each pixel of a surface.

   Place in the path: pictures, between the lamps and the sheet's light (shade.c).
   Input: distances and normals of pixels.
   Output: openness, 0 to 1, smoothed.
   Source: M. McGuire, M. Mara, D. Luebke, Scalable Ambient Obscurance, HPG 2012; here its pattern
   is turned in a fixed 4 x 4 order, which a 5 x 5 average takes out again. */
#include "report/shade_job.h"

enum {
	SMOOTH_REACH = 2,
	AWAY = 1 << 16 /* pixels, beyond any tap */
};

/* radius of ambient occlusion, in diagonals, and its strength */
static const double open_radius = 0.075, open_strength = 1.5, open_bias = 0.0016;

void ossai_ambient_taps(int32_t taps[OSSAI_TAP_PATTERNS][OSSAI_TAPS][2])
{
	/* an order of the 4 x 4 tile in which neighbours are turned far from each other */
	static const int order[OSSAI_TAP_PATTERNS] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
	for (int pattern = 0; pattern < OSSAI_TAP_PATTERNS; pattern++) {
		for (int tap = 0; tap < OSSAI_TAPS; tap++) {
			/* seven turns outward: no two taps in line */
			const double radius = (tap + 0.5) / OSSAI_TAPS;
			double cosine, sine;
			ossai_turn(7 * radius + (double)order[pattern] / OSSAI_TAP_PATTERNS, &cosine, &sine);
			taps[pattern][tap][0] = (int32_t)round(1024 * radius * cosine);
			taps[pattern][tap][1] = (int32_t)round(1024 * radius * sine);
		}
	}
}

/* position of a pixel's surface, in axes of the view from the eye */
static ossai_vec3 view_position(const ossai_shade_job *job, int32_t x, int32_t y, double distance)
{
	const double u = (x + 0.5 - job->camera->middle_x) * job->inverse_scale;
	const double v = (job->camera->middle_y - y - 0.5) * job->inverse_scale;
	return ossai_v3(u * distance, v * distance, -distance);
}

static float openness_at(const ossai_shade_job *job, int32_t x, int32_t y)
{
	const int32_t width = (int32_t)job->canvas->raster.width, height = (int32_t)job->canvas->raster.height;
	const ossai_shaded *surface = job->canvas->surface, *here = &surface[(size_t)y * (size_t)width + (size_t)x];
	if (here->coverage <= 0) return 1;
	const ossai_vec3 p = view_position(job, x, y, here->distance);
	const ossai_vec3 n = ossai_unit(ossai_v3_of_float(here->normal), ossai_v3(0, 0, 1));
	const double reach = fmin(open_radius * job->camera->scale / here->distance, 0.25 * width) / 1024;
	const double radius2 = open_radius * open_radius;
	const int32_t(*taps)[2] = job->taps[4 * (y % 4) + x % 4];
	double sum = 0;
	for (int i = 0; i < OSSAI_TAPS; i++) {
		/* rounded down through positive numbers */
		const int32_t tx = (int32_t)(x + 0.5 + reach * taps[i][0] + AWAY) - AWAY;
		const int32_t ty = (int32_t)(y + 0.5 + reach * taps[i][1] + AWAY) - AWAY;
		if (tx < 0 || ty < 0 || tx >= width || ty >= height) continue;
		const ossai_shaded *there = &surface[(size_t)ty * (size_t)width + (size_t)tx];
		if (there->coverage <= 0) continue;
		const ossai_vec3 v = ossai_sub(view_position(job, tx, ty, there->distance), p);
		const double v2 = ossai_length2(v), rise = ossai_dot(v, n) - open_bias;
		if (v2 >= radius2 || rise <= 0) continue;
		const double fade = 1 - v2 / radius2;
		sum += fade * fade * rise / sqrt(v2 + 1e-9);
	}
	const double open = 1 - open_strength * sum / OSSAI_TAPS;
	return (float)(open < 0 ? 0 : open);
}

void ossai_ambient_open(void *arg, size_t begin, size_t end)
{
	const ossai_shade_job *job = arg;
	const size_t width = job->canvas->raster.width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) job->canvas->openness[y * width + x] = openness_at(job, (int32_t)x, (int32_t)y);
	}
}

/* The average over whole tiles of the pattern (half weight at both ends), among pixels of about the
   same distance. */
static float smooth_at(const ossai_canvas *canvas, size_t x, size_t y)
{
	const int32_t width = (int32_t)canvas->raster.width, height = (int32_t)canvas->raster.height;
	const float here = canvas->surface[y * (size_t)width + x].distance;
	if (here <= 0) return 1;
	float sum = 0, weights = 0;
	for (int32_t dy = -SMOOTH_REACH; dy <= SMOOTH_REACH; dy++) {
		for (int32_t dx = -SMOOTH_REACH; dx <= SMOOTH_REACH; dx++) {
			const int32_t tx = (int32_t)x + dx, ty = (int32_t)y + dy;
			if (tx < 0 || ty < 0 || tx >= width || ty >= height) continue;
			const size_t at = (size_t)ty * (size_t)width + (size_t)tx;
			const float gap = canvas->surface[at].distance - here;
			if (canvas->surface[at].coverage <= 0 || gap > 0.02f || gap < -0.02f) continue;
			const float end_x = dx == -SMOOTH_REACH || dx == SMOOTH_REACH ? 0.5f : 1;
			const float end_y = dy == -SMOOTH_REACH || dy == SMOOTH_REACH ? 0.5f : 1;
			sum += end_x * end_y * canvas->openness[at];
			weights += end_x * end_y;
		}
	}
	return sum / weights;
}

void ossai_ambient_smooth(void *arg, size_t begin, size_t end)
{
	const ossai_shade_job *job = arg;
	const size_t width = job->canvas->raster.width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) job->canvas->open_smooth[y * width + x] = smooth_at(job->canvas, x, y);
	}
}
