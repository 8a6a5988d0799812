/* tools/ossa/groups.c: the heading of each option of a command, the options that most people need,
   and the topics of help.

   Place in the path: the top.
   Input: a command's groups and those of its option tables.
   Output: headings and topics for help, manual and completion. */
#include "command_tables.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* options that no group names */
static const char *const PLAIN_TITLE = "Options";

static const ossa_option_table *table_at(const command_definition *command, size_t index)
{
	const char *method;
	return command_table_at(command, index, &method);
}

/* the command's own groups come before those of its tables; options that none names are common */
const char *command_group_of(const command_definition *command, const char *name, bool *is_common)
{
	bool common = true;
	const ossa_option_group *group = ossa_option_group_find(command->groups, name, &common);
	for (size_t i = 0; !group && i < command_table_count(command); i++) {
		const ossa_option_table *table = table_at(command, i);
		if (ossa_option_find(table, name)) group = ossa_option_group_find(table->groups, name, &common);
	}
	if (is_common) *is_common = common;
	return group ? group->title : PLAIN_TITLE;
}

/* the group at `index` of the command's own, then of its tables, with repetitions */
static const char *raw_title(const command_definition *command, size_t index)
{
	for (const ossa_option_group *group = command->groups; group && group->title; group++) {
		if (index-- == 0) return group->title;
	}
	for (size_t i = 0; i < command_table_count(command); i++) {
		const ossa_option_group *group = table_at(command, i)->groups;
		for (; group && group->title; group++) {
			if (index-- == 0) return group->title;
		}
	}
	return index == 0 ? PLAIN_TITLE : NULL;
}

const char *command_group_at(const command_definition *command, size_t index)
{
	const char *title;
	for (size_t i = 0; (title = raw_title(command, i)) != NULL; i++) {
		bool is_again = false;
		for (size_t k = 0; k < i && !is_again; k++) is_again = strcmp(raw_title(command, k), title) == 0;
		if (!is_again && index-- == 0) return title;
	}
	return NULL;
}

/* the method whose table is the command's `index`th of a method, or NULL */
static const char *method_at(const command_definition *command, size_t index)
{
	for (size_t i = 0; i < command_table_count(command); i++) {
		const char *method;
		command_table_at(command, i, &method);
		if (method && index-- == 0) return method;
	}
	return NULL;
}

bool command_group_holds(const command_definition *command, const char *title)
{
	command_option own;
	for (size_t i = 0; i < command_text_count(command); i++) {
		if (strcmp(command_group_of(command, command->texts[i].name, NULL), title) == 0) return true;
	}
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (strcmp(command_group_of(command, own.option->name, NULL), title) == 0) return true;
	}
	return false;
}

const char *command_topic_at(const command_definition *command, size_t index, char text[COMMAND_TOPIC_SIZE])
{
	const char *title;
	if (index-- == 0) return "all";
	for (size_t i = 0; method_at(command, i); i++) {
		if (index-- == 0) return method_at(command, i);
	}
	for (size_t i = 0; (title = command_group_at(command, i)) != NULL; i++) {
		if (!command_group_holds(command, title) || index-- > 0) continue;
		snprintf(text, COMMAND_TOPIC_SIZE, "%s", title);
		text[0] = (char)tolower((unsigned char)text[0]);
		return text;
	}
	return NULL;
}

/* ---- what a topic shows ---- */

/* the option of every command that is meant by a name or a letter, or NULL */
static const char *find_shared(const char *name)
{
	const ossa_option *option = ossa_option_find(command_shared_table(), strcmp(name, "q") == 0 ? "quiet" : name);
	if (strcmp(name, "help") == 0 || strcmp(name, "h") == 0) return "help";
	return option ? option->name : NULL;
}

bool command_topic_find(const command_definition *command, const char *name, command_topic *topic)
{
	const char *title;
	*topic = (command_topic){.name = name, .is_all = name && strcasecmp(name, "all") == 0};
	if (!name || topic->is_all) return true;
	for (size_t i = 0; method_at(command, i); i++) {
		if (strcasecmp(method_at(command, i), name) == 0) topic->method = method_at(command, i);
	}
	for (size_t i = 0; !topic->method && (title = command_group_at(command, i)) != NULL; i++) {
		if (strcasecmp(title, name) == 0 && command_group_holds(command, title)) topic->group = title;
	}
	while (*name == '-') name++;
	for (size_t i = 0; i < command_text_count(command); i++) {
		const bool is_letter = name[0] && !name[1] && name[0] == command->texts[i].letter;
		if (is_letter || strcmp(command->texts[i].name, name) == 0) topic->option = command->texts[i].name;
	}
	for (size_t i = 0; !topic->option && i < command_table_count(command); i++) {
		const ossa_option *option = ossa_option_find(table_at(command, i), name);
		if (option) topic->option = option->name;
	}
	if (!topic->option) topic->shared = find_shared(name);
	return topic->method || topic->group || topic->option || topic->shared;
}

bool command_topic_shows(const command_definition *command, const command_topic *topic, const char *name)
{
	bool is_common = true;
	const char *group = command_group_of(command, name, &is_common);
	if (topic->is_all || topic->method) return true;
	if (!topic->group && !topic->option) return is_common && !topic->shared;
	return (topic->group && strcmp(topic->group, group) == 0) || (topic->option && strcmp(topic->option, name) == 0);
}

const char *command_topic_nearest(const command_definition *command, const char *name, char text[COMMAND_TOPIC_SIZE])
{
	enum { TOPICS_MAX = 16, NAMES_MAX = 256 };
	char topics[TOPICS_MAX][COMMAND_TOPIC_SIZE];
	const char *names[NAMES_MAX], *topic;
	command_option own;
	size_t count = 0;
	for (; count < TOPICS_MAX && (topic = command_topic_at(command, count, topics[count])) != NULL; count++)
		names[count] = topic;
	for (size_t i = 0; i < command_text_count(command) && count < NAMES_MAX; i++) names[count++] = command->texts[i].name;
	for (size_t i = 0; count < NAMES_MAX && command_option_at(command, i, &own); i++) names[count++] = own.option->name;
	const ossa_option_table *shared = command_shared_table();
	for (size_t i = 0; count < NAMES_MAX && i < shared->count; i++) names[count++] = shared->options[i].name;
	const char *nearest = ossa_nearest_name(name, names, count);
	if (!nearest) return NULL;
	snprintf(text, COMMAND_TOPIC_SIZE, "%s", nearest);
	return text;
}
