/* methods/choose.h: which methods are tried: by name, by the input, by the options that were set.

   Place in the path: here -> make_rig.
   Input: options, and whether the input moves.
   Output: the methods to try. */
#ifndef OSSAI_METHODS_CHOOSE_H
#define OSSAI_METHODS_CHOOSE_H

#include "methods/rig_options.h"

/* Methods to try, in this order, by their index in the registry. */
typedef struct ossai_candidates {
	size_t count;
	size_t methods[OSSA_ATTEMPTS_MAX];
} ossai_candidates;

/* Errors: OSSA_ERROR_ARGUMENT (no method has all options that were set, or several have and none of
   them is tried unless it is named), OSSA_ERROR_INPUT (the named method needs motion). */
ossa_status ossai_choose_methods(
	ossa_context *context, const ossa_rig_options *options, bool moves, ossai_candidates *candidates);

/* Where several rigs were tried, the result's reason becomes the least error of each method; what:
   of which errors, "RMS". */
void ossai_explain_choice(const char *what, ossa_rig_result *result);

#endif
