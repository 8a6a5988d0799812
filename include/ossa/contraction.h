/* ossa/contraction.h: a rig from one mesh that does not move, by contracting it (Madaras; Au et
   al. 2008), with our refinements. */
#ifndef OSSA_CONTRACTION_H
#define OSSA_CONTRACTION_H

#include <ossa/landmarks.h>
#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stages.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the method works; ranges and help are in ossa_contraction_option_table(). Distances
   are in % of the diagonal of the box around the mesh. */
typedef struct ossa_contraction_options {
	uint32_t cookie;       /* set by the default function; do not touch */
	int bones;             /* wanted; 0: as many as the shape suggests */
	ossa_proxy_kind proxy; /* what is contracted */
	int proxy_size;        /* vertices of it */
	ossa_pieces_kind pieces;
	/* separate pieces: smaller ones, in % of the largest's size, get one bone. Size: root mean
	   square distance of the surface from its centroid */
	double rigid_below;
	/* separate pieces: smaller ones still get no bone and move with the skin nearest to them */
	double along_below;
	/* pieces of the mesh within this distance are joined; 0: the distance that joins all */
	double join;
	/* edges shorter than this are left out: those between pieces, and as published of the mesh too;
	   < 0: as published, the least that leaves no loop */
	double split;
	/* which system a step solves; auto: implicit, as published least squares */
	ossa_flow_kind flow;
	/* of the first step: as published W_L, else the time of its flow in squared sizes; 0: chosen */
	double pull;
	double growth;     /* s_L, 1 or more; 0: 3, as published 2 */
	double attraction; /* W_H at first */
	double volume;     /* stop at this share of the first volume */
	int steps;         /* most */
	double shape;      /* w_a of the collapse */
	double sampling;   /* w_b of the collapse */
	double merge;      /* edges shorter than this collapse first; 0: chosen */
	/* least persistence of a limb's tip, in % of the size: what protrudes less is a spurious
	   branch. The size is 4.36 times the root mean square distance of the surface from its
	   centroid: about the diagonal, but the same however the mesh is turned */
	double spurs;
	bool center;         /* move each control point to the center of its patch of the surface */
	ossa_body_kind body; /* which body plan the skeleton follows */
	/* points of a human body that its joints are found by; in the axes and units of the mesh */
	ossa_landmarks landmarks;
	bool rigid_pieces; /* pieces that are likely to be rigid follow one bone each */
	/* pieces that hide the shape of the body are left out of it, and follow one bone each */
	bool props;
	ossa_symmetry_kind symmetry;
	ossa_weights_kind weights; /* heat, geodesic or coverage */
	double power;              /* geodesic: of 1 / distance */
	int influences;            /* most weights per vertex */
	bool local;                /* keep every bone's influence one connected patch */
	int refine;                /* 0: the paper; else with our refinements */
} ossa_contraction_options;

OSSA_API ossa_contraction_options ossa_contraction_default(void);
OSSA_API const ossa_option_table *ossa_contraction_option_table(void);

/* Makes a rig of `mesh`, which has no motion. `options` NULL means the defaults. The shape is
   contracted to a curve, the curve becomes joints, the skin is weighted by bone heat; loops of the
   shape are cut and listed in the rig's `loops`. Separate pieces: each as it would be alone, the
   skeletons of several under a common root that moves no vertex; images of each other get images of
   one skeleton; the rig's `pieces` count who got what.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (no surface), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED. Warnings: see docs/warnings.md.
   Ownership: ossa_rig_free.
   Threads: the context's; the same bytes for any number.
   Cost: near linear in faces.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support;
   O. K.-C. Au and others, Skeleton Extraction by Mesh Contraction, SIGGRAPH 2008. */
OSSA_API ossa_status ossa_rig_from_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
