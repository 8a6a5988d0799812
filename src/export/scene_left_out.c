/* export/scene_left_out.c: see scene_left_out.h. */
#include "export/scene_left_out.h"
#include "export/scene_tally.h"

#include "base/context.h"
#include "base/text.h"
#include "scene/document.h"
#include "scene/sets.h"

#include <stdio.h>
#include <string.h>

typedef struct loss {
	size_t count;     /* of all */
	bool has_example; /* one of them is named */
	char words[360];
} loss;

/* kind and count; the first that has a name stands for all */
static void add_loss(loss *all, const char *what, ossai_scene_tally of)
{
	char name[64];
	if (of.count == 0) return;
	size_t used = strlen(all->words);
	snprintf(all->words + used, sizeof all->words - used, "%s%s %zu", used > 0 ? ", " : "", what, of.count);
	all->count += of.count;
	if (all->has_example || !of.example || !of.example[0]) return;
	used = strlen(all->words);
	all->has_example = true;
	ossai_name_copy(name, (ossai_word){of.example, strlen(of.example)});
	snprintf(all->words + used, sizeof all->words - used, " (\"%s\"%s)", name, of.count > 1 ? " and others" : "");
}

/* written: a file that has some of the materials, or NULL */
static ossa_status find_losses(ossa_context *context, const json_t *root, const json_t *written, loss *all)
{
	ossai_scene_tally empty = {0}, motion = {0}, unknown = {0};
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_tally_nodes(&arena, root, &empty, &motion);
	ossai_arena_end(&arena);
	ossai_tally_unknown(root, &unknown);
	add_loss(all, "cameras", ossai_tally_list(json_object_get(root, "cameras")));
	add_loss(all, "lights", ossai_tally_extension(root, "KHR_lights_punctual", "lights"));
	add_loss(all, "material variants", ossai_tally_extension(root, "KHR_materials_variants", "variants"));
	add_loss(all, "levels of detail", ossai_tally_levels(root));
	add_loss(all, "materials with extensions", ossai_tally_materials(root, written));
	add_loss(all, "specular colours of materials", ossai_tally_specular(root, written));
	add_loss(all, "primitives with attributes of their own", ossai_tally_attributes(root));
	/* levels of detail have their tangents */
	if (!written) add_loss(all, "primitives with tangents", ossai_tally_tangents(root));
	add_loss(all, "textures with nearest filters", ossai_tally_filters(root, written));
	add_loss(all, "nodes that hold nothing, as sockets", empty);
	add_loss(all, "animations of cameras, lights and such nodes", motion);
	add_loss(all, "other extensions", unknown);
	add_loss(all, "extras", ossai_tally_extras(root, written));
	return status;
}

ossa_status ossai_warn_of_scene(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	loss all = {0};
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
	loss all = {0};
	if (!mesh->document) return OSSA_OK;
	OSSAI_TRY(find_losses(context, mesh->document->root, written, &all));
	if (all.count == 0) return OSSA_OK;
	ossai_warn(context, "scene-left-out", (int64_t)all.count,
		"%s: is written as a level of detail, without what else is in its file: %s", mesh->document->path, all.words);
	return OSSA_OK;
}
