/* scene/object_part.h: what the files share that take the objects of a mesh out of it.

   object_parts.c is the outline and finds what belongs to which object; object_part.c makes the
   mesh of one. */
#ifndef OSSAI_SCENE_OBJECT_PART_H
#define OSSAI_SCENE_OBJECT_PART_H

#include "base/csr.h"
#include "scene/objects.h"

typedef struct ossai_splitting {
	ossai_arena *arena; /* of the result */
	ossai_arena scratch;
	const ossa_mesh *mesh;
	const float *positions; /* or NULL */
	ossai_axes axes;
	ossai_csr polygons; /* of each object */
	ossai_csr vertices; /* of each object those that no object before it uses, rising */
	/* by vertex, texture coordinate or normal of the mesh: its number in the part; OSSA_NONE
	   between uses */
	uint32_t *numbers;
} ossai_splitting;

/* one part while it is made */
typedef struct ossai_part_job {
	ossai_splitting *s;
	const uint32_t *polygons; /* of the object */
	ossa_mesh *mesh;
	ossai_object_part *part;
	bool is_moved;    /* it is in its own axes */
	ossai_rigid back; /* from the whole mesh's space to the part's */
} ossai_part_job;

/* Fills the part's mesh, but for name and morph targets. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_object_part_take(ossai_part_job *job, size_t object);

#endif
