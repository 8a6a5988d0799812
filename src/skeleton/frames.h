/* skeleton/frames.h: tails and axes of bones whose joints and weights are known.

   Place in the path: joints, tree -> here -> export. */
#ifndef OSSAI_SKELETON_FRAMES_H
#define OSSAI_SKELETON_FRAMES_H

#include "math/vec.h"

#include <ossa/rig.h>

/* Fills tail and orientation of every bone: the tail is the single child's joint, the mean of
   several, or for a leaf the farthest point of the patch of its largest weights, along the bone;
   local +Y runs from joint to tail, by the smallest rotation from the world's +Y. With
   `keep_leaves` leaves keep the tail that they have. A bone without length gets a short tail along
   its parent's direction. */
void ossai_skeleton_frames(ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, bool keep_leaves);

/* Puts the ends of a bone; where `turns` its axes turn with it, by the smallest rotation, so that
   they keep their meaning. */
void ossai_bone_stand(ossai_vec3 joint, ossai_vec3 tail, bool turns, ossa_bone *bone);

#endif
