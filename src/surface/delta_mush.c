/* surface/delta_mush.c: see ossa/delta_mush.h.

   Input: a rest mesh, frames of it, in memory or one at a time.
   Output: the frames, smoothed.
   Source: Mancewicz and others, Delta Mush, 2014. Departure: the paper puts detail back in frames
   of a normal and one edge; here it turns as the smoothed surface around the vertex did
   (mesh/gradients.h), which depends on no choice of an edge. */
#include "math/rigid_fit.h"
#include "mesh/adjacency.h"
#include "mesh/gradients.h"
#include "mesh/seams.h"
#include "scene/frame_stream.h"

#include <ossa/delta_mush.h>

enum { POINT_GRAIN = 1024 };
/* the share of the way to the mean of the neighbours */
static const double step = 0.5;

typedef struct mush {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	int rounds;
	ossai_weld weld; /* the two sides of a seam are one point */
	ossai_adjacency adjacency;
	ossai_vec3 *at, *spare; /* N: points while they are smoothed */
	ossai_vec3 *detail;     /* N: what smoothing takes from the rest shape */
	float *rest, *smooth;   /* N x 3: the smoothed rest shape, and the smoothed frame */
	ossai_mat3 *gradient;   /* N: from the one to the other */
} mush;

/* ---- smoothing ---- */

static void smooth_range(void *arg, size_t begin, size_t end)
{
	const mush *m = arg;
	const ossai_adjacency *a = &m->adjacency;
	for (size_t p = begin; p < end; p++) {
		const uint32_t first = a->vertex_start[p], last = a->vertex_start[p + 1];
		ossai_vec3 sum = {0, 0, 0};
		for (uint32_t i = first; i < last; i++) sum = ossai_add(sum, m->at[a->vertex_neighbor[i]]);
		m->spare[p] = last > first ? ossai_lerp(m->at[p], ossai_scale(sum, 1.0 / (last - first)), step) : m->at[p];
	}
}

static void smooth(mush *m)
{
	for (int round = 0; round < m->rounds; round++) {
		ossai_parallel_for(m->context, m->weld.point_count, POINT_GRAIN, smooth_range, m);
		ossai_vec3 *const swap = m->at;
		m->at = m->spare;
		m->spare = swap;
	}
}

static void store_points(const mush *m, float *to)
{
	for (size_t p = 0; p < m->weld.point_count; p++) {
		to[3 * p] = (float)m->at[p].x;
		to[3 * p + 1] = (float)m->at[p].y;
		to[3 * p + 2] = (float)m->at[p].z;
	}
}

/* ---- the rest shape ---- */

static ossa_status take_space(mush *m)
{
	const size_t points = m->weld.point_count;
	m->at = ossai_arena_new(m->arena, points, sizeof *m->at);
	m->spare = ossai_arena_new(m->arena, points, sizeof *m->spare);
	m->detail = ossai_arena_new(m->arena, points, sizeof *m->detail);
	m->rest = ossai_arena_new(m->arena, points, 3 * sizeof *m->rest);
	m->smooth = ossai_arena_new(m->arena, points, 3 * sizeof *m->smooth);
	m->gradient = ossai_arena_new(m->arena, points, sizeof *m->gradient);
	const bool all = m->at && m->spare && m->detail && m->rest && m->smooth && m->gradient;
	return all ? OSSA_OK : ossa_context_error(m->context)->status;
}

static void load_points(const mush *m, const float *positions)
{
	for (size_t p = 0; p < m->weld.point_count; p++)
		m->at[p] = ossai_v3_of_float(positions + 3 * (size_t)m->weld.vertex_of_point[p]);
}

static ossa_status prepare(mush *m)
{
	const ossai_mesh_view mesh = ossai_view_of_mesh(m->mesh);
	OSSAI_TRY(ossai_seams_weld(m->arena, &mesh, &m->weld));
	OSSAI_TRY(ossai_adjacency_make_of_vertices(
		m->context, m->arena, m->weld.point_count, mesh.face_count, m->weld.triangles, &m->adjacency));
	OSSAI_TRY(take_space(m));
	load_points(m, m->mesh->positions);
	smooth(m);
	for (size_t p = 0; p < m->weld.point_count; p++) {
		const float *at = m->mesh->positions + 3 * (size_t)m->weld.vertex_of_point[p];
		m->detail[p] = ossai_sub(ossai_v3_of_float(at), m->at[p]);
	}
	store_points(m, m->rest);
	return OSSA_OK;
}

/* ---- a frame ---- */

/* the rotation nearest to a gradient */
static ossai_mat3 rotation_of(const ossai_mat3 *gradient)
{
	double m[9];
	for (size_t i = 0; i < 9; i++) m[i] = gradient->m[i % 3][i / 3];
	return ossai_quat_matrix(ossai_rigid_rotation(m));
}

static void detail_range(void *arg, size_t begin, size_t end)
{
	const mush *m = arg;
	for (size_t p = begin; p < end; p++) {
		const ossai_mat3 turn = rotation_of(&m->gradient[p]);
		m->at[p] = ossai_add(m->at[p], ossai_mat3_mul_v(&turn, m->detail[p]));
	}
}

static ossa_status change_frame(mush *m, float *positions)
{
	const size_t points = m->weld.point_count;
	load_points(m, positions);
	smooth(m);
	store_points(m, m->smooth);
	OSSAI_TRY(ossai_vertex_gradients(
		m->context, points, m->mesh->triangle_count, m->weld.triangles, NULL, m->rest, m->smooth, m->gradient));
	ossai_parallel_for(m->context, points, POINT_GRAIN, detail_range, m);
	for (size_t v = 0; v < m->mesh->vertex_count; v++) {
		const uint32_t p = m->weld.point_of_vertex[v];
		if (p == OSSA_NONE) continue;
		positions[3 * v] = (float)m->at[p].x;
		positions[3 * v + 1] = (float)m->at[p].y;
		positions[3 * v + 2] = (float)m->at[p].z;
	}
	return OSSA_OK;
}

/* ---- frames in memory ---- */

static ossa_status change_frames(mush *m, ossa_frames *frames)
{
	OSSAI_TRY(prepare(m));
	for (size_t f = 0; f < frames->frame_count; f++) {
		OSSAI_TRY(change_frame(m, frames->positions + 3 * f * frames->vertex_count));
		OSSAI_TRY(ossai_progress(m->context, (double)(f + 1) / (double)frames->frame_count));
	}
	return OSSA_OK;
}

static ossa_status check(ossa_context *context, const ossa_mesh *rest, int rounds, size_t vertex_count)
{
	if (rounds < 1 || rounds > OSSA_DELTA_MUSH_ROUNDS_MAX) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "delta mush smooths in 1 to %d rounds, not in %d",
			(int)OSSA_DELTA_MUSH_ROUNDS_MAX, rounds);
	}
	OSSAI_TRY(ossa_mesh_validate(context, rest));
	if (rest->triangle_count == 0)
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the mesh has no faces, and delta mush smooths along them");
	if (vertex_count == rest->vertex_count) return OSSA_OK;
	return ossai_fail(
		context, OSSA_ERROR_INPUT, NULL, "the frames have %zu vertices, the mesh has %zu", vertex_count, rest->vertex_count);
}

ossa_status ossa_frames_delta_mush(ossa_context *context, const ossa_mesh *rest, int rounds, ossa_frames *frames)
{
	OSSAI_NEED(context, rest, frames);
	OSSAI_TRY(check(context, rest, rounds, frames->vertex_count));
	OSSAI_TRY(ossa_frames_validate(context, frames));
	ossai_arena arena = ossai_arena_begin(context);
	mush m = {.context = context, .arena = &arena, .mesh = rest, .rounds = rounds};
	ossai_stage_begin(context, "delta mush");
	const ossa_status status = change_frames(&m, frames);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	return status;
}

/* ---- frames one at a time ---- */

typedef struct mushed_frames {
	ossa_frame_stream *frames;
	ossai_arena arena;
	mush m;
} mushed_frames;

static ossa_status read_mushed(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	mushed_frames *mushed = stream->data;
	OSSAI_TRY(ossa_frame_stream_read(context, mushed->frames, frame, positions));
	return change_frame(&mushed->m, positions);
}

static void free_mushed(ossa_context *context, mushed_frames *mushed)
{
	ossai_arena_end(&mushed->arena);
	ossa_free(context, mushed);
}

static void close_mushed(ossa_context *context, ossa_frame_stream *stream) { free_mushed(context, stream->data); }

ossa_status ossa_frame_stream_delta_mush(
	ossa_context *context, const ossa_mesh *rest, int rounds, ossa_frame_stream *frames, ossa_frame_stream **stream)
{
	if (stream) *stream = NULL;
	OSSAI_NEED(context, rest, frames, stream);
	OSSAI_TRY(check(context, rest, rounds, frames->vertex_count));
	mushed_frames *mushed = ossa_alloc(context, 1, sizeof *mushed);
	if (!mushed) return ossa_context_error(context)->status;
	mushed->frames = frames;
	mushed->arena = ossai_arena_begin(context);
	mushed->m = (mush){.context = context, .arena = &mushed->arena, .mesh = rest, .rounds = rounds};
	ossa_status status = prepare(&mushed->m);
	if (status == OSSA_OK) status = ossai_frame_stream_over(context, frames, frames->vertex_count, stream);
	if (status == OSSA_OK) status = ossai_frame_stream_copy_morphs(context, frames, *stream);
	if (status != OSSA_OK) {
		ossa_frame_stream_free(context, *stream);
		*stream = NULL;
		free_mushed(context, mushed);
		return status;
	}
	(*stream)->read = read_mushed;
	(*stream)->close = close_mushed;
	(*stream)->data = mushed;
	return OSSA_OK;
}
