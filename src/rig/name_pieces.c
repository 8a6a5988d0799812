/* rig/name_pieces.c: see name_pieces.h.

   Input: bones' names, parents, roles, weights.
   Output: names.
   Of pieces that were rigged apart a file keeps only their bones' names
   (methods/pieces/piece_names.c): a group is a connected component of the tree whose names have one
   number, or none. */
#include "rig/name_pieces.h"

#include "skeleton/naming/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct namer {
	ossa_context *context;
	ossai_arena *arena;
	ossa_rig *rig;
	size_t group_count;
	uint32_t *group;   /* of bones */
	uint32_t *local;   /* of bones: number in the group */
	uint8_t *moves;    /* of bones: some skin */
	char (*names)[64]; /* new ones */
} namer;

/* letters of "piece_12" or "body_2" in front of a name; 0 for other names */
static size_t prefix_length(const char *name)
{
	const char *word = name[0] == 'b' ? "body_" : "piece_";
	size_t length = strlen(word);
	if (strncmp(name, word, length) != 0 || !isdigit((unsigned char)name[length])) return 0;
	while (isdigit((unsigned char)name[length])) length++;
	return name[length] == 0 || name[length] == '_' ? length : 0;
}

bool ossai_rig_names_pieces(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (prefix_length(rig->skeleton.bones[b].name) > 0) return true;
	}
	return false;
}

/* ---- groups ---- */

static bool is_of_one_piece(const char *a, const char *b)
{
	const size_t length = prefix_length(a);
	return length == prefix_length(b) && strncmp(a, b, length) == 0;
}

/* a common root, which moves nothing, belongs to no piece */
static void find_groups(namer *n)
{
	const ossa_bone *bones = n->rig->skeleton.bones;
	for (size_t b = 0; b < n->rig->skeleton.bone_count; b++) {
		const int32_t parent = bones[b].parent;
		const bool on_root = parent == 0 && strcmp(bones[0].name, "root") == 0 && !n->moves[0];
		const bool joins = parent >= 0 && !on_root && is_of_one_piece(bones[b].name, bones[parent].name);
		n->group[b] = joins ? n->group[parent] : (uint32_t)n->group_count++;
	}
}

static void find_moving(namer *n)
{
	const ossa_weights *w = &n->rig->weights;
	for (size_t i = 0; i < w->vertex_count * (size_t)w->influences; i++) {
		if (w->values[i] > 0) n->moves[w->bones[i]] = 1;
	}
}

/* ---- a group alone ---- */

static void take_bones(namer *n, uint32_t group, ossa_skeleton *own)
{
	const ossa_skeleton *all = &n->rig->skeleton;
	own->bone_count = 0;
	for (size_t b = 0; b < all->bone_count; b++) {
		if (n->group[b] != group) continue;
		ossa_bone *bone = &own->bones[own->bone_count];
		*bone = all->bones[b];
		bone->parent = own->bone_count == 0 ? -1 : (int32_t)n->local[bone->parent];
		n->local[b] = (uint32_t)own->bone_count++;
	}
}

/* ---- names ---- */

/* "_L" or "_R" where all names of a piece end so: it is one of a pair */
static const char *side_of(const ossa_skeleton *own)
{
	const char *side = NULL;
	for (size_t b = 0; b < own->bone_count; b++) {
		const char *name = own->bones[b].name;
		const size_t length = strlen(name);
		const char *end = name + length - (length > 1 ? 2 : 0);
		if (strcmp(end, "_L") != 0 && strcmp(end, "_R") != 0) return "";
		if (side && strcmp(side, end) != 0) return "";
		side = end[1] == 'L' ? "_L" : "_R";
	}
	return side ? side : "";
}

static void write_names(namer *n, uint32_t group, const ossa_skeleton *own, const char *side)
{
	for (size_t b = 0; b < n->rig->skeleton.bone_count; b++) {
		const char *before = n->rig->skeleton.bones[b].name;
		if (n->group[b] != group) continue;
		const char *name = own->bones[n->local[b]].name;
		const size_t length = prefix_length(before);
		snprintf(n->names[b], sizeof n->names[b], "%.*s%s%.40s%s", (int)(length < 20 ? length : 20), before,
			length > 0 ? "_" : "", name, side);
	}
}

/* a single bone keeps its name */
static ossa_status name_group(namer *n, ossai_arena *scratch, uint32_t group)
{
	ossa_skeleton own = {.bones = ossai_arena_new(scratch, n->rig->skeleton.bone_count, sizeof *own.bones)};
	if (!own.bones) return ossa_context_error(n->context)->status;
	take_bones(n, group, &own);
	if (own.bone_count < 2) return OSSA_OK;
	const char *side = side_of(&own);
	const bool is_piece = prefix_length(own.bones[0].name) > 0;
	if (is_piece && own.bone_count < OSSAI_NAMES_BODY_BONES) ossai_names_number(&own);
	else ossai_names_by_roles(&own);
	/* two of a pair share a number: sides of their own would make their names equal */
	if (side[0] && ossai_names_have_sides(&own)) ossai_names_number(&own);
	write_names(n, group, &own, side);
	return OSSA_OK;
}

/* should two be the same, all keep their names */
static bool are_unique(const namer *n)
{
	for (size_t b = 1; b < n->rig->skeleton.bone_count; b++) {
		for (size_t other = 0; other < b; other++) {
			if (strcmp(n->names[b], n->names[other]) == 0) return false;
		}
	}
	return true;
}

static ossa_status name_all(namer *n)
{
	const size_t bones = n->rig->skeleton.bone_count;
	n->group = ossai_arena_new(n->arena, bones, sizeof *n->group);
	n->local = ossai_arena_zero(n->arena, bones, sizeof *n->local);
	n->moves = ossai_arena_zero(n->arena, bones, sizeof *n->moves);
	n->names = ossai_arena_new(n->arena, bones, sizeof *n->names);
	if (!n->group || !n->local || !n->moves || !n->names) return ossa_context_error(n->context)->status;
	for (size_t b = 0; b < bones; b++) memcpy(n->names[b], n->rig->skeleton.bones[b].name, sizeof n->names[b]);
	find_moving(n);
	find_groups(n);
	for (uint32_t group = 0; group < n->group_count; group++) {
		ossai_arena scratch = ossai_arena_begin(n->context);
		const ossa_status status = name_group(n, &scratch, group);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
	}
	if (!are_unique(n)) return OSSA_OK;
	for (size_t b = 0; b < bones; b++) memcpy(n->rig->skeleton.bones[b].name, n->names[b], sizeof n->names[b]);
	return OSSA_OK;
}

ossa_status ossai_rig_name_pieces(ossa_context *context, ossa_rig *rig)
{
	ossai_arena arena = ossai_arena_begin(context);
	namer n = {.context = context, .arena = &arena, .rig = rig};
	const ossa_status status = name_all(&n);
	ossai_arena_end(&arena);
	return status;
}
