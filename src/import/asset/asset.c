/* import/asset/asset.c: opening, finishing and closing of an asset, and its messages.

   Place in the path: between the readers of scene formats and the files asset_*.c that make meshes,
   frames and rigs.
   Input: a file's bytes and its reader.
   Output: an asset whose every index, count and number has been checked. */
#include "import/asset/asset.h"
#include "import/asset/asset_parts.h"
#include "scene/appearance.h"
#include "scene/document.h"

#include "base/csr.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>

/* memory of results beyond the share of the file's size */
static const size_t budget_base = (size_t)256 << 20, budget_per_byte = 8192;

ossa_status ossai_asset_fail(const ossai_asset *asset, const char *format, ...)
{
	const ossai_place place = ossai_in_file(asset->path);
	va_list list;
	va_start(list, format);
	ossai_fail_list(asset->context, OSSA_ERROR_INPUT, &place, format, list);
	va_end(list);
	return OSSA_ERROR_INPUT;
}

const char *ossai_asset_text(ossai_asset *asset, const char *text, size_t length)
{
	char *copy = ossai_arena_new(&asset->arena, length + 1, 1);
	if (!copy) return NULL;
	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}

ossa_status ossai_asset_charge(ossai_asset *asset, size_t count, size_t size)
{
	if (size == 0 || count <= asset->budget / size) {
		asset->budget -= count * size;
		return OSSA_OK;
	}
	const ossai_place place = ossai_in_file(asset->path);
	return ossai_fail(asset->context, OSSA_ERROR_LIMIT, &place,
		"its motion asks for %zu times %zu bytes, far more than a file of its size should: take fewer frames (`frames`, "
		"`fps`), or the file is malicious",
		count, size);
}

const char *ossai_asset_node_name(const ossai_asset *asset, uint32_t node)
{
	const char *name = node == OSSA_NONE ? NULL : asset->nodes[node].name;
	return name ? name : "(without a name)";
}

/* ---- the order of the nodes ---- */

/* Every node after its parent, else in the file's order: by depth, which is found by walking up to
   what is known. A walk longer than the number of nodes is in a cycle. */
static ossa_status sort_nodes(ossai_asset *asset)
{
	const size_t count = asset->node_count;
	uint32_t *depth = ossai_arena_new(&asset->arena, count, sizeof *depth);
	if (!depth) return ossa_context_error(asset->context)->status;
	memset(depth, 0xff, count * sizeof *depth);
	for (size_t n = 0; n < count; n++) {
		uint32_t steps = 0, top = (uint32_t)n;
		for (; top != OSSA_NONE && depth[top] == OSSA_NONE; top = asset->nodes[top].parent) {
			if (steps++ > count)
				return ossai_asset_fail(asset, "its nodes form a loop at \"%s\"", ossai_asset_node_name(asset, (uint32_t)n));
		}
		uint32_t below = steps + (top == OSSA_NONE ? 0 : depth[top] + 1);
		for (uint32_t at = (uint32_t)n; at != top; at = asset->nodes[at].parent) depth[at] = --below;
	}
	ossai_csr by_depth;
	OSSAI_TRY(ossai_csr_of_keys(&asset->arena, count, count, depth, &by_depth));
	asset->order = by_depth.item;
	return OSSA_OK;
}

/* ---- space ---- */

/* the user's choice overrides the file's */
static void find_space(ossai_asset *asset, const ossa_read_options *options)
{
	const int up = options->input_up == OSSA_UP_FILE ? asset->up : (int)options->input_up;
	double unit = options->input_unit > 0 ? options->input_unit : asset->unit;
	if (!(unit > 0) || !isfinite(unit)) unit = 1;
	asset->space = ossai_affine_identity();
	/* a quarter turn about x: y = z, z = -y */
	if (up == OSSA_UP_Z) asset->space.r = (ossai_mat3){{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
	/* a quarter turn about z: x = -y, y = x */
	if (up == OSSAI_UP_X) asset->space.r = (ossai_mat3){{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) asset->space.r.m[i][j] *= unit;
	}
}

ossa_status ossai_asset_finish(ossai_asset *asset, const ossa_read_options *options)
{
	OSSAI_TRY(ossai_asset_check_nodes(asset));
	OSSAI_TRY(sort_nodes(asset));
	OSSAI_TRY(ossai_asset_check_skins(asset));
	OSSAI_TRY(ossai_asset_check_meshes(asset));
	OSSAI_TRY(ossai_asset_check_clips(asset));
	OSSAI_TRY(ossai_asset_name_clips(asset));
	find_space(asset, options);
	return OSSA_OK;
}

/* ---- opening and closing ---- */

ossa_status ossai_asset_open(ossa_context *context, const ossai_source *source, ossai_asset_reader read,
	const ossa_read_options *options, ossai_asset *asset)
{
	const ossa_read_options chosen = options ? *options : ossa_read_default();
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &chosen));
	*asset = (ossai_asset){
		.context = context, .arena = ossai_arena_begin(context), .path = source->path, .own_space = ossai_affine_identity()};
	asset->budget = budget_base +
		(source->size < SIZE_MAX / 2 / budget_per_byte ? source->size * budget_per_byte : SIZE_MAX / 2);
	ossa_status status = read(context, source, asset);
	if (status == OSSA_OK) status = ossai_asset_finish(asset, &chosen);
	if (status == OSSA_OK) status = ossai_asset_warn_of_scene(asset);
	if (status != OSSA_OK) ossai_asset_close(asset);
	return status;
}

void ossai_asset_close(ossai_asset *asset)
{
	for (size_t m = 0; asset->meshes && m < asset->mesh_count; m++) ossa_mesh_free(asset->context, asset->meshes[m].mesh);
	if (asset->appearance) ossai_appearance_release(&asset->appearance->shown);
	ossai_document_release(asset->document);
	if (asset->close) asset->close(asset);
	ossa_free(asset->context, asset->items);
	ossai_arena_end(&asset->arena);
	*asset = (ossai_asset){.context = asset->context};
}
