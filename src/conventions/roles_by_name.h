/* conventions/roles_by_name.h: which part of a body each bone is, by what the bones are called.

   Place in the path: convention, plain words -> here -> find_roles.
   Input: a skeleton.
   Output: roles, and the convention that explains them.

   Every convention is tried on all names; the one that explains most bones is taken, of equals the
   one whose spelling is met, then the first in the list. Names of other conventions in the same
   file have no role. Plain words are taken where no convention explains as much but for the four
   bones of a pair of limbs, and where they explain more than one that few bones are spelled by.

   Bones of the same part are a row where each is below the other: spine and neck from the hips
   outward, segments of an arm or leg that is split. Else the best of the names has the role. Bones
   that twist, roll, end a chain or serve inverse kinematics have no role, nor has a metacarpal, but
   for the thumb's where the convention counts it as the thumb's first. */
#ifndef OSSAI_CONVENTIONS_ROLES_BY_NAME_H
#define OSSAI_CONVENTIONS_ROLES_BY_NAME_H

#include "base/context.h"
#include "conventions/convention.h"
#include <ossa/rig.h>

/* Fills role (B). convention: NULL where plain words explain more, or nothing does; matched: bones
   with a role.
   Errors: OSSA_ERROR_MEMORY.  Cost: bones x names of all conventions. */
ossa_status ossai_roles_by_name(ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role,
	const ossai_convention **convention, size_t *matched);

#endif
