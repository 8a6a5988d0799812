/* retarget/map_roles.c: see map_roles.h. */
#include "retarget/map_roles.h"

#include "rig/pose.h"

#include <string.h>

static bool are_same(ossa_role a, ossa_role b)
{
	return a.part == b.part && a.side == b.side && a.number == b.number && a.limb == b.limb;
}

/* whether the map says what a bone is */
static bool is_in_map(const ossa_retarget_map *map, ossa_map_kind kind, const char *bone)
{
	for (size_t i = 0; i < map->count; i++) {
		if (map->entries[i].kind == kind && strcmp(map->entries[i].bone, bone) == 0) return true;
	}
	return false;
}

static void take_from_others(
	const ossa_rig *rig, const ossa_retarget_map *map, ossa_map_kind kind, size_t bone, ossa_role *role)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (b == bone || !are_same(role[b], role[bone]) || is_in_map(map, kind, rig->skeleton.bones[b].name)) continue;
		role[b] = (ossa_role){.part = OSSA_PART_NONE};
	}
}

ossa_status ossai_map_roles(ossa_context *context, const ossa_rig *rig, const ossa_retarget_map *map, ossa_map_kind kind,
	ossa_role *role, ossai_roles_source *found)
{
	for (size_t i = 0; map && i < map->count; i++) {
		size_t bone;
		if (map->entries[i].kind != kind) continue;
		OSSAI_TRY(ossa_rig_find_bone(context, rig, map->entries[i].bone, &bone));
		role[bone] = map->entries[i].role;
		take_from_others(rig, map, kind, bone, role);
		found->kind = ossai_kind_of_roles(role, rig->skeleton.bone_count);
	}
	return OSSA_OK;
}

/* ---- of a rig ---- */

static bool has_entries(const ossa_retarget_map *map, ossa_map_kind kind)
{
	for (size_t i = 0; i < map->count; i++) {
		if (map->entries[i].kind == kind) return true;
	}
	return false;
}

ossa_status ossa_rig_set_roles(ossa_context *context, ossa_rig *rig, const ossa_retarget_map *map)
{
	ossai_roles_source found;
	OSSAI_NEED(context, rig, map);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!has_entries(map, OSSA_MAP_RIG_ROLE)) return OSSA_OK;
	ossa_role *role = ossai_new(context, rig->skeleton.bone_count, sizeof *role);
	if (!role) return ossa_context_error(context)->status;
	ossa_status status = ossai_find_roles(context, &rig->skeleton, role, &found);
	if (status == OSSA_OK) status = ossai_map_roles(context, rig, map, OSSA_MAP_RIG_ROLE, role, &found);
	for (size_t b = 0; status == OSSA_OK && b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].role = role[b];
	ossa_free(context, role);
	return status;
}
