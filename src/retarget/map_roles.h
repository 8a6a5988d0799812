/* retarget/map_roles.h: what a person says the bones of a rig are.

   Place in the path: roles that were found -> here -> retargeting; rest poses, names and files of
   programs.
   Input: roles, a map.
   Output: roles. */
#ifndef OSSAI_RETARGET_MAP_ROLES_H
#define OSSAI_RETARGET_MAP_ROLES_H

#include "conventions/find_roles.h"

#include <ossa/retarget.h>

/* Gives bones the roles of the map's entries of a kind, OSSA_MAP_RIG_ROLE or OSSA_MAP_SOURCE_ROLE;
   another bone that was found to be the same loses its role. map: may be NULL. role: B. found: its
   kind follows.  Errors: OSSA_ERROR_ARGUMENT (a bone that is not there). */
ossa_status ossai_map_roles(ossa_context *context, const ossa_rig *rig, const ossa_retarget_map *map, ossa_map_kind kind,
	ossa_role *role, ossai_roles_source *found);

#endif
