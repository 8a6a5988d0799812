/* methods/choose.c: see choose.h.

   Where no method is named, the candidates are the methods that are tried for such input and have
   every option that was set. Where there are none, the only other method that has all these options
   is taken: `--voxel-size` with poses means volume. */
#include "methods/choose.h"

#include "base/format.h"
#include "base/options.h"

#include <stdio.h>
#include <string.h>

/* what a method is needed for */
typedef enum purpose {
	FOR_ANYTHING,
	/* a method for motion cannot rig one mesh, but a method for one mesh can rig the rest of
	   frames */
	FOR_STILL,
	TRIED_FOR_STILL,
	TRIED_FOR_MOTION
} purpose;

static bool serves_purpose(size_t method, purpose wanted)
{
	const ossai_method_row *row = ossai_method_row_at(method);
	switch (wanted) {
	case FOR_ANYTHING: return true;
	case FOR_STILL: return row->method.takes_still;
	case TRIED_FOR_STILL: return row->is_tried && row->method.takes_still;
	case TRIED_FOR_MOTION: return row->is_tried && row->method.takes_motion;
	}
	return false;
}

/* the first of the `count` options that were set which the method does not have, or NULL */
static const char *first_missing(const ossa_rig_options *options, size_t method, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!ossai_method_option(method, ossai_given_at(options, i))) return ossai_given_at(options, i);
	}
	return NULL;
}

static void find_candidates(const ossa_rig_options *options, purpose wanted, ossai_candidates *found)
{
	found->count = 0;
	for (size_t m = 0; m < ossa_method_count() && found->count < OSSA_ATTEMPTS_MAX; m++) {
		if (!serves_purpose(m, wanted) || first_missing(options, m, ossai_given_count(options))) continue;
		found->methods[found->count++] = m;
	}
}

/* ---- contradictions ---- */

static bool any_has(purpose wanted, const char *one, const char *other)
{
	for (size_t m = 0; m < ossa_method_count(); m++) {
		if (serves_purpose(m, wanted) && ossai_method_option(m, one) && ossai_method_option(m, other)) return true;
	}
	return false;
}

/* the most options that were set, from the first on, that one method has */
static size_t count_together(const ossa_rig_options *options, purpose wanted)
{
	size_t most = 0;
	for (size_t m = 0; m < ossa_method_count(); m++) {
		size_t count = 0;
		if (!serves_purpose(m, wanted)) continue;
		while (count < ossai_given_count(options) && ossai_method_option(m, ossai_given_at(options, count))) count++;
		if (count > most) most = count;
	}
	return most;
}

/* no method has all options: the message names two that no method has together, if there are two */
static ossa_status refuse_options(ossa_context *context, const ossa_rig_options *options, purpose wanted)
{
	for (size_t i = 0; i < ossai_given_count(options); i++) {
		const char *name = ossai_given_at(options, i);
		if (any_has(wanted, name, name)) continue;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` has no meaning for one mesh that does not move", name);
	}
	const size_t last = count_together(options, wanted);
	const char *late = ossai_given_at(options, last);
	for (size_t i = 0; i < last; i++) {
		const char *early = ossai_given_at(options, i);
		if (any_has(wanted, early, late)) continue;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"`%s` and `%s` are options of different methods; no method has both", early, late);
	}
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"`%s` and the options before it are of different methods; no method has all of them", late);
}

/* several methods have the options, and none of them is tried for such input unless it is named */
static ossa_status ask_for_method(
	ossa_context *context, const ossa_rig_options *options, bool moves, const ossai_candidates *several)
{
	char list[256] = "";
	const char *name = ossai_given_at(options, 0);
	for (size_t i = 0, used = 0; i < several->count && used < sizeof list; i++) {
		const char *method = ossa_method_at(several->methods[i])->name;
		used += (size_t)snprintf(list + used, sizeof list - used, "%s`method %s`", i > 0 ? " or " : "", method);
	}
	/* the option that the first of the methods that are tried does not have */
	for (size_t m = 0; m < ossa_method_count(); m++) {
		if (!serves_purpose(m, moves ? TRIED_FOR_MOTION : TRIED_FOR_STILL)) continue;
		name = first_missing(options, m, ossai_given_count(options));
		break;
	}
	if (moves) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"`%s` has no meaning for input that moves; add %s to rig its rest shape", name, list);
	}
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"`%s` is an option of methods that are not tried unless they are named; add %s", name, list);
}

/* ---- the choice ---- */

static bool is_named(const ossa_rig_options *options) { return ossa_method_find(options->method) != NULL; }

/* method_options can point to any struct; the cookie identifies it */
static ossa_status check_struct(ossa_context *context, const ossa_rig_options *options)
{
	const size_t method = ossai_method_index(options->method);
	const ossa_option_table *own = ossa_method_at(method)->option_table();
	const void *values = ossai_options_of(options, method);
	for (size_t m = 0; own->cookie != 0 && m < ossa_method_count(); m++) {
		const ossa_option_table *other = ossa_method_at(m)->option_table();
		if (m == method || other->cookie == 0 || !ossai_cookies_alike(*(const uint32_t *)values, other->cookie)) continue;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"method_options is an ossa_%s_options, and the method is %s: give an ossa_%s_options", other->name, own->name,
			own->name);
	}
	return ossa_options_check(context, own, values);
}

static ossa_status check_named(ossa_context *context, const ossa_rig_options *options)
{
	const size_t method = ossai_method_index(options->method);
	const char *missing = first_missing(options, method, ossai_given_count(options));
	if (!missing) return check_struct(context, options);
	return ossai_fail(
		context, OSSA_ERROR_ARGUMENT, NULL, "`%s` has no meaning for the method %s", missing, ossa_method_at(method)->name);
}

static ossa_status take_named(ossa_context *context, const ossa_rig_options *options, bool moves, ossai_candidates *candidates)
{
	const size_t method = ossai_method_index(options->method);
	*candidates = (ossai_candidates){.count = 1, .methods = {method}};
	if (moves || serves_purpose(method, FOR_STILL)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"the method %s needs motion, and there is one mesh that does not move: add poses of it, or choose another method",
		ossa_method_at(method)->name);
}

ossa_status ossa_rig_options_check(ossa_context *context, const ossa_rig_options *options)
{
	OSSAI_NEED(context, options);
	ossai_candidates any;
	OSSAI_TRY(ossa_options_check(context, ossa_rig_option_table(), options));
	if (is_named(options)) return check_named(context, options);
	if (options->method_options) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"method_options are those of one method, and `method` is auto: name the method, or change the structs of "
			"`methods`");
	}
	for (size_t m = 0; m < ossa_method_count(); m++) {
		OSSAI_TRY(ossa_options_check(context, ossa_method_at(m)->option_table(), ossai_options_of(options, m)));
	}
	find_candidates(options, FOR_ANYTHING, &any);
	return any.count > 0 ? OSSA_OK : refuse_options(context, options, FOR_ANYTHING);
}

ossa_status ossai_choose_methods(
	ossa_context *context, const ossa_rig_options *options, bool moves, ossai_candidates *candidates)
{
	const purpose possible = moves ? FOR_ANYTHING : FOR_STILL;
	OSSAI_TRY(ossa_rig_options_check(context, options));
	if (is_named(options)) return take_named(context, options, moves, candidates);
	find_candidates(options, moves ? TRIED_FOR_MOTION : TRIED_FOR_STILL, candidates);
	if (candidates->count > 0) return OSSA_OK;
	find_candidates(options, possible, candidates);
	if (candidates->count == 0) return refuse_options(context, options, possible);
	const bool is_open = candidates->count > 1 && ossai_given_count(options) > 0;
	return is_open ? ask_for_method(context, options, moves, candidates) : OSSA_OK;
}

/* ---- in words ---- */

void ossai_explain_choice(const char *what, ossa_rig_result *result)
{
	size_t used = 0;
	char *text = result->reason;
	const size_t size = sizeof result->reason;
	for (size_t i = 0; result->attempt_count > 1 && i < result->attempt_count && used < size; i++) {
		const ossa_attempt *tried = &result->attempts[i];
		used += (size_t)ossai_format(
			text + used, size - used, "%s %.4f %% by %s", used == 0 ? what : ",", tried->rms_percent, tried->method->name);
	}
	const bool of_keys = used > 0 && used < size && result->key_frame_count < result->frame_count;
	if (of_keys) snprintf(text + used, size - used, ", over the frames that they were made from");
}
