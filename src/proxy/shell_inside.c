/* proxy/shell_inside.c: which points of a shell's grid the surface encloses.

   Place in the path: part of shell_grid.
   Input: bricks with the edges that the surface cuts.
   Output: a side (inside or outside) for every point of the grid.
   Source: generalized winding numbers (A. Jacobson et al. 2013).
   Departures: winding numbers change slowly except across the surface, so the points of a brick
   that are connected by uncut edges share the number of a few samples. Where the samples, or
   adjacent bricks, disagree (near holes), every point has its own number; and bricks are added as
   far as the border between inside and outside crosses a hole. */
#include "proxy/shell_grid.h"

#include <ossa/mesh.h>
#include <string.h>

enum { OUTSIDE_SEEN = 1, INSIDE_SEEN = 2, SAMPLES_MOST = 4 };
/* A component whose samples are this far from the threshold of a half is on one side as a whole:
   numbers of the tree are within 0.01, and a component extends over a brick of 8 steps at most. */
static const double SURE = 0.2;
/* Between two points whose winding numbers differ by no more than this, numbers are
   interpolated. */
static const float ALIKE = 0.1f;

static const int STRIDE[3] = {1, OSSAI_BRICK, OSSAI_BRICK *OSSAI_BRICK};

typedef struct filling {
	ossai_shell_grid *grid;
	const ossai_winding_tree *tree;
	size_t first_brick; /* the first of the bricks in progress */
	/* of each brick: some of its components must be classified point by point */
	uint8_t *is_ambiguous;
} filling;

static bool is_outermost(const ossai_shell_grid *grid, const uint32_t *at)
{
	for (int k = 0; k < 3; k++) {
		if (at[k] == 0 || at[k] == grid->size[k] - 1) return true;
	}
	return false;
}

static double winding_at(const filling *f, const ossai_brick *brick, int point)
{
	const ossai_vec3 p = ossai_v3(
		8.0 * brick->at[0] + point % 8, 8.0 * brick->at[1] + point / 8 % 8, 8.0 * brick->at[2] + point / 64);
	return ossai_winding_tree_rough(f->tree, ossai_madd(f->grid->origin, f->grid->step, p));
}

static void set_point(ossai_brick *brick, int point, double winding, uint8_t known)
{
	brick->winding[point] = (float)winding;
	brick->flags[point] = (uint8_t)((brick->flags[point] & OSSAI_CUT) | (ossai_winding_is_inside(winding) ? OSSAI_INSIDE : 0) |
		known);
}

/* ---- the components of a brick ---- */

/* labels the connected components of points */
static void find_parts(ossai_brick *brick)
{
	uint16_t stack[OSSAI_BRICK_POINTS];
	memset(brick->part, 0xff, sizeof brick->part);
	brick->part_count = 0;
	for (int seed = 0; seed < OSSAI_BRICK_POINTS; seed++) {
		if (brick->part[seed] != UINT16_MAX) continue;
		const uint16_t part = brick->part_count++;
		int depth = 0;
		brick->part[seed] = part;
		stack[depth++] = (uint16_t)seed;
		while (depth > 0) {
			const int i = stack[--depth], at[3] = {i % 8, i / 8 % 8, i / 64};
			for (int side = 0; side < 6; side++) {
				const int k = side / 2, up = side % 2, to = up ? i + STRIDE[k] : i - STRIDE[k];
				if (up ? at[k] == OSSAI_BRICK - 1 : at[k] == 0) continue;
				if (brick->part[to] != UINT16_MAX || (brick->flags[up ? i : to] >> k & 1)) continue;
				brick->part[to] = part;
				stack[depth++] = (uint16_t)to;
			}
		}
	}
}

/* A component's samples: the point farthest from the surface, and, where numbers are not integers,
   the first, the last and the nearest. */
typedef struct part_samples {
	int first, last, farthest, nearest;
} part_samples;

static part_samples choose_samples(const ossai_brick *brick, uint16_t part)
{
	part_samples s = {-1, -1, -1, -1};
	for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
		if (brick->part[i] != part) continue;
		if (s.first < 0) s = (part_samples){i, i, i, i};
		s.last = i;
		if (brick->distance[i] > brick->distance[s.farthest]) s.farthest = i;
		if (brick->distance[i] < brick->distance[s.nearest]) s.nearest = i;
	}
	return s;
}

/* classifies a component by its samples; false where they disagree */
static bool sample_part(const filling *f, ossai_brick *brick, uint16_t part)
{
	const part_samples s = choose_samples(brick, part);
	const int points[SAMPLES_MOST] = {s.farthest, s.first, s.last, s.nearest};
	const int count = f->grid->surface->is_closed ? 1 : SAMPLES_MOST;
	double number = 0;
	for (int i = 0; i < count; i++) {
		const double winding = winding_at(f, brick, points[i]);
		if (i == 0) number = winding;
		if (fabs(ossai_winding_margin(winding)) < SURE) return false;
		if (ossai_winding_is_inside(winding) != ossai_winding_is_inside(number)) return false;
	}
	for (int i = s.first; i < OSSAI_BRICK_POINTS; i++) {
		if (brick->part[i] == part) set_point(brick, i, number, 0);
	}
	return true;
}

/* half way between two known points of the component along an axis, interpolates; false where their
   numbers differ much or there are no two */
static bool interpolate(ossai_brick *brick, int point, const int *at)
{
	for (int k = 0; k < 3; k++) {
		const int a = point - STRIDE[k], b = point + STRIDE[k];
		if (at[k] % 2 == 0 || at[k] == OSSAI_BRICK - 1) continue;
		if (brick->part[a] != brick->part[point] || brick->part[b] != brick->part[point]) continue;
		if (!(brick->flags[a] & brick->flags[b] & OSSAI_KNOWN) || ((brick->flags[a] | brick->flags[point]) >> k & 1)) continue;
		if (fabsf(brick->winding[a] - brick->winding[b]) > ALIKE) continue;
		set_point(brick, point, 0.5 * ((double)brick->winding[a] + (double)brick->winding[b]), OSSAI_KNOWN);
		return true;
	}
	return false;
}

/* classifies each point by itself: every other one along each axis first, then those between */
static void classify_part(const filling *f, ossai_brick *brick, uint16_t part)
{
	for (int between = 0; between <= 3; between++) {
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			if (brick->part[i] != part || (brick->flags[i] & OSSAI_KNOWN)) continue;
			const int at[3] = {i % 8, i / 8 % 8, i / 64};
			int odd = 0;
			for (int k = 0; k < 3; k++) odd += at[k] % 2 == 1 && at[k] < OSSAI_BRICK - 1;
			if (odd != between || (odd > 0 && interpolate(brick, i, at))) continue;
			set_point(brick, i, winding_at(f, brick, i), OSSAI_KNOWN);
		}
	}
}

static void sample_range(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t b = begin; b < end; b++) {
		ossai_brick *brick = f->grid->bricks[b];
		find_parts(brick);
		for (uint16_t part = 0; part < brick->part_count; part++) {
			if (!sample_part(f, brick, part)) classify_part(f, brick, part);
		}
	}
}

/* bricks that were added: point by point, except for the outermost points */
static void classify_added(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t b = f->first_brick + begin; b < f->first_brick + end; b++) {
		ossai_brick *brick = f->grid->bricks[b];
		find_parts(brick);
		if (!is_outermost(f->grid, brick->at)) {
			classify_part(f, brick, 0);
			continue;
		}
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) set_point(brick, i, 0, OSSAI_KNOWN);
	}
}

/* ---- adjacent bricks that disagree ---- */

/* every point of the components of which one point is marked: bit 5 of its flags */
enum { AMBIGUOUS = 32 };

static void classify_ambiguous(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t b = begin; b < end; b++) {
		if (!f->is_ambiguous[b]) continue;
		ossai_brick *brick = f->grid->bricks[b];
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			if ((brick->flags[i] & (AMBIGUOUS | OSSAI_KNOWN)) == AMBIGUOUS) classify_part(f, brick, brick->part[i]);
		}
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) brick->flags[i] &= (uint8_t)~AMBIGUOUS;
	}
}

static bool doubt(filling *f, size_t b, int point)
{
	ossai_brick *brick = f->grid->bricks[b];
	if (brick->flags[point] & OSSAI_KNOWN) return false;
	brick->flags[point] |= AMBIGUOUS;
	f->is_ambiguous[b] = 1;
	return true;
}

/* marks both ends of uncut edges between bricks that are on different sides; records the side that
   missing neighbours must have */
static bool compare_neighbors(filling *f)
{
	ossai_shell_grid *grid = f->grid;
	bool any = false;
	for (size_t b = 0; b < grid->brick_count; b++) {
		const ossai_brick *brick = grid->bricks[b];
		for (int side = 0; side < 6; side++) {
			const int k = side / 2, up = side % 2, step = up ? 1 : -1;
			uint32_t at[3] = {brick->at[0], brick->at[1], brick->at[2]};
			at[k] += (uint32_t)step;
			if (at[k] >= grid->size[k]) continue;
			const size_t cell = ossai_shell_cell(grid, at);
			const uint32_t other = grid->brick_of[cell];
			if (other != OSSA_NONE && !up) continue;
			const int u = STRIDE[(k + 1) % 3], v = STRIDE[(k + 2) % 3], own = up ? (OSSAI_BRICK - 1) * STRIDE[k] : 0;
			for (int i = 0; i < OSSAI_BRICK * OSSAI_BRICK; i++) {
				const int point = own + i % OSSAI_BRICK * u + i / OSSAI_BRICK * v, there = point - own;
				const int inside = brick->flags[point] & OSSAI_INSIDE;
				if (other == OSSA_NONE) {
					grid->outer_sides[cell] |= inside ? INSIDE_SEEN : OUTSIDE_SEEN;
				} else if ((grid->bricks[other]->flags[there] & OSSAI_INSIDE) != inside && !(brick->flags[point] >> k & 1)) {
					any |= doubt(f, b, point) | doubt(f, other, there);
				}
			}
		}
	}
	return any;
}

/* ---- where there are no bricks ---- */

/* floods cells without bricks with the side of their neighbours, as far as these are known; `queue`
   has capacity for all */
static void spread_sides(ossai_shell_grid *grid, uint32_t *queue)
{
	const size_t cells = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
	const size_t step[3] = {1, grid->size[0], (size_t)grid->size[0] * grid->size[1]};
	size_t end = 0;
	for (size_t c = 0; c < cells; c++) {
		if (grid->brick_of[c] == OSSA_NONE && grid->outer_sides[c]) queue[end++] = (uint32_t)c;
	}
	for (size_t i = 0; i < end; i++) {
		const size_t c = queue[i];
		const size_t at[3] = {c % step[1], c / step[1] % grid->size[1], c / step[2]};
		for (int side = 0; side < 6; side++) {
			const int k = side / 2, up = side % 2;
			if (up ? at[k] == grid->size[k] - 1 : at[k] == 0) continue;
			const size_t to = up ? c + step[k] : c - step[k];
			if (grid->brick_of[to] != OSSA_NONE || grid->outer_sides[to]) continue;
			grid->outer_sides[to] = grid->outer_sides[c];
			queue[end++] = (uint32_t)to;
		}
	}
}

/* the outermost layer is outside; sides found earlier may be wrong by now */
static void begin_sides(ossai_shell_grid *grid)
{
	uint32_t at[3];
	size_t cell = 0;
	for (at[2] = 0; at[2] < grid->size[2]; at[2]++) {
		for (at[1] = 0; at[1] < grid->size[1]; at[1]++) {
			for (at[0] = 0; at[0] < grid->size[0]; at[0]++, cell++) {
				grid->outer_sides[cell] = is_outermost(grid, at) ? OUTSIDE_SEEN : 0;
			}
		}
	}
}

/* adds bricks where both sides meet, or where a brick disagrees with a neighbour without a brick */
static ossa_status add_bricks(ossai_shell_grid *grid)
{
	const size_t step[3] = {1, grid->size[0], (size_t)grid->size[0] * grid->size[1]};
	uint32_t at[3];
	size_t cell = 0;
	for (at[2] = 0; at[2] < grid->size[2]; at[2]++) {
		for (at[1] = 0; at[1] < grid->size[1]; at[1]++) {
			for (at[0] = 0; at[0] < grid->size[0]; at[0]++, cell++) {
				if (grid->brick_of[cell] != OSSA_NONE) continue;
				bool differs = grid->outer_sides[cell] == (OUTSIDE_SEEN | INSIDE_SEEN);
				for (int k = 0; k < 3 && !differs; k++) {
					/* bricks added in this pass come before it: their sides are still stored */
					if (at[k] > 0 && grid->outer_sides[cell - step[k]] &&
						grid->outer_sides[cell - step[k]] != grid->outer_sides[cell] &&
						grid->brick_of[cell - step[k]] == OSSA_NONE) {
						differs = true;
					}
				}
				if (differs) OSSAI_TRY(ossai_shell_grid_add(grid, at));
			}
		}
	}
	return OSSA_OK;
}

/* ---- the whole ---- */

/* until all neighbours agree: every round classifies points for good, so it ends */
static ossa_status decide_all(filling *f, ossai_arena *scratch)
{
	ossai_shell_grid *grid = f->grid;
	const size_t cells = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
	uint32_t *queue = ossai_arena_new(scratch, cells, sizeof *queue);
	f->is_ambiguous = queue ? ossai_arena_new(scratch, cells, 1) : NULL;
	if (!f->is_ambiguous) return ossa_context_error(grid->context)->status;
	for (;;) {
		memset(f->is_ambiguous, 0, grid->brick_count);
		begin_sides(grid);
		const bool disagree = compare_neighbors(f);
		ossai_parallel_for(grid->context, grid->brick_count, 4, classify_ambiguous, f);
		if (disagree) continue;
		spread_sides(grid, queue);
		f->first_brick = grid->brick_count;
		OSSAI_TRY(add_bricks(grid));
		if (grid->brick_count == f->first_brick) return OSSA_OK;
		ossai_parallel_for(grid->context, grid->brick_count - f->first_brick, 1, classify_added, f);
	}
}

ossa_status ossai_shell_grid_fill(ossai_shell_grid *grid, const ossai_winding_tree *tree)
{
	filling f = {.grid = grid, .tree = tree};
	ossai_arena scratch = ossai_arena_begin(grid->context);
	ossai_parallel_for(grid->context, grid->brick_count, 4, sample_range, &f);
	const ossa_status status = decide_all(&f, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
