/* studio/server/arrays.c: a session's contents as JSON, glTF and plain arrays of numbers
   (little-endian, without a head).

   Place in the path: called by routes.c. The state is written from memory, glTF and frames are
   sent from the disk, the rest is made of the scene. */
#include "routes.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char numbers[] = "application/octet-stream";

void studio_get_state(studio_server *studio, studio_request *request, studio_answer *answer)
{
	int64_t revision;
	(void)studio;
	char *text = studio_state_text(request->session, &revision);
	if (!text) {
		studio_no_memory(answer);
		return;
	}
	studio_answer_text(answer, "application/json", text, strlen(text));
	answer->revision = revision;
}

static void send_stored(studio_request *request, const char *key, const char *type, studio_answer *answer)
{
	int64_t revision;
	const int file = studio_session_open(request->session, key, &revision);
	if (file < 0) {
		studio_refuse(answer, 404, "input", "nothing is open yet");
		return;
	}
	studio_answer_file(answer, type, file);
	answer->revision = revision;
}

/* a file without a name, with the scene as glTF */
static int make_glb(const studio_session *session, const studio_scene *scene, studio_answer *answer)
{
	char random[17], name[32], path[STUDIO_PATH_SIZE];
	ossa_context *context = studio_answer_context(session, answer);
	if (!context) return -1;
	int file = -1;
	ossa_status status = OSSA_ERROR_WRITE;
	if (studio_make_token(random, sizeof random)) {
		snprintf(name, sizeof name, ".%s.glb", random);
		if (studio_path(path, sizeof path, session->path, name)) status = studio_write_page(context, scene->rig, path);
	}
	if (status == OSSA_OK) {
		file = open(path, O_RDONLY | O_CLOEXEC);
		unlink(path);
	} else {
		char message[640];
		snprintf(message, sizeof message, "%s", ossa_context_error(context)->message);
		studio_hide_folder(session, message);
		studio_refuse(answer, 507, "write", "it cannot be written: %s", message);
	}
	ossa_context_free(context);
	return file;
}

/* it is stored after opening and rigging; after an edit it is made on request */
void studio_get_rig_glb(studio_server *studio, studio_request *request, studio_answer *answer)
{
	static const char type[] = "model/gltf-binary";
	(void)studio;
	send_stored(request, "page", type, answer);
	if (answer->status != 404) return;
	studio_scene *scene = studio_scene_take(request->session, answer);
	if (!scene) return;
	const int file = make_glb(request->session, scene, answer);
	if (file >= 0) {
		studio_answer_file(answer, type, file);
		answer->revision = scene->revision;
	}
	studio_scene_drop(request->session, scene);
}

void studio_get_before_glb(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_stored(request, "before", "model/gltf-binary", answer);
}

void studio_get_log(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_stored(request, "log", "text/plain; charset=utf-8", answer);
	if (answer->status == 404) studio_refuse(answer, 404, "input", "there are no edits yet");
}

void studio_get_report(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_stored(request, "report", "text/html; charset=utf-8", answer);
	answer->is_sealed = answer->status == 200;
	if (answer->status == 404) studio_refuse(answer, 404, "input", "there is no report yet: the job \"report\" makes it");
}

void studio_get_stages(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_stored(request, "stages", numbers, answer);
	if (answer->status == 404) studio_refuse(answer, 404, "input", "there are no stages yet: the job \"stages\" makes them");
}

/* ---- the input's frames: the whole file, or a part of it ---- */

/* frames and vertices of the current state, and its file of frames */
static int open_frames(studio_session *session, uint64_t *frames, uint64_t *vertices, int64_t *revision)
{
	pthread_mutex_lock(&session->lock);
	const json_t *state = studio_state_of(session->facts);
	*frames = (uint64_t)json_integer_value(json_object_get(json_object_get(state, "input"), "frames"));
	*vertices = (uint64_t)json_integer_value(json_object_get(json_object_get(state, "mesh"), "vertices"));
	const int64_t seen = session->revision;
	pthread_mutex_unlock(&session->lock);
	const int file = studio_session_open(session, "frames", revision);
	/* a job ended between the two reads: read again */
	return *revision == seen ? file : (file >= 0 ? close(file) : 0, -2);
}

void studio_get_frames(studio_server *studio, studio_request *request, studio_answer *answer)
{
	uint64_t frames, vertices, from, count;
	int64_t revision;
	(void)studio;
	int file = open_frames(request->session, &frames, &vertices, &revision);
	while (file == -2) file = open_frames(request->session, &frames, &vertices, &revision);
	if (file < 0) {
		studio_refuse(answer, 404, "input", "the input has no motion");
		return;
	}
	studio_answer_file(answer, numbers, file);
	if (answer->status != 200) return;
	/* the answer owns the file now and closes it, also after a refusal */
	if (!studio_argument(request, "from", 0, frames - 1, &from, answer)) return;
	if (!studio_argument(request, "count", frames - from, frames - from, &count, answer)) return;
	const uint64_t one = vertices * 12;
	if ((from + count) * one > answer->length) {
		studio_refuse(answer, 500, "input", "the session's frames are damaged: open the input again");
		return;
	}
	answer->offset = from * one;
	answer->length = count * one;
	answer->revision = revision;
}

/* ---- arrays of the rig ---- */

void studio_send_array(studio_answer *answer, void *values, size_t size, int64_t revision)
{
	if (!values) {
		studio_no_memory(answer);
		return;
	}
	studio_answer_text(answer, numbers, values, size);
	answer->revision = revision;
}

bool studio_has_bones(const studio_scene *scene, studio_answer *answer)
{
	if (scene->rig->skeleton.bone_count > 0) return true;
	studio_refuse(answer, 404, "input", "there is no rig yet");
	return false;
}

void studio_get_faces(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	studio_scene *scene = studio_scene_take(request->session, answer);
	if (!scene) return;
	const size_t size = scene->rig->mesh->triangle_count * 3 * sizeof(uint32_t);
	uint32_t *faces = malloc(size + 1);
	if (faces) memcpy(faces, scene->rig->mesh->triangles, size);
	studio_send_array(answer, faces, size, scene->revision);
	studio_scene_drop(request->session, scene);
}

static void put_weights(const studio_scene *scene, studio_answer *answer)
{
	const ossa_weights *weights = &scene->rig->weights;
	const size_t pairs = weights->vertex_count * (size_t)weights->influences;
	const size_t bones = pairs * sizeof *weights->bones, values = pairs * sizeof *weights->values;
	char *bytes = malloc(bones + values + 1);
	if (bytes) {
		memcpy(bytes, weights->bones, bones);
		memcpy(bytes + bones, weights->values, values);
	}
	studio_send_array(answer, bytes, bones + values, scene->revision);
}

void studio_get_weights(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	studio_scene *scene = studio_scene_take(request->session, answer);
	if (!scene) return;
	if (studio_has_bones(scene, answer)) put_weights(scene, answer);
	studio_scene_drop(request->session, scene);
}

static void put_clip(const ossa_clip *clip, bool with_times, int64_t revision, studio_answer *answer)
{
	const size_t bones = clip->frame_count * clip->bone_count, turns = bones * 4, places = clip->frame_count * 3;
	const size_t slides = clip->translations ? bones * 3 : 0, times = with_times ? clip->frame_count : 0;
	float *values = malloc((turns + places + slides + times + 1) * sizeof *values);
	for (size_t i = 0; values && i < turns; i++) values[i] = (float)clip->rotations[i];
	for (size_t i = 0; values && i < places; i++) values[turns + i] = (float)clip->root_positions[i];
	for (size_t i = 0; values && i < slides; i++) values[turns + places + i] = (float)clip->translations[i];
	for (size_t i = 0; values && i < times; i++) values[turns + places + slides + i] = (float)clip->times[i];
	studio_send_array(answer, values, (turns + places + slides + times) * sizeof *values, revision);
}

/* the first, or the one of the number that is asked for, which has its times behind it */
static void choose_clip(const studio_scene *scene, const studio_request *request, studio_answer *answer)
{
	uint64_t number;
	const size_t count = ossa_rig_clip_count(scene->rig);
	const bool is_numbered = request->argument(request->user, "number") != NULL;
	if (count == 0) studio_refuse(answer, 404, "input", "the rig has no motion");
	else if (studio_argument(request, "number", 0, count - 1, &number, answer)) {
		put_clip(ossa_rig_clip_at(scene->rig, (size_t)number), is_numbered, scene->revision, answer);
	}
}

void studio_get_clip(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	studio_scene *scene = studio_scene_take(request->session, answer);
	if (!scene) return;
	if (studio_has_bones(scene, answer)) choose_clip(scene, request, answer);
	studio_scene_drop(request->session, scene);
}

static void put_errors(
	const studio_session *session, const studio_scene *scene, const studio_request *request, studio_answer *answer)
{
	const ossa_rig *rig = scene->rig;
	const ossa_frames *frames = &scene->frames.frames;
	const size_t count = rig->mesh->vertex_count;
	uint64_t frame;
	if (frames->frame_count == 0 || !rig->clip || rig->clip->frame_count != frames->frame_count) {
		studio_refuse(answer, 404, "input", "there are no errors: the input has no motion, or the rig has another one");
		return;
	}
	if (!studio_argument(request, "frame", 0, frames->frame_count - 1, &frame, answer)) return;
	float *positions = studio_pose(session, rig, rig->clip, (size_t)frame, OSSA_BLEND_LINEAR, answer), *errors = positions;
	if (!positions) return;
	const float *target = frames->positions + frame * count * 3;
	/* in place: error i is written where positions before i were */
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		for (int k = 0; k < 3; k++) sum += pow((double)positions[3 * i + k] - (double)target[3 * i + k], 2);
		errors[i] = (float)sqrt(sum);
	}
	studio_send_array(answer, errors, count * sizeof *errors, scene->revision);
}

void studio_get_errors(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	studio_scene *scene = studio_scene_take(request->session, answer);
	if (!scene) return;
	if (studio_has_bones(scene, answer)) put_errors(request->session, scene, request, answer);
	studio_scene_drop(request->session, scene);
}
