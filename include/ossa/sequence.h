/* ossa/sequence.h: a rig from a mesh animation (de Aguiar et al. 2008), with our refinements. */
#ifndef OSSA_SEQUENCE_H
#define OSSA_SEQUENCE_H

#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stages.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the method works; ranges and help are in ossa_sequence_option_table(). */
typedef struct ossa_sequence_options {
	uint32_t cookie;  /* set by the default function; do not touch */
	int bones;        /* bones wanted; 0: as many as `variation` needs */
	double variation; /* share of how much distances vary that lies between parts */
	/* vertices that motion is compared at, in % of all; 0: chosen by the mesh */
	double seeds;
	double affinity_scale; /* factor of S, the scale of the affinities */
	/* triangles go to the nearest seeds over the surface, not through space */
	bool geodesic;
	double alpha; /* pull of a joint to the boundary of its parts */
	ossa_parts_kind parts;
	ossa_weights_kind weights;
	int weight_poses; /* frames whose heat weights are averaged; 0: chosen */
	/* without `bones`, refining: a bone stays that lowers the RMS by this, in % of the diagonal,
	   or by a large part of what is left (docs/sequence.md, How many bones); 0: off */
	double worth;
	int influences;   /* most weights per vertex */
	bool link_pieces; /* parts may grow from one piece of the mesh to a near one */
	bool local;       /* keep every bone's influence one connected patch */
	/* whether both sides of a symmetric body get the same bones, on the evidence of both */
	ossa_symmetry_kind symmetry;
	int refine; /* 0: the paper; 1..: at most this many rounds of refinement */
} ossa_sequence_options;

OSSA_API ossa_sequence_options ossa_sequence_default(void);
OSSA_API const ossa_option_table *ossa_sequence_option_table(void);

/* Makes a rig of `mesh` that replays `frames`. `options` NULL means the defaults.
   The result's clip is the rigid hierarchy's, its free_clip the unconstrained bones'.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (also where nothing moves against anything else),
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.
   Ownership: ossa_rig_free.
   Threads: the context's; the same bytes for any number.
   Cost: about linear in faces x frames.
   Source: E. de Aguiar, C. Theobalt, S. Thrun, H.-P. Seidel, Automatic Conversion of Mesh
   Animations into Skeleton-based Animations, Eurographics 2008. */
OSSA_API ossa_status ossa_rig_from_sequence(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *options, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
