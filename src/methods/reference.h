/* methods/reference.h: which shape of a motion is the rest pose.

   Place in the path: rest mesh, key frames -> here -> the recipes for moving input. */
#ifndef OSSAI_METHODS_REFERENCE_H
#define OSSAI_METHODS_REFERENCE_H

#include "base/context.h"

#include <ossa/frames.h>
#include <ossa/mesh.h>

/* The medoid of the shapes: the one from which all others are least far, as the sum of squared distances of vertices, each pair of
   shapes moved rigidly onto each other. Linear blend skinning errs more the farther a pose is from the rest. chosen: 0 the mesh, else
   a frame, from 1. frames: of as many vertices. Of equal shapes the first, the mesh before the frames.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Cost: frames^2 x vertices. */
ossa_status ossai_reference_choose(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, size_t *chosen);

#endif
