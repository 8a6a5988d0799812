/* methods/shape_solve.c: the displacements of one corrective shape.

   Place in the path: stage of shapes.c.
   Input: a ramp, the error that is left.
   Output: the vertices that are worth it and their displacements at rest.
   For each vertex the minimum of sum_k |e_k - w_k M_k d|^2: 3 x 3 normal equations, summed block by
   block of frames so that any block can be left out. */
#include "math/cholesky.h"
#include "methods/shape_fit.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 256 };

/* the normal equations of one vertex over some frames */
typedef struct normal_sums {
	double a[9], b[3];
} normal_sums;

static void add_frame(const ossai_mat3 *blend, double weight, ossai_vec3 e, normal_sums *to)
{
	const ossai_vec3 b = ossai_mat3_tmul_v(blend, e);
	const double back[3] = {b.x, b.y, b.z};
	for (int i = 0; i < 3; i++) {
		to->b[i] += weight * back[i];
		for (int j = 0; j < 3; j++) {
			double dot = 0;
			for (int r = 0; r < 3; r++) dot += blend->m[r][i] * blend->m[r][j];
			to->a[3 * i + j] += weight * weight * dot;
		}
	}
}

static void add_vertex(const ossai_shape_work *w, const double *weight, size_t vertex, normal_sums *blocks)
{
	memset(blocks, 0, w->blocks * sizeof *blocks);
	for (size_t k = 0; k < w->frames; k++) {
		if (weight[k] == 0) continue;
		const ossai_mat3 blend = ossai_shape_blend(w, vertex, k);
		const ossai_vec3 e = ossai_v3_of_float(w->error + 3 * (vertex * w->frames + k));
		add_frame(&blend, weight[k], e, &blocks[w->block[k]]);
	}
}

/* all blocks but one (`blocks`: of all); zero where they do not determine it */
static ossai_vec3 solve(const normal_sums *sums, size_t blocks, size_t without)
{
	normal_sums all = {{0}, {0}};
	for (size_t b = 0; b < blocks; b++) {
		if (b == without) continue;
		for (int i = 0; i < 9; i++) all.a[i] += sums[b].a[i];
		for (int i = 0; i < 3; i++) all.b[i] += sums[b].b[i];
	}
	if (!ossai_cholesky_solve(3, all.a, all.b)) return ossai_v3(0, 0, 0);
	return ossai_v3_of(all.b);
}

/* by how much d lowers the squared error of a block */
static double gain_of(const normal_sums *sums, ossai_vec3 d)
{
	const double x[3] = {d.x, d.y, d.z};
	double gain = 0;
	for (int i = 0; i < 3; i++) {
		gain += 2 * x[i] * sums->b[i];
		for (int j = 0; j < 3; j++) gain -= x[i] * sums->a[3 * i + j] * x[j];
	}
	return gain;
}

typedef struct shape_job {
	ossai_shape_work *work;
	const double *weight;
	const uint32_t *vertex;
	ossai_vec3 *delta;
	double *gain; /* of left out frames; NULL: not wanted */
} shape_job;

static void solve_range(void *arg, size_t begin, size_t end)
{
	const shape_job *job = arg;
	const size_t blocks = job->work->blocks;
	normal_sums sums[OSSAI_SHAPE_BLOCKS];
	for (size_t i = begin; i < end; i++) {
		add_vertex(job->work, job->weight, job->vertex[i], sums);
		job->delta[i] = solve(sums, blocks, blocks);
		if (!job->gain) continue;
		job->gain[i] = 0;
		for (size_t b = 0; b < blocks; b++) job->gain[i] += gain_of(&sums[b], solve(sums, blocks, b));
	}
}

/* moves what is worth it to the front; returns the sum of its gains */
static double keep_worthy(const ossai_shape_work *w, const double *gain, ossai_shape *shape)
{
	size_t kept = 0;
	double sum = 0;
	for (size_t i = 0; i < shape->count; i++) {
		const uint32_t v = shape->vertex[i];
		if (!(gain[i] > w->least[v])) continue;
		shape->vertex[kept] = v;
		shape->delta[kept++] = shape->delta[i];
		sum += gain[i];
	}
	shape->count = kept;
	return sum;
}

ossa_status ossai_shape_try(ossai_shape_work *w, uint32_t bone, ossai_shape *shape, double *gain)
{
	const ossai_shape_joint *joint = &w->joint[bone];
	const size_t count = joint->vertex_count;
	*shape = (ossai_shape){.bone = bone,
		.driver = joint->ramp[joint->best],
		.weight = joint->weight + joint->best * w->frames,
		.count = count,
		.vertex = ossai_arena_new(w->arena, count, sizeof *shape->vertex)};
	shape->delta = ossai_arena_new(w->arena, count, sizeof *shape->delta);
	double *gains = ossai_arena_new(w->arena, count, sizeof *gains);
	if (!shape->vertex || !shape->delta || !gains) return ossa_context_error(w->context)->status;
	memcpy(shape->vertex, joint->vertex, count * sizeof *shape->vertex);
	shape_job job = {w, shape->weight, shape->vertex, shape->delta, gains};
	ossai_parallel_for(w->context, count, VERTICES_PER_RANGE, solve_range, &job);
	*gain = keep_worthy(w, gains, shape);
	return OSSA_OK;
}

typedef struct apply_job {
	ossai_shape_work *work;
	const ossai_shape *shape;
	double sign;
} apply_job;

static void apply_range(void *arg, size_t begin, size_t end)
{
	const apply_job *job = arg;
	const ossai_shape_work *w = job->work;
	for (size_t i = begin; i < end; i++) {
		const size_t v = job->shape->vertex[i];
		float *error = w->error + 3 * v * w->frames;
		w->square[v] = 0;
		for (size_t k = 0; k < w->frames; k++, error += 3) {
			ossai_vec3 e = ossai_v3_of_float(error);
			const double weight = job->sign * job->shape->weight[k];
			if (weight != 0) {
				const ossai_mat3 blend = ossai_shape_blend(w, v, k);
				e = ossai_madd(e, weight, ossai_mat3_mul_v(&blend, job->shape->delta[i]));
				error[0] = (float)e.x;
				error[1] = (float)e.y;
				error[2] = (float)e.z;
			}
			w->square[v] += ossai_length2(e);
		}
	}
}

void ossai_shape_apply(ossai_shape_work *w, const ossai_shape *shape, double sign)
{
	apply_job job = {w, shape, sign};
	ossai_parallel_for(w->context, shape->count, VERTICES_PER_RANGE, apply_range, &job);
	w->total = 0;
	for (size_t v = 0; v < w->vertices; v++) w->total += w->square[v];
}

void ossai_shape_refit(ossai_shape_work *w, ossai_shape *shape)
{
	ossai_shape_apply(w, shape, 1);
	shape_job job = {w, shape->weight, shape->vertex, shape->delta, NULL};
	ossai_parallel_for(w->context, shape->count, VERTICES_PER_RANGE, solve_range, &job);
	ossai_shape_apply(w, shape, -1);
}
