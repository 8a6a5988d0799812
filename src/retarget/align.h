/* retarget/align.h: how the bones of one body turn from their own rest pose to another body's.

   Place in the path: two actors -> here -> turns of the target's bones.
   Input: joints at rest, roles.
   Output: a rotation for each bone of the target.

   One body may rest with its arms out and the other with its arms down. A limb of the target first
   takes the direction that it has in the source's rest pose, and then turns as the source does, so
   that its directions are the source's in every frame. The rotations are the smallest ones, from
   the trunk outward, each on top of its parent's: no limb twists, and the way back is the inverse.

   Trunk, hands and feet point elsewhere in different bodies that stand alike: joints lie nearer to
   the back, soles are thicker. So their difference is a posture only as far as it is larger than
   bodies differ: by the posterior of "rests in another posture" against "is built otherwise". */
#ifndef OSSAI_RETARGET_ALIGN_H
#define OSSAI_RETARGET_ALIGN_H

#include "retarget/actor.h"

/* Fills align (B of the target) with rotations in the target's axes: rotation by align[b] from the
   target's rest, then the source's turn since its own rest, is the turn of bone b. */
void ossai_align_rests(const ossai_actor *target, const ossai_actor *source, ossai_quat *align);

/* A vector of the source's axes in those of the target: left to left, up to up. */
ossai_vec3 ossai_carry_vector(const ossai_actor *target, const ossai_actor *source, ossai_vec3 v);
ossai_quat ossai_carry_turn(const ossai_actor *target, const ossai_actor *source, ossai_quat turn);

#endif
