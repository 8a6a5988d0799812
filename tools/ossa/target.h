/* tools/ossa/target.h: `--for`: outputs that are made for a program. table: the number of
   command_target_table among those of the command. */
#ifndef OSSA_TOOLS_TARGET_H
#define OSSA_TOOLS_TARGET_H

#include "command.h"

/* Options of commands that write for a program. */
typedef struct command_target_options {
	int target; /* 0: any program; else the number of ossa_target_at, from 1 on */
} command_target_options;

const ossa_option_table *command_target_table(void);

/* The program of --for, or NULL. */
const ossa_target *command_target(const command_run *run, size_t table);

/* The names of bones that it expects; false where it takes any, none is given or --names is. */
bool command_target_names(const command_run *run, size_t table, ossa_bone_names *names);

/* The options for an output: those typed, and for all others what the program expects. rig: that is
   written, for a warning of its rest pose; or NULL. */
ossa_status command_target_options_for(command_run *run, size_t table, const ossa_rig *rig, const char *path,
	const ossa_write_options *typed, ossa_write_options *options);

/* Where a rig is written without -o: "poses/horse.obj" gives "horse-rigged.glb" in the current
   folder; the ending is that of a format of the program. */
void command_default_output(const command_run *run, size_t table, const char *input, char *path, size_t size);

/* What --for sets for a program, in words. */
void command_target_print(const ossa_target *target, char *text, size_t size);

#endif
