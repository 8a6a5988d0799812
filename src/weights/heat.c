/* weights/heat.c: see heat.h. */
#include "weights/heat.h"

#include "math/sparse.h"
#include "weights/heat_sources.h"
#include "weights/locality.h"
#include "weights/pose_choice.h"
#include "weights/top_weights.h"

#include <string.h>

enum { WIDTH = OSSAI_SPARSE_WIDTH, GROUPS = 4, POINTS_PER_RANGE = 1024 };

/* A smaller value is no weight; nor is one that is less than this share of a vertex's sum in the
   end. */
static const double no_value = 1e-6, least_share = 1e-3;
/* The least heat loss of all points of a piece together, relative to that of a piece as large as
   its distance to the bone: it keeps the matrix definite. */
static const double least_outlet = 1e-6;

typedef struct heater {
	ossa_context *context;
	ossai_arena *arena; /* of temporaries */
	const ossai_posed_surface *surface;
	const ossai_bone_segments *segments;
	const ossai_bone_motion *motion;
	const ossai_heat_options *options;
	ossai_interior interior;
	uint8_t *unseen; /* of pieces: no bone is visible in some pose */
	double *outlet;  /* of pieces */
	ossai_heat_sources sources;
	ossai_pose_choice choice;
	double *matrix;      /* entries of the Laplacian and the outlet */
	uint32_t *active;    /* B: bones that heat some point */
	uint32_t *column_of; /* B: their index among the active ones */
	size_t active_count;
	double *x; /* GROUPS x N x WIDTH */
	ossai_sparse *system;
	ossai_top_weights top;
} heater;

ossai_heat_options ossai_heat_default(void) { return (ossai_heat_options){4, 8, 3, false}; }

/* ---- once for all poses ---- */

static ossa_status take_arrays(heater *h)
{
	const size_t points = h->interior.point_count, pieces = h->interior.piece_count, bones = h->segments->bone_count;
	const size_t groups = (bones + WIDTH - 1) / WIDTH;
	h->unseen = ossai_arena_zero(h->arena, pieces, sizeof *h->unseen);
	h->outlet = ossai_arena_new(h->arena, pieces, sizeof *h->outlet);
	h->matrix = ossai_arena_new(h->arena, h->interior.laplacian.start[points], sizeof *h->matrix);
	h->active = ossai_arena_new(h->arena, bones, sizeof *h->active);
	h->column_of = ossai_arena_new(h->arena, bones, sizeof *h->column_of);
	h->x = ossai_arena_new(h->arena, points, (groups < GROUPS ? groups : GROUPS) * WIDTH * sizeof *h->x);
	const bool all = h->unseen && h->outlet && h->matrix && h->active && h->column_of && h->x;
	return all ? OSSA_OK : ossa_context_error(h->context)->status;
}

static ossa_status prepare(heater *h)
{
	OSSAI_TRY(ossai_interior_make(h->arena, h->surface, &h->interior));
	const size_t points = h->interior.point_count;
	OSSAI_TRY(take_arrays(h));
	OSSAI_TRY(ossai_heat_sources_make(h->arena, points, h->segments, &h->sources));
	OSSAI_TRY(ossai_pose_choose(h->arena, h->segments, h->motion, h->options->poses, &h->choice));
	OSSAI_TRY(ossai_top_weights_make(h->arena, points, h->options->influences, &h->top));
	const ossai_sparse_pattern pattern = {points, h->interior.laplacian.start, h->interior.laplacian.row};
	return ossai_sparse_analyse(h->context, &pattern, &h->system);
}

/* ---- one pose ---- */

static void sum_outlets(heater *h)
{
	memset(h->outlet, 0, h->interior.piece_count * sizeof *h->outlet);
	for (size_t p = 0; p < h->interior.point_count; p++) {
		h->outlet[h->interior.piece_of_point[p]] += h->interior.laplacian.mass[p] * h->sources.rate[p];
	}
}

/* Pieces that see no bone are heated by the nearest ones; and every piece loses enough heat for its
   matrix not to be singular. */
static void open_outlets(heater *h)
{
	sum_outlets(h);
	bool changed = false;
	for (size_t p = 0; p < h->interior.point_count; p++) {
		const uint32_t piece = h->interior.piece_of_point[p];
		if (h->outlet[piece] > 0) continue;
		h->unseen[piece] = 1;
		h->sources.rate[p] = ossai_heat_rate_of(&h->sources, ossai_v3_of(h->interior.positions + 3 * p), h->options->heat);
		changed = true;
	}
	if (changed) sum_outlets(h);
	for (size_t p = 0; p < h->interior.point_count; p++) {
		const double outlet = h->outlet[h->interior.piece_of_point[p]];
		if (outlet < least_outlet) h->sources.rate[p] *= least_outlet / outlet;
	}
}

static ossa_status factorise(heater *h)
{
	const ossai_laplacian *l = &h->interior.laplacian;
	memcpy(h->matrix, l->value, l->start[l->vertex_count] * sizeof *h->matrix);
	for (size_t p = 0; p < l->vertex_count; p++) h->matrix[l->start[p]] += l->mass[p] * h->sources.rate[p];
	return ossai_sparse_factorise(h->system, h->matrix);
}

/* bones that heat nothing have no weights: nothing is solved for them */
static void find_active(heater *h)
{
	const ossai_heat_sources *s = &h->sources;
	memset(h->column_of, 0xff, h->segments->bone_count * sizeof *h->column_of);
	for (size_t p = 0; p < s->point_count; p++) {
		for (size_t i = 0; s->rate[p] > 0 && i < s->count[p]; i++) h->column_of[s->bone[p * OSSAI_HEAT_TIES + i]] = 0;
	}
	h->active_count = 0;
	for (uint32_t b = 0; b < h->segments->bone_count; b++) {
		if (h->column_of[b] == OSSA_NONE) continue;
		h->column_of[b] = (uint32_t)h->active_count;
		h->active[h->active_count++] = b;
	}
}

/* right-hand sides of the active bones [first, first + groups x WIDTH): mass H p */
static void fill_sides(heater *h, size_t first, size_t groups)
{
	const ossai_heat_sources *s = &h->sources;
	memset(h->x, 0, groups * s->point_count * WIDTH * sizeof *h->x);
	for (size_t p = 0; p < s->point_count; p++) {
		if (!(s->rate[p] > 0)) continue;
		const double share = h->interior.laplacian.mass[p] * s->rate[p] / s->count[p];
		for (size_t i = 0; i < s->count[p]; i++) {
			const size_t column = h->column_of[s->bone[p * OSSAI_HEAT_TIES + i]] - first;
			if (column >= groups * WIDTH) continue;
			h->x[(column / WIDTH * s->point_count + p) * WIDTH + column % WIDTH] = share;
		}
	}
}

typedef struct gather_job {
	heater *h;
	size_t first, groups;
	double share;
} gather_job;

static void gather_range(void *arg, size_t begin, size_t end)
{
	const gather_job *job = arg;
	heater *h = job->h;
	for (size_t p = begin; p < end; p++) {
		for (size_t column = 0; column < job->groups * WIDTH && job->first + column < h->active_count; column++) {
			const double value = h->x[(column / WIDTH * h->interior.point_count + p) * WIDTH + column % WIDTH];
			if (value > no_value) ossai_top_weights_add(&h->top, p, h->active[job->first + column], job->share * value);
		}
	}
}

static ossa_status solve_pose(heater *h, size_t index)
{
	const double done = (double)index, all = (double)h->choice.count;
	OSSAI_TRY(factorise(h));
	find_active(h);
	for (size_t first = 0; first < h->active_count; first += GROUPS * WIDTH) {
		OSSAI_TRY(ossai_progress(h->context, (done + (double)first / (double)h->active_count) / all));
		const size_t left = (h->active_count - first + WIDTH - 1) / WIDTH;
		gather_job job = {h, first, left < GROUPS ? left : GROUPS, h->choice.share[index]};
		fill_sides(h, first, job.groups);
		OSSAI_TRY(ossai_sparse_solve(h->system, job.groups, h->x));
		ossai_parallel_for(h->context, h->interior.point_count, POINTS_PER_RANGE, gather_range, &job);
	}
	return OSSA_OK;
}

static ossa_status heat_pose(heater *h, size_t index)
{
	const size_t pose = h->choice.pose[index];
	/* the rest pose, for which everything is set up, goes first */
	if (pose != OSSAI_REST_POSE) ossai_interior_move(h->context, pose, &h->interior);
	ossai_heat_sources_fill(h->context, &h->interior, h->motion, pose, h->options->heat, &h->sources);
	open_outlets(h);
	return solve_pose(h, index);
}

/* ---- all ---- */

static void warn_of_pieces(const heater *h)
{
	size_t count = 0;
	for (size_t i = 0; i < h->interior.piece_count; i++) count += h->unseen[i];
	if (count == 0) return;
	ossai_warn(h->context, "unseen-pieces", (int64_t)count,
		"%zu of %u pieces %s no bone inside of %s or visible through the body: %s the nearest bones", count,
		h->interior.piece_count, count == 1 ? "has" : "have", count == 1 ? "it" : "them",
		count == 1 ? "it follows" : "they follow");
}

static ossa_status finish(heater *h, ossai_arena *arena, ossai_bone_weights *weights)
{
	OSSAI_TRY(
		ossai_bone_weights_new(arena, h->surface->vertex_count, h->segments->bone_count, h->options->influences, weights));
	for (size_t v = 0; v < h->surface->vertex_count; v++) {
		const uint32_t point = h->interior.weld.point_of_vertex[v];
		if (point == OSSA_NONE || ossai_top_weights_take(&h->top, point, least_share, v, weights)) continue;
		/* underflow of all values: the nearest bone */
		weights->bone[v * weights->width] = h->sources.bone[(size_t)point * OSSAI_HEAT_TIES];
		weights->value[v * weights->width] = 1;
		weights->count[v] = 1;
	}
	warn_of_pieces(h);
	if (!h->options->local) return OSSA_OK;
	return ossai_locality_enforce(h->context, h->surface, NULL, NULL, OSSAI_SUPPORT_WEIGHT, weights);
}

static ossa_status run(heater *h, ossai_arena *arena, ossai_bone_weights *weights)
{
	OSSAI_TRY(ossai_bone_segments_check(h->context, h->segments));
	OSSAI_TRY(prepare(h));
	for (size_t i = 0; i < h->choice.count; i++) OSSAI_TRY(heat_pose(h, i));
	return finish(h, arena, weights);
}

ossa_status ossai_heat_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_segments *segments,
	const ossai_bone_motion *motion, const ossai_heat_options *options, ossai_bone_weights *weights)
{
	ossai_arena temporary = ossai_arena_begin(arena->context);
	heater h = {.context = arena->context, .arena = &temporary, .surface = surface, .segments = segments};
	h.motion = motion;
	h.options = options;
	const ossa_status status = run(&h, arena, weights);
	ossai_sparse_end(h.system);
	ossai_arena_end(&temporary);
	return status;
}
