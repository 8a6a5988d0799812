/* volume/loops.c: see loops.h. */
#include "volume/loops.h"

#include "surface/pairs.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* the way through the tree against the way across, with both radii: less is no loop; of a ring whose paths leave a third open it is 1.4 */
static const double LEAST_WAY = 1;
/* of a soup's many tunnels so many are told */
enum { LOOPS_MOST = 64 };

/* two nodes whose voxels touch */
typedef struct contact {
	uint32_t a, b;
	double way;    /* between them through the tree */
	double across; /* between them, with both radii */
} contact;

typedef struct finder {
	const ossai_voxels *voxels;
	const ossai_path_tree *tree;
	const uint32_t *node_of_voxel;
	double *depth; /* of nodes: way from node 0 */
	contact *contacts;
	size_t count;
} finder;

/* ---- handles ---- */

static bool is_kept(const ossai_voxels *v, int64_t cell) { return v->of_cell[cell] != OSSA_NONE; }

/* Corners, edges and faces of voxels are counted by the first voxel that has them. A part is told by which sides of the voxel it lies on: side[k] -1 or 1, or 0
   where it runs along axis k. */
static bool is_first(const ossai_voxels *v, int64_t cell, const int side[3])
{
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	for (int which = 1; which < 8; which++) {
		int64_t other = cell;
		bool is_other = true;
		for (int k = 0; k < 3; k++) {
			if (!(which >> k & 1)) continue;
			is_other = is_other && side[k] != 0;
			other += side[k] * step[k];
		}
		if (is_other && other < cell && is_kept(v, other)) return false;
	}
	return true;
}

/* handles of the voxels as closed cubes that are one: 1 - corners + edges - faces + cubes; hollows are not known, and take one each away */
static int64_t count_handles(const ossai_voxels *v)
{
	int64_t characteristic = 0;
	for (size_t i = 0; i < v->count; i++) {
		characteristic--;
		for (int part = 0; part < 27; part++) {
			const int side[3] = {part % 3 - 1, part / 3 % 3 - 1, part / 9 - 1};
			const int axes = (side[0] == 0) + (side[1] == 0) + (side[2] == 0);
			if (axes == 3 || !is_first(v, v->cell[i], side)) continue;
			characteristic += axes == 1 ? -1 : 1;
		}
	}
	return 1 - characteristic;
}

/* ---- contacts ---- */

static double way_between(const finder *f, uint32_t a, uint32_t b)
{
	const double whole = f->depth[a] + f->depth[b];
	/* parents come first */
	while (a != b) {
		if (a > b) a = f->tree->parent[a];
		else b = f->tree->parent[b];
	}
	return whole - 2 * f->depth[a];
}

static ossa_status take_contacts(ossai_arena *scratch, finder *f)
{
	const ossai_voxels *v = f->voxels;
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	size_t count = 0;
	for (int round = 0; round < 2; round++) {
		ossai_pair *pairs = round == 0 ? NULL : ossai_arena_new(scratch, count, sizeof *pairs);
		if (round == 1 && !pairs) return ossa_context_error(scratch->context)->status;
		count = 0;
		for (uint32_t i = 0; i < v->count; i++) {
			for (int k = 0; k < 3; k++) {
				const uint32_t other = v->of_cell[v->cell[i] + step[k]];
				if (other == OSSA_NONE) continue;
				const uint32_t a = f->node_of_voxel[i], b = f->node_of_voxel[other];
				if (a == b || f->tree->parent[a] == b || f->tree->parent[b] == a) continue;
				if (pairs) pairs[count] = ossai_pair_of(a, b, 0);
				count++;
			}
		}
		if (!pairs) continue;
		uint32_t *unique;
		OSSAI_TRY(ossai_pairs_sort(scratch->context, pairs, count, f->tree->node_count));
		OSSAI_TRY(ossai_pairs_unique(scratch, pairs, count, &unique, &count));
		f->contacts = ossai_arena_new(scratch, count, sizeof *f->contacts);
		if (!f->contacts) return ossa_context_error(scratch->context)->status;
		for (size_t i = 0; i < count; i++) {
			contact c = {unique[2 * i], unique[2 * i + 1], 0, 0};
			c.way = way_between(f, c.a, c.b);
			c.across = ossai_distance(f->tree->node[c.a], f->tree->node[c.b]) + f->tree->radius[c.a] + f->tree->radius[c.b];
			if (c.way > LEAST_WAY * c.across) f->contacts[f->count++] = c;
		}
	}
	return OSSA_OK;
}

/* the longest way for what lies between comes first */
static int by_length(const void *x, const void *y)
{
	const contact *a = x, *b = y;
	const double left = a->way / a->across, right = b->way / b->across;
	if (left != right) return left > right ? -1 : 1;
	if (a->a != b->a) return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/* whether a contact closes the same loop as one before: both its ends are near to the other's through the tree */
static bool is_same(const finder *f, const contact *x, const contact *y)
{
	const double near = fmin(x->way, y->way) / 3;
	return (way_between(f, x->a, y->a) < near && way_between(f, x->b, y->b) < near) ||
		(way_between(f, x->a, y->b) < near && way_between(f, x->b, y->a) < near);
}

/* the middle of where the voxels of two nodes touch */
static ossai_vec3 middle_of(const finder *f, const contact *c)
{
	const ossai_voxels *v = f->voxels;
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	ossai_vec3 sum = {0, 0, 0};
	size_t count = 0;
	for (uint32_t i = 0; i < v->count; i++) {
		const uint32_t own = f->node_of_voxel[i];
		if (own != c->a && own != c->b) continue;
		for (int k = 0; k < 3; k++) {
			const uint32_t other = v->of_cell[v->cell[i] + step[k]];
			if (other == OSSA_NONE || f->node_of_voxel[other] != (own == c->a ? c->b : c->a)) continue;
			sum = ossai_add(sum, ossai_lerp(ossai_voxel_center(v, i), ossai_voxel_center(v, other), 0.5));
			count++;
		}
	}
	return ossai_scale(sum, 1 / (double)count);
}

static ossa_status take_cuts(ossai_arena *arena, finder *f, size_t most, ossai_curve *curve)
{
	size_t kept = 0;
	qsort(f->contacts, f->count, sizeof *f->contacts, by_length);
	for (size_t i = 0; i < f->count && kept < most; i++) {
		bool is_new = true;
		for (size_t k = 0; k < kept; k++) is_new = is_new && !is_same(f, &f->contacts[k], &f->contacts[i]);
		if (is_new) f->contacts[kept++] = f->contacts[i];
	}
	curve->cuts = ossai_arena_new(arena, kept, sizeof *curve->cuts);
	if (!curve->cuts) return ossa_context_error(arena->context)->status;
	curve->cut_count = kept;
	for (size_t i = 0; i < kept; i++) {
		const contact *c = &f->contacts[i];
		curve->cuts[i] = (ossai_loop_cut){c->a, c->b, middle_of(f, c)};
	}
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
	return take_cuts(arena, f, handles, curve);
}

ossa_status ossai_volume_loops_find(ossai_arena *arena, const ossai_voxels *voxels, const ossai_path_tree *tree,
	const uint32_t *node_of_voxel, ossai_curve *curve)
{
	const int64_t handles = count_handles(voxels);
	if (handles <= 0) return OSSA_OK;
	finder f = {.voxels = voxels, .tree = tree, .node_of_voxel = node_of_voxel};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find(arena, &scratch, &f, handles < LOOPS_MOST ? (size_t)handles : LOOPS_MOST, curve);
	ossai_arena_end(&scratch);
	return status;
}
