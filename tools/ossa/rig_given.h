/* tools/ossa/rig_given.h: a rig of bones that a file gives: `ossa rig --with`, `--skeleton`. */
#ifndef OSSA_RIG_GIVEN_H
#define OSSA_RIG_GIVEN_H

#include "rig_work.h"

/* Which options have a meaning with given bones, and what is solved for. Errors:
   OSSA_ERROR_ARGUMENT. */
ossa_status rig_given_check(command_run *run, rig_work *work);

/* Reads the rig that gives the bones and the frames, solves for what was asked, and fits the
   motion. Fills rig, mesh, stream, fit and report, also after a failure. Errors:
   OSSA_ERROR_INPUT where frames or mesh are not those of the bones. */
ossa_status rig_given_make(command_run *run, rig_work *work);

/* Lines of what was solved for. */
void rig_given_print(const rig_work *work);

/* The same for --json. */
json_t *rig_given_json(const rig_work *work);

#endif
