/* studio/server/work_rig.c: the jobs "rig" (a rig of what is open, by a method), "measure" (the
   current rig's errors against it) and "report" (the same as a document).

   Place in the path: behind jobs.c. */
#include "server.h"

#include <stdio.h>
#include <string.h>

/* results of the previous rig are not valid for this one */
static void begin_again(studio_work *work)
{
	json_t *state = studio_state_of(work->facts);
	json_object_set_new(state, "edits", json_pack("{s:[], s:[], s:[], s:b}", "done", "undone", "steps", "stale", 0));
	json_object_set_new(state, "constraints", json_array());
	json_object_set_new(state, "solved", json_null());
	studio_forget(work, "log");
}

/* the current rig becomes the previous one: its glTF file exists already, except after edits */
static ossa_status keep_before(studio_work *work)
{
	json_t *stored = json_object_get(work->facts, "stored");
	if (!studio_has(work->facts, "rig")) {
		studio_forget(work, "before");
		return OSSA_OK;
	}
	if (studio_has(work->facts, "page")) {
		json_object_set(stored, "before", json_object_get(stored, "page"));
		return OSSA_OK;
	}
	ossa_rig *old = NULL;
	STUDIO_TRY(studio_load_rig(work, "rig", &old));
	const ossa_status status = studio_store_page(work, "before", old);
	ossa_rig_free(work->context, old);
	return status;
}

/* The rig, and what edits begin with, are one file. The page shows the replaced rig as the
   previous one; for the first rig of a mesh that is the rig itself before edits. */
static ossa_status store(studio_work *work, const ossa_rig *rig)
{
	json_t *stored = json_object_get(work->facts, "stored");
	STUDIO_TRY(keep_before(work));
	STUDIO_TRY(studio_store_rig(work, "rig", rig));
	json_object_set(stored, "base", json_object_get(stored, "rig"));
	STUDIO_TRY(studio_store_page(work, "page", rig));
	if (!studio_has(work->facts, "before")) json_object_set(stored, "before", json_object_get(stored, "page"));
	studio_state_before(work);
	return OSSA_OK;
}

/* the motions that the replaced rig had beside that of the input */
static ossa_status keep_clips(studio_work *work, ossa_rig *rig, bool has_input)
{
	ossa_rig *old = NULL;
	if (!studio_has(work->facts, "rig")) return OSSA_OK;
	STUDIO_TRY(studio_load_rig(work, "rig", &old));
	studio_work_part(work, 0.6, 0.8);
	const ossa_status status = studio_clips_keep(work, old, has_input, rig);
	ossa_rig_free(work->context, old);
	return status;
}

static ossa_status take(studio_work *work, const ossa_rig_result *made, const studio_frames *frames)
{
	ossa_rig *rig = made->rig;
	json_t *state = studio_state_of(work->facts), *options = json_object_get(work->wanted, "options");
	STUDIO_TRY(keep_clips(work, rig, frames->frames.frame_count > 0));
	begin_again(work);
	/* as in a written rig */
	STUDIO_TRY(ossa_rig_find_limits(work->context, rig, ossa_write_default().limit_slack));
	studio_work_part(work, 0.8, 0.9);
	STUDIO_TRY(studio_state_mesh(work, rig->mesh));
	json_object_set_new(state, "reason", json_string(made->reason));
	studio_work_cost(work);
	STUDIO_TRY(studio_state_report(work, rig, frames, false));
	studio_work_part(work, 0.9, 1);
	STUDIO_TRY(store(work, rig));
	json_object_set_new(state, "options", options ? json_deep_copy(options) : json_object());
	studio_state_warnings(work, work->context);
	studio_history_end(work, rig->method);
	work->changes_state = true;
	return OSSA_OK;
}

static ossa_status make(studio_work *work, const ossa_mesh *mesh, const studio_frames *frames)
{
	ossa_rig_result made;
	studio_work_part(work, 0.02, 0.6);
	ossa_status status = studio_make_rig(work, mesh, &frames->frames, &made);
	json_object_set_new(work->facts, "key_frames", json_integer((json_int_t)made.key_frame_count));
	if (status == OSSA_OK) status = take(work, &made, frames);
	ossa_rig_result_free(work->context, &made);
	return status;
}

ossa_status studio_work_rig(studio_work *work)
{
	ossa_rig *open = NULL;
	studio_frames frames = {.mapped = 0};
	const json_t *options = json_object_get(work->wanted, "options");
	if (options && !json_is_object(options)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	STUDIO_TRY(studio_load_rig(work, "mesh", &open));
	studio_history_begin(work);
	ossa_status status = OSSA_OK;
	if (!studio_map_frames(work->session, work->facts, &frames)) {
		status = studio_work_fail(work, OSSA_ERROR_INPUT, "the session's frames are missing or damaged: open the input again");
	}
	if (status == OSSA_OK) status = make(work, open->mesh, &frames);
	studio_unmap_frames(&frames);
	ossa_rig_free(work->context, open);
	return status;
}

static ossa_status measure(studio_work *work, bool with_page)
{
	ossa_rig *rig = NULL;
	studio_frames frames = {.mapped = 0};
	if (!studio_has(work->facts, "rig")) return studio_work_fail(work, OSSA_ERROR_INPUT, "there is no rig to measure yet");
	STUDIO_TRY(studio_load_rig(work, "rig", &rig));
	ossa_status status = OSSA_OK;
	if (!studio_map_frames(work->session, work->facts, &frames)) {
		status = studio_work_fail(work, OSSA_ERROR_INPUT, "the session's frames are missing or damaged: open the input again");
	}
	if (status == OSSA_OK) status = studio_state_report(work, rig, &frames, with_page);
	/* a report includes the warnings of other jobs */
	if (status == OSSA_OK && !with_page) studio_state_warnings(work, work->context);
	work->changes_state = true;
	studio_unmap_frames(&frames);
	ossa_rig_free(work->context, rig);
	return status;
}

ossa_status studio_work_measure(studio_work *work) { return measure(work, false); }

ossa_status studio_work_report(studio_work *work)
{
	studio_session *session = work->session;
	if (session->history) {
		ossa_context_free(work->context);
		work->context = session->history;
		session->history = NULL;
	}
	return measure(work, true);
}
