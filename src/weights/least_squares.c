/* weights/least_squares.c: see least_squares.h. */
#include "weights/least_squares.h"

#include "weights/residuals.h"
#include "weights/simplex_fit.h"
#include "weights/symmetry.h"

#include <string.h>

enum { VERTEX_GRAIN = 256, RANGES_MAX = 64, CHOICE_MAX = OSSAI_GRAM_MAX };

/* keeps the non-zero entries of a, largest first */
static void store_weights(ossai_bone_weights *weights, size_t vertex, size_t n, const uint16_t *bones, const double *a)
{
	const size_t at = vertex * weights->width;
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(a[i] > 0)) continue;
		size_t slot = count++;
		for (; slot > 0 && weights->value[at + slot - 1] < a[i]; slot--) {
			weights->value[at + slot] = weights->value[at + slot - 1];
			weights->bone[at + slot] = weights->bone[at + slot - 1];
		}
		weights->value[at + slot] = a[i];
		weights->bone[at + slot] = bones[i];
	}
	weights->count[vertex] = (uint8_t)count;
}

/* ---- the published solve ---- */

typedef struct eliminate_job {
	const ossai_posed_surface *surface;
	ossai_residuals residuals;
	const ossai_allowed_bones *allowed;
	ossai_bone_weights *weights;
	size_t most_bones, grain, scratch_size;
	double *scratch;     /* per range: g, h, a */
	const uint16_t *all; /* 0 .. B-1 */
} eliminate_job;

/* The bones that fit a vertex best alone, `most` of `n` at most, the best first; of equal ones
   those that come first. Returns how many. */
static size_t best_alone(
	const ossai_residuals *residuals, size_t v, size_t n, const uint16_t *bones, size_t most, uint16_t *chosen)
{
	double error[CHOICE_MAX];
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const double own = ossai_residuals_square(residuals, v, bones[i]);
		if (count == most && !(own < error[count - 1])) continue;
		size_t at = count < most ? count++ : count - 1;
		for (; at > 0 && own < error[at - 1]; at--) {
			error[at] = error[at - 1];
			chosen[at] = chosen[at - 1];
		}
		error[at] = own;
		chosen[at] = bones[i];
	}
	return count;
}

static void eliminate_range(void *arg, size_t begin, size_t end)
{
	const eliminate_job *job = arg;
	const size_t most = job->most_bones;
	double *g = job->scratch + begin / job->grain * job->scratch_size;
	double *h = g + most * most, *a = h + most * most + most;
	for (size_t v = begin; v < end; v++) {
		job->weights->count[v] = 0;
		const uint16_t *bones = job->allowed ? job->allowed->bone + job->allowed->start[v] : job->all;
		const size_t all = job->allowed ? job->allowed->start[v + 1] - job->allowed->start[v] : job->residuals.bone_count;
		if (!job->surface->used[v] || all == 0) continue;
		uint16_t chosen[CHOICE_MAX];
		size_t n = all;
		/* the cost of the elimination is cubic */
		if (all > CHOICE_MAX) {
			n = best_alone(&job->residuals, v, all, bones, CHOICE_MAX, chosen);
			bones = chosen;
		}
		ossai_residuals_gram(&job->residuals, v, n, bones, g);
		ossai_simplex_eliminate(n, g, job->weights->width, h, a);
		store_weights(job->weights, v, n, bones, a);
	}
}

ossa_status ossai_weights_eliminate(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_allowed_bones *allowed, ossai_bone_weights *weights)
{
	eliminate_job job = {
		.surface = surface, .allowed = allowed, .weights = weights, .most_bones = motion->bone_count, .grain = VERTEX_GRAIN};
	if (surface->vertex_count / RANGES_MAX > job.grain) job.grain = surface->vertex_count / RANGES_MAX + 1;
	for (size_t v = 0; allowed && v < surface->vertex_count; v++) {
		const size_t n = allowed->start[v + 1] - allowed->start[v];
		if (v == 0 || n > job.most_bones) job.most_bones = n;
	}
	if (job.most_bones > CHOICE_MAX) job.most_bones = CHOICE_MAX;
	const size_t most = job.most_bones, ranges = surface->vertex_count / job.grain + 1;
	job.scratch_size = 2 * most * most + 2 * most;
	ossai_arena arena = ossai_arena_begin(context);
	uint16_t *all = ossai_arena_new(&arena, motion->bone_count, sizeof *all);
	job.scratch = ossai_arena_new(&arena, ranges, job.scratch_size * sizeof *job.scratch);
	const bool ready = all && job.scratch && ossai_residuals_make(&arena, surface, motion, &job.residuals) == OSSA_OK;
	if (ready) {
		for (size_t b = 0; b < motion->bone_count; b++) all[b] = (uint16_t)b;
		job.all = all;
		ossai_parallel_for(context, surface->vertex_count, job.grain, eliminate_range, &job);
	}
	ossai_arena_end(&arena);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}

/* ---- the local solve ---- */

typedef struct improve_job {
	const ossai_posed_surface *surface;
	ossai_residuals residuals;
	ossai_weight_bounds bounds;
	bool has_closed;
	size_t usable_count;
	uint16_t *usable; /* bones that are not closed */
	const ossai_bone_weights *from;
	ossai_bone_weights *to;
} improve_job;

typedef struct candidates {
	size_t count;
	uint16_t bone[OSSAI_SIMPLEX_MAX];
	double own[OSSAI_SIMPLEX_MAX]; /* weight at the vertex itself */
} candidates;

/* a set of bones, one bit each */
typedef uint64_t bone_bits[(UINT16_MAX + 1) / 64];

static bool is_closed(const improve_job *job, uint16_t bone)
{
	const ossai_weight_prior *prior = job->bounds.prior;
	return (job->bounds.closed && job->bounds.closed[bone]) || (prior && prior->locked && prior->locked[bone]);
}

/* whether not every bone may become a candidate */
static bool has_closed(const improve_job *job)
{
	const ossai_weight_prior *prior = job->bounds.prior;
	return job->bounds.closed || (prior && prior->locked) || job->surface->symmetry;
}

static bool may_be_candidate(const improve_job *job, size_t v, uint16_t bone)
{
	const ossai_symmetry *symmetry = job->surface->symmetry;
	return !is_closed(job, bone) && !(symmetry && ossai_is_one_sided(symmetry, v, bone));
}

/* for vertex v those of `vertex`: itself or a neighbour */
static inline void add_candidates(const improve_job *job, size_t v, size_t vertex, uint64_t *seen, candidates *c)
{
	const ossai_bone_weights *from = job->from;
	const uint16_t *bones = from->bone + vertex * from->width;
	for (size_t i = 0, count = from->count[vertex]; i < count; i++) {
		const uint16_t bone = bones[i];
		const uint64_t bit = (uint64_t)1 << bone % 64;
		if (seen[bone / 64] & bit || c->count == OSSAI_SIMPLEX_MAX) continue;
		if (job->has_closed && !may_be_candidate(job, v, bone)) continue;
		seen[bone / 64] |= bit;
		c->own[c->count] = v == vertex ? from->value[vertex * from->width + i] : 0;
		c->bone[c->count++] = bone;
	}
}

/* the bones of the vertex, then those of its neighbours; `seen` is empty before and after */
static void find_candidates(const improve_job *job, size_t v, uint64_t *seen, candidates *c)
{
	const ossai_adjacency *adjacency = &job->surface->adjacency;
	c->count = 0;
	add_candidates(job, v, v, seen, c);
	for (uint32_t i = adjacency->vertex_start[v]; i < adjacency->vertex_start[v + 1]; i++) {
		add_candidates(job, v, adjacency->vertex_neighbor[i], seen, c);
	}
	for (size_t i = 0; i < c->count; i++) seen[c->bone[i] / 64] = 0;
}

/* bones that are not there yet: what is far away is not reached from neighbours */
static void add_far(const improve_job *job, size_t v, candidates *c)
{
	uint16_t best[OSSAI_SIMPLEX_MAX];
	const size_t most = job->bounds.reach < OSSAI_SIMPLEX_MAX ? job->bounds.reach : OSSAI_SIMPLEX_MAX;
	const size_t count = best_alone(&job->residuals, v, job->usable_count, job->usable, most, best);
	for (size_t i = 0; i < count && c->count < OSSAI_SIMPLEX_MAX; i++) {
		bool there = false;
		for (size_t j = 0; j < c->count && !there; j++) there = c->bone[j] == best[i];
		if (there || (job->has_closed && !may_be_candidate(job, v, best[i]))) continue;
		c->own[c->count] = 0;
		c->bone[c->count++] = best[i];
	}
}

/* where every bone nearby is closed: of all bones the one that fits the vertex best */
static void take_best_bone(const improve_job *job, size_t vertex, candidates *c)
{
	uint16_t best;
	if (best_alone(&job->residuals, vertex, job->usable_count, job->usable, 1, &best) == 1) *c = (candidates){1, {best}, {1}};
}

/* true for a vertex that is not to be solved: its weights are copied */
static bool keep_weights(const improve_job *job, size_t v)
{
	const ossai_bone_weights *from = job->from;
	const size_t at = v * from->width, count = from->count[v];
	bool solve = !job->bounds.open;
	for (size_t i = 0; i < count && !solve; i++) solve = job->bounds.open[from->bone[at + i]];
	if (solve && job->surface->used[v]) return false;
	memcpy(job->to->bone + at, from->bone + at, count * sizeof *from->bone);
	memcpy(job->to->value + at, from->value + at, count * sizeof *from->value);
	job->to->count[v] = (uint8_t)count;
	return true;
}

static void solve_free(const improve_job *job, size_t v, candidates *c)
{
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX];
	if (c->count == 1) c->own[0] = 1;
	if (c->count > 1) {
		ossai_residuals_gram(&job->residuals, v, c->count, c->bone, g);
		ossai_simplex_fit(c->count, g, job->to->width, c->own);
	}
	store_weights(job->to, v, c->count, c->bone, c->own);
}

static void solve_held(const improve_job *job, size_t v, const candidates *c)
{
	uint16_t bone[OSSAI_GRAM_MAX];
	double value[OSSAI_GRAM_MAX];
	const size_t n = ossai_weight_prior_solve(
		job->bounds.prior, &job->residuals, v, c->count, c->bone, c->own, job->to->width, bone, value);
	store_weights(job->to, v, n, bone, value);
}

static void improve_range(void *arg, size_t begin, size_t end)
{
	const improve_job *job = arg;
	const ossai_symmetry *shared = ossai_shared_symmetry(job->surface);
	bone_bits seen = {0};
	for (size_t v = begin; v < end; v++) {
		if (keep_weights(job, v) || ossai_takes_from_counterpart(shared, v)) continue;
		candidates c;
		find_candidates(job, v, seen, &c);
		if (job->bounds.reach > 0) add_far(job, v, &c);
		if (c.count == 0) take_best_bone(job, v, &c);
		if (job->bounds.prior) solve_held(job, v, &c);
		else solve_free(job, v, &c);
	}
}

static ossa_status list_usable(ossai_arena *arena, improve_job *job)
{
	job->usable = ossai_arena_new(arena, job->residuals.bone_count, sizeof *job->usable);
	if (!job->usable) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < job->residuals.bone_count; b++) {
		if (!is_closed(job, (uint16_t)b)) job->usable[job->usable_count++] = (uint16_t)b;
	}
	return OSSA_OK;
}

ossa_status ossai_weights_improve(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_weight_bounds *bounds, const ossai_bone_weights *from, ossai_bone_weights *to)
{
	improve_job job = {.surface = surface, .from = from, .to = to};
	if (bounds) job.bounds = *bounds;
	job.has_closed = has_closed(&job);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_residuals_make(&arena, surface, motion, &job.residuals);
	if (status == OSSA_OK) status = list_usable(&arena, &job);
	to->bone_count = from->bone_count;
	if (status == OSSA_OK) ossai_parallel_for(context, surface->vertex_count, VERTEX_GRAIN, improve_range, &job);
	if (status == OSSA_OK) ossai_share_weights(surface, to);
	ossai_arena_end(&arena);
	return status;
}
