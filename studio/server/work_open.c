/* studio/server/work_open.c: the job "open": reads files of the session into its state.

   Place in the path: behind jobs.c.
   Input: names of files.
   Output: in the session's folder the mesh at rest, the frames of its motion as one array, the
   rig where there is one, and the page's picture of it. */
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 4096 };

typedef struct opening {
	studio_work *work;
	ossa_read_options read;
	char rest[STUDIO_PATH_SIZE]; /* the file of the frames' own mesh at rest, "" for none */
	size_t count;
	const char **names;
	char **paths; /* one block */
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_frame_stream *stream;
	json_t *animations; /* of the first file */
	bool is_carried;    /* the second file's motion is carried onto the rig of the first */
} opening;

static ossa_status find_file(studio_work *work, const char *name, char path[STUDIO_PATH_SIZE])
{
	char inside[STUDIO_NAME_SIZE + 8];
	if (!name || !studio_name_is_good(name))
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "a file to open has no good name");
	snprintf(inside, sizeof inside, "files/%s", name);
	if (!studio_path(path, STUDIO_PATH_SIZE, work->session->path, inside)) return OSSA_ERROR_READ;
	/* '#' stands for the numbers of several files */
	if (access(path, R_OK) == 0 || strchr(name, '#')) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_INPUT, "%s: there is no such file in this session", name);
}

static ossa_status list_files(opening *open)
{
	studio_work *work = open->work;
	const json_t *files = json_object_get(work->wanted, "files");
	open->count = json_array_size(files);
	if (open->count == 0) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"files\" names no file to open");
	if (open->count > FILES_MAX) return studio_work_fail(work, OSSA_ERROR_LIMIT, "more than %d files", FILES_MAX);
	open->paths = ossa_alloc(work->context, open->count, sizeof *open->paths);
	open->names = ossa_alloc(work->context, open->count, sizeof *open->names);
	char *block = ossa_alloc(work->context, open->count, STUDIO_PATH_SIZE);
	if (open->paths) open->paths[0] = block;
	if (!open->paths || !open->names || !block) return OSSA_ERROR_MEMORY;
	for (size_t i = 0; i < open->count; i++) {
		open->names[i] = json_string_value(json_array_get(files, i));
		open->paths[i] = block + i * STUDIO_PATH_SIZE;
		STUDIO_TRY(find_file(work, open->names[i], open->paths[i]));
	}
	const json_t *rest = json_object_get(work->wanted, "rest");
	return rest ? find_file(work, json_string_value(rest), open->rest) : OSSA_OK;
}

/* ---- reading ---- */

/* the motion of a rig that was opened: of its file where that has the rig's vertices (morphs
   move, too), else as its joints move it */
static ossa_status read_own_motion(opening *open)
{
	ossa_context *context = open->work->context;
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_read_options read = open->read;
	read.keep_vertices = true;
	const ossa_status status = ossa_read_animation(context, open->paths[0], &read, &mesh, &frames);
	if (status == OSSA_ERROR_CANCELLED || status == OSSA_ERROR_MEMORY) return status;
	const bool fits = status == OSSA_OK && frames && frames->vertex_count == open->rig->mesh->vertex_count && open->rig->clip &&
		frames->frame_count == open->rig->clip->frame_count;
	ossa_mesh_free(context, mesh);
	if (fits) {
		open->frames = frames;
		return OSSA_OK;
	}
	ossa_frames_free(context, frames);
	return open->rig->clip ? ossa_rig_frames(context, open->rig, NULL, &open->frames) : OSSA_OK;
}

static ossa_status stream_own(opening *open)
{
	return open->frames ? ossa_frame_stream_of_frames(open->work->context, open->frames, &open->stream) : OSSA_OK;
}

/* fits the motion of the existing rig to the frames */
static ossa_status fit_motion(opening *open)
{
	ossa_context *context = open->work->context;
	ossa_motion_fit *fit = NULL;
	STUDIO_TRY(ossa_rig_fit_motion(context, open->rig, open->stream, NULL, &fit));
	ossa_rig_take_motion(context, open->rig, fit);
	ossa_motion_fit_free(context, fit);
	return OSSA_OK;
}

static ossa_status has_joints(opening *open, const char *path, bool *has_rig)
{
	return ossa_read_contents(open->work->context, path, has_rig, NULL, NULL);
}

/* whether the file has joints, and its animations, which the page lists */
static ossa_status find_contents(opening *open, bool *has_rig)
{
	size_t count = 0;
	ossa_clip_facts *clips = NULL;
	STUDIO_TRY(ossa_read_contents(open->work->context, open->paths[0], has_rig, &count, &clips));
	open->animations = json_array();
	for (size_t i = 0; i < count; i++) {
		json_t *name = json_string(clips[i].name);
		json_array_append_new(open->animations,
			json_pack("{s:o, s:o, s:b}", "name", name ? name : json_string(""), "seconds", studio_real(clips[i].seconds),
				"joints", clips[i].moves_joints));
	}
	ossa_free(open->work->context, clips);
	return OSSA_OK;
}

/* with all its motions, the one that is wanted first */
static ossa_status read_all(opening *open)
{
	ossa_read_options read = open->read;
	snprintf(read.clip, sizeof read.clip, "all");
	STUDIO_TRY(ossa_read_rig(open->work->context, open->paths[0], &read, &open->rig));
	if (open->read.clip[0]) studio_clips_lead(open->rig, open->read.clip);
	return OSSA_OK;
}

static ossa_status read_rig(opening *open)
{
	studio_work *work = open->work;
	STUDIO_TRY(read_all(open));
	if (open->rig->mesh->vertex_count == 0) {
		return studio_work_fail(work, OSSA_ERROR_INPUT,
			"%s: is a skeleton without a mesh; name a rig or a mesh first, and this file behind it as its motion",
			open->names[0]);
	}
	if (open->count == 2) STUDIO_TRY(has_joints(open, open->paths[1], &open->is_carried));
	if (open->count == 1 || open->is_carried) {
		STUDIO_TRY(read_own_motion(open));
		return stream_own(open);
	}
	STUDIO_TRY(ossa_frame_stream_open_matched(work->context, open->rig->mesh, open->rest[0] ? open->rest : NULL,
		open->count - 1, (const char *const *)open->paths + 1, false, &open->read, &open->stream));
	return fit_motion(open);
}

static ossa_status read_mesh(opening *open)
{
	ossa_context *context = open->work->context;
	if (open->count == 1) {
		STUDIO_TRY(ossa_read_animation(context, open->paths[0], &open->read, &open->mesh, &open->frames));
		return stream_own(open);
	}
	STUDIO_TRY(ossa_read_mesh(context, open->paths[0], &open->read, &open->mesh));
	return ossa_frame_stream_open(
		context, open->mesh, open->count - 1, (const char *const *)open->paths + 1, false, &open->read, &open->stream);
}

static ossa_status read_files(opening *open)
{
	studio_work *work = open->work;
	bool has_rig = false;
	open->read = ossa_read_default();
	const json_t *options = json_object_get(work->wanted, "options");
	if (options && !json_is_object(options)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	if (options) STUDIO_TRY(studio_options_fill(work, ossa_read_option_table(), &open->read, options));
	STUDIO_TRY(find_contents(open, &has_rig));
	return has_rig ? read_rig(open) : read_mesh(open);
}

/* ---- keeping ---- */

static ossa_status write_frames(opening *open, FILE *file, float *positions)
{
	studio_work *work = open->work;
	const size_t vertices = ossa_frame_stream_vertex_count(open->stream), count = ossa_frame_stream_frame_count(open->stream);
	for (size_t i = 0; i < count; i++) {
		STUDIO_TRY(ossa_frame_stream_read(work->context, open->stream, i, positions));
		if (fwrite(positions, 3 * sizeof *positions, vertices, file) != vertices) {
			return studio_work_fail(work, OSSA_ERROR_WRITE, "the session's frames cannot be kept: %s", strerror(errno));
		}
		if (!studio_work_progress(work->session, "frames", (double)(i + 1) / (double)count)) return OSSA_ERROR_CANCELLED;
	}
	return OSSA_OK;
}

/* all frames in one file, read and written one by one */
static ossa_status keep_frames(opening *open)
{
	studio_work *work = open->work;
	char path[STUDIO_PATH_SIZE];
	studio_forget(work, "frames");
	studio_state_input(work, NULL);
	if (!open->stream) return OSSA_OK;
	const size_t vertices = ossa_frame_stream_vertex_count(open->stream), count = ossa_frame_stream_frame_count(open->stream);
	STUDIO_TRY(studio_new_file(work, "frames", "f32", path));
	float *positions = ossa_alloc(work->context, vertices, 3 * sizeof *positions);
	if (!positions) return OSSA_ERROR_MEMORY;
	FILE *file = fopen(path, "wb");
	ossa_status status = file ? write_frames(open, file, positions) : OSSA_ERROR_WRITE;
	if (file && fclose(file) != 0 && status == OSSA_OK) status = OSSA_ERROR_WRITE;
	ossa_free(work->context, positions);
	if (status == OSSA_ERROR_WRITE && !work->message[0]) {
		return studio_work_fail(work, status, "the session's frames cannot be kept: %s", strerror(errno));
	}
	STUDIO_TRY(status);
	ossa_frames described = {
		.frame_count = count, .vertex_count = vertices, .times = (double *)ossa_frame_stream_times(open->stream)};
	snprintf(described.name, sizeof described.name, "%s", ossa_frame_stream_motion(open->stream));
	described.names = ossa_alloc(work->context, count, sizeof *described.names);
	for (size_t i = 0; described.names && i < count; i++) {
		snprintf(described.names[i], sizeof described.names[i], "%s", ossa_frame_stream_name(open->stream, i));
	}
	studio_state_input(work, &described);
	ossa_free(work->context, described.names);
	return OSSA_OK;
}

/* the mesh alone, or the rig with it; what was open before is dropped */
static ossa_status keep_shape(opening *open)
{
	studio_work *work = open->work;
	const bool has_rig = open->rig != NULL;
	ossa_rig shape = {.mesh = has_rig ? open->rig->mesh : open->mesh};
	json_t *stored = json_object_get(work->facts, "stored");
	STUDIO_TRY(studio_state_mesh(work, shape.mesh));
	STUDIO_TRY(studio_store_rig(work, "mesh", &shape));
	STUDIO_TRY(studio_store_page(work, "page", has_rig ? open->rig : &shape));
	json_object_set(stored, "before", json_object_get(stored, "page"));
	studio_state_before(work);
	if (!has_rig) return OSSA_OK;
	if (open->is_carried) STUDIO_TRY(studio_carry(work, open->rig, open->names[1], NULL, NULL));
	STUDIO_TRY(studio_store_rig(work, "rig", open->rig));
	json_object_set(stored, "base", json_object_get(stored, "rig"));
	return OSSA_OK;
}

/* the name of "poses/horse.obj" is "horse" */
static void put_title(opening *open, json_t *state)
{
	const char *name = open->names[0], *dot = strrchr(name, '.');
	const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	json_t *files = json_array();
	for (size_t i = 0; i < open->count; i++) json_array_append_new(files, json_string(open->names[i]));
	json_object_set_new(state, "files", files);
	/* cut at a dot, UTF-8 stays UTF-8 */
	json_object_set_new(state, "title", json_stringn(name, length));
}

static ossa_status keep(opening *open)
{
	studio_work *work = open->work;
	studio_frames frames = {.mapped = 0};
	json_t *exports = json_incref(json_object_get(studio_state_of(work->facts), "exports"));
	studio_history_begin(work);
	json_object_set_new(work->facts, "state", studio_state_empty(""));
	json_object_clear(json_object_get(work->facts, "stored"));
	json_object_set_new(studio_state_of(work->facts), "exports", exports);
	json_object_set_new(work->facts, "key_frames", json_integer(0));
	json_object_set(studio_state_of(work->facts), "animations", open->animations);
	put_title(open, studio_state_of(work->facts));
	studio_source_keep(work, open->names[0], open->rig ? "rig" : open->count == 1 ? "animation" : "mesh");
	studio_work_part(work, 0.6, 0.65);
	STUDIO_TRY(keep_shape(open));
	studio_work_part(work, 0.65, 0.9);
	STUDIO_TRY(keep_frames(open));
	if (open->rig) {
		if (!studio_map_frames(work->session, work->facts, &frames)) return OSSA_ERROR_READ;
		studio_work_part(work, 0.9, 1);
		const ossa_status status = studio_state_report(work, open->rig, &frames, false);
		studio_unmap_frames(&frames);
		STUDIO_TRY(status);
	}
	studio_state_warnings(work, work->context);
	studio_work_cost(work);
	studio_history_end(work, open->names[0]);
	work->changes_state = true;
	return OSSA_OK;
}

ossa_status studio_work_open(studio_work *work)
{
	opening open = {.work = work};
	ossa_context *context = work->context;
	studio_work_part(work, 0, 0.6);
	ossa_status status = list_files(&open);
	if (status == OSSA_OK) status = read_files(&open);
	if (status == OSSA_OK) status = keep(&open);
	ossa_frame_stream_free(context, open.stream);
	ossa_frames_free(context, open.frames);
	ossa_mesh_free(context, open.mesh);
	ossa_rig_free(context, open.rig);
	json_decref(open.animations);
	if (open.paths) ossa_free(context, open.paths[0]);
	ossa_free(context, open.paths);
	ossa_free(context, open.names);
	return status;
}
