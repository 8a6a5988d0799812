/* tools/ossa/batch/outcome.c: from a process that has ended to a line of the report.

   Place in the path: the command's batch, below the run.
   Input: exit status, output and errors of `ossa rig --json`.
   Output: status, code, message, warnings, metrics, time and memory as JSON. */
#include "batch/outcome.h"
#include "batch/utf8.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- what happened ---- */

static const char *code_of_exit(int exit)
{
	switch (exit) {
	case COMMAND_EXIT_DONE: return "done";
	case COMMAND_EXIT_USAGE: return "usage";
	case COMMAND_EXIT_INPUT: return "input";
	case COMMAND_EXIT_LIMIT: return "limit";
	case COMMAND_EXIT_WRITE: return "write";
	case COMMAND_EXIT_STOPPED: return "stopped";
	case 127: return "start";
	default: return "crash";
	}
}

/* the last line that the command printed about its error, without its own name */
static void take_message(const batch_child *child, char *message, size_t size)
{
	static const char name[] = "ossa rig: ";
	const char *errors = child->errors.size > 0 ? child->errors.bytes : "";
	message[0] = 0;
	for (const char *line = errors; *line;) {
		const size_t length = strcspn(line, "\n");
		const bool is_error = length > 0 && strncmp(line, "ossa rig: warning: ", 19) != 0;
		const size_t skip = strncmp(line, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
		if (is_error) snprintf(message, size, "%.*s", (int)(length - skip), line + skip);
		line += length;
		line += *line == '\n';
	}
	batch_repair_text(message);
}

static void explain_signal(int number, batch_outcome *outcome)
{
	const bool is_stop = number == SIGTERM || number == SIGINT || number == SIGHUP;
	outcome->code = is_stop ? "stopped" : number == SIGKILL ? "killed" : "crash";
	if (number == SIGKILL) {
		snprintf(outcome->message, sizeof outcome->message,
			"the process was killed from outside, as the system does where memory runs out; set --asset-memory");
	} else
		snprintf(outcome->message, sizeof outcome->message, "the process ended by signal %d (%s)", number, strsignal(number));
}

void batch_outcome_read(const batch_child *child, double seconds, batch_outcome *outcome)
{
	*outcome = (batch_outcome){.exit = WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1};
	if (outcome->exit >= 0) {
		outcome->code = code_of_exit(outcome->exit);
		if (outcome->exit != 0) take_message(child, outcome->message, sizeof outcome->message);
		if (outcome->exit != 0 && !outcome->message[0])
			snprintf(
				outcome->message, sizeof outcome->message, "the process ended with status %d and said nothing", outcome->exit);
	} else explain_signal(WTERMSIG(child->status), outcome);
	/* it may have been done just when its time was over */
	if (child->is_late && outcome->exit != 0) {
		outcome->code = "timeout";
		snprintf(outcome->message, sizeof outcome->message, "was not done within %g seconds", seconds);
	}
	if (outcome->exit == 0 && child->out.dropped == 0 && child->out.size > 0)
		outcome->printed = json_loadb(child->out.bytes, child->out.size, 0, NULL);
}

bool batch_outcome_is_done(const batch_outcome *outcome) { return strcmp(outcome->code, "done") == 0; }

bool batch_outcome_is_lasting(const batch_outcome *outcome)
{
	static const char *const passing[] = {"write", "stopped", "killed", "start", "changed", "held"};
	for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
		if (strcmp(outcome->code, passing[i]) == 0) return false;
	}
	return true;
}

/* ---- the line ---- */

int64_t batch_next_sequence(int64_t before)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	const int64_t time = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
	return time > before ? time : before + 1;
}

static json_t *paths_json(const path_list *paths)
{
	json_t *list = json_array();
	for (size_t i = 0; i < paths->count; i++) json_array_append_new(list, json_string(paths->items[i]));
	return list;
}

/* the metrics that apply: those of the result, without the empty ones */
static json_t *metrics_of(json_t *printed)
{
	json_t *metrics = json_object(), *all = json_object_get(printed, "hierarchy"), *value;
	const char *name;
	json_object_foreach(all, name, value)
	{
		const bool is_empty = json_is_null(value) || (json_is_integer(value) && json_integer_value(value) < 0);
		if (!is_empty) json_object_set(metrics, name, value);
	}
	return metrics;
}

/* what says how far a rig is from perfect, in percent: the error of its motion, or the share of its
   joints outside the mesh */
static json_t *error_of(json_t *printed)
{
	json_t *metrics = json_object_get(printed, "hierarchy"), *rms = json_object_get(metrics, "rms_percent");
	json_t *inside = json_object_get(metrics, "joints_inside");
	if (json_is_number(rms)) return json_incref(rms);
	return json_is_number(inside) ? json_real(100 * (1 - json_number_value(inside))) : json_null();
}

static void add_result(json_t *line, json_t *printed)
{
	json_t *mesh = json_object_get(printed, "mesh");
	json_object_set(line, "method", json_object_get(printed, "method"));
	json_object_set_new(line, "bones", json_integer((json_int_t)json_array_size(json_object_get(printed, "bones"))));
	json_object_set(line, "vertices", json_object_get(mesh, "vertices"));
	json_object_set(line, "frames", json_object_get(printed, "frames"));
	json_object_set_new(line, "error_percent", error_of(printed));
	json_object_set(line, "warnings", json_object_get(printed, "warnings"));
	json_object_set_new(line, "metrics", metrics_of(printed));
}

json_t *batch_outcome_line(
	const batch_asset *asset, const batch_outcome *outcome, const batch_products *products, const batch_effort *effort)
{
	char host[128] = "", work[BATCH_HASH_TEXT], asked[BATCH_HASH_TEXT];
	const bool done = batch_outcome_is_done(outcome);
	gethostname(host, sizeof host - 1);
	batch_repair_text(host);
	json_t *line = json_pack("{s:s, s:s, s:s, s:i, s:s, s:o}", "id", asset->id, "status", done ? "done" : "failed", "code",
		outcome->code, "exit", outcome->exit, "message", outcome->message, "inputs", paths_json(&asset->inputs));
	if (!line) return NULL;
	batch_hash_print(asset->work, work);
	json_object_set_new(line, "work", json_string(work));
	if (products->outputs) json_object_set(line, "outputs", products->outputs);
	if (json_array_size(products->beside) > 0) json_object_set(line, "beside", products->beside);
	if (outcome->printed) add_result(line, outcome->printed);
	batch_hash_print(asset->asked, asked);
	json_object_set_new(line, "run",
		json_pack("{s:f, s:f, s:I, s:s, s:s, s:s}", "seconds", effort->seconds, "peak_mb", (double)effort->peak_bytes / 1e6,
			"sequence", (json_int_t)effort->sequence, "shard", effort->shard, "host", host, "asked", asked));
	return line;
}
