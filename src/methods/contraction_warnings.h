/* methods/contraction_warnings.h: where a published run of contraction meets what its paper does
   not define, as warnings.

   Place in the path: before the first stage, and after the published stages of
   contraction_published.c.
   Input: options, the work of the stages.
   Output: warnings. */
#ifndef OSSAI_METHODS_CONTRACTION_WARNINGS_H
#define OSSAI_METHODS_CONTRACTION_WARNINGS_H

#include "methods/contraction.h"

/* Options that are not the paper's, or outside its range ("paper-options"). */
void ossai_contraction_warn_of_options(ossa_context *context, const ossa_contraction_options *options);

/* A mesh of several pieces ("paper-pieces"), or one that is open or not manifold ("paper-surface").
   In: proxy. */
void ossai_contraction_warn_of_surface(const ossai_contraction *contraction);

/* A contraction that ended before the volume was near zero ("paper-contraction"). In:
   contracted. */
void ossai_contraction_warn_of_end(const ossai_contraction *contraction);

/* Control points whose graph was no tree ("paper-loops"). In: curve. */
void ossai_contraction_warn_of_loops(const ossai_contraction *contraction);

#endif
