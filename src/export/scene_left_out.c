/* export/scene_left_out.c: see scene_left_out.h. */
#include "export/scene_left_out.h"
#include "export/scene_tally.h"

#include "base/context.h"
#include "scene/document.h"
#include "scene/losses.h"
#include "scene/sets.h"

static void add(ossai_losses *all, const char *kind, ossai_scene_tally of)
{
	ossai_losses_add(all, kind, of.count, of.example);
}

/* written: a file that has some of the materials, or NULL */
static ossa_status find_losses(ossa_context *context, const json_t *root, const json_t *written, ossai_losses *all)
{
	ossai_scene_tally empty = {0}, motion = {0}, unknown = {0};
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_tally_nodes(&arena, root, &empty, &motion);
	ossai_arena_end(&arena);
	ossai_tally_unknown(root, &unknown);
	add(all, "cameras", ossai_tally_list(json_object_get(root, "cameras")));
	add(all, "lights", ossai_tally_extension(root, "KHR_lights_punctual", "lights"));
	add(all, "material variants", ossai_tally_extension(root, "KHR_materials_variants", "variants"));
	add(all, "levels of detail", ossai_tally_levels(root));
	add(all, "materials with extensions", ossai_tally_materials(root, written));
	add(all, "specular colours of materials", ossai_tally_specular(root, written));
	add(all, "primitives with attributes of their own", ossai_tally_attributes(root));
	/* levels of detail have their tangents */
	if (!written) add(all, "primitives with tangents", ossai_tally_tangents(root));
	add(all, "textures with nearest filters", ossai_tally_filters(root, written));
	add(all, "nodes that hold nothing, as sockets", empty);
	add(all, "animations of cameras, lights and such nodes", motion);
	add(all, "other extensions", unknown);
	add(all, "extras", ossai_tally_extras(root, written));
	return status;
}

ossa_status ossai_warn_of_scene(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	ossai_losses all = {0};
	if (!mesh->document) return OSSA_OK;
	OSSAI_TRY(find_losses(context, mesh->document->root, NULL, &all));
	if (all.count == 0) return OSSA_OK;
	ossai_warn(context, "scene-left-out", (int64_t)all.count, "%s: is written without what only glTF holds of its file: %s",
		path, all.words);
	return OSSA_OK;
}

void ossai_warn_of_loose_textures(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	const size_t count = ossai_count_loose_textures(mesh);
	if (count == 0) return;
	ossai_warn(context, "texture-uvs", (int64_t)count,
		"%s: materials have textures that lie by UV sets that the mesh does not have; they are left out", path);
}

ossa_status ossai_warn_of_level(ossa_context *context, const ossa_mesh *mesh, const json_t *written)
{
	ossai_losses all = {0};
	if (!mesh->document) return OSSA_OK;
	OSSAI_TRY(find_losses(context, mesh->document->root, written, &all));
	if (all.count == 0) return OSSA_OK;
	ossai_warn(context, "scene-left-out", (int64_t)all.count,
		"%s: is written as a level of detail, without what else is in its file: %s", mesh->document->path, all.words);
	return OSSA_OK;
}
