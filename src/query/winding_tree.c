/* query/winding_tree.c: generalised winding numbers of many points by a tree over the faces: see
   winding_numbers.h.

   Source: G. Barill, N. Dickson, R. Schmidt, D. Levin and A. Jacobson, Fast Winding Numbers for
   Soups and Clouds, 2018. The tree is cut along a curve through the faces' centers (by the
   highest bit in which Morton codes differ) instead of an octree. */
#include "query/morton.h"
#include "query/solid_angle.h"
#include "query/winding_numbers.h"

enum { LEAF_FACES = 8 };
/* A node is approximated where the point is this many of its radii away: the largest errors
   measured are 7e-4 and 6e-3. */
static const double FAR_RADII = 3.0, FAR_RADII_ROUGH = 1.8;

/* A node's multipole expansion, to the third order about its center, in the tree's units. */
typedef struct winding_node {
	float center[3];
	float radius2;   /* square of the radius around the center that holds its faces */
	float normal[3]; /* sum of area normals */
	/* sum over area of (place - center) x normal, made symmetric: xx yy zz xy yz zx */
	float moment[6];
	/* of (place - center) x (place - center) x normal, made symmetric, in the order of
	   TRIPLES, times TIMES */
	float second[10];
	/* the node that follows it in depth first order when its children are left out */
	uint32_t skip;
	/* of a leaf: its faces; count 0: it is no leaf and its first child follows it */
	uint32_t begin, count;
} winding_node;

struct ossai_winding_tree {
	/* positions less the origin, times the scale: at most 1, so that no moment leaves the range of
	   floats, whatever the mesh's units */
	ossai_vec3 origin;
	double scale;
	size_t node_count;
	winding_node *nodes; /* depth first */
	float *corners;      /* F x 9, in the order of the leaves */
};

/* What a node is made of while the tree is built. */
typedef struct node_sums {
	ossai_vec3 center, normal;
	double area, radius;
	double moment[6], second[10];
} node_sums;

/* the axes of each number of a symmetric tensor of three axes, and how often it is there */
static const uint8_t TRIPLES[10][3] = {
	{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 1}, {0, 0, 2}, {1, 1, 0}, {1, 1, 2}, {2, 2, 0}, {2, 2, 1}, {0, 1, 2}};
static const uint8_t TIMES[10] = {1, 1, 1, 3, 3, 3, 3, 3, 3, 6};
/* where the number of two axes is in a symmetric matrix */
static const uint8_t PAIR[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

static void add_moment(double *moment, ossai_vec3 at, ossai_vec3 normal)
{
	moment[0] += at.x * normal.x;
	moment[1] += at.y * normal.y;
	moment[2] += at.z * normal.z;
	moment[3] += 0.5 * (at.x * normal.y + at.y * normal.x);
	moment[4] += 0.5 * (at.y * normal.z + at.z * normal.y);
	moment[5] += 0.5 * (at.z * normal.x + at.x * normal.z);
}

static ossai_vec3 corners_center(const float *corners)
{
	const ossai_vec3 a = ossai_v3_of_float(corners), b = ossai_v3_of_float(corners + 3), c = ossai_v3_of_float(corners + 6);
	return ossai_scale(ossai_add(a, ossai_add(b, c)), 1.0 / 3);
}

static ossai_vec3 corners_normal(const float *corners)
{
	const ossai_vec3 a = ossai_v3_of_float(corners), b = ossai_v3_of_float(corners + 3), c = ossai_v3_of_float(corners + 6);
	return ossai_scale(ossai_cross(ossai_sub(b, a), ossai_sub(c, a)), 0.5);
}

/* second += share of the symmetric part of pairs x vector, pairs being a symmetric matrix */
static void add_second(double *second, double share, const double *pairs, ossai_vec3 vector)
{
	const double v[3] = {vector.x, vector.y, vector.z};
	for (int t = 0; t < 10; t++) {
		const int i = TRIPLES[t][0], j = TRIPLES[t][1], k = TRIPLES[t][2];
		second[t] += share / 3 * (pairs[PAIR[i][j]] * v[k] + pairs[PAIR[i][k]] * v[j] + pairs[PAIR[j][k]] * v[i]);
	}
}

/* pairs += share of place x place */
static void add_pairs(double *pairs, double share, ossai_vec3 position)
{
	ossai_vec3 scaled = ossai_scale(position, share);
	add_moment(pairs, position, scaled);
}

/* a face adds the exact integrals over its area */
static void add_face(node_sums *s, const float *corners)
{
	const ossai_vec3 normal = corners_normal(corners), middle = ossai_sub(corners_center(corners), s->center);
	add_moment(s->moment, middle, normal);
	double pairs[6] = {0};
	add_pairs(pairs, 9.0 / 12, middle);
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 corner = ossai_sub(ossai_v3_of_float(corners + 3 * k), s->center);
		add_pairs(pairs, 1.0 / 12, corner);
		s->radius = fmax(s->radius, ossai_length(corner));
	}
	add_second(s->second, 1, pairs, normal);
}

static node_sums leaf_sums(const float *corners, size_t count)
{
	node_sums s = {0};
	ossai_vec3 plain = {0, 0, 0};
	for (size_t f = 0; f < count; f++) {
		const ossai_vec3 center = corners_center(corners + 9 * f), normal = corners_normal(corners + 9 * f);
		const double area = ossai_length(normal);
		s.center = ossai_madd(s.center, area, center);
		plain = ossai_add(plain, center);
		s.area += area;
		s.normal = ossai_add(s.normal, normal);
	}
	s.center = s.area > 0 ? ossai_scale(s.center, 1 / s.area) : ossai_scale(plain, 1 / (double)count);
	for (size_t f = 0; f < count; f++) add_face(&s, corners + 9 * f);
	return s;
}

/* s += a node's sums, moved to the center of s */
static void add_child(node_sums *s, const node_sums *child)
{
	const ossai_vec3 move = ossai_sub(child->center, s->center);
	s->radius = fmax(s->radius, child->radius + ossai_length(move));
	for (int k = 0; k < 6; k++) s->moment[k] += child->moment[k];
	add_moment(s->moment, move, child->normal);
	double pairs[6] = {0};
	add_pairs(pairs, 1, move);
	for (int k = 0; k < 10; k++) s->second[k] += child->second[k];
	add_second(s->second, 2, child->moment, move);
	add_second(s->second, 1, pairs, child->normal);
}

static node_sums joined_sums(const node_sums *a, const node_sums *b)
{
	node_sums s = {.area = a->area + b->area, .normal = ossai_add(a->normal, b->normal)};
	s.center = s.area > 0 ? ossai_lerp(a->center, b->center, b->area / s.area) : a->center;
	add_child(&s, a);
	add_child(&s, b);
	return s;
}

static void node_store(winding_node *node, const node_sums *s)
{
	node->center[0] = (float)s->center.x;
	node->center[1] = (float)s->center.y;
	node->center[2] = (float)s->center.z;
	node->radius2 = (float)(s->radius * s->radius);
	node->normal[0] = (float)s->normal.x;
	node->normal[1] = (float)s->normal.y;
	node->normal[2] = (float)s->normal.z;
	for (int k = 0; k < 6; k++) node->moment[k] = (float)s->moment[k];
	for (int k = 0; k < 10; k++) node->second[k] = (float)(s->second[k] * TIMES[k]);
}

/* Depth first over the ranges of sorted codes; `nodes` NULL: only counts them. */
static size_t cut_nodes(const uint64_t *codes, size_t face_count, winding_node *nodes)
{
	struct {
		uint32_t begin, end;
	} todo[OSSAI_MORTON_DEPTH];
	size_t depth = 0, count = 0;
	todo[depth].begin = 0;
	todo[depth++].end = (uint32_t)face_count;
	while (depth > 0) {
		depth--;
		const uint32_t begin = todo[depth].begin, end = todo[depth].end;
		const uint32_t index = (uint32_t)count++;
		const bool is_leaf = end - begin <= LEAF_FACES;
		if (nodes) nodes[index] = (winding_node){.begin = begin, .count = is_leaf ? end - begin : 0};
		if (is_leaf) continue;
		const uint32_t middle = ossai_morton_split(codes, begin, end);
		todo[depth].begin = middle;
		todo[depth++].end = end;
		todo[depth].begin = begin;
		todo[depth++].end = middle;
	}
	return count;
}

/* sums and skips from the last node to the first: children come after their parent */
static void fill_nodes(ossai_winding_tree *tree, node_sums *sums)
{
	for (size_t n = tree->node_count; n-- > 0;) {
		winding_node *node = &tree->nodes[n];
		if (node->count > 0) {
			node->skip = (uint32_t)n + 1;
			sums[n] = leaf_sums(tree->corners + 9 * (size_t)node->begin, node->count);
		} else {
			const uint32_t right = tree->nodes[n + 1].skip;
			node->skip = tree->nodes[right].skip;
			sums[n] = joined_sums(&sums[n + 1], &sums[right]);
		}
		node_store(node, &sums[n]);
	}
}

/* copies the corners, from the middle of their box, in the order of the codes */
static ossa_status order_corners(
	ossai_arena *scratch, ossai_winding_tree *tree, float *corners, size_t face_count, uint64_t **codes)
{
	uint32_t *order = ossai_arena_new(scratch, face_count, sizeof *order);
	float *centers = order ? ossai_arena_new(scratch, face_count, 3 * sizeof *centers) : NULL;
	*codes = centers ? ossai_arena_new(scratch, face_count, sizeof **codes) : NULL;
	if (!*codes) return ossa_context_error(scratch->context)->status;
	for (size_t f = 0; f < face_count; f++) {
		for (int k = 0; k < 3; k++) {
			const float *c = corners + 9 * f + k;
			centers[3 * f + k] = (c[0] + c[3] + c[6]) / 3;
		}
	}
	OSSAI_TRY(ossai_morton_order(scratch->context, face_count, centers, order, *codes));
	for (size_t i = 0; i < face_count; i++) {
		const float *from = corners + 9 * (size_t)order[i];
		for (int k = 0; k < 9; k++) tree->corners[9 * i + k] = from[k];
	}
	return OSSA_OK;
}

static ossa_status build_tree(
	ossai_arena *arena, ossai_arena *scratch, ossai_winding_tree *tree, float *corners, size_t face_count)
{
	tree->corners = ossai_arena_new(arena, face_count, 9 * sizeof *tree->corners);
	if (!tree->corners) return ossa_context_error(arena->context)->status;
	if (face_count == 0) return OSSA_OK;
	uint64_t *codes;
	OSSAI_TRY(order_corners(scratch, tree, corners, face_count, &codes));
	tree->node_count = cut_nodes(codes, face_count, NULL);
	tree->nodes = ossai_arena_new(arena, tree->node_count, sizeof *tree->nodes);
	node_sums *sums = tree->nodes ? ossai_arena_new(scratch, tree->node_count, sizeof *sums) : NULL;
	if (!sums) return ossa_context_error(arena->context)->status;
	cut_nodes(codes, face_count, tree->nodes);
	fill_nodes(tree, sums);
	return OSSA_OK;
}

static ossai_vec3 to_tree(const ossai_winding_tree *tree, ossai_vec3 point)
{
	return ossai_scale(ossai_sub(point, tree->origin), tree->scale);
}

/* by the box of the vertices that faces use: its middle and, as a power of two, which rounds
   nothing, its longest side */
static void place_origin(const ossai_mesh_view *mesh, ossai_winding_tree *tree)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, longest = 0;
	tree->scale = 1;
	if (mesh->face_count == 0) return;
	for (size_t i = 0; i < 3 * mesh->face_count; i++) {
		double p[3];
		ossai_v3_store(ossai_view_point(mesh, mesh->triangles[i]), p);
		for (int k = 0; k < 3; k++) {
			if (p[k] < low[k]) low[k] = p[k];
			if (p[k] > high[k]) high[k] = p[k];
		}
	}
	for (int k = 0; k < 3; k++) longest = fmax(longest, high[k] - low[k]);
	int exponent = 0;
	frexp(longest, &exponent);
	tree->scale = ldexp(1, -exponent);
	tree->origin = ossai_v3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
}

ossa_status ossai_winding_tree_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_winding_tree **made)
{
	ossai_winding_tree *tree = ossai_arena_zero(arena, 1, sizeof *tree);
	if (!tree) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	float *corners = ossai_arena_new(&scratch, mesh->face_count, 9 * sizeof *corners);
	ossa_status status = corners ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) {
		place_origin(mesh, tree);
		for (size_t i = 0; i < 3 * mesh->face_count; i++) {
			const ossai_vec3 p = to_tree(tree, ossai_view_point(mesh, mesh->triangles[i]));
			corners[3 * i] = (float)p.x;
			corners[3 * i + 1] = (float)p.y;
			corners[3 * i + 2] = (float)p.z;
		}
		status = build_tree(arena, &scratch, tree, corners, mesh->face_count);
	}
	ossai_arena_end(&scratch);
	*made = tree;
	return status;
}

/* 4 pi times the winding number of the node's faces, by the first terms of the series about its
   center; r is from the point to the center */
static double expanded_angle(const winding_node *node, ossai_vec3 r, double distance2)
{
	const double inverse2 = 1 / distance2, inverse3 = inverse2 * sqrt(inverse2);
	const float *n = node->normal, *m = node->moment;
	const double dipole = n[0] * r.x + n[1] * r.y + n[2] * r.z;
	const double trace = m[0] + m[1] + m[2];
	const double bent = m[0] * r.x * r.x + m[1] * r.y * r.y + m[2] * r.z * r.z +
		2 * (m[3] * r.x * r.y + m[4] * r.y * r.z + m[5] * r.z * r.x);
	/* the third derivatives of 1 / distance, with the second moments */
	const float *s = node->second;
	const double xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
	const double cubic = r.x * (s[0] * xx + s[5] * yy + s[7] * zz) + r.y * (s[1] * yy + s[3] * xx + s[8] * zz) +
		r.z * (s[2] * zz + s[4] * xx + s[6] * yy) + s[9] * r.x * r.y * r.z;
	const double linear = r.x * (3 * s[0] + s[5] + s[7]) + r.y * (3 * s[1] + s[3] + s[8]) + r.z * (3 * s[2] + s[4] + s[6]);
	return inverse3 * (dipole + trace + inverse2 * (7.5 * inverse2 * cubic - 3 * bent - 1.5 * linear));
}

/* far2: the square of the distance in radii beyond which a node is approximated */
static double tree_number(const ossai_winding_tree *tree, ossai_vec3 point, double ratio2)
{
	const ossai_vec3 p = to_tree(tree, point);
	ossai_angle_sum near = {1, 0, 0};
	double expanded = 0;
	for (size_t n = 0; n < tree->node_count;) {
		const winding_node *node = &tree->nodes[n];
		const ossai_vec3 r = ossai_sub(ossai_v3_of_float(node->center), p);
		const double distance2 = ossai_length2(r);
		if (distance2 > ratio2 * node->radius2) {
			expanded += expanded_angle(node, r, distance2);
			n = node->skip;
			continue;
		}
		for (size_t f = node->begin; f < (size_t)node->begin + node->count; f++) {
			const float *c = tree->corners + 9 * f;
			double re, im;
			ossai_half_angle(ossai_sub(ossai_v3_of_float(c), p), ossai_sub(ossai_v3_of_float(c + 3), p),
				ossai_sub(ossai_v3_of_float(c + 6), p), &re, &im);
			ossai_turn_by(&near, re, im);
		}
		n++;
	}
	return ossai_turns_of(&near) + expanded / (4 * OSSAI_PI);
}

double ossai_winding_tree_at(const ossai_winding_tree *tree, ossai_vec3 point)
{
	return tree_number(tree, point, FAR_RADII * FAR_RADII);
}

double ossai_winding_tree_rough(const ossai_winding_tree *tree, ossai_vec3 point)
{
	return tree_number(tree, point, FAR_RADII_ROUGH * FAR_RADII_ROUGH);
}

/* this distance from a half the rough number suffices */
static const double ROUGH_SURE = 0.05;

bool ossai_winding_tree_inside(const ossai_winding_tree *tree, ossai_vec3 point)
{
	const double rough = ossai_winding_tree_rough(tree, point);
	if (fabs(ossai_winding_margin(rough)) > ROUGH_SURE) return ossai_winding_is_inside(rough);
	return ossai_winding_is_inside(ossai_winding_tree_at(tree, point));
}

typedef struct tree_job {
	const ossai_winding_tree *tree;
	const double *points;
	double *numbers;
} tree_job;

static void tree_range(void *arg, size_t begin, size_t end)
{
	const tree_job *job = arg;
	for (size_t p = begin; p < end; p++) job->numbers[p] = ossai_winding_tree_at(job->tree, ossai_v3_of(job->points + 3 * p));
}

void ossai_winding_tree_numbers(
	ossa_context *context, const ossai_winding_tree *tree, size_t point_count, const double *points, double *numbers)
{
	tree_job job = {tree, points, numbers};
	ossai_parallel_for(context, point_count, 64, tree_range, &job);
}
