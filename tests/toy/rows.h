/* toy/rows.h: the toy's row in the registry of methods (src/methods/registry.c,
   OSSA_MORE_METHODS). */
#ifndef OSSA_TOY_ROWS_H
#define OSSA_TOY_ROWS_H

#include "toy/toy.h"

#include <ossa/frames.h>

static ossa_status by_toy(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig)
{
	(void)frames;
	return ossa_rig_from_toy(context, mesh, options, rig);
}

#define OSSAI_MORE_METHODS(ROW)                                                                                                \
	ROW("toy", .method.title = "A toy", .method.help = "one bone stands at the mean of the vertices",                          \
		.method.source = "made up, for tests", .method.takes_still = true, .method.option_table = ossa_toy_option_table,       \
		.make = by_toy)

#endif
