/* tools/ossa/match.c: which vertex of a rig's mesh is which vertex of the rest mesh.

   Place in the path: the top, for `ossa compare`.  In: two meshes of the same surface.  Out: for each vertex of the one, the
   same place in the other. In order where they agree; else by position, since programs split vertices at seams and sort them
   anew. A tree of medians (Bentley 1975) finds the nearest. */
#include "command.h"

#include <math.h>

/* as far as a vertex may be off, in diagonals of the rest mesh: files keep six digits, programs convert units */
#define MATCH_TOLERANCE 1e-4

static const float *position_of(const ossa_mesh *mesh, size_t vertex) { return mesh->positions + 3 * vertex; }

static double distance2(const float *a, const float *b)
{
	double sum = 0;
	for (int k = 0; k < 3; k++) sum += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
	return sum;
}

static double diagonal2(const ossa_mesh *mesh)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		for (int k = 0; k < 3; k++) {
			low[k] = fminf(low[k], position_of(mesh, v)[k]);
			high[k] = fmaxf(high[k], position_of(mesh, v)[k]);
		}
	}
	return mesh->vertex_count > 0 ? distance2(low, high) : 0;
}

static bool same_order(const ossa_mesh *rest, const ossa_mesh *other, double limit2)
{
	if (rest->vertex_count != other->vertex_count) return false;
	for (size_t v = 0; v < rest->vertex_count; v++) {
		if (distance2(position_of(rest, v), position_of(other, v)) > limit2) return false;
	}
	return true;
}

/* ---- the tree: order[begin .. end) has its median on axis depth % 3 in the middle, halves on either side ---- */

typedef struct median_tree {
	const ossa_mesh *mesh;
	uint32_t *order;
} median_tree;

static void swap(uint32_t *a, uint32_t *b)
{
	const uint32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* moves what belongs in the middle there, smaller ones before it, larger ones behind it (Hoare 1961) */
static void select_middle(const median_tree *tree, size_t begin, size_t end, int axis)
{
	const size_t middle = begin + (end - begin) / 2;
	while (end - begin > 1) {
		const float pivot = position_of(tree->mesh, tree->order[begin + (end - begin) / 2])[axis];
		size_t i = begin, j = end - 1;
		for (;;) {
			while (position_of(tree->mesh, tree->order[i])[axis] < pivot) i++;
			while (position_of(tree->mesh, tree->order[j])[axis] > pivot) j--;
			if (i >= j) break;
			swap(&tree->order[i++], &tree->order[j--]);
		}
		/* all before i are <= pivot, all after j are >= pivot */
		if (middle <= j && j + 1 < end) end = j + 1;
		else if (middle >= i && i > begin) begin = i;
		else return;
	}
}

static void build(const median_tree *tree, size_t begin, size_t end, int axis)
{
	if (end - begin < 2) return;
	const size_t middle = begin + (end - begin) / 2;
	select_middle(tree, begin, end, axis);
	build(tree, begin, middle, (axis + 1) % 3);
	build(tree, middle + 1, end, (axis + 1) % 3);
}

typedef struct nearest_vertex {
	uint32_t vertex;
	double distance2;
} nearest_vertex;

static void search(const median_tree *tree, size_t begin, size_t end, int axis, const float *point, nearest_vertex *nearest)
{
	if (begin >= end) return;
	const size_t middle = begin + (end - begin) / 2;
	const uint32_t vertex = tree->order[middle];
	const float *position = position_of(tree->mesh, vertex);
	const double found2 = distance2(point, position);
	if (found2 < nearest->distance2) *nearest = (nearest_vertex){vertex, found2};
	const double offset = (double)point[axis] - position[axis];
	const int next = (axis + 1) % 3;
	if (offset <= 0) search(tree, begin, middle, next, point, nearest);
	else search(tree, middle + 1, end, next, point, nearest);
	if (offset * offset >= nearest->distance2) return;
	if (offset <= 0) search(tree, middle + 1, end, next, point, nearest);
	else search(tree, begin, middle, next, point, nearest);
}

/* ---- */

/* how many vertices of faces have no partner within the limit */
static size_t match_by_position(
	const median_tree *tree, const ossa_mesh *rest, const bool *used, double limit2, uint32_t *match)
{
	size_t lost = 0;
	for (size_t v = 0; v < rest->vertex_count; v++) {
		/* just over the limit: what lies on it still counts */
		nearest_vertex nearest = {OSSA_NONE, nextafter(limit2, INFINITY)};
		search(tree, 0, tree->mesh->vertex_count, 0, position_of(rest, v), &nearest);
		lost += nearest.vertex == OSSA_NONE && used[v];
		match[v] = nearest.vertex == OSSA_NONE ? 0 : nearest.vertex;
	}
	return lost;
}

static ossa_status match_with_tree(command_run *run, const ossa_mesh *rest, const ossa_mesh *other, double limit2,
	uint32_t *order, bool *used, uint32_t *match)
{
	for (size_t v = 0; v < other->vertex_count; v++) order[v] = (uint32_t)v;
	for (size_t i = 0; i < 3 * rest->triangle_count; i++) used[rest->triangles[i]] = true;
	const median_tree tree = {other, order};
	build(&tree, 0, other->vertex_count, 0);
	const size_t lost = match_by_position(&tree, rest, used, limit2, match);
	if (lost == 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT,
		"%zu of the %zu vertices of %s are nowhere in the mesh of %s (%zu vertices): is it a rig of another mesh, or was it "
		"scaled or turned?",
		lost, rest->vertex_count, run->files.values[1], run->files.values[0], other->vertex_count);
}

ossa_status command_match_vertices(command_run *run, const ossa_mesh *rest, const ossa_mesh *other, uint32_t *match)
{
	const double limit2 = MATCH_TOLERANCE * MATCH_TOLERANCE * diagonal2(rest);
	if (same_order(rest, other, limit2)) {
		for (size_t v = 0; v < rest->vertex_count; v++) match[v] = (uint32_t)v;
		return OSSA_OK;
	}
	uint32_t *order = ossa_alloc(run->context, other->vertex_count, sizeof *order);
	bool *used = ossa_alloc(run->context, rest->vertex_count, sizeof *used);
	ossa_status status = OSSA_ERROR_MEMORY;
	if (order && used) status = match_with_tree(run, rest, other, limit2, order, used, match);
	ossa_free(run->context, order);
	ossa_free(run->context, used);
	return status;
}
