/* volume/distance.c: see distance.h. One pass an axis: along x by the ends of runs, along y and z by the lower envelope of parabolas over
   each stretch of cells that are set, 16 columns side by side. */
#include "volume/distance.h"

#include <string.h>

enum { COLUMNS = 16, AXIS_MOST = 37837, RANGES_MOST = 32 };

/* What a range of planes works on: rows of the plane are crossed by columns. */
typedef struct column_buffer {
	uint32_t *value;  /* rows x COLUMNS */
	uint16_t *is_set; /* rows: a bit a column */
	uint32_t *site;   /* the lower envelope: where its parabolas stand, */
	uint32_t *from;   /* and from which row on each is the lowest */
	uint32_t *result; /* of a column */
} column_buffer;

typedef struct distance_job {
	const ossai_cells *cells;
	const uint32_t *of_cell;
	uint32_t *distance2;
	size_t rows, planes;             /* of the pass: along the columns, and how many planes */
	size_t row_stride, plane_stride; /* in rows of cells */
	size_t grain;
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

/* The least over sites i of (row - i)^2 + value[i], for the rows [begin, end), which are set; the rows at begin - 1 and end are not:
   their value is 0. */
static void envelope(const column_buffer *b, const uint32_t *value, uint32_t begin, uint32_t end)
{
	uint32_t *site = b->site, *from = b->from;
	uint32_t top = 0;
	site[0] = from[0] = begin - 1;
	uint32_t top_value = 0;
	for (uint32_t row = begin; row <= end; row++) {
		const uint32_t own = row < end ? value[(size_t)row * COLUMNS] : 0;
		/* parabolas that are above the new one where they begin to be the lowest will never be */
		for (;;) {
			const uint32_t off = from[top] - site[top], far = row - from[top];
			if (off * off + top_value <= far * far + own) break;
			if (top == 0) break;
			top--;
			top_value = site[top] < begin ? 0 : value[(size_t)site[top] * COLUMNS];
		}
		const uint32_t at = site[top];
		/* the last row where the one on top is not above the new one */
		const uint64_t above = (uint64_t)row * row - (uint64_t)at * at + own - top_value;
		const uint64_t last = above / (2 * (row - at));
		if (last + 1 > end) continue;
		top++;
		site[top] = row;
		from[top] = (uint32_t)last + 1;
		top_value = own;
	}
	for (uint32_t row = end; row-- > begin;) {
		while (from[top] > row) top--;
		const uint32_t off = row > site[top] ? row - site[top] : site[top] - row;
		const uint32_t at = site[top];
		b->result[row] = off * off + (at < begin || at >= end ? 0 : value[(size_t)at * COLUMNS]);
	}
}

static void solve_column(const column_buffer *b, uint32_t column, uint32_t rows)
{
	uint32_t *value = b->value + column;
	for (uint32_t row = 0; row < rows; row++) {
		if (!(b->is_set[row] >> column & 1)) continue;
		uint32_t end = row + 1;
		while (b->is_set[end] >> column & 1) end++;
		envelope(b, value, row, end);
		for (uint32_t i = row; i < end; i++) value[(size_t)i * COLUMNS] = b->result[i];
		row = end;
	}
}

/* moves one row's values between the buffer and the map */
static void move_row(const distance_job *job, const column_buffer *b, size_t cell_row, size_t x, size_t row, bool out)
{
	uint32_t bits = b->is_set[row];
	const uint32_t *of_cell = job->of_cell + cell_row * job->cells->size[0] + x;
	uint32_t *value = b->value + row * COLUMNS;
	while (bits) {
		const int first = __builtin_ctz(bits), count = __builtin_ctz(~(bits >> first));
		uint32_t *map = job->distance2 + of_cell[first];
		if (out) memcpy(map, value + first, (size_t)count * sizeof *map);
		else memcpy(value + first, map, (size_t)count * sizeof *map);
		bits &= ~(((1U << count) - 1) << first);
	}
}

static void plane_range(void *arg, size_t begin, size_t end)
{
	const distance_job *job = arg;
	const column_buffer *b = &job->buffers[begin / job->grain];
	const ossai_cells *cells = job->cells;
	for (size_t plane = begin; plane < end; plane++) {
		for (size_t x = 0; x < cells->size[0]; x += COLUMNS) {
			uint32_t any = 0;
			for (size_t row = 0; row < job->rows; row++) {
				const size_t cell_row = plane * job->plane_stride + row * job->row_stride;
				b->is_set[row] = (uint16_t)(cells->bits[cell_row * cells->row_words + x / 64] >> (x % 64));
				any |= b->is_set[row];
				if (b->is_set[row]) move_row(job, b, cell_row, x, row, false);
			}
			if (!any) continue;
			for (; any; any &= any - 1) solve_column(b, (uint32_t)__builtin_ctz(any), (uint32_t)job->rows);
			for (size_t row = 0; row < job->rows; row++) {
				if (b->is_set[row]) move_row(job, b, plane * job->plane_stride + row * job->row_stride, x, row, true);
			}
		}
	}
}

static ossa_status make_buffers(ossai_arena *scratch, distance_job *job, size_t rows, size_t ranges)
{
	for (size_t i = 0; i < ranges; i++) {
		column_buffer *b = &job->buffers[i];
		b->value = ossai_arena_new(scratch, rows, COLUMNS * sizeof *b->value);
		b->is_set = b->value ? ossai_arena_new(scratch, rows, sizeof *b->is_set) : NULL;
		b->site = b->is_set ? ossai_arena_new(scratch, 3 * (rows + 1), sizeof *b->site) : NULL;
		if (!b->site) return ossa_context_error(scratch->context)->status;
		b->from = b->site + rows + 1;
		b->result = b->from + rows + 1;
	}
	return OSSA_OK;
}

static void run_pass(ossa_context *context, distance_job *job)
{
	job->grain = (job->planes - 1) / RANGES_MOST + 1;
	ossai_parallel_for(context, job->planes, job->grain, plane_range, job);
}

ossa_status ossai_distance_map(ossai_arena *scratch, const ossai_cells *cells, const uint32_t *of_cell, uint32_t *distance2)
{
	const uint32_t *size = cells->size;
	for (int k = 0; k < 3; k++) {
		if (size[k] <= AXIS_MOST) continue;
		return ossai_fail(scratch->context, OSSA_ERROR_LIMIT, NULL,
			"%u voxels along an axis are more than %d: choose larger ones", size[k], AXIS_MOST);
	}
	distance_job job = {.cells = cells, .of_cell = of_cell, .distance2 = distance2};
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
