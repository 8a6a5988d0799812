/* ossa/transfer.h: a rig for another mesh of the same character: a coarser or finer one, another
   topology, clothes. */
#ifndef OSSA_TRANSFER_H
#define OSSA_TRANSFER_H

#include <ossa/options.h>
#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to do where the mesh is not at the rig's place. */
typedef enum ossa_transfer_place {
	OSSA_PLACE_CHECK, /* refuse it */
	/* scale and move the rig: the box of its mesh becomes that of the other */
	OSSA_PLACE_ALIGN,
	OSSA_PLACE_KEEP /* transfer all the same */
} ossa_transfer_place;

/* How a rig is transferred. Start from ossa_transfer_default(). */
typedef struct ossa_transfer_options {
	uint32_t cookie; /* set by the default function; do not touch */
	/* the largest distance from the rig's surface at which its weights are sure, percent of the
	   diagonal of its box */
	double distance;
	double angle; /* degrees: the largest angle between the normals of both surfaces */
	ossa_transfer_place place;
} ossa_transfer_options;

OSSA_API ossa_transfer_options ossa_transfer_default(void);
OSSA_API const ossa_option_table *ossa_transfer_option_table(void);

/* Where the weights come from. Every vertex is in one of the first four counts. */
typedef struct ossa_transfer_facts {
	/* vertices with the weights at the nearest place of the rig's surface that looks as they do */
	size_t sure_count;
	size_t inpainted_count; /* with weights that continue those of the sure ones around */
	/* in pieces of the mesh without a sure vertex: with the weights at the nearest place all the
	   same */
	size_t nearest_count;
	size_t loose_count;   /* in no face: as nearest_count */
	size_t far_count;     /* not sure because they are too far from the rig's surface */
	size_t turned_count;  /* not sure because the surface there looks another way */
	size_t unsure_pieces; /* connected pieces of the mesh without a sure vertex */
	double mean_distance; /* of the vertices of faces from the rig's surface; mesh units */
	double largest_distance;
	double scale; /* of the rig, where it was aligned; else 1 */
} ossa_transfer_facts;

/* Makes a rig of `mesh` with the skeleton, limits, roles, levels and motions of `rig`, whose
   weights are found on its surface: a vertex gets those at the nearest place of its surface where
   this is near and looks the same way, else those that continue the weights around it harmonically.
   Vertices that a seam splits get the same weights. The new rig has no free clip and no clusters of
   faces. options, facts: may be NULL. Warnings: "far-vertices", "unsure-pieces".
   Errors: OSSA_ERROR_INPUT (a rig or a mesh without faces, or not at the same place: the message
   says what to do), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.
   Ownership: ossa_rig_free.
   Threads: the context's; the same result for any number.
   Cost: n log n; inpainting: U^1.5 in the vertices that are not sure.
   Source: R. Abdrashitov, K. Raichstat, J. Monsen, D. Hill, Robust Skin Weights Transfer via Weight
   Inpainting, SIGGRAPH Asia 2023 Technical Communications. */
OSSA_API ossa_status ossa_rig_transfer(ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh,
	const ossa_transfer_options *options, ossa_rig **result, ossa_transfer_facts *facts);

/* Gives a rig the weights of another one of the same mesh, such as those that an artist gave a
   level of detail, where every bone that moves a vertex there has the name of one here. taken: they
   have; else the rig stays as it is, with the warning "lod-weights". Weights of free bones stay.
   Errors: OSSA_ERROR_INPUT (other counts of vertices), OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_take_weights(ossa_context *context, ossa_rig *rig, const ossa_rig *own, bool *taken);

#ifdef __cplusplus
}
#endif
#endif
