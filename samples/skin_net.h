/* samples/skin_net.h: the flesh of a creature as nets of quads, one for each piece.

   Place in the path: grid -> here -> skin. */
#ifndef OSSA_SAMPLES_SKIN_NET_H
#define OSSA_SAMPLES_SKIN_NET_H

#include "samples/creature.h"
#include "samples/flesh.h"
#include "samples/grid.h"

/* The flesh of one piece as a net of quads. */
typedef struct skin_net {
	ossai_grid grid;
	uint32_t *cell_vertex; /* brick_count x BRICK_POINTS, OSSA_NONE where the skin does not pass */
	size_t vertex_count, vertex_capacity;
	struct net_vertex *vertices;
	size_t quad_count, quad_capacity;
	uint32_t (*quads)[4]; /* counter-clockwise from outside */
} skin_net;

typedef struct net_vertex {
	ossai_vec3 at;
	uint32_t brick;
	int cut; /* the cut whose border it lies on, or -1 */
} net_vertex;

typedef struct skin_nets {
	ossai_arena arena; /* of the flesh */
	ossai_flesh flesh;
	int count;
	skin_net *pieces;
	size_t vertex_count, quad_count;
} skin_nets;

/* Builds the nets of a creature with cells of the given size. Errors: OSSA_ERROR_MEMORY. Ownership:
   ossai_skin_nets_free. */
ossa_status ossai_skin_nets_build(ossa_context *context, const ossai_creature *creature, double step, skin_nets *nets);
void ossai_skin_nets_free(ossa_context *context, skin_nets *nets);

#endif
