/* methods/pieces/find_props.h: finds the pieces of a mesh that are props.

   Place in the path: curve -> here -> props, and again proxy.
   Input: a mesh of several pieces, the body that its shape shows.
   Output: the props, and the shape without them. */
#ifndef OSSAI_METHODS_PIECES_FIND_PROPS_H
#define OSSAI_METHODS_PIECES_FIND_PROPS_H

#include "methods/contraction.h"

/* Looks for props where a limb of the body is not seen, or not likelier one than anything else: a
   piece is one where the shape without it is likelier a body. options: how shapes are contracted,
   and the body that it has to be. figure, body: what was recognized, in the lengths of the work's
   surface; axes: as of ossai_still_place_bones. *props is NULL where there are none; else the
   arena's. Without warnings. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: that of a
   curve and its body for each piece that is tried. */
ossa_status ossai_props_find(ossai_still_work *work, const ossa_contraction_options *options, const ossai_mat3 *axes,
	const ossai_figure *figure, const ossai_body *body, const ossai_props **props);

#endif
