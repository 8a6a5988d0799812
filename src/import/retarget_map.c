/* import/retarget_map.c: reads a map of two skeletons' bones from JSON.

   Place in the path: file -> here -> the options of retargeting.
   Input: objects of bones and roles, or bones and bones.
   Output: ossa_retarget_map. */
#include "base/context.h"
#include "base/file.h"

#include <jansson.h>
#include <ossa/retarget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct map_reader {
	ossa_context *context;
	const char *path;
	ossa_retarget_map *map;
	size_t capacity;
} map_reader;

/* "left thigh", "spine 2", "hips"; false where it is none */
static bool read_role(const char *text, ossa_role *role)
{
	char part[64] = "";
	*role = (ossa_role){0};
	if (strncmp(text, "left ", 5) == 0) role->side = 1;
	else if (strncmp(text, "right ", 6) == 0) role->side = -1;
	text += role->side > 0 ? 5 : role->side < 0 ? 6 : 0;
	const size_t length = strcspn(text, " ");
	if (length >= sizeof part) return false;
	memcpy(part, text, length);
	/* ossa calls their bone pelvis, most others hips */
	role->part = strcmp(part, "hips") == 0 ? OSSA_PART_HIPS : ossa_body_part_of_name(part);
	if (role->part == OSSA_PART_NONE) return false;
	if (text[length] == 0) return true;
	char *end;
	const long number = strtol(text + length, &end, 10);
	role->number = (int)number;
	return *end == 0 && number > 0 && number < 1000;
}

static ossa_status fail_entry(const map_reader *r, const char *group, const char *bone, const char *wanted)
{
	return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL, "%s: \"%s\" of \"%.40s\" must be %s", r->path, group, bone, wanted);
}

static ossa_status read_entry(map_reader *r, const char *group, ossa_map_kind kind, const char *bone, const json_t *value)
{
	ossa_map_entry entry = {.kind = kind};
	const char *text = json_string_value(value);
	if (strlen(bone) >= sizeof entry.bone || bone[0] == 0)
		return fail_entry(r, group, bone, "of a bone, whose name has 1 to 63 characters");
	snprintf(entry.bone, sizeof entry.bone, "%s", bone);
	if (!text && !json_is_null(value)) return fail_entry(r, group, bone, "a text or null");
	if (text && kind == OSSA_MAP_PAIR && (strlen(text) >= sizeof entry.source || text[0] == 0))
		return fail_entry(r, group, bone, "the name of a bone of the motion, or null");
	if (text && kind == OSSA_MAP_PAIR) snprintf(entry.source, sizeof entry.source, "%s", text);
	if (text && kind != OSSA_MAP_PAIR && !read_role(text, &entry.role))
		return fail_entry(r, group, bone, "what the bone is (\"hips\", \"spine 2\", \"left thigh\"), or null");
	OSSAI_TRY(ossai_reserve(r->context, &r->map->entries, &r->capacity, r->map->count, sizeof *r->map->entries));
	r->map->entries[r->map->count++] = entry;
	return OSSA_OK;
}

static ossa_status read_groups(map_reader *r, json_t *root)
{
	static const char *const groups[] = {
		[OSSA_MAP_RIG_ROLE] = "rig", [OSSA_MAP_SOURCE_ROLE] = "motion", [OSSA_MAP_PAIR] = "pairs"};
	const char *name, *bone;
	json_t *group, *value;
	json_object_foreach(root, name, group)
	{
		size_t kind = 0;
		while (kind < sizeof groups / sizeof groups[0] && strcmp(name, groups[kind]) != 0) kind++;
		if (kind == sizeof groups / sizeof groups[0] || !json_is_object(group)) {
			return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL,
				"%s: \"%.40s\" is not one of the objects \"rig\", \"motion\" and \"pairs\"", r->path, name);
		}
		json_object_foreach(group, bone, value) OSSAI_TRY(read_entry(r, name, (ossa_map_kind)kind, bone, value));
	}
	if (r->map->count > 0) return OSSA_OK;
	return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL,
		"%s: holds no bone; write {\"rig\": {\"Bone.003\": \"left thigh\"}, \"pairs\": {\"jaw\": \"Jaw_M\"}}", r->path);
}

ossa_status ossa_retarget_map_read(ossa_context *context, const char *path, ossa_retarget_map **map)
{
	ossai_file file;
	json_error_t fault;
	if (map) *map = NULL;
	OSSAI_NEED(context, path, map);
	OSSAI_TRY(ossai_file_open(context, path, &file));
	json_t *root = json_loadb((const char *)file.bytes, file.size, JSON_REJECT_DUPLICATES, &fault);
	ossai_file_close(context, &file);
	if (!root) return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s:%d: %s", path, fault.line, fault.text);
	map_reader r = {.context = context, .path = path, .map = ossa_alloc(context, 1, sizeof **map)};
	const ossa_status status = r.map ? read_groups(&r, root) : ossa_context_error(context)->status;
	json_decref(root);
	if (status == OSSA_OK) *map = r.map;
	else ossa_retarget_map_free(context, r.map);
	return status;
}

void ossa_retarget_map_free(ossa_context *context, ossa_retarget_map *map)
{
	if (!map) return;
	ossa_free(context, map->entries);
	ossa_free(context, map);
}
