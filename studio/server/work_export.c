/* studio/server/work_export.c: the job "export": the rig, the mesh or the motion in a format of the user's.

   Place in the path: behind jobs.c.  In: a name whose ending tells the format, options.  Out: files in the session's folder of exports. */
#include "server.h"

#include <stdio.h>
#include <string.h>

typedef struct export_job {
	studio_work *work;
	const char *name;
	char path[STUDIO_PATH_SIZE];
	const ossa_write_format *format;
	ossa_write_options options;
	ossa_rig *rig; /* with its mesh; without bones where there is no rig */
} export_job;

static ossa_status read_wishes(export_job *job)
{
	studio_work *work = job->work;
	char inside[STUDIO_NAME_SIZE + 16];
	const json_t *options = json_object_get(work->wanted, "options");
	job->name = json_string_value(json_object_get(work->wanted, "name"));
	if (!job->name || !studio_name_is_good(job->name))
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"name\": give the file a name");
	snprintf(inside, sizeof inside, "exports/%s", job->name);
	if (!studio_path(job->path, sizeof job->path, work->session->path, inside)) return OSSA_ERROR_WRITE;
	STUDIO_TRY(ossa_write_detect(work->context, job->path, &job->format));
	if (options && !json_is_object(options)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	job->options = ossa_write_default();
	return options ? studio_options_fill(work, ossa_write_option_table(), &job->options, options) : OSSA_OK;
}

/* a cache of the rig's motion, or of the input's where there is no rig */
static ossa_status write_frames(export_job *job)
{
	studio_work *work = job->work;
	ossa_context *context = work->context;
	const ossa_mesh *mesh = job->rig->mesh;
	studio_frames input = {.mapped = 0};
	if (job->rig->clip) {
		ossa_frames *frames = NULL;
		STUDIO_TRY(ossa_rig_frames(context, job->rig, NULL, &frames));
		const ossa_status status = ossa_write_frames(context, mesh, frames, job->path, &job->options);
		ossa_frames_free(context, frames);
		return status;
	}
	ossa_status status = OSSA_OK;
	if (!studio_map_frames(work->session, work->facts, &input) || input.frames.frame_count == 0) {
		status = studio_work_fail(work, OSSA_ERROR_INPUT, "%s files hold motion, and there is none", job->format->title);
	} else status = ossa_write_frames(context, mesh, &input.frames, job->path, &job->options);
	studio_unmap_frames(&input);
	return status;
}

static ossa_status write_it(export_job *job)
{
	ossa_context *context = job->work->context;
	const bool has_bones = job->rig->skeleton.bone_count > 0;
	if (ossa_write_is_numbered(job->path)) return write_frames(job);
	if (has_bones && job->format->writes_rig) return ossa_write_rig(context, job->rig, job->path, &job->options);
	if (job->format->writes_mesh) return ossa_write_mesh(context, job->rig->mesh, NULL, job->path, &job->options);
	if (job->format->writes_frames) return write_frames(job);
	return studio_work_fail(job->work, OSSA_ERROR_INPUT, "%s files hold rigs, and there is none yet", job->format->title);
}

/* the names that are new or have changed: some formats are several files */
static json_t *written(const json_t *before, const json_t *after)
{
	json_t *list = json_array();
	for (size_t i = 0; i < json_array_size(after); i++) {
		const json_t *file = json_array_get(after, i);
		bool was_there = false;
		for (size_t k = 0; k < json_array_size(before); k++)
			was_there = was_there || json_equal(json_array_get(before, k), file);
		if (!was_there) json_array_append(list, json_object_get(file, "name"));
	}
	return list;
}

ossa_status studio_work_export(studio_work *work)
{
	export_job job = {.work = work};
	STUDIO_TRY(read_wishes(&job));
	json_t *before = json_incref(json_object_get(studio_state_of(work->facts), "exports"));
	ossa_status status = studio_load_rig(work, studio_has(work->facts, "rig") ? "rig" : "mesh", &job.rig);
	if (status == OSSA_OK) status = write_it(&job);
	if (status == OSSA_OK) status = studio_state_exports(work);
	if (status == OSSA_OK) {
		json_t *files = written(before, json_object_get(studio_state_of(work->facts), "exports"));
		/* written again with as many bytes */
		if (json_array_size(files) == 0) json_array_append_new(files, json_string(job.name));
		work->result = json_pack("{s:s, s:o}", "name", job.name, "files", files);
		studio_state_warnings(work, work->context);
		work->changes_state = true;
	}
	json_decref(before);
	ossa_rig_free(work->context, job.rig);
	return status;
}
