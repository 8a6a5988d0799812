/* voxels/fine_voxels.c: see fine_voxels.h. The outline:

   a box around the part, wide enough for the distances -> fine cells that faces touch
   (voxel_faces.c) -> sides of the others: from the coarse cells that no face touches; by winding
   numbers where connected sets of fine cells meet none of them (voxel_inside.c); by the nearer ones
   where a set meets both sides (a hole that coarse voxels closed) -> distances of all, and numbers
   for those of the part. */
#include "voxels/fine_voxels.h"

#include "voxels/distance.h"
#include "voxels/neighbors.h"
#include "voxels/voxel_numbers.h"

#include <ossa/mesh.h>
#include <string.h>

/* of connected sets: the sides of the coarse cells that they meet; of cells: not decided yet */
enum { SEEN_OUTSIDE = 1, SEEN_INSIDE = 2, OPEN = 4 };
static const double MEMORY = 2147483648.0;

/* A part while it is refined. */
typedef struct refining {
	ossai_arena *arena, *scratch, *shared; /* of results, of a part, of all parts */
	const ossai_oriented *surface;
	ossai_winding_tree **tree;
	const ossai_voxels *coarse;
	const ossai_voxel_parts *parts;
	uint32_t part, factor;
	uint32_t first[3], count[3]; /* the box, in coarse cells */
	ossai_cells cells;           /* fine */
	ossai_runs runs;             /* of fine cells that no face touches */
	uint8_t *is_touched;         /* coarse cells of the box */
	uint8_t *seen;               /* sets of runs */
} refining;

/* ---- the box ---- */

typedef struct part_box {
	uint32_t low[3], high[3];
	uint32_t deepest; /* squared */
} part_box;

static void grow_box(part_box *box, const uint32_t *at, uint32_t distance2)
{
	for (int k = 0; k < 3; k++) {
		if (at[k] < box->low[k]) box->low[k] = at[k];
		if (at[k] > box->high[k]) box->high[k] = at[k];
	}
	if (distance2 > box->deepest) box->deepest = distance2;
}

/* so wide around the part that no distance in it is cut off at the box */
static void set_box(refining *r, const part_box *box)
{
	const uint32_t pad = (uint32_t)sqrt((double)box->deepest) + 2;
	for (int k = 0; k < 3; k++) {
		const uint32_t last = r->coarse->size[k] - 1;
		r->first[k] = box->low[k] > pad ? box->low[k] - pad : 0;
		const uint32_t high = last - box->high[k] > pad ? box->high[k] + pad : last;
		r->count[k] = high - r->first[k] + 1;
	}
}

/* cells, numbered twice for a while, with a side each; voxels and runs by the estimate that half
   are inside */
static double box_bytes(const refining *r, double factor)
{
	const double cells = (double)r->count[0] * r->count[1] * r->count[2] * factor * factor * factor;
	return cells < (double)OSSA_NONE ? 14 * cells : INFINITY;
}

static ossa_status check_memory(const refining *r, double limit)
{
	if (box_bytes(r, r->factor) <= limit) return OSSA_OK;
	uint32_t most = r->factor;
	while (most > 1 && box_bytes(r, most) > limit) most--;
	return ossai_fail(r->arena->context, OSSA_ERROR_LIMIT, NULL,
		"a part of %u x %u x %u voxels cut into %u along each side needs more than the %.3g MB that are allowed: the largest "
		"factor is %u",
		r->count[0], r->count[1], r->count[2], r->factor, limit / 1e6, most);
}

static ossa_status make_cells(refining *r)
{
	ossai_cells *c = &r->cells;
	for (int k = 0; k < 3; k++) c->size[k] = r->count[k] * r->factor;
	c->row_words = (c->size[0] - 1) / 64 + 1;
	c->step = r->coarse->step / r->factor;
	c->origin = ossai_madd(
		r->coarse->origin, r->coarse->step, ossai_v3(r->first[0] - 0.5, r->first[1] - 0.5, r->first[2] - 0.5));
	c->bits = ossai_arena_zero(r->scratch, ossai_cell_rows(c), c->row_words * sizeof *c->bits);
	if (!c->bits) return ossa_context_error(r->scratch->context)->status;
	return ossai_cells_touch(r->scratch, r->surface, c);
}

/* ---- the sides of coarse cells ---- */

/* the coarse cell of the box at the beginning of a fine row */
static size_t box_row(const refining *r, size_t row)
{
	const size_t y = row % r->cells.size[1] / r->factor, z = row / r->cells.size[1] / r->factor;
	return (z * r->count[1] + y) * r->count[0];
}

static uint32_t coarse_voxel(const refining *r, size_t box_cell)
{
	const size_t x = box_cell % r->count[0] + r->first[0], y = box_cell / r->count[0] % r->count[1] + r->first[1];
	const size_t z = box_cell / r->count[0] / r->count[1] + r->first[2];
	return r->coarse->of_cell[x + r->coarse->size[0] * (y + r->coarse->size[1] * z)];
}

static void mark_touched(const refining *r)
{
	for (size_t row = 0; row < ossai_cell_rows(&r->cells); row++) {
		uint32_t x = 0;
		uint8_t *is_touched = r->is_touched + box_row(r, row);
		/* the cells between runs, and after the last */
		for (uint32_t i = r->runs.first[row]; i <= r->runs.first[row + 1]; i++) {
			const uint32_t end = i < r->runs.first[row + 1] ? r->runs.begin[i] : r->cells.size[0];
			if (x < end) memset(is_touched + x / r->factor, 1, (end - 1) / r->factor - x / r->factor + 1);
			if (i < r->runs.first[row + 1]) x = r->runs.end[i];
		}
	}
}

static void look_at_sets(const refining *r)
{
	for (size_t row = 0; row < ossai_cell_rows(&r->cells); row++) {
		const size_t first = box_row(r, row);
		for (uint32_t i = r->runs.first[row]; i < r->runs.first[row + 1]; i++) {
			for (uint32_t x = r->runs.begin[i] / r->factor; x <= (r->runs.end[i] - 1) / r->factor; x++) {
				if (r->is_touched[first + x]) continue;
				r->seen[r->runs.set[i]] |= coarse_voxel(r, first + x) == OSSA_NONE ? SEEN_OUTSIDE : SEEN_INSIDE;
			}
		}
	}
}

/* ---- sets that meet both sides ---- */

/* labels the cells of such sets with the side of the coarse cell, or OPEN; labelled cells next to
   open ones start the queue */
static size_t label_mixed(const refining *r, uint8_t *label, uint32_t *queue)
{
	size_t end = 0;
	for (size_t row = 0; row < ossai_cell_rows(&r->cells); row++) {
		const size_t first = box_row(r, row);
		for (uint32_t i = r->runs.first[row]; i < r->runs.first[row + 1]; i++) {
			if (r->seen[r->runs.set[i]] != (SEEN_OUTSIDE | SEEN_INSIDE)) continue;
			for (uint32_t x = r->runs.begin[i]; x < r->runs.end[i]; x++) {
				const size_t cell = row * r->cells.size[0] + x, box_cell = first + x / r->factor;
				label[cell] = OPEN;
				if (r->is_touched[box_cell]) continue;
				label[cell] = coarse_voxel(r, box_cell) == OSSA_NONE ? SEEN_OUTSIDE : SEEN_INSIDE;
				queue[end++] = (uint32_t)cell;
			}
		}
	}
	return end;
}

/* floods: each open cell gets the label of the first cell that reaches it */
static void spread_labels(const refining *r, uint8_t *label, uint32_t *queue, size_t end)
{
	const uint32_t *size = r->cells.size;
	const size_t stride[3] = {1, size[0], (size_t)size[0] * size[1]};
	for (size_t q = 0; q < end; q++) {
		const size_t cell = queue[q];
		const size_t at[3] = {cell % size[0], cell / size[0] % size[1], cell / stride[2]};
		for (int side = 0; side < 6; side++) {
			const int k = side / 2, up = side % 2;
			if (up ? at[k] + 1 == size[k] : at[k] == 0) continue;
			const size_t to = up ? cell + stride[k] : cell - stride[k];
			if (label[to] != OPEN) continue;
			label[to] = label[cell];
			queue[end++] = (uint32_t)to;
		}
	}
}

static ossa_status fill_mixed(refining *r)
{
	const size_t rows = ossai_cell_rows(&r->cells), cells = rows * r->cells.size[0];
	uint8_t *label = ossai_arena_zero(r->scratch, cells, 1);
	uint32_t *queue = label ? ossai_arena_new(r->scratch, cells, sizeof *queue) : NULL;
	if (!queue) return ossa_context_error(r->scratch->context)->status;
	spread_labels(r, label, queue, label_mixed(r, label, queue));
	for (size_t row = 0; row < rows; row++) {
		uint64_t *bits = r->cells.bits + row * r->cells.row_words;
		for (uint32_t x = 0; x < r->cells.size[0]; x++) {
			if (label[row * r->cells.size[0] + x] == SEEN_INSIDE) bits[x / 64] |= 1ULL << (x % 64);
		}
	}
	return OSSA_OK;
}

/* ---- sides ---- */

static ossa_status fill_cells(refining *r)
{
	const size_t rows = ossai_cell_rows(&r->cells);
	OSSAI_TRY(ossai_runs_make(r->scratch, &r->cells, false, &r->runs));
	r->is_touched = ossai_arena_zero(r->scratch, (size_t)r->count[0] * r->count[1], r->count[2]);
	r->seen = r->is_touched ? ossai_arena_zero(r->scratch, r->runs.set_count, 1) : NULL;
	uint8_t *side = r->seen ? ossai_arena_new(r->scratch, r->runs.set_count, 1) : NULL;
	if (!side) return ossa_context_error(r->scratch->context)->status;
	mark_touched(r);
	look_at_sets(r);
	bool is_mixed = false;
	for (size_t set = 0; set < r->runs.set_count; set++) {
		side[set] = r->seen[set] == 0     ? OSSAI_SIDE_UNKNOWN
			: r->seen[set] == SEEN_INSIDE ? OSSAI_SIDE_INSIDE
										  : OSSAI_SIDE_OUTSIDE;
		is_mixed = is_mixed || r->seen[set] == (SEEN_INSIDE | SEEN_OUTSIDE);
	}
	OSSAI_TRY(ossai_sets_classify(r->scratch, r->surface, &r->cells, &r->runs, r->shared, r->tree, side));
	for (size_t row = 0; row < rows; row++) {
		uint64_t *bits = r->cells.bits + row * r->cells.row_words;
		for (uint32_t i = r->runs.first[row]; i < r->runs.first[row + 1]; i++) {
			if (side[r->runs.set[i]] == OSSAI_SIDE_INSIDE) ossai_bits_write(bits, r->runs.begin[i], r->runs.end[i], true);
		}
	}
	return is_mixed ? fill_mixed(r) : OSSA_OK;
}

/* nothing beyond the box is known: its outermost cells are farther from the part than any distance
   in it */
static void clear_outermost(ossai_cells *cells)
{
	for (size_t row = 0; row < ossai_cell_rows(cells); row++) {
		uint64_t *bits = cells->bits + row * cells->row_words;
		const size_t y = row % cells->size[1], z = row / cells->size[1];
		ossai_bits_write(bits, 0, 1, false);
		ossai_bits_write(bits, cells->size[0] - 1, cells->size[0], false);
		if (y == 0 || z == 0 || y + 1 == cells->size[1] || z + 1 == cells->size[2]) {
			ossai_bits_write(bits, 0, cells->size[0], false);
		}
	}
}

/* ---- the part ---- */

/* the cells that are inside and in coarse voxels of the part */
static ossa_status cut_part(const refining *r, ossai_cells *own)
{
	*own = r->cells;
	own->bits = ossai_arena_zero(r->scratch, ossai_cell_rows(own), own->row_words * sizeof *own->bits);
	if (!own->bits) return ossa_context_error(r->scratch->context)->status;
	for (size_t row = 0; row < ossai_cell_rows(own); row++) {
		const size_t first = box_row(r, row);
		uint64_t *bits = own->bits + row * own->row_words;
		for (uint32_t x = 0; x < r->count[0]; x++) {
			const uint32_t voxel = coarse_voxel(r, first + x);
			if (voxel == OSSA_NONE || r->parts->of_voxel[voxel] != r->part) continue;
			ossai_bits_write(bits, x * r->factor, (x + 1) * r->factor, true);
		}
		for (size_t w = 0; w < own->row_words; w++) bits[w] &= r->cells.bits[row * own->row_words + w];
	}
	return OSSA_OK;
}

static ossa_status number_part(const refining *r, ossai_voxels *made)
{
	ossai_voxels all = {0};
	ossai_cells own;
	for (size_t i = 0; i < ossai_cell_rows(&r->cells) * r->cells.row_words; i++) {
		all.count += (size_t)__builtin_popcountll(r->cells.bits[i]);
	}
	OSSAI_TRY(ossai_cells_number(r->scratch, r->scratch, &r->cells, &all));
	OSSAI_TRY(ossai_distance_map(r->scratch, &r->cells, all.of_cell, OSSAI_DISTANCE_STEPS, all.distance2));
	OSSAI_TRY(cut_part(r, &own));
	OSSAI_TRY(ossai_cells_keep_largest(r->scratch, &own, made));
	OSSAI_TRY(ossai_cells_number(r->arena, r->scratch, &own, made));
	for (size_t i = 0; i < made->count; i++) made->distance2[i] = all.distance2[all.of_cell[made->cell[i]]];
	return OSSA_OK;
}

static ossa_status refine_part(refining *r, const part_box *box, double limit, ossai_fine_voxels *fine)
{
	set_box(r, box);
	OSSAI_TRY(check_memory(r, limit));
	OSSAI_TRY(make_cells(r));
	OSSAI_TRY(fill_cells(r));
	clear_outermost(&r->cells);
	*fine = (ossai_fine_voxels){.factor = r->factor};
	memcpy(fine->first, r->first, sizeof fine->first);
	OSSAI_TRY(number_part(r, &fine->voxels));
	return ossai_progress(r->arena->context, (r->part + 1.0) / r->parts->count);
}

/* ---- the whole ---- */

static ossa_status refine_parts(refining *r, double limit, ossai_fine_voxels *fine)
{
	part_box *boxes = ossai_arena_new(r->shared, r->parts->count, sizeof *boxes);
	if (!boxes) return ossa_context_error(r->shared->context)->status;
	for (size_t p = 0; p < r->parts->count; p++) {
		boxes[p] = (part_box){.low = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
	}
	for (uint32_t v = 0; v < r->coarse->count; v++) {
		uint32_t at[3];
		if (r->parts->of_voxel[v] == OSSA_NONE) continue;
		ossai_voxel_at(r->coarse, v, at);
		grow_box(&boxes[r->parts->of_voxel[v]], at, r->coarse->distance2[v]);
	}
	for (r->part = 0; r->part < r->parts->count; r->part++) {
		ossai_arena scratch = ossai_arena_begin(r->arena->context);
		r->scratch = &scratch;
		const ossa_status status = refine_part(r, &boxes[r->part], limit, &fine[r->part]);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
	}
	return OSSA_OK;
}

ossa_status ossai_voxels_refine(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxels *coarse,
	const ossai_voxel_parts *parts, uint32_t factor, double memory_limit, ossai_fine_voxels *fine)
{
	ossai_oriented oriented;
	ossai_winding_tree *tree = NULL;
	if (parts->count == 0) return OSSA_OK;
	ossai_arena shared = ossai_arena_begin(arena->context);
	refining r = {.arena = arena, .shared = &shared, .surface = &oriented, .tree = &tree, .coarse = coarse, .parts = parts};
	r.factor = factor < 1 ? 1 : factor;
	ossa_status status = ossai_orient(
		&shared, surface->vertex_count, surface->rest, surface->face_count, surface->triangles, &oriented);
	if (status == OSSA_OK) status = refine_parts(&r, memory_limit > 0 ? memory_limit : MEMORY, fine);
	ossai_arena_end(&shared);
	return status;
}

bool ossai_fine_on_cut(
	const ossai_voxels *coarse, const ossai_voxel_parts *parts, const ossai_fine_voxels *fine, uint32_t voxel)
{
	const uint32_t own = ossai_coarse_of_fine(coarse, fine, voxel);
	const ossai_neighbors around = ossai_neighbors_of(coarse);
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t other = coarse->of_cell[(size_t)((int64_t)coarse->cell[own] + around.offset[i])];
		if (other != OSSA_NONE && parts->of_voxel[other] != parts->of_voxel[own]) return true;
	}
	return false;
}
