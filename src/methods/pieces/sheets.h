/* methods/pieces/sheets.h: pieces that are sheets: floors, walls, slabs.

   Place in the path: posed surface -> here -> pieces. */
#ifndef OSSAI_METHODS_PIECES_SHEETS_H
#define OSSAI_METHODS_PIECES_SHEETS_H

#include "surface/posed_surface.h"

/* Whether faces are a sheet that stands for nothing with limbs: flat, without bays, not much longer than wide. A thin slab is one, too.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_is_sheet(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *faces, bool *is);

#endif
