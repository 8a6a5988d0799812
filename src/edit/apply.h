/* edit/apply.h: applies one edit to a state.

   Place in the path: between the history and what each edit does. */
#ifndef OSSAI_EDIT_APPLY_H
#define OSSAI_EDIT_APPLY_H

#include "edit/bounds.h"
#include "edit/state.h"

/* What edits need besides the state. */
typedef struct ossai_edit_ground {
	ossai_edit_at edit_at; /* the edits before this one, for constraints */
	const void *user;
	/* made when first wanted */
	ossa_status (*solver)(void *user, ossa_context *context, ossai_solver **solver);
	void *solver_user;
} ossai_edit_ground;

/* Replaces typed names by those of the rig's bones; and checks what can be checked beforehand.
   Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_edit_resolve(ossa_context *context, const ossai_edit_state *state, ossa_edit *edit);

/* Applies a resolved edit, number `index` with the line `line`. After a failure the state must not
   be used any more. */
ossa_status ossai_edit_apply(ossa_context *context, const ossai_edit_ground *ground, ossai_edit_state *state,
	const ossa_edit *edit, size_t index, const char *line);

#endif
