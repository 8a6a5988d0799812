/* import/asset/asset_rig.c: a rig out of an asset: bones with names and tails, weights, one clip.

   Place in the path: the end of the asset layer.
   Input: bones, meshes side by side, the chosen animation.
   Output: an ossa_rig. */
#include "import/asset/asset_parts.h"

#include "import/asset/asset_names.h"
#include "mesh/bounds.h"
#include "rig/universal_joint.h"

#include <stdio.h>
#include <string.h>

typedef struct assembly {
	ossai_asset *asset;
	ossai_bones bones;
	ossai_blocks blocks;
	ossa_rig *rig;
} assembly;

/* ---- bones ---- */

/* from the space of ossa's own properties to that of the mesh */
static ossai_rigid extras_map(const assembly *a)
{
	ossai_rigid back;
	if (a->asset->skin_count == 0) return a->asset->space;
	if (!ossai_affine_inverse(&a->asset->own_space, &back)) return a->bones.placement;
	return ossai_rigid_mul(&a->bones.placement, &back);
}

/* p -> R p + t of a point that the map, scale Q p + c, moves too */
static void take_modelled(
	const double from[7], const ossai_rigid *map, const ossai_mat3 *turn, double scale, double modelled[7])
{
	const ossai_quat q = ossai_quat_of(from), own = ossai_quat_unit(q);
	if (!(ossai_quat_dot(q, q) > 0)) return;
	const ossai_vec3 axis = ossai_mat3_mul_v(turn, ossai_v3(own.x, own.y, own.z));
	const ossai_quat turned = {axis.x, axis.y, axis.z, own.w};
	const ossai_mat3 r = ossai_quat_matrix(turned);
	const ossai_vec3 moved = ossai_scale(ossai_mat3_mul_v(turn, ossai_v3_of(from + 4)), scale);
	const ossai_vec3 move = ossai_sub(ossai_add(moved, map->t), ossai_mat3_mul_v(&r, map->t));
	if (!isfinite(move.x) || !isfinite(move.y) || !isfinite(move.z)) return;
	ossai_quat_store(turned, modelled);
	ossai_v3_store(move, modelled + 4);
}

/* ossa's own properties of a bone, transformed with the mesh */
static void read_extras(const assembly *a, const ossai_asset_bone *from, ossa_bone *bone)
{
	const ossai_rigid space = extras_map(a), *map = &space;
	double scale;
	const ossai_mat3 turn = ossai_affine_rotation(&map->r, &scale);
	/* a second root is one of a body under a common root */
	bone->kind = from->kind == OSSA_JOINT_ROOT && bone->parent != 0 ? OSSA_JOINT_UNKNOWN : from->kind;
	bone->turn_degrees = from->turn_degrees;
	bone->fit_residual = from->fit_residual * scale;
	bone->role = from->role;
	bone->deviation = from->deviation * scale;
	take_modelled(from->modelled, map, &turn, scale, bone->modelled);
	bone->has_limits = from->has_limits;
	bone->limits_of_motion = from->limits_of_motion;
	if (from->has_limits) memcpy(bone->limits, from->limits, sizeof bone->limits);
	for (int i = 0; i < 2; i++) bone->slide_limits[i] = from->slide_limits[i] * scale;
	if (bone->kind != OSSA_JOINT_UNKNOWN) {
		ossai_v3_store(ossai_mat3_mul_v(&turn, ossai_v3_of(from->axis)), bone->axis);
		ossai_v3_store(ossai_mat3_mul_v(&turn, ossai_v3_of(from->second_axis)), bone->second_axis);
		memcpy(bone->axis_limits, from->axis_limits, sizeof bone->axis_limits);
	}
	if (from->has_tail) ossai_v3_store(ossai_rigid_point(map, ossai_v3_of(from->tail)), bone->tail);
}

static ossa_status fill_bones(assembly *a, uint8_t *has_tail)
{
	const ossai_bones *bones = &a->bones;
	ossai_names names;
	int64_t dropped = 0;
	OSSAI_TRY(ossai_names_begin(&a->asset->arena, bones->count, &names));
	for (size_t b = 0; b < bones->count; b++) {
		ossa_bone *bone = &a->rig->skeleton.bones[b];
		const ossai_asset_node *node = bones->node[b] == OSSA_NONE ? NULL : &a->asset->nodes[bones->node[b]];
		ossai_names_add(&names, node ? node->name : "root", bone->name);
		bone->parent = bones->parent[b];
		if (node && node->bone && bones->fits_rest) {
			read_extras(a, node->bone, bone);
			has_tail[b] = node->bone->has_tail;
		}
		dropped += node && node->bone && node->bone->has_limits && !bones->fits_rest;
		if (b == 0) {
			bone->kind = OSSA_JOINT_ROOT;
			ossai_bone_forget_axes(bone);
		}
		ossai_v3_store(bones->bind[b].t, bone->joint);
		ossai_quat_store(ossai_mat3_quat(&bones->bind[b].r), bone->orientation);
	}
	if (dropped > 0) {
		ossai_warn(a->asset->context, "limits-dropped", dropped,
			"%s: joints have limits against another pose than the mesh was bound in; they go without", a->asset->path);
	}
	if (names.changed > 0) {
		ossai_warn(a->asset->context, "names-changed", names.changed,
			"%s: names of bones that are not unique or have other characters than A-Z a-z 0-9 _ -, e.g. \"%.63s\", were "
			"changed",
			a->asset->path, names.example);
	}
	return OSSA_OK;
}

/* joints that ossa added at the ends of leaves are the leaves' tails */
static void find_ends(const assembly *a, uint8_t *has_tail)
{
	const ossai_bones *bones = &a->bones;
	for (size_t n = 0; n < a->asset->node_count; n++) {
		const ossai_asset_bone *extra = a->asset->nodes[n].bone;
		const uint32_t b = bones->bone_of_node[n];
		ossai_rigid back;
		if (!extra || !extra->is_end || b == OSSA_NONE || bones->node[b] == n || bones->node[b] == OSSA_NONE) continue;
		if (has_tail[b] || !ossai_affine_inverse(&bones->rest_world[bones->node[b]], &back)) continue;
		ossai_vec3 p = ossai_rigid_point(&back, bones->rest_world[n].t);
		p = ossai_rigid_point(&bones->placement, ossai_rigid_point(&bones->affine[b], p));
		if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) continue;
		ossai_v3_store(p, a->rig->skeleton.bones[b].tail);
		has_tail[b] = 1;
	}
}

/* tails that the file does not have: the children's mean, or in the direction from the parent by
   the parent's length */
static ossa_status place_tails(assembly *a, const uint8_t *has_tail)
{
	const size_t count = a->bones.count;
	ossa_bone *bones = a->rig->skeleton.bones;
	double *sums = ossai_arena_zero(&a->asset->arena, count, 4 * sizeof *sums);
	if (!sums) return ossa_context_error(a->asset->context)->status;
	for (size_t b = 1; b < count; b++) {
		double *sum = sums + 4 * (size_t)bones[b].parent;
		for (int k = 0; k < 3; k++) sum[k] += bones[b].joint[k];
		sum[3]++;
	}
	for (size_t b = 0; b < count; b++) {
		if (has_tail[b]) continue;
		const double *above = bones[b].parent >= 0 ? bones[bones[b].parent].joint : bones[b].joint;
		for (int k = 0; k < 3; k++) {
			const double onward = 2 * bones[b].joint[k] - above[k];
			bones[b].tail[k] = sums[4 * b + 3] > 0 ? sums[4 * b + (size_t)k] / sums[4 * b + 3] : onward;
		}
	}
	return OSSA_OK;
}

/* bones whose tail is their joint, as of a single one, reach to the farthest vertex that follows
   them alone */
static ossa_status stretch_tails(assembly *a)
{
	const ossa_rig *rig = a->rig;
	ossa_bone *bones = rig->skeleton.bones;
	double *farthest = ossai_arena_zero(&a->asset->arena, a->bones.count, sizeof *farthest);
	uint8_t *is_short = ossai_arena_zero(&a->asset->arena, a->bones.count, 1);
	if (!farthest || !is_short) return ossa_context_error(a->asset->context)->status;
	for (size_t b = 0; b < a->bones.count; b++) {
		is_short[b] = ossai_distance(ossai_v3_of(bones[b].tail), ossai_v3_of(bones[b].joint)) <= 0;
	}
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const size_t first = v * (size_t)rig->weights.influences;
		const uint16_t b = rig->weights.bones[first];
		if (!is_short[b] || rig->weights.values[first] < 1) continue;
		const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * v);
		const double distance = ossai_distance(p, ossai_v3_of(bones[b].joint));
		if (distance <= farthest[b]) continue;
		farthest[b] = distance;
		ossai_v3_store(p, bones[b].tail);
	}
	return OSSA_OK;
}

static ossa_status make_skeleton(assembly *a)
{
	uint8_t *has_tail = ossai_arena_zero(&a->asset->arena, a->bones.count, 1);
	if (!has_tail) return ossa_context_error(a->asset->context)->status;
	OSSAI_TRY(fill_bones(a, has_tail));
	find_ends(a, has_tail);
	OSSAI_TRY(place_tails(a, has_tail));
	return stretch_tails(a);
}

/* ---- weights ---- */

/* a vertex's pairs by bone: ends are their parents, so a bone may come twice */
static size_t vertex_pairs(const assembly *a, const ossai_block *block, size_t vertex, ossai_influence *pairs)
{
	const ossai_asset_mesh *mesh = block->from;
	size_t count = 0;
	if (mesh->skin == OSSA_NONE) {
		pairs[0] = (ossai_influence){block->bone, 1};
		return 1;
	}
	const uint32_t *joints = a->asset->skins[mesh->skin].joints;
	for (size_t i = vertex * mesh->influences; i < (vertex + 1) * mesh->influences && mesh->weights[i] > 0; i++) {
		const uint32_t bone = a->bones.bone_of_node[joints[mesh->joints[i]]];
		ossai_influence moved = {bone, (double)mesh->weights[i]};
		size_t at = 0;
		while (at < count && pairs[at].joint != bone) at++;
		if (at < count) moved.weight += pairs[at].weight;
		else count++;
		for (; at > 0 && pairs[at - 1].weight < moved.weight; at--) pairs[at] = pairs[at - 1];
		pairs[at] = moved;
		if (count > OSSAI_INFLUENCES_MAX) break;
	}
	if (count == 0) pairs[count++] = (ossai_influence){0, 1};
	return count;
}

static int most_influences(const assembly *a, ossai_influence *pairs)
{
	size_t most = 1;
	for (size_t b = 0; b < a->blocks.count; b++) {
		for (size_t v = 0; v < a->blocks.items[b].own && most < OSSAI_INFLUENCES_MAX; v++) {
			const size_t count = vertex_pairs(a, &a->blocks.items[b], v, pairs);
			if (count > most) most = count;
		}
	}
	return most > OSSAI_INFLUENCES_MAX ? OSSAI_INFLUENCES_MAX : (int)most;
}

/* influences beyond the maximum of a rig are dropped; the rest sums to 1 again */
static void cut_pairs(ossai_influence *pairs, size_t *count)
{
	double sum = 0;
	*count = OSSAI_INFLUENCES_MAX;
	for (size_t k = 0; k < *count; k++) sum += pairs[k].weight;
	for (size_t k = 0; k < *count; k++) pairs[k].weight /= sum;
}

static void fill_weights(const assembly *a, ossai_influence *pairs)
{
	ossa_weights *weights = &a->rig->weights;
	int64_t cut = 0;
	for (size_t b = 0; b < a->blocks.count; b++) {
		const ossai_block *block = &a->blocks.items[b];
		for (size_t v = 0; v < block->own; v++) {
			size_t count = vertex_pairs(a, block, v, pairs);
			const size_t first = (block->base + v) * (size_t)weights->influences;
			if (count > OSSAI_INFLUENCES_MAX) {
				cut_pairs(pairs, &count);
				cut++;
			}
			for (size_t k = 0; k < (size_t)weights->influences; k++) {
				weights->bones[first + k] = k < count ? (uint16_t)pairs[k].joint : 0;
				weights->values[first + k] = k < count ? (float)pairs[k].weight : 0;
			}
		}
	}
	if (cut > 0) {
		ossai_warn(a->asset->context, "influences-cut", cut, "%s: vertices with more than %d weights keep the largest",
			a->asset->path, (int)OSSAI_INFLUENCES_MAX);
	}
}

/* ---- the rig ---- */

/* Meshes belong to the rig where a skin or a bone moves one of them; then the others follow the
   root. Else they are left out. */
static void choose_meshes(assembly *a)
{
	ossa_context *context = a->asset->context;
	const char *file = a->asset->path;
	const int64_t unbound = a->blocks.unbound_count;
	if (unbound == 0) return;
	if (unbound < (int64_t)a->blocks.count) {
		ossai_warn(context, "meshes-on-root", unbound, "%s: meshes without a skin or bone follow the root", file);
		return;
	}
	ossai_warn(context, "meshes-left-out", unbound,
		"%s: no mesh has a skin or is attached to a joint; the rig is a skeleton alone", file);
	a->blocks = (ossai_blocks){0};
}

/* the rig of `mesh`, which it takes ownership of */
static ossa_status make_rig(assembly *a, ossa_mesh *mesh, ossai_influence *pairs)
{
	ossa_context *context = a->asset->context;
	/* a shell without arrays represents the mesh, which need not be copied */
	const ossa_mesh shell = {.vertex_count = mesh->vertex_count};
	const ossa_status status = ossa_rig_create(context, &shell, a->bones.count, most_influences(a, pairs), &a->rig);
	if (status != OSSA_OK) {
		ossa_mesh_free(context, mesh);
		return status;
	}
	ossa_mesh_free(context, a->rig->mesh);
	a->rig->mesh = mesh;
	return OSSA_OK;
}

static ossa_status assemble(assembly *a, const ossa_read_options *options)
{
	ossai_asset *asset = a->asset;
	ossa_mesh *mesh;
	size_t most = OSSAI_INFLUENCES_MAX;
	if (a->blocks.count > 0) OSSAI_TRY(ossai_blocks_join(asset, &a->bones, &a->blocks, &mesh));
	else OSSAI_TRY(ossa_mesh_create(asset->context, 0, NULL, 0, NULL, &mesh));
	ossai_influence *pairs = ossai_new(asset->context, most + 2, sizeof *pairs);
	ossa_status status = pairs ? make_rig(a, mesh, pairs) : ossa_context_error(asset->context)->status;
	if (!pairs) ossa_mesh_free(asset->context, mesh);
	if (status == OSSA_OK) fill_weights(a, pairs);
	ossa_free(asset->context, pairs);
	if (status != OSSA_OK) return status;
	snprintf(a->rig->method, sizeof a->rig->method, "%s", asset->method ? asset->method : "file");
	OSSAI_TRY(make_skeleton(a));
	const ossai_rigid own_space = extras_map(a);
	if (a->bones.fits_rest) OSSAI_TRY(ossai_asset_take_loops(asset, &a->bones, &own_space, a->rig));
	OSSAI_TRY(ossai_asset_take_drivers(asset, &a->bones, &own_space, a->rig));
	if (a->bones.fits_rest) OSSAI_TRY(ossai_asset_take_dependencies(asset, &a->bones, &own_space, a->rig));
	OSSAI_TRY(ossai_asset_take_levels(asset, &a->bones, a->rig));
	ossai_asset_take_body(asset, &own_space, a->rig);
	OSSAI_TRY(ossai_asset_move_rig(asset, &a->bones, options, a->rig));
	OSSAI_TRY(ossai_asset_take_merges(asset, &a->blocks, a->rig));
	return ossa_rig_validate(asset->context, a->rig);
}

ossa_status ossai_asset_rig(ossai_asset *asset, const ossa_read_options *options, ossa_rig **rig)
{
	assembly a = {.asset = asset};
	*rig = NULL;
	OSSAI_TRY(ossai_asset_use_parts(asset));
	OSSAI_TRY(ossai_bones_make(asset, &a.bones));
	if (a.bones.count == 0)
		return ossai_asset_fail(asset, "holds no skinned mesh, no joints and no moving parts, so there is no rig in it");
	OSSAI_TRY(ossai_blocks_make(asset, &a.bones, &a.blocks));
	choose_meshes(&a);
	OSSAI_TRY(ossai_asset_clean_weights(asset));
	const ossa_status status = assemble(&a, options);
	if (status == OSSA_OK) *rig = a.rig;
	else ossa_rig_free(asset->context, a.rig);
	return status;
}

/* whether meshes change their shapes over time, which a rig would lose */
static bool has_moving_shapes(const ossai_asset *asset)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].sample_count > 1) return true;
	}
	for (size_t c = 0; c < asset->clip_count; c++) {
		for (size_t i = 0; i < asset->clips[c].channel_count; i++) {
			if (asset->clips[c].channels[i].node == OSSA_NONE) return true;
		}
	}
	return false;
}

ossa_status ossai_asset_has_rig(ossai_asset *asset, bool *found)
{
	ossai_moving_parts parts;
	*found = false;
	for (size_t m = 0; m < asset->mesh_count && !*found; m++) *found = asset->meshes[m].skin != OSSA_NONE;
	for (size_t n = 0; n < asset->node_count && !*found; n++) *found = asset->nodes[n].is_joint;
	if (*found || has_moving_shapes(asset)) return OSSA_OK;
	OSSAI_TRY(ossai_asset_find_parts(asset, &parts));
	*found = parts.count > 0 && parts.count < UINT16_MAX;
	return OSSA_OK;
}
