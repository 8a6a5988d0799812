/* motion/core_motion.c: see core_motion.h. */
#include "motion/core_motion.h"

#include "base/order.h"
#include "math/rigid_fit.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES_MAX = 32, SUMS = 12, VERTEX_GRAIN = 256 };

/* of a uniform surface: the relative weight of a vertex without area */
static const double least_area = 1e-3;

typedef struct core_job {
	const ossai_posed_surface *surface;
	const uint32_t *part_of_vertex;
	ossai_bone_motion *motion;
	uint32_t *sample_first; /* parts + 1 */
	uint32_t *sample;       /* sampled vertices, by part */
	double *core;           /* parts: s^2 */
	double *trust;
	size_t grain;    /* parts in a range */
	double *scratch; /* a range: K x SUMS, then three numbers for each sampled vertex */
	size_t scratch_size;
} core_job;

/* ---- which vertices ---- */

/* sampled evenly from the vertices of each part, by index */
static ossa_status choose_samples(ossai_arena *arena, core_job *job)
{
	const size_t parts = job->motion->bone_count, vertices = job->surface->vertex_count;
	uint32_t *count = ossai_arena_zero(arena, parts, sizeof *count), *passed = ossai_arena_zero(arena, parts, sizeof *passed);
	uint32_t *filled = ossai_arena_zero(arena, parts, sizeof *filled);
	job->sample_first = ossai_arena_zero(arena, parts + 1, sizeof *job->sample_first);
	if (!count || !passed || !filled || !job->sample_first) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < vertices; v++) {
		if (job->part_of_vertex[v] != OSSA_NONE) count[job->part_of_vertex[v]]++;
	}
	for (size_t b = 0; b < parts; b++) {
		const uint32_t wanted = count[b] < OSSAI_CORE_VERTICES ? count[b] : OSSAI_CORE_VERTICES;
		job->sample_first[b + 1] = job->sample_first[b] + wanted;
	}
	job->sample = ossai_arena_new(arena, job->sample_first[parts], sizeof *job->sample);
	if (!job->sample) return ossa_context_error(arena->context)->status;
	for (uint32_t v = 0; v < vertices; v++) {
		const uint32_t b = job->part_of_vertex[v];
		if (b == OSSA_NONE) continue;
		const uint64_t wanted = job->sample_first[b + 1] - job->sample_first[b];
		if (passed[b]++ * wanted / count[b] < filled[b]) continue;
		job->sample[job->sample_first[b] + filled[b]++] = v;
	}
	return OSSA_OK;
}

/* ---- one part ---- */

static ossai_vec3 weighted_center(const core_job *job, size_t b, const double *weight)
{
	ossai_vec3 sum = {0, 0, 0};
	double all = 0;
	for (uint32_t i = job->sample_first[b]; i < job->sample_first[b + 1]; i++) {
		const double w = weight[i - job->sample_first[b]];
		sum = ossai_madd(sum, w, ossai_rest_point(job->surface, job->sample[i]));
		all += w;
	}
	return ossai_scale(sum, 1 / all);
}

/* for each pose sum w p q^T and sum w q, p about the center */
static void sum_poses(const core_job *job, size_t b, const double *weight, ossai_vec3 center, double *sums)
{
	const size_t poses = job->surface->pose_count;
	memset(sums, 0, poses * SUMS * sizeof *sums);
	for (uint32_t i = job->sample_first[b]; i < job->sample_first[b + 1]; i++) {
		const double w = weight[i - job->sample_first[b]], *q = job->surface->poses + 3 * poses * job->sample[i];
		const ossai_vec3 p = ossai_scale(ossai_sub(ossai_rest_point(job->surface, job->sample[i]), center), w);
		for (size_t k = 0; k < poses; k++, q += 3) {
			double *sum = sums + SUMS * k;
			for (int c = 0; c < 3; c++) {
				sum[c] += p.x * q[c];
				sum[3 + c] += p.y * q[c];
				sum[6 + c] += p.z * q[c];
				sum[9 + c] += w * q[c];
			}
		}
	}
}

static void fit_part(const core_job *job, size_t b, const double *weight, double *sums)
{
	const size_t poses = job->surface->pose_count, count = job->sample_first[b + 1] - job->sample_first[b];
	double all = 0;
	for (size_t i = 0; i < count; i++) all += weight[i];
	const ossai_vec3 center = weighted_center(job, b, weight);
	sum_poses(job, b, weight, center, sums);
	for (size_t k = 0; k < poses; k++) {
		ossai_rigid *x = &job->motion->rigid[b * poses + k];
		x->r = ossai_quat_matrix(ossai_rigid_rotation(sums + SUMS * k));
		x->t = ossai_sub(ossai_scale(ossai_v3_of(sums + SUMS * k + 9), 1 / all), ossai_mat3_mul_v(&x->r, center));
	}
}

/* mean over the poses of the squared distance of a vertex from its position under the part's
   motion */
static double mean_error(const core_job *job, size_t b, uint32_t v)
{
	const size_t poses = job->surface->pose_count;
	const ossai_vec3 p = ossai_rest_point(job->surface, v);
	double sum = 0;
	for (size_t k = 0; k < poses; k++) {
		const ossai_vec3 image = ossai_rigid_point(&job->motion->rigid[b * poses + k], p);
		sum += ossai_length2(ossai_sub(image, ossai_pose_point(job->surface, v, k)));
	}
	return sum / (double)poses;
}

static void find_core(const core_job *job, size_t b, double *scratch)
{
	const size_t count = job->sample_first[b + 1] - job->sample_first[b];
	const double mean_area = job->surface->area / (double)(job->surface->used_count + 1);
	double *weight = scratch + SUMS * job->surface->pose_count, *error = weight + count, *sorted = error + count;
	const uint32_t *sample = job->sample + job->sample_first[b];
	for (size_t i = 0; i < count; i++) {
		weight[i] = fmax(job->surface->vertex_area[sample[i]], least_area * mean_area) + 1e-300;
	}
	fit_part(job, b, weight, scratch);
	for (int round = 0; round < OSSAI_CORE_ROUNDS; round++) {
		for (size_t i = 0; i < count; i++) sorted[i] = error[i] = mean_error(job, b, sample[i]);
		qsort(sorted, count, sizeof *sorted, ossai_compare_doubles);
		job->core[b] = fmax(sorted[count / 8], OSSAI_CORE_NOISE * OSSAI_CORE_NOISE);
		for (size_t i = 0; i < count; i++) {
			const double area = fmax(job->surface->vertex_area[sample[i]], least_area * mean_area) + 1e-300;
			weight[i] = area * job->core[b] / (job->core[b] + error[i]);
		}
		fit_part(job, b, weight, scratch);
	}
}

static void fit_parts(void *arg, size_t begin, size_t end)
{
	const core_job *job = arg;
	const size_t poses = job->surface->pose_count;
	for (size_t b = begin; b < end; b++) {
		job->core[b] = OSSAI_CORE_NOISE * OSSAI_CORE_NOISE;
		for (size_t k = 0; k < poses; k++) {
			job->motion->rigid[b * poses + k] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
		}
		if (job->sample_first[b + 1] > job->sample_first[b]) {
			find_core(job, b, job->scratch + begin / job->grain * job->scratch_size);
		}
	}
}

/* ---- all vertices ---- */

static void trust_vertices(void *arg, size_t begin, size_t end)
{
	const core_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		const uint32_t b = job->part_of_vertex[v];
		job->trust[v] = b == OSSA_NONE ? 0 : job->core[b] / (job->core[b] + mean_error(job, b, (uint32_t)v));
	}
}

ossa_status ossai_core_motion_fit(ossa_context *context, const ossai_posed_surface *surface, const uint32_t *part_of_vertex,
	ossai_bone_motion *motion, double *trust)
{
	ossai_arena arena = ossai_arena_begin(context);
	core_job job = {.surface = surface, .part_of_vertex = part_of_vertex, .motion = motion, .trust = trust};
	job.grain = motion->bone_count / RANGES_MAX + 1;
	job.scratch_size = SUMS * surface->pose_count + 3 * OSSAI_CORE_VERTICES;
	job.scratch = ossai_arena_new(&arena, RANGES_MAX, job.scratch_size * sizeof *job.scratch);
	job.core = ossai_arena_new(&arena, motion->bone_count, sizeof *job.core);
	ossa_status status = choose_samples(&arena, &job);
	if (!job.scratch || !job.core) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_progress(context, 0);
	if (status == OSSA_OK) ossai_parallel_for(context, motion->bone_count, job.grain, fit_parts, &job);
	if (status == OSSA_OK) status = ossai_progress(context, 0);
	if (status == OSSA_OK && trust) ossai_parallel_for(context, surface->vertex_count, VERTEX_GRAIN, trust_vertices, &job);
	ossai_arena_end(&arena);
	return status;
}
