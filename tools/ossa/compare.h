/* tools/ossa/compare.h: what `ossa compare` with and without --holdout share. */
#ifndef OSSA_COMPARE_H
#define OSSA_COMPARE_H

#include "command.h"

enum { COMPARE_TRUTH, COMPARE_REPORT };            /* texts */
enum { COMPARE_OWN, COMPARE_FILES, COMPARE_READ }; /* tables */

typedef enum compare_split { COMPARE_SPLIT_ALTERNATE, COMPARE_SPLIT_HALVES } compare_split;

typedef struct compare_options {
	bool holdout;
	int split; /* compare_split */
} compare_options;

/* `ossa compare --holdout`. */
ossa_status compare_holdout(command_run *run);

#endif
