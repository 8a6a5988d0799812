/* ossa/shape.h: a rig of one mesh that does not move, by the method that suits it. */
#ifndef OSSA_SHAPE_H
#define OSSA_SHAPE_H

#include <ossa/animation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which method made a rig of a shape, and why. */
typedef struct ossa_shape_choice {
	ossa_method method; /* OSSA_METHOD_CONTRACTION or OSSA_METHOD_VOLUME */
	char reason[200];   /* "" where it was asked for */
} ossa_shape_choice;

/* Makes a rig of `mesh` by `method`: OSSA_METHOD_CONTRACTION, OSSA_METHOD_VOLUME, or OSSA_METHOD_AUTO: contraction; where that fails, or
   leaves more than 5 % of its bones' length outside of the surface (winding number), volume is tried too, and stays where more of it is
   inside and no part of the shape is left without bones. `methods` and its members NULL mean the defaults; `choice` may be NULL.
   Errors: those of the method; OSSA_ERROR_ARGUMENT (a method that needs motion).  Ownership: ossa_rig_free. */
OSSA_API ossa_status ossa_rig_from_shape(ossa_context *context, const ossa_mesh *mesh, ossa_method method,
	const ossa_method_options *methods, ossa_shape_choice *choice, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
