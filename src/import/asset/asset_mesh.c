/* import/asset/asset_mesh.c: the meshes of an asset joined into one, at rest.

   Place in the path: inside the asset layer.
   Input: meshes on nodes and skins, bones.
   Output: one ossa_mesh in the rig's space: vertices of one mesh after those of the other, without
   copies for seams, with the polygons of mirroring nodes reversed. */
#include "import/asset/asset_parts.h"

#include "base/file.h"
#include "scene/reverse.h"

#include <string.h>

enum { VERTICES_PER_RANGE = 4096 };

/* ---- where each mesh goes ---- */

/* a mesh that is the child of a bone is placed where the bone was when the others were bound */
static void place_on_bone(const ossai_bones *bones, uint32_t bone, ossai_block *block)
{
	const uint32_t node = bones->node[bone];
	ossai_rigid back;
	if (node == OSSA_NONE || !ossai_affine_inverse(&bones->rest_world[node], &back)) return;
	const ossai_rigid on_bone = ossai_rigid_mul(&back, &block->map);
	const ossai_rigid in_mesh_space = ossai_rigid_mul(&bones->affine[bone], &on_bone);
	const ossai_rigid placed = ossai_rigid_mul(&bones->placement, &in_mesh_space);
	const double length = ossai_length(block->map.t) + 1;
	/* nodes at rest as they were bound: their own numbers stay */
	if (ossai_affine_is_finite(&placed) && !ossai_affine_is_same(&placed, &block->map, length, 1e-6)) block->map = placed;
}

static void place_block(const ossai_asset *asset, const ossai_bones *bones, ossai_block *block, int64_t *carried)
{
	const ossai_asset_mesh *mesh = block->from;
	const ossai_rigid none = ossai_affine_identity();
	if (mesh->skin != OSSA_NONE) {
		block->joint_map = bones->joint_map[mesh->skin];
		block->map = ossai_rigid_mul(&bones->placement, &bones->skin_map[mesh->skin]);
		if (block->joint_map) block->map = bones->placement;
	} else {
		block->map = mesh->node == OSSA_NONE ? asset->space : bones->rest_world[mesh->node];
		block->bone = mesh->node == OSSA_NONE ? OSSA_NONE : bones->bone_of_node[mesh->node];
		*carried += block->bone == OSSA_NONE;
		if (block->bone == OSSA_NONE) block->bone = 0;
		if (bones->count > 0) place_on_bone(bones, block->bone, block);
	}
	block->is_placed = !ossai_rigid_same(&block->map, &none);
}

ossa_status ossai_blocks_make(ossai_asset *asset, const ossai_bones *bones, ossai_blocks *blocks)
{
	int64_t carried = 0;
	*blocks = (ossai_blocks){.count = asset->mesh_count};
	blocks->items = ossai_arena_zero(&asset->arena, blocks->count, sizeof *blocks->items);
	if (!blocks->items) return ossa_context_error(asset->context)->status;
	for (size_t m = 0; m < blocks->count; m++) {
		ossai_block *block = &blocks->items[m];
		block->from = &asset->meshes[m];
		block->own = block->from->own_count;
		block->base = blocks->vertex_count;
		blocks->vertex_count += block->own;
		place_block(asset, bones, block, &carried);
	}
	blocks->unbound_count = carried;
	return OSSA_OK;
}

/* ---- positions ---- */

void ossai_mesh_morph(const ossai_asset_mesh *mesh, const double *weights, float *positions)
{
	const size_t count = 3 * mesh->mesh->vertex_count;
	if (positions != mesh->mesh->positions) memcpy(positions, mesh->mesh->positions, count * sizeof *positions);
	for (size_t t = 0; t < mesh->target_count; t++) {
		const float *deltas = mesh->targets[t].deltas;
		if (weights[t] == 0) continue;
		for (size_t i = 0; i < count; i++) positions[i] = (float)((double)positions[i] + weights[t] * (double)deltas[i]);
	}
}

static ossa_status morph_to_rest(ossai_asset *asset, const ossai_block *block)
{
	const ossai_asset_mesh *mesh = block->from;
	if (mesh->target_count == 0) return OSSA_OK;
	double *weights = ossai_arena_new(&asset->arena, mesh->target_count, sizeof *weights);
	if (!weights) return ossa_context_error(asset->context)->status;
	for (size_t t = 0; t < mesh->target_count; t++) weights[t] = mesh->targets[t].weight;
	ossai_mesh_morph(mesh, weights, mesh->mesh->positions);
	return OSSA_OK;
}

ossai_mat3 ossai_block_turn(const ossai_block *block, size_t own)
{
	const ossai_asset_mesh *mesh = block->from;
	ossai_mat3 sum = {{{0}}};
	double total = 0;
	if (!block->joint_map) return block->map.r;
	for (size_t i = own * mesh->influences; i < (own + 1) * mesh->influences && mesh->weights[i] > 0; i++) {
		const ossai_mat3 *turn = &block->joint_map[mesh->joints[i]].r;
		const double weight = (double)mesh->weights[i];
		for (int row = 0; row < 3; row++) {
			for (int k = 0; k < 3; k++) sum.m[row][k] += weight * turn->m[row][k];
		}
		total += weight;
	}
	for (int row = 0; row < 3 && total > 0; row++) {
		for (int k = 0; k < 3; k++) sum.m[row][k] /= total;
	}
	return total > 0 ? ossai_mat3_mul(&block->map.r, &sum) : block->map.r;
}

typedef struct place_job {
	const ossai_block *block;
	const float *from;
	float *to;
} place_job;

/* the point in mesh space of a vertex whose joints have different maps */
static ossai_vec3 blend_point(const ossai_block *block, size_t vertex, ossai_vec3 p)
{
	const ossai_asset_mesh *mesh = block->from;
	ossai_vec3 sum = {0, 0, 0};
	double total = 0;
	for (size_t i = vertex * mesh->influences; i < (vertex + 1) * mesh->influences && mesh->weights[i] > 0; i++) {
		sum = ossai_madd(sum, (double)mesh->weights[i], ossai_rigid_point(&block->joint_map[mesh->joints[i]], p));
		total += (double)mesh->weights[i];
	}
	return total > 0 ? ossai_scale(sum, 1 / total) : p;
}

static void place_range(void *arg, size_t begin, size_t end)
{
	const place_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		ossai_vec3 p = ossai_v3_of_float(job->from + 3 * v);
		if (job->block->joint_map) p = blend_point(job->block, v, p);
		p = ossai_rigid_point(&job->block->map, p);
		job->to[3 * v] = (float)p.x;
		job->to[3 * v + 1] = (float)p.y;
		job->to[3 * v + 2] = (float)p.z;
	}
}

static ossa_status place_positions(ossai_asset *asset, const ossai_block *block, float *to)
{
	const float *from = block->from->mesh->positions;
	OSSAI_TRY(morph_to_rest(asset, block));
	if (block->is_placed || block->joint_map) {
		place_job job = {block, from, to};
		ossai_parallel_for(asset->context, block->own, VERTICES_PER_RANGE, place_range, &job);
	} else if (to != from) {
		memcpy(to, from, 3 * block->own * sizeof *to);
	}
	for (size_t i = 0; i < 3 * block->own; i++) {
		if (isfinite(to[i])) continue;
		return ossai_asset_fail(asset, "mesh \"%s\": its place at rest moves vertex %zu out of the range of numbers",
			block->from->mesh->name, i / 3);
	}
	return OSSA_OK;
}

static void place_normals(const ossai_block *block, float *normals, size_t count)
{
	for (size_t i = 0; i < count && block->is_placed; i++) {
		const ossai_vec3 n = ossai_affine_normal(&block->map.r, ossai_v3_of_float(normals + 3 * i));
		normals[3 * i] = (float)n.x;
		normals[3 * i + 1] = (float)n.y;
		normals[3 * i + 2] = (float)n.z;
	}
}

/* ---- polygons ---- */

/* the vertex of the joined mesh */
static uint32_t joined_vertex(const ossai_block *block, uint32_t vertex)
{
	return (uint32_t)block->base + (vertex < block->own ? vertex : block->from->copy_of[vertex - block->own]);
}

/* ---- one mesh ---- */

/* the only mesh becomes the result: nothing is copied */
static ossa_status take_mesh(ossai_asset *asset, const ossai_block *block, ossa_mesh **result)
{
	ossa_mesh *mesh = block->from->mesh;
	OSSAI_TRY(place_positions(asset, block, mesh->positions));
	place_normals(block, mesh->normals, mesh->normal_count);
	if (block->own < mesh->vertex_count) {
		for (size_t i = 0; i < mesh->corner_count; i++) mesh->corner_vertex[i] = joined_vertex(block, mesh->corner_vertex[i]);
		for (size_t i = 0; i < 3 * mesh->triangle_count; i++) mesh->triangles[i] = joined_vertex(block, mesh->triangles[i]);
		mesh->vertex_count = block->own;
	}
	if (block->is_placed && ossai_mat3_det(&block->map.r) < 0) ossai_mesh_reverse(mesh);
	OSSAI_TRY(ossai_asset_take_look(asset, block->from->material_rows, mesh));
	*result = mesh;
	asset->meshes[block->from - asset->meshes].mesh = NULL;
	return OSSA_OK;
}

/* ---- several meshes ---- */

static void add_counts(const ossa_mesh *part, ossa_mesh *all)
{
	all->polygon_count += part->polygon_count;
	all->corner_count += part->corner_count;
	all->triangle_count += part->triangle_count;
	all->normal_count += part->corner_normal ? part->normal_count : 0;
}

static ossa_status make_arrays(ossa_context *context, const ossai_blocks *blocks, ossa_mesh *all)
{
	bool has_normals = false;
	for (size_t b = 0; b < blocks->count; b++) has_normals |= blocks->items[b].from->mesh->corner_normal != NULL;
	all->positions = ossai_new(context, all->vertex_count, 3 * sizeof *all->positions);
	all->polygon_start = ossai_new(context, all->polygon_count + 1, sizeof *all->polygon_start);
	all->corner_vertex = ossai_new(context, all->corner_count, sizeof *all->corner_vertex);
	all->triangles = ossai_new(context, all->triangle_count, 3 * sizeof *all->triangles);
	all->triangle_corners = ossai_new(context, all->triangle_count, 3 * sizeof *all->triangle_corners);
	if (has_normals) {
		all->normals = ossai_new(context, all->normal_count, 3 * sizeof *all->normals);
		all->corner_normal = ossai_new(context, all->corner_count, sizeof *all->corner_normal);
	}
	const bool whole = all->positions && all->polygon_start && all->corner_vertex && all->triangles && all->triangle_corners &&
		(!has_normals || (all->normals && all->corner_normal));
	return whole ? ossai_sets_make(context, blocks, all) : ossa_context_error(context)->status;
}

/* what is already in the joined mesh */
typedef struct join_position {
	size_t polygons, corners, triangles, texcoords[OSSA_SETS_MAX], normals;
} join_position;

static void join_polygons(const ossai_block *block, const join_position *at, ossa_mesh *all)
{
	const ossa_mesh *part = block->from->mesh;
	const bool mirrors = block->is_placed && ossai_mat3_det(&block->map.r) < 0;
	uint32_t *corners = all->corner_vertex + at->corners, *picks = all->triangle_corners + 3 * at->triangles;
	for (size_t p = 0; p <= part->polygon_count; p++) {
		all->polygon_start[at->polygons + p] = (uint32_t)at->corners + part->polygon_start[p];
	}
	for (size_t i = 0; i < part->corner_count; i++) corners[i] = joined_vertex(block, part->corner_vertex[i]);
	if (part->triangle_count > 0) memcpy(picks, part->triangle_corners, 3 * part->triangle_count * sizeof *picks);
	if (all->corner_normal)
		ossai_join_indices(part->corner_normal, part->corner_count, at->normals, all->corner_normal + at->corners);
	if (mirrors) {
		ossai_reverse_corners(part, corners);
		if (all->corner_normal) ossai_reverse_corners(part, all->corner_normal + at->corners);
		ossai_reverse_triangles(part, picks);
	}
	for (size_t i = 0; i < 3 * part->triangle_count; i++) {
		all->triangles[3 * at->triangles + i] = corners[picks[i]];
		picks[i] += (uint32_t)at->corners;
	}
}

static ossa_status join_block(ossai_asset *asset, const ossai_block *block, join_position *at, ossa_mesh *all)
{
	const ossa_mesh *part = block->from->mesh;
	OSSAI_TRY(place_positions(asset, block, all->positions + 3 * block->base));
	join_polygons(block, at, all);
	ossai_sets_join(block, at->corners, at->texcoords, all);
	if (part->corner_normal && part->normal_count > 0) {
		float *normals = all->normals + 3 * at->normals;
		memcpy(normals, part->normals, 3 * part->normal_count * sizeof *normals);
		place_normals(block, normals, part->normal_count);
		at->normals += part->normal_count;
	}
	at->polygons += part->polygon_count;
	at->corners += part->corner_count;
	at->triangles += part->triangle_count;
	return OSSA_OK;
}

/* ---- the joined mesh ---- */

static ossa_status join_all(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *all)
{
	join_position at = {0};
	all->vertex_count = blocks->vertex_count;
	memcpy(all->name, blocks->items[0].from->mesh->name, sizeof all->name);
	for (size_t b = 0; b < blocks->count; b++) add_counts(blocks->items[b].from->mesh, all);
	OSSAI_TRY(make_arrays(asset->context, blocks, all));
	for (size_t b = 0; b < blocks->count; b++) OSSAI_TRY(join_block(asset, &blocks->items[b], &at, all));
	OSSAI_TRY(ossai_asset_take_objects(asset, blocks, all));
	return ossai_materials_join(asset, blocks, all);
}

static ossa_status join(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh **mesh)
{
	size_t triangles = 0;
	*mesh = NULL;
	for (size_t b = 0; b < blocks->count; b++) {
		triangles += blocks->items[b].from->mesh->triangle_count;
		if (blocks->items[b].joint_map) OSSAI_TRY(ossai_asset_clean_weights(asset));
	}
	if (triangles == 0) return ossai_asset_fail(asset, "holds no triangles");
	if (blocks->count == 1) return take_mesh(asset, &blocks->items[0], mesh);
	ossa_mesh *all = ossa_alloc(asset->context, 1, sizeof *all);
	if (!all) return ossa_context_error(asset->context)->status;
	const ossa_status status = join_all(asset, blocks, all);
	if (status == OSSA_OK) *mesh = all;
	else ossa_mesh_free(asset->context, all);
	return status;
}

ossa_status ossai_blocks_join(ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh **mesh)
{
	OSSAI_TRY(join(asset, blocks, mesh));
	ossa_status status = ossai_asset_take_morphs(asset, blocks, *mesh);
	if (status == OSSA_OK) status = ossai_asset_keep_document(asset, bones, blocks, *mesh);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(asset->context, *mesh);
	*mesh = NULL;
	return status;
}

ossa_status ossai_asset_mesh_at_rest(ossai_asset *asset, ossa_mesh **mesh)
{
	ossai_bones bones;
	ossai_blocks blocks;
	*mesh = NULL;
	OSSAI_TRY(ossai_bones_make(asset, &bones));
	OSSAI_TRY(ossai_blocks_make(asset, &bones, &blocks));
	return ossai_blocks_join(asset, &bones, &blocks, mesh);
}
