/* contraction/collapse.h: turns a contracted surface into a curve skeleton by edge collapses,
   cheapest first.

   Place in the path: contract -> here -> curve/center.
   Input: a proxy and its contracted vertex positions.
   Output: a curve, a graph of nodes with the surface patches that they stand for.
   Source: Au et al. 2008, section 5 (costs after the quadrics of M. Garland and P. Heckbert), as
   Madaras states it: half-edge collapse i -> j of least cost w_a F + w_b S. F = v_j^T (Q_i + Q_j)
   v_j, the squared distances to the lines gathered; S = |v_i - v_j| sum_k |v_i - v_k|. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_H
#define OSSAI_CONTRACTION_COLLAPSE_H

#include "contraction/contract.h"
#include "curve/curve.h"

/* Start from ossai_collapse_default(). */
typedef struct ossai_collapse_options {
	double shape;    /* w_a; the paper: 1 */
	double sampling; /* w_b; the paper: 0.1 */
	/* edges shorter than this collapse first, whatever they cost; a share of the size; < 0:
	   chosen */
	double merge_distance;
	/* once no face is left, go on until so many nodes are left; 0: stop when no face is left */
	size_t nodes;
	/* collapse the cheapest of all edges until `nodes` are left, whether they have faces or not:
	   see collapse.c */
	bool as_printed;
} ossai_collapse_options;

ossai_collapse_options ossai_collapse_default(void);

/* Makes the curve. Its nodes lie where the remaining contracted vertices lie; radius, area and
   volume of a node are those of its patch on the proxy. Loops of the shape stay loops. Arrays are
   the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Cost: N log N. */
ossa_status ossai_collapse(ossai_arena *arena, const ossai_proxy *proxy, const ossai_contracted *contracted,
	const ossai_collapse_options *options, ossai_curve *curve);

#endif
