/* rig/dependencies.h: a rig's dependent bones as values.

   Place in the path: find_dependencies, readers -> here -> everything that makes other bones of a
   rig's bones.
   Input: dependencies, new numbers of bones.
   Output: the rig's dependencies. */
#ifndef OSSAI_RIG_DEPENDENCIES_H
#define OSSAI_RIG_DEPENDENCIES_H

#include "base/context.h"
#include <ossa/dependencies.h>

/* The largest ratio and offset (degrees): a double holds angles up to here within 1e-9 degrees,
   which rig/drive.c takes for rounding, also those that a degree of the driver makes. */
#define OSSAI_DEPENDENCY_MOST 1e6

/* The first fault of a list for this skeleton, as text, or NULL. `which`: receives its index.
   Cost: count log count. */
const char *ossai_dependencies_fault(const ossa_skeleton *skeleton, size_t count, const ossa_dependency *list, size_t *which);

/* A copy for a rig with other bones: new_of (of each bone of `from`): its number there, OSSA_NONE
   where it is not the same joint any more; NULL: all stay. What lost a bone is left out. made: NULL
   where none is left. Errors: OSSA_ERROR_MEMORY. Ownership: ossa_free. */
ossa_status ossai_dependencies_copy(
	ossa_context *context, const ossa_rig *from, const uint32_t *new_of, ossa_dependency **made, size_t *count);

/* Whether the twist of its driver drives it, and no hinge's angle. */
bool ossai_drives_by_twist(const ossa_dependency *dependency);

/* Warns of dependencies that were left out as their rig changed, where there are any. */
void ossai_dependencies_warn_of_lost(ossa_context *context, size_t count);

/* One that was left out: `fault` goes on from "the dependency". */
typedef struct ossai_unfit_dependency {
	int32_t bone;
	const char *fault;
} ossai_unfit_dependency;

/* Leaves out, in place, what is none or none any more: bones that are no hinges, drivers of
   the wrong kind or that are driven, numbers that make no sense. The list is in the order of bones.
   first: one of those that were left out, where there are any; may be NULL. Returns how many are
   left. Cost: count log count. */
size_t ossai_dependencies_keep_good(
	const ossa_skeleton *skeleton, size_t count, ossa_dependency *list, ossai_unfit_dependency *first);

#endif
