/* motion/moments.c: see moments.h. Every bone's sums are made by one task in vertex order: the same
   for any threads. */
#include "motion/moments.h"

#include "base/clones.h"
#include "base/csr.h"

#include <string.h>

typedef struct moments_job {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	ossai_moments *m;
	ossai_csr vertices; /* of each bone, rising */
	double *values;     /* their weights */
} moments_job;

/* the vertices of each bone */
static ossa_status list_vertices(ossai_arena *arena, moments_job *job)
{
	const ossai_bone_weights *w = job->weights;
	OSSAI_TRY(ossai_csr_begin(arena, w->bone_count, &job->vertices));
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) ossai_csr_count(&job->vertices, w->bone[v * w->width + i]);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &job->vertices));
	job->values = ossai_arena_new(arena, job->vertices.start[w->bone_count + 1], sizeof *job->values);
	if (!job->values) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) {
			const uint32_t at = ossai_csr_next(&job->vertices, w->bone[v * w->width + i]);
			job->vertices.item[at] = (uint32_t)v;
			job->values[at] = w->value[v * w->width + i];
		}
	}
	return OSSA_OK;
}

static ossa_status list_pairs(ossai_moments *m, const ossai_bone_weights *w)
{
	const size_t bone_count = m->bone_count;
	size_t capacity = bone_count;
	m->pair_of = ossai_arena_new(&m->arena, bone_count, bone_count * sizeof *m->pair_of);
	if (!m->pair_of) return ossa_context_error(m->arena.context)->status;
	memset(m->pair_of, 0xff, bone_count * bone_count * sizeof *m->pair_of);
	for (size_t b = 0; b < bone_count; b++) m->pair_of[b * bone_count + b] = 0;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const uint16_t *bone = w->bone + v * w->width;
		for (size_t i = 0; i < w->count[v]; i++) {
			for (size_t j = 0; j < i; j++) {
				uint32_t *pair = &m->pair_of[bone[i] * bone_count + bone[j]];
				capacity += *pair == OSSA_NONE;
				*pair = m->pair_of[bone[j] * bone_count + bone[i]] = 0;
			}
		}
	}
	m->pairs = ossai_arena_new(&m->arena, capacity, sizeof *m->pairs);
	m->s = ossai_arena_zero(&m->arena, capacity, sizeof *m->s);
	if (!m->pairs || !m->s) return ossa_context_error(m->arena.context)->status;
	for (uint32_t j = 0; j < bone_count; j++) {
		for (uint32_t l = j; l < bone_count; l++) {
			if (m->pair_of[j * bone_count + l] == OSSA_NONE) continue;
			m->pair_of[j * bone_count + l] = m->pair_of[l * bone_count + j] = (uint32_t)m->pair_count;
			m->pairs[m->pair_count][0] = j;
			m->pairs[m->pair_count++][1] = l;
		}
	}
	return OSSA_OK;
}

static void add_s(double s[10], double w, const double p[3])
{
	const double x = w * p[0], y = w * p[1], z = w * p[2];
	s[0] += x * p[0];
	s[1] += x * p[1];
	s[2] += x * p[2];
	s[3] += x;
	s[4] += y * p[1];
	s[5] += y * p[2];
	s[6] += y;
	s[7] += z * p[2];
	s[8] += z;
	s[9] += w;
}

static inline void add_scaled(size_t count, double scale, const double *restrict from, double *restrict to)
{
	for (size_t i = 0; i < count; i++) to[i] += scale * from[i];
}

OSSAI_CLONES static void sum_bone(void *arg, size_t begin, size_t end)
{
	const moments_job *job = arg;
	const ossai_moments *m = job->m;
	const ossai_bone_weights *w = job->weights;
	const size_t pose_count = m->pose_count;
	for (size_t b = begin; b < end; b++) {
		double *c = m->c + b * 12 * pose_count;
		for (size_t n = job->vertices.start[b]; n < job->vertices.start[b + 1]; n++) {
			const size_t v = job->vertices.item[n];
			const double a = job->values[n];
			const double *p = job->surface->rest + 3 * v, *q = job->surface->poses + 3 * v * pose_count;
			const double ap[4] = {a * p[0], a * p[1], a * p[2], a};
			for (size_t r = 0; r < 4; r++) add_scaled(3 * pose_count, ap[r], q, c + r * 3 * pose_count);
			for (size_t i = 0; i < w->count[v]; i++) {
				const size_t other = w->bone[v * w->width + i];
				if (other < b) continue;
				add_s(m->s[m->pair_of[b * m->bone_count + other]], a * w->value[v * w->width + i], p);
			}
		}
	}
}

ossa_status ossai_moments_make(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_moments *m)
{
	*m = (ossai_moments){.bone_count = weights->bone_count,
		.pose_count = surface->pose_count,
		.vertex_count = (double)surface->used_count,
		.arena = ossai_arena_begin(context)};
	OSSAI_TRY(list_pairs(m, weights));
	m->c = ossai_arena_zero(&m->arena, m->bone_count, m->pose_count * 12 * sizeof *m->c);
	m->target = surface->pose_square;
	m->target_sum = surface->pose_sum;
	if (!m->c) return ossa_context_error(context)->status;
	ossai_arena temporary = ossai_arena_begin(context);
	moments_job job = {.surface = surface, .weights = weights, .m = m};
	const ossa_status status = list_vertices(&temporary, &job);
	if (status == OSSA_OK) {
		ossai_parallel_for(context, m->bone_count, 1, sum_bone, &job);
	}
	ossai_arena_end(&temporary);
	return status;
}

void ossai_moments_end(ossai_moments *moments) { ossai_arena_end(&moments->arena); }

void ossai_moments_matrix(const ossai_moments *m, uint32_t j, uint32_t l, double s[4][4])
{
	static const int index[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
	const uint32_t pair = m->pair_of[j * m->bone_count + l];
	for (int i = 0; i < 16; i++) s[i / 4][i % 4] = pair == OSSA_NONE ? 0 : m->s[pair][index[i / 4][i % 4]];
}

static void rows_of(const ossai_rigid *x, double rows[3][4])
{
	for (int i = 0; i < 3; i++) memcpy(rows[i], x->r.m[i], 3 * sizeof(double));
	rows[0][3] = x->t.x;
	rows[1][3] = x->t.y;
	rows[2][3] = x->t.z;
}

double ossai_moments_error(const ossai_moments *m, const ossai_bone_motion *motion)
{
	double error = 0;
	for (size_t k = 0; k < m->pose_count; k++) {
		double pose = m->target[k];
		for (size_t n = 0; n < m->pair_count; n++) {
			double s[4][4], a[3][4], b[3][4], sum = 0;
			const uint32_t j = m->pairs[n][0], l = m->pairs[n][1];
			ossai_moments_matrix(m, j, l, s);
			rows_of(&motion->rigid[j * m->pose_count + k], a);
			rows_of(&motion->rigid[l * m->pose_count + k], b);
			for (int i = 0; i < 48; i++) sum += a[i / 16][i / 4 % 4] * s[i / 4 % 4][i % 4] * b[i / 16][i % 4];
			pose += j == l ? sum : 2 * sum;
		}
		for (size_t j = 0; j < m->bone_count; j++) {
			double a[3][4], c[12];
			rows_of(&motion->rigid[j * m->pose_count + k], a);
			ossai_moments_target(m, j, k, c);
			for (int i = 0; i < 12; i++) pose -= 2 * a[i % 3][i / 3] * c[i];
		}
		error += pose > 0 ? pose : 0;
	}
	return error;
}
