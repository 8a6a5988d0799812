/* tools/ossa/batch/make.c: `ossa batch --make`: files into a manifest.

   Place in the path: the command's batch, beside its work.
   Input: patterns, templates, options of `ossa rig`.
   Output: a line for each file, to a manifest or to standard output. */
#include "batch/batch.h"
#include "batch/contents.h"
#include "batch/glob.h"
#include "batch/line_facts.h"
#include "batch/line_reader.h"
#include "batch/overrides.h"
#include "batch/sidecar.h"
#include "batch/template.h"
#include "batch/utf8.h"
#include "command_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct making {
	command_run *run;
	const char *manifest;           /* NULL: standard output */
	char here[COMMAND_PATH_SIZE];   /* the current folder */
	char folder[COMMAND_PATH_SIZE]; /* of the manifest, with "/" at its end */
	json_t *overrides;
	FILE *stream;
	size_t count, left_out, of_batches, unnamed;
	batch_table writers; /* key of an output: index of the file in `files` */
	place_keys places;   /* folders of outputs */
	batch_table seen;
	path_list files;
} making;

/* ---- options ---- */

/* has `ossa rig` itself look at them, before thousands of processes do */
static ossa_status check_passed(command_run *run)
{
	path_list words = {0};
	char word[COMMAND_PATH_SIZE];
	bool fits = path_list_add(&words, "mesh");
	for (size_t i = 0; i < run->passed_count && fits; i++) {
		const command_passed *own = &run->passed[i];
		if (strcmp(own->name, "output") == 0)
			return command_fail(
				run, OSSA_ERROR_ARGUMENT, "--output is of one rig; name those of a batch with --out 'out/{name}.glb'");
		snprintf(word, sizeof word, "--%s=%s", own->name, own->value);
		fits = path_list_add(&words, word);
	}
	if (!fits) return batch_no_memory(run);
	command_run rig;
	ossa_status status = command_parse(&rig, &command_rig, (int)words.count, words.items);
	if (status != OSSA_OK) command_fail(run, status, "%s", rig.message);
	else if ((status = ossa_rig_options_check(rig.arguments, &rig.rig)) != OSSA_OK)
		command_fail(run, status, "%s", ossa_context_error(rig.arguments)->message);
	command_run_free(&rig);
	path_list_free(&words);
	return status;
}

/* whole numbers and flags as such, all else as text; paths of the manifest's folder */
static json_t *value_of(const command_passed *own, const char *text)
{
	if (own->is_flag) return json_boolean(strcmp(text, "yes") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
	json_t *number = json_loads(text, JSON_DECODE_ANY, NULL);
	if (json_is_integer(number)) return number;
	json_decref(number);
	return json_string(text);
}

/* an option that is given again is a list */
static void add_option(json_t *options, const char *name, json_t *value)
{
	json_t *old = json_object_get(options, name);
	if (!old) json_object_set_new(options, name, value);
	else if (json_is_array(old)) json_array_append_new(old, value);
	else json_object_set_new(options, name, json_pack("[O, o]", old, value));
}

/* ---- paths ---- */

/* a path as seen from the manifest's folder */
static bool from_manifest(const making *work, const char *path, char *text, size_t size)
{
	char absolute[COMMAND_PATH_SIZE];
	if (path[0] == '/' || !work->manifest) return (size_t)snprintf(text, size, "%s", path) < size;
	return batch_path_absolute(work->here, path, absolute, sizeof absolute) &&
		batch_path_between(work->folder, absolute, text, size);
}

static json_t *path_json(const making *work, const char *path)
{
	char text[COMMAND_PATH_SIZE];
	return from_manifest(work, path, text, sizeof text) ? json_string(text) : NULL;
}

static bool take_id(void *user, json_span key, json_span value)
{
	if (json_span_is(key, "id")) *(bool *)user = json_span_is_string(value);
	return true;
}

/* A manifest may be made again, but a mesh that was named in its place must not be lost. */
static bool may_be_written(const char *path)
{
	struct stat facts;
	batch_line_reader reader;
	batch_line line;
	bool has_id = false;
	if (stat(path, &facts) != 0 || (S_ISREG(facts.st_mode) && facts.st_size == 0)) return true;
	const int file = S_ISREG(facts.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0) return false;
	if (batch_line_reader_begin(&reader, file) && batch_line_reader_next(&reader, &line))
		json_scan_object((json_span){line.text, line.text + line.length}, take_id, &has_id);
	batch_line_reader_end(&reader);
	close(file);
	return has_id;
}

static ossa_status find_folders(making *work)
{
	command_run *run = work->run;
	if (!getcwd(work->here, sizeof work->here))
		return command_fail(run, OSSA_ERROR_READ, "the current folder has no path: %s", strerror(errno));
	work->manifest = run->files.count > 0 ? run->files.values[0] : NULL;
	if (!work->manifest) return OSSA_OK;
	if (!may_be_written(work->manifest))
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "%s: is there and is no manifest; give the manifest another name", work->manifest);
	const int error = batch_real_folder(work->manifest, work->folder, sizeof work->folder);
	if (error != 0)
		return command_fail(run, OSSA_ERROR_WRITE, "%s: its folder cannot be entered: %s", work->manifest, strerror(error));
	if (access(work->folder, W_OK) != 0)
		return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", work->manifest, strerror(errno));
	return OSSA_OK;
}

/* a sidecar, the manifest itself, or a file of its reports */
static bool is_own(const making *work, const char *file)
{
	char absolute[COMMAND_PATH_SIZE], own[COMMAND_PATH_SIZE];
	if (batch_is_sidecar(file)) return true;
	if (!work->manifest || !batch_path_absolute(work->here, file, absolute, sizeof absolute) ||
		!batch_path_absolute(work->here, work->manifest, own, sizeof own))
		return false;
	if (strcmp(absolute, own) == 0) return true;
	const char *name = batch_path_name(own), *dot = strrchr(name, '.');
	const size_t stem = dot && dot > name ? (size_t)(dot - own) : strlen(own);
	return strncmp(absolute, own, stem) == 0 && strncmp(absolute + stem, ".batch/", 7) == 0;
}

/* ---- a line ---- */

/* which file a path is; one that is too long for the system is none */
static ossa_status find_place(making *work, const char *path, uint64_t *key)
{
	char absolute[COMMAND_PATH_SIZE];
	*key = 0;
	if (!batch_path_absolute(work->here, path, absolute, sizeof absolute)) return OSSA_OK;
	return batch_place_key(&work->places, "", absolute, key) ? OSSA_OK : batch_no_memory(work->run);
}

/* two files of one name in different folders, or one that would be written over itself */
static ossa_status claim_output(making *work, const char *output)
{
	uint64_t key, input;
	const uint32_t own = (uint32_t)work->files.count - 1;
	COMMAND_TRY(find_place(work, output, &key));
	COMMAND_TRY(find_place(work, work->files.items[own], &input));
	if (key == 0) return OSSA_OK;
	if (key == input) {
		return command_fail(work->run, OSSA_ERROR_ARGUMENT,
			"%.180s would be written over itself; put another folder or ending into the template", output);
	}
	const uint32_t other = batch_table_find(&work->writers, key);
	if (other != BATCH_TABLE_NONE) {
		return command_fail(work->run, OSSA_ERROR_ARGUMENT,
			"%.180s and %.180s would both be written to %.180s; put {folder}, {ending} or {number} in the template",
			work->files.items[other], work->files.items[own], output);
	}
	return batch_table_set(&work->writers, key, own) ? OSSA_OK : batch_no_memory(work->run);
}

static ossa_status fill_outputs(making *work, const template_parts *parts, json_t *line)
{
	const command_values *templates = &work->run->texts[BATCH_OUT];
	json_t *outputs = json_array();
	json_object_set_new(line, templates->count > 1 ? "outputs" : "output", outputs);
	for (size_t i = 0; i < templates->count; i++) {
		char path[COMMAND_PATH_SIZE];
		COMMAND_TRY(batch_template_fill(work->run, templates->values[i], parts, false, path, sizeof path));
		COMMAND_TRY(command_check_rig_format(work->run, path));
		COMMAND_TRY(claim_output(work, path));
		json_array_append_new(outputs, path_json(work, path));
	}
	if (templates->count == 1) json_object_set(line, "output", json_array_get(outputs, 0));
	return OSSA_OK;
}

static ossa_status fill_options(making *work, const template_parts *parts, json_t *options)
{
	for (size_t i = 0; i < work->run->passed_count; i++) {
		const command_passed *own = &work->run->passed[i];
		const option_file file = batch_option_file(own->name);
		char path[COMMAND_PATH_SIZE];
		if (file == OPTION_NO_FILE) {
			add_option(options, own->name, value_of(own, own->value));
			continue;
		}
		COMMAND_TRY(batch_template_fill(work->run, own->value, parts, false, path, sizeof path));
		if (file == OPTION_WRITES) COMMAND_TRY(claim_output(work, path));
		add_option(options, own->name, path_json(work, path));
	}
	return OSSA_OK;
}

/* the file and its poses, and how large they are together */
static ossa_status fill_inputs(making *work, const char *file, const template_parts *parts, json_t *line)
{
	const command_values *templates = &work->run->texts[BATCH_POSES];
	path_list poses = {0};
	ossa_status status = OSSA_OK;
	uint64_t bytes = batch_stamp(file).bytes;
	for (size_t i = 0; i < templates->count && status == OSSA_OK; i++) {
		char pattern[COMMAND_PATH_SIZE];
		status = batch_template_fill(work->run, templates->values[i], parts, true, pattern, sizeof pattern);
		if (status == OSSA_OK) status = batch_glob(work->run, pattern, &poses);
	}
	json_t *inputs = json_pack("[o]", path_json(work, file));
	for (size_t i = 0; i < poses.count; i++) {
		/* the pattern of poses may find the mesh itself */
		if (strcmp(poses.items[i], file) == 0) continue;
		json_array_append_new(inputs, path_json(work, poses.items[i]));
		bytes += batch_stamp(poses.items[i]).bytes;
	}
	path_list_free(&poses);
	if (json_array_size(inputs) == 1) json_object_set(line, "input", json_array_get(inputs, 0));
	else json_object_set(line, "inputs", inputs);
	json_decref(inputs);
	json_object_set_new(line, "bytes", json_integer((json_int_t)bytes));
	return status;
}

static ossa_status fill_line(making *work, const char *file, const char *pattern, json_t *line)
{
	template_parts parts;
	json_t *options = json_object();
	batch_template_parts(file, pattern, work->count + 1, &parts);
	json_object_set_new(line, "id", path_json(work, file));
	COMMAND_TRY(fill_inputs(work, file, &parts, line));
	json_object_set_new(line, "options", options);
	COMMAND_TRY(fill_options(work, &parts, options));
	/* it is named here, and claims its outputs below only where it is wanted */
	if (!batch_overrides_apply(work->overrides, file, options)) {
		work->left_out++;
		return OSSA_OK;
	}
	if (json_object_size(options) == 0) json_object_del(line, "options");
	COMMAND_TRY(fill_outputs(work, &parts, line));
	work->count++;
	char *text = json_dumps(line, JSON_COMPACT);
	if (!text) return batch_no_memory(work->run);
	fprintf(work->stream, "%s\n", text);
	free(text);
	return OSSA_OK;
}

static ossa_status add_file(making *work, const char *file, const char *pattern)
{
	char sidecar[COMMAND_PATH_SIZE + 16], repaired[COMMAND_PATH_SIZE];
	snprintf(sidecar, sizeof sidecar, "%s.ossa.json", file);
	snprintf(repaired, sizeof repaired, "%s", file);
	batch_repair_text(repaired);
	if (strcmp(repaired, file) != 0) {
		work->unnamed++;
		command_show_plainly(repaired);
		fprintf(stderr, "ossa batch: warning: %s: its name is not UTF-8, which JSON needs; rename it\n", repaired);
		return OSSA_OK;
	}
	if (batch_stamp(sidecar).is_there || is_own(work, file)) {
		work->of_batches++;
		return OSSA_OK;
	}
	/* another pattern has found it, too */
	const uint64_t hash = batch_name_hash(file, strlen(file));
	if (batch_table_find(&work->seen, hash) != BATCH_TABLE_NONE) return OSSA_OK;
	if (!batch_table_set(&work->seen, hash, 1) || !path_list_add(&work->files, file)) return batch_no_memory(work->run);
	json_t *line = json_object();
	const ossa_status status = fill_line(work, file, pattern, line);
	json_decref(line);
	return status;
}

/* ---- the whole ---- */

static ossa_status add_files(making *work)
{
	command_run *run = work->run;
	const command_values *patterns = &run->texts[BATCH_MAKE];
	for (size_t p = 0; p < patterns->count; p++) {
		path_list found = {0};
		ossa_status status = batch_glob(run, patterns->values[p], &found);
		for (size_t i = 0; i < found.count && status == OSSA_OK; i++)
			status = add_file(work, found.items[i], patterns->values[p]);
		path_list_free(&found);
		COMMAND_TRY(status);
	}
	if (work->count > 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT, "no file matches %s%s", patterns->values[0],
		strpbrk(patterns->values[0], "*?[") ? "" : "; put the pattern in quotes, so that the shell leaves it");
}

static ossa_status write_manifest(making *work, const char *text, size_t size)
{
	command_run *run = work->run;
	run->some_failed = run->some_failed || work->unnamed > 0;
	if (!work->manifest) {
		if (fwrite(text, 1, size, stdout) != size)
			return command_fail(run, OSSA_ERROR_WRITE, "standard output cannot be written: %s", strerror(errno));
		return OSSA_OK;
	}
	const int error = batch_write_whole(work->manifest, text, size);
	if (error != 0) return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", work->manifest, strerror(error));
	if (run->shared.json) {
		return command_print_json(run,
			json_pack("{s:s, s:I, s:I, s:I, s:I}", "manifest", work->manifest, "assets", (json_int_t)work->count, "left_out",
				(json_int_t)work->left_out, "of_batches", (json_int_t)work->of_batches, "unnamed", (json_int_t)work->unnamed));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %zu assets\n", "wrote", work->manifest, work->count);
	if (work->left_out > 0) printf("%-10s %zu by --overrides\n", "left out", work->left_out);
	if (work->of_batches > 0) printf("%-10s %zu that a batch has written\n", "left out", work->of_batches);
	return OSSA_OK;
}

static ossa_status make(making *work)
{
	char *text = NULL;
	size_t size = 0;
	COMMAND_TRY(find_folders(work));
	COMMAND_TRY(batch_overrides_read(work->run, command_text_value(work->run, BATCH_OVERRIDES), &work->overrides));
	work->stream = open_memstream(&text, &size);
	if (!work->stream) return batch_no_memory(work->run);
	ossa_status status = add_files(work);
	if (fclose(work->stream) != 0 && status == OSSA_OK) status = batch_no_memory(work->run);
	if (status == OSSA_OK) status = write_manifest(work, text, size);
	free(text);
	return status;
}

ossa_status batch_make(command_run *run)
{
	if (run->texts[BATCH_OUT].count == 0)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "say where the rigs go: --out 'out/{name}.glb'");
	COMMAND_TRY(check_passed(run));
	making *work = calloc(1, sizeof *work);
	if (!work) return batch_no_memory(run);
	work->run = run;
	const ossa_status status = make(work);
	json_decref(work->overrides);
	batch_table_free(&work->writers);
	batch_place_keys_free(&work->places);
	batch_table_free(&work->seen);
	path_list_free(&work->files);
	free(work);
	return status;
}
