/* edit/state.h: a rig between two edits, with stale marks and constraints.

   Place in the path: every edit changes a state; the history is a list of states. */
#ifndef OSSAI_EDIT_STATE_H
#define OSSAI_EDIT_STATE_H

#include "base/context.h"

#include <ossa/edit.h>

/* Data of a bone that the history keeps besides the rig's. */
typedef struct ossai_bone_mark {
	uint32_t id;   /* unique since its creation, whatever its name */
	uint32_t half; /* the id of the other half where a split waits to be solved; OSSA_NONE */
	uint8_t stale; /* OSSAI_STALE_... */
} ossai_bone_mark;

/* A constraint. Its bones are the holds that refer to it. */
typedef struct ossai_bound {
	size_t edit; /* which made it */
	ossa_edit_kind kind;
	bool weights; /* LOCK: the weights */
	bool is_on;
	bool is_gone; /* some of its bones no longer exist */
	char *line;
} ossai_bound;

/* A bone that a constraint is about: as BONE (side 0) or OTHER (1). */
typedef struct ossai_hold {
	uint32_t bound, id;
	uint8_t side;
} ossai_hold;

typedef struct ossai_edit_state {
	ossa_rig *rig;          /* its mesh and merges are shared by all states */
	ossai_bone_mark *marks; /* B */
	uint32_t next_id;
	size_t bound_count, bound_capacity;
	ossai_bound *bounds;
	size_t hold_count, hold_capacity;
	ossai_hold *holds; /* by bound, then side, then order of insertion */
	bool is_solved;    /* facts hold */
	ossa_solve_facts facts;
} ossai_edit_state;

/* The first state of a history: a copy of the rig without its mesh and merges, which are
   `shared`'s. */
ossa_status ossai_state_begin(ossa_context *context, const ossa_rig *rig, const ossa_rig *shared, ossai_edit_state **result);
ossa_status ossai_state_copy(ossa_context *context, const ossai_edit_state *state, ossai_edit_state **copy);
void ossai_state_free(ossa_context *context, ossai_edit_state *state);

/* About so many bytes. */
size_t ossai_state_size(const ossai_edit_state *state);

/* The bone of that id, or -1. */
int32_t ossai_state_bone(const ossai_edit_state *state, uint32_t id);

/* Whether it is about a joint, of which two halves of a bone have one. */
static inline bool ossai_bound_is_of_joint(const ossai_bound *bound)
{
	return bound->kind == OSSA_EDIT_LOCK && !bound->weights;
}

/* Holds a bone for a constraint, once; whether one of the first `count` holds is that. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_state_hold(ossa_context *context, ossai_edit_state *state, ossai_hold added);
bool ossai_is_held(const ossai_edit_state *state, size_t count, ossai_hold wanted);

/* A deep copy of weights; of none where they have no vertices. */
ossa_status ossai_weights_copy(ossa_context *context, const ossa_weights *weights, ossa_weights *copy);

#endif
