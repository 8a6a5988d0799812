/* export/gltf/glb_morph.c: frames in a GLB: a morph target for each, and the animation that runs
   through them.

   Place in the path: inside the GLB writer.
   Input: the mesh as it was written and frames of its vertices.
   Output: targets (the differences of positions and normals from the mesh's, stored sparsely where
   few vertices move) and linear weights: at the time of a frame its target has weight 1 and every
   other 0, so that any viewer shows the frames and blends between them.
   Source: glTF 2.0 specification, 3.7.2.2 (morph targets), 3.6.2.3 (sparse accessors). */
#include "export/gltf/glb.h"
#include "math/vec.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

typedef struct morph_job {
	ossai_glb_writer *writer;
	const ossai_glb_base *base;
	ossai_arena scratch;
	float *deltas; /* N x 3 */
	float *smooth; /* V x 3 of a frame */
} morph_job;

/* ---- one accessor of differences ---- */

static size_t count_moved(const float *deltas, size_t count)
{
	size_t moved = 0;
	for (size_t i = 0; i < count; i++) moved += deltas[3 * i] != 0 || deltas[3 * i + 1] != 0 || deltas[3 * i + 2] != 0;
	return moved;
}

/* only the vertices that move; glTF wants at least one */
static ossa_status put_sparse(ossai_glb_writer *writer, const float *deltas, size_t count, size_t moved, size_t *accessor)
{
	const bool small = count <= 65535;
	const size_t kept = moved > 0 ? moved : 1, index_size = small ? 2 : 4;
	size_t index_view, value_view;
	void *indices = ossai_glb_put_block(writer, kept * index_size, OSSAI_GLB_DATA, &index_view);
	float *values = indices ? ossai_glb_put_block(writer, kept * 12, OSSAI_GLB_DATA, &value_view) : NULL;
	if (!values) return ossa_context_error(writer->context)->status;
	for (size_t i = 0, at = 0; i < count && at < kept; i++) {
		if (moved > 0 && count_moved(deltas + 3 * i, 1) == 0) continue;
		if (small) ((uint16_t *)indices)[at] = (uint16_t)i;
		else ((uint32_t *)indices)[at] = (uint32_t)i;
		memcpy(values + 3 * at++, deltas + 3 * i, 12);
	}
	return ossai_glb_put_sparse_accessor(
		writer, index_view, small ? OSSAI_GLB_INDEX_U16 : OSSAI_GLB_INDEX_U32, value_view, kept, count, deltas, accessor);
}

static ossa_status put_deltas(ossai_glb_writer *writer, const float *deltas, size_t count, size_t *accessor)
{
	const size_t moved = count_moved(deltas, count);
	size_t view;
	/* an index and a vector against all vectors */
	if (moved * (count <= 65535 ? 14 : 16) < count * 12) return put_sparse(writer, deltas, count, moved, accessor);
	float *data = ossai_glb_put_block(writer, count * 12, OSSAI_GLB_VERTICES, &view);
	if (!data) return ossa_context_error(writer->context)->status;
	memcpy(data, deltas, count * 12);
	return ossai_glb_put_accessor(writer, view, 0, OSSAI_GLB_VEC3, count, data, accessor);
}

/* ---- targets ---- */

static ossa_status find_position_deltas(const morph_job *job, const float *positions, size_t frame)
{
	const ossai_glb_seams *seams = job->base->seams;
	for (size_t i = 0; i < 3 * seams->vertex_count; i++) {
		const size_t from = 3 * (size_t)seams->origin[i / 3] + i % 3;
		job->deltas[i] = positions[from] - job->base->positions[from];
		if (fabsf(job->deltas[i]) <= FLT_MAX) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.frame = (int64_t)frame;
		return ossai_fail(job->writer->context, OSSA_ERROR_LIMIT, &place, "moves a vertex farther than a float can hold");
	}
	return OSSA_OK;
}

/* A normal of the file turns as the smooth normal of its vertex does, so that hard edges stay
   hard. */
static ossai_vec3 turned_normal(ossai_vec3 own, ossai_vec3 smooth, ossai_vec3 now)
{
	if (!(ossai_length2(smooth) > 0.25) || !(ossai_length2(now) > 0.25)) return own;
	const ossai_quat turn = ossai_quat_between(ossai_unit(smooth, smooth), ossai_unit(now, now));
	const ossai_mat3 matrix = ossai_quat_matrix(turn);
	return ossai_mat3_mul_v(&matrix, own);
}

static void find_normal_deltas(const morph_job *job, const float *positions)
{
	const ossai_glb_base *base = job->base;
	ossai_vertex_normals(
		job->writer->context, base->mesh->vertex_count, base->mesh->triangles, base->around, positions, job->smooth);
	for (size_t i = 0; i < base->seams->vertex_count; i++) {
		const size_t from = 3 * (size_t)base->seams->origin[i];
		const ossai_vec3 own = ossai_v3_of_float(base->normals + 3 * i), smooth = ossai_v3_of_float(base->smooth + from);
		const ossai_vec3 now = ossai_v3_of_float(job->smooth + from);
		/* normals that do not rotate are kept exactly, and count as unmoved */
		const bool still = smooth.x == now.x && smooth.y == now.y && smooth.z == now.z;
		const ossai_vec3 turned = still ? own : turned_normal(own, smooth, now), delta = ossai_sub(turned, own);
		job->deltas[3 * i] = (float)delta.x;
		job->deltas[3 * i + 1] = (float)delta.y;
		job->deltas[3 * i + 2] = (float)delta.z;
	}
}

static ossa_status put_target(morph_job *job, const float *positions, size_t frame, json_t *targets)
{
	const size_t count = job->base->seams->vertex_count;
	size_t position = 0, normal = 0;
	OSSAI_TRY(find_position_deltas(job, positions, frame));
	OSSAI_TRY(put_deltas(job->writer, job->deltas, count, &position));
	find_normal_deltas(job, positions);
	OSSAI_TRY(put_deltas(job->writer, job->deltas, count, &normal));
	json_t *item = json_pack("{s:I,s:I}", "POSITION", (json_int_t)position, "NORMAL", (json_int_t)normal);
	return json_array_append_new(targets, item) == 0 ? OSSA_OK : ossai_glb_no_memory(job->writer->context);
}

static json_t *target_name(const ossa_frames *frames, size_t frame)
{
	char name[32];
	if (frames->names && frames->names[frame][0]) return ossai_glb_text(frames->names[frame]);
	snprintf(name, sizeof name, "frame_%04zu", frame + 1);
	return json_string(name);
}

static ossa_status put_frames(morph_job *job, const ossa_frames *frames, json_t *targets, json_t *names)
{
	const uint32_t *rows = job->base->rows;
	const size_t count = job->base->mesh->vertex_count;
	float *own = rows ? ossai_arena_new(&job->scratch, count, 3 * sizeof *own) : NULL;
	if (rows && !own) return ossa_context_error(job->writer->context)->status;
	for (size_t f = 0; f < frames->frame_count; f++) {
		const float *positions = frames->positions + 3 * f * frames->vertex_count;
		for (size_t v = 0; rows && v < count; v++) memcpy(own + 3 * v, positions + 3 * (size_t)rows[v], 3 * sizeof *own);
		OSSAI_TRY(put_target(job, rows ? own : positions, f, targets));
		if (json_array_append_new(names, target_name(frames, f)) != 0) return ossai_glb_no_memory(job->writer->context);
	}
	return OSSA_OK;
}

/* the mesh's own targets, each as the positions with it */
static ossa_status put_morphs(morph_job *job, json_t *targets, json_t *names)
{
	const ossa_mesh *mesh = job->base->mesh;
	float *positions = ossai_arena_new(&job->scratch, mesh->vertex_count, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(job->writer->context)->status;
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const ossa_morph *morph = &mesh->morphs[m];
		memcpy(positions, job->base->positions, mesh->vertex_count * 3 * sizeof *positions);
		for (size_t i = 0; i < 3 * morph->count; i++) positions[3 * (size_t)morph->vertices[i / 3] + i % 3] += morph->deltas[i];
		OSSAI_TRY(put_target(job, positions, m, targets));
		if (json_array_append_new(names, ossai_glb_text(morph->name)) != 0) return ossai_glb_no_memory(job->writer->context);
	}
	return OSSA_OK;
}

static ossa_status put_all(morph_job *job, const ossa_frames *frames, json_t *targets, json_t *names)
{
	job->deltas = ossai_arena_new(&job->scratch, job->base->seams->vertex_count, 3 * sizeof *job->deltas);
	job->smooth = ossai_arena_new(&job->scratch, job->base->mesh->vertex_count, 3 * sizeof *job->smooth);
	if (!job->deltas || !job->smooth) return ossa_context_error(job->writer->context)->status;
	return frames ? put_frames(job, frames, targets, names) : put_morphs(job, targets, names);
}

ossa_status ossai_glb_put_targets(
	ossai_glb_writer *writer, const ossai_glb_base *base, const ossa_frames *frames, json_t **targets, json_t **names)
{
	morph_job job = {.writer = writer, .base = base, .scratch = ossai_arena_begin(writer->context)};
	*targets = json_array();
	*names = json_array();
	ossa_status status = *targets && *names ? put_all(&job, frames, *targets, *names) : ossai_glb_no_memory(writer->context);
	ossai_arena_end(&job.scratch);
	if (status == OSSA_OK) return OSSA_OK;
	json_decref(*targets);
	json_decref(*names);
	*targets = *names = NULL;
	return status;
}

/* ---- animation ---- */

ossa_status ossai_glb_put_morph_animation(ossai_glb_writer *writer, const ossa_frames *frames, size_t node, size_t node_count)
{
	const size_t count = frames->frame_count;
	size_t times, accessor;
	OSSAI_TRY(ossai_glb_put_times(writer, frames->times, count, &times));
	float *weights = ossai_glb_put_array(writer, OSSAI_GLB_SCALAR, count * count, OSSAI_GLB_DATA, &accessor);
	if (!weights) return ossa_context_error(writer->context)->status;
	memset(weights, 0, count * count * sizeof *weights);
	for (size_t f = 0; f < count; f++) weights[f * count + f] = 1;
	json_t *item = json_pack("{s:o,s:[{s:I,s:I}],s:[]}", "name", ossai_glb_text(frames->name[0] ? frames->name : "frames"),
		"samplers", "input", (json_int_t)times, "output", (json_int_t)accessor, "channels");
	for (size_t i = 0; i < node_count; i++) {
		json_t *channel = json_pack(
			"{s:i,s:{s:I,s:s}}", "sampler", 0, "target", "node", (json_int_t)node + (json_int_t)i, "path", "weights");
		if (json_array_append_new(json_object_get(item, "channels"), channel) == 0) continue;
		json_decref(item);
		return ossai_glb_no_memory(writer->context);
	}
	return ossai_glb_put(writer, "animations", item, NULL);
}
