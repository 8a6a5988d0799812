/* tools/ossa/rig_constraints.c: see rig_constraints.h.

   Place in the path: the top, behind `ossa rig`.
   Input: a rig that is made, and constraints as they were typed.
   Output: the rig after these edits and a solve.
   The bones have names only when the rig is made: so it is made without the constraints, which are
   then edits of it, as `ossa edit` does them. A bone may also be given by a point, of which it is
   the bone that moves the nearest vertex most. */
#include "rig_constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 64, LINE_SIZE = 256 };

static bool is_constraint(size_t text)
{
	return text == RIG_FORBID || text == RIG_APART || text == RIG_TOGETHER || text == RIG_LOCK;
}

static size_t count_pairs(const command_run *run)
{
	return run->texts[RIG_FORBID].count + run->texts[RIG_APART].count + run->texts[RIG_TOGETHER].count;
}

ossa_status rig_constraints_check(command_run *run, const rig_work *work)
{
	if (work->given.path && count_pairs(run) > 0) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--forbid, --apart and --together are about bones that are made here; with bones of a file: ossa edit %s --forbid "
			"...",
			work->given.path);
	}
	if (work->given.path || run->texts[RIG_LOCK].count == 0 || count_pairs(run) > 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--lock is about bones that exist: name them by --with, or give --forbid, --apart or --together, whose solve keeps "
		"what "
		"is locked");
}

/* ---- words ---- */

/* the next word of a text, words separated by blanks or commas; false at the end */
static bool next_word(const char **text, char word[WORD_SIZE])
{
	static const char between[] = " ,\t";
	*text += strspn(*text, between);
	const size_t length = strcspn(*text, between);
	snprintf(word, WORD_SIZE, "%.*s", (int)(length < WORD_SIZE ? length : WORD_SIZE - 1), *text);
	*text += length;
	return length > 0;
}

/* a point where the next three words are numbers */
static bool next_point(const char **text, double point[3])
{
	const char *at = *text;
	char word[WORD_SIZE], *end;
	for (int k = 0; k < 3; k++) {
		if (!next_word(&at, word)) return false;
		point[k] = strtod(word, &end);
		if (*end || !isfinite(point[k])) return false;
	}
	*text = at;
	return true;
}

/* squares of the distance from a point to the nearest vertex, and of the diagonal */
typedef struct nearest_vertex {
	size_t vertex;
	double distance, diagonal;
} nearest_vertex;

static nearest_vertex find_nearest(const ossa_mesh *mesh, const double point[3])
{
	nearest_vertex found = {.distance = INFINITY};
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		double square = 0;
		for (size_t k = 0; k < 3; k++) {
			const double x = (double)mesh->positions[3 * v + k];
			square += (x - point[k]) * (x - point[k]);
			low[k] = fmin(low[k], x);
			high[k] = fmax(high[k], x);
		}
		if (!(square < found.distance)) continue;
		found.distance = square;
		found.vertex = v;
	}
	for (int k = 0; k < 3; k++) found.diagonal += (high[k] - low[k]) * (high[k] - low[k]);
	return found;
}

static ossa_status bone_at(command_run *run, const ossa_rig *rig, const double point[3], const char **name)
{
	const nearest_vertex nearest = find_nearest(rig->mesh, point);
	if (nearest.distance > nearest.diagonal) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"the point %g,%g,%g is farther from the mesh than the mesh is large: are the units the same?", point[0], point[1],
			point[2]);
	}
	const size_t width = (size_t)rig->weights.influences, first = nearest.vertex * width;
	size_t best = first;
	for (size_t i = first; i < first + width; i++) {
		if (rig->weights.values[i] > rig->weights.values[best]) best = i;
	}
	*name = rig->skeleton.bones[rig->weights.bones[best]].name;
	return OSSA_OK;
}

/* ---- lines ---- */

/* The line of an edit: the verb and the words, points replaced by names. names: the two bones. */
static ossa_status make_line(
	command_run *run, const ossa_rig *rig, const command_typed *typed, char line[LINE_SIZE], char names[2][WORD_SIZE])
{
	const char *text = typed->value, *name = "";
	char word[WORD_SIZE];
	double point[3];
	size_t count = 0;
	int used = snprintf(line, LINE_SIZE, "%s", run->command->texts[typed->text].name);
	while (used < LINE_SIZE) {
		if (next_point(&text, point)) {
			COMMAND_TRY(bone_at(run, rig, point, &name));
			snprintf(word, sizeof word, "%s", name);
		} else if (!next_word(&text, word)) break;
		if (count < 2) memcpy(names[count++], word, sizeof word);
		used += snprintf(line + used, LINE_SIZE - (size_t)used, " %s", word);
	}
	return OSSA_OK;
}

static ossa_status do_line(command_run *run, rig_work *work, const command_typed *typed, const char *line)
{
	const ossa_status status = ossa_editor_do_line(run->context, work->editor, line);
	if (status != OSSA_ERROR_ARGUMENT) return status;
	return command_fail(run, status, "--%s %.200s: %s", run->command->texts[typed->text].name, typed->value,
		ossa_context_error(run->context)->message);
}

/* two points of one bone that are to be apart: it is split, where solving finds the cut */
static ossa_status split(
	command_run *run, rig_work *work, const command_typed *typed, char line[LINE_SIZE], char names[2][WORD_SIZE])
{
	char bone[WORD_SIZE];
	memcpy(bone, names[0], sizeof bone);
	snprintf(line, LINE_SIZE, "split %s", bone);
	COMMAND_TRY(do_line(run, work, typed, line));
	COMMAND_TRY(make_line(run, ossa_editor_rig(work->editor), typed, line, names));
	if (strcmp(names[0], names[1]) != 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--%s %.200s: both points are moved by %s, and by the same half of it where it is split",
		run->command->texts[typed->text].name, typed->value, bone);
}

static ossa_status constrain(command_run *run, rig_work *work, const command_typed *typed)
{
	char line[LINE_SIZE], names[2][WORD_SIZE] = {"", ""};
	if (!is_constraint(typed->text)) return OSSA_OK;
	COMMAND_TRY(make_line(run, ossa_editor_rig(work->editor), typed, line, names));
	if (typed->text == RIG_APART && names[0][0] && strcmp(names[0], names[1]) == 0)
		COMMAND_TRY(split(run, work, typed, line, names));
	return do_line(run, work, typed, line);
}

/* ---- the work ---- */

/* unconstrained bones, where solving has left any */
static ossa_status measure_free(command_run *run, rig_work *work)
{
	const ossa_rig *rig = work->rig;
	const ossa_weights *own = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	work->made.free_bones = (ossa_metrics){.rms_percent = NAN};
	if (!rig->free_clip || !work->frames) return OSSA_OK;
	return ossa_rig_measure(run->context, rig, own, rig->free_clip, work->frames, &work->made.free_bones);
}

/* errors of the rig as it is now */
static ossa_status measure(command_run *run, rig_work *work)
{
	const ossa_rig *rig = work->rig;
	ossa_rig_result *made = &work->made;
	COMMAND_TRY(ossa_rig_measure(run->context, rig, NULL, NULL, work->frames, &made->hierarchy));
	COMMAND_TRY(measure_free(run, work));
	if (work->frames) {
		ossa_free(run->context, made->bone_rms);
		made->bone_rms = ossa_alloc(run->context, rig->skeleton.bone_count, sizeof *made->bone_rms);
		if (!made->bone_rms) return ossa_context_error(run->context)->status;
		COMMAND_TRY(ossa_rig_bone_errors(run->context, rig, NULL, NULL, work->frames, made->bone_rms));
	}
	ossa_report_fill(run->context, rig, made->frame_count, &made->hierarchy, &made->free_bones, &work->report);
	work->report.bone_rms = made->bone_rms;
	return command_measure_levels(run, rig, work->stream, work->level_rms);
}

ossa_status rig_constraints_apply(command_run *run, rig_work *work)
{
	if (work->given.path || count_pairs(run) == 0) return OSSA_OK;
	if (work->stream) COMMAND_TRY(ossa_frame_stream_frames(run->context, work->stream, 0, NULL, &work->frames));
	COMMAND_TRY(ossa_editor_create(run->context, work->rig, work->frames, &work->editor));
	for (size_t i = 0; i < run->typed_count; i++) COMMAND_TRY(constrain(run, work, &run->typed[i]));
	COMMAND_TRY(ossa_editor_do_line(run->context, work->editor, "solve"));
	/* nothing changes it from here on */
	work->rig = (ossa_rig *)ossa_editor_rig(work->editor);
	return measure(run, work);
}

void rig_constraints_end(command_run *run, rig_work *work)
{
	ossa_editor_free(run->context, work->editor);
	ossa_frames_free(run->context, work->frames);
}

void rig_constraints_print(const rig_work *work)
{
	for (size_t i = 0; work->editor && i < ossa_editor_done_count(work->editor); i++)
		printf("%-10s %s\n", "edit", ossa_editor_line(work->editor, i));
}

json_t *rig_constraints_json(const rig_work *work)
{
	json_t *lines = json_array();
	for (size_t i = 0; i < ossa_editor_done_count(work->editor); i++)
		json_array_append_new(lines, json_string(ossa_editor_line(work->editor, i)));
	return lines;
}
