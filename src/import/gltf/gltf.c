/* import/gltf/gltf.c: reads glTF files: the outline.

   Place in the path: a reader of scenes behind the registry.
   Input: a file's bytes.
   Output: an ossai_asset that the other gltf_ files fill part by part.
   Source: glTF 2.0 specification. */
#include "import/gltf/gltf.h"
#include "import/gltf/gltf_document.h"

#include <string.h>

bool ossai_gltf_detect(const uint8_t *bytes, size_t size)
{
	if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) return true;
	/* a mark that some editors put in front */
	const size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	ossai_text text = ossai_text_begin(NULL, "", bytes + mark, size - mark < 4096 ? size - mark : 4096);
	ossai_text_space(&text, 0);
	if (ossai_text_ended(&text) || *text.at != '{') return false;
	text.at++;
	ossai_text_space(&text, 0);
	return !ossai_text_ended(&text) && (*text.at == '"' || *text.at == '}');
}

static ossa_status read_parts(ossai_gltf *document)
{
	/* as the specification says */
	document->asset->unit = 1;
	document->asset->up = OSSA_UP_Y;
	OSSAI_TRY(ossai_gltf_find_animated(document));
	OSSAI_TRY(ossai_gltf_read_nodes(document));
	OSSAI_TRY(ossai_gltf_list_scene(document));
	OSSAI_TRY(ossai_gltf_read_meshes(document));
	OSSAI_TRY(ossai_gltf_read_skins(document));
	OSSAI_TRY(ossai_gltf_read_clips(document));
	OSSAI_TRY(ossai_gltf_keep_file(document));
	return ossai_gltf_read_materials(document);
}

ossa_status ossai_gltf_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	ossai_gltf document;
	ossa_status status = ossai_gltf_open(context, source, asset, &document);
	if (status == OSSA_OK) status = read_parts(&document);
	ossai_gltf_close(&document);
	return status;
}
