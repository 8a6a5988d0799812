/* edit/solve.c: see solve.h: the outline. Weights alone so far, by where the bones are (heat): of the bones that edits changed. */
#include "edit/solve.h"

#include "rig/reweigh.h"

#include <math.h>
#include <string.h>

struct ossai_solver {
	const ossa_mesh *mesh;
	const ossa_frames *frames;
};

ossa_status ossai_solver_create(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, ossai_solver **solver)
{
	*solver = ossa_alloc(context, 1, sizeof **solver);
	if (!*solver) return ossa_context_error(context)->status;
	**solver = (ossai_solver){mesh, frames};
	return OSSA_OK;
}

void ossai_solver_free(ossa_context *context, ossai_solver *solver) { ossa_free(context, solver); }

static ossa_status measure(ossa_context *context, const ossai_solver *solver, const ossa_rig *rig, ossa_metrics *metrics)
{
	const bool moves = solver->frames && rig->clip && rig->clip->frame_count == solver->frames->frame_count;
	return ossa_rig_measure(context, rig, NULL, NULL, moves ? solver->frames : NULL, metrics);
}

/* whether a vertex follows bones that are stale (NULL: any), and none that is locked */
static bool is_free(const ossa_weights *w, size_t vertex, const uint8_t *stale, const uint8_t *locked)
{
	bool wanted = stale == NULL;
	for (size_t k = vertex * (size_t)w->influences; k < (vertex + 1) * (size_t)w->influences; k++) {
		if (!(w->values[k] > 0)) continue;
		if (locked[w->bones[k]]) return false;
		wanted = wanted || (stale && (stale[w->bones[k]] & OSSAI_STALE_WEIGHTS));
	}
	return wanted;
}

static void take_weights(
	const ossa_weights *found, const uint8_t *stale, const ossai_solve_bounds *bounds, ossa_rig *rig, ossa_solve_facts *facts)
{
	ossa_weights *w = &rig->weights;
	const size_t width = (size_t)w->influences;
	for (size_t v = 0; v < w->vertex_count; v++) {
		if (!is_free(w, v, stale, bounds->weights_locked) || !is_free(found, v, NULL, bounds->weights_locked)) continue;
		memcpy(w->values + v * width, found->values + v * width, width * sizeof *w->values);
		memcpy(w->bones + v * width, found->bones + v * width, width * sizeof *w->bones);
		facts->vertices_changed++;
	}
}

static void paint(const ossai_solve_bounds *bounds, ossa_rig *rig)
{
	ossa_weights *w = &rig->weights;
	for (size_t i = 0; bounds->bone_of_face && i < 3 * rig->mesh->triangle_count; i++) {
		const uint16_t bone = bounds->bone_of_face[i / 3];
		if (bone == OSSAI_FREE_FACE) continue;
		const size_t from = (size_t)w->influences * rig->mesh->triangles[i];
		for (size_t k = from; k < from + (size_t)w->influences; k++) {
			w->values[k] = k == from;
			w->bones[k] = k == from ? bone : 0;
		}
	}
}

ossa_status ossai_solve(ossa_context *context, ossai_solver *solver, ossa_rig *rig, const uint8_t *stale,
	const ossai_solve_bounds *bounds, uint32_t *place, ossa_solve_facts *facts)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	ossa_weights found = {0};
	options.influences = (size_t)rig->weights.influences;
	OSSAI_TRY(measure(context, solver, rig, &facts->before));
	OSSAI_TRY(ossai_rig_reweigh(context, rig, &options, &found));
	take_weights(&found, stale, bounds, rig, facts);
	ossa_free(context, found.bones);
	ossa_free(context, found.values);
	paint(bounds, rig);
	for (size_t b = 0; place && b < rig->skeleton.bone_count; b++) place[b] = (uint32_t)b;
	facts->weights = true;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) facts->bones_changed += (stale[b] & OSSAI_STALE_WEIGHTS) != 0;
	return measure(context, solver, rig, &facts->after);
}
