/* import/gltf/gltf_nodes.c: the nodes of a glTF file.

   Place in the path: inside the glTF reader.
   Input: the JSON's nodes.
   Output: the asset's nodes with parents and ops: translation, rotation and scale, those that are
   there or that an animation moves, or a matrix; and what ossa's own files say of bones. A node
   with two parents is refused here, a loop by ossai_asset_finish.
   Source: glTF 2.0 specification, 3.5. */
#include "body/names.h"
#include "import/gltf/gltf_document.h"

#include <string.h>

/* a matrix whose columns are this close to a right angle, relative to their lengths, is a rotation
   and a scale */
static const double square_enough = 1e-4;

/* the last row of a matrix may be so far from 0 0 0 1 */
static const double affine_enough = 1e-5;

static const struct {
	const char *name;
	ossai_op_kind kind;
	size_t width;
	double none[4]; /* the value that changes nothing */
} parts[] = {
	[OSSAI_GLTF_TRANSLATION] = {"translation", OSSAI_OP_TRANSLATE, 3, {0, 0, 0, 0}},
	[OSSAI_GLTF_ROTATION] = {"rotation", OSSAI_OP_ROTATE, 4, {0, 0, 0, 1}},
	[OSSAI_GLTF_SCALE] = {"scale", OSSAI_OP_SCALE, 3, {1, 1, 1, 0}},
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

bool ossai_gltf_part_of(const char *path, ossai_gltf_part *part)
{
	for (size_t i = 0; path && i < PART_COUNT; i++) {
		if (strcmp(path, parts[i].name) != 0) continue;
		*part = (ossai_gltf_part)i;
		return true;
	}
	*part = OSSAI_GLTF_WEIGHTS;
	return path && strcmp(path, "weights") == 0;
}

uint32_t ossai_gltf_op_of(const ossai_asset_node *node, ossai_gltf_part part)
{
	for (size_t i = 0; part != OSSAI_GLTF_WEIGHTS && i < node->op_count; i++) {
		if (node->ops[i].kind == parts[part].kind) return (uint32_t)i;
	}
	return OSSA_NONE;
}

/* ---- transforms ---- */

/* `count` finite numbers under `key`; *present false where there are none. Errors: anything
   else. */
static ossa_status read_numbers(
	const ossai_gltf *document, size_t index, const json_t *item, const char *key, size_t count, double *values, bool *present)
{
	*present = json_object_get(item, key) != NULL;
	if (!*present || ossai_gltf_numbers(item, key, count, values)) return OSSA_OK;
	return ossai_asset_fail(document->asset, "node %zu: \"%s\" must be %zu finite numbers", index, key, count);
}

static ossa_status add_parts(ossai_gltf *document, size_t index, const json_t *item, ossai_asset_node *node)
{
	double values[PART_COUNT][4];
	bool present[PART_COUNT], wanted[PART_COUNT];
	size_t count = 0;
	for (size_t i = 0; i < PART_COUNT; i++) {
		memcpy(values[i], parts[i].none, sizeof values[i]);
		OSSAI_TRY(read_numbers(document, index, item, parts[i].name, parts[i].width, values[i], &present[i]));
		wanted[i] = present[i] || (document->animated[index] >> i & 1);
		count += wanted[i];
	}
	OSSAI_TRY(ossai_gltf_keep(document, &node->ops, count, sizeof *node->ops));
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (!wanted[i]) continue;
		ossai_op *op = &node->ops[node->op_count++];
		op->kind = parts[i].kind;
		memcpy(op->values, values[i], sizeof values[i]);
	}
	return OSSA_OK;
}

/* The translation, rotation and scale whose product a matrix (by columns) is; false where it
   shears. */
static bool split_matrix(const double *m, double translation[4], double rotation[4], double scale[4])
{
	ossai_vec3 column[3];
	ossai_mat3 turn;
	for (int k = 0; k < 3; k++) {
		column[k] = ossai_v3_of(m + 4 * k);
		translation[k] = m[12 + k];
		scale[k] = ossai_length(column[k]);
	}
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3;
		if (!(fabs(ossai_dot(column[k], column[next])) <= square_enough * scale[k] * scale[next])) return false;
		if (!(scale[k] > 1e-12)) return false;
	}
	/* a mirror shows in one axis */
	if (ossai_dot(ossai_cross(column[0], column[1]), column[2]) < 0) scale[0] = -scale[0];
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 axis = ossai_scale(column[k], 1 / scale[k]);
		turn.m[0][k] = axis.x;
		turn.m[1][k] = axis.y;
		turn.m[2][k] = axis.z;
	}
	ossai_quat_store(ossai_mat3_quat(&turn), rotation);
	return true;
}

/* a matrix stays one, except where an animation moves its parts */
static ossa_status add_matrix(ossai_gltf *document, size_t index, const double *m, ossai_asset_node *node)
{
	double values[PART_COUNT][4];
	const uint8_t moved = document->animated[index] & 7;
	const bool split = moved && split_matrix(m, values[0], values[1], values[2]);
	if (moved) {
		ossai_warn(document->context, "matrix-animated", 1,
			"%s: nodes that are animated have a matrix, which glTF forbids; it is decomposed, or kept where it shears",
			document->source->path);
	}
	node->op_count = split ? PART_COUNT : 1;
	OSSAI_TRY(ossai_gltf_keep(document, &node->ops, node->op_count, sizeof *node->ops));
	for (size_t i = 0; split && i < PART_COUNT; i++) {
		node->ops[i].kind = parts[i].kind;
		memcpy(node->ops[i].values, values[i], sizeof values[i]);
	}
	if (split) return OSSA_OK;
	node->ops[0].kind = OSSAI_OP_MATRIX;
	for (size_t row = 0; row < 4; row++) {
		for (size_t column = 0; column < 4; column++) {
			/* exact where it is near enough */
			const double affine = column == 3 ? 1 : 0;
			node->ops[0].values[4 * row + column] = row == 3 ? affine : m[4 * column + row];
		}
	}
	return OSSA_OK;
}

static ossa_status read_transform(ossai_gltf *document, size_t index, const json_t *item, ossai_asset_node *node)
{
	double m[16];
	bool is_matrix;
	OSSAI_TRY(read_numbers(document, index, item, "matrix", 16, m, &is_matrix));
	if (!is_matrix) return add_parts(document, index, item, node);
	const double off = fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + fabs(m[15] - 1);
	if (off <= affine_enough) return add_matrix(document, index, m, node);
	return ossai_asset_fail(document->asset, "node %zu: the last row of its matrix must be 0 0 0 1, not %g %g %g %g", index,
		m[3], m[7], m[11], m[15]);
}

/* ---- bones of ossa's own files ---- */

/* "limits": [[least, largest], ...] of the turns about x, y and z in degrees */
static bool read_limits(const json_t *extras, double limits[3][2])
{
	const json_t *list = json_object_get(extras, "limits");
	double values[3][2];
	if (json_array_size(list) != 3) return false;
	for (size_t axis = 0; axis < 3; axis++) {
		const json_t *pair = json_array_get(list, axis);
		for (size_t k = 0; k < 2; k++) {
			const json_t *value = json_array_get(pair, k);
			values[axis][k] = json_number_value(value);
			if (!json_is_number(value) || !(fabs(values[axis][k]) <= 360)) return false;
		}
		if (values[axis][0] > 0 || values[axis][1] < 0) return false;
	}
	memcpy(limits, values, sizeof values);
	return true;
}

static void read_role(const json_t *item, ossa_role *role)
{
	const char *side = json_string_value(json_object_get(item, "side"));
	size_t number, limb = 0;
	if (!side || !ossai_gltf_is_whole(json_object_get(item, "number"), &number) || number > OSSAI_ROLE_NUMBER_MAX) return;
	/* files of one limb of a kind may leave it out */
	const json_t *which = json_object_get(item, "limb");
	if (which && (!ossai_gltf_is_whole(which, &limb) || limb > OSSAI_ROLE_NUMBER_MAX)) return;
	role->part = ossa_body_part_of_name(json_string_value(json_object_get(item, "part")));
	if (role->part == OSSA_PART_NONE) return;
	role->number = (int)number;
	role->limb = (int)limb;
	for (int k = -1; k <= 1; k += 2) role->side += strcmp(side, ossa_body_side_name(k)) == 0 ? k : 0;
}

static ossa_status read_dependency(ossai_gltf *document, const json_t *item, ossai_asset_bone *bone)
{
	if (!item) return OSSA_OK;
	bone->is_dependent = true;
	bone->ratio = json_number_value(json_object_get(item, "ratio"));
	bone->offset_degrees = json_number_value(json_object_get(item, "offset_degrees"));
	bone->error_degrees = fmax(0, json_number_value(json_object_get(item, "error_degrees")));
	bone->cost = fmax(0, json_number_value(json_object_get(item, "cost")));
	/* one that cannot be read is no unit vector either */
	if (json_object_get(item, "driver_axis") && !ossai_gltf_numbers(item, "driver_axis", 3, bone->driver_axis))
		bone->driver_axis[0] = NAN;
	return ossai_gltf_text(document, item, "driver", &bone->driver);
}

/* Other programs may have changed the file and kept the extras: what does not fit is left out. */
static ossa_status read_bone(ossai_gltf *document, const json_t *extras, ossai_asset_node *node)
{
	if (!extras) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_keep(document, &node->bone, 1, sizeof *node->bone));
	ossai_asset_bone *bone = node->bone;
	bone->is_end = json_is_true(json_object_get(extras, "end"));
	node->is_joint = bone->is_end || json_object_get(extras, "kind");
	bone->kind = ossa_joint_kind_of_name(json_string_value(json_object_get(extras, "kind")));
	bone->turn_degrees = fmax(0, json_number_value(json_object_get(extras, "turn_degrees")));
	bone->fit_residual = fmax(0, json_number_value(json_object_get(extras, "fit_residual")));
	bone->has_tail = ossai_gltf_numbers(extras, "tail", 3, bone->tail);
	bone->has_limits = read_limits(extras, bone->limits);
	const char *limits_of = json_string_value(json_object_get(extras, "limits_of"));
	bone->limits_of_motion = limits_of && strcmp(limits_of, "motion") == 0;
	const json_t *level = json_object_get(extras, "last_level");
	size_t last = 0;
	const bool has_level = ossai_gltf_is_whole(level, &last) && last < UINT8_MAX;
	bone->last_level = has_level ? (int)last : -1;
	read_role(json_object_get(extras, "role"), &bone->role);
	bone->deviation = fmax(0, json_number_value(json_object_get(extras, "deviation")));
	OSSAI_TRY(read_dependency(document, json_object_get(extras, "dependency"), bone));
	ossai_gltf_numbers(extras, "axis", 3, bone->axis);
	ossai_gltf_numbers(extras, "modelled", 7, bone->modelled);
	ossai_gltf_numbers(extras, "second_axis", 3, bone->second_axis);
	ossai_gltf_numbers(extras, "axis_limits", 4, bone->axis_limits[0]);
	bone->has_slide_limits = json_object_get(extras, "slide_limits") != NULL;
	if (!ossai_gltf_numbers(extras, "slide_limits", 2, bone->slide_limits)) bone->slide_limits[0] = NAN;
	return OSSA_OK;
}

/* ---- the tree ---- */

static ossa_status read_children(ossai_gltf *document, ossai_asset_node *nodes, size_t count, size_t index)
{
	const json_t *children = json_object_get(ossai_gltf_item(document, "nodes", index), "children");
	for (size_t i = 0; i < json_array_size(children); i++) {
		size_t child;
		if (!ossai_gltf_is_whole(json_array_get(children, i), &child) || child >= count) {
			return ossai_asset_fail(document->asset, "node %zu has a child that is not there", index);
		}
		if (nodes[child].parent != OSSA_NONE) return ossai_asset_fail(document->asset, "node %zu has two parents", child);
		nodes[child].parent = (uint32_t)index;
	}
	return OSSA_OK;
}

/* A loop, which ossai_asset_finish refuses, stays unmarked. */
void ossai_gltf_mark_below(const ossai_gltf *document, uint8_t *marks)
{
	enum { UNKNOWN, MARKED, UNMARKED };
	const ossai_asset *asset = document->asset;
	for (uint32_t n = 0; n < asset->node_count; n++) {
		/* up to the first node that is known, then up once more with what that is */
		uint32_t top = n;
		for (; top != OSSA_NONE && marks[top] == UNKNOWN; top = asset->nodes[top].parent) marks[top] = UNMARKED;
		if (top == OSSA_NONE || marks[top] == UNMARKED) continue;
		for (uint32_t at = n; at != top; at = asset->nodes[at].parent) marks[at] = MARKED;
	}
	for (size_t n = 0; n < asset->node_count; n++) marks[n] = marks[n] == MARKED;
}

/* A file of nodes alone is motion for the skeleton of another one: what moves, and all below it,
   are joints. */
static ossa_status mark_joints(ossai_gltf *document)
{
	const ossai_asset *asset = document->asset;
	uint8_t *marks;
	if (ossai_gltf_length(document, "meshes") > 0 || ossai_gltf_length(document, "skins") > 0) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_scratch(document, &marks, asset->node_count, 1));
	for (size_t n = 0; n < asset->node_count; n++) marks[n] = document->animated[n] != 0;
	ossai_gltf_mark_below(document, marks);
	for (size_t n = 0; n < asset->node_count; n++) asset->nodes[n].is_joint |= marks[n] != 0;
	return OSSA_OK;
}

ossa_status ossai_gltf_read_nodes(ossai_gltf *document)
{
	ossai_asset *asset = document->asset;
	const size_t count = ossai_gltf_length(document, "nodes");
	OSSAI_TRY(ossai_gltf_keep(document, &asset->nodes, count, sizeof *asset->nodes));
	asset->node_count = count;
	for (size_t n = 0; n < count; n++) asset->nodes[n].parent = OSSA_NONE;
	for (size_t n = 0; n < count; n++) {
		const json_t *item = ossai_gltf_item(document, "nodes", n);
		ossai_asset_node *node = &asset->nodes[n];
		OSSAI_TRY(ossai_gltf_text(document, item, "name", &node->name));
		OSSAI_TRY(read_transform(document, n, item, node));
		OSSAI_TRY(read_bone(document, ossai_gltf_extras(item), node));
		OSSAI_TRY(read_children(document, asset->nodes, count, n));
	}
	return mark_joints(document);
}
