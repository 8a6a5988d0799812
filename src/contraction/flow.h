/* contraction/flow.h: the linear system of one contraction step, explicit least squares or
   implicit.

   Place in the path: below contract.
   Input: a proxy; then, as often as asked, positions, weights and target positions.
   Output: the new positions of the vertices.

   K is the Laplacian of the faces plus one edge for every link of the proxy. One sparsity pattern
   and one symbolic analysis serve all steps. */
#ifndef OSSAI_CONTRACTION_FLOW_H
#define OSSAI_CONTRACTION_FLOW_H

#include "base/csr.h"
#include "contraction/contract.h"
#include "math/multifrontal.h"
#include "mesh/laplacian.h"

/* The sparsity pattern of K^T K and how it is summed: the full rows of K, and the entry to which
   each product of two entries of a row is added. */
typedef struct ossai_flow_square {
	ossai_csr entries; /* of each of N rows: places in the flow's value */
	uint32_t *product; /* places in value, row after row */
	uint32_t *start, *row;
	double *value;
} ossai_flow_square;

typedef struct ossai_flow {
	ossa_context *context;
	ossa_flow_kind kind;
	const ossai_proxy *proxy;
	ossai_laplacian laplacian; /* of the faces: mass and face_area are those of the last fill */
	uint32_t *start, *row;     /* K: its lower triangle by columns */
	double *value;
	uint32_t *entry;      /* of each entry of the Laplacian: its index in K */
	uint32_t *link_entry; /* of each link */
	ossai_flow_square square;
	double *matrix; /* implicit: the matrix that is factorised */
	double *x;      /* right-hand sides and scratch */
	ossai_multifrontal system;
} ossai_flow;

/* Finds the sparsity patterns and analyses them. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT (least squares where vertices have very many neighbours). */
ossa_status ossai_flow_make(ossai_arena *arena, const ossai_proxy *proxy, ossa_flow_kind kind, ossai_flow *flow);

/* Computes K, masses and areas from positions (N x 3). Allocates nothing. */
void ossai_flow_fill(ossai_flow *flow, const double *positions);

/* The same as printed: cotangents and areas of the triangles as they are. Where a triangle is lower
   than `least_height` longest sides its cotangents are those of that height: its part of K is then
   smaller, and still semi-definite. */
void ossai_flow_fill_printed(ossai_flow *flow, const double *positions, double least_height);

/* Solves, for all three coordinates at once,
     implicit:      (diag(hold) + strength K) V' = diag(hold) W
     least squares: (strength^2 K diag(1 / mass) K + diag(hold)) V' = diag(hold) W
   where W are the target positions (N x 3). `mass`: N, > 0; `hold`: N, > 0.
   Errors: OSSA_ERROR_INPUT where rounding has made the system indefinite, OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT. */
ossa_status ossai_flow_solve(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions);

/* The parts of ossai_flow_make and ossai_flow_solve for least squares. */
ossa_status ossai_flow_make_square(ossai_arena *arena, ossai_flow *flow);
ossa_status ossai_flow_solve_square(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions);

#endif
