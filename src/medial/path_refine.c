/* medial/path_refine.c: ends of a path tree once more, on finer voxels: see path_tree.h.

   What the tree has of a part and nothing beyond it goes, but for where it comes in; from there paths grow over the fine medial surface to
   its own extreme points, against its own size. */
#include "medial/path_work.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* A tree while it is changed: parents, places, radii and coarse voxels of nodes. */
typedef struct nodes {
	size_t count, capacity;
	uint32_t *parent, *voxel;
	ossai_vec3 *place;
	double *radius;
} nodes;

static ossa_status nodes_new(ossai_arena *arena, size_t capacity, nodes *n)
{
	*n = (nodes){.capacity = capacity,
		.parent = ossai_arena_new(arena, capacity, sizeof *n->parent),
		.voxel = ossai_arena_new(arena, capacity, sizeof *n->voxel),
		.place = ossai_arena_new(arena, capacity, sizeof *n->place),
		.radius = ossai_arena_new(arena, capacity, sizeof *n->radius)};
	if (!n->parent || !n->voxel || !n->place || !n->radius) return ossa_context_error(arena->context)->status;
	return OSSA_OK;
}

static void nodes_copy(const nodes *from, uint32_t node, uint32_t parent, nodes *to)
{
	to->parent[to->count] = parent;
	to->voxel[to->count] = from->voxel[node];
	to->place[to->count] = from->place[node];
	to->radius[to->count++] = from->radius[node];
}

/* makes room for more nodes */
static ossa_status nodes_grow(ossai_arena *arena, size_t more, nodes *n)
{
	if (n->count + more <= n->capacity) return OSSA_OK;
	nodes larger;
	OSSAI_TRY(nodes_new(arena, 2 * (n->count + more), &larger));
	for (uint32_t i = 0; i < n->count; i++) nodes_copy(n, i, n->parent[i], &larger);
	*n = larger;
	return OSSA_OK;
}

/* ---- another root ---- */

/* the tree in an order from `root`; `to_end`: from the node farthest from there */
static ossa_status set_root(ossai_arena *scratch, ossai_arena *arena, const nodes *from, uint32_t root, bool to_end, nodes *to)
{
	uint32_t *order = ossai_arena_new(scratch, from->count, sizeof *order);
	uint32_t *parent = ossai_arena_new(scratch, from->count, sizeof *parent);
	uint32_t *place = ossai_arena_new(scratch, from->count, sizeof *place);
	double *far = ossai_arena_new(scratch, from->count, sizeof *far);
	if (!order || !parent || !place || !far) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_path_order(scratch, from->count, from->parent, from->place, root, order, parent, far));
	if (to_end) {
		uint32_t end = root;
		for (uint32_t i = 0; i < from->count; i++) {
			if (far[i] > far[end]) end = i;
		}
		OSSAI_TRY(ossai_path_order(scratch, from->count, from->parent, from->place, end, order, parent, far));
	}
	OSSAI_TRY(nodes_new(arena, from->count, to));
	for (uint32_t k = 0; k < from->count; k++) {
		const uint32_t i = order[k];
		place[i] = k;
		nodes_copy(from, i, parent[i] == OSSA_NONE ? OSSA_NONE : place[parent[i]], to);
	}
	return OSSA_OK;
}

/* ---- one part ---- */

typedef struct refinement {
	ossai_arena *scratch;
	const ossai_voxels *coarse;
	const ossai_voxel_parts *parts;
	double exposure, closeness, whole_radius;
	nodes tree;    /* rooted at the heart */
	size_t old;    /* nodes that were there before */
	uint8_t *gone; /* of those */
	size_t extremes;
} refinement;

/* which nodes lie in a part with all that hangs on them, but for the first of them */
static ossa_status drop_ends(refinement *r)
{
	const nodes *n = &r->tree;
	uint32_t *part = ossai_arena_new(r->scratch, n->count, sizeof *part);
	r->gone = ossai_arena_zero(r->scratch, n->count, 1);
	if (!part || !r->gone) return ossa_context_error(r->scratch->context)->status;
	for (uint32_t i = 0; i < n->count; i++) part[i] = r->parts->of_voxel[n->voxel[i]];
	for (size_t i = n->count; i-- > 1;) {
		if (part[n->parent[i]] != part[i]) part[n->parent[i]] = OSSA_NONE;
	}
	for (uint32_t i = 1; i < n->count; i++) r->gone[i] = part[i] != OSSA_NONE && part[n->parent[i]] == part[i];
	return OSSA_OK;
}

/* the fine medial voxel nearest to a place, at most `reach` fine voxels away; OSSA_NONE */
static uint32_t nearest_medial(const ossai_path_work *work, ossai_vec3 place, double reach)
{
	const ossai_voxels *voxels = work->voxels;
	const ossai_vec3 p = ossai_scale(ossai_sub(place, voxels->origin), 1 / voxels->step);
	const int64_t low[3] = {(int64_t)ceil(p.x - reach), (int64_t)ceil(p.y - reach), (int64_t)ceil(p.z - reach)};
	const int64_t high[3] = {(int64_t)floor(p.x + reach), (int64_t)floor(p.y + reach), (int64_t)floor(p.z + reach)};
	double nearest = reach * reach;
	uint32_t best = OSSA_NONE;
	for (int64_t z = low[2] > 0 ? low[2] : 0; z <= high[2] && z < voxels->size[2]; z++) {
		for (int64_t y = low[1] > 0 ? low[1] : 0; y <= high[1] && y < voxels->size[1]; y++) {
			for (int64_t x = low[0] > 0 ? low[0] : 0; x <= high[0] && x < voxels->size[0]; x++) {
				const uint32_t v = voxels->of_cell[((size_t)z * voxels->size[1] + (size_t)y) * voxels->size[0] + (size_t)x];
				if (v == OSSA_NONE || work->medial->of_voxel[v] == OSSA_NONE) continue;
				const double far = ossai_length2(ossai_sub(ossai_v3((double)x, (double)y, (double)z), p));
				if (!(far < nearest)) continue;
				nearest = far;
				best = work->medial->of_voxel[v];
			}
		}
	}
	return best;
}

/* roots of the fine paths: where the tree is in the part; `coarse_node` gets the node of each */
static ossa_status plant(
	const refinement *r, uint32_t part, ossai_path_work *work, ossai_path_tree *fine, uint32_t *coarse_node)
{
	const nodes *n = &r->tree;
	for (uint32_t i = 0; i < r->old; i++) {
		if (r->gone[i] || r->parts->of_voxel[n->voxel[i]] != part) continue;
		const uint32_t m = nearest_medial(work, n->place[i], n->radius[i] / work->voxels->step);
		if (m == OSSA_NONE || work->node[m] != OSSA_NONE) continue;
		coarse_node[fine->node_count] = i;
		OSSAI_TRY(ossai_path_add_node(work, fine, m, OSSA_NONE));
	}
	return OSSA_OK;
}

/* adds the fine nodes to the tree, but for the roots */
static ossa_status take_over(refinement *r, const ossai_path_work *work, const ossai_fine_voxels *part,
	const ossai_path_tree *fine, size_t root_count, const uint32_t *coarse_node)
{
	OSSAI_TRY(nodes_grow(r->scratch, fine->node_count, &r->tree));
	nodes *n = &r->tree;
	const uint32_t first = (uint32_t)(n->count - root_count);
	for (size_t i = root_count; i < fine->node_count; i++) {
		const uint32_t parent = fine->parent[i], v = fine->voxel[i];
		n->parent[n->count] = parent < root_count ? coarse_node[parent] : first + parent;
		n->voxel[n->count] = ossai_coarse_of_fine(r->coarse, part, v);
		n->place[n->count] = ossai_voxel_center(work->voxels, v);
		n->radius[n->count++] = sqrt(work->voxels->distance2[v]) * work->voxels->step;
	}
	return OSSA_OK;
}

static ossa_status grow_part(ossai_arena *scratch, refinement *r, uint32_t part, const ossai_fine_voxels *fine)
{
	if (fine->voxels.count == 0) return OSSA_OK;
	ossai_medial medial;
	OSSAI_TRY(ossai_medial_make(scratch, &fine->voxels, r->exposure, &medial));
	ossai_path_work work = {.scratch = scratch,
		.voxels = &fine->voxels,
		.medial = &medial,
		.around = ossai_neighbors_of(&fine->voxels),
		.whole_radius = r->whole_radius / fine->voxels.step};
	ossai_path_tree tree;
	OSSAI_TRY(ossai_path_begin(&work, &tree));
	OSSAI_TRY(ossai_path_restart(&work, &tree));
	uint32_t *coarse_node = ossai_arena_new(scratch, medial.count, sizeof *coarse_node);
	uint32_t *begin = ossai_arena_new(scratch, medial.count, sizeof *begin);
	if (!coarse_node || !begin) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(plant(r, part, &work, &tree, coarse_node));
	const size_t roots = tree.node_count;
	if (roots == 0) return OSSA_OK;
	for (size_t i = 0; i < roots; i++) begin[i] = medial.of_voxel[tree.voxel[i]];
	OSSAI_TRY(ossai_path_find_extremes(&work, roots, begin, r->closeness));
	OSSAI_TRY(ossai_path_walk_out(&work));
	OSSAI_TRY(ossai_path_grow(&work, r->closeness * work.heart_radius, &tree));
	OSSAI_TRY(ossai_path_reach_tips(scratch, &work, roots, &tree));
	r->extremes += work.extreme_count;
	return take_over(r, &work, fine, &tree, roots, coarse_node);
}

/* ---- all parts ---- */

/* What led into a part and leads nowhere any more goes: paths came in elsewhere. */
static ossa_status drop_stubs(refinement *r)
{
	const nodes *n = &r->tree;
	uint32_t *before = ossai_arena_zero(r->scratch, n->count, sizeof *before);
	uint32_t *children = ossai_arena_zero(r->scratch, n->count, sizeof *children);
	if (!before || !children) return ossa_context_error(r->scratch->context)->status;
	for (uint32_t i = 1; i < n->count; i++) {
		before[n->parent[i]] += i < r->old;
		children[n->parent[i]] += i >= r->old || !r->gone[i];
	}
	for (size_t i = r->old; i-- > 1;) {
		if (r->gone[i] || children[i] > 0 || before[i] == 0) continue;
		r->gone[i] = 1;
		children[n->parent[i]]--;
	}
	return OSSA_OK;
}

static size_t count_ends(const nodes *n, uint32_t *degree)
{
	size_t ends = 0;
	for (uint32_t i = 1; i < n->count; i++) {
		degree[i]++;
		degree[n->parent[i]]++;
	}
	for (uint32_t i = 0; i < n->count; i++) ends += degree[i] == 1;
	return ends;
}

/* what is left, as the tree: from an end outwards */
static ossa_status finish(ossai_arena *arena, refinement *r, const ossai_path_tree *before, ossai_path_tree *tree)
{
	nodes left, all;
	uint32_t *place = ossai_arena_new(r->scratch, r->tree.count, sizeof *place);
	uint32_t *degree = ossai_arena_zero(r->scratch, r->tree.count, sizeof *degree);
	if (!place || !degree) return ossa_context_error(r->scratch->context)->status;
	OSSAI_TRY(nodes_new(r->scratch, r->tree.count, &left));
	for (uint32_t i = 0; i < r->tree.count; i++) {
		if (i < r->old && r->gone[i]) continue;
		place[i] = (uint32_t)left.count;
		nodes_copy(&r->tree, i, r->tree.parent[i] == OSSA_NONE ? OSSA_NONE : place[r->tree.parent[i]], &left);
	}
	OSSAI_TRY(set_root(r->scratch, arena, &left, 0, true, &all));
	*tree = (ossai_path_tree){.node_count = all.count,
		.parent = all.parent,
		.node = all.place,
		.radius = all.radius,
		.voxel = all.voxel,
		.heart_radius = before->heart_radius,
		.extreme_count = before->extreme_count + r->extremes,
		.path_count = count_ends(&all, degree)};
	/* the heart was the root */
	for (uint32_t i = 0; i < all.count; i++) {
		if (ossai_distance(all.place[i], left.place[0]) < ossai_distance(all.place[tree->heart], left.place[0]))
			tree->heart = i;
	}
	return OSSA_OK;
}

static ossa_status refine(ossai_arena *arena, refinement *r, const ossai_fine_voxels *fine, ossai_path_tree *tree)
{
	const nodes before = {tree->node_count, tree->node_count, tree->parent, tree->voxel, tree->node, tree->radius};
	OSSAI_TRY(set_root(r->scratch, r->scratch, &before, tree->heart, false, &r->tree));
	r->old = r->tree.count;
	OSSAI_TRY(drop_ends(r));
	for (uint32_t p = 0; p < r->parts->count; p++) {
		OSSAI_TRY(ossai_progress(arena->context, (double)p / r->parts->count));
		ossai_arena scratch = ossai_arena_begin(arena->context);
		const ossa_status status = grow_part(&scratch, r, p, &fine[p]);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
	}
	OSSAI_TRY(drop_stubs(r));
	const ossai_path_tree old = *tree;
	return finish(arena, r, &old, tree);
}

ossa_status ossai_path_tree_refine(ossai_arena *arena, const ossai_voxels *coarse, const ossai_voxel_parts *parts,
	const ossai_fine_voxels *fine, double exposure, double closeness, bool as_whole, ossai_path_tree *tree)
{
	if (parts->count == 0 || tree->node_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	refinement r = {.scratch = &scratch,
		.coarse = coarse,
		.parts = parts,
		.exposure = exposure,
		.closeness = closeness,
		.whole_radius = as_whole ? tree->heart_radius : 0};
	const ossa_status status = refine(arena, &r, fine, tree);
	ossai_arena_end(&scratch);
	return status;
}
