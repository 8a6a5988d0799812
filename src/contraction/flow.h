/* contraction/flow.h: the linear system of a step of the contraction, for either flow.

   Place in the path: below contract.
   In: a proxy; then positions, weights and wanted places as often as asked.  Out: where the vertices go.
   K is the Laplacian of the faces with an edge more for every link of the proxy. One pattern and one analysis serve all steps. */
#ifndef OSSAI_CONTRACTION_FLOW_H
#define OSSAI_CONTRACTION_FLOW_H

#include "contraction/contract.h"
#include "math/sparse.h"
#include "mesh/laplacian.h"

/* The pattern of K^T K and how it is summed: rows of K in full, and where each product of two of a row's entries goes. */
typedef struct ossai_flow_square {
	uint32_t *full_start, *full_entry; /* N + 1; places in the flow's value */
	uint32_t *product;                 /* places in value, row after row */
	uint32_t *start, *row;
	double *value;
} ossai_flow_square;

typedef struct ossai_flow {
	ossa_context *context;
	ossa_flow_kind kind;
	const ossai_proxy *proxy;
	ossai_laplacian laplacian; /* of the faces: its mass and face_area are those of the last fill */
	uint32_t *start, *row;     /* K: its lower triangle by columns */
	double *value;
	uint32_t *entry;      /* of each entry of the Laplacian: where it is in K */
	uint32_t *link_entry; /* of each link */
	ossai_flow_square square;
	double *matrix; /* what is factorised */
	double *x;      /* N x OSSAI_SPARSE_WIDTH */
	ossai_sparse *sparse;
} ossai_flow;

/* Finds patterns and analyses them. Arrays are the arena's but for the analysis: ossai_flow_end, also after a failure.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT (least squares where vertices have very many neighbours). */
ossa_status ossai_flow_make(ossai_arena *arena, const ossai_proxy *proxy, ossa_flow_kind kind, ossai_flow *flow);
void ossai_flow_end(ossai_flow *flow);

/* K, masses and areas for positions (N x 3). Allocates nothing. */
void ossai_flow_fill(ossai_flow *flow, const double *positions);

/* Solves, for all three coordinates at once,
     implicit:      (diag(hold) + strength K) V' = diag(hold) W
     least squares: (strength^2 K diag(1 / mass) K + diag(hold)) V' = diag(hold) W
   where W are the wanted places (N x 3). `mass`: N, > 0; `hold`: N, > 0.
   Errors: OSSA_ERROR_INPUT where rounding has made the system indefinite, OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_flow_solve(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions);

#endif
