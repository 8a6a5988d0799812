/* rig/reweigh.h: new weights for an existing rig, from its bones at rest.

   Place in the path: a rig, from a file or a method -> here -> its weights. */
#ifndef OSSAI_RIG_REWEIGH_H
#define OSSAI_RIG_REWEIGH_H

#include "skeleton/rest_weights.h"

/* Makes weights of `options` for the rig's mesh, bones and rest pose; the rig's own stay as they
   are. Where only some of its bones have weights, the others (controls, ends) get none either, and
   the segments of the bones that have some pass over them; a leaf's reaches to its tail. Weights of
   vertices that no face uses are bone 0's. Errors: OSSA_ERROR_ARGUMENT (a rig without bones),
   OSSA_ERROR_INPUT (no faces, no size), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.
   Ownership: bones and values of `weights` are released with ossa_free. */
ossa_status ossai_rig_reweigh(
	ossa_context *context, const ossa_rig *rig, const ossai_rest_weights_options *options, ossa_weights *weights);

#endif
