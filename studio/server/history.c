/* studio/server/history.c: the steps of a session that replace what is open: opening, rigging,
   carrying a motion; and the name of the session, whatever is open.

   Place in the path: jobs begin a step before they change the state; "undo", "redo" and "goto"
   move between steps.  A step is the state with the names of its files as it was left, its edits
   among them: going back copies nothing and computes nothing.  The sweep keeps files that a step
   names. */
#include "server.h"

#include <string.h>

enum { STEPS_MAX = 64 };

static json_t *steps_of(json_t *facts, const char *key)
{
	json_t *list = json_object_get(facts, key);
	if (json_is_array(list)) return list;
	json_object_set_new(facts, key, json_array());
	return json_object_get(facts, key);
}

size_t studio_history_past(json_t *facts) { return json_array_size(steps_of(facts, "past")); }

/* the current state as a step; exports are the session's, whatever step is shown */
static json_t *step_of(const json_t *facts)
{
	json_t *state = json_deep_copy(json_object_get(facts, "state"));
	json_object_del(state, "exports");
	json_object_del(state, "history");
	return json_pack("{s:o, s:o, s:O*}", "state", state, "stored", json_deep_copy(json_object_get(facts, "stored")),
		"key_frames", json_object_get(facts, "key_frames"));
}

/* what the page lists of a step */
static json_t *described(const json_t *step)
{
	const json_t *state = json_object_get(step, "state"), *edits = json_object_get(state, "edits");
	json_t *named = json_object_get(state, "step");
	const char *verb = json_string_value(json_object_get(named, "do"));
	const char *words = json_string_value(json_object_get(named, "words"));
	return json_pack("{s:s, s:s, s:I}", "do", verb ? verb : "open", "words", words ? words : "", "edits",
		(json_int_t)json_array_size(json_object_get(edits, "done")));
}

static json_t *described_all(const json_t *steps)
{
	json_t *list = json_array();
	for (size_t i = 0; i < json_array_size(steps); i++) json_array_append_new(list, described(json_array_get(steps, i)));
	return list;
}

static void tell(json_t *facts)
{
	const json_t *dropped = json_object_get(facts, "steps_dropped");
	json_object_set_new(studio_state_of(facts), "history",
		json_pack("{s:o, s:o, s:I}", "past", described_all(steps_of(facts, "past")), "future",
			described_all(steps_of(facts, "future")), "dropped", json_integer_value(dropped)));
}

/* the oldest steps go where there are too many, or where the session has no space for another */
static void trim(const studio_work *work)
{
	json_t *facts = work->facts, *past = steps_of(facts, "past");
	const uint64_t limit = work->session->studio->options.session_limit;
	const bool is_full = limit > 0 && studio_folder_bytes(work->session->path) > limit / 4 * 3;
	const size_t most = is_full ? json_array_size(past) / 2 : STEPS_MAX;
	json_int_t dropped = json_integer_value(json_object_get(facts, "steps_dropped"));
	for (; json_array_size(past) > most; dropped++) json_array_remove(past, 0);
	json_object_set_new(facts, "steps_dropped", json_integer(dropped));
}

void studio_history_begin(studio_work *work)
{
	json_t *facts = work->facts;
	if (!json_is_object(json_object_get(studio_state_of(facts), "mesh"))) return;
	json_array_append_new(steps_of(facts, "past"), step_of(facts));
	json_array_clear(steps_of(facts, "future"));
	trim(work);
}

void studio_history_branch(studio_work *work)
{
	json_array_clear(steps_of(work->facts, "future"));
	tell(work->facts);
}

void studio_history_end(studio_work *work, const char *words)
{
	const char *verb = json_string_value(json_object_get(work->wanted, "do"));
	json_t *text = json_string(words);
	json_object_set_new(studio_state_of(work->facts), "step",
		json_pack("{s:s, s:o}", "do", verb ? verb : "", "words", text ? text : json_string("")));
	tell(work->facts);
}

/* puts a step in the place of the current state; takes it */
static void show(json_t *facts, json_t *step)
{
	json_t *state = json_object_get(step, "state");
	json_object_set(state, "exports", json_object_get(studio_state_of(facts), "exports"));
	json_object_set(facts, "state", state);
	json_object_set(facts, "stored", json_object_get(step, "stored"));
	json_object_set(facts, "key_frames", json_object_get(step, "key_frames"));
	json_decref(step);
}

static json_t *taken(json_t *steps, size_t index)
{
	json_t *step = json_incref(json_array_get(steps, index));
	json_array_remove(steps, index);
	return step;
}

ossa_status studio_history_go(studio_work *work, size_t target)
{
	json_t *facts = work->facts, *past = steps_of(facts, "past"), *future = steps_of(facts, "future");
	if (target > json_array_size(past) + json_array_size(future)) {
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"step\": give a whole number from 0 to %zu",
			json_array_size(past) + json_array_size(future));
	}
	while (json_array_size(past) > target) {
		json_array_insert_new(future, 0, step_of(facts));
		show(facts, taken(past, json_array_size(past) - 1));
	}
	while (json_array_size(past) < target) {
		json_array_append_new(past, step_of(facts));
		show(facts, taken(future, 0));
	}
	tell(facts);
	/* warnings and costs of another rig */
	ossa_context_free(work->session->history);
	work->session->history = NULL;
	work->changes_state = true;
	return OSSA_OK;
}

/* ---- the jobs ---- */

static size_t count_of(const studio_work *work, const char *key)
{
	const json_t *edits = json_object_get(studio_state_of(work->facts), "edits");
	return json_array_size(json_object_get(edits, key));
}

/* edits that a step began with are part of it */
static size_t first_edit(const studio_work *work)
{
	const json_t *edits = json_object_get(studio_state_of(work->facts), "edits");
	return (size_t)json_integer_value(json_object_get(edits, "first"));
}

ossa_status studio_work_undo(studio_work *work)
{
	const size_t past = studio_history_past(work->facts);
	if (count_of(work, "done") > first_edit(work)) return studio_edit_undo(work);
	if (past == 0) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "there is nothing to undo");
	return studio_history_go(work, past - 1);
}

ossa_status studio_work_redo(studio_work *work)
{
	if (count_of(work, "undone") > 0) return studio_edit_redo(work);
	if (json_array_size(steps_of(work->facts, "future")) == 0) {
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "there is nothing to redo");
	}
	return studio_history_go(work, studio_history_past(work->facts) + 1);
}

ossa_status studio_work_goto(studio_work *work)
{
	const json_t *step = json_object_get(work->wanted, "step");
	if (!step) return studio_edit_goto(work);
	if (!json_is_integer(step) || json_integer_value(step) < 0) {
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"step\": give a whole number");
	}
	STUDIO_TRY(studio_history_go(work, (size_t)json_integer_value(step)));
	return json_object_get(work->wanted, "count") ? studio_edit_goto(work) : OSSA_OK;
}

ossa_status studio_work_name(studio_work *work)
{
	json_t *name = json_object_get(work->wanted, "name");
	const size_t length = json_string_length(name);
	if (length == 0 || length >= STUDIO_NAME_SIZE) {
		return studio_work_fail(
			work, OSSA_ERROR_ARGUMENT, "\"name\": give the session a name of up to %d bytes", STUDIO_NAME_SIZE - 1);
	}
	json_object_set_new(work->facts, "name", json_string(json_string_value(name)));
	work->changes_state = true;
	return OSSA_OK;
}
