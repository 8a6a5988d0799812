/* import/asset/asset_objects.c: the meshes of an asset as objects of the joined mesh.

   Place in the path: inside the asset layer, after several meshes are joined.
   Input: blocks, the nodes that they are at.
   Output: objects with the names of these nodes and transforms at rest, in ossa's axes and metres:
   where the file's vertices are v, its space S (axes and unit) and the map to the mesh M, the
   object's own are S v, and its transform is M S^-1. */
#include "import/asset/asset_parts.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

/* transforms that differ less from none, relative to lengths, are none */
static const double least_transform = 1e-9;

/* how far the scale of a map is from 1, as a logarithm */
static double scale_error(const ossai_rigid *map) { return fabs(log(fabs(ossai_mat3_det(&map->r)))); }

static ossai_rigid without_space(const ossai_asset *asset, const ossai_rigid *map)
{
	ossai_rigid turn = {ossai_affine_rotation(&asset->space.r, NULL), {0, 0, 0}}, back = ossai_affine_identity();
	ossai_affine_inverse(&asset->space, &back);
	turn = ossai_rigid_inverse(&turn);
	const ossai_rigid with_unit = ossai_rigid_mul(map, &back), without = ossai_rigid_mul(map, &turn);
	return scale_error(&without) < scale_error(&with_unit) - 1e-6 ? without : with_unit;
}

static void find_transform(const ossai_asset *asset, const ossai_block *block, double transform[16])
{
	const ossai_asset_mesh *from = block->from;
	const ossai_rigid none = ossai_affine_identity();
	ossai_rigid map = block->map, inverse;
	/* glTF leaves it open where the node of a skinned mesh is */
	const bool is_known = !block->joint_map && (from->skin == OSSA_NONE || from->has_axes);
	if (from->has_axes) map = ossai_rigid_mul(&map, &from->axes);
	map = without_space(asset, &map);
	if (!is_known || !ossai_affine_is_finite(&map) || !ossai_affine_inverse(&map, &inverse) ||
		ossai_affine_is_same(&map, &none, 1, least_transform))
		map = none;
	ossai_rigid_store(&map, transform);
	memcpy(transform + 12, (double[]){0, 0, 0, 1}, 4 * sizeof *transform);
}

/* the node's name, by which programs show an object, or the mesh's */
static void find_name(const ossai_asset *asset, const ossai_asset_mesh *from, char name[64])
{
	const char *own = from->node == OSSA_NONE ? NULL : asset->nodes[from->node].name;
	if (own && own[0]) ossai_name_copy(name, (ossai_word){own, strlen(own)});
	else memcpy(name, from->mesh->name, sizeof from->mesh->name);
}

ossa_status ossai_asset_take_objects(const ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *all)
{
	size_t polygon = 0;
	all->objects = ossa_alloc(asset->context, blocks->count, sizeof *all->objects);
	all->polygon_object = ossai_new(asset->context, all->polygon_count, sizeof *all->polygon_object);
	if (!all->objects || !all->polygon_object) return ossa_context_error(asset->context)->status;
	for (size_t b = 0; b < blocks->count; b++) {
		const ossai_block *block = &blocks->items[b];
		const size_t count = block->from->mesh->polygon_count;
		if (count == 0) continue;
		find_name(asset, block->from, all->objects[all->object_count].name);
		find_transform(asset, block, all->objects[all->object_count].transform);
		for (size_t p = 0; p < count; p++) all->polygon_object[polygon++] = (uint32_t)all->object_count;
		all->object_count++;
	}
	return OSSA_OK;
}
