/* ossa/dependencies.h: dependent bones: hinges that turn as other joints do: as hinges, or by the
   twist of balls and universal joints. Edits of a motion (ossa/edit_motion.h) and inverse
   kinematics (ossa/ik.h) turn them by `ratio` times what they turn their drivers. */
#ifndef OSSA_DEPENDENCIES_H
#define OSSA_DEPENDENCIES_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the dependent bones of a rig by all its motions, in place of those that it has: hinges
   whose angle is a linear function of another hinge's, or of the twist of a ball or universal joint
   about the hinge's axis, as far as the angles are sure (ossa_bone.turn_deviation), in so many
   independent poses that chance does not explain it. Of two hinges the driver is the one nearer to
   the root; other joints drive from anywhere. ossa_rig_make does this with what it makes. A rig
   without motion, or with one independent pose, has none.
   Errors: OSSA_ERROR_INPUT (the rig is not whole), OSSA_ERROR_MEMORY; the rig is then as it was.
   Cost: linear in frames, in hinges and in joints. */
OSSA_API ossa_status ossa_rig_find_dependencies(ossa_context *context, ossa_rig *rig);

/* Gives a rig these dependent bones in place of those that it has; it copies them.
   Errors: OSSA_ERROR_INPUT naming what is none: a bone that is no hinge or not there, one that
   drives itself or has two drivers, a driver that is driven, that is the root, or whose kind is not
   what `driver_axis` asks for, an axis that is neither 0 nor a unit vector, a ratio of 0, a number
   that is not finite, a ratio or an offset beyond 1e6; OSSA_ERROR_MEMORY. The rig is then as it
   was. */
OSSA_API ossa_status ossa_rig_set_dependencies(
	ossa_context *context, ossa_rig *rig, size_t count, const ossa_dependency *dependencies);

/* The index of the dependency that drives a bone, or -1. */
OSSA_API int32_t ossa_rig_dependency_of(const ossa_rig *rig, size_t bone);

#ifdef __cplusplus
}
#endif
#endif
