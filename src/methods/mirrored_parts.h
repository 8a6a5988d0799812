/* methods/mirrored_parts.h: parts of a surface that are the same on both sides of its plane.

   Place in the path: parts of a draft, counterparts -> here -> moving_symmetry.
   Input: a part for each face, and for each vertex the one that stands for its mirror counterpart.
   Output: a part for each vertex, and for each part its mirror image.

   The parts and their mirror images cut the surface together: a boundary that only the motion of
   one side shows is one of both. What they leave is merged as in parts/face_clusters.h: the pair of
   neighbours whose union adds the least error for each part less, on both sides at once, until so
   many are left. A part that merges with its own image is a central one. */
#ifndef OSSAI_METHODS_MIRRORED_PARTS_H
#define OSSAI_METHODS_MIRRORED_PARTS_H

#include "surface/posed_surface.h"

typedef struct ossai_mirrored_parts {
	size_t count;        /* P */
	uint32_t *of_vertex; /* V; OSSA_NONE where no face uses it */
	uint32_t *image;     /* P: itself: central; OSSA_NONE: of vertices without counterparts */
} ossai_mirrored_parts;

/* region: V; OSSA_NONE without a counterpart. At most `most` parts where merging can reach that,
   at least one of them central. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_mirrored_parts_make(ossai_arena *arena, const ossai_posed_surface *surface, size_t part_count,
	const uint32_t *part_of_face, const uint32_t *region, size_t most, ossai_mirrored_parts *parts);

#endif
