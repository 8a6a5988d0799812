/* import/asset/asset_loops.c: loops that were cut, levels of articulation and the recognized body,
   from the extras of ossa's own files.

   Place in the path: asset_rig.c, once the rig has its bones.
   Input: nodes by number.
   Output: ossa_rig's loops, levels and body. Other programs may have changed the file and kept the
   extras: what does not fit is left out. */
#include "import/asset/asset_parts.h"

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
