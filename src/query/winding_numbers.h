/* query/winding_numbers.h: which points a surface encloses.

   Place in the path: metrics, shell.
   Input: a surface, closed or not, and points.
   Output: winding numbers. */
#ifndef OSSAI_QUERY_WINDING_NUMBERS_H
#define OSSAI_QUERY_WINDING_NUMBERS_H

#include "mesh/view.h"

/* By how much a winding number is on the inner side of the isosurface of a half, the border of
   what the surface encloses (A. Jacobson et al. 2013): 1/2 inside a closed surface, whichever side
   its faces look to, -1/2 outside. Points are inside where it is more than 0. */
static inline double ossai_winding_margin(double winding) { return fabs(winding) - 0.5; }
static inline bool ossai_winding_is_inside(double winding) { return ossai_winding_margin(winding) > 0; }

/* The generalised winding number of each point: 1 inside a closed surface with outward faces, -1
   with inward ones, 0 outside, in between near holes. points: N x 3; numbers: N. Threads: the
   context's; allocates nothing.
   Cost: faces x points.  Source: A. Van Oosterom and J. Strackee, The Solid Angle of a Plane
   Triangle, 1983. */
void ossai_winding_numbers(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, double *numbers);

/* A tree over faces for many points: distant nodes are evaluated as a whole, close ones face by
   face. */
typedef struct ossai_winding_tree ossai_winding_tree;

/* Makes the tree. It keeps what it needs of the faces as floats about the middle of their box,
   not the view.
   Errors: OSSA_ERROR_MEMORY.  Ownership: the arena's.  Cost: linear (12 ms for 20k faces, 0.8 s
   for 1.4M).
   Source: G. Barill, N. Dickson, R. Schmidt, D. Levin and A. Jacobson, Fast Winding Numbers for
   Soups and Clouds, 2018. */
ossa_status ossai_winding_tree_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_winding_tree **made);

/* The winding number of one point, within 1e-3 of the exact sum; and those of many points, on the
   context's threads, to the same bits. Rough: within 1e-2, in half the time. Cost: log faces a
   point (about 8 us at 15k faces). */
double ossai_winding_tree_at(const ossai_winding_tree *tree, ossai_vec3 point);
double ossai_winding_tree_rough(const ossai_winding_tree *tree, ossai_vec3 point);
/* Whether the absolute winding number of the point is above a half, by the rough number where
   that is clearly above or below. */
bool ossai_winding_tree_inside(const ossai_winding_tree *tree, ossai_vec3 point);
void ossai_winding_tree_numbers(
	ossa_context *context, const ossai_winding_tree *tree, size_t point_count, const double *points, double *numbers);

/* Winding numbers by whichever way is fastest for so many faces and points: rays (winding_rays.h),
   the tree or the sum over all faces.  Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_winding_numbers_fast(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, double *numbers);

#endif
