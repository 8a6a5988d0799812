/* proxy/shell.h: the outside of what any triangles enclose, as a closed surface of even triangles.

   Place in the path: below proxy/proxy. Works on anything: soups, open borders, pieces through each
   other, flipped faces. */
#ifndef OSSAI_PROXY_SHELL_H
#define OSSAI_PROXY_SHELL_H

#include "proxy/remesh.h"

/* Makes the shell on a grid as fine as gives about `wanted` vertices, or, where limbs or gaps are
   thin for that, twice as many; what is thinner still keeps a thickness of about a cell. Triangles
   are those of the grid: to be remeshed. Inside is where the winding number says so or a surface
   passes. Closed, manifold, outward; cavities are filled. Pieces that touch are one, those more
   than a cell apart stay apart. of_vertex: the nearest vertex; OSSA_NONE where no face uses the
   vertex. Arrays are the arena's. Errors: OSSA_ERROR_INPUT (no face with three corners in different
   places), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. Cost: linear in faces and in
   `wanted`: at 16000 0.05 to 0.2 s for 15k faces, 0.4 s for 220k, 1.4 s for 880k. */
ossa_status ossai_shell_make(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_isotropic_mesh *made);

#endif
