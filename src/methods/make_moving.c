/* methods/make_moving.c: a rig of moving input of any length.

   Place in the path: make_rig -> here -> examples, sequence, or a method for the rest shape; refit.
   Input: a mesh and a stream of frames.
   Output: a rig of the method with the smallest error, with its motion over all frames.
   The methods are tried on key frames (moving_attempts.c); the rig that is kept is fitted to all
   frames. */
#include "body/landmarks.h"
#include "methods/bodies/bodies.h"
#include "methods/motion_warnings.h"
#include "methods/moving_attempts.h"
#include "methods/moving_body.h"
#include "methods/reference.h"
#include "methods/rest_rig.h"
#include "methods/result_motion.h"
#include "methods/rig_options.h"
#include "methods/rig_warnings.h"
#include "rig/clip_morphs.h"
#include "rig/flatten.h"
#include "scene/frame_stream.h"

#include <string.h>

/* ---- frames ---- */

/* a copy of the mesh whose shape can be replaced by that of a frame */
static ossa_status copy_reference(ossai_moving_making *m)
{
	OSSAI_TRY(ossa_mesh_copy(m->context, m->making->mesh, &m->reference));
	m->making->mesh = m->reference;
	return OSSA_OK;
}

static ossa_status take_reference(ossai_moving_making *m)
{
	ossai_making *making = m->making;
	if (making->options->reference <= 0) return OSSA_OK;
	const size_t number = (size_t)making->options->reference, frames = ossa_frame_stream_frame_count(making->stream);
	if (number > frames || ossa_frame_stream_vertex_count(making->stream) != making->mesh->vertex_count) {
		return ossai_fail(
			m->context, OSSA_ERROR_ARGUMENT, NULL, "frame %zu cannot be the rest pose: there are %zu frames", number, frames);
	}
	OSSAI_TRY(copy_reference(m));
	return ossa_frame_stream_read(m->context, making->stream, number - 1, m->reference->positions);
}

/* the key frames are read before */
static ossa_status choose_reference(ossai_moving_making *m)
{
	size_t chosen = 0;
	if (m->making->options->reference != OSSA_REFERENCE_AUTO) return OSSA_OK;
	const size_t vertices = m->making->mesh->vertex_count;
	if (m->keys->vertex_count != vertices) return OSSA_OK;
	OSSAI_TRY(ossai_reference_choose(m->context, m->making->mesh, m->keys, &chosen));
	if (chosen == 0) return OSSA_OK;
	OSSAI_TRY(copy_reference(m));
	const float *shape = m->keys->positions + (chosen - 1) * 3 * vertices;
	memcpy(m->reference->positions, shape, 3 * vertices * sizeof *shape);
	return OSSA_OK;
}

static ossa_status take_keys(ossai_moving_making *m)
{
	const ossai_making *making = m->making;
	const size_t wanted = (size_t)making->options->key_frames;
	const size_t *which;
	ossai_arena arena = ossai_arena_begin(m->context);
	ossai_plan_window(m->context, 0, share_keys);
	const ossa_status status = ossai_frame_stream_take_keys(&arena, making->stream, making->mesh, wanted, &m->keys, &which);
	ossai_arena_end(&arena);
	return status;
}

/* ---- the body ---- */

static void warn_of_face_options(const ossai_moving_making *m)
{
	static const char why[] = "the bones of a face have no other parent than the head",
					  of_body[] = "the bones of a face are no body's";
	const ossa_rig_options *o = m->making->options;
	const char *landmark = ossai_landmarks_first(&o->landmarks);
	const ossai_unused unused[] = {{"root-bone", ossai_has_root_bone(o), why}, {"complete", o->complete, why},
		{"body", o->body != OSSA_BODY_AUTO && o->body != OSSA_BODY_NONE, of_body}, {landmark, landmark != NULL, of_body}};
	ossai_warn_of_unused_options(m->context, sizeof unused / sizeof *unused, unused);
}

/* bones that have names, root and motion already */
static void warn_of_moving_options(const ossai_moving_making *m)
{
	static const char why[] = "the bones are those of the rest shape";
	const ossa_rig_options *o = m->making->options;
	const ossai_unused unused[] = {{"root-bone", ossai_has_root_bone(o), why}, {"complete", o->complete, why},
		{"articulation", ossai_moving_is_face(m), why}};
	ossai_warn_of_unused_options(m->context, sizeof unused / sizeof *unused, unused);
}

static ossa_status take_body(ossai_moving_making *m)
{
	if (!m->result->method->takes_motion) {
		warn_of_moving_options(m);
		return OSSA_OK;
	}
	if (ossai_moving_is_face(m)) {
		warn_of_face_options(m);
		return ossai_rig_flatten(m->context, m->result->rig);
	}
	ossai_plan_window(m->context, share_rig, share_body);
	const ossa_rig_options *o = m->making->options;
	const ossai_moving_wish wish = {.rest_task = m->rest_task,
		.is_published = ossai_moving_is_published(m, ossai_method_index(m->result->method->name)),
		.is_planned = m->is_planned,
		.root_bone = o->root_bone,
		.names = o->names,
		.plane = m->plane};
	m->rest_task = NULL;
	if (m->rest_warnings) ossai_rest_rig_take_doubts(m->context, m->rest_warnings);
	return ossai_moving_take_body(m->context, &wish, m->result->rig, &m->rest);
}

/* the error of a bone's skin is that of the bone that it follows */
static ossa_status take_errors(ossai_moving_making *m, const uint32_t *source)
{
	const size_t bones = m->result->rig->skeleton.bone_count;
	double *errors = ossai_new(m->context, bones, sizeof *errors);
	if (!errors) return ossa_context_error(m->context)->status;
	for (size_t b = 0; b < bones; b++) errors[b] = m->result->bone_rms[source[b]];
	ossa_free(m->context, m->result->bone_rms);
	m->result->bone_rms = errors;
	return OSSA_OK;
}

/* After the motion of all frames is fitted: what is added stays still. Programs for humanoids want
   all bones of one. */
static ossa_status complete(ossai_moving_making *m)
{
	uint32_t *source = NULL;
	if (!(m->making->options->complete || m->is_planned) || !m->rest || !ossai_rest_rig_has_plan(m->rest)) return OSSA_OK;
	if (m->counterpart) OSSAI_TRY(ossai_rest_rig_mirror(m->context, &m->plane, m->counterpart, m->rest));
	ossa_status status = ossai_moving_complete(m->context, m->rest, m->result->rig, &source);
	if (status == OSSA_OK) status = take_errors(m, source);
	ossa_free(m->context, source);
	return status;
}

/* ---- bodies ---- */

/* the papers know one tree, and a rig of the rest shape has those of its method */
static bool looks_for_bodies(const ossai_moving_making *m)
{
	const ossai_candidates *candidates = &m->making->candidates;
	for (size_t i = 0; i < candidates->count; i++) {
		const size_t method = candidates->methods[i];
		if (!ossai_method_row_at(method)->method.takes_motion || ossai_moving_is_published(m, method)) return false;
	}
	return !ossai_moving_is_face(m) && m->making->options->roots == OSSA_ROOTS_AUTO;
}

/* is_done: there are several, and the result has their rig */
static ossa_status make_bodies(ossai_moving_making *m, bool *is_done)
{
	ossai_body_parts parts;
	*is_done = false;
	if (!looks_for_bodies(m)) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(m->context);
	ossa_status status = ossai_body_parts_find(&arena, m->making->mesh, m->keys, m->making->options->body, &parts);
	if (status == OSSA_OK && parts.count > 1) {
		*is_done = true;
		status = ossai_bodies_make(m->making, m->keys, &parts, share_keys, share_body);
	}
	ossai_arena_end(&arena);
	return status;
}

/* ---- all frames ---- */

static void wish_for_body(ossai_moving_making *m)
{
	const ossa_rig_options *o = m->making->options;
	m->wish = (ossai_rest_wish){.body = o->body, .landmarks = &o->landmarks, .leaves_props_out = true, .warns = true};
}

static ossa_status make_tree(ossai_moving_making *m)
{
	wish_for_body(m);
	OSSAI_TRY(ossai_moving_try_candidates(m));
	OSSAI_TRY(ossai_moving_keep_closest(m));
	ossai_explain_choice(ossai_moving_makes_drafts(m) ? "RMS of drafts" : "RMS", m->result);
	return take_body(m);
}

static ossa_status take_morphs(ossai_moving_making *m)
{
	const ossa_rig *rig = m->result->rig;
	OSSAI_TRY(ossai_clip_take_frame_morphs(m->context, m->making->stream, rig->mesh, rig->clip));
	return ossai_clip_take_frame_morphs(m->context, m->making->stream, rig->mesh, rig->free_clip);
}

static ossa_status make(ossai_moving_making *m)
{
	ossa_rig_result *result = m->result;
	/* key frames and bodies are found before any method looks at it */
	OSSAI_TRY(ossa_mesh_validate(m->context, m->making->mesh));
	OSSAI_TRY(take_reference(m));
	OSSAI_TRY(take_keys(m));
	OSSAI_TRY(choose_reference(m));
	result->frame_count = ossa_frame_stream_frame_count(m->making->stream);
	result->key_frame_count = m->keys->frame_count;
	bool has_bodies;
	OSSAI_TRY(make_bodies(m, &has_bodies));
	if (!has_bodies) OSSAI_TRY(make_tree(m));
	ossai_plan_window(m->context, share_body, 1);
	OSSAI_TRY(ossai_result_measure(m->context, m->keys, m->result));
	if (result->key_frame_count < result->frame_count) OSSAI_TRY(ossai_result_move(m->context, m->making->stream, m->result));
	ossai_warn_of_unexplained(m->context, result->rig, result->bone_rms);
	OSSAI_TRY(complete(m));
	return take_morphs(m);
}

ossa_status ossai_make_moving(ossai_making *making)
{
	ossai_moving_making m = {.making = making, .context = making->context, .result = making->result};
	const ossa_status status = make(&m);
	ossai_moving_stop_drafts(&m);
	ossa_frames_free(making->context, m.keys);
	ossa_mesh_free(making->context, m.reference);
	ossai_rest_rig_drop(making->context, m.rest_task);
	ossa_free(making->context, m.rest_warnings);
	ossa_rig_free(making->context, m.rest);
	return status;
}
