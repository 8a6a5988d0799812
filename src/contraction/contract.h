/* contraction/contract.h: contracts a surface to a curve by constrained Laplacian smoothing.

   Place in the path: proxy -> here -> collapse.
   Input: a proxy.
   Output: new positions of its vertices, which enclose next to no volume.
   Source: O. K.-C. Au, C.-L. Tai, H.-K. Chu, D. Cohen-Or, T.-Y. Lee, Skeleton Extraction by Mesh
   Contraction, SIGGRAPH 2008, as M. Madaras uses it (Extraction of skinning data by mesh
   contraction with Collada 1.5 support): in every step solve, in the least squares sense, [W_L L;
   W_H] V' = [0; W_H V], then W_L *= s_L and W_H,i = W_H,i0 sqrt(A_i0 / A_i).
   Departures, unless `as_printed`: rows are weighted by the vertices' areas, so that a step has the
   same effect at any resolution, and parts that have become a line are attracted much more than in
   the paper, so that they neither straighten nor shorten while thicker parts still contract.
   Triangles are mollified (mesh/laplacian.h), so that no cotangent is infinite; as printed they are
   as they are, unless a step has no solution to working precision, and from then on at least a
   little higher. Always: links, which have no opposite angle, get a weight; a step that makes the
   surface larger is discarded. */
#ifndef OSSAI_CONTRACTION_CONTRACT_H
#define OSSAI_CONTRACTION_CONTRACT_H

#include "proxy/proxy.h"
#include <ossa/stages.h>

/* Start from ossai_contraction_default(). */
typedef struct ossai_contraction_options {
	ossa_flow_kind flow; /* auto: implicit, or least squares where `as_printed` */
	/* W_L of the first step: as printed, or else as the time for which it lets a proxy of unit size
	   contract; 0: chosen */
	double contraction;
	/* s_L; the paper: 2, which leaves more spurious branches at blunt ends and needs half as many
	   steps again; 0: 3, or 2 where `as_printed` */
	double growth;
	double attraction; /* W_H of the first step; Au et al.: 1 */
	double volume;     /* stop at this share of the initial volume; Au et al.: 1e-6 */
	int steps;         /* maximum */
	/* W_L and W_H as the paper prints them, for L_ij = cot a + cot b, and no other end than by the
	   volume */
	bool as_printed;
	bool keeps_states; /* record what each step leaves */
} ossai_contraction_options;

ossai_contraction_options ossai_contraction_default(void);

typedef enum ossai_contraction_end {
	/* the volume is small enough, or every part has had its time to contract */
	OSSAI_CONTRACTION_DONE,
	OSSAI_CONTRACTION_STEPS, /* all steps are used */
	/* a step increased the area or the box: the best state before it was kept */
	OSSAI_CONTRACTION_GUARD
} ossai_contraction_end;

/* What a step leaves; the first state is that before all steps. */
typedef struct ossai_contraction_state {
	double *positions; /* N x 3 */
	double pull;       /* W_L of the step, or its time; of the first state 0 */
	/* triangles were taken to be at least this high in the step, as a share of their longest sides;
	   0: as they are */
	double least_height;
	double volume_share, area_share; /* as of ossai_contracted */
} ossai_contraction_state;

typedef struct ossai_contracted {
	double *positions; /* N x 3, of the proxy's vertices */
	/* steps + 1 of them; NULL unless they were to be recorded */
	ossai_contraction_state *states;
	int steps;
	double
		/* of the initial volume: signed where the proxy is closed, and, unless as printed, at least
		   that of a tube of this area; else that of the tube */
		volume_share;
	double area_share;
	ossai_contraction_end end;
} ossai_contracted;

/* Contracts the proxy. The result is never worse than an earlier state: a step that diverges is
   discarded. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED. Cost: N^1.5 a step for closed surfaces; one symbolic analysis for all
   steps: 0.1 s for 8000 vertices by the implicit flow. */
ossa_status ossai_contract(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_contraction_options *options, ossai_contracted *contracted);

#endif
