/* methods/moving_symmetry.h: the same bones on both sides of a body whose motion is not symmetric.

   Place in the path: a draft -> here -> hierarchy, all vertices, free bones. */
#ifndef OSSAI_METHODS_MOVING_SYMMETRY_H
#define OSSAI_METHODS_MOVING_SYMMETRY_H

#include "methods/moving.h"

/* Makes a draft again with bones, tree, joints and weights that are symmetric, where the rest mesh
   is and the option wants it; takes it in place of the draft if it is enforced, or costs little of
   the error. Warnings: "symmetry-part": part of the vertices have no mirror image; "fewer-bones".
   Errors: OSSA_ERROR_INPUT (enforced, and most vertices have none). */
ossa_status ossai_moving_symmetrize(ossai_moving_work *m);

/* The vertex of the mesh, in its own order, that is each one's mirror image (V; OSSA_NONE: none),
   of a work whose surface is symmetric. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_counterparts(const ossai_moving_work *m, uint32_t *counterpart);

#endif
