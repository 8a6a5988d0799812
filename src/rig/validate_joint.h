/* rig/validate_joint.h: checks that a joint's axes and limits are what its kind has.

   Place in the path: inside validate. */
#ifndef OSSAI_RIG_VALIDATE_JOINT_H
#define OSSAI_RIG_VALIDATE_JOINT_H

#include "base/context.h"
#include <ossa/rig.h>

/* Whether numbers are a vector of length 1, as exactly as stored ones are; false for NaN too. */
bool ossai_is_unit(const double *values, size_t count);

/* Errors: OSSA_ERROR_INPUT naming bone `index` and the fault. */
ossa_status ossai_check_joint(ossa_context *context, const ossa_bone *bone, size_t index);

#endif
