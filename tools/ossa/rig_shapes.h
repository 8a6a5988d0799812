/* tools/ossa/rig_shapes.h: corrective shapes for a rig that is made: `ossa rig --add-shapes`. */
#ifndef OSSA_RIG_SHAPES_H
#define OSSA_RIG_SHAPES_H

#include "rig_work.h"

bool rig_shapes_are_asked(const command_run *run);

/* Whether the options have a meaning. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status rig_shapes_check(command_run *run);

/* Adds the shapes that are asked for; the report is then of the rig with them. Errors:
   OSSA_ERROR_ARGUMENT where nothing moves. */
ossa_status rig_shapes_add(command_run *run, rig_work *work);

/* A line of how many there are, and of what they gain. */
void rig_shapes_print(const rig_work *work);

/* The same for --json, with each of them. */
json_t *rig_shapes_json(const rig_work *work);

#endif
