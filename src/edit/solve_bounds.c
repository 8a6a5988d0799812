/* edit/solve_bounds.c: applies constraints to weights before any are solved: faces that move with
   one bone alone, subject to locks.

   Place in the path: solve_load -> here -> solve_moving, solve_rest. */
#include "edit/solve_work.h"

#include <string.h>

static const char *name_of(const ossai_solve_work *w, size_t bone) { return w->rig->skeleton.bones[bone].name; }

bool ossai_solve_is_locked(const ossai_solve_work *w, size_t bone)
{
	return w->bounds->weights_locked && w->bounds->weights_locked[bone];
}

/* ---- painted faces ---- */

static void add_face(ossai_bone_weights *painted, size_t v, uint16_t bone)
{
	const size_t first = v * painted->width;
	size_t at = first;
	while (at < first + painted->count[v] && painted->bone[at] != bone) at++;
	if (at == first + painted->width) return;
	if (at == first + painted->count[v]) {
		painted->bone[at] = bone;
		painted->value[at] = 0;
		painted->count[v]++;
	}
	painted->value[at] += 1;
}

/* A vertex of faces of several bones belongs to that of the highest layer; in one layer they share
   it in proportion to their faces there. layer: V, zeroed. */
static void add_painted(
	const ossai_solve_work *w, const ossai_solve_bounds *bounds, uint32_t *layer, ossai_bone_weights *painted)
{
	for (size_t i = 0; i < 3 * w->surface->face_count; i++) {
		const size_t f = i / 3, v = w->surface->triangles[i];
		if (bounds->bone_of_face[f] == OSSAI_FREE_FACE) continue;
		const uint32_t own = bounds->layer_of_face ? bounds->layer_of_face[f] : 0;
		if (own < layer[v]) continue;
		if (own > layer[v]) painted->count[v] = 0;
		layer[v] = own;
		add_face(painted, v, bounds->bone_of_face[f]);
	}
}

/* counts of faces as weights: of the most faces first, then by bone */
static void sort_painted(ossai_bone_weights *painted, size_t v)
{
	const size_t first = v * painted->width, count = painted->count[v];
	uint16_t bone[OSSAI_INFLUENCES_MAX];
	double value[OSSAI_INFLUENCES_MAX], sum = 0;
	memcpy(bone, painted->bone + first, count * sizeof *bone);
	memcpy(value, painted->value + first, count * sizeof *value);
	for (size_t i = 0; i < count; i++) sum += value[i];
	painted->count[v] = 0;
	for (size_t i = 0; i < count; i++) ossai_bone_weights_keep(painted, v, bone[i], value[i] / sum);
}

/* a locked bone has the weight at the vertex that it would have */
static ossa_status check_locks(const ossai_solve_work *w, const ossai_bone_weights *painted, size_t v)
{
	ossai_place place = OSSAI_NOWHERE;
	place.vertex = (int64_t)v;
	for (size_t b = 0; b < w->bones; b++) {
		if (!ossai_solve_is_locked(w, b)) continue;
		const double has = ossai_bone_weight_of(&w->weights, v, (uint32_t)b),
					 wants = ossai_bone_weight_of(painted, v, (uint32_t)b);
		if (fabs(has - wants) < 1e-6) continue;
		return ossai_fail(w->context, OSSA_ERROR_INPUT, &place,
			"is painted to move with %s, but the weights of %s are locked and it follows it by %.3g: unlock %s, or paint "
			"around it",
			name_of(w, painted->bone[v * painted->width]), name_of(w, b), has, name_of(w, b));
	}
	return OSSA_OK;
}

static ossa_status paint(ossai_solve_work *w, const ossai_bone_weights *painted, size_t v)
{
	ossai_bone_weights *to = &w->weights;
	const size_t first = v * to->width;
	OSSAI_TRY(check_locks(w, painted, v));
	bool same = to->count[v] == painted->count[v];
	for (size_t i = 0; i < painted->count[v] && same; i++) {
		same = fabs(ossai_bone_weight_of(to, v, painted->bone[first + i]) - painted->value[first + i]) < 1e-6;
	}
	w->fixed[v] = 1;
	if (same) return OSSA_OK;
	memcpy(to->bone + first, painted->bone + first, to->width * sizeof *to->bone);
	memcpy(to->value + first, painted->value + first, to->width * sizeof *to->value);
	to->count[v] = painted->count[v];
	w->changed[v] = 1;
	w->weights_solved = true;
	return OSSA_OK;
}

ossa_status ossai_solve_paint(ossai_solve_work *w)
{
	ossai_bone_weights painted;
	if (!w->bounds->bone_of_face) return OSSA_OK;
	uint32_t *layer = ossai_arena_zero(w->arena, w->weights.vertex_count, sizeof *layer);
	if (!layer) return ossa_context_error(w->context)->status;
	OSSAI_TRY(ossai_bone_weights_new(w->arena, w->weights.vertex_count, w->bones, w->weights.width, &painted));
	add_painted(w, w->bounds, layer, &painted);
	for (size_t v = 0; v < painted.vertex_count; v++) {
		if (painted.count[v] == 0) continue;
		sort_painted(&painted, v);
		OSSAI_TRY(paint(w, &painted, v));
	}
	return OSSA_OK;
}
