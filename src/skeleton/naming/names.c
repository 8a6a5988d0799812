/* skeleton/naming/names.c: see names.h. The rules themselves are in names_standing.c and
   names_chains.c. */
#include "skeleton/naming/names.h"

#include "body/names.h"
#include "skeleton/naming/limbs.h"

#include <stdio.h>
#include <string.h>

static void write_number(const ossa_skeleton *skeleton, size_t b)
{
	const int digits = skeleton->bone_count > 1000 ? 4 : skeleton->bone_count > 100 ? 3 : 2;
	ossa_bone *bone = &skeleton->bones[b];
	if (b == 0) snprintf(bone->name, sizeof bone->name, "root");
	else snprintf(bone->name, sizeof bone->name, "bone_%0*zu", digits, b);
}

void ossai_names_number(ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) write_number(skeleton, b);
}

bool ossai_name_is_number(const char *name) { return strcmp(name, "root") == 0 || strncmp(name, "bone_", 5) == 0; }

void ossai_names_renumber(ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (ossai_name_is_number(skeleton->bones[b].name)) write_number(skeleton, b);
	}
}

/* no body has more; the cost grows with their square */
enum { BODY_BONES_MAX = 1000 };

/* the first rule that is sure */
static ossa_status apply_rules(ossai_naming *naming)
{
	ossa_status status = OSSA_OK;
	bool named = ossai_name_hand(naming, &status);
	if (!named && status == OSSA_OK) named = ossai_name_star(naming, &status);
	if (!named && status == OSSA_OK) named = ossai_name_standing(naming, &status);
	if (!named && status == OSSA_OK) ossai_name_spine(naming, &status);
	return status;
}

/* numbers for all, then names; should two ever be the same, the second bone keeps its number: names
   must be unique to be written */
static void write_names(const ossai_naming *naming, ossa_skeleton *skeleton)
{
	ossai_names_number(skeleton);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		bool taken = naming->names[b][0] == 0;
		for (size_t other = 0; other < b && !taken; other++) taken = strcmp(naming->names[other], naming->names[b]) == 0;
		if (!taken) memcpy(skeleton->bones[b].name, naming->names[b], BONE_NAME_SIZE);
	}
}

static ossa_status name_by_body(ossai_arena *arena, ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights)
{
	ossai_body body;
	OSSAI_TRY(ossai_body_measure(arena, skeleton, mesh, weights, &body));
	ossai_naming naming = {.arena = arena, .body = &body};
	naming.names = ossai_arena_zero(arena, body.bone_count, sizeof *naming.names);
	naming.ends_below = ossai_arena_zero(arena, body.bone_count, sizeof *naming.ends_below);
	if (!naming.names || !naming.ends_below) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(apply_rules(&naming));
	write_names(&naming, skeleton);
	return OSSA_OK;
}

static bool has_roles(const ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].role.part != OSSA_PART_NONE) return true;
	}
	return false;
}

static bool is_same_role(ossa_role a, ossa_role b) { return a.part == b.part && a.side == b.side && a.number == b.number; }

/* the bones of a body plan; limbs beside it keep their numbers, and so does the second of two bones
   that files or edits gave one role */
static void name_by_roles(ossa_skeleton *skeleton)
{
	ossai_names_number(skeleton);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		ossa_bone *bone = &skeleton->bones[b];
		bool taken = bone->role.part == OSSA_PART_NONE;
		for (size_t other = 0; other < b && !taken; other++) taken = is_same_role(skeleton->bones[other].role, bone->role);
		if (!taken) ossai_role_name(bone->role, bone->name, sizeof bone->name);
	}
}

ossa_status ossai_skeleton_name(
	ossa_context *context, ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, ossa_bone_names style)
{
	/* one bone is no shape */
	const bool has_shape = skeleton->bone_count > 1 && skeleton->bone_count <= BODY_BONES_MAX && mesh->triangle_count > 0;
	if (style == OSSA_NAMES_NUMBERS || !has_shape || weights->vertex_count == 0) {
		ossai_names_number(skeleton);
		return OSSA_OK;
	}
	if (has_roles(skeleton)) {
		name_by_roles(skeleton);
		return OSSA_OK;
	}
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = name_by_body(&arena, skeleton, mesh, weights);
	ossai_arena_end(&arena);
	return status;
}

bool ossai_names_have_sides(const ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const size_t length = strlen(skeleton->bones[b].name);
		const char *end = skeleton->bones[b].name + length - (length > 1 ? 2 : 0);
		if (strcmp(end, "_L") == 0 || strcmp(end, "_R") == 0) return true;
	}
	return false;
}
