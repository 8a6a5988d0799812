/* math/kmeans.c: see kmeans.h. */
#include "math/kmeans.h"

#include "math/lanes.h"

#include <math.h>
#include <string.h>

enum { STARTS_MOST = 16, ROUNDS = 40 };
/* lanes of points whose distances are measured side by side */
enum { WIDE = 4 };

/* a start must be better by this share to be preferred to an earlier one, so that rounding does not
   decide */
static const double least_gain = 1e-9;

/* multiplications of a round of all starts above which starts are saved: with hundreds of groups of
   few points each they hardly differ */
static const double work_most = 1e7;

/* multiplications of a round above which computing the distances between means pays off */
static const double work_wide = 3e7;
/* a mean twice as far from a point's own as the point is cannot be nearer; with a margin for
   rounding */
static const double far_enough = 4 * (1 + 1e-9);

/* One start: everything that it writes. */
typedef struct start {
	double *mean;     /* groups x dimension */
	double *size;     /* groups */
	double *nearest;  /* count: squared distance to the nearest mean */
	double *distance; /* count: to one mean */
	uint32_t *group;  /* count */
	/* groups x groups: squared distances of the means; NULL where it does not pay */
	double *apart;
	double spread;
	bool is_done;
} start;

typedef struct kmeans {
	size_t count, dimension, groups, starts;
	int round;
	const double *points;
	double *by_axis; /* dimension x count */
	start *start;
} kmeans;

static double random_share(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* Squared distances from a mean, of as many points as `wide` lanes hold. To be inlined with a
   literal: the sums then stay in registers. */
OSSAI_INLINE void measure_block(const kmeans *k, const double *mean, size_t begin, size_t wide, double *distance)
{
	ossai_lanes sum[WIDE];
#pragma GCC unroll 4
	for (size_t i = 0; i < wide; i++) sum[i] = ossai_lanes_all(0);
	for (size_t d = 0; d < k->dimension; d++) {
		const double *at = k->by_axis + d * k->count + begin;
#pragma GCC unroll 4
		for (size_t i = 0; i < wide; i++) {
			ossai_lanes x;
			ossai_lanes_load(at + i * OSSAI_LANES, &x);
			x -= mean[d];
			sum[i] += x * x;
		}
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < wide; i++) ossai_lanes_store(&sum[i], distance + begin + i * OSSAI_LANES);
}

OSSAI_CLONES static void measure(const kmeans *k, const double *mean, double *distance)
{
	size_t i = 0;
	for (; i + WIDE * OSSAI_LANES <= k->count; i += WIDE * OSSAI_LANES) measure_block(k, mean, i, WIDE, distance);
	for (; i + OSSAI_LANES <= k->count; i += OSSAI_LANES) measure_block(k, mean, i, 1, distance);
	for (; i < k->count; i++) {
		distance[i] = 0;
		for (size_t d = 0; d < k->dimension; d++) {
			const double step = k->by_axis[d * k->count + i] - mean[d];
			distance[i] += step * step;
		}
	}
}

/* ---- starts ---- */

static size_t farthest_of(const kmeans *k, const double *distance)
{
	size_t best = 0;
	for (size_t i = 1; i < k->count; i++) {
		if (distance[i] > distance[best]) best = i;
	}
	return best;
}

/* a point with a chance in proportion to its squared distance */
static size_t draw(const kmeans *k, const double *distance, uint64_t *random)
{
	double sum = 0;
	for (size_t i = 0; i < k->count; i++) sum += distance[i];
	double left = sum * random_share(random);
	for (size_t i = 0; i < k->count; i++) {
		left -= distance[i];
		if (left < 0) return i;
	}
	return farthest_of(k, distance);
}

/* the points that are nearer to a mean than to those before it are its group's */
static void take_nearer(const kmeans *k, start *s, size_t group)
{
	measure(k, s->mean + group * k->dimension, s->distance);
	for (size_t i = 0; i < k->count; i++) {
		if (!(s->distance[i] < s->nearest[i])) continue;
		s->nearest[i] = s->distance[i];
		s->group[i] = (uint32_t)group;
	}
}

static void forget_groups(const kmeans *k, start *s)
{
	for (size_t i = 0; i < k->count; i++) s->nearest[i] = INFINITY;
}

/* The mean of all is what the first point is farthest from. Every point has its group at the
   end. */
static void begin_at(const kmeans *k, start *s, size_t number)
{
	uint64_t random = number;
	for (size_t d = 0; d < k->dimension; d++) {
		double sum = 0;
		for (size_t i = 0; i < k->count; i++) sum += k->by_axis[d * k->count + i];
		s->mean[d] = sum / (double)k->count;
	}
	measure(k, s->mean, s->nearest);
	for (size_t g = 0; g < k->groups; g++) {
		const size_t i = number == 0 ? farthest_of(k, s->nearest) : draw(k, s->nearest, &random);
		memcpy(s->mean + g * k->dimension, k->points + i * k->dimension, k->dimension * sizeof *s->mean);
		if (g == 0) forget_groups(k, s);
		take_nearer(k, s, g);
	}
}

/* ---- rounds ---- */

static void assign(const kmeans *k, start *s)
{
	forget_groups(k, s);
	for (size_t g = 0; g < k->groups; g++) take_nearer(k, s, g);
}

/* the squared distance, or a number above `most` where it is */
OSSAI_CLONES static double square_between(const double *a, const double *b, size_t dimension, double most)
{
	enum { LANES = 8, BLOCK = 32 };
	double lanes[LANES] = {0}, sum = 0;
	size_t d = 0;
	while (d + BLOCK <= dimension) {
		for (const size_t end = d + BLOCK; d < end; d += LANES) {
			for (size_t i = 0; i < LANES; i++) lanes[i] += (a[d + i] - b[d + i]) * (a[d + i] - b[d + i]);
		}
		sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
		if (sum > most) return sum;
	}
	for (; d < dimension; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
	return sum;
}

/* Every point, beginning with the group that it is in: most other means are too far from its own to
   be nearer (C. Elkan, Using the Triangle Inequality to Accelerate k-Means, 2003). Ties go to the
   first, as in assign. */
static void assign_again(const kmeans *k, start *s)
{
	const size_t n = k->groups, d = k->dimension;
	for (size_t a = 0; a < n; a++) {
		for (size_t b = 0; b < a; b++) {
			s->apart[a * n + b] = s->apart[b * n + a] = square_between(s->mean + a * d, s->mean + b * d, d, INFINITY);
		}
	}
	for (size_t i = 0; i < k->count; i++) {
		const uint32_t own = s->group[i];
		const double *point = k->points + i * d, *apart = s->apart + own * n;
		const double first = square_between(point, s->mean + own * d, d, INFINITY);
		s->nearest[i] = first;
		for (size_t g = 0; g < n; g++) {
			if (g == own || apart[g] > far_enough * first) continue;
			const double square = square_between(point, s->mean + g * d, d, s->nearest[i]);
			if (square > s->nearest[i] || (square == s->nearest[i] && g > s->group[i])) continue;
			s->nearest[i] = square;
			s->group[i] = (uint32_t)g;
		}
	}
}

static void find_means(const kmeans *k, start *s)
{
	memset(s->mean, 0, k->groups * k->dimension * sizeof *s->mean);
	memset(s->size, 0, k->groups * sizeof *s->size);
	for (size_t i = 0; i < k->count; i++) {
		double *mean = s->mean + s->group[i] * k->dimension;
		for (size_t d = 0; d < k->dimension; d++) mean[d] += k->points[i * k->dimension + d];
		s->size[s->group[i]]++;
	}
	for (size_t g = 0; g < k->groups; g++) {
		for (size_t d = 0; s->size[g] > 0 && d < k->dimension; d++) s->mean[g * k->dimension + d] /= s->size[g];
	}
	/* a group that lost all its points takes the point farthest from its mean */
	for (size_t g = 0; g < k->groups; g++) {
		if (s->size[g] > 0) continue;
		const size_t i = farthest_of(k, s->nearest);
		memcpy(s->mean + g * k->dimension, k->points + i * k->dimension, k->dimension * sizeof *s->mean);
		s->nearest[i] = 0;
	}
}

static double spread_of(const kmeans *k, const start *s)
{
	double sum = 0;
	for (size_t i = 0; i < k->count; i++) sum += s->nearest[i];
	return sum;
}

static void begin_starts(void *arg, size_t begin, size_t end)
{
	const kmeans *k = arg;
	for (size_t n = begin; n < end; n++) {
		begin_at(k, &k->start[n], n);
		k->start[n].spread = INFINITY;
	}
}

/* one round of every start that still gains */
static void run_round(void *arg, size_t begin, size_t end)
{
	const kmeans *k = arg;
	for (size_t n = begin; n < end; n++) {
		start *s = &k->start[n];
		if (s->is_done) continue;
		/* in the first round points have their groups already */
		if (k->round > 0 && s->apart) assign_again(k, s);
		else if (k->round > 0) assign(k, s);
		const double spread = spread_of(k, s);
		s->is_done = !(spread < s->spread * (1 - least_gain));
		if (s->is_done) continue;
		s->spread = spread;
		find_means(k, s);
	}
}

static bool all_done(const kmeans *k)
{
	for (size_t n = 0; n < k->starts; n++) {
		if (!k->start[n].is_done) return false;
	}
	return true;
}

static ossa_status run_starts(ossa_context *context, kmeans *k)
{
	ossai_parallel_for(context, k->starts, 1, begin_starts, k);
	for (k->round = 0; k->round < ROUNDS && !all_done(k); k->round++) {
		OSSAI_TRY(ossai_ask(context));
		ossai_parallel_for(context, k->starts, 1, run_round, k);
	}
	return ossai_ask(context);
}

/* ---- the best ---- */

static ossa_status allocate(ossai_arena *arena, kmeans *k)
{
	k->by_axis = ossai_arena_new(arena, k->dimension, k->count * sizeof *k->by_axis);
	k->start = ossai_arena_zero(arena, k->starts, sizeof *k->start);
	bool all = k->by_axis && k->start;
	for (size_t n = 0; all && n < k->starts; n++) {
		start *s = &k->start[n];
		s->mean = ossai_arena_new(arena, k->groups, k->dimension * sizeof *s->mean);
		s->size = ossai_arena_new(arena, k->groups, sizeof *s->size);
		s->nearest = ossai_arena_new(arena, k->count, sizeof *s->nearest);
		s->distance = ossai_arena_new(arena, k->count, sizeof *s->distance);
		s->group = ossai_arena_zero(arena, k->count, sizeof *s->group);
		all = s->mean && s->size && s->nearest && s->distance && s->group;
		if (all && (double)k->count * (double)k->groups * (double)k->dimension > work_wide) {
			s->apart = ossai_arena_zero(arena, k->groups, k->groups * sizeof *s->apart);
			all = s->apart != NULL;
		}
	}
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* numbers the groups by their first point; `number` is scratch */
static size_t number_groups(const kmeans *k, const uint32_t *group, uint32_t *number, uint32_t *group_of_point)
{
	size_t numbered = 0;
	memset(number, 0xff, k->groups * sizeof *number);
	for (size_t i = 0; i < k->count; i++) {
		if (number[group[i]] == UINT32_MAX) number[group[i]] = (uint32_t)numbered++;
		group_of_point[i] = number[group[i]];
	}
	return numbered;
}

ossa_status ossai_kmeans(ossa_context *context, size_t count, size_t dimension, const double *points, size_t groups,
	uint32_t *group_of_point, size_t *group_count, double *spread)
{
	if (groups > count) groups = count;
	kmeans k = {.count = count, .dimension = dimension, .groups = groups, .points = points};
	const double affordable = work_most / ((double)count * (double)groups * (double)dimension + 1);
	k.starts = affordable > STARTS_MOST ? STARTS_MOST : affordable < 1 ? 1 : (size_t)affordable;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = allocate(&arena, &k);
	uint32_t *number = ossai_arena_new(&arena, groups, sizeof *number);
	if (!number) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		for (size_t i = 0; i < count * dimension; i++) k.by_axis[i % dimension * count + i / dimension] = points[i];
		status = run_starts(context, &k);
	}
	if (status == OSSA_OK) {
		const start *best = &k.start[0];
		for (size_t n = 1; n < k.starts; n++) {
			if (k.start[n].spread < best->spread * (1 - least_gain)) best = &k.start[n];
		}
		*group_count = number_groups(&k, best->group, number, group_of_point);
		*spread = best->spread;
	}
	ossai_arena_end(&arena);
	return status;
}
