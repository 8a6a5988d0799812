/* methods/refit_prepare.c: prepares the fit of a motion: the rest, the tree, weights by bone and by
   vertex, memory for a batch.

   Place in the path: here -> refit.
   Input: a rig, a stream.
   Output: an ossai_refit. */
#include "methods/refit.h"

#include "rig/flatten.h"
#include "rig/pose.h"
#include "mesh/bounds.h"

#include <stdio.h>
#include <string.h>

/* frames of a batch: as many as fit into so many bytes, between these bounds */
enum { BATCH_LEAST = 16, BATCH_MOST = 128 };
static const size_t batch_bytes = (size_t)64 << 20;

/* ---- input ---- */

ossa_status ossai_check_frames_of(ossa_context *context, const ossa_rig *rig, const ossa_frame_stream *stream)
{
	const size_t vertices = ossa_frame_stream_vertex_count(stream);
	if (vertices != rig->mesh->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the frames have %zu vertices, the rig's mesh has %zu: they must be of the same mesh", vertices,
			rig->mesh->vertex_count);
	}
	if (ossa_frame_stream_frame_count(stream) > 0) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "there are no frames to fit the rig to");
}

static ossa_status check_input(const ossai_refit *r)
{
	ossa_context *context = r->context;
	const ossa_rig *rig = r->rig;
	if (!rig->mesh || rig->mesh->triangle_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the rig is a skeleton without a mesh: its motion can be fitted to frames only with its mesh and weights");
	}
	if (r->bones == 0) return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the rig has no bones to move");
	OSSAI_TRY(ossai_check_frames_of(context, rig, r->stream));
	OSSAI_TRY(ossa_rig_validate(context, rig));
	return ossai_rig_check_fit(context, rig, &rig->weights, NULL);
}

static void mark_used(ossai_posed_surface *s)
{
	for (size_t i = 0; i < 3 * s->face_count; i++) s->used[s->triangles[i]] = 1;
	for (size_t v = 0; v < s->vertex_count; v++) s->used_count += s->used[v];
}

/* as ossai_posed_surface_make does, without poses */
static ossa_status prepare_rest(ossai_refit *r)
{
	const ossa_mesh *mesh = r->rig->mesh;
	ossai_posed_surface *s = &r->surface;
	*s = (ossai_posed_surface){
		.vertex_count = mesh->vertex_count, .face_count = mesh->triangle_count, .triangles = mesh->triangles};
	s->used = ossai_arena_zero(r->arena, s->vertex_count, 1);
	s->rest = s->poses = ossai_arena_new(r->arena, s->vertex_count, 3 * sizeof *s->rest);
	if (!s->used || !s->rest) return ossa_context_error(r->context)->status;
	mark_used(s);
	s->scale = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	if (!(s->scale > 0)) {
		return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL,
			"all %zu vertices of the rig's mesh lie at one point: it has no size to measure errors by", s->vertex_count);
	}
	ossai_vec3 sum = {0, 0, 0};
	for (size_t v = 0; v < s->vertex_count; v++) {
		if (s->used[v]) sum = ossai_add(sum, ossai_v3_of_float(mesh->positions + 3 * v));
	}
	s->rest_center = ossai_scale(sum, 1 / (double)s->used_count);
	for (size_t v = 0; v < s->vertex_count; v++) {
		const ossai_vec3 p = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * v), s->rest_center);
		ossai_v3_store(ossai_scale(p, 1 / s->scale), s->rest + 3 * v);
		if (s->used[v]) r->rest_square += ossai_length2(ossai_rest_point(s, v));
	}
	return OSSA_OK;
}

static ossa_status prepare_tree(ossai_refit *r)
{
	const ossa_bone *bones = r->rig->skeleton.bones;
	OSSAI_TRY(ossai_tree_of_skeleton(r->arena, &r->rig->skeleton, &r->tree));
	ossai_vec3 *joint = ossai_arena_new(r->arena, r->bones, sizeof *joint);
	if (!joint) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < r->bones; b++) joint[b] = ossai_posed_surface_units(&r->surface, bones[b].joint);
	r->hierarchy = (ossai_hierarchy){&r->tree, joint, NULL};
	if (!r->keeps_hinges) return OSSA_OK;
	r->hinge = ossai_arena_new(r->arena, r->bones, sizeof *r->hinge);
	if (!r->hinge) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < r->bones; b++) {
		r->hinge[b] = bones[b].kind == OSSA_JOINT_HINGE ? ossai_v3_of(bones[b].axis) : ossai_v3(0, 0, 0);
	}
	return OSSA_OK;
}

/* the weights of vertices in faces, which sum to 1 in double precision, too */
static ossa_status prepare_blend(ossai_refit *r, const ossa_weights *weights, ossai_refit_blend *b)
{
	ossai_arena temporary = ossai_arena_begin(r->context);
	ossai_bone_weights converted;
	ossa_status status = ossai_bone_weights_new(
		&temporary, weights->vertex_count, r->bones, (size_t)weights->influences, &converted);
	if (status == OSSA_OK) {
		ossai_bone_weights_load(weights, r->surface.used, &converted);
		status = ossai_skin_lists_make(r->arena, &r->surface, &converted, &b->lists);
	}
	/* without poses: S alone */
	if (status == OSSA_OK) status = ossai_moments_make(r->context, &r->surface, &converted, &b->moments);
	ossai_arena_end(&temporary);
	if (status != OSSA_OK) return status;
	b->moments.c = ossai_arena_new(r->arena, r->bones, r->batch * 12 * sizeof *b->moments.c);
	b->moments.target = r->target;
	b->moments.target_sum = r->target_sum;
	if (!b->moments.c) return ossa_context_error(r->context)->status;
	return ossai_bone_motion_new(r->arena, r->bones, r->batch, &b->motion);
}

static ossa_status allocate(ossai_refit *r)
{
	ossai_arena *arena = r->arena;
	const size_t tiles = r->batch / OSSAI_TILE_FRAMES, used = r->surface.used_count;
	const size_t frame = 3 * r->surface.vertex_count * sizeof(float);
	bool all = true;
	for (size_t k = 0; k < OSSAI_TILE_FRAMES; k++) all = (r->read[k] = ossai_arena_new(arena, 1, frame)) && all;
	r->tiles = ossai_arena_zero(arena, tiles, sizeof *r->tiles);
	for (size_t t = 0; r->tiles && t < tiles; t++) {
		r->tiles[t].positions = ossai_arena_new(arena, used, 3 * OSSAI_TILE_FRAMES * sizeof(float));
		all = r->tiles[t].positions && all;
	}
	r->target = ossai_arena_new(arena, r->batch, sizeof *r->target);
	r->target_sum = ossai_arena_zero(arena, r->batch, sizeof *r->target_sum);
	r->rotations = ossai_arena_new(arena, r->batch, r->bones * sizeof *r->rotations);
	r->last = ossai_arena_new(arena, r->bones, sizeof *r->last);
	r->matrices = ossai_arena_new(arena, tiles, r->bones * 12 * OSSAI_TILE_FRAMES * sizeof *r->matrices);
	r->errors = ossai_arena_new(arena, tiles, sizeof *r->errors);
	r->scratch = ossai_arena_new(arena, ossai_tile_scratch(used, tiles), sizeof *r->scratch);
	r->bound_totals.vertex_square = ossai_arena_zero(arena, r->surface.vertex_count, sizeof(double));
	all = all && r->bound_totals.vertex_square && r->tiles && r->target && r->target_sum && r->rotations && r->last &&
		r->matrices && r->errors && r->scratch;
	return all ? OSSA_OK : ossa_context_error(r->context)->status;
}

static size_t batch_size(size_t used, size_t frames)
{
	size_t batch = batch_bytes / (12 * used) / OSSAI_REFIT_CHAIN * OSSAI_REFIT_CHAIN;
	if (batch > BATCH_MOST) batch = BATCH_MOST;
	/* no more than there are frames */
	while (batch > BATCH_LEAST && batch >= frames + OSSAI_REFIT_CHAIN) batch -= OSSAI_REFIT_CHAIN;
	return batch < BATCH_LEAST ? BATCH_LEAST : batch;
}

static ossa_status make_result(ossai_refit *r)
{
	const double *times = ossa_frame_stream_times(r->stream);
	ossa_motion_fit *fit = r->fit;
	OSSAI_TRY(ossa_clip_create(r->context, r->frames, r->bones, r->is_free || r->body_count > 0, &fit->clip));
	if (r->wants_free) OSSAI_TRY(ossa_clip_create(r->context, r->frames, r->bones, true, &fit->free_clip));
	fit->frame_rms = ossa_alloc(r->context, r->frames, sizeof *fit->frame_rms);
	fit->frame_size = fit->frame_rms ? ossa_alloc(r->context, r->frames, sizeof *fit->frame_size) : NULL;
	fit->bone_rms = fit->frame_size ? ossa_alloc(r->context, r->bones, sizeof *fit->bone_rms) : NULL;
	if (!fit->bone_rms) return ossa_context_error(r->context)->status;
	ossa_clip *clips[] = {fit->clip, fit->free_clip};
	for (size_t i = 0; i < 2 && clips[i]; i++) {
		const char *name = ossa_frame_stream_motion(r->stream);
		snprintf(clips[i]->name, sizeof clips[i]->name, "%s", name[0] ? name : "frames");
		memcpy(clips[i]->times, times, r->frames * sizeof *times);
	}
	return OSSA_OK;
}

ossa_status ossai_refit_prepare(ossai_refit *r)
{
	const ossa_weights *free_weights = &r->rig->free_weights;
	OSSAI_TRY(check_input(r));
	r->is_free = ossai_skeleton_is_free(&r->rig->skeleton);
	OSSAI_TRY(prepare_rest(r));
	OSSAI_TRY(prepare_tree(r));
	r->batch = batch_size(r->surface.used_count, r->frames);
	OSSAI_TRY(allocate(r));
	for (size_t b = 0; b < r->bones; b++) r->last[b] = ossai_mat3_identity();
	OSSAI_TRY(prepare_blend(r, &r->rig->weights, &r->bound));
	OSSAI_TRY(ossai_refit_find_bodies(r));
	if (r->wants_free) {
		OSSAI_TRY(prepare_blend(r, free_weights->vertex_count > 0 ? free_weights : &r->rig->weights, &r->free));
	}
	return make_result(r);
}
