/* tests/support/proxies.h: proxies for tests of the contraction: tubes, tori, blocks with holes;
   and the contraction of each to its curve. */
#ifndef OSSA_TEST_PROXIES_H
#define OSSA_TEST_PROXIES_H

#include "contraction/collapse.h"

/* A closed tube of unit diagonal about the x axis, centered: `rings` rings of `sides` points, a
   tip at each end. */
ossai_proxy test_tube(ossai_arena *arena, uint32_t rings, uint32_t sides, double radius);

/* A torus about the z axis, 0.33 from it. */
ossai_proxy test_torus(ossai_arena *arena, uint32_t rings, uint32_t sides, double radius);

/* The surface of the cubes that `is_full` (columns x rows, one layer) names, each cut into
   `parts` along each side. */
ossai_proxy test_blocks(ossai_arena *arena, uint32_t columns, uint32_t rows, const char *is_full, uint32_t parts);

/* A proxy of positions and triangles as they are. */
ossai_proxy test_proxy(
	ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles);

/* One proxy of two side by side, `link_count` links between the first vertices of both. */
ossai_proxy test_proxy_pair(ossai_arena *arena, const ossai_proxy *a, const ossai_proxy *b, size_t link_count);

/* Ends (one edge) and loops (edges - nodes + pieces) of a curve. */
size_t test_curve_ends(ossai_arena *arena, const ossai_curve *curve);
size_t test_curve_loops(ossai_arena *arena, const ossai_curve *curve);

/* Asserts the invariants of a curve: finite, edges sorted and unique, each vertex in a node,
   areas that sum to the proxy's. */
void test_assert_curve(const ossai_proxy *proxy, const ossai_curve *curve);

#endif
