/* import/asset/asset_names.c: makes names of bones safe and unique: see asset_names.h.

   Place in the path: where files' joints become bones.
   Input: any bytes.
   Output: names of [A-Za-z0-9_-]. */
#include "import/asset/asset_names.h"

#include <stdio.h>
#include <string.h>

ossa_status ossai_names_begin(ossai_arena *arena, size_t count, ossai_names *names)
{
	*names = (ossai_names){.slot_count = 16};
	while (names->slot_count < 2 * count) names->slot_count *= 2;
	names->names = ossai_arena_new(arena, count, sizeof *names->names);
	names->numbers = ossai_arena_new(arena, count, sizeof *names->numbers);
	names->slots = ossai_arena_new(arena, names->slot_count, sizeof *names->slots);
	if (!names->names || !names->numbers || !names->slots) return ossa_context_error(arena->context)->status;
	memset(names->slots, 0xff, names->slot_count * sizeof *names->slots);
	return OSSA_OK;
}

/* the slot of a name, whether it exists or not; FNV-1a */
static size_t find_slot(const ossai_names *names, const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (const char *at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
	size_t slot = (size_t)(hash ^ hash >> 32) & (names->slot_count - 1);
	while (names->slots[slot] != UINT32_MAX && strcmp(names->names[names->slots[slot]], name) != 0) {
		slot = (slot + 1) & (names->slot_count - 1);
	}
	return slot;
}

static void make_safe(const char *wanted, char name[64])
{
	size_t length = 0;
	for (; wanted && wanted[length] && length < 63; length++) {
		const char c = wanted[length];
		const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
		name[length] = safe ? c : '_';
	}
	name[length] = 0;
	if (length == 0) strcpy(name, "bone");
}

void ossai_names_add(ossai_names *names, const char *wanted, char name[64])
{
	make_safe(wanted, name);
	size_t slot = find_slot(names, name);
	if (names->slots[slot] != UINT32_MAX) {
		char base[64];
		uint32_t *number = &names->numbers[names->slots[slot]];
		memcpy(base, name, sizeof base);
		while (names->slots[slot] != UINT32_MAX) {
			snprintf(name, 64, "%.48s_%u", base, (unsigned)++*number);
			slot = find_slot(names, name);
		}
	}
	names->slots[slot] = (uint32_t)names->count;
	names->numbers[names->count] = 1;
	memcpy(names->names[names->count++], name, 64);
	if (!wanted || !wanted[0] || strcmp(wanted, name) == 0) return;
	if (names->changed++ == 0) names->example = wanted;
}
