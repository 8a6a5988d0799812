/* export/gltf/glb_vrm.c: what makes a GLB a VRM 1.0 file: the humanoid and the licence.

   Place in the path: inside the GLB writer.
   Input: a rig whose bones have roles, names or a tree that tell which is which.
   Output: the extension VRMC_vrm.
   Source: VRM Consortium, VRMC_vrm-1.0 (humanoid.md, meta.md). Where nothing is said of the licence
   its defaults hold: only the author may use the model. */
#include "conventions/bone_words.h"
#include "conventions/find_roles.h"
#include "conventions/write_names.h"
#include "export/gltf/glb.h"

#include <stdio.h>
#include <string.h>

static ossa_status refuse(ossa_context *context, ossa_body_part part, int side)
{
	char text[64];
	ossa_role_print((ossa_role){.part = part, .side = side}, text, sizeof text);
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"VRM files are of humans, and no bone of this rig is known to be the %s; write a .glb instead", text);
}

/* whether the bone that must be above is there: a finger's outer bones need those before them */
static bool has_parent(const ossa_role *role, size_t count, ossa_role own)
{
	const bool is_finger = own.part >= OSSA_PART_THUMB && own.part <= OSSA_PART_LITTLE;
	for (size_t b = 0; is_finger && own.number > 1 && b < count; b++) {
		if (role[b].part == own.part && role[b].side == own.side && role[b].number == own.number - 1) return true;
	}
	return !is_finger || own.number <= 1;
}

static json_t *human_bones(const ossa_role *role, size_t count, size_t first_node)
{
	const ossai_convention *vrm = ossai_convention_of_name("vrm");
	const ossai_trunk trunk = ossai_trunk_of(role, count);
	json_t *bones = json_object();
	for (size_t b = 0; bones && b < count; b++) {
		char name[OSSAI_BONE_NAME];
		if (!ossai_convention_name(vrm, trunk, role[b], name) || !has_parent(role, count, role[b])) continue;
		if (json_object_get(bones, name)) continue;
		json_t *node = json_pack("{s:I}", "node", (json_int_t)first_node + (json_int_t)b);
		if (json_object_set_new(bones, name, node) == 0) continue;
		json_decref(bones);
		return NULL;
	}
	return bones;
}

static json_t *meta(const char *name, const char *author)
{
	return json_pack("{s:o,s:[o],s:s}", "name", ossai_glb_text(name), "authors", ossai_glb_text(author), "licenseUrl",
		"https://vrm.dev/licenses/1.0/");
}

static ossa_status put(ossai_glb_writer *writer, json_t *humans, const char *name, const char *author)
{
	json_t *item = json_pack(
		"{s:s,s:o,s:{s:o}}", "specVersion", "1.0", "meta", meta(name, author), "humanoid", "humanBones", humans);
	json_t *extensions = json_object_get(writer->root, "extensions");
	if (!extensions && json_object_set_new(writer->root, "extensions", extensions = json_object()) != 0) {
		json_decref(item);
		return ossai_glb_no_memory(writer->context);
	}
	if (json_object_set_new(extensions, "VRMC_vrm", item) != 0) return ossai_glb_no_memory(writer->context);
	return ossai_glb_put(writer, "extensionsUsed", json_string("VRMC_vrm"), NULL);
}

ossa_status ossai_glb_put_vrm(
	ossai_glb_writer *writer, const ossa_rig *rig, size_t first_node, const char *name, const char *author)
{
	const size_t count = rig->skeleton.bone_count;
	ossa_role *role = ossai_arena_new(&writer->arena, count, sizeof *role);
	int side;
	if (!role) return ossa_context_error(writer->context)->status;
	OSSAI_TRY(ossai_find_roles(writer->context, &rig->skeleton, role, NULL));
	const ossa_body_part missing = ossai_missing_part(role, count, &side);
	if (missing != OSSA_PART_NONE) return refuse(writer->context, missing, side);
	return put(writer, human_bones(role, count, first_node), name, author);
}
