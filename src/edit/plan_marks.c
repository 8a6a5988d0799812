/* edit/plan_marks.c: moves stale marks and constraints to the bones of a plan: see
   plan_parts.h.

   Place in the path: inside plan.c. */
#include "edit/plan_parts.h"

#include <string.h>

ossa_status ossai_replan_marks(const ossai_replan *r)
{
	ossai_edit_state *state = r->state;
	ossai_bone_mark *marks = ossai_new(r->arena->context, r->count, sizeof *marks);
	if (!marks) return ossa_context_error(r->arena->context)->status;
	for (size_t b = 0; b < r->count; b++) {
		const ossai_planned_bone *planned = ossai_planned(r, b);
		if (planned->kept == OSSA_NONE) marks[b] = (ossai_bone_mark){state->next_id++, OSSA_NONE, planned->stale};
		else marks[b] = state->marks[planned->kept];
		marks[b].stale |= planned->stale;
		if (r->is_reshaped[b]) marks[b].stale |= OSSAI_STALE_WEIGHTS;
	}
	if (r->plan->makes_half && (ossai_planned(r, r->rank[r->plan->half])->stale & OSSAI_STALE_SPLIT)) {
		ossai_bone_mark *half = &marks[r->rank[r->plan->half]];
		half->stale &= (uint8_t)~OSSAI_STALE_SPLIT;
		marks[ossai_new_bone(r, r->plan->divided)].half = half->id;
	}
	ossa_free(r->arena->context, state->marks);
	state->marks = marks;
	return OSSA_OK;
}

/* constraints of merged bones hold for the merged bone, those of removed bones end, those of split
   bones hold for both halves; old_ids: of the bones as they were */
ossa_status ossai_replan_holds(const ossai_replan *r, const uint32_t *old_ids)
{
	ossai_edit_state *state = r->state;
	const size_t old_count = r->old->skeleton.bone_count;
	uint32_t *bone_of_id = ossai_arena_new(r->arena, state->next_id, sizeof *bone_of_id);
	if (!bone_of_id) return ossa_context_error(r->arena->context)->status;
	memset(bone_of_id, 0xff, state->next_id * sizeof *bone_of_id);
	for (size_t b = 0; b < old_count; b++) bone_of_id[old_ids[b]] = (uint32_t)b;
	size_t kept = 0;
	for (size_t i = 0; i < state->hold_count; i++) {
		ossai_hold held = state->holds[i];
		const uint32_t bone = bone_of_id[held.id];
		if (bone == OSSA_NONE || r->plan->forgets[bone]) continue;
		held.id = state->marks[ossai_new_bone(r, bone)].id;
		if (!ossai_is_held(state, kept, held)) state->holds[kept++] = held;
	}
	state->hold_count = kept;
	if (!r->plan->makes_half) return OSSA_OK;
	const uint32_t whole = state->marks[ossai_new_bone(r, r->plan->divided)].id;
	const uint32_t half = state->marks[r->rank[r->plan->half]].id;
	for (size_t i = 0; i < state->hold_count; i++) {
		ossai_hold held = state->holds[i];
		if (held.id != whole || ossai_bound_is_of_joint(&state->bounds[held.bound])) continue;
		held.id = half;
		OSSAI_TRY(ossai_state_hold(r->arena->context, state, held));
	}
	return OSSA_OK;
}
