/* medial/tree_curve.c: see tree_curve.h. */
#include "medial/tree_curve.h"

#include "medial/loops.h"
#include "medial/node_shares.h"

#include <ossa/mesh.h>
#include <string.h>

/* Distance in voxels within which an inside voxel is searched for a position outside. */
enum { RINGS = 3 };

/* ---- vertices ---- */

/* the nearest voxel within this distance of a cell along each axis; OSSA_NONE: there is none */
static uint32_t nearest_around(const ossai_voxels *voxels, ossai_vec3 q, const int64_t at[3], int64_t rings, double *distance)
{
	const int64_t size[3] = {voxels->size[0], voxels->size[1], voxels->size[2]};
	uint32_t best = OSSA_NONE;
	*distance = INFINITY;
	for (int64_t z = at[2] - rings; z <= at[2] + rings; z++) {
		for (int64_t y = at[1] - rings; y <= at[1] + rings; y++) {
			for (int64_t x = at[0] - rings; x <= at[0] + rings; x++) {
				if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) continue;
				const uint32_t voxel = voxels->of_cell[x + size[0] * (y + size[1] * z)];
				if (voxel == OSSA_NONE) continue;
				const double own = ossai_length2(ossai_sub(q, ossai_v3((double)x, (double)y, (double)z)));
				if (own >= *distance) continue;
				*distance = own;
				best = voxel;
			}
		}
	}
	return best;
}

/* the interior voxel whose center is nearest, within a few voxels of the position; OSSA_NONE:
   there is none */
static uint32_t voxel_near(const ossai_voxels *voxels, ossai_vec3 p)
{
	int64_t at[3];
	const ossai_vec3 q = ossai_scale(ossai_sub(p, voxels->origin), 1 / voxels->step);
	const double position[3] = {q.x, q.y, q.z};
	for (int k = 0; k < 3; k++) {
		if (!(position[k] > -RINGS && position[k] < (double)voxels->size[k] + RINGS)) return OSSA_NONE;
		at[k] = llrint(position[k]);
	}
	double distance;
	for (int64_t rings = 0; rings < RINGS; rings++) {
		const uint32_t voxel = nearest_around(voxels, q, at, rings, &distance);
		/* nothing beyond these is as near */
		if (voxel != OSSA_NONE && distance < (rings + 0.499) * (rings + 0.499)) return voxel;
	}
	return nearest_around(voxels, q, at, RINGS, &distance);
}

static uint32_t node_near(const ossai_path_tree *tree, ossai_vec3 p)
{
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const double distance = ossai_distance(p, tree->node[i]) - tree->radius[i];
		if (distance >= least) continue;
		least = distance;
		best = i;
	}
	return best;
}

/* vertices of pieces that were left out go to the nearest ball */
static void give_vertices(const ossai_voxels *voxels, const ossai_path_tree *tree, const uint32_t *node_of_voxel,
	const ossai_proxy *proxy, ossai_curve *curve)
{
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * v);
		const uint32_t voxel = voxel_near(voxels, p);
		curve->node_of_vertex[v] = voxel == OSSA_NONE ? node_near(tree, p) : node_of_voxel[voxel];
	}
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		const ossai_vec3 a = ossai_v3_of(proxy->positions + 3 * (size_t)t[0]);
		const ossai_vec3 ab = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[1]), a);
		const ossai_vec3 ac = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[2]), a);
		const double third = ossai_length(ossai_cross(ab, ac)) / 6;
		for (int k = 0; k < 3; k++) curve->area[curve->node_of_vertex[t[k]]] += third;
	}
}

/* ---- the curve ---- */

static ossa_status take_arrays(ossai_arena *arena, const ossai_path_tree *tree, const ossai_proxy *proxy, ossai_curve *curve)
{
	const size_t count = tree->node_count;
	*curve = (ossai_curve){.node_count = count, .vertex_count = proxy->vertex_count};
	curve->node = ossai_arena_new(arena, count, sizeof *curve->node);
	curve->radius = ossai_arena_new(arena, count, sizeof *curve->radius);
	curve->area = ossai_arena_zero(arena, count, sizeof *curve->area);
	curve->volume = ossai_arena_zero(arena, count, sizeof *curve->volume);
	curve->edge = ossai_arena_new(arena, count, 2 * sizeof *curve->edge);
	curve->node_of_vertex = ossai_arena_new(arena, proxy->vertex_count, sizeof *curve->node_of_vertex);
	if (!curve->node || !curve->radius || !curve->area || !curve->volume || !curve->edge || !curve->node_of_vertex) {
		return ossa_context_error(arena->context)->status;
	}
	memcpy(curve->node, tree->node, count * sizeof *curve->node);
	memcpy(curve->radius, tree->radius, count * sizeof *curve->radius);
	for (uint32_t i = 0; i < count; i++) {
		if (tree->parent[i] == OSSA_NONE) continue;
		curve->edge[2 * curve->edge_count] = tree->parent[i];
		curve->edge[2 * curve->edge_count++ + 1] = i;
	}
	return OSSA_OK;
}

static ossa_status fill_curve(ossai_arena *arena, ossai_arena *scratch, const ossai_voxels *voxels, const ossai_path_tree *tree,
	const ossai_proxy *proxy, ossai_curve *curve)
{
	ossai_voxel_rows rows;
	uint32_t *node_of_voxel;
	OSSAI_TRY(ossai_voxel_rows_make(scratch, voxels, &rows));
	OSSAI_TRY(ossai_node_shares(scratch, voxels, &rows, tree, OSSAI_SHARE_BITS, &node_of_voxel));
	const double one = voxels->step * voxels->step * voxels->step;
	for (size_t begin = 0, end; begin < voxels->count; begin = end) {
		for (end = begin + 1; end < voxels->count && node_of_voxel[end] == node_of_voxel[begin]; end++) {
		}
		curve->volume[node_of_voxel[begin]] += (double)(end - begin) * one;
	}
	give_vertices(voxels, tree, node_of_voxel, proxy, curve);
	return ossai_volume_loops_find(arena, voxels, &rows, tree, node_of_voxel, curve);
}

ossa_status ossai_tree_curve_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_path_tree *tree, const ossai_proxy *proxy, ossai_curve *curve)
{
	OSSAI_TRY(take_arrays(arena, tree, proxy, curve));
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = fill_curve(arena, &scratch, voxels, tree, proxy, curve);
	ossai_arena_end(&scratch);
	return status == OSSA_OK ? ossai_curve_sort_edges(arena, curve) : status;
}
