/* import/asset/asset_joints.c: which nodes of an asset are bones, and their parents.

   Place in the path: inside the asset layer, before skins bind the bones.
   Input: skins, nodes that files call joints, the node tree.
   Output: the tree of ossai_bones: joints in the order of the skins, parents first; nodes between
   and above folded in; one root. */
#include "import/asset/asset_parts.h"

#include <string.h>

typedef struct joint_list {
	size_t count;
	uint32_t *node;          /* of each joint */
	uint32_t *joint_of_node; /* OSSA_NONE for other nodes */
	int32_t *parent;         /* joint of the nearest node above that is one; -1 */
	/* an end joint that ossa itself put at the tail of a leaf: no bone of its own */
	uint8_t *is_end;
	uint32_t *bone; /* of each joint; of an end its parent's */
	size_t root_count;
} joint_list;

/* passed from step to step while the tree is made */
typedef struct tree {
	ossai_asset *asset;
	ossai_bones *bones;
	joint_list joints;
} tree;

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

/* joints beside those in use: of the same trees, or of sibling trees */
static ossa_status mark_others(ossai_asset *asset, uint8_t *marks)
{
	uint32_t *top = ossai_arena_new(&asset->arena, asset->node_count, sizeof *top);
	/* by node: there are joints in use in its subtree; the last entry is for roots */
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
	OSSAI_TRY(mark_others(asset, marks));
	for (size_t n = 0; n < asset->node_count; n++) marks[n] |= asset->nodes[n].is_part;
	return OSSA_OK;
}

/* ---- which joint is which bone ---- */

static void add_joint(joint_list *joints, uint32_t node)
{
	if (joints->joint_of_node[node] != OSSA_NONE) return;
	joints->joint_of_node[node] = (uint32_t)joints->count;
	joints->node[joints->count++] = node;
}

/* joints in the order of the skins, then the others in the order of the file */
static ossa_status list_joints(tree *t)
{
	ossai_asset *asset = t->asset;
	ossai_arena *arena = &asset->arena;
	joint_list *joints = &t->joints;
	uint8_t *marks = ossai_arena_zero(arena, asset->node_count, 1);
	joints->node = ossai_arena_new(arena, asset->node_count, sizeof *joints->node);
	joints->joint_of_node = ossai_arena_new(arena, asset->node_count, sizeof *joints->joint_of_node);
	if (!marks || !joints->node || !joints->joint_of_node) return ossa_context_error(asset->context)->status;
	memset(joints->joint_of_node, 0xff, asset->node_count * sizeof *joints->joint_of_node);
	OSSAI_TRY(ossai_asset_mark_joints(asset, marks));
	for (size_t i = 0; i < t->bones->skin_count; i++) {
		const ossai_asset_skin *skin = &asset->skins[t->bones->skins[i]];
		for (size_t j = 0; j < skin->joint_count; j++) add_joint(joints, skin->joints[j]);
	}
	for (uint32_t n = 0; n < asset->node_count; n++) {
		if (marks[n]) add_joint(joints, n);
	}
	if (joints->count <= UINT16_MAX) return OSSA_OK;
	return ossai_asset_fail(asset, "has %zu joints; ossa holds 65535", joints->count);
}

/* the nearest joint above each, propagated down the tree */
static ossa_status find_parents(tree *t)
{
	ossai_asset *asset = t->asset;
	joint_list *joints = &t->joints;
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

static ossa_status mark_ends(tree *t, size_t *count)
{
	joint_list *joints = &t->joints;
	joints->is_end = ossai_arena_zero(&t->asset->arena, joints->count, 1);
	if (!joints->is_end) return ossa_context_error(t->asset->context)->status;
	for (size_t j = 0; j < joints->count; j++) {
		const ossai_asset_bone *bone = t->asset->nodes[joints->node[j]].bone;
		joints->is_end[j] = joints->parent[j] >= 0 && bone && bone->is_end;
	}
	/* another program may have added something below it */
	for (size_t j = 0; j < joints->count; j++) {
		if (joints->parent[j] >= 0) joints->is_end[joints->parent[j]] = 0;
	}
	*count = 0;
	for (size_t j = 0; j < joints->count; j++) *count += joints->is_end[j];
	return OSSA_OK;
}

static ossa_status reserve(tree *t)
{
	ossai_arena *arena = &t->asset->arena;
	ossai_bones *bones = t->bones;
	bones->node = ossai_arena_new(arena, bones->count, sizeof *bones->node);
	bones->parent = ossai_arena_new(arena, bones->count, sizeof *bones->parent);
	bones->affine = ossai_arena_new(arena, bones->count, sizeof *bones->affine);
	bones->bind = ossai_arena_new(arena, bones->count, sizeof *bones->bind);
	bones->offset = ossai_arena_new(arena, bones->count, sizeof *bones->offset);
	t->bones->is_bound = ossai_arena_zero(arena, bones->count, 1);
	t->joints.bone = ossai_arena_new(arena, t->joints.count, sizeof *t->joints.bone);
	if (!bones->node || !bones->parent || !bones->affine || !bones->bind || !bones->offset || !t->bones->is_bound ||
		!t->joints.bone)
		return ossa_context_error(t->asset->context)->status;
	memset(t->joints.bone, 0xff, t->joints.count * sizeof *t->joints.bone);
	return OSSA_OK;
}

/* numbers the bones in the order of the joints, except that parents come before their children */
static ossa_status number_bones(tree *t, uint32_t next)
{
	const joint_list *joints = &t->joints;
	ossai_bones *bones = t->bones;
	const int32_t top = next > 0 ? 0 : -1;
	uint32_t *chain = ossai_arena_new(&t->asset->arena, joints->count, sizeof *chain);
	if (!chain) return ossa_context_error(t->asset->context)->status;
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

static ossa_status make_tree(tree *t)
{
	size_t ends = 0;
	OSSAI_TRY(find_parents(t));
	OSSAI_TRY(mark_ends(t, &ends));
	const bool adds_root = t->joints.root_count > 1 || t->asset->needs_root;
	t->bones->count = t->joints.count - ends + adds_root;
	OSSAI_TRY(reserve(t));
	if (adds_root) {
		const size_t tops = t->joints.root_count;
		t->bones->node[0] = OSSA_NONE;
		t->bones->parent[0] = -1;
		ossai_warn(t->asset->context, "added-root", 1, "%s: %zu joint%s no parent; a root was put above", t->asset->path, tops,
			tops > 1 ? "s have" : " has");
	}
	return number_bones(t, adds_root);
}

/* the nearest bone at or above each node */
static void find_carriers(tree *t)
{
	const ossai_asset *asset = t->asset;
	ossai_bones *bones = t->bones;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent, joint = t->joints.joint_of_node[n];
		bones->bone_of_node[n] = joint != OSSA_NONE ? t->joints.bone[joint]
			: parent == OSSA_NONE                   ? OSSA_NONE
													: bones->bone_of_node[parent];
	}
}

ossa_status ossai_bones_tree(ossai_asset *asset, ossai_bones *bones)
{
	tree t = {.asset = asset, .bones = bones};
	bones->bone_of_node = ossai_arena_new(&asset->arena, asset->node_count, sizeof *bones->bone_of_node);
	if (!bones->bone_of_node) return ossa_context_error(asset->context)->status;
	memset(bones->bone_of_node, 0xff, asset->node_count * sizeof *bones->bone_of_node);
	OSSAI_TRY(list_skins(asset, &bones->skins, &bones->skin_count));
	OSSAI_TRY(list_joints(&t));
	if (t.joints.count == 0) return OSSA_OK;
	OSSAI_TRY(make_tree(&t));
	find_carriers(&t);
	return OSSA_OK;
}
