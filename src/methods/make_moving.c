/* methods/make_moving.c: a rig of moving input of any length.

   Place in the path: make_rig -> here -> examples, sequence, or a method for the rest shape; refit.
   Input: a mesh and a stream of frames.
   Output: a rig of the method with the smallest error, with its motion over all frames.
   Refinement finds a local minimum, and neither merged faces nor grouped seeds are the better start
   for all inputs: unless a method is named, both make a draft, and the better one is finished
   (docs/sequence.md, which method). */
#include "body/landmarks.h"
#include "methods/bodies/bodies.h"
#include "methods/draft.h"
#include "methods/motion_warnings.h"
#include "methods/moving_body.h"
#include "methods/reference.h"
#include "methods/rest_rig.h"
#include "methods/result_motion.h"
#include "methods/rig_options.h"
#include "methods/rig_warnings.h"
#include "rig/clip_morphs.h"
#include "rig/flatten.h"
#include "scene/frame_stream.h"

#include <ossa/fit.h>
#include <ossa/motion.h>

#include <string.h>

/* progress: what is done when the key frames are read, when the surfaces are found, when methods
   are compared by drafts, when the rig is made from the key frames, and when its body is known */
static const double share_keys = 0.05, share_surfaces = 0.1, share_drafts = 0.6, share_rig = 0.85, share_body = 0.9;

typedef struct moving {
	ossai_making *making;
	ossa_context *context;
	ossa_mesh *reference; /* the mesh in the shape of the reference frame, or NULL */
	ossa_frames *keys;    /* the frames that the rig is made from */
	/* the rig of the rest shape alone, or NULL: made by a draft, which wants to know its limbs, or
	   beside what is made */
	ossa_rig *rest;
	ossai_rest_wish wish;
	ossai_rest_task *rest_task;
	ossai_warnings *rest_warnings; /* of the draft that made it */
	bool has_no_rest;              /* the draft could not make what a person insists on */
	ossai_mirror plane;            /* of a symmetric rig, in the mesh's units */
	const uint32_t *counterpart;   /* likewise: the draft's; else NULL */
	bool is_planned;               /* bones are a human's, in its tree */
	ossa_rig_result *result;
} moving;

/* ---- frames ---- */

/* a copy of the mesh whose shape can be replaced by that of a frame */
static ossa_status copy_reference(moving *m)
{
	OSSAI_TRY(ossa_mesh_copy(m->context, m->making->mesh, &m->reference));
	m->making->mesh = m->reference;
	return OSSA_OK;
}

static ossa_status take_reference(moving *m)
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
static ossa_status choose_reference(moving *m)
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

static ossa_status take_keys(moving *m)
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

/* ---- methods ---- */

static bool is_face(const moving *m) { return m->making->options->articulation == OSSA_ARTICULATION_FACE; }

/* where its bones, names and root are of use */
static bool wants_body(const moving *m)
{
	const ossai_method_row *first = ossai_method_row_at(m->making->candidates.methods[0]);
	return !is_face(m) && first->method.takes_motion &&
		(m->wish.body != OSSA_BODY_NONE || ossai_landmarks_first(m->wish.landmarks));
}

static void wish_for_body(moving *m)
{
	const ossa_rig_options *o = m->making->options;
	m->wish = (ossai_rest_wish){.body = o->body, .landmarks = &o->landmarks, .warns = true};
}

/* of a rig that was made from the rest shape alone: its motion */
static ossa_status fit_keys(moving *m, ossa_rig *rig)
{
	ossa_frame_stream *keys = NULL;
	ossa_motion_fit *fit = NULL;
	ossa_status status = ossa_frame_stream_of_frames(m->context, m->keys, &keys);
	if (status == OSSA_OK) status = ossa_rig_fit_motion(m->context, rig, keys, NULL, &fit);
	if (status == OSSA_OK) ossa_rig_take_motion(m->context, rig, fit);
	ossa_motion_fit_free(m->context, fit);
	ossa_frame_stream_free(m->context, keys);
	return status;
}

/* whether a method makes the rig of its paper: `refine 0` */
static bool is_published(const moving *m, size_t method)
{
	const ossa_option *refine = ossai_method_option(method, "refine");
	const char *options = ossai_options_of(m->making->options, method);
	return refine && refine->type == OSSA_OPTION_INT && *(const int *)(options + refine->offset) == 0;
}

static ossa_status measure_whole(moving *m, size_t candidate)
{
	ossai_attempt *tried = &m->making->attempts[candidate];
	ossa_metrics metrics;
	OSSAI_TRY(ossa_rig_measure(m->context, tried->rig, NULL, NULL, m->keys, &metrics));
	tried->rms_percent = metrics.rms_percent;
	return OSSA_OK;
}

static ossa_status try_whole(moving *m, size_t candidate)
{
	ossai_attempt *tried = &m->making->attempts[candidate];
	OSSAI_TRY(ossai_attempt_make(m->making, candidate, m->keys));
	if (!ossa_method_at(m->making->candidates.methods[candidate])->takes_motion) OSSAI_TRY(fit_keys(m, tried->rig));
	return measure_whole(m, candidate);
}

/* errors of drafts and of whole rigs do not compare: all candidates make drafts, or none */
static bool makes_drafts(const moving *m)
{
	const ossai_candidates *candidates = &m->making->candidates;
	for (size_t i = 0; i < candidates->count; i++) {
		const size_t method = candidates->methods[i];
		if (!ossai_method_row_at(method)->draft || is_published(m, method)) return false;
	}
	return true;
}

/* with the least effort the first method makes the rig */
static void take_effort(moving *m)
{
	const ossa_effort effort = m->making->options->effort;
	const ossai_unused unused = {"effort", effort == OSSA_EFFORT_BEST && !makes_drafts(m),
		"only the refined methods for motion make drafts: without `refine 0`"};
	ossai_warn_of_unused_options(m->context, 1, &unused);
	if (effort == OSSA_EFFORT_FAST) m->making->candidates.count = 1;
}

/* One step of every candidate. The first method must succeed; a later one may refuse the input
   (nothing moves). */
static ossa_status for_each(moving *m, double begin, double end, ossa_status (*step)(moving *m, size_t candidate))
{
	const size_t count = m->making->candidates.count;
	const double share = (end - begin) / (double)count;
	for (size_t i = 0; i < count; i++) {
		ossai_plan_window(m->context, begin + share * (double)i, begin + share * (double)(i + 1));
		const ossa_status status = step(m, i);
		if (status != OSSA_OK && (i == 0 || status != OSSA_ERROR_INPUT || m->has_no_rest)) return status;
		if (status != OSSA_OK) ossai_attempt_drop(m->making, i);
	}
	return OSSA_OK;
}

static ossa_status try_method(moving *m, size_t candidate)
{
	OSSAI_TRY(try_whole(m, candidate));
	return ossai_attempt_keep_warnings(m->making, candidate);
}

static ossai_draft *draft_of(moving *m, size_t candidate) { return m->making->attempts[candidate].draft; }

/* what groups seeds makes the rig of the rest shape by itself */
static ossa_status begin_draft(moving *m, size_t candidate)
{
	const ossai_draft *first = candidate > 0 ? draft_of(m, 0) : NULL;
	OSSAI_TRY(ossai_attempt_begin_draft(m->making, candidate, m->keys, first));
	ossai_draft *draft = draft_of(m, candidate);
	if (wants_body(m) && draft->work.options.parts == OSSA_PARTS_SPECTRAL) draft->rest_wish = &m->wish;
	return candidate > 0 ? ossai_draft_run_beside(draft) : OSSA_OK;
}

static ossa_status take_rest(moving *m, ossai_draft *draft)
{
	if (!draft->rest || m->rest) return OSSA_OK;
	m->rest_warnings = ossai_warnings_save(m->context);
	if (!m->rest_warnings) return ossa_context_error(m->context)->status;
	return ossai_draft_take_rest(m->context, draft, &m->rest);
}

static ossa_status end_draft(moving *m, size_t candidate)
{
	ossai_draft *draft = draft_of(m, candidate);
	if (!draft) return OSSA_OK;
	const ossa_status status = candidate > 0 ? ossai_attempt_wait_for_draft(m->making, candidate)
											 : ossai_attempt_run_draft(m->making, candidate);
	m->has_no_rest = m->has_no_rest || draft->has_no_rest;
	/* a draft that refuses the input has it all the same */
	if (status == OSSA_OK || status == OSSA_ERROR_INPUT) OSSAI_TRY(take_rest(m, draft));
	return status;
}

static bool makes_rest_rig(moving *m)
{
	for (size_t i = 0; i < m->making->candidates.count; i++) {
		if (draft_of(m, i) && draft_of(m, i)->rest_wish) return true;
	}
	return false;
}

/* the rig of the rest shape depends on no draft */
static ossa_status begin_rest_rig(moving *m)
{
	if (!wants_body(m) || makes_rest_rig(m)) return OSSA_OK;
	return ossai_rest_rig_begin(m->context, m->making->mesh, &m->wish, &m->rest_task);
}

static ossa_status try_all(moving *m)
{
	OSSAI_TRY(ossai_attempts_begin(m->making));
	if (!makes_drafts(m)) {
		OSSAI_TRY(begin_rest_rig(m));
		return for_each(m, share_keys, share_rig, try_method);
	}
	OSSAI_TRY(for_each(m, share_keys, share_surfaces, begin_draft));
	OSSAI_TRY(begin_rest_rig(m));
	return for_each(m, share_surfaces, share_drafts, end_draft);
}

static size_t find_closest(const ossai_making *m)
{
	size_t closest = 0;
	for (size_t i = 1; i < m->candidates.count; i++) {
		const ossai_attempt *tried = &m->attempts[i];
		if ((tried->rig || tried->draft) && ossai_attempt_is_closer(tried, &m->attempts[closest])) closest = i;
	}
	return closest;
}

static bool has_root_bone(const ossa_rig_options *o)
{
	const ossa_rig_options usual = ossa_rig_default();
	return o->root_bone[0] && strcmp(o->root_bone, usual.root_bone) != 0;
}

/* Whether a human's bones are to be joined as programs for humanoids expect: who asks for a number
   of bones, or for a root, wants those that the motion shows. */
static bool wants_plan(const moving *m, const ossai_draft *draft)
{
	const ossa_rig_options *o = m->making->options;
	return o->articulation == OSSA_ARTICULATION_AUTO && draft->work.options.bones == 0 && !has_root_bone(o);
}

/* what is made beside all drafts is needed before one of them is finished */
static ossa_status wait_for_rest(moving *m)
{
	if (!m->rest_task) return OSSA_OK;
	ossai_rest_task *task = m->rest_task;
	m->rest_task = NULL;
	OSSAI_TRY(ossai_rest_rig_end(m->context, task, &m->rest));
	m->rest_warnings = ossai_warnings_save(m->context);
	return m->rest_warnings ? OSSA_OK : ossa_context_error(m->context)->status;
}

static ossa_status finish(moving *m, size_t candidate)
{
	const ossai_draft *draft = draft_of(m, candidate);
	ossa_rig *plan = NULL;
	if (wants_plan(m, draft)) {
		OSSAI_TRY(wait_for_rest(m));
		if (m->rest && ossai_rest_rig_is_human(m->rest, &m->wish)) plan = m->rest;
	}
	OSSAI_TRY(ossai_attempt_finish(m->making, candidate, plan));
	m->plane = draft->plane;
	m->counterpart = draft->counterpart;
	m->is_planned = draft->is_planned;
	return OSSA_OK;
}

static ossa_status keep_closest(moving *m)
{
	const size_t closest = find_closest(m->making);
	ossai_plan_window(m->context, share_drafts, share_rig);
	const ossai_attempt *chosen = &m->making->attempts[closest];
	if (!chosen->rig) OSSAI_TRY(finish(m, closest));
	/* nothing was compared with its draft */
	if (m->making->candidates.count == 1 && chosen->draft) OSSAI_TRY(measure_whole(m, closest));
	ossai_attempt_take(m->making, closest);
	return OSSA_OK;
}

/* ---- the body ---- */

static void warn_of_face_options(const moving *m)
{
	static const char why[] = "the bones of a face have no other parent than the head",
					  of_body[] = "the bones of a face are no body's";
	const ossa_rig_options *o = m->making->options;
	const char *landmark = ossai_landmarks_first(&o->landmarks);
	const ossai_unused unused[] = {{"root-bone", has_root_bone(o), why}, {"complete", o->complete, why},
		{"body", o->body != OSSA_BODY_AUTO && o->body != OSSA_BODY_NONE, of_body}, {landmark, landmark != NULL, of_body}};
	ossai_warn_of_unused_options(m->context, sizeof unused / sizeof *unused, unused);
}

/* bones that have names, root and motion already */
static void warn_of_moving_options(const moving *m)
{
	static const char why[] = "the bones are those of the rest shape";
	const ossa_rig_options *o = m->making->options;
	const ossai_unused unused[] = {
		{"root-bone", has_root_bone(o), why}, {"complete", o->complete, why}, {"articulation", is_face(m), why}};
	ossai_warn_of_unused_options(m->context, sizeof unused / sizeof *unused, unused);
}

static ossa_status take_body(moving *m)
{
	if (!m->result->method->takes_motion) {
		warn_of_moving_options(m);
		return OSSA_OK;
	}
	if (is_face(m)) {
		warn_of_face_options(m);
		return ossai_rig_flatten(m->context, m->result->rig);
	}
	ossai_plan_window(m->context, share_rig, share_body);
	const ossa_rig_options *o = m->making->options;
	const ossai_moving_wish wish = {.rest_task = m->rest_task,
		.is_published = is_published(m, ossai_method_index(m->result->method->name)),
		.is_planned = m->is_planned,
		.root_bone = o->root_bone,
		.names = o->names,
		.plane = m->plane};
	m->rest_task = NULL;
	if (m->rest_warnings) ossai_rest_rig_take_doubts(m->context, m->rest_warnings);
	return ossai_moving_take_body(m->context, &wish, m->result->rig, &m->rest);
}

/* the error of a bone's skin is that of the bone that it follows */
static ossa_status take_errors(moving *m, const uint32_t *source)
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
static ossa_status complete(moving *m)
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
static bool looks_for_bodies(const moving *m)
{
	const ossai_candidates *candidates = &m->making->candidates;
	for (size_t i = 0; i < candidates->count; i++) {
		const size_t method = candidates->methods[i];
		if (!ossai_method_row_at(method)->method.takes_motion || is_published(m, method)) return false;
	}
	return !is_face(m) && m->making->options->roots == OSSA_ROOTS_AUTO;
}

/* is_done: there are several, and the result has their rig */
static ossa_status make_bodies(moving *m, bool *is_done)
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

static ossa_status make_tree(moving *m)
{
	take_effort(m);
	wish_for_body(m);
	OSSAI_TRY(try_all(m));
	OSSAI_TRY(keep_closest(m));
	ossai_explain_choice(makes_drafts(m) ? "RMS of drafts" : "RMS", m->result);
	return take_body(m);
}

static ossa_status take_morphs(moving *m)
{
	const ossa_rig *rig = m->result->rig;
	OSSAI_TRY(ossai_clip_take_frame_morphs(m->context, m->making->stream, rig->mesh, rig->clip));
	return ossai_clip_take_frame_morphs(m->context, m->making->stream, rig->mesh, rig->free_clip);
}

static ossa_status make(moving *m)
{
	ossa_rig_result *result = m->result;
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

/* after an error one may still run on what is freed next */
static void stop_drafts(moving *m)
{
	for (size_t i = 0; i < m->making->candidates.count; i++) {
		if (draft_of(m, i)) ossai_draft_stop(m->context, draft_of(m, i));
	}
}

ossa_status ossai_make_moving(ossai_making *making)
{
	moving m = {.making = making, .context = making->context, .result = making->result};
	const ossa_status status = make(&m);
	stop_drafts(&m);
	ossa_frames_free(making->context, m.keys);
	ossa_mesh_free(making->context, m.reference);
	ossai_rest_rig_drop(making->context, m.rest_task);
	ossa_free(making->context, m.rest_warnings);
	ossa_rig_free(making->context, m.rest);
	return status;
}
