/* tools/ossa/command.h: what every cmd_*.c shares: a command as data, what the user typed, errors,
   the progress bar.

   Place in the path: the top. Uses the public API only (include/ossa, samples/samples.h).
   A new command is one file cmd_<name>.c that defines `const command_definition command_<name>`,
   declared below and listed in commands.c. Help, argument checks, shell completion and the manual
   page follow from its tables (command_tables.h). */
#ifndef OSSA_COMMAND_H
#define OSSA_COMMAND_H

#include "path_list.h"

#include <ossa/ossa.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { COMMAND_TABLES_MAX = 8, COMMAND_TEXTS_MAX = 28 };

/* Exit codes of the process. */
typedef enum command_exit {
	COMMAND_EXIT_DONE = 0,
	COMMAND_EXIT_SOME = 1, /* some of many failed */
	COMMAND_EXIT_USAGE = 2,
	COMMAND_EXIT_INPUT = 3,
	COMMAND_EXIT_LIMIT = 4,
	COMMAND_EXIT_WRITE = 5,
	COMMAND_EXIT_STOPPED = 130
} command_exit;

/* An option whose value is text, mostly a path: what option tables do not hold. */
typedef struct command_text {
	char letter;      /* 'o' for -o, 0 for none */
	const char *name; /* without the dashes */
	/* "FILE": shown in help; a value of FILE or FOLDER completes to paths; "": the option takes no
	   value and its position in the command matters */
	const char *value;
	bool repeatable;
	const char *help; /* one sentence in lower case, without the final stop */
	bool input;       /* a file that is read: no output may be the same */
} command_text;

struct command_run;

/* One verb of `ossa`. */
typedef struct command_definition {
	const char *name;
	const char *summary; /* one line in lower case, no final stop */
	const char *usage;   /* what follows the name: "REST POSE... [-o OUT.glb]..." */
	/* paragraphs for help and manual, separated by \n\n, or NULL */
	const char *details;
	const char *more;     /* further ones, for --help all and the manual, or NULL */
	const char *examples; /* lines of shell for help and manual, or NULL */
	size_t files_minimum; /* arguments that are not options */
	size_t files_maximum; /* 0 where minimum is 0 too: none */
	bool writes_last;     /* the last file is written, the others are read */
	/* headings in the order of help, for texts and own tables; NULL: one heading */
	const ossa_option_group *groups;
	command_text texts[COMMAND_TEXTS_MAX];
	/* it has the options of ossa_rig_make and of every method, before those of `tables` */
	bool makes_rigs;
	const ossa_option_table *(*tables[COMMAND_TABLES_MAX])(
		void); /* of structs that the command line fills; NULL past the last */
	/* a command whose options are taken, checked and kept as they were typed, or NULL */
	const struct command_definition *passes;
	ossa_status (*run)(struct command_run *run);
} command_definition;

/* Options that every command has. */
typedef struct command_shared {
	int threads;
	int memory_limit; /* MB, 0: none */
	bool json;
	bool quiet;
} command_shared;

typedef struct command_values {
	size_t count;
	const char **values; /* point into argv */
} command_values;

/* A text option with its position on the command line, for commands in which the order matters. */
typedef struct command_typed {
	size_t text; /* index of command->texts */
	const char *value;
} command_typed;

/* An option of the command that is passed on. */
typedef struct command_passed {
	const char *name;
	const char *value; /* "yes" and "no" of flags */
	bool is_flag;
} command_passed;

/* What the user typed, checked, and what a command works with. */
typedef struct command_run {
	const command_definition *command;
	ossa_context *context;
	command_values files;
	command_values texts[COMMAND_TEXTS_MAX]; /* as command->texts */
	size_t typed_count;
	command_typed *typed; /* all text options in the order in which they were typed */
	size_t passed_count;
	command_passed *passed;            /* options of command->passes, in their order */
	void *options[COMMAND_TABLES_MAX]; /* as command->tables: filled structs */
	ossa_rig_options rig;              /* of a command that makes rigs */
	ossa_context *arguments;           /* that the methods' options there are of */
	command_values given;              /* names of the tables' options on the command line */
	command_shared shared;
	bool help;
	const char *topic;                 /* of --help, or NULL */
	struct command_progress *progress; /* the bar, if it is on the terminal */
	path_list opened, written;         /* files that were read and written, for --json */
	const char *program;               /* by which this process was called */
	bool some_failed;                  /* of many things that were done: the exit status says so */
	double wall_begin;                 /* seconds, of command_clock */
	char message[640];                 /* the command's own error, "" for none */
} command_run;

/* Options of commands that take poses from files. */
typedef struct command_file_options {
	bool keep_order;
} command_file_options;

/* Every command, ended by NULL (commands.c). */
extern const command_definition command_rig, command_convert, command_inspect, command_compare, command_sample, command_render,
	command_pose, command_transfer, command_edit, command_batch, command_studio, command_help, command_version;
extern const command_definition *const command_list[];

/* ---- for commands ---- */

/* Passes a failure up. The only macro that hides control flow. */
#define COMMAND_TRY(call)                                                                                                      \
	do {                                                                                                                       \
		const ossa_status command_status_ = (call);                                                                            \
		if (command_status_ != OSSA_OK) return command_status_;                                                                \
	} while (0)

/* Makes the command's own error (the library's are printed without help): a sentence without the
   final stop. */
ossa_status command_fail(command_run *run, ossa_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* OSSA_ERROR_CANCELLED after Ctrl-C. To ask between steps that do not report progress. */
ossa_status command_check(command_run *run);
bool command_stopped(void); /* Ctrl-C or another request to stop has come */

/* The one value of text option `index`, or NULL where it was not given. */
const char *command_text_value(const command_run *run, size_t index);

/* ---- for commands that make rigs (method.c) ---- */

/* Refuses options that no single method has: to be called before hours of work. Errors:
   OSSA_ERROR_ARGUMENT. */
ossa_status command_check_method(command_run *run);

/* The inputs of a method, in words for help. */
const char *command_method_input(const ossa_method *method);

/* The RMS of a method's rig, where it was tried, the least of several; else NAN. */
double command_attempt_rms(const ossa_rig_result *made, const ossa_method *method);

/* ---- for rigs of several levels of articulation (rig_levels.c) ---- */

enum { COMMAND_PATH_SIZE = 4096, COMMAND_LEVELS_MAX = 16 };

/* The file of a level: "out.glb" for the rig itself, "out-lod1.glb" for the first coarser one. */
void command_level_path(const char *path, int level, char *text, size_t size);

/* Where the ending of a path begins, of which some formats have two parts (".weights.csv"). */
size_t command_length_to_ending(const char *path);

/* How many levels are asked for, and how many bones a rig has in one. */
int command_level_count(const command_run *run);

size_t command_level_bones(const ossa_rig *rig, int level);

/* Sets the options of the landmarks in a file; NULL: there is none. is_there: the rig exists, and
   takes none. Errors: those of ossa_landmarks_read. */
ossa_status command_take_landmarks(command_run *run, const char *path, bool is_there);

/* How many levels of the rig are written: those that it has, of those that were asked for. */
int command_levels_written(const command_run *run, const ossa_rig *rig);

/* The RMS of each coarser level over the frames that the rig's motion reproduces, % of the
   diagonal. rms_percent: COMMAND_LEVELS_MAX, the caller's; NAN of the rig itself, of levels that
   are not written, and without frames (NULL). Errors: as ossa_rig_frame_errors. */
ossa_status command_measure_levels(command_run *run, const ossa_rig *rig, ossa_frame_stream *frames, double *rms_percent);

/* Writes the rig and every coarser level that it has, each into a file of its own. Errors:
   OSSA_ERROR_WRITE. */
ossa_status command_write_levels(command_run *run, const ossa_rig *rig, const char *path, const ossa_write_options *options);

/* ---- --report (reports.c): text option `text`, JSON or HTML by the ending ---- */

/* Refuses paths beforehand. Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_WRITE. */
ossa_status command_check_reports(command_run *run, size_t text);
ossa_status command_write_reports(command_run *run, size_t text, const ossa_report *report);

/* ---- --error-curve (error_curve.c): text option `text`, CSV, JSON or SVG by the ending ---- */

/* Refuses paths beforehand. Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_WRITE. */
ossa_status command_check_curves(command_run *run, size_t text);

/* Refuses a curve where there are no frames, before hours of work. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status command_check_curve_frames(command_run *run, size_t text, ossa_frame_stream *stream);

/* The errors of the frames by the number of bones, to twice those of the rig, whose mesh is the
   rest. Nothing where no curve is asked for. Errors: OSSA_ERROR_WRITE. */
ossa_status command_write_curves(command_run *run, size_t text, const ossa_rig *rig, ossa_frame_stream *stream);

/* The error of opening frames, with the command for a file whose joints move, as motion capture;
   `status` as it is where that is not it. rig: the rig's path, or a word for it. */
ossa_status command_explain_joints(
	command_run *run, ossa_status status, const char *rig, size_t path_count, const char *const *paths);

/* ---- */

/* Refuses a path whose ending is of no format that can hold a rig, with the endings of those.
   Errors: OSSA_ERROR_ARGUMENT. */
ossa_status command_check_rig_format(command_run *run, const char *path);

/* Refuses an output path before hours of work: its folder is missing or closed, it is also an
   input, or two outputs are one file.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_ARGUMENT. */
ossa_status command_check_output(command_run *run, const char *path);

/* Refuses an output that would replace a file of an input which is no argument of its own. Errors:
   OSSA_ERROR_ARGUMENT. */
ossa_status command_check_apart(command_run *run, const char *path, const char *input);

const ossa_option_table *command_file_table(void);

/* Finds each vertex of `rest` in the rig's mesh: in order, or by position and, of several there, by
   its trajectory in `frames` (of the rest's vertices, one for each of the rig's keys; or NULL).
   match: V of rest; 0 for a vertex that is in no face and nowhere.
   Errors: OSSA_ERROR_INPUT, which names the first two files of the command line (the rig and the
   rest). */
ossa_status command_match_vertices(
	command_run *run, const ossa_mesh *rest, const ossa_frames *frames, const ossa_rig *rig, uint32_t *match);

/* Calls `visit` for every bone, children after their parent and before the parent's next sibling.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status command_walk_joints(command_run *run, const ossa_skeleton *skeleton,
	void (*visit)(const void *user, size_t bone, size_t depth), const void *user);

/* A joint's kind in one word: "joint" where it is not known. */
const char *command_joint_kind(const ossa_bone *bone);

/* Whether the twist of a dependent bone's driver drives it, and not the driver's angle. */
bool command_drives_by_twist(const ossa_dependency *dependency);

/* Clears the bar before results are printed; false where --quiet wants none. */
bool command_prints_text(command_run *run);

/* Prints `value` to standard output and releases it. NULL (no memory) is an error. */
ossa_status command_print_json(command_run *run, json_t *value);

/* A JSON number, null where it is not finite. */
json_t *command_json_real(double value);

/* A JSON string of text that may hold names of files: what is no UTF-8 has '?' in place of bytes
   above 127, as in reports. NULL: no memory. */
json_t *command_json_text(const char *text);

/* Metrics of one or several structs beside each other (metrics.c). */
typedef struct command_metrics {
	const ossa_metric_table *table;
	const ossa_skeleton *skeleton; /* whose bones metrics name; NULL where they name none */
	size_t count;
	const char *titles[3]; /* over the columns; NULL for one without */
	const void *values[3]; /* structs of the table */
} command_metrics;

/* A line for each metric that applies to one of the columns at least. */
void command_print_metrics(const command_metrics *metrics);

/* A key for each metric of the table. values: a struct of it. */
json_t *command_json_metrics(const ossa_metric_table *table, const void *values);

/* The paths as a JSON array, each once, sorted by bytes. */
json_t *command_json_paths(path_list *paths);

/* Warnings of the context as a JSON array of {code, count, counted, message}. */
json_t *command_json_warnings(const command_run *run);

/* Seconds of a clock that only rises; CPU seconds of the process. */
double command_clock(void);
double command_cpu_seconds(void);

/* Replaces each input that is a pipe by a temporary file (pipes.c). Errors: OSSA_ERROR_READ,
   OSSA_ERROR_WRITE. */
ossa_status command_hold_pipes(command_run *run);

#endif
