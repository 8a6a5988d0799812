/* tools/ossa/compare.h: what `ossa compare` with and without --holdout share. */
#ifndef OSSA_COMPARE_H
#define OSSA_COMPARE_H

#include "command.h"

enum { COMPARE_TRUTH, COMPARE_REPORT };                            /* texts */
enum { COMPARE_OWN, COMPARE_FILES, COMPARE_READ, COMPARE_SHAPES }; /* tables */

typedef enum compare_split { COMPARE_SPLIT_ALTERNATE, COMPARE_SPLIT_HALVES } compare_split;

typedef struct compare_options {
	bool holdout;
	int split; /* compare_split */
} compare_options;

/* Gives `to`, a rig of another mesh with the same bones, the corrective shapes of `from`; match: by
   vertex of `to` the one of `from`. Errors: OSSA_ERROR_MEMORY. */
ossa_status compare_copy_shapes(command_run *run, const ossa_rig *from, const uint32_t *match, ossa_rig *to);

/* `ossa compare --holdout`. */
ossa_status compare_holdout(command_run *run);

#endif
