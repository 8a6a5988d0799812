/* weights/bone_sets.h: interned sets of bones: equal sets have one number.

   Place in the path: below weights/anchor_sets. */
#ifndef OSSAI_WEIGHTS_BONE_SETS_H
#define OSSAI_WEIGHTS_BONE_SETS_H

#include "base/context.h"

typedef struct ossai_bone_set {
	uint32_t rest; /* the set without its largest bone */
	uint32_t bone; /* that bone */
	uint32_t size; /* bones in it */
} ossai_bone_set;

/* A tree of sets: set 0 is empty, any other is a smaller set and a bone with a higher index than
   all of that. Equal sets have one number. */
typedef struct ossai_bone_sets {
	ossa_context *context;
	size_t count, capacity;
	ossai_bone_set *list;
	size_t slot_count; /* a power of two */
	uint32_t *slot;    /* sets by rest and bone */
	uint32_t *merged;  /* capacity for the bones of two sets */
	uint32_t last[3];  /* the last union: two sets and the result */
} ossai_bone_sets;

/* Always end it, after a failure, too. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_bone_sets_begin(ossa_context *context, size_t bone_count, ossai_bone_sets *sets);
void ossai_bone_sets_end(ossai_bone_sets *sets);

/* A set and one more bone, whose index is above all of the set. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_bone_sets_add(ossai_bone_sets *sets, uint32_t set, uint32_t bone, uint32_t *result);

/* The union of two sets. Errors: OSSA_ERROR_MEMORY.  Cost: their bones. */
ossa_status ossai_bone_sets_unite(ossai_bone_sets *sets, uint32_t one, uint32_t other, uint32_t *result);

#endif
