/* export/check_rest.h: humans whose rest pose is another one than a program or format expects.

   Place in the path: a rig -> here -> writers of files for programs. */
#ifndef OSSAI_EXPORT_CHECK_REST_H
#define OSSAI_EXPORT_CHECK_REST_H

#include "base/context.h"

#include <ossa/rig.h>

/* Warning "rest-pose" where arms are nearer to the other one of T and A. title: of what expects
   the pose. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_check_rest(ossa_context *context, const char *title, const ossa_rig *rig, int wanted);

#endif
