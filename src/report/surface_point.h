/* report/surface_point.h: what is seen of a solid at a point of the image.

   Place in the path: pictures, between the rasteriser and the light.
   Input: a triangle, a point of the image.
   Output: place, normal, colour. */
#ifndef OSSAI_REPORT_SURFACE_POINT_H
#define OSSAI_REPORT_SURFACE_POINT_H

#include "report/shade_job.h"

typedef struct ossai_surface_point {
	ossai_vec3 position, normal;
	double color[3], emission[3];
	double alpha;
	double distance; /* along the view */
} ossai_surface_point;

/* x, y: in coordinates of the rasteriser. */
ossai_surface_point ossai_surface_point_at(const ossai_shade_job *job, uint32_t triangle, double x, double y);

/* Whether a triangle with holes, or one that may be transparent, has a sample; `job`: an
   ossai_shade_job. What lets nothing through is of the surface, what lets some light through of the
   veils (`of_veils`). */
bool ossai_surface_shows(const void *job, uint32_t triangle, double x, double y);

#endif
