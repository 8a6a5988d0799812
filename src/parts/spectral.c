/* parts/spectral.c: see spectral.h. */
#include "parts/spectral.h"

#include "base/clones.h"
#include "math/kmeans.h"
#include "math/symmetric_eigen.h"

#include <string.h>

enum { ROWS = 16, COLUMNS = 64, SEEDS_LEAST = 200, SEEDS_MOST = 1000, SEEDS_PER_BONE = 5, PARTS_MOST = 200 };

/* A deviation below this share of the diagonal is what coordinates printed with six digits do by themselves. */
static const double still = 1e-5;

/* eigenvalues that differ by less are one, and their vectors come together or not at all */
static const double same_value = 1e-8;

/* how much distance, in diagonals, tells seeds apart that move alike */
static const double distance_weight = 2;

ossai_spectral_options ossai_spectral_default(void)
{
	return (ossai_spectral_options){.seed_share = 0.01, .share = 0.99, .scale = 0.03, .geodesic = true};
}

/* ---- distances over the poses ---- */

typedef struct distances_job {
	size_t seeds, poses;
	const double *track; /* (K + 1) x 3 x l: the rest first */
	double *deviation, *mean;
} distances_job;

/* of one block: how far distances are from those at rest, and the squares of that */
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
	for (size_t row = begin * ROWS; row < end * ROWS && row < job->seeds; row += ROWS) {
		/* only what lies on or right of the diagonal; the rest is its mirror image */
		for (size_t column = row / COLUMNS * COLUMNS; column < job->seeds; column += COLUMNS) sum_block(job, row, column, &b);
	}
}

ossa_status ossai_seed_distances(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds, double *deviation, double *mean)
{
	const size_t l = seeds->count, poses = surface->pose_count;
	ossai_arena scratch = ossai_arena_begin(context);
	double *track = ossai_arena_new(&scratch, (poses + 1) * 3, l * sizeof *track);
	if (track) {
		for (size_t i = 0; i < l; i++) {
			const size_t v = seeds->vertex[i];
			for (size_t c = 0; c < 3; c++) track[c * l + i] = surface->rest[3 * v + c];
			for (size_t kc = 0; kc < 3 * poses; kc++) track[(3 + kc) * l + i] = surface->poses[3 * v * poses + kc];
		}
		distances_job job = {l, poses, track, deviation, mean};
		ossai_parallel_for(context, (l + ROWS - 1) / ROWS, 1, sum_blocks, &job);
		for (size_t i = 0; i < l; i++) {
			for (size_t j = 0; j < i; j++) {
				deviation[i * l + j] = deviation[j * l + i];
				mean[i * l + j] = mean[j * l + i];
			}
		}
	}
	ossai_arena_end(&scratch);
	return track ? OSSA_OK : ossa_context_error(context)->status;
}

/* ---- affinity ---- */

typedef struct spectral {
	ossa_context *context;
	const ossai_posed_surface *surface;
	const ossai_spectral_options *options;
	ossai_spectral_parts *parts;
	double *deviation, *mean; /* l x l */
	double *affinity;         /* l x l, normalised: D^-1/2 A D^-1/2 */
	ossai_eigen eigen;
	uint32_t *group_of_seed;
} spectral;

static bool any_moves(const spectral *s)
{
	const size_t pairs = s->parts->seeds.count * s->parts->seeds.count;
	for (size_t i = 0; i < pairs; i++) {
		if (s->deviation[i] > still) return true;
	}
	return false;
}

/* Published: A = exp(-(sigma + sqrt(rho)) / S^2), S the mean of sigma + sqrt(rho). Lengths under the root and beside it make that
   depend on their unit, and in diagonals sqrt(rho) drowns sigma: seeds are grouped by place. Ours weighs motion by its own mean and
   lets distance only part what moves alike: A = exp(-sigma / (scale S) - 2 rho), S the mean of sigma. */
static void fill_affinity(spectral *s)
{
	const size_t l = s->parts->seeds.count;
	const bool published = s->options->published;
	double sum = 0;
	for (size_t i = 0; i < l * l; i++) {
		s->affinity[i] = s->deviation[i] + (published ? sqrt(s->mean[i]) : 0);
		sum += s->affinity[i];
	}
	const double mean = s->options->scale * sum / (double)(l * l), divisor = fmax(published ? mean * mean : mean, 1e-300);
	const double spread = published ? 0 : distance_weight;
	for (size_t i = 0; i < l * l; i++) s->affinity[i] = exp(-s->affinity[i] / divisor - spread * s->mean[i]);
}

/* `root` is scratch of l */
static void normalise(spectral *s, double *root)
{
	const size_t l = s->parts->seeds.count;
	for (size_t i = 0; i < l; i++) {
		double degree = 0;
		for (size_t j = 0; j < l; j++) degree += s->affinity[i * l + j];
		root[i] = 1 / sqrt(degree);
	}
	for (size_t i = 0; i < l * l; i++) s->affinity[i] *= root[i / l] * root[i % l];
}

/* ---- groups ---- */

static size_t count_by_share(const ossai_eigen *e, double share, size_t most)
{
	double all = 0, sum = 0;
	for (size_t i = 0; i < e->size; i++) all += fmax(e->values[i], 0);
	for (size_t k = 0; k < most; k++) {
		sum += fmax(e->values[k], 0);
		if (sum >= share * all) return k + 1;
	}
	return most;
}

static size_t count_by_gap(const ossai_eigen *e, size_t most)
{
	size_t best = 1;
	double widest = -1;
	for (size_t k = 2; k <= most && k < e->size; k++) {
		const double gap = e->values[k - 1] - e->values[k];
		if (gap <= widest) continue;
		widest = gap;
		best = k;
	}
	return best;
}

static size_t count_groups(const spectral *s)
{
	const size_t l = s->parts->seeds.count, wanted = (size_t)s->options->bones;
	if (wanted > 0) return wanted < l ? wanted : l;
	const size_t most = l < PARTS_MOST ? l : PARTS_MOST;
	return s->options->gap ? count_by_gap(&s->eigen, most) : count_by_share(&s->eigen, s->options->share, most);
}

/* Rows of the top eigenvectors at unit length. With a vector come those of the same value: any rotation among them leaves the
   distances between rows as they are. */
static ossa_status embed(spectral *s, ossai_arena *scratch, size_t groups, size_t *dimension, double **rows)
{
	const ossai_eigen *e = &s->eigen;
	size_t d = groups;
	while (d < e->size && e->values[d - 1] - e->values[d] <= same_value * e->values[0]) d++;
	*dimension = d;
	*rows = ossai_arena_new(scratch, e->size, d * sizeof **rows);
	if (!*rows) return ossa_context_error(s->context)->status;
	OSSAI_TRY(ossai_eigen_vectors(s->context, e, d, *rows));
	for (size_t i = 0; i < e->size; i++) {
		double *row = *rows + i * d, square = 0;
		for (size_t j = 0; j < d; j++) square += row[j] * row[j];
		for (size_t j = 0; j < d && square > 0; j++) row[j] /= sqrt(square);
	}
	return OSSA_OK;
}

static ossa_status group_seeds(spectral *s, ossai_arena *arena, ossai_arena *scratch)
{
	const size_t l = s->parts->seeds.count;
	double *root = ossai_arena_new(scratch, l, sizeof *root);
	s->affinity = ossai_arena_new(scratch, l, l * sizeof *s->affinity);
	if (!root || !s->affinity) return ossa_context_error(s->context)->status;
	fill_affinity(s);
	normalise(s, root);
	OSSAI_TRY(ossai_eigen_make(s->context, scratch, l, s->affinity, &s->eigen));
	s->parts->eigenvalue_count = l;
	s->parts->eigenvalues = ossai_arena_new(arena, l, sizeof *s->parts->eigenvalues);
	if (!s->parts->eigenvalues) return ossa_context_error(s->context)->status;
	memcpy(s->parts->eigenvalues, s->eigen.values, l * sizeof *s->eigen.values);
	OSSAI_TRY(ossai_progress(s->context, 0.6));
	const size_t groups = count_groups(s);
	size_t dimension;
	double *rows, spread;
	OSSAI_TRY(embed(s, scratch, groups, &dimension, &rows));
	return ossai_kmeans(s->context, l, dimension, rows, groups, s->group_of_seed, &s->parts->group_count, &spread);
}

/* ---- all ---- */

static size_t count_seeds(const ossai_posed_surface *surface, const ossai_spectral_options *options)
{
	const double share = options->seed_share * (double)surface->used_count;
	double wanted = options->seeds > 0 ? options->seeds : fmin(fmax(share, SEEDS_LEAST), SEEDS_MOST);
	return (size_t)fmax(wanted, SEEDS_PER_BONE * (double)options->bones);
}

static ossa_status find_parts(spectral *s, ossai_arena *arena, ossai_arena *scratch)
{
	const size_t l = s->parts->seeds.count;
	s->deviation = ossai_arena_new(scratch, l, l * sizeof *s->deviation);
	s->mean = ossai_arena_new(scratch, l, l * sizeof *s->mean);
	s->group_of_seed = ossai_arena_zero(scratch, l, sizeof *s->group_of_seed);
	if (!s->deviation || !s->mean || !s->group_of_seed) return ossa_context_error(s->context)->status;
	OSSAI_TRY(ossai_seed_distances(s->context, s->surface, &s->parts->seeds, s->deviation, s->mean));
	s->parts->moves = any_moves(s);
	s->parts->group_count = 1;
	if (s->parts->moves) OSSAI_TRY(group_seeds(s, arena, scratch));
	ossai_patches patches;
	OSSAI_TRY(ossai_patches_make(s->context, arena, s->surface, &s->parts->seeds, s->group_of_seed, s->parts->group_count,
		s->options->geodesic, &patches));
	s->parts->part_of_face = patches.part_of_face;
	s->parts->part_of_seed = patches.part_of_seed;
	s->parts->part_count = patches.part_count;
	s->parts->moved_faces = patches.moved_faces;
	s->parts->empty_groups = patches.empty_groups;
	s->parts->extra_parts = patches.extra_parts;
	return OSSA_OK;
}

ossa_status ossai_spectral_parts_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_spectral_options *options, ossai_spectral_parts *parts)
{
	*parts = (ossai_spectral_parts){0};
	OSSAI_TRY(ossai_seeds_choose(context, arena, surface, count_seeds(surface, options), &parts->seeds));
	ossai_arena scratch = ossai_arena_begin(context);
	spectral s = {.context = context, .surface = surface, .options = options, .parts = parts};
	const ossa_status status = find_parts(&s, arena, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
