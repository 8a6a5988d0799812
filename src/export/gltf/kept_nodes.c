/* export/gltf/kept_nodes.c: the nodes of a kept glTF file: meshes go to the roots, old joints go
   away, and their other children become children of new bones.

   Place in the path: inside the GLB writer, between the old rig and the new one.
   Input: the document's nodes.
   Output: the same, as few as are needed, in the same order.
   Source: glTF 2.0 specification, 3.7.3.3: a skinned mesh stands where its joints are, whatever its
   node's own transform; so its node is a root without one. */
#include "export/gltf/kept.h"
#include "math/rigid_fit.h"
#include "mesh/bounds.h"
#include "scene/document_links.h"

#include <string.h>

/* ---- the tree ---- */

void ossai_kept_unlink(json_t *holder, const char *key, size_t node)
{
	json_t *list = json_object_get(holder, key);
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (json_integer_value(json_array_get(list, i)) != (json_int_t)node) continue;
		json_array_remove(list, i);
		if (json_array_size(list) == 0) json_object_del(holder, key);
		return;
	}
}

/* ---- meshes to the roots ---- */

/* whether a skinned mesh may stay at its node: files that had it there show it as they did */
static bool stands_free(const ossai_kept *kept, uint32_t n)
{
	return json_object_get(json_array_get(json_object_get(kept->document->root, "nodes"), n), "skin") != NULL;
}

static void drop_transform(json_t *node)
{
	static const char *const keys[] = {"translation", "rotation", "scale", "matrix"};
	for (size_t k = 0; k < 4; k++) json_object_del(node, keys[k]);
}

/* what a node says of its mesh's coarser levels; `to` is freed after a failure */
static ossa_status move_levels(const ossai_kept *kept, json_t *from, json_t *to)
{
	static const char coverage[] = "MSFT_screencoverage";
	json_t *extensions = json_object_get(from, "extensions"), *extras = json_object_get(from, "extras");
	int failed = 0;
	if (!ossai_document_lods(from)) return OSSA_OK;
	failed |= json_object_set_new(to, "extensions", json_pack("{s:O}", "MSFT_lod", json_object_get(extensions, "MSFT_lod")));
	json_object_del(extensions, "MSFT_lod");
	if (json_object_size(extensions) == 0) json_object_del(from, "extensions");
	if (json_object_get(extras, coverage)) {
		failed |= json_object_set_new(to, "extras", json_pack("{s:O}", coverage, json_object_get(extras, coverage)));
		json_object_del(extras, coverage);
	}
	if (failed == 0) return OSSA_OK;
	json_decref(to);
	return ossai_glb_no_memory(kept->writer->context);
}

/* A coarser level is shown by what names it alone: its node, which has a skin now, is below no
   other, unless it is one of a group. */
static void free_level(ossai_kept *kept, uint32_t n)
{
	json_t *node = ossai_kept_item(kept, "nodes", n);
	const uint32_t lod = kept->lod_of[n];
	if (kept->parent[lod] != OSSA_NONE) ossai_kept_unlink(ossai_kept_item(kept, "nodes", kept->parent[lod]), "children", lod);
	if (!json_object_get(node, "children")) drop_transform(node);
}

/* the mesh goes to a node of its own; children, camera and transform stay where they are */
static ossa_status split_node(ossai_kept *kept, size_t m)
{
	static const char *const moved[] = {"name", "mesh", "weights"};
	json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]), *own = json_object();
	size_t index;
	int failed = own ? 0 : -1;
	for (size_t k = 0; k < 3; k++) {
		json_t *value = json_object_get(node, moved[k]);
		if (own && value) failed |= json_object_set(own, moved[k], value);
		if (value && k > 0) json_object_del(node, moved[k]);
	}
	if (failed != 0) {
		json_decref(own);
		return ossai_glb_no_memory(kept->writer->context);
	}
	OSSAI_TRY(move_levels(kept, node, own));
	OSSAI_TRY(ossai_glb_put(kept->writer, "nodes", own, &index));
	kept->mesh_node[m] = index;
	return ossai_glb_add_root(kept->writer, index);
}

/* whether a node is more than the place of a mesh that goes to the roots */
static bool is_more(const ossai_kept *kept, uint32_t n)
{
	const json_t *node = ossai_kept_item(kept, "nodes", n), *extensions = json_object_get(node, "extensions");
	const bool is_freed = kept->is_mesh[n] && !stands_free(kept, n);
	/* levels go with the mesh */
	return !is_freed || json_object_get(node, "camera") || json_object_size(extensions) > (ossai_document_lods(node) ? 1 : 0);
}

/* Marks nodes that must stay where they are: those that are more than a mesh's place, and all above
   them. */
static void mark_staying(const ossai_kept *kept, uint8_t *stays)
{
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		if (!is_more(kept, n)) continue;
		for (uint32_t at = n; at != OSSA_NONE && !stays[at]; at = kept->parent[at]) stays[at] = 1;
	}
}

ossa_status ossai_kept_free_meshes(ossai_kept *kept)
{
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, kept->document->node_count, 1);
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	mark_staying(kept, stays);
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		const uint32_t n = kept->document->meshes[m].node, above = kept->parent[n];
		if (kept->is_lod[n]) free_level(kept, n);
		if (kept->is_lod[n] || stands_free(kept, n)) continue;
		if (stays[n]) {
			OSSAI_TRY(split_node(kept, m));
			continue;
		}
		drop_transform(ossai_kept_item(kept, "nodes", n));
		if (above == OSSA_NONE) continue;
		ossai_kept_unlink(ossai_kept_item(kept, "nodes", above), "children", n);
		OSSAI_TRY(ossai_glb_add_root(kept->writer, n));
	}
	return OSSA_OK;
}

/* ---- joints ---- */

/* a joint that is nothing else */
static bool is_joint_alone(const json_t *node)
{
	return !json_object_get(node, "mesh") && !json_object_get(node, "camera") && !json_object_get(node, "extensions");
}

/* lists of children and roots without the nodes that go */
static ossa_status unlist(ossai_kept *kept, const char *holders, const char *key, const uint8_t *stays)
{
	json_t *holder, *number;
	size_t h, i;
	json_array_foreach(json_object_get(kept->writer->root, holders), h, holder)
	{
		const json_t *list = json_object_get(holder, key);
		uint8_t *listed = ossai_arena_new(&kept->writer->arena, json_array_size(list), 1);
		if (!listed) return ossa_context_error(kept->writer->context)->status;
		json_array_foreach(list, i, number) listed[i] = stays[json_integer_value(number)];
		if (list) OSSAI_TRY(ossai_kept_filter(kept, holder, key, listed));
	}
	return OSSA_OK;
}

void ossai_kept_find_replaced(ossai_kept *kept)
{
	for (uint32_t n = 0; n < kept->document->node_count && !kept->keeps_skin; n++) {
		const bool goes = kept->is_joint[n] || kept->is_dropped[n];
		kept->is_replaced[n] = goes && is_joint_alone(ossai_kept_item(kept, "nodes", n));
	}
}

/* Children of joints that are not replaced themselves: the rig's meshes become roots, where they
   are not yet and their joint is gone, others get new parents when there are bones. */
static ossa_status keep_orphans(ossai_kept *kept)
{
	const bool joints_stay = ossai_kept_has_numbers(kept);
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		const uint32_t above = kept->parent[n];
		if (above == OSSA_NONE || !kept->is_replaced[above] || kept->is_replaced[n]) continue;
		/* levels are below nothing */
		if (kept->is_lod[n]) continue;
		const bool has_mesh = kept->is_mesh[n] && json_object_get(ossai_kept_item(kept, "nodes", n), "mesh");
		if (!has_mesh) {
			kept->orphans[kept->orphan_count++] = n;
			ossai_kept_unlink(ossai_kept_item(kept, "nodes", above), "children", n);
		} else if (stands_free(kept, n) && !joints_stay) OSSAI_TRY(ossai_glb_add_root(kept->writer, n));
	}
	return OSSA_OK;
}

bool ossai_kept_has_numbers(const ossai_kept *kept)
{
	return kept->keeps_skin || ossai_document_has_strangers(kept->writer->root);
}

/* marks meshes that nodes show */
static void mark_meshes(const json_t *root, uint8_t *marks, size_t count)
{
	json_t *node;
	size_t n;
	json_array_foreach(json_object_get(root, "nodes"), n, node)
	{
		const size_t mesh = ossai_kept_number(node, "mesh");
		if (mesh < count) marks[mesh] = 1;
	}
}

/* meshes that were shown and are so no more: those of levels that are taken out */
static ossa_status drop_meshes(ossai_kept *kept)
{
	const size_t count = json_array_size(json_object_get(kept->writer->root, "meshes"));
	uint8_t *before = ossai_arena_zero(&kept->writer->arena, count, 1);
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!before || !stays) return ossa_context_error(kept->writer->context)->status;
	mark_meshes(kept->document->root, before, count);
	mark_meshes(kept->writer->root, stays, count);
	for (size_t m = 0; m < count; m++) stays[m] |= !before[m];
	return ossai_kept_renumber(kept, OSSAI_LINK_MESH, "meshes", stays, NULL);
}

ossa_status ossai_kept_drop_joints(ossai_kept *kept)
{
	json_t *root = kept->writer->root, *nodes = json_object_get(root, "nodes");
	const size_t count = json_array_size(nodes);
	uint8_t *stays = ossai_arena_new(&kept->writer->arena, count, 1);
	const size_t *number_of;
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	OSSAI_TRY(keep_orphans(kept));
	if (ossai_kept_has_numbers(kept)) return OSSA_OK;
	for (size_t n = 0; n < count; n++) stays[n] = n >= kept->document->node_count || !kept->is_replaced[n];
	OSSAI_TRY(unlist(kept, "scenes", "nodes", stays));
	OSSAI_TRY(unlist(kept, "nodes", "children", stays));
	OSSAI_TRY(ossai_kept_renumber(kept, OSSAI_LINK_NODE, "nodes", stays, &number_of));
	for (size_t n = 0; n < kept->document->node_count; n++) kept->node_of[n] = stays[n] ? number_of[n] : SIZE_MAX;
	for (size_t m = 0; m < kept->document->mesh_count; m++) kept->mesh_node[m] = number_of[kept->mesh_node[m]];
	return kept->writer->drops_lods ? drop_meshes(kept) : OSSA_OK;
}

/* ---- children of old joints ---- */

/* A joint of the new rig that is at most so far from an old one, as a share of the diagonal, is
   this joint. */
static const double same_place = 1e-3;

/* Vertices whose RMS distance from where a map takes them is at most this share of the diagonal
   were only turned, scaled and moved. */
static const double same_shape = 1e-4;

static ossai_vec3 mean_of(size_t count, const float *positions)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t v = 0; v < count; v++) sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * v));
	return ossai_scale(sum, 1 / (double)count);
}

/* What took the mesh from where the file has it to where it is written: other axes or another unit
   (Horn). No map where its shape has changed, as in another rest pose. */
static ossai_rigid find_map(const ossai_kept *kept, double diagonal)
{
	/* coarser levels are behind them */
	const size_t n = kept->document->vertex_count;
	const float *from = kept->document->positions, *to = kept->mesh->positions;
	if (n == 0 || memcmp(from, to, 3 * n * sizeof *from) == 0) return ossai_affine_identity();
	const ossai_vec3 a = mean_of(n, from), b = mean_of(n, to);
	double m[9] = {0}, before = 0, after = 0, error = 0;
	for (size_t v = 0; v < n; v++) {
		const ossai_vec3 x = ossai_sub(ossai_v3_of_float(from + 3 * v), a), y = ossai_sub(ossai_v3_of_float(to + 3 * v), b);
		const double p[3] = {x.x, x.y, x.z}, q[3] = {y.x, y.y, y.z};
		for (int e = 0; e < 9; e++) m[e] += p[e / 3] * q[e % 3];
		before += ossai_length2(x);
		after += ossai_length2(y);
	}
	if (!(before > 0)) return ossai_affine_identity();
	ossai_rigid map = {ossai_quat_matrix(ossai_rigid_rotation(m)), {0, 0, 0}};
	for (int e = 0; e < 9; e++) map.r.m[e / 3][e % 3] *= sqrt(after / before);
	map.t = ossai_sub(b, ossai_mat3_mul_v(&map.r, a));
	for (size_t v = 0; v < n; v++)
		error += ossai_length2(
			ossai_sub(ossai_rigid_point(&map, ossai_v3_of_float(from + 3 * v)), ossai_v3_of_float(to + 3 * v)));
	return error <= (double)n * pow(same_shape * diagonal, 2) ? map : ossai_affine_identity();
}

/* the bone of the joint that a node was below, where the rig still has it; OSSA_NONE */
static uint32_t same_bone(const ossai_kept *kept, uint32_t node, const ossai_rigid *map, double reach)
{
	const ossa_skeleton *skeleton = &kept->rig->skeleton;
	const uint32_t above = kept->parent[node];
	const char *name = json_string_value(
		json_object_get(json_array_get(json_object_get(kept->document->root, "nodes"), above), "name"));
	const ossai_vec3 place = ossai_rigid_point(map, kept->document->world[above].t);
	uint32_t best = OSSA_NONE;
	double least = reach;
	for (uint32_t b = 0; b < skeleton->bone_count; b++) {
		const double distance = ossai_distance(ossai_v3_of(skeleton->bones[b].joint), place);
		/* of several at one place the one of its name */
		const bool is_called = name && strcmp(name, skeleton->bones[b].name) == 0;
		if (distance > reach || (distance >= least && !is_called)) continue;
		least = is_called ? 0 : distance;
		best = b;
	}
	return best;
}

static size_t nearest_bone(const ossa_skeleton *skeleton, ossai_vec3 p)
{
	size_t nearest = 0;
	double best = HUGE_VAL;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		const ossai_vec3 joint = ossai_v3_of(bone->joint), along = ossai_sub(ossai_v3_of(bone->tail), joint);
		const double length = ossai_dot(along, along);
		const double share = length > 0 ? ossai_dot(ossai_sub(p, joint), along) / length : 0;
		const double distance = ossai_distance(p, ossai_madd(joint, fmin(fmax(share, 0), 1), along));
		if (distance >= best) continue;
		best = distance;
		nearest = b;
	}
	return nearest;
}

/* The node's transform against the bone, so that it stays where it is. glTF takes no shear: where
   there is some, it is lost. */
static ossa_status place_on(ossai_kept *kept, json_t *node, const ossa_bone *bone, const ossai_rigid *world)
{
	const ossai_rigid rest = {ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation))), ossai_v3_of(bone->joint)};
	const ossai_rigid back = ossai_rigid_inverse(&rest), local = ossai_rigid_mul(&back, world);
	const ossai_mat3 turn = ossai_affine_rotation(&local.r, NULL), turn_back = ossai_mat3_transpose(&turn);
	const ossai_mat3 stretch = ossai_mat3_mul(&turn_back, &local.r);
	double translation[3], rotation[4];
	const double scale[3] = {stretch.m[0][0], stretch.m[1][1], stretch.m[2][2]};
	ossai_v3_store(local.t, translation);
	ossai_quat_store(ossai_mat3_quat(&turn), rotation);
	drop_transform(node);
	const bool set = json_object_set_new(node, "translation", ossai_glb_numbers(translation, 3)) == 0 &&
		json_object_set_new(node, "rotation", ossai_glb_numbers(rotation, 4)) == 0 &&
		json_object_set_new(node, "scale", ossai_glb_numbers(scale, 3)) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

ossa_status ossai_kept_attach_orphans(ossai_kept *kept, size_t first_bone)
{
	if (kept->orphan_count == 0) return OSSA_OK;
	const ossai_bounds bounds = ossai_bounds_make(kept->mesh->vertex_count, kept->mesh->positions);
	const ossai_rigid map = find_map(kept, bounds.diagonal);
	int64_t moved = 0;
	for (size_t i = 0; i < kept->orphan_count; i++) {
		const ossai_rigid world = ossai_rigid_mul(&map, &kept->document->world[kept->orphans[i]]);
		const uint32_t same = same_bone(kept, kept->orphans[i], &map, same_place * bounds.diagonal);
		const size_t bone = same != OSSA_NONE ? same : nearest_bone(&kept->rig->skeleton, world.t);
		const size_t n = kept->node_of[kept->orphans[i]];
		moved += same == OSSA_NONE;
		OSSAI_TRY(ossai_glb_add_child(kept->writer, first_bone + bone, n));
		OSSAI_TRY(place_on(kept, ossai_kept_item(kept, "nodes", n), &kept->rig->skeleton.bones[bone], &world));
	}
	if (moved > 0) {
		ossai_warn(kept->writer->context, "nodes-moved", moved,
			"%s: children of joints that are replaced are children of the new bones nearest to them", kept->document->path);
	}
	return OSSA_OK;
}
