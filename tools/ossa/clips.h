/* tools/ossa/clips.h: the motions of a rig that a command reads and writes: `ossa convert`. */
#ifndef OSSA_COMMAND_CLIPS_H
#define OSSA_COMMAND_CLIPS_H

#include "command.h"

/* How motions are changed before they are written. */
const ossa_option_table *command_clip_table(void);

/* What loops were closed over: the largest differences of all motions. */
typedef struct command_loop_gap {
	size_t closed;           /* motions; 0: no loop was asked for */
	size_t travelling;       /* of them, which go on elsewhere */
	double degrees;          /* the largest difference of a bone */
	double share;            /* the largest of the hips' position, of the rig's height */
	char clip[64], bone[64]; /* where `degrees` is */
} command_loop_gap;

/* Changes all motions of the rig as the options (of command_clip_table) say. */
ossa_status command_change_clips(command_run *run, const void *options, ossa_rig *rig, command_loop_gap *gap);

/* The names of all motions but the first: "Run, Jump and 73 more". Returns `text`. */
const char *command_clip_names(const ossa_rig *rig, char *text, size_t size);

/* Animations of a file that a rig of it does not have (NULL: all): those that move bones, which it
   might have, and the rest, which no rig has. */
typedef struct command_other_clips {
	size_t moving, still;
} command_other_clips;

command_other_clips command_count_others(const ossa_rig *rig, size_t count, const ossa_clip_facts *clips);

/* "3 other animations (--clip takes another); 1 animation that moves no joint", "" for none. which:
   "other " or ""; how: the words in parentheses. Returns `text`. */
const char *command_others_words(command_other_clips others, const char *which, const char *how, char *text, size_t size);

/* What was closed, as a line of the report and as JSON; nothing, and null, where nothing was. */
void command_print_loop(const command_loop_gap *gap);
json_t *command_loop_json(const command_loop_gap *gap);

#endif
