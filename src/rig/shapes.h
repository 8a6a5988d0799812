/* rig/shapes.h: corrective shapes: morph targets of a rig's mesh whose weights follow the turn of a
   bone (ossa/mesh.h, ossa_driver).

   Other targets move as the clip says (ossa_clip, morph_weights).

   Place in the path: a rig and a frame -> here -> pose.c, writers. */
#ifndef OSSAI_RIG_SHAPES_H
#define OSSAI_RIG_SHAPES_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

/* The rig's rest positions with the shapes of a frame, V x 3: those of the mesh itself where none
   moves, at rest (`clip` NULL), and for other weights than the rig's own, which no shape was made
   for. NULL with the error set: OSSA_ERROR_MEMORY. Ownership: the arena's, or the mesh's. */
const float *ossai_shapes_rest(
	ossai_arena *arena, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip, size_t frame);

/* The same into an array of the caller's, for callers that cannot allocate: V x 3. */
void ossai_shapes_apply(const ossa_rig *rig, const ossa_clip *clip, size_t frame, float *rest);

/* Whether ossai_shapes_rest gives other positions than the mesh's. */
bool ossai_shapes_move(const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip);

/* How many drivers follow a bone that the rig does not have. */
size_t ossai_shapes_lost(const ossa_rig *rig);

/* The angle of a bone in a frame that a driver with this axis follows, degrees. */
double ossai_driver_angle(const ossa_rig *rig, size_t bone, const double axis[3], const ossa_clip *clip, size_t frame);

/* The weight at an angle. */
double ossai_driver_weight(const ossa_driver *driver, double angle);

/* The weight of a morph target of the rig's mesh in a frame: see ossa_rig_shape_weight. */
double ossai_shape_weight(const ossa_rig *rig, size_t morph, const ossa_clip *clip, size_t frame);

/* Whether a target of the rig's mesh moves in a clip: it has a driver, or weights of its own. */
bool ossai_shape_moves(const ossa_rig *rig, size_t morph, const ossa_clip *clip);

/* Drivers follow bones that got other names: all of a skeleton, which was `before`; or one. */
void ossai_shapes_rename(ossa_rig *rig, const ossa_bone *before);
void ossai_shapes_rename_bone(ossa_rig *rig, const char *from, const char *to);

#endif
