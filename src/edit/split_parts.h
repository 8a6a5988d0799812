/* edit/split_parts.h: the two parts of a bone's faces that move most differently.

   Place in the path: inside solve_split.
   Input: the faces of the bone's largest weights, frames.
   Output: each of these faces in the half whose motion fits it better. */
#ifndef OSSAI_EDIT_SPLIT_PARTS_H
#define OSSAI_EDIT_SPLIT_PARTS_H

#include "edit/solve_work.h"

enum { UPPER, LOWER, OTHER };

/* A bone while it is split: its halves are `bone`, with its joint, and `half`. */
typedef struct ossai_splitting {
	ossai_solve_work *w;
	uint32_t bone, half;
	uint8_t *part;       /* F: UPPER, LOWER, OTHER */
	uint8_t *of_vertex;  /* V: the same */
	double area;         /* of the bone's faces */
	ossai_rigid *motion; /* 2 x K */
} ossai_splitting;

/* Finds two parts of some size; `found` false where the faces are too few. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_split_find_parts(ossai_splitting *s, bool *found);

/* Fits the rigid motions of both halves; moves each face to the half that fits it better, until
   none moves. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_split_fit_halves(ossai_splitting *s);
ossa_status ossai_split_assign_parts(ossai_splitting *s);

/* The sum over all poses of a vertex' squared distances from where the motion of a half (UPPER or
   LOWER) takes it. */
double ossai_split_vertex_error(const ossai_splitting *s, size_t v, size_t half);

#endif
