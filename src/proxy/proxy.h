/* proxy/proxy.h: an even, closed stand-in for a surface: what geometric methods work on, whatever the input's resolution
   and however broken it is.

   Place in the path: posed surface (rest only) -> here -> contraction.
   Lengths are those of the posed surface: shares of the rest's diagonal, about its centroid. */
#ifndef OSSAI_PROXY_PROXY_H
#define OSSAI_PROXY_PROXY_H

#include "surface/posed_surface.h"
#include <ossa/stages.h>

/* Start from ossai_proxy_default(). */
typedef struct ossai_proxy_options {
	ossa_proxy_kind kind;
	size_t vertices; /* about how many are wanted */
	double
		join_distance; /* pieces whose vertices lie closer are joined; < 0: as far as connects all (a spanning tree of pieces) */
	double
		split_distance; /* links shorter than this are left out, with nothing in their place: what only touches stays apart; 0: none */
} ossai_proxy_options;

ossai_proxy_options ossai_proxy_default(void);

typedef struct ossai_proxy {
	ossa_proxy_kind kind; /* which it became */
	size_t vertex_count;  /* N */
	size_t face_count;    /* M */
	double *positions;    /* N x 3 */
	uint32_t *triangles;  /* M x 3, outward where there is an outside; no vertex twice in a face, no face twice */
	size_t link_count;    /* graph edges that no face has: between pieces */
	uint32_t *links;      /* 2 a link */
	size_t tie_count;     /* links that a system over the graph may have and be sparse: with a few other pieces each */
	uint32_t *ties;       /* 2 a tie */
	uint32_t *of_vertex;  /* V: the proxy's vertex that stands for each of the surface's; OSSA_NONE where no face uses it */
	uint32_t piece_count; /* pieces that are left after joining: 1 unless pieces are far apart and join_distance says so */
	double edge_length;   /* mean */
	bool is_closed;       /* every edge has two faces */
} ossai_proxy;

/* Fills `proxy` with arrays of the arena. The same shape gives nearly the same proxy at any resolution.
   Errors: OSSA_ERROR_INPUT (nothing that has an area), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.
   Warnings: "proxy-shell" where auto has taken the shell, with the reason. */
ossa_status ossai_proxy_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_proxy_options *options, ossai_proxy *proxy);

#endif
