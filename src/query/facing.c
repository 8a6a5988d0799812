/* query/facing.c: see facing.h. */
#include "query/facing.h"

static bool may_find(const ossai_facing *facing, uint32_t face, const ossai_facing_point *point)
{
	const uint32_t owner = facing->owner ? facing->owner[face] : OSSA_NONE;
	if (owner != OSSA_NONE && point->owner != OSSA_NONE && owner != point->owner) return false;
	if (point->angle >= OSSAI_PI) return true;
	const double cosine = ossai_dot(ossai_v3_of_float(facing->normals + 3 * (size_t)face), point->normal);
	return cosine > 0 && acos(ossai_lesser(cosine, 1)) <= point->angle + (double)facing->slack[face];
}

static void search_leaf(
	const ossai_facing *facing, const ossai_face_node *node, const ossai_facing_point *point, ossai_near_face *best)
{
	const ossai_face_tree *tree = facing->tree;
	for (uint32_t i = node->begin; i < node->end; i++) {
		const uint32_t face = tree->faces[i];
		const double distance2 = ossai_face_distance2(tree->positions, tree->triangles, face, point->position);
		if (distance2 > best->distance2 || (distance2 == best->distance2 && face > best->face)) continue;
		if (may_find(facing, face, point)) *best = (ossai_near_face){face, distance2};
	}
}

ossai_near_face ossai_facing_nearest(const ossai_facing *facing, const ossai_facing_point *point, double distance)
{
	const ossai_face_node *nodes = facing->tree->nodes;
	ossai_near_face best = {OSSA_NONE, distance * distance};
	/* two children are pushed where one was taken off */
	uint32_t todo[OSSAI_FACE_TREE_DEPTH + 1];
	size_t depth = 0;
	if (facing->tree->node_count > 0) todo[depth++] = 0;
	while (depth > 0) {
		const uint32_t index = todo[--depth];
		const ossai_face_node *node = &nodes[index];
		if (ossai_face_node_distance2(node, point->position) > best.distance2) continue;
		if (!node->right) {
			search_leaf(facing, node, point, &best);
			continue;
		}
		const bool left_first = ossai_face_node_distance2(&nodes[index + 1], point->position) <=
			ossai_face_node_distance2(&nodes[node->right], point->position);
		todo[depth++] = left_first ? node->right : index + 1;
		todo[depth++] = left_first ? index + 1 : node->right;
	}
	return best;
}
