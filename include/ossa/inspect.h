/* ossa/inspect.h: counts and measures of a mesh as it was read. */
#ifndef OSSA_INSPECT_H
#define OSSA_INSPECT_H

#include <ossa/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts and measures of a mesh as it is. */
typedef struct ossa_mesh_facts {
	size_t polygons_by_corners[3]; /* triangles, quads, larger ones */
	size_t pieces;                 /* connected parts; faces that share a vertex are in one */
	size_t edges;
	size_t border_edges;           /* of one triangle only */
	size_t crowded_edges;          /* of more than two triangles: not manifold */
	size_t degenerate_triangles;   /* of no area: a vertex repeated, or all on one line */
	size_t unused_vertices;        /* that no face uses */
	double minimum[3], maximum[3]; /* box of all vertices */
	double diagonal;               /* of the box */
	double area;
	/* enclosed volume, signed: below 0 where faces look inward; meaningless with a border */
	double volume;
} ossa_mesh_facts;

/* Fills `facts`.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.
   Cost: linear. */
OSSA_API ossa_status ossa_mesh_inspect(ossa_context *context, const ossa_mesh *mesh, ossa_mesh_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
