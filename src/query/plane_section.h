/* query/plane_section.h: the cross-section of a surface by a plane, around a point.

   Place in the path: proxy -> here -> body/limb_axis.
   Input: a view of triangles, closed or not.
   Output: of the curves in which the plane cuts the surface, the one around the point. */
#ifndef OSSAI_QUERY_PLANE_SECTION_H
#define OSSAI_QUERY_PLANE_SECTION_H

#include "mesh/view.h"

/* A mesh prepared for any number of sections, one after another. */
typedef struct ossai_sections {
	ossai_mesh_view mesh;
	uint32_t *order; /* F: the faces, so that those in one block are near each other */
	struct ossai_face_block *block;
	size_t block_count;
	uint64_t *marks; /* F bits: the faces that the plane cuts; all 0 between sections */
	/* F x 3: another face with the same side, in turn for sides of more than two faces; OSSA_NONE
	   at a border */
	uint32_t *across;
	double *height;         /* V: over the plane, of the vertices of blocks that it meets */
	uint32_t *set;          /* F: union-find over the faces that the plane cuts */
	uint32_t *cut;          /* F: these faces */
	struct ossai_loop *sum; /* F: what is summed for the curve of each set */
} ossai_sections;

typedef struct ossai_section {
	double radius;  /* of the circle of the same area; 0: the plane cuts nothing */
	bool is_around; /* false: no curve encloses the point, and this is the nearest one */
	/* the range of dot(side, p) over the curve */
	double least, most;
} ossai_section;

/* The view's arrays must outlive it. Arrays are the arena's.  Errors: OSSA_ERROR_MEMORY.
   Cost: near linear. */
ossa_status ossai_sections_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_sections *sections);

/* The section through `point` across the unit vector `normal`. Of curves around the point that
   with the smallest area. side: a direction in which its range is wanted.
   Cost: the blocks, and the faces of those that the plane meets. */
ossai_section ossai_section_at(ossai_sections *sections, ossai_vec3 point, ossai_vec3 normal, ossai_vec3 side);

#endif
