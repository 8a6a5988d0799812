/* tests/support/named_bones.c: see named_bones.h. */
#include "support/named_bones.h"

#include <stdio.h>
#include <string.h>

static bool is_kept(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

void named_bones_of(named_bones *made, const char *tree)
{
	int32_t above[NAMED_BONES_MAX], depth = 0, parent = -1;
	memset(made, 0, sizeof *made);
	made->skeleton.bones = made->bones;
	while (*tree) {
		const size_t length = strcspn(tree, "(),");
		if (length > 0) {
			ossa_bone *bone = &made->bones[made->skeleton.bone_count++];
			assert_true(made->skeleton.bone_count <= NAMED_BONES_MAX && length < sizeof bone->name);
			for (size_t i = 0; i < length; i++) bone->name[i] = (char)(is_kept(tree[i]) ? tree[i] : '_');
			bone->parent = parent;
			bone->orientation[3] = 1;
		}
		tree += length;
		if (*tree == '(') {
			above[depth++] = parent;
			parent = (int32_t)made->skeleton.bone_count - 1;
		} else if (*tree == ')') {
			assert_true(depth > 0);
			parent = above[--depth];
		}
		tree += *tree != 0;
	}
}

size_t named_bone(const named_bones *made, const char *name)
{
	for (size_t b = 0; b < made->skeleton.bone_count; b++) {
		if (strcmp(made->bones[b].name, name) == 0) return b;
	}
	fail_msg("there is no bone %s", name);
	return 0;
}

void place_bone(named_bones *made, const char *name, ossai_vec3 joint, ossai_vec3 tail)
{
	ossa_bone *bone = &made->bones[named_bone(made, name)];
	ossai_v3_store(joint, bone->joint);
	ossai_v3_store(tail, bone->tail);
}

void assert_role_of(const named_bones *made, const ossa_role *role, const char *name, const char *expected)
{
	char text[64];
	ossa_role_print(role[named_bone(made, name)], text, sizeof text);
	if (strcmp(text, expected) != 0) fail_msg("%s is \"%s\", expected \"%s\"", name, text, expected);
}
