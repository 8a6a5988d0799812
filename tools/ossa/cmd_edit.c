/* tools/ossa/cmd_edit.c: `ossa edit`: corrects a rig and solves it again.

   Place in the path: the top.
   Input: a rig, frames that its motion is to reproduce, edits in the order typed.
   Output: the rig after them, their log. */
#include "command.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* the texts of command_edit: first the options that are no edits, then the verbs in the library's
   order, then those that solve */
enum {
	EDIT_OUTPUT,
	EDIT_LOG,
	EDIT_REPLAY,
	EDIT_FIRST_VERB,
	EDIT_RESOLVE = EDIT_FIRST_VERB + OSSA_EDIT_SOLVE,
	EDIT_RESOLVE_ALL
};
enum { EDIT_OWN, EDIT_FILES, EDIT_READ, EDIT_WRITE }; /* tables */

typedef struct edit_options {
	bool list;
} edit_options;

static const ossa_option_table *edit_table(void)
{
	static const edit_options defaults = {false};
	static const ossa_option options[] = {
		{"list", OSSA_OPTION_BOOL, offsetof(edit_options, list), 0, 1, "", "",
			"print the bones and the constraints as they are after the edits", ""},
	};
	static const ossa_option_table table = {
		"edit", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(edit_options)};
	return &table;
}

typedef struct edit_work {
	const edit_options *own;
	ossa_rig *rig; /* as it was read */
	/* what its motion is to reproduce: those given, or its own motion; NULL: nothing */
	ossa_frames *frames;
	bool given; /* they are from files */
	ossa_editor *editor;
	ossa_metrics before, after;
} edit_work;

/* ---- before the work ---- */

static ossa_status check_outputs(command_run *run, const edit_work *work)
{
	const command_values *outputs = &run->texts[EDIT_OUTPUT], *logs = &run->texts[EDIT_LOG];
	if (outputs->count + logs->count == 0 && !work->own->list) {
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "name the output with -o FILE, or list the bones with --list (see: ossa edit --help)");
	}
	for (size_t i = 0; i < outputs->count; i++) {
		const ossa_write_format *format = NULL;
		COMMAND_TRY(ossa_write_detect(run->context, outputs->values[i], &format));
		COMMAND_TRY(command_check_output(run, outputs->values[i]));
	}
	return logs->count > 0 ? command_check_output(run, logs->values[0]) : OSSA_OK;
}

static ossa_status read_frames(command_run *run, edit_work *work)
{
	ossa_frame_stream *stream = NULL;
	const command_file_options *files = run->options[EDIT_FILES];
	work->given = run->files.count > 1;
	if (!work->given) {
		return work->rig->clip && work->rig->clip->frame_count > 0
			? ossa_rig_frames(run->context, work->rig, NULL, &work->frames)
			: OSSA_OK;
	}
	COMMAND_TRY(ossa_frame_stream_open_matched(run->context, work->rig->mesh, NULL, run->files.count - 1, run->files.values + 1,
		files->keep_order, run->options[EDIT_READ], &stream));
	const ossa_status status = ossa_frame_stream_frames(run->context, stream, 0, NULL, &work->frames);
	ossa_frame_stream_free(run->context, stream);
	return status;
}

static ossa_status measure(command_run *run, const edit_work *work, const ossa_rig *rig, ossa_metrics *metrics)
{
	const bool moves = work->frames && rig->clip && rig->clip->frame_count == work->frames->frame_count;
	return ossa_rig_measure(run->context, rig, NULL, NULL, moves ? work->frames : NULL, metrics);
}

/* ---- edits ---- */

static ossa_status do_word(command_run *run, edit_work *work, const command_typed *word)
{
	char line[4096];
	const char *name = run->command->texts[word->text].name;
	if (word->text == EDIT_REPLAY) return ossa_editor_replay_file(run->context, work->editor, word->value);
	if (word->text < EDIT_FIRST_VERB) return OSSA_OK;
	if (word->text == EDIT_RESOLVE) return ossa_editor_do_line(run->context, work->editor, "solve");
	if (word->text == EDIT_RESOLVE_ALL) return ossa_editor_do_line(run->context, work->editor, "solve all");
	if (snprintf(line, sizeof line, "%s %s", name, word->value) >= (int)sizeof line) {
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--%s %.40s...: is too long; a log holds longer edits (--replay)", name, word->value);
	}
	const ossa_status status = ossa_editor_do_line(run->context, work->editor, line);
	if (status != OSSA_ERROR_ARGUMENT) return status;
	return command_fail(run, status, "--%s %.200s: %s", name, word->value, ossa_context_error(run->context)->message);
}

static ossa_status do_words(command_run *run, edit_work *work)
{
	for (size_t i = 0; i < run->typed_count; i++) {
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(do_word(run, work, &run->typed[i]));
	}
	return OSSA_OK;
}

/* ---- reporting ---- */

static const char *solved_parts(const ossa_solve_facts *facts, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s%s", facts->tree ? ", tree" : "", facts->joints ? ", joints" : "",
		facts->weights ? ", weights" : "", facts->motion ? ", motion" : "");
	return text[0] ? text + 2 : "nothing";
}

static void print_change(const edit_work *work)
{
	printf("\n%-24s %12s %12s\n", "", "before", "after");
	printf("%-24s %12zu %12zu\n", "Bones", work->rig->skeleton.bone_count, ossa_editor_rig(work->editor)->skeleton.bone_count);
	command_print_metrics(
		&(command_metrics){.table = ossa_metrics_table(), .count = 2, .values = {&work->before, &work->after}});
}

static void print_bone(const void *user, size_t index, size_t depth)
{
	enum { NAME_COLUMN = 32, DEPTH_SHOWN = 10 };
	const ossa_bone *bone = &((const ossa_rig *)user)->skeleton.bones[index];
	const int indent = 2 * (int)(depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN);
	printf("%*s%-*s %-7s %9.4g %9.4g %9.4g   %9.4g %9.4g %9.4g\n", indent, "", NAME_COLUMN - indent, bone->name,
		command_joint_kind(bone), bone->joint[0], bone->joint[1], bone->joint[2], bone->tail[0], bone->tail[1], bone->tail[2]);
}

static ossa_status print_list(command_run *run, const edit_work *work)
{
	const ossa_rig *rig = ossa_editor_rig(work->editor);
	printf("\n%-32s %-7s %-29s   %s\n", "bone", "kind", "joint", "end");
	COMMAND_TRY(command_walk_joints(run, &rig->skeleton, print_bone, rig));
	const size_t count = ossa_editor_constraint_count(work->editor);
	if (count > 0) printf("\n%-10s %s\n", "constraint", "");
	for (size_t i = 0; i < count; i++) {
		const ossa_constraint constraint = ossa_editor_constraint(work->editor, i);
		printf("%-10zu %-4s %s\n", i + 1, constraint.is_on ? "on" : "off", constraint.line);
	}
	return OSSA_OK;
}

static ossa_status print_text(command_run *run, const edit_work *work)
{
	const ossa_rig *rig = ossa_editor_rig(work->editor);
	const ossa_solve_facts *facts = ossa_editor_facts(work->editor);
	char parts[64];
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %zu bones, %zu vertices\n", "rig", run->files.values[0], work->rig->skeleton.bone_count,
		rig->mesh->vertex_count);
	if (work->given) printf("%-10s %zu\n", "frames", work->frames->frame_count);
	for (size_t i = 0; i < ossa_editor_done_count(work->editor); i++)
		printf("%-10s %s\n", "edit", ossa_editor_line(work->editor, i));
	if (facts) {
		printf("%-10s %s, in %.2f s: %zu bones and %zu vertices changed\n", "solved", solved_parts(facts, parts, sizeof parts),
			facts->cpu_seconds, facts->bones_changed, facts->vertices_changed);
	}
	if (ossa_editor_is_stale(work->editor)) {
		printf(
			"%-10s %s\n", "to do", "edits have not been solved yet: --resolve finds weights, joints and motion that fit them");
	}
	if (ossa_editor_done_count(work->editor) > 0) print_change(work);
	if (work->own->list) COMMAND_TRY(print_list(run, work));
	if (run->texts[EDIT_OUTPUT].count + run->texts[EDIT_LOG].count > 0) putchar('\n');
	for (size_t i = 0; i < run->texts[EDIT_OUTPUT].count; i++) printf("%-10s %s\n", "wrote", run->texts[EDIT_OUTPUT].values[i]);
	if (run->texts[EDIT_LOG].count > 0) printf("%-10s %s\n", "wrote", run->texts[EDIT_LOG].values[0]);
	return OSSA_OK;
}

static json_t *point_as_json(const double point[3])
{
	return json_pack("[o, o, o]", command_json_real(point[0]), command_json_real(point[1]), command_json_real(point[2]));
}

static json_t *bones_as_json(const ossa_rig *rig)
{
	json_t *list = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		json_array_append_new(list,
			json_pack("{s:s, s:o, s:s, s:o, s:o}", "name", bone->name, "parent",
				bone->parent < 0 ? json_null() : json_string(rig->skeleton.bones[bone->parent].name), "kind",
				ossa_joint_kind_name(bone->kind), "joint", point_as_json(bone->joint), "tail", point_as_json(bone->tail)));
	}
	return list;
}

static json_t *facts_as_json(const ossa_solve_facts *facts)
{
	if (!facts) return json_null();
	return json_pack("{s:b, s:b, s:b, s:b, s:I, s:I, s:o, s:o, s:o}", "weights", facts->weights, "tree", facts->tree, "joints",
		facts->joints, "motion", facts->motion, "bones_changed", (json_int_t)facts->bones_changed, "vertices_changed",
		(json_int_t)facts->vertices_changed, "cpu_seconds", command_json_real(facts->cpu_seconds), "before",
		command_json_metrics(ossa_metrics_table(), &facts->before), "after",
		command_json_metrics(ossa_metrics_table(), &facts->after));
}

static ossa_status print_json(command_run *run, const edit_work *work)
{
	json_t *lines = json_array(), *constraints = json_array(), *files = json_array();
	for (size_t i = 0; i < ossa_editor_done_count(work->editor); i++) {
		json_array_append_new(lines, json_string(ossa_editor_line(work->editor, i)));
	}
	for (size_t i = 0; i < ossa_editor_constraint_count(work->editor); i++) {
		const ossa_constraint constraint = ossa_editor_constraint(work->editor, i);
		json_array_append_new(constraints,
			json_pack("{s:I, s:s, s:b}", "number", (json_int_t)i + 1, "line", constraint.line, "on", (int)constraint.is_on));
	}
	for (size_t i = 0; i < run->texts[EDIT_OUTPUT].count; i++) {
		json_array_append_new(files, json_string(run->texts[EDIT_OUTPUT].values[i]));
	}
	return command_print_json(run,
		json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "rig", run->files.values[0], "edits", lines,
			"constraints", constraints, "stale", (int)ossa_editor_is_stale(work->editor), "solved",
			facts_as_json(ossa_editor_facts(work->editor)), "before", command_json_metrics(ossa_metrics_table(), &work->before),
			"after", command_json_metrics(ossa_metrics_table(), &work->after), "bones",
			bones_as_json(ossa_editor_rig(work->editor)), "files", files, "warnings", command_json_warnings(run)));
}

/* ---- the work ---- */

static ossa_status write_outputs(command_run *run, const edit_work *work)
{
	const command_values *outputs = &run->texts[EDIT_OUTPUT];
	for (size_t i = 0; i < outputs->count; i++) {
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(ossa_write_rig(run->context, ossa_editor_rig(work->editor), outputs->values[i], run->options[EDIT_WRITE]));
	}
	const char *log = command_text_value(run, EDIT_LOG);
	return log ? ossa_editor_write_log(run->context, work->editor, log) : OSSA_OK;
}

static ossa_status edit(command_run *run, edit_work *work)
{
	COMMAND_TRY(check_outputs(run, work));
	/* --frames selects among the frames */
	COMMAND_TRY(
		ossa_read_rig(run->context, run->files.values[0], run->files.count > 1 ? NULL : run->options[EDIT_READ], &work->rig));
	COMMAND_TRY(read_frames(run, work));
	COMMAND_TRY(ossa_editor_create(run->context, work->rig, work->frames, &work->editor));
	COMMAND_TRY(measure(run, work, work->rig, &work->before));
	COMMAND_TRY(do_words(run, work));
	COMMAND_TRY(measure(run, work, ossa_editor_rig(work->editor), &work->after));
	COMMAND_TRY(write_outputs(run, work));
	return run->shared.json ? print_json(run, work) : print_text(run, work);
}

static ossa_status run_edit(command_run *run)
{
	edit_work work = {.own = run->options[EDIT_OWN]};
	const ossa_status status = edit(run, &work);
	ossa_editor_free(run->context, work.editor);
	ossa_frames_free(run->context, work.frames);
	ossa_rig_free(run->context, work.rig);
	return status;
}

#define VERB(kind) [EDIT_FIRST_VERB + OSSA_EDIT_##kind]

static const ossa_option_group groups[] = {
	{"Input", "replay", "keep-order"},
	{"Skeleton", "list|split|merge|remove|add|move|connect|mirror", "tail|root|rename|limits|independent"},
	{"Constraints", "lock|forbid|paint", "apart|together|relax"},
	{"Solving", "resolve", "resolve-all"},
	{"Output", "output|log", ""},
	{NULL, NULL, NULL},
};

const command_definition command_edit = {
	.name = "edit",
	.summary = "correct a rig: split, merge, move, reconnect bones; then solve again",
	.usage = "RIG [FRAMES...] [-o OUT]... [EDITS...] [--resolve] [OPTIONS]",
	.details =
		"Edits are applied in the order of the command line. The words of an edit are separated by blanks or commas: --split "
		"'thigh_L 0.4', --forbid hand_L,hips. After an edit of the skeleton the weights are updated at once in the simplest "
		"form; --resolve solves weights, joints, tree and motion again.\n\n"
		"FRAMES are the target of the motion: poses, caches or animations of the same mesh. Without them it is the rig's own "
		"motion.",
	.more = "Names of bones are not case-sensitive, and . and - stand for _.\n\n"
			"--lock, --forbid, --apart, --together and --paint are constraints: every later --resolve keeps them.\n\n"
			"--log writes the edits as text; --replay applies them again to the same rig. docs/edit.md describes every edit.",
	.examples = "ossa edit horse.glb --list\n"
				"ossa edit horse.glb -o new.glb --split thigh.L --lock joint,hand.L --resolve\n"
				"ossa edit horse.glb gallop.pc2 -o better.glb --resolve --log log.txt\n"
				"ossa edit other.glb -o other-better.glb --replay log.txt",
	.files_minimum = 1,
	.files_maximum = SIZE_MAX,
	.groups = groups,
	.texts = {[EDIT_OUTPUT] = {'o', "output", "FILE", true, "write the rig to FILE; its ending selects the format", false},
		[EDIT_LOG] = {0, "log", "FILE", false, "write the edits to FILE as text, one on a line", false},
		[EDIT_REPLAY] = {0, "replay", "FILE", true, "replay the edits of a log", true},
		VERB(
			ADD) = {0, "add", "BONE X Y Z [NAME]", true, "add a bone from the nearest point on BONE to the given point", false},
		VERB(SPLIT) = {0, "split", "BONE [SHARE [NAME]]", true,
			"split a bone in two, at a share of its length, or where solving finds the cut", false},
		VERB(REMOVE) = {0, "remove", "BONE", true, "remove a bone; its skin and children go to its parent", false},
		VERB(MERGE) = {0, "merge", "BONE OTHER", true, "merge two adjacent bones into one, called BONE", false},
		VERB(MOVE) = {0, "move", "BONE X Y Z", true, "move its joint to a point", false},
		VERB(TAIL) = {0, "tail", "BONE X Y Z", true, "move the end of a bone without children to a point", false},
		VERB(CONNECT) = {0, "connect", "BONE PARENT", true, "make a bone the child of another one", false},
		VERB(ROOT) = {0, "root", "BONE", true, "make this bone the root of the tree", false},
		VERB(RENAME) = {0, "rename", "BONE NAME", true, "rename a bone", false},
		VERB(MIRROR) = {0, "mirror", "BONE", true, "mirror a bone and its descendants to the other side of the body", false},
		VERB(LIMITS) = {0, "limits", "BONE XMIN XMAX YMIN YMAX ZMIN ZMAX|none", true,
			"the range of its joint's rotation, in degrees", false},
		VERB(INDEPENDENT) = {0, "independent", "BONE", true, "a bone that turns as another one does turns on its own", false},
		VERB(LOCK) = {0, "lock", "weights|joint BONE", true, "keep its weights or its joint fixed in every solve", false},
		VERB(FORBID) = {0, "forbid", "BONE OTHER", true, "two bones are never parent and child", false},
		VERB(APART) = {0, "apart", "BONE OTHER", true, "solving never merges the two bones", false},
		VERB(TOGETHER) = {0, "together", "BONE OTHER", true, "two bones have one motion: solving merges them", false},
		VERB(PAINT) = {0, "paint", "BONE FACES", true, "these triangles (12,40-55, from 0 on) move with BONE alone", false},
		VERB(RELAX) = {0, "relax", "N", true, "switch constraint N off, or on again", false},
		[EDIT_RESOLVE] = {0, "resolve", "", true, "solve what depends on the edits before it", false},
		[EDIT_RESOLVE_ALL] = {0, "resolve-all", "", true, "solve everything again", false}},
	.tables = {edit_table, command_file_table, ossa_read_option_table, ossa_write_option_table},
	.run = run_edit,
};
