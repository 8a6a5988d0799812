/* query/crossings.c: which faces of a surface intersect: see crossings.h.

   Two triangles, each with corners on both sides of the other one's plane, cross where an edge of
   one passes through the other (T. Möller, A Fast Triangle-Triangle Intersection Test, 1997, for
   the planes first); all tests are signs of volumes of tetrahedra. */
#include "query/crossings.h"

#include <ossa/mesh.h>

enum { FACES_PER_RANGE = 512 };

typedef struct triangle {
	ossai_vec3 p[3];
} triangle;

static triangle triangle_of(const float *positions, const uint32_t *triangles, size_t face)
{
	triangle made;
	for (int k = 0; k < 3; k++) made.p[k] = ossai_v3_of_float(positions + 3 * (size_t)triangles[3 * face + (size_t)k]);
	return made;
}

/* six times the volume of a tetrahedron */
static double volume(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c, ossai_vec3 d)
{
	return ossai_dot(ossai_cross(ossai_sub(b, a), ossai_sub(c, a)), ossai_sub(d, a));
}

/* on which sides of the plane of `plane` the corners of `other` are; false where all are on one
   side or only touch */
static bool straddles(const triangle *plane, const triangle *other, double side[3])
{
	bool above = false, below = false;
	for (int k = 0; k < 3; k++) {
		side[k] = volume(plane->p[0], plane->p[1], plane->p[2], other->p[k]);
		above = above || side[k] > 0;
		below = below || side[k] < 0;
	}
	return above && below;
}

/* whether an edge of `other`, whose corners are on these sides of the plane of `face`, goes
   through the face */
static bool edge_goes_through(const triangle *face, const triangle *other, const double side[3])
{
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3;
		if (!((side[k] > 0 && side[next] < 0) || (side[k] < 0 && side[next] > 0))) continue;
		const ossai_vec3 from = other->p[k], to = other->p[next];
		const double a = volume(from, to, face->p[0], face->p[1]), b = volume(from, to, face->p[1], face->p[2]);
		const double c = volume(from, to, face->p[2], face->p[0]);
		if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) return true;
	}
	return false;
}

bool ossai_faces_cross(const float *positions, const uint32_t *triangles, size_t f, size_t g)
{
	/* always the smaller one first, so that (f, g) and (g, f) round alike */
	const triangle a = triangle_of(positions, triangles, f < g ? f : g), b = triangle_of(positions, triangles, f < g ? g : f);
	double side_of_b[3], side_of_a[3];
	if (!straddles(&a, &b, side_of_b) || !straddles(&b, &a, side_of_a)) return false;
	return edge_goes_through(&a, &b, side_of_b) || edge_goes_through(&b, &a, side_of_a);
}

/* ---- one face against the tree ---- */

typedef struct box {
	float low[3], high[3];
} box;

static box box_of(const ossai_face_tree *tree, size_t face)
{
	const uint32_t *t = tree->triangles + 3 * face;
	box made;
	for (int k = 0; k < 3; k++) {
		const float a = tree->positions[3 * (size_t)t[0] + (size_t)k], b = tree->positions[3 * (size_t)t[1] + (size_t)k];
		const float c = tree->positions[3 * (size_t)t[2] + (size_t)k];
		const float least = a < b ? a : b, largest = a > b ? a : b;
		made.low[k] = least < c ? least : c;
		made.high[k] = largest > c ? largest : c;
	}
	return made;
}

static bool boxes_meet(const box *b, const ossai_face_node *node)
{
	return b->low[0] <= node->high[0] && b->high[0] >= node->low[0] && b->low[1] <= node->high[1] &&
		b->high[1] >= node->low[1] && b->low[2] <= node->high[2] && b->high[2] >= node->low[2];
}

static bool are_neighbors(const uint32_t *points, size_t f, size_t g)
{
	for (size_t i = 3 * f; i < 3 * f + 3; i++) {
		for (size_t j = 3 * g; j < 3 * g + 3; j++) {
			if (points[i] == points[j]) return true;
		}
	}
	return false;
}

static bool crosses_in_leaf(const ossai_crossing_query *query, const ossai_face_node *node, size_t face, uint32_t group)
{
	const ossai_face_tree *tree = query->tree;
	for (uint32_t i = node->begin; i < node->end; i++) {
		const uint32_t other = tree->faces[i];
		/* a face is its own neighbour */
		if (are_neighbors(query->points, face, other)) continue;
		if (group != OSSA_NONE && query->group_of_face[other] == group) continue;
		if (ossai_faces_cross(tree->positions, tree->triangles, face, other)) return true;
	}
	return false;
}

static bool crosses_any(const ossai_crossing_query *query, size_t face)
{
	const ossai_face_tree *tree = query->tree;
	const box around = box_of(tree, face);
	const uint32_t group = query->group_of_face ? query->group_of_face[face] : OSSA_NONE;
	uint32_t todo[OSSAI_FACE_TREE_DEPTH];
	size_t depth = 0;
	if (tree->node_count > 0) todo[depth++] = 0;
	while (depth > 0) {
		const uint32_t index = todo[--depth];
		const ossai_face_node *node = &tree->nodes[index];
		if ((group != OSSA_NONE && node->group == group) || !boxes_meet(&around, node)) continue;
		if (node->right) {
			todo[depth++] = node->right;
			todo[depth++] = index + 1;
		} else if (crosses_in_leaf(query, node, face, group)) {
			return true;
		}
	}
	return false;
}

typedef struct crossing_job {
	const ossai_crossing_query *query;
	uint8_t *crosses;
} crossing_job;

/* in the order of the leaves, so that consecutive queries are close to each other */
static void cross_range(void *arg, size_t begin, size_t end)
{
	const crossing_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		const uint32_t face = job->query->tree->faces[i];
		const bool is_passed = job->query->passed_over && job->query->passed_over[face];
		job->crosses[face] = !is_passed && crosses_any(job->query, face);
	}
}

void ossai_face_crossings(ossa_context *context, const ossai_crossing_query *query, uint8_t *crosses)
{
	crossing_job job = {query, crosses};
	ossai_parallel_for(context, query->face_count, FACES_PER_RANGE, cross_range, &job);
}
