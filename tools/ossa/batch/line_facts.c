/* tools/ossa/batch/line_facts.c: one line of a manifest, as far as all shards need it.

   Place in the path: the command's batch, below the manifest.
   Input: a line.
   Output: hashes of its id and of the files that it reads and writes, and its bytes. */
#include "batch/line_facts.h"
#include "batch/manifest.h"
#include "command_tables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

option_file batch_option_file(const char *name)
{
	const size_t count = command_text_count(&command_rig);
	for (size_t i = 0; i < count; i++) {
		const command_text *text = &command_rig.texts[i];
		if (strcmp(text->name, name) != 0) continue;
		if (text->input) return OPTION_READS;
		return strncmp(text->value, "FILE", 4) == 0 ? OPTION_WRITES : OPTION_NO_FILE;
	}
	return OPTION_NO_FILE;
}

/* one file, however its path leads there */
static bool add_file(line_facts *facts, file_hashes *files, const char *path)
{
	/* a path that is too long is refused when its asset is rigged */
	if (strlen(facts->folder) + strlen(path) >= COMMAND_PATH_SIZE) return true;
	uint64_t key, *more = batch_grow(files->items, files->count, &files->capacity, sizeof *more);
	if (more) files->items = more;
	facts->no_memory = !more || !batch_place_key(&facts->places, facts->folder, path, &key);
	if (!facts->no_memory) files->items[files->count++] = key;
	return !facts->no_memory;
}

static void measure(line_facts *facts, const char *path)
{
	struct stat status;
	if (facts->measure && stat(path, &status) == 0 && S_ISREG(status.st_mode)) facts->bytes += (uint64_t)status.st_size;
}

static bool take_input(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	(void)key;
	if (json_span_string(value, facts->text, facts->text_size) == SIZE_MAX) return true;
	facts->input_count++;
	measure(facts, facts->text);
	return add_file(facts, &facts->reads, facts->text);
}

/* a file, and those of its coarser levels */
static bool add_output(line_facts *facts, const char *path)
{
	char of_level[COMMAND_PATH_SIZE];
	facts->output_count++;
	if (!add_file(facts, &facts->writes, path)) return false;
	for (int level = 1; level < facts->levels; level++) {
		command_level_path(path, level, of_level, sizeof of_level);
		if (!add_file(facts, &facts->writes, of_level)) return false;
	}
	return true;
}

static bool take_output(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	(void)key;
	if (json_span_string(value, facts->text, facts->text_size) == SIZE_MAX) return true;
	return add_output(facts, facts->text);
}

static bool take_read(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	(void)key;
	if (json_span_string(value, facts->text, facts->text_size) == SIZE_MAX) return true;
	return add_file(facts, &facts->reads, facts->text);
}

static bool take_written(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	(void)key;
	if (json_span_string(value, facts->text, facts->text_size) == SIZE_MAX) return true;
	return add_file(facts, &facts->writes, facts->text);
}

/* a text, or a list of them */
static bool take_each(line_facts *facts, json_span value, json_visit take)
{
	if (value.begin < value.end && *value.begin == '[') return json_scan_array(value, take, facts);
	return take(facts, value, value);
}

static bool take_levels(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	if (!json_span_is(key, "levels")) return true;
	char digits[32];
	double levels = json_span_number(value, 1);
	if (json_span_is_string(value) && json_span_string(value, digits, sizeof digits) != SIZE_MAX) levels = strtod(digits, NULL);
	facts->levels = levels >= 1 && levels <= 16 ? (int)levels : 1;
	return true;
}

static bool take_option(void *user, json_span key, json_span value)
{
	line_facts *facts = user;
	char name[64];
	if (json_span_string(key, name, sizeof name) == SIZE_MAX) return true;
	const option_file file = batch_option_file(name);
	if (file == OPTION_NO_FILE || strcmp(name, "output") == 0) return true;
	return take_each(facts, value, file == OPTION_READS ? take_read : take_written);
}

/* where the members of a line are; those of a name that comes twice are the last */
typedef struct line_members {
	json_span id, bytes, options;
	json_span inputs[2], outputs[2]; /* "input" and "inputs" */
} line_members;

static bool find_member(void *user, json_span key, json_span value)
{
	line_members *members = user;
	if (json_span_is(key, "id")) members->id = value;
	else if (json_span_is(key, "input")) members->inputs[0] = value;
	else if (json_span_is(key, "inputs")) members->inputs[1] = value;
	else if (json_span_is(key, "output")) members->outputs[0] = value;
	else if (json_span_is(key, "outputs")) members->outputs[1] = value;
	else if (json_span_is(key, "bytes")) members->bytes = value;
	else if (json_span_is(key, "options") && *value.begin == '{') members->options = value;
	return true;
}

static void take_id(line_facts *facts, json_span value)
{
	const size_t length = json_span_string(value, facts->text, facts->text_size);
	facts->has_id = length != SIZE_MAX && length > 0;
	if (facts->has_id) facts->id = batch_name_hash(facts->text, length);
}

/* the string of a line is never longer than the line */
static bool make_space(line_facts *facts, size_t size)
{
	if (size + 8 <= facts->text_size) return true;
	char *larger = realloc(facts->text, 2 * size + 8);
	if (!larger) return false;
	facts->text = larger;
	facts->text_size = 2 * size + 8;
	return true;
}

static bool take_members(line_facts *facts, const line_members *members)
{
	const double bytes = json_span_number(members->bytes, -1);
	const bool measure_others = facts->measure, has_bytes = bytes >= 0 && bytes < 1e18;
	take_id(facts, members->id);
	facts->bytes = has_bytes ? (uint64_t)bytes : 0;
	/* the levels multiply the outputs */
	if (members->options.begin) json_scan_object(members->options, take_levels, facts);
	facts->measure = measure_others && !has_bytes;
	for (int i = 0; i < 2; i++) {
		if (members->inputs[i].begin) take_each(facts, members->inputs[i], take_input);
		if (members->outputs[i].begin) take_each(facts, members->outputs[i], take_output);
	}
	facts->measure = measure_others;
	if (members->options.begin) json_scan_object(members->options, take_option, facts);
	return !facts->no_memory;
}

bool batch_line_facts_read(line_facts *facts, json_span line)
{
	line_members members = {.id = {NULL, NULL}};
	facts->has_id = false;
	facts->bytes = 0;
	facts->input_count = facts->output_count = facts->reads.count = facts->writes.count = 0;
	facts->levels = 1;
	facts->no_memory = !make_space(facts, (size_t)(line.end - line.begin));
	if (facts->no_memory || !json_scan_object(line, find_member, &members)) return false;
	return take_members(facts, &members);
}

void batch_line_facts_free(line_facts *facts)
{
	free(facts->text);
	free(facts->reads.items);
	free(facts->writes.items);
	batch_place_keys_free(&facts->places);
	*facts = (line_facts){.folder = NULL};
}
