/* tools/ossa/rig_characters.c: see rig_characters.h.

   Place in the path: the top, behind `ossa rig`.
   Input: a file or several for each character.
   Output: a rig and reports for each, named after the outputs and the characters' files. */
#include "rig_characters.h"
#include "target.h"

#include <math.h>
#include <string.h>

enum { NAME_SIZE = 64, OUTPUTS_MAX = 16 };

/* a character, which is read, written and reported as the rig of one mesh is */
typedef struct member {
	char name[NAME_SIZE]; /* what its outputs have behind their own name */
	char *text;           /* its files as they were typed, cut at commas; "" for the first */
	const char **paths;   /* its own; the first is at rest */
	char (*written)[COMMAND_PATH_SIZE];
	const char *outputs[2 * OUTPUTS_MAX]; /* rigs, then reports */
	rig_work work;
} member;

typedef struct crowd {
	command_run *run;
	size_t count, report_count;
	member *members;
	ossa_characters_result made;
} crowd;

bool rig_characters_are_asked(const command_run *run) { return run->texts[RIG_CHARACTER].count > 0; }

/* ---- what is asked ---- */

ossa_status rig_characters_check(command_run *run, const rig_work *first)
{
	static const size_t single[] = {RIG_FORBID, RIG_APART, RIG_TOGETHER, RIG_LIMITS, RIG_LANDMARKS, RIG_CURVE};
	const ossa_write_options *write = run->options[RIG_WRITE];
	const ossa_shape_options *shapes = run->options[RIG_SHAPES];
	const char *other = first->given.path ? "with"
		: write->free_bones               ? "free-bones"
		: shapes->add_shapes > 0          ? "add-shapes"
										  : NULL;
	if (!rig_characters_are_asked(run)) return OSSA_OK;
	for (size_t i = 0; i < sizeof single / sizeof *single && !other; i++) {
		if (run->texts[single[i]].count > 0) other = run->command->texts[single[i]].name;
	}
	if (other) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--character makes one rig for several characters, and --%s is about a single one: leave it out, or use it on the "
			"rigs afterwards",
			other);
	}
	if (run->texts[RIG_OUTPUT].count + run->texts[RIG_REPORT].count <= OUTPUTS_MAX) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "--character takes up to %d outputs and reports", (int)OUTPUTS_MAX);
}

/* ---- files and names ---- */

/* REST,POSE,...; a name that has a comma in it is taken whole where there is such a file */
static ossa_status cut_files(crowd *c, const char *typed, member *m)
{
	size_t count = 1;
	ossa_context *context = c->run->context;
	FILE *whole = strchr(typed, ',') ? fopen(typed, "rb") : NULL;
	m->text = ossa_alloc(context, strlen(typed) + 1, 1);
	if (whole) fclose(whole);
	if (!m->text) return ossa_context_error(context)->status;
	memcpy(m->text, typed, strlen(typed));
	for (const char *p = typed; *p && !whole; p++) count += *p == ',';
	m->paths = ossa_alloc(context, count, sizeof *m->paths);
	if (!m->paths) return ossa_context_error(context)->status;
	char *word = m->text;
	for (size_t i = 0; i < count; i++) {
		char *comma = whole ? NULL : strchr(word, ',');
		m->paths[i] = word;
		if (comma) *comma = 0;
		if (!*word) {
			return command_fail(c->run, OSSA_ERROR_ARGUMENT,
				"--character \"%s\": a file name is missing; REST,POSE,... has a comma between files", typed);
		}
		if (comma) word = comma + 1;
	}
	m->work.rest = m->paths[0];
	m->work.poses = m->paths + 1;
	m->work.pose_count = count - 1;
	return OSSA_OK;
}

/* the file at rest without folder and ending, cut between characters of UTF-8 */
static void name_of_file(const char *path, char *name)
{
	const char *slash = strrchr(path, '/');
	const char *from = slash ? slash + 1 : path;
	const char *dot = strrchr(from, '.');
	size_t length = dot && dot > from ? (size_t)(dot - from) : strlen(from);
	if (length > NAME_SIZE - 1) {
		length = NAME_SIZE - 1;
		/* a character has up to three bytes behind its first */
		for (int i = 0; i < 3 && (from[length] & 0xC0) == 0x80; i++) length--;
	}
	snprintf(name, NAME_SIZE, "%.*s", (int)length, from);
}

/* characters whose files have one name get their number */
static void name_members(crowd *c)
{
	for (size_t i = 0; i < c->count; i++) name_of_file(c->members[i].work.rest, c->members[i].name);
	for (size_t i = 1; i < c->count; i++) {
		char own[NAME_SIZE];
		bool is_taken = strchr(c->members[i].name, '#') != NULL;
		for (size_t k = 0; k < c->count; k++) {
			name_of_file(c->members[k].work.rest, own);
			is_taken |= k != i && strcmp(own, c->members[i].name) == 0;
		}
		if (is_taken) snprintf(c->members[i].name, NAME_SIZE, "%zu", i + 1);
	}
	/* names of files that are such a number */
	for (size_t i = 1; i < c->count; i++) {
		for (size_t k = 1; k < i; k++) {
			if (strcmp(c->members[k].name, c->members[i].name) == 0)
				snprintf(c->members[i].name, NAME_SIZE, "character-%zu", i + 1);
		}
	}
}

/* "crowd.glb" of a woman: "crowd-woman.glb" */
static void path_of_member(const char *path, const char *name, char *text)
{
	const size_t length = command_length_to_ending(path);
	snprintf(text, COMMAND_PATH_SIZE, "%.*s-%s%s", (int)length, path, name, path + length);
}

/* outputs of the first as they are; the others have names behind */
static ossa_status name_outputs(crowd *c, const rig_work *first)
{
	const command_values *reports = &c->run->texts[RIG_REPORT];
	c->report_count = reports->count;
	for (size_t i = 0; i < c->count; i++) {
		member *m = &c->members[i];
		const size_t count = first->output_count + c->report_count;
		m->written = ossa_alloc(c->run->context, count, sizeof *m->written);
		if (!m->written) return ossa_context_error(c->run->context)->status;
		for (size_t k = 0; k < count; k++) {
			const char *path = k < first->output_count ? first->outputs[k] : reports->values[k - first->output_count];
			if (i > 0) path_of_member(path, m->name, m->written[k]);
			m->outputs[k] = i > 0 ? m->written[k] : path;
		}
		m->work.outputs = m->outputs;
		m->work.output_count = first->output_count;
	}
	return OSSA_OK;
}

/* ---- checks of outputs ---- */

static size_t written_count(const crowd *c) { return c->members[0].work.output_count + c->report_count; }

static ossa_status check_twice(const crowd *c, const char *path, size_t member_index, size_t index)
{
	for (size_t i = 0; i <= member_index; i++) {
		for (size_t k = 0; k < (i < member_index ? written_count(c) : index); k++) {
			if (strcmp(c->members[i].outputs[k], path) != 0) continue;
			return command_fail(c->run, OSSA_ERROR_ARGUMENT,
				"%s is written twice, for %s and for %s: give each output a name of its own", path, c->members[i].work.rest,
				c->members[member_index].work.rest);
		}
	}
	return OSSA_OK;
}

static ossa_status check_apart_from_inputs(const crowd *c, const char *path)
{
	for (size_t i = 1; i < c->count; i++) {
		const rig_work *work = &c->members[i].work;
		COMMAND_TRY(command_check_apart(c->run, path, work->rest));
		for (size_t k = 0; k < work->pose_count; k++) COMMAND_TRY(command_check_apart(c->run, path, work->poses[k]));
	}
	return OSSA_OK;
}

static ossa_status check_outputs(const crowd *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const member *m = &c->members[i];
		for (size_t k = 0; k < written_count(c); k++) {
			COMMAND_TRY(check_twice(c, m->outputs[k], i, k));
			COMMAND_TRY(k < m->work.output_count ? rig_check_output(c->run, m->outputs[k])
												 : command_check_output(c->run, m->outputs[k]));
			COMMAND_TRY(check_apart_from_inputs(c, m->outputs[k]));
		}
	}
	return OSSA_OK;
}

/* ---- the work ---- */

static ossa_status make(crowd *c)
{
	command_run *run = c->run;
	ossa_character *characters = ossa_alloc(run->context, c->count, sizeof *characters);
	if (!characters) return ossa_context_error(run->context)->status;
	for (size_t i = 0; i < c->count; i++) {
		const rig_work *work = &c->members[i].work;
		characters[i] = (ossa_character){work->rest, work->mesh, work->stream};
	}
	command_target_names(run, RIG_TARGET, &run->rig.names);
	const ossa_status status = ossa_rig_make_characters(run->context, c->count, characters, &run->rig, &c->made);
	ossa_free(run->context, characters);
	return status;
}

static void take_seconds(const command_run *run, ossa_report *report)
{
	report->wall_seconds = command_clock() - run->wall_begin;
	report->cpu_seconds = command_cpu_seconds();
}

static ossa_status take_member(crowd *c, size_t i)
{
	rig_work *work = &c->members[i].work;
	const ossa_character_rig *made = &c->made.rigs[i];
	const ossa_metrics none = {.rms_percent = NAN};
	work->rig = made->rig;
	ossa_report_fill(c->run->context, made->rig, made->frame_count, &made->hierarchy, &none, &work->report);
	work->report.bone_rms = made->bone_rms;
	work->report.input = work->rest;
	work->report.reason = c->made.reason;
	work->report.key_frame_count = made->key_frame_count;
	work->report.frames = work->stream;
	return command_measure_levels(c->run, made->rig, work->stream, work->level_rms);
}

/* rigs of all before any report, which has the cost of writing */
static ossa_status write_members(crowd *c)
{
	for (size_t i = 0; i < c->count; i++) {
		COMMAND_TRY(command_check(c->run));
		COMMAND_TRY(rig_write_takes(c->run, &c->members[i].work));
	}
	for (size_t i = 0; i < c->count; i++) {
		member *m = &c->members[i];
		take_seconds(c->run, &m->work.report);
		for (size_t k = 0; k < c->report_count; k++) {
			COMMAND_TRY(command_check(c->run));
			COMMAND_TRY(ossa_report_write(c->run->context, &m->work.report, m->outputs[m->work.output_count + k]));
		}
	}
	/* what is printed has the cost of reports, too */
	take_seconds(c->run, &c->members[0].work.report);
	return OSSA_OK;
}

/* ---- the result in print ---- */

/* JSON functions return NULL, and -1, where memory is short */
static json_t *files_json(const crowd *c, const member *m)
{
	json_t *files = json_array();
	int failed = files ? 0 : -1;
	for (size_t k = 0; k < written_count(c); k++) failed |= json_array_append_new(files, command_json_text(m->outputs[k]));
	if (!failed) return files;
	json_decref(files);
	return NULL;
}

static json_t *member_json(const crowd *c, size_t i)
{
	const member *m = &c->members[i];
	const ossa_character_rig *made = &c->made.rigs[i];
	return json_pack("{s:o, s:b, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "rest", command_json_text(m->work.rest), "base",
		c->made.base == i, "frames", (json_int_t)made->frame_count, "key_frames", (json_int_t)made->key_frame_count,
		"rms_percent", command_json_real(made->frame_count ? made->hierarchy.rms_percent : NAN), "max_percent",
		command_json_real(made->frame_count ? made->hierarchy.max_percent : NAN), "carried_rms_percent",
		command_json_real(made->carried_percent), "solved_rms_percent", command_json_real(made->solved_percent),
		"joints_inside", command_json_real(made->hierarchy.joints_inside), "files", files_json(c, m));
}

static ossa_status print_json(crowd *c)
{
	char *text = NULL;
	COMMAND_TRY(ossa_report_json(c->run->context, &c->members[0].work.report, &text));
	json_t *value = json_loads(text, 0, NULL), *files = json_array(), *members = json_array();
	int failed = 0;
	ossa_free(c->run->context, text);
	for (size_t i = 0; i < c->count; i++) {
		json_t *one = member_json(c, i);
		failed |= json_array_extend(files, json_object_get(one, "files"));
		failed |= json_array_append_new(members, one);
	}
	failed |= json_object_set_new(value, "rest", command_json_text(c->members[0].work.rest));
	failed |= json_object_set_new(value, "characters", members);
	failed |= json_object_set_new(value, "carried_rms_percent", command_json_real(c->made.carried_percent));
	failed |= json_object_set_new(value, "solved_rms_percent", command_json_real(c->made.solved_percent));
	failed |= json_object_set_new(value, "files", files);
	failed |= json_object_set_new(value, "reads", command_json_paths(&c->run->opened));
	failed |= json_object_set_new(value, "writes", command_json_paths(&c->run->written));
	if (failed) json_decref(value);
	return command_print_json(c->run, failed ? NULL : value);
}

static void print_member(const crowd *c, size_t i)
{
	const ossa_character_rig *made = &c->made.rigs[i];
	printf("%-10s %s: ", i == 0 ? "characters" : "", c->members[i].work.rest);
	if (made->frame_count == 0) printf("no motion, joints by the shape");
	else {
		printf("%zu %s, RMS %.4g %%, largest %.4g %%", made->frame_count, made->frame_count == 1 ? "pose" : "poses",
			made->hierarchy.rms_percent, made->hierarchy.max_percent);
	}
	/* rigid motions alone: nothing was solved */
	if (!isnan(made->carried_percent)) printf("; carried over by shape: %.4g %%", made->carried_percent);
	if (!isnan(made->hierarchy.joints_inside)) printf("; joints inside: %.3g %%", 100 * made->hierarchy.joints_inside);
	printf("%s\n", i == c->made.base ? " (the rig began with it)" : "");
}

static void print_text(const crowd *c)
{
	const ossa_rig *rig = c->members[0].work.rig;
	printf("%-10s %zu characters: %zu vertices, %zu faces each\n", "model", c->count, rig->mesh->vertex_count,
		rig->mesh->polygon_count);
	printf("%-10s %s%s%s\n", "method", rig->method, c->made.reason[0] ? ": " : "", c->made.reason);
	printf("%-10s %zu\n", "bones", rig->skeleton.bone_count);
	for (size_t i = 0; i < c->count; i++) print_member(c, i);
	if (!isnan(c->made.solved_percent)) {
		printf("%-10s RMS %.4g %% of the own diagonal over all key frames; carried over by shape: %.4g %%\n", "all",
			c->made.solved_percent, c->made.carried_percent);
	}
	rig_print_stages(c->run, &c->members[0].work.report);
	putchar('\n');
	for (size_t i = 0; i < c->count; i++) {
		const member *m = &c->members[i];
		for (size_t k = 0; k < m->work.output_count; k++) rig_print_written(c->run, &m->work, m->outputs[k]);
		for (size_t k = 0; k < c->report_count; k++) printf("%-10s %s\n", "wrote", m->outputs[m->work.output_count + k]);
	}
}

/* ---- all ---- */

static ossa_status run_all(crowd *c, const rig_work *first)
{
	c->members[0].work.rest = first->rest;
	c->members[0].work.poses = first->poses;
	c->members[0].work.pose_count = first->pose_count;
	for (size_t i = 1; i < c->count; i++) {
		COMMAND_TRY(cut_files(c, c->run->texts[RIG_CHARACTER].values[i - 1], &c->members[i]));
	}
	name_members(c);
	COMMAND_TRY(name_outputs(c, first));
	COMMAND_TRY(check_outputs(c));
	for (size_t i = 0; i < c->count; i++) {
		COMMAND_TRY(command_check(c->run));
		COMMAND_TRY(rig_read_input(c->run, &c->members[i].work));
	}
	COMMAND_TRY(make(c));
	for (size_t i = 0; i < c->count; i++) COMMAND_TRY(take_member(c, i));
	COMMAND_TRY(write_members(c));
	if (c->run->shared.json) return print_json(c);
	if (command_prints_text(c->run)) print_text(c);
	return OSSA_OK;
}

static void end_member(ossa_context *context, member *m)
{
	/* before the mesh that its frames are of */
	ossa_frame_stream_free(context, m->work.stream);
	ossa_mesh_free(context, m->work.mesh);
	ossa_free(context, m->written);
	ossa_free(context, m->paths);
	ossa_free(context, m->text);
}

ossa_status rig_characters_run(command_run *run, rig_work *first)
{
	crowd c = {.run = run, .count = run->texts[RIG_CHARACTER].count + 1};
	c.members = ossa_alloc(run->context, c.count, sizeof *c.members);
	const ossa_status status = c.members ? run_all(&c, first) : ossa_context_error(run->context)->status;
	ossa_characters_result_free(run->context, &c.made);
	for (size_t i = 0; c.members && i < c.count; i++) end_member(run->context, &c.members[i]);
	ossa_free(run->context, c.members);
	return status;
}
