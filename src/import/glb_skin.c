/* import/glb_skin.c: the joints of a glTF skin as bones.

   Place in the path: inside the GLB reader.  In: a skin's joints and inverse bind matrices, the node tree.  Out:
   ossai_gltf_skin: bones parents first, their rigid rest frames, and how nodes' world maps become bones' frames.

   A vertex follows world(joint) inverse_bind(joint). Where that is one and the same map for all joints at rest (a turned
   or scaled armature), the mesh is placed by it, so that rest pose and motion share one space and bones stay rigid. */
#include "import/glb_document.h"

#include <string.h>

/* maps that differ less than this, relative to their lengths, are one map */
static const double same_map = 1e-4;

ossai_mat3 ossai_gltf_rotation_of(const ossai_mat3 *map, double *scale)
{
	/* Gram-Schmidt on the columns: exact for any uniform scale */
	ossai_vec3 x = ossai_v3(map->m[0][0], map->m[1][0], map->m[2][0]), y = ossai_v3(map->m[0][1], map->m[1][1], map->m[2][1]);
	if (scale) *scale = cbrt(fabs(ossai_mat3_det(map)));
	x = ossai_unit(x, ossai_v3(1, 0, 0));
	y = ossai_madd(y, -ossai_dot(x, y), x);
	y = ossai_unit(y, ossai_unit(ossai_cross(ossai_v3(x.z, x.x, x.y), x), ossai_v3(0, 1, 0)));
	const ossai_vec3 z = ossai_cross(x, y);
	return (ossai_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static ossai_rigid identity_map(void) { return (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}}; }

/* whether two maps send points of about `length` to the same place */
static bool is_same_map(const ossai_rigid *a, const ossai_rigid *b, double length)
{
	double size = 0, difference = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			size = fmax(size, fabs(a->r.m[i][j]));
			difference = fmax(difference, fabs(a->r.m[i][j] - b->r.m[i][j]));
		}
	}
	return difference <= same_map * size && ossai_distance(a->t, b->t) <= same_map * size * length;
}

/* ---- which joint is which bone ---- */

typedef struct joint_list {
	size_t count;
	uint32_t *node;          /* of each joint */
	uint32_t *joint_of_node; /* OSSA_NONE for other nodes */
	int32_t *parent;         /* joint of the nearest node above that is one; -1 */
	uint8_t *is_end;         /* an end joint that ossa itself put at the tail of a leaf: no bone of its own */
	size_t root_count;
} joint_list;

static ossa_status read_joints(ossai_gltf *document, const ossai_gltf_nodes *nodes, const json_t *item, joint_list *joints)
{
	const json_t *array = json_object_get(item, "joints");
	ossai_arena *arena = &document->arena;
	joints->count = json_array_size(array);
	if (joints->count == 0) return ossai_gltf_fail(document, "has a skin without joints");
	if (joints->count > UINT16_MAX) return ossai_gltf_fail(document, "has %zu joints; ossa holds 65535", joints->count);
	joints->node = ossai_arena_new(arena, joints->count, sizeof *joints->node);
	joints->joint_of_node = ossai_arena_new(arena, nodes->count, sizeof *joints->joint_of_node);
	joints->parent = ossai_arena_new(arena, joints->count, sizeof *joints->parent);
	joints->is_end = ossai_arena_zero(arena, joints->count, 1);
	if (!joints->node || !joints->joint_of_node || !joints->parent || !joints->is_end)
		return ossa_context_error(document->context)->status;
	memset(joints->joint_of_node, 0xff, nodes->count * sizeof *joints->joint_of_node);
	for (size_t j = 0; j < joints->count; j++) {
		const json_t *value = json_array_get(array, j);
		const double node = json_number_value(value);
		if (!json_is_number(value) || !(node >= 0 && node < (double)nodes->count)) {
			return ossai_gltf_fail(document, "joint %zu is a node that is not there", j);
		}
		joints->node[j] = (uint32_t)node;
		if (joints->joint_of_node[joints->node[j]] != OSSA_NONE)
			return ossai_gltf_fail(document, "node %.0f is two joints", node);
		joints->joint_of_node[joints->node[j]] = (uint32_t)j;
	}
	return OSSA_OK;
}

/* the nearest joint above each node, handed down the tree */
static ossa_status find_parents(ossai_gltf *document, const ossai_gltf_nodes *nodes, joint_list *joints)
{
	uint32_t *above = ossai_arena_new(&document->arena, nodes->count, sizeof *above);
	if (!above) return ossa_context_error(document->context)->status;
	joints->root_count = 0;
	for (size_t i = 0; i < nodes->count; i++) {
		const uint32_t n = nodes->order[i], parent = nodes->parent[n];
		above[n] = parent == OSSA_NONE                   ? OSSA_NONE
			: joints->joint_of_node[parent] != OSSA_NONE ? joints->joint_of_node[parent]
														 : above[parent];
		if (joints->joint_of_node[n] == OSSA_NONE) continue;
		joints->parent[joints->joint_of_node[n]] = above[n] == OSSA_NONE ? -1 : (int32_t)above[n];
		joints->root_count += above[n] == OSSA_NONE;
	}
	return OSSA_OK;
}

static size_t mark_ends(const ossai_gltf *document, joint_list *joints)
{
	size_t count = 0;
	for (size_t j = 0; j < joints->count; j++) {
		const json_t *node = ossai_gltf_item(document, "nodes", joints->node[j]);
		const json_t *extras = json_object_get(json_object_get(node, "extras"), "ossa");
		joints->is_end[j] = joints->parent[j] >= 0 && json_is_true(json_object_get(extras, "end"));
	}
	/* another program may have hung something below it */
	for (size_t j = 0; j < joints->count; j++) {
		if (joints->parent[j] >= 0) joints->is_end[joints->parent[j]] = 0;
	}
	for (size_t j = 0; j < joints->count; j++) count += joints->is_end[j];
	return count;
}

/* numbers the bones in the file's order, except that parents come before their children */
static ossa_status number_bones(ossai_gltf *document, joint_list *joints, ossai_gltf_skin *skin)
{
	ossai_arena *arena = &document->arena;
	const bool adds_root = joints->root_count > 1;
	skin->joint_count = joints->count;
	skin->bone_count = joints->count - mark_ends(document, joints) + adds_root;
	skin->bone_of_joint = ossai_arena_new(arena, joints->count, sizeof *skin->bone_of_joint);
	skin->node_of_bone = ossai_arena_new(arena, skin->bone_count, sizeof *skin->node_of_bone);
	skin->parent_of_bone = ossai_arena_new(arena, skin->bone_count, sizeof *skin->parent_of_bone);
	uint32_t *chain = ossai_arena_new(arena, joints->count, sizeof *chain);
	if (!skin->bone_of_joint || !skin->node_of_bone || !skin->parent_of_bone || !chain) {
		return ossa_context_error(document->context)->status;
	}
	memset(skin->bone_of_joint, 0xff, joints->count * sizeof *skin->bone_of_joint);
	uint32_t next = 0;
	if (adds_root) {
		skin->node_of_bone[next] = OSSA_NONE;
		skin->parent_of_bone[next++] = -1;
		ossai_warn(document->context, "added-root", 1, "%s: %zu joints have no parent; a root was put above them",
			ossai_file_name(document->path), joints->root_count);
	}
	for (size_t j = 0; j < joints->count; j++) {
		/* the joint and those above it that have no number yet, then down again */
		size_t length = 0;
		if (joints->is_end[j]) continue;
		for (int32_t at = (int32_t)j; at >= 0 && skin->bone_of_joint[at] == OSSA_NONE; at = joints->parent[at]) {
			chain[length++] = (uint32_t)at;
		}
		while (length > 0) {
			const uint32_t joint = chain[--length];
			const int32_t parent = joints->parent[joint];
			skin->bone_of_joint[joint] = next;
			skin->node_of_bone[next] = joints->node[joint];
			skin->parent_of_bone[next++] = parent >= 0 ? (int32_t)skin->bone_of_joint[parent] : adds_root ? 0 : -1;
		}
	}
	for (size_t j = 0; j < joints->count; j++) {
		if (joints->is_end[j]) skin->bone_of_joint[j] = skin->bone_of_joint[joints->parent[j]];
	}
	return OSSA_OK;
}

/* ---- where the bones are ---- */

/* what the placing of bones needs of each joint */
typedef struct binding {
	ossai_rigid *inverse, *bind; /* inverse bind matrix and its inverse, by bone */
	double length;               /* of the skeleton: largest distance of a joint from the first */
} binding;

static ossa_status read_binding(
	ossai_gltf *document, const json_t *item, const ossai_gltf_skin *skin, const uint8_t *is_end, binding *out)
{
	size_t accessor, count = 0;
	float *matrices = NULL;
	OSSAI_TRY(ossai_gltf_index(document, item, "inverseBindMatrices", "accessors", &accessor));
	if (accessor != SIZE_MAX) OSSAI_TRY(ossai_gltf_floats(document, accessor, 16, &count, &matrices));
	if (matrices && count < skin->joint_count) {
		return ossai_gltf_fail(document, "has %zu inverse bind matrices for %zu joints", count, skin->joint_count);
	}
	out->inverse = ossai_arena_new(&document->arena, skin->bone_count, sizeof *out->inverse);
	out->bind = ossai_arena_new(&document->arena, skin->bone_count, sizeof *out->bind);
	if (!out->inverse || !out->bind) return ossa_context_error(document->context)->status;
	for (size_t j = 0; j < skin->joint_count; j++) {
		const uint32_t bone = skin->bone_of_joint[j];
		if (is_end[j]) continue;
		ossai_rigid *inverse = &out->inverse[bone];
		*inverse = identity_map();
		for (int row = 0; matrices && row < 3; row++) {
			for (int column = 0; column < 3; column++)
				inverse->r.m[row][column] = (double)matrices[16 * j + (size_t)(4 * column + row)];
		}
		if (matrices) inverse->t = ossai_v3_of_float(matrices + 16 * j + 12);
		if (!ossai_gltf_invert(inverse, &out->bind[bone])) {
			return ossai_gltf_fail(document, "the inverse bind matrix of joint %zu has no inverse", j);
		}
	}
	return OSSA_OK;
}

/* the root that was made stands between the others and moves nothing */
static void bind_added_root(const ossai_gltf_skin *skin, binding *out)
{
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t b = 1; b < skin->bone_count; b++) {
		if (skin->parent_of_bone[b] != 0) continue;
		sum = ossai_add(sum, out->bind[b].t);
		count++;
	}
	out->bind[0] = (ossai_rigid){ossai_mat3_identity(), ossai_scale(sum, 1 / count)};
	out->inverse[0] = ossai_rigid_inverse(&out->bind[0]);
}

static double skeleton_length(const ossai_gltf_skin *skin, const binding *bound)
{
	double length = 0;
	for (size_t b = 0; b < skin->bone_count; b++) {
		length = fmax(length, ossai_distance(bound->bind[b].t, bound->bind[0].t));
		length = fmax(length, ossai_length(bound->bind[b].t) * 1e-3);
	}
	return length > 0 ? length : 1;
}

/* what the skin does to the mesh at rest: one map for all joints, or else only the scale of the first */
static ossai_rigid find_placement(const ossai_gltf_nodes *nodes, const ossai_gltf_skin *skin, const binding *bound)
{
	const size_t first = skin->node_of_bone[0] == OSSA_NONE ? 1 : 0;
	const ossai_rigid one = ossai_rigid_mul(&nodes->world[skin->node_of_bone[first]], &bound->inverse[first]);
	const ossai_rigid none = identity_map();
	bool same = true;
	for (size_t b = first; b < skin->bone_count && same; b++) {
		const ossai_rigid map = ossai_rigid_mul(&nodes->world[skin->node_of_bone[b]], &bound->inverse[b]);
		same = is_same_map(&one, &map, bound->length);
	}
	if (same && is_same_map(&none, &one, bound->length)) return none;
	double scale;
	const ossai_mat3 rotation = ossai_gltf_rotation_of(&one.r, &scale);
	if (!isfinite(scale) || scale < 1e-12 || fabs(scale - 1) < 1e-5) scale = 1;
	/* only a rotation with one scale keeps bones rigid */
	ossai_rigid map = {same && ossai_mat3_det(&one.r) > 0 ? rotation : ossai_mat3_identity(), same ? one.t : none.t};
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) map.r.m[i][j] *= scale;
	}
	return map;
}

/* rigid rest frames in the rig's space, and what leads from nodes to bones */
static ossa_status place_bones(ossai_gltf *document, const ossai_gltf_nodes *nodes, const binding *bound, ossai_gltf_skin *skin)
{
	const ossai_rigid none = identity_map();
	ossai_rigid back;
	skin->placement = find_placement(nodes, skin, bound);
	skin->is_plain = is_same_map(&none, &skin->placement, bound->length);
	if (!ossai_gltf_invert(&skin->placement, &back)) return ossai_gltf_fail(document, "its skin flattens the mesh");
	for (size_t b = 0; b < skin->bone_count; b++) {
		const uint32_t node = skin->node_of_bone[b];
		const ossai_rigid placed = ossai_rigid_mul(&skin->placement, &bound->bind[b]);
		skin->bind[b] = (ossai_rigid){ossai_gltf_rotation_of(&placed.r, NULL), placed.t};
		if (node != OSSA_NONE && is_same_map(&nodes->world[node], &skin->bind[b], bound->length)) {
			/* JSON's doubles are finer than the matrix's floats */
			skin->bind[b] = (ossai_rigid){ossai_gltf_rotation_of(&nodes->world[node].r, NULL), nodes->world[node].t};
			skin->offset[b] = none;
			continue;
		}
		const ossai_rigid unplaced = ossai_rigid_mul(&bound->inverse[b], &back);
		skin->offset[b] = ossai_rigid_mul(&unplaced, &skin->bind[b]);
		skin->is_plain = skin->is_plain && node == OSSA_NONE;
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_read_skin(ossai_gltf *document, const ossai_gltf_nodes *nodes, size_t index, ossai_gltf_skin *skin)
{
	const json_t *item = ossai_gltf_item(document, "skins", index);
	joint_list joints = {0};
	binding bound;
	OSSAI_TRY(read_joints(document, nodes, item, &joints));
	OSSAI_TRY(find_parents(document, nodes, &joints));
	OSSAI_TRY(number_bones(document, &joints, skin));
	OSSAI_TRY(read_binding(document, item, skin, joints.is_end, &bound));
	if (joints.root_count > 1) bind_added_root(skin, &bound);
	bound.length = skeleton_length(skin, &bound);
	skin->bind = ossai_arena_new(&document->arena, skin->bone_count, sizeof *skin->bind);
	skin->offset = ossai_arena_new(&document->arena, skin->bone_count, sizeof *skin->offset);
	if (!skin->bind || !skin->offset) return ossa_context_error(document->context)->status;
	return place_bones(document, nodes, &bound, skin);
}
