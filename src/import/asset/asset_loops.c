/* import/asset/asset_loops.c: loops that were cut, dependent bones, levels of articulation and the
   recognized body, from the extras of ossa's own files.

   Place in the path: asset_rig.c, once the rig has its bones.
   Input: nodes by number.
   Output: ossa_rig's loops, dependencies, levels and body. Other programs may have changed the
   file and kept the extras: what does not fit is left out. */
#include "import/asset/asset_parts.h"

#include "base/search.h"
#include "rig/dependencies.h"

#include <stdlib.h>
#include <string.h>

static int32_t bone_of(const ossai_bones *bones, const ossai_asset *asset, uint32_t node)
{
	const uint32_t bone = node < asset->node_count ? bones->bone_of_node[node] : OSSA_NONE;
	return bone == OSSA_NONE ? -1 : (int32_t)bone;
}

ossa_status ossai_asset_take_loops(const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig)
{
	if (asset->loop_count == 0) return OSSA_OK;
	rig->loops = ossai_new(asset->context, asset->loop_count, sizeof *rig->loops);
	if (!rig->loops) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < asset->loop_count; i++) {
		const ossai_asset_loop *from = &asset->loops[i];
		const ossai_vec3 center = ossai_rigid_point(map, ossai_v3_of(from->center));
		ossa_loop loop = {.bones = {bone_of(bones, asset, from->nodes[0]), bone_of(bones, asset, from->nodes[1])}};
		const bool fits = loop.bones[0] >= 0 && loop.bones[1] >= 0 && loop.bones[0] != loop.bones[1];
		if (!fits || !isfinite(center.x) || !isfinite(center.y) || !isfinite(center.z)) continue;
		ossai_v3_store(center, loop.center);
		rig->loops[rig->loop_count++] = loop;
	}
	return OSSA_OK;
}

typedef struct named_bone {
	const char *name;
	int32_t bone;
} named_bone;

/* of equal names the first bone's is first */
static int compare_names(const void *a, const void *b)
{
	const named_bone *p = a, *q = b;
	const int order = strcmp(p->name, q->name);
	return order != 0 ? order : (p->bone > q->bone) - (p->bone < q->bone);
}

/* the names that bones have in the file; returns how many have one */
static size_t sort_names(const ossai_asset *asset, const ossai_bones *bones, named_bone *names)
{
	size_t count = 0;
	for (size_t b = 0; b < bones->count; b++) {
		const char *name = bones->node[b] == OSSA_NONE ? NULL : asset->nodes[bones->node[b]].name;
		if (name) names[count++] = (named_bone){name, (int32_t)b};
	}
	if (count > 0) qsort(names, count, sizeof *names, compare_names);
	return count;
}

static int compare_name(const void *item, const void *key) { return strcmp(((const named_bone *)item)->name, key); }

static int32_t bone_called(size_t count, const named_bone *names, const char *name)
{
	const size_t at = ossai_search(name, names, count, sizeof *names, compare_name);
	return at < count && strcmp(names[at].name, name) == 0 ? names[at].bone : -1;
}

/* the file's, whether they make sense or not */
static void list_dependencies(const ossai_asset *asset, const ossai_bones *bones, size_t name_count, const named_bone *names,
	const ossai_rigid *map, ossa_dependency *list)
{
	double scale;
	const ossai_mat3 turn = ossai_affine_rotation(&map->r, &scale);
	size_t count = 0;
	for (size_t b = 0; b < bones->count; b++) {
		const ossai_asset_bone *bone = bones->node[b] == OSSA_NONE ? NULL : asset->nodes[bones->node[b]].bone;
		if (!bone || !bone->is_dependent) continue;
		const int32_t driver = bone->driver ? bone_called(name_count, names, bone->driver) : -1;
		ossa_dependency *d = &list[count++];
		*d = (ossa_dependency){
			(int32_t)b, driver, bone->ratio, bone->offset_degrees, bone->error_degrees, bone->cost * scale, {0}};
		/* of a length that says nothing it stays as it is, to be refused */
		const ossai_vec3 axis = ossai_mat3_mul_v(&turn, ossai_v3_of(bone->driver_axis));
		ossai_v3_store(ossai_unit(axis, axis), d->driver_axis);
	}
}

static void keep_good(const ossai_asset *asset, size_t all, ossa_rig *rig)
{
	ossai_unfit_dependency first;
	rig->dependency_count = ossai_dependencies_keep_good(&rig->skeleton, all, rig->dependencies, &first);
	if (rig->dependency_count == all) return;
	ossai_warn(asset->context, "dependencies-dropped", (int64_t)(all - rig->dependency_count),
		"%s: bones that turn as others do turn on their own, as what the file says of it does not fit; the dependency of "
		"\"%s\" "
		"%s",
		asset->path, rig->skeleton.bones[first.bone].name, first.fault);
}

ossa_status ossai_asset_take_dependencies(
	const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig)
{
	size_t all = 0;
	for (size_t b = 0; b < bones->count; b++) {
		const uint32_t node = bones->node[b];
		all += node != OSSA_NONE && asset->nodes[node].bone && asset->nodes[node].bone->is_dependent;
	}
	if (all == 0) return OSSA_OK;
	rig->dependencies = ossai_new(asset->context, all, sizeof *rig->dependencies);
	if (!rig->dependencies) return ossa_context_error(asset->context)->status;
	named_bone *names = ossai_new(asset->context, bones->count, sizeof *names);
	if (!names) return ossa_context_error(asset->context)->status;
	const size_t name_count = sort_names(asset, bones, names);
	list_dependencies(asset, bones, name_count, names, map, rig->dependencies);
	ossa_free(asset->context, names);
	keep_good(asset, all, rig);
	return OSSA_OK;
}

/* the levels of all bones, or none: the root is in every level, also one that was added. A bone may
   be in more levels than its parent: it is then the child of the parent's parent */
ossa_status ossai_asset_take_levels(const ossai_asset *asset, const ossai_bones *bones, ossa_rig *rig)
{
	if (asset->level_count == 0) return OSSA_OK;
	uint8_t *last = ossai_new(asset->context, bones->count, sizeof *last);
	if (!last) return ossa_context_error(asset->context)->status;
	bool fits = true;
	for (size_t b = 0; b < bones->count && fits; b++) {
		const uint32_t node = bones->node[b];
		const ossai_asset_bone *bone = node == OSSA_NONE ? NULL : asset->nodes[node].bone;
		const int level = node == OSSA_NONE ? asset->level_count - 1 : bone ? bone->last_level : -1;
		fits = level >= 0 && level < asset->level_count && (b > 0 || level == asset->level_count - 1);
		last[b] = (uint8_t)(fits ? level : 0);
	}
	if (!fits) {
		ossa_free(asset->context, last);
		return OSSA_OK;
	}
	rig->level_count = asset->level_count;
	rig->last_level = last;
	return OSSA_OK;
}

/* a body whose axes are none is left out */
void ossai_asset_take_body(const ossai_asset *asset, const ossai_rigid *map, ossa_rig *rig)
{
	double scale;
	const ossai_mat3 turn = ossai_affine_rotation(&map->r, &scale);
	const ossai_vec3 up = ossai_mat3_mul_v(&turn, ossai_v3_of(asset->body.up));
	const ossai_vec3 front = ossai_mat3_mul_v(&turn, ossai_v3_of(asset->body.front));
	const bool fits = isfinite(asset->body.score) && isfinite(asset->body.runner_up_score) && isfinite(asset->body.front_odds);
	if (!ossa_body_is_known(&asset->body) || !fits || !(fabs(ossai_length(up) - 1) < 1e-6) ||
		!(fabs(ossai_length(front) - 1) < 1e-6))
		return;
	rig->body = asset->body;
	ossai_v3_store(ossai_unit(up, up), rig->body.up);
	ossai_v3_store(ossai_unit(front, front), rig->body.front);
}
