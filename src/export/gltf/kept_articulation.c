/* export/gltf/kept_articulation.c: which bones a coarser level of a kept glTF file has.

   Place in the path: inside the GLB writer, when levels get the rig.
   Input: the skins of the levels, the rig.
   Output: bones that a level goes without: where its joints have the names of bones, all others;
   else those that a level of articulation of the rig goes without, the one whose share of the bones
   is nearest to the level's share of the joints. */
#include "export/gltf/kept.h"
#include "rig/levels.h"

#include <math.h>
#include <string.h>

typedef struct articulation {
	const ossai_kept *kept;
	json_t *names;    /* of the level's joints, as a set */
	size_t joints[2]; /* of the finest mesh and of the level */
} articulation;

static const ossa_skeleton *skeleton_of(const articulation *a) { return &a->kept->rig->skeleton; }

static json_t *item_at(const articulation *a, const char *list, size_t index)
{
	return json_array_get(json_object_get(a->kept->document->root, list), index);
}

/* ---- joints ---- */

/* Marks the joints of a skin, but for those where leaves end. */
static void mark_skin(const articulation *a, size_t skin, uint8_t *is_joint)
{
	json_t *joint;
	size_t j;
	json_array_foreach(json_object_get(item_at(a, "skins", skin), "joints"), j, joint)
	{
		const size_t n = (size_t)json_integer_value(joint);
		const json_t *extras = json_object_get(json_object_get(item_at(a, "nodes", n), "extras"), "ossa");
		if (n < a->kept->document->node_count && !json_is_true(json_object_get(extras, "end"))) is_joint[n] = 1;
	}
}

/* level 0: the finest meshes */
static bool is_of_level(const ossai_kept *kept, uint32_t n, uint32_t level)
{
	return kept->lod_of[n] == OSSA_NONE ? level == 0 : kept->level_of[kept->lod_of[n]] == level;
}

static ossa_status count_joints(articulation *a, uint32_t level, size_t *count)
{
	const size_t nodes = a->kept->document->node_count;
	uint8_t *is_joint = ossai_arena_zero(&a->kept->writer->arena, nodes, 1);
	if (!is_joint) return ossa_context_error(a->kept->writer->context)->status;
	for (uint32_t n = 0; n < nodes; n++) {
		const size_t skin = ossai_kept_number(item_at(a, "nodes", n), "skin");
		if (skin != SIZE_MAX && is_of_level(a->kept, n, level)) mark_skin(a, skin, is_joint);
	}
	*count = 0;
	for (size_t n = 0; n < nodes; n++) {
		const char *name = is_joint[n] ? json_string_value(json_object_get(item_at(a, "nodes", n), "name")) : NULL;
		*count += is_joint[n];
		if (name && level > 0 && json_object_set_new(a->names, name, json_true()) != 0)
			return ossai_glb_no_memory(a->kept->writer->context);
	}
	return OSSA_OK;
}

/* ---- bones ---- */

/* whether each joint of the level is a bone, by its name */
static bool take_names(const articulation *a, uint8_t *gone)
{
	size_t found = 0;
	for (size_t b = 0; b < skeleton_of(a)->bone_count; b++) {
		gone[b] = !json_object_get(a->names, skeleton_of(a)->bones[b].name);
		found += !gone[b];
	}
	return found == a->joints[1];
}

static size_t count_bones(const uint8_t *last_level, size_t bones, int level)
{
	size_t count = 1;
	for (size_t b = 1; b < bones; b++) count += last_level[b] >= level;
	return count;
}

/* all bones are a level, too: the nearest may be that */
static ossa_status take_share(const articulation *a, uint8_t *gone)
{
	const size_t bones = skeleton_of(a)->bone_count;
	const double share = (double)a->joints[1] / (double)a->joints[0];
	const uint8_t *last_level = a->kept->rig->last_level;
	double best = HUGE_VAL;
	int nearest = 0;
	if (!last_level) {
		uint8_t *own = ossai_arena_new(&a->kept->writer->arena, bones, 1);
		if (!own) return ossa_context_error(a->kept->writer->context)->status;
		OSSAI_TRY(ossai_rig_last_levels(&a->kept->writer->arena, skeleton_of(a), own));
		last_level = own;
	}
	for (int level = 0; level < OSSAI_LEVELS_MAX; level++) {
		const double off = fabs(log((double)count_bones(last_level, bones, level) / (share * (double)bones)));
		if (off >= best) continue;
		best = off;
		nearest = level;
	}
	for (size_t b = 0; b < bones; b++) gone[b] = b > 0 && last_level[b] < nearest;
	return OSSA_OK;
}

static ossa_status find_gone(articulation *a, uint32_t level, uint8_t *gone)
{
	OSSAI_TRY(count_joints(a, 0, &a->joints[0]));
	OSSAI_TRY(count_joints(a, level, &a->joints[1]));
	const bool has_fewer = a->joints[1] > 0 && a->joints[1] < a->joints[0];
	if (!has_fewer) memset(gone, 0, skeleton_of(a)->bone_count);
	else if (!take_names(a, gone)) return take_share(a, gone);
	return OSSA_OK;
}

ossa_status ossai_kept_articulate(ossai_kept *kept, uint32_t level, const uint8_t **gone)
{
	articulation a = {.kept = kept, .names = json_object()};
	const size_t bones = kept->rig->skeleton.bone_count;
	uint8_t *marks = ossai_arena_new(&kept->writer->arena, bones, 1);
	ossa_status status = OSSA_OK;
	if (!marks) status = ossa_context_error(kept->writer->context)->status;
	else if (!a.names) status = ossai_glb_no_memory(kept->writer->context);
	if (status == OSSA_OK) status = find_gone(&a, level, marks);
	json_decref(a.names);
	*gone = NULL;
	for (size_t b = 1; b < bones && status == OSSA_OK; b++) {
		if (marks[b]) *gone = marks;
	}
	return status;
}

ossa_status ossai_kept_note_bones(ossai_kept *kept, uint32_t level, const uint8_t *gone, const ossa_skeleton *left)
{
	ossai_arena *arena = &kept->writer->arena;
	ossa_rig *rig = ossai_arena_zero(arena, 1, sizeof *rig);
	ossa_bone *copies = ossai_arena_new(arena, left->bone_count, sizeof *copies);
	uint32_t *bones = ossai_arena_new(arena, left->bone_count, sizeof *bones);
	if (!rig || !copies || !bones) return ossa_context_error(arena->context)->status;
	memcpy(copies, left->bones, left->bone_count * sizeof *copies);
	rig->skeleton = (ossa_skeleton){.bone_count = left->bone_count, .bones = copies};
	memcpy(rig->method, kept->rig->method, sizeof rig->method);
	for (size_t b = 0, found = 0; b < kept->rig->skeleton.bone_count; b++) {
		if (b == 0 || !gone[b]) bones[found++] = (uint32_t)b;
	}
	kept->bones_of_level[level] = (ossai_kept_bones){bones, rig};
	return OSSA_OK;
}

const ossa_rig *ossai_kept_bones_of(const ossai_kept *kept, size_t mesh)
{
	const uint32_t level = kept->document->meshes[mesh].lod;
	return level > 0 ? kept->bones_of_level[level].rig : NULL;
}
