/* report/camera.h: the camera of a picture: all frames and views fit and are framed alike.

   Place in the path: between the posed surface and the rasteriser.
   Input: directions, points.
   Output: cameras. Points are in unit space: the rest shape's center is the origin and its diagonal
   is 1. */
#ifndef OSSAI_REPORT_CAMERA_H
#define OSSAI_REPORT_CAMERA_H

#include "math/vec.h"
#include "report/raster.h"

/* The part of a cell that the shape may fill, in pixels. */
typedef struct ossai_window {
	double left, top, right, bottom;
} ossai_window;

/* What must be visible from one direction: each reach is the largest value over the points of one
   side's distance to the pyramid of view through the origin. */
typedef struct ossai_framing {
	ossai_vec3 right, up, back;  /* of the camera; it looks along -back */
	double tangent_x, tangent_y; /* half openings of the window */
	double right_reach, left_reach, up_reach, down_reach;
	double nearest; /* largest along back */
	size_t point_count;
} ossai_framing;

typedef struct ossai_camera {
	ossai_vec3 right, up, back;
	double x, y, distance;     /* of the eye along right, up, back */
	double scale;              /* pixels for a tangent of 1 */
	double middle_x, middle_y; /* the pixel that the axis meets */
} ossai_camera;

/* cos and sin of a number of full turns, rounded far above the last bits in which C libraries
   differ. */
void ossai_turn(double turns, double *cosine, double *sine);

/* A direction: degrees about the axis `up` (0 X, 1 Y, 2 Z) from the front, and above the
   horizon. */
ossai_framing ossai_framing_begin(const ossai_window *window, double azimuth, double elevation, int up);

/* Adds points: count x 3, unit space. */
void ossai_framing_add(ossai_framing *framing, size_t count, const float *points);

/* The cameras of all directions: one distance and one height for all, the smallest that fits all
   points. */
void ossai_framing_cameras(const ossai_framing *framings, size_t count, const ossai_window *window, ossai_camera *cameras);

/* Projects points (count x 3, unit space) for the rasteriser. Threads: the context's. */
void ossai_camera_project(
	ossa_context *context, const ossai_camera *camera, size_t count, const float *points, ossai_raster_point *projected);

/* The eye in unit space. */
ossai_vec3 ossai_camera_eye(const ossai_camera *camera);

#endif
