/* proxy/proxy.h: the proxy, an isotropic, closed mesh that geometric methods work on in place of
   the surface, whatever the input's resolution and however broken it is.

   Place in the path: posed surface (rest only) -> here -> contraction.
   Input: the rest pose of a surface.
   Output: a triangle mesh, links between its unconnected pieces, and the proxy vertex of every
   vertex of the surface.
   Lengths are those of the posed surface: shares of its size, about its centroid. */
#ifndef OSSAI_PROXY_PROXY_H
#define OSSAI_PROXY_PROXY_H

#include "mesh/pairs.h"
#include "surface/posed_surface.h"

#include <ossa/stages.h>

/* Start from ossai_proxy_default(). */
typedef struct ossai_proxy_options {
	ossa_proxy_kind kind;
	size_t vertices; /* approximate number wanted */
	/* pieces whose vertices are closer are linked; < 0: as far as it takes to connect all of
	   them */
	double join_distance;
	/* links shorter than this are dropped and not replaced: pieces that only touch stay
	   unconnected; 0: none */
	double split_distance;
} ossai_proxy_options;

ossai_proxy_options ossai_proxy_default(void);

typedef struct ossai_proxy {
	ossa_proxy_kind kind; /* the kind that was made */
	size_t vertex_count;  /* N */
	size_t face_count;    /* M */
	double *positions;    /* N x 3 */
	/* M x 3, oriented outward where there is an outside; no degenerate and no duplicate faces */
	uint32_t *triangles;
	size_t link_count; /* graph edges that belong to no face: between pieces */
	uint32_t *links;   /* 2 a link */
	/* a subset of the links that keeps a linear system over the graph sparse: each piece has few
	   partners */
	size_t tie_count;
	uint32_t *ties; /* 2 a tie */
	/* V: the proxy vertex that corresponds to each vertex of the surface; OSSA_NONE where no face
	   uses it */
	uint32_t *of_vertex;
	uint32_t unlinked_count; /* pieces that there are without links */
	/* connected components, links included: 1 unless pieces are far apart and join_distance is
	   set */
	uint32_t piece_count;
	double edge_length; /* mean */
	bool is_closed;     /* every edge has two faces */
} ossai_proxy;

/* Fills `proxy` with arrays of the arena. The same shape gives nearly the same proxy at any
   resolution. Errors: OSSA_ERROR_INPUT (no face has an area), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED. Warnings: "proxy-shell" where auto has chosen the shell, with the
   reason; "mixed-faces" where faces look to both sides of the surface. */
ossa_status ossai_proxy_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_proxy_options *options, ossai_proxy *proxy);

/* The sides of all faces, each with its place in the triangles, then the links, all with 3 M:
   unsorted, an edge once for each of its faces. pairs: the caller's, 3 M and one for each link.
   Returns how many there are. */
size_t ossai_proxy_pairs(const ossai_proxy *proxy, ossai_pair *pairs);

/* The edges of its faces and its links as a graph: 2 vertices an edge, sorted, each once. The array
   is the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_proxy_edges(ossai_arena *arena, const ossai_proxy *proxy, uint32_t **edge, size_t *count);

static inline ossai_mesh_view ossai_proxy_view(const ossai_proxy *proxy)
{
	return ossai_view_of_doubles(proxy->vertex_count, proxy->positions, proxy->face_count, proxy->triangles);
}

#endif
