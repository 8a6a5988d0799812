/* import/orient.h: rotates and scales positions from files without axes and units. */
#ifndef OSSAI_IMPORT_ORIENT_H
#define OSSAI_IMPORT_ORIENT_H

#include "base/context.h"
#include <ossa/mesh.h>
#include <ossa/read.h>

/* What is done to every point: turned from Z up to Y up, (x, y, z) -> (x, z, -y), then scaled to
   metres. */
typedef struct ossai_orientation {
	bool turns;
	double unit; /* metres of one unit */
} ossai_orientation;

/* By the options; by default Y up and metres, which changes no bit. */
ossai_orientation ossai_orientation_of(const ossa_read_options *options);

/* Turns and scales `count` points in place.
   Errors: OSSA_ERROR_ARGUMENT naming `path` where the unit makes one too large for a float. */
ossa_status ossai_orient_points(
	ossa_context *context, ossai_orientation orientation, const char *path, size_t count, float *points);

/* The same for a mesh: positions, and normals without the scale. */
ossa_status ossai_orient_mesh(ossa_context *context, ossai_orientation orientation, const char *path, ossa_mesh *mesh);

/* The likely orientation of `points` relative to `rest`, both of `count` vertices: OSSA_UP_Z if
   they fit it a hundred times better once rotated from Z up to Y up, OSSA_UP_Y for the opposite
   rotation, OSSA_UP_FILE for neither. Translation is ignored. */
ossa_up ossai_orientation_seems(size_t count, const float *rest, const float *points);

#endif
