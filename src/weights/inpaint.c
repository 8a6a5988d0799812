/* weights/inpaint.c: see inpaint.h. */
#include "weights/inpaint.h"

#include "math/sparse.h"
#include "weights/top_weights.h"

#include <string.h>

enum { WIDTH = OSSAI_SPARSE_WIDTH, GROUPS = 4, POINTS_PER_RANGE = 1024 };

/* A smaller value is no weight; nor is one that is less than this share of a point's sum in the
   end: as of heat weights. */
static const double no_value = 1e-6, least_share = 1e-3;

/* An edge from an unknown point to a known one, with the weight of the Laplacian > 0. */
typedef struct border_edge {
	uint32_t unknown, known;
	double weight;
} border_edge;

typedef struct inpainting {
	ossa_context *context;
	ossai_arena *arena; /* of temporaries */
	const ossai_laplacian *laplacian;
	const uint8_t *is_known;
	ossai_bone_weights *weights;
	uint32_t *point_of_unknown; /* U */
	uint32_t *unknown_of_point; /* N */
	size_t unknown_count;
	uint32_t *start, *row; /* the lower triangle of the unknown points' rows and columns */
	double *value;
	border_edge *border;
	size_t border_count;
	uint32_t *active, *column_of; /* B: bones that the border has, and their index among them */
	size_t active_count;
	double *x; /* GROUPS x U x WIDTH */
	ossai_sparse *system;
	ossai_top_weights top;
} inpainting;

static ossa_status take_arrays(inpainting *n)
{
	const size_t points = n->laplacian->vertex_count, entries = n->laplacian->start[points], bones = n->weights->bone_count;
	n->point_of_unknown = ossai_arena_new(n->arena, points, sizeof *n->point_of_unknown);
	n->unknown_of_point = ossai_arena_new(n->arena, points, sizeof *n->unknown_of_point);
	n->start = ossai_arena_new(n->arena, points + 1, sizeof *n->start);
	n->row = ossai_arena_new(n->arena, entries, sizeof *n->row);
	n->value = ossai_arena_new(n->arena, entries, sizeof *n->value);
	n->border = ossai_arena_new(n->arena, entries, sizeof *n->border);
	n->active = ossai_arena_new(n->arena, bones, sizeof *n->active);
	n->column_of = ossai_arena_new(n->arena, bones, sizeof *n->column_of);
	const bool all = n->point_of_unknown && n->unknown_of_point && n->start && n->row && n->value && n->border;
	return all && n->active && n->column_of ? OSSA_OK : ossa_context_error(n->context)->status;
}

static void find_unknown(inpainting *n)
{
	for (uint32_t p = 0; p < n->laplacian->vertex_count; p++) {
		n->unknown_of_point[p] = OSSA_NONE;
		if (n->is_known[p]) continue;
		n->point_of_unknown[n->unknown_count] = p;
		n->unknown_of_point[p] = (uint32_t)n->unknown_count++;
	}
}

/* splits the Laplacian: what couples unknown points is the matrix, what couples them with known
   ones the border. Unknown points keep their order, so rows rise as they did */
static void split(inpainting *n)
{
	const ossai_laplacian *l = n->laplacian;
	size_t entries = 0, columns = 0;
	for (uint32_t p = 0; p < l->vertex_count; p++) {
		const uint32_t column = n->unknown_of_point[p];
		if (column != OSSA_NONE) n->start[columns++] = (uint32_t)entries;
		for (size_t i = l->start[p]; i < l->start[p + 1]; i++) {
			const uint32_t row = n->unknown_of_point[l->row[i]];
			if (row != OSSA_NONE && column != OSSA_NONE) {
				n->row[entries] = row;
				n->value[entries++] = l->value[i];
			} else if (row != OSSA_NONE) {
				n->border[n->border_count++] = (border_edge){row, p, -l->value[i]};
			} else if (column != OSSA_NONE) {
				n->border[n->border_count++] = (border_edge){column, l->row[i], -l->value[i]};
			}
		}
	}
	n->start[columns] = (uint32_t)entries;
}

static void find_active(inpainting *n)
{
	const ossai_bone_weights *w = n->weights;
	memset(n->column_of, 0xff, w->bone_count * sizeof *n->column_of);
	for (size_t e = 0; e < n->border_count; e++) {
		const size_t at = n->border[e].known * w->width;
		for (size_t i = 0; i < w->count[n->border[e].known]; i++) n->column_of[w->bone[at + i]] = 0;
	}
	for (uint32_t b = 0; b < w->bone_count; b++) {
		if (n->column_of[b] == OSSA_NONE) continue;
		n->column_of[b] = (uint32_t)n->active_count;
		n->active[n->active_count++] = b;
	}
}

/* right-hand sides of the active bones [first, first + groups x WIDTH) */
static void fill_sides(inpainting *n, size_t first, size_t groups)
{
	const ossai_bone_weights *w = n->weights;
	memset(n->x, 0, groups * n->unknown_count * WIDTH * sizeof *n->x);
	for (size_t e = 0; e < n->border_count; e++) {
		const border_edge *edge = &n->border[e];
		const size_t at = edge->known * w->width;
		for (size_t i = 0; i < w->count[edge->known]; i++) {
			const size_t column = (size_t)n->column_of[w->bone[at + i]] - first;
			if (column >= groups * WIDTH) continue;
			n->x[(column / WIDTH * n->unknown_count + edge->unknown) * WIDTH + column % WIDTH] += edge->weight *
				w->value[at + i];
		}
	}
}

typedef struct gather_job {
	inpainting *n;
	size_t first, groups;
} gather_job;

static void gather_range(void *arg, size_t begin, size_t end)
{
	const gather_job *job = arg;
	inpainting *n = job->n;
	for (size_t u = begin; u < end; u++) {
		for (size_t column = 0; column < job->groups * WIDTH && job->first + column < n->active_count; column++) {
			const double value = n->x[(column / WIDTH * n->unknown_count + u) * WIDTH + column % WIDTH];
			if (value > no_value) ossai_top_weights_add(&n->top, u, n->active[job->first + column], value);
		}
	}
}

static ossa_status solve(inpainting *n)
{
	const ossai_sparse_pattern pattern = {n->unknown_count, n->start, n->row};
	OSSAI_TRY(ossai_sparse_analyse(n->context, &pattern, &n->system));
	OSSAI_TRY(ossai_sparse_factorise(n->system, n->value));
	for (size_t first = 0; first < n->active_count; first += GROUPS * WIDTH) {
		OSSAI_TRY(ossai_progress(n->context, (double)first / (double)n->active_count));
		const size_t left = (n->active_count - first + WIDTH - 1) / WIDTH;
		gather_job job = {n, first, left < GROUPS ? left : GROUPS};
		fill_sides(n, first, job.groups);
		OSSAI_TRY(ossai_sparse_solve(n->system, job.groups, n->x));
		ossai_parallel_for(n->context, n->unknown_count, POINTS_PER_RANGE, gather_range, &job);
	}
	for (size_t u = 0; u < n->unknown_count; u++) {
		const uint32_t point = n->point_of_unknown[u];
		n->weights->count[point] = 0;
		ossai_top_weights_take(&n->top, u, least_share, point, n->weights);
	}
	return OSSA_OK;
}

static ossa_status inpaint(inpainting *n)
{
	OSSAI_TRY(take_arrays(n));
	find_unknown(n);
	if (n->unknown_count == 0) return OSSA_OK;
	split(n);
	find_active(n);
	const size_t groups = (n->active_count + WIDTH - 1) / WIDTH;
	n->x = ossai_arena_new(n->arena, n->unknown_count, (groups < GROUPS ? groups : GROUPS) * WIDTH * sizeof *n->x);
	if (!n->x) return ossa_context_error(n->context)->status;
	OSSAI_TRY(ossai_top_weights_make(n->arena, n->unknown_count, n->weights->width, &n->top));
	return solve(n);
}

ossa_status ossai_weights_inpaint(
	ossai_arena *arena, const ossai_laplacian *laplacian, const uint8_t *is_known, ossai_bone_weights *weights)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	inpainting n = {
		.context = arena->context, .arena = &scratch, .laplacian = laplacian, .is_known = is_known, .weights = weights};
	const ossa_status status = inpaint(&n);
	ossai_sparse_end(n.system);
	ossai_arena_end(&scratch);
	return status;
}
