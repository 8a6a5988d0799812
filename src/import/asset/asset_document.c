/* import/asset/asset_document.c: how the vertices of the file behind an asset became those of the
   joined mesh.

   Place in the path: inside the asset layer, after the meshes are joined.
   Input: the document that the reader kept, the blocks of the joined mesh.
   Output: the document, with the mesh. */
#include "import/asset/asset_parts.h"
#include "scene/document.h"

#include <stdio.h>
#include <string.h>

static size_t count_vertices(const ossa_document *document, const ossai_asset *asset, const ossai_blocks *blocks)
{
	size_t count = 0;
	for (size_t b = 0; b < blocks->count; b++) count += document->meshes[blocks->items[b].from - asset->meshes].vertex_count;
	return count;
}

static ossa_status fill_turns(ossa_document *document, const ossai_block *block, ossai_document_mesh *mesh)
{
	mesh->is_mapped = block->joint_map == NULL;
	if (mesh->is_mapped) return OSSA_OK;
	mesh->turns = ossai_arena_new(&document->arena, mesh->vertex_count, sizeof *mesh->turns);
	if (!mesh->turns) return ossa_context_error(document->context)->status;
	for (size_t i = 0; i < mesh->vertex_count; i++)
		mesh->turns[i] = ossai_block_turn(block, i < block->own ? i : block->from->copy_of[i - block->own]);
	return OSSA_OK;
}

static ossa_status fill_targets(ossa_document *document, const ossai_asset_mesh *from, ossai_document_mesh *mesh)
{
	mesh->target_count = from->target_morphs ? from->target_count : 0;
	mesh->target_morphs = ossai_arena_new(&document->arena, mesh->target_count, sizeof *mesh->target_morphs);
	if (!mesh->target_morphs) return ossa_context_error(document->context)->status;
	if (mesh->target_count > 0)
		memcpy(mesh->target_morphs, from->target_morphs, mesh->target_count * sizeof *mesh->target_morphs);
	return OSSA_OK;
}

static void fill_block(ossa_document *document, const ossai_block *block, ossai_document_mesh *mesh, size_t first)
{
	uint32_t *vertex_of = document->vertex_of + first;
	mesh->first_vertex = first;
	mesh->map = block->map;
	for (size_t i = 0; i < mesh->vertex_count; i++) {
		const size_t own = i < block->own ? i : block->from->copy_of[i - block->own];
		vertex_of[i] = (uint32_t)(block->base + own);
	}
}

ossa_status ossai_asset_keep_document(ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh *mesh)
{
	ossa_document *document = asset->document;
	if (!document || blocks->count != document->mesh_count) return OSSA_OK;
	ossai_arena *arena = &document->arena;
	document->source_count = count_vertices(document, asset, blocks);
	document->vertex_count = mesh->vertex_count;
	document->node_count = asset->node_count;
	document->vertex_of = ossai_arena_new(arena, document->source_count, sizeof *document->vertex_of);
	document->positions = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *document->positions);
	document->animation_count = asset->clip_count;
	document->space = asset->space;
	document->clip_names = ossai_arena_zero(arena, asset->clip_count, sizeof *document->clip_names);
	document->is_read = ossai_arena_zero(arena, asset->clip_count, 1);
	document->is_sampled = ossai_arena_zero(arena, asset->clip_count, 1);
	document->begin = ossai_arena_zero(arena, asset->clip_count, sizeof *document->begin);
	document->morphs = ossai_arena_zero(arena, asset->clip_count, sizeof *document->morphs);
	document->world = ossai_arena_new(arena, asset->node_count, sizeof *document->world);
	if (!document->vertex_of || !document->positions || !document->world || !document->is_read || !document->is_sampled ||
		!document->begin || !document->clip_names || !document->morphs)
		return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < asset->clip_count; i++) snprintf(document->clip_names[i], 64, "%s", asset->clips[i].name);
	memcpy(document->positions, mesh->positions, 3 * mesh->vertex_count * sizeof *mesh->positions);
	if (asset->node_count > 0) memcpy(document->world, bones->rest_world, asset->node_count * sizeof *document->world);
	for (size_t b = 0, first = 0; b < blocks->count; b++) {
		ossai_document_mesh *of = &document->meshes[blocks->items[b].from - asset->meshes];
		OSSAI_TRY(fill_turns(document, &blocks->items[b], of));
		OSSAI_TRY(fill_targets(document, blocks->items[b].from, of));
		fill_block(document, &blocks->items[b], of, first);
		first += of->vertex_count;
	}
	mesh->document = document;
	asset->document = NULL;
	return OSSA_OK;
}

void ossai_asset_note_frames(ossa_mesh *mesh, const ossa_frames *frames, const ossa_read_options *options)
{
	const ossa_read_options chosen = options ? *options : ossa_read_default();
	const bool has_all = chosen.frames_per_second == 0 && chosen.frames.first == 0 && chosen.frames.last == 0;
	if (mesh->document && has_all) ossai_document_note_frames(mesh->document, frames, chosen.clip[0] != 0);
}
