/* retarget/name_pairs.h: which bones of two skeletons have the same name. */
#ifndef OSSAI_RETARGET_NAME_PAIRS_H
#define OSSAI_RETARGET_NAME_PAIRS_H

#include "base/context.h"

#include <ossa/retarget.h>

enum { OSSAI_FOLLOWS_NONE = UINT32_MAX - 1 };

/* Fills counterpart (B of `skeleton`) with the bone of `source` of the same name, or OSSA_NONE; of
   the same name exactly, else but for the case of letters, marks, leading zeros and a prefix that
   all bones share ("mixamorig:"). Names that several bones have pair none.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pair_names(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_skeleton *source, uint32_t *counterpart, size_t *pair_count);

/* Fills forced (B of `rig`) with the source's bone that a map says a bone follows, with
   OSSAI_FOLLOWS_NONE where it says that it follows none, else with OSSA_NONE. map may be NULL.
   Errors: OSSA_ERROR_INPUT naming a bone that is not there; OSSA_ERROR_MEMORY. */
ossa_status ossai_forced_pairs(
	ossai_arena *arena, const ossa_rig *rig, const ossa_rig *source, const ossa_retarget_map *map, uint32_t **forced);

#endif
