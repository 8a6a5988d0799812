/* methods/error_curve.c: see ossa/error_curve.h.

   Place in the path: clusters, weights -> here -> report.
   Input: a rest mesh and poses.
   Output: the errors of the published procedure at every number of bones.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007, Figure 5. The merges
   are the same for every number, so the faces are clustered once. */
#include "methods/moving.h"
#include "metrics/metrics.h"
#include "parts/lloyd.h"

#include <ossa/error_curve.h>

enum { BONES_MOST = 500, VERTEX_GRAIN = 512, FACE_GRAIN = 1024 };

typedef struct curve_work {
	ossai_moving_work moving;
	size_t most;
	/* by number of clusters less 1, up to `most`: summed over them; unit: diagonal^2 x area */
	double *parts_error;
	ossa_error_curve *curve;
} curve_work;

/* ---- rigid parts ---- */

/* The error of a level is the sum over its clusters: a merge adds what the union has more than its
   parts had. */
static ossa_status add_up_parts(curve_work *c)
{
	const ossai_merge_hierarchy *h = &c->moving.merges;
	double *error = ossai_arena_zero(c->moving.arena, h->face_count, sizeof *error), total = 0;
	c->parts_error = ossai_arena_zero(c->moving.arena, c->most, sizeof *c->parts_error);
	if (!error || !c->parts_error) return ossa_context_error(c->moving.context)->status;
	for (size_t i = 0; i < h->count; i++) {
		const ossa_merge *merge = &h->merges[i];
		const size_t clusters = h->face_count - i - 1;
		total += merge->error - error[merge->kept] - error[merge->gone];
		error[merge->kept] = merge->error;
		if (clusters <= c->most) c->parts_error[clusters - 1] = total;
	}
	return OSSA_OK;
}

/* ---- normals ---- */

typedef struct normal_job {
	const ossai_posed_surface *surface;
	const ossai_fit *fit;
	size_t pose;
	ossai_vec3 *point; /* V: skinned */
	double *sums;      /* by range of faces */
} normal_job;

static void skin_range(void *arg, size_t begin, size_t end)
{
	const normal_job *job = arg;
	const ossai_bone_weights *w = &job->fit->weights;
	const ossai_bone_motion *motion = &job->fit->motion;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 rest = ossai_rest_point(job->surface, v);
		ossai_vec3 sum = {0, 0, 0};
		for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
			const ossai_rigid *x = &motion->rigid[w->bone[i] * motion->pose_count + job->pose];
			sum = ossai_madd(sum, w->value[i], ossai_rigid_point(x, rest));
		}
		job->point[v] = sum;
	}
}

static ossai_vec3 unit_normal(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c)
{
	return ossai_unit(ossai_cross(ossai_sub(b, a), ossai_sub(c, a)), ossai_v3(0, 0, 0));
}

static void normal_range(void *arg, size_t begin, size_t end)
{
	const normal_job *job = arg;
	const ossai_posed_surface *s = job->surface;
	double sum = 0;
	for (size_t f = begin; f < end; f++) {
		const uint32_t *t = s->triangles + 3 * f;
		const ossai_vec3 ours = unit_normal(job->point[t[0]], job->point[t[1]], job->point[t[2]]);
		const ossai_vec3 wanted = unit_normal(
			ossai_pose_point(s, t[0], job->pose), ossai_pose_point(s, t[1], job->pose), ossai_pose_point(s, t[2], job->pose));
		sum += ossai_length2(ossai_sub(ours, wanted));
	}
	job->sums[begin / FACE_GRAIN] = sum;
}

static ossa_status measure_normals(ossai_moving_work *m, double *rms)
{
	const ossai_posed_surface *s = &m->surface;
	normal_job job = {s, &m->fit, 0, ossai_arena_new(m->arena, s->vertex_count, sizeof *job.point),
		ossai_arena_new(m->arena, s->face_count / FACE_GRAIN + 1, sizeof *job.sums)};
	if (!job.point || !job.sums) return ossa_context_error(m->context)->status;
	double sum = 0;
	for (; job.pose < s->pose_count; job.pose++) {
		ossai_parallel_for(m->context, s->vertex_count, VERTEX_GRAIN, skin_range, &job);
		ossai_parallel_for(m->context, s->face_count, FACE_GRAIN, normal_range, &job);
		for (size_t f = 0; f < s->face_count; f += FACE_GRAIN) sum += job.sums[f / FACE_GRAIN];
	}
	*rms = sqrt(sum / ((double)s->face_count * (double)s->pose_count));
	return OSSA_OK;
}

/* ---- levels ---- */

static ossa_status cut(ossai_moving_work *m, size_t clusters)
{
	const size_t faces = m->surface.face_count;
	uint32_t *scratch = ossai_arena_new(m->arena, faces, sizeof *scratch);
	m->part_of_face = ossai_arena_new(m->arena, faces, sizeof *m->part_of_face);
	if (!scratch || !m->part_of_face) return ossa_context_error(m->context)->status;
	const size_t level = ossai_merge_hierarchy_level(&m->merges, &m->surface, clusters, 0);
	m->part_count = ossai_merge_hierarchy_cut(&m->merges, level, scratch, m->part_of_face);
	return ossai_lloyd(m->context, &m->surface, m->part_count, m->options.lloyd, m->part_of_face);
}

static ossa_status measure_level(curve_work *c, ossai_moving_work *m, size_t clusters)
{
	ossa_error_level *level = &c->curve->levels[c->curve->level_count++];
	double error;
	OSSAI_TRY(cut(m, clusters));
	OSSAI_TRY(ossai_moving_published_weights(m));
	OSSAI_TRY(ossai_fit_error(&m->fit, &error));
	const double poses = (double)m->surface.pose_count, whole = m->surface.area * poses;
	*level = (ossa_error_level){.bones = clusters,
		.rms_percent = ossai_rms_percent(error, (double)m->surface.used_count * poses),
		.parts_rms_percent = whole > 0 ? ossai_rms_percent(fmax(c->parts_error[clusters - 1], 0), whole) : 0};
	return measure_normals(m, &level->face_normal_rms);
}

/* an arena for each level: what a level needs is large */
static ossa_status measure_levels(curve_work *c)
{
	const ossai_moving_work *m = &c->moving;
	const size_t least = m->surface.face_count - m->merges.count;
	ossa_status status = OSSA_OK;
	for (size_t clusters = least; status == OSSA_OK && clusters <= c->most; clusters++) {
		ossai_arena arena = ossai_arena_begin(m->context);
		ossai_moving_work level = *m;
		level.arena = &arena;
		status = measure_level(c, &level, clusters);
		ossai_arena_end(&arena);
		if (status == OSSA_OK)
			status = ossai_progress(m->context, (double)(clusters - least + 1) / (double)(c->most - least + 1));
	}
	return status;
}

static ossa_status begin_curve(curve_work *c)
{
	const ossai_moving_work *m = &c->moving;
	if (c->most > m->surface.face_count) c->most = m->surface.face_count;
	c->curve->pose_count = m->surface.pose_count;
	c->curve->levels = ossai_new(m->context, c->most > 0 ? c->most : 1, sizeof *c->curve->levels);
	return c->curve->levels ? OSSA_OK : ossa_context_error(m->context)->status;
}

/* ---- the stages ---- */

static ossa_status cluster(ossai_moving_work *m)
{
	return ossai_face_clusters_make(m->context, m->arena, &m->surface, &m->merges);
}

static ossa_status run(curve_work *c)
{
	ossai_moving_work *m = &c->moving;
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_prepare(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "parts", cluster(m)));
	OSSAI_TRY(begin_curve(c));
	OSSAI_TRY(add_up_parts(c));
	return OSSAI_STAGE(m->context, "error curve", measure_levels(c));
}

static const ossai_plan_step plan[] = {{"prepare", 5}, {"parts", 20}, {"error curve", 75}, {NULL, 0}};

static ossa_status make(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *own, size_t most, ossa_error_curve *curve)
{
	ossai_pipeline pipeline;
	curve_work work = {.most = most,
		.curve = curve,
		.moving = {.context = context,
			.arena = &pipeline.arena,
			.method = "examples",
			.mesh = mesh,
			.poses = poses,
			.options = {
				.lloyd = own->lloyd, .influences = own->influences, .link_pieces = own->link_pieces, .local = own->local}}};
	ossai_pipeline_begin(context, plan, &pipeline);
	return ossai_pipeline_end(&pipeline, run(&work), NULL);
}

ossa_status ossa_error_curve_make(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, size_t most, ossa_error_curve **curve)
{
	if (curve) *curve = NULL;
	OSSAI_NEED(context, mesh, poses, curve);
	const ossa_examples_options own = options ? *options : ossa_examples_default();
	OSSAI_TRY(ossa_options_check(context, ossa_examples_option_table(), &own));
	if (most < 1 || most > BONES_MOST) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "a curve of %zu numbers of bones: it can have 1 to %d", most, (int)BONES_MOST);
	}
	ossa_error_curve *made = ossai_new(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	*made = (ossa_error_curve){0};
	const ossa_status status = make(context, mesh, poses, &own, most, made);
	if (status == OSSA_OK) *curve = made;
	else ossa_error_curve_free(context, made);
	return status;
}

void ossa_error_curve_free(ossa_context *context, ossa_error_curve *curve)
{
	if (!curve) return;
	ossa_free(context, curve->levels);
	ossa_free(context, curve);
}
