/* tools/ossa/progress.h: the bar on a terminal, and Ctrl-C.

   Place in the path: the top, below main.c. */
#ifndef OSSA_PROGRESS_H
#define OSSA_PROGRESS_H

#include "command.h"

typedef struct command_progress {
	const char *name; /* of the command */
	bool enabled;     /* the output is a terminal */
	bool drawn;       /* a bar is on the screen now */
	double begin;     /* when the command began */
	double rise_time; /* when and where the fraction began to rise */
	double rise_fraction;
	double last_time; /* of the last drawing */
	double last_fraction;
} command_progress;

void command_catch_signals(void);
command_progress command_progress_begin(const char *name, bool quiet);
bool command_progress_report(void *progress, const char *stage, double fraction);
void command_progress_clear(command_progress *progress);

#endif
