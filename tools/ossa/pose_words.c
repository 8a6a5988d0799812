/* tools/ossa/pose_words.c: the words of `ossa pose` into edits of a motion.

   Place in the path: the top.
   Input: text options in the order typed, a rig.
   Output: ossa_motion_edit values.
   A word belongs to the one before it: edits to the joint before them, --at, --ease and --about
   to the edit before them. Frames are counted from 1 on the command line and from 0 in the
   library. */
#include "pose_values.h"

#include <stdlib.h>
#include <string.h>

/* position of the parser */
typedef struct word_reader {
	pose_source source;
	const ossa_rig *rig;
	pose_edits *made;
	size_t *bones; /* of the last --joint; OSSA_ALL_BONES alone for "all" */
	size_t bone_count;
	/* the last edit is edits[begin .. made->count), one for each bone; none where they meet */
	size_t begin;
	size_t edit_text; /* which kind of word it was */
	bool range_given; /* it has an --at */
	size_t first_key; /* its keys are keys[first_key .. key_count) */
	size_t key_count;
} word_reader;

/* ---- joints ---- */

ossa_status pose_find_joint(command_run *run, const ossa_rig *rig, const char *name, size_t *bone)
{
	const ossa_status status = ossa_rig_find_bone(run->context, rig, name, bone);
	if (status != OSSA_ERROR_ARGUMENT) return status;
	return command_fail(
		run, status, "%s: %s (ossa pose --list names all)", run->files.values[0], ossa_context_error(run->context)->message);
}

/* "forearm_L", "forearm_L,forearm_R", "all" */
static ossa_status take_joints(word_reader *reader, const char *text)
{
	reader->bone_count = 0;
	reader->begin = reader->made->count;
	if (strcmp(text, "all") == 0 && ossa_rig_bone(reader->rig, text) < 0) {
		reader->bones[reader->bone_count++] = OSSA_ALL_BONES;
		return OSSA_OK;
	}
	for (const char *at = text;; at++) {
		char name[128];
		const size_t size = strcspn(at, ",");
		snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : sizeof name - 1), at);
		size_t bone;
		COMMAND_TRY(pose_find_joint(reader->source.run, reader->rig, name, &bone));
		if (reader->bone_count == reader->rig->skeleton.bone_count)
			return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT, "--%s %.64s... names joints twice",
				pose_spelling(&reader->source, POSE_JOINT), text);
		reader->bones[reader->bone_count++] = bone;
		at += size;
		if (*at == 0) return OSSA_OK;
	}
}

/* ---- edits ---- */

static ossa_status add_edit(word_reader *reader, ossa_motion_edit edit)
{
	pose_edits *made = reader->made;
	if (made->count == made->capacity) {
		const size_t capacity = 2 * made->capacity + 16;
		ossa_motion_edit *grown = realloc(made->edits, capacity * sizeof *grown);
		if (!grown) return command_fail(reader->source.run, OSSA_ERROR_MEMORY, "out of memory");
		made->edits = grown;
		made->capacity = capacity;
	}
	made->edits[made->count++] = edit;
	return OSSA_OK;
}

/* the same edit for every joint that was named last */
static ossa_status add_for_joints(word_reader *reader, size_t text, ossa_motion_edit edit)
{
	if (reader->bone_count == 0) {
		return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT,
			"--%s: of which joint? write --joint NAME before it (see: ossa pose --help)", pose_spelling(&reader->source, text));
	}
	reader->begin = reader->made->count;
	reader->edit_text = text;
	reader->range_given = false;
	for (size_t i = 0; i < reader->bone_count; i++) {
		edit.bone = reader->bones[i];
		COMMAND_TRY(add_edit(reader, edit));
	}
	return OSSA_OK;
}

static ossa_status take_rotation(word_reader *reader, size_t text, const char *value)
{
	ossa_motion_edit edit = ossa_motion_edit_default(text == POSE_ROTATE ? OSSA_MOTION_TURN : OSSA_MOTION_SET, 0);
	COMMAND_TRY(pose_take_angles(&reader->source, text, value, value, edit.rotation));
	return add_for_joints(reader, text, edit);
}

/* about each joint's own axis of bending */
static ossa_status take_bend(word_reader *reader, const char *value)
{
	double degrees, axis[3];
	if (!pose_read_numbers(value, &degrees, 1))
		return pose_refuse_value(&reader->source, POSE_BEND, value, "one angle in degrees");
	COMMAND_TRY(add_for_joints(reader, POSE_BEND, ossa_motion_edit_default(OSSA_MOTION_TURN, 0)));
	for (size_t i = reader->begin; i < reader->made->count; i++) {
		ossa_motion_edit *edit = &reader->made->edits[i];
		if (edit->bone == OSSA_ALL_BONES) {
			return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT,
				"--%s: bending has no meaning for all joints; name those that bend", pose_spelling(&reader->source, POSE_BEND));
		}
		const ossa_bone *bone = &reader->rig->skeleton.bones[edit->bone];
		if (!ossa_rig_bend_axis(reader->rig, NULL, edit->bone, axis)) {
			if (bone->kind == OSSA_JOINT_PRISMATIC) {
				return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT, "--%s: %s never turns, it slides%s",
					pose_spelling(&reader->source, POSE_BEND), bone->name,
					reader->source.option ? "" : "; move it with --slide D");
			}
			return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT,
				"--%s: %s never turns in the motion of the file, so its axis is unknown; turn it with %sX,Y,Z",
				pose_spelling(&reader->source, POSE_BEND), bone->name, reader->source.option ? "" : "--rotate ");
		}
		ossa_turn_about(axis, degrees, edit->rotation);
	}
	return OSSA_OK;
}

static ossa_status take_scale(word_reader *reader, const char *value)
{
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_SCALE, 0);
	if (!pose_read_numbers(value, &edit.factor, 1)) return pose_refuse_value(&reader->source, POSE_SCALE, value, "a factor");
	return add_for_joints(reader, POSE_SCALE, edit);
}

/* held so far from rest along the axis of each joint that slides */
static ossa_status take_slide(word_reader *reader, const char *value)
{
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_SLIDE, 0);
	if (!pose_read_numbers(value, &edit.distance, 1))
		return pose_refuse_value(&reader->source, POSE_SLIDE, value, "a distance from the rest pose in the units of the mesh");
	return add_for_joints(reader, POSE_SLIDE, edit);
}

static ossa_status take_move(word_reader *reader, const char *value)
{
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_MOVE, 0);
	if (!pose_read_numbers(value, edit.offset, 3))
		return pose_refuse_value(&reader->source, POSE_MOVE, value, "three lengths along the world's axes, X,Y,Z");
	const bool root = reader->bone_count == 1 && (reader->bones[0] == 0 || reader->bones[0] == OSSA_ALL_BONES);
	if (reader->bone_count > 0 && !root) {
		return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT,
			"--move is for the root, %s; other joints can only be turned", reader->rig->skeleton.bones[0].name);
	}
	return add_for_joints(reader, POSE_MOVE, edit);
}

/* keys of one edit are kept in the order of their frames */
static ossa_status add_key(word_reader *reader, ossa_motion_key key)
{
	ossa_motion_key *keys = reader->made->keys;
	size_t at = reader->key_count++;
	for (; at > reader->first_key && keys[at - 1].frame >= key.frame; at--) {
		if (keys[at - 1].frame == key.frame)
			return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT, "--key: frame %zu has two keys", key.frame + 1);
		keys[at] = keys[at - 1];
	}
	keys[at] = key;
	for (size_t i = reader->begin; i < reader->made->count; i++) {
		ossa_motion_edit *edit = &reader->made->edits[i];
		edit->keys = keys + reader->first_key;
		edit->key_count = reader->key_count - reader->first_key;
		if (reader->range_given) continue;
		edit->first = edit->keys[0].frame;
		edit->last = edit->keys[edit->key_count - 1].frame;
	}
	return OSSA_OK;
}

/* "12=0,0,60", "12=rest"; more keys for the same joint are of the same curve */
static ossa_status take_key(word_reader *reader, const char *value)
{
	ossa_motion_key key;
	const char *at = value;
	const size_t frame = pose_read_frame(&at);
	if (at == value || *at != '=')
		return pose_refuse_value(&reader->source, POSE_KEY, value, "a frame and three angles, FRAME=X,Y,Z");
	COMMAND_TRY(pose_check_frame(&reader->source, POSE_KEY, frame));
	key.frame = frame - 1;
	COMMAND_TRY(pose_take_angles(&reader->source, POSE_KEY, value, at + 1, key.rotation));
	if (reader->begin == reader->made->count || reader->edit_text != POSE_KEY) {
		COMMAND_TRY(add_for_joints(reader, POSE_KEY, ossa_motion_edit_default(OSSA_MOTION_KEYS, 0)));
		reader->first_key = reader->key_count;
	}
	return add_key(reader, key);
}

/* ---- what belongs to an edit ---- */

static ossa_status check_edit_before(word_reader *reader, size_t text)
{
	if (reader->begin < reader->made->count) return OSSA_OK;
	return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT,
		"--%s belongs to the edit before it, and there is none; write it after --rotate, --bend, --set ... (see: ossa pose "
		"--help)",
		pose_spelling(&reader->source, text));
}

/* "10:20", "10:", ":20", "10", "all" */
static ossa_status take_range(word_reader *reader, const char *value)
{
	const char *at = value;
	size_t first = 1, last = reader->source.frame_count;
	COMMAND_TRY(check_edit_before(reader, POSE_AT));
	if (strcmp(value, "all") != 0) {
		const bool begins = *at != ':';
		if (begins) first = pose_read_frame(&at);
		if (begins && at == value)
			return pose_refuse_value(&reader->source, POSE_AT, value, "frames such as 12, 10:20, 10: or all");
		const bool open = at[0] == ':' && at[1] == 0 && begins;
		if (*at == ':') at++;
		else last = first;
		const char *second = at;
		if (*at && !open) last = pose_read_frame(&at);
		if (*at || (at == second && second[-1] == ':' && !open))
			return pose_refuse_value(&reader->source, POSE_AT, value, "frames such as 12, 10:20, 10: or all");
	}
	COMMAND_TRY(pose_check_frame(&reader->source, POSE_AT, first));
	COMMAND_TRY(pose_check_frame(&reader->source, POSE_AT, last));
	if (last < first) return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT, "--at %.40s ends before it begins", value);
	for (size_t i = reader->begin; i < reader->made->count; i++) {
		reader->made->edits[i].first = first - 1;
		reader->made->edits[i].last = last - 1;
	}
	reader->range_given = true;
	return OSSA_OK;
}

static ossa_status take_ease(word_reader *reader, const char *value)
{
	const char *at = value;
	COMMAND_TRY(check_edit_before(reader, POSE_EASE));
	const size_t frames = pose_read_frame(&at);
	if (at == value || *at) return pose_refuse_value(&reader->source, POSE_EASE, value, "a number of frames");
	for (size_t i = reader->begin; i < reader->made->count; i++) reader->made->edits[i].ease = frames;
	return OSSA_OK;
}

static ossa_status take_axes(word_reader *reader, const char *value)
{
	static const char *const names[] = {"own", "parent", "world"};
	COMMAND_TRY(check_edit_before(reader, POSE_ABOUT));
	if (reader->edit_text != POSE_ROTATE) {
		return command_fail(reader->source.run, OSSA_ERROR_ARGUMENT, "--about is for --rotate; --%s has its own axes",
			pose_spelling(&reader->source, reader->edit_text));
	}
	for (int axes = 0; axes < 3; axes++) {
		if (strcmp(value, names[axes]) != 0) continue;
		for (size_t i = reader->begin; i < reader->made->count; i++) reader->made->edits[i].axes = (ossa_motion_axes)axes;
		return OSSA_OK;
	}
	return pose_refuse_value(&reader->source, POSE_ABOUT, value, "own, parent or world");
}

static ossa_status take_word(word_reader *reader, const command_typed *word)
{
	switch (word->text) {
	case POSE_JOINT: return take_joints(reader, word->value);
	case POSE_ROTATE:
	case POSE_SET: return take_rotation(reader, word->text, word->value);
	case POSE_BEND: return take_bend(reader, word->value);
	case POSE_KEY: return take_key(reader, word->value);
	case POSE_SCALE: return take_scale(reader, word->value);
	case POSE_SLIDE: return take_slide(reader, word->value);
	case POSE_MOVE: return take_move(reader, word->value);
	case POSE_AT: return take_range(reader, word->value);
	case POSE_EASE: return take_ease(reader, word->value);
	case POSE_ABOUT: return take_axes(reader, word->value);
	default: return OSSA_OK;
	}
}

ossa_status pose_read_words(command_run *run, const ossa_rig *rig, size_t frame_count, pose_edits *edits)
{
	word_reader reader = {.source = {.run = run, .frame_count = frame_count}, .rig = rig, .made = edits};
	reader.bones = calloc(rig->skeleton.bone_count + 1, sizeof *reader.bones);
	edits->keys = calloc(run->typed_count + 1, sizeof *edits->keys);
	ossa_status status = reader.bones && edits->keys ? OSSA_OK : command_fail(run, OSSA_ERROR_MEMORY, "out of memory");
	for (size_t i = 0; i < run->typed_count && status == OSSA_OK; i++) status = take_word(&reader, &run->typed[i]);
	free(reader.bones);
	return status;
}

/* ---- a turn in one text ---- */

/* "thigh_L 45 0 0", "thigh_L 45,0,0", "thigh_L,thigh_R 45": what follows the joints, joined by
   commas */
static void join_angles(const char *from, char *to, size_t size)
{
	size_t length = 0;
	for (; *from && length + 1 < size; from++) {
		const bool gap = *from == ' ' || *from == ',';
		if (gap && (length == 0 || to[length - 1] == ',')) continue;
		to[length++] = gap ? ',' : *from;
	}
	while (length > 0 && to[length - 1] == ',') length--;
	to[length] = 0;
}

static ossa_status take_turn(word_reader *reader, const char *text)
{
	static const char form[] = "joints and how far they turn, \"NAME X Y Z\", or bend, \"NAME DEGREES\"";
	char *joints = strdup(text), angles[128];
	if (!joints) return command_fail(reader->source.run, OSSA_ERROR_MEMORY, "out of memory");
	char *end = joints + strcspn(joints, " ");
	join_angles(end, angles, sizeof angles);
	*end = 0;
	double degrees[3];
	ossa_status status = OSSA_OK;
	const bool turns = pose_read_numbers(angles, degrees, 3), bends = pose_read_numbers(angles, degrees, 1);
	if (!turns && !bends) status = pose_refuse_value(&reader->source, POSE_ROTATE, text, form);
	if (status == OSSA_OK) status = take_joints(reader, joints);
	if (status == OSSA_OK) status = turns ? take_rotation(reader, POSE_ROTATE, angles) : take_bend(reader, angles);
	free(joints);
	return status;
}

ossa_status pose_read_turns(
	command_run *run, const ossa_rig *rig, const char *option, const command_values *turns, pose_edits *edits)
{
	word_reader reader = {.source = {.run = run, .option = option}, .rig = rig, .made = edits};
	reader.bones = calloc(rig->skeleton.bone_count + 1, sizeof *reader.bones);
	ossa_status status = reader.bones ? OSSA_OK : command_fail(run, OSSA_ERROR_MEMORY, "out of memory");
	for (size_t i = 0; i < turns->count && status == OSSA_OK; i++) status = take_turn(&reader, turns->values[i]);
	free(reader.bones);
	return status;
}

void pose_edits_free(pose_edits *edits)
{
	free(edits->edits);
	free(edits->keys);
	*edits = (pose_edits){0};
}
