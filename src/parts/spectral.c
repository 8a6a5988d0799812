/* parts/spectral.c: see spectral.h. */
#include "parts/spectral.h"

#include "math/kmeans.h"
#include "math/symmetric_eigen.h"
#include "parts/lloyd.h"
#include "parts/seed_distances.h"
#include "parts/spanning_poses.h"

#include <string.h>

enum {
	SEEDS_LEAST = 300,
	PUBLISHED_SEEDS_LEAST = 500,
	SEEDS_MOST = 1000,
	SEEDS_PER_BONE = 5,
	SEEDS_PER_BONE_LEAST = 2,
	SEEDS_FOR_BONES_MOST = 800,
	BORDER_POSES = 24,
	VECTORS_FIRST = 16
};

/* A deviation below this share of the diagonal is the noise of coordinates printed with six
   digits. */
static const double still = 1e-5;

/* eigenvalues that differ by less than this share of the largest are one, and their vectors are
   used together or not at all */
static const double least_gap = 1e-8;

/* weight of distance, in diagonals, which separates seeds of equal motion */
static const double distance_weight = 2;

ossai_spectral_options ossai_spectral_default(void)
{
	return (ossai_spectral_options){.seed_share = 0.01, .share = 0.99, .scale = 0.05, .geodesic = true, .rounds = 3};
}

/* ---- affinity ---- */

typedef struct spectral {
	ossa_context *context;
	const ossai_posed_surface *surface;
	const ossai_spectral_options *options;
	ossai_spectral_parts *parts;
	size_t wanted;            /* parts; 0: as many as the motion shows */
	size_t seeds_wanted;      /* of the seeds that there are */
	double *deviation, *mean; /* l x l */
	double *affinity;         /* l x l, normalised: D^-1/2 A D^-1/2 */
	ossai_eigen eigen;
	size_t vector_count;
	double *vectors; /* l x vector_count */
	double *rows;    /* l x number of groups: at unit length */
} spectral;

static bool any_moves(const spectral *s)
{
	const size_t pairs = s->parts->seeds.count * s->parts->seeds.count;
	for (size_t i = 0; i < pairs; i++) {
		if (s->deviation[i] > still) return true;
	}
	return false;
}

/* A = exp(-x / divisor - spread rho), with x in `affinity` */
static void exponentiate(spectral *s, double divisor, double spread)
{
	const size_t pairs = s->parts->seeds.count * s->parts->seeds.count;
	for (size_t i = 0; i < pairs; i++) s->affinity[i] = exp(-s->affinity[i] / divisor - spread * s->mean[i]);
}

/* A = exp(-(sigma + sqrt(rho)) / S^2), S the mean of sigma + sqrt(rho). This adds a length
   to the root of a length, so the unit decides how motion is weighted against distance. */
static void fill_published_affinity(spectral *s)
{
	const size_t pairs = s->parts->seeds.count * s->parts->seeds.count;
	double sum = 0;
	for (size_t i = 0; i < pairs; i++) {
		s->affinity[i] = OSSAI_PAPER_DIAGONAL * s->deviation[i] + sqrt(OSSAI_PAPER_DIAGONAL * s->mean[i]);
		sum += s->affinity[i];
	}
	s->parts->scale = s->options->scale * sum / (double)pairs;
	exponentiate(s, fmax(s->parts->scale * s->parts->scale, 1e-300), 0);
}

/* Departure: motion is normalised by its own mean, and distance only separates seeds of equal
   motion: A = exp(-sigma / (scale S) - 2 rho), S the mean of sigma. */
static void fill_affinity(spectral *s)
{
	const size_t pairs = s->parts->seeds.count * s->parts->seeds.count;
	double sum = 0;
	for (size_t i = 0; i < pairs; i++) {
		s->affinity[i] = s->deviation[i];
		sum += s->affinity[i];
	}
	s->parts->scale = s->options->scale * sum / (double)pairs;
	exponentiate(s, fmax(s->parts->scale, 1e-300), distance_weight);
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

/* whether the value at `index` equals the one before it */
static bool same_value(const ossai_eigen *e, size_t index)
{
	return e->values[index - 1] - e->values[index] <= least_gap * e->values[0];
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

/* The smallest number of largest values that hold the share of the sum of all; the paper's "99 %
   of the total variation". */
static size_t count_by_sum(const ossai_eigen *e, double share, size_t most)
{
	double all = 0, sum = 0;
	for (size_t i = 0; i < e->size; i++) all += e->values[i];
	for (size_t k = 1; k < most && k < e->size; k++) {
		sum += e->values[k - 1];
		if (sum >= share * all) return k;
	}
	return most;
}

/* The vectors of the `most` largest values, and of those equal to the last: a rotation among
   vectors of equal values does not change the distances between rows. */
static ossa_status find_vectors(spectral *s, ossai_arena *scratch, size_t most)
{
	const size_t l = s->eigen.size;
	s->vector_count = most;
	while (s->vector_count < l && same_value(&s->eigen, s->vector_count)) s->vector_count++;
	s->vectors = ossai_arena_new(scratch, l, s->vector_count * sizeof *s->vectors);
	s->rows = ossai_arena_new(scratch, l, s->vector_count * sizeof *s->rows);
	if (!s->vectors || !s->rows) return ossa_context_error(s->context)->status;
	return ossai_eigen_vectors(s->context, &s->eigen, s->vector_count, s->vectors);
}

/* vectors for so many groups, of which the first numbers that are tried are small */
static ossa_status need_vectors(spectral *s, ossai_arena *scratch, size_t groups)
{
	const size_t l = s->eigen.size, first = VECTORS_FIRST < l ? VECTORS_FIRST : l;
	if (groups <= s->vector_count) return OSSA_OK;
	return find_vectors(s, scratch, groups < first ? first : groups);
}

/* groups seeds by the rows of the first eigenvectors, at unit length */
static ossa_status group_into(spectral *s, ossai_arena *scratch, size_t groups)
{
	const size_t l = s->eigen.size;
	size_t d = groups;
	OSSAI_TRY(ossai_ask(s->context));
	OSSAI_TRY(need_vectors(s, scratch, groups));
	while (d < s->vector_count && same_value(&s->eigen, d)) d++;
	for (size_t i = 0; i < l; i++) {
		const double *vector = s->vectors + i * s->vector_count;
		double *row = s->rows + i * d, square = 0;
		for (size_t j = 0; j < d; j++) square += vector[j] * vector[j];
		for (size_t j = 0; j < d; j++) row[j] = square > 0 ? vector[j] / sqrt(square) : 0;
	}
	double spread;
	return ossai_kmeans(s->context, l, d, s->rows, groups, s->parts->group_of_seed, &s->parts->group_count, &spread);
}

/* The share of the variance of distances that lies between groups rather than within them: 1 -
   W(groups) / W(one group), W the sum over the groups of the mean of sigma^2 from a seed to the
   seeds of its group. */
static double explained(const spectral *s, double *within, double *size)
{
	const size_t l = s->eigen.size, groups = s->parts->group_count;
	double all = 0, left = 0;
	memset(within, 0, groups * sizeof *within);
	memset(size, 0, groups * sizeof *size);
	for (size_t i = 0; i < l; i++) {
		size[s->parts->group_of_seed[i]]++;
		for (size_t j = 0; j < l; j++) {
			const double square = s->deviation[i * l + j] * s->deviation[i * l + j];
			all += square;
			if (s->parts->group_of_seed[i] == s->parts->group_of_seed[j]) within[s->parts->group_of_seed[i]] += square;
		}
	}
	for (size_t g = 0; g < groups; g++) left += within[g] / size[g];
	return 1 - left / (all / (double)l);
}

/* The smallest number of groups that explains the share, assuming monotonicity: doubled until they
   do, then bisected. */
static ossa_status count_by_share(spectral *s, ossai_arena *scratch, size_t most, size_t *groups)
{
	double *within = ossai_arena_new(scratch, most, sizeof *within), *size = ossai_arena_new(scratch, most, sizeof *size);
	if (!within || !size) return ossa_context_error(s->context)->status;
	size_t low = 1, high = most < 4 ? most : 4;
	for (;; low = high, high = 2 * high < most ? 2 * high : most) {
		OSSAI_TRY(group_into(s, scratch, high));
		if (high == most || explained(s, within, size) >= s->options->share) break;
	}
	while (low + 1 < high) {
		const size_t middle = (low + high) / 2;
		OSSAI_TRY(group_into(s, scratch, middle));
		if (explained(s, within, size) >= s->options->share) high = middle;
		else low = middle;
	}
	*groups = high;
	return ossai_progress(s->context, 0.6);
}

static ossa_status find_eigenvalues(spectral *s, ossai_arena *arena, ossai_arena *scratch)
{
	const size_t l = s->parts->seeds.count;
	double *root = ossai_arena_new(scratch, l, sizeof *root);
	s->affinity = ossai_arena_new(scratch, l, l * sizeof *s->affinity);
	s->parts->eigenvalue_count = l;
	s->parts->eigenvalues = ossai_arena_new(arena, l, sizeof *s->parts->eigenvalues);
	if (!root || !s->affinity || !s->parts->eigenvalues) return ossa_context_error(s->context)->status;
	if (s->options->published) fill_published_affinity(s);
	else fill_affinity(s);
	normalise(s, root);
	OSSAI_TRY(ossai_ask(s->context));
	OSSAI_TRY(ossai_eigen_make(s->context, scratch, l, s->affinity, &s->eigen));
	memcpy(s->parts->eigenvalues, s->eigen.values, l * sizeof *s->eigen.values);
	return ossai_progress(s->context, 0.5);
}

static ossa_status group_seeds(spectral *s, ossai_arena *scratch)
{
	const size_t l = s->parts->seeds.count, most = s->wanted > 0 ? s->wanted : OSSAI_SPECTRAL_PARTS_MOST;
	size_t groups = most < l ? most : l;
	s->vector_count = 0;
	if (s->wanted == 0 && s->options->published) groups = count_by_sum(&s->eigen, s->options->share, groups);
	else if (s->wanted == 0 && s->options->gap) groups = count_by_gap(&s->eigen, groups);
	else if (s->wanted == 0) OSSAI_TRY(count_by_share(s, scratch, groups, &groups));
	return group_into(s, scratch, groups);
}

/* ---- borders ---- */

/* Moves the borders between parts to where the motion changes (Lloyd's rounds on the faces), on a
   few poses. */
static ossa_status refine_borders(spectral *s, ossai_arena *scratch)
{
	uint32_t pose[BORDER_POSES];
	size_t poses;
	OSSAI_TRY(ossai_spanning_poses(s->context, s->surface, &s->parts->seeds, BORDER_POSES, &poses, pose));
	if (poses == 0) return OSSA_OK;
	ossai_posed_surface few;
	OSSAI_TRY(ossai_surface_of_poses(scratch, s->surface, poses, pose, &few));
	OSSAI_TRY(ossai_lloyd(s->context, &few, s->parts->part_count, s->options->rounds, s->parts->part_of_face));
	return ossai_place_seeds(s->context, s->surface, &s->parts->seeds, s->parts->part_of_face, s->parts->part_of_seed);
}

/* ---- all ---- */

static size_t count_seeds(const spectral *s)
{
	const ossai_spectral_options *options = s->options;
	const double share = options->seed_share * (double)s->surface->used_count;
	const double least = options->published ? PUBLISHED_SEEDS_LEAST : SEEDS_LEAST;
	const double wanted = options->seeds > 0 ? options->seeds : fmin(fmax(share, least), SEEDS_MOST);
	/* the eigenvalue problem is cubic in the seeds: with very many bones there are fewer for
	   each. 1000 instead of 800 make no better rigs. */
	const double bones = (double)s->wanted, many = fmin(SEEDS_PER_BONE * bones, SEEDS_FOR_BONES_MOST);
	return (size_t)fmax(wanted, fmax(many, SEEDS_PER_BONE_LEAST * bones));
}

/* seeds, and how they move together */
static ossa_status find_seeds(spectral *s, ossai_arena *arena, ossai_arena *scratch)
{
	ossai_spectral_parts *parts = s->parts;
	*parts = (ossai_spectral_parts){0};
	s->seeds_wanted = count_seeds(s);
	OSSAI_TRY(ossai_seeds_choose(s->context, arena, s->surface, s->seeds_wanted, &parts->seeds));
	const size_t l = parts->seeds.count;
	s->deviation = ossai_arena_new(scratch, l, l * sizeof *s->deviation);
	s->mean = ossai_arena_new(scratch, l, l * sizeof *s->mean);
	parts->group_of_seed = ossai_arena_zero(arena, l, sizeof *parts->group_of_seed);
	if (!s->deviation || !s->mean || !parts->group_of_seed) return ossa_context_error(s->context)->status;
	OSSAI_TRY(ossai_seed_distances(s->context, s->surface, &parts->seeds, s->deviation, s->mean));
	parts->moves = any_moves(s);
	return parts->moves ? find_eigenvalues(s, arena, scratch) : OSSA_OK;
}

/* so many parts, with borders that are those between the nearest seeds */
static ossa_status divide(spectral *s, ossai_arena *arena, ossai_arena *scratch, size_t wanted)
{
	ossai_patches patches;
	ossai_spectral_parts *parts = s->parts;
	s->wanted = wanted;
	if (s->seeds_wanted != count_seeds(s)) OSSAI_TRY(find_seeds(s, arena, scratch));
	parts->group_count = 1;
	if (parts->moves) OSSAI_TRY(group_seeds(s, scratch));
	OSSAI_TRY(ossai_patches_make(s->context, arena, s->surface, &parts->seeds, parts->group_of_seed, parts->group_count,
		s->options->geodesic, &patches));
	parts->part_of_face = patches.part_of_face;
	parts->part_of_seed = patches.part_of_seed;
	parts->part_count = patches.part_count;
	parts->moved_faces = patches.moved_faces;
	parts->empty_groups = patches.empty_groups;
	parts->extra_parts = patches.extra_parts;
	return OSSA_OK;
}

static ossa_status find_parts(spectral *s, ossai_arena *arena, ossai_arena *scratch)
{
	const ossai_spectral_options *o = s->options;
	OSSAI_TRY(divide(s, arena, scratch, (size_t)o->bones));
	const size_t found = s->parts->part_count, wanted = s->parts->moves && o->more ? o->more(o->more_arg, found) : found;
	if (wanted > found) OSSAI_TRY(divide(s, arena, scratch, wanted));
	s->parts->shown_count = found;
	return s->parts->moves && o->rounds > 0 ? refine_borders(s, scratch) : OSSA_OK;
}

ossa_status ossai_spectral_parts_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_spectral_options *options, ossai_spectral_parts *parts)
{
	*parts = (ossai_spectral_parts){0};
	ossai_arena scratch = ossai_arena_begin(context);
	spectral s = {.context = context, .surface = surface, .options = options, .parts = parts};
	const ossa_status status = find_parts(&s, arena, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
