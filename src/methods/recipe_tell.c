/* methods/recipe_tell.c: what is wrong with a rig that was made all the same, and is said.

   Place in the path: after the rig is assembled.  In: a rig.  Out: warnings. */
#include "methods/recipe.h"
#include "surface/inside.h"

#include <math.h>

static const double INSIDE_WINDING = 0.5;

/* bones that lost their skin after they were joined: they hold others, or nothing */
ossa_status ossai_recipe_tell_idle(ossai_recipe *r, const ossa_rig *rig)
{
	const ossa_weights *w = &rig->weights;
	const size_t bones = rig->skeleton.bone_count, slots = (size_t)w->influences;
	size_t idle = 0, first = 0;
	uint8_t *moves = ossai_arena_zero(r->arena, bones, 1);
	if (!moves) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < w->vertex_count * slots; i++) {
		if (w->values[i] > OSSAI_IDLE_WEIGHT && r->surface.used[i / slots]) moves[w->bones[i]] = 1;
	}
	for (size_t b = bones; b-- > 0;) {
		if (moves[b]) continue;
		idle++;
		first = b;
	}
	if (idle == 0) return OSSA_OK;
	ossai_warn(r->context, "idle-bones", (int64_t)idle,
		"%zu of %zu bones, the first %s, move no vertex: the weights of others leave them none; fewer bones may do", idle,
		bones, rig->skeleton.bones[first].name);
	return OSSA_OK;
}

ossa_status ossai_recipe_tell_outside(ossai_recipe *r, const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	double *joints = ossai_arena_new(r->arena, bones, 3 * sizeof *joints);
	double *windings = joints ? ossai_arena_new(r->arena, bones, sizeof *windings) : NULL;
	if (!windings) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < bones; b++) {
		for (size_t k = 0; k < 3; k++) joints[3 * b + k] = rig->skeleton.bones[b].joint[k];
	}
	OSSAI_TRY(ossai_winding_numbers_fast(
		r->context, rig->mesh->triangle_count, rig->mesh->triangles, rig->mesh->positions, bones, joints, windings));
	size_t outside = 0, first = 0;
	for (size_t b = bones; b-- > 0;) {
		if (fabs(windings[b]) > INSIDE_WINDING) continue;
		outside++;
		first = b;
	}
	if (outside == 0) return OSSA_OK;
	ossai_warn(r->context, "joints-outside", (int64_t)outside,
		"%zu of %zu joints, the first %s, lie outside the surface, or it is open there", outside, bones,
		rig->skeleton.bones[first].name);
	return OSSA_OK;
}
