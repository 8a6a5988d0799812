/* edit/bounds.h: constraints: made, switched, followed through edits, and passed to the solver.

   Place in the path: part of the editor.
   Input: a state.
   Output: its current constraints; ossai_solve_bounds. */
#ifndef OSSAI_EDIT_BOUNDS_H
#define OSSAI_EDIT_BOUNDS_H

#include "edit/solve.h"
#include "edit/state.h"

/* Adds the constraint that `edit` (the editor's number `index`, its line `line`) makes. */
ossa_status ossai_bounds_add(
	ossa_context *context, ossai_edit_state *state, const ossa_edit *edit, size_t index, const char *line);

/* Switches one, counted from 1. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_bounds_switch(ossa_context *context, ossai_edit_state *state, size_t number);

/* After an edit: constraints whose bones were removed are switched off (warning
   "constraints-dropped"), lines have the bones' new names. */
ossa_status ossai_bounds_update(ossa_context *context, ossai_edit_state *state);

/* Marks bones whose parent violates a constraint. */
void ossai_bounds_mark_forbidden(ossai_edit_state *state);

/* The number, from 1, of the constraint of a kind between the two, in either order; 0: none. */
size_t ossai_bounds_between(const ossai_edit_state *state, ossa_edit_kind kind, uint32_t bone, uint32_t other);

/* The two bones of the first constraint that requires merging; false where there is none. */
bool ossai_bounds_next_pair(const ossai_edit_state *state, uint32_t *bone, uint32_t *other);

/* Everything that must be kept. `edits` are the editor's, for the faces that they name. Arrays are
   the arena's. */
typedef const ossa_edit *(*ossai_edit_at)(const void *user, size_t index);
ossa_status ossai_bounds_collect(
	ossai_arena *arena, const ossai_edit_state *state, ossai_edit_at edit_at, const void *user, ossai_solve_bounds *bounds);

#endif
