/* samples/skin.h: the skin of a creature's flesh: a closed 2-manifold of well-shaped triangles, as
   many as asked for.

   Place in the path: field (flesh.c) -> skin -> rest mesh, and the flesh at each vertex for its
   weights. */
#ifndef OSSA_SAMPLES_SKIN_H
#define OSSA_SAMPLES_SKIN_H

#include "samples/flesh.h"

enum { SKIN_INFLUENCES = 4 };

typedef struct ossai_skin {
	size_t vertex_count, triangle_count;
	float *positions;    /* V x 3 */
	uint32_t *triangles; /* T x 3 */
	/* V x SKIN_INFLUENCES, the heaviest first; unused slots are bone 0, weight 0 */
	uint16_t *bones;
	float *values; /* V x SKIN_INFLUENCES, sum 1 */
} ossai_skin;

/* Makes the skin with about `faces` triangles (within a few percent). The arrays are the context's.
   Cost: linear in faces. */
ossa_status ossai_skin_build(ossa_context *context, const ossai_creature *creature, int faces, ossai_skin *skin);
void ossai_skin_free(ossa_context *context, ossai_skin *skin);

#endif
