/* weights/heat_sources.c: see heat_sources.h. */
#include "weights/heat_sources.h"

#include "base/clones.h"

enum { POINTS_PER_RANGE = 256, BATCH = 256 };

/* Bones within this factor of the nearest distance tie with it (as in the authors' program);
   distances are at least this share of the size. */
static const double tie = 1.0001, nearest_distance = 1e-4;

ossa_status ossai_heat_sources_make(
	ossai_arena *arena, size_t point_count, const ossai_bone_segments *segments, ossai_heat_sources *s)
{
	*s = (ossai_heat_sources){.point_count = point_count, .segments = segments};
	s->rate = ossai_arena_new(arena, point_count, sizeof *s->rate);
	s->bone = ossai_arena_new(arena, point_count, OSSAI_HEAT_TIES * sizeof *s->bone);
	s->count = ossai_arena_new(arena, point_count, sizeof *s->count);
	s->posed = ossai_arena_new(arena, segments->count, sizeof *s->posed);
	s->x = ossai_arena_new(arena, segments->count, 7 * sizeof *s->x);
	if (!s->rate || !s->bone || !s->count || !s->posed || !s->x) return ossa_context_error(arena->context)->status;
	double **part[] = {&s->y, &s->z, &s->u, &s->v, &s->w, &s->inverse};
	for (size_t i = 0; i < 6; i++) *part[i] = s->x + (i + 1) * segments->count;
	return OSSA_OK;
}

static void pose_segments(const ossai_bone_motion *motion, size_t pose, ossai_heat_sources *s)
{
	for (size_t i = 0; i < s->segments->count; i++) {
		const ossai_segment posed = s->posed[i] = ossai_segment_posed(&s->segments->list[i], motion, pose);
		const ossai_vec3 direction = ossai_sub(posed.to, posed.from);
		const double length2 = ossai_length2(direction);
		s->x[i] = posed.from.x;
		s->y[i] = posed.from.y;
		s->z[i] = posed.from.z;
		s->u[i] = direction.x;
		s->v[i] = direction.y;
		s->w[i] = direction.z;
		s->inverse[i] = length2 > 0 ? 1 / length2 : 0;
	}
}

/* squared distances from a point to segments [begin, end) */
OSSAI_CLONES static void measure(const ossai_heat_sources *s, ossai_vec3 point, size_t begin, size_t end, double *distance2)
{
	const double *x = s->x, *y = s->y, *z = s->z, *u = s->u, *v = s->v, *w = s->w, *inverse = s->inverse;
	for (size_t i = begin; i < end; i++) {
		const double dx = point.x - x[i], dy = point.y - y[i], dz = point.z - z[i];
		double along = (dx * u[i] + dy * v[i] + dz * w[i]) * inverse[i];
		along = along > 0 ? along : 0;
		along = along < 1 ? along : 1;
		const double ex = dx - along * u[i], ey = dy - along * v[i], ez = dz - along * w[i];
		distance2[i - begin] = ex * ex + ey * ey + ez * ez;
	}
}

typedef struct fill_job {
	const ossai_interior *interior;
	double heat;
	ossai_heat_sources *sources;
} fill_job;

static double rate_at(double heat, double distance2)
{
	const double least2 = nearest_distance * nearest_distance;
	return heat / (distance2 > least2 ? distance2 : least2);
}

static double nearest2(const ossai_heat_sources *s, ossai_vec3 point)
{
	double distance2[BATCH], least = INFINITY;
	for (size_t begin = 0; begin < s->segments->count; begin += BATCH) {
		const size_t end = begin + BATCH < s->segments->count ? begin + BATCH : s->segments->count;
		measure(s, point, begin, end, distance2);
		for (size_t i = 0; i < end - begin; i++) least = distance2[i] < least ? distance2[i] : least;
	}
	return least;
}

/* the segments that tie, one per bone, at most OSSAI_HEAT_TIES */
static size_t collect_ties(const ossai_heat_sources *s, ossai_vec3 point, double least2, uint32_t *segments)
{
	double distance2[BATCH];
	size_t count = 0;
	for (size_t begin = 0; begin < s->segments->count; begin += BATCH) {
		const size_t end = begin + BATCH < s->segments->count ? begin + BATCH : s->segments->count;
		measure(s, point, begin, end, distance2);
		for (size_t i = begin; i < end && count < OSSAI_HEAT_TIES; i++) {
			if (distance2[i - begin] > least2 * tie * tie) continue;
			size_t known = 0;
			while (known < count && s->posed[segments[known]].bone != s->posed[i].bone) known++;
			if (known == count) segments[count++] = (uint32_t)i;
		}
	}
	return count;
}

static void fill_point(const fill_job *job, uint32_t p)
{
	ossai_heat_sources *s = job->sources;
	const ossai_vec3 point = ossai_v3_of(job->interior->positions + 3 * (size_t)p);
	const double least2 = nearest2(s, point);
	uint32_t tied[OSSAI_HEAT_TIES];
	const size_t count = collect_ties(s, point, least2, tied);
	uint16_t *bones = s->bone + (size_t)p * OSSAI_HEAT_TIES;
	/* visible ones first; where none is, all are kept for the case that no point of the piece sees
	   any */
	size_t visible = 0;
	for (size_t i = 0; i < count; i++) {
		const ossai_segment *segment = &s->posed[tied[i]];
		if (ossai_visibility_inside(&job->interior->visibility, p, ossai_segment_nearest(segment, point)))
			bones[visible++] = (uint16_t)segment->bone;
	}
	s->rate[p] = visible > 0 ? rate_at(job->heat, least2) : 0;
	s->count[p] = (uint8_t)(visible > 0 ? visible : count);
	for (size_t i = 0; visible == 0 && i < count; i++) bones[i] = (uint16_t)s->posed[tied[i]].bone;
}

static void fill_range(void *arg, size_t begin, size_t end)
{
	for (size_t p = begin; p < end; p++) fill_point(arg, (uint32_t)p);
}

void ossai_heat_sources_fill(ossa_context *context, const ossai_interior *interior, const ossai_bone_motion *motion,
	size_t pose, double heat, ossai_heat_sources *sources)
{
	pose_segments(motion, pose, sources);
	fill_job job = {interior, heat, sources};
	ossai_parallel_for(context, sources->point_count, POINTS_PER_RANGE, fill_range, &job);
}

double ossai_heat_rate_of(const ossai_heat_sources *sources, ossai_vec3 point, double heat)
{
	return rate_at(heat, nearest2(sources, point));
}
