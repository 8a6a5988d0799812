/* skeleton/naming/names.c: see names.h. */
#include "skeleton/naming/names.h"

#include "body/names.h"

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

static bool is_same_role(ossa_role a, ossa_role b)
{
	return a.part == b.part && a.side == b.side && a.limb == b.limb && a.number == b.number;
}

void ossai_names_by_roles(ossa_skeleton *skeleton)
{
	ossai_names_number(skeleton);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		ossa_bone *bone = &skeleton->bones[b];
		bool taken = bone->role.part == OSSA_PART_NONE;
		for (size_t other = 0; other < b && !taken; other++) taken = is_same_role(skeleton->bones[other].role, bone->role);
		if (!taken) ossai_role_name(bone->role, bone->name, sizeof bone->name);
	}
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
