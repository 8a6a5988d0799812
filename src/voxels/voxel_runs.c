/* voxels/voxel_runs.c: connected components of cells, a run at a time.

   Place in the path: part of voxel_cells.h.
   Input: bits of cells.
   Output: runs and the components that they form. */
#include "base/union_find.h"
#include "voxels/voxel_cells.h"

typedef struct run_job {
	const ossai_cells *cells;
	bool of_set;
	ossai_runs *runs;
} run_job;

enum { ROWS_A_RANGE = 256 };

/* a word of the cells of the kind wanted: set or not */
static inline uint64_t word_at(const run_job *job, const uint64_t *row, size_t word)
{
	if (job->of_set) return row[word];
	const size_t left = job->cells->size[0] - 64 * word;
	return ~row[word] & (left < 64 ? (1ULL << left) - 1 : ~0ULL);
}

/* first[row + 1]: the runs of the row */
static void count_range(void *arg, size_t begin, size_t end)
{
	const run_job *job = arg;
	for (size_t r = begin; r < end; r++) {
		const uint64_t *row = job->cells->bits + r * job->cells->row_words;
		uint64_t carry = 0;
		uint32_t count = 0;
		for (size_t w = 0; w < job->cells->row_words; w++) {
			const uint64_t word = word_at(job, row, w);
			count += (uint32_t)__builtin_popcountll(word & ~(word << 1 | carry));
			carry = word >> 63;
		}
		job->runs->first[r + 1] = count;
	}
}

static void list_range(void *arg, size_t begin, size_t end)
{
	const run_job *job = arg;
	for (size_t r = begin; r < end; r++) {
		const uint64_t *row = job->cells->bits + r * job->cells->row_words;
		uint32_t run = job->runs->first[r];
		uint64_t carry = 0;
		for (size_t w = 0; w < job->cells->row_words; w++) {
			const uint64_t word = word_at(job, row, w);
			/* where the kind of cell changes: alternately a begin and an end */
			uint64_t changes = word ^ (word << 1 | carry);
			carry = word >> 63;
			bool is_begin = changes & word & -changes;
			for (; changes; changes &= changes - 1, is_begin = !is_begin) {
				const uint32_t x = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(changes);
				if (is_begin) job->runs->begin[run] = x;
				else job->runs->end[run++] = x;
			}
		}
		if (run < job->runs->first[r + 1]) job->runs->end[run] = job->cells->size[0];
	}
}

/* unites the runs of two rows that touch; `reach` 1: at corners, too */
static void join_rows(ossai_runs *runs, size_t row, size_t other, uint32_t reach)
{
	uint32_t a = runs->first[row], b = runs->first[other];
	const uint32_t a_end = runs->first[row + 1], b_end = runs->first[other + 1];
	while (a < a_end && b < b_end) {
		if (runs->begin[a] < runs->end[b] + reach && runs->begin[b] < runs->end[a] + reach) ossai_union_join(runs->set, a, b);
		if (runs->end[a] < runs->end[b]) a++;
		else b++;
	}
}

static void join_all(const ossai_cells *cells, bool of_set, ossai_runs *runs)
{
	const uint32_t reach = of_set ? 1 : 0;
	ossai_union_begin(runs->set, runs->count);
	for (uint32_t z = 0; z < cells->size[2]; z++) {
		for (uint32_t y = 0; y < cells->size[1]; y++) {
			const size_t row = (size_t)z * cells->size[1] + y, below = row - cells->size[1];
			if (y > 0) join_rows(runs, row, row - 1, reach);
			if (z == 0) continue;
			join_rows(runs, row, below, reach);
			if (of_set && y > 0) join_rows(runs, row, below - 1, reach);
			if (of_set && y + 1 < cells->size[1]) join_rows(runs, row, below + 1, reach);
		}
	}
	/* roots are the first runs of their components, and come before the others */
	for (uint32_t i = 0; i < runs->count; i++) runs->set[i] = ossai_union_find(runs->set, i);
	for (uint32_t i = 0; i < runs->count; i++) {
		runs->set[i] = runs->set[i] == i ? runs->set_count++ : runs->set[runs->set[i]];
	}
}

ossa_status ossai_runs_make(ossai_arena *arena, const ossai_cells *cells, bool of_set, ossai_runs *runs)
{
	const size_t rows = ossai_cell_rows(cells);
	run_job job = {cells, of_set, runs};
	*runs = (ossai_runs){0};
	runs->first = ossai_arena_new(arena, rows + 1, sizeof *runs->first);
	if (!runs->first) return ossa_context_error(arena->context)->status;
	ossai_parallel_for(arena->context, rows, ROWS_A_RANGE, count_range, &job);
	runs->first[0] = 0;
	/* at most as many as cells, which are fewer than 2^32 */
	for (size_t r = 0; r < rows; r++) runs->first[r + 1] += runs->first[r];
	runs->count = runs->first[rows];
	runs->begin = ossai_arena_new(arena, runs->count, sizeof *runs->begin);
	runs->end = runs->begin ? ossai_arena_new(arena, runs->count, sizeof *runs->end) : NULL;
	runs->set = runs->end ? ossai_arena_new(arena, runs->count, sizeof *runs->set) : NULL;
	if (!runs->set) return ossa_context_error(arena->context)->status;
	ossai_parallel_for(arena->context, rows, ROWS_A_RANGE, list_range, &job);
	join_all(cells, of_set, runs);
	return OSSA_OK;
}
