/* curve/narrowing.c: see narrowing.h. */
#include "curve/narrowing.h"

#include <math.h>

/* points to each side that a radius is averaged over */
enum { SMOOTH = 3 };

/* A narrowing by less than this share of its radius is none, by the other it is a full one. */
static const double LEAST_NARROW = 0.05, FULL_NARROW = 0.15;

ossa_status ossai_narrowing_scratch_make(ossai_arena *arena, size_t count, ossai_narrowing_scratch *scratch)
{
	scratch->radius = ossai_arena_new(arena, count, sizeof *scratch->radius);
	scratch->peak = ossai_arena_new(arena, count, sizeof *scratch->peak);
	scratch->stack = ossai_arena_new(arena, count, sizeof *scratch->stack);
	scratch->other = ossai_arena_new(arena, count, sizeof *scratch->other);
	return scratch->radius && scratch->peak && scratch->other && scratch->stack ? OSSA_OK
																				: ossa_context_error(arena->context)->status;
}

static void smooth(size_t count, const double *radius, double *smoothed)
{
	for (size_t i = 0; i < count; i++) {
		size_t reach = i < SMOOTH ? i : SMOOTH;
		if (count - 1 - i < reach) reach = count - 1 - i;
		double sum = 0;
		for (size_t k = i - reach; k <= i + reach; k++) sum += radius[k];
		smoothed[i] = sum / (double)(2 * reach + 1);
	}
}

/* how high one can climb from each point towards the beginning (step 1) or the end (step -1)
   without going below it; the lower of both sides is kept */
static void climb(const ossai_narrowing_scratch *scratch, size_t count, bool backward, double *peak)
{
	size_t depth = 0;
	for (size_t k = 0; k < count; k++) {
		const uint32_t i = (uint32_t)(backward ? count - 1 - k : k);
		double highest = scratch->radius[i];
		/* points that are not lower are passed, up to their peak, which is kept beside them */
		while (depth > 0 && scratch->radius[scratch->stack[depth - 1]] >= scratch->radius[i]) {
			depth--;
			highest = fmax(highest, peak[scratch->stack[depth]]);
		}
		scratch->stack[depth++] = i;
		peak[i] = highest;
	}
}

double ossai_narrowing(
	const ossai_narrowing_scratch *scratch, size_t count, const double *arc, const double *radius, double base, double reach)
{
	const double length = arc[count - 1] - arc[0];
	if (!(length > 0)) return base;
	smooth(count, radius, scratch->radius);
	climb(scratch, count, false, scratch->peak);
	climb(scratch, count, true, scratch->other);
	double best = 0, at = base, narrow = 0;
	for (size_t i = 1; i + 1 < count; i++) {
		const double share = (arc[i] - arc[0]) / length, off = fabs(share - base);
		if (off > reach || !(scratch->radius[i] > 0)) continue;
		const double by = fmin(scratch->peak[i], scratch->other[i]) / scratch->radius[i] - 1;
		/* of equal ones the closer one */
		if (!(by * (1 - off) > best)) continue;
		best = by * (1 - off);
		at = share;
		narrow = by;
	}
	const double much = fmin(fmax((narrow - LEAST_NARROW) / (FULL_NARROW - LEAST_NARROW), 0), 1);
	return base + much * (at - base);
}
