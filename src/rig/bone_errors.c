/* rig/bone_errors.c: where a rig does not follow its frames: the error of the skin of each bone.

   Place in the path: after the rig.  In: a rig, frames.  Out: one RMS for each bone.
   What no skeleton repeats, cloth and hair, is somewhere; an error over all of the shape hides it. */
#include "rig/pose.h"
#include "surface/bounds.h"

#include <math.h>
#include <ossa/metrics.h>

enum { VERTICES_PER_RANGE = 2048 };

typedef struct measuring {
	const ossa_rig *rig;
	const ossa_weights *weights;
	const float *target; /* of the frame at work */
	double *matrices;    /* skinning, of the frame at work */
	double *square;      /* V: sums over the frames of |e|^2 */
} measuring;

static void add_range(void *arg, size_t begin, size_t end)
{
	const measuring *m = arg;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_skin_vertex(m->rig->mesh->positions + 3 * v, m->weights, v, m->matrices);
		m->square[v] += ossai_length2(ossai_sub(p, ossai_v3_of_float(m->target + 3 * v)));
	}
}

/* sums of vertices to those of the bones that they follow most; weights are sorted from the largest */
static void gather(const measuring *m, const uint8_t *used, double *sum, size_t *count)
{
	for (size_t v = 0; v < m->weights->vertex_count; v++) {
		if (!used[v]) continue;
		const size_t bone = m->weights->bones[v * (size_t)m->weights->influences];
		sum[bone] += m->square[v];
		count[bone]++;
	}
}

static ossa_status check_frames(ossa_context *context, const measuring *m, const ossa_clip *clip, const ossa_frames *frames)
{
	OSSAI_TRY(ossai_rig_check_fit(context, m->rig, m->weights, clip));
	const size_t vertices = m->rig->mesh->vertex_count;
	if (clip && frames->frame_count > 0 && frames->frame_count == clip->frame_count && frames->vertex_count == vertices) {
		return OSSA_OK;
	}
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"there are %zu frames of %zu vertices, but the rig's motion has %zu of %zu", frames->frame_count, frames->vertex_count,
		clip ? clip->frame_count : 0, vertices);
}

static ossa_status measure(ossa_context *context, ossai_arena *arena, measuring *m, const ossa_clip *clip,
	const ossa_frames *frames, double *rms_percent)
{
	const ossa_mesh *mesh = m->rig->mesh;
	const size_t bones = m->rig->skeleton.bone_count;
	OSSAI_TRY(check_frames(context, m, clip, frames));
	m->matrices = ossai_arena_new(arena, bones, 12 * sizeof *m->matrices);
	m->square = ossai_arena_zero(arena, mesh->vertex_count, sizeof *m->square);
	uint8_t *used = ossai_arena_zero(arena, mesh->vertex_count, 1);
	double *sum = ossai_arena_zero(arena, bones, sizeof *sum);
	size_t *count = ossai_arena_zero(arena, bones, sizeof *count);
	if (!m->matrices || !m->square || !used || !sum || !count) return ossa_context_error(context)->status;
	for (size_t f = 0; f < frames->frame_count; f++) {
		ossai_skin_matrices(m->rig, clip, f, m->matrices);
		m->target = frames->positions + 3 * mesh->vertex_count * f;
		ossai_parallel_for(context, mesh->vertex_count, VERTICES_PER_RANGE, add_range, m);
	}
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) used[mesh->triangles[i]] = 1;
	gather(m, used, sum, count);
	const double diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	for (size_t b = 0; b < bones; b++) {
		const double mean = count[b] ? sum[b] / ((double)count[b] * (double)frames->frame_count) : NAN;
		rms_percent[b] = diagonal > 0 ? 100 * sqrt(mean) / diagonal : NAN;
	}
	return OSSA_OK;
}

ossa_status ossa_rig_bone_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	const ossa_frames *frames, double *rms_percent)
{
	ossai_arena arena = ossai_arena_begin(context);
	measuring m = {.rig = rig, .weights = weights ? weights : &rig->weights};
	const ossa_status status = measure(context, &arena, &m, clip ? clip : rig->clip, frames, rms_percent);
	ossai_arena_end(&arena);
	return status;
}
