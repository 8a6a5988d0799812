/* rig/name_pieces.h: new names for a rig whose pieces, or bodies that move, were rigged apart.

   Place in the path: a rig, also one that was read from a file -> here -> rig.c. */
#ifndef OSSAI_RIG_NAME_PIECES_H
#define OSSAI_RIG_NAME_PIECES_H

#include "base/context.h"
#include <ossa/rig.h>

/* Whether names are those of pieces or bodies: piece_1_thigh_L, body_2. */
bool ossai_rig_names_pieces(const ossa_rig *rig);

/* Names each piece's skeleton by its body, as if it were alone, and keeps the prefixes of the
   pieces. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT: names are then as they were. */
ossa_status ossai_rig_name_pieces(ossa_context *context, ossa_rig *rig);

#endif
