/* tools/ossa/batch/slurm.c: `ossa batch --slurm`: scripts for a cluster.

   Place in the path: the command's batch, beside its work.
   Input: a manifest and the options of its work.
   Output: array.sh, a task for each shard; collect.sh, which comes after them; both submitted where
   that is asked for. */
#include "batch/batch.h"
#include "batch/child.h"
#include "batch/contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct slurm_scripts {
	char program[COMMAND_PATH_SIZE];
	char state[COMMAND_PATH_SIZE]; /* absolute */
	char array[COMMAND_PATH_SIZE + 16], collect[COMMAND_PATH_SIZE + 16];
	size_t shards;
} slurm_scripts;

/* a word of a shell: in single quotes, whatever it holds */
static void print_word(FILE *stream, const char *text)
{
	fputc('\'', stream);
	for (; *text; text++) {
		if (*text == '\'') fputs("'\\''", stream);
		else fputc(*text, stream);
	}
	fputc('\'', stream);
}

/* ---- the scripts ---- */

/* the directives of both jobs; Slurm reads these lines itself, without a shell */
static void print_directives(FILE *stream, const command_run *run, const batch_options *options)
{
	const char *partition = command_text_value(run, BATCH_PARTITION), *time = command_text_value(run, BATCH_TIME);
	if (partition) fprintf(stream, "#SBATCH --partition=%s\n", partition);
	if (time) fprintf(stream, "#SBATCH --time=%s\n", time);
	fprintf(stream, "#SBATCH --cpus-per-task=%d\n", options->cpus);
	if (options->node_memory > 0) fprintf(stream, "#SBATCH --mem=%dM\n", options->node_memory);
	for (size_t i = 0; i < run->texts[BATCH_SBATCH].count; i++)
		fprintf(stream, "#SBATCH %s\n", run->texts[BATCH_SBATCH].values[i]);
}

static void print_call(FILE *stream, const slurm_scripts *scripts, const batch_place *place)
{
	char path[2 * COMMAND_PATH_SIZE];
	snprintf(path, sizeof path, "%s%s", place->folder, place->name);
	fputs("exec ", stream);
	print_word(stream, scripts->program);
	fputs(" batch ", stream);
	print_word(stream, path);
	fputs(" --state=", stream);
	print_word(stream, scripts->state);
}

/* the options of the work that were given; the number of shards stands in the script, so that a
   single task can be submitted again with sbatch --array */
static void print_work(FILE *stream, const command_run *run, const batch_options *options, size_t shards)
{
	fprintf(stream, " --shard \"$SLURM_ARRAY_TASK_ID/%zu\"", shards);
	if (options->jobs > 0) fprintf(stream, " --jobs %d", options->jobs);
	fprintf(stream, " --asset-seconds %d", options->asset_seconds);
	if (options->asset_memory > 0) fprintf(stream, " --asset-memory %d", options->asset_memory);
	if (run->shared.threads > 0) fprintf(stream, " --threads %d", run->shared.threads);
	fprintf(stream, " --lock-seconds %d", options->lock_seconds);
	if (options->retry_failed) fputs(" --retry-failed", stream);
	if (options->verify) fputs(" --verify", stream);
	fputc('\n', stream);
}

static void print_array(
	FILE *stream, const command_run *run, const batch_options *options, const batch_place *place, const slurm_scripts *scripts)
{
	fprintf(stream,
		"#!/bin/sh\n"
		"# made by ossa batch --slurm; one task again: sbatch --array=3 array.sh\n"
		"#SBATCH --job-name=ossa-batch\n"
		"#SBATCH --array=1-%zu\n"
		"#SBATCH --output=shard-%%a.log\n"
		"#SBATCH --open-mode=append\n"
		"#SBATCH --requeue\n"
		"#SBATCH --signal=B:TERM@60\n",
		scripts->shards);
	print_directives(stream, run, options);
	print_call(stream, scripts, place);
	print_work(stream, run, options, scripts->shards);
}

static void print_collect(
	FILE *stream, const command_run *run, const batch_options *options, const batch_place *place, const slurm_scripts *scripts)
{
	fputs("#!/bin/sh\n"
		  "# made by ossa batch --slurm\n"
		  "#SBATCH --job-name=ossa-collect\n"
		  "#SBATCH --output=collect.log\n",
		stream);
	print_directives(stream, run, options);
	print_call(stream, scripts, place);
	fprintf(stream, " --collect --thumbnails %d\n", options->thumbnails);
}

typedef void (*script_printer)(
	FILE *stream, const command_run *run, const batch_options *options, const batch_place *place, const slurm_scripts *scripts);

static ossa_status write_script(command_run *run, const batch_options *options, const batch_place *place,
	const slurm_scripts *scripts, const char *path, script_printer print)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	if (!stream) return batch_no_memory(run);
	print(stream, run, options, place, scripts);
	int error = fclose(stream) == 0 ? batch_make_folders(path) : ENOMEM;
	if (error == 0) error = batch_write_whole(path, text, size);
	if (error == 0) chmod(path, 0755);
	free(text);
	return error == 0 ? OSSA_OK : command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", path, strerror(error));
}

/* ---- submitting ---- */

/* one line of text is all that a directive of Slurm can hold */
static ossa_status check_words(command_run *run)
{
	for (size_t t = BATCH_PARTITION; t <= BATCH_SBATCH; t++) {
		for (size_t i = 0; i < run->texts[t].count; i++) {
			if (!strpbrk(run->texts[t].values[i], "\n\r")) continue;
			return command_fail(run, OSSA_ERROR_ARGUMENT, "--%s: must be one line", run->command->texts[t].name);
		}
	}
	return OSSA_OK;
}

/* runs sbatch in the state folder; the number of the job, "" where it has none */
static ossa_status submit(command_run *run, const slurm_scripts *scripts, const char *const *words, char *job, size_t size)
{
	char here[COMMAND_PATH_SIZE];
	batch_child child;
	if (!getcwd(here, sizeof here) || chdir(scripts->state) != 0)
		return command_fail(run, OSSA_ERROR_READ, "%s: cannot be entered: %s", scripts->state, strerror(errno));
	ossa_status status = batch_child_start_program(run, words, (child_limits){.seconds = 120}, &child);
	if (chdir(here) != 0 && status == OSSA_OK)
		status = command_fail(run, OSSA_ERROR_READ, "%s: cannot be entered: %s", here, strerror(errno));
	batch_child *const list[] = {&child};
	while (child.pid != 0 && !batch_child_ended(&child)) {
		if (command_stopped()) batch_child_stop(&child);
		batch_children_listen(list, 1, 0.2);
	}
	/* "17" or "17;cluster" */
	const char *said = child.out.size > 0 ? child.out.bytes : "",
			   *error = child.errors.size > 0 ? child.errors.bytes : "it said nothing";
	snprintf(job, size, "%.*s", (int)strspn(said, "0123456789"), said);
	if (status == OSSA_OK && (!WIFEXITED(child.status) || WEXITSTATUS(child.status) != 0 || !job[0]))
		status = command_fail(run, OSSA_ERROR_LIMIT, "sbatch has not taken the job: %.*s", (int)strcspn(error, "\n"), error);
	batch_child_free(&child);
	return status;
}

static ossa_status submit_both(command_run *run, const slurm_scripts *scripts, char array[32], char collect[32])
{
	char dependency[64];
	const char *first[] = {"sbatch", "--parsable", "array.sh", NULL};
	COMMAND_TRY(submit(run, scripts, first, array, 32));
	/* also where shards have failed: it lists them */
	snprintf(dependency, sizeof dependency, "--dependency=afterany:%s", array);
	const char *second[] = {"sbatch", "--parsable", dependency, "collect.sh", NULL};
	return submit(run, scripts, second, collect, 32);
}

/* ---- the whole ---- */

static ossa_status find_paths(command_run *run, const batch_place *place, slurm_scripts *scripts)
{
	if (!batch_path_absolute(place->folder, place->state, scripts->state, sizeof scripts->state))
		return command_fail(run, OSSA_ERROR_ARGUMENT, "the path of the folder for reports is too long");
	const ssize_t length = readlink("/proc/self/exe", scripts->program, sizeof scripts->program - 1);
	/* elsewhere as it was called, which the nodes must find, too */
	if (length > 0) scripts->program[length] = 0;
	else snprintf(scripts->program, sizeof scripts->program, "%s", run->program);
	snprintf(scripts->array, sizeof scripts->array, "%s/array.sh", scripts->state);
	snprintf(scripts->collect, sizeof scripts->collect, "%s/collect.sh", scripts->state);
	return OSSA_OK;
}

static ossa_status print_result(
	command_run *run, const slurm_scripts *scripts, size_t assets, const char *array, const char *collect)
{
	if (run->shared.json) {
		return command_print_json(run,
			json_pack("{s:s, s:s, s:I, s:I, s:s, s:s}", "array", scripts->array, "collect", scripts->collect, "shards",
				(json_int_t)scripts->shards, "assets", (json_int_t)assets, "array_job", array, "collect_job", collect));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %zu assets in %zu shards\n", "wrote", scripts->array, assets, scripts->shards);
	printf("%-10s %s\n", "wrote", scripts->collect);
	if (array[0]) printf("%-10s %s, then %s\n", "submitted", array, collect);
	else
		printf("%-10s (cd DIR && sbatch --dependency=afterany:$(sbatch --parsable array.sh) collect.sh), DIR being theirs\n",
			"submit");
	return OSSA_OK;
}

ossa_status batch_slurm(command_run *run, const batch_options *options, const batch_place *place)
{
	slurm_scripts scripts;
	manifest made;
	char array[32] = "", collect[32] = "";
	COMMAND_TRY(check_words(run));
	COMMAND_TRY(find_paths(run, place, &scripts));
	const ossa_status status = batch_manifest_open(run, place, MANIFEST_LINES, &made);
	const size_t assets = made.count;
	batch_manifest_close(&made);
	COMMAND_TRY(status);
	/* a task without assets is a waste */
	scripts.shards = assets < (size_t)options->shards ? assets : (size_t)options->shards;
	COMMAND_TRY(write_script(run, options, place, &scripts, scripts.array, print_array));
	COMMAND_TRY(write_script(run, options, place, &scripts, scripts.collect, print_collect));
	if (options->submit) COMMAND_TRY(submit_both(run, &scripts, array, collect));
	return print_result(run, &scripts, assets, array, collect);
}
