/* export/gltf/kept_rig.c: the new rig in a kept glTF file: joints, skins, weights.

   Place in the path: inside the GLB writer, after the data that stays.
   Input: the rig, the document's map from the file's vertices to the mesh's.
   Output: nodes of bones, a skin for each transform that a mesh has had, weights of every vertex.
   Positions stay as the file has them: inverse bind matrices contain the transform. */
#include "export/gltf/kept.h"

#include <stdlib.h>
#include <string.h>

/* ---- skins ---- */

/* of meshes that get no skin: they share none */
static const size_t no_level = SIZE_MAX;

/* What a mesh's skin does at rest and which bones it has, after the mesh's number. */
typedef struct skin_map {
	ossai_rigid map;
	size_t level; /* whose bones it has; 0: all */
	size_t mesh;
} skin_map;

static int compare_skins(const skin_map *p, const skin_map *q)
{
	/* any order in which equal maps are neighbors: NOLINTNEXTLINE(*-memory-comparison) */
	const int order = memcmp(&p->map, &q->map, sizeof p->map);
	return order != 0 ? order : p->level < q->level ? -1 : p->level > q->level;
}

static int compare_maps(const void *a, const void *b)
{
	const skin_map *p = a, *q = b;
	const int order = compare_skins(p, q);
	return order != 0 ? order : p->mesh < q->mesh ? -1 : p->mesh > q->mesh;
}

/* by mesh, the first one that has the same skin */
static ossa_status find_alike(const ossai_kept *kept, const skin_map *skins, size_t **alike)
{
	const size_t count = kept->document->mesh_count;
	skin_map *sorted = ossai_arena_new(&kept->writer->arena, count, sizeof *sorted);
	*alike = ossai_arena_new(&kept->writer->arena, count, sizeof **alike);
	if (!sorted || !*alike) return ossa_context_error(kept->writer->context)->status;
	if (count > 0) memcpy(sorted, skins, count * sizeof *sorted);
	if (count > 0) qsort(sorted, count, sizeof *sorted, compare_maps);
	for (size_t i = 0, first = 0; i < count; i++) {
		if (compare_skins(&sorted[i], &sorted[first]) != 0) first = i;
		(*alike)[sorted[i].mesh] = sorted[first].mesh;
	}
	return OSSA_OK;
}

/* moved meshes are in the rig's space */
static ossa_status describe_skins(const ossai_kept *kept, skin_map **skins)
{
	const size_t count = kept->document->mesh_count;
	*skins = ossai_arena_zero(&kept->writer->arena, count, sizeof **skins);
	if (!*skins) return ossa_context_error(kept->writer->context)->status;
	for (size_t m = 0; m < count; m++) {
		const ossai_document_mesh *mesh = &kept->document->meshes[m];
		(*skins)[m].map = kept->is_moved[m] ? ossai_affine_identity() : mesh->map;
		(*skins)[m].level = ossai_kept_bones_of(kept, m) ? mesh->lod : 0;
		if (ossai_kept_is_unskinned(kept, m)) (*skins)[m].level = no_level;
		(*skins)[m].mesh = m;
	}
	return OSSA_OK;
}

/* the nodes of a level's bones; a new reference, NULL where memory is short */
static json_t *list_joints(const ossai_kept_bones *own, size_t first_node)
{
	json_t *list = json_array();
	for (size_t i = 0; list && i < own->rig->skeleton.bone_count; i++) {
		if (json_array_append_new(list, json_integer((json_int_t)first_node + (json_int_t)own->bones[i])) == 0) continue;
		json_decref(list);
		return NULL;
	}
	return list;
}

static ossa_status put_skin(ossai_kept *kept, const ossai_glb_joints *joints, const skin_map *skin, size_t *index)
{
	const ossai_rigid none = ossai_affine_identity();
	const ossai_rigid *map = ossai_rigid_same(&skin->map, &none) ? NULL : &skin->map;
	if (skin->level == 0) return ossai_glb_put_skin(kept->writer, joints, map, index);
	const ossai_kept_bones *own = &kept->bones_of_level[skin->level];
	const ossai_glb_joints fewer = {
		.rig = own->rig, .first_node = joints->first_node, .list = list_joints(own, joints->first_node), .is_below = true};
	if (!fewer.list) return ossai_glb_no_memory(kept->writer->context);
	const ossa_status status = ossai_glb_put_skin(kept->writer, &fewer, map, index);
	json_decref(fewer.list);
	return status;
}

/* one skin for all meshes that have the same transform and bones */
static ossa_status put_skins(ossai_kept *kept, const ossai_glb_joints *joints)
{
	const size_t count = kept->document->mesh_count;
	skin_map *skins;
	size_t *alike, *index = ossai_arena_new(&kept->writer->arena, count, sizeof *index);
	if (!index) return ossa_context_error(kept->writer->context)->status;
	OSSAI_TRY(describe_skins(kept, &skins));
	OSSAI_TRY(find_alike(kept, skins, &alike));
	for (size_t m = 0; m < count; m++) {
		json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]);
		if (skins[m].level == no_level) continue;
		if (alike[m] < m) index[m] = index[alike[m]];
		else OSSAI_TRY(put_skin(kept, joints, &skins[m], &index[m]));
		if (json_object_set_new(node, "skin", json_integer((json_int_t)index[m])) != 0)
			return ossai_glb_no_memory(kept->writer->context);
	}
	return OSSA_OK;
}

/* ---- weights ---- */

static json_t *attributes_of(const json_t *primitives, size_t p)
{
	return json_object_get(json_array_get(primitives, p), "attributes");
}

/* vertices of a primitive, as its positions have them */
static size_t vertex_count(const ossai_kept *kept, const json_t *attributes)
{
	return ossai_kept_number(ossai_kept_item(kept, "accessors", ossai_kept_number(attributes, "POSITION")), "count");
}

/* weights that another primitive of the mesh has, whose vertices are the same */
static ossa_status share_weights(ossai_kept *kept, const json_t *from, json_t *to)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)from, key, value)
	{
		if (strncmp(key, "JOINTS_", 7) != 0 && strncmp(key, "WEIGHTS_", 8) != 0) continue;
		if (json_object_set(to, key, value) != 0) return ossai_glb_no_memory(kept->writer->context);
	}
	return OSSA_OK;
}

/* points and lines, which are no part of the rig, follow the root */
static ossa_status follow_root(ossai_kept *kept, json_t *attributes)
{
	const size_t count = vertex_count(kept, attributes);
	if (count == SIZE_MAX) return OSSA_OK;
	static const uint16_t root = 0;
	static const float whole = 1;
	const ossa_weights weights = {
		.vertex_count = 1, .influences = 1, .bones = (uint16_t *)(uintptr_t)&root, .values = (float *)(uintptr_t)&whole};
	uint32_t *origin = ossai_arena_zero(&kept->writer->arena, count, sizeof *origin);
	if (!origin) return ossa_context_error(kept->writer->context)->status;
	return ossai_glb_put_weights(kept->writer, &weights, kept->rig->skeleton.bone_count, count, origin, attributes);
}

/* owner: by vertex of the mesh, one more than the primitive that has weights from it on; 0: none */
static ossa_status weigh_primitive(ossai_kept *kept, size_t m, const json_t *primitives, size_t p, uint32_t *owner)
{
	const ossa_document *document = kept->document;
	const ossai_document_mesh *mesh = &document->meshes[m];
	const ossa_rig *own = ossai_kept_bones_of(kept, m);
	const size_t first = document->primitive_vertex[mesh->first_primitive + p];
	json_t *attributes = attributes_of(primitives, p);
	if (first == SIZE_MAX) return follow_root(kept, attributes);
	if (owner[first] > 0) return share_weights(kept, attributes_of(primitives, owner[first] - 1), attributes);
	owner[first] = (uint32_t)p + 1;
	return ossai_glb_put_weights(kept->writer, &kept->rig->weights, (own ? own : kept->rig)->skeleton.bone_count,
		vertex_count(kept, attributes), document->vertex_of + mesh->first_vertex + first, attributes);
}

/* primitives of the file, each once however many nodes show its mesh */
static ossa_status warn_of_lines(ossai_kept *kept)
{
	const ossa_document *document = kept->document;
	int64_t count = 0;
	uint8_t *is_seen = ossai_arena_zero(&kept->writer->arena, json_array_size(json_object_get(document->root, "meshes")), 1);
	if (!is_seen) return ossa_context_error(kept->writer->context)->status;
	for (size_t m = 0; m < document->mesh_count; m++) {
		const ossai_document_mesh *mesh = &document->meshes[m];
		const json_t *primitives = json_object_get(
			json_array_get(json_object_get(document->root, "meshes"), mesh->mesh), "primitives");
		for (size_t p = 0; p < mesh->primitive_count && !is_seen[mesh->mesh]; p++) {
			if (document->primitive_vertex[mesh->first_primitive + p] != SIZE_MAX) continue;
			count += json_object_get(attributes_of(primitives, p), "POSITION") != NULL;
		}
		is_seen[mesh->mesh] = 1;
	}
	if (count > 0)
		ossai_warn(kept->writer->context, "lines-on-root", count,
			"%s: points and lines have no weights of their own: they follow the root", document->path);
	return OSSA_OK;
}

static ossa_status put_weights(ossai_kept *kept)
{
	OSSAI_TRY(warn_of_lines(kept));
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		const ossai_document_mesh *mesh = &kept->document->meshes[m];
		const json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]);
		const json_t *item = ossai_kept_item(kept, "meshes", ossai_kept_number(node, "mesh"));
		if (ossai_kept_is_unskinned(kept, m)) continue;
		uint32_t *owner = ossai_arena_zero(&kept->writer->arena, mesh->vertex_count, sizeof *owner);
		if (!owner) return ossa_context_error(kept->writer->context)->status;
		for (size_t p = 0; p < mesh->primitive_count; p++)
			OSSAI_TRY(weigh_primitive(kept, m, json_object_get(item, "primitives"), p, owner));
	}
	return OSSA_OK;
}

/* ---- which faces moved together ---- */

/* for a file of one mesh, whose triangles are the rig's in their order */
static ossa_status put_merges(ossai_kept *kept)
{
	const ossa_rig *rig = kept->finest;
	const size_t faces = rig->mesh->triangle_count;
	if (kept->document->mesh_count - kept->lod_count != 1 || (rig->merge_count == 0 && !rig->face_clusters)) return OSSA_OK;
	const json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[0]);
	json_t *mesh = ossai_kept_item(kept, "meshes", ossai_kept_number(node, "mesh")), *extras = json_object_get(mesh, "extras");
	if (!extras) json_object_set_new(mesh, "extras", extras = json_object());
	if (!json_object_get(extras, "ossa")) json_object_set_new(extras, "ossa", json_object());
	uint32_t *order = ossai_arena_new(&kept->writer->arena, faces, sizeof *order);
	if (!order) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0; i < faces; i++) order[i] = (uint32_t)i;
	return ossai_glb_put_merges(kept->writer, rig, order, faces, extras);
}

/* ---- all ---- */

/* The joints as roots of the scene; below a node of their own where skins contain transforms, so
   that programs which derive rest poses from skins (Blender) leave the root where it is. */
static ossa_status put_root(ossai_kept *kept, ossai_glb_joints *joints)
{
	const ossai_rigid none = ossai_affine_identity();
	size_t node;
	for (size_t m = 0; m < kept->document->mesh_count && !joints->is_below; m++) {
		if (ossai_kept_is_unskinned(kept, m)) continue;
		joints->is_below = !kept->is_moved[m] && !ossai_rigid_same(&kept->document->meshes[m].map, &none);
	}
	if (!joints->is_below) return ossai_glb_add_root(kept->writer, joints->first_node);
	json_t *item = json_pack("{s:o,s:[I],s:{s:{s:b}}}", "name", ossai_glb_node_name(kept->writer, "armature"), "children",
		(json_int_t)joints->first_node, "extras", "ossa", "armature", 1);
	OSSAI_TRY(ossai_glb_put(kept->writer, "nodes", item, &node));
	return ossai_glb_add_root(kept->writer, node);
}

ossa_status ossai_kept_put_rig(ossai_kept *kept, bool leaf_bones, size_t *first_bone)
{
	ossai_glb_joints joints;
	OSSAI_TRY(ossai_glb_put_joints(kept->writer, kept->rig, leaf_bones, &joints));
	*first_bone = joints.first_node;
	OSSAI_TRY(put_root(kept, &joints));
	OSSAI_TRY(put_merges(kept));
	OSSAI_TRY(put_skins(kept, &joints));
	return put_weights(kept);
}
