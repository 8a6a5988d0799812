/* import/asset/asset_keep.c: the joined mesh beside the meshes that it was made of.

   Place in the path: between the joined mesh at rest, which takes arrays of the asset's meshes, and
   frames, which need the positions of these.
   Input: blocks.
   Output: the joined mesh; the asset's meshes are names and positions alone. */
#include "import/asset/asset_parts.h"

#include <string.h>

/* Keeps what frames need when the mesh at rest takes the arrays of the asset's meshes: names and
   positions alone. */
static ossa_status keep_shape(ossa_context *context, const ossa_mesh *mesh, ossa_mesh **kept)
{
	*kept = ossa_alloc(context, 1, sizeof **kept);
	if (!*kept) return ossa_context_error(context)->status;
	memcpy((*kept)->name, mesh->name, sizeof mesh->name);
	(*kept)->vertex_count = mesh->vertex_count;
	(*kept)->positions = ossai_new(context, mesh->vertex_count, 3 * sizeof *mesh->positions);
	if (!(*kept)->positions) return ossa_context_error(context)->status;
	if (mesh->vertex_count > 0) memcpy((*kept)->positions, mesh->positions, 3 * mesh->vertex_count * sizeof *mesh->positions);
	return OSSA_OK;
}

ossa_status ossai_blocks_join_kept(ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh **mesh)
{
	ossa_mesh **kept = ossai_arena_zero(&asset->arena, asset->mesh_count, sizeof *kept);
	ossa_status status = kept ? OSSA_OK : ossa_context_error(asset->context)->status;
	for (size_t m = 0; m < asset->mesh_count && status == OSSA_OK; m++) {
		status = keep_shape(asset->context, asset->meshes[m].mesh, &kept[m]);
	}
	if (status == OSSA_OK) status = ossai_blocks_join(asset, bones, blocks, mesh);
	for (size_t m = 0; kept && m < asset->mesh_count; m++) {
		ossa_mesh_free(asset->context, status == OSSA_OK ? asset->meshes[m].mesh : kept[m]);
		if (status == OSSA_OK) asset->meshes[m].mesh = kept[m];
	}
	return status;
}
