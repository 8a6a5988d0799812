/* import/asset/asset_skin.c: how skins bound the bones of an asset.

   Place in the path: inside the asset layer.
   Input: the tree of bones, skins (joints and inverse binds).
   Output: the bind pose of each bone, and maps between the bind spaces of several skins.

   A vertex follows world(joint) inverse_bind(joint). The first skin that has a joint says how it
   was bound; meshes of other skins are brought there: exactly where that is one map for all joints
   of the skin. */
#include "import/asset/asset_parts.h"

#include <string.h>

/* maps that differ less than this, relative to their lengths, are certainly the same */
static const double equal_map = 1e-6;

/* passed from step to step while bones are bound */
typedef struct binding {
	ossai_asset *asset;
	ossai_bones *bones;
	int64_t differing; /* joints that skins bind differently */
} binding;

/* ---- how skins bound the bones ---- */

/* the bone whose own node is the joint of a skin; OSSA_NONE for ends */
static uint32_t bone_of(const binding *b, const ossai_asset_skin *skin, size_t j)
{
	const uint32_t bone = b->bones->bone_of_node[skin->joints[j]];
	return b->bones->node[bone] == skin->joints[j] ? bone : OSSA_NONE;
}

static double skeleton_length(const binding *b)
{
	const ossai_bones *bones = b->bones;
	double length = 0;
	size_t first = 0;
	while (first < bones->count && !b->bones->is_bound[first]) first++;
	for (size_t i = first; i < bones->count; i++) {
		if (!b->bones->is_bound[i]) continue;
		length = fmax(length, ossai_distance(bones->affine[i].t, bones->affine[first].t));
		length = fmax(length, ossai_length(bones->affine[i].t) * 1e-3);
	}
	return length > 0 ? length : 1;
}

/* what a skin does to its mesh at rest; whether that is one map for all its joints */
static bool rest_map(const binding *b, const ossai_asset_skin *skin, ossai_rigid *map)
{
	bool is_first = true, same = true;
	for (size_t j = 0; j < skin->joint_count && same; j++) {
		if (bone_of(b, skin, j) == OSSA_NONE) continue;
		const ossai_rigid own = ossai_rigid_mul(&b->bones->rest_world[skin->joints[j]], &skin->inverse_bind[j]);
		if (is_first) *map = own;
		same = is_first || ossai_affine_is_same(map, &own, b->bones->length, ossai_same_map);
		is_first = false;
	}
	return same && !is_first;
}

/* A skin's bind space to mesh space: by a joint that another skin has bound; else by their rest
   positions; else the spaces are the same. */
static ossai_rigid space_of_skin(const binding *b, const ossai_asset_skin *skin)
{
	ossai_rigid first, own, back, map = ossai_affine_identity();
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = bone_of(b, skin, j);
		if (bone != OSSA_NONE && b->bones->is_bound[bone])
			return ossai_rigid_mul(&b->bones->affine[bone], &skin->inverse_bind[j]);
	}
	if (rest_map(b, &b->asset->skins[b->bones->skins[0]], &first) && rest_map(b, skin, &own) &&
		ossai_affine_inverse(&first, &back)) {
		map = ossai_rigid_mul(&back, &own);
	}
	return map;
}

/* the maps of joints that are not the skin's one map */
static ossa_status map_joints(binding *b, uint32_t s)
{
	const ossai_asset_skin *skin = &b->asset->skins[s];
	const ossai_rigid *one = &b->bones->skin_map[s];
	ossai_rigid *maps = ossai_arena_new(&b->asset->arena, skin->joint_count, sizeof *maps);
	if (!maps) return ossa_context_error(b->asset->context)->status;
	int64_t differing = 0;
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = bone_of(b, skin, j);
		maps[j] = *one;
		if (bone == OSSA_NONE || !b->bones->is_bound[bone]) continue;
		const ossai_rigid own = ossai_rigid_mul(&b->bones->affine[bone], &skin->inverse_bind[j]);
		if (ossai_affine_is_same(one, &own, b->bones->length, equal_map)) continue;
		maps[j] = own;
		differing += !ossai_affine_is_same(one, &own, b->bones->length, ossai_same_map);
	}
	b->differing += differing;
	if (differing > 0) b->bones->joint_map[s] = maps;
	return OSSA_OK;
}

static ossa_status bind_skin(binding *b, uint32_t s)
{
	const ossai_asset_skin *skin = &b->asset->skins[s];
	const ossai_rigid none = ossai_affine_identity();
	ossai_rigid *map = &b->bones->skin_map[s];
	b->bones->length = skeleton_length(b);
	*map = s == b->bones->skins[0] ? none : space_of_skin(b, skin);
	if (ossai_affine_is_same(&none, map, b->bones->length, equal_map)) *map = none;
	OSSAI_TRY(map_joints(b, s));
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = bone_of(b, skin, j);
		ossai_rigid bind;
		if (bone == OSSA_NONE || b->bones->is_bound[bone] || !ossai_affine_inverse(&skin->inverse_bind[j], &bind)) continue;
		b->bones->affine[bone] = ossai_rigid_mul(map, &bind);
		b->bones->is_bound[bone] = 1;
	}
	return OSSA_OK;
}

static ossa_status bind_skins(binding *b)
{
	ossai_bones *bones = b->bones;
	bones->skin_map = ossai_arena_new(&b->asset->arena, b->asset->skin_count, sizeof *bones->skin_map);
	bones->joint_map = ossai_arena_zero(&b->asset->arena, b->asset->skin_count, sizeof *bones->joint_map);
	if (!bones->skin_map || !bones->joint_map) return ossa_context_error(b->asset->context)->status;
	for (size_t i = 0; i < b->bones->skin_count; i++) OSSAI_TRY(bind_skin(b, b->bones->skins[i]));
	b->bones->length = skeleton_length(b);
	if (b->differing > 0) {
		ossai_warn(b->asset->context, "skins-differ", b->differing,
			"%s: joints are bound differently by several skins; meshes of the later ones are blended into the first one's pose",
			b->asset->path);
	}
	return OSSA_OK;
}

/* ---- bones that no skin binds ---- */

/* as far from bone `like` as their nodes are at rest; where that is unknown at its position */
static ossai_rigid bind_beside(const ossai_bones *bones, size_t like, size_t bone)
{
	ossai_rigid back;
	if (!ossai_affine_inverse(&bones->rest_world[bones->node[like]], &back)) return bones->affine[like];
	const ossai_rigid between = ossai_rigid_mul(&back, &bones->rest_world[bones->node[bone]]);
	const ossai_rigid placed = ossai_rigid_mul(&bones->affine[like], &between);
	return ossai_affine_is_finite(&placed) ? placed : bones->affine[like];
}

/* the nearest bound bone below decides, else the one above, else the first */
static ossa_status bind_others(binding *b)
{
	ossai_bones *bones = b->bones;
	const size_t made = bones->node[0] == OSSA_NONE;
	size_t first = made;
	uint8_t *is_placed = ossai_arena_new(&b->asset->arena, bones->count, 1);
	if (!is_placed) return ossa_context_error(b->asset->context)->status;
	memcpy(is_placed, b->bones->is_bound, bones->count);
	while (first < bones->count && !b->bones->is_bound[first]) first++;
	if (first == bones->count) {
		/* no skin at all: mesh space is the rig's */
		for (size_t i = made; i < bones->count; i++) bones->affine[i] = bones->rest_world[bones->node[i]];
		return OSSA_OK;
	}
	for (size_t i = bones->count; i-- > made;) {
		const int32_t parent = bones->parent[i];
		if (!is_placed[i] || parent < (int32_t)made || is_placed[parent]) continue;
		bones->affine[parent] = bind_beside(bones, i, (size_t)parent);
		is_placed[parent] = 1;
	}
	for (size_t i = made; i < bones->count; i++) {
		const int32_t parent = bones->parent[i];
		if (is_placed[i]) continue;
		bones->affine[i] = bind_beside(bones, parent >= (int32_t)made ? (size_t)parent : first, i);
		is_placed[i] = 1;
	}
	return OSSA_OK;
}

/* the added root is between the others and moves nothing */
static void bind_added_root(ossai_bones *bones)
{
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t i = 1; i < bones->count; i++) {
		if (bones->parent[i] != 0) continue;
		sum = ossai_add(sum, bones->affine[i].t);
		count++;
	}
	bones->affine[0] = (ossai_rigid){ossai_mat3_identity(), ossai_scale(sum, 1 / count)};
}

ossa_status ossai_bones_make(ossai_asset *asset, ossai_bones *bones)
{
	ossai_pose rest;
	binding b = {.asset = asset, .bones = bones};
	*bones = (ossai_bones){.placement = ossai_affine_identity(), .fits_rest = true, .length = 1};
	OSSAI_TRY(ossai_pose_begin(asset, &rest));
	bones->rest_world = rest.world;
	OSSAI_TRY(ossai_bones_tree(asset, bones));
	if (bones->count == 0) return OSSA_OK;
	OSSAI_TRY(bind_skins(&b));
	OSSAI_TRY(bind_others(&b));
	if (bones->node[0] == OSSA_NONE) bind_added_root(bones);
	return ossai_bones_place(asset, bones);
}
