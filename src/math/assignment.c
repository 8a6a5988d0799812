/* math/assignment.c: see assignment.h. Rows are added one by one, each along the shortest
   augmenting path, which prices of rows and columns (dual variables) keep short. */
#include "math/assignment.h"

#include <math.h>
#include <string.h>

typedef struct matching {
	size_t rows, columns;
	const double *cost;
	double *row_price, *column_price;
	uint32_t *row_of_column;
	/* of the path being searched, by column */
	double *distance;
	uint32_t *from; /* the column before, OSSA_NONE at the path's beginning */
	uint8_t *reached;
} matching;

/* the shortest augmenting path from `row` to a free column: returns that column and updates the
   prices */
static uint32_t search_path(matching *m, size_t row)
{
	uint32_t at = OSSA_NONE;
	double length = 0;
	for (size_t c = 0; c < m->columns; c++) m->distance[c] = INFINITY;
	memset(m->reached, 0, m->columns);
	do {
		const size_t r = at == OSSA_NONE ? row : m->row_of_column[at];
		uint32_t next = OSSA_NONE;
		for (size_t c = 0; c < m->columns; c++) {
			if (m->reached[c]) continue;
			const double predecessor = length + m->cost[r * m->columns + c] - m->row_price[r] - m->column_price[c];
			if (predecessor < m->distance[c]) {
				m->distance[c] = predecessor;
				m->from[c] = at;
			}
			if (next == OSSA_NONE || m->distance[c] < m->distance[next]) next = (uint32_t)c;
		}
		at = next;
		length = m->distance[at];
		m->reached[at] = 1;
	} while (m->row_of_column[at] != OSSA_NONE);
	m->row_price[row] += length;
	for (size_t c = 0; c < m->columns; c++) {
		if (!m->reached[c] || c == at) continue;
		m->column_price[c] -= length - m->distance[c];
		m->row_price[m->row_of_column[c]] += length - m->distance[c];
	}
	return at;
}

static void exchange(matching *m, size_t row, uint32_t column)
{
	while (m->from[column] != OSSA_NONE) {
		m->row_of_column[column] = m->row_of_column[m->from[column]];
		column = m->from[column];
	}
	m->row_of_column[column] = (uint32_t)row;
}

ossa_status ossai_assignment_make(ossai_arena *arena, size_t rows, size_t columns, ossai_assignment *space)
{
	space->row_price = ossai_arena_new(arena, rows, sizeof *space->row_price);
	space->column_price = ossai_arena_new(arena, columns, sizeof *space->column_price);
	space->row_of_column = ossai_arena_new(arena, columns, sizeof *space->row_of_column);
	space->distance = ossai_arena_new(arena, columns, sizeof *space->distance);
	space->from = ossai_arena_new(arena, columns, sizeof *space->from);
	space->reached = ossai_arena_new(arena, columns, 1);
	if (!space->row_price || !space->column_price || !space->row_of_column || !space->distance || !space->from ||
		!space->reached) {
		return ossa_context_error(arena->context)->status;
	}
	return OSSA_OK;
}

void ossai_assign_in(const ossai_assignment *space, size_t rows, size_t columns, const double *cost, uint32_t *column_of_row)
{
	matching m = {.rows = rows,
		.columns = columns,
		.cost = cost,
		.row_price = space->row_price,
		.column_price = space->column_price,
		.row_of_column = space->row_of_column,
		.distance = space->distance,
		.from = space->from,
		.reached = space->reached};
	for (size_t r = 0; r < rows; r++) m.row_price[r] = 0;
	for (size_t c = 0; c < columns; c++) m.column_price[c] = 0;
	memset(m.row_of_column, 0xff, columns * sizeof *m.row_of_column);
	for (size_t r = 0; r < rows; r++) exchange(&m, r, search_path(&m, r));
	for (size_t c = 0; c < columns; c++) {
		if (m.row_of_column[c] != OSSA_NONE) column_of_row[m.row_of_column[c]] = (uint32_t)c;
	}
}

ossa_status ossai_assign(ossai_arena *arena, size_t rows, size_t columns, const double *cost, uint32_t *column_of_row)
{
	ossai_assignment space;
	OSSAI_TRY(ossai_assignment_make(arena, rows, columns, &space));
	ossai_assign_in(&space, rows, columns, cost, column_of_row);
	return OSSA_OK;
}
