/* body/figure.h: a curve skeleton as a figure: the ends of its limbs, and the paths between them.

   Place in the path: curve/clean -> here -> body/recognize.
   Input: a curve that is a tree, the tips of limbs.
   Output: ends, and for every node the next one towards each end. */
#ifndef OSSAI_BODY_FIGURE_H
#define OSSAI_BODY_FIGURE_H

#include "curve/tips.h"

/* The most ends that are looked at, the most persistent first: a head, two feet, ten fingers and
   some more. */
enum { OSSAI_FIGURE_TIPS = 20, OSSAI_FIGURE_ENDS = OSSAI_FIGURE_TIPS + 1 /* that is added */ };

typedef struct ossai_figure_end {
	uint32_t node;      /* of the curve; it has one neighbour */
	uint32_t vertex;    /* of the proxy: the tip */
	ossai_vec3 tip;     /* on the surface */
	double persistence; /* of the tip (curve/tips.h), in the curve's lengths */
	uint32_t *toward;   /* C: the next node on the path to this end; itself at the end */
	double *distance;   /* C: along the curve, from this end */
	/* how much likelier it is a head, a leg, an arm, by what a person has said (body/landmarks.h):
	   logarithms; 0: nothing was said */
	double told[3];
} ossai_figure_end;

typedef struct ossai_figure {
	const ossai_proxy *proxy;
	const ossai_curve *curve;
	const ossai_tips *tips;
	const ossai_mirror *mirror; /* may not exist */
	ossai_vec3 axis[3];         /* the x, y and z axes of the file, in the axes of the curve */
	double hand;                /* 1, or -1 where those axes are a mirrored frame */
	size_t end_count;
	ossai_figure_end end[OSSAI_FIGURE_ENDS];
} ossai_figure;

/* axes: turns the axes of the file into those of the curve; NULL: they are the same. The curve, the
   proxy, the tips and the mirror must outlive it. Arrays are the arena's.  Errors:
   OSSA_ERROR_MEMORY.  Cost: linear for each end. */
ossa_status ossai_figure_make(ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, const ossai_tips *tips,
	const ossai_mirror *mirror, const ossai_mat3 *axes, ossai_figure *figure);

/* Adds an end at a vertex of the proxy that is no tip of a limb, with the node of the curve that the
   vertex belongs to. figure->end_count has to be below OSSAI_FIGURE_ENDS. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_figure_add_end(ossai_arena *arena, ossai_figure *figure, uint32_t vertex);

/* The node where the paths between three ends meet. Cost: the path's. */
uint32_t ossai_figure_meet(const ossai_figure *figure, size_t a, size_t b, size_t c);

/* How much a direction is the front that most files have: 1 along +Z, or where Z is up along -Y; -1
   opposite to it. */
double ossai_figure_usual_front(const ossai_figure *figure, ossai_vec3 up, ossai_vec3 front);

/* The logarithm of the longest path between two ends over the mean radius of the curve on it; 0
   where there is none. Cost: ends^2 and the path. */
double ossai_figure_slimness(const ossai_figure *figure);

#endif
