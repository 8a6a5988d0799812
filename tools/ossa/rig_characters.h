/* tools/ossa/rig_characters.h: several characters of one topology: `ossa rig --character`. */
#ifndef OSSA_RIG_CHARACTERS_H
#define OSSA_RIG_CHARACTERS_H

#include "rig_work.h"

/* Whether the command line names further characters. */
bool rig_characters_are_asked(const command_run *run);

/* Refuses options that are of one rig alone, to be called before any work. Errors:
   OSSA_ERROR_ARGUMENT. */
ossa_status rig_characters_check(command_run *run, const rig_work *first);

/* Reads, rigs, writes and prints all characters, of which `first` is the command line's own, with
   its outputs. What it makes it frees. */
ossa_status rig_characters_run(command_run *run, rig_work *first);

/* ---- cmd_rig.c ---- */

/* A mesh and its poses, or one file that holds a mesh, and its motion if it moves: fills mesh and
   stream. */
ossa_status rig_read_input(command_run *run, rig_work *work);

/* Checks an output, and those of its levels, before the work begins. */
ossa_status rig_check_output(command_run *run, const char *path);

/* Writes the rig to all outputs, a motion for each take. */
ossa_status rig_write_takes(command_run *run, const rig_work *work);

/* The stages and what they cost. */
void rig_print_stages(const command_run *run, const ossa_report *report);
void rig_print_written(const command_run *run, const rig_work *work, const char *output);

#endif
