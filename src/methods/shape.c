/* methods/shape.c: a rig of one mesh that does not move, by the method that suits it.

   Place in the path: a mesh -> here -> contraction, volume. */
#include <ossa/shape.h>

#include "base/context.h"

ossa_status ossa_rig_from_shape(ossa_context *context, const ossa_mesh *mesh, ossa_method method,
	const ossa_method_options *methods, ossa_shape_choice *choice, ossa_rig **rig)
{
	const ossa_method_options own = methods ? *methods : (ossa_method_options){NULL, NULL, NULL, NULL};
	*choice = (ossa_shape_choice){.method = method};
	*rig = NULL;
	if (method == OSSA_METHOD_AUTO) choice->method = OSSA_METHOD_CONTRACTION;
	if (choice->method == OSSA_METHOD_VOLUME) return ossa_rig_from_volume(context, mesh, own.volume, rig);
	if (choice->method == OSSA_METHOD_CONTRACTION) return ossa_rig_from_contraction(context, mesh, own.contraction, rig);
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the method needs motion, and a shape has none");
}
