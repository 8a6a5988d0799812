/* toy/toy.h: a method that is none: one bone, at the mean of the vertices. What a new method needs,
   and no more. */
#ifndef OSSA_TOY_H
#define OSSA_TOY_H

#include <ossa/options.h>
#include <ossa/rig.h>

typedef struct ossa_toy_options {
	uint32_t cookie; /* set by the default function; do not touch */
	double length;   /* of the bone, in % of the diagonal */
} ossa_toy_options;

ossa_toy_options ossa_toy_default(void);
const ossa_option_table *ossa_toy_option_table(void);

/* Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (no faces), OSSA_ERROR_MEMORY.  Ownership:
   ossa_rig_free. */
ossa_status ossa_rig_from_toy(ossa_context *context, const ossa_mesh *mesh, const ossa_toy_options *options, ossa_rig **rig);

#endif
