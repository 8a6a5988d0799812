/* methods/registry.h: a method as a row: what people are told of it, and the function that makes a rig by it.

   Place in the path: recipes -> here -> choose, make_rig. */
#ifndef OSSAI_METHODS_REGISTRY_H
#define OSSAI_METHODS_REGISTRY_H

#include <ossa/frames.h>
#include <ossa/method.h>

/* frames: at least one of a method that takes motion, else NULL. options: a struct of the method's table, never NULL. */
typedef ossa_status (*ossai_rig_maker)(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig);

typedef struct ossai_method_row {
	ossa_method method;
	bool
		is_tried; /* where no method is named, in the order of the rows; others need to be named, or options that only they have */
	ossai_rig_maker make;
} ossai_method_row;

/* NULL past the last. */
const ossai_method_row *ossai_method_row_at(size_t index);

/* The names of all rows for the option --method: "auto|examples|...". */
extern const char ossai_method_choices[];

#endif
