/* export/target.c: what programs expect of files that are made for them.

   Place in the path: beside the registry of writers.
   Input: a program, a path.
   Output: options for writing.

   Sources: Unreal Engine's mannequin (x along the bones; centimetres, Z up); Unity's manual, Model
   Import Settings (Y up; FBX in centimetres); Godot's SkeletonProfileHumanoid (y along the bones);
   Blender's bones (y along the bone, Z up); Maya's joints (x along the bone, centimetres, Y up, end
   joints); Mixamo's own files (y along the bones, centimetres, Y up, end joints). At rest Unreal's
   mannequins stand in an A, avatars of Unity, the profile of Godot and Mixamo's characters in a
   T. */
#include <ossa/target.h>

#include "base/context.h"
#include "export/check_rest.h"

#include <string.h>

static const ossa_target targets[] = {
	{"unreal", "Unreal Engine", OSSA_NAMES_UNREAL, OSSA_UP_Z, 0.01, OSSA_AXIS_X, false, "fbx|glb|gltf|usda|obj", OSSA_REST_A},
	{"unity", "Unity", OSSA_NAMES_UNITY, OSSA_UP_Y, 0.01, OSSA_AXIS_Y, false, "fbx|collada|obj", OSSA_REST_T},
	{"godot", "Godot", OSSA_NAMES_GODOT, OSSA_UP_Y, 1, OSSA_AXIS_Y, false, "glb|gltf|collada|fbx|obj", OSSA_REST_T},
	{"blender", "Blender", OSSA_NAMES_BODY, OSSA_UP_Z, 1, OSSA_AXIS_Y, false, "glb|gltf|fbx|collada|usda|bvh|obj|ply|pc2|mdd",
		OSSA_REST_KEEP},
	{"maya", "Maya", OSSA_NAMES_BODY, OSSA_UP_Y, 0.01, OSSA_AXIS_X, true, "fbx|maya|collada|usda|obj", OSSA_REST_KEEP},
	{"mixamo", "Mixamo", OSSA_NAMES_MIXAMO, OSSA_UP_Y, 0.01, OSSA_AXIS_Y, true, "fbx|obj", OSSA_REST_T},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

size_t ossa_target_count(void) { return TARGETS; }

const ossa_target *ossa_target_at(size_t index) { return index < TARGETS ? &targets[index] : NULL; }

const ossa_target *ossa_target_find(const char *name)
{
	for (size_t i = 0; name && i < TARGETS; i++) {
		if (strcmp(targets[i].name, name) == 0) return &targets[i];
	}
	return NULL;
}

/* whether a list joined by '|' has the name */
static bool has_name(const char *list, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = list; *at;) {
		const size_t size = strcspn(at, "|");
		if (size == length && strncmp(at, name, length) == 0) return true;
		at += size + (at[size] == '|');
	}
	return false;
}

/* glTF's specification fixes axes and unit, and so do VRM's, which is glTF, and URDF's */
static bool is_fixed(const ossa_write_format *format) { return has_name("glb|gltf|vrm|urdf", format->name); }

static void warn_of_format(ossa_context *context, const ossa_target *target, const ossa_write_format *format)
{
	char known[128];
	size_t used = 0;
	for (const char *c = target->formats; *c && used + 3 < sizeof known; c++) {
		known[used++] = *c == '|' ? ',' : *c;
		if (*c == '|') known[used++] = ' ';
	}
	known[used] = 0;
	ossai_warn(context, "unread-format", 1, "%s does not read %s by itself; it reads %s", target->title, format->title, known);
}

ossa_status ossa_target_apply(ossa_context *context, const ossa_target *target, const char *path, ossa_write_options *options)
{
	const ossa_write_format *format;
	OSSAI_NEED(context, target, path, options);
	OSSAI_TRY(ossa_write_detect(context, path, &format));
	options->bone_axis = target->bone_axis;
	options->leaf_bones = target->leaf_bones;
	if (!is_fixed(format)) {
		options->up = target->up;
		options->unit = target->unit;
	}
	if (!has_name(target->formats, format->name)) warn_of_format(context, target, format);
	return OSSA_OK;
}

ossa_status ossa_target_check_rest(ossa_context *context, const ossa_target *target, const ossa_rig *rig, int rest_pose)
{
	OSSAI_NEED(context, target, rig);
	if (target->rest_pose == OSSA_REST_KEEP || rest_pose != OSSA_REST_KEEP) return OSSA_OK;
	return ossai_check_rest(context, target->title, rig, target->rest_pose);
}

const char *ossa_target_endings(const ossa_target *target)
{
	const size_t length = target ? strcspn(target->formats, "|") : 0;
	for (size_t i = 0; target && i < ossa_write_format_count(); i++) {
		const ossa_write_format *format = ossa_write_format_at(i);
		if (strlen(format->name) == length && strncmp(format->name, target->formats, length) == 0) return format->endings;
	}
	return "";
}
