/* parts/seed_distances.c: see seed_distances.h. */
#include "parts/seed_distances.h"

#include "base/clones.h"

#include <string.h>

/* BLOCKS_AT_ONCE: rows of blocks between two tests for cancellation */
enum { ROWS = 16, COLUMNS = 64, BLOCKS_AT_ONCE = 16 };

typedef struct distances_job {
	size_t seeds, poses;
	size_t first;        /* row of blocks that the range begins with */
	const double *track; /* (K + 1) x 3 x l: the rest first */
	double *deviation, *mean;
} distances_job;

/* of one block: differences of distances from those at rest, and their squares */
typedef struct block {
	double rest[ROWS][COLUMNS], sum[ROWS][COLUMNS], square[ROWS][COLUMNS];
} block;

OSSAI_CLONES static void measure_row(
	size_t columns, const double *x, const double *y, const double *z, const double *p, double *distance)
{
	for (size_t j = 0; j < columns; j++) {
		const double dx = x[j] - p[0], dy = y[j] - p[1], dz = z[j] - p[2];
		distance[j] = sqrt(dx * dx + dy * dy + dz * dz);
	}
}

OSSAI_CLONES static void add_row(size_t columns, const double *distance, const double *rest, double *sum, double *square)
{
	for (size_t j = 0; j < columns; j++) {
		const double change = distance[j] - rest[j];
		sum[j] += change;
		square[j] += change * change;
	}
}

static void sum_block(const distances_job *job, size_t row, size_t column, block *b)
{
	const size_t l = job->seeds, rows = l - row < ROWS ? l - row : ROWS, columns = l - column < COLUMNS ? l - column : COLUMNS;
	double distance[COLUMNS];
	memset(b, 0, sizeof *b);
	for (size_t k = 0; k <= job->poses; k++) {
		const double *x = job->track + 3 * l * k, *y = x + l, *z = y + l;
		for (size_t i = 0; i < rows; i++) {
			const double p[3] = {x[row + i], y[row + i], z[row + i]};
			measure_row(columns, x + column, y + column, z + column, p, k == 0 ? b->rest[i] : distance);
			if (k > 0) add_row(columns, distance, b->rest[i], b->sum[i], b->square[i]);
		}
	}
	const double frames = (double)job->poses + 1;
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < columns; j++) {
			const double change = b->sum[i][j] / frames, at = b->square[i][j] / frames - change * change;
			job->deviation[(row + i) * l + column + j] = at > 0 ? sqrt(at) : 0;
			job->mean[(row + i) * l + column + j] = b->rest[i][j] + change;
		}
	}
}

static void sum_blocks(void *arg, size_t begin, size_t end)
{
	const distances_job *job = arg;
	block b;
	for (size_t row = (job->first + begin) * ROWS; row < (job->first + end) * ROWS && row < job->seeds; row += ROWS) {
		/* only entries on or right of the diagonal; the matrix is symmetric */
		for (size_t column = row / COLUMNS * COLUMNS; column < job->seeds; column += COLUMNS) sum_block(job, row, column, &b);
	}
}

static ossa_status sum_all(ossa_context *context, distances_job *job)
{
	const size_t rows = (job->seeds + ROWS - 1) / ROWS;
	for (job->first = 0; job->first < rows; job->first += BLOCKS_AT_ONCE) {
		const size_t left = rows - job->first;
		OSSAI_TRY(ossai_ask(context));
		ossai_parallel_for(context, left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE, 1, sum_blocks, job);
	}
	return OSSA_OK;
}

ossa_status ossai_seed_distances(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds, double *deviation, double *mean)
{
	const size_t l = seeds->count, poses = surface->pose_count;
	ossai_arena scratch = ossai_arena_begin(context);
	double *track = ossai_arena_new(&scratch, (poses + 1) * 3, l * sizeof *track);
	ossa_status status = track ? OSSA_OK : ossa_context_error(context)->status;
	if (track) {
		for (size_t i = 0; i < l; i++) {
			const size_t v = seeds->vertex[i];
			for (size_t c = 0; c < 3; c++) track[c * l + i] = surface->rest[3 * v + c];
			for (size_t kc = 0; kc < 3 * poses; kc++) track[(3 + kc) * l + i] = surface->poses[3 * v * poses + kc];
		}
		distances_job job = {l, poses, 0, track, deviation, mean};
		status = sum_all(context, &job);
		for (size_t i = 0; i < l && status == OSSA_OK; i++) {
			for (size_t j = 0; j < i; j++) {
				deviation[i * l + j] = deviation[j * l + i];
				mean[i * l + j] = mean[j * l + i];
			}
		}
	}
	ossai_arena_end(&scratch);
	return status;
}
