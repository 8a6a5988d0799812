/* studio/server/work_export.c: the job "export": the rig, the mesh or the motion in a format of the
   user's.

   Place in the path: behind jobs.c.
   Input: a name whose ending is the format's, options, poses that are to be the motion.
   Output: files in the session's folder of exports. */
#include "server.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { POSES_MAX = 10000 };

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
	job->name = json_string_value(json_object_get(work->wanted, "name"));
	if (!job->name || !studio_name_is_good(job->name))
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"name\": give the file a name");
	snprintf(inside, sizeof inside, "exports/%s", job->name);
	if (!studio_path(job->path, sizeof job->path, work->session->path, inside)) return OSSA_ERROR_WRITE;
	return ossa_write_detect(work->context, job->path, &job->format);
}

/* one of the rig's motions, by its number from 0 on, or all of them */
static ossa_status choose_clip(export_job *job)
{
	studio_work *work = job->work;
	const json_t *wanted = json_object_get(work->wanted, "clip");
	const char *word = json_string_value(wanted);
	ossa_clip *chosen = NULL;
	if (!wanted || (word && strcmp(word, "all") == 0)) return OSSA_OK;
	const json_int_t number = json_is_integer(wanted) ? json_integer_value(wanted) : -1;
	if (number < 0 || (size_t)number >= ossa_rig_clip_count(job->rig)) {
		return studio_work_fail(
			work, OSSA_ERROR_ARGUMENT, "\"clip\": give \"all\", or a number below %zu", ossa_rig_clip_count(job->rig));
	}
	STUDIO_TRY(ossa_clip_copy(work->context, ossa_rig_clip_at(job->rig, (size_t)number), &chosen));
	const ossa_status status = ossa_rig_set_clips(work->context, job->rig, 1, &chosen);
	if (status != OSSA_OK) ossa_clip_free(work->context, chosen);
	return status;
}

static ossa_status read_poses(export_job *job, const json_t *poses, double seconds, ossa_clip *clip)
{
	char message[STUDIO_MESSAGE_SIZE];
	snprintf(clip->name, sizeof clip->name, "poses");
	for (size_t i = 0; i < clip->frame_count; i++) {
		clip->times[i] = seconds * (double)i;
		if (studio_read_pose(job->rig, json_array_get(poses, i), clip, i, message)) continue;
		return studio_work_fail(job->work, OSSA_ERROR_ARGUMENT, "pose %zu: %s", i + 1, message);
	}
	return OSSA_OK;
}

/* the user's poses at this time step, in place of the rig's motion */
static ossa_status take_poses(export_job *job)
{
	studio_work *work = job->work;
	ossa_context *context = work->context;
	const json_t *poses = json_object_get(work->wanted, "poses"), *wanted = json_object_get(work->wanted, "seconds");
	const double seconds = wanted ? json_number_value(wanted) : 1;
	const size_t count = json_array_size(poses);
	ossa_rig *rig = job->rig;
	ossa_clip *clip = NULL;
	if (!poses) return OSSA_OK;
	if (rig->skeleton.bone_count == 0) return studio_work_fail(work, OSSA_ERROR_INPUT, "there is no rig to pose");
	if (count == 0 || count > POSES_MAX)
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"poses\": give 1 to %d", POSES_MAX);
	if (!(seconds >= 1e-3 && seconds <= 1e4))
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"seconds\": give 0.001 to 10000 between poses");
	STUDIO_TRY(ossa_clip_create(context, count, rig->skeleton.bone_count, false, &clip));
	const ossa_status status = read_poses(job, poses, seconds, clip);
	if (status != OSSA_OK) {
		ossa_clip_free(context, clip);
		return status;
	}
	const ossa_status set = ossa_rig_set_clips(context, rig, 1, &clip);
	if (set != OSSA_OK) ossa_clip_free(context, clip);
	ossa_clip_free(context, rig->free_clip);
	rig->free_clip = NULL;
	return set;
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
	/* a mesh alone in the pose, too */
	if (has_bones && job->format->writes_mesh) STUDIO_TRY(ossa_rig_set_rest_pose(context, job->rig, job->options.rest_pose));
	if (job->format->writes_mesh) return ossa_write_mesh(context, job->rig->mesh, NULL, job->path, &job->options);
	if (job->format->writes_frames) return write_frames(job);
	return studio_work_fail(job->work, OSSA_ERROR_INPUT, "%s files hold rigs, and there is none yet", job->format->title);
}

/* what distinguishes a file from the one that it replaces: files are written beside their names and
   renamed, so that a new one has another inode; dates alone may be alike */
static json_t *identity_of(const studio_work *work, const char *name)
{
	char path[STUDIO_PATH_SIZE], inside[STUDIO_NAME_SIZE + 16];
	struct stat facts;
	snprintf(inside, sizeof inside, "exports/%s", name);
	if (!studio_path(path, sizeof path, work->session->path, inside) || stat(path, &facts) != 0) return NULL;
	return json_pack(
		"[I, I, I]", (json_int_t)facts.st_ino, (json_int_t)facts.st_mtim.tv_sec, (json_int_t)facts.st_mtim.tv_nsec);
}

/* of all exports there are: name and identity */
static json_t *list_exports(const studio_work *work)
{
	const json_t *exports = json_object_get(studio_state_of(work->facts), "exports");
	json_t *list = json_object();
	for (size_t i = 0; i < json_array_size(exports); i++) {
		const char *name = json_string_value(json_object_get(json_array_get(exports, i), "name"));
		json_t *identity = identity_of(work, name);
		if (identity) json_object_set_new(list, name, identity);
	}
	return list;
}

/* the names of those that are new or were replaced: some formats are several files */
static json_t *written(const studio_work *work, const json_t *before)
{
	json_t *now = list_exports(work), *list = json_array(), *identity;
	const char *name;
	json_object_foreach(now, name, identity)
	{
		if (!json_equal(identity, json_object_get(before, name))) json_array_append_new(list, json_string(name));
	}
	json_decref(now);
	return list;
}

ossa_status studio_work_export(studio_work *work)
{
	export_job job = {.work = work};
	STUDIO_TRY(read_wishes(&job));
	json_t *before = list_exports(work);
	ossa_status status = studio_load_rig(work, studio_has(work->facts, "rig") ? "rig" : "mesh", &job.rig);
	if (status == OSSA_OK) status = studio_source_adopt(work, job.rig->mesh);
	if (status == OSSA_OK) status = choose_clip(&job);
	if (status == OSSA_OK) status = take_poses(&job);
	if (status == OSSA_OK) {
		status = studio_export_options(work, json_object_get(work->wanted, "options"), job.path, job.rig, &job.options);
	}
	if (status == OSSA_OK) status = write_it(&job);
	if (status == OSSA_OK) status = studio_state_exports(work);
	if (status == OSSA_OK) {
		json_t *files = written(work, before);
		if (json_array_size(files) == 0) json_array_append_new(files, json_string(job.name));
		work->result = json_pack("{s:s, s:o}", "name", job.name, "files", files);
		studio_state_warnings(work, work->context);
		work->changes_state = true;
	}
	json_decref(before);
	ossa_rig_free(work->context, job.rig);
	return status;
}
