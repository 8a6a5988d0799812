/* edit/state.c: see state.h. */
#include "edit/state.h"

#include "rig/clips.h"
#include "rig/dependencies.h"

#include <string.h>

/* ---- copies ---- */

ossa_status ossai_weights_copy(ossa_context *context, const ossa_weights *weights, ossa_weights *copy)
{
	const size_t pairs = weights->vertex_count * (size_t)weights->influences;
	*copy = (ossa_weights){.vertex_count = weights->vertex_count, .influences = weights->influences};
	if (!weights->bones) return OSSA_OK;
	copy->bones = ossai_new(context, pairs, sizeof *copy->bones);
	copy->values = ossai_new(context, pairs, sizeof *copy->values);
	if (!copy->bones || !copy->values) return ossa_context_error(context)->status;
	memcpy(copy->bones, weights->bones, pairs * sizeof *copy->bones);
	memcpy(copy->values, weights->values, pairs * sizeof *copy->values);
	return OSSA_OK;
}

/* `count` items of `from` (NULL: none), or NULL with the error set where memory is short */
static ossa_status copy_items(ossa_context *context, const void *from, size_t count, size_t size, void *to_pointer)
{
	void *to = NULL;
	if (from) {
		to = ossai_new(context, count, size);
		if (!to) return ossa_context_error(context)->status;
		if (count > 0) memcpy(to, from, count * size);
	}
	memcpy(to_pointer, &to, sizeof to);
	return OSSA_OK;
}

static ossa_status copy_clip(void *context, const ossa_clip *clip, ossa_clip **copy)
{
	return ossa_clip_copy(context, clip, copy);
}

/* `to` must not point to what it does not own yet: after an early return it is freed */
static ossa_status copy_parts(ossa_context *context, const ossa_rig *from, ossa_rig *to)
{
	const size_t bones = from->skeleton.bone_count;
	to->skeleton.bone_count = bones;
	OSSAI_TRY(copy_items(context, from->skeleton.bones, bones, sizeof *from->skeleton.bones, &to->skeleton.bones));
	OSSAI_TRY(ossai_weights_copy(context, &from->weights, &to->weights));
	if (from->free_weights.vertex_count > 0) OSSAI_TRY(ossai_weights_copy(context, &from->free_weights, &to->free_weights));
	ossai_clips clips;
	OSSAI_TRY(ossai_clips_change(context, from, copy_clip, context, &clips));
	ossai_clips_put(to, &clips);
	if (from->free_clip) OSSAI_TRY(ossa_clip_copy(context, from->free_clip, &to->free_clip));
	OSSAI_TRY(copy_items(context, from->loops, from->loop_count, sizeof *from->loops, &to->loops));
	to->loop_count = from->loop_count;
	OSSAI_TRY(ossai_dependencies_copy(context, from, NULL, &to->dependencies, &to->dependency_count));
	return copy_items(context, from->last_level, bones, 1, &to->last_level);
}

static ossa_status copy_rig(ossa_context *context, const ossa_rig *from, const ossa_rig *shared, ossa_rig **copy)
{
	*copy = ossa_alloc(context, 1, sizeof **copy);
	if (!*copy) return ossa_context_error(context)->status;
	memcpy((*copy)->method, from->method, sizeof from->method);
	(*copy)->level_count = from->level_count;
	(*copy)->body = from->body;
	(*copy)->mesh = shared->mesh;
	(*copy)->merges = shared->merges;
	(*copy)->face_clusters = shared->face_clusters;
	(*copy)->merge_count = shared->merge_count;
	return copy_parts(context, from, *copy);
}

ossa_status ossai_state_begin(ossa_context *context, const ossa_rig *rig, const ossa_rig *shared, ossai_edit_state **result)
{
	const size_t bones = rig->skeleton.bone_count;
	*result = NULL;
	ossai_edit_state *state = ossa_alloc(context, 1, sizeof *state);
	if (!state) return ossa_context_error(context)->status;
	ossa_status status = copy_rig(context, rig, shared, &state->rig);
	if (status == OSSA_OK) {
		state->marks = ossa_alloc(context, bones, sizeof *state->marks);
		status = state->marks ? OSSA_OK : ossa_context_error(context)->status;
	}
	for (size_t b = 0; status == OSSA_OK && b < bones; b++) state->marks[b] = (ossai_bone_mark){(uint32_t)b, OSSA_NONE, 0};
	state->next_id = (uint32_t)bones;
	if (status == OSSA_OK) *result = state;
	else ossai_state_free(context, state);
	return status;
}

static ossa_status copy_bounds(ossa_context *context, const ossai_edit_state *from, ossai_edit_state *to)
{
	OSSAI_TRY(copy_items(context, from->holds, from->hold_count, sizeof *from->holds, &to->holds));
	to->hold_count = to->hold_capacity = from->hold_count;
	if (from->bound_count == 0) return OSSA_OK;
	to->bounds = ossai_new(context, from->bound_count, sizeof *to->bounds);
	if (!to->bounds) return ossa_context_error(context)->status;
	to->bound_capacity = from->bound_count;
	for (; to->bound_count < from->bound_count; to->bound_count++) {
		const ossai_bound *bound = &from->bounds[to->bound_count];
		ossai_bound *copy = &to->bounds[to->bound_count];
		*copy = *bound;
		OSSAI_TRY(copy_items(context, bound->line, bound->line ? strlen(bound->line) + 1 : 0, 1, &copy->line));
	}
	return OSSA_OK;
}

static ossa_status copy_state(ossa_context *context, const ossai_edit_state *from, ossai_edit_state *to)
{
	to->next_id = from->next_id;
	to->is_solved = from->is_solved;
	to->facts = from->facts;
	OSSAI_TRY(copy_rig(context, from->rig, from->rig, &to->rig));
	OSSAI_TRY(copy_items(context, from->marks, from->rig->skeleton.bone_count, sizeof *from->marks, &to->marks));
	return copy_bounds(context, from, to);
}

ossa_status ossai_state_copy(ossa_context *context, const ossai_edit_state *state, ossai_edit_state **copy)
{
	*copy = NULL;
	ossai_edit_state *made = ossa_alloc(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	const ossa_status status = copy_state(context, state, made);
	if (status == OSSA_OK) *copy = made;
	else ossai_state_free(context, made);
	return status;
}

void ossai_state_free(ossa_context *context, ossai_edit_state *state)
{
	if (!state) return;
	if (state->rig) {
		state->rig->mesh = NULL;
		state->rig->merges = NULL;
		state->rig->face_clusters = NULL;
		ossa_rig_free(context, state->rig);
	}
	for (size_t i = 0; i < state->bound_count; i++) ossa_free(context, state->bounds[i].line);
	ossa_free(context, state->bounds);
	ossa_free(context, state->holds);
	ossa_free(context, state->marks);
	ossa_free(context, state);
}

/* ---- questions ---- */

static size_t weights_size(const ossa_weights *weights)
{
	return weights->vertex_count * (size_t)weights->influences * (sizeof *weights->bones + sizeof *weights->values);
}

static size_t clip_size(const ossa_clip *clip)
{
	if (!clip) return 0;
	const size_t numbers = clip->frame_count * (4 + clip->bone_count * (clip->translations ? 7 : 4) + clip->morph_count);
	return sizeof *clip + numbers * sizeof(double);
}

size_t ossai_state_size(const ossai_edit_state *state)
{
	const ossa_rig *rig = state->rig;
	size_t size = sizeof *state + sizeof *rig;
	size += rig->skeleton.bone_count * (sizeof *rig->skeleton.bones + sizeof *state->marks + 1);
	size += weights_size(&rig->weights) + weights_size(&rig->free_weights) + clip_size(rig->free_clip);
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) size += clip_size(ossa_rig_clip_at(rig, i));
	size += rig->dependency_count * sizeof *rig->dependencies;
	size += rig->loop_count * sizeof *rig->loops + state->hold_count * sizeof *state->holds;
	for (size_t i = 0; i < state->bound_count; i++) {
		size += sizeof *state->bounds + (state->bounds[i].line ? strlen(state->bounds[i].line) + 1 : 0);
	}
	return size;
}

int32_t ossai_state_bone(const ossai_edit_state *state, uint32_t id)
{
	for (size_t b = 0; b < state->rig->skeleton.bone_count; b++) {
		if (state->marks[b].id == id) return (int32_t)b;
	}
	return -1;
}

/* ---- constraints' bones ---- */

bool ossai_is_held(const ossai_edit_state *state, size_t count, ossai_hold wanted)
{
	for (size_t i = 0; i < count; i++) {
		const ossai_hold *held = &state->holds[i];
		if (held->bound == wanted.bound && held->side == wanted.side && held->id == wanted.id) return true;
	}
	return false;
}

ossa_status ossai_state_hold(ossa_context *context, ossai_edit_state *state, ossai_hold added)
{
	if (ossai_is_held(state, state->hold_count, added)) return OSSA_OK;
	OSSAI_TRY(ossai_reserve(context, &state->holds, &state->hold_capacity, state->hold_count, sizeof *state->holds));
	size_t at = state->hold_count++;
	/* after those of its constraint and side */
	for (; at > 0; at--) {
		const ossai_hold *before = &state->holds[at - 1];
		if (before->bound < added.bound || (before->bound == added.bound && before->side <= added.side)) break;
		state->holds[at] = *before;
	}
	state->holds[at] = added;
	return OSSA_OK;
}
