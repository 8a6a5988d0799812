/* edit/solve_moving.c: solves a rig with motion after edits.

   Place in the path: solve_load -> here -> solve_store.
   The motion of bones that no edit touches is data, to the bit. Then the weights of a vertex follow
   from the motions of the bones near it alone, and solving those near bones whose motion or weights
   are stale gives what solving all gives. */
#include "edit/solve_work.h"

#include <string.h>

enum { SWEEPS = 3, NEWTON_STEPS = 8, ROUNDS = 4 };

/* ---- motion ---- */

/* bones whose motion is to be solved, and their subtrees, which move with them. Returns whether
   there is any. */
static bool mark_moving(const ossai_solve_work *w, uint8_t *moving)
{
	bool any = false;
	for (size_t i = 0; i < w->bones; i++) {
		const uint32_t b = w->tree.order[i];
		const bool carried = w->tree.parent[b] != OSSA_NONE && moving[w->tree.parent[b]];
		moving[b] = carried || !w->was_moving || w->is_half[b] || w->is_rehung[b] ||
			(w->stale[b] & (OSSAI_STALE_MOTION | OSSAI_STALE_JOINT | OSSAI_STALE_SPLIT));
		any = any || moving[b];
	}
	return any;
}

static ossa_status fit_motion(ossai_solve_work *w, const uint8_t *moving, int newton)
{
	ossai_moments moments;
	ossai_hierarchy hierarchy = {&w->tree, w->joint, NULL};
	ossa_status status = ossai_moments_make(w->context, w->surface, &w->weights, &moments);
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit_some(
			w->context, &moments, &hierarchy, w->was_moving ? moving : NULL, SWEEPS, newton, &w->motion);
	}
	ossai_moments_end(&moments);
	return status;
}

/* ---- all of it ---- */

/* alternates weights and motion of the bones to solve */
static ossa_status alternate(ossai_solve_work *w, const uint8_t *moving, uint8_t *pending)
{
	w->motion_solved = true;
	OSSAI_TRY(fit_motion(w, moving, NEWTON_STEPS));
	for (int round = 0; round < ROUNDS; round++) {
		OSSAI_TRY(ossai_solve_weights(w, moving, pending, false));
		OSSAI_TRY(round == 0 ? ossai_solve_joints(w) : ossai_solve_place_joints(w));
		OSSAI_TRY(fit_motion(w, moving, NEWTON_STEPS));
	}
	return OSSA_OK;
}

ossa_status ossai_solve_moving(ossai_solve_work *w)
{
	uint8_t *moving = ossai_arena_zero(w->arena, w->bones, 1), *marked = ossai_arena_zero(w->arena, w->bones, 1);
	uint8_t *pending = ossai_arena_zero(w->arena, w->surface->vertex_count, 1);
	if (!moving || !marked || !pending) return ossa_context_error(w->context)->status;
	if (!w->was_moving) {
		OSSAI_TRY(ossai_bone_motion_from_weights(w->context, w->surface, &w->weights, w->tree.root, &w->motion));
	}
	OSSAI_TRY(ossai_solve_splits(w));
	OSSAI_TRY(ossai_solve_parents(w));
	OSSAI_TRY(ossai_solve_joints(w));
	if (mark_moving(w, moving)) OSSAI_TRY(alternate(w, moving, pending));
	/* bones whose motion changed for other reasons, and those that are stale */
	for (size_t b = 0; b < w->bones; b++) marked[b] = moving[b] || (w->stale[b] & OSSAI_STALE_WEIGHTS);
	return ossai_solve_weights(w, marked, pending, true);
}
