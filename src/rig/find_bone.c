/* rig/find_bone.c: finds the bone that a typed name means.

   Place in the path: on finished rigs, under the command, edits and the studio.
   Input: a word.
   Output: a bone, or suggestions. */
#include "base/context.h"

#include <ossa/options.h>
#include <ossa/rig.h>

#include <string.h>

/* ignores case; all separators that programs put between words are one */
static char plain(char c)
{
	if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
	return c == '.' || c == '-' || c == ' ' || c == ':' ? '_' : c;
}

static bool is_like(const char *name, const char *typed)
{
	for (; *name && plain(*name) == plain(*typed); name++) typed++;
	return *name == 0 && *typed == 0;
}

static ossa_status refuse(ossa_context *context, const ossa_rig *rig, const char *name)
{
	const size_t count = rig->skeleton.bone_count;
	const char **names = ossai_new(context, count, sizeof *names);
	if (!names) return ossa_context_error(context)->status;
	for (size_t b = 0; b < count; b++) names[b] = rig->skeleton.bones[b].name;
	const char *nearest = ossa_nearest_name(name, names, count);
	ossa_free(context, names);
	return nearest
		? ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no bone \"%.64s\"; did you mean \"%s\"?", name, nearest)
		: ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no bone \"%.64s\"", name);
}

ossa_status ossa_rig_find_bone(ossa_context *context, const ossa_rig *rig, const char *name, size_t *bone)
{
	if (bone) *bone = 0;
	OSSAI_NEED(context, rig, name);
	const int32_t exact = ossa_rig_bone(rig, name);
	size_t found = 0, count = 0;
	for (size_t b = 0; exact < 0 && b < rig->skeleton.bone_count; b++) {
		if (!is_like(rig->skeleton.bones[b].name, name)) continue;
		if (count++ == 0) found = b;
	}
	if (bone) *bone = exact >= 0 ? (size_t)exact : found;
	if (exact >= 0 || count == 1) return OSSA_OK;
	if (count == 0) return refuse(context, rig, name);
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%zu bones are called like \"%.64s\"; write %s exactly as it is",
		count, name, rig->skeleton.bones[found].name);
}
