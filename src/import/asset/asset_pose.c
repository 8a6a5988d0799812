/* import/asset/asset_pose.c: world transforms of all nodes and weights of morph targets at a time.

   Place in the path: below everything that evaluates an asset.
   Input: ops, channels, a time.
   Output: world maps in ossa's space. */
#include "import/asset/asset_parts.h"

#include <string.h>

static ossai_rigid op_map(const ossai_op *op)
{
	const double *v = op->values;
	ossai_rigid map = ossai_affine_identity();
	switch (op->kind) {
	case OSSAI_OP_TRANSLATE: map.t = ossai_v3_of(v); break;
	case OSSAI_OP_ROTATE: map.r = ossai_quat_matrix(ossai_quat_of(v)); break;
	case OSSAI_OP_TURN: {
		const ossai_vec3 axis = ossai_unit(ossai_v3_of(v), ossai_v3(0, 0, 0));
		map.r = ossai_quat_matrix(ossai_quat_axis_angle(axis, v[3] * (OSSAI_PI / 180)));
		break;
	}
	case OSSAI_OP_SCALE:
		for (int k = 0; k < 3; k++) map.r.m[k][k] = v[k];
		break;
	case OSSAI_OP_MATRIX: map = ossai_rigid_of(v); break;
	}
	return map;
}

static ossai_rigid local_map(const ossai_op *ops, size_t count)
{
	if (count == 0) return ossai_affine_identity();
	ossai_rigid map = op_map(&ops[0]);
	for (size_t i = 1; i < count; i++) {
		const ossai_rigid next = op_map(&ops[i]);
		map = ossai_rigid_mul(&map, &next);
	}
	return map;
}

/* locals of nodes whose ops changed, and the worlds of all */
static void place_nodes(ossai_pose *pose)
{
	const ossai_asset *asset = pose->asset;
	for (size_t i = 0; i < asset->node_count; i++) {
		const uint32_t n = asset->order[i], parent = asset->nodes[n].parent;
		if (pose->is_stale[n]) pose->local[n] = local_map(pose->ops + pose->first_op[n], asset->nodes[n].op_count);
		pose->is_stale[n] = 0;
		pose->world[n] = ossai_rigid_mul(parent == OSSA_NONE ? &asset->space : &pose->world[parent], &pose->local[n]);
	}
}

void ossai_pose_rest(ossai_pose *pose)
{
	const ossai_asset *asset = pose->asset;
	for (size_t n = 0; n < asset->node_count; n++) {
		const ossai_asset_node *node = &asset->nodes[n];
		if (node->op_count > 0) memcpy(pose->ops + pose->first_op[n], node->ops, node->op_count * sizeof *pose->ops);
	}
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		for (size_t t = 0; t < mesh->target_count; t++) pose->weights[pose->first_weight[m] + t] = mesh->targets[t].weight;
	}
	memset(pose->is_stale, 1, asset->node_count);
	place_nodes(pose);
}

ossa_status ossai_pose_begin(ossai_asset *asset, ossai_pose *pose)
{
	ossai_arena *arena = &asset->arena;
	const size_t nodes = asset->node_count;
	size_t op_count = 0, weight_count = 0;
	*pose = (ossai_pose){.asset = asset};
	pose->first_op = ossai_arena_new(arena, nodes, sizeof *pose->first_op);
	pose->first_weight = ossai_arena_new(arena, asset->mesh_count, sizeof *pose->first_weight);
	if (!pose->first_op || !pose->first_weight) return ossa_context_error(asset->context)->status;
	for (size_t n = 0; n < nodes; n++) {
		pose->first_op[n] = op_count;
		op_count += asset->nodes[n].op_count;
	}
	for (size_t m = 0; m < asset->mesh_count; m++) {
		pose->first_weight[m] = weight_count;
		weight_count += asset->meshes[m].target_count;
	}
	pose->ops = ossai_arena_new(arena, op_count, sizeof *pose->ops);
	pose->weights = ossai_arena_new(arena, weight_count, sizeof *pose->weights);
	pose->local = ossai_arena_new(arena, nodes, sizeof *pose->local);
	pose->world = ossai_arena_new(arena, nodes, sizeof *pose->world);
	pose->is_stale = ossai_arena_new(arena, nodes, 1);
	if (!pose->ops || !pose->weights || !pose->local || !pose->world || !pose->is_stale)
		return ossa_context_error(asset->context)->status;
	ossai_pose_rest(pose);
	return OSSA_OK;
}

void ossai_pose_move(ossai_pose *pose, const ossai_take *take, double time)
{
	for (size_t i = 0; i < take->channel_count; i++) {
		const ossai_asset_channel *c = take->channels[i];
		double *values;
		if (c->node == OSSA_NONE) {
			values = pose->weights + pose->first_weight[c->mesh];
		} else {
			values = pose->ops[pose->first_op[c->node] + c->op].values;
			pose->is_stale[c->node] = 1;
		}
		ossai_channel_sample(c, ossai_channel_form_of(pose->asset, c), time, values + c->first);
	}
	place_nodes(pose);
}
