/* import/asset/asset_place.c: rest positions of the bones and meshes of an asset.

   Place in the path: inside the asset layer, after skins have bound the bones.
   Input: bones in mesh space, nodes at rest.
   Output: mesh space to the rig's, rigid rest frames, and how nodes' world maps become bones'
   frames.

   If skins transform meshes at rest by the same map for all joints (a rotated or scaled armature),
   meshes are transformed by it, so that rest pose and motion share one space and bones stay rigid.
   Files whose nodes are at rest in another pose than the mesh was bound in have as many maps as
   joints; the one that most joints have is that of the armature then. */
#include "import/asset/asset_parts.h"

enum { CANDIDATES_MAX = 64 };

/* a node's own map is used for the bone's if they differ by no more than the float rounding of
   inverse binds */
static const double float_noise = 1e-5;

/* the rotation with uniform scale that is nearest to the map */
static ossai_rigid similar_map(const ossai_rigid *map)
{
	double scale;
	ossai_rigid similar = {ossai_affine_rotation(&map->r, &scale), map->t};
	if (!isfinite(scale) || scale < 1e-12 || fabs(scale - 1) < 1e-5) scale = 1;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) similar.r.m[i][j] *= scale;
	}
	return similar;
}

static bool is_same(const ossai_bones *bones, const ossai_rigid *a, const ossai_rigid *b)
{
	return ossai_affine_is_same(a, b, bones->length, ossai_same_map);
}

/* ---- the map of the armature ---- */

/* what skins do at rest with each bone that one of them binds; returns how many */
static size_t rest_maps(const ossai_bones *bones, ossai_rigid *maps)
{
	size_t count = 0;
	for (size_t b = 0; b < bones->count; b++) {
		ossai_rigid back;
		if (!bones->is_bound[b] || !ossai_affine_inverse(&bones->affine[b], &back)) continue;
		maps[count++] = ossai_rigid_mul(&bones->rest_world[bones->node[b]], &back);
	}
	return count;
}

/* how many maps are the same as one */
static size_t count_same(const ossai_bones *bones, const ossai_rigid *one, const ossai_rigid *maps, size_t count)
{
	size_t same = 0;
	for (size_t i = 0; i < count; i++) same += is_same(bones, one, &maps[i]);
	return same;
}

/* summed distance of the rotations of maps from that of one */
static double turn_distance(const ossai_rigid *one, const ossai_rigid *maps, size_t count)
{
	const ossai_mat3 turn = ossai_affine_rotation(&one->r, NULL);
	double sum = 0;
	for (size_t k = 0; k < count; k++) {
		const ossai_mat3 other = ossai_affine_rotation(&maps[k].r, NULL);
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) sum += fabs(turn.m[i][j] - other.m[i][j]);
		}
	}
	return sum;
}

/* the frame of the first joints: the world of the node above the uppermost bone */
static ossai_rigid armature_map(const ossai_asset *asset, const ossai_bones *bones)
{
	const uint32_t top = bones->node[bones->node[0] == OSSA_NONE ? 1 : 0], above = asset->nodes[top].parent;
	return above == OSSA_NONE ? asset->space : bones->rest_world[above];
}

/* the mesh of the first skin, if a node has it */
static const ossai_asset_mesh *bound_mesh(const ossai_asset *asset, const ossai_bones *bones)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		if (mesh->skin == bones->skins[0] && mesh->node != OSSA_NONE) return mesh;
	}
	return NULL;
}

/* Whether a map leaves the first skin's mesh where its node is: glTF says that it means nothing,
   and exporters leave it where the mesh was bound. The node has the vertices, or the axes that
   they were in before the file's reader brought them to the space of the skin (FBX). */
static bool stands_at_node(const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map)
{
	const ossai_asset_mesh *mesh = bound_mesh(asset, bones);
	if (!mesh) return is_same(bones, map, &asset->space);
	const ossai_rigid *node = &bones->rest_world[mesh->node];
	const ossai_rigid placed = mesh->has_axes ? ossai_rigid_mul(map, &mesh->axes) : *map;
	return is_same(bones, map, node) || is_same(bones, &placed, node);
}

/* Of the armature's map, the file's space and (some of) the joints' maps the one that most joints
   have; of several one that leaves the mesh at its node; else the one whose rotation is nearest to
   all others'. */
static ossai_rigid commonest_map(const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *maps, size_t count)
{
	ossai_rigid best = asset->space;
	size_t best_count = 0;
	bool best_stands = false;
	double best_distance = HUGE_VAL;
	const size_t stride = count / CANDIDATES_MAX + 1;
	for (size_t i = 0; i < count + 2 * stride; i += stride) {
		const ossai_rigid one = i == 0 ? armature_map(asset, bones) : i == stride ? asset->space : maps[i - 2 * stride];
		const ossai_rigid similar = similar_map(&one);
		if (!is_same(bones, &similar, &one)) continue;
		const size_t same = count_same(bones, &one, maps, count);
		const double distance = turn_distance(&one, maps, count);
		const bool stands = stands_at_node(asset, bones, &one);
		if (same < best_count || (same == best_count && stands < best_stands)) continue;
		if (same == best_count && stands == best_stands && distance >= best_distance) continue;
		best = similar;
		best_count = same;
		best_stands = stands;
		best_distance = distance;
	}
	return best;
}

static ossai_rigid find_placement(const ossai_asset *asset, ossai_bones *bones, const ossai_rigid *maps, size_t count)
{
	const ossai_rigid none = ossai_affine_identity();
	ossai_rigid back;
	bones->fits_rest = count == 0 || count_same(bones, &maps[0], maps, count) == count;
	if (count == 0) return none;
	if (!bones->fits_rest) return commonest_map(asset, bones, maps, count);
	if (is_same(bones, &none, &maps[0])) return none;
	const ossai_rigid similar = similar_map(&maps[0]);
	/* stretched or mirrored as a whole: bones stay rigid after it */
	return is_same(bones, &similar, &maps[0]) || !ossai_affine_inverse(&maps[0], &back) ? similar : maps[0];
}

/* ---- bones ---- */

/* rigid rest frames in the rig's space, and the maps from nodes to bones */
static void place_bones(ossai_bones *bones)
{
	double scale;
	ossai_affine_rotation(&bones->placement.r, &scale);
	for (size_t b = 0; b < bones->count; b++) {
		const uint32_t node = bones->node[b];
		const ossai_rigid placed = ossai_rigid_mul(&bones->placement, &bones->affine[b]);
		ossai_rigid back;
		bones->bind[b] = (ossai_rigid){ossai_affine_rotation(&placed.r, NULL), placed.t};
		bones->offset[b] = ossai_affine_identity();
		if (node == OSSA_NONE) continue;
		const ossai_rigid *world = &bones->rest_world[node];
		if (ossai_affine_is_same(world, &bones->bind[b], bones->length * scale, float_noise)) {
			/* a file's own numbers are more precise than those from a matrix of floats */
			bones->bind[b] = (ossai_rigid){ossai_affine_rotation(&world->r, NULL), world->t};
		} else if (ossai_affine_inverse(&placed, &back)) {
			bones->offset[b] = ossai_rigid_mul(&back, &bones->bind[b]);
		}
	}
}

ossa_status ossai_bones_place(ossai_asset *asset, ossai_bones *bones)
{
	ossai_rigid *maps = ossai_arena_new(&asset->arena, bones->count, sizeof *maps);
	if (!maps) return ossa_context_error(asset->context)->status;
	const size_t count = rest_maps(bones, maps);
	bones->placement = find_placement(asset, bones, maps, count);
	place_bones(bones);
	for (size_t b = 0; b < bones->count; b++) {
		if (ossai_affine_is_finite(&bones->bind[b])) continue;
		return ossai_asset_fail(
			asset, "joint \"%s\" is out of the range of numbers", ossai_asset_node_name(asset, bones->node[b]));
	}
	return OSSA_OK;
}
