/* methods/rest_rig.h: the rig that the rest shape alone has: what it says about the bones of a rig
   from motion.

   Place in the path: contraction -> here -> moving_plan, name_bones, moving_body, complete.
   The motion shows which skin moves together, and the shape what body that is. */
#ifndef OSSAI_METHODS_REST_RIG_H
#define OSSAI_METHODS_REST_RIG_H

#include "base/context.h"
#include "proxy/mirror.h"
#include "skeleton/naming/shared_skin.h"
#include <ossa/landmarks.h>
#include <ossa/rig.h>

/* What a person says about the body of the rest shape. */
typedef struct ossai_rest_wish {
	ossa_body_kind body;             /* as in ossa_contraction_options */
	const ossa_landmarks *landmarks; /* likewise; NULL: none */
	bool leaves_props_out;           /* likewise `props` */
	bool warns;                      /* of a doubtful body or front */
} ossai_rest_wish;

/* Rigs the mesh by contraction. *rest is NULL where the mesh has no such rig.
   Warnings: "body-doubtful", "front-doubtful" where they are wanted; no other one of contraction.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED; of a body that is named, and of landmarks,
   OSSA_ERROR_INPUT (the shape is none, or another one, or has no such points), OSSA_ERROR_ARGUMENT
   (landmarks of a body that is not human).  Ownership: ossa_rig_free. */
ossa_status ossai_rest_rig_make(ossa_context *context, const ossa_mesh *mesh, const ossai_rest_wish *wish, ossa_rig **rest);

/* The same beside what the caller does: begun, and waited for. `mesh` and what `wish` points to
   stay as they are until then. */
typedef struct ossai_rest_task ossai_rest_task;
ossa_status ossai_rest_rig_begin(
	ossa_context *context, const ossa_mesh *mesh, const ossai_rest_wish *wish, ossai_rest_task **result);
ossa_status ossai_rest_rig_end(ossa_context *context, ossai_rest_task *task, ossa_rig **rest);
/* Stops it. NULL is allowed. */
void ossai_rest_rig_drop(ossa_context *context, ossai_rest_task *task);

/* Brings the rig of a mesh in another order to the mesh's: place: V, which vertex of it each is.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_rest_rig_reorder(ossa_context *context, const ossa_mesh *mesh, const uint32_t *place, ossa_rig *rest);

/* Makes joints and weights of both sides mirror images of each other, in the mesh's units, by their
   means. counterpart: V: the vertex on the other side; OSSA_NONE: there is none. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_rest_rig_mirror(
	ossa_context *context, const ossai_mirror *plane, const uint32_t *counterpart, ossa_rig *rest);

/* Adds the doubts about the body among warnings that were saved. */
void ossai_rest_rig_take_doubts(ossa_context *context, const ossai_warnings *saved);

/* Whether its bones are those of a body plan. */
bool ossai_rest_rig_has_plan(const ossa_rig *rest);

/* Whether they are a human's without doubt: nothing else is nearly as likely, or it was named. */
bool ossai_rest_rig_is_human(const ossa_rig *rest, const ossai_rest_wish *wish);

/* Names the bones of a rig of the same mesh after those of the rest shape's, and gives them their
   roles and the rig the body; does nothing where the rest shape is no body. root: the bone that is
   the root of the body; OSSA_NONE where it is not known.  Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_rest_rig_name(ossa_context *context, const ossa_rig *rest, ossa_rig *rig, uint32_t *root);

/* The same for a rest shape that is a body, by the skin that both rigs share, which is found, too.
   Arrays are the arena's. */
ossa_status ossai_rest_rig_name_by_skin(
	ossai_arena *arena, const ossa_rig *rest, ossa_rig *rig, ossai_shared_skin *skin, uint32_t *root);

#endif
