/* methods/make_still.c: a rig of one mesh that does not move.

   Place in the path: make_rig -> here -> contraction, volume.
   Input: a mesh.
   Output: the rig of the method that suits it best, and the reason.
   Contraction follows the surface and separates limbs that touch; volume follows what is enclosed,
   whatever holes the surface has. The first candidate is tried; where it fails, or leaves bones
   outside of the shape, the next one is, and the better rig is kept (still_attempt.h). */
#include "methods/bodies/bodies.h"
#include "methods/still_attempt.h"
#include "base/format.h"

#include <stdio.h>
#include <string.h>

/* whether the attempt has warned of it */
static bool has_warned(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		if (strcmp(ossa_context_warning(context, i)->code, code) == 0) return true;
	}
	return false;
}

/* of the options that decide what is a limb, those that are not at their defaults */
static void warn_of_hidden_limbs(const ossai_making *m, size_t method)
{
	static const char *const names[] = {"proxy", "proxy-size", "spurs", "voxel-size"};
	const ossa_option_table *table = ossa_method_at(method)->option_table();
	char text[128] = "", own[64], usual[64];
	size_t used = 0, count = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const ossa_option *option = ossa_option_find(table, names[i]);
		if (!option) continue;
		ossa_option_print(option, ossai_options_of(m->options, method), own, sizeof own);
		ossa_option_print(option, table->defaults, usual, sizeof usual);
		if (strcmp(own, usual) == 0) continue;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s`%s`", count++ > 0 ? ", " : "", names[i]);
	}
	if (count == 0) return;
	ossai_warn(m->context, "hidden-limbs", (int64_t)count,
		"the shape may have limbs that are not found because of %s, which %s not at %s", text, count == 1 ? "is" : "are",
		count == 1 ? "its default" : "their defaults");
}

static ossa_status try_method(ossai_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->attempts[candidate];
	OSSAI_TRY(ossai_attempt_make(m, candidate, NULL));
	tried->has_no_limbs = has_warned(m->context, "no-limbs");
	if (tried->has_no_limbs) warn_of_hidden_limbs(m, m->candidates.methods[candidate]);
	tried->leaves_parts_out = has_warned(m->context, "voxel-parts");
	tried->has_props = has_warned(m->context, "props");
	OSSAI_TRY(ossai_attempt_keep_warnings(m, candidate));
	/* a single candidate is not compared */
	return m->candidates.count > 1 ? ossai_still_attempt_measure_inside(m->context, tried) : OSSA_OK;
}

/* where one method cannot rig a mesh, another may */
static bool may_continue(ossa_status status) { return status == OSSA_ERROR_INPUT || status == OSSA_ERROR_LIMIT; }

/* whether the candidate replaces the best so far, if there is one */
static bool is_better(ossai_making *m, size_t candidate, size_t best)
{
	if (best == m->candidates.count) return true;
	ossai_still_attempt_measure_distance(&m->attempts[candidate]);
	ossai_still_attempt_measure_distance(&m->attempts[best]);
	return ossai_still_attempt_is_better(&m->attempts[candidate], &m->attempts[best]);
}

/* best: the candidate to keep; tried: how many were tried */
static ossa_status try_in_turn(ossai_making *m, size_t *best, size_t *tried)
{
	const size_t count = m->candidates.count;
	ossa_status status = OSSA_OK;
	*best = count;
	for (*tried = 0; *tried < count; ++*tried) {
		const size_t i = *tried;
		if (*best < count && ossai_still_attempt_is_enough(&m->attempts[*best])) return OSSA_OK;
		if (count > 1) ossai_plan_window(m->context, (double)i / (double)count, (double)(i + 1) / (double)count);
		status = try_method(m, i);
		if (status != OSSA_OK && !may_continue(status)) return status;
		if (status != OSSA_OK) ossai_attempt_drop(m, i);
		if (status == OSSA_OK && is_better(m, i, *best)) *best = i;
	}
	return *best < count ? OSSA_OK : status;
}

/* ---- the reason ---- */

/* "contraction and volume cannot rig it": the methods that failed */
static size_t print_failures(const ossai_making *m, size_t tried, char *text, size_t size)
{
	size_t used = 0, count = 0;
	for (size_t i = 0; i < tried && used < size; i++) {
		if (m->attempts[i].rig) continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", count++ > 0 ? " and " : "", ossai_attempt_name(m, i));
	}
	if (count > 0 && used < size) snprintf(text + used, size - used, " cannot rig it");
	return count;
}

static const char *shortcoming(const ossai_attempt *attempt, const ossai_attempt *best)
{
	if (attempt == best) return "";
	if (ossai_still_attempt_is_partial(attempt, best)) return ", which has bones in a part of the shape only";
	return ossai_still_attempt_lacks_loops(attempt, best) ? ", which lacks a loop of the shape" : "";
}

/* "97 % of the bones' length is inside by contraction, 80 % by volume" */
static void print_shares(const ossai_making *m, size_t tried, size_t best, char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < tried && used < size; i++) {
		const ossai_attempt *attempt = &m->attempts[i];
		if (!attempt->rig) continue;
		used += (size_t)ossai_format(text + used, size - used, "%s%.0f %%%s by %s%s", used > 0 ? ", " : "",
			100 * attempt->inside, used > 0 ? "" : " of the bones' length is inside", ossai_attempt_name(m, i),
			shortcoming(attempt, &m->attempts[best]));
	}
}

static void explain(const ossai_making *m, size_t tried, size_t best, char *reason, size_t size)
{
	char failures[160] = "";
	const size_t failed = print_failures(m, tried, failures, sizeof failures);
	if (m->candidates.count == 1) reason[0] = 0;
	else if (m->attempts[best].has_no_limbs) snprintf(reason, size, "the shape has no limbs");
	else if (tried - failed > 1) print_shares(m, tried, best, reason, size);
	else if (!m->attempts[0].rig) snprintf(reason, size, "%s", failures);
	else {
		ossai_format(reason, size, "%.0f %% of its bones' length is inside%s%s", 100 * m->attempts[0].inside,
			failed > 0 ? ", and " : "", failures);
	}
}

/* as one body */
static ossa_status make_one(ossai_making *m)
{
	ossa_rig_result *result = m->result;
	size_t best, tried;
	OSSAI_TRY(ossai_attempts_begin(m));
	OSSAI_TRY(try_in_turn(m, &best, &tried));
	ossai_plan_window(m->context, 0, 0);
	explain(m, tried, best, result->reason, sizeof result->reason);
	ossai_attempt_take(m, best);
	return ossa_rig_measure(m->context, result->rig, NULL, NULL, NULL, &result->hierarchy);
}

ossa_status ossai_make_still(ossai_making *m)
{
	bool are_several;
	OSSAI_TRY(ossai_still_bodies_make(m, &are_several));
	return are_several ? OSSA_OK : make_one(m);
}
