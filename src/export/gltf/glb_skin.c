/* export/gltf/glb_skin.c: the skeleton of a GLB: joint nodes, end joints of leaves and the skin.

   Place in the path: inside the GLB writer.
   Input: the rig's bones.
   Output: nodes, and a glTF skin where there is a mesh.  What glTF cannot hold (kind, axis, turn,
   residual, tail, limits, the coarsest level, role, deviation, dependency, modelled pose) goes to
   the node's extras, loops, the number of levels and the recognized body to the skin's, so that
   ossa reads its own rigs back completely. Extras are in the rig's space, to which the skin's
   `map` takes the mesh where they differ. */
#include "export/gltf/glb.h"
#include "math/vec.h"

#include "rig/dependencies.h"

#include <string.h>

/* degrees: least and largest about x, y, z */
static json_t *limits_item(const ossa_bone *bone)
{
	return json_pack("[o,o,o]", ossai_glb_numbers(bone->limits[0], 2), ossai_glb_numbers(bone->limits[1], 2),
		ossai_glb_numbers(bone->limits[2], 2));
}

/* the part of a body that a bone is */
static json_t *role_item(const ossa_role *role)
{
	return json_pack("{s:s,s:s,s:i,s:i}", "part", ossa_body_part_name(role->part), "side", ossa_body_side_name(role->side),
		"number", role->number, "limb", role->limb);
}

/* by the driver's name, which programs keep where they number nodes again */
static json_t *dependency_item(const ossa_rig *rig, const ossa_dependency *d)
{
	json_t *item = json_pack("{s:s,s:f,s:f,s:f,s:f}", "driver", rig->skeleton.bones[d->driver].name, "ratio", d->ratio,
		"offset_degrees", d->offset_degrees, "error_degrees", d->error_degrees, "cost", d->cost);
	if (!item || !ossai_drives_by_twist(d)) return item;
	if (json_object_set_new(item, "driver_axis", ossai_glb_numbers(d->driver_axis, 3)) == 0) return item;
	json_decref(item);
	return NULL;
}

static json_t *bone_extras(const ossa_rig *rig, size_t index)
{
	const ossa_bone *bone = &rig->skeleton.bones[index];
	const double measures[2] = {
		isfinite(bone->turn_degrees) ? bone->turn_degrees : 0, isfinite(bone->fit_residual) ? bone->fit_residual : 0};
	json_t *item = json_pack("{s:s,s:o,s:o,s:f,s:f}", "kind", ossa_joint_kind_name(bone->kind), "tail",
		ossai_glb_numbers(bone->tail, 3), "axis", ossai_glb_numbers(bone->axis, 3), "turn_degrees", measures[0], "fit_residual",
		measures[1]);
	int failed = item && bone->has_limits ? json_object_set_new(item, "limits", limits_item(bone)) : 0;
	if (item && bone->kind == OSSA_JOINT_UNIVERSAL)
		failed |= json_object_set_new(item, "second_axis", ossai_glb_numbers(bone->second_axis, 3)) |
			json_object_set_new(item, "axis_limits", ossai_glb_numbers(bone->axis_limits[0], 4));
	if (item && bone->kind == OSSA_JOINT_PRISMATIC && bone->has_limits)
		failed |= json_object_set_new(item, "slide_limits", ossai_glb_numbers(bone->slide_limits, 2));
	if (item && bone->limits_of_motion) failed |= json_object_set_new(item, "limits_of", json_string("motion"));
	if (item && rig->level_count > 0) failed |= json_object_set_new(item, "last_level", json_integer(rig->last_level[index]));
	if (item && bone->role.part != OSSA_PART_NONE) failed |= json_object_set_new(item, "role", role_item(&bone->role));
	if (item && bone->deviation > 0) failed |= json_object_set_new(item, "deviation", json_real(bone->deviation));
	const int32_t dependency = ossa_rig_dependency_of(rig, index);
	if (item && dependency >= 0)
		failed |= json_object_set_new(item, "dependency", dependency_item(rig, &rig->dependencies[dependency]));
	if (item && ossai_quat_dot(ossai_quat_of(bone->modelled), ossai_quat_of(bone->modelled)) > 0)
		failed |= json_object_set_new(item, "modelled", ossai_glb_numbers(bone->modelled, 7));
	if (failed != 0) {
		json_decref(item);
		item = NULL;
	}
	return json_pack("{s:o}", "ossa", item);
}

/* the joint's rest transform against its parent's, in glTF's terms */
static json_t *bone_node(const ossa_rig *rig, size_t index)
{
	const ossa_skeleton *skeleton = &rig->skeleton;
	const ossa_bone *bone = &skeleton->bones[index];
	ossai_quat rotation = ossai_quat_unit(ossai_quat_of(bone->orientation));
	ossai_vec3 offset = ossai_v3_of(bone->joint);
	if (bone->parent >= 0) {
		const ossa_bone *parent = &skeleton->bones[bone->parent];
		const ossai_quat back = ossai_quat_conjugate(ossai_quat_unit(ossai_quat_of(parent->orientation)));
		const ossai_mat3 turn = ossai_quat_matrix(back);
		offset = ossai_mat3_mul_v(&turn, ossai_sub(offset, ossai_v3_of(parent->joint)));
		rotation = ossai_quat_unit(ossai_quat_mul(back, rotation));
	}
	double t[3], q[4];
	ossai_v3_store(offset, t);
	ossai_quat_store(rotation, q);
	return json_pack("{s:s,s:o,s:o,s:o}", "name", bone->name, "translation", ossai_glb_numbers(t, 3), "rotation",
		ossai_glb_numbers(q, 4), "extras", bone_extras(rig, index));
}

/* a joint at the tail of a leaf, turned like the leaf; it moves no vertex */
static json_t *end_node(ossai_glb_writer *writer, const ossa_bone *bone)
{
	char name[80];
	double t[3];
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_conjugate(ossai_quat_unit(ossai_quat_of(bone->orientation))));
	ossai_v3_store(ossai_mat3_mul_v(&turn, ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint))), t);
	snprintf(name, sizeof name, "%s_end", bone->name);
	return json_pack("{s:o,s:o,s:{s:{s:b}}}", "name", ossai_glb_node_name(writer, name), "translation", ossai_glb_numbers(t, 3),
		"extras", "ossa", "end", 1);
}

static json_t *shown_scene(const ossai_glb_writer *writer)
{
	const json_t *scene = json_object_get(writer->root, "scene");
	return json_array_get(json_object_get(writer->root, "scenes"), (size_t)json_integer_value(scene));
}

ossa_status ossai_glb_add_root(ossai_glb_writer *writer, size_t node)
{
	json_t *scene = shown_scene(writer);
	if (!scene) {
		OSSAI_TRY(ossai_glb_put(writer, "scenes", json_object(), NULL));
		scene = shown_scene(writer);
	}
	json_t *list = json_object_get(scene, "nodes");
	if (!list) {
		list = json_array();
		if (json_object_set_new(scene, "nodes", list) != 0) return ossai_glb_no_memory(writer->context);
	}
	const bool added = json_array_append_new(list, json_integer((json_int_t)node)) == 0;
	return added ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

ossa_status ossai_glb_add_child(ossai_glb_writer *writer, size_t parent, size_t child)
{
	json_t *node = json_array_get(json_object_get(writer->root, "nodes"), parent);
	json_t *children = json_object_get(node, "children");
	if (!children) {
		children = json_array();
		if (json_object_set_new(node, "children", children) != 0) return ossai_glb_no_memory(writer->context);
	}
	return json_array_append_new(children, json_integer((json_int_t)child)) == 0 ? OSSA_OK
																				 : ossai_glb_no_memory(writer->context);
}

static ossa_status add_joint(ossai_glb_writer *writer, json_t *item, json_t *joints, size_t *node)
{
	OSSAI_TRY(ossai_glb_put(writer, "nodes", item, node));
	const bool added = json_array_append_new(joints, json_integer((json_int_t)*node)) == 0;
	return added ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

static ossa_status put_bones(ossai_glb_writer *writer, const ossa_rig *rig, size_t first_node, json_t *joints)
{
	const ossa_skeleton *skeleton = &rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		size_t node;
		OSSAI_TRY(add_joint(writer, bone_node(rig, b), joints, &node));
		if (parent >= 0) OSSAI_TRY(ossai_glb_add_child(writer, first_node + (size_t)parent, node));
	}
	return OSSA_OK;
}

/* after the bones, so that weights keep their numbers; `leaves` is the list of bones that get
   one */
static ossa_status put_ends(ossai_glb_writer *writer, const ossa_skeleton *skeleton, size_t first_node, json_t *joints,
	const uint32_t *leaves, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t node;
		OSSAI_TRY(add_joint(writer, end_node(writer, &skeleton->bones[leaves[i]]), joints, &node));
		OSSAI_TRY(ossai_glb_add_child(writer, first_node + leaves[i], node));
	}
	return OSSA_OK;
}

/* bones without children, in their order */
static ossa_status find_leaves(ossai_glb_writer *writer, const ossa_skeleton *skeleton, uint32_t **leaves, size_t *count)
{
	uint8_t *has_child = ossai_arena_zero(&writer->arena, skeleton->bone_count, 1);
	*leaves = ossai_arena_new(&writer->arena, skeleton->bone_count, sizeof **leaves);
	*count = 0;
	if (!has_child || !*leaves) return ossa_context_error(writer->context)->status;
	for (size_t b = 1; b < skeleton->bone_count; b++) has_child[skeleton->bones[b].parent] = 1;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (!has_child[b]) (*leaves)[(*count)++] = (uint32_t)b;
	}
	return OSSA_OK;
}

/* the inverse of a joint's frame at rest after `map`, by columns; the last row is exactly
   0 0 0 1 */
static void store_inverse_bind(const double *orientation, const double *position, const ossai_rigid *map, float *out)
{
	const ossai_rigid bind = {ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(orientation))), ossai_v3_of(position)};
	ossai_rigid inverse = ossai_rigid_inverse(&bind);
	if (map) inverse = ossai_rigid_mul(&inverse, map);
	for (size_t column = 0; column < 3; column++) {
		for (size_t row = 0; row < 3; row++) out[4 * column + row] = (float)inverse.r.m[row][column];
		out[4 * column + 3] = 0;
	}
	out[12] = (float)inverse.t.x;
	out[13] = (float)inverse.t.y;
	out[14] = (float)inverse.t.z;
	out[15] = 1;
}

static ossa_status put_inverse_binds(
	ossai_glb_writer *writer, const ossai_glb_joints *joints, const ossai_rigid *map, size_t *accessor)
{
	const ossa_skeleton *skeleton = &joints->rig->skeleton;
	const size_t count = skeleton->bone_count;
	float *inverses = ossai_glb_put_array(writer, OSSAI_GLB_MAT4, count + joints->leaf_count, OSSAI_GLB_DATA, accessor);
	if (!inverses) return ossa_context_error(writer->context)->status;
	for (size_t b = 0; b < count; b++) {
		store_inverse_bind(skeleton->bones[b].orientation, skeleton->bones[b].joint, map, inverses + 16 * b);
	}
	for (size_t i = 0; i < joints->leaf_count; i++) {
		const ossa_bone *leaf = &skeleton->bones[joints->leaves[i]];
		store_inverse_bind(leaf->orientation, leaf->tail, map, inverses + 16 * (count + i));
	}
	return OSSA_OK;
}

/* the bones on both sides are joints of the skin */
static json_t *loops_item(const ossa_rig *rig)
{
	json_t *list = json_array();
	for (size_t i = 0; list && i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		json_t *item = json_pack(
			"{s:o,s:[i,i]}", "center", ossai_glb_numbers(loop->center, 3), "joints", (int)loop->bones[0], (int)loop->bones[1]);
		if (json_array_append_new(list, item) == 0) continue;
		json_decref(list);
		return NULL;
	}
	return list;
}

/* what was recognized; scores are logarithms of likelihood ratios */
static json_t *body_item(const ossa_body *body)
{
	return json_pack("{s:s,s:f,s:s,s:f,s:f,s:o,s:o}", "kind", ossa_body_kind_name(body->kind), "score", body->score,
		"runner_up", ossa_body_kind_name(body->runner_up), "runner_up_score", body->runner_up_score, "front_odds",
		body->front_odds, "up", ossai_glb_numbers(body->up, 3), "front", ossai_glb_numbers(body->front, 3));
}

/* rows of the 3 x 4 matrix of an affine map */
static json_t *map_item(const ossai_rigid *map)
{
	double rows[12];
	const double t[3] = {map->t.x, map->t.y, map->t.z};
	for (size_t row = 0; row < 3; row++) {
		for (size_t k = 0; k < 3; k++) rows[4 * row + k] = map->r.m[row][k];
		rows[4 * row + 3] = t[row];
	}
	return ossai_glb_numbers(rows, 12);
}

static json_t *skin_extras(const ossa_rig *rig, const ossai_rigid *map)
{
	json_t *item = json_pack("{s:o}", "method", ossai_glb_text(rig->method));
	int failed = item && rig->level_count > 0 ? json_object_set_new(item, "levels", json_integer(rig->level_count)) : 0;
	if (item && rig->loop_count > 0) failed |= json_object_set_new(item, "loops", loops_item(rig));
	if (item && ossa_body_is_known(&rig->body)) failed |= json_object_set_new(item, "body", body_item(&rig->body));
	if (item && map) failed |= json_object_set_new(item, "map", map_item(map));
	if (failed == 0) return json_pack("{s:o}", "ossa", item);
	json_decref(item);
	return NULL;
}

ossa_status ossai_glb_put_skin(ossai_glb_writer *writer, const ossai_glb_joints *joints, const ossai_rigid *map, size_t *index)
{
	size_t accessor;
	OSSAI_TRY(put_inverse_binds(writer, joints, map, &accessor));
	json_t *item = json_pack(
		"{s:s,s:O,s:I}", "name", "skeleton", "joints", joints->list, "inverseBindMatrices", (json_int_t)accessor);
	int failed = item ? 0 : -1;
	if (item && !joints->is_below)
		failed |= json_object_set_new(item, "skeleton", json_integer((json_int_t)joints->first_node));
	if (item) failed |= json_object_set_new(item, "extras", skin_extras(joints->rig, map));
	if (failed != 0) {
		json_decref(item);
		item = NULL;
	}
	return ossai_glb_put(writer, "skins", item, index);
}

ossa_status ossai_glb_put_joints(ossai_glb_writer *writer, const ossa_rig *rig, bool leaf_bones, ossai_glb_joints *joints)
{
	const ossa_skeleton *skeleton = &rig->skeleton;
	const size_t first_node = json_array_size(json_object_get(writer->root, "nodes"));
	*joints = (ossai_glb_joints){.rig = rig, .first_node = first_node, .list = writer->joints = json_array()};
	if (!joints->list) return ossai_glb_no_memory(writer->context);
	if (leaf_bones) OSSAI_TRY(find_leaves(writer, skeleton, &joints->leaves, &joints->leaf_count));
	OSSAI_TRY(put_bones(writer, rig, first_node, joints->list));
	return put_ends(writer, skeleton, first_node, joints->list, joints->leaves, joints->leaf_count);
}
