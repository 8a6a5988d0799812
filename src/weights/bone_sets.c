/* weights/bone_sets.c: see bone_sets.h. */
#include "weights/bone_sets.h"

#include <ossa/mesh.h>

enum { FIRST_SLOTS = 256 };

ossa_status ossai_bone_sets_begin(ossa_context *context, size_t bone_count, ossai_bone_sets *sets)
{
	*sets = (ossai_bone_sets){.context = context, .slot_count = FIRST_SLOTS};
	sets->slot = ossai_new(context, FIRST_SLOTS, sizeof *sets->slot);
	sets->merged = ossai_new(context, bone_count, sizeof *sets->merged);
	if (!sets->slot || !sets->merged) return ossa_context_error(context)->status;
	for (size_t i = 0; i < FIRST_SLOTS; i++) sets->slot[i] = OSSA_NONE;
	OSSAI_TRY(ossai_reserve(context, &sets->list, &sets->capacity, 0, sizeof *sets->list));
	sets->list[0] = (ossai_bone_set){0, OSSA_NONE, 0};
	sets->count = 1;
	return OSSA_OK;
}

void ossai_bone_sets_end(ossai_bone_sets *sets)
{
	ossa_free(sets->context, sets->list);
	ossa_free(sets->context, sets->slot);
	ossa_free(sets->context, sets->merged);
}

/* the slot of the hash table where a set is, or would be */
static size_t slot_of(const ossai_bone_sets *sets, uint32_t rest, uint32_t bone)
{
	uint64_t hash = ((uint64_t)rest << 32 | bone) * 0x9e3779b97f4a7c15u;
	for (size_t at = hash >> 32;; at++) {
		at &= sets->slot_count - 1;
		const uint32_t set = sets->slot[at];
		if (set == OSSA_NONE || (sets->list[set].rest == rest && sets->list[set].bone == bone)) return at;
	}
}

static ossa_status grow_table(ossai_bone_sets *sets)
{
	uint32_t *slot = ossai_new(sets->context, 2 * sets->slot_count, sizeof *slot);
	if (!slot) return ossa_context_error(sets->context)->status;
	ossa_free(sets->context, sets->slot);
	sets->slot = slot;
	sets->slot_count *= 2;
	for (size_t i = 0; i < sets->slot_count; i++) slot[i] = OSSA_NONE;
	for (uint32_t i = 1; i < sets->count; i++) slot[slot_of(sets, sets->list[i].rest, sets->list[i].bone)] = i;
	return OSSA_OK;
}

ossa_status ossai_bone_sets_add(ossai_bone_sets *sets, uint32_t set, uint32_t bone, uint32_t *result)
{
	size_t at = slot_of(sets, set, bone);
	*result = sets->slot[at];
	if (*result != OSSA_NONE) return OSSA_OK;
	if (2 * sets->count >= sets->slot_count) {
		OSSAI_TRY(grow_table(sets));
		at = slot_of(sets, set, bone);
	}
	OSSAI_TRY(ossai_reserve(sets->context, &sets->list, &sets->capacity, sets->count, sizeof *sets->list));
	*result = sets->slot[at] = (uint32_t)sets->count;
	sets->list[sets->count++] = (ossai_bone_set){set, bone, sets->list[set].size + 1};
	return OSSA_OK;
}

ossa_status ossai_bone_sets_unite(ossai_bone_sets *sets, uint32_t one, uint32_t other, uint32_t *result)
{
	*result = one;
	if (one == other || other == 0) return OSSA_OK;
	*result = other;
	if (one == 0) return OSSA_OK;
	*result = sets->last[2];
	if (one == sets->last[0] && other == sets->last[1]) return OSSA_OK;
	/* the larger bones first, until the rest of both is one set */
	uint32_t a = one, b = other;
	size_t count = 0;
	while (a != b) {
		const uint32_t of_a = a > 0 ? sets->list[a].bone + 1 : 0, of_b = b > 0 ? sets->list[b].bone + 1 : 0;
		if (of_a >= of_b) a = sets->list[a].rest;
		if (of_b >= of_a) b = sets->list[b].rest;
		sets->merged[count++] = (of_a > of_b ? of_a : of_b) - 1;
	}
	*result = a;
	while (count > 0) OSSAI_TRY(ossai_bone_sets_add(sets, *result, sets->merged[--count], result));
	sets->last[0] = one;
	sets->last[1] = other;
	sets->last[2] = *result;
	return OSSA_OK;
}
