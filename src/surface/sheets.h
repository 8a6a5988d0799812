/* surface/sheets.h: whether faces form a sheet: a floor, a wall, a slab.

   Place in the path: posed surface -> here -> methods.
   Input: faces of a surface.
   Output: whether they are flat, wide and without limbs. */
#ifndef OSSAI_SURFACE_SHEETS_H
#define OSSAI_SURFACE_SHEETS_H

#include "surface/posed_surface.h"

/* Whether faces are a sheet: thin, not much longer than wide, and filling most of their convex
   hull, so that they have no limbs. A thin slab is one, too. Errors: OSSA_ERROR_MEMORY.  Cost: n
   log n. */
ossa_status ossai_is_sheet(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *faces, bool *is);

#endif
