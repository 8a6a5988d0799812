/* studio/server/holdings.c: the files of a session's state: rigs, frames, the page's glTF; by the
   names under "stored".

   Place in the path: between jobs and the session's folder.  A job writes new files
   (NAME-REVISION.bin) and names them in its copy of the state; the sweep removes files that the
   current state does not name. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *stored_name(const json_t *facts, const char *key)
{
	return json_string_value(json_object_get(json_object_get(facts, "stored"), key));
}

bool studio_has(const json_t *facts, const char *key) { return stored_name(facts, key) != NULL; }

void studio_forget(studio_work *work, const char *key) { json_object_del(json_object_get(work->facts, "stored"), key); }

ossa_status studio_new_file(studio_work *work, const char *key, const char *ending, char path[STUDIO_PATH_SIZE])
{
	char name[64];
	snprintf(name, sizeof name, "%s-%lld.%s", key, (long long)work->session->revision + 1, ending);
	if (!studio_path(path, STUDIO_PATH_SIZE, work->session->path, name)) {
		return studio_work_fail(work, OSSA_ERROR_WRITE, "the folder's path is too long");
	}
	const int failed = json_object_set_new(json_object_get(work->facts, "stored"), key, json_string(name));
	return failed ? studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory") : OSSA_OK;
}

ossa_status studio_load_rig(studio_work *work, const char *key, ossa_rig **rig)
{
	char path[STUDIO_PATH_SIZE];
	const char *name = stored_name(work->facts, key);
	*rig = NULL;
	if (!name || !studio_path(path, sizeof path, work->session->path, name)) {
		return studio_work_fail(work, OSSA_ERROR_INPUT, "nothing is open yet");
	}
	return studio_rig_load(work->context, path, rig, work->message, sizeof work->message);
}

ossa_status studio_store_rig(studio_work *work, const char *key, const ossa_rig *rig)
{
	char path[STUDIO_PATH_SIZE];
	/* an invalid rig never becomes a session's, whatever made it */
	const ossa_status status = rig->skeleton.bone_count > 0 ? ossa_rig_validate(work->context, rig) : OSSA_OK;
	if (status != OSSA_OK) {
		return studio_work_fail(work, status, "the result is not a valid rig (%.400s): nothing was kept; please report it",
			ossa_context_error(work->context)->message);
	}
	STUDIO_TRY(studio_new_file(work, key, "bin", path));
	return studio_rig_save(work->context, rig, path, work->message, sizeof work->message);
}

/* without what splits vertices: the page's vertices are the mesh's, one by one */
static ossa_mesh bare_mesh(const ossa_mesh *mesh)
{
	ossa_mesh bare = *mesh;
	bare.corner_texcoord = bare.corner_normal = bare.polygon_material = NULL;
	bare.texcoord_count = bare.normal_count = bare.material_count = 0;
	bare.texcoords = bare.normals = NULL;
	bare.materials = NULL;
	bare.appearance = NULL;
	bare.document = NULL;
	bare.morph_count = bare.object_count = 0;
	bare.more_uv_count = bare.more_color_count = 0;
	return bare;
}

ossa_status studio_write_page(ossa_context *context, const ossa_rig *rig, const char *path)
{
	ossa_mesh bare = bare_mesh(rig->mesh);
	ossa_rig shown = *rig;
	shown.mesh = &bare;
	/* the page does not ask for these */
	shown.merges = NULL;
	shown.merge_count = 0;
	shown.face_clusters = NULL;
	shown.free_clip = NULL;
	shown.free_weights = (ossa_weights){0};
	if (rig->skeleton.bone_count == 0) return ossa_write_mesh(context, &bare, NULL, path, NULL);
	return ossa_write_rig(context, &shown, path, NULL);
}

ossa_status studio_store_page(studio_work *work, const char *key, const ossa_rig *rig)
{
	char path[STUDIO_PATH_SIZE];
	STUDIO_TRY(studio_new_file(work, key, "glb", path));
	return studio_write_page(work->context, rig, path);
}

/* ---- frames ---- */

static bool fill_times(const json_t *input, ossa_frames *frames)
{
	const json_t *times = json_object_get(input, "times"), *names = json_object_get(input, "names");
	const size_t count = frames->frame_count;
	frames->times = calloc(count + 1, sizeof *frames->times);
	if (json_array_size(names) == count) frames->names = calloc(count + 1, sizeof *frames->names);
	for (size_t i = 0; frames->times && i < count; i++) frames->times[i] = json_number_value(json_array_get(times, i));
	for (size_t i = 0; frames->names && i < count; i++) {
		const char *name = json_string_value(json_array_get(names, i));
		snprintf(frames->names[i], sizeof frames->names[i], "%s", name ? name : "");
	}
	const char *name = json_string_value(json_object_get(input, "motion"));
	snprintf(frames->name, sizeof frames->name, "%s", name ? name : "");
	return frames->times && json_array_size(times) == count;
}

bool studio_map_frames(const studio_session *session, const json_t *facts, studio_frames *frames)
{
	char path[STUDIO_PATH_SIZE];
	struct stat found;
	const json_t *state = json_object_get(facts, "state"), *input = json_object_get(state, "input");
	*frames = (studio_frames){.mapping = MAP_FAILED};
	const char *name = stored_name(facts, "frames");
	if (!name || !json_is_object(input) || !studio_path(path, sizeof path, session->path, name)) return true;
	const size_t count = (size_t)json_integer_value(json_object_get(input, "frames"));
	const size_t vertices = (size_t)json_integer_value(json_object_get(json_object_get(state, "mesh"), "vertices"));
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	const bool fits = fstat(file, &found) == 0 && (uint64_t)found.st_size == (uint64_t)count * vertices * 12 &&
		found.st_size > 0;
	if (fits) frames->mapping = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (frames->mapping == MAP_FAILED) return false;
	frames->mapped = (size_t)found.st_size;
	frames->frames = (ossa_frames){.frame_count = count, .vertex_count = vertices, .positions = frames->mapping};
	if (fill_times(input, &frames->frames)) return true;
	studio_unmap_frames(frames);
	return false;
}

void studio_unmap_frames(studio_frames *frames)
{
	if (frames->mapped > 0) munmap(frames->mapping, frames->mapped);
	free(frames->frames.times);
	free(frames->frames.names);
	*frames = (studio_frames){.mapping = MAP_FAILED};
}

/* ---- removing unused files ---- */

static bool is_stored(const json_t *facts, const char *name)
{
	const char *key;
	json_t *value;
	json_object_foreach(json_object_get(facts, "stored"), key, value)
	{
		if (strcmp(json_string_value(value), name) == 0) return true;
	}
	return false;
}

/* by the current state, or by a step that can be gone to */
static bool is_named(const json_t *facts, const char *name)
{
	static const char *const lists[] = {"past", "future"};
	if (is_stored(facts, name)) return true;
	for (size_t k = 0; k < 2; k++) {
		const json_t *steps = json_object_get(facts, lists[k]);
		for (size_t i = 0; i < json_array_size(steps); i++) {
			if (is_stored(json_array_get(steps, i), name)) return true;
		}
	}
	return false;
}

void studio_sweep(const studio_session *session, const json_t *facts)
{
	static const char *const kept[] = {"session.json", "title.json", "job.json", "page.json", "files", "exports"};
	json_t *names = studio_folder_names(session->path);
	for (size_t i = 0; i < json_array_size(names); i++) {
		char path[STUDIO_PATH_SIZE];
		const char *name = json_string_value(json_array_get(names, i));
		bool stays = is_named(facts, name);
		for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) stays = stays || strcmp(name, kept[k]) == 0;
		if (!stays && studio_path(path, sizeof path, session->path, name)) unlink(path);
	}
	json_decref(names);
}

void studio_sweep_parts(const studio_session *session)
{
	static const char *const folders[] = {"", "files", "exports"};
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		char folder[STUDIO_PATH_SIZE], path[STUDIO_PATH_SIZE];
		if (!studio_path(folder, sizeof folder, session->path, folders[i])) continue;
		json_t *names = studio_folder_hidden(folder);
		for (size_t k = 0; k < json_array_size(names); k++) {
			if (studio_path(path, sizeof path, folder, json_string_value(json_array_get(names, k)))) unlink(path);
		}
		json_decref(names);
	}
}
