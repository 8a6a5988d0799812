/* rig/rig.c: making and giving back the rig, the value that every method ends in.

   Place in the path: after the methods' stages, before export.  In: a mesh and sizes.  Out: an empty ossa_rig to fill. */
#include "base/context.h"

#include <ossa/rig.h>

enum { BONES_MAX = UINT16_MAX + 1, INFLUENCES_MAX = 64 };

static ossa_status check_sizes(ossa_context *context, size_t bone_count, int influences)
{
	if (bone_count > BONES_MAX) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "%zu bones are more than the %d that a rig can hold", bone_count, (int)BONES_MAX);
	}
	if (influences < 1 || influences > INFLUENCES_MAX) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "%d weights a vertex are outside 1 to %d", influences, (int)INFLUENCES_MAX);
	}
	return OSSA_OK;
}

static ossa_status fill_empty(ossa_context *context, const ossa_mesh *mesh, size_t bone_count, int influences, ossa_rig *rig)
{
	OSSAI_TRY(ossa_mesh_copy(context, mesh, &rig->mesh));
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
	*result = NULL;
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
	ossa_clip_free(context, rig->clip);
	ossa_clip_free(context, rig->free_clip);
	ossa_free(context, rig->merges);
	ossa_free(context, rig);
}
