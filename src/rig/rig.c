/* rig/rig.c: allocates and frees the rig, the result of every method.

   Place in the path: after the methods' stages, before export.
   Input: a mesh and sizes.
   Output: an empty ossa_rig to fill. */
#include "base/context.h"
#include "weights/bone_weights.h"
#include "rig/clips.h"
#include "rig/pose.h"

#include <ossa/rig.h>
#include <string.h>

enum { BONES_MAX = UINT16_MAX + 1 };

/* by kind */
static const char *const kind_names[] = {"unknown", "root", "welded", "hinge", "ball", "universal", "free", "prismatic"};
enum { KIND_COUNT = sizeof kind_names / sizeof kind_names[0] };

const char *ossa_joint_kind_name(ossa_joint_kind kind) { return kind_names[(size_t)kind < KIND_COUNT ? kind : 0]; }

ossa_joint_kind ossa_joint_kind_of_name(const char *name)
{
	for (int kind = 0; name && kind < KIND_COUNT; kind++) {
		if (strcmp(name, kind_names[kind]) == 0) return (ossa_joint_kind)kind;
	}
	return OSSA_JOINT_UNKNOWN;
}

int32_t ossa_rig_bone(const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; rig && rig->skeleton.bones && name && b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, name) == 0) return (int32_t)b;
	}
	return -1;
}

static ossa_status check_sizes(ossa_context *context, size_t bone_count, int influences)
{
	if (bone_count > BONES_MAX) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "%zu bones are more than the %d that a rig can hold", bone_count, (int)BONES_MAX);
	}
	if (influences < 1 || influences > OSSAI_INFLUENCES_MAX) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%d weights a vertex are outside 1 to %d", influences,
			(int)OSSAI_INFLUENCES_MAX);
	}
	return OSSA_OK;
}

static ossa_status fill_empty(ossa_context *context, const ossa_mesh *mesh, size_t bone_count, int influences, ossa_rig *rig)
{
	OSSAI_TRY(ossa_mesh_copy(context, mesh, &rig->mesh));
	rig->body.kind = rig->body.runner_up = OSSA_BODY_NONE;
	rig->skeleton.bone_count = bone_count;
	rig->skeleton.bones = ossa_alloc(context, bone_count, sizeof *rig->skeleton.bones);
	if (!rig->skeleton.bones) return ossa_context_error(context)->status;
	rig->weights.vertex_count = mesh->vertex_count;
	rig->weights.influences = influences;
	rig->weights.bones = ossa_alloc(context, mesh->vertex_count, (size_t)influences * sizeof *rig->weights.bones);
	if (!rig->weights.bones) return ossa_context_error(context)->status;
	rig->weights.values = ossa_alloc(context, mesh->vertex_count, (size_t)influences * sizeof *rig->weights.values);
	return rig->weights.values ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossa_rig_create(ossa_context *context, const ossa_mesh *mesh, size_t bone_count, int influences, ossa_rig **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, mesh, result);
	OSSAI_TRY(check_sizes(context, bone_count, influences));
	ossa_rig *rig = ossa_alloc(context, 1, sizeof *rig);
	if (!rig) return ossa_context_error(context)->status;
	const ossa_status status = fill_empty(context, mesh, bone_count, influences, rig);
	if (status == OSSA_OK) *result = rig;
	else ossa_rig_free(context, rig);
	return status;
}

static void free_weights(ossa_context *context, ossa_weights *weights)
{
	ossa_free(context, weights->bones);
	ossa_free(context, weights->values);
}

void ossa_rig_free(ossa_context *context, ossa_rig *rig)
{
	if (!rig) return;
	ossa_mesh_free(context, rig->mesh);
	ossa_free(context, rig->skeleton.bones);
	free_weights(context, &rig->weights);
	free_weights(context, &rig->free_weights);
	ossai_clips_free(context, rig);
	ossa_clip_free(context, rig->free_clip);
	ossa_free(context, rig->merges);
	ossa_free(context, rig->face_clusters);
	ossa_free(context, rig->loops);
	ossa_free(context, rig->last_level);
	ossa_free(context, rig->dependencies);
	ossa_free(context, rig);
}

/* the first `kept` pairs of a vertex with sum 1, the rest cleared; returns the weight that was
   removed */
static double cut_pairs(float *values, uint16_t *bones, int kept, int influences)
{
	double sum = 0, gone = 0;
	for (int k = 0; k < kept; k++) sum += (double)values[k];
	for (int k = kept; k < influences; k++) {
		gone += (double)values[k];
		values[k] = 0;
		bones[k] = 0;
	}
	for (int k = 0; k < kept && gone > 0 && sum > 0; k++) values[k] = (float)((double)values[k] / sum);
	return gone;
}

ossa_status ossa_rig_limit_influences(ossa_context *context, ossa_rig *rig, int influences)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	ossa_weights *w = &rig->weights;
	if (influences < 1) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "at least one weight a vertex must stay");
	if (w->influences <= influences) return OSSA_OK;
	int64_t cut = 0;
	double largest = 0;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const size_t from = v * (size_t)w->influences, to = v * (size_t)influences;
		const double gone = cut_pairs(w->values + from, w->bones + from, influences, w->influences);
		cut += gone > 0;
		largest = gone > largest ? gone : largest;
		/* rows move up in place: `to` never passes `from` */
		memmove(w->values + to, w->values + from, (size_t)influences * sizeof *w->values);
		memmove(w->bones + to, w->bones + from, (size_t)influences * sizeof *w->bones);
	}
	w->influences = influences;
	if (cut > 0) {
		ossai_warn(context, "influences-cut", cut,
			"more than %d bones move some vertices; at most %.3g of a vertex's weight went", influences, largest);
	}
	return OSSA_OK;
}
