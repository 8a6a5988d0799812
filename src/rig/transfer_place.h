/* rig/transfer_place.h: whether a mesh is at the place of a rig, and moving the rig there.

   Place in the path: below rig_transfer. */
#ifndef OSSAI_RIG_TRANSFER_PLACE_H
#define OSSAI_RIG_TRANSFER_PLACE_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

/* p -> scale p + move */
typedef struct ossai_placing {
	double scale;
	ossai_vec3 move;
} ossai_placing;

/* Checks that most vertices of `mesh` are in the box of the rig's mesh, widened by `distance` (a
   share of its diagonal), and that the mesh is not the same shape at another size. Both have
   vertices. Errors: OSSA_ERROR_INPUT saying what to do.  Cost: linear. */
ossa_status ossai_transfer_check_place(ossa_context *context, const ossa_mesh *of_rig, const ossa_mesh *mesh, double distance);

/* What brings the box of the rig's mesh to that of the other one. Errors: OSSA_ERROR_INPUT where
   the sides of the boxes are not in the same proportions. */
ossa_status ossai_transfer_align(ossa_context *context, const ossa_mesh *of_rig, const ossa_mesh *mesh, ossai_placing *placing);

/* Scales and moves skeleton, loops and motions; the mesh of the rig stays as it is. */
void ossai_rig_place(const ossai_placing *placing, ossa_rig *rig);

#endif
