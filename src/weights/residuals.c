/* weights/residuals.c: see residuals.h. */
#include "weights/residuals.h"

#include "base/clones.h"
#include "math/lanes.h"
#include "weights/companions.h"
#include "weights/symmetry.h"

/* CHUNK: of the rows, in numbers, so that the residuals of a few bones stay in the first cache */
enum { BONE_GRAIN = 16, CHUNK = 64, FEW = 4 };

typedef struct transpose_job {
	const ossai_bone_motion *motion;
	const ossai_residuals *residuals;
} transpose_job;

static void transpose(void *arg, size_t begin, size_t end)
{
	const transpose_job *job = arg;
	const size_t stride = job->residuals->stride, pose_count = job->motion->pose_count;
	for (size_t b = begin; b < end; b++) {
		double *rows = job->residuals->rows + b * 4 * stride;
		for (size_t k = 0; k < pose_count; k++) {
			const ossai_rigid *x = &job->motion->rigid[b * pose_count + k];
			const double t[3] = {x->t.x, x->t.y, x->t.z};
			for (size_t i = 0; i < 3; i++) {
				for (size_t c = 0; c < 3; c++) rows[c * stride + 3 * k + i] = x->r.m[i][c];
				rows[3 * stride + 3 * k + i] = t[i];
			}
		}
		for (size_t c = 0; c < 4; c++) {
			for (size_t i = 3 * pose_count; i < stride; i++) rows[c * stride + i] = 0;
		}
	}
}

static ossa_status make_rows(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_motion *motion, ossai_residuals *residuals)
{
	*residuals = (ossai_residuals){
		.surface = surface, .bone_count = motion->bone_count, .stride = ossai_lanes_up(3 * surface->pose_count)};
	residuals->rows = ossai_arena_new(arena, motion->bone_count, 4 * residuals->stride * sizeof *residuals->rows);
	if (!residuals->rows) return ossa_context_error(arena->context)->status;
	transpose_job job = {motion, residuals};
	ossai_parallel_for(arena->context, motion->bone_count, BONE_GRAIN, transpose, &job);
	return OSSA_OK;
}

ossa_status ossai_residuals_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_motion *motion, ossai_residuals *residuals)
{
	const ossai_companions *companions = surface->companions;
	OSSAI_TRY(make_rows(arena, surface, motion, residuals));
	if (!companions || companions->count == 0) return OSSA_OK;
	residuals->companions = ossai_arena_new(arena, companions->count, sizeof *residuals->companions);
	if (!residuals->companions) return ossa_context_error(arena->context)->status;
	residuals->companion_count = companions->count;
	for (size_t i = 0; i < companions->count; i++) {
		const ossai_companion *other = &companions->item[i];
		OSSAI_TRY(make_rows(arena, other->surface, other->motion, &residuals->companions[i]));
	}
	return OSSA_OK;
}

/* a vertex and the rows of its bones */
typedef struct vertex_rows {
	size_t stride, used; /* of a row: numbers, those that are not padding */
	double p[3];
	const double *poses;
	const double *rows[OSSAI_GRAM_MAX];
} vertex_rows;

static void find_rows(const ossai_residuals *r, size_t vertex, size_t n, const uint16_t *bones, vertex_rows *v)
{
	v->stride = r->stride;
	v->used = 3 * r->surface->pose_count;
	memcpy(v->p, r->surface->rest + 3 * vertex, sizeof v->p);
	v->poses = r->surface->poses + vertex * v->used;
	for (size_t i = 0; i < n; i++) v->rows[i] = r->rows + (size_t)bones[i] * 4 * r->stride;
}

static inline void residual_at(const vertex_rows *v, size_t i, size_t at, const ossai_lanes *poses, ossai_lanes *residual)
{
	const double *row = v->rows[i] + at;
	ossai_lanes x, y, z, one;
	ossai_lanes_load(row, &x);
	ossai_lanes_load(row + v->stride, &y);
	ossai_lanes_load(row + 2 * v->stride, &z);
	ossai_lanes_load(row + 3 * v->stride, &one);
	*residual = ((x * v->p[0] + y * v->p[1]) + (z * v->p[2] + one)) - *poses;
}

/* Adds the products of the residuals of n bones. To be inlined with a literal n: residuals and sums
   are then kept in registers. */
__attribute__((always_inline)) static inline void add_products_of_few(
	const vertex_rows *v, size_t n, size_t at, const ossai_lanes *poses, ossai_lanes *sum)
{
	ossai_lanes r[FEW];
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++) residual_at(v, i, at, poses, &r[i]);
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++) {
#pragma GCC unroll 4
		for (size_t j = 0; j <= i; j++) sum[i * (i + 1) / 2 + j] += r[i] * r[j];
	}
}

/* the lower half of g for up to FEW bones */
__attribute__((always_inline)) static inline void gram_of_few(const vertex_rows *v, size_t n, double *g)
{
	ossai_lanes sum[FEW * (FEW + 1) / 2] = {0}, poses;
	size_t at = 0;
	for (; at + OSSAI_LANES <= v->used; at += OSSAI_LANES) {
		ossai_lanes_load(v->poses + at, &poses);
		add_products_of_few(v, n, at, &poses, sum);
	}
	if (at < v->used) {
		ossai_lanes_load_some(v->poses + at, v->used - at, &poses);
		add_products_of_few(v, n, at, &poses, sum);
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++) {
#pragma GCC unroll 4
		for (size_t j = 0; j <= i; j++) g[i * n + j] = ossai_lanes_sum(sum[i * (i + 1) / 2 + j]);
	}
}

/* Adds the products of residual i with `few` residuals from j on: to be inlined with a literal. */
__attribute__((always_inline)) static inline void add_products(
	const double *r, size_t count, size_t i, size_t j, size_t few, double *g)
{
	ossai_lanes sum[FEW] = {0};
	for (size_t at = 0; at < count; at += OSSAI_LANES) {
		ossai_lanes a, b;
		ossai_lanes_load(r + i * CHUNK + at, &a);
#pragma GCC unroll 4
		for (size_t l = 0; l < few; l++) {
			ossai_lanes_load(r + (j + l) * CHUNK + at, &b);
			sum[l] += a * b;
		}
	}
#pragma GCC unroll 4
	for (size_t l = 0; l < few; l++) g[j + l] += ossai_lanes_sum(sum[l]);
}

/* the lower half of g for any number, by chunks of the rows; inlined, or it would not be compiled
   for the processors of its caller */
__attribute__((always_inline)) static inline void gram_of_many(const vertex_rows *v, size_t n, double *g)
{
	double r[OSSAI_GRAM_MAX * CHUNK];
	memset(g, 0, n * n * sizeof *g);
	for (size_t begin = 0; begin < v->stride; begin += CHUNK) {
		const size_t count = v->stride - begin < CHUNK ? v->stride - begin : CHUNK;
		for (size_t at = 0; at < count; at += OSSAI_LANES) {
			ossai_lanes poses, residual;
			if (begin + at + OSSAI_LANES <= v->used) ossai_lanes_load(v->poses + begin + at, &poses);
			else ossai_lanes_load_some(v->poses + begin + at, v->used - begin - at, &poses);
			for (size_t i = 0; i < n; i++) {
				residual_at(v, i, begin + at, &poses, &residual);
				ossai_lanes_store(&residual, r + i * CHUNK + at);
			}
		}
		for (size_t i = 0; i < n; i++) {
			size_t j = 0;
			for (; j + FEW <= i + 1; j += FEW) add_products(r, count, i, j, FEW, g + i * n);
			for (; j <= i; j++) add_products(r, count, i, j, 1, g + i * n);
		}
	}
}

OSSAI_CLONES static void lower_half(const vertex_rows *v, size_t n, double *g)
{
	switch (n) {
	case 1: gram_of_few(v, 1, g); return;
	case 2: gram_of_few(v, 2, g); return;
	case 3: gram_of_few(v, 3, g); return;
	case 4: gram_of_few(v, 4, g); return;
	default: gram_of_many(v, n, g);
	}
}

/* the mean of the matrix and that of the vertex's counterpart under the mirrored bones: the
   evidence of both sides */
static void add_counterpart(const ossai_residuals *residuals, size_t vertex, size_t n, const uint16_t *bones, double *g)
{
	const ossai_symmetry *s = residuals->surface->symmetry;
	ossai_residuals other = *residuals;
	uint16_t image[OSSAI_GRAM_MAX];
	double h[OSSAI_GRAM_MAX * OSSAI_GRAM_MAX];
	vertex_rows v;
	if (s->counterpart[vertex] == OSSA_NONE) return;
	for (size_t i = 0; i < n; i++) image[i] = (uint16_t)ossai_image_of(s, bones[i]);
	other.surface = s->counterparts_of;
	find_rows(&other, s->counterpart[vertex], n, image, &v);
	lower_half(&v, n, h);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++) g[i * n + j] = 0.5 * (g[i * n + j] + h[i * n + j]);
	}
}

/* the sum over all characters of one topology */
static void add_companions(const ossai_residuals *residuals, size_t vertex, size_t n, const uint16_t *bones, double *g)
{
	double h[OSSAI_GRAM_MAX * OSSAI_GRAM_MAX];
	vertex_rows v;
	for (size_t c = 0; c < residuals->companion_count; c++) {
		find_rows(&residuals->companions[c], vertex, n, bones, &v);
		lower_half(&v, n, h);
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j <= i; j++) g[i * n + j] += h[i * n + j];
		}
	}
}

void ossai_residuals_gram(const ossai_residuals *residuals, size_t vertex, size_t n, const uint16_t *bones, double *g)
{
	vertex_rows v;
	find_rows(residuals, vertex, n, bones, &v);
	lower_half(&v, n, g);
	if (residuals->surface->symmetry) add_counterpart(residuals, vertex, n, bones, g);
	if (residuals->companion_count > 0) add_companions(residuals, vertex, n, bones, g);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++) g[j * n + i] = g[i * n + j];
	}
}

double ossai_residuals_square(const ossai_residuals *residuals, size_t vertex, uint16_t bone)
{
	double square;
	ossai_residuals_gram(residuals, vertex, 1, &bone, &square);
	return square;
}
