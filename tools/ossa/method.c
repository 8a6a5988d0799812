/* tools/ossa/method.c: what commands that make rigs share: checks of options before the work, and
   the methods that were tried.

   Place in the path: the top.  The methods, their names and the choice among them are the
   library's (ossa/method.h). */
#include "command.h"

#include <math.h>

ossa_status command_check_method(command_run *run)
{
	const ossa_status status = ossa_rig_options_check(run->context, &run->rig);
	if (status == OSSA_OK) return OSSA_OK;
	return command_fail(run, status, "%s (see: ossa %s --help)", ossa_context_error(run->context)->message, run->command->name);
}

const char *command_method_input(const ossa_method *method)
{
	if (method->takes_still && method->takes_motion) return "one mesh or motion";
	return method->takes_still ? "one mesh" : "motion";
}

double command_attempt_rms(const ossa_rig_result *made, const ossa_method *method)
{
	double least = NAN;
	for (size_t i = 0; i < made->attempt_count; i++) {
		if (made->attempts[i].method == method) least = fmin(least, made->attempts[i].rms_percent);
	}
	return least;
}
