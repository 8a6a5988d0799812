/* tests/support/half_edges.h: small manifold meshes of half-edges, and assertions of their
   invariants. */
#ifndef OSSA_TEST_HALF_EDGES_H
#define OSSA_TEST_HALF_EDGES_H

#include "mesh/half_edges.h"

/* A mesh of these triangles, which must be manifold already (nothing dropped, turned or cut;
   vertices keep their numbers), with capacity for `spare` more vertices. Arrays are the arena's. */
ossai_half_edges test_half_edges(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t spare);

/* Corners at 1 along each axis: 0 1 at +x -x, 2 3 at +y -y, 4 5 at +z -z. Eight faces that look
   outward. */
ossai_half_edges test_octahedron(ossai_arena *arena, size_t spare);

/* columns x rows unit squares in the plane z = 0, seen from +z; vertex x + y (columns + 1). Each
   square is cut from its vertex (x, y). */
ossai_half_edges test_flat_sheet(ossai_arena *arena, uint32_t columns, uint32_t rows, size_t spare);

/* A sphere of radius 1: the octahedron with each edge cut in two, so many times. */
ossai_half_edges test_sphere(ossai_arena *arena, int times);

/* Asserts that opposite half-edges refer to one another and run in opposite directions, that
   `out` begins at its vertex and at a border is the half-edge without an opposite, that every fan
   is complete, and that the counts of what is alive are right. */
void test_assert_half_edges(const ossai_half_edges *mesh);

/* The half-edge from a to b; fails where there is none. */
uint32_t test_half_edge(const ossai_half_edges *mesh, uint32_t a, uint32_t b);

double test_half_edges_area(const ossai_half_edges *mesh);
double test_half_edges_volume(const ossai_half_edges *mesh);

#endif
