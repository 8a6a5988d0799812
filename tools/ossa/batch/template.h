/* tools/ossa/batch/template.h: paths with the parts of another path in them. */
#ifndef OSSA_BATCH_TEMPLATE_H
#define OSSA_BATCH_TEMPLATE_H

#include "command.h"

/* What stands for {name}, {ending}, {folder} and {number}. */
typedef struct template_parts {
	char name[COMMAND_PATH_SIZE], ending[COMMAND_PATH_SIZE], folder[COMMAND_PATH_SIZE];
	size_t number;
} template_parts;

/* The parts of a file that a pattern has found. */
void batch_template_parts(const char *path, const char *pattern, size_t number, template_parts *parts);

/* Fills a template in; "{{" is a brace. is_pattern: the parts are quoted, so that their letters
   match themselves. Empty folders vanish. A part can never lead out of its folder.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (a part that would lead out, or is too long). */
ossa_status batch_template_fill(
	command_run *run, const char *text, const template_parts *parts, bool is_pattern, char *path, size_t size);

#endif
