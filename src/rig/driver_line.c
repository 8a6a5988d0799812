/* rig/driver_line.c: see driver_line.h. */
#include "rig/driver_line.h"

#include "rig/dependencies.h"

#include <math.h>

static double weight_of(const ossai_driver *a, size_t frame)
{
	return a->sureness ? a->sureness[frame] * a->sureness[frame] : 1;
}

/* weighted sums over the frames */
typedef struct sums {
	double n, a, b, aa, ab, bb;
} sums;

static sums sum_up(const ossai_driver *a, size_t frame_count, const double *angle)
{
	sums s = {0};
	for (size_t k = 0; k < frame_count; k++) {
		const double w = weight_of(a, k), x = a->angle[k], y = angle[k];
		s.n += w;
		s.a += w * x;
		s.b += w * y;
		s.aa += w * x * x;
		s.ab += w * x * y;
		s.bb += w * y * y;
	}
	return s;
}

/* the least squares; false where a's angle does not change */
static bool fit(
	const ossai_driver *a, size_t frame_count, double unsure, const sums *s, int parameters, ossai_driver_line *found)
{
	const double mean_a = parameters > 1 ? s->a / s->n : 0, mean_b = parameters > 1 ? s->b / s->n : 0;
	const double aa = s->aa - s->n * mean_a * mean_a, bb = s->bb - s->n * mean_b * mean_b, ab = s->ab - s->n * mean_a * mean_b;
	const double n = (double)frame_count, mean = s->b / (s->n + 1);
	if (!(aa > 0)) return false;
	*found = (ossai_driver_line){.ratio = ab / aa, .parameters = parameters, .square = fmax(bb - ab * ab / aa, 0) / n};
	found->error = found->square;
	found->offset = mean_b - found->ratio * mean_a;
	found->variance = parameters > 1 ? bb / (s->n + 1) : s->bb / (s->n + 1) - mean * mean;
	found->unsure = unsure + fabs(found->ratio) * a->unsure;
	return found->ratio != 0 && fabs(found->ratio) <= OSSAI_DEPENDENCY_MOST && fabs(found->offset) <= OSSAI_DEPENDENCY_MOST;
}

/* each frame alike */
static void find_error(const ossai_driver *a, size_t frame_count, const double *angle, ossai_driver_line *found)
{
	const double offset = found->parameters > 1 ? found->offset : 0;
	double sum = 0;
	for (size_t k = 0; k < frame_count; k++) {
		const double off = angle[k] - found->ratio * a->angle[k] - offset;
		sum += off * off;
	}
	found->error = sum / (double)frame_count;
}

double ossai_driver_line_share(const ossai_driver_line *l) { return l->square / (l->unsure * l->unsure); }

bool ossai_driver_line_find(
	const ossai_driver *a, size_t frame_count, const double *angle, double unsure, ossai_driver_line *found)
{
	const sums s = sum_up(a, frame_count, angle);
	for (int parameters = 1; parameters <= 2; parameters++) {
		if (!fit(a, frame_count, unsure, &s, parameters, found)) continue;
		const double share = ossai_driver_line_share(found);
		if (!(share - 1 - log(fmax(share, 1)) < 2)) continue;
		if (a->sureness) find_error(a, frame_count, angle, found);
		return true;
	}
	return false;
}
