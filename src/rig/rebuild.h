/* rig/rebuild.h: the same rig with other bones above or below its own.

   Place in the path: a rig -> here -> methods/moving_body. */
#ifndef OSSAI_RIG_REBUILD_H
#define OSSAI_RIG_REBUILD_H

#include "base/context.h"
#include <ossa/rig.h>

/* Bones in place of a rig's. */
typedef struct ossai_rebuilt {
	size_t count;
	ossa_bone *bone;  /* count: parents first; ossai_rig_rebuild finds tails and orientations */
	uint32_t *source; /* count: the rig's bone that it moves as; the first one has its weights */
	bool keep_tails;  /* bones without children keep the tails that they have */
	bool moves;       /* joints may move against their parents: clips have translations */
} ossai_rebuilt;

/* Gives the rig these bones: nothing that it moves moves differently. Bones that it has already
   keep their weights and loops, the others have none; those that are left out must have had
   neither. It has no levels or limits of joints, and
   loses its dependencies (warning "dependencies-dropped").
   Errors: OSSA_ERROR_MEMORY; the rig is then as it was. Cost: frames x bones. */
ossa_status ossai_rig_rebuild(ossa_context *context, const ossai_rebuilt *to, ossa_rig *rig);

/* Makes `root` the root of the tree; joints stay, but for the root's, which is put at `joint`.
   numbered bones get the numbers of their new order. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_rig_reroot(ossa_context *context, uint32_t root, const double joint[3], ossa_rig *rig);

/* A clip of the rig for the bones of `to`: each moves as its source. The rig stays as it is.
   Ownership: ossa_clip_free. */
ossa_status ossai_rig_rebuild_clip(
	ossa_context *context, const ossa_rig *rig, const ossai_rebuilt *to, const ossa_clip *old, ossa_clip **clip);

#endif
