/* scene/sets.h: all sets of texture coordinates, and of colours, of a mesh alike.

   Place in the path: beside ossa_mesh, whose first set has fields of its own.
   Input and output: ossa_mesh. */
#ifndef OSSAI_SCENE_SETS_H
#define OSSAI_SCENE_SETS_H

#include "base/context.h"
#include <ossa/material.h>
#include <ossa/mesh.h>

/* One set of texture coordinates; its arrays are the mesh's. */
typedef struct ossai_uvs {
	const char *name; /* or "" */
	size_t count;
	const float *texcoords;    /* count x 2 */
	const uint32_t *of_corner; /* C */
} ossai_uvs;

static inline size_t ossai_uv_count(const ossa_mesh *mesh) { return mesh->corner_texcoord ? 1 + mesh->more_uv_count : 0; }

/* Whether a texture lies by a set that a mesh of `uv_count` sets has. The first is taken to be
   there: without any there is nothing else to lie by. */
static inline bool ossai_texture_lies(const ossa_texture *texture, size_t uv_count)
{
	return texture->uv_set == 0 || texture->uv_set < uv_count;
}

/* Materials of the mesh with textures that do not. */
size_t ossai_count_loose_textures(const ossa_mesh *mesh);

static inline ossai_uvs ossai_uvs_at(const ossa_mesh *mesh, size_t set)
{
	if (set == 0) return (ossai_uvs){mesh->uv_name, mesh->texcoord_count, mesh->texcoords, mesh->corner_texcoord};
	const ossa_uv_set *more = &mesh->more_uvs[set - 1];
	return (ossai_uvs){more->name, more->texcoord_count, more->texcoords, more->corner_texcoord};
}

static inline size_t ossai_color_count(const ossa_mesh *mesh) { return mesh->colors ? 1 + mesh->more_color_count : 0; }

/* V x 4 */
static inline float *ossai_colors_at(const ossa_mesh *mesh, size_t set)
{
	return set == 0 ? mesh->colors : mesh->more_colors[set - 1];
}

/* The name of a set, or where it has none `first` for the first and first_2, first_3 ... for the
   others. */
void ossai_uv_set_name(const ossa_mesh *mesh, size_t set, const char *first, char name[80]);

/* Where the mesh keeps a set, to be filled: sets are filled from the first on. */
typedef struct ossai_uv_slot {
	char *name;
	size_t *count;
	float **texcoords;
	uint32_t **of_corner;
} ossai_uv_slot;

ossai_uv_slot ossai_uv_slot_of(ossa_mesh *mesh, size_t set);
float **ossai_color_slot_of(ossa_mesh *mesh, size_t set);

/* Frees the sets after the first; copies them to a mesh that has none, and has the same counts of
   corners and vertices; checks them, as ossa_mesh_validate does. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_INPUT. */
void ossai_sets_free(ossa_context *context, ossa_mesh *mesh);
ossa_status ossai_sets_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy);
ossa_status ossai_sets_check(ossa_context *context, const ossa_mesh *mesh);

#endif
