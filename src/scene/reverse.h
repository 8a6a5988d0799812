/* scene/reverse.h: polygons that face the other way, as those under a mirroring transform.

   Place in the path: beside ossa_mesh.
   Input and output: corners of polygons and triangles. */
#ifndef OSSAI_SCENE_REVERSE_H
#define OSSAI_SCENE_REVERSE_H

#include <ossa/mesh.h>

/* Reverses what corners have: each polygon keeps its first corner, followed by the others from the
   last on. `corners`: C values, in the order of the mesh's corners. */
void ossai_reverse_corners(const ossa_mesh *mesh, uint32_t *corners);

/* Triangles of reversed polygons: the index of each corner in its reversed polygon, and the
   winding. T x 3 as triangle_corners. */
void ossai_reverse_triangles(const ossa_mesh *mesh, uint32_t *triangle_corners);

/* All polygons and triangles of a mesh, whose arrays are its own. */
void ossai_mesh_reverse(ossa_mesh *mesh);

#endif
