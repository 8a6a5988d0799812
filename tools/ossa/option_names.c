/* tools/ossa/option_names.c: the names of options as people type and read them.

   Place in the path: the top.
   Input: a name that no option has; a text of the library.
   Output: what may have been meant; the text with options as they are typed. */
#include "command_tables.h"

#include <string.h>

/* ---- names that no option has ---- */

/* Options that are gone, and what to do instead. */
static const struct {
	const char *command, *name, *instead;
} removed[] = {
	{"rig", "joints", "joints are placed where limbs bend; --bones N asks for a number of bones"},
	{"rig", "adaptive", "thin limbs are found without it; --voxel-size sets how fine the voxels are"},
	{"rig", "join", "it is called --join-distance"},
};

static const char *find_removed(const command_definition *command, const char *name)
{
	for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
		const bool is_here = strcmp(removed[i].command, command->name) == 0;
		if (is_here && strcmp(removed[i].name, name) == 0) return removed[i].instead;
	}
	return NULL;
}

static const char *find_nearest(const command_definition *command, const char *name)
{
	enum { NAMES_MAX = 256 };
	const char *names[NAMES_MAX] = {"help"};
	size_t count = 1;
	command_option own;
	for (size_t i = 0; i < command_text_count(command) && count < NAMES_MAX; i++) names[count++] = command->texts[i].name;
	for (size_t i = 0; count < NAMES_MAX && command_option_at(command, i, &own); i++) names[count++] = own.option->name;
	const ossa_option_table *shared = command_shared_table();
	for (size_t i = 0; i < shared->count && count < NAMES_MAX; i++) names[count++] = shared->options[i].name;
	return ossa_nearest_name(name, names, count);
}

/* a name that is typed for one of another command */
static const char *find_elsewhere(const command_definition *command, const char *name)
{
	for (size_t i = 0; command_list[i]; i++) {
		if (command_list[i] != command && command_has_option(command_list[i], name)) return command_list[i]->name;
	}
	return NULL;
}

void command_explain_unknown(const command_definition *command, const char *name, char *text, size_t size)
{
	const char *instead = find_removed(command, name), *nearest = find_nearest(command, name);
	const char *elsewhere = find_elsewhere(command, name);
	if (instead) snprintf(text, size, "there is no option --%s any more: %s", name, instead);
	else if (elsewhere) snprintf(text, size, "--%s is an option of ossa %s, not of ossa %s", name, elsewhere, command->name);
	else if (nearest) snprintf(text, size, "there is no option --%s; did you mean --%s?", name, nearest);
	else snprintf(text, size, "there is no option --%s", name);
}

/* ---- options in texts of the library ---- */

bool command_has_option(const command_definition *command, const char *name)
{
	const char *method;
	for (size_t i = 0; i < command_text_count(command); i++) {
		if (strcmp(command->texts[i].name, name) == 0) return true;
	}
	for (size_t i = 0; i < command_table_count(command); i++) {
		if (ossa_option_find(command_table_at(command, i, &method), name)) return true;
	}
	return false;
}

/* whether some command has an option of the name that a text begins with, or switches it off by
   "no-" before that */
static bool begins_with_option(const char *text)
{
	char name[64];
	if (strncmp(text, "no-", 3) == 0 && begins_with_option(text + 3)) return true;
	const size_t length = strcspn(text, " `");
	if (length == 0 || length >= sizeof name) return false;
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	for (size_t i = 0; command_list[i]; i++) {
		if (command_has_option(command_list[i], name)) return true;
	}
	return ossa_option_find(command_shared_table(), name) != NULL;
}

void command_show_plainly(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 127) *text = '?';
	}
}

void command_spell_options(char *text)
{
	for (char *begin = strchr(text, '`'); begin; begin = strchr(begin, '`')) {
		char *end = strchr(begin + 1, '`');
		if (!end) return;
		if (begins_with_option(begin + 1)) {
			/* two quotes less, two dashes more */
			memmove(begin + 2, begin + 1, (size_t)(end - begin) - 1);
			memcpy(begin, "--", 2);
		}
		begin = end + 1;
	}
}
