/* import/gltf/gltf_json.c: checked access to a glTF file's JSON.

   Place in the path: below the glTF reader's parts.
   Input: JSON values of any kind.
   Output: numbers, indices in range, texts. */
#include "import/gltf/gltf_document.h"

#include <string.h>

size_t ossai_gltf_length(const ossai_gltf *document, const char *name)
{
	return json_array_size(json_object_get(document->root, name));
}

json_t *ossai_gltf_item(const ossai_gltf *document, const char *name, size_t index)
{
	json_t *item = json_array_get(json_object_get(document->root, name), index);
	return json_is_object(item) ? item : NULL;
}

bool ossai_gltf_is_whole(const json_t *value, size_t *number)
{
	const double real = json_number_value(value);
	if (!json_is_number(value) || !(real >= 0) || real > 9007199254740992.0 || real != floor(real)) return false;
	*number = (size_t)real;
	return true;
}

ossa_status ossai_gltf_whole(const ossai_gltf *document, const json_t *object, const char *key, size_t fallback, size_t *value)
{
	const json_t *item = json_object_get(object, key);
	*value = fallback;
	if (!item || ossai_gltf_is_whole(item, value)) return OSSA_OK;
	return ossai_asset_fail(document->asset, "\"%s\" must be a whole number from 0 on", key);
}

ossa_status ossai_gltf_index(const ossai_gltf *document, const json_t *object, const char *key, const char *name, size_t *index)
{
	OSSAI_TRY(ossai_gltf_whole(document, object, key, SIZE_MAX, index));
	const size_t length = ossai_gltf_length(document, name);
	if (*index == SIZE_MAX || *index < length) return OSSA_OK;
	return ossai_asset_fail(document->asset, "\"%s\" is %zu, but there are only %zu %s", key, *index, length, name);
}

bool ossai_gltf_numbers(const json_t *object, const char *key, size_t count, double *values)
{
	const json_t *array = json_object_get(object, key);
	if (json_array_size(array) != count) return false;
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(array, i);
		if (!json_is_number(value) || !isfinite(json_number_value(value))) return false;
	}
	for (size_t i = 0; i < count; i++) values[i] = json_number_value(json_array_get(array, i));
	return true;
}

ossa_status ossai_gltf_text_of(ossai_gltf *document, const json_t *value, const char **text)
{
	*text = NULL;
	if (!json_is_string(value)) return OSSA_OK;
	*text = ossai_asset_text(document->asset, json_string_value(value), json_string_length(value));
	return *text ? OSSA_OK : ossa_context_error(document->context)->status;
}

ossa_status ossai_gltf_text(ossai_gltf *document, const json_t *object, const char *key, const char **text)
{
	return ossai_gltf_text_of(document, json_object_get(object, key), text);
}

const json_t *ossai_gltf_extras(const json_t *object)
{
	const json_t *extras = json_object_get(json_object_get(object, "extras"), "ossa");
	return json_is_object(extras) ? extras : NULL;
}
