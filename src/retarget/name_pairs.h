/* retarget/name_pairs.h: which bones of two skeletons have the same name. */
#ifndef OSSAI_RETARGET_NAME_PAIRS_H
#define OSSAI_RETARGET_NAME_PAIRS_H

#include "base/context.h"

#include <ossa/rig.h>

/* Fills counterpart (B of `skeleton`) with the bone of `source` of the same name, or OSSA_NONE; of
   the same name exactly, else but for the case of letters, marks, leading zeros and a prefix that
   all bones share ("mixamorig:"). Names that several bones have pair none.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pair_names(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_skeleton *source, uint32_t *counterpart, size_t *pair_count);

#endif
