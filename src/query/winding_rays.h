/* query/winding_rays.h: generalised winding numbers of few points, exact, in one pass
   over the faces.

   Place in the path: below winding_numbers.
   Input: a surface, closed or with a short border, and points.
   Output: winding numbers. */
#ifndef OSSAI_QUERY_WINDING_RAYS_H
#define OSSAI_QUERY_WINDING_RAYS_H

#include "mesh/view.h"

/* The generalised winding numbers of points (N x 3), as ossai_winding_numbers gives them but for
   rounding; of a closed surface, whole numbers. made: false where the border has more than
   `border_most` edges, and nothing was computed. Threads: the context's; the same bytes for any
   number of them.
   Errors: OSSA_ERROR_MEMORY.  Cost: faces, plus points times border edges, plus points times the
   faces at their height. */
ossa_status ossai_winding_numbers_by_rays(ossa_context *context, const ossai_mesh_view *mesh, size_t border_most,
	size_t point_count, const double *points, double *numbers, bool *made);

#endif
