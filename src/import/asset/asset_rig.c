/* import/asset/asset_rig.c: a rig out of an asset: bones with names and tails, weights, one clip.

   Place in the path: the end of the asset layer.
   Input: bones, meshes side by side, the chosen animation.
   Output: an ossa_rig. */
#include "import/asset/asset_parts.h"

#include "import/asset/asset_names.h"
#include "mesh/bounds.h"

#include <stdio.h>
#include <string.h>

/* a bone's offset counts as constant within this share of the rig's diagonal */
static const double constant_offset = 1e-5;

/* a joint's map that differs more than this from its rotation, in any entry, is more than a
   rotation */
static const double stretched_map = 1e-3;

typedef struct assembly {
	ossai_asset *asset;
	ossai_bones bones;
	ossai_blocks blocks;
	ossa_rig *rig;
} assembly;

/* ---- bones ---- */

/* what ossa's own files say of a bone, moved with the mesh */
static void read_extras(const assembly *a, const ossai_asset_bone *from, ossa_bone *bone)
{
	const ossai_rigid *map = a->asset->skin_count > 0 ? &a->bones.placement : &a->asset->space;
	double scale;
	const ossai_mat3 turn = ossai_affine_rotation(&map->r, &scale);
	bone->kind = from->kind == OSSA_JOINT_ROOT ? OSSA_JOINT_UNKNOWN : from->kind;
	bone->turn_degrees = from->turn_degrees;
	bone->fit_residual = from->fit_residual * scale;
	bone->has_limits = from->has_limits;
	bone->limits_of_motion = from->limits_of_motion;
	if (from->has_limits) memcpy(bone->limits, from->limits, sizeof bone->limits);
	if (bone->kind == OSSA_JOINT_HINGE) ossai_v3_store(ossai_mat3_mul_v(&turn, ossai_v3_of(from->axis)), bone->axis);
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
			memset(bone->axis, 0, sizeof bone->axis);
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

/* ---- the clip ---- */

/* what was lost where joints are scaled, sheared or mirrored */
typedef struct stretch {
	const double *reach; /* by bone: how far its points are from its joint at rest */
	int64_t frames;      /* in which joints are stretched */
	double most;         /* largest distance by which a point may be off */
} stretch;

/* at most how far a map takes a unit vector; sets the map's largest entry */
static double norm_bound(const ossai_mat3 *map, double *largest)
{
	double rows[3] = {0, 0, 0}, columns[3] = {0, 0, 0}, squares = 0;
	*largest = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double entry = fabs(map->m[i][j]);
			rows[i] += entry;
			columns[j] += entry;
			squares += entry * entry;
			*largest = fmax(*largest, entry);
		}
	}
	const double row = fmax(fmax(rows[0], rows[1]), rows[2]), column = fmax(fmax(columns[0], columns[1]), columns[2]);
	return fmin(sqrt(squares), sqrt(row * column));
}

/* bones' rigid frames in the current pose; what is left of the nodes' maps beside their rotations
   cannot be held */
static void bone_frames(const ossai_bones *bones, const ossai_pose *pose, ossai_rigid *frames, stretch *lost)
{
	bool is_stretched = false;
	for (size_t b = 0; b < bones->count; b++) {
		frames[b] = bones->bind[b];
		if (bones->node[b] == OSSA_NONE) continue;
		const ossai_rigid map = ossai_rigid_mul(&pose->world[bones->node[b]], &bones->offset[b]);
		frames[b] = (ossai_rigid){ossai_affine_rotation(&map.r, NULL), map.t};
		ossai_mat3 rest = map.r;
		double largest;
		for (int i = 0; i < 9; i++) rest.m[i / 3][i % 3] -= frames[b].r.m[i / 3][i % 3];
		const double norm = norm_bound(&rest, &largest);
		if (largest <= stretched_map) continue;
		is_stretched = true;
		lost->most = fmax(lost->most, norm * lost->reach[b]);
	}
	lost->frames += is_stretched;
}

/* one frame's local rotations, with signs that follow the frame before, and local offsets */
static void store_frame(const ossai_bones *bones, const ossai_rigid *frames, size_t frame, ossa_clip *clip)
{
	ossai_v3_store(frames[0].t, clip->root_positions + 3 * frame);
	for (size_t b = 0; b < bones->count; b++) {
		ossai_rigid local = frames[b];
		if (bones->parent[b] >= 0) {
			const ossai_rigid back = ossai_rigid_inverse(&frames[bones->parent[b]]);
			local = ossai_rigid_mul(&back, &frames[b]);
		}
		ossai_quat q = ossai_mat3_quat(&local.r);
		double *out = clip->rotations + (frame * bones->count + b) * 4;
		if (frame > 0 && ossai_quat_dot(q, ossai_quat_of(out - 4 * bones->count)) < 0) q = ossai_quat_negate(q);
		ossai_quat_store(q, out);
		ossai_v3_store(local.t, clip->translations + (frame * bones->count + b) * 3);
	}
}

/* whether every bone but the root keeps its offset at rest in all frames */
static bool lengths_are_constant(const ossai_bones *bones, const ossa_clip *clip, double tolerance)
{
	for (size_t b = 1; b < clip->bone_count; b++) {
		const ossai_rigid back = ossai_rigid_inverse(&bones->bind[bones->parent[b]]);
		const ossai_vec3 rest = ossai_rigid_point(&back, bones->bind[b].t);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const ossai_vec3 offset = ossai_v3_of(clip->translations + (f * clip->bone_count + b) * 3);
			if (!(ossai_distance(offset, rest) <= tolerance)) return false;
		}
	}
	return true;
}

/* of the mesh, or of the joints where there is no mesh */
static double rig_diagonal(const assembly *a)
{
	if (a->rig->mesh->vertex_count > 0) {
		return ossai_bounds_make(a->rig->mesh->vertex_count, a->rig->mesh->positions).diagonal;
	}
	double length = 0;
	for (size_t b = 1; b < a->bones.count; b++) {
		length = fmax(length, ossai_distance(a->bones.bind[b].t, a->bones.bind[0].t));
	}
	return length;
}

/* by bone: the largest distance of a vertex that it moves from its joint; without a mesh the
   skeleton's size for all */
static double *find_reach(const assembly *a, double diagonal)
{
	const ossa_rig *rig = a->rig;
	const size_t influences = (size_t)rig->weights.influences;
	double *reach = ossai_arena_zero(&a->asset->arena, a->bones.count, sizeof *reach);
	for (size_t b = 0; reach && rig->mesh->vertex_count == 0 && b < a->bones.count; b++) reach[b] = diagonal;
	for (size_t i = 0; reach && i < rig->mesh->vertex_count * influences; i++) {
		if (rig->weights.values[i] <= 0) continue;
		const uint16_t bone = rig->weights.bones[i];
		const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * (i / influences));
		reach[bone] = fmax(reach[bone], ossai_distance(p, a->bones.bind[bone].t));
	}
	return reach;
}

static void warn_stretch(const assembly *a, const stretch *lost, double diagonal)
{
	if (lost->frames == 0) return;
	ossai_warn(a->asset->context, "scale-dropped", lost->frames,
		"%s: joints are scaled, sheared or mirrored in some frames; bones of ossa only turn and move, so that points may be "
		"off by "
		"up to %.3g %% of the diagonal",
		a->asset->path, diagonal > 0 ? 100 * lost->most / diagonal : 0);
}

static ossa_status fill_clip(assembly *a, const ossai_take *take, ossa_clip *clip)
{
	ossa_context *context = a->asset->context;
	const double diagonal = rig_diagonal(a);
	ossai_pose pose;
	ossai_rigid *frames = ossai_arena_new(&a->asset->arena, clip->bone_count, sizeof *frames);
	stretch lost = {.reach = frames ? find_reach(a, diagonal) : NULL};
	if (!lost.reach) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_pose_begin(a->asset, &pose));
	const char *name = take->name ? take->name : "";
	ossai_name_copy(clip->name, (ossai_word){name, strlen(name)});
	/* motion may begin before 0, but not in files that ossa writes */
	const double begin = fmin(take->times[0], 0);
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossai_pose_move(&pose, take, take->times[f]);
		bone_frames(&a->bones, &pose, frames, &lost);
		clip->times[f] = take->times[f] - begin;
		store_frame(&a->bones, frames, f, clip);
	}
	warn_stretch(a, &lost, diagonal);
	if (lengths_are_constant(&a->bones, clip, constant_offset * diagonal)) {
		ossa_free(context, clip->translations);
		clip->translations = NULL;
	}
	return OSSA_OK;
}

static ossa_status make_clip(assembly *a, const ossa_read_options *options)
{
	ossai_asset *asset = a->asset;
	ossai_take take;
	uint8_t *is_wanted = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!is_wanted) return ossa_context_error(asset->context)->status;
	for (size_t b = 0; b < a->bones.count; b++) {
		if (a->bones.node[b] != OSSA_NONE) is_wanted[a->bones.node[b]] = 1;
	}
	ossai_asset_mark_above(asset, is_wanted);
	OSSAI_TRY(ossai_take_make(asset, options, is_wanted, false, &take));
	if (take.left_out > 0 && a->rig->mesh->vertex_count > 0) {
		ossai_warn(asset->context, "shapes-dropped", (int64_t)take.left_out,
			"%s: a rig has no morph targets; the mesh keeps its shape at rest, frames of it (ossa rig FILE) hold them",
			asset->path);
	}
	if (take.frame_count == 0) return OSSA_OK;
	OSSAI_TRY(ossai_asset_charge(asset, take.frame_count, a->bones.count * 8 * sizeof(double)));
	OSSAI_TRY(ossa_clip_create(asset->context, take.frame_count, a->bones.count, true, &a->rig->clip));
	return fill_clip(a, &take, a->rig->clip);
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

/* the rig around `mesh`, which it takes over */
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
	if (a->blocks.count > 0) OSSAI_TRY(ossai_blocks_join(asset, &a->blocks, &mesh));
	else OSSAI_TRY(ossa_mesh_create(asset->context, 0, NULL, 0, NULL, &mesh));
	ossai_influence *pairs = ossai_new(asset->context, most + 2, sizeof *pairs);
	ossa_status status = pairs ? make_rig(a, mesh, pairs) : ossa_context_error(asset->context)->status;
	if (!pairs) ossa_mesh_free(asset->context, mesh);
	if (status == OSSA_OK) fill_weights(a, pairs);
	ossa_free(asset->context, pairs);
	if (status != OSSA_OK) return status;
	snprintf(a->rig->method, sizeof a->rig->method, "%s", asset->method ? asset->method : "file");
	OSSAI_TRY(make_skeleton(a));
	OSSAI_TRY(make_clip(a, options));
	if (a->blocks.count == 1) OSSAI_TRY(ossai_asset_take_merges(asset, a->blocks.items[0].from, a->rig));
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
