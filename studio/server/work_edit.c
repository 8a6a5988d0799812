/* studio/server/work_edit.c: the jobs "edit", "undo", "redo" and "goto": edits of the rig and the
   solving that follows from them.

   Place in the path: behind jobs.c, over ossa/edit.h.  The editor stays in memory from one job to
   the next (the desk); after a restart it is made again: the log is replayed on the rig that
   edits began with, which gives the same bytes. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 4096 };

struct studio_desk {
	/* the file of the rig that edits began with; the desk is valid for that one alone */
	char base[64];
	studio_work *work; /* the job that uses it now */
	bool is_ahead;     /* edits that the written state has */
	size_t fresh;      /* edits that this job has done */
	int64_t changed;   /* vertices whose weights they have changed; -1: not known */
	ossa_context *context;
	ossa_rig *rig; /* what edits began with */
	studio_frames frames;
	ossa_editor *editor;
};

void studio_desk_free(studio_desk *desk)
{
	if (!desk) return;
	ossa_editor_free(desk->context, desk->editor);
	ossa_rig_free(desk->context, desk->rig);
	studio_unmap_frames(&desk->frames);
	ossa_context_free(desk->context);
	free(desk);
}

void studio_desk_commit(studio_session *session, bool is_kept)
{
	studio_desk *desk = session->desk;
	if (!desk || !desk->is_ahead) return;
	desk->is_ahead = false;
	if (is_kept) return;
	/* its edits did not become the session's state */
	studio_desk_free(desk);
	session->desk = NULL;
}

/* an error of the desk's context as the job's */
static ossa_status pass(studio_desk *desk, ossa_status status)
{
	if (status == OSSA_OK || desk->work->message[0]) return status;
	return studio_work_fail(desk->work, status, "%s", ossa_context_error(desk->context)->message);
}

/* ---- making the desk ---- */

static ossa_status load_base(studio_desk *desk)
{
	studio_work *work = desk->work;
	char path[STUDIO_PATH_SIZE];
	if (!studio_path(path, sizeof path, work->session->path, desk->base)) return OSSA_ERROR_READ;
	STUDIO_TRY(studio_rig_load(desk->context, path, &desk->rig, work->message, sizeof work->message));
	if (studio_map_frames(work->session, work->facts, &desk->frames)) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_INPUT, "the session's frames are missing or damaged: open the input again");
}

static ossa_status do_lines(studio_desk *desk, const json_t *lines, double from, double to)
{
	const size_t count = json_array_size(lines);
	for (size_t i = 0; i < count; i++) {
		const double step = (to - from) / (double)count;
		studio_work_part(desk->work, from + (double)i * step, from + (double)(i + 1) * step);
		STUDIO_TRY(pass(desk, ossa_editor_do_line(desk->context, desk->editor, json_string_value(json_array_get(lines, i)))));
	}
	return OSSA_OK;
}

/* the history of the state, done once more */
static ossa_status replay(studio_desk *desk)
{
	const json_t *edits = json_object_get(studio_state_of(desk->work->facts), "edits");
	const json_t *done = json_object_get(edits, "done"), *undone = json_object_get(edits, "undone");
	STUDIO_TRY(do_lines(desk, done, 0, 0.4));
	STUDIO_TRY(do_lines(desk, undone, 0.4, 0.5));
	for (size_t i = 0; i < json_array_size(undone); i++) STUDIO_TRY(pass(desk, ossa_editor_undo(desk->context, desk->editor)));
	return OSSA_OK;
}

static ossa_status fill_desk(studio_desk *desk)
{
	if (!studio_make_context(desk->work, &desk->context)) return OSSA_ERROR_MEMORY;
	STUDIO_TRY(load_base(desk));
	const ossa_frames *frames = &desk->frames.frames;
	const bool fits = frames->frame_count > 0 && desk->rig->clip && desk->rig->clip->frame_count == frames->frame_count;
	STUDIO_TRY(pass(desk, ossa_editor_create(desk->context, desk->rig, fits ? frames : NULL, &desk->editor)));
	return replay(desk);
}

/* the existing desk, or a new one made from the state */
static ossa_status take_desk(studio_work *work, studio_desk **taken)
{
	studio_session *session = work->session;
	const char *base = json_string_value(json_object_get(json_object_get(work->facts, "stored"), "base"));
	if (!base) return studio_work_fail(work, OSSA_ERROR_INPUT, "there is no rig to edit yet");
	if (session->desk && strcmp(session->desk->base, base) == 0) {
		session->desk->work = work;
		*taken = session->desk;
		return OSSA_OK;
	}
	studio_desk_free(session->desk);
	session->desk = NULL;
	studio_desk *desk = calloc(1, sizeof *desk);
	if (!desk) return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory");
	snprintf(desk->base, sizeof desk->base, "%s", base);
	desk->work = work;
	const ossa_status status = fill_desk(desk);
	desk->work = NULL;
	if (status == OSSA_OK) {
		session->desk = *taken = desk;
		desk->work = work;
	} else studio_desk_free(desk);
	return status;
}

/* ---- the state after edits ---- */

static json_t *lines_json(const ossa_editor *editor, size_t first, size_t end)
{
	json_t *list = json_array();
	for (size_t i = first; i < end; i++) json_array_append_new(list, json_string(ossa_editor_line(editor, i)));
	return list;
}

static json_t *constraints_json(const ossa_editor *editor)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_editor_constraint_count(editor); i++) {
		const ossa_constraint constraint = ossa_editor_constraint(editor, i);
		json_array_append_new(list,
			json_pack("{s:I, s:I, s:s, s:b}", "number", (json_int_t)i + 1, "edit", (json_int_t)constraint.edit, "line",
				constraint.line, "on", constraint.is_on));
	}
	return list;
}

static json_t *solved_json(const ossa_solve_facts *facts)
{
	if (!facts) return json_null();
	return json_pack("{s:b, s:b, s:b, s:b, s:I, s:I, s:o, s:o, s:o}", "weights", facts->weights, "tree", facts->tree, "joints",
		facts->joints, "motion", facts->motion, "bones_changed", (json_int_t)facts->bones_changed, "vertices_changed",
		(json_int_t)facts->vertices_changed, "before", studio_metrics_json(ossa_metrics_table(), &facts->before), "after",
		studio_metrics_json(ossa_metrics_table(), &facts->after), "cpu_seconds", studio_real(facts->cpu_seconds));
}

/* The number of edits after each job that did some: edits of one job are undone together. `fresh`
   edits were done now, and nothing can be redone after them. */
static json_t *steps_json(const json_t *before, size_t done, size_t all, size_t fresh)
{
	json_t *steps = json_array();
	const size_t kept = fresh > 0 ? done - fresh : all;
	size_t last = 0;
	for (size_t i = 0; i < json_array_size(before); i++) {
		const size_t count = (size_t)json_integer_value(json_array_get(before, i));
		if (count <= last || count > kept) continue;
		json_array_append_new(steps, json_integer((json_int_t)count));
		last = count;
	}
	if (fresh == 0) return steps;
	/* where the history ends inside a step */
	if (kept > last) json_array_append_new(steps, json_integer((json_int_t)kept));
	json_array_append_new(steps, json_integer((json_int_t)done));
	return steps;
}

static void tell_edits(studio_work *work, const ossa_editor *editor, size_t fresh)
{
	json_t *state = studio_state_of(work->facts);
	const json_t *before = json_object_get(json_object_get(state, "edits"), "steps");
	const size_t done = ossa_editor_done_count(editor), all = done + ossa_editor_undone_count(editor);
	const json_int_t first = json_integer_value(json_object_get(json_object_get(state, "edits"), "first"));
	json_object_set_new(state, "edits",
		json_pack("{s:o, s:o, s:o, s:b, s:I}", "done", lines_json(editor, 0, done), "undone", lines_json(editor, done, all),
			"steps", steps_json(before, done, all, fresh), "stale", ossa_editor_is_stale(editor), "first", first));
	json_object_set_new(state, "constraints", constraints_json(editor));
	json_object_set_new(state, "solved", solved_json(ossa_editor_facts(editor)));
}

static ossa_status store_log(studio_desk *desk)
{
	studio_work *work = desk->work;
	char path[STUDIO_PATH_SIZE];
	STUDIO_TRY(studio_new_file(work, "log", "txt", path));
	return pass(desk, ossa_editor_write_log(desk->context, desk->editor, path));
}

/* the editor's rig and history become the session's */
static ossa_status keep(studio_desk *desk)
{
	studio_work *work = desk->work;
	const ossa_rig *rig = ossa_editor_rig(desk->editor);
	studio_work_part(work, 0.95, 1);
	STUDIO_TRY(studio_store_rig(work, "rig", rig));
	studio_forget(work, "page"); /* made on request */
	STUDIO_TRY(store_log(desk));
	STUDIO_TRY(studio_state_rig(work, rig, NULL));
	tell_edits(work, desk->editor, desk->fresh);
	json_t *solved = json_object_get(studio_state_of(work->facts), "solved");
	if (desk->changed >= 0 && json_is_object(solved)) {
		json_object_set_new(solved, "vertices_changed", json_integer((json_int_t)desk->changed));
	}
	if (desk->fresh > 0) studio_history_branch(work);
	work->changes_state = true;
	return OSSA_OK;
}

/* ---- the jobs ---- */

typedef ossa_status desk_task(studio_desk *desk);

static ossa_status at_desk(studio_work *work, desk_task *task)
{
	studio_desk *desk = NULL;
	STUDIO_TRY(take_desk(work, &desk));
	ossa_context_reset(desk->context);
	desk->fresh = 0;
	desk->changed = -1;
	studio_work_part(work, 0.5, 0.95);
	ossa_status status = task(desk);
	if (status == OSSA_OK) status = keep(desk);
	if (status == OSSA_OK) studio_state_warnings(work, desk->context);
	desk->work = NULL;
	return status;
}

/* The library's edits fail as a whole, so the first one that fails has changed nothing; where a
   later one fails, the edits before it must be undone, which freeing the desk does. */
static ossa_status do_lines_wanted(studio_desk *desk)
{
	const json_t *lines = json_object_get(desk->work->wanted, "lines");
	const size_t count = json_array_size(lines);
	if (count == 0 || count > LINES_MAX) {
		return studio_work_fail(desk->work, OSSA_ERROR_ARGUMENT, "\"lines\": give 1 to %d edits as text", LINES_MAX);
	}
	for (size_t i = 0; i < count; i++) {
		const char *line = json_string_value(json_array_get(lines, i));
		if (!line) return studio_work_fail(desk->work, OSSA_ERROR_ARGUMENT, "edit %zu is no text", i + 1);
		const double step = 0.45 / (double)count;
		studio_work_part(desk->work, 0.5 + (double)i * step, 0.5 + (double)(i + 1) * step);
		STUDIO_TRY(pass(desk, ossa_editor_do_line(desk->context, desk->editor, line)));
		desk->is_ahead = true;
		desk->fresh++;
	}
	return OSSA_OK;
}

static ossa_status do_edits(studio_desk *desk)
{
	studio_weights_before before;
	if (!studio_weights_copy(ossa_editor_rig(desk->editor), &before)) return OSSA_ERROR_MEMORY;
	const ossa_status status = do_lines_wanted(desk);
	desk->changed = status == OSSA_OK ? studio_weights_changed(&before, ossa_editor_rig(desk->editor)) : -1;
	studio_weights_free(&before);
	return status;
}

static ossa_status undo_one(studio_desk *desk)
{
	STUDIO_TRY(pass(desk, ossa_editor_undo(desk->context, desk->editor)));
	desk->is_ahead = true;
	return OSSA_OK;
}

static ossa_status redo_one(studio_desk *desk)
{
	STUDIO_TRY(pass(desk, ossa_editor_redo(desk->context, desk->editor)));
	desk->is_ahead = true;
	return OSSA_OK;
}

/* undoes or redoes until this number of edits is done */
static ossa_status go_to(studio_desk *desk)
{
	const json_t *wanted = json_object_get(desk->work->wanted, "count");
	const json_int_t count = json_integer_value(wanted);
	const size_t all = ossa_editor_done_count(desk->editor) + ossa_editor_undone_count(desk->editor);
	const json_t *edits = json_object_get(studio_state_of(desk->work->facts), "edits");
	const json_int_t first = json_integer_value(json_object_get(edits, "first"));
	if (!json_is_integer(wanted) || count < first || (size_t)count > all) {
		return studio_work_fail(
			desk->work, OSSA_ERROR_ARGUMENT, "\"count\": give a whole number from %lld to %zu", (long long)first, all);
	}
	while (ossa_editor_done_count(desk->editor) > (size_t)count) STUDIO_TRY(undo_one(desk));
	while (ossa_editor_done_count(desk->editor) < (size_t)count) STUDIO_TRY(redo_one(desk));
	return OSSA_OK;
}

ossa_status studio_work_edit(studio_work *work) { return at_desk(work, do_edits); }
ossa_status studio_edit_undo(studio_work *work) { return at_desk(work, undo_one); }
ossa_status studio_edit_redo(studio_work *work) { return at_desk(work, redo_one); }
ossa_status studio_edit_goto(studio_work *work) { return at_desk(work, go_to); }

/* ---- constraints on another rig that edits begin with ---- */

static bool try_line(studio_desk *desk, const char *line)
{
	const ossa_status status = ossa_editor_do_line(desk->context, desk->editor, line);
	if (status == OSSA_OK) desk->is_ahead = true;
	return status == OSSA_OK;
}

/* "forbid hand_L+hand_02_L hips", of a bone that was split, is "forbid hand_L hips" and "forbid
   hand_02_L hips"; false where `line` is of no such bone */
static bool push_halves(json_t *lines, const char *line)
{
	const char *plus = strchr(line, '+'), *begin = plus, *end;
	if (!plus) return false;
	while (begin > line && begin[-1] != ' ') begin--;
	end = plus + strcspn(plus, " ");
	json_array_append_new(lines, json_sprintf("%.*s%.*s%s", (int)(begin - line), line, (int)(plus - begin), begin, end));
	json_array_append_new(lines, json_sprintf("%.*s%s", (int)(begin - line), line, plus + 1));
	return true;
}

/* faces that are painted for both halves cannot be painted for one */
static bool set_constraint(studio_desk *desk, const char *line, bool is_on)
{
	json_t *lines = json_array();
	bool good = !(strncmp(line, "paint ", 6) == 0 && strchr(line, '+'));
	json_array_append_new(lines, json_string(line));
	while (good && json_array_size(lines) > 0) {
		const size_t last = json_array_size(lines) - 1;
		json_t *taken = json_incref(json_array_get(lines, last));
		const char *text = json_string_value(taken);
		char relax[32];
		json_array_remove(lines, last);
		if (!push_halves(lines, text)) {
			good = try_line(desk, text);
			snprintf(relax, sizeof relax, "relax %zu", ossa_editor_constraint_count(desk->editor));
			if (good && !is_on) good = try_line(desk, relax);
		}
		json_decref(taken);
	}
	json_decref(lines);
	return good;
}

/* those that cannot be set, as of bones that were merged, are left out: `lost` counts them */
static void set_constraints(studio_desk *desk, const json_t *constraints, size_t *lost)
{
	*lost = 0;
	for (size_t i = 0; i < json_array_size(constraints); i++) {
		const json_t *one = json_array_get(constraints, i);
		const char *line = json_string_value(json_object_get(one, "line"));
		if (!set_constraint(desk, line, json_is_true(json_object_get(one, "on")))) ++*lost;
	}
}

ossa_status studio_edit_constrain(studio_work *work)
{
	json_t *state = studio_state_of(work->facts), *constraints = json_incref(json_object_get(state, "constraints"));
	studio_desk *desk = NULL;
	size_t lost = 0;
	json_object_set_new(state, "edits", json_pack("{s:[], s:[], s:[], s:b}", "done", "undone", "steps", "stale", 0));
	json_object_set_new(state, "constraints", json_array());
	studio_forget(work, "log");
	ossa_status status = json_array_size(constraints) > 0 ? take_desk(work, &desk) : OSSA_OK;
	if (desk) {
		set_constraints(desk, constraints, &lost);
		if (ossa_editor_is_stale(desk->editor)) try_line(desk, "solve");
		desk->fresh = ossa_editor_done_count(desk->editor);
		status = keep(desk);
		desk->work = NULL;
		json_object_set_new(json_object_get(state, "edits"), "first", json_integer((json_int_t)desk->fresh));
	}
	json_object_set_new(state, "constraints_lost", json_integer((json_int_t)lost));
	json_decref(constraints);
	return status;
}

json_t *studio_verbs_json(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_edit_verb_count(); i++) {
		const ossa_edit_verb *verb = ossa_edit_verb_at(i);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:b}", "verb", verb->verb, "words", verb->words, "help", verb->help, "constrains",
				verb->constrains));
	}
	return list;
}
