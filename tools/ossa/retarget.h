/* tools/ossa/retarget.h: how a motion was carried over from one body to another, as lines and as
   JSON. */
#ifndef OSSA_COMMAND_RETARGET_H
#define OSSA_COMMAND_RETARGET_H

#include "command.h"

void command_print_retarget(const ossa_retarget_facts *facts);
/* NULL where memory is short. */
json_t *command_json_retarget(command_run *run, const ossa_retarget_facts *facts);

#endif
