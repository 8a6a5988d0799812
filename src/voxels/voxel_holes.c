/* voxels/voxel_holes.c: finds the inside of a surface with holes, through which the flood fill of
   the outside leaks in.

   Place in the path: part of voxel_cells.h.
   Input: cells that are connected to the outside.
   Output: those of them that are inside, by winding numbers.
   Source: generalized winding numbers (A. Jacobson et al. 2013).

   Winding numbers change slowly except across faces. So the connected cells of a brick of 8 x 8 x 8
   share the number of two or three samples; bricks that no face touches take the side of their
   neighbours. Where samples, or adjacent bricks, disagree, every cell gets its own number (in
   bricks that no face touches numbers are interpolated between 27 cells). This continues only as
   far as the border between inside and outside crosses a hole. */
#include "voxels/brick_cells.h"
#include "voxels/voxel_cells.h"

#include <string.h>

enum { SIDE = 8, LAYERS = OSSAI_BRICK_LAYERS };
/* A little over a half: next to a sheet numbers are about a half, with an error of 0.01. */
static const double INSIDE_WINDING = 0.52;
/* Somewhere inside numbers must be this large; those in the folds of a wavy sheet are not, and do
   not count as inside. */
static const double DEEP_WINDING = 0.75;
/* A number this far from the threshold is on one side with the cells next to it. */
static const double NEAR_SURE = 0.1;
#define FULL (~0ULL)

/* Cells are bits x + 8 y of layer z. */
typedef struct open_brick {
	uint64_t open[LAYERS];     /* cells connected to the outside */
	uint64_t inside[LAYERS];   /* those of them that are inside */
	uint64_t decided[LAYERS];  /* cells with a number of their own */
	uint64_t conflict[LAYERS]; /* cells that disagree with adjacent cells of other bricks */
} open_brick;

enum { UNKNOWN, KNOWN, NOTHING }; /* of a brick: no side yet, a side, no cells */

typedef struct leaking {
	const ossai_winding_tree *tree;
	ossai_cells *cells;
	const ossai_runs *runs;
	uint64_t *rows;   /* bits of open cells, as those of cells */
	uint32_t size[3]; /* in bricks */
	open_brick *bricks;
	uint8_t *state;
	uint8_t *is_changed; /* since neighbours were compared */
} leaking;

static bool is_inside(double winding) { return winding > INSIDE_WINDING; }

static double winding_at(const leaking *l, const uint32_t *at, double x, double y, double z)
{
	const ossai_vec3 p = ossai_v3(8.0 * at[0] + x + 0.5, 8.0 * at[1] + y + 0.5, 8.0 * at[2] + z + 0.5);
	return fabs(ossai_winding_tree_rough(l->tree, ossai_madd(l->cells->origin, l->cells->step, p)));
}

static double winding_of(const leaking *l, const uint32_t *at, int cell)
{
	return winding_at(l, at, cell % 8, cell / 8 % 8, cell / 64);
}

static void brick_at(const leaking *l, size_t brick, uint32_t *at)
{
	at[0] = (uint32_t)(brick % l->size[0]);
	at[1] = (uint32_t)(brick / l->size[0] % l->size[1]);
	at[2] = (uint32_t)(brick / l->size[0] / l->size[1]);
}

static bool is_outermost(const leaking *l, const uint32_t *at)
{
	for (int k = 0; k < 3; k++) {
		if (at[k] == 0 || at[k] == l->size[k] - 1) return true;
	}
	return false;
}

static bool is_full(const open_brick *b)
{
	uint64_t all = FULL;
	for (int z = 0; z < LAYERS; z++) all &= b->open[z];
	return all == FULL;
}

/* ---- bricks ---- */

static void write_rows(void *arg, size_t begin, size_t end)
{
	const leaking *l = arg;
	for (size_t r = begin; r < end; r++) {
		for (uint32_t i = l->runs->first[r]; i < l->runs->first[r + 1]; i++) {
			if (l->runs->set[i] != 0) continue;
			ossai_bits_write(l->rows + r * l->cells->row_words, l->runs->begin[i], l->runs->end[i], true);
		}
	}
}

/* the outermost layer of cells is outside */
static void mark_outermost(const leaking *l, const uint32_t *at, open_brick *b)
{
	const uint64_t left = 0x0101010101010101ULL, low = 0xffULL;
	const uint32_t *size = l->cells->size;
	for (uint32_t z = 0; z < LAYERS; z++) {
		if (at[0] == 0) b->decided[z] |= left;
		if (at[1] == 0) b->decided[z] |= low;
		if (at[0] == l->size[0] - 1) b->decided[z] |= left << (size[0] - 1) % 8;
		if (at[1] == l->size[1] - 1) b->decided[z] |= low << (size[1] - 1) % 8 * 8;
		if (8 * at[2] + z == 0 || 8 * at[2] + z == size[2] - 1) b->decided[z] = FULL;
		b->decided[z] &= b->open[z];
	}
}

static void gather_layer(void *arg, size_t begin, size_t end)
{
	const leaking *l = arg;
	const uint32_t *size = l->cells->size;
	for (size_t layer = begin; layer < end; layer++) {
		const size_t first = layer * l->size[0] * l->size[1];
		memset(l->bricks + first, 0, (size_t)l->size[0] * l->size[1] * sizeof *l->bricks);
		for (size_t z = 8 * layer; z < 8 * layer + 8 && z < size[2]; z++) {
			for (size_t y = 0; y < size[1]; y++) {
				const uint64_t *row = l->rows + (z * size[1] + y) * l->cells->row_words;
				open_brick *b = l->bricks + first + y / 8 * l->size[0];
				for (uint32_t x = 0; x < l->size[0]; x++) b[x].open[z % 8] |= (row[x / 8] >> x % 8 * 8 & 255) << y % 8 * 8;
			}
		}
		for (size_t i = first; i < first + (size_t)l->size[0] * l->size[1]; i++) {
			uint64_t any = 0;
			uint32_t at[3];
			for (int z = 0; z < LAYERS; z++) any |= l->bricks[i].open[z];
			brick_at(l, i, at);
			if (is_outermost(l, at)) mark_outermost(l, at, &l->bricks[i]);
			l->state[i] = any ? UNKNOWN : NOTHING;
		}
	}
}

/* ---- components of a brick ---- */

/* Classifies a component without a deep number as outside, by two or three of its cells: if that is
   wrong, adjacent components will disagree. One that has a deep number and is all inside is
   classified, too. False where each of its cells needs a number. */
static bool sample_part(const leaking *l, const uint32_t *at, open_brick *b, const uint64_t *part)
{
	const int cells[3] = {ossai_cells_first(part, NULL), ossai_cells_last(part), ossai_cells_median(part)};
	double low = INFINITY, high = -INFINITY;
	for (int i = 0; i < 3; i++) {
		/* where two are far outside a third will not be deep */
		if (i == 2 && (high < INSIDE_WINDING - NEAR_SURE || low > DEEP_WINDING)) break;
		const double winding = winding_of(l, at, cells[i]);
		low = fmin(low, winding);
		high = fmax(high, winding);
	}
	if (high <= DEEP_WINDING) return true;
	if (low <= DEEP_WINDING) return false;
	for (int z = 0; z < LAYERS; z++) b->inside[z] |= part[z];
	return true;
}

/* classifies the cells of a component one by one; cells next to one that is far from the threshold
   share its side */
static void classify_part(const leaking *l, const uint32_t *at, open_brick *b, const uint64_t *part)
{
	for (;;) {
		uint64_t left[LAYERS], block[LAYERS], same[LAYERS] = {0};
		for (int z = 0; z < LAYERS; z++) left[z] = part[z] & ~b->decided[z];
		const int cell = ossai_cells_first(left, NULL);
		if (cell < 0) return;
		const double winding = winding_of(l, at, cell);
		same[cell / 64] = 1ULL << cell % 64;
		if (fabs(winding - INSIDE_WINDING) > NEAR_SURE) {
			ossai_cells_small_block(cell, left, block);
			ossai_cells_grow(block, same);
		}
		for (int z = 0; z < LAYERS; z++) {
			b->decided[z] |= same[z];
			b->inside[z] = is_inside(winding) ? b->inside[z] | same[z] : b->inside[z] & ~same[z];
		}
	}
}

/* a brick that no face touches: samples 27 cells */
static void classify_smooth(const leaking *l, const uint32_t *at, open_brick *b)
{
	double w[27];
	for (int i = 0; i < 27; i++) w[i] = winding_at(l, at, 3.5 * (i % 3), 3.5 * (i / 3 % 3), 3.5 * (i / 9));
	for (int cell = 0; cell < SIDE * SIDE * SIDE; cell++) {
		if (b->decided[cell / 64] >> cell % 64 & 1) continue;
		const int at_cell[3] = {cell % 8, cell / 8 % 8, cell / 64};
		int low[3];
		double part[3], sum = 0;
		for (int k = 0; k < 3; k++) {
			low[k] = at_cell[k] >= 4;
			part[k] = at_cell[k] / 3.5 - low[k];
		}
		for (int i = 0; i < 8; i++) {
			const int up[3] = {i & 1, i >> 1 & 1, i >> 2};
			double share = 1;
			for (int k = 0; k < 3; k++) share *= up[k] ? part[k] : 1 - part[k];
			sum += share * w[low[0] + up[0] + 3 * (low[1] + up[1]) + 9 * (low[2] + up[2])];
		}
		const uint64_t bit = 1ULL << cell % 64;
		b->decided[cell / 64] |= bit;
		b->inside[cell / 64] = is_inside(sum) ? b->inside[cell / 64] | bit : b->inside[cell / 64] & ~bit;
	}
}

/* bricks that faces touch: each component */
static void sample_bricks(void *arg, size_t begin, size_t end)
{
	const leaking *l = arg;
	for (size_t i = begin; i < end; i++) {
		open_brick *b = &l->bricks[i];
		uint32_t at[3];
		brick_at(l, i, at);
		if (l->state[i] == NOTHING) continue;
		if (is_full(b)) {
			l->state[i] = is_outermost(l, at) ? KNOWN : UNKNOWN;
			continue;
		}
		l->state[i] = KNOWN;
		uint64_t seen[LAYERS];
		memcpy(seen, b->decided, sizeof seen);
		for (int cell; (cell = ossai_cells_first(b->open, seen)) >= 0;) {
			uint64_t part[LAYERS] = {0}, within[LAYERS];
			for (int z = 0; z < LAYERS; z++) within[z] = b->open[z] & ~b->decided[z];
			part[cell / 64] = 1ULL << cell % 64;
			ossai_cells_grow(within, part);
			for (int z = 0; z < LAYERS; z++) seen[z] |= part[z];
			if (!sample_part(l, at, b, part)) classify_part(l, at, b, part);
		}
	}
}

/* ---- neighbours ---- */

static void classify_conflicts(void *arg, size_t begin, size_t end)
{
	const leaking *l = arg;
	for (size_t i = begin; i < end; i++) {
		open_brick *b = &l->bricks[i];
		uint32_t at[3];
		l->is_changed[i] = 0;
		for (int cell; (cell = ossai_cells_first(b->conflict, b->decided)) >= 0;) {
			uint64_t part[LAYERS] = {0};
			l->is_changed[i] = 1;
			brick_at(l, i, at);
			if (is_full(b)) {
				classify_smooth(l, at, b);
				break;
			}
			part[cell / 64] = 1ULL << cell % 64;
			ossai_cells_grow(b->open, part);
			classify_part(l, at, b, part);
		}
	}
}

/* marks cells of two bricks adjacent along an axis, b after a, that touch and are on different
   sides */
static bool compare(open_brick *a, open_brick *b, int axis)
{
	const uint64_t left = 0x0101010101010101ULL;
	bool any = false;
	for (int z = 0; z < LAYERS; z++) {
		if (axis == 2 && z > 0) break;
		const int own = axis == 2 ? LAYERS - 1 : z, shift = axis == 0 ? 7 : axis == 1 ? 56 : 0;
		const uint64_t face = axis == 0 ? left : axis == 1 ? 0xff : FULL;
		const uint64_t differ = (a->inside[own] >> shift ^ b->inside[z]) & a->open[own] >> shift & b->open[z] & face;
		const uint64_t of_a = differ << shift & ~a->decided[own], of_b = differ & ~b->decided[z];
		a->conflict[own] |= of_a;
		b->conflict[z] |= of_b;
		any = any || of_a || of_b;
	}
	return any;
}

/* all pairs of neighbours of which one has changed */
static bool compare_all(leaking *l)
{
	const size_t stride[3] = {1, l->size[0], (size_t)l->size[0] * l->size[1]};
	bool any = false;
	uint32_t at[3];
	size_t i = 0;
	for (at[2] = 0; at[2] < l->size[2]; at[2]++) {
		for (at[1] = 0; at[1] < l->size[1]; at[1]++) {
			for (at[0] = 0; at[0] < l->size[0]; at[0]++, i++) {
				for (int k = 0; k < 3; k++) {
					if (at[k] + 1 == l->size[k] || !(l->is_changed[i] | l->is_changed[i + stride[k]])) continue;
					any |= compare(&l->bricks[i], &l->bricks[i + stride[k]], k);
				}
			}
		}
	}
	return any;
}

/* whether a brick has an open cell inside, or outside, next to a neighbour */
static int side_towards(const open_brick *b, int axis, bool up)
{
	const uint64_t left = 0x0101010101010101ULL;
	uint64_t inside = 0, open = 0;
	for (int z = 0; z < LAYERS; z++) {
		if (axis == 2 && z != (up ? LAYERS - 1 : 0)) continue;
		const uint64_t face = axis == 0 ? (up ? left << 7 : left) : axis == 1 ? (up ? 255ULL << 56 : 255) : FULL;
		inside |= b->inside[z] & face;
		open |= b->open[z] & face;
	}
	return inside ? 2 : open ? 1 : 0;
}

/* floods bricks that no face touches with the side of their neighbours, in the order in which they
   are reached */
static void spread_sides(leaking *l, uint32_t *queue)
{
	const size_t count = (size_t)l->size[0] * l->size[1] * l->size[2];
	const size_t stride[3] = {1, l->size[0], (size_t)l->size[0] * l->size[1]};
	size_t end = 0;
	for (size_t i = 0; i < count; i++) {
		if (l->state[i] == KNOWN) queue[end++] = (uint32_t)i;
	}
	for (size_t q = 0; q < end; q++) {
		uint32_t at[3];
		brick_at(l, queue[q], at);
		for (int side = 0; side < 6; side++) {
			const int k = side / 2;
			const bool up = side % 2;
			if (up ? at[k] + 1 == l->size[k] : at[k] == 0) continue;
			const size_t to = up ? queue[q] + stride[k] : queue[q] - stride[k];
			if (l->state[to] != UNKNOWN) continue;
			const int seen = side_towards(&l->bricks[queue[q]], k, up);
			if (seen == 0) continue;
			if (seen == 2) memset(l->bricks[to].inside, 0xff, sizeof l->bricks[to].inside);
			l->state[to] = KNOWN;
			queue[end++] = (uint32_t)to;
		}
	}
}

/* ---- the whole ---- */

static void set_layer(void *arg, size_t begin, size_t end)
{
	const leaking *l = arg;
	const uint32_t *size = l->cells->size;
	for (size_t z = begin; z < end; z++) {
		for (size_t y = 0; y < size[1]; y++) {
			uint64_t *row = l->cells->bits + (z * size[1] + y) * l->cells->row_words;
			const open_brick *b = l->bricks + (z / 8 * l->size[1] + y / 8) * l->size[0];
			for (uint32_t x = 0; x < l->size[0]; x++) row[x / 8] |= (b[x].inside[z % 8] >> y % 8 * 8 & 255) << x % 8 * 8;
		}
	}
}

ossa_status ossai_cells_fill_holes(
	ossai_arena *scratch, const ossai_winding_tree *tree, const ossai_runs *runs, double begin, double end, ossai_cells *cells)
{
	ossa_context *context = scratch->context;
	leaking l = {.tree = tree, .cells = cells, .runs = runs};
	for (int k = 0; k < 3; k++) l.size[k] = (cells->size[k] - 1) / SIDE + 1;
	const size_t count = (size_t)l.size[0] * l.size[1] * l.size[2], rows = ossai_cell_rows(cells);
	l.rows = ossai_arena_zero(scratch, rows, cells->row_words * sizeof *l.rows);
	l.bricks = l.rows ? ossai_arena_new(scratch, count, sizeof *l.bricks) : NULL;
	l.state = l.bricks ? ossai_arena_new(scratch, count, 2) : NULL;
	uint32_t *queue = l.state ? ossai_arena_new(scratch, count, sizeof *queue) : NULL;
	if (!queue) return ossa_context_error(context)->status;
	l.is_changed = l.state + count;
	ossai_parallel_for(context, rows, 256, write_rows, &l);
	ossai_parallel_for(context, l.size[2], 1, gather_layer, &l);
	ossai_parallel_for(context, count, 16, sample_bricks, &l);
	spread_sides(&l, queue);
	memset(l.is_changed, 1, count);
	/* every round decides cells for good, so it ends */
	double left = 0.7;
	while (compare_all(&l)) {
		OSSAI_TRY(ossai_progress(context, end - left * (end - begin)));
		ossai_parallel_for(context, count, 16, classify_conflicts, &l);
		left *= 0.9;
	}
	ossai_parallel_for(context, cells->size[2], 4, set_layer, &l);
	return OSSA_OK;
}
