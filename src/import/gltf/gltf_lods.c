/* import/gltf/gltf_lods.c: which nodes of a glTF file are coarser levels of others.

   Place in the path: inside the glTF reader, before the meshes.
   Input: nodes with the extension MSFT_lod.
   Output: marks of the levels, which are no part of what the file shows; the JSON without
   extensions that name what cannot be a level.
   Source: MSFT_lod. */
#include "import/gltf/gltf_document.h"
#include "scene/document_links.h"

typedef struct lods {
	ossai_gltf *document;
	uint8_t *is_base; /* by node */
	/* by node: the one whose level it is, and the last one that named it, good or not; OSSA_NONE */
	uint32_t *base_of, *named_by;
} lods;

/* Clears *is_good where a node is below another or that itself. Paths are paid for: those of a file
   may be long and many. */
static ossa_status check_apart(ossai_gltf *document, uint32_t node, uint32_t above, bool *is_good)
{
	const ossai_asset *asset = document->asset;
	/* loops are refused later: no path is longer than there are nodes */
	for (size_t steps = 0; node != OSSA_NONE && steps < asset->node_count; steps++) {
		OSSAI_TRY(ossai_gltf_charge(document, 1, 1));
		*is_good = *is_good && node != above;
		node = asset->nodes[node].parent;
	}
	return OSSA_OK;
}

/* A level is a node that is there, named once by this one, not above or below it and without levels
   of its own. */
static ossa_status check_levels(lods *all, uint32_t node, const json_t *ids, bool *is_good)
{
	*is_good = json_array_size(ids) > 0 && all->base_of[node] == OSSA_NONE;
	for (size_t i = 0; *is_good && i < json_array_size(ids); i++) {
		const json_t *id = json_array_get(ids, i);
		const json_int_t level = json_integer_value(id);
		*is_good = json_is_integer(id) && level >= 0 && (size_t)level < all->document->asset->node_count;
		if (!*is_good) break;
		*is_good = !all->is_base[level] && all->named_by[level] != node;
		all->named_by[level] = node;
		OSSAI_TRY(check_apart(all->document, (uint32_t)level, node, is_good));
		OSSAI_TRY(check_apart(all->document, node, (uint32_t)level, is_good));
	}
	return OSSA_OK;
}

static void drop_extension(json_t *node)
{
	json_t *extensions = json_object_get(node, "extensions");
	json_object_del(extensions, "MSFT_lod");
	if (json_object_size(extensions) == 0) json_object_del(node, "extensions");
}

ossa_status ossai_gltf_find_lods(ossai_gltf *document, uint8_t *is_level)
{
	const size_t count = document->asset->node_count;
	lods all = {.document = document};
	int64_t bad = 0;
	OSSAI_TRY(ossai_gltf_scratch(document, &all.is_base, count, sizeof *all.is_base));
	OSSAI_TRY(ossai_gltf_scratch(document, &all.base_of, count, sizeof *all.base_of));
	OSSAI_TRY(ossai_gltf_scratch(document, &all.named_by, count, sizeof *all.named_by));
	for (size_t n = 0; n < count; n++) {
		all.is_base[n] = 0;
		all.base_of[n] = all.named_by[n] = OSSA_NONE;
	}
	for (uint32_t n = 0; n < count; n++) {
		json_t *node = ossai_gltf_item(document, "nodes", n);
		if (!ossai_document_lods(node)) continue;
		bool is_good;
		OSSAI_TRY(check_levels(&all, n, ossai_document_lods(node), &is_good));
		all.is_base[n] = is_good;
		bad += !is_good;
		if (is_good) ossai_document_note_lods(node, n, count, all.base_of, NULL);
		else drop_extension(node);
	}
	for (size_t n = 0; n < count; n++) is_level[n] = all.base_of[n] != OSSA_NONE;
	ossai_gltf_mark_below(document, is_level);
	if (bad > 0) {
		ossai_warn(document->context, "bad-lods", bad,
			"%s: nodes name levels of detail (MSFT_lod) that are not there, go round in a circle or are parts of themselves: "
			"they have none",
			document->source->path);
	}
	return OSSA_OK;
}
