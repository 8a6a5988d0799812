/* import/asset/asset_moving.c: the moving parts of an asset: a machine, a puppet, a character of
   blocks, or props beside a skinned character.

   Place in the path: inside the asset layer, before the bones of a rig are made.
   Input: meshes on nodes, animations.
   Output: the nodes that become joints: each that an animation moves and that has a mesh on it or
   below, without another joint between. Where there are no other joints, static meshes follow the
   nearest node that is their ancestor and that of the moving ones; beside joints they follow the
   root, which is an added one where the others move. */
#include "import/asset/asset_parts.h"

#include <string.h>

/* a value that differs from rest by less, relative to its size and 1, does not move */
static const double still = 1e-6;

/* ---- what moves ---- */

/* whether the values of a key differ from those at rest; a quaternion and its negative are the same
   rotation */
static bool key_moves(const double *rest, const float *key, size_t width, ossai_channel_form form)
{
	double dot = 0;
	for (size_t i = 0; i < width && form == OSSAI_FORM_QUATERNION; i++) dot += rest[i] * (double)key[i];
	const double sign = dot < 0 ? -1 : 1;
	for (size_t i = 0; i < width; i++) {
		if (fabs(sign * (double)key[i] - rest[i]) > still * (1 + fabs(rest[i]))) return true;
	}
	return false;
}

bool ossai_target_moves(const ossai_asset *asset, const ossai_asset_channel *channel, size_t index)
{
	const bool has_tangents = channel->interpolation == OSSAI_HERMITE;
	const size_t stride = (has_tangents ? 3 : 1) * (size_t)channel->width;
	const float *values = channel->values + (has_tangents ? channel->width : 0) + index;
	const double *rest = &asset->meshes[channel->mesh].targets[channel->first + index].weight;
	for (size_t k = 0; k < channel->key_count; k++) {
		if (key_moves(rest, values + k * stride, 1, OSSAI_FORM_NUMBERS)) return true;
	}
	return false;
}

bool ossai_channel_moves(const ossai_asset *asset, const ossai_asset_channel *channel)
{
	const size_t width = channel->width, stride = channel->interpolation == OSSAI_HERMITE ? 3 * width : width;
	const float *values = channel->values + (stride > width ? width : 0);
	if (channel->node == OSSA_NONE) {
		for (size_t i = 0; i < width; i++) {
			if (ossai_target_moves(asset, channel, i)) return true;
		}
		return false;
	}
	const double *rest = asset->nodes[channel->node].ops[channel->op].values + channel->first;
	const ossai_channel_form form = ossai_channel_form_of(asset, channel);
	for (size_t k = 0; k < channel->key_count; k++) {
		if (key_moves(rest, values + k * stride, width, form)) return true;
	}
	return false;
}

/* by node: some animation moves it */
static void mark_moving(const ossai_asset *asset, uint8_t *marks)
{
	for (size_t c = 0; c < asset->clip_count; c++) {
		for (size_t i = 0; i < asset->clips[c].channel_count; i++) {
			const ossai_asset_channel *channel = &asset->clips[c].channels[i];
			if (channel->node == OSSA_NONE || marks[channel->node]) continue;
			marks[channel->node] = ossai_channel_moves(asset, channel);
		}
	}
}

/* ---- which nodes are joints ---- */

static ossa_status has_joints(ossai_asset *asset, bool *found)
{
	uint8_t *marks = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!marks) return ossa_context_error(asset->context)->status;
	OSSAI_TRY(ossai_asset_mark_joints(asset, marks));
	*found = memchr(marks, 1, asset->node_count) != NULL;
	return OSSA_OK;
}

/* nodes that move and have a mesh on them or below; returns how many */
static size_t mark_parts(const ossai_asset *asset, uint8_t *holds_mesh, uint8_t *marks)
{
	size_t count = 0;
	mark_moving(asset, marks);
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].node != OSSA_NONE) holds_mesh[asset->meshes[m].node] = 1;
	}
	ossai_asset_mark_above(asset, holds_mesh);
	for (size_t n = 0; n < asset->node_count; n++) {
		marks[n] = marks[n] && holds_mesh[n];
		count += marks[n];
	}
	return count;
}

/* nodes of meshes whose targets move: they stand still, but are what the motion is of */
static size_t mark_shaped(const ossai_asset *asset, uint8_t *marks)
{
	size_t count = 0;
	for (size_t c = 0; c < asset->clip_count; c++) {
		for (size_t i = 0; i < asset->clips[c].channel_count; i++) {
			const ossai_asset_channel *channel = &asset->clips[c].channels[i];
			const uint32_t node = channel->node == OSSA_NONE ? asset->meshes[channel->mesh].node : OSSA_NONE;
			if (node == OSSA_NONE || marks[node] || !ossai_channel_moves(asset, channel)) continue;
			marks[node] = 1;
			count++;
		}
	}
	return count;
}

/* Counts top-level parts: by node, how many of these are on it or below. Returns how many there
   are; `still_count`: how many of them are static meshes. */
static size_t count_tops(
	const ossai_asset *asset, const uint8_t *marks, uint8_t *is_carried, size_t *below, size_t *still_count)
{
	size_t total = 0;
	*still_count = 0;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent;
		const bool is_below_part = parent != OSSA_NONE && is_carried[parent];
		is_carried[n] = is_below_part || marks[n];
		below[n] = marks[n] && !is_below_part;
		total += below[n];
	}
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const uint32_t n = asset->meshes[m].node;
		if (n != OSSA_NONE && is_carried[n]) continue;
		if (n != OSSA_NONE) below[n]++;
		++*still_count;
	}
	for (size_t i = asset->node_count; i-- > 0;) {
		const uint32_t n = asset->order[i];
		if (asset->nodes[n].parent != OSSA_NONE) below[asset->nodes[n].parent] += below[n];
	}
	return total + *still_count;
}

/* the lowest node that is above everything; false where there is none */
static bool mark_common_node(const ossai_asset *asset, const size_t *below, size_t total, uint8_t *marks)
{
	for (size_t i = asset->node_count; i-- > 0;) {
		if (below[asset->order[i]] != total) continue;
		marks[asset->order[i]] = 1;
		return true;
	}
	return false;
}

ossa_status ossai_asset_find_parts(ossai_asset *asset, ossai_moving_parts *parts)
{
	bool has_others = false;
	*parts = (ossai_moving_parts){0};
	OSSAI_TRY(has_joints(asset, &has_others));
	if (has_others || asset->mesh_count == 0) return OSSA_OK;
	parts->is_joint = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	uint8_t *scratch = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	size_t *below = ossai_arena_zero(&asset->arena, asset->node_count, sizeof *below);
	if (!parts->is_joint || !scratch || !below) return ossa_context_error(asset->context)->status;
	parts->count = mark_parts(asset, scratch, parts->is_joint);
	parts->is_of_shapes = parts->count == 0;
	if (parts->is_of_shapes) parts->count = mark_shaped(asset, parts->is_joint);
	if (parts->count == 0) return OSSA_OK;
	size_t still_count;
	const size_t total = count_tops(asset, parts->is_joint, scratch, below, &still_count);
	if (total == 1 || mark_common_node(asset, below, total, parts->is_joint)) return OSSA_OK;
	parts->needs_root = still_count > 0;
	return OSSA_OK;
}

/* ---- parts beside joints ---- */

typedef struct beside {
	const ossai_asset *asset;
	uint8_t *is_joint;  /* by node */
	uint8_t *is_moving; /* by node: an animation moves it */
	uint8_t *is_seen;   /* by node: there is a mesh without a skin below it, and no joint between */
	size_t count;       /* parts */
} beside;

static ossa_status begin_beside(ossai_asset *asset, beside *b)
{
	*b = (beside){.asset = asset,
		.is_joint = ossai_arena_zero(&asset->arena, asset->node_count, 1),
		.is_moving = ossai_arena_zero(&asset->arena, asset->node_count, 1),
		.is_seen = ossai_arena_zero(&asset->arena, asset->node_count, 1)};
	if (!b->is_joint || !b->is_moving || !b->is_seen) return ossa_context_error(asset->context)->status;
	OSSAI_TRY(ossai_asset_mark_joints(asset, b->is_joint));
	mark_moving(asset, b->is_moving);
	return OSSA_OK;
}

/* what moves between a mesh and the joint above it, or the root of the scene */
static void mark_beside(beside *b)
{
	const ossai_asset *asset = b->asset;
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].skin != OSSA_NONE) continue;
		uint32_t at = asset->meshes[m].node;
		for (; at != OSSA_NONE && !b->is_joint[at] && !b->is_seen[at]; at = asset->nodes[at].parent) {
			b->is_seen[at] = 1;
			asset->nodes[at].is_part = b->is_moving[at];
			b->count += b->is_moving[at];
		}
	}
	for (size_t n = 0; n < asset->node_count; n++) b->is_joint[n] |= asset->nodes[n].is_part;
}

/* whether a mesh stands still where every joint moves: the topmost joint, or what is above it */
static bool needs_still_root(const beside *b)
{
	const ossai_asset *asset = b->asset;
	bool has_still = false, has_bound = false, top_moves = false;
	uint8_t *is_carried = b->is_seen, *moves = b->is_moving;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent;
		const bool is_below = parent != OSSA_NONE && is_carried[parent];
		moves[n] |= parent != OSSA_NONE && moves[parent];
		is_carried[n] = is_below || b->is_joint[n];
		top_moves |= is_carried[n] && !is_below && moves[n];
	}
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		const bool is_bound = mesh->skin != OSSA_NONE || (mesh->node != OSSA_NONE && is_carried[mesh->node]);
		has_bound |= is_bound;
		has_still |= !is_bound;
	}
	return has_still && has_bound && top_moves;
}

static ossa_status use_parts_beside(ossai_asset *asset)
{
	beside b;
	OSSAI_TRY(begin_beside(asset, &b));
	mark_beside(&b);
	asset->needs_root = needs_still_root(&b);
	if (b.count == 0) return OSSA_OK;
	ossai_warn(asset->context, "parts-as-bones", (int64_t)b.count,
		"%s: nodes that move meshes without a skin are read as bones beside the others", asset->path);
	return OSSA_OK;
}

ossa_status ossai_asset_use_parts(ossai_asset *asset)
{
	ossai_moving_parts parts;
	bool has_others = false;
	OSSAI_TRY(has_joints(asset, &has_others));
	if (has_others) return use_parts_beside(asset);
	OSSAI_TRY(ossai_asset_find_parts(asset, &parts));
	if (parts.count == 0) return OSSA_OK;
	for (size_t n = 0; n < asset->node_count; n++) asset->nodes[n].is_joint |= parts.is_joint[n];
	asset->needs_root = parts.needs_root;
	ossai_warn(asset->context, "parts-as-bones", (int64_t)parts.count,
		parts.is_of_shapes ? "%s: has no skin; each mesh whose morph targets move is read as a bone"
						   : "%s: has no skin; its parts move rigidly, and each is read as a bone",
		asset->path);
	return OSSA_OK;
}
