/* medial/loops.c: see loops.h. */
#include "medial/loops.h"

#include "mesh/pairs.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* most loops that are recorded (a soup has many tunnels); capacity of the cache of known pairs of
   nodes */
enum { LOOPS_MOST = 64, LATELY = 1024 };

/* two nodes whose voxels touch */
typedef struct contact {
	uint32_t a, b;
	double path;   /* distance through the tree */
	double across; /* direct distance, with both radii: a path that is shorter closes no loop */
} contact;

typedef struct finder {
	const ossai_voxels *voxels;
	const ossai_path_tree *tree;
	const uint32_t *node_of_voxel;
	double *depth; /* of nodes: distance from node 0 */
	contact *contacts;
	size_t count;
} finder;

/* ---- contacts ---- */

static double path_between(const finder *f, uint32_t a, uint32_t b)
{
	const double whole = f->depth[a] + f->depth[b];
	/* parents come first */
	while (a != b) {
		if (a > b) a = f->tree->parent[a];
		else b = f->tree->parent[b];
	}
	return whole - 2 * f->depth[a];
}

/* Pairs of nodes whose voxels touch, most of them once: recent pairs are cached; `pairs` may be
   NULL. Returns their number. */
static size_t list_pairs(const finder *f, ossai_pair *pairs)
{
	const ossai_voxels *v = f->voxels;
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	ossai_pair lately[LATELY] = {{0, 0, 0}};
	size_t count = 0;
	for (uint32_t i = 0; i < v->count; i++) {
		const uint32_t a = f->node_of_voxel[i];
		for (int k = 0; k < 3; k++) {
			const uint32_t other = v->of_cell[v->cell[i] + step[k]];
			if (other == OSSA_NONE || f->node_of_voxel[other] == a) continue;
			const ossai_pair pair = ossai_pair_of(a, f->node_of_voxel[other], 0);
			ossai_pair *known = &lately[(pair.first * 31 + pair.second) % LATELY];
			if (known->first == pair.first && known->second == pair.second) continue;
			*known = pair;
			if (f->tree->parent[pair.first] == pair.second || f->tree->parent[pair.second] == pair.first) continue;
			if (pairs) pairs[count] = pair;
			count++;
		}
	}
	return count;
}

static ossa_status take_contacts(ossai_arena *scratch, finder *f)
{
	uint32_t *unique;
	size_t count = list_pairs(f, NULL);
	ossai_pair *pairs = ossai_arena_new(scratch, count, sizeof *pairs);
	if (!pairs) return ossa_context_error(scratch->context)->status;
	list_pairs(f, pairs);
	OSSAI_TRY(ossai_pairs_sort(scratch->context, pairs, count, f->tree->node_count));
	OSSAI_TRY(ossai_pairs_unique(scratch, pairs, count, &unique, &count));
	f->contacts = ossai_arena_new(scratch, count, sizeof *f->contacts);
	if (!f->contacts) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		contact c = {unique[2 * i], unique[2 * i + 1], 0, 0};
		c.path = path_between(f, c.a, c.b);
		c.across = ossai_distance(f->tree->node[c.a], f->tree->node[c.b]) + f->tree->radius[c.a] + f->tree->radius[c.b];
		if (c.path > c.across) f->contacts[f->count++] = c;
	}
	return OSSA_OK;
}

/* the largest ratio of path to direct distance comes first */
static int by_length(const void *x, const void *y)
{
	const contact *a = x, *b = y;
	const double left = a->path / a->across, right = b->path / b->across;
	if (left != right) return left > right ? -1 : 1;
	if (a->a != b->a) return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/* whether a contact closes the same loop as an earlier one: both its ends are close to the
   other's through the tree */
static bool is_same(const finder *f, const contact *x, const contact *y)
{
	const double near = fmin(x->path, y->path) / 3;
	return (path_between(f, x->a, y->a) < near && path_between(f, x->b, y->b) < near) ||
		(path_between(f, x->a, y->b) < near && path_between(f, x->b, y->a) < near);
}

/* of the first contacts the centroids of the touching voxels; is_end: zeros, one a node */
static void find_centers(const finder *f, size_t kept, uint8_t *is_end, ossai_loop_cut *cuts)
{
	const ossai_voxels *v = f->voxels;
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	size_t count[LOOPS_MOST] = {0};
	for (size_t c = 0; c < kept; c++) {
		cuts[c] = (ossai_loop_cut){f->contacts[c].a, f->contacts[c].b, {0, 0, 0}};
		is_end[cuts[c].a] = is_end[cuts[c].b] = 1;
	}
	for (uint32_t i = 0; i < v->count; i++) {
		const uint32_t own = f->node_of_voxel[i];
		for (int k = 0; k < 3 && is_end[own]; k++) {
			const uint32_t other = v->of_cell[v->cell[i] + step[k]], node = other == OSSA_NONE ? own : f->node_of_voxel[other];
			if (node == own || !is_end[node]) continue;
			for (size_t c = 0; c < kept; c++) {
				if ((cuts[c].a != own || cuts[c].b != node) && (cuts[c].a != node || cuts[c].b != own)) continue;
				const ossai_vec3 midpoint = ossai_lerp(ossai_voxel_center(v, i), ossai_voxel_center(v, other), 0.5);
				cuts[c].center = ossai_add(cuts[c].center, midpoint);
				count[c]++;
			}
		}
	}
	for (size_t c = 0; c < kept; c++) cuts[c].center = ossai_scale(cuts[c].center, 1 / (double)count[c]);
}

static ossa_status take_cuts(ossai_arena *arena, ossai_arena *scratch, finder *f, size_t most, ossai_curve *curve)
{
	size_t kept = 0;
	qsort(f->contacts, f->count, sizeof *f->contacts, by_length);
	for (size_t i = 0; i < f->count && kept < most; i++) {
		bool is_new = true;
		for (size_t k = 0; k < kept; k++) is_new = is_new && !is_same(f, &f->contacts[k], &f->contacts[i]);
		if (is_new) f->contacts[kept++] = f->contacts[i];
	}
	curve->cuts = ossai_arena_new(arena, kept, sizeof *curve->cuts);
	uint8_t *is_end = ossai_arena_zero(scratch, f->tree->node_count, 1);
	if (!curve->cuts || !is_end) return ossa_context_error(arena->context)->status;
	curve->cut_count = kept;
	find_centers(f, kept, is_end, curve->cuts);
	return OSSA_OK;
}

static ossa_status find(ossai_arena *arena, ossai_arena *scratch, finder *f, size_t handles, ossai_curve *curve)
{
	const ossai_path_tree *tree = f->tree;
	f->depth = ossai_arena_zero(scratch, tree->node_count, sizeof *f->depth);
	if (!f->depth) return ossa_context_error(arena->context)->status;
	for (size_t i = 1; i < tree->node_count; i++) {
		f->depth[i] = f->depth[tree->parent[i]] + ossai_distance(tree->node[i], tree->node[tree->parent[i]]);
	}
	OSSAI_TRY(take_contacts(scratch, f));
	return take_cuts(arena, scratch, f, handles, curve);
}

ossa_status ossai_volume_loops_find(ossai_arena *arena, const ossai_voxels *voxels, const ossai_voxel_rows *rows,
	const ossai_path_tree *tree, const uint32_t *node_of_voxel, ossai_curve *curve)
{
	finder f = {.voxels = voxels, .tree = tree, .node_of_voxel = node_of_voxel};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	int64_t handles;
	ossa_status status = ossai_voxel_handles(&scratch, voxels, rows, &handles);
	if (status == OSSA_OK && handles > 0) {
		status = find(arena, &scratch, &f, handles < LOOPS_MOST ? (size_t)handles : LOOPS_MOST, curve);
	}
	ossai_arena_end(&scratch);
	return status;
}
