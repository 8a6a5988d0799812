/* retarget/name_pairs.c: see name_pairs.h. */
#include "retarget/name_pairs.h"

#include <ossa/mesh.h>

#include <stdlib.h>
#include <string.h>

typedef struct named_bone {
	char name[64];
	uint32_t bone;
} named_bone;

typedef struct pairing {
	ossai_arena *arena;
	const ossa_skeleton *skeleton, *source;
	uint32_t *counterpart; /* by bone of `skeleton` */
	uint8_t *is_taken;     /* by bone of `source` */
	size_t count;
} pairing;

/* length of the common prefix of all names, up to a separator ("mixamorig_Hips"); 0 where they do
   not */
static size_t shared_prefix(const ossa_skeleton *skeleton)
{
	const char *first = skeleton->bones[0].name;
	const size_t length = strcspn(first, "_-") + 1;
	if (skeleton->bone_count < 2 || !first[length - 1]) return 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const char *name = skeleton->bones[b].name;
		if (strncmp(name, first, length) != 0 || !name[length]) return 0;
	}
	return length;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A name without what programs add to it: letters in lower case and digits alone, numbers without
   leading zeros. */
static void plain_name(const char *name, char plain[64])
{
	size_t length = 0;
	for (const char *at = name; *at && length < 63; at++) {
		const bool upper = *at >= 'A' && *at <= 'Z', letter = upper || (*at >= 'a' && *at <= 'z');
		const bool leads = *at == '0' && is_digit(at[1]) && (length == 0 || !is_digit(plain[length - 1]));
		if (letter || (is_digit(*at) && !leads)) plain[length++] = (char)(upper ? *at | 32 : *at);
	}
	plain[length] = 0;
}

static int compare_named(const void *a, const void *b)
{
	const named_bone *p = a, *q = b;
	const int order = strcmp(p->name, q->name);
	return order ? order : (p->bone > q->bone) - (p->bone < q->bone);
}

/* the skeleton's bones by name, plain or as they are */
static named_bone *sorted_names(ossai_arena *arena, const ossa_skeleton *skeleton, bool plain)
{
	const size_t skipped = plain ? shared_prefix(skeleton) : 0;
	named_bone *names = ossai_arena_new(arena, skeleton->bone_count, sizeof *names);
	for (size_t b = 0; names && b < skeleton->bone_count; b++) {
		names[b].bone = (uint32_t)b;
		if (plain) plain_name(skeleton->bones[b].name + skipped, names[b].name);
		else memcpy(names[b].name, skeleton->bones[b].name, sizeof names[b].name);
	}
	if (names) qsort(names, skeleton->bone_count, sizeof *names, compare_named);
	return names;
}

/* how many items from `at` on have its name */
static size_t run_length(const named_bone *names, size_t count, size_t at)
{
	size_t length = 1;
	while (at + length < count && strcmp(names[at].name, names[at + length].name) == 0) length++;
	return length;
}

/* pairs bones of the same name, if it is unique in both skeletons and they have no counterpart
   yet */
static ossa_status match(pairing *p, bool plain)
{
	const size_t count = p->skeleton->bone_count, source_count = p->source->bone_count;
	const named_bone *names = sorted_names(p->arena, p->skeleton, plain);
	const named_bone *source = names ? sorted_names(p->arena, p->source, plain) : NULL;
	if (!source) return ossa_context_error(p->arena->context)->status;
	for (size_t i = 0, k = 0; i < count && k < source_count;) {
		const size_t length = run_length(names, count, i), source_length = run_length(source, source_count, k);
		const int order = strcmp(names[i].name, source[k].name);
		const bool alone = order == 0 && length == 1 && source_length == 1 && names[i].name[0];
		if (alone && p->counterpart[names[i].bone] == OSSA_NONE && !p->is_taken[source[k].bone]) {
			p->counterpart[names[i].bone] = source[k].bone;
			p->is_taken[source[k].bone] = 1;
			p->count++;
		}
		if (order <= 0) i += length;
		if (order >= 0) k += source_length;
	}
	return OSSA_OK;
}

ossa_status ossai_pair_names(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_skeleton *source, uint32_t *counterpart, size_t *pair_count)
{
	pairing p = {arena, skeleton, source, counterpart, ossai_arena_zero(arena, source->bone_count, 1), 0};
	if (!p.is_taken) return ossa_context_error(arena->context)->status;
	memset(counterpart, 0xff, skeleton->bone_count * sizeof *counterpart);
	OSSAI_TRY(match(&p, false));
	OSSAI_TRY(match(&p, true));
	*pair_count = p.count;
	return OSSA_OK;
}

ossa_status ossai_forced_pairs(
	ossai_arena *arena, const ossa_rig *rig, const ossa_rig *source, const ossa_retarget_map *map, uint32_t **forced)
{
	uint32_t *list = *forced = ossai_arena_new(arena, rig->skeleton.bone_count, sizeof *list);
	if (!list) return ossa_context_error(arena->context)->status;
	memset(list, 0xff, rig->skeleton.bone_count * sizeof *list);
	for (size_t i = 0; map && i < map->count; i++) {
		const ossa_map_entry *entry = &map->entries[i];
		size_t bone, other;
		if (entry->kind != OSSA_MAP_PAIR) continue;
		OSSAI_TRY(ossa_rig_find_bone(arena->context, rig, entry->bone, &bone));
		list[bone] = OSSAI_FOLLOWS_NONE;
		if (!entry->source[0]) continue;
		OSSAI_TRY(ossa_rig_find_bone(arena->context, source, entry->source, &other));
		list[bone] = (uint32_t)other;
	}
	return OSSA_OK;
}
