/* report/shade_job.h: what the passes over the pixels of a surface share. */
#ifndef OSSAI_REPORT_SHADE_JOB_H
#define OSSAI_REPORT_SHADE_JOB_H

#include "report/shade.h"

enum {
	OSSAI_TAPS = 20,        /* samples around a pixel */
	OSSAI_TAP_PATTERNS = 16 /* rotated copies of the taps, one for each pixel of a 4 x 4 tile */
};

typedef struct ossai_shade_job {
	ossai_canvas *canvas;
	const ossai_raster *raster; /* what is shaded: the canvas's, or a layer of veils */
	bool of_veils;
	ossai_pixel *veils; /* what lies before the surface, or NULL */
	const ossai_camera *camera;
	const ossai_solid *solid;
	const ossai_raster_point *points;
	ossai_vec3 eye, world_up;
	ossai_vec3 key, fill; /* lamps in unit space */
	double inverse_scale; /* of the camera */
	const ossai_light *background;
	const ossai_ground *ground;
	const int32_t (*taps)[OSSAI_TAPS][2]; /* offsets in 1/1024 of the radius on the screen */
} ossai_shade_job;

/* A pixel of the job's raster: each triangle once, at the center of the samples that it owns. */
ossai_shaded ossai_shade_pixel(const ossai_shade_job *job, size_t x, size_t y);

/* The light of a pixel whose sums are divided by its coverage (`inverse`), where `open` of the sky
   is seen. */
void ossai_shaded_light(const ossai_shaded *part, double open, double inverse, double light[3]);

/* ---- ambient occlusion (ambient.c) ---- */

void ossai_ambient_taps(int32_t taps[OSSAI_TAP_PATTERNS][OSSAI_TAPS][2]);

/* Fill openness, then open_smooth of the rows from `begin` to `end`; `arg`: an ossai_shade_job. */
void ossai_ambient_open(void *arg, size_t begin, size_t end);
void ossai_ambient_smooth(void *arg, size_t begin, size_t end);

#endif
