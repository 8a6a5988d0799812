/* edit/solve_rest.c: weights of a rig by where its bones are at rest.

   Place in the path: solve_load -> here -> solve_store. */
#include "edit/solve_work.h"

#include "skeleton/rest_weights.h"

#include <string.h>

static bool touches(const ossai_solve_work *w, const ossai_bone_weights *weights, size_t v)
{
	for (size_t i = 0; i < weights->count[v]; i++) {
		if (w->stale[weights->bone[v * weights->width + i]]) return true;
	}
	return weights->count[v] == 0;
}

ossa_status ossai_solve_rest(ossai_solve_work *w)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.influences = w->weights.width;
	const ossai_rest_bones bones = {&w->tree, w->joint, w->tail, NULL};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_rest_weights(w->arena, w->surface, &bones, NULL, &options, &found));
	w->weights_solved = true;
	const size_t width = w->weights.width;
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		if (!w->surface->used[v] || w->fixed[v] || (!touches(w, &w->weights, v) && !touches(w, &found, v))) continue;
		memcpy(w->weights.bone + v * width, found.bone + v * width, width * sizeof *found.bone);
		memcpy(w->weights.value + v * width, found.value + v * width, width * sizeof *found.value);
		w->weights.count[v] = found.count[v];
		w->changed[v] = 1;
	}
	return OSSA_OK;
}
