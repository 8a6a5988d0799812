/* query/face_tree.c: a bounding volume tree over faces, cut at the median of the centers: see
   face_tree.h. */
#include "query/face_tree.h"

#include "math/triangle.h"

#include <ossa/mesh.h>

/* A median cut halves the faces at each step: 2^32 of them end in 32 levels. */
enum { LEAF_FACES = 4, DEPTH_MAX = OSSAI_FACE_TREE_DEPTH };

ossai_vec3 ossai_face_center(const float *positions, const uint32_t *triangles, size_t face)
{
	const uint32_t *t = triangles + 3 * face;
	ossai_vec3 sum = ossai_v3_of_float(positions + 3 * (size_t)t[0]);
	sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * (size_t)t[1]));
	sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * (size_t)t[2]));
	return ossai_scale(sum, 1.0 / 3);
}

double ossai_face_distance2(const float *positions, const uint32_t *triangles, size_t face, ossai_vec3 point)
{
	const uint32_t *t = triangles + 3 * face;
	const ossai_vec3 a = ossai_sub(ossai_v3_of_float(positions + 3 * (size_t)t[0]), point);
	const ossai_vec3 b = ossai_sub(ossai_v3_of_float(positions + 3 * (size_t)t[1]), point);
	const ossai_vec3 c = ossai_sub(ossai_v3_of_float(positions + 3 * (size_t)t[2]), point);
	const ossai_vec3 normal = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
	return ossai_triangle_distance2(a, b, c, normal, ossai_length2(normal));
}

/* A face while the tree is built. */
typedef struct build_face {
	float center[3];
	uint32_t face;
} build_face;

static void node_box(const ossai_face_tree *tree, ossai_face_node *node)
{
	for (int k = 0; k < 3; k++) {
		node->low[k] = INFINITY;
		node->high[k] = -INFINITY;
	}
	for (uint32_t i = node->begin; i < node->end; i++) {
		const uint32_t *t = tree->triangles + 3 * (size_t)tree->faces[i];
		for (int corner = 0; corner < 3; corner++) {
			const float *p = tree->positions + 3 * (size_t)t[corner];
			for (int k = 0; k < 3; k++) {
				if (p[k] < node->low[k]) node->low[k] = p[k];
				if (p[k] > node->high[k]) node->high[k] = p[k];
			}
		}
	}
}

/* the axis in which the centers spread most */
static int widest_axis(const build_face *faces, uint32_t begin, uint32_t end)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = begin; i < end; i++) {
		for (int k = 0; k < 3; k++) {
			const float x = faces[i].center[k];
			low[k] = x < low[k] ? x : low[k];
			high[k] = x > high[k] ? x : high[k];
		}
	}
	const float side[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
	return side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2;
}

/* by the center along the axis, then by index: no two faces are equal, so bad pivots cannot pile
   up */
static bool comes_before(int axis, const build_face *a, const build_face *b)
{
	const float x = a->center[axis], y = b->center[axis];
	return x < y || (x == y && a->face < b->face);
}

static const build_face *median_of_three(int axis, const build_face *a, const build_face *b, const build_face *c)
{
	if (comes_before(axis, b, a)) {
		const build_face *swap = a;
		a = b;
		b = swap;
	}
	if (comes_before(axis, b, c)) return b;
	return comes_before(axis, a, c) ? c : a;
}

/* partial sort: puts the face of rank `median` there, those before it to the left */
static void select_median(build_face *faces, int axis, uint32_t begin, uint32_t end, uint32_t median)
{
	uint32_t state = 12345;
	while (end - begin > 1) {
		/* pivots by a fixed sequence of numbers: no order of the input makes this quadratic in
		   practice */
		const uint32_t size = end - begin;
		const build_face *picks[3];
		for (int k = 0; k < 3; k++) {
			state = state * 1664525u + 1013904223u;
			picks[k] = &faces[begin + (uint32_t)(((uint64_t)state * size) >> 32)];
		}
		const build_face pivot = *median_of_three(axis, picks[0], picks[1], picks[2]);
		uint32_t low = begin, high = end - 1;
		for (;;) {
			while (comes_before(axis, &faces[low], &pivot)) low++;
			while (comes_before(axis, &pivot, &faces[high])) high--;
			if (low >= high) break;
			const build_face swap = faces[low];
			faces[low] = faces[high];
			faces[high] = swap;
		}
		if (low == median) return;
		if (median < low) end = low;
		else begin = low + 1;
	}
}

/* all nodes depth first, without their boxes, with an own stack of right sides still to do */
static void build_nodes(ossai_face_tree *tree, build_face *faces)
{
	struct {
		uint32_t begin, end, parent;
	} todo[DEPTH_MAX];
	size_t depth = 0;
	uint32_t begin = 0, end = tree->nodes[0].end, parent = OSSA_NONE;
	for (;;) {
		const uint32_t index = (uint32_t)tree->node_count++;
		ossai_face_node *node = &tree->nodes[index];
		*node = (ossai_face_node){.begin = begin, .end = end, .group = OSSA_NONE};
		if (parent != OSSA_NONE) tree->nodes[parent].right = index;
		parent = OSSA_NONE;
		if (end - begin > LEAF_FACES) {
			const uint32_t median = begin + (end - begin) / 2;
			select_median(faces, widest_axis(faces, begin, end), begin, end, median);
			todo[depth].begin = median;
			todo[depth].end = end;
			todo[depth++].parent = index;
			end = median;
			continue;
		}
		if (depth == 0) return;
		depth--;
		begin = todo[depth].begin;
		end = todo[depth].end;
		parent = todo[depth].parent;
	}
}

ossa_status ossai_face_tree_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_face_tree *tree)
{
	const size_t face_count = mesh->face_count;
	*tree = (ossai_face_tree){.positions = ossai_view_floats(arena, mesh), .triangles = mesh->triangles};
	if (!tree->positions && mesh->positions) return ossa_context_error(arena->context)->status;
	tree->faces = ossai_arena_new(arena, face_count, sizeof *tree->faces);
	/* leaves hold two faces or more, so there are at most as many nodes as faces */
	tree->nodes = tree->faces ? ossai_arena_new(arena, face_count + 1, sizeof *tree->nodes) : NULL;
	build_face *faces = tree->nodes ? ossai_arena_new(arena, face_count, sizeof *faces) : NULL;
	if (!faces) return ossa_context_error(arena->context)->status;
	if (face_count == 0) return OSSA_OK;
	for (size_t f = 0; f < face_count; f++) {
		const ossai_vec3 center = ossai_face_center(tree->positions, tree->triangles, f);
		faces[f] = (build_face){{(float)center.x, (float)center.y, (float)center.z}, (uint32_t)f};
	}
	tree->nodes[0].end = (uint32_t)face_count;
	build_nodes(tree, faces);
	for (size_t i = 0; i < face_count; i++) tree->faces[i] = faces[i].face;
	ossai_face_tree_refit(tree, tree->positions);
	return OSSA_OK;
}

void ossai_face_tree_refit(ossai_face_tree *tree, const float *positions)
{
	tree->positions = positions;
	for (size_t n = tree->node_count; n-- > 0;) {
		ossai_face_node *node = &tree->nodes[n];
		if (!node->right) {
			node_box(tree, node);
			continue;
		}
		const ossai_face_node *left = node + 1, *right = &tree->nodes[node->right];
		for (int k = 0; k < 3; k++) {
			node->low[k] = left->low[k] < right->low[k] ? left->low[k] : right->low[k];
			node->high[k] = left->high[k] > right->high[k] ? left->high[k] : right->high[k];
		}
	}
}

void ossai_face_tree_set_groups(ossai_face_tree *tree, const uint32_t *group_of_face)
{
	/* children come after their parent */
	for (size_t n = tree->node_count; n-- > 0;) {
		ossai_face_node *node = &tree->nodes[n];
		if (node->right) {
			const uint32_t left = tree->nodes[n + 1].group;
			node->group = left == tree->nodes[node->right].group ? left : OSSA_NONE;
			continue;
		}
		node->group = group_of_face[tree->faces[node->begin]];
		for (uint32_t i = node->begin + 1; i < node->end; i++) {
			if (group_of_face[tree->faces[i]] != node->group) node->group = OSSA_NONE;
		}
	}
}

/* The square of the distance to a face, or infinite where its plane is already farther than
   `most2`. Of a sliver the normal is rounding error, and says nothing. */
static double distance2_within(const ossai_face_tree *tree, size_t face, ossai_vec3 point, double most2)
{
	static const double SLIVER2 = 1e-14, ROUNDING = 1e-6;
	const uint32_t *t = tree->triangles + 3 * face;
	const ossai_vec3 a = ossai_sub(ossai_v3_of_float(tree->positions + 3 * (size_t)t[0]), point);
	const ossai_vec3 b = ossai_sub(ossai_v3_of_float(tree->positions + 3 * (size_t)t[1]), point);
	const ossai_vec3 c = ossai_sub(ossai_v3_of_float(tree->positions + 3 * (size_t)t[2]), point);
	const ossai_vec3 ab = ossai_sub(b, a), ac = ossai_sub(c, a), normal = ossai_cross(ab, ac);
	const double normal2 = ossai_length2(normal), along = ossai_dot(a, normal);
	const bool is_far = along * along > most2 * normal2 * (1 + ROUNDING);
	if (is_far && normal2 > SLIVER2 * ossai_length2(ab) * ossai_length2(ac)) return INFINITY;
	return ossai_triangle_distance2(a, b, c, normal, normal2);
}

static void search_leaf(const ossai_face_tree *tree, const uint32_t *group_of_face, const ossai_face_node *node,
	ossai_vec3 point, uint32_t group, ossai_near_face *best)
{
	for (uint32_t i = node->begin; i < node->end; i++) {
		const uint32_t face = tree->faces[i];
		if (group_of_face[face] == group) continue;
		const double distance2 = distance2_within(tree, face, point, best->distance2);
		if (distance2 < best->distance2 || (distance2 == best->distance2 && face < best->face)) {
			*best = (ossai_near_face){face, distance2};
		}
	}
}

/* A node to visit, and the distance to its box. */
typedef struct visit {
	uint32_t node;
	double distance2;
} visit;

/* the children that may hold something nearer than the best: the nearer one on top */
static size_t push_children(
	const ossai_face_tree *tree, uint32_t node, ossai_vec3 point, uint32_t group, double best2, visit *todo, size_t depth)
{
	const uint32_t right_node = tree->nodes[node].right;
	const visit left = {node + 1, ossai_face_node_distance2(&tree->nodes[node + 1], point)};
	const visit right = {right_node, ossai_face_node_distance2(&tree->nodes[right_node], point)};
	const bool left_first = left.distance2 <= right.distance2;
	const visit order[2] = {left_first ? right : left, left_first ? left : right};
	for (int i = 0; i < 2; i++) {
		if (order[i].distance2 <= best2 && tree->nodes[order[i].node].group != group) todo[depth++] = order[i];
	}
	return depth;
}

ossai_near_face ossai_face_tree_nearest_beyond(const ossai_face_tree *tree, const uint32_t *group_of_face, ossai_vec3 point,
	uint32_t group, ossai_near_face within, double near2)
{
	ossai_near_face best = within;
	visit todo[DEPTH_MAX];
	size_t depth = 0;
	if (tree->node_count > 0 && tree->nodes[0].group != group) todo[depth++] = (visit){0, 0};
	while (depth > 0) {
		const visit next = todo[--depth];
		const ossai_face_node *node = &tree->nodes[next.node];
		if (next.distance2 > best.distance2) continue;
		if (node->right) {
			depth = push_children(tree, next.node, point, group, best.distance2, todo, depth);
			continue;
		}
		search_leaf(tree, group_of_face, node, point, group, &best);
		if (best.distance2 <= near2 && best.face != OSSA_NONE) break;
	}
	return best;
}

ossai_near_face ossai_face_tree_nearest(
	const ossai_face_tree *tree, const uint32_t *group_of_face, ossai_vec3 point, uint32_t group, ossai_near_face within)
{
	return ossai_face_tree_nearest_beyond(tree, group_of_face, point, group, within, -1);
}

/* ---- along a segment ---- */

ossai_face_walk ossai_face_walk_begin(const ossai_face_tree *tree, ossai_vec3 from, ossai_vec3 to)
{
	ossai_face_walk walk = {.from = from};
	walk.inverse = ossai_v3(1 / (to.x - from.x), 1 / (to.y - from.y), 1 / (to.z - from.z));
	if (tree->node_count > 0) walk.todo[walk.depth++] = 0;
	return walk;
}

/* Cuts [first, last] to where the segment is between two planes. Parallel to them all of it is or
   nothing, as infinite parameters say; in one of them a parameter is NaN, which cuts nothing. */
static void cut_slab(double low, double high, double from, double inverse, double *first, double *last)
{
	const double a = (low - from) * inverse, b = (high - from) * inverse;
	const double in = b < a ? b : a, out = a > b ? a : b;
	*first = in > *first ? in : *first;
	*last = out < *last ? out : *last;
}

static bool meets(const ossai_face_node *node, const ossai_face_walk *walk)
{
	double first = 0, last = 1;
	cut_slab(node->low[0], node->high[0], walk->from.x, walk->inverse.x, &first, &last);
	cut_slab(node->low[1], node->high[1], walk->from.y, walk->inverse.y, &first, &last);
	cut_slab(node->low[2], node->high[2], walk->from.z, walk->inverse.z, &first, &last);
	/* a little more than the box, for the rounding of the cuts */
	return last >= 0 && first <= last * (1 + 1e-9) + 1e-12;
}

bool ossai_face_walk_next(const ossai_face_tree *tree, ossai_face_walk *walk, const uint32_t **faces, size_t *count)
{
	while (walk->depth > 0) {
		const uint32_t index = walk->todo[--walk->depth];
		const ossai_face_node *node = &tree->nodes[index];
		if (!meets(node, walk)) continue;
		if (!node->right) {
			*faces = tree->faces + node->begin;
			*count = node->end - node->begin;
			return true;
		}
		walk->todo[walk->depth++] = node->right;
		walk->todo[walk->depth++] = index + 1;
	}
	return false;
}
