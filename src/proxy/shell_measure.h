/* proxy/shell_measure.h: how far the points of bricks are from faces.

   Place in the path: inside shell_grid.
   Input: a grid whose bricks know the faces that pass them.
   Output: distances, nearest faces, cut edges. */
#ifndef OSSAI_PROXY_SHELL_MEASURE_H
#define OSSAI_PROXY_SHELL_MEASURE_H

#include "proxy/shell_grid.h"

/* more than the distance of any corner of a cell from a face that passes it */
#define OSSAI_SHELL_NEAR 1.75

/* floor and ceil of what fits into an int, without a call */
static inline int ossai_floor_of(double x)
{
	const int i = (int)x;
	return i > x ? i - 1 : i;
}
static inline int ossai_ceil_of(double x)
{
	const int i = (int)x;
	return i < x ? i + 1 : i;
}

/* The corners of a face, in steps. */
static inline void ossai_shell_face_corners(const ossai_shell_grid *grid, uint32_t face, ossai_vec3 *corner)
{
	for (int k = 0; k < 3; k++)
		corner[k] = ossai_v3_of(grid->points + 3 * (size_t)grid->surface->triangles[3 * (size_t)face + k]);
}

/* Fills distances and cut edges of the bricks from `begin` to `end` by their own faces; `arg`: an
   ossai_shell_grid. */
void ossai_shell_measure(void *arg, size_t begin, size_t end);

/* Makes the face the nearest of a point of the brick where it is nearer than the one so far. */
void ossai_shell_offer_face(const ossai_shell_grid *grid, ossai_brick *brick, int point, uint32_t face);

#endif
