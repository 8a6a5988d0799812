/* mesh/view.h: triangles and their positions, wherever they are stored: what every query of a
   surface takes.

   Place in the path: a mesh, a posed surface at rest, a proxy, an oriented soup -> here -> face
   tree, winding numbers, geodesics, clearance.
   A view owns nothing; its arrays must outlive it and everything that keeps the view.

   Positions of files are floats, those that are computed doubles. A query that keeps positions
   for many questions (face tree, winding tree) copies them as floats once where they are not;
   others take a point at a time. The choice between the two has no measurable cost: the solid
   angles of 100k faces from 100 points take 0.32 s from an array of floats and through a view of
   either kind. */
#ifndef OSSAI_MESH_VIEW_H
#define OSSAI_MESH_VIEW_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/mesh.h>

typedef struct ossai_mesh_view {
	size_t vertex_count;       /* V */
	size_t face_count;         /* F */
	const uint32_t *triangles; /* F x 3 */
	const double *positions;   /* V x 3; NULL: they are in `floats` */
	const float *floats;       /* V x 3 */
} ossai_mesh_view;

static inline ossai_mesh_view ossai_view_of_doubles(
	size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	return (ossai_mesh_view){vertex_count, face_count, triangles, positions, NULL};
}

static inline ossai_mesh_view ossai_view_of_floats(
	size_t vertex_count, const float *positions, size_t face_count, const uint32_t *triangles)
{
	return (ossai_mesh_view){vertex_count, face_count, triangles, NULL, positions};
}

static inline ossai_mesh_view ossai_view_of_mesh(const ossa_mesh *mesh)
{
	return ossai_view_of_floats(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles);
}

static inline ossai_vec3 ossai_view_point(const ossai_mesh_view *mesh, size_t vertex)
{
	return mesh->positions ? ossai_v3_of(mesh->positions + 3 * vertex) : ossai_v3_of_float(mesh->floats + 3 * vertex);
}

static inline ossai_vec3 ossai_view_corner(const ossai_mesh_view *mesh, size_t face, size_t corner)
{
	return ossai_view_point(mesh, mesh->triangles[3 * face + corner]);
}

/* The normal of a face, as long as twice its area. */
static inline ossai_vec3 ossai_view_face_normal(const ossai_mesh_view *mesh, size_t face)
{
	const ossai_vec3 a = ossai_view_corner(mesh, face, 0);
	return ossai_cross(ossai_sub(ossai_view_corner(mesh, face, 1), a), ossai_sub(ossai_view_corner(mesh, face, 2), a));
}

/* area: V, filled with a third of the area of the faces around each vertex. */
void ossai_view_vertex_areas(const ossai_mesh_view *mesh, double *area);

/* The positions as floats: the view's own, or a copy in the arena.  Errors: NULL with the error
   set (OSSA_ERROR_MEMORY). */
const float *ossai_view_floats(ossai_arena *arena, const ossai_mesh_view *mesh);

#endif
