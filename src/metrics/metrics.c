/* metrics/metrics.c: the errors of a rig on the frames it was made from, and the state of its
   weights and joints.

   Place in the path: after the rig.
   Input: a rig, frames.
   Output: ossa_metrics, for command, report and studio alike.
   Vertices that no face uses are left out everywhere. Sums are made per range of vertices and
   added in the order of the ranges, in double: the same for any number of threads. */
#include "base/union_find.h"
#include "metrics/metrics.h"
#include "rig/clip_morphs.h"
#include "rig/pose.h"
#include "rig/shapes.h"
#include "mesh/adjacency.h"
#include "mesh/bounds.h"
#include "query/inside.h"
#include "mesh/normals.h"
#include "scene/frame_stream.h"
#include "weights/bone_weights.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 2048 };

static const double INFLUENCE_WEIGHT = 1e-6; /* more than this is an influence */

/* What one range of vertices adds in one frame. */
typedef struct range_sums {
	double error2, error, normal2; /* sums of |e|^2, |e| and the squared difference of normals */
	double largest2;               /* |e|^2 of the worst vertex */
	size_t worst;
} range_sums;

typedef struct measuring {
	ossa_context *context;
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const ossa_weights *weights;
	const ossa_clip *clip;
	ossa_frame_stream *frames; /* NULL: none */
	size_t frame_count;
	ossai_vertex_faces around;
	size_t used_count; /* vertices that a face uses */
	double *matrices;  /* skinning, of the current frame */
	const float *rest; /* V x 3, with the shapes of the current frame */
	float *shaped;     /* what they are kept in; NULL: the rig has no shapes */
	float *posed;      /* V x 3, of the current frame */
	float *target;     /* V x 3, the current frame */
	range_sums *ranges;
	ossai_vec3 *our_faces, *wanted_faces; /* F: normals of faces, posed and in the current frame */
} measuring;

static bool is_used(const measuring *m, size_t vertex) { return m->around.start[vertex + 1] > m->around.start[vertex]; }

static void error_range(void *arg, size_t begin, size_t end)
{
	const measuring *m = arg;
	range_sums sums = {.worst = begin};
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_skin_vertex(m->rest + 3 * v, m->weights, v, m->matrices);
		m->posed[3 * v] = (float)p.x;
		m->posed[3 * v + 1] = (float)p.y;
		m->posed[3 * v + 2] = (float)p.z;
		if (!is_used(m, v)) continue;
		const double error2 = ossai_length2(ossai_sub(p, ossai_v3_of_float(m->target + 3 * v)));
		sums.error2 += error2;
		sums.error += sqrt(error2);
		if (error2 > sums.largest2) {
			sums.largest2 = error2;
			sums.worst = v;
		}
	}
	m->ranges[begin / VERTICES_PER_RANGE] = sums;
}

static void normal_range(void *arg, size_t begin, size_t end)
{
	const measuring *m = arg;
	double sum = 0;
	for (size_t v = begin; v < end; v++) {
		if (!is_used(m, v)) continue;
		const ossai_vec3 ours = ossai_vertex_normal_of_faces(m->our_faces, &m->around, v);
		const ossai_vec3 wanted = ossai_vertex_normal_of_faces(m->wanted_faces, &m->around, v);
		sum += ossai_length2(ossai_sub(ours, wanted));
	}
	m->ranges[begin / VERTICES_PER_RANGE].normal2 = sum;
}

/* adds a frame's sums to `total`; its worst vertex and frame where it is worse than all before */
static ossa_status measure_frame(measuring *m, size_t frame, range_sums *total, ossa_metrics *metrics)
{
	const size_t vertex_count = m->mesh->vertex_count;
	ossai_skin_matrices(m->rig, m->clip, frame, m->matrices);
	if (m->shaped) ossai_shapes_apply(m->rig, m->clip, frame, m->shaped);
	OSSAI_TRY(ossa_frame_stream_read(m->context, m->frames, frame, m->target));
	ossai_parallel_for(m->context, vertex_count, VERTICES_PER_RANGE, error_range, m);
	ossai_face_normals(m->context, m->mesh->triangle_count, m->mesh->triangles, m->posed, m->our_faces);
	ossai_face_normals(m->context, m->mesh->triangle_count, m->mesh->triangles, m->target, m->wanted_faces);
	ossai_parallel_for(m->context, vertex_count, VERTICES_PER_RANGE, normal_range, m);
	for (size_t r = 0; r * VERTICES_PER_RANGE < vertex_count; r++) {
		const range_sums *sums = &m->ranges[r];
		total->error2 += sums->error2;
		total->error += sums->error;
		total->normal2 += sums->normal2;
		if (sums->largest2 > total->largest2 || metrics->max_frame < 0) {
			total->largest2 = sums->largest2;
			metrics->max_vertex = (int64_t)sums->worst;
			metrics->max_frame = (int64_t)frame;
		}
	}
	return OSSA_OK;
}

/* in percent of a length; NAN where there is no such length */
static double percent(double value, double length) { return length > 0 ? 100 * value / length : NAN; }

static ossa_status measure_motion(measuring *m, ossai_arena *arena, ossa_metrics *metrics)
{
	const size_t vertex_count = m->mesh->vertex_count;
	if (m->frame_count == 0 || m->used_count == 0) return OSSA_OK;
	m->matrices = ossai_arena_new(arena, m->rig->skeleton.bone_count, 12 * sizeof *m->matrices);
	if (m->matrices) m->posed = ossai_arena_new(arena, vertex_count, 3 * sizeof *m->posed);
	if (m->posed) m->target = ossai_arena_new(arena, vertex_count, 3 * sizeof *m->target);
	if (m->target) m->ranges = ossai_arena_zero(arena, vertex_count / VERTICES_PER_RANGE + 1, sizeof *m->ranges);
	if (m->ranges) m->our_faces = ossai_arena_new(arena, m->mesh->triangle_count, sizeof *m->our_faces);
	if (m->our_faces) m->wanted_faces = ossai_arena_new(arena, m->mesh->triangle_count, sizeof *m->wanted_faces);
	if (!m->wanted_faces) return ossa_context_error(m->context)->status;
	m->rest = m->mesh->positions;
	if (ossai_shapes_move(m->rig, m->weights, m->clip)) {
		m->rest = m->shaped = ossai_arena_new(arena, vertex_count, 3 * sizeof *m->shaped);
		if (!m->shaped) return ossa_context_error(m->context)->status;
	}
	range_sums total = {0};
	for (size_t f = 0; f < m->frame_count; f++) {
		OSSAI_TRY(measure_frame(m, f, &total, metrics));
		OSSAI_TRY(ossai_progress(m->context, (double)(f + 1) / (double)m->frame_count));
	}
	const double count = (double)m->used_count * (double)m->frame_count;
	const ossai_bounds bounds = ossai_bounds_make(vertex_count, m->mesh->positions);
	metrics->rms_percent = percent(sqrt(total.error2 / count), bounds.diagonal);
	metrics->max_percent = percent(sqrt(total.largest2), bounds.diagonal);
	metrics->accu_percent = percent(total.error / count, bounds.largest_side);
	metrics->normal_rms = sqrt(total.normal2 / count);
	return OSSA_OK;
}

static void measure_weights(const measuring *m, ossa_metrics *metrics)
{
	const size_t slots = (size_t)m->weights->influences;
	for (size_t v = 0; v < m->mesh->vertex_count; v++) {
		if (!is_used(m, v)) continue;
		double sum = 0;
		int influences = 0;
		for (size_t i = v * slots; i < (v + 1) * slots; i++) {
			sum += m->weights->values[i];
			influences += m->weights->values[i] > INFLUENCE_WEIGHT;
		}
		metrics->weight_sum_error = fmax(metrics->weight_sum_error, fabs(sum - 1));
		if (influences > metrics->max_influences) metrics->max_influences = influences;
	}
}

static bool in_support(const measuring *m, size_t slot) { return m->weights->values[slot] > OSSAI_SUPPORT_WEIGHT; }

/* joins the influences of two vertices by the same bones, which then have a patch less each */
static void join_influences(const measuring *m, uint32_t a, uint32_t b, uint32_t *parent, int64_t *patches)
{
	const size_t width = (size_t)m->weights->influences;
	for (size_t i = a * width; i < (a + 1) * width; i++) {
		if (!in_support(m, i)) continue;
		const uint16_t bone = m->weights->bones[i];
		for (size_t j = b * width; j < (b + 1) * width; j++) {
			if (m->weights->bones[j] != bone || !in_support(m, j)) continue;
			patches[bone] -= ossai_union_join(parent, (uint32_t)i, (uint32_t)j);
		}
	}
}

/* A patch is a set of influences that are joined over edges: linear in the faces, whatever the
   number of bones. */
static ossa_status measure_supports(const measuring *m, ossai_arena *arena, ossa_metrics *metrics)
{
	const size_t width = (size_t)m->weights->influences, slots = m->mesh->vertex_count * width;
	const size_t bone_count = m->rig->skeleton.bone_count;
	if (slots > UINT32_MAX) {
		return ossai_fail(m->context, OSSA_ERROR_LIMIT, NULL, "%zu influences are more than can be measured", slots);
	}
	uint32_t *parent = ossai_arena_new(arena, slots, sizeof *parent);
	int64_t *patches = parent ? ossai_arena_zero(arena, bone_count, sizeof *patches) : NULL;
	if (!patches) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < slots; i++) parent[i] = (uint32_t)i;
	for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
		if (!is_used(m, v)) continue;
		for (size_t i = v * width; i < (v + 1) * width; i++) patches[m->weights->bones[i]] += in_support(m, i);
		/* a bone may be named twice by a vertex */
		join_influences(m, v, v, parent, patches);
	}
	for (size_t f = 0; f < m->mesh->triangle_count; f++) {
		const uint32_t *t = m->mesh->triangles + 3 * f;
		for (int k = 0; k < 3; k++) join_influences(m, t[k], t[k == 2 ? 0 : k + 1], parent, patches);
	}
	for (size_t b = 0; b < bone_count; b++) metrics->disconnected_supports += patches[b] > 1;
	return OSSA_OK;
}

static ossa_status measure_joints(const measuring *m, ossai_arena *arena, ossa_metrics *metrics)
{
	const size_t bone_count = m->rig->skeleton.bone_count;
	if (bone_count == 0) return OSSA_OK;
	double *joints = ossai_arena_new(arena, bone_count, 3 * sizeof *joints);
	uint8_t *is_inside = joints ? ossai_arena_new(arena, bone_count, sizeof *is_inside) : NULL;
	if (!is_inside) return ossa_context_error(m->context)->status;
	for (size_t b = 0; b < bone_count; b++) memcpy(joints + 3 * b, m->rig->skeleton.bones[b].joint, 3 * sizeof *joints);
	const ossai_mesh_view mesh = ossai_view_of_mesh(m->mesh);
	OSSAI_TRY(ossai_find_inside(m->context, &mesh, bone_count, joints, is_inside));
	size_t inside = 0;
	for (size_t b = 0; b < bone_count; b++) inside += is_inside[b];
	metrics->joints_inside = (double)inside / (double)bone_count;
	return OSSA_OK;
}

/* all as it would be stored: a weight is its bone and a float, a joint its parent, place and
   orientation, a frame a quaternion per joint and the root's place, a shape its vertices and how
   they move */
double ossai_rig_compression(const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip, size_t frame_count)
{
	const double frames = (double)frame_count, bones = (double)rig->skeleton.bone_count;
	const size_t slots = rig->mesh->vertex_count * (size_t)weights->influences;
	size_t influences = 0;
	for (size_t i = 0; i < slots; i++) influences += weights->values[i] > 0;
	const double of_weights = (double)influences * (sizeof(uint16_t) + sizeof(float));
	const double of_joints = bones * (sizeof(uint16_t) + 7 * sizeof(float));
	double of_shapes = 0;
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		const ossa_morph *shape = &rig->mesh->morphs[m];
		if (shape->driver.bone[0]) of_shapes += (double)shape->count * (sizeof(uint32_t) + 3 * sizeof(float));
	}
	const double of_clip = frames * (bones * (clip->translations ? 7 : 4) + 3 + (double)clip->morph_count) * sizeof(float);
	return frames * (double)rig->mesh->vertex_count * 3 * sizeof(float) / (of_weights + of_joints + of_shapes + of_clip);
}

static ossa_status check_frames(const measuring *m)
{
	if (!m->frames) return OSSA_OK;
	if (!m->clip) {
		return ossai_fail(
			m->context, OSSA_ERROR_INPUT, NULL, "the rig has no motion to compare with %zu frames", m->frame_count);
	}
	const size_t vertices = ossa_frame_stream_vertex_count(m->frames);
	if (vertices != m->mesh->vertex_count) {
		return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL, "the frames have %zu vertices, the rig's mesh has %zu", vertices,
			m->mesh->vertex_count);
	}
	if (m->frame_count != m->clip->frame_count) {
		return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL, "there are %zu frames, but the rig's motion has %zu",
			m->frame_count, m->clip->frame_count);
	}
	return OSSA_OK;
}

static ossa_status measure(measuring *m, ossai_arena *arena, ossa_metrics *metrics)
{
	const ossa_mesh *mesh = m->mesh;
	if (mesh->vertex_count == 0) {
		return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL,
			"the rig is a skeleton alone: it has no vertices to measure; give a rig with its mesh");
	}
	OSSAI_TRY(ossai_rig_check_fit(m->context, m->rig, m->weights, m->clip));
	OSSAI_TRY(ossai_rig_check_faces(m->context, m->rig));
	OSSAI_TRY(check_frames(m));
	OSSAI_TRY(
		ossai_vertex_faces_make(m->context, arena, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &m->around));
	for (size_t v = 0; v < mesh->vertex_count; v++) m->used_count += is_used(m, v);
	OSSAI_TRY(measure_motion(m, arena, metrics));
	measure_weights(m, metrics);
	OSSAI_TRY(measure_supports(m, arena, metrics));
	OSSAI_TRY(measure_joints(m, arena, metrics));
	if (m->frame_count > 0) metrics->compression = ossai_rig_compression(m->rig, m->weights, m->clip, m->frame_count);
	return OSSA_OK;
}

ossa_metrics ossai_no_metrics(void)
{
	return (ossa_metrics){.rms_percent = NAN,
		.max_percent = NAN,
		.max_vertex = -1,
		.max_frame = -1,
		.normal_rms = NAN,
		.accu_percent = NAN,
		.joints_inside = NAN,
		.compression = NAN};
}

ossa_status ossai_rig_measure_stream(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, ossa_frame_stream *frames, ossa_metrics *metrics)
{
	*metrics = ossai_no_metrics();
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	measuring m = {.context = context,
		.rig = rig,
		.mesh = rig->mesh,
		.weights = weights ? weights : &rig->weights,
		.clip = clip ? clip : rig->clip,
		.frames = frames,
		.frame_count = frames ? ossa_frame_stream_frame_count(frames) : 0};
	ossa_clip bare;
	m.clip = ossai_clip_for_frames(m.clip, frames && frames->morphs_at_rest, &bare);
	ossai_stage_begin(context, "measure");
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = measure(&m, &arena, metrics);
	ossai_arena_end(&arena);
	ossai_stage_end(context);
	if (status != OSSA_OK) *metrics = ossai_no_metrics();
	return status;
}

ossa_status ossa_rig_measure(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	const ossa_frames *frames, ossa_metrics *metrics)
{
	ossa_frame_stream *stream = NULL;
	if (metrics) *metrics = ossai_no_metrics();
	OSSAI_NEED(context, rig, metrics);
	if (frames) OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossai_rig_measure_stream(context, rig, weights, clip, stream, metrics);
	ossa_frame_stream_free(context, stream);
	return status;
}
