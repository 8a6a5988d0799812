/* import/asset_skin.c: the joints of an asset as bones of one skeleton.

   Place in the path: inside the asset layer.  In: skins (joints and inverse binds), the node tree.  Out: ossai_bones: bones parents
   first, their rigid rest frames, and how nodes' world maps become bones' frames.

   A vertex follows world(joint) inverse_bind(joint). The first skin that has a joint says how it was bound; meshes of other skins are
   brought there. Where what skins do to meshes at rest is one and the same map for all joints (a turned or scaled armature), the mesh
   is placed by it, so that rest pose and motion share one space and bones stay rigid. */
#include "import/asset_parts.h"

#include "base/file.h"

#include <string.h>

/* maps that differ less than this, relative to their lengths, are one map; and those that are one beyond doubt */
static const double same_map = 1e-4, equal_map = 1e-6;

typedef struct joint_list {
	size_t count;
	uint32_t *node;          /* of each joint */
	uint32_t *joint_of_node; /* OSSA_NONE for other nodes */
	int32_t *parent;         /* joint of the nearest node above that is one; -1 */
	uint8_t *is_end;         /* an end joint that ossa itself put at the tail of a leaf: no bone of its own */
	uint32_t *bone;          /* of each joint; of an end its parent's */
	size_t root_count;
} joint_list;

/* what the making of bones hands from step to step */
typedef struct binding {
	ossai_asset *asset;
	ossai_bones *bones;
	joint_list joints;
	uint32_t *skins; /* in use, in the order of the meshes */
	size_t skin_count;
	uint8_t *is_bound; /* by bone: a skin tells how */
	double length;     /* of the skeleton: largest distance of a joint from the first */
	int64_t differing; /* joints that skins bind differently */
} binding;

/* ---- which nodes are joints ---- */

/* skins of meshes, in their order; of a file without such meshes all skins */
static ossa_status list_skins(ossai_asset *asset, uint32_t **skins, size_t *count)
{
	uint8_t *is_listed = ossai_arena_zero(&asset->arena, asset->skin_count, 1);
	*skins = ossai_arena_new(&asset->arena, asset->skin_count, sizeof **skins);
	*count = 0;
	if (!is_listed || !*skins) return ossa_context_error(asset->context)->status;
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const uint32_t skin = asset->meshes[m].skin;
		if (skin == OSSA_NONE || is_listed[skin]) continue;
		is_listed[skin] = 1;
		(*skins)[(*count)++] = skin;
	}
	if (*count > 0) return OSSA_OK;
	for (size_t s = 0; s < asset->skin_count; s++) (*skins)[(*count)++] = (uint32_t)s;
	return OSSA_OK;
}

/* the topmost joint at or above each node, OSSA_NONE where there is none */
static void find_tops(const ossai_asset *asset, const uint8_t *marks, uint32_t *top)
{
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent;
		top[n] = parent == OSSA_NONE ? OSSA_NONE : top[parent];
		if (top[n] == OSSA_NONE && (marks[n] || asset->nodes[n].is_joint)) top[n] = n;
	}
}

/* joints beside those in use: of the same trees, or of trees that hang where those hang */
static ossa_status mark_others(ossai_asset *asset, uint8_t *marks)
{
	uint32_t *top = ossai_arena_new(&asset->arena, asset->node_count, sizeof *top);
	/* by node: joints are in use in trees that hang on it; the last place is for roots */
	uint8_t *holds_used = ossai_arena_zero(&asset->arena, asset->node_count + 1, 1);
	if (!top || !holds_used) return ossa_context_error(asset->context)->status;
	bool any = false;
	find_tops(asset, marks, top);
	for (size_t n = 0; n < asset->node_count; n++) {
		if (!marks[n]) continue;
		const uint32_t above = asset->nodes[top[n]].parent;
		holds_used[above == OSSA_NONE ? asset->node_count : above] = 1;
		any = true;
	}
	for (size_t n = 0; n < asset->node_count; n++) {
		if (!asset->nodes[n].is_joint) continue;
		const uint32_t above = asset->nodes[top[n]].parent;
		if (!any || holds_used[above == OSSA_NONE ? asset->node_count : above]) marks[n] = 1;
	}
	return OSSA_OK;
}

ossa_status ossai_asset_mark_joints(ossai_asset *asset, uint8_t *marks)
{
	uint32_t *skins;
	size_t count;
	OSSAI_TRY(list_skins(asset, &skins, &count));
	for (size_t i = 0; i < count; i++) {
		const ossai_asset_skin *skin = &asset->skins[skins[i]];
		for (size_t j = 0; j < skin->joint_count; j++) marks[skin->joints[j]] = 1;
	}
	return mark_others(asset, marks);
}

/* ---- which joint is which bone ---- */

static void add_joint(joint_list *joints, uint32_t node)
{
	if (joints->joint_of_node[node] != OSSA_NONE) return;
	joints->joint_of_node[node] = (uint32_t)joints->count;
	joints->node[joints->count++] = node;
}

/* joints in the order of the skins, then the others in the order of the file */
static ossa_status list_joints(binding *b)
{
	ossai_asset *asset = b->asset;
	ossai_arena *arena = &asset->arena;
	joint_list *joints = &b->joints;
	uint8_t *marks = ossai_arena_zero(arena, asset->node_count, 1);
	joints->node = ossai_arena_new(arena, asset->node_count, sizeof *joints->node);
	joints->joint_of_node = ossai_arena_new(arena, asset->node_count, sizeof *joints->joint_of_node);
	if (!marks || !joints->node || !joints->joint_of_node) return ossa_context_error(asset->context)->status;
	memset(joints->joint_of_node, 0xff, asset->node_count * sizeof *joints->joint_of_node);
	OSSAI_TRY(ossai_asset_mark_joints(asset, marks));
	for (size_t i = 0; i < b->skin_count; i++) {
		const ossai_asset_skin *skin = &asset->skins[b->skins[i]];
		for (size_t j = 0; j < skin->joint_count; j++) add_joint(joints, skin->joints[j]);
	}
	for (uint32_t n = 0; n < asset->node_count; n++) {
		if (marks[n]) add_joint(joints, n);
	}
	if (joints->count <= UINT16_MAX) return OSSA_OK;
	return ossai_asset_fail(asset, "has %zu joints; ossa holds 65535", joints->count);
}

/* the nearest joint above each, handed down the tree */
static ossa_status find_parents(binding *b)
{
	ossai_asset *asset = b->asset;
	joint_list *joints = &b->joints;
	uint32_t *above = ossai_arena_new(&asset->arena, asset->node_count, sizeof *above);
	joints->parent = ossai_arena_new(&asset->arena, joints->count, sizeof *joints->parent);
	if (!above || !joints->parent) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent;
		above[n] = parent == OSSA_NONE                   ? OSSA_NONE
			: joints->joint_of_node[parent] != OSSA_NONE ? joints->joint_of_node[parent]
														 : above[parent];
		if (joints->joint_of_node[n] == OSSA_NONE) continue;
		joints->parent[joints->joint_of_node[n]] = above[n] == OSSA_NONE ? -1 : (int32_t)above[n];
		joints->root_count += above[n] == OSSA_NONE;
	}
	return OSSA_OK;
}

static ossa_status mark_ends(binding *b, size_t *count)
{
	joint_list *joints = &b->joints;
	joints->is_end = ossai_arena_zero(&b->asset->arena, joints->count, 1);
	if (!joints->is_end) return ossa_context_error(b->asset->context)->status;
	for (size_t j = 0; j < joints->count; j++) {
		const ossai_asset_bone *bone = b->asset->nodes[joints->node[j]].bone;
		joints->is_end[j] = joints->parent[j] >= 0 && bone && bone->is_end;
	}
	/* another program may have hung something below it */
	for (size_t j = 0; j < joints->count; j++) {
		if (joints->parent[j] >= 0) joints->is_end[joints->parent[j]] = 0;
	}
	*count = 0;
	for (size_t j = 0; j < joints->count; j++) *count += joints->is_end[j];
	return OSSA_OK;
}

static ossa_status make_room(binding *b)
{
	ossai_arena *arena = &b->asset->arena;
	ossai_bones *bones = b->bones;
	bones->node = ossai_arena_new(arena, bones->count, sizeof *bones->node);
	bones->parent = ossai_arena_new(arena, bones->count, sizeof *bones->parent);
	bones->affine = ossai_arena_new(arena, bones->count, sizeof *bones->affine);
	bones->bind = ossai_arena_new(arena, bones->count, sizeof *bones->bind);
	bones->offset = ossai_arena_new(arena, bones->count, sizeof *bones->offset);
	b->is_bound = ossai_arena_zero(arena, bones->count, 1);
	b->joints.bone = ossai_arena_new(arena, b->joints.count, sizeof *b->joints.bone);
	if (!bones->node || !bones->parent || !bones->affine || !bones->bind || !bones->offset || !b->is_bound || !b->joints.bone)
		return ossa_context_error(b->asset->context)->status;
	memset(b->joints.bone, 0xff, b->joints.count * sizeof *b->joints.bone);
	return OSSA_OK;
}

/* numbers the bones in the order of the joints, except that parents come before their children */
static ossa_status number_bones(binding *b, uint32_t next)
{
	const joint_list *joints = &b->joints;
	ossai_bones *bones = b->bones;
	const int32_t top = next > 0 ? 0 : -1;
	uint32_t *chain = ossai_arena_new(&b->asset->arena, joints->count, sizeof *chain);
	if (!chain) return ossa_context_error(b->asset->context)->status;
	for (size_t j = 0; j < joints->count; j++) {
		/* the joint and those above it that have no number yet, then down again */
		size_t length = 0;
		if (joints->is_end[j]) continue;
		for (int32_t at = (int32_t)j; at >= 0 && joints->bone[at] == OSSA_NONE; at = joints->parent[at]) {
			chain[length++] = (uint32_t)at;
		}
		while (length > 0) {
			const uint32_t joint = chain[--length];
			const int32_t parent = joints->parent[joint];
			joints->bone[joint] = next;
			bones->node[next] = joints->node[joint];
			bones->parent[next++] = parent >= 0 ? (int32_t)joints->bone[parent] : top;
		}
	}
	for (size_t j = 0; j < joints->count; j++) {
		if (joints->is_end[j]) joints->bone[j] = joints->bone[joints->parent[j]];
	}
	return OSSA_OK;
}

static ossa_status make_tree(binding *b)
{
	size_t ends = 0;
	OSSAI_TRY(find_parents(b));
	OSSAI_TRY(mark_ends(b, &ends));
	const bool adds_root = b->joints.root_count > 1;
	b->bones->count = b->joints.count - ends + adds_root;
	OSSAI_TRY(make_room(b));
	if (adds_root) {
		b->bones->node[0] = OSSA_NONE;
		b->bones->parent[0] = -1;
		ossai_warn(b->asset->context, "added-root", 1, "%s: %zu joints have no parent; a root was put above them",
			ossai_file_name(b->asset->path), b->joints.root_count);
	}
	return number_bones(b, adds_root);
}

/* the nearest bone at or above each node */
static ossa_status find_carriers(binding *b)
{
	const ossai_asset *asset = b->asset;
	ossai_bones *bones = b->bones;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent, joint = b->joints.joint_of_node[n];
		bones->bone_of_node[n] = joint != OSSA_NONE ? b->joints.bone[joint]
			: parent == OSSA_NONE                   ? OSSA_NONE
													: bones->bone_of_node[parent];
	}
	return OSSA_OK;
}

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
	while (first < bones->count && !b->is_bound[first]) first++;
	for (size_t i = first; i < bones->count; i++) {
		if (!b->is_bound[i]) continue;
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
		same = is_first || ossai_affine_is_same(map, &own, b->length, same_map);
		is_first = false;
	}
	return same && !is_first;
}

/* A skin's bind space to mesh space: by a joint that another skin has bound; else so that both are where they are at rest; else the
   spaces are one. */
static ossai_rigid space_of_skin(const binding *b, const ossai_asset_skin *skin)
{
	ossai_rigid first, own, back, map = ossai_affine_identity();
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = bone_of(b, skin, j);
		if (bone != OSSA_NONE && b->is_bound[bone]) return ossai_rigid_mul(&b->bones->affine[bone], &skin->inverse_bind[j]);
	}
	if (rest_map(b, &b->asset->skins[b->skins[0]], &first) && rest_map(b, skin, &own) && ossai_affine_inverse(&first, &back)) {
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
		if (bone == OSSA_NONE || !b->is_bound[bone]) continue;
		const ossai_rigid own = ossai_rigid_mul(&b->bones->affine[bone], &skin->inverse_bind[j]);
		if (ossai_affine_is_same(one, &own, b->length, equal_map)) continue;
		maps[j] = own;
		differing += !ossai_affine_is_same(one, &own, b->length, same_map);
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
	b->length = skeleton_length(b);
	*map = s == b->skins[0] ? none : space_of_skin(b, skin);
	if (ossai_affine_is_same(&none, map, b->length, equal_map)) *map = none;
	OSSAI_TRY(map_joints(b, s));
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = bone_of(b, skin, j);
		ossai_rigid bind;
		if (bone == OSSA_NONE || b->is_bound[bone] || !ossai_affine_inverse(&skin->inverse_bind[j], &bind)) continue;
		b->bones->affine[bone] = ossai_rigid_mul(map, &bind);
		b->is_bound[bone] = 1;
	}
	return OSSA_OK;
}

static ossa_status bind_skins(binding *b)
{
	ossai_bones *bones = b->bones;
	bones->skin_map = ossai_arena_new(&b->asset->arena, b->asset->skin_count, sizeof *bones->skin_map);
	bones->joint_map = ossai_arena_zero(&b->asset->arena, b->asset->skin_count, sizeof *bones->joint_map);
	if (!bones->skin_map || !bones->joint_map) return ossa_context_error(b->asset->context)->status;
	for (size_t i = 0; i < b->skin_count; i++) OSSAI_TRY(bind_skin(b, b->skins[i]));
	b->length = skeleton_length(b);
	if (b->differing > 0) {
		ossai_warn(b->asset->context, "skins-differ", b->differing,
			"%s: joints are bound differently by several skins; meshes of the later ones are blended into the first one's pose",
			ossai_file_name(b->asset->path));
	}
	return OSSA_OK;
}

/* ---- bones that no skin binds ---- */

/* as far from bone `like` as their nodes are at rest; where that cannot be told at its place */
static ossai_rigid bind_beside(const ossai_bones *bones, size_t like, size_t bone)
{
	ossai_rigid back;
	if (!ossai_affine_inverse(&bones->rest_world[bones->node[like]], &back)) return bones->affine[like];
	const ossai_rigid between = ossai_rigid_mul(&back, &bones->rest_world[bones->node[bone]]);
	const ossai_rigid placed = ossai_rigid_mul(&bones->affine[like], &between);
	return ossai_affine_is_finite(&placed) ? placed : bones->affine[like];
}

/* the nearest bound bone below tells, else the one above, else the first */
static ossa_status bind_others(binding *b)
{
	ossai_bones *bones = b->bones;
	const size_t made = bones->node[0] == OSSA_NONE;
	size_t first = made;
	uint8_t *is_placed = ossai_arena_new(&b->asset->arena, bones->count, 1);
	if (!is_placed) return ossa_context_error(b->asset->context)->status;
	memcpy(is_placed, b->is_bound, bones->count);
	while (first < bones->count && !b->is_bound[first]) first++;
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

/* the root that was made stands between the others and moves nothing */
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

/* ---- where the bones are ---- */

/* a rotation with one scale, as near to the map as that can be */
static ossai_rigid similar_map(const ossai_rigid *map)
{
	double scale;
	ossai_rigid similar = {ossai_affine_rotation(&map->r, &scale), map->t};
	if (!isfinite(scale) || scale < 1e-12 || fabs(scale - 1) < 1e-5) scale = 1;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) similar.r.m[i][j] *= scale;
	}
	return similar;
}

/* what the skins do to the mesh at rest: one map for all joints, or else only the space and scale of the first */
static ossai_rigid find_placement(binding *b)
{
	const ossai_bones *bones = b->bones;
	const ossai_rigid none = ossai_affine_identity();
	ossai_rigid one = none, back;
	bool found = false;
	b->bones->fits_rest = true;
	for (size_t i = 0; i < bones->count; i++) {
		if (!b->is_bound[i] || !ossai_affine_inverse(&bones->affine[i], &back)) continue;
		const ossai_rigid map = ossai_rigid_mul(&bones->rest_world[bones->node[i]], &back);
		if (!found) one = map;
		else if (!ossai_affine_is_same(&one, &map, b->length, same_map)) b->bones->fits_rest = false;
		found = true;
	}
	if (bones->fits_rest && ossai_affine_is_same(&none, &one, b->length, same_map)) return none;
	ossai_rigid similar = similar_map(&one);
	if (bones->fits_rest && ossai_affine_is_same(&similar, &one, b->length, same_map)) return similar;
	/* stretched or mirrored as a whole: bones stay rigid behind it */
	if (bones->fits_rest && ossai_affine_inverse(&one, &back)) return one;
	const ossai_rigid scaled = similar_map(&b->asset->space);
	double scale, own;
	ossai_affine_rotation(&scaled.r, &own);
	ossai_affine_rotation(&similar.r, &scale);
	similar = scaled;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) similar.r.m[i][j] *= scale / own;
	}
	return similar;
}

/* rigid rest frames in the rig's space, and what leads from nodes to bones */
static void place_bones(binding *b)
{
	ossai_bones *bones = b->bones;
	const ossai_rigid none = ossai_affine_identity();
	bones->placement = find_placement(b);
	double scale;
	ossai_affine_rotation(&bones->placement.r, &scale);
	for (size_t i = 0; i < bones->count; i++) {
		const uint32_t node = bones->node[i];
		const ossai_rigid placed = ossai_rigid_mul(&bones->placement, &bones->affine[i]);
		ossai_rigid back;
		bones->bind[i] = (ossai_rigid){ossai_affine_rotation(&placed.r, NULL), placed.t};
		bones->offset[i] = none;
		if (node == OSSA_NONE) continue;
		const ossai_rigid *world = &bones->rest_world[node];
		if (ossai_affine_is_same(world, &bones->bind[i], b->length * scale, same_map)) {
			/* a file's own numbers are finer than what went through a matrix of floats */
			bones->bind[i] = (ossai_rigid){ossai_affine_rotation(&world->r, NULL), world->t};
		} else if (ossai_affine_inverse(&placed, &back)) {
			bones->offset[i] = ossai_rigid_mul(&back, &bones->bind[i]);
		}
	}
}

static ossa_status check_places(const binding *b)
{
	for (size_t i = 0; i < b->bones->count; i++) {
		if (ossai_affine_is_finite(&b->bones->bind[i])) continue;
		return ossai_asset_fail(
			b->asset, "joint \"%s\" is out of the range of numbers", ossai_asset_node_name(b->asset, b->bones->node[i]));
	}
	return OSSA_OK;
}

ossa_status ossai_bones_make(ossai_asset *asset, ossai_bones *bones)
{
	ossai_pose rest;
	binding b = {.asset = asset, .bones = bones};
	*bones = (ossai_bones){.placement = ossai_affine_identity(), .fits_rest = true};
	OSSAI_TRY(ossai_pose_begin(asset, &rest));
	bones->rest_world = rest.world;
	bones->bone_of_node = ossai_arena_new(&asset->arena, asset->node_count, sizeof *bones->bone_of_node);
	if (!bones->bone_of_node) return ossa_context_error(asset->context)->status;
	memset(bones->bone_of_node, 0xff, asset->node_count * sizeof *bones->bone_of_node);
	OSSAI_TRY(list_skins(asset, &b.skins, &b.skin_count));
	OSSAI_TRY(list_joints(&b));
	if (b.joints.count == 0) return OSSA_OK;
	OSSAI_TRY(make_tree(&b));
	OSSAI_TRY(find_carriers(&b));
	OSSAI_TRY(bind_skins(&b));
	OSSAI_TRY(bind_others(&b));
	if (b.joints.root_count > 1) bind_added_root(bones);
	place_bones(&b);
	return check_places(&b);
}
