/* math/assignment.h: the linear assignment problem: pairs of smallest total cost between two sets.

   Place in the path: above base; joints of two skeletons are matched by it.
   Source: R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
   assignment problems, 1987. */
#ifndef OSSAI_MATH_ASSIGNMENT_H
#define OSSAI_MATH_ASSIGNMENT_H

#include "base/context.h"

#include <ossa/mesh.h>

/* Gives every row a column of its own so that the sum of cost (rows x columns, finite, row-major)
   is smallest; rows <= columns. column_of_row: rows; among solutions of equal cost one that depends
   on the numbers alone.
   Errors: OSSA_ERROR_MEMORY.  Cost: rows^2 x columns. */
ossa_status ossai_assign(ossai_arena *arena, size_t rows, size_t columns, const double *cost, uint32_t *column_of_row);

/* Space for problems of at most so many rows and columns, to solve many without allocating. */
typedef struct ossai_assignment {
	double *row_price, *column_price, *distance;
	uint32_t *row_of_column, *from;
	uint8_t *reached;
} ossai_assignment;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_assignment_make(ossai_arena *arena, size_t rows, size_t columns, ossai_assignment *space);

/* ossai_assign in space that was made for as many rows and columns or more. */
void ossai_assign_in(const ossai_assignment *space, size_t rows, size_t columns, const double *cost, uint32_t *column_of_row);

#endif
