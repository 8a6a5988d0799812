/* medial/path_order.c: a path tree from another root: see path_work.h. */
#include "medial/path_work.h"

#include <ossa/mesh.h>

ossa_status ossai_path_order(ossai_arena *scratch, size_t count, const uint32_t *from, const ossai_vec3 *position,
	uint32_t root, uint32_t *order, uint32_t *parent, double *distance)
{
	uint32_t *start = ossai_arena_zero(scratch, count + 2, sizeof *start);
	uint32_t *neighbor = ossai_arena_new(scratch, 2 * count, sizeof *neighbor);
	if (!start || !neighbor) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 0; i < count; i++) {
		if (from[i] == OSSA_NONE) continue;
		start[i + 2]++;
		start[from[i] + 2]++;
	}
	for (size_t i = 2; i < count + 2; i++) start[i] += start[i - 1];
	for (uint32_t i = 0; i < count; i++) {
		if (from[i] == OSSA_NONE) continue;
		neighbor[start[i + 1]++] = from[i];
		neighbor[start[from[i] + 1]++] = i;
	}
	size_t end = 1;
	order[0] = root;
	parent[root] = OSSA_NONE;
	distance[root] = 0;
	for (size_t at = 0; at < end; at++) {
		const uint32_t i = order[at];
		for (uint32_t k = start[i]; k < start[i + 1]; k++) {
			if (neighbor[k] == parent[i]) continue;
			parent[neighbor[k]] = i;
			distance[neighbor[k]] = distance[i] + ossai_distance(position[i], position[neighbor[k]]);
			order[end++] = neighbor[k];
		}
	}
	return OSSA_OK;
}

/* the junction nearest to node 0 where node 0 is an end; else node 0 */
static uint32_t first_junction(const uint32_t *degree, const uint32_t *child)
{
	if (degree[0] != 1) return 0;
	uint32_t i = child[0];
	while (degree[i] == 2) i = child[i];
	return degree[i] > 2 ? i : 0;
}

ossa_status ossai_path_from_end(ossai_path_work *work, ossai_path_tree *tree)
{
	const size_t count = tree->node_count;
	uint32_t *degree = ossai_arena_zero(work->scratch, count, sizeof *degree);
	uint32_t *numbers = ossai_arena_new(work->scratch, 6 * count, sizeof *numbers);
	double *distance = ossai_arena_new(work->scratch, count, sizeof *distance);
	ossai_vec3 *position = ossai_arena_new(work->scratch, count, sizeof *position);
	if (!degree || !numbers || !distance || !position) return ossa_context_error(work->scratch->context)->status;
	uint32_t *child = numbers, *order = numbers + count, *parent = numbers + 2 * count;
	uint32_t *voxel = numbers + 3 * count, *number = numbers + 4 * count, *fresh = numbers + 5 * count;
	for (uint32_t i = 0; i < count; i++) position[i] = ossai_path_cell(work, tree->voxel[i]);
	for (uint32_t i = 1; i < count; i++) {
		degree[i]++;
		degree[tree->parent[i]]++;
		child[tree->parent[i]] = i;
	}
	/* the path from the heart to the tree is not part of the tree */
	uint32_t root = count > 1 ? first_junction(degree, child) : 0;
	/* ... but on a ring it leaves the ball of the junction, and the heart is an end */
	const double ball2 = work->voxels->distance2[tree->voxel[root]];
	if (ossai_length2(ossai_sub(position[0], position[root])) > ball2) root = 0;
	for (uint32_t i = root; i != 0; i = tree->parent[i]) degree[tree->parent[i]] = 0;
	OSSAI_TRY(ossai_path_order(work->scratch, count, tree->parent, position, root, order, parent, distance));
	uint32_t end = root;
	for (uint32_t i = 0; i < count; i++) {
		if (degree[i] > 0 && distance[i] > distance[end]) end = i;
	}
	OSSAI_TRY(ossai_path_order(work->scratch, count, tree->parent, position, end, order, parent, distance));
	/* numbers in the new order */
	uint32_t kept = 0;
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t i = order[k];
		if (count > 1 && degree[i] == 0) continue;
		number[i] = kept;
		voxel[kept] = tree->voxel[i];
		fresh[kept++] = parent[i] == OSSA_NONE ? OSSA_NONE : number[parent[i]];
	}
	tree->node_count = kept;
	tree->parent = fresh;
	tree->voxel = voxel;
	return OSSA_OK;
}
