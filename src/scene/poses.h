/* scene/poses.h: whether a pose belongs to a rest mesh, and the order of numbered files. */
#ifndef OSSAI_SCENE_POSES_H
#define OSSAI_SCENE_POSES_H

#include "base/context.h"
#include <ossa/mesh.h>

/* Checks that `pose` has the vertex count of `rest` and, where `compare_faces`, the same set of
   polygons: in any order, each beginning at any of its corners. Errors: OSSA_ERROR_INPUT naming
   `path`, both counts or the first face that differs. Cost: linear in corners. */
ossa_status ossai_pose_check(
	ossa_context *context, const ossa_mesh *rest, const ossa_mesh *pose, const char *path, bool compare_faces);

/* Whether the positions can be a pose of `rest` vertex by vertex. In another order of the vertices
   most edges become long, as no shape that bends, folds or grows has it. Cost: linear in
   triangles. */
bool ossai_pose_is_in_order(const ossa_mesh *rest, const float *positions);

/* Compares names as people count: digits by their value ("pose-2" before "pose-10"); equal names by
   bytes. <0, 0, >0. */
int ossai_natural_compare(const char *a, const char *b);

/* The natural order of `count` paths: order[0] is the index of the first. Equal paths keep their
   order. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_natural_order(ossa_context *context, size_t count, const char *const *paths, size_t *order);

#endif
