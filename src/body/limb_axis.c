/* body/limb_axis.c: see limb_axis.h. */
#include "body/limb_axis.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* Directions are smoothed over so many samples on both sides, as the nodes of a curve are noisy. */
enum { SMOOTH = 3 };

/* The rise of the radius where a limb begins is between the means over so many samples, an eighth
   of the limb: hems and cuffs are shorter. Nearer to its tip than 30 % a limb does not begin. */
enum { WINDOW = 6, FIRST_BEGIN = 3 * SAMPLES / 10 };

/* How many times narrower a neck has to be, as a logarithm, to outweigh odds of e to 1. */
static const double NECK_DEPTH = 0.3;

/* walks from the node outward and puts the samples on the way */
static void take_points(const ossai_figure *figure, const ossai_figure_end *end, uint32_t node, ossai_limb_axis *axis)
{
	const ossai_curve *curve = figure->curve;
	const double cap = ossai_distance(end->tip, curve->node[end->node]), length = end->distance[node] + cap;
	axis->step = length / SAMPLES;
	for (int i = SAMPLES; i >= 0; i--) {
		const double at = i * axis->step - cap; /* from the end's node */
		if (at <= 0) {
			axis->point[i] = ossai_lerp(end->tip, curve->node[end->node], cap > 0 ? i * axis->step / cap : 1);
			continue;
		}
		while (end->distance[end->toward[node]] > at) node = end->toward[node];
		const uint32_t next = end->toward[node];
		const double span = end->distance[node] - end->distance[next];
		const double t = span > 0 ? (end->distance[node] - at) / span : 0;
		axis->point[i] = ossai_lerp(curve->node[node], curve->node[next], fmin(fmax(t, 0), 1));
	}
}

static void take_directions(ossai_limb_axis *axis)
{
	ossai_vec3 step[SAMPLES];
	for (int i = 0; i < SAMPLES; i++) step[i] = ossai_sub(axis->point[i + 1], axis->point[i]);
	for (int i = 0; i <= SAMPLES; i++) {
		ossai_vec3 sum = ossai_v3(0, 0, 0);
		for (int k = -SMOOTH; k < SMOOTH; k++) {
			const int at = i + k < 0 ? 0 : i + k >= SAMPLES ? SAMPLES - 1 : i + k;
			sum = ossai_madd(sum, SMOOTH + 0.5 - fabs(k + 0.5), step[at]);
		}
		axis->along[i] = ossai_unit(sum, ossai_v3(0, 1, 0));
	}
}

/* samples without a section get the radius of the one before, which is nearer to the tip */
static void take_sections(ossai_sections *sections, ossai_vec3 side, ossai_limb_axis *axis)
{
	for (int i = 0; i <= SAMPLES; i++) {
		const ossai_section section = ossai_section_at(sections, axis->point[i], axis->along[i], side);
		axis->radius[i] = section.radius > 0 ? section.radius : i > 0 ? axis->radius[i - 1] : axis->step;
		axis->inward[i] = section.radius > 0 ? section.least : ossai_dot(side, axis->point[i]);
	}
}

void ossai_limb_axis_make(
	const ossai_figure *figure, ossai_sections *sections, size_t end, uint32_t node, ossai_vec3 side, ossai_limb_axis *axis)
{
	take_points(figure, &figure->end[end], node, axis);
	take_directions(axis);
	take_sections(sections, side, axis);
}

ossai_vec3 ossai_limb_axis_at(const ossai_limb_axis *axis, double arc)
{
	const double at = fmin(fmax(axis->step > 0 ? arc / axis->step : 0, 0), SAMPLES);
	const int i = at < SAMPLES ? (int)at : SAMPLES - 1;
	return ossai_lerp(axis->point[i], axis->point[i + 1], at - i);
}

/* the mean of both limbs' logarithms */
static double log_radius(const ossai_limb_axis *axis, const ossai_limb_axis *other, int i)
{
	return other ? (log(axis->radius[i]) + log(other->radius[i])) / 2 : log(axis->radius[i]);
}

size_t ossai_limb_axis_begin(const ossai_limb_axis *axis, const ossai_limb_axis *other)
{
	double best = -INFINITY;
	int found = SAMPLES;
	for (int i = FIRST_BEGIN; i < SAMPLES; i++) {
		double before = 0, after = 0;
		const int count = SAMPLES - i < WINDOW ? SAMPLES - i : WINDOW;
		for (int k = 0; k < WINDOW; k++) before += log_radius(axis, other, i - k) / WINDOW;
		for (int k = 1; k <= count; k++) after += log_radius(axis, other, i + k) / count;
		/* fewer samples are less sure */
		const double score = (after - before) * sqrt((double)count / WINDOW);
		if (!(score > best)) continue;
		best = score;
		found = i;
	}
	return (size_t)found;
}

size_t ossai_limb_axis_neck(const ossai_limb_axis *axis, const double *odds)
{
	double best = -INFINITY;
	int found = SAMPLES / 2;
	for (int i = 1; i < SAMPLES; i++) {
		double out = 0, in = 0;
		for (int k = 0; k < i; k++) out = fmax(out, axis->radius[k]);
		for (int k = i + 1; k <= SAMPLES; k++) in = fmax(in, axis->radius[k]);
		const double score = log(fmin(out, in) / axis->radius[i]) / NECK_DEPTH + odds[i];
		if (!(score > best)) continue;
		best = score;
		found = i;
	}
	return (size_t)found;
}
