/* medial/medial_slopes.c: the exposure of voxels, and their steepest ascents: see medial_work.h.

   The ball of a neighbour u = v + o cuts a cap off the ball of v: the directions n with n.o >= (d_v
   + o.o - d_u) / 2R, d squared distances and R the radius sqrt(d_v). With g = d_u - d_v - o.o: what
   no neighbour covers lies in the polyhedron {x: x.o <= -g_o / 2R}, and so beyond its point nearest
   to v's center. Any w that is a sum of o's with weights c >= 0 bounds that distance: x.w <= -c.g /
   2R, hence |x| >= c.g / 2R|w|. The best of these over the 48 cones that three neighbours span
   (one, two and three directions of a sorted octant) is the cosine of a cap that holds all that is
   uncovered.

   Most voxels are not exposed, which the best single neighbour shows: of those one, two and three
   steps away (squared) the largest depth each is found for many voxels at once, along blocks of
   rows. Undecided voxels, and the choice among equal neighbours, are computed one by one. */
#include "medial/medial_work.h"

#include "base/clones.h"

#include <string.h>

enum { ROWS_A_RANGE = 64, BLOCK = 128, ROWS = 9, OWN = 4 };

/* What is exposed of a ball is more than the steps of the surface's own voxels only where it
   spreads over this many voxels, or that share of all. Tried: 2 to 4.5 and 0.6 to 1. Four creatures
   in meshes of 4000, 7000 and 12 000 faces get the same bones in 10 of 12 pairs of meshes, and in
   all of them where the share is 1. */
static const double SPREAD = 3.0, SPREAD_SHARE = 0.8;

/* Rounding of single numbers is less. */
static const float MARGIN = 1e-5f;

/* Adjacent voxels, with their surroundings: rows of cells from one before to one behind them. */
typedef struct block {
	int32_t count;
	uint32_t near[ROWS][BLOCK + 2]; /* y fastest, then z */
	uint32_t most[BLOCK];           /* of the neighbours that are up: their depth, */
	uint32_t squared[BLOCK];        /* their distance, */
	uint32_t up[BLOCK];             /* and one of them */
	uint32_t asks[BLOCK];           /* why a voxel must be computed by itself */
} block;

enum { MAY_BE_EXPOSED = 1, MAY_BE_LEVEL = 2, MAY_BE_EQUAL = 4 };

/* ---- rows around ---- */

/* A row of cells as stretches, of which those before some x are passed. */
typedef struct row_reader {
	uint32_t at, end;
} row_reader;

static void read_row(const ossai_voxel_rows *rows, row_reader *r, const uint32_t *of_voxel, uint32_t begin, uint32_t count,
	uint32_t nothing, uint32_t *to)
{
	const uint32_t end = begin + count;
	for (uint32_t i = 0; i < count; i++) to[i] = nothing;
	while (r->at < r->end && ossai_stretch_end(rows, r->at) <= begin) r->at++;
	for (uint32_t i = r->at; i < r->end && rows->begin[i] < end; i++) {
		const uint32_t own_end = ossai_stretch_end(rows, i), low = rows->begin[i] > begin ? rows->begin[i] : begin;
		const uint32_t high = own_end < end ? own_end : end;
		memcpy(to + (low - begin), of_voxel + rows->voxel[i] + (low - rows->begin[i]), (high - low) * sizeof *to);
	}
}

/* Calls for each block of the voxels of rows; `nothing` stands for cells without a voxel. */
typedef void (*block_body)(ossai_medial_work *work, block *b, uint32_t first, const uint32_t at[3]);

static void each_block(
	ossai_medial_work *work, size_t begin, size_t end, const uint32_t *of_voxel, uint32_t nothing, block_body body)
{
	const ossai_voxel_rows *rows = &work->rows;
	const size_t slice = work->voxels->size[1];
	block b;
	for (size_t row = begin; row < end; row++) {
		row_reader readers[ROWS];
		if (rows->first[row] == rows->first[row + 1]) continue;
		/* what has a voxel is not in the outermost layer */
		for (size_t i = 0; i < ROWS; i++) {
			const size_t other = row + i % 3 + i / 3 * slice - 1 - slice;
			readers[i] = (row_reader){rows->first[other], rows->first[other + 1]};
		}
		for (uint32_t stretch = rows->first[row]; stretch < rows->first[row + 1]; stretch++) {
			const uint32_t stretch_end = ossai_stretch_end(rows, stretch);
			for (uint32_t x = rows->begin[stretch]; x < stretch_end; x += BLOCK) {
				const uint32_t at[3] = {x, (uint32_t)(row % slice), (uint32_t)(row / slice)};
				b.count = (int32_t)(stretch_end - x < BLOCK ? stretch_end - x : BLOCK);
				for (int i = 0; i < ROWS; i++) {
					read_row(rows, &readers[i], of_voxel, x - 1, (uint32_t)b.count + 2, nothing, b.near[i]);
				}
				body(work, &b, rows->voxel[stretch] + (x - rows->begin[stretch]), at);
			}
		}
	}
}

/* what a neighbour of the block's voxel x has; -1: it itself */
static inline uint32_t near_at(const ossai_medial_work *work, const block *b, int32_t x, int neighbor)
{
	if (neighbor < 0) return b->near[OWN][x + 1];
	const int8_t *step = work->around.step[neighbor];
	return b->near[OWN + step[1] + 3 * step[2]][x + 1 + step[0]];
}

/* ---- many voxels at once ---- */

static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Numbers in the order of floats, so that a choice between them is no branch. */
static inline int32_t order_of(float value)
{
	int32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits ^ (bits >> 31 & INT32_MAX);
}

static inline int32_t higher(int32_t a, int32_t b) { return a > b ? a : b; }

/* how much a depth at some distance exceeds one, at least 0: squared, for a step of 1 */
static inline int32_t square_over(uint32_t most, uint32_t depth, int32_t squared)
{
	const float g = (float)higher((int32_t)most - (int32_t)depth - squared, 0);
	return order_of(g * g * (1 / (float)squared));
}

/* a slope as it is for one voxel, or the least number where nothing is as deep */
static inline int32_t slope_of(uint32_t most, uint32_t depth, int32_t squared, float length)
{
	const int32_t slope = order_of((float)((int32_t)most - (int32_t)depth - squared) / length);
	return most >= depth ? slope : INT32_MIN;
}

/* of two cells of each of two rows */
static inline uint32_t larger4(const uint32_t *a, const uint32_t *b, int32_t x, int32_t y)
{
	return larger(larger(a[x], b[x]), larger(a[y], b[y]));
}

/* Fills `most`, `squared` and but for ties `asks`; `turn`, square of the cosine from which on
   nothing is exposed; the spread's square and its share's. */
OSSAI_CLONES static void measure_block(block *b, float turn, float spread2, float share2)
{
	const uint32_t *n0 = b->near[0] + 1, *n1 = b->near[1] + 1, *n2 = b->near[2] + 1, *n3 = b->near[3] + 1, *n4 = b->near[4] + 1;
	const uint32_t *n5 = b->near[5] + 1, *n6 = b->near[6] + 1, *n7 = b->near[7] + 1, *n8 = b->near[8] + 1;
	const float length2 = (float)sqrt(2), length3 = (float)sqrt(3);
	const int32_t count = b->count;
	for (int32_t x = 0; x < count; x++) {
		const uint32_t depth = n4[x],
					   one = larger(larger(larger(n1[x], n3[x]), larger(n5[x], n7[x])), larger(n4[x - 1], n4[x + 1]));
		const uint32_t two = larger(larger(larger(larger(n0[x], n2[x]), larger(n6[x], n8[x])), larger4(n1, n3, x - 1, x + 1)),
			larger4(n5, n7, x - 1, x + 1));
		const uint32_t three = larger(larger4(n0, n2, x - 1, x + 1), larger4(n6, n8, x - 1, x + 1));
		const int32_t best = higher(
			square_over(one, depth, 1), higher(square_over(two, depth, 2), square_over(three, depth, 3)));
		/* nothing is exposed whose square is larger: the cap is small, or its rim */
		const float own = (float)(int32_t)depth;
		const int32_t most_spread = higher(order_of(4 * own - spread2), order_of((4 - share2) * own));
		const int32_t excess = higher(best - order_of(4 * own * turn), best - most_spread);
		/* the steepest, and of what is as steep the deeper */
		const int32_t a = slope_of(one, depth, 1, 1), c = slope_of(two, depth, 2, length2),
					  e = slope_of(three, depth, 3, length3);
		const uint32_t most_ac = c >= a ? two : one, squared_ac = c >= a ? 2 : 1, most = e >= higher(a, c) ? three : most_ac;
		b->most[x] = most;
		b->squared[x] = e >= higher(a, c) ? 3 : squared_ac;
		b->asks[x] = (excess <= 0 ? MAY_BE_EXPOSED : 0) | (most <= depth ? MAY_BE_LEVEL : 0);
	}
}

typedef struct looking {
	uint32_t up, found;
} looking;

static inline looking look(looking l, uint32_t value, uint32_t wanted, uint32_t neighbor)
{
	l.up = value == wanted ? neighbor : l.up;
	l.found += value == wanted;
	return l;
}

/* the neighbour that has `most` at that distance, or that several do */
OSSAI_CLONES static void find_up(block *b)
{
	const uint32_t *n0 = b->near[0] + 1, *n1 = b->near[1] + 1, *n2 = b->near[2] + 1, *n3 = b->near[3] + 1, *n4 = b->near[4] + 1;
	const uint32_t *n5 = b->near[5] + 1, *n6 = b->near[6] + 1, *n7 = b->near[7] + 1, *n8 = b->near[8] + 1;
	const int32_t count = b->count;
	for (int32_t x = 0; x < count; x++) {
		/* no depth at the other distances */
		const uint32_t one = b->squared[x] == 1 ? b->most[x] : UINT32_MAX, two = b->squared[x] == 2 ? b->most[x] : UINT32_MAX;
		const uint32_t three = b->squared[x] == 3 ? b->most[x] : UINT32_MAX;
		looking l = {0, 0};
		l = look(look(look(l, n0[x - 1], three, 0), n0[x], two, 1), n0[x + 1], three, 2);
		l = look(look(look(l, n1[x - 1], two, 3), n1[x], one, 4), n1[x + 1], two, 5);
		l = look(look(look(l, n2[x - 1], three, 6), n2[x], two, 7), n2[x + 1], three, 8);
		l = look(look(look(l, n3[x - 1], two, 9), n3[x], one, 10), n3[x + 1], two, 11);
		l = look(look(l, n4[x - 1], one, 12), n4[x + 1], one, 13);
		l = look(look(look(l, n5[x - 1], two, 14), n5[x], one, 15), n5[x + 1], two, 16);
		l = look(look(look(l, n6[x - 1], three, 17), n6[x], two, 18), n6[x + 1], three, 19);
		l = look(look(look(l, n7[x - 1], two, 20), n7[x], one, 21), n7[x + 1], two, 22);
		l = look(look(look(l, n8[x - 1], three, 23), n8[x], two, 24), n8[x + 1], three, 25);
		b->up[x] = l.up;
		b->asks[x] |= (uint32_t)(l.found > 1) * MAY_BE_EQUAL;
	}
}

/* ---- one voxel ---- */

/* the largest square of c.g / |w| over the directions w that three neighbours span; not those
   along one of them */
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
static float cap_cosine(const ossai_medial_work *work, const float *g, float distance2)
{
	float best = 0;
	int steepest = -1;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const float square = g[i] * g[i] / work->around.squared[i];
		if (g[i] > 0 && square > best) {
			best = square;
			steepest = i;
		}
	}
	if (steepest < 0) return 0;
	const ossai_star *s = &work->stars[steepest];
	for (int i = 0; i < s->count; i++) {
		const float square = cone_square(g[s->cone[i][0]], g[s->cone[i][1]], g[s->cone[i][2]]);
		if (square > best) best = square;
	}
	const float cosine = sqrtf(best / (4 * distance2));
	return cosine < 1 ? cosine : 1;
}

float ossai_medial_exposure(const ossai_medial_work *work, uint32_t voxel)
{
	const ossai_voxels *voxels = work->voxels;
	const float depth = (float)voxels->distance2[voxel];
	float g[OSSAI_NEIGHBORS];
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[voxel] + work->around.offset[i]];
		g[i] = (u == OSSA_NONE ? 0 : (float)voxels->distance2[u]) - depth - work->around.squared[i];
	}
	return (1 - cap_cosine(work, g, depth)) / 2;
}

static bool is_exposed(const ossai_medial_work *work, const block *b, int32_t x)
{
	const float depth = (float)near_at(work, b, x, -1);
	float g[OSSAI_NEIGHBORS];
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) g[i] = (float)near_at(work, b, x, i) - depth - work->around.squared[i];
	const float cosine = cap_cosine(work, g, depth);
	const double spread = 2 * sqrt(depth * (1 - (double)cosine * cosine)), most = 2 * sqrt((double)depth);
	return (1 - cosine) / 2 >= work->least && spread >= fmin(SPREAD, SPREAD_SHARE * most);
}

static double distance_of(const ossai_medial_work *work, const uint32_t at[3], int32_t x, int neighbor)
{
	static const int8_t none[3] = {0, 0, 0};
	const int8_t *step = neighbor < 0 ? none : work->around.step[neighbor];
	return ossai_medial_centroid_distance2(
		work, ossai_v3((double)at[0] + x + step[0], (double)at[1] + step[1], (double)at[2] + step[2]));
}

/* of equally deep neighbours the one nearest to the center of all, else the first */
static uint8_t nearest_equal(const ossai_medial_work *work, const block *b, int32_t x, const uint32_t at[3])
{
	double least = INFINITY;
	uint8_t best = 0;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		if (work->around.squared[i] != b->squared[x] || near_at(work, b, x, i) != b->most[x]) continue;
		const double distance = distance_of(work, at, x, i);
		if (!(distance < least)) continue;
		least = distance;
		best = (uint8_t)i;
	}
	return best;
}

/* whether a neighbour comes before another, or the voxel itself (-1): deeper, else nearer to the
   center of all, else first */
static bool ranks_before(const ossai_medial_work *work, const block *b, int32_t x, const uint32_t at[3], int i, int other)
{
	const uint32_t depth = near_at(work, b, x, i), depth_other = near_at(work, b, x, other);
	if (depth != depth_other) return depth > depth_other;
	const double distance = distance_of(work, at, x, i), distance_other = distance_of(work, at, x, other);
	if (distance != distance_other) return distance < distance_other;
	return i < (other < 0 ? OSSAI_NEIGHBORS / 2 : other);
}

/* the ascent where no neighbour may be deeper */
static uint8_t up_on_level(const ossai_medial_work *work, const block *b, int32_t x, const uint32_t at[3])
{
	const uint32_t depth = near_at(work, b, x, -1);
	int up = -1;
	float steepest = 0;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t own = near_at(work, b, x, i);
		if (own < depth) continue;
		const float slope = ((float)own - (float)depth - work->around.squared[i]) / (float)work->around.length[i];
		if (up >= 0 && slope < steepest) continue;
		if (!ranks_before(work, b, x, at, i, up >= 0 && slope == steepest ? up : -1)) continue;
		up = i;
		steepest = slope;
	}
	return up < 0 ? OSSAI_MEDIAL_TOP : (uint8_t)up;
}

/* ---- all ---- */

static void measure(ossai_medial_work *work, block *b, uint32_t first, const uint32_t at[3])
{
	const float cosine = (float)fmax(1 - 2 * work->least, 0) * (1 + MARGIN), less = 1 - MARGIN;
	measure_block(b, cosine * cosine, less * (float)(SPREAD * SPREAD), less * (float)(4 * SPREAD_SHARE * SPREAD_SHARE));
	find_up(b);
	for (int32_t x = 0; x < b->count; x++) {
		uint8_t up = (uint8_t)b->up[x];
		if (b->asks[x] & MAY_BE_LEVEL) up = up_on_level(work, b, x, at);
		else if (b->asks[x] & MAY_BE_EQUAL) up = nearest_equal(work, b, x, at);
		const bool exposed = up == OSSAI_MEDIAL_TOP || (b->asks[x] & MAY_BE_EXPOSED && is_exposed(work, b, x));
		work->up[first + (uint32_t)x] = up;
		work->is[first + (uint32_t)x] = exposed ? OSSAI_MEDIAL_EXPOSED : OSSAI_MEDIAL_IS_NOT;
	}
}

static void measure_rows(void *arg, size_t begin, size_t end)
{
	ossai_medial_work *work = arg;
	each_block(work, begin, end, work->voxels->distance2, 0, measure);
}

void ossai_medial_measure(ossa_context *context, ossai_medial_work *work)
{
	const size_t rows = (size_t)work->voxels->size[1] * work->voxels->size[2];
	ossai_parallel_for(context, rows, ROWS_A_RANGE, measure_rows, work);
}

/* ---- borders ---- */

OSSAI_CLONES static void compare_block(block *b)
{
	const uint32_t *own = b->near[OWN] + 1;
	const int32_t count = b->count;
	for (int32_t x = 0; x < count; x++) b->asks[x] = 0;
	for (int i = 0; i < ROWS; i++) {
		const uint32_t *row = b->near[i] + 1;
		for (int32_t x = 0; x < count; x++) {
			uint32_t differs = 0;
			for (int32_t k = -1; k < 2; k++) differs |= (uint32_t)(row[x + k] != own[x]) & (uint32_t)(row[x + k] != OSSA_NONE);
			b->asks[x] |= differs;
		}
	}
}

static void mark(ossai_medial_work *work, block *b, uint32_t first, const uint32_t at[3])
{
	(void)at;
	compare_block(b);
	for (int32_t x = 0; x < b->count; x++) {
		if (b->asks[x]) work->is[first + (uint32_t)x] |= OSSAI_MEDIAL_BORDER;
	}
}

static void mark_rows(void *arg, size_t begin, size_t end)
{
	ossai_medial_work *work = arg;
	each_block(work, begin, end, work->set, OSSA_NONE, mark);
}

void ossai_medial_mark_borders(ossa_context *context, ossai_medial_work *work)
{
	const size_t rows = (size_t)work->voxels->size[1] * work->voxels->size[2];
	ossai_parallel_for(context, rows, ROWS_A_RANGE, mark_rows, work);
}
