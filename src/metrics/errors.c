/* metrics/errors.c: where the errors of a rig are: of each frame, of the skin of each bone, of each
   vertex.

   Place in the path: after the rig.
   Input: a rig, frames one at a time.
   Output: an RMS and the worst vertex for each frame, one RMS for each bone.
   What no skeleton reproduces, cloth and hair, is local; an error over all of the shape hides it.
   Sums are made per range of vertices and added in the order of the ranges, in double: the same
   for any number of threads. */
#include "metrics/errors.h"
#include "rig/clip_morphs.h"
#include "rig/pose.h"
#include "rig/shapes.h"
#include "mesh/bounds.h"
#include "metrics/metrics.h"
#include "scene/frame_stream.h"

#include <math.h>

enum { VERTICES_PER_RANGE = 2048 };

/* What one range of vertices adds to a frame. */
typedef struct range_sums {
	double square, largest2; /* sum of |e|^2, and the largest */
	size_t worst;
} range_sums;

typedef struct measuring {
	const ossa_rig *rig;
	const ossa_weights *weights;
	const ossa_clip *clip;
	ossa_frame_stream *frames;
	size_t used_count;  /* vertices that a face uses */
	double diagonal;    /* of the rest */
	uint8_t *used;      /* V */
	float *target;      /* V x 3, of the current frame */
	const float *rest;  /* V x 3, with the shapes of the current frame */
	float *shaped;      /* what they are kept in; NULL: the rig has no shapes */
	double *matrices;   /* skinning, of the current frame */
	double *square;     /* V: sums over the frames of |e|^2 */
	range_sums *ranges; /* of the current frame */
} measuring;

static void add_range(void *arg, size_t begin, size_t end)
{
	const measuring *m = arg;
	range_sums sums = {.largest2 = -1, .worst = begin};
	for (size_t v = begin; v < end; v++) {
		if (!m->used[v]) continue;
		const ossai_vec3 p = ossai_skin_vertex(m->rest + 3 * v, m->weights, v, m->matrices);
		const double error2 = ossai_length2(ossai_sub(p, ossai_v3_of_float(m->target + 3 * v)));
		m->square[v] += error2;
		sums.square += error2;
		if (!(error2 > sums.largest2)) continue;
		sums.largest2 = error2;
		sums.worst = v;
	}
	m->ranges[begin / VERTICES_PER_RANGE] = sums;
}

static ossa_status measure_frame(ossa_context *context, measuring *m, size_t frame, ossa_frame_error *error)
{
	const size_t vertices = m->rig->mesh->vertex_count;
	OSSAI_TRY(ossa_frame_stream_read(context, m->frames, frame, m->target));
	ossai_skin_matrices(m->rig, m->clip, frame, m->matrices);
	if (m->shaped) ossai_shapes_apply(m->rig, m->clip, frame, m->shaped);
	ossai_parallel_for(context, vertices, VERTICES_PER_RANGE, add_range, m);
	range_sums sums = {.largest2 = -1};
	for (size_t r = 0; r * VERTICES_PER_RANGE < vertices; r++) {
		sums.square += m->ranges[r].square;
		if (!(m->ranges[r].largest2 > sums.largest2)) continue;
		sums.largest2 = m->ranges[r].largest2;
		sums.worst = m->ranges[r].worst;
	}
	const double unit = m->diagonal > 0 ? 100 / m->diagonal : NAN;
	*error = (ossa_frame_error){NAN, NAN, -1};
	if (m->used_count == 0) return OSSA_OK;
	*error = (ossa_frame_error){
		unit * sqrt(sums.square / (double)m->used_count), unit * sqrt(sums.largest2), (int64_t)sums.worst};
	return OSSA_OK;
}

/* sums of vertices to those of the bones that they follow most; weights are sorted from the
   largest */
ossa_status ossai_bone_errors(ossai_arena *arena, const ossa_rig *rig, const ossa_weights *weights, const uint8_t *used,
	const double *square, double unit, double *bone_rms)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t *count = ossai_arena_zero(arena, bones, sizeof *count);
	if (!count) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) bone_rms[b] = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		if (!used[v]) continue;
		const size_t bone = weights->bones[v * (size_t)weights->influences];
		bone_rms[bone] += square[v];
		count[bone]++;
	}
	for (size_t b = 0; b < bones; b++) bone_rms[b] = count[b] ? ossai_rms_percent(unit * bone_rms[b], (double)count[b]) : NAN;
	return OSSA_OK;
}

static ossa_status check_frames(ossa_context *context, const measuring *m)
{
	OSSAI_TRY(ossai_rig_check_fit(context, m->rig, m->weights, m->clip));
	OSSAI_TRY(ossai_rig_check_faces(context, m->rig));
	const size_t vertices = m->rig->mesh->vertex_count, frames = ossa_frame_stream_frame_count(m->frames);
	const size_t wanted = ossa_frame_stream_vertex_count(m->frames);
	if (m->clip && frames > 0 && frames == m->clip->frame_count && wanted == vertices) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"there are %zu frames of %zu vertices, but the rig's motion has %zu of %zu", frames, wanted,
		m->clip ? m->clip->frame_count : 0, vertices);
}

static ossa_status prepare(ossa_context *context, ossai_arena *arena, measuring *m)
{
	const ossa_mesh *mesh = m->rig->mesh;
	m->matrices = ossai_arena_new(arena, m->rig->skeleton.bone_count, 12 * sizeof *m->matrices);
	m->square = m->matrices ? ossai_arena_zero(arena, mesh->vertex_count, sizeof *m->square) : NULL;
	m->target = m->square ? ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *m->target) : NULL;
	m->used = m->target ? ossai_arena_zero(arena, mesh->vertex_count, 1) : NULL;
	m->ranges = m->used ? ossai_arena_new(arena, mesh->vertex_count / VERTICES_PER_RANGE + 1, sizeof *m->ranges) : NULL;
	if (!m->ranges) return ossa_context_error(context)->status;
	m->rest = mesh->positions;
	if (ossai_shapes_move(m->rig, m->weights, m->clip)) {
		m->rest = m->shaped = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *m->shaped);
		if (!m->shaped) return ossa_context_error(context)->status;
	}
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) m->used[mesh->triangles[i]] = 1;
	for (size_t v = 0; v < mesh->vertex_count; v++) m->used_count += m->used[v];
	m->diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	return OSSA_OK;
}

static ossa_status measure(
	ossa_context *context, ossai_arena *arena, measuring *m, ossa_frame_error *frame_errors, double *bone_rms)
{
	OSSAI_TRY(check_frames(context, m));
	OSSAI_TRY(prepare(context, arena, m));
	const size_t frames = ossa_frame_stream_frame_count(m->frames);
	for (size_t f = 0; f < frames; f++) {
		ossa_frame_error error;
		OSSAI_TRY(measure_frame(context, m, f, &error));
		if (frame_errors) frame_errors[f] = error;
		OSSAI_TRY(ossai_progress(context, (double)(f + 1) / (double)frames));
	}
	const double unit = m->diagonal > 0 ? 1 / (m->diagonal * m->diagonal * (double)frames) : NAN;
	return bone_rms ? ossai_bone_errors(arena, m->rig, m->weights, m->used, m->square, unit, bone_rms) : OSSA_OK;
}

ossa_status ossai_rig_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	ossa_frame_stream *frames, ossa_frame_error *frame_errors, double *bone_rms)
{
	ossai_arena arena = ossai_arena_begin(context);
	measuring m = {.rig = rig, .weights = weights ? weights : &rig->weights, .clip = clip ? clip : rig->clip, .frames = frames};
	ossa_clip bare;
	m.clip = ossai_clip_for_frames(m.clip, frames && frames->morphs_at_rest, &bare);
	ossai_stage_begin(context, "measure");
	const ossa_status status = measure(context, &arena, &m, frame_errors, bone_rms);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossa_rig_frame_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, ossa_frame_stream *frames, ossa_frame_error *errors)
{
	OSSAI_NEED(context, rig, frames, errors);
	return ossai_rig_errors(context, rig, weights, clip, frames, errors, NULL);
}

ossa_status ossa_rig_bone_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	const ossa_frames *frames, double *rms_percent)
{
	OSSAI_NEED(context, rig, frames, rms_percent);
	ossa_frame_stream *stream = NULL;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossai_rig_errors(context, rig, weights, clip, stream, NULL, rms_percent);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* ---- one frame, by vertex ---- */

typedef struct vertex_job {
	const measuring *m;
	const float *target;
	float *percent;
} vertex_job;

static void vertex_range(void *arg, size_t begin, size_t end)
{
	const vertex_job *job = arg;
	const measuring *m = job->m;
	const double unit = m->diagonal > 0 ? 100 / m->diagonal : 0;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_skin_vertex(m->rest + 3 * v, m->weights, v, m->matrices);
		job->percent[v] = (float)(unit * sqrt(ossai_length2(ossai_sub(p, ossai_v3_of_float(job->target + 3 * v)))));
	}
}

ossa_status ossa_rig_vertex_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, size_t frame, const float *target, float *percent)
{
	OSSAI_NEED(context, rig, target, percent);
	const ossa_mesh *mesh = rig->mesh;
	measuring m = {.rig = rig, .weights = weights ? weights : &rig->weights, .clip = clip ? clip : rig->clip};
	OSSAI_TRY(ossai_rig_check_fit(context, rig, m.weights, m.clip));
	if (!m.clip || frame >= m.clip->frame_count) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "frame %zu is not there: the rig's motion has %zu", frame,
			m.clip ? m.clip->frame_count : 0);
	}
	ossai_arena arena = ossai_arena_begin(context);
	m.matrices = ossai_arena_new(&arena, rig->skeleton.bone_count, 12 * sizeof *m.matrices);
	m.rest = m.matrices ? ossai_shapes_rest(&arena, rig, m.weights, m.clip, frame) : NULL;
	if (m.rest) {
		ossai_skin_matrices(rig, m.clip, frame, m.matrices);
		m.diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
		vertex_job job = {&m, target, percent};
		ossai_parallel_for(context, mesh->vertex_count, VERTICES_PER_RANGE, vertex_range, &job);
	}
	ossai_arena_end(&arena);
	return m.rest ? OSSA_OK : ossa_context_error(context)->status;
}
