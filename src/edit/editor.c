/* edit/editor.c: a rig with its history.

   Place in the path: the entry point for edits.
   Input: a rig, edits one by one.
   Output: the rig after each of them.
   A state is a value: an edit is applied to a copy, which becomes the next state. States are kept
   in a row, so that undo is a step back; where they would take too much memory some are dropped,
   and recomputed from the last one before them by applying the edits in between: an edit gives the
   same state, to the last bit. */
#include "edit/editor.h"

#include "edit/apply.h"
#include "edit/line.h"
#include "rig/clip_morphs.h"

#include <string.h>

/* bytes of all states of a history */
static const size_t BUDGET = (size_t)256 << 20;

typedef struct done_edit {
	ossa_edit edit;
	char *line;
} done_edit;

struct ossa_editor {
	ossa_rig *shared;         /* what no edit changes: mesh and merges */
	const ossa_frames *given; /* the caller's, or NULL */
	ossa_frames *own;         /* else of the motion that the rig had, when first wanted */
	ossai_solver *solver;     /* when first wanted */
	size_t done, count;       /* edits that are done; and with those undone */
	size_t edit_capacity, state_capacity;
	done_edit *edits; /* count */
	/* count + 1: after so many edits; NULL: left out. The first and that after `done` never are */
	ossai_edit_state **states;
	size_t budget;
};

/* ---- making ---- */

static ossa_status check_rig(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	if (!rig->mesh || rig->mesh->vertex_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the rig is a skeleton without a mesh; edits are of both");
	}
	OSSAI_TRY(ossa_rig_validate(context, rig));
	if (frames && frames->vertex_count != rig->mesh->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the frames have %zu vertices, the rig's mesh has %zu",
			frames->vertex_count, rig->mesh->vertex_count);
	}
	return OSSA_OK;
}

/* merges and clusters are each there or not */
static ossa_status copy_clusters(ossa_context *context, const ossa_rig *rig, ossa_rig *shared)
{
	const size_t faces = rig->mesh->triangle_count;
	if (rig->merge_count > 0) {
		shared->merges = ossai_new(context, rig->merge_count, sizeof *rig->merges);
		if (!shared->merges) return ossa_context_error(context)->status;
		memcpy(shared->merges, rig->merges, rig->merge_count * sizeof *rig->merges);
		shared->merge_count = rig->merge_count;
	}
	if (!rig->face_clusters) return OSSA_OK;
	shared->face_clusters = ossai_new(context, faces, sizeof *rig->face_clusters);
	if (!shared->face_clusters) return ossa_context_error(context)->status;
	memcpy(shared->face_clusters, rig->face_clusters, faces * sizeof *rig->face_clusters);
	return OSSA_OK;
}

static ossa_status copy_shared(ossa_context *context, const ossa_rig *rig, ossa_rig **shared)
{
	*shared = ossa_alloc(context, 1, sizeof **shared);
	if (!*shared) return ossa_context_error(context)->status;
	OSSAI_TRY(ossa_mesh_copy(context, rig->mesh, &(*shared)->mesh));
	return copy_clusters(context, rig, *shared);
}

static ossa_status begin(ossa_context *context, const ossa_rig *rig, ossa_editor *editor)
{
	OSSAI_TRY(copy_shared(context, rig, &editor->shared));
	OSSAI_TRY(ossai_reserve(context, &editor->states, &editor->state_capacity, 0, sizeof *editor->states));
	return ossai_state_begin(context, rig, editor->shared, &editor->states[0]);
}

ossa_status ossa_editor_create(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_editor **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, rig, result);
	OSSAI_TRY(check_rig(context, rig, frames));
	ossa_editor *editor = ossa_alloc(context, 1, sizeof *editor);
	if (!editor) return ossa_context_error(context)->status;
	editor->given = frames;
	editor->budget = BUDGET;
	const ossa_status status = begin(context, rig, editor);
	if (status == OSSA_OK) *result = editor;
	else ossa_editor_free(context, editor);
	return status;
}

/* the edits from `count` on, and the states after them, are forgotten */
static void forget_after(ossa_context *context, ossa_editor *editor, size_t count)
{
	for (; editor->count > count; editor->count--) {
		done_edit *edit = &editor->edits[editor->count - 1];
		ossa_edit_clear(context, &edit->edit);
		ossa_free(context, edit->line);
		ossai_state_free(context, editor->states[editor->count]);
	}
}

void ossa_editor_free(ossa_context *context, ossa_editor *editor)
{
	if (!editor) return;
	forget_after(context, editor, 0);
	if (editor->states) ossai_state_free(context, editor->states[0]);
	ossai_solver_free(context, editor->solver);
	ossa_frames_free(context, editor->own);
	ossa_rig_free(context, editor->shared);
	ossa_free(context, editor->states);
	ossa_free(context, editor->edits);
	ossa_free(context, editor);
}

/* ---- memory ---- */

/* the oldest state that can be dropped, those after a solution last; 0: none */
static size_t sparable(const ossa_editor *editor)
{
	size_t solved = 0;
	for (size_t i = 1; i <= editor->count; i++) {
		if (!editor->states[i] || i == editor->done) continue;
		if (editor->edits[i - 1].edit.kind != OSSA_EDIT_SOLVE) return i;
		if (solved == 0) solved = i;
	}
	return solved;
}

static void keep_budget(ossa_context *context, ossa_editor *editor)
{
	size_t bytes = 0;
	for (size_t i = 0; i <= editor->count; i++) bytes += editor->states[i] ? ossai_state_size(editor->states[i]) : 0;
	while (bytes > editor->budget) {
		const size_t spared = sparable(editor);
		if (spared == 0) return;
		bytes -= ossai_state_size(editor->states[spared]);
		ossai_state_free(context, editor->states[spared]);
		editor->states[spared] = NULL;
	}
}

void ossai_editor_limit(ossa_context *context, ossa_editor *editor, size_t bytes)
{
	editor->budget = bytes;
	keep_budget(context, editor);
}

size_t ossai_editor_kept(const ossa_editor *editor)
{
	size_t kept = 0;
	for (size_t i = 0; i <= editor->count; i++) kept += editor->states[i] != NULL;
	return kept;
}

/* ---- doing ---- */

static const ossa_edit *edit_at(const void *user, size_t index)
{
	const ossa_editor *editor = user;
	return &editor->edits[index].edit;
}

static ossa_status make_solver(void *user, ossa_context *context, ossai_solver **solver)
{
	ossa_editor *editor = user;
	const ossa_rig *first = editor->states[0]->rig;
	if (!editor->given && !editor->own && first->clip && first->clip->frame_count > 0) {
		/* bones do not follow what morph targets do */
		ossa_clip bare;
		OSSAI_TRY(ossa_rig_frames(context, first, ossai_clip_for_frames(first->clip, true, &bare), &editor->own));
		editor->own->morphs_at_rest = first->clip->morph_weights != NULL;
	}
	if (!editor->solver) {
		const ossa_frames *frames = editor->given ? editor->given : editor->own;
		OSSAI_TRY(ossai_solver_create(context, editor->shared->mesh, frames, &editor->solver));
	}
	*solver = editor->solver;
	return OSSA_OK;
}

static ossai_edit_ground ground_of(ossa_editor *editor)
{
	return (ossai_edit_ground){.edit_at = edit_at, .user = editor, .solver = make_solver, .solver_user = editor};
}

/* the state after an edit, and its description; warnings of edits that fail are not passed on */
static ossa_status try_edit(ossa_context *context, ossa_editor *editor, done_edit *made, ossai_edit_state **after)
{
	const ossai_edit_state *now = editor->states[editor->done];
	const ossai_edit_ground ground = ground_of(editor);
	OSSAI_TRY(ossai_edit_resolve(context, now, &made->edit));
	OSSAI_TRY(ossa_edit_print(context, &made->edit, &made->line));
	OSSAI_TRY(ossai_state_copy(context, now, after));
	return ossai_edit_apply(context, &ground, *after, &made->edit, editor->done, made->line);
}

static ossa_status keep_edit(ossa_context *context, ossa_editor *editor, const done_edit *made, ossai_edit_state *after)
{
	OSSAI_TRY(ossai_reserve(context, &editor->edits, &editor->edit_capacity, editor->done, sizeof *editor->edits));
	OSSAI_TRY(ossai_reserve(context, &editor->states, &editor->state_capacity, editor->done + 1, sizeof *editor->states));
	forget_after(context, editor, editor->done);
	editor->edits[editor->done++] = *made;
	editor->states[editor->done] = after;
	editor->count = editor->done;
	keep_budget(context, editor);
	return OSSA_OK;
}

/* takes ownership of the edit's faces */
static ossa_status do_edit(ossa_context *context, ossa_editor *editor, done_edit *made)
{
	ossai_edit_state *after = NULL;
	ossai_warnings *saved = ossai_warnings_save(context);
	ossa_status status = saved ? try_edit(context, editor, made, &after) : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = keep_edit(context, editor, made, after);
	if (status != OSSA_OK) {
		if (saved) ossai_warnings_restore(context, saved);
		ossai_state_free(context, after);
		ossa_free(context, made->line);
		ossa_edit_clear(context, &made->edit);
	}
	ossa_free(context, saved);
	return status;
}

ossa_status ossa_editor_do(ossa_context *context, ossa_editor *editor, const ossa_edit *edit)
{
	OSSAI_NEED(context, editor, edit);
	if (edit->face_count > 0) OSSAI_NEED(context, edit->faces);
	done_edit made = {.edit = *edit};
	made.edit.faces = NULL;
	if (edit->face_count > 0) {
		made.edit.faces = ossai_new(context, edit->face_count, sizeof *edit->faces);
		if (!made.edit.faces) return ossa_context_error(context)->status;
		memcpy(made.edit.faces, edit->faces, edit->face_count * sizeof *edit->faces);
	}
	return do_edit(context, editor, &made);
}

ossa_status ossai_editor_do_bytes(ossa_context *context, ossa_editor *editor, const char *bytes, size_t size)
{
	done_edit made = {.line = NULL};
	OSSAI_TRY(ossai_edit_parse_bytes(context, bytes, size, &made.edit));
	return do_edit(context, editor, &made);
}

ossa_status ossa_editor_do_line(ossa_context *context, ossa_editor *editor, const char *line)
{
	OSSAI_NEED(context, editor, line);
	return ossai_editor_do_bytes(context, editor, line, strlen(line));
}

/* ---- back and forth ---- */

/* the state after `count` edits, recomputed if it was left out */
static ossa_status make_state(ossa_context *context, ossa_editor *editor, size_t count)
{
	size_t from = count;
	while (!editor->states[from]) from--;
	if (from == count) return OSSA_OK;
	const ossai_edit_ground ground = ground_of(editor);
	ossai_edit_state *state = NULL;
	ossai_warnings *saved = ossai_warnings_save(context);
	ossa_status status = saved ? ossai_state_copy(context, editor->states[from], &state) : ossa_context_error(context)->status;
	for (size_t i = from; i < count && status == OSSA_OK; i++) {
		status = ossai_edit_apply(context, &ground, state, &editor->edits[i].edit, i, editor->edits[i].line);
	}
	/* they were issued when the edit was applied */
	if (saved) ossai_warnings_restore(context, saved);
	ossa_free(context, saved);
	if (status == OSSA_OK) editor->states[count] = state;
	else ossai_state_free(context, state);
	return status;
}

ossa_status ossa_editor_undo(ossa_context *context, ossa_editor *editor)
{
	OSSAI_NEED(context, editor);
	if (editor->done == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no edit to undo");
	OSSAI_TRY(make_state(context, editor, editor->done - 1));
	editor->done--;
	keep_budget(context, editor);
	return OSSA_OK;
}

ossa_status ossa_editor_redo(ossa_context *context, ossa_editor *editor)
{
	OSSAI_NEED(context, editor);
	if (editor->done == editor->count) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no edit to redo");
	OSSAI_TRY(make_state(context, editor, editor->done + 1));
	editor->done++;
	keep_budget(context, editor);
	return OSSA_OK;
}

/* ---- questions ---- */

static const ossai_edit_state *state_of(const ossa_editor *editor) { return editor->states[editor->done]; }

const ossa_rig *ossai_editor_first(const ossa_editor *editor) { return editor->states[0]->rig; }
const ossa_rig *ossa_editor_rig(const ossa_editor *editor) { return editor ? state_of(editor)->rig : NULL; }
size_t ossa_editor_done_count(const ossa_editor *editor) { return editor ? editor->done : 0; }
size_t ossa_editor_undone_count(const ossa_editor *editor) { return editor ? editor->count - editor->done : 0; }

const char *ossa_editor_line(const ossa_editor *editor, size_t index)
{
	return editor && index < editor->count ? editor->edits[index].line : NULL;
}

bool ossa_editor_is_stale(const ossa_editor *editor)
{
	const ossai_edit_state *state = editor ? state_of(editor) : NULL;
	for (size_t b = 0; state && b < state->rig->skeleton.bone_count; b++) {
		if (state->marks[b].stale) return true;
	}
	return false;
}

size_t ossa_editor_constraint_count(const ossa_editor *editor) { return editor ? state_of(editor)->bound_count : 0; }

ossa_constraint ossa_editor_constraint(const ossa_editor *editor, size_t index)
{
	if (index >= ossa_editor_constraint_count(editor)) return (ossa_constraint){0};
	const ossai_bound *bound = &state_of(editor)->bounds[index];
	return (ossa_constraint){.edit = bound->edit, .is_on = bound->is_on, .line = bound->line};
}

const ossa_solve_facts *ossa_editor_facts(const ossa_editor *editor)
{
	return editor && state_of(editor)->is_solved ? &state_of(editor)->facts : NULL;
}
