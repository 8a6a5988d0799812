/* tools/ossa/rig_constraints.h: constraints on the bones of a rig that is made: `ossa rig
   --forbid`, `--apart`, `--together`, `--lock`. */
#ifndef OSSA_RIG_CONSTRAINTS_H
#define OSSA_RIG_CONSTRAINTS_H

#include "rig_work.h"

/* Whether the options have a meaning. Errors: OSSA_ERROR_ARGUMENT. */
ossa_status rig_constraints_check(command_run *run, const rig_work *work);

/* Solves the rig that was made again under the constraints, where there are any: work->rig is then
   the editor's, and the report is of it. Errors: OSSA_ERROR_ARGUMENT (no such bone, a point far
   from the mesh, constraints that contradict each other). */
ossa_status rig_constraints_apply(command_run *run, rig_work *work);

/* Ends what the work holds of them, before its rig. */
void rig_constraints_end(command_run *run, rig_work *work);

/* A line for each constraint. */
void rig_constraints_print(const rig_work *work);

/* The same for --json. */
json_t *rig_constraints_json(const rig_work *work);

#endif
