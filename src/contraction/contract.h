/* contraction/contract.h: a surface that shrinks to a curve.

   Place in the path: proxy -> here -> collapse.
   Source: O. K.-C. Au, C.-L. Tai, H.-K. Chu, D. Cohen-Or, T.-Y. Lee, Skeleton Extraction by Mesh Contraction, SIGGRAPH 2008, as M. Madaras uses it
   (Extraction of skinning data by mesh contraction with Collada 1.5 support): in every step solve, in the least squares sense,
   [W_L L; W_H] V' = [0; W_H V], then W_L *= s_L and W_H,i = W_H,i0 sqrt(A_i0 / A_i).
   Departures: rows are weighted by the vertices' areas, so that a step does the same at any resolution; cotangents keep their sign, so
   that a step's Dirichlet energy is the area, which cannot grow (with weights made positive it does: that is the blow-up that the paper's
   iteration shows); what has shrunk to a line is held far more than the paper does, so that it neither straightens nor draws in its ends
   while thicker parts still shrink. */
#ifndef OSSAI_CONTRACTION_CONTRACT_H
#define OSSAI_CONTRACTION_CONTRACT_H

#include "proxy/proxy.h"
#include <ossa/stages.h>

/* Start from ossai_contraction_default(). */
typedef struct ossai_contraction_options {
	ossa_flow_kind flow;
	double contraction; /* W_L at first, as the time for which a step lets a proxy of unit diagonal shrink; 0: chosen */
	double growth;      /* s_L; the paper: 2, which leaves more spurs at blunt ends and takes half as many steps again */
	double attraction;  /* W_H at first; the paper: 1 */
	double volume;      /* stop at this share of the first volume; the paper: 1e-6 */
	int steps;          /* most */
} ossai_contraction_options;

ossai_contraction_options ossai_contraction_default(void);

typedef enum ossai_contraction_end {
	OSSAI_CONTRACTION_DONE,  /* the volume is small enough, or all has had its time to shrink */
	OSSAI_CONTRACTION_STEPS, /* no more steps */
	OSSAI_CONTRACTION_GUARD  /* a step grew area or box: the best state before it was kept */
} ossai_contraction_end;

typedef struct ossai_contracted {
	double *positions; /* N x 3, of the proxy's vertices */
	int steps;
	double
		volume_share; /* of what there was at first: signed where the proxy is closed, and no less than a tube's of that area; else that */
	double area_share;
	ossai_contraction_end end;
} ossai_contracted;

/* Contracts the proxy. Never worse than a state before: what blows up is given back. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. Cost: N^1.5 a step for closed surfaces; one analysis for all steps: 0.1 s for 8000
   vertices by the implicit flow. */
ossa_status ossai_contract(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_contraction_options *options, ossai_contracted *contracted);

#endif
