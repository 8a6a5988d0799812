/* methods/choose.h: which methods can be meant: by name, by the input, by the options that were set.

   Place in the path: options, kind of input -> here -> make_rig. */
#ifndef OSSAI_METHODS_CHOOSE_H
#define OSSAI_METHODS_CHOOSE_H

#include "methods/rig_options.h"

/* Methods to try, in their order; one: it is meant. */
typedef struct ossai_candidates {
	size_t count;
	size_t methods[OSSA_ATTEMPTS_MAX];
} ossai_candidates;

/* Errors: OSSA_ERROR_ARGUMENT naming options that no method has together, or that leave several methods nothing chooses among;
   OSSA_ERROR_INPUT where the method named needs motion. */
ossa_status ossai_choose_methods(
	ossa_context *context, const ossa_rig_options *options, bool moves, ossai_candidates *candidates);

#endif
