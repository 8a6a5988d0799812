/* tools/ossa/batch/asset_words.c: the command line of one asset.

   Place in the path: the command's batch, behind the asset.
   Input: an asset.
   Output: words for `ossa rig`. Every value is attached to its option, and files follow "--", so
   that names which begin with a dash are names. */
#include "batch/asset.h"

#include <stdlib.h>
#include <string.h>

/* "--name=value" or "--name" */
static bool add_word(path_list *words, const char *name, const char *value)
{
	const size_t size = strlen(name) + (value ? strlen(value) : 0) + 4;
	char *word = malloc(size);
	if (!word) return false;
	snprintf(word, size, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	const bool added = path_list_add(words, word);
	free(word);
	return added;
}

/* a flag by its name alone, or with --no- */
static bool add_flag(path_list *words, const char *name, bool is_on)
{
	char no[80];
	snprintf(no, sizeof no, "no-%.70s", name);
	return add_word(words, is_on ? name : no, NULL);
}

static bool add_value(path_list *words, const char *name, const json_t *value)
{
	if (json_is_array(value)) {
		for (size_t i = 0; i < json_array_size(value); i++) {
			if (!add_value(words, name, json_array_get(value, i))) return false;
		}
		return true;
	}
	if (json_is_boolean(value)) return add_flag(words, name, json_is_true(value));
	if (json_is_string(value)) return add_word(words, name, json_string_value(value));
	char *number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	const bool added = number && add_word(words, name, number);
	free(number);
	return added;
}

static bool add_count(path_list *words, const json_t *options, const char *name, int count)
{
	char digits[16];
	if (count == 0 || json_object_get(options, name)) return true;
	snprintf(digits, sizeof digits, "%d", count);
	return add_word(words, name, digits);
}

static bool add_words(const batch_asset *asset, int threads, int memory, path_list *words)
{
	json_t *options = json_object_get(asset->object, "options"), *value;
	const char *name;
	if (!path_list_add(words, "ossa") || !path_list_add(words, "rig")) return false;
	json_object_foreach(options, name, value)
	{
		if (!add_value(words, name, value)) return false;
	}
	for (size_t i = 0; i < asset->outputs.count; i++) {
		if (!add_word(words, "output", asset->outputs.items[i])) return false;
	}
	/* names that depend on what lies in the folder would depend on the order of the work */
	if (!json_object_get(options, "image-names") && !add_word(words, "image-names", "output")) return false;
	if (!add_word(words, "json", NULL) || !add_count(words, options, "threads", threads)) return false;
	if (!add_count(words, options, "memory-limit", memory) || !path_list_add(words, "--")) return false;
	for (size_t i = 0; i < asset->inputs.count; i++) {
		if (!path_list_add(words, asset->inputs.items[i])) return false;
	}
	return true;
}

char **batch_asset_words(const batch_asset *asset, int threads, int memory)
{
	path_list words = {0};
	char **items = NULL;
	if (add_words(asset, threads, memory, &words)) items = batch_grow(words.items, words.count, &words.capacity, sizeof *items);
	if (!items) {
		path_list_free(&words);
		return NULL;
	}
	items[words.count] = NULL;
	return items;
}

void batch_words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++) free(words[i]);
	free(words);
}
