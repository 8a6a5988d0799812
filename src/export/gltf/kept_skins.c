/* export/gltf/kept_skins.c: takes the old rig out of a kept glTF file: skins, joints and weights.

   Place in the path: inside the GLB writer, first.
   Input: the document's JSON.
   Output: the same without the skins of the rig's meshes. */
#include "export/gltf/kept.h"
#include "scene/document_links.h"

#include <string.h>

/* ---- which ---- */

/* skins of the rig's meshes that nothing else uses */
static ossa_status find_skins(const ossai_kept *kept, uint8_t **goes)
{
	json_t *node;
	size_t n;
	*goes = ossai_arena_zero(&kept->writer->arena, json_array_size(json_object_get(kept->writer->root, "skins")), 1);
	if (!*goes) return ossa_context_error(kept->writer->context)->status;
	for (int pass = 0; pass < 2; pass++) {
		json_array_foreach(json_object_get(kept->writer->root, "nodes"), n, node)
		{
			const size_t skin = ossai_kept_number(node, "skin");
			const bool is_ours = n < kept->document->node_count && (kept->is_mesh[n] || kept->is_dropped[n]);
			if (skin != SIZE_MAX && is_ours == (pass == 0)) (*goes)[skin] = pass == 0;
		}
	}
	return OSSA_OK;
}

static void mark_joints(ossai_kept *kept, const json_t *skin, uint8_t mark)
{
	json_t *joint;
	size_t j;
	json_array_foreach(json_object_get(skin, "joints"), j, joint) kept->is_joint[json_integer_value(joint)] = mark;
}

ossa_status ossai_kept_find_joints(ossai_kept *kept)
{
	uint8_t *goes;
	json_t *skin, *node;
	size_t s, n;
	for (size_t m = 0; m < kept->document->mesh_count; m++) kept->is_mesh[kept->document->meshes[m].node] = 1;
	OSSAI_TRY(find_skins(kept, &goes));
	for (int pass = 0; pass < 2; pass++) {
		json_array_foreach(json_object_get(kept->writer->root, "skins"), s, skin)
		{
			if (goes[s] == (pass == 0)) mark_joints(kept, skin, pass == 0);
		}
	}
	/* what ossa put above the joints goes with them */
	json_array_foreach(json_object_get(kept->writer->root, "nodes"), n, node)
	{
		const json_t *extras = json_object_get(json_object_get(node, "extras"), "ossa");
		if (json_is_true(json_object_get(extras, "armature"))) kept->is_joint[n] = 1;
	}
	return OSSA_OK;
}

/* ---- meshes ---- */

/* a mesh that other nodes show, too, is copied: each has weights of its own */
static ossa_status own_mesh(ossai_kept *kept, size_t m, size_t *users)
{
	json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]);
	const size_t mesh = kept->document->meshes[m].mesh;
	size_t copy;
	if (users[mesh] <= 1) return OSSA_OK;
	users[mesh]--;
	OSSAI_TRY(ossai_glb_put(kept->writer, "meshes", json_deep_copy(ossai_kept_item(kept, "meshes", mesh)), &copy));
	return json_object_set_new(node, "mesh", json_integer((json_int_t)copy)) == 0 ? OSSA_OK
																				  : ossai_glb_no_memory(kept->writer->context);
}

static ossa_status own_meshes(ossai_kept *kept)
{
	const json_t *meshes = json_object_get(kept->writer->root, "meshes");
	size_t *users = ossai_arena_zero(&kept->writer->arena, json_array_size(meshes), sizeof *users);
	json_t *node;
	size_t n;
	if (!users) return ossa_context_error(kept->writer->context)->status;
	json_array_foreach(json_object_get(kept->writer->root, "nodes"), n, node)
	{
		const size_t mesh = ossai_kept_number(node, "mesh");
		if (mesh < json_array_size(meshes)) users[mesh]++;
	}
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		if (!ossai_kept_is_unskinned(kept, m)) OSSAI_TRY(own_mesh(kept, m, users));
	}
	return OSSA_OK;
}

static void drop_weights(json_t *mesh)
{
	json_t *primitive, *value, *extras = json_object_get(json_object_get(mesh, "extras"), "ossa");
	size_t p;
	json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
	{
		json_t *attributes = json_object_get(primitive, "attributes");
		const char *key;
		void *next;
		json_object_foreach_safe(attributes, next, key, value)
		{
			if (strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0) json_object_del(attributes, key);
		}
	}
	/* how the faces of another rig moved; what remains is which vertices are copies */
	const char *key;
	void *next;
	json_object_foreach_safe(extras, next, key, value)
	{
		if (strcmp(key, "vertices") != 0 && strcmp(key, "copies") != 0) json_object_del(extras, key);
	}
}

/* nodes of levels that are taken out show nothing, should they stay */
static void empty_dropped(const ossai_kept *kept)
{
	static const char *const keys[] = {"mesh", "skin", "weights"};
	for (size_t n = 0; n < kept->document->node_count; n++) {
		for (size_t k = 0; k < 3 && kept->is_dropped[n]; k++) json_object_del(ossai_kept_item(kept, "nodes", n), keys[k]);
	}
}

/* ---- what avatars say of their bones ---- */

/* Extensions of VRM files that are about a skeleton which is replaced: humanoid, springs. */
static void drop_avatar(ossai_kept *kept)
{
	static const char *const about_bones[] = {"VRM", "VRMC_vrm", "VRMC_springBone", "VRMC_springBone_extended_collider"};
	json_t *root = kept->writer->root, *extensions = json_object_get(root, "extensions");
	int64_t dropped = 0;
	for (size_t i = 0; i < sizeof about_bones / sizeof about_bones[0]; i++) {
		dropped += json_object_del(extensions, about_bones[i]) == 0;
		for (int list = 0; list < 2; list++) {
			const char *key = list == 0 ? "extensionsUsed" : "extensionsRequired";
			json_t *names = json_object_get(root, key);
			for (size_t n = json_array_size(names); n-- > 0;) {
				const char *name = json_string_value(json_array_get(names, n));
				if (name && strcmp(name, about_bones[i]) == 0) json_array_remove(names, n);
			}
			if (names && json_array_size(names) == 0) json_object_del(root, key);
		}
	}
	if (extensions && json_object_size(extensions) == 0) json_object_del(root, "extensions");
	if (dropped > 0) {
		ossai_warn(kept->writer->context, "avatar-dropped", 1,
			"%s: what it says of the bones of an avatar (VRM) is about joints that are replaced, and is left out: write a .vrm",
			kept->document->path);
	}
}

/* ---- skins ---- */

static ossa_status drop_skins(ossai_kept *kept, const uint8_t *goes)
{
	const size_t count = json_array_size(json_object_get(kept->writer->root, "skins"));
	uint8_t *stays = ossai_arena_new(&kept->writer->arena, count, 1);
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	for (size_t s = 0; s < count; s++) stays[s] = !goes[s];
	return ossai_kept_renumber(kept, OSSAI_LINK_SKIN, "skins", stays, NULL);
}

ossa_status ossai_kept_drop_skins(ossai_kept *kept)
{
	uint8_t *goes;
	OSSAI_TRY(find_skins(kept, &goes));
	empty_dropped(kept);
	OSSAI_TRY(own_meshes(kept));
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]);
		if (ossai_kept_is_unskinned(kept, m)) continue;
		json_object_del(node, "skin");
		drop_weights(ossai_kept_item(kept, "meshes", ossai_kept_number(node, "mesh")));
	}
	drop_avatar(kept);
	return drop_skins(kept, goes);
}
