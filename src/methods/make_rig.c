/* methods/make_rig.c: a rig of any input, by the method that suits it.

   Input: a mesh, frames if it moves, options.
   Output: a rig with named bones, the method and the reason for it, errors.
   choose.c finds the candidates; make_still.c and make_moving.c try them and keep one rig. */
#include "methods/make_rig.h"

#include "body/landmarks.h"
#include "methods/draft.h"
#include "methods/rig_options.h"
#include "methods/rig_warnings.h"
#include "metrics/metrics.h"
#include "rig/bone_names.h"
#include "scene/frame_stream.h"

#include <ossa/dependencies.h>
#include <ossa/lods.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A later method replaces an earlier one where its RMS error is smaller by more than this, in % of
   the diagonal, and by more than this share of it: rounding must not choose between exact rigs, nor
   between equal ones. */
static const double LEAST_GAIN = 1e-3, LEAST_GAIN_SHARE = 0.01;

/* ---- attempts ---- */

void ossai_attempts_clear(ossai_making *m)
{
	for (size_t i = 0; i < OSSA_ATTEMPTS_MAX; i++) m->attempts[i] = (ossai_attempt){.rms_percent = NAN, .inside = NAN};
}

ossa_status ossai_attempts_begin(ossai_making *m)
{
	m->before = ossai_warnings_save(m->context);
	return m->before ? OSSA_OK : ossa_context_error(m->context)->status;
}

const char *ossai_attempt_name(const ossai_making *m, size_t candidate)
{
	return ossa_method_at(m->candidates.methods[candidate])->name;
}

ossa_status ossai_attempt_make(ossai_making *m, size_t candidate, const ossa_frames *frames)
{
	const size_t method = m->candidates.methods[candidate];
	const ossai_method_row *row = ossai_method_row_at(method);
	ossa_rig **rig = &m->attempts[candidate].rig;
	ossai_warnings_restore(m->context, m->before);
	OSSAI_TRY(
		row->make(m->context, m->mesh, row->method.takes_motion ? frames : NULL, ossai_options_of(m->options, method), rig));
	snprintf((*rig)->method, sizeof(*rig)->method, "%s", row->method.name);
	return OSSA_OK;
}

ossa_status ossai_attempt_begin_draft(ossai_making *m, size_t candidate, const ossa_frames *frames, const ossai_draft *earlier)
{
	const size_t method = m->candidates.methods[candidate];
	ossai_attempt *tried = &m->attempts[candidate];
	tried->draft = ossa_alloc(m->context, 1, sizeof *tried->draft);
	if (!tried->draft) return ossa_context_error(m->context)->status;
	ossai_warnings_restore(m->context, m->before);
	const ossai_drafter draft = ossai_method_row_at(method)->draft;
	const ossai_draft_start start = {.is_face = m->options->articulation == OSSA_ARTICULATION_FACE,
		.has_errors = m->stream && m->stream->is_carried,
		.draft_exchanges = m->options->effort == OSSA_EFFORT_BEST ? OSSAI_USUAL_EXCHANGES : 0,
		.exchanges = m->options->effort == OSSA_EFFORT_FAST ? 0 : OSSAI_USUAL_EXCHANGES,
		.earlier = earlier};
	OSSAI_TRY(draft(m->context, m->mesh, frames, ossai_options_of(m->options, method), &start, tried->draft));
	return ossai_attempt_keep_warnings(m, candidate);
}

static ossa_status keep_draft(ossai_making *m, size_t candidate)
{
	m->attempts[candidate].rms_percent = m->attempts[candidate].draft->rms_percent;
	return ossai_attempt_keep_warnings(m, candidate);
}

ossa_status ossai_attempt_run_draft(ossai_making *m, size_t candidate)
{
	ossai_warnings_restore(m->context, m->attempts[candidate].warnings);
	OSSAI_TRY(ossai_draft_run(m->attempts[candidate].draft));
	return keep_draft(m, candidate);
}

ossa_status ossai_attempt_wait_for_draft(ossai_making *m, size_t candidate)
{
	ossai_warnings_restore(m->context, m->attempts[candidate].warnings);
	OSSAI_TRY(ossai_draft_wait(m->context, m->attempts[candidate].draft));
	return keep_draft(m, candidate);
}

ossa_status ossai_attempt_finish(ossai_making *m, size_t candidate, ossa_rig *plan)
{
	ossai_attempt *tried = &m->attempts[candidate];
	ossai_warnings_restore(m->context, tried->warnings);
	OSSAI_TRY(ossai_draft_finish(tried->draft, plan, &tried->rig));
	snprintf(tried->rig->method, sizeof tried->rig->method, "%s", ossai_attempt_name(m, candidate));
	return ossai_attempt_keep_warnings(m, candidate);
}

ossa_status ossai_attempt_keep_warnings(ossai_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->attempts[candidate];
	ossa_free(m->context, tried->warnings);
	tried->warnings = ossai_warnings_save(m->context);
	return tried->warnings ? OSSA_OK : ossa_context_error(m->context)->status;
}

void ossai_attempt_take(ossai_making *m, size_t candidate)
{
	ossa_rig_result *result = m->result;
	result->method = ossa_method_at(m->candidates.methods[candidate]);
	result->rig = m->attempts[candidate].rig;
	ossai_warnings_restore(m->context, m->attempts[candidate].warnings);
	for (size_t i = 0; i < m->candidates.count; i++) {
		const ossa_method *method = ossa_method_at(m->candidates.methods[i]);
		if (!m->attempts[i].rig && !m->attempts[i].draft) continue;
		result->attempts[result->attempt_count++] = (ossa_attempt){method, m->attempts[i].rms_percent, m->attempts[i].inside};
	}
	m->attempts[candidate].rig = NULL;
}

void ossai_attempt_drop(ossai_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->attempts[candidate];
	ossa_rig_free(m->context, tried->rig);
	ossa_free(m->context, tried->warnings);
	if (tried->draft) ossai_draft_end(m->context, tried->draft);
	ossa_free(m->context, tried->draft);
	m->attempts[candidate] = (ossai_attempt){.rms_percent = NAN, .inside = NAN};
}

bool ossai_attempt_is_closer(const ossai_attempt *late, const ossai_attempt *early)
{
	const double gain = early->rms_percent - late->rms_percent;
	return gain > LEAST_GAIN && gain > LEAST_GAIN_SHARE * early->rms_percent;
}

void ossai_attempts_end(ossai_making *m)
{
	/* later drafts share what the first one has */
	for (size_t i = m->candidates.count; i-- > 0;) ossai_attempt_drop(m, i);
	ossa_free(m->context, m->before);
}

/* ---- the whole ---- */

/* of one mesh the methods' own option is used: typed code may have set the other one alone */
static bool is_body_unused(const ossa_rig_options *options)
{
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_option *body = ossai_method_option(m, "body");
		const char *own = ossai_options_of(options, m);
		if (body && *(const ossa_body_kind *)(own + body->offset) == options->body) return false;
	}
	return options->body != OSSA_BODY_AUTO;
}

/* likewise; landmarks of which a text set both are used */
static bool are_landmarks_unused(const ossa_rig_options *options)
{
	const char *first = ossai_landmarks_first(&options->landmarks);
	for (size_t m = 0; first && m < ossa_method_count(); m++) {
		const ossa_option *own = ossai_method_option(m, first);
		const char *values = ossai_options_of(options, m);
		if (own && ((const ossa_choice_or_point *)(values + own->offset))->choice != 0) return false;
	}
	return first != NULL;
}

static void warn_of_unused_options(const ossai_making *m)
{
	static const char why[] = "nothing moves", of_method[] = "for one mesh it is an option of the method";
	const ossa_rig_options usual = ossa_rig_default();
	const ossai_unused unused[] = {{"key-frames", m->options->key_frames != usual.key_frames, why},
		{"effort", m->options->effort != usual.effort, why}, {"reference", m->options->reference != usual.reference, why},
		{"root-bone", m->options->root_bone[0] && strcmp(m->options->root_bone, usual.root_bone) != 0, why},
		{"complete", m->options->complete, why}, {"articulation", m->options->articulation != usual.articulation, why},
		{"body", is_body_unused(m->options), of_method},
		{ossai_landmarks_first(&m->options->landmarks), are_landmarks_unused(m->options), of_method}};
	if (!m->stream) ossai_warn_of_unused_options(m->context, sizeof unused / sizeof *unused, unused);
}

/* twist bones have no error of their own */
static ossa_status extend_bone_rms(ossai_making *m, size_t added)
{
	ossa_rig_result *result = m->result;
	const size_t bones = result->rig->skeleton.bone_count;
	if (!result->bone_rms) return OSSA_OK;
	double *larger = ossa_alloc(m->context, bones, sizeof *larger);
	if (!larger) return ossa_context_error(m->context)->status;
	for (size_t b = 0; b < bones; b++) larger[b] = b + added < bones ? result->bone_rms[b] : NAN;
	ossa_free(m->context, result->bone_rms);
	result->bone_rms = larger;
	return OSSA_OK;
}

/* by the names' roles; twist bones come later, as coarser levels go without */
static ossa_status add_levels(ossai_making *m)
{
	ossa_rig *rig = m->result->rig;
	return rig->last_level ? OSSA_OK : ossa_rig_find_levels(m->context, rig, m->options->levels);
}

static ossa_status add_twist(ossai_making *m)
{
	size_t added;
	OSSAI_TRY(ossa_rig_add_twist(m->context, m->result->rig, m->options->twist, &added));
	const ossai_unused unused = {"twist", added == 0, "no arms or legs were recognized"};
	ossai_warn_of_unused_options(m->context, 1, &unused);
	return extend_bone_rms(m, added);
}

/* a whole number or a choice among the options of the method; 1 where it has none of that name */
static int option_of(const ossai_making *m, const char *name)
{
	const size_t method = ossai_method_index(m->result->method->name);
	const ossa_option *option = ossai_method_option(method, name);
	const char *options = ossai_options_of(m->options, method);
	const bool is_whole = option && (option->type == OSSA_OPTION_INT || option->type == OSSA_OPTION_CHOICE);
	return is_whole ? *(const int *)(options + option->offset) : 1;
}

/* With a number of bones, or as published, the bones of one mesh are not those of its body; their
   names are. */
static bool is_body_left(const ossai_making *m)
{
	const bool is_of_shape = option_of(m, "bones") > 0 || option_of(m, "refine") == 0;
	return !m->stream && is_of_shape && option_of(m, "body") != OSSA_BODY_NONE;
}

static ossa_status make(ossai_making *m)
{
	warn_of_unused_options(m);
	OSSAI_TRY(ossai_choose_methods(m->context, m->options, m->stream != NULL, &m->candidates));
	OSSAI_TRY(m->stream ? ossai_make_moving(m) : ossai_make_still(m));
	/* methods name bones by body parts, which other programs' names follow; twist bones are called
	   after these */
	const ossa_bone_names names = m->options->names;
	if (names == OSSA_NAMES_NUMBERS) OSSAI_TRY(ossai_rig_name_bones(m->context, m->result->rig, names));
	else if (is_body_left(m)) OSSAI_TRY(ossa_rig_name_bones(m->context, m->result->rig, OSSA_NAMES_BODY));
	OSSAI_TRY(add_levels(m));
	if (m->stream) OSSAI_TRY(ossa_rig_find_dependencies(m->context, m->result->rig));
	if (m->options->twist > 0) OSSAI_TRY(add_twist(m));
	return names > OSSA_NAMES_NUMBERS ? ossa_rig_name_bones(m->context, m->result->rig, names) : OSSA_OK;
}

ossa_status ossa_rig_make(
	ossa_context *context, const ossa_rig_input *input, const ossa_rig_options *options, ossa_rig_result *result)
{
	const ossa_rig_options usual = ossa_rig_default();
	ossa_rig_result made = {.hierarchy = ossai_no_metrics(), .free_bones = ossai_no_metrics()};
	if (result) *result = made;
	if (context && !input) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the ossa_rig_input is NULL");
	if (!context || !input->mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the mesh of ossa_rig_input is NULL: set one to make a rig of");
	}
	ossai_making m = {.context = context,
		.mesh = input->mesh,
		.stream = input->frames,
		.options = options ? options : &usual,
		.result = &made};
	ossai_attempts_clear(&m);
	const ossa_status status = make(&m);
	ossai_plan_window(context, 0, 0);
	ossai_attempts_end(&m);
	if (status != OSSA_OK || !result) ossa_rig_result_free(context, &made);
	if (result) *result = made;
	return status;
}

void ossa_rig_result_free(ossa_context *context, ossa_rig_result *result)
{
	if (!result) return;
	ossa_rig_free(context, result->rig);
	ossa_free(context, result->bone_rms);
	result->rig = NULL;
	result->bone_rms = NULL;
}
