/* import/orient.h: turning and scaling what comes from files that say nothing of their axes and
   units. */
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

/* As the options say; what they leave open is Y up and metres, which changes no bit. */
ossai_orientation ossai_orientation_of(const ossa_read_options *options);

/* Turns and scales `count` points in place.
   Errors: OSSA_ERROR_ARGUMENT naming `path` where the unit makes one too large for a float. */
ossa_status ossai_orient_points(
	ossa_context *context, ossai_orientation orientation, const char *path, size_t count, float *points);

/* The same for a mesh: positions, and normals without the scale. */
ossa_status ossai_orient_mesh(ossa_context *context, ossai_orientation orientation, const char *path, ossa_mesh *mesh);

/* How `points` seem to be turned against `rest`, both of `count` vertices: OSSA_UP_Z where they fit
   it a hundred times better once they are turned from Z up to Y up, OSSA_UP_Y where the other way
   round, OSSA_UP_FILE where neither. Their place does not count. */
ossa_up ossai_orientation_seems(size_t count, const float *rest, const float *points);

#endif
