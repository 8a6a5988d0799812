/* skeleton/from_motion/mirrored_graph.h: a bone graph that is the same on both sides of a plane.

   Place in the path: bone graph, symmetry -> here -> joints, tree.
   Input: the graph of symmetric weights, which differs where triangles do.
   Output: the same, with the mirror image of every pair. */
#ifndef OSSAI_SKELETON_FROM_MOTION_MIRRORED_GRAPH_H
#define OSSAI_SKELETON_FROM_MOTION_MIRRORED_GRAPH_H

#include "skeleton/from_motion/joints.h"
#include "weights/symmetry.h"

/* Adds the mirror images of pairs, and pairs of central bones that do not meet: these count as
   neither blending nor touching, and connect central bones that only bones of the two sides
   connect. A pair and its image get the mean of what both have. */
ossa_status ossai_bone_graph_mirror(ossai_arena *arena, const ossai_symmetry *s, ossai_bone_graph *graph);

/* The index of a pair of bones, in either order; OSSA_NONE. */
uint32_t ossai_bone_graph_find(const ossai_bone_graph *graph, uint32_t a, uint32_t b);

/* Of joints that were fitted to poses and mirrored poses (ossai_mirrored_motion): removes the
   rounding from their symmetry. */
void ossai_pair_joints_mirror(const ossai_symmetry *s, const ossai_bone_graph *graph, ossai_joint *joint_of_pair);

#endif
