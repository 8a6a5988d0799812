/* tools/ossa/options.c: the options of a command, each once, though the tables of several methods know it.

   Place in the path: the top.  In: a command's tables.  Out: what help, manual and completion tell, and whom a word belongs to. */
#include "command.h"

#include <string.h>

static bool is_in(const command_definition *command, size_t table, const char *name)
{
	return ossa_option_find(command->tables[table].table(), name) != NULL;
}

static bool is_first(const command_definition *command, size_t table, const char *name)
{
	for (size_t i = 0; i < table; i++) {
		if (is_in(command, i, name)) return false;
	}
	return true;
}

/* " (examples, sequence)": the methods that have the option; nothing where all have it or none is needed */
static void name_methods(const command_definition *command, const char *name, char *text, size_t size)
{
	size_t used = 0;
	bool all = true;
	text[0] = 0;
	for (size_t i = 0; i < command_table_count(command); i++) {
		const char *method = command->tables[i].method;
		if (!is_in(command, i, name)) {
			all = all && !method;
			continue;
		}
		if (!method) all = true;
		if (!method || used >= size) break;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", method);
	}
	if (all) text[0] = 0;
}

bool command_option_at(const command_definition *command, size_t index, command_option *found)
{
	for (size_t t = 0; t < command_table_count(command); t++) {
		const ossa_option_table *table = command->tables[t].table();
		for (size_t i = 0; i < table->count; i++) {
			if (!is_first(command, t, table->options[i].name) || index-- > 0) continue;
			found->table = table;
			found->option = &table->options[i];
			name_methods(command, found->option->name, found->methods, sizeof found->methods);
			return true;
		}
	}
	return false;
}

/* whether the option means something for `method` */
static bool serves(const command_definition *command, const char *name, const char *method)
{
	if (ossa_option_find(command_shared_table(), name)) return true;
	for (size_t i = 0; i < command_table_count(command); i++) {
		const char *own = command->tables[i].method;
		if (is_in(command, i, name) && (!own || strcmp(own, method) == 0)) return true;
	}
	return false;
}

bool command_options_serve(const command_run *run, const char *method, const char **first_other)
{
	for (size_t i = 0; i < run->given.count; i++) {
		if (serves(run->command, run->given.values[i], method)) continue;
		*first_other = run->given.values[i];
		return false;
	}
	return true;
}
