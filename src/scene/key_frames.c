/* scene/key_frames.c: chooses key frames that represent a long motion.

   Place in the path: before a method that works on all frames at once, on input too long for it.
   Input: a stream.
   Output: indices of frames.
   Source: greedy k-median.
   Departures: none of its approximation bounds is needed; of the rules that were compared
   (docs/motion.md) it deviates least from what a method makes of all frames.

   A frame is described by the positions of some vertices, sampled from the surface, after the best
   rigid motion of the whole has been removed. The first frame is chosen, then repeatedly the one
   that lowers the sum of squared distances of all frames to their nearest chosen one the most:
   poses that last long and poses that are rare but extreme both count. */
#include "math/rigid_fit.h"
#include "scene/frame_stream.h"

#include <math.h>
#include <string.h>

/* vertices that describe a frame; frames that are sampled evenly, and of these those that may be
   chosen */
enum { SAMPLES = 64, SEEN_MOST = 4096, CANDIDATES_MOST = 512, ROW = 3 * SAMPLES };

typedef struct choosing {
	ossa_context *context;
	ossai_arena arena;
	ossa_frame_stream *stream;
	size_t seen, candidates;
	size_t samples; /* up to SAMPLES */
	uint32_t vertex[SAMPLES];
	double base[ROW]; /* the rest's positions of them, relative to their mean, in `size` */
	double size;      /* root of the sum of their squares */
	float *rows;      /* sampled frames x ROW */
	float *distances; /* candidates x seen, squared */
	double *nearest;  /* seen: squared distance to the nearest chosen one */
	double *gain;     /* by candidate */
} choosing;

/* the i-th of `count` frames spread evenly over the stream */
static size_t frame_of(const choosing *c, size_t i, size_t count)
{
	const double last = (double)(c->stream->frame_count - 1);
	return count < 2 ? 0 : (size_t)((double)i * last / (double)(count - 1) + 0.5);
}

static size_t seen_of_candidate(const choosing *c, size_t i)
{
	return c->candidates < 2 ? 0 : (size_t)((double)i * (double)(c->seen - 1) / (double)(c->candidates - 1) + 0.5);
}

/* ---- which vertices ---- */

/* vertices that no face uses do not count */
static void mark_used(const choosing *c, const ossa_mesh *rest, double *distance)
{
	for (size_t v = 0; v < c->stream->vertex_count; v++) distance[v] = rest && rest->triangle_count > 0 ? -1 : INFINITY;
	for (size_t i = 0; rest && i < 3 * rest->triangle_count; i++) distance[rest->triangles[i]] = INFINITY;
}

/* farthest point sampling: each the farthest from those before it */
static void spread_vertices(choosing *c, const float *positions, double *distance)
{
	size_t at = 0;
	while (distance[at] < 0) at++;
	for (c->samples = 0; c->samples < SAMPLES; c->samples++) {
		size_t next = at;
		c->vertex[c->samples] = (uint32_t)at;
		distance[at] = 0;
		for (size_t v = 0; v < c->stream->vertex_count; v++) {
			double d = 0;
			for (size_t k = 0; k < 3; k++) d += pow((double)positions[3 * v + k] - (double)positions[3 * at + k], 2);
			if (d < distance[v]) distance[v] = d;
			if (distance[v] > distance[next]) next = v;
		}
		/* all others coincide with one */
		if (next == at) {
			c->samples++;
			break;
		}
		at = next;
	}
}

/* ---- descriptors of frames ---- */

/* the positions of the chosen vertices relative to their mean */
static void describe_pose(const choosing *c, const float *positions, double samples_at[ROW])
{
	double mean[3] = {0, 0, 0};
	for (size_t i = 0; i < c->samples; i++) {
		for (size_t k = 0; k < 3; k++) {
			samples_at[3 * i + k] = (double)positions[3 * (size_t)c->vertex[i] + k];
			mean[k] += samples_at[3 * i + k] / (double)c->samples;
		}
	}
	for (size_t i = 0; i < 3 * c->samples; i++) samples_at[i] -= mean[i % 3];
}

static ossa_status take_base(choosing *c, const ossa_mesh *rest)
{
	const size_t vertices = c->stream->vertex_count;
	double *distance = ossai_arena_new(&c->arena, vertices, sizeof *distance);
	float *first = ossai_arena_new(&c->arena, vertices, 3 * sizeof *first);
	if (!distance || !first) return ossa_context_error(c->context)->status;
	if (!rest) OSSAI_TRY(ossa_frame_stream_read(c->context, c->stream, 0, first));
	const float *positions = rest ? rest->positions : first;
	mark_used(c, rest, distance);
	spread_vertices(c, positions, distance);
	describe_pose(c, positions, c->base);
	double square = 0;
	for (size_t i = 0; i < 3 * c->samples; i++) square += c->base[i] * c->base[i];
	c->size = square > 0 ? sqrt(square) : 1;
	for (size_t i = 0; i < 3 * c->samples; i++) c->base[i] /= c->size;
	return OSSA_OK;
}

/* aligned with the rest, in units of its size: no unit makes a square overflow a float */
static void describe(const choosing *c, const float *positions, float *row)
{
	double samples_at[ROW], m[9] = {0};
	describe_pose(c, positions, samples_at);
	for (size_t i = 0; i < c->samples; i++) {
		for (size_t k = 0; k < 9; k++) m[k] += samples_at[3 * i + k / 3] * c->base[3 * i + k % 3];
	}
	const ossai_mat3 turn = ossai_quat_matrix(ossai_rigid_rotation(m));
	memset(row, 0, ROW * sizeof *row);
	for (size_t i = 0; i < c->samples; i++) {
		const ossai_vec3 p = ossai_scale(ossai_mat3_mul_v(&turn, ossai_v3_of(samples_at + 3 * i)), 1 / c->size);
		row[3 * i] = (float)p.x;
		row[3 * i + 1] = (float)p.y;
		row[3 * i + 2] = (float)p.z;
	}
}

typedef struct describe_job {
	const choosing *choosing;
	float *const *positions;
	float *rows;
} describe_job;

static void describe_range(void *arg, size_t begin, size_t end)
{
	const describe_job *job = arg;
	for (size_t i = begin; i < end; i++) describe(job->choosing, job->positions[i], job->rows + i * ROW);
}

static ossa_status describe_frames(choosing *c)
{
	const size_t most = ossai_frames_at_once(c->context);
	float *positions[OSSAI_FRAMES_AT_ONCE];
	for (size_t i = 0; i < most; i++) {
		positions[i] = ossai_arena_new(&c->arena, c->stream->vertex_count, 3 * sizeof *positions[i]);
		if (!positions[i]) return ossa_context_error(c->context)->status;
	}
	for (size_t first = 0; first < c->seen; first += most) {
		const size_t count = c->seen - first < most ? c->seen - first : most;
		size_t frames[OSSAI_FRAMES_AT_ONCE];
		for (size_t i = 0; i < count; i++) frames[i] = frame_of(c, first + i, c->seen);
		OSSAI_TRY(ossai_frame_stream_read_several(c->context, c->stream, count, frames, positions));
		describe_job job = {c, positions, c->rows + first * ROW};
		ossai_parallel_for(c->context, count, 1, describe_range, &job);
		OSSAI_TRY(ossai_progress(c->context, (double)(first + count) / (double)c->seen));
	}
	return OSSA_OK;
}

/* ---- the choice ---- */

static void compare_range(void *arg, size_t begin, size_t end)
{
	const choosing *c = arg;
	for (size_t i = begin; i < end; i++) {
		const float *own = c->rows + seen_of_candidate(c, i) * ROW;
		for (size_t f = 0; f < c->seen; f++) {
			const float *other = c->rows + f * ROW;
			float sums[8] = {0};
			for (size_t k = 0; k < ROW; k += 8) {
				for (size_t lane = 0; lane < 8; lane++) {
					const float d = own[k + lane] - other[k + lane];
					sums[lane] += d * d;
				}
			}
			float sum = 0;
			for (size_t lane = 0; lane < 8; lane++) sum += sums[lane];
			c->distances[i * c->seen + f] = sum;
		}
	}
}

/* by how much each candidate would lower the sum */
static void gain_range(void *arg, size_t begin, size_t end)
{
	const choosing *c = arg;
	for (size_t i = begin; i < end; i++) {
		const float *distance = c->distances + i * c->seen;
		double gain = 0;
		for (size_t f = 0; f < c->seen; f++) gain += fmax(0, c->nearest[f] - (double)distance[f]);
		c->gain[i] = gain;
	}
}

static void choose_candidate(choosing *c, size_t candidate)
{
	for (size_t f = 0; f < c->seen; f++) {
		c->nearest[f] = fmin(c->nearest[f], (double)c->distances[candidate * c->seen + f]);
	}
}

static size_t choose_frames(choosing *c, size_t wanted, size_t *indices)
{
	size_t count = 0, best = 0;
	for (size_t f = 0; f < c->seen; f++) c->nearest[f] = INFINITY;
	while (count < wanted) {
		indices[count++] = frame_of(c, seen_of_candidate(c, best), c->seen);
		choose_candidate(c, best);
		ossai_parallel_for(c->context, c->candidates, 8, gain_range, c);
		for (size_t i = best = 0; i < c->candidates; i++) best = c->gain[i] > c->gain[best] ? i : best;
		/* every frame equals a chosen one */
		if (!(c->gain[best] > 0)) break;
	}
	return count;
}

/* few numbers: by insertion */
static void sort(size_t *indices, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const size_t index = indices[i];
		size_t at = i;
		for (; at > 0 && indices[at - 1] > index; at--) indices[at] = indices[at - 1];
		indices[at] = index;
	}
}

static ossa_status choose(choosing *c, const ossa_mesh *rest, size_t wanted, size_t *indices, size_t *count)
{
	c->rows = ossai_arena_new(&c->arena, c->seen, ROW * sizeof *c->rows);
	c->distances = ossai_arena_new(&c->arena, c->candidates, c->seen * sizeof *c->distances);
	c->nearest = ossai_arena_new(&c->arena, c->seen, sizeof *c->nearest);
	c->gain = ossai_arena_new(&c->arena, c->candidates, sizeof *c->gain);
	if (!c->rows || !c->distances || !c->nearest || !c->gain) return ossa_context_error(c->context)->status;
	OSSAI_TRY(take_base(c, rest));
	OSSAI_TRY(describe_frames(c));
	ossai_parallel_for(c->context, c->candidates, 8, compare_range, c);
	*count = choose_frames(c, wanted, indices);
	sort(indices, *count);
	return OSSA_OK;
}

static ossa_status check(ossa_context *context, const ossa_frame_stream *stream, const ossa_mesh *rest, size_t wanted)
{
	if (stream->frame_count == 0 || stream->vertex_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "there are no frames to choose from");
	}
	if (wanted == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "0 frames are wanted: at least 1 can be chosen");
	if (!rest || rest->vertex_count == stream->vertex_count) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the frames have %zu vertices, the rest mesh %zu", stream->vertex_count,
		rest->vertex_count);
}

ossa_status ossa_frame_stream_choose(
	ossa_context *context, ossa_frame_stream *stream, const ossa_mesh *rest, size_t wanted, size_t *indices, size_t *count)
{
	size_t unwanted;
	if (!count) count = &unwanted;
	*count = 0;
	OSSAI_NEED(context, stream, indices);
	OSSAI_TRY(check(context, stream, rest, wanted));
	choosing *c = ossa_alloc(context, 1, sizeof *c);
	if (!c) return ossa_context_error(context)->status;
	c->context = context;
	c->arena = ossai_arena_begin(context);
	c->stream = stream;
	c->seen = stream->frame_count < SEEN_MOST ? stream->frame_count : SEEN_MOST;
	c->candidates = c->seen < CANDIDATES_MOST ? c->seen : CANDIDATES_MOST;
	ossai_stage_begin(context, "choose");
	const ossa_status status = choose(c, rest, wanted, indices, count);
	ossai_stage_end(context);
	ossai_arena_end(&c->arena);
	ossa_free(context, c);
	return status;
}

ossa_status ossai_frame_stream_take_keys(ossai_arena *arena, ossa_frame_stream *stream, const ossa_mesh *rest, size_t wanted,
	ossa_frames **keys, const size_t **which)
{
	*which = NULL;
	if (wanted == 0 || stream->frame_count <= wanted) {
		return ossa_frame_stream_frames(arena->context, stream, 0, NULL, keys);
	}
	size_t *indices = ossai_arena_new(arena, wanted, sizeof *indices), count = 0;
	if (!indices) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossa_frame_stream_choose(arena->context, stream, rest, wanted, indices, &count));
	*which = indices;
	return ossa_frame_stream_frames(arena->context, stream, count, indices, keys);
}
