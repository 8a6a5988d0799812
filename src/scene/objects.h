/* scene/objects.h: the objects of a mesh: kept with it, and taken out of it one by one.

   Place in the path: beside ossa_mesh; readers fill them, and writers of formats with nodes call
   ossai_objects_split, so that a writer knows how one mesh is written and no more.
   Input: ossa_mesh.
   Output: a mesh for each object. */
#ifndef OSSAI_SCENE_OBJECTS_H
#define OSSAI_SCENE_OBJECTS_H

#include "base/context.h"
#include "math/vec.h"
#include <ossa/rig.h>

/* Copies the objects to a mesh that has none; checks them, as ossa_mesh_validate does. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT. */
ossa_status ossai_objects_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy);
ossa_status ossai_objects_check(ossa_context *context, const ossa_mesh *mesh);
void ossai_objects_free(ossa_context *context, ossa_mesh *mesh);

/* Transforms of the objects of a mesh whose points, and those in the objects' own axes, were moved
   by `map` (affine, with an inverse): map T map^-1. The arena's; NULL with the error set. */
ossa_object *ossai_objects_moved(ossai_arena *arena, const ossa_mesh *mesh, const ossai_rigid *map);

/* One object. */
typedef struct ossai_object_part {
	/* without objects; its name is unlike those of the other parts; all materials are the whole
	   mesh's; a morph target is there if it moves one of the vertices, or moves none at all */
	const ossa_mesh *mesh;
	const ossa_object *object; /* of the whole mesh; NULL: that has none */
	const float *positions;    /* in place of the mesh's own, or NULL */
	ossai_rigid transform;     /* from the part's space to the whole mesh's */
	const uint32_t *vertices;  /* by vertex of the part: the whole mesh's; NULL: the same */
	const uint32_t *triangles; /* by triangle of the part: the whole mesh's; NULL: the same */
	const uint32_t *morphs;    /* by morph target of the part: the whole mesh's; NULL: the same */
} ossai_object_part;

/* In which axes the parts are. */
typedef enum ossai_axes {
	OSSAI_AXES_MESH, /* all in the mesh's: transforms are the identity */
	OSSAI_AXES_OWN,  /* each in its own */
	/* in its own, but for transforms with shear: for formats whose nodes have translation, rotation
	   and scale alone */
	OSSAI_AXES_RIGHT_ANGLED
} ossai_axes;

typedef struct ossai_object_parts {
	size_t count;
	ossai_object_part *items;
} ossai_object_parts;

/* Every object that has polygons, in the mesh's order; a mesh without objects is its own only part.
   `positions`: in place of the mesh's own, or NULL. Where a part is in its own axes, so are
   its normals and morph targets, and polygons of mirroring transforms are reversed. A vertex that
   several objects use is in each. Cost: linear. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's,
   or the mesh's. */
ossa_status ossai_objects_split(
	ossai_arena *arena, const ossa_mesh *mesh, const float *positions, ossai_axes axes, ossai_object_parts *parts);

/* Gives the parts, whose meshes are given, too, the morph targets of the whole mesh
   (object_morphs.c). Errors: OSSA_ERROR_MEMORY. Ownership: the arena's. */
ossa_status ossai_object_morphs(ossai_arena *arena, const ossa_mesh *mesh, const ossai_object_parts *parts, ossa_mesh *meshes);

/* Which target of the whole mesh one of a part is. */
static inline size_t ossai_object_morph(const ossai_object_part *part, size_t morph)
{
	return part->morphs ? part->morphs[morph] : morph;
}

/* Takes what morph targets add at rest off the positions of the parts: for files that hold the
   weights beside. Cost: linear. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. Ownership: the
   arena's. */
ossa_status ossai_objects_take_off_morphs(ossai_arena *arena, ossai_object_parts *parts);

/* The weights of a part's vertices. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's, or those
   given. */
ossa_status ossai_object_weights(
	ossai_arena *arena, const ossai_object_part *part, const ossa_weights *weights, ossa_weights *own);

#endif
