/* rig/find_levels.c: levels of articulation of a rig that has none yet.

   Place in the path: rig -> here -> levels.c, export.
   Input: a rig's joints and roles.
   Output: the coarsest level of each bone. */
#include "base/context.h"
#include "rig/levels.h"
#include "skeleton/bone_levels.h"
#include "skeleton/naming/part_names.h"

#include <ossa/lods.h>

void ossai_rig_drop_same_levels(ossa_context *context, ossa_rig *rig)
{
	const int wanted = rig->level_count;
	bool is_last[UINT8_MAX + 1] = {false}; /* of a bone */
	uint8_t place[UINT8_MAX + 1];
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) is_last[rig->last_level[b]] = true;
	rig->level_count = 1;
	for (int level = 0; level < wanted; level++) {
		place[level] = (uint8_t)(rig->level_count - 1);
		rig->level_count += level + 1 < wanted && is_last[level];
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->last_level[b] = place[rig->last_level[b]];
	if (rig->level_count == wanted) return;
	ossai_warn(context, "fewer-levels", wanted - rig->level_count,
		"%d levels of articulation were wanted and %d made: others would have the bones of the one before", wanted,
		rig->level_count);
}

static ossa_status find(ossai_arena *arena, const ossa_skeleton *skeleton, size_t levels, uint8_t *last_level)
{
	const size_t count = skeleton->bone_count;
	uint32_t *parent = ossai_arena_new(arena, count, sizeof *parent), *order = ossai_arena_new(arena, count, sizeof *order);
	uint32_t *mirrored = ossai_arena_new(arena, count, sizeof *mirrored);
	ossai_vec3 *joint = ossai_arena_new(arena, count, sizeof *joint), *tail = ossai_arena_new(arena, count, sizeof *tail);
	if (!parent || !order || !mirrored || !joint || !tail) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < count; b++) {
		/* a rig's parents come first */
		parent[b] = skeleton->bones[b].parent < 0 ? OSSA_NONE : (uint32_t)skeleton->bones[b].parent;
		order[b] = (uint32_t)b;
		mirrored[b] = ossai_image_of_bone(skeleton, b);
		joint[b] = ossai_v3_of(skeleton->bones[b].joint);
		tail[b] = ossai_v3_of(skeleton->bones[b].tail);
	}
	const ossai_tree tree = {.bone_count = count, .root = 0, .parent = parent, .order = order};
	return ossai_bone_levels(arena, &tree, joint, tail, mirrored, levels, last_level);
}

ossa_status ossai_rig_last_levels(ossai_arena *arena, const ossa_skeleton *skeleton, uint8_t *last_level)
{
	return find(arena, skeleton, OSSAI_LEVELS_MAX, last_level);
}

ossa_status ossa_rig_find_levels(ossa_context *context, ossa_rig *rig, int levels)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossa_rig_validate(context, rig));
	if (levels < 1 || levels > OSSAI_LEVELS_MAX) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "a rig has 1 to %d levels of articulation, not %d", OSSAI_LEVELS_MAX, levels);
	}
	if (levels == 1 || (rig->last_level && rig->level_count >= levels)) return OSSA_OK;
	uint8_t *last_level = ossa_alloc(context, rig->skeleton.bone_count, 1);
	if (!last_level) return ossa_context_error(context)->status;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = find(&arena, &rig->skeleton, (size_t)levels, last_level);
	ossai_arena_end(&arena);
	if (status != OSSA_OK) {
		ossa_free(context, last_level);
		return status;
	}
	ossa_free(context, rig->last_level);
	rig->last_level = last_level;
	rig->level_count = levels;
	ossai_rig_drop_same_levels(context, rig);
	return OSSA_OK;
}
