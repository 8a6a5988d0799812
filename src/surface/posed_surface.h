/* surface/posed_surface.h: a rest mesh and its poses, brought to one scale: what every stage that
   fits motion works on.

   Place in the path: scene -> here -> parts, weights, skeleton, motion.
   Rest and every pose stand at their own centroid and are divided by the size of the rest, in
   double precision, so that results do not depend on units or placement and differences of large
   numbers keep their digits. The size is the diagonal of the rest's bounding box; of one mesh
   without motion it is another length, which no rotation changes (methods/still.h). */
#ifndef OSSAI_SURFACE_POSED_SURFACE_H
#define OSSAI_SURFACE_POSED_SURFACE_H

#include "base/context.h"
#include "math/vec.h"
#include "mesh/adjacency.h"
#include "query/geodesic.h"
#include <ossa/frames.h>

struct ossai_companions;
struct ossai_symmetry;

typedef struct ossai_posed_surface {
	size_t vertex_count;       /* V */
	size_t face_count;         /* F */
	size_t pose_count;         /* K */
	const uint32_t *triangles; /* F x 3: the mesh's own, welded */
	/* V: the vertex that it is welded to; NULL where no vertices are welded */
	const uint32_t *first_of_vertex;
	double *rest;        /* V x 3 */
	double *poses;       /* V x K x 3: all poses of a vertex lie together */
	double *face_area;   /* F, at rest */
	double *vertex_area; /* V, a third of the faces around */
	double area;         /* of all faces */
	/* vertices that some face uses, welded ones left out */
	size_t used_count;
	uint8_t *used; /* V */
	ossai_adjacency adjacency;
	/* V + 1: neighbours over polygon edges, without diagonals: patches are connected over these */
	uint32_t *patch_start;
	uint32_t *patch_neighbor;
	uint32_t piece_count;
	uint32_t *piece_of_face;   /* F */
	uint32_t *piece_of_vertex; /* V; OSSA_NONE where no face uses it */
	bool link_pieces;          /* whether clusters may cross the links; joints always may */
	size_t link_count;         /* pairs of faces of different pieces that touch */
	uint32_t *links;           /* 2 a pair */
	ossai_vec3 rest_center;    /* mesh units: x = rest_center + scale * rest */
	ossai_vec3 *pose_center;   /* K: x = pose_center[k] + scale * pose */
	double *pose_square;       /* K: sum of |pose|^2 over the used vertices */
	ossai_vec3 *pose_sum;      /* K: sum of the used vertices: 0 but for rounding */
	double scale;              /* the size, mesh units */
	double diagonal;           /* of the rest's box, in sizes: 1, or what rescale has made it */
	/* where bones are to be symmetric (weights/symmetry.h); else NULL */
	const struct ossai_symmetry *symmetry;
	/* other characters of this topology, whose poses are evidence of the same weights
	   (weights/companions.h); else NULL */
	const struct ossai_companions *companions;
	/* where vertices and faces are in another order than the mesh's (canonical_order.h), else NULL:
	   V: which of the surface each vertex of the mesh is; F: which triangle of the mesh each face
	   is */
	const uint32_t *place_of_vertex, *mesh_face;
} ossai_posed_surface;

/* Which vertex of the surface a vertex of the mesh is, and which triangle of the mesh a face is. */
static inline size_t ossai_surface_vertex(const ossai_posed_surface *surface, size_t mesh_vertex)
{
	return surface->place_of_vertex ? surface->place_of_vertex[mesh_vertex] : mesh_vertex;
}

static inline uint32_t ossai_surface_mesh_face(const ossai_posed_surface *surface, size_t face)
{
	return surface->mesh_face ? surface->mesh_face[face] : (uint32_t)face;
}

/* Fills `surface` with arrays of the arena. `poses` NULL: the rest alone. Vertices at one position
   at rest and in all poses are welded to the first of them that a face uses; the others count as
   used by no face.
   Errors: OSSA_ERROR_INPUT where mesh and poses do not fit, OSSA_ERROR_MEMORY. Warnings:
   "coarse-positions" where floats are coarse for the size. */
ossa_status ossai_posed_surface_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses,
	bool link_pieces, ossai_posed_surface *surface);

/* The same where it is known which vertices are welded: first_of_vertex, V, as of
   ossai_weld_vertices; it must stay. Characters of one topology so have the same faces. */
ossa_status ossai_posed_surface_make_welded(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh,
	const ossa_frames *poses, bool link_pieces, const uint32_t *first_of_vertex, ossai_posed_surface *surface);

/* The rest alone, without what its vertices and faces are next to: adjacency, patches and links
   stay empty. For methods that work on a proxy: of a large surface these cost as much as all
   else. */
ossa_status ossai_posed_surface_make_shape(
	ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossai_posed_surface *surface);

/* Whether a surface can be made of mesh and poses (NULL: the rest alone). Errors: OSSA_ERROR_INPUT,
   as above. */
ossa_status ossai_posed_surface_check(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses);

/* The warning again, of a surface that was made of this mesh. */
void ossai_posed_surface_warn(ossa_context *context, const ossai_posed_surface *surface, const ossa_mesh *mesh);

/* The spread of the surface at rest: the root mean square distance from its centroid over its
   area, in sizes. Unlike the diagonal of the box it does not change with rotation. */
double ossai_posed_surface_spread(const ossai_posed_surface *surface);

/* Makes another length the size: `scale`, in mesh units, > 0. */
void ossai_posed_surface_rescale(ossai_posed_surface *surface, double scale);

/* The surface at rest. */
static inline ossai_mesh_view ossai_posed_surface_view(const ossai_posed_surface *surface)
{
	return ossai_view_of_doubles(surface->vertex_count, surface->rest, surface->face_count, surface->triangles);
}

/* The graph of its geodesics at rest, links between pieces included: see query/geodesic.h. */
static inline ossa_status ossai_posed_surface_geodesics(
	ossai_arena *arena, const ossai_posed_surface *surface, double bend, ossai_edge_graph *graph)
{
	const ossai_mesh_view mesh = ossai_posed_surface_view(surface);
	const ossai_face_links links = {surface->link_count, surface->links};
	return ossai_geodesic_graph_make(arena, &mesh, &surface->adjacency, links, bend, graph);
}

/* A point at rest in the surface's units, of one in those of the mesh, and back. */
static inline ossai_vec3 ossai_posed_surface_units(const ossai_posed_surface *surface, const double *point)
{
	return ossai_scale(ossai_sub(ossai_v3_of(point), surface->rest_center), 1 / surface->scale);
}

static inline ossai_vec3 ossai_posed_surface_place(const ossai_posed_surface *surface, ossai_vec3 point)
{
	return ossai_madd(surface->rest_center, surface->scale, point);
}

static inline ossai_vec3 ossai_rest_point(const ossai_posed_surface *surface, size_t vertex)
{
	return ossai_v3_of(surface->rest + 3 * vertex);
}

static inline ossai_vec3 ossai_pose_point(const ossai_posed_surface *surface, size_t vertex, size_t pose)
{
	return ossai_v3_of(surface->poses + 3 * (vertex * surface->pose_count + pose));
}

/* ---- for those that make a surface: coarse_surface.c ---- */

/* Takes the arrays of vertices, faces and poses, as many as their counts say, but no adjacency.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_posed_surface_take_arrays(ossai_arena *arena, ossai_posed_surface *surface);

/* Fills used and used_count from the triangles. */
void ossai_posed_surface_mark_used(ossai_posed_surface *surface);

/* Sums over vertices and faces, for a surface whose positions are filled: areas, pose_square,
   pose_sum. */
void ossai_posed_surface_sum(ossa_context *context, ossai_posed_surface *surface);

#endif
