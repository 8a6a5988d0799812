/* methods/reference.h: which shape of a motion is the rest pose.

   Place in the path: rest mesh, key frames -> here -> the methods for moving input. */
#ifndef OSSAI_METHODS_REFERENCE_H
#define OSSAI_METHODS_REFERENCE_H

#include "base/context.h"

#include <ossa/frames.h>
#include <ossa/mesh.h>

/* The medoid of the shapes: the one with the smallest sum of squared vertex distances from all
   others, each pair aligned rigidly. The error of linear blend skinning grows with the distance of
   a pose from the rest pose. frames: with as many vertices as the mesh. chosen: 0 the mesh, else a
   frame, from 1. If shapes are equal it is the first, the mesh before the frames.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Cost: frames^2 x vertices. */
ossa_status ossai_reference_choose(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, size_t *chosen);

#endif
