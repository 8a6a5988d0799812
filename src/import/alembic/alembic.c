/* import/alembic/alembic.c: the outline of the Alembic reader: see alembic.h.

   Place in the path: between the registry and asset.h.
   Input: bytes.
   Output: nodes, meshes, channels. The tree of objects is walked with a stack of its own. An
   instance is read as what it names; since nothing in a file may be its own ancestor, and every
   visit is charged, a walk ends. */
#include "import/alembic/alembic.h"

#include "import/alembic/alembic_parts.h"
#include "base/format.h"

#include <stdio.h>
#include <string.h>

bool ossai_alembic_detect(const uint8_t *bytes, size_t size)
{
	return size >= 5 && (memcmp(bytes, "Ogawa", 5) == 0 || memcmp(bytes, "\211HDF", 4) == 0);
}

/* ---- messages ---- */

static size_t append_name(char path[OSSAI_ALEMBIC_PATH_SIZE], size_t used, ossai_word word)
{
	char name[64];
	ossai_name_copy(name, word);
	const int written = snprintf(path + used, OSSAI_ALEMBIC_PATH_SIZE - used, "/%s", name);
	used += (size_t)written;
	return used < OSSAI_ALEMBIC_PATH_SIZE ? used : OSSAI_ALEMBIC_PATH_SIZE - 1;
}

ossa_status ossai_alembic_object_fail(
	const ossai_alembic_reader *reader, const ossai_alembic_object *object, const char *format, ...)
{
	char text[256], path[OSSAI_ALEMBIC_PATH_SIZE] = "";
	va_list list;
	va_start(list, format);
	ossai_vformat(text, sizeof text, format, list);
	va_end(list);
	size_t used = 0;
	/* level 0 is the top, which has no name */
	for (size_t i = 1; i < reader->depth; i++) used = append_name(path, used, reader->levels[i].name);
	append_name(path, used, object->name);
	return ossai_ogawa_fail(&reader->archive.file, NULL, "%s: %s", path, text);
}

/* ---- instances ---- */

/* the child of that name; `found` is false where there is none */
static ossa_status find_child(
	ossai_alembic_reader *reader, const ossai_ogawa_group *group, ossai_word name, ossai_alembic_object *child, bool *found)
{
	ossai_alembic_children children;
	OSSAI_TRY(ossai_alembic_children_begin(&reader->archive, group, &children));
	do {
		OSSAI_TRY(ossai_alembic_children_next(&reader->archive, &children, child, found));
	} while (*found && !ossai_words_are_same(child->name, name));
	return OSSA_OK;
}

static ossa_status instance_source(ossai_alembic_reader *reader, const ossai_alembic_object *object, ossai_word *path)
{
	ossai_ogawa_group properties;
	ossai_alembic_property property;
	ossai_alembic_sample sample = {NULL, 0};
	OSSAI_TRY(ossai_alembic_properties(&reader->archive, object, &properties));
	OSSAI_TRY(ossai_alembic_find(&reader->archive, &properties, ".instanceSource", &property));
	if (property.kind == OSSAI_ALEMBIC_SCALAR && property.pod == OSSAI_POD_STRING && property.sample_count > 0) {
		OSSAI_TRY(ossai_alembic_sample_at(&reader->archive, &property, 0, &sample));
	}
	*path = (ossai_word){(const char *)sample.bytes, sample.count};
	/* text ends with a 0 */
	if (path->size > 0 && path->bytes[path->size - 1] == 0) path->size--;
	if (path->size > 0) return OSSA_OK;
	return ossai_alembic_object_fail(reader, object, "is an instance, but of nothing; export without instances");
}

/* the object at a path from the top */
static ossa_status resolve(ossai_alembic_reader *reader, const ossai_alembic_object *instance, ossai_alembic_object *target)
{
	ossai_word path;
	OSSAI_TRY(instance_source(reader, instance, &path));
	const char *at = path.bytes, *const end = at + path.size;
	*target = (ossai_alembic_object){.metadata = {"", 0}, .group = reader->archive.top};
	while (at < end) {
		const char *stop = memchr(at, '/', (size_t)(end - at));
		if (!stop) stop = end;
		bool found = true;
		if (stop > at) {
			const ossai_ogawa_group above = target->group;
			OSSAI_TRY(find_child(reader, &above, (ossai_word){at, (size_t)(stop - at)}, target, &found));
		}
		if (!found || ossai_alembic_says(target->metadata, "isInstance", "1")) {
			char name[64];
			ossai_name_copy(name, path);
			return ossai_alembic_object_fail(reader, instance, "is an instance of %s, which is %s; export without instances",
				name, found ? "an instance itself or inside one" : "not in the file");
		}
		at = stop < end ? stop + 1 : end;
	}
	return OSSA_OK;
}

/* ---- the walk ---- */

static bool is_schema(const ossai_alembic_object *object, const char *beginning)
{
	const ossai_word schema = ossai_alembic_value(object->metadata, "schema");
	const size_t size = strlen(beginning);
	return schema.size >= size && memcmp(schema.bytes, beginning, size) == 0;
}

/* a camera or light, of which nothing is read; the file does not say more of its type */
static ossa_status list_object(
	ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t parent, ossa_scene_kind kind)
{
	const ossai_asset_item item = {
		.kind = kind, .node = parent, .name = ossai_asset_text(reader->asset, object->name.bytes, object->name.size)};
	if (!item.name) return ossa_context_error(reader->asset->context)->status;
	return ossai_asset_add_item(reader->asset, &item);
}

static ossa_status visit(ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t parent, uint32_t *node)
{
	*node = parent;
	if (is_schema(object, "AbcGeom_Xform_v")) return ossai_alembic_read_xform(reader, object, parent, node);
	if (is_schema(object, "AbcGeom_PolyMesh_v") || is_schema(object, "AbcGeom_SubD_v")) {
		return ossai_alembic_read_mesh(reader, object, parent);
	}
	if (is_schema(object, "AbcGeom_Camera_v")) return list_object(reader, object, parent, OSSA_SCENE_CAMERA);
	if (is_schema(object, "AbcGeom_Light_v")) return list_object(reader, object, parent, OSSA_SCENE_LIGHT);
	if (is_schema(object, "AbcGeom_Curve_v") || is_schema(object, "AbcGeom_Points_v") ||
		is_schema(object, "AbcGeom_NuPatch_v")) {
		reader->skipped_count++;
	}
	return OSSA_OK;
}

static ossa_status descend(ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t node)
{
	for (size_t i = 0; i < reader->depth; i++) {
		const ossai_ogawa_group *above = &reader->levels[i].children.group;
		if (above->count > 0 && above->children == object->group.children) {
			return ossai_alembic_object_fail(reader, object, "is its own ancestor: the file is broken; export it again");
		}
	}
	if (reader->depth == OSSAI_ALEMBIC_DEPTH) {
		return ossai_alembic_object_fail(
			reader, object, "lies %d objects deep; ossa reads fewer: flatten the hierarchy", OSSAI_ALEMBIC_DEPTH);
	}
	ossai_alembic_level *level = &reader->levels[reader->depth];
	*level = (ossai_alembic_level){.name = object->name, .node = node};
	OSSAI_TRY(ossai_alembic_children_begin(&reader->archive, &object->group, &level->children));
	reader->depth++;
	return OSSA_OK;
}

static ossa_status walk(ossai_alembic_reader *reader)
{
	const ossai_alembic_object top = {{"", 0}, {"", 0}, reader->archive.top};
	OSSAI_TRY(descend(reader, &top, OSSA_NONE));
	while (reader->depth > 0) {
		ossai_alembic_level *level = &reader->levels[reader->depth - 1];
		ossai_alembic_object object, target;
		bool found;
		uint32_t node;
		OSSAI_TRY(ossai_alembic_children_next(&reader->archive, &level->children, &object, &found));
		if (!found) {
			reader->depth--;
			continue;
		}
		if (ossai_alembic_says(object.metadata, "isInstance", "1")) {
			OSSAI_TRY(resolve(reader, &object, &target));
			object.metadata = target.metadata;
			object.group = target.group;
		}
		OSSAI_TRY(visit(reader, &object, level->node, &node));
		OSSAI_TRY(descend(reader, &object, node));
	}
	return OSSA_OK;
}

/* ---- the file ---- */

static ossa_status warn_of_missing(const ossai_alembic_reader *reader)
{
	const ossai_asset *asset = reader->asset;
	if (reader->skipped_count > 0) {
		ossai_warn(asset->context, "alembic-skipped", (int64_t)reader->skipped_count,
			"%s: holds curves, points or patches besides meshes; they are left out", asset->path);
	}
	if (asset->mesh_count > 0) return OSSA_OK;
	return ossai_ogawa_fail(&reader->archive.file, NULL, "holds no polygon mesh: export it again, with a mesh selected");
}

ossa_status ossai_alembic_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	if (source->size >= 4 && memcmp(source->bytes, "\211HDF", 4) == 0) {
		const ossai_place place = ossai_in_file(source->path);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
			"is Alembic in its old container, HDF5 (or another HDF5 file), which ossa does not read: export it as Ogawa, or "
			"turn it "
			"into that with abcconvert -toOgawa");
	}
	ossai_alembic_reader *reader = ossai_arena_zero(&asset->arena, 1, sizeof *reader);
	asset->clips = ossai_arena_zero(&asset->arena, 1, sizeof *asset->clips);
	if (!reader || !asset->clips) return ossa_context_error(context)->status;
	reader->asset = asset;
	reader->clip = asset->clips;
	reader->levels = ossai_arena_new(&asset->arena, OSSAI_ALEMBIC_DEPTH, sizeof *reader->levels);
	if (!reader->levels) return ossa_context_error(context)->status;
	asset->reader = reader;
	OSSAI_TRY(ossai_alembic_open(&asset->arena, source, &reader->archive));
	OSSAI_TRY(walk(reader));
	if (reader->clip->channel_count > 0) asset->clip_count = 1;
	return warn_of_missing(reader);
}
