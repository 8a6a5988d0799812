/* export/gltf/kept_places.c: transforms of nodes of a kept glTF file, and roots in other axes or
   units.

   Place in the path: inside the GLB writer, when meshes are freed, and after the rig is in.
   Input: nodes, where they are in the mesh's space.
   Output: their own transforms; where animations set these, those of nodes between. */
#include "export/gltf/kept.h"

#include <stdio.h>
#include <string.h>

/* ---- one node ---- */

void ossai_kept_drop_transform(json_t *node)
{
	static const char *const keys[] = {"translation", "rotation", "scale", "matrix"};
	for (size_t k = 0; k < 4; k++) json_object_del(node, keys[k]);
}

ossa_status ossai_kept_set_transform(const ossai_kept *kept, json_t *node, const ossai_rigid *local)
{
	const ossai_mat3 turn = ossai_affine_rotation(&local->r, NULL), turn_back = ossai_mat3_transpose(&turn);
	const ossai_mat3 stretch = ossai_mat3_mul(&turn_back, &local->r);
	double translation[3], rotation[4];
	const double scale[3] = {stretch.m[0][0], stretch.m[1][1], stretch.m[2][2]};
	ossai_v3_store(local->t, translation);
	ossai_quat_store(ossai_mat3_quat(&turn), rotation);
	ossai_kept_drop_transform(node);
	const bool set = json_object_set_new(node, "translation", ossai_glb_numbers(translation, 3)) == 0 &&
		json_object_set_new(node, "rotation", ossai_glb_numbers(rotation, 4)) == 0 &&
		json_object_set_new(node, "scale", ossai_glb_numbers(scale, 3)) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

ossa_status ossai_kept_put_base(ossai_kept *kept, size_t child, const ossai_rigid *local, size_t *index)
{
	char name[96];
	const char *of = json_string_value(json_object_get(ossai_kept_item(kept, "nodes", child), "name"));
	snprintf(name, sizeof name, "%.80s_base", of ? of : "node");
	json_t *node = json_pack("{s:o,s:[I]}", "name", ossai_glb_node_name(kept->writer, name), "children", (json_int_t)child);
	if (!node) return ossai_glb_no_memory(kept->writer->context);
	const ossa_status status = ossai_kept_set_transform(kept, node, local);
	if (status == OSSA_OK) return ossai_glb_put(kept->writer, "nodes", node, index);
	json_decref(node);
	return status;
}

/* ---- roots ---- */

ossai_rigid ossai_kept_axes(const ossa_write_options *options)
{
	ossai_rigid axes = ossai_affine_identity();
	/* a quarter turn about x: y = -z, z = y */
	if (options->up == OSSA_UP_Z) axes.r = (ossai_mat3){{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
	for (int e = 0; e < 9; e++) axes.r.m[e / 3][e % 3] /= options->unit;
	return axes;
}

/* scenes show `to` in place of `from` */
static void replace_root(const ossai_kept *kept, size_t from, size_t to)
{
	json_t *scene, *number;
	size_t s, i;
	json_array_foreach(json_object_get(kept->writer->root, "scenes"), s, scene)
	{
		json_array_foreach(json_object_get(scene, "nodes"), i, number)
		{
			if (json_integer_value(number) == (json_int_t)from) json_integer_set(number, (json_int_t)to);
		}
	}
}

/* whether a node is a root that has a place: a mesh of the rig stands where its joints are */
static bool is_placed_root(const ossai_kept *kept, uint32_t n)
{
	if (kept->parent[n] != OSSA_NONE || kept->node_of[n] == SIZE_MAX) return false;
	const json_t *node = ossai_kept_item(kept, "nodes", kept->node_of[n]);
	return !kept->is_mesh[n] || kept->holds_mesh[n] || !json_object_get(node, "mesh") || json_object_get(node, "children");
}

/* axes: those of the rig to those that are written */
static ossa_status turn_root(ossai_kept *kept, const ossai_rigid *axes, uint32_t root, bool moves)
{
	const size_t n = kept->node_of[root];
	const ossai_rigid local = ossai_rigid_mul(axes, moves ? &kept->document->space : &kept->document->world[root]);
	size_t base;
	if (!moves) return ossai_kept_set_transform(kept, ossai_kept_item(kept, "nodes", n), &local);
	OSSAI_TRY(ossai_kept_put_base(kept, n, &local, &base));
	replace_root(kept, n, base);
	return OSSA_OK;
}

ossa_status ossai_kept_turn_roots(ossai_kept *kept, const ossai_rigid *axes)
{
	const ossai_rigid change = ossai_rigid_mul(axes, &kept->document->space), same = ossai_affine_identity();
	const size_t count = json_array_size(json_object_get(kept->writer->root, "nodes"));
	if (ossai_rigid_same(&change, &same)) return OSSA_OK;
	uint8_t *moves = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!moves) return ossa_context_error(kept->writer->context)->status;
	ossai_kept_mark_moving(kept, moves, count);
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		if (is_placed_root(kept, n)) OSSAI_TRY(turn_root(kept, axes, n, moves[kept->node_of[n]]));
	}
	return OSSA_OK;
}
