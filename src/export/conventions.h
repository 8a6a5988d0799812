/* export/conventions.h: converts the caller's values to the axes, units and joint frames that the
   options ask for.

   Place in the path: between the registry in write.c and the writers. */
#ifndef OSSAI_EXPORT_CONVENTIONS_H
#define OSSAI_EXPORT_CONVENTIONS_H

#include "base/context.h"
#include <ossa/write.h>

/* What to write. The pointers lead to the caller's own values where nothing changes (the defaults),
   else to copies of what does. Not to be moved: `rig` and `mesh` may point into it. */
typedef struct ossai_prepared {
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const float *positions; /* in place of the mesh's own, or NULL */
	const ossa_frames *frames;
	/* the changed values, with shallow copies of the rest */
	ossai_arena arena;
	ossa_rig own_rig;
	ossa_mesh own_mesh;
	ossa_frames own_frames;
} ossai_prepared;

/* Each fills `prepared` from valid values; always end it. `free_bones` picks the motion and weights
   of the free bones. Errors: OSSA_ERROR_ARGUMENT (no free bones), OSSA_ERROR_LIMIT (too large for
   floats in this unit), OSSA_ERROR_MEMORY. */
ossa_status ossai_prepare_rig(
	ossa_context *context, const ossa_rig *rig, const ossa_write_options *options, ossai_prepared *prepared);
ossa_status ossai_prepare_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions,
	const ossa_write_options *options, ossai_prepared *prepared);
/* `mesh` may be NULL */
ossa_status ossai_prepare_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_write_options *options, ossai_prepared *prepared);

/* Gives the bones that are written limits of the motion, where the caller's `rig` has none
   (learn_limits.c). The root is free. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_learn_limits(ossai_prepared *prepared, const ossa_rig *rig, double slack);

void ossai_prepared_end(ossai_prepared *prepared);

#endif
