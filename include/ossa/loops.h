/* ossa/loops.h: loops of a rig: how far they are open in a pose, and closing them again. */
#ifndef OSSA_LOOPS_H
#define OSSA_LOOPS_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The distance between the two points to which the bones of a loop take its center in a frame of
   `clip` (NULL: the rig's), in the mesh's units; 0 at rest, and where there is no such loop, frame
   or motion. Cost: the depth of the bones. */
OSSA_API double ossa_rig_loop_gap(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t loop);

/* What closing left. A loop is open in a frame where its gap is more than a millionth of the
   lengths of its bones. */
typedef struct ossa_loop_facts {
	size_t closed_count; /* loops in frames that were closed */
	size_t open_count;   /* loops in frames that stay open */
	double widest;       /* of these, in the mesh's units */
	size_t widest_loop, widest_frame;
} ossa_loop_facts;

/* Closes the rig's loops in the frames of `clip`, a motion of its bones, where a joint of them
   turned against `before`, the motion of as many frames that was edited: other joints of the loop
   turn, by as little as it needs (least squares), about the axes that they turn about and within
   their limits; dependent bones turn with their drivers. A gap that the loop had in `before` it
   keeps. A hinge is within its limits where it would be after any number of full circles. The
   joints turn from `before` on in small steps, so that a linkage stays assembled as it
   is. `before` NULL: every loop is closed in every frame, from the pose that is there.
   posed: F x B, not 0: the joint stays as `clip` has it in that frame; NULL: none does. Joints that
   are welded, and roots of bodies, never turn. The same input gives the same bytes.
   Errors: OSSA_ERROR_ARGUMENT (a motion of other bones or of another number of frames),
   OSSA_ERROR_MEMORY; the motion is then half edited.
   Cost: for each step of 5 degrees some rounds, linear in bones. */
OSSA_API ossa_status ossa_rig_close_loops(ossa_context *context, const ossa_rig *rig, const ossa_clip *before,
	const uint8_t *posed, ossa_clip *clip, ossa_loop_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
