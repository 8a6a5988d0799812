/* import/gltf/gltf_skin.c: the skins of a glTF file.

   Place in the path: inside the glTF reader, after the nodes.
   Input: lists of joints, inverse bind matrices.
   Output: the asset's skins.
   Source: glTF 2.0 specification, 3.7.3. */
#include "import/gltf/gltf_document.h"

#include <string.h>

/* `skin_of_node`: by node, the last skin that it is a joint of, or OSSA_NONE */
static ossa_status read_joints(
	ossai_gltf *document, size_t index, const json_t *item, uint32_t *skin_of_node, ossai_asset_skin *skin)
{
	const json_t *list = json_object_get(item, "joints");
	const size_t count = json_array_size(list);
	OSSAI_TRY(ossai_gltf_keep(document, &skin->joints, count, sizeof *skin->joints));
	for (size_t j = 0; j < count; j++) {
		size_t node;
		if (!ossai_gltf_is_whole(json_array_get(list, j), &node) || node >= document->asset->node_count) {
			return ossai_asset_fail(document->asset, "joint %zu of skin %zu is a node that is not there", j, index);
		}
		if (skin_of_node[node] == index)
			return ossai_asset_fail(document->asset, "node %zu is two joints of skin %zu", node, index);
		skin_of_node[node] = (uint32_t)index;
		skin->joints[j] = (uint32_t)node;
	}
	skin->joint_count = count;
	return OSSA_OK;
}

ossai_rigid ossai_gltf_affine(const float *m)
{
	ossai_rigid map;
	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 3; column++) map.r.m[row][column] = (double)m[4 * column + row];
	}
	map.t = ossai_v3_of_float(m + 12);
	return map;
}

/* without matrices joints are bound where the mesh's origin is */
static ossa_status read_binding(ossai_gltf *document, size_t index, const json_t *item, ossai_asset_skin *skin)
{
	float *matrices;
	size_t count;
	OSSAI_TRY(ossai_gltf_keep(document, &skin->inverse_bind, skin->joint_count, sizeof *skin->inverse_bind));
	OSSAI_TRY(ossai_gltf_read_floats(document, item, "inverseBindMatrices", 16, false, &document->scratch, &count, &matrices));
	if (matrices && count < skin->joint_count) {
		return ossai_asset_fail(
			document->asset, "skin %zu has %zu inverse bind matrices for %zu joints", index, count, skin->joint_count);
	}
	for (size_t j = 0; j < skin->joint_count; j++) {
		const ossai_rigid identity = {ossai_mat3_identity(), {0, 0, 0}};
		skin->inverse_bind[j] = matrices ? ossai_gltf_affine(matrices + 16 * j) : identity;
	}
	return OSSA_OK;
}

/* what was recognized in the shape; left out where it does not fit */
static void read_body(const json_t *item, ossa_body *body)
{
	ossa_body read = {.kind = ossa_body_kind_of_name(json_string_value(json_object_get(item, "kind"))),
		.score = json_number_value(json_object_get(item, "score")),
		.runner_up = ossa_body_kind_of_name(json_string_value(json_object_get(item, "runner_up"))),
		.runner_up_score = json_number_value(json_object_get(item, "runner_up_score")),
		.front_odds = json_number_value(json_object_get(item, "front_odds"))};
	if (!ossai_gltf_numbers(item, "up", 3, read.up) || !ossai_gltf_numbers(item, "front", 3, read.front)) return;
	*body = read;
}

/* Other programs may have changed the file and kept the extras: what does not fit is left out. */
static ossa_status read_loops(ossai_gltf *document, const json_t *extras, const ossai_asset_skin *skin)
{
	ossai_asset *asset = document->asset;
	const json_t *list = json_object_get(extras, "loops");
	const size_t count = json_array_size(list);
	size_t levels = 0;
	if (ossai_gltf_is_whole(json_object_get(extras, "levels"), &levels) && levels <= UINT8_MAX)
		asset->level_count = (int)levels;
	if (count > skin->joint_count * skin->joint_count) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_keep(document, &asset->loops, count, sizeof *asset->loops));
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(list, i), *joints = json_object_get(item, "joints");
		ossai_asset_loop *loop = &asset->loops[asset->loop_count];
		size_t joint[2];
		if (!ossai_gltf_numbers(item, "center", 3, loop->center) || json_array_size(joints) != 2) continue;
		if (!ossai_gltf_is_whole(json_array_get(joints, 0), &joint[0]) || joint[0] >= skin->joint_count) continue;
		if (!ossai_gltf_is_whole(json_array_get(joints, 1), &joint[1]) || joint[1] >= skin->joint_count) continue;
		for (int side = 0; side < 2; side++) loop->nodes[side] = skin->joints[joint[side]];
		asset->loop_count++;
	}
	return OSSA_OK;
}

static void read_map(const json_t *extras, ossai_rigid *map)
{
	double rows[12];
	if (!ossai_gltf_numbers(extras, "map", 12, rows)) return;
	for (size_t row = 0; row < 3; row++) {
		for (size_t k = 0; k < 3; k++) map->r.m[row][k] = rows[4 * row + k];
	}
	map->t = ossai_v3(rows[3], rows[7], rows[11]);
}

ossa_status ossai_gltf_read_skins(ossai_gltf *document)
{
	ossai_asset *asset = document->asset;
	const size_t count = ossai_gltf_length(document, "skins");
	uint32_t *skin_of_node;
	OSSAI_TRY(ossai_gltf_keep(document, &asset->skins, count, sizeof *asset->skins));
	OSSAI_TRY(ossai_gltf_scratch(document, &skin_of_node, asset->node_count, sizeof *skin_of_node));
	memset(skin_of_node, 0xFF, asset->node_count * sizeof *skin_of_node);
	for (size_t s = 0; s < count; s++) {
		const json_t *item = ossai_gltf_item(document, "skins", s);
		ossai_asset_skin *skin = &asset->skins[asset->skin_count++];
		OSSAI_TRY(ossai_gltf_text(document, item, "name", &skin->name));
		OSSAI_TRY(read_joints(document, s, item, skin_of_node, skin));
		OSSAI_TRY(read_binding(document, s, item, skin));
		if (s == 0) read_map(ossai_gltf_extras(item), &asset->own_space);
		if (s == 0) OSSAI_TRY(read_loops(document, ossai_gltf_extras(item), skin));
		if (s == 0) read_body(json_object_get(ossai_gltf_extras(item), "body"), &asset->body);
		if (!asset->method) OSSAI_TRY(ossai_gltf_text(document, ossai_gltf_extras(item), "method", &asset->method));
	}
	return OSSA_OK;
}
