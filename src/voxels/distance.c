/* voxels/distance.c: see distance.h.

   One pass per axis: along x by the ends of runs, along y and z 16 columns side by side. The lowest
   parabola over a cell is searched for among its neighbours in the column, outward until no farther
   one can be lower. Few cells of real shapes need many steps, and the search vectorises. Columns
   where it takes too many steps are solved by the lower envelope of all parabolas, so that time
   stays linear. */
#include "voxels/distance.h"

#include "base/clones.h"

#include <string.h>

enum { COLUMNS = 16, AXIS_MOST = 37837, RANGES_MOST = 32 };
enum { STRIDE = 4 }; /* steps of the search between tests for its end */

/* The buffers of a range of planes: rows of a plane are crossed by columns. */
typedef struct column_buffer {
	uint32_t *value;  /* STRIDE + rows + STRIDE, x COLUMNS; the first and last STRIDE are 0 */
	uint32_t *result; /* rows x COLUMNS */
	uint16_t *is_set; /* rows: one bit per column */
	uint32_t *next;   /* rows: the number of the first set cell from these columns on */
	uint32_t *site;   /* the lower envelope: the vertices of its parabolas, */
	uint32_t *from;   /* and the row from which each is the lowest */
} column_buffer;

typedef struct distance_job {
	const ossai_cells *cells;
	const uint32_t *of_cell;
	uint32_t *distance2;
	size_t rows, planes;             /* of the pass: along the columns, and the number of planes */
	size_t row_stride, plane_stride; /* in rows of cells */
	size_t grain;
	uint32_t steps_most; /* of a search */
	column_buffer buffers[RANGES_MOST];
} distance_job;

/* ---- along x ---- */

static void run_distances(uint32_t *distance2, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++) {
		const uint32_t d = i + 1 < length - i ? i + 1 : length - i;
		distance2[i] = d * d;
	}
}

static void x_range(void *arg, size_t begin, size_t end)
{
	const distance_job *job = arg;
	const size_t words = job->cells->row_words;
	for (size_t r = begin; r < end; r++) {
		const uint64_t *row = job->cells->bits + r * words;
		const uint32_t *of_cell = job->of_cell + r * job->cells->size[0];
		uint64_t carry = 0;
		uint32_t first = 0;
		for (size_t w = 0; w < words; w++) {
			uint64_t changes = row[w] ^ (row[w] << 1 | carry);
			carry = row[w] >> 63;
			for (; changes; changes &= changes - 1) {
				const uint32_t x = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(changes);
				if (row[w] >> (x % 64) & 1) first = x;
				else run_distances(job->distance2 + of_cell[first], x - first);
			}
		}
	}
}

/* ---- along y and z ---- */

/* For each row that has a set cell, the minimum of (row - i)^2 + value[i] over the nearest rows i,
   as many as could attain it; false where that takes too many steps. */
OSSAI_CLONES static bool search_rows(
	const uint32_t *value, const uint16_t *is_set, size_t rows, uint32_t steps_most, uint32_t *result)
{
	/* distances of adjacent cells differ by at most 1, so at least this many steps are needed */
	uint32_t needed = 0;
	for (size_t row = 0; row < rows; row++) {
		if (!is_set[row]) {
			needed = 0;
			continue;
		}
		const uint32_t *up = value + (row + STRIDE) * COLUMNS, *down = up;
		uint32_t least[COLUMNS], most = 0, looks = needed / STRIDE;
		for (int c = 0; c < COLUMNS; c++) {
			least[c] = up[c];
			most = least[c] > most ? least[c] : most;
		}
		for (uint32_t step = 1; step * step < most;) {
			if (step > steps_most) return false;
			/* fewer tests */
			const int stride = looks > 1 ? STRIDE * (int)looks : STRIDE;
			looks = 0;
			for (int i = 0; i < stride; i++, step++) {
				up += COLUMNS;
				down -= COLUMNS;
				for (int c = 0; c < COLUMNS; c++) {
					const uint32_t lesser = up[c] < down[c] ? up[c] : down[c];
					least[c] = lesser + step * step < least[c] ? lesser + step * step : least[c];
				}
			}
			most = 0;
			for (int c = 0; c < COLUMNS; c++) most = least[c] > most ? least[c] : most;
		}
		for (int c = 0; c < COLUMNS; c++) result[row * COLUMNS + (size_t)c] = least[c];
		const uint32_t reach = (uint32_t)sqrt((double)most);
		needed = reach > 1 ? reach - 1 : 0;
	}
	return true;
}

/* The minimum over all i of (row - i)^2 + value[i], for the rows [begin, end), which are set; the
   rows at begin - 1 and end are not. Values and results are those of one column. */
static void envelope(const column_buffer *b, const uint32_t *value, uint32_t *result, uint32_t begin, uint32_t end)
{
	uint32_t *site = b->site, *from = b->from;
	uint32_t top = 0, top_value = 0;
	site[0] = from[0] = begin - 1;
	for (uint32_t row = begin; row <= end; row++) {
		const uint32_t own = value[(size_t)row * COLUMNS];
		/* removes parabolas that are above the new one where they begin to be the lowest; the first
		   one is 0 there */
		for (;;) {
			const uint32_t off = from[top] - site[top], beyond = row - from[top];
			if (off * off + top_value <= beyond * beyond + own) break;
			top--;
			top_value = value[(size_t)site[top] * COLUMNS];
		}
		const uint32_t at = site[top];
		/* the last row where the top parabola is not above the new one */
		const uint32_t last = (row * row - at * at + own - top_value) / (2 * (row - at));
		if (last + 1 >= end) continue;
		top++;
		site[top] = row;
		from[top] = last + 1;
		top_value = own;
	}
	for (uint32_t row = end; row-- > begin;) {
		while (from[top] > row) top--;
		const uint32_t off = row - site[top];
		result[(size_t)row * COLUMNS] = off * off + value[(size_t)site[top] * COLUMNS];
	}
}

static void solve_column(const column_buffer *b, uint32_t column, uint32_t rows)
{
	const uint32_t *value = b->value + (size_t)STRIDE * COLUMNS + column;
	for (uint32_t row = 0; row < rows; row++) {
		if (!(b->is_set[row] >> column & 1)) continue;
		uint32_t end = row + 1;
		while (b->is_set[end] >> column & 1) end++;
		envelope(b, value, b->result + column, row, end);
		row = end;
	}
}

/* copies values of a row of the map to the buffer */
static void load_row(uint32_t bits, const uint32_t *map, uint32_t *value)
{
	if (bits == 0xffff) {
		memcpy(value, map, COLUMNS * sizeof *value);
		return;
	}
	memset(value, 0, COLUMNS * sizeof *value);
	for (; bits; bits &= bits - 1) value[__builtin_ctz(bits)] = *map++;
}

/* copies results back; returns how many there are */
static uint32_t store_row(uint32_t bits, const uint32_t *result, uint32_t *map)
{
	if (bits == 0xffff) {
		memcpy(map, result, COLUMNS * sizeof *map);
		return COLUMNS;
	}
	uint32_t count = 0;
	for (; bits; bits &= bits - 1) map[count++] = result[__builtin_ctz(bits)];
	return count;
}

/* columns x to x + 15 of a plane */
static void solve_columns(const distance_job *job, const column_buffer *b, size_t plane, size_t x)
{
	const size_t words = job->cells->row_words;
	uint32_t any = 0;
	for (size_t row = 0; row < job->rows; row++) {
		const size_t cell_row = plane * job->plane_stride + row * job->row_stride;
		const uint32_t bits = (uint16_t)(job->cells->bits[cell_row * words + x / 64] >> (x % 64));
		b->is_set[row] = (uint16_t)bits;
		any |= bits;
		load_row(bits, job->distance2 + b->next[row], b->value + (row + STRIDE) * COLUMNS);
	}
	if (!any) return;
	if (!search_rows(b->value, b->is_set, job->rows, job->steps_most, b->result)) {
		for (; any; any &= any - 1) solve_column(b, (uint32_t)__builtin_ctz(any), (uint32_t)job->rows);
	}
	for (size_t row = 0; row < job->rows; row++) {
		if (!b->is_set[row]) continue;
		b->next[row] += store_row(b->is_set[row], b->result + row * COLUMNS, job->distance2 + b->next[row]);
	}
}

/* finds the first number of each row; false where no row has any */
static bool begin_plane(const distance_job *job, const column_buffer *b, size_t plane)
{
	const ossai_cells *cells = job->cells;
	bool any = false;
	for (size_t row = 0; row < job->rows; row++) {
		const size_t cell_row = plane * job->plane_stride + row * job->row_stride;
		const uint64_t *bits = cells->bits + cell_row * cells->row_words;
		b->next[row] = 0;
		for (size_t w = 0; w < cells->row_words; w++) {
			if (!bits[w]) continue;
			b->next[row] = job->of_cell[cell_row * cells->size[0] + 64 * w + (size_t)__builtin_ctzll(bits[w])];
			any = true;
			break;
		}
	}
	return any;
}

static void plane_range(void *arg, size_t begin, size_t end)
{
	const distance_job *job = arg;
	const column_buffer *b = &job->buffers[begin / job->grain];
	/* the pass before may have had more rows */
	memset(b->value + (job->rows + STRIDE) * COLUMNS, 0, (size_t)STRIDE * COLUMNS * sizeof *b->value);
	for (size_t plane = begin; plane < end; plane++) {
		if (!begin_plane(job, b, plane)) continue;
		for (size_t x = 0; x < job->cells->size[0]; x += COLUMNS) solve_columns(job, b, plane, x);
	}
}

static ossa_status make_buffers(ossai_arena *scratch, distance_job *job, size_t rows, size_t ranges)
{
	for (size_t i = 0; i < ranges; i++) {
		column_buffer *b = &job->buffers[i];
		b->value = ossai_arena_zero(scratch, rows + 2 * STRIDE, COLUMNS * sizeof *b->value);
		b->result = b->value ? ossai_arena_new(scratch, rows, COLUMNS * sizeof *b->result) : NULL;
		b->is_set = b->result ? ossai_arena_new(scratch, rows, sizeof *b->is_set) : NULL;
		b->next = b->is_set ? ossai_arena_new(scratch, rows, sizeof *b->next) : NULL;
		b->site = b->next ? ossai_arena_new(scratch, 2 * (rows + 1), sizeof *b->site) : NULL;
		if (!b->site) return ossa_context_error(scratch->context)->status;
		b->from = b->site + rows + 1;
	}
	return OSSA_OK;
}

static void run_pass(ossa_context *context, distance_job *job)
{
	job->grain = (job->planes - 1) / RANGES_MOST + 1;
	ossai_parallel_for(context, job->planes, job->grain, plane_range, job);
}

ossa_status ossai_distance_map(
	ossai_arena *scratch, const ossai_cells *cells, const uint32_t *of_cell, uint32_t steps_most, uint32_t *distance2)
{
	const uint32_t *size = cells->size;
	for (int k = 0; k < 3; k++) {
		if (size[k] <= AXIS_MOST) continue;
		return ossai_fail(scratch->context, OSSA_ERROR_LIMIT, NULL,
			"%u voxels along an axis are more than %d: choose larger ones", size[k], AXIS_MOST);
	}
	distance_job job = {.cells = cells, .of_cell = of_cell, .distance2 = distance2, .steps_most = steps_most};
	const size_t longest = size[1] > size[2] ? size[1] : size[2];
	OSSAI_TRY(make_buffers(scratch, &job, longest, longest < RANGES_MOST ? longest : RANGES_MOST));
	ossai_parallel_for(scratch->context, ossai_cell_rows(cells), 256, x_range, &job);
	job.rows = size[1];
	job.planes = size[2];
	job.row_stride = 1;
	job.plane_stride = size[1];
	run_pass(scratch->context, &job);
	job.rows = size[2];
	job.planes = size[1];
	job.row_stride = size[1];
	job.plane_stride = 1;
	run_pass(scratch->context, &job);
	return OSSA_OK;
}
