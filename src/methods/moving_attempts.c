/* methods/moving_attempts.c: see moving_attempts.h.

   Refinement finds a local minimum, and neither merged faces nor grouped seeds are the better start
   for all inputs: unless a method is named, both make a draft, and the better one is finished
   (docs/sequence.md, which method). */
#include "methods/moving_attempts.h"

#include "body/landmarks.h"
#include "methods/draft.h"
#include "methods/rig_warnings.h"

#include <ossa/motion.h>

#include <string.h>

/* progress: what is done when the surfaces are found, and when methods are compared by drafts */
static const double share_surfaces = 0.1, share_drafts = 0.6;

bool ossai_moving_is_face(const ossai_moving_making *m) { return m->making->options->articulation == OSSA_ARTICULATION_FACE; }

/* where its bones, names and root are of use */
static bool wants_body(const ossai_moving_making *m)
{
	const ossai_method_row *first = ossai_method_row_at(m->making->candidates.methods[0]);
	return !ossai_moving_is_face(m) && first->method.takes_motion &&
		(m->wish.body != OSSA_BODY_NONE || ossai_landmarks_first(m->wish.landmarks));
}

/* of a rig that was made from the rest shape alone: its motion */
static ossa_status fit_keys(ossai_moving_making *m, ossa_rig *rig)
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

bool ossai_moving_is_published(const ossai_moving_making *m, size_t method)
{
	const ossa_option *refine = ossai_method_option(method, "refine");
	const char *options = ossai_options_of(m->making->options, method);
	return refine && refine->type == OSSA_OPTION_INT && *(const int *)(options + refine->offset) == 0;
}

static ossa_status measure_whole(ossai_moving_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->making->attempts[candidate];
	ossa_metrics metrics;
	OSSAI_TRY(ossa_rig_measure(m->context, tried->rig, NULL, NULL, m->keys, &metrics));
	tried->rms_percent = metrics.rms_percent;
	return OSSA_OK;
}

static ossa_status try_whole(ossai_moving_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->making->attempts[candidate];
	OSSAI_TRY(ossai_attempt_make(m->making, candidate, m->keys));
	if (!ossa_method_at(m->making->candidates.methods[candidate])->takes_motion) OSSAI_TRY(fit_keys(m, tried->rig));
	return measure_whole(m, candidate);
}

/* errors of drafts and of whole rigs do not compare: all candidates make drafts, or none */
bool ossai_moving_makes_drafts(const ossai_moving_making *m)
{
	const ossai_candidates *candidates = &m->making->candidates;
	for (size_t i = 0; i < candidates->count; i++) {
		const size_t method = candidates->methods[i];
		if (!ossai_method_row_at(method)->draft || ossai_moving_is_published(m, method)) return false;
	}
	return true;
}

/* with the least effort the first method makes the rig */
static void take_effort(ossai_moving_making *m)
{
	const ossa_effort effort = m->making->options->effort;
	const ossai_unused unused = {"effort", effort == OSSA_EFFORT_BEST && !ossai_moving_makes_drafts(m),
		"only the refined methods for motion make drafts: without `refine 0`"};
	ossai_warn_of_unused_options(m->context, 1, &unused);
	if (effort == OSSA_EFFORT_FAST) m->making->candidates.count = 1;
}

/* One step of every candidate. The first method must succeed; a later one may refuse the input
   (nothing moves). */
static ossa_status for_each(
	ossai_moving_making *m, double begin, double end, ossa_status (*step)(ossai_moving_making *m, size_t candidate))
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

static ossa_status try_method(ossai_moving_making *m, size_t candidate)
{
	OSSAI_TRY(try_whole(m, candidate));
	return ossai_attempt_keep_warnings(m->making, candidate);
}

static ossai_draft *draft_of(ossai_moving_making *m, size_t candidate) { return m->making->attempts[candidate].draft; }

/* what groups seeds makes the rig of the rest shape by itself */
static ossa_status begin_draft(ossai_moving_making *m, size_t candidate)
{
	const ossai_draft *first = candidate > 0 ? draft_of(m, 0) : NULL;
	OSSAI_TRY(ossai_attempt_begin_draft(m->making, candidate, m->keys, first));
	ossai_draft *draft = draft_of(m, candidate);
	if (wants_body(m) && draft->work.options.parts == OSSA_PARTS_SPECTRAL) draft->rest_wish = &m->wish;
	return candidate > 0 ? ossai_draft_run_beside(draft) : OSSA_OK;
}

static ossa_status take_rest(ossai_moving_making *m, ossai_draft *draft)
{
	if (!draft->rest || m->rest) return OSSA_OK;
	m->rest_warnings = ossai_warnings_save(m->context);
	if (!m->rest_warnings) return ossa_context_error(m->context)->status;
	return ossai_draft_take_rest(m->context, draft, &m->rest);
}

static ossa_status end_draft(ossai_moving_making *m, size_t candidate)
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

static bool makes_rest_rig(ossai_moving_making *m)
{
	for (size_t i = 0; i < m->making->candidates.count; i++) {
		if (draft_of(m, i) && draft_of(m, i)->rest_wish) return true;
	}
	return false;
}

/* the rig of the rest shape depends on no draft */
static ossa_status begin_rest_rig(ossai_moving_making *m)
{
	if (!wants_body(m) || makes_rest_rig(m)) return OSSA_OK;
	return ossai_rest_rig_begin(m->context, m->making->mesh, &m->wish, &m->rest_task);
}

ossa_status ossai_moving_try_candidates(ossai_moving_making *m)
{
	take_effort(m);
	OSSAI_TRY(ossai_attempts_begin(m->making));
	if (!ossai_moving_makes_drafts(m)) {
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

bool ossai_has_root_bone(const ossa_rig_options *options)
{
	const ossa_rig_options usual = ossa_rig_default();
	return options->root_bone[0] && strcmp(options->root_bone, usual.root_bone) != 0;
}

/* Whether a human's bones are to be joined as programs for humanoids expect: who asks for a number
   of bones, or for a root, wants those that the motion shows. */
static bool wants_plan(const ossai_moving_making *m, const ossai_draft *draft)
{
	const ossa_rig_options *o = m->making->options;
	return o->articulation == OSSA_ARTICULATION_AUTO && draft->work.options.bones == 0 && !ossai_has_root_bone(o);
}

/* what is made beside all drafts is needed before one of them is finished */
static ossa_status wait_for_rest(ossai_moving_making *m)
{
	if (!m->rest_task) return OSSA_OK;
	ossai_rest_task *task = m->rest_task;
	m->rest_task = NULL;
	OSSAI_TRY(ossai_rest_rig_end(m->context, task, &m->rest));
	m->rest_warnings = ossai_warnings_save(m->context);
	return m->rest_warnings ? OSSA_OK : ossa_context_error(m->context)->status;
}

static ossa_status finish(ossai_moving_making *m, size_t candidate)
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

ossa_status ossai_moving_keep_closest(ossai_moving_making *m)
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

void ossai_moving_stop_drafts(ossai_moving_making *m)
{
	for (size_t i = 0; i < m->making->candidates.count; i++) {
		if (draft_of(m, i)) ossai_draft_stop(m->context, draft_of(m, i));
	}
}
