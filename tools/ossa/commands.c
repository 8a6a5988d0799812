/* tools/ossa/commands.c: the table of commands, and finding one by its name.

   Place in the path: the top.
   Input: a word.
   Output: a command. */
#include "command_tables.h"

#include <string.h>

const command_definition *const command_list[] = {
	&command_rig,
	&command_convert,
	&command_inspect,
	&command_compare,
	&command_sample,
	&command_render,
	&command_pose,
	&command_transfer,
	&command_edit,
	&command_batch,
	&command_studio,
	&command_help,
	&command_version,
	NULL,
};

const command_definition *command_find(const char *name)
{
	for (size_t i = 0; command_list[i]; i++) {
		if (strcmp(command_list[i]->name, name) == 0) return command_list[i];
	}
	return NULL;
}
