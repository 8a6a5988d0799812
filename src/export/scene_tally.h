/* export/scene_tally.h: how much of each kind there is in a glTF file that no other format holds.

   Place in the path: behind the writers; scene_left_out.c warns of it.
   Input: the JSON of a file.
   Output: a count, and the name of one of them. */
#ifndef OSSAI_EXPORT_SCENE_TALLY_H
#define OSSAI_EXPORT_SCENE_TALLY_H

#include "base/context.h"

#include <jansson.h>

/* how many there are of one kind, and the name of one of them, or NULL */
typedef struct ossai_scene_tally {
	size_t count;
	const char *example; /* the file's */
} ossai_scene_tally;

/* One more; its name is that of the JSON object. */
void ossai_tally_add(ossai_scene_tally *all, const json_t *item);

/* Cameras; what is in a list of an extension of the whole file (lights, variants). */
ossai_scene_tally ossai_tally_list(const json_t *list);
ossai_scene_tally ossai_tally_extension(const json_t *root, const char *extension, const char *list);

/* Materials with extensions (clear coats, sheens and the like: the model of materials that all
   formats share has none, but the strength of glows), and those of specular colour and glossiness,
   of which others have the diffuse colour. `written`, which may be NULL: a file that has some. */
ossai_scene_tally ossai_tally_materials(const json_t *root, const json_t *written);
ossai_scene_tally ossai_tally_specular(const json_t *root, const json_t *written);

/* Primitives with attributes that glTF does not name, such as _WETNESS; with tangents. */
ossai_scene_tally ossai_tally_attributes(const json_t *root);
ossai_scene_tally ossai_tally_tangents(const json_t *root);

/* Textures with filters that none of `written` has, which may be NULL. */
ossai_scene_tally ossai_tally_filters(const json_t *root, const json_t *written);

/* Nodes that are shown in place of others from afar. */
ossai_scene_tally ossai_tally_levels(const json_t *root);

/* Extensions of an item and all below it that ossa does not know; those of materials are counted by
   themselves, and extras are anything. */
void ossai_tally_unknown(const json_t *item, ossai_scene_tally *all);

/* Extras other than ossa's own, and than the names of morph targets, which all formats have. */
ossai_scene_tally ossai_tally_extras(const json_t *root, const json_t *written);

/* Nodes that hold nothing, as sockets, and animations that move what no other format has: cameras,
   lights and these nodes (scene_nodes.c).
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_tally_nodes(ossai_arena *arena, const json_t *root, ossai_scene_tally *empty, ossai_scene_tally *motion);

#endif
