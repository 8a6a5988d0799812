/* retarget/pairs.h: which bones of one skeleton move which bones of another.

   Place in the path: two skeletons with roles -> here -> turns of the target's bones.
   Input: roles and joints at rest.
   Output: for each bone of the target the source's bones that it follows, with shares.

   Bones of a part on a side form a chain. Chains of as many bones are paired one by one, others by
   arc length: a bone follows all bones of the source whose stretch of the chain it overlaps, each
   by the length of the overlap. */
#ifndef OSSAI_RETARGET_PAIRS_H
#define OSSAI_RETARGET_PAIRS_H

#include "base/context.h"

#include <ossa/rig.h>

typedef struct ossai_share {
	uint32_t bone; /* of the source */
	double share;
} ossai_share;

typedef struct ossai_pairs {
	size_t *first;        /* B + 1: the shares of bone b are first[b] .. first[b + 1] */
	ossai_share *share;   /* sums to 1 for each bone that has any */
	size_t target_count;  /* bones that follow some */
	size_t source_count;  /* bones that are followed */
	size_t source_unused; /* bones with a role that the target lacks */
	uint32_t *twin;       /* B: of bones without a role: the source's bone of the same name, or OSSA_NONE */
} ossai_pairs;

/* forced: B, as ossai_forced_pairs fills it.
   Errors: OSSA_ERROR_MEMORY. Ownership: the arena. */
ossa_status ossai_find_pairs(ossai_arena *arena, const ossa_skeleton *target, const ossa_role *target_role,
	const ossa_skeleton *source, const ossa_role *source_role, const uint32_t *forced, ossai_pairs *pairs);

#endif
