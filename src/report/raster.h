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

/* What is drawn of which triangles; zeroed: all of all. The front is where they run
   counter-clockwise as seen. */
typedef struct ossai_raster_rules {
	bool front_only; /* of all triangles */
	/* T, bits; or NULL: of a triangle that has one of `front_kinds` the front, of one that has one
	   of `tested_kinds` the samples that `shows` takes. With `only_kinds` triangles that have none
	   of these are not drawn. */
	const uint8_t *kinds;
	uint8_t front_kinds, tested_kinds, only_kinds;
	bool (*shows)(const void *arg, uint32_t triangle, double x, double y);
	const void *arg;
	/* images of the same size, or NULL: what is nearer than all of the first, and what the second
	   hides, in the order of nearness and index */
	const ossai_raster *before, *behind;
} ossai_raster_rules;

/* Clears the image and draws triangles over `points`; rules: NULL is all of all. At equal nearness
   the triangle of smaller index stays. Errors: OSSA_ERROR_MEMORY.  Threads: the context's. */
ossa_status ossai_raster_draw(ossa_context *context, ossai_raster *raster, const ossai_raster_point *points,
	size_t triangle_count, const uint32_t *triangles, const ossai_raster_rules *rules);

#endif
