/* import/gltf/gltf_meshopt.c: buffer views that meshoptimizer compressed.

   Place in the path: inside the glTF reader, before anything is read.
   Input: a view with its extension.
   Output: the view's bytes as the accessors describe them.
   Source: EXT_meshopt_compression; KHR_meshopt_compression where it has the same streams. */
#include "import/gltf/gltf_expand.h"

#include <meshoptimizer.h>
#include <string.h>

typedef enum mode { ATTRIBUTES, TRIANGLES, INDICES, MODE_COUNT } mode;
typedef enum filter { NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, FILTER_COUNT } filter;

static const char *const mode_names[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
static const char *const filter_names[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};

typedef struct stream {
	size_t view; /* its number */
	const char *name;
	ossai_gltf_bytes bytes;
	size_t count, stride;
	mode mode;
	filter filter;
} stream;

/* the place of a word in a list; `count` where it is not there */
static int find_word(const json_t *value, const char *const *words, int count)
{
	int i = 0;
	while (i < count && !(json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)) i++;
	return i;
}

static ossa_status read_words(const ossai_gltf *document, const json_t *extension, stream *s)
{
	const json_t *mode_word = json_object_get(extension, "mode"), *filter_word = json_object_get(extension, "filter");
	s->mode = (mode)find_word(mode_word, mode_names, MODE_COUNT);
	s->filter = filter_word ? (filter)find_word(filter_word, filter_names, FILTER_COUNT) : NONE;
	if (s->mode < MODE_COUNT && s->filter < FILTER_COUNT) return OSSA_OK;
	const json_t *bad = s->mode == MODE_COUNT ? mode_word : filter_word;
	return ossai_asset_fail(document->asset, "buffer view %zu: %s has a %s that ossa does not know: %.32s", s->view, s->name,
		s->mode == MODE_COUNT ? "mode" : "filter", json_is_string(bad) ? json_string_value(bad) : "none");
}

/* the conditions of the extension, which are also those of the library */
static bool is_layout_good(const stream *s)
{
	if (s->mode != ATTRIBUTES) {
		const bool is_list = s->mode != TRIANGLES || s->count % 3 == 0;
		return (s->stride == 2 || s->stride == 4) && s->filter == NONE && is_list;
	}
	if (s->stride == 0 || s->stride > 256 || s->stride % 4 != 0) return false;
	if (s->filter == OCTAHEDRAL) return s->stride == 4 || s->stride == 8;
	return s->filter != QUATERNION || s->stride == 8;
}

static ossa_status read_stream(ossai_gltf *document, const json_t *view, const json_t *extension, stream *s)
{
	size_t length;
	OSSAI_TRY(read_words(document, extension, s));
	OSSAI_TRY(ossai_gltf_whole(document, extension, "count", 0, &s->count));
	OSSAI_TRY(ossai_gltf_whole(document, extension, "byteStride", 0, &s->stride));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteLength", 0, &length));
	if (!is_layout_good(s)) {
		return ossai_asset_fail(document->asset,
			"buffer view %zu: %s of %zu elements of %zu bytes (%s, %s) is against its rules", s->view, s->name, s->count,
			s->stride, mode_names[s->mode], filter_names[s->filter]);
	}
	if (s->count > length / s->stride || s->count * s->stride != length) {
		return ossai_asset_fail(document->asset, "buffer view %zu has %zu bytes, but %s says %zu elements of %zu bytes",
			s->view, length, s->name, s->count, s->stride);
	}
	OSSAI_TRY(ossai_gltf_charge(document, (length + 3) / 4, 1));
	return ossai_gltf_bytes_of(document, extension, s->name, s->view, &s->bytes);
}

static void unfilter(const stream *s, uint8_t *to)
{
	switch (s->filter) {
	case OCTAHEDRAL: meshopt_decodeFilterOct(to, s->count, s->stride); break;
	case QUATERNION: meshopt_decodeFilterQuat(to, s->count, s->stride); break;
	case EXPONENTIAL: meshopt_decodeFilterExp(to, s->count, s->stride); break;
	case NONE:
	case FILTER_COUNT: break;
	}
}

static bool decode(const stream *s, uint8_t *to)
{
	int result = 0;
	switch (s->mode) {
	case ATTRIBUTES: result = meshopt_decodeVertexBuffer(to, s->count, s->stride, s->bytes.data, s->bytes.size); break;
	case TRIANGLES: result = meshopt_decodeIndexBuffer(to, s->count, s->stride, s->bytes.data, s->bytes.size); break;
	case INDICES:
	case MODE_COUNT: result = meshopt_decodeIndexSequence(to, s->count, s->stride, s->bytes.data, s->bytes.size); break;
	}
	if (result == 0) unfilter(s, to);
	return result == 0;
}

ossa_status ossai_gltf_expand_view(ossai_gltf *document, size_t index, json_t *view, const char *name, const json_t *extension)
{
	stream s = {.view = index, .name = name};
	uint8_t *bytes;
	size_t buffer;
	OSSAI_TRY(read_stream(document, view, extension, &s));
	OSSAI_TRY(ossai_gltf_scratch(document, &bytes, s.count, s.stride));
	if (!decode(&s, bytes)) {
		return ossai_asset_fail(document->asset,
			"buffer view %zu: its %s is damaged, or of a newer version than meshoptimizer %d.%d reads: expand the file with "
			"`npx "
			"@gltf-transform/cli copy IN OUT`",
			index, name, MESHOPTIMIZER_VERSION / 1000, MESHOPTIMIZER_VERSION % 1000 / 10);
	}
	OSSAI_TRY(ossai_gltf_add_buffer(document, bytes, s.count * s.stride, &buffer));
	json_object_del(view, "byteOffset");
	const bool set = json_object_set_new(view, "buffer", json_integer((json_int_t)buffer)) == 0;
	return set ? OSSA_OK : ossai_gltf_no_json(document);
}
