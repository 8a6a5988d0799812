/* rig/take_weights.c: the weights of another rig of the same mesh, by the names of bones.

   Place in the path: a rig that was carried to a mesh, the rig that the mesh has of its own ->
   here -> its weights. */
#include "base/context.h"

#include <ossa/transfer.h>

/* by bone of the other rig, the one of its name or OSSA_NONE; false where one that moves a vertex
   has none, which is `first` then */
static bool match_bones(const ossa_rig *rig, const ossa_rig *own, uint32_t *bone_of, uint8_t *moves, size_t *first)
{
	const ossa_weights *weights = &own->weights;
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		if (weights->values[i] > 0) moves[weights->bones[i]] = 1;
	}
	for (*first = 0; *first < own->skeleton.bone_count; ++*first) {
		const int32_t bone = ossa_rig_bone(rig, own->skeleton.bones[*first].name);
		if (bone < 0 && moves[*first]) return false;
		bone_of[*first] = bone < 0 ? 0 : (uint32_t)bone;
	}
	return true;
}

static ossa_status copy_weights(ossa_context *context, const ossa_weights *from, const uint32_t *bone_of, ossa_weights *to)
{
	const size_t count = from->vertex_count * (size_t)from->influences;
	ossa_weights made = {.vertex_count = from->vertex_count, .influences = from->influences};
	made.bones = ossai_new(context, count, sizeof *made.bones);
	made.values = ossai_new(context, count, sizeof *made.values);
	if (!made.bones || !made.values) {
		ossa_free(context, made.bones);
		ossa_free(context, made.values);
		return ossa_context_error(context)->status;
	}
	for (size_t i = 0; i < count; i++) {
		made.bones[i] = from->values[i] > 0 ? (uint16_t)bone_of[from->bones[i]] : 0;
		made.values[i] = from->values[i];
	}
	ossa_free(context, to->bones);
	ossa_free(context, to->values);
	*to = made;
	return OSSA_OK;
}

static ossa_status take(ossai_arena *arena, ossa_rig *rig, const ossa_rig *own, bool *taken)
{
	const size_t bones = own->skeleton.bone_count;
	uint32_t *bone_of = ossai_arena_new(arena, bones, sizeof *bone_of);
	uint8_t *moves = ossai_arena_zero(arena, bones, sizeof *moves);
	size_t first;
	if (!bone_of || !moves) return ossa_context_error(arena->context)->status;
	if (!match_bones(rig, own, bone_of, moves, &first)) {
		ossai_warn(arena->context, "lod-weights", 1,
			"a mesh has weights of bones that the rig does not have (the first is %s): they are replaced",
			own->skeleton.bones[first].name);
		return OSSA_OK;
	}
	OSSAI_TRY(copy_weights(arena->context, &own->weights, bone_of, &rig->weights));
	*taken = true;
	return OSSA_OK;
}

ossa_status ossa_rig_take_weights(ossa_context *context, ossa_rig *rig, const ossa_rig *own, bool *taken)
{
	if (taken) *taken = false;
	OSSAI_NEED(context, rig, own, taken);
	OSSAI_TRY(ossa_rig_validate(context, rig));
	OSSAI_TRY(ossa_rig_validate(context, own));
	const size_t vertices = rig->weights.vertex_count, others = own->weights.vertex_count;
	if (vertices != others) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the rig has weights for %zu vertices, and the other one for %zu",
			vertices, others);
	}
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = take(&arena, rig, own, taken);
	ossai_arena_end(&arena);
	return status;
}
