/* rig/slides.h: joints that slide along one axis and never turn.

   Place in the path: after motion, under posing, edits and export; hinge.h does the same for joints
   that turn about one axis.
   Input: a bone of kind prismatic, clips with translations.
   Output: how far it slides. */
#ifndef OSSAI_RIG_SLIDES_H
#define OSSAI_RIG_SLIDES_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

/* The axis in the parent's frame, unit; zero where the joint does not slide. */
ossai_vec3 ossai_slide_axis(const ossa_bone *bones, size_t bone);

/* How far it is along its axis from where it is at rest in a frame, mesh units; 0 where the clip
   has no translations. */
double ossai_slide_in(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone);

/* Puts it there. The clip has translations. */
void ossai_slide_put(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, double distance);

/* The least and the largest of that over all clips of the rig, 0 included. */
void ossai_slide_range(const ossa_rig *rig, size_t bone, double range[2]);

/* A distance within the limits of a bone; `past`: by how much it exceeded them. */
double ossai_slide_within_limits(const ossa_bone *bone, double distance, double *past);

/* Whether any bone slides. */
bool ossai_rig_slides(const ossa_skeleton *skeleton);

/* Gives bones that slide the motion of their joints in place of free motion: no turn, and along the
   axis the place that takes the center of their skin nearest to where it was, which is the least
   squares for rigid skin. Bones below keep their rotations in the world. The clip has translations.
   Errors: OSSA_ERROR_MEMORY. Cost: frames x bones, and vertices once. */
ossa_status ossai_slides_project(ossa_context *context, const ossa_rig *rig, ossa_clip *clip);

#endif
