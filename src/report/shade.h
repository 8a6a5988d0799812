/* report/shade.h: from triangles at samples to light in pixels: lamps, ambient occlusion, ground,
   the skeleton over it.

   Place in the path: pictures, after the rasteriser.
   Input: solids, cameras, samples.
   Output: linear light and coverage. */
#ifndef OSSAI_REPORT_SHADE_H
#define OSSAI_REPORT_SHADE_H

#include "report/camera.h"
#include "report/ground.h"
#include "report/solid.h"

/* A pixel of the surface before ambient occlusion is known; sums over its samples, divided by their
   number. */
typedef struct ossai_shaded {
	float lamp[3];   /* light that comes from lamps */
	float sky[3];    /* ambient light */
	float glow[3];   /* of the surface's own */
	float normal[3]; /* of the view: right, up, back; not unit */
	float distance;  /* along the view; 0 where nothing is visible */
	float coverage;
} ossai_shaded;

/* Light of a pixel, multiplied by its coverage. */
typedef struct ossai_pixel {
	float r, g, b, coverage;
} ossai_pixel;

/* One cell of the sheet while it is drawn. Arrays live in the arena it was made in. */
typedef struct ossai_canvas {
	ossai_raster raster;
	ossai_shaded *surface; /* width x height */
	float *openness;       /* of the sky at each pixel, rough and smoothed */
	float *open_smooth;
	ossai_pixel *pixels; /* the result */
} ossai_canvas;

/* Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_canvas_make(ossai_arena *arena, size_t width, size_t height, ossai_canvas *canvas);

/* The background light of a picture. */
extern const ossai_light ossai_background;

/* Draws a surface over the background (NULL: none) and the ground's shadow (NULL: none), redrawing
   the whole canvas. Errors: OSSA_ERROR_MEMORY.  Threads: the context's. */
ossa_status ossai_canvas_surface(ossa_context *context, ossai_canvas *canvas, const ossai_camera *camera, int up,
	const ossai_solid *solid, const ossai_light *background, const ossai_ground *ground);

/* Draws a solid over what is there as if the surface were glass: parts deep behind it fade.
   Errors: OSSA_ERROR_MEMORY.  Threads: the context's. */
ossa_status ossai_canvas_overlay(
	ossa_context *context, ossai_canvas *canvas, const ossai_camera *camera, int up, const ossai_solid *solid);

#endif
