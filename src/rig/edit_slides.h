/* rig/edit_slides.h: what edits of a motion do to a joint that slides.

   Place in the path: inside edit_motion.
   Input: an edit, the place of a joint in a frame.
   Output: another place, or why there is none. */
#ifndef OSSAI_RIG_EDIT_SLIDES_H
#define OSSAI_RIG_EDIT_SLIDES_H

#include "base/context.h"
#include <ossa/edit_motion.h>

/* Why an edit cannot be applied to the bone that it names: turns of a joint that slides, and slides
   of one that does not; NULL where it can. */
const char *ossai_slide_fault(const ossa_skeleton *skeleton, const ossa_motion_edit *edit);

/* Where the bone is along its axis after the share of an edit: held by SLIDE, at rest after a SET
   without a turn, scaled, clamped to its limits; other edits leave it. */
double ossai_slide_edited(const ossa_bone *bone, const ossa_motion_edit *edit, double distance, double share);

/* Whether floats, as of meshes and files, hold the places of all joints. */
bool ossai_clip_is_in_reach(const ossa_clip *clip);

#endif
