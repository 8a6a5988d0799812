/* studio/server/whole.c: everything that the page draws in one answer: the state as JSON and the
   arrays of mesh, weights and motion; and the same of the source of a carried motion.

   Place in the path: called by routes.c.  A page needs one request instead of five; after an edit
   it names the mesh and the rig that it has, and these are left out where they have not changed. */
#include "routes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8, KEY_SIZE = 64 };

/* an array as it goes into the answer: of 4 bytes a number, or converted from doubles */
typedef struct whole_part {
	const char *name;
	const void *values;
	size_t bytes;       /* in the answer */
	bool is_of_doubles; /* floats are sent */
} whole_part;

typedef struct whole_answer {
	char *state; /* JSON; malloc's */
	int64_t revision;
	char mesh[KEY_SIZE], rig[KEY_SIZE]; /* their identifiers, "" for none */
	size_t count;
	whole_part parts[PARTS_MAX];
} whole_answer;

static void add_part(whole_answer *whole, const char *name, const void *values, size_t bytes)
{
	whole->parts[whole->count++] = (whole_part){name, values, bytes, false};
}

static void add_doubles(whole_answer *whole, const char *name, const double *values, size_t count)
{
	whole->parts[whole->count++] = (whole_part){name, values, count * sizeof(float), true};
}

static void add_mesh(whole_answer *whole, const ossa_mesh *mesh)
{
	add_part(whole, "positions", mesh->positions, mesh->vertex_count * 3 * sizeof(float));
	add_part(whole, "faces", mesh->triangles, mesh->triangle_count * 3 * sizeof(uint32_t));
}

static void add_rig(whole_answer *whole, const ossa_rig *rig, const ossa_clip *clip)
{
	const size_t pairs = rig->weights.vertex_count * (size_t)rig->weights.influences;
	if (rig->skeleton.bone_count == 0) return;
	add_part(whole, "weights", rig->weights.values, pairs * sizeof(float));
	if (clip) {
		const size_t turns = clip->frame_count * clip->bone_count;
		add_doubles(whole, "turns", clip->rotations, turns * 4);
		add_doubles(whole, "roots", clip->root_positions, clip->frame_count * 3);
		if (clip->translations) add_doubles(whole, "slides", clip->translations, turns * 3);
	}
	/* the last: its numbers have two bytes */
	add_part(whole, "bones", rig->weights.bones, pairs * sizeof(uint16_t));
}

/* the current state and the names of its files, of one revision */
static bool see_state(studio_session *session, whole_answer *whole)
{
	int64_t seen;
	*whole = (whole_answer){0};
	do {
		free(whole->state);
		pthread_mutex_lock(&session->lock);
		const json_t *state = studio_state_of(session->facts), *stored = json_object_get(session->facts, "stored");
		const char *mesh = json_string_value(json_object_get(json_object_get(state, "mesh"), "id"));
		const char *rig = json_string_value(json_object_get(stored, "rig"));
		if (!rig) rig = json_string_value(json_object_get(stored, "mesh"));
		snprintf(whole->mesh, sizeof whole->mesh, "%s", mesh ? mesh : "");
		snprintf(whole->rig, sizeof whole->rig, "%s", rig ? rig : "");
		seen = session->revision;
		pthread_mutex_unlock(&session->lock);
		whole->state = studio_state_text(session, &whole->revision);
	} while (whole->state && whole->revision != seen);
	return whole->state != NULL;
}

static bool has(const studio_request *request, const char *name, const char *key)
{
	const char *given = request->argument ? request->argument(request->user, name) : NULL;
	return given && strcmp(given, key) == 0;
}

/* {"mesh", "rig", "arrays": {name: [where, bytes]}, "state"}, padded to a multiple of 4; where
   arrays begin counts from behind it */
static char *make_head(const whole_answer *whole, size_t *size)
{
	const size_t capacity = strlen(whole->state) + 2 * KEY_SIZE + PARTS_MAX * 80 + 64;
	char *head = malloc(capacity);
	size_t at = 0;
	if (!head) return NULL;
	int used = snprintf(head, capacity, "{\"mesh\":\"%s\",\"rig\":\"%s\",\"arrays\":{", whole->mesh, whole->rig);
	for (size_t i = 0; i < whole->count; i++) {
		const whole_part *part = &whole->parts[i];
		used += snprintf(head + used, capacity - (size_t)used, "%s\"%s\":[%zu,%zu]", i ? "," : "", part->name, at, part->bytes);
		at += part->bytes;
	}
	used += snprintf(head + used, capacity - (size_t)used, "},\"state\":%s}", whole->state);
	*size = (size_t)used;
	while (*size % 4) head[(*size)++] = ' ';
	return head;
}

static char *put_part(char *to, const whole_part *part)
{
	const double *doubles = part->values;
	if (!part->is_of_doubles && part->bytes > 0) memcpy(to, part->values, part->bytes);
	for (size_t i = 0; part->is_of_doubles && i < part->bytes / sizeof(float); i++) {
		const float value = (float)doubles[i];
		memcpy(to + i * sizeof value, &value, sizeof value);
	}
	return to + part->bytes;
}

/* the head's size as u32, the head, the arrays */
static void send_whole(const whole_answer *whole, studio_answer *answer)
{
	size_t size = 0, bytes = 0;
	char *head = make_head(whole, &size);
	for (size_t i = 0; i < whole->count; i++) bytes += whole->parts[i].bytes;
	char *all = head ? malloc(4 + size + bytes) : NULL;
	if (all) {
		const uint32_t head_size = (uint32_t)size;
		memcpy(all, &head_size, 4);
		memcpy(all + 4, head, size);
		char *to = all + 4 + size;
		for (size_t i = 0; i < whole->count; i++) to = put_part(to, &whole->parts[i]);
	}
	free(head);
	studio_send_array(answer, all, 4 + size + bytes, whole->revision);
}

/* the parts of the scene that the page lacks; false, and an answer, after an error, and without
   an answer where a job has ended meanwhile */
static bool fill(const studio_request *request, whole_answer *whole, studio_scene **scene, studio_answer *answer)
{
	const bool has_mesh = has(request, "mesh", whole->mesh), has_rig = has_mesh && has(request, "rig", whole->rig);
	*scene = NULL;
	if (!whole->rig[0] || has_rig) return true;
	*scene = studio_scene_take(request->session, answer);
	if (!*scene || (*scene)->revision != whole->revision) return false;
	if (!has_mesh) add_mesh(whole, (*scene)->rig->mesh);
	add_rig(whole, (*scene)->rig, (*scene)->rig->clip);
	return true;
}

void studio_get_whole(studio_server *studio, studio_request *request, studio_answer *answer)
{
	bool is_over = false;
	(void)studio;
	while (!is_over) {
		whole_answer whole;
		studio_scene *scene = NULL;
		if (!see_state(request->session, &whole)) {
			studio_no_memory(answer);
			return;
		}
		const bool is_filled = fill(request, &whole, &scene, answer);
		if (is_filled) send_whole(&whole, answer);
		is_over = is_filled || !scene;
		studio_scene_drop(request->session, scene);
		free(whole.state);
	}
}

/* ---- the source of a carried motion ---- */

static void add_point(const double point[3], double low[3], double high[3])
{
	for (int k = 0; k < 3; k++) {
		if (point[k] < low[k]) low[k] = point[k];
		if (point[k] > high[k]) high[k] = point[k];
	}
}

/* The box that the page fits into view: of the mesh, and of the joints, as there may be no mesh.
   Files of motion capture often rest with the hips at the origin: then where the motion begins. */
static json_t *box_json(const ossa_rig *rig, const ossa_clip *clip)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	const bool is_moved = rig->mesh->vertex_count == 0 && clip && clip->frame_count > 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		add_point(rig->skeleton.bones[b].joint, low, high);
		add_point(rig->skeleton.bones[b].tail, low, high);
	}
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const float *at = rig->mesh->positions + 3 * v;
		const double point[3] = {(double)at[0], (double)at[1], (double)at[2]};
		add_point(point, low, high);
	}
	for (int k = 0; is_moved && k < 3; k++) {
		const double offset = clip->root_positions[k] - rig->skeleton.bones[0].joint[k];
		low[k] += offset;
		high[k] += offset;
	}
	return json_pack("{s:o, s:o}", "low", studio_reals(low, 3), "high", studio_reals(high, 3));
}

static char *source_text(const ossa_rig *rig, const ossa_clip *clip)
{
	json_t *described = json_pack("{s:o, s:o, s:i, s:o}", "box", box_json(rig, clip), "bones", studio_bones_json(rig),
		"influences", rig->weights.influences, "clip",
		clip ? json_pack("{s:s, s:o}", "name", clip->name, "times", studio_reals(clip->times, clip->frame_count))
			 : json_null());
	char *text = described ? json_dumps(described, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	json_decref(described);
	return text;
}

static void send_source(const studio_request *request, const ossa_rig *rig, studio_answer *answer)
{
	uint64_t number;
	const size_t count = ossa_rig_clip_count(rig);
	if (!studio_argument(request, "clip", 0, count > 0 ? count - 1 : 0, &number, answer)) return;
	const ossa_clip *clip = count > 0 ? ossa_rig_clip_at(rig, (size_t)number) : NULL;
	whole_answer whole = {.state = source_text(rig, clip), .revision = -1};
	if (!whole.state) {
		studio_no_memory(answer);
		return;
	}
	add_mesh(&whole, rig->mesh);
	add_rig(&whole, rig, clip);
	send_whole(&whole, answer);
	free(whole.state);
}

void studio_get_source(studio_server *studio, studio_request *request, studio_answer *answer)
{
	char key[STUDIO_NAME_SIZE + 8], name[64], path[STUDIO_PATH_SIZE], message[STUDIO_MESSAGE_SIZE];
	ossa_rig *rig = NULL;
	(void)studio;
	snprintf(key, sizeof key, "motion%s", request->parts[1]);
	studio_session_stored(request->session, key, name);
	ossa_context *context = name[0] ? studio_answer_context(request->session, answer) : NULL;
	if (!name[0]) studio_refuse(answer, 404, "input", "no motion of this number was carried onto the rig");
	if (!context) return;
	if (!studio_path(path, sizeof path, request->session->path, name)) message[0] = 0;
	else if (studio_rig_load(context, path, &rig, message, sizeof message) == OSSA_OK) send_source(request, rig, answer);
	if (!rig) studio_refuse(answer, 404, "input", "the motion is not there any more");
	ossa_rig_free(context, rig);
	ossa_context_free(context);
}
