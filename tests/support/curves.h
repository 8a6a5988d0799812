/* tests/support/curves.h: literal curves, and curves along a creature's true bones. */
#ifndef OSSA_TEST_CURVES_H
#define OSSA_TEST_CURVES_H

#include "curve/curve.h"
#include "support/creature.h"
#include "proxy/proxy.h"
#include "query/clearance.h"

/* What tests of literal curves work in. */
typedef struct test_curve_bench {
	ossa_context *context;
	ossai_arena arena;
} test_curve_bench;

test_curve_bench test_curve_begin(void);
void test_curve_end(test_curve_bench *bench);

/* A curve of these nodes and edges (2 an edge, any order), radius 0.05 each, no vertices. Arrays
   are the arena's. */
ossai_curve test_curve_literal(
	ossai_arena *arena, size_t node_count, const double *nodes, size_t edge_count, const uint32_t *edges);

/* Of each node the persistence of the most persistent tip in its patch, as many as the curve has
   nodes. The array is the arena's. */
void test_curve_persistence(ossai_arena *arena, ossai_curve *curve, const double *persistence);

/* The clearance, with its inside, of a box of these half sizes around the origin, or of any eight
   corners in the order of the bits x, y, z of their numbers. Arrays are the arena's. */
ossai_clearance test_box_clearance(ossai_arena *arena, double x, double y, double z);
ossai_clearance test_corners_clearance(ossai_arena *arena, const double *corners);

/* A curve along the creature's true bones, joined end to end, with a node every `spacing` (share
   of the diagonal), moved aside by up to `shake`; each vertex of the proxy goes to the nearest
   node of the bone that moves it most. */
ossai_curve test_curve_of_creature(
	ossai_arena *arena, const test_creature *creature, const ossai_proxy *proxy, double spacing, double shake);

/* The creature's surface as it is, welded. */
ossai_proxy test_proxy_of(ossai_arena *arena, const ossai_posed_surface *surface);

/* How many nodes have this many edges; 3: three or more. */
size_t test_curve_count(const ossai_curve *curve, size_t degree);

#endif
