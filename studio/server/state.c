/* studio/server/state.c: the state of a session as the page gets it (docs/studio-api.md), part by
   part.

   Place in the path: jobs fill the parts of their copy of the state; requests write the current
   one. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *studio_state_empty(const char *title)
{
	return json_pack("{s:i, s:s, s:[], s:n, s:n, s:{}, s:s, s:n, s:n, s:n, s:{s:[], s:[], s:[], s:b}, s:[], s:n, s:n, s:[], "
					 "s:[], s:[], s:[]}",
		"revision", 0, "title", title, "files", "before", "method", "options", "reason", "", "mesh", "input", "rig", "edits",
		"done", "undone", "steps", "stale", 0, "constraints", "solved", "report", "warnings", "exports", "animations",
		"motions");
}

json_t *studio_state_of(json_t *facts) { return json_object_get(facts, "state"); }

static ossa_status put(studio_work *work, const char *key, json_t *value)
{
	if (value && json_object_set_new(studio_state_of(work->facts), key, value) == 0) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory for the session's state");
}

/* a hash of vertices and faces: FNV-1a, by words */
static uint64_t add_words(uint64_t hash, const void *bytes, size_t count)
{
	const uint32_t *words = bytes;
	for (size_t i = 0; i < count; i++) hash = (hash ^ words[i]) * 0x100000001b3u;
	return hash;
}

ossa_status studio_state_mesh(studio_work *work, const ossa_mesh *mesh)
{
	char id[24];
	uint64_t hash = add_words(0xcbf29ce484222325u, mesh->positions, mesh->vertex_count * 3);
	hash = add_words(hash, mesh->triangles, mesh->triangle_count * 3);
	snprintf(id, sizeof id, "m%016llx", (unsigned long long)hash);
	ossa_mesh_facts facts;
	STUDIO_TRY(ossa_mesh_inspect(work->context, mesh, &facts));
	return put(work, "mesh",
		json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "id", id, "name", mesh->name, "vertices",
			(json_int_t)mesh->vertex_count, "faces", (json_int_t)mesh->triangle_count, "pieces", (json_int_t)facts.pieces,
			"diagonal", studio_real(facts.diagonal), "low", studio_reals(facts.minimum, 3), "high",
			studio_reals(facts.maximum, 3)));
}

void studio_state_before(studio_work *work)
{
	json_t *name = json_object_get(json_object_get(work->facts, "stored"), "before");
	json_object_set(studio_state_of(work->facts), "before", name);
}

void studio_state_input(studio_work *work, const ossa_frames *frames)
{
	json_t *input = json_null(), *names = json_array();
	if (frames && frames->frame_count > 0) {
		for (size_t i = 0; frames->names && i < frames->frame_count; i++) {
			json_t *name = json_string(frames->names[i]);
			json_array_append_new(names, name ? name : json_string(""));
		}
		input = json_pack("{s:s?, s:I, s:o, s:O}", "motion", frames->name, "frames", (json_int_t)frames->frame_count, "times",
			studio_reals(frames->times, frames->frame_count), "names", names);
	}
	json_decref(names);
	json_object_set_new(studio_state_of(work->facts), "input", input ? input : json_null());
}

/* the number of its part in ossa_body_part is what its colour is made of */
static json_t *role_json(ossa_role role)
{
	char words[64];
	return json_pack("{s:s, s:i, s:i, s:i, s:s}", "part", ossa_body_part_name(role.part), "part_number", (int)role.part, "side",
		role.side, "number", role.number, "words", ossa_role_print(role, words, sizeof words));
}

static json_t *bone_json(const ossa_rig *rig, size_t index, const double *errors)
{
	const ossa_bone *bone = &rig->skeleton.bones[index];
	json_t *limits = json_null();
	if (bone->has_limits) {
		limits = json_array();
		for (int i = 0; i < 3; i++) json_array_append_new(limits, studio_reals(bone->limits[i], 2));
	}
	json_t *value = json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", bone->name, "parent", bone->parent,
		"kind", ossa_joint_kind_name(bone->kind), "joint", studio_reals(bone->joint, 3), "tail", studio_reals(bone->tail, 3),
		"orientation", studio_reals(bone->orientation, 4), "axis", studio_reals(bone->axis, 3), "limits", limits, "turn",
		studio_real(bone->turn_degrees), "error", errors ? studio_real(errors[index]) : json_null());
	if (bone->kind == OSSA_JOINT_UNIVERSAL) {
		json_object_set_new(value, "second_axis", studio_reals(bone->second_axis, 3));
		json_object_set_new(value, "axis_limits", studio_reals(bone->axis_limits[0], 4));
	}
	if (bone->kind == OSSA_JOINT_PRISMATIC && bone->has_limits)
		json_object_set_new(value, "slide_limits", studio_reals(bone->slide_limits, 2));
	if (bone->deviation > 0) json_object_set_new(value, "deviation", studio_real(bone->deviation));
	if (bone->role.part != OSSA_PART_NONE) json_object_set_new(value, "role", role_json(bone->role));
	return value;
}

/* what was recognized, and the same in words; null where that is not known */
static json_t *body_json(const ossa_body *body)
{
	char words[OSSA_BODY_TEXT], front[OSSA_BODY_TEXT];
	if (!ossa_body_is_known(body)) return json_null();
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:s, s:s}", "kind", ossa_body_kind_name(body->kind), "score",
		studio_real(body->score), "runner_up", ossa_body_kind_name(body->runner_up), "runner_up_score",
		studio_real(body->runner_up_score), "front_odds", studio_real(body->front_odds), "up", studio_reals(body->up, 3),
		"front", studio_reals(body->front, 3), "words", ossa_body_print(body, words, sizeof words), "faces",
		ossa_body_front_print(body, front, sizeof front));
}

json_t *studio_bones_json(const ossa_rig *rig)
{
	json_t *bones = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) json_array_append_new(bones, bone_json(rig, b, NULL));
	return bones;
}

static json_t *clip_json(const ossa_clip *clip)
{
	const size_t count = clip->frame_count;
	json_t *name = json_string(clip->name);
	return json_pack("{s:o, s:I, s:o, s:b}", "name", name ? name : json_string(""), "frames", (json_int_t)count, "seconds",
		studio_real(count > 0 ? clip->times[count - 1] - clip->times[0] : 0), "slides", clip->translations != NULL);
}

static json_t *loops_json(const ossa_rig *rig)
{
	json_t *loops = json_array();
	for (size_t i = 0; i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		json_array_append_new(loops,
			json_pack("{s:o, s:[ii]}", "center", studio_reals(loop->center, 3), "bones", loop->bones[0], loop->bones[1]));
	}
	return loops;
}

json_t *studio_dependencies_json(const ossa_rig *rig)
{
	json_t *list = json_array();
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		json_t *item = json_pack("{s:i, s:i, s:o, s:o, s:o, s:o}", "bone", d->bone, "driver", d->driver, "ratio",
			studio_real(d->ratio), "offset", studio_real(d->offset_degrees), "error", studio_real(d->error_degrees), "cost",
			studio_real(d->cost));
		const bool twists = d->driver_axis[0] != 0 || d->driver_axis[1] != 0 || d->driver_axis[2] != 0;
		if (twists) json_object_set_new(item, "driver_axis", studio_reals(d->driver_axis, 3));
		json_array_append_new(list, item);
	}
	return list;
}

ossa_status studio_state_rig(studio_work *work, const ossa_rig *rig, const double *bone_errors)
{
	json_t *bones = json_array(), *clip = json_null();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) json_array_append_new(bones, bone_json(rig, b, bone_errors));
	if (rig->clip) {
		clip = json_pack(
			"{s:s, s:o}", "name", rig->clip->name, "times", studio_reals(rig->clip->times, rig->clip->frame_count));
	}
	json_t *clips = json_array();
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) json_array_append_new(clips, clip_json(ossa_rig_clip_at(rig, i)));
	STUDIO_TRY(put(work, "method", json_string(rig->method)));
	return put(work, "rig",
		json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:i, s:o}", "bones", bones, "influences", rig->weights.influences, "clip",
			clip, "clips", clips, "loops", loops_json(rig), "dependencies", studio_dependencies_json(rig), "levels",
			rig->level_count, "body", body_json(&rig->body)));
}

/* ---- warnings ---- */

/* warnings of a step are removed when it is done again, and all of them when something else is
   opened */
static json_t *others(const json_t *warnings, const char *verb)
{
	json_t *kept = json_array();
	for (size_t i = 0; i < json_array_size(warnings) && strcmp(verb, "open") != 0; i++) {
		json_t *warning = json_array_get(warnings, i);
		const char *from = json_string_value(json_object_get(warning, "from"));
		if (from && strcmp(from, verb) != 0) json_array_append(kept, warning);
	}
	return kept;
}

void studio_state_warnings(studio_work *work, const ossa_context *context)
{
	json_t *state = studio_state_of(work->facts);
	const char *verb = json_string_value(json_object_get(work->wanted, "do"));
	json_t *list = others(json_object_get(state, "warnings"), verb);
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		const ossa_warning *warning = ossa_context_warning(context, i);
		char message[sizeof warning->message];
		snprintf(message, sizeof message, "%s", warning->message);
		studio_hide_folder(work->session, message);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "from", verb, "code", warning->code, "count",
				(json_int_t)warning->count, "counted", warning->counted, "message", message, "meaning",
				studio_meaning(warning->code), "advice", studio_advice(warning->code)));
	}
	json_object_set_new(state, "warnings", list);
}

/* ---- exports ---- */

ossa_status studio_state_exports(studio_work *work)
{
	char folder[STUDIO_PATH_SIZE];
	if (!studio_path(folder, sizeof folder, work->session->path, "exports")) return OSSA_ERROR_WRITE;
	json_t *names = studio_folder_names(folder), *list = json_array();
	for (size_t i = 0; i < json_array_size(names); i++) {
		uint64_t size;
		const char *name = json_string_value(json_array_get(names, i));
		if (!studio_file_size(folder, name, &size)) continue;
		json_array_append_new(list, json_pack("{s:s, s:I}", "name", name, "bytes", (json_int_t)size));
	}
	json_decref(names);
	return put(work, "exports", list);
}

char *studio_state_text(studio_session *session, int64_t *revision)
{
	pthread_mutex_lock(&session->lock);
	*revision = session->revision;
	char *text = json_dumps(studio_state_of(session->facts), JSON_COMPACT | JSON_REAL_PRECISION(9));
	pthread_mutex_unlock(&session->lock);
	return text;
}
