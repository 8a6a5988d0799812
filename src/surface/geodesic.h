/* surface/geodesic.h: shortest ways over the surface at rest, from any number of sources.

   Place in the path: posed surface -> here -> seeds, patches.
   Ways run along the edges, across them from corner to opposite corner, and over the links between pieces. With the ways across
   the longest detour on a sheet of regular triangles is 4 % (edges alone: 15 %), on squares all cut alike 8 % (41 %). */
#ifndef OSSAI_SURFACE_GEODESIC_H
#define OSSAI_SURFACE_GEODESIC_H

#include "base/heap.h"
#include "surface/posed_surface.h"

/* Who is how far from whom in one step. Arrays are the arena's. */
typedef struct ossai_edge_graph {
	size_t vertex_count;
	uint32_t *start;    /* V + 1 */
	uint32_t *neighbor; /* those of v: [start[v], start[v + 1]); one may be there twice, with different lengths */
	double *length;     /* in rest diagonals */
} ossai_edge_graph;

/* `bend`: what a turn of the normal costs: a step of length d over which the normal changes by n counts sqrt(d^2 + bend^2 |n|^2);
   0 measures plain length.  Source of that metric: Pottmann, Steiner, Hofer, Haider, Hanbury, The Isophotic Metric and Its
   Application to Feature Sensitive Morphology on Surfaces, 2004.
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_edge_graph_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, double bend, ossai_edge_graph *ways);

/* How far every vertex is from the nearest source, and which that is. */
typedef struct ossai_distance_field {
	double *distance; /* V; INFINITY where no source is reached */
	uint32_t *source; /* V; OSSA_NONE there */
	ossai_heap heap;
} ossai_distance_field;

/* Nothing is reached yet. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_distance_field_make(ossai_arena *arena, const ossai_edge_graph *ways, ossai_distance_field *reach);
void ossai_distance_field_clear(const ossai_edge_graph *ways, ossai_distance_field *reach);

/* Spreads from `count` more sources, numbered from `first`: what was nearer to another one before stays its own.
   Cost: n log n in the vertices that come nearer. */
void ossai_distance_field_add(const ossai_edge_graph *ways, size_t count, const uint32_t *vertices, uint32_t first, ossai_distance_field *reach);

#endif
