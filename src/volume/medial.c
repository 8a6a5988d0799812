/* volume/medial.c: see medial.h.

   The ball of a neighbour u = v + o cuts a cap off the ball of v: the directions n with n.o >= (d_v + o.o - d_u) / 2R, d squared distances
   and R the radius sqrt(d_v). With g = d_u - d_v - o.o: what no neighbour covers lies in the polyhedron {x: x.o <= -g_o / 2R}, and so beyond its
   point nearest to v's center. Any w that is a sum of o's with weights c >= 0 bounds how near: x.w <= -c.g / 2R, hence |x| >= c.g / 2R|w|. The
   best of these over the 48 cones that three neighbours span (one, two and three directions of a sorted octant) is the cosine of
   a cap that holds all that is uncovered. */
#include "volume/medial.h"

#include "base/union_find.h"
#include "volume/neighbors.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 2048, STAR_MAX = 8 };

/* What is exposed of a ball is more than the steps of the surface's own voxels only where it spreads over this many voxels. */
static const double SPREAD = 3.0;

/* Unevenness reaches along the skin from where a ridge comes out of it. The way up is looked at between so many voxels. */
static const double FRINGE_NEAR = 2, FRINGE_FAR = 8;

/* Depths next to the skin are this much off at most: what is on it has a depth of 1. */
static const double SKIN_DEPTH = 2, SKIN_ERROR = 0.5;

/* how a voxel is part of the surface */
enum { IS_NOT, IS_EXPOSED, CONNECTS };

/* the cones of three neighbours that meet in a neighbour's direction */
typedef struct star {
	int count;
	uint8_t cone[STAR_MAX][3]; /* neighbours one, two, three steps long (squared) */
} star;

typedef struct medial_work {
	const ossai_voxels *voxels;
	ossai_neighbors around;
	star stars[OSSAI_NEIGHBORS];
	ossai_vec3 centroid; /* in cells */
	double least;        /* exposure */
	float *exposure;     /* N */
	uint32_t *up;        /* N: the neighbour that lies in the direction of steepest ascent; itself where it is a top */
	uint8_t *is;         /* N */
} medial_work;

/* ---- exposure ---- */

static void stars_make(star *stars)
{
	static const uint8_t ORDER[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) stars[i].count = 0;
	for (int k = 0; k < 48; k++) {
		int step[3] = {0, 0, 0};
		uint8_t cone[3];
		for (int i = 0; i < 3; i++) {
			const int axis = ORDER[k / 8][i];
			step[axis] = (k >> axis) & 1 ? 1 : -1;
			cone[i] = (uint8_t)ossai_neighbor_of_step(step[0], step[1], step[2]);
		}
		for (int i = 0; i < 3; i++) {
			star *at = &stars[cone[i]];
			memcpy(at->cone[at->count++], cone, sizeof cone);
		}
	}
}

/* the largest square of c.g / |w| over the directions w that three neighbours span; not those along one of them */
static float cone_square(float a, float b, float c)
{
	/* the gradient in the cone's own axes: along a, then b - a, then c - b */
	const float x = a, y = b - a, z = c - b;
	if (x >= y && y >= z && z >= 0) return x * x + y * y + z * z;
	float best = 0;
	/* between a and b, b and c, a and c */
	if (x >= y && y >= 0) best = x * x + y * y;
	if (b >= 2 * z && z >= 0 && b * b / 2 + z * z > best) best = b * b / 2 + z * z;
	const float yz = c - a;
	if (2 * x >= yz && yz >= 0 && x * x + yz * yz / 2 > best) best = x * x + yz * yz / 2;
	return best;
}

/* the cosine of the cap; 0 where nothing says that it is smaller than half the ball */
static float cap_cosine(const star *stars, const uint8_t *squared, const float *g, float distance2)
{
	float best = 0;
	int steepest = -1;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const float square = g[i] * g[i] / squared[i];
		if (g[i] > 0 && square > best) {
			best = square;
			steepest = i;
		}
	}
	if (steepest < 0) return 0;
	const star *s = &stars[steepest];
	for (int i = 0; i < s->count; i++) {
		const float square = cone_square(g[s->cone[i][0]], g[s->cone[i][1]], g[s->cone[i][2]]);
		if (square > best) best = square;
	}
	const float cosine = sqrtf(best / (4 * distance2));
	return cosine < 1 ? cosine : 1;
}

static double distance2_to_centroid(const medial_work *work, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(work->voxels, voxel, at);
	return ossai_length2(ossai_sub(ossai_v3(at[0], at[1], at[2]), work->centroid));
}

/* whether a comes before b: deeper, else nearer to the middle of all, else first */
static bool ranks_before(const medial_work *work, uint32_t a, uint32_t b)
{
	const uint32_t depth_a = work->voxels->distance2[a], depth_b = work->voxels->distance2[b];
	if (depth_a != depth_b) return depth_a > depth_b;
	const double far_a = distance2_to_centroid(work, a), far_b = distance2_to_centroid(work, b);
	return far_a != far_b ? far_a < far_b : a < b;
}

static void measure_voxel(medial_work *work, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	const ossai_neighbors *around = &work->around;
	const float depth = (float)voxels->distance2[v];
	float g[OSSAI_NEIGHBORS];
	uint32_t up = v;
	float steepest = 0;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[v] + around->offset[i]];
		g[i] = (u == OSSA_NONE ? 0 : (float)voxels->distance2[u]) - depth - around->squared[i];
		if (u == OSSA_NONE || voxels->distance2[u] < voxels->distance2[v]) continue;
		const float slope = g[i] / (float)around->length[i];
		if (up != v && slope < steepest) continue;
		if (!ranks_before(work, u, up != v && slope == steepest ? up : v)) continue;
		up = u;
		steepest = slope;
	}
	const float cosine = cap_cosine(work->stars, around->squared, g, depth);
	const double spread = 2 * sqrt(depth * (1 - (double)cosine * cosine)), most = 2 * sqrt(depth);
	work->up[v] = up;
	work->exposure[v] = (1 - cosine) / 2;
	work->is[v] = up == v || (work->exposure[v] >= work->least && spread >= fmin(SPREAD, 0.8 * most)) ? IS_EXPOSED : IS_NOT;
}

static void measure_range(void *arg, size_t begin, size_t end)
{
	for (size_t v = begin; v < end; v++) measure_voxel(arg, (uint32_t)v);
}

static double distance2_between(const ossai_voxels *voxels, uint32_t a, uint32_t b)
{
	uint32_t at_a[3], at_b[3];
	ossai_voxel_at(voxels, a, at_a);
	ossai_voxel_at(voxels, b, at_b);
	return ossai_length2(ossai_sub(ossai_v3(at_a[0], at_a[1], at_a[2]), ossai_v3(at_b[0], at_b[1], at_b[2])));
}

/* whether the way up from a voxel gets deeper so fast that it is on no ridge: on one that is exposed it does so by 1 - 2 exposure at most */
static bool is_fringe(const medial_work *work, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	const double radius = sqrt(voxels->distance2[v]), error = radius < SKIN_DEPTH ? SKIN_ERROR : 0;
	for (uint32_t w = v; work->up[w] != w;) {
		w = work->up[w];
		const double far = sqrt(distance2_between(voxels, v, w));
		if (far < FRINGE_NEAR) continue;
		if (sqrt(voxels->distance2[w]) - radius >= (1 - work->least) * far - error) return true;
		if (far > FRINGE_FAR) return false;
	}
	return false;
}

static void trim_range(void *arg, size_t begin, size_t end)
{
	medial_work *work = arg;
	for (size_t v = begin; v < end; v++) {
		if (work->is[v] && is_fringe(work, (uint32_t)v)) work->is[v] = IS_NOT;
	}
}

/* ---- connecting ---- */

typedef struct ranked {
	uint32_t depth, voxel;
	double far;
} ranked;

static int by_rank(const void *x, const void *y)
{
	const ranked *a = x, *b = y;
	if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
	if (a->far != b->far) return a->far < b->far ? -1 : 1;
	return a->voxel < b->voxel ? -1 : a->voxel > b->voxel;
}

/* sets of exposed voxels that touch */
static void gather_sets(const medial_work *work, uint32_t *set)
{
	const ossai_voxels *voxels = work->voxels;
	ossai_union_begin(set, voxels->count);
	for (uint32_t v = 0; v < voxels->count; v++) {
		if (!work->is[v]) continue;
		for (int i = 0; i < OSSAI_NEIGHBORS / 2; i++) {
			const uint32_t u = voxels->of_cell[voxels->cell[v] + work->around.offset[i]];
			if (u != OSSA_NONE && work->is[u]) ossai_union_join(set, v, u);
		}
	}
}

/* per voxel: the first exposed one above it on its ascent; OSSA_NONE where it is a top */
static void find_next(const medial_work *work, uint32_t *next)
{
	const size_t count = work->voxels->count;
	const uint32_t open = OSSA_NONE - 1;
	for (size_t v = 0; v < count; v++) next[v] = work->up[v] == v ? OSSA_NONE : open;
	for (uint32_t v = 0; v < count; v++) {
		uint32_t at = v;
		while (next[at] == open && !work->is[work->up[at]]) at = work->up[at];
		const uint32_t found = next[at] == open ? work->up[at] : next[at];
		for (at = v; next[at] == open && !work->is[work->up[at]]; at = work->up[at]) next[at] = found;
		if (next[at] == open) next[at] = found;
	}
}

/* `next` of exposed voxels becomes the first above them that is of another set */
static void leave_sets(const medial_work *work, uint32_t *set, uint32_t *next)
{
	const size_t count = work->voxels->count;
	for (uint32_t v = 0; v < count; v++) {
		if (!work->is[v]) continue;
		const uint32_t own = ossai_union_find(set, v);
		uint32_t found = next[v];
		while (found != OSSA_NONE && ossai_union_find(set, found) == own) found = next[found];
		for (uint32_t at = v, up; (up = next[at]) != found; at = up) next[at] = found;
	}
}

/* sets of which each voxel lies in the ball that its ascent leads to are unevenness of the skin; `next` is room for N numbers, and
   `stands` N zeros */
static void drop_unevenness(medial_work *work, uint32_t *set, uint32_t *next, uint8_t *stands)
{
	const ossai_voxels *voxels = work->voxels;
	find_next(work, next);
	leave_sets(work, set, next);
	for (uint32_t v = 0; v < voxels->count; v++) {
		if (!work->is[v]) continue;
		const uint32_t up = next[v];
		if (up == OSSA_NONE || sqrt(distance2_between(voxels, v, up)) > sqrt(voxels->distance2[up]) + 1)
			stands[ossai_union_find(set, v)] = 1;
	}
	/* a set that goes holds nothing together any more */
	for (uint32_t v = 0; v < voxels->count; v++) next[v] = work->is[v] && !stands[ossai_union_find(set, v)];
	for (uint32_t v = 0; v < voxels->count; v++) {
		if (!next[v]) continue;
		work->is[v] = IS_NOT;
		set[v] = v;
	}
}

/* the neighbour of highest rank above v that is of another set; OSSA_NONE */
static uint32_t highest_across(const medial_work *work, uint32_t *set, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	const uint32_t own = ossai_union_find(set, v);
	uint32_t best = OSSA_NONE;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[v] + work->around.offset[i]];
		if (u == OSSA_NONE || ossai_union_find(set, u) == own || !ranks_before(work, u, best == OSSA_NONE ? v : best)) continue;
		best = u;
	}
	return best;
}

/* whether a voxel has a neighbour of another set; all sets are flat */
static bool touches_another(const medial_work *work, const uint32_t *set, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[v] + work->around.offset[i]];
		if (u != OSSA_NONE && set[u] != set[v]) return true;
	}
	return false;
}

static void mark_ascent(medial_work *work, uint32_t v)
{
	for (; !work->is[v]; v = work->up[v]) work->is[v] = CONNECTS;
}

/* joins sets where the pass between them is deepest, until all are one */
static ossa_status connect(ossai_arena *scratch, medial_work *work)
{
	const size_t count = work->voxels->count;
	uint32_t *set = ossai_arena_new(scratch, count, sizeof *set), *next = ossai_arena_new(scratch, count, sizeof *next);
	uint8_t *stands = ossai_arena_zero(scratch, count, 1);
	if (!set || !next || !stands) return ossa_context_error(scratch->context)->status;
	gather_sets(work, set);
	drop_unevenness(work, set, next, stands);
	/* with each set all from which the ascent leads there */
	for (uint32_t v = 0; v < count; v++) {
		if (!work->is[v]) ossai_union_join(set, v, work->up[v]);
	}
	size_t sets = 0, borders = 0;
	for (uint32_t v = 0; v < count; v++) {
		set[v] = ossai_union_find(set, v);
		sets += set[v] == v;
	}
	if (sets < 2) return OSSA_OK;
	for (uint32_t v = 0; v < count; v++) borders += stands[v] = touches_another(work, set, v);
	if (borders == 0) return OSSA_OK;
	ranked *border = ossai_arena_new(scratch, borders, sizeof *border);
	if (!border) return ossa_context_error(scratch->context)->status;
	borders = 0;
	for (uint32_t v = 0; v < count; v++) {
		if (stands[v]) border[borders++] = (ranked){work->voxels->distance2[v], v, distance2_to_centroid(work, v)};
	}
	qsort(border, borders, sizeof *border, by_rank);
	for (size_t i = 0; i < borders; i++) {
		const uint32_t v = border[i].voxel;
		for (uint32_t u; (u = highest_across(work, set, v)) != OSSA_NONE;) {
			ossai_union_join(set, u, v);
			mark_ascent(work, u);
			mark_ascent(work, v);
		}
	}
	return OSSA_OK;
}

/* ---- all of it ---- */

static ossai_vec3 centroid_of(const ossai_voxels *voxels)
{
	double sum[3] = {0, 0, 0};
	for (uint32_t v = 0; v < voxels->count; v++) {
		uint32_t at[3];
		ossai_voxel_at(voxels, v, at);
		for (int i = 0; i < 3; i++) sum[i] += at[i];
	}
	return ossai_scale(ossai_v3_of(sum), voxels->count > 0 ? 1 / (double)voxels->count : 0);
}

static ossa_status collect(ossai_arena *arena, const medial_work *work, ossai_medial *medial)
{
	const size_t count = work->voxels->count;
	size_t kept = 0;
	for (size_t v = 0; v < count; v++) kept += work->is[v] != IS_NOT;
	*medial = (ossai_medial){.count = kept,
		.voxel = ossai_arena_new(arena, kept, sizeof *medial->voxel),
		.exposure = ossai_arena_new(arena, kept, sizeof *medial->exposure),
		.of_voxel = ossai_arena_new(arena, count, sizeof *medial->of_voxel)};
	if (!medial->voxel || !medial->exposure || !medial->of_voxel) return ossa_context_error(arena->context)->status;
	kept = 0;
	for (uint32_t v = 0; v < count; v++) {
		medial->of_voxel[v] = OSSA_NONE;
		if (work->is[v] == IS_NOT) continue;
		medial->voxel[kept] = v;
		medial->exposure[kept] = work->is[v] == IS_EXPOSED ? work->exposure[v] : 0;
		medial->of_voxel[v] = (uint32_t)kept++;
	}
	return OSSA_OK;
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, medial_work *work, ossai_medial *medial)
{
	ossa_context *context = arena->context;
	const size_t count = work->voxels->count;
	work->exposure = ossai_arena_new(scratch, count, sizeof *work->exposure);
	work->up = ossai_arena_new(scratch, count, sizeof *work->up);
	work->is = ossai_arena_new(scratch, count, sizeof *work->is);
	if (!work->exposure || !work->up || !work->is) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_progress(context, 0));
	ossai_parallel_for(context, count, GRAIN, measure_range, work);
	ossai_parallel_for(context, count, GRAIN, trim_range, work);
	OSSAI_TRY(ossai_progress(context, 0.6));
	OSSAI_TRY(connect(scratch, work));
	OSSAI_TRY(ossai_progress(context, 0.9));
	return collect(arena, work, medial);
}

ossa_status ossai_medial_make(ossai_arena *arena, const ossai_voxels *voxels, double exposure, ossai_medial *medial)
{
	medial_work work = {
		.voxels = voxels, .around = ossai_neighbors_of(voxels), .centroid = centroid_of(voxels), .least = exposure};
	stars_make(work.stars);
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = make(arena, &scratch, &work, medial);
	ossai_arena_end(&scratch);
	return status;
}
