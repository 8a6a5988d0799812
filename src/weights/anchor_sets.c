/* weights/anchor_sets.c: see anchor_sets.h. */
#include "weights/anchor_sets.h"

#include "base/csr.h"
#include "voxels/neighbors.h"

#include <ossa/mesh.h>
#include <string.h>

/* The part of a row of cells that the balls of the current bone cover, as far as it has not been
   marked. */
typedef struct row_span {
	int32_t low, high; /* high < low: nothing */
} row_span;

typedef struct painter {
	ossa_context *context;
	const ossai_voxels *voxels;
	ossai_bone_sets *sets;
	ossai_neighbors around;
	uint32_t *set; /* N */
	row_span *row; /* of all rows: y fastest, then z */
	uint64_t *bit; /* N bits: covered by the current bone */
	size_t first_word, last_word;
	int32_t low[2], high[2]; /* rows that the current bone has touched: y, z */
} painter;

/* ---- balls ---- */

/* marks the voxels of a row's span, which have consecutive numbers */
static void mark_span(painter *p, size_t row, row_span span)
{
	const uint32_t *of_cell = p->voxels->of_cell + row * p->voxels->size[0];
	while (span.low <= span.high && of_cell[span.low] == OSSA_NONE) span.low++;
	while (span.low <= span.high && of_cell[span.high] == OSSA_NONE) span.high--;
	if (span.low > span.high) return;
	const uint32_t first = of_cell[span.low], last = of_cell[span.high];
	const size_t low = first / 64, high = last / 64;
	const uint64_t from = UINT64_MAX << first % 64, to = UINT64_MAX >> (63 - last % 64);
	if (low < p->first_word) p->first_word = low;
	if (high > p->last_word) p->last_word = high;
	if (low == high) {
		p->bit[low] |= from & to;
		return;
	}
	p->bit[low] |= from;
	for (size_t i = low + 1; i < high; i++) p->bit[i] = UINT64_MAX;
	p->bit[high] |= to;
}

/* balls are given along a bone, so in a row most of them overlap the one before */
static void add_span(painter *p, int32_t y, int32_t z, row_span span)
{
	const size_t row = (size_t)z * p->voxels->size[1] + (size_t)y;
	row_span *kept = &p->row[row];
	if (kept->low <= kept->high && (span.low > kept->high + 1 || span.high + 1 < kept->low)) {
		mark_span(p, row, *kept);
		*kept = span;
	} else {
		if (span.low < kept->low || kept->low > kept->high) kept->low = span.low;
		if (span.high > kept->high) kept->high = span.high;
	}
}

/* the integer square root */
static int32_t root_of(int64_t square)
{
	int64_t root = (int64_t)sqrt((double)square);
	while (root * root > square) root--;
	while ((root + 1) * (root + 1) <= square) root++;
	return (int32_t)root;
}

static int32_t at_least(int64_t value, int32_t low) { return value < low ? low : (int32_t)value; }
static int32_t below(int64_t value, uint32_t end) { return value < (int64_t)end ? (int32_t)value : (int32_t)end - 1; }

static void add_ball(painter *p, uint32_t voxel)
{
	const ossai_voxels *v = p->voxels;
	const int64_t square = v->distance2[voxel];
	uint32_t at[3];
	ossai_voxel_at(v, voxel, at);
	const int64_t x = at[0], y = at[1], z = at[2], reach = root_of(square);
	const int32_t z_begin = at_least(z - reach, 0), z_last = below(z + reach, v->size[2]);
	if (z_begin < p->low[1]) p->low[1] = z_begin;
	if (z_last > p->high[1]) p->high[1] = z_last;
	for (int32_t k = z_begin; k <= z_last; k++) {
		const int64_t disk = square - (k - z) * (k - z), wide = root_of(disk);
		const int32_t y_begin = at_least(y - wide, 0), y_last = below(y + wide, v->size[1]);
		if (y_begin < p->low[0]) p->low[0] = y_begin;
		if (y_last > p->high[0]) p->high[0] = y_last;
		for (int32_t j = y_begin; j <= y_last; j++) {
			const int64_t half = root_of(disk - (j - y) * (j - y));
			add_span(p, j, k, (row_span){at_least(x - half, 0), below(x + half, v->size[0])});
		}
	}
}

/* marks what the balls of a bone cover in the rows */
static void mark_rows(painter *p)
{
	for (int32_t z = p->low[1]; z <= p->high[1]; z++) {
		for (int32_t y = p->low[0]; y <= p->high[0]; y++) {
			const size_t row = (size_t)z * p->voxels->size[1] + (size_t)y;
			if (p->row[row].low <= p->row[row].high) mark_span(p, row, p->row[row]);
			p->row[row] = (row_span){0, -1};
		}
	}
}

/* adds the bone to the set of every marked voxel */
static ossa_status add_bone(painter *p, uint32_t bone)
{
	uint32_t before = OSSA_NONE, after = 0;
	for (size_t word = p->first_word; word <= p->last_word; word++) {
		uint64_t bits = p->bit[word];
		p->bit[word] = 0;
		for (; bits; bits &= bits - 1) {
			uint32_t *set = &p->set[word * 64 + (size_t)__builtin_ctzll(bits)];
			if (*set != before) {
				before = *set;
				OSSAI_TRY(ossai_bone_sets_add(p->sets, before, bone, &after));
			}
			*set = after;
		}
	}
	return OSSA_OK;
}

static ossa_status paint_bone(painter *p, uint32_t bone, size_t count, const uint32_t *ball)
{
	p->first_word = SIZE_MAX;
	p->last_word = 0;
	p->low[0] = p->low[1] = INT32_MAX;
	p->high[0] = p->high[1] = -1;
	for (size_t i = 0; i < count; i++) add_ball(p, ball[i]);
	mark_rows(p);
	return p->first_word == SIZE_MAX ? OSSA_OK : add_bone(p, bone);
}

/* bone after bone, so that sets grow by ascending numbers */
static ossa_status paint(ossai_arena *scratch, painter *p, size_t bone_count, size_t ball_count, const ossai_anchor_ball *balls)
{
	const size_t rows = (size_t)p->voxels->size[1] * p->voxels->size[2];
	p->row = ossai_arena_new(scratch, rows, sizeof *p->row);
	p->bit = ossai_arena_zero(scratch, p->voxels->count / 64 + 1, sizeof *p->bit);
	if (!p->row || !p->bit) return ossa_context_error(p->context)->status;
	for (size_t i = 0; i < rows; i++) p->row[i] = (row_span){0, -1};
	ossai_csr voxels;
	OSSAI_TRY(ossai_csr_begin(scratch, bone_count, &voxels));
	for (size_t i = 0; i < ball_count; i++) ossai_csr_count(&voxels, balls[i].bone);
	OSSAI_TRY(ossai_csr_take_items(scratch, &voxels));
	for (size_t i = 0; i < ball_count; i++) ossai_csr_put(&voxels, balls[i].bone, balls[i].voxel);
	for (uint32_t b = 0; b < bone_count; b++) {
		OSSAI_TRY(ossai_progress(p->context, (double)b / (double)bone_count));
		OSSAI_TRY(paint_bone(p, b, ossai_csr_size(&voxels, b), voxels.item + voxels.start[b]));
	}
	return OSSA_OK;
}

/* ---- voxels that no ball covers ---- */

/* Voxels of the layer that is being found. */
typedef struct layer {
	size_t count;
	uint32_t *voxel, *set;
	uint8_t *is_listed; /* N */
} layer;

/* the i-th voxel around one, or OSSA_NONE */
static uint32_t neighbor(const painter *p, uint32_t voxel, int i)
{
	return p->voxels->of_cell[(int64_t)p->voxels->cell[voxel] + p->around.offset[i]];
}

static void list_uncovered(const painter *p, uint32_t around, layer *next)
{
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t other = neighbor(p, around, i);
		if (other == OSSA_NONE || p->set[other] != 0 || next->is_listed[other]) continue;
		next->is_listed[other] = 1;
		next->voxel[next->count++] = other;
	}
}

static ossa_status unite_neighbors(painter *p, uint32_t voxel, uint32_t *set)
{
	*set = 0;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t other = neighbor(p, voxel, i);
		if (other != OSSA_NONE && p->set[other] != *set) {
			OSSAI_TRY(ossai_bone_sets_unite(p->sets, *set, p->set[other], set));
		}
	}
	return OSSA_OK;
}

/* the first layer is found from the uncovered side, as most voxels are covered */
static void list_first_layer(const painter *p, layer *first)
{
	for (uint32_t v = 0; v < p->voxels->count; v++) {
		for (int i = 0; p->set[v] == 0 && i < OSSAI_NEIGHBORS; i++) {
			const uint32_t other = neighbor(p, v, i);
			if (other == OSSA_NONE || p->set[other] == 0) continue;
			first->is_listed[v] = 1;
			first->voxel[first->count++] = v;
			break;
		}
	}
}

static ossa_status spread(ossai_arena *scratch, painter *p)
{
	const size_t count = p->voxels->count;
	layer now = {.voxel = ossai_arena_new(scratch, count, sizeof *now.voxel)};
	now.set = ossai_arena_new(scratch, count, sizeof *now.set);
	now.is_listed = ossai_arena_zero(scratch, count, 1);
	if (!now.voxel || !now.set || !now.is_listed) return ossa_context_error(p->context)->status;
	list_first_layer(p, &now);
	/* one array for all layers: each follows the one before */
	for (size_t begin = 0; begin < now.count;) {
		const size_t end = now.count;
		OSSAI_TRY(ossai_progress(p->context, 1));
		for (size_t i = begin; i < end; i++) OSSAI_TRY(unite_neighbors(p, now.voxel[i], &now.set[i]));
		for (size_t i = begin; i < end; i++) p->set[now.voxel[i]] = now.set[i];
		for (size_t i = begin; i < end; i++) list_uncovered(p, now.voxel[i], &now);
		begin = end;
	}
	return OSSA_OK;
}

ossa_status ossai_anchor_sets_make(ossa_context *context, const ossai_voxels *voxels, size_t bone_count, size_t ball_count,
	const ossai_anchor_ball *balls, ossai_bone_sets *sets, uint32_t *set_of_voxel)
{
	painter p = {.context = context, .voxels = voxels, .around = ossai_neighbors_of(voxels), .sets = sets, .set = set_of_voxel};
	memset(set_of_voxel, 0, voxels->count * sizeof *set_of_voxel);
	ossai_arena scratch = ossai_arena_begin(context);
	ossa_status status = paint(&scratch, &p, bone_count, ball_count, balls);
	ossai_arena_end(&scratch);
	scratch = ossai_arena_begin(context);
	if (status == OSSA_OK) status = spread(&scratch, &p);
	ossai_arena_end(&scratch);
	return status;
}
