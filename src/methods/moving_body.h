/* methods/moving_body.h: the body of a rig from motion: names and roles of its bones, its root, and
   bones that the motion is silent about.

   Place in the path: examples, sequence -> here -> make_moving. */
#ifndef OSSAI_METHODS_MOVING_BODY_H
#define OSSAI_METHODS_MOVING_BODY_H

#include "base/context.h"
#include "methods/rest_rig.h"
#include "proxy/mirror.h"
#include <ossa/method.h>

/* What is asked about the body of a rig from motion. */
typedef struct ossai_moving_wish {
	bool is_published;     /* by default the root is the paper's */
	bool is_planned;       /* bones have names, and the hips are the root */
	const char *root_bone; /* as in ossa_rig_options */
	ossa_bone_names names;
	/* of a symmetric rig, in the mesh's units: its root is a central bone and begins there */
	ossai_mirror plane;
	/* the rig of the rest shape, begun; NULL: a draft has made it, or no body is asked for */
	ossai_rest_task *rest_task;
} ossai_moving_wish;

/* Names the bones by the body that the rest shape is, and makes its hips the root, or the bone that
   is asked for. *rest: the rig of the rest shape, or NULL.
   Warnings: "body-doubtful", "front-doubtful", as of one mesh.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED, OSSA_ERROR_ARGUMENT (there is no bone of that
   name; landmarks of a body that is not human), OSSA_ERROR_INPUT (the shape is not the body that is
   named, or has no such landmarks).
   Ownership of *rest: ossa_rig_free, also after an error; rest_task is ended. */
ossa_status ossai_moving_take_body(ossa_context *context, const ossai_moving_wish *wish, ossa_rig *rig, ossa_rig **rest);

/* Adds the bones of the rest shape's body plan whose parts the rig lacks. They stay still against
   the bone that they are added to and take over a part of its weights, so that nothing moves
   differently. source: receives the bone that each bone of the rig was or follows, ossa_free.
   Errors: OSSA_ERROR_MEMORY; the rig is then as it was. */
ossa_status ossai_moving_complete(ossa_context *context, const ossa_rig *rest, ossa_rig *rig, uint32_t **source);

#endif
