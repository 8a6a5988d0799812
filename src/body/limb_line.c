/* body/limb_line.c: see limb_line.h. */
#include "body/limb_line.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* A straight limb's axis differs by this share of its length from a line, by Cauchy's distribution;
   its points, which depend on one another, tell as much as so many independent ones. */
static const double AXIS_NOISE = 0.012, INDEPENDENT = 4;

/* the first sample is one that lies ahead of the joint */
void ossai_limb_line_make(const ossai_limb_axis *axis, ossai_vec3 from, size_t inner, ossai_limb_line *line)
{
	size_t i = inner;
	while (i > 1 && ossai_dot(ossai_sub(axis->point[i], from), axis->along[i]) > -axis->step) i--;
	line->count = 0;
	for (line->point[0] = from, line->radius[0] = axis->radius[i], line->arc[0] = 0, line->count = 1;; i--) {
		const size_t n = line->count++;
		line->point[n] = axis->point[i];
		line->radius[n] = axis->radius[i];
		line->arc[n] = line->arc[n - 1] + ossai_distance(line->point[n - 1], line->point[n]);
		if (i == 0) return;
	}
}

ossai_vec3 ossai_limb_line_at(const ossai_limb_line *line, double arc, double *radius)
{
	size_t i = 0;
	while (i + 2 < line->count && line->arc[i + 1] < arc) i++;
	const double span = line->arc[i + 1] - line->arc[i];
	const double t = span > 0 ? fmin(fmax((arc - line->arc[i]) / span, 0), 1) : 0;
	if (radius) *radius = line->radius[i] + t * (line->radius[i + 1] - line->radius[i]);
	return ossai_lerp(line->point[i], line->point[i + 1], t);
}

/* How unlikely the line is, as far as `end`, as an axis of two bones that meet at `at`: a negative
   logarithm. It has no square of the distance, as a shoulder or a cuff may lie far off the bones. */
static double misfit(const ossai_limb_line *line, double at, double end, double noise)
{
	const ossai_vec3 first = line->point[0], middle = ossai_limb_line_at(line, at, NULL),
					 last = ossai_limb_line_at(line, end, NULL);
	double sum = 0, count = 0;
	for (size_t i = 1; i < line->count && line->arc[i] < end; i++) {
		const bool before = line->arc[i] < at;
		const ossai_vec3 near = ossai_nearest_on_segment(before ? first : middle, before ? middle : last, line->point[i]);
		sum += log1p(ossai_length2(ossai_sub(near, line->point[i])) / (noise * noise));
		count++;
	}
	return count > 0 ? INDEPENDENT * sum / count : 0;
}

ossai_range ossai_limb_line_bend(const ossai_limb_line *line, ossai_range place, double unit)
{
	enum { STEPS = 60 };
	const double end = 2 * place.mean * unit, noise = AXIS_NOISE * end;
	double at[STEPS], energy[STEPS], least = INFINITY, sum = 0, mean = 0, square = 0;
	for (int i = 0; i < STEPS; i++) {
		const double z = 6 * ((i + 0.5) / STEPS - 0.5); /* three deviations on both sides */
		at[i] = (place.mean + z * place.deviation) * unit;
		energy[i] = z * z / 2 + misfit(line, at[i], end, noise);
		least = fmin(least, energy[i]);
	}
	for (int i = 0; i < STEPS; i++) {
		const double weight = exp(least - energy[i]);
		sum += weight;
		mean += weight * at[i];
		square += weight * at[i] * at[i];
	}
	mean /= sum;
	return (ossai_range){mean, sqrt(fmax(square / sum - mean * mean, 0))};
}
