/* retarget/repose.h: a rig in another rest pose.

   Place in the path: how every bone moves -> here -> a rig for editing or writing.
   Input: a rig, a rigid motion for every bone.
   Output: skeleton and mesh at rest after these motions. */
#ifndef OSSAI_RETARGET_REPOSE_H
#define OSSAI_RETARGET_REPOSE_H

#include "base/context.h"
#include "math/vec.h"
#include "rig/pose_dual.h"

#include <ossa/rig.h>

/* A rig whose bones, loops, dependencies, positions and normals are its own, in an arena; all else is the rig's
   that it was made of. */
typedef struct ossai_reposed {
	ossa_rig rig; /* its mesh is the one below */
	ossa_mesh mesh;
	int64_t folds; /* triangles that turned over or lost their area */
	int64_t near;  /* joints whose limits, which someone set, became approximate */
} ossai_reposed;

/* Moves every bone at rest with its part of the mesh: vertices by dual quaternions, which preserve
   the volume, and whose blend of inverse motions is the inverse of the blend, so that going back
   restores every vertex. Frames of joints turn with their bones, so clips move the joints as
   before; where a bone is at another place in its parent's frame, clips without translations get
   the old ones. `modelled` becomes the way back through this motion. move: B.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_repose(ossai_arena *arena, const ossa_rig *rig, const ossai_rigid *move, ossai_reposed **posed);

/* The diagonal of the box around the joints. */
double ossai_skeleton_size(const ossa_skeleton *skeleton);

/* The motions as dual quaternions; NULL with the error set. */
ossai_dual_quat *ossai_duals_of(ossai_arena *arena, const ossai_rigid *move, size_t count);

/* ---- its parts ---- */

/* The mesh's normals, rotated as their vertices: one that vertices of different rotations use
   becomes several. duals: B; mesh receives them. */
ossa_status ossai_repose_normals(ossai_arena *arena, const ossa_rig *rig, const ossai_dual_quat *duals, ossa_mesh *mesh);

/* Its morph targets, rotated as their vertices, without drivers. */
ossa_status ossai_repose_morphs(ossai_arena *arena, const ossa_rig *rig, const ossai_dual_quat *duals, ossa_mesh *mesh);

/* Offsets and axes of dependent bones against the new rest pose: the same poses as before. Those
   whose driver twists and rests turned about another axis than its own are left out. move: B. */
void ossai_repose_dependencies(const ossa_rig *before, const ossai_rigid *move, ossa_rig *after);

/* Limits and turns of the motion against the new rest pose. Returns how many joints have limits
   that became approximate. */
int64_t ossai_repose_limits(const ossa_rig *before, ossa_rig *after);

/* How many triangles face another way, by more than a right angle, than their corners' blends
   rotate them, or lost their area. */
int64_t ossai_count_folds(const ossa_rig *before, const ossai_dual_quat *duals, const ossa_mesh *after);

#endif
