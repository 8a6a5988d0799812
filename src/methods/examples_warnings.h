/* methods/examples_warnings.h: where a published run of example poses meets what its paper does not
   define, as warnings.

   Place in the path: before the first stage, and after the published stages of examples.c.
   Input: options, the work of the stages.
   Output: warnings. */
#ifndef OSSAI_METHODS_EXAMPLES_WARNINGS_H
#define OSSAI_METHODS_EXAMPLES_WARNINGS_H

#include "methods/moving.h"

#include <ossa/examples.h>

/* Options that are not the paper's, or outside its range ("paper-options"). */
void ossai_examples_warn_of_options(ossa_context *context, const ossa_examples_options *options);

/* A surface of several pieces, where the paper clusters a connected one ("paper-pieces"). In:
   surface. */
void ossai_examples_warn_of_pieces(const ossai_moving_work *m);

/* Fewer equations than bones, which leave weights open ("paper-weights"). In: surface,
   part_count. */
void ossai_examples_warn_of_weights(const ossai_moving_work *m);

/* Joined bones that blend nowhere, whose joint the paper's formula does not give ("paper-joints").
   In: graph, tree. */
void ossai_examples_warn_of_joints(const ossai_moving_work *m);

#endif
