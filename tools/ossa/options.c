/* tools/ossa/options.c: the options of a command, each once for all methods that give it the same
   meaning.

   Place in the path: the top.
   Input: a command's tables.
   Output: the options that help, manual and completion show, and the tables that a word belongs
   to. */
#include "command_tables.h"

#include <string.h>

static const ossa_option_table *table_at(const command_definition *command, size_t index)
{
	const char *method;
	return command_table_at(command, index, &method);
}

/* whose options the table holds, or NULL */
static const char *method_at(const command_definition *command, size_t index)
{
	const char *method;
	command_table_at(command, index, &method);
	return method;
}

static bool is_in(const command_definition *command, size_t table, const char *name)
{
	return ossa_option_find(table_at(command, table), name) != NULL;
}

/* whether an option has the same help, range and default in two tables */
static bool is_same(const command_definition *command, size_t one, size_t other, const char *name)
{
	const ossa_option_table *tables[2] = {table_at(command, one), table_at(command, other)};
	const ossa_option *options[2] = {ossa_option_find(tables[0], name), ossa_option_find(tables[1], name)};
	if (!options[0] || !options[1] || strcmp(options[0]->help, options[1]->help) != 0) return false;
	char ranges[2][192];
	for (int i = 0; i < 2; i++) command_option_range(tables[i], options[i], ranges[i], sizeof ranges[i]);
	return strcmp(ranges[0], ranges[1]) == 0;
}

/* whether no earlier table has the option, or with `same` none with the same meaning */
static bool is_first(const command_definition *command, size_t table, const char *name, bool same)
{
	for (size_t i = 0; i < table; i++) {
		if (same ? is_same(command, i, table, name) : is_in(command, i, name)) return false;
	}
	return true;
}

/* " (examples, sequence)": the methods whose tables have the option with the same meaning as
   `table`; nothing where all do or none is needed */
static void name_methods(const command_definition *command, size_t table, const char *name, char *text, size_t size)
{
	size_t used = 0;
	bool all = true;
	text[0] = 0;
	for (size_t i = 0; i < command_table_count(command); i++) {
		const char *method = method_at(command, i);
		if (!is_same(command, table, i, name)) {
			all = all && !method;
			continue;
		}
		if (!method) all = true;
		if (!method || used >= size) break;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", method);
	}
	if (all) text[0] = 0;
}

static void tell(const command_definition *command, size_t table, const char *name, bool is_again, command_option *found)
{
	found->table = table_at(command, table);
	found->option = ossa_option_find(found->table, name);
	found->is_again = is_again;
	name_methods(command, table, name, found->methods, sizeof found->methods);
}

/* all options of one command in the order in which they are shown */
typedef struct option_list {
	const command_definition *command;
	size_t count;
	command_option options[256];
} option_list;

static void list_options(const command_definition *command, option_list *list)
{
	const size_t count = command_table_count(command), most = sizeof list->options / sizeof list->options[0];
	list->command = command;
	list->count = 0;
	for (size_t t = 0; t < count; t++) {
		const ossa_option_table *table = table_at(command, t);
		for (size_t i = 0; i < table->count; i++) {
			const char *name = table->options[i].name;
			if (!is_first(command, t, name, false)) continue;
			/* what other methods mean by it follows at once */
			for (size_t other = t; other < count && list->count < most; other++) {
				if (!is_in(command, other, name) || !is_first(command, other, name, true)) continue;
				tell(command, other, name, other > t, &list->options[list->count++]);
			}
		}
	}
}

bool command_option_at(const command_definition *command, size_t index, command_option *found)
{
	/* that of the command asked last: help asks for all options under every heading */
	static option_list list;
	if (list.command != command) list_options(command, &list);
	if (index >= list.count) return false;
	*found = list.options[index];
	return true;
}
