/* report/raster.h: which triangle is seen at each sample of an image.

   Place in the path: pictures.
   Input: projected points, triangles.
   Output: per sample the nearest triangle and its nearness. Coordinates are whole 1/256 pixels, so
   an edge shared by two triangles gives each sample to exactly one of them. */
#ifndef OSSAI_REPORT_RASTER_H
#define OSSAI_REPORT_RASTER_H

#include "base/context.h"

enum {
	/* a pixel: each on a row and a column of its own, for eight grey levels on any edge */
	OSSAI_RASTER_SAMPLES = 8,
	OSSAI_RASTER_PIXEL = 256, /* coordinates in a pixel */
	OSSAI_RASTER_SIDE_MAX = 4096
};

/* A sample's offset from the pixel's center, in coordinates. */
extern const int8_t ossai_raster_sample_x[OSSAI_RASTER_SAMPLES];
extern const int8_t ossai_raster_sample_y[OSSAI_RASTER_SAMPLES];

/* A projected point: from the upper left corner, y down; `nearness` is linear over the image,
   larger in front, > 0. */
typedef struct ossai_raster_point {
	int32_t x, y;
	float nearness;
} ossai_raster_point;

/* A point from pixels; far outside the image it is clamped to the range of the edge functions. */
ossai_raster_point ossai_raster_point_of(double x, double y, double nearness);

/* An image's samples: [(row * width + column) * OSSAI_RASTER_SAMPLES + sample]. */
typedef struct ossai_raster {
	size_t width, height;
	float *nearness; /* 0 where nothing is visible */
	uint32_t *owner; /* triangle, or OSSA_NONE */
} ossai_raster;

/* Makes an image in `arena`. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_raster_make(ossai_arena *arena, size_t width, size_t height, ossai_raster *raster);

/* Clears the image and draws triangles over `points`, both sides of them or only those that run
   counter-clockwise as seen. At equal nearness the triangle of smaller index stays. Errors:
   OSSA_ERROR_MEMORY.  Threads: the context's. */
ossa_status ossai_raster_draw(ossa_context *context, ossai_raster *raster, const ossai_raster_point *points,
	size_t triangle_count, const uint32_t *triangles, bool front_only);

#endif
