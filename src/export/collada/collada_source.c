/* export/collada/collada_source.c: the small pieces that parts of a Collada file are made of.

   Place in the path: inside the Collada writer.
   Input: ids, counts.
   Output: sources, extras. */
#include "export/collada/collada.h"

#include <string.h>

void ossai_collada_select(ossai_collada *file, size_t part)
{
	char suffix[32] = "";
	if (part > 0) snprintf(suffix, sizeof suffix, "-%zu", part + 1);
	memcpy(file->suffix, suffix, sizeof suffix);
	file->part = &file->parts.items[part];
	file->mesh = file->part->mesh;
	file->positions = file->part->positions;
}

const char *ossai_collada_part_id(const ossai_collada *file, const char *stem, char id[OSSAI_COLLADA_ID])
{
	snprintf(id, OSSAI_COLLADA_ID, "%s%s", stem, file->suffix);
	return id;
}

void ossai_collada_open_extra(ossai_collada *file)
{
	ossai_markup_open(&file->markup, "extra", "type", "ossa", NULL);
	ossai_markup_open(&file->markup, "technique", "profile", "ossa", NULL);
}

void ossai_collada_close_extra(ossai_collada *file)
{
	ossai_markup_close(&file->markup, "technique");
	ossai_markup_close(&file->markup, "extra");
}

void ossai_collada_open_source(ossai_collada *file, const ossai_collada_source *source)
{
	ossai_collada_open_named_source(file, source, "");
}

void ossai_collada_open_named_source(ossai_collada *file, const ossai_collada_source *source, const char *name)
{
	char id[OSSAI_COLLADA_ID];
	ossai_markup_open(&file->markup, "source", "id", ossai_collada_part_id(file, source->id, id), NULL);
	if (name[0]) ossai_collada_put_name(file, name);
	snprintf(id, sizeof id, "%s%s-array", source->id, file->suffix);
	ossai_markup_open(&file->markup, source->array, "id", id, NULL);
	ossai_markup_attribute_index(&file->markup, "count", source->count * source->stride);
}

void ossai_collada_close_source(ossai_collada *file, const ossai_collada_source *source)
{
	ossai_markup *markup = &file->markup;
	char url[OSSAI_COLLADA_ID];
	const size_t length = strlen(source->parameters);
	snprintf(url, sizeof url, "#%s%s-array", source->id, file->suffix);
	ossai_markup_close(markup, source->array);
	ossai_markup_open(markup, "technique_common", NULL);
	ossai_markup_open(markup, "accessor", "source", url, NULL);
	ossai_markup_attribute_index(markup, "count", source->count);
	ossai_markup_attribute_index(markup, "stride", source->stride);
	for (size_t i = 0; i < length && length == source->stride; i++) {
		const char name[2] = {source->parameters[i], 0};
		ossai_markup_empty(markup, "param", "name", name, "type", source->type, NULL);
	}
	if (length != source->stride) ossai_markup_empty(markup, "param", "name", source->parameters, "type", source->type, NULL);
	ossai_markup_close(markup, "accessor");
	ossai_markup_close(markup, "technique_common");
	ossai_markup_close(markup, "source");
}
