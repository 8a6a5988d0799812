/* surface/shell.h: the outside of what any triangles enclose, as a closed surface of even triangles.

   Place in the path: below surface/proxy. Works on anything: soups, open borders, pieces through each other, flipped faces. */
#ifndef OSSAI_SURFACE_SHELL_H
#define OSSAI_SURFACE_SHELL_H

#include "surface/remesh.h"

/* Makes the shell on a grid as fine as gives about `wanted` vertices (and thin parts keep a thickness of a cell), inside being where
   the winding number says so or a surface passes. Closed, manifold, outward. Pieces that touch are one. Arrays are the arena's.
   Errors: OSSA_ERROR_INPUT (nothing that has an extent), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. */
ossa_status ossai_shell_make(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_even_mesh *made);

#endif
