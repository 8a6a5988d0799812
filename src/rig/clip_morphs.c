/* rig/clip_morphs.c: see clip_morphs.h, and ossa_clip_add_morphs. */
#include "rig/clip_morphs.h"

#include "rig/clips.h"
#include "rig/pose.h"
#include "rig/turns.h"
#include "scene/mesh.h"

#include <math.h>
#include <string.h>

/* weights that differ less, relative to their size and 1, are one; rotations and lengths, too */
static const double same = 1e-6;

ossa_status ossa_clip_add_morphs(ossa_context *context, ossa_clip *clip, size_t morph_count)
{
	OSSAI_NEED(context, clip);
	const size_t frames = clip->frame_count;
	if (morph_count > 0 && frames > PTRDIFF_MAX / sizeof(double) / morph_count) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
			"%zu frames of %zu morph targets are more than this machine can address", frames, morph_count);
	}
	double *weights = morph_count > 0 ? ossa_alloc(context, frames * morph_count, sizeof *weights) : NULL;
	if (morph_count > 0 && !weights) return ossa_context_error(context)->status;
	ossa_free(context, clip->morph_weights);
	clip->morph_weights = weights;
	clip->morph_count = morph_count;
	return OSSA_OK;
}

ossa_status ossai_clip_take_morphs(ossa_context *context, const ossa_clip *from, size_t first, ossa_clip *clip)
{
	if (!from->morph_weights || clip->morph_weights || first + clip->frame_count > from->frame_count) return OSSA_OK;
	OSSAI_TRY(ossa_clip_add_morphs(context, clip, from->morph_count));
	const size_t count = clip->frame_count * clip->morph_count;
	if (count > 0) memcpy(clip->morph_weights, from->morph_weights + first * from->morph_count, count * sizeof(double));
	return OSSA_OK;
}

ossa_status ossai_clip_take_frame_morphs(
	ossa_context *context, const ossa_frame_stream *stream, const ossa_mesh *mesh, ossa_clip *clip)
{
	const size_t count = stream->morph_count;
	if (!clip || !stream->morph_weights || count != mesh->morph_count || clip->frame_count != stream->frame_count)
		return OSSA_OK;
	OSSAI_TRY(ossa_clip_add_morphs(context, clip, count));
	if (count > 0) memcpy(clip->morph_weights, stream->morph_weights, clip->frame_count * count * sizeof *clip->morph_weights);
	return OSSA_OK;
}

bool ossai_clip_moves_morph(const ossa_mesh *mesh, const ossa_clip *clip, size_t morph)
{
	if (!clip->morph_weights || morph >= clip->morph_count || mesh->morphs[morph].driver.bone[0]) return false;
	const double rest = mesh->morphs[morph].weight;
	for (size_t f = 0; f < clip->frame_count; f++) {
		if (fabs(clip->morph_weights[f * clip->morph_count + morph] - rest) > same * (1 + fabs(rest))) return true;
	}
	return false;
}

size_t ossai_clip_moved_morphs(const ossa_mesh *mesh, const ossa_clip *clip)
{
	size_t count = 0;
	for (size_t m = 0; m < clip->morph_count; m++) count += ossai_clip_moves_morph(mesh, clip, m);
	return count;
}

const ossa_clip *ossai_clip_for_frames(const ossa_clip *clip, bool morphs_at_rest, ossa_clip *bare)
{
	if (!clip || !clip->morph_weights || !morphs_at_rest) return clip;
	*bare = *clip;
	bare->morph_weights = NULL;
	bare->morph_count = 0;
	return bare;
}

/* ---- other meshes ---- */

/* by target of `mesh`: the first of `to` that has its name and no other counterpart, or
   OSSA_NONE */
static void pair_names(const ossa_mesh *mesh, const ossa_mesh *to, uint8_t *is_taken, uint32_t *counterpart)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		counterpart[m] = OSSA_NONE;
		for (size_t k = 0; k < to->morph_count && counterpart[m] == OSSA_NONE; k++) {
			if (is_taken[k] || strcmp(mesh->morphs[m].name, to->morphs[k].name) != 0) continue;
			counterpart[m] = (uint32_t)k;
			is_taken[k] = 1;
		}
	}
}

static ossa_status match(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_clip *from, const ossa_mesh *to, ossa_clip *clip, size_t *lost)
{
	uint32_t *counterpart = ossai_arena_new(arena, mesh->morph_count, sizeof *counterpart);
	uint8_t *is_taken = ossai_arena_zero(arena, to->morph_count, 1);
	if (!counterpart || !is_taken) return ossa_context_error(arena->context)->status;
	pair_names(mesh, to, is_taken, counterpart);
	OSSAI_TRY(ossa_clip_add_morphs(arena->context, clip, to->morph_count));
	for (size_t k = 0; k < to->morph_count; k++) {
		for (size_t f = 0; f < clip->frame_count; f++) clip->morph_weights[f * to->morph_count + k] = to->morphs[k].weight;
	}
	for (size_t m = 0; m < from->morph_count && m < mesh->morph_count; m++) {
		if (!ossai_clip_moves_morph(mesh, from, m)) continue;
		*lost += counterpart[m] == OSSA_NONE;
		for (size_t f = 0; f < clip->frame_count && counterpart[m] != OSSA_NONE; f++)
			clip->morph_weights[f * to->morph_count + counterpart[m]] = from->morph_weights[f * from->morph_count + m];
	}
	return OSSA_OK;
}

ossa_status ossai_clip_match_morphs(
	ossa_context *context, const ossa_mesh *mesh, const ossa_clip *from, const ossa_mesh *to, ossa_clip *clip, size_t *lost)
{
	*lost = 0;
	if (!from->morph_weights) return OSSA_OK;
	const size_t moved = ossai_clip_moved_morphs(mesh, from);
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = match(&arena, mesh, from, to, clip, lost);
	ossai_arena_end(&arena);
	/* nothing moves: nothing is there */
	if (status == OSSA_OK && *lost == moved) return ossa_clip_add_morphs(context, clip, 0);
	return status;
}

/* ---- bones at rest ---- */

static bool bone_rests(const ossa_bone *bones, const ossa_clip *clip, size_t frame, size_t b)
{
	const size_t at = frame * clip->bone_count + b;
	const ossai_quat rest = ossai_quat_unit(ossai_rest_rotation(bones, b));
	if (fabs(ossai_quat_dot(rest, ossai_quat_of(clip->rotations + 4 * at))) < 1 - same) return false;
	const bool is_root = bones[b].parent < 0;
	const ossai_vec3 place = is_root ? ossai_v3_of(bones[b].joint) : ossai_rest_offset(bones, b);
	if (!is_root && !clip->translations) return true;
	const ossai_vec3 now = ossai_v3_of(is_root ? clip->root_positions + 3 * frame : clip->translations + 3 * at);
	return ossai_distance(now, place) <= same * (1 + ossai_length(place));
}

bool ossai_clip_is_of_morphs(const ossa_rig *rig, const ossa_clip *clip)
{
	if (!clip->morph_weights || clip->bone_count != rig->skeleton.bone_count) return false;
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t b = 0; b < clip->bone_count; b++) {
			if (!bone_rests(rig->skeleton.bones, clip, f, b)) return false;
		}
	}
	return true;
}

/* ---- corrective shapes ---- */

/* in place: no column moves past one that is still to be read */
static void drop_columns(const ossa_mesh *mesh, ossa_clip *clip)
{
	size_t to = 0, left = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t m = 0; m < clip->morph_count; m++) {
			if (!mesh->morphs[m].driver.bone[0]) clip->morph_weights[to++] = clip->morph_weights[f * clip->morph_count + m];
		}
	}
	for (size_t m = 0; m < clip->morph_count; m++) left += !mesh->morphs[m].driver.bone[0];
	clip->morph_count = left;
}

void ossai_rig_drop_shapes(ossa_context *context, ossa_rig *rig)
{
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		if (ossai_clip_at(rig, i)->morph_weights) drop_columns(rig->mesh, ossai_clip_at(rig, i));
	}
	if (rig->free_clip && rig->free_clip->morph_weights) drop_columns(rig->mesh, rig->free_clip);
	ossai_morphs_drop_driven(context, rig->mesh);
}
