/* import/alembic/alembic_xform.c: transforms of Alembic files: stacks of operations, and their
   motion.

   Place in the path: alembic.c -> nodes and channels.
   Input: an object of the schema AbcGeom_Xform.
   Output: a node of the asset.
   In .xform, .ops has one byte for each operation: its kind in the upper half; .vals has their
   numbers in a row; .inherits says whether the parent counts. Operations are listed from the
   outermost, as the asset's are; matrices are for row vectors. Angles are degrees.
   Source: Alembic's library, lib/Alembic/AbcGeom (XformOp, XformSample, IXform). */
#include "import/alembic/alembic_parts.h"

#include <math.h>
#include <string.h>

enum { MOST_OPS = 255 };

/* how far a matrix's last column may be from 0 0 0 1: rounding */
static const double affine_slack = 1e-6;

typedef enum file_op {
	FILE_SCALE,
	FILE_TRANSLATE,
	FILE_ROTATE, /* axis and angle */
	FILE_MATRIX,
	FILE_ROTATE_X, /* the angle alone */
	FILE_ROTATE_Y,
	FILE_ROTATE_Z,
	FILE_OP_COUNT
} file_op;

static const uint8_t width_of_op[FILE_OP_COUNT] = {3, 3, 4, 16, 1, 1, 1};

/* A transform while it is read. */
typedef struct xform {
	ossai_alembic_reader *reader;
	const ossai_alembic_object *object;
	ossai_alembic_property values;
	size_t op_count;
	file_op kinds[MOST_OPS];
	size_t begins[MOST_OPS]; /* of an op's numbers in a sample of the values */
	size_t width;            /* numbers of all ops */
	ossai_asset_node *node;
	uint32_t index;
	double *times; /* of the samples, once a channel needs them */
} xform;

/* ---- one sample ---- */

/* rows for column vectors */
static ossa_status matrix_values(const xform *x, const double *numbers, double *values)
{
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) values[4 * i + j] = numbers[4 * j + i];
	}
	for (int j = 0; j < 4; j++) {
		if (!(fabs(values[12 + j] - (j == 3)) <= affine_slack)) {
			return ossai_alembic_object_fail(
				x->reader, x->object, "has a matrix whose last column is not 0 0 0 1: it is no transform; export it again");
		}
		values[12 + j] = j == 3;
	}
	return OSSA_OK;
}

static ossa_status op_values(const xform *x, size_t op, const double *numbers, double *values)
{
	const file_op kind = x->kinds[op];
	if (kind == FILE_MATRIX) return matrix_values(x, numbers, values);
	if (kind >= FILE_ROTATE_X) {
		for (int k = 0; k < 3; k++) values[k] = k == (int)(kind - FILE_ROTATE_X);
		values[3] = numbers[0];
		return OSSA_OK;
	}
	memcpy(values, numbers, width_of_op[kind] * sizeof *values);
	return OSSA_OK;
}

/* the numbers of an op in one sample */
static ossa_status read_numbers(const xform *x, size_t op, size_t index, double numbers[16])
{
	ossai_alembic_sample sample;
	OSSAI_TRY(ossai_alembic_sample_at(&x->reader->archive, &x->values, index, &sample));
	if (sample.count < x->width) {
		return ossai_alembic_object_fail(
			x->reader, x->object, "has %zu numbers in sample %zu; its operations need %zu", sample.count, index + 1, x->width);
	}
	for (size_t k = 0; k < width_of_op[x->kinds[op]]; k++) {
		numbers[k] = ossai_alembic_real(x->values.pod, &sample, x->begins[op] + k);
		if (isfinite(numbers[k])) continue;
		return ossai_alembic_object_fail(
			x->reader, x->object, "has a number in sample %zu that is not finite; export it again", index + 1);
	}
	return OSSA_OK;
}

/* ---- at rest ---- */

static const ossai_op_kind kind_of_op[FILE_OP_COUNT] = {
	[FILE_SCALE] = OSSAI_OP_SCALE,
	[FILE_TRANSLATE] = OSSAI_OP_TRANSLATE,
	[FILE_ROTATE] = OSSAI_OP_TURN,
	[FILE_MATRIX] = OSSAI_OP_MATRIX,
	[FILE_ROTATE_X] = OSSAI_OP_TURN,
	[FILE_ROTATE_Y] = OSSAI_OP_TURN,
	[FILE_ROTATE_Z] = OSSAI_OP_TURN,
};

static ossa_status read_kinds(xform *x, const ossai_ogawa_group *compound)
{
	ossai_alembic_archive *archive = &x->reader->archive;
	ossai_alembic_property property;
	ossai_alembic_sample sample;
	OSSAI_TRY(ossai_alembic_find(archive, compound, ".ops", &property));
	if (property.kind == OSSAI_ALEMBIC_NONE || property.sample_count == 0) return OSSA_OK;
	if (property.kind == OSSAI_ALEMBIC_COMPOUND || !ossai_pod_is_whole(property.pod)) {
		return ossai_alembic_object_fail(x->reader, x->object, "has operations of an unknown form; export it again");
	}
	OSSAI_TRY(ossai_alembic_sample_at(archive, &property, 0, &sample));
	for (size_t i = 0; i < sample.count; i++) {
		const int64_t kind = ossai_alembic_whole(property.pod, &sample, i) >> 4;
		if (kind < 0 || kind >= FILE_OP_COUNT || i == MOST_OPS) {
			return ossai_alembic_object_fail(x->reader, x->object, "has operation %zu of no known kind; export it again", i);
		}
		x->kinds[i] = (file_op)kind;
		x->begins[i] = x->width;
		x->width += width_of_op[kind];
		x->op_count++;
	}
	return OSSA_OK;
}

static ossa_status read_rest(xform *x, const ossai_ogawa_group *compound)
{
	OSSAI_TRY(read_kinds(x, compound));
	OSSAI_TRY(ossai_alembic_find(&x->reader->archive, compound, ".vals", &x->values));
	if (x->op_count == 0) return OSSA_OK;
	if (x->values.kind <= OSSAI_ALEMBIC_COMPOUND || !ossai_pod_is_real(x->values.pod) || x->values.sample_count == 0) {
		return ossai_alembic_object_fail(x->reader, x->object, "has operations without numbers; export it again");
	}
	OSSAI_TRY(ossai_ogawa_charge(&x->reader->archive.file, x->op_count * sizeof(ossai_op)));
	x->node->ops = ossai_arena_zero(&x->reader->asset->arena, x->op_count, sizeof *x->node->ops);
	if (!x->node->ops) return ossa_context_error(x->reader->asset->context)->status;
	for (size_t i = 0; i < x->op_count; i++) {
		double numbers[16];
		OSSAI_TRY(read_numbers(x, i, 0, numbers));
		x->node->ops[i].kind = kind_of_op[x->kinds[i]];
		OSSAI_TRY(op_values(x, i, numbers, x->node->ops[i].values));
	}
	x->node->op_count = x->op_count;
	return OSSA_OK;
}

/* ---- motion ---- */

/* which of an op's numbers change over the samples: bit k for number k */
static ossa_status find_changes(const xform *x, size_t op, uint32_t *changes)
{
	double first[16], numbers[16];
	*changes = 0;
	OSSAI_TRY(read_numbers(x, op, 0, first));
	for (size_t s = 1; s < x->values.sample_count; s++) {
		OSSAI_TRY(read_numbers(x, op, s, numbers));
		for (size_t k = 0; k < width_of_op[x->kinds[op]]; k++) *changes |= (uint32_t)(numbers[k] != first[k]) << k;
	}
	return OSSA_OK;
}

static void quaternion_of_turn(const double turn[4], double quaternion[4])
{
	const ossai_vec3 axis = ossai_unit(ossai_v3(turn[0], turn[1], turn[2]), ossai_v3(0, 0, 0));
	/* without an axis there is no rotation */
	const double angle = ossai_length2(axis) > 0 ? turn[3] * OSSAI_PI / 180 : 0;
	ossai_quat_store(ossai_quat_axis_angle(axis, angle), quaternion);
}

static ossa_status fill_keys(const xform *x, const ossai_asset_channel *channel, bool as_quaternion)
{
	for (size_t s = 0; s < channel->key_count; s++) {
		double numbers[16], values[16], quaternion[4];
		OSSAI_TRY(read_numbers(x, channel->op, s, numbers));
		OSSAI_TRY(op_values(x, channel->op, numbers, values));
		if (as_quaternion) quaternion_of_turn(values, quaternion);
		const double *from = as_quaternion ? quaternion : values + channel->first;
		for (size_t k = 0; k < channel->width; k++) channel->values[s * channel->width + k] = (float)from[k];
	}
	return OSSA_OK;
}

/* the samples' times, once for all ops */
static ossa_status find_times(xform *x)
{
	if (x->times) return OSSA_OK;
	OSSAI_TRY(ossai_alembic_check_count(&x->reader->archive, &x->values));
	OSSAI_TRY(ossai_ogawa_charge(&x->reader->archive.file, 8 * x->values.sample_count));
	x->times = ossai_arena_new(&x->reader->asset->arena, x->values.sample_count, sizeof *x->times);
	if (!x->times) return ossa_context_error(x->reader->asset->context)->status;
	return ossai_alembic_times(&x->reader->archive, &x->values, x->times);
}

static ossa_status add_channel(xform *x, size_t op, uint32_t changes)
{
	ossai_alembic_reader *reader = x->reader;
	ossai_arena *arena = &reader->asset->arena;
	ossai_op *rest = &x->node->ops[op];
	OSSAI_TRY(find_times(x));
	/* an axis that changes cannot be interpolated number by number */
	const bool is_turn = rest->kind == OSSAI_OP_TURN, as_quaternion = x->kinds[op] == FILE_ROTATE && (changes & 7) != 0;
	const uint32_t width = rest->kind == OSSAI_OP_MATRIX ? 16 : as_quaternion ? 4 : is_turn ? 1 : 3;
	OSSAI_TRY(ossai_ogawa_charge(&reader->archive.file, 4 * width * x->values.sample_count));
	OSSAI_TRY(ossai_arena_reserve(
		arena, &reader->clip->channels, &reader->channel_capacity, reader->clip->channel_count, sizeof(ossai_asset_channel)));
	ossai_asset_channel *channel = &reader->clip->channels[reader->clip->channel_count];
	*channel = (ossai_asset_channel){.node = x->index,
		.op = (uint32_t)op,
		.first = is_turn && !as_quaternion ? 3 : 0,
		.width = width,
		.interpolation = OSSAI_LINEAR,
		.key_count = x->values.sample_count,
		.times = x->times};
	channel->values = ossai_arena_new(arena, channel->key_count, width * sizeof *channel->values);
	if (!channel->values) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(fill_keys(x, channel, as_quaternion));
	if (as_quaternion) {
		double quaternion[4];
		quaternion_of_turn(rest->values, quaternion);
		*rest = (ossai_op){OSSAI_OP_ROTATE, {quaternion[0], quaternion[1], quaternion[2], quaternion[3]}};
	}
	reader->clip->channel_count++;
	return OSSA_OK;
}

static ossa_status read_motion(xform *x)
{
	if (x->op_count == 0 || ossai_alembic_is_constant(&x->values)) return OSSA_OK;
	OSSAI_TRY(ossai_alembic_check_count(&x->reader->archive, &x->values));
	OSSAI_TRY(ossai_ogawa_charge(&x->reader->archive.file, 8 * x->width * x->values.sample_count));
	for (size_t i = 0; i < x->op_count; i++) {
		uint32_t changes;
		OSSAI_TRY(find_changes(x, i, &changes));
		if (changes) OSSAI_TRY(add_channel(x, i, changes));
	}
	return OSSA_OK;
}

/* ---- the node ---- */

/* a transform that does not inherit is a child of the root; if inheritance is animated the first
   value counts */
static ossa_status read_inherits(const xform *x, const ossai_ogawa_group *compound, bool *inherits)
{
	ossai_alembic_archive *archive = &x->reader->archive;
	ossai_alembic_property property;
	ossai_alembic_sample sample;
	*inherits = true;
	OSSAI_TRY(ossai_alembic_find(archive, compound, ".inherits", &property));
	if (property.kind != OSSAI_ALEMBIC_SCALAR || !ossai_pod_is_whole(property.pod) || property.sample_count == 0)
		return OSSA_OK;
	OSSAI_TRY(ossai_alembic_sample_at(archive, &property, 0, &sample));
	if (sample.count > 0) *inherits = ossai_alembic_whole(property.pod, &sample, 0) != 0;
	if (!ossai_alembic_is_constant(&property)) {
		ossai_warn(archive->file.context, "alembic-inherits", 1,
			"%s: transforms begin or cease to follow their parents in mid-motion; they do as at first throughout",
			x->reader->asset->path);
	}
	return OSSA_OK;
}

static ossa_status add_node(xform *x, uint32_t parent)
{
	ossai_asset *asset = x->reader->asset;
	OSSAI_TRY(ossai_arena_reserve(
		&asset->arena, &asset->nodes, &x->reader->node_capacity, asset->node_count, sizeof(ossai_asset_node)));
	x->index = (uint32_t)asset->node_count;
	x->node = &asset->nodes[asset->node_count];
	*x->node = (ossai_asset_node){.parent = parent};
	x->node->name = ossai_asset_text(asset, x->object->name.bytes, x->object->name.size);
	if (!x->node->name) return ossa_context_error(asset->context)->status;
	asset->node_count++;
	return OSSA_OK;
}

ossa_status ossai_alembic_read_xform(
	ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t parent, uint32_t *node)
{
	xform x = {.reader = reader, .object = object};
	ossai_alembic_archive *archive = &reader->archive;
	ossai_ogawa_group properties;
	ossai_alembic_property compound;
	bool inherits = true;
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, sizeof(ossai_asset_node)));
	OSSAI_TRY(add_node(&x, parent));
	*node = x.index;
	OSSAI_TRY(ossai_alembic_properties(archive, object, &properties));
	OSSAI_TRY(ossai_alembic_find(archive, &properties, ".xform", &compound));
	if (compound.kind != OSSAI_ALEMBIC_COMPOUND) return OSSA_OK;
	OSSAI_TRY(read_inherits(&x, &compound.group, &inherits));
	if (!inherits) x.node->parent = OSSA_NONE;
	OSSAI_TRY(read_rest(&x, &compound.group));
	return read_motion(&x);
}
