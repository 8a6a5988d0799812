/* motion/moments.c: see moments.h. The vertices of a bone are summed in ranges of a fixed size, in
   vertex order, and the ranges are added in order: the same for any threads. */
#include "motion/moments.h"

#include "base/clones.h"
#include "motion/lane_motion.h"

#include <string.h>

/* RANGE: vertices of a bone that one task sums; BLOCK: of these, how many rows of poses are summed
   piece by piece together: few enough for the first cache */
enum { RANGE = 1024, BLOCK = 8 };

/* some vertices of a bone, and where their sums go */
typedef struct range_task {
	uint32_t bone, begin, end; /* entries of `vertices` */
	double *c, (*s)[10];       /* s: of the bone's pairs, which are consecutive */
} range_task;

typedef struct moments_job {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	ossai_moments *m;
	ossai_csr vertices; /* of each bone, rising */
	double *values;     /* their weights */
	size_t task_count;
	range_task *tasks; /* by bone; the first of each adds to the moments themselves */
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

/* pairs come by their first bone, then by their second: so each list is rising */
static ossa_status list_of_bones(ossai_moments *m)
{
	OSSAI_TRY(ossai_csr_begin(&m->arena, m->bone_count, &m->of_bone));
	for (size_t i = 0; i < m->pair_count; i++) {
		for (int e = 0; e < 2 && m->pairs[i][0] != m->pairs[i][1]; e++) ossai_csr_count(&m->of_bone, m->pairs[i][e]);
	}
	OSSAI_TRY(ossai_csr_take_items(&m->arena, &m->of_bone));
	for (uint32_t i = 0; i < m->pair_count; i++) {
		for (int e = 0; e < 2 && m->pairs[i][0] != m->pairs[i][1]; e++) ossai_csr_put(&m->of_bone, m->pairs[i][e], i);
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
	return list_of_bones(m);
}

/* the bone's first pair, with itself; its others, with bones after it, follow */
static size_t first_pair(const ossai_moments *m, size_t bone) { return m->pair_of[bone * m->bone_count + bone]; }

static size_t pairs_of(const ossai_moments *m, size_t bone)
{
	return (bone + 1 < m->bone_count ? first_pair(m, bone + 1) : m->pair_count) - first_pair(m, bone);
}

static ossa_status list_tasks(ossai_arena *arena, moments_job *job)
{
	const ossai_moments *m = job->m;
	const uint32_t *start = job->vertices.start;
	job->tasks = ossai_arena_new(arena, start[m->bone_count] / RANGE + m->bone_count, sizeof *job->tasks);
	if (!job->tasks) return ossa_context_error(arena->context)->status;
	for (uint32_t b = 0; b < m->bone_count; b++) {
		for (uint32_t begin = start[b]; begin < start[b + 1]; begin += RANGE) {
			const uint32_t end = start[b + 1] - begin < RANGE ? start[b + 1] : begin + RANGE;
			range_task task = {b, begin, end, m->c + b * 12 * m->pose_count, m->s + first_pair(m, b)};
			if (begin > start[b]) {
				task.c = ossai_arena_zero(arena, 12 * m->pose_count, sizeof *task.c);
				task.s = ossai_arena_zero(arena, pairs_of(m, b), sizeof *task.s);
				if (!task.c || !task.s) return ossa_context_error(arena->context)->status;
			}
			job->tasks[job->task_count++] = task;
		}
	}
	return OSSA_OK;
}

/* vertices of a bone: where their poses are, and their weight times x y z 1 of the rest */
typedef struct vertex_block {
	size_t count;
	const double *poses[BLOCK];
	/* of the next block, fetched meanwhile: a bone's vertices lie anywhere in memory */
	const double *ahead[BLOCK];
	double scale[BLOCK][4];
} vertex_block;

/* Adds `groups` x 4 numbers of the rows of poses to `sum`, the same numbers of the four rows of c.
   To be inlined with a literal: the sums are then kept in registers. */
__attribute__((always_inline)) static inline void add_piece(
	const vertex_block *block, size_t at, size_t groups, ossai_lanes sum[4][2])
{
	for (size_t n = 0; n < block->count; n++) {
		ossai_lanes q[2];
		__builtin_prefetch(block->ahead[n] + at);
#pragma GCC unroll 2
		for (size_t i = 0; i < groups; i++) ossai_lanes_load(block->poses[n] + at + i * OSSAI_LANES, &q[i]);
#pragma GCC unroll 4
		for (size_t r = 0; r < 4; r++) {
#pragma GCC unroll 2
			for (size_t i = 0; i < groups; i++) sum[r][i] += block->scale[n][r] * q[i];
		}
	}
}

__attribute__((always_inline)) static inline void add_whole_piece(
	const vertex_block *block, size_t at, size_t groups, size_t row, double *c)
{
	ossai_lanes sum[4][2];
	for (size_t r = 0; r < 4; r++) {
		for (size_t i = 0; i < groups; i++) ossai_lanes_load(c + r * row + at + i * OSSAI_LANES, &sum[r][i]);
	}
	add_piece(block, at, groups, sum);
	for (size_t r = 0; r < 4; r++) {
		for (size_t i = 0; i < groups; i++) ossai_lanes_store(&sum[r][i], c + r * row + at + i * OSSAI_LANES);
	}
}

/* the last numbers of the rows, fewer than the lanes: those before them are summed again, and
   dropped */
static inline void add_rest(const vertex_block *block, size_t at, size_t row, double *c)
{
	const size_t begin = row - OSSAI_LANES;
	ossai_lanes sum[4][2];
	for (size_t r = 0; r < 4; r++) ossai_lanes_load(c + r * row + begin, &sum[r][0]);
	add_piece(block, begin, 1, sum);
	for (size_t r = 0; r < 4; r++) {
		for (size_t i = at; i < row; i++) c[r * row + i] = sum[r][0][i - begin];
	}
}

OSSAI_CLONES static void add_targets(const vertex_block *block, size_t row, double *c)
{
	size_t at = 0;
	for (; at + 2 * OSSAI_LANES <= row; at += 2 * OSSAI_LANES) add_whole_piece(block, at, 2, row, c);
	for (; at + OSSAI_LANES <= row; at += OSSAI_LANES) add_whole_piece(block, at, 1, row, c);
	if (at < row && row > OSSAI_LANES) add_rest(block, at, row, c);
	/* one pose */
	for (size_t n = 0; row < OSSAI_LANES && n < block->count; n++) {
		for (size_t i = 0; i < 4 * row; i++) c[i] += block->scale[n][i / row] * block->poses[n][i % row];
	}
}

OSSAI_INLINE void add_lanes(ossai_lanes added, double *to)
{
	ossai_lanes sum;
	ossai_lanes_load(to, &sum);
	sum += added;
	ossai_lanes_store(&sum, to);
}

/* adds a vertex to S of the bone's pairs, w p~ p~^T: xx xy xz x, yy yz y zz, then z and 1 */
OSSAI_INLINE void add_pairs(const moments_job *job, const range_task *task, size_t v, double a)
{
	const ossai_moments *m = job->m;
	const ossai_bone_weights *weights = job->weights;
	const uint32_t bone = task->bone, *pair_of = m->pair_of + bone * m->bone_count, first = pair_of[bone];
	const double *p = job->surface->rest + 3 * v, x = p[0], y = p[1], z = p[2];
	const ossai_lanes xs = {x, x, x, x}, of_x = {x, y, z, 1}, ys = {y, y, y, z}, of_y = {y, z, 1, z};
	for (size_t i = v * weights->width, end = i + weights->count[v]; i < end; i++) {
		if (weights->bone[i] < bone) continue;
		const double w = a * weights->value[i];
		double *s = task->s[pair_of[weights->bone[i]] - first];
		add_lanes(w * xs * of_x, s);
		add_lanes(w * ys * of_y, s + 4);
		s[8] += w * z;
		s[9] += w;
	}
}

OSSAI_CLONES static void add_block_pairs(const moments_job *job, const range_task *task, size_t from, size_t count)
{
	for (size_t n = 0; n < count; n++) add_pairs(job, task, job->vertices.item[from + n], job->values[from + n]);
}

static void sum_ranges(void *arg, size_t begin, size_t end)
{
	const moments_job *job = arg;
	const size_t row = 3 * job->m->pose_count;
	vertex_block block;
	for (size_t t = begin; t < end; t++) {
		const range_task *task = &job->tasks[t];
		for (size_t from = task->begin; from < task->end; from += BLOCK) {
			block.count = task->end - from < BLOCK ? task->end - from : BLOCK;
			for (size_t n = 0; n < block.count; n++) {
				const size_t v = job->vertices.item[from + n];
				const double a = job->values[from + n], *p = job->surface->rest + 3 * v;
				const size_t next = from + n + BLOCK < task->end ? from + n + BLOCK : from + n;
				block.poses[n] = job->surface->poses + v * row;
				block.ahead[n] = job->surface->poses + job->vertices.item[next] * row;
				for (size_t r = 0; r < 3; r++) block.scale[n][r] = a * p[r];
				block.scale[n][3] = a;
			}
			add_block_pairs(job, task, from, block.count);
			add_targets(&block, row, task->c);
		}
	}
}

/* adds the sums of later ranges to those of a bone's first */
static void add_ranges(const moments_job *job)
{
	const ossai_moments *m = job->m;
	for (size_t t = 0; t < job->task_count; t++) {
		const range_task *task = &job->tasks[t];
		double *c = m->c + task->bone * 12 * m->pose_count, (*s)[10] = m->s + first_pair(m, task->bone);
		if (task->c == c) continue;
		for (size_t i = 0; i < 12 * m->pose_count; i++) c[i] += task->c[i];
		for (size_t i = 0; i < pairs_of(m, task->bone); i++) {
			for (size_t k = 0; k < 10; k++) s[i][k] += task->s[i][k];
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
	m->lanes = ossai_arena_new(&m->arena, m->bone_count, 12 * sizeof *m->lanes);
	m->target = surface->pose_square;
	m->target_sum = surface->pose_sum;
	if (!m->c || !m->lanes) return ossa_context_error(context)->status;
	ossai_arena temporary = ossai_arena_begin(context);
	moments_job job = {.surface = surface, .weights = weights, .m = m};
	ossa_status status = list_vertices(&temporary, &job);
	if (status == OSSA_OK) status = list_tasks(&temporary, &job);
	if (status == OSSA_OK) {
		ossai_parallel_for(context, job.task_count, 1, sum_ranges, &job);
		add_ranges(&job);
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

/* tr(X_j S_jl X_l^T) */
OSSAI_INLINE ossai_lanes pair_term(const ossai_moments *m, size_t pair, const ossai_lanes a[12], const ossai_lanes b[12])
{
	ossai_lanes sum = {0};
	double s[4][4];
	ossai_moments_matrix(m, m->pairs[pair][0], m->pairs[pair][1], s);
	for (int i = 0; i < 48; i++) sum += a[i / 16 * 4 + i / 4 % 4] * s[i / 4 % 4][i % 4] * b[i / 16 * 4 + i % 4];
	return sum;
}

/* what the targets of a bone take off the error */
OSSAI_INLINE void take_targets(const ossai_moments *m, const ossai_lanes a[12], size_t bone, size_t k, ossai_lanes *error)
{
	for (size_t l = 0; l < OSSAI_LANES && k + l < m->pose_count; l++) {
		double c[12];
		ossai_moments_target(m, bone, k + l, c);
		for (int i = 0; i < 12; i++) (*error)[l] -= 2 * a[i % 3 * 4 + i / 3][l] * c[i];
	}
}

/* of the poses from `k` on, in which the bones' motions are x (B x 12) */
OSSAI_CLONES static void pose_errors(const ossai_moments *m, const ossai_lanes *x, size_t k, ossai_lanes *error)
{
	for (size_t l = 0; l < OSSAI_LANES; l++) (*error)[l] = k + l < m->pose_count ? m->target[k + l] : 0;
	for (size_t n = 0; n < m->pair_count; n++) {
		const ossai_lanes term = pair_term(m, n, x + 12 * m->pairs[n][0], x + 12 * m->pairs[n][1]);
		*error += (m->pairs[n][0] == m->pairs[n][1] ? 1.0 : 2.0) * term;
	}
	for (size_t j = 0; j < m->bone_count; j++) take_targets(m, x + 12 * j, j, k, error);
}

double ossai_moments_error(const ossai_moments *m, const ossai_bone_motion *motion)
{
	double sum = 0;
	for (size_t k = 0; k < m->pose_count; k += OSSAI_LANES) {
		ossai_lanes error;
		ossai_lane_motion_load(motion, k, m->lanes);
		pose_errors(m, m->lanes, k, &error);
		for (size_t l = 0; l < OSSAI_LANES && k + l < m->pose_count; l++) sum += error[l] > 0 ? error[l] : 0;
	}
	return sum;
}
