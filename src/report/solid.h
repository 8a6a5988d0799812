/* report/solid.h: coloured triangles to be drawn.

   Place in the path: pictures, between what is shown and how it is drawn. */
#ifndef OSSAI_REPORT_SOLID_H
#define OSSAI_REPORT_SOLID_H

#include "report/looks.h"

typedef struct ossai_solid {
	size_t vertex_count;
	/* V x 3, unit space: the rest shape's center is the origin, its diagonal is 1 */
	float *positions;
	float *normals;      /* V x 3, unit or zero */
	ossai_light *colors; /* V */
	/* T, in place of those of the vertices; or NULL */
	ossai_light *face_colors;
	/* in place of all colours, or NULL: of the mesh whose triangles these are */
	const ossai_looks *looks;
	size_t triangle_count;
	uint32_t *triangles; /* T x 3 */
	size_t lit_count;    /* triangles from here on are drawn in their flat colour */
} ossai_solid;

#endif
