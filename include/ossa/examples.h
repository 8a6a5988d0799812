/* ossa/examples.h: a rig from a rest mesh and example poses (Schaefer & Yuksel 2007), with our
   refinements. */
#ifndef OSSA_EXAMPLES_H
#define OSSA_EXAMPLES_H

#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stages.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the method works; ranges and help are in ossa_examples_option_table(). */
typedef struct ossa_examples_options {
	uint32_t cookie; /* set by the default function; do not touch */
	int bones;       /* bones wanted; 0: as many as the tolerance needs */
	/* what one part may add to the RMS of the whole, in % of the diagonal; 0: off */
	double tolerance;
	ossa_parts_kind parts;
	ossa_weights_kind weights;
	/* without `bones`, refining: a bone stays that lowers the RMS by this, in % of the diagonal,
	   or by a large part of what is left (docs/sequence.md, How many bones); 0: off */
	double worth;
	int influences;      /* most weights per vertex */
	bool link_pieces;    /* clusters may grow from one piece of the mesh to a near one */
	int lloyd;           /* variational iterations after the clustering */
	bool local;          /* keep every bone's influence one connected patch */
	bool area_weighting; /* weigh tree votes by the vertex's area */
	/* whether both sides of a symmetric body get the same bones, on the evidence of both */
	ossa_symmetry_kind symmetry;
	int refine; /* 0: the paper; 1..: at most this many rounds of refinement */
} ossa_examples_options;

OSSA_API ossa_examples_options ossa_examples_default(void);
OSSA_API const ossa_option_table *ossa_examples_option_table(void);

/* Makes a rig of `mesh` that repeats `poses`. `options` NULL means the defaults.
   The result's clip is the rigid hierarchy's, its free_clip the unconstrained bones', with weights
   of their own.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED.
   Ownership: ossa_rig_free.
   Threads: the context's; the same bytes for any number.
   Cost: about linear in faces x poses.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007. */
OSSA_API ossa_status ossa_rig_from_examples(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
