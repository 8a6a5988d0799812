/* volume/path_tree.c: see path_tree.h.

   Three searches over the medial voxels, all by Dijkstra's algorithm: ways from the heart, once; ways out of what the tree's balls
   cover, and the deepest ways to the tree, which go on from where they were when a path is added.
   Departures: the weight of a step counts with its length, for all ways of as many steps would be equally good on level ground; an extreme
   point must also come out of the balls by a share of the ball that it leaves, so that the rim of a flat body is no limb. */
#include "volume/path_tree.h"

#include "base/heap.h"
#include "volume/neighbors.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* How far out of the ball that it leaves a limb comes at least, as a share of the ball's radius. */
static const double LEAST_OUT = 0.5;

/* one search: how far each medial voxel is from where it started */
typedef struct search {
	ossai_heap heap;
	size_t capacity;
	double *far; /* M */
} search;

typedef struct tree_work {
	ossai_arena *scratch;
	const ossai_voxels *voxels;
	const ossai_medial *medial;
	ossai_neighbors around;
	uint32_t *start, *neighbor; /* M + 1; medial voxels */
	uint8_t *step;              /* per neighbour: its place among the 26 */
	uint32_t heart;             /* medial voxel */
	double heart_radius;        /* voxels */
	search from_heart, out, deep;
	uint32_t *from; /* M: where the deepest way to the tree goes on */
	uint32_t *node; /* M: of the tree, or OSSA_NONE */
	uint32_t *ball; /* M: the node whose ball covers it, or that which the shortest way out leaves; OSSA_NONE where none */
	uint32_t *open; /* M + 1: itself where it is not covered, else one that comes later: see next_open */
	uint32_t *row;  /* rows of the grid + 1: the first medial voxel of each */
	size_t extreme_count;
	uint32_t *extreme, *group;
} tree_work;

static double depth(const tree_work *work, uint32_t m) { return work->voxels->distance2[work->medial->voxel[m]]; }

/* ---- searches ---- */

static ossa_status search_begin(ossai_arena *scratch, size_t count, search *s)
{
	s->capacity = count + 64;
	s->heap = (ossai_heap){ossai_arena_new(scratch, s->capacity, sizeof *s->heap.entries), 0};
	s->far = ossai_arena_new(scratch, count, sizeof *s->far);
	if (!s->heap.entries || !s->far) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) s->far[i] = INFINITY;
	return OSSA_OK;
}

static ossa_status reach(ossai_arena *scratch, search *s, uint32_t m, double far)
{
	if (s->heap.count == s->capacity) {
		ossai_heap_entry *entries = ossai_arena_new(scratch, 2 * s->capacity, sizeof *entries);
		if (!entries) return ossa_context_error(scratch->context)->status;
		memcpy(entries, s->heap.entries, s->heap.count * sizeof *entries);
		s->heap.entries = entries;
		s->capacity *= 2;
	}
	s->far[m] = far;
	ossai_heap_push(&s->heap, far, m);
	return OSSA_OK;
}

/* the nearest voxel that is not settled; false where there is none */
static bool settle(search *s, uint32_t *m)
{
	while (s->heap.count > 0) {
		const ossai_heap_entry top = s->heap.entries[0];
		ossai_heap_pop(&s->heap);
		*m = top.item;
		if (top.key == s->far[top.item]) return true;
	}
	return false;
}

/* ---- the graph ---- */

static ossa_status link_voxels(tree_work *work)
{
	const ossai_voxels *voxels = work->voxels;
	const ossai_medial *medial = work->medial;
	const size_t count = medial->count;
	work->start = ossai_arena_new(work->scratch, count + 1, sizeof *work->start);
	if (!work->start) return ossa_context_error(work->scratch->context)->status;
	for (int pass = 0; pass < 2; pass++) {
		size_t links = 0;
		for (uint32_t m = 0; m < count; m++) {
			work->start[m] = (uint32_t)links;
			for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
				const uint32_t u = voxels->of_cell[voxels->cell[medial->voxel[m]] + work->around.offset[i]];
				if (u == OSSA_NONE || medial->of_voxel[u] == OSSA_NONE) continue;
				if (pass == 1) {
					work->neighbor[links] = medial->of_voxel[u];
					work->step[links] = (uint8_t)i;
				}
				links++;
			}
		}
		work->start[count] = (uint32_t)links;
		if (pass == 1) break;
		work->neighbor = ossai_arena_new(work->scratch, links, sizeof *work->neighbor);
		work->step = ossai_arena_new(work->scratch, links, sizeof *work->step);
		if (!work->neighbor || !work->step) return ossa_context_error(work->scratch->context)->status;
	}
	return OSSA_OK;
}

/* the first medial voxel of each row of cells along x */
static ossa_status index_rows(tree_work *work)
{
	const ossai_voxels *voxels = work->voxels;
	const size_t rows = (size_t)voxels->size[1] * voxels->size[2], count = work->medial->count;
	work->row = ossai_arena_new(work->scratch, rows + 1, sizeof *work->row);
	work->open = ossai_arena_new(work->scratch, count + 1, sizeof *work->open);
	if (!work->row || !work->open) return ossa_context_error(work->scratch->context)->status;
	uint32_t m = 0;
	for (size_t r = 0; r <= rows; r++) {
		while (m < count && voxels->cell[work->medial->voxel[m]] / voxels->size[0] < r) m++;
		work->row[r] = m;
	}
	for (uint32_t i = 0; i <= count; i++) work->open[i] = i;
	return OSSA_OK;
}

/* ---- heart and extreme points ---- */

static ossai_vec3 cell_of(const tree_work *work, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(work->voxels, voxel, at);
	return ossai_v3(at[0], at[1], at[2]);
}

/* the medial voxel nearest to the middle of all voxels; of several the deepest */
static uint32_t find_heart(const tree_work *work)
{
	ossai_vec3 sum = {0, 0, 0};
	for (uint32_t v = 0; v < work->voxels->count; v++) sum = ossai_add(sum, cell_of(work, v));
	const ossai_vec3 middle = ossai_scale(sum, 1 / (double)work->voxels->count);
	uint32_t best = 0;
	double nearest = INFINITY;
	for (uint32_t m = 0; m < work->medial->count; m++) {
		const double far = ossai_length2(ossai_sub(cell_of(work, work->medial->voxel[m]), middle));
		if (far > nearest || (far == nearest && !(depth(work, m) > depth(work, best)))) continue;
		best = m;
		nearest = far;
	}
	return best;
}

static ossa_status walk_from_heart(tree_work *work)
{
	search *s = &work->from_heart;
	OSSAI_TRY(search_begin(work->scratch, work->medial->count, s));
	OSSAI_TRY(reach(work->scratch, s, work->heart, 0));
	for (uint32_t m; settle(s, &m);) {
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const double far = s->far[m] + work->around.length[work->step[i]];
			if (far < s->far[work->neighbor[i]]) OSSAI_TRY(reach(work->scratch, s, work->neighbor[i], far));
		}
		work->heart_radius = s->far[m];
	}
	return OSSA_OK;
}

/* true where no neighbour is farther from the heart */
static bool is_extreme(const tree_work *work, uint32_t m)
{
	const double *far = work->from_heart.far;
	if (!isfinite(far[m])) return false;
	for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
		if (far[work->neighbor[i]] > far[m]) return false;
	}
	return true;
}

/* Extreme points that touch are a group: its members are tried until one is served. */
static ossa_status find_extremes(tree_work *work)
{
	const size_t count = work->medial->count;
	work->extreme = ossai_arena_new(work->scratch, count, sizeof *work->extreme);
	work->group = ossai_arena_new(work->scratch, count, sizeof *work->group);
	if (!work->extreme || !work->group) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t m = 0; m < count; m++) {
		work->group[m] = OSSA_NONE;
		if (is_extreme(work, m)) work->extreme[work->extreme_count++] = m;
	}
	uint32_t *stack = ossai_arena_new(work->scratch, work->extreme_count, sizeof *stack);
	if (!stack) return ossa_context_error(work->scratch->context)->status;
	uint32_t groups = 0;
	for (size_t e = 0; e < work->extreme_count; e++) {
		if (work->group[work->extreme[e]] != OSSA_NONE) continue;
		size_t size = 1;
		stack[0] = work->extreme[e];
		work->group[work->extreme[e]] = groups;
		while (size > 0) {
			const uint32_t m = stack[--size];
			for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
				const uint32_t u = work->neighbor[i];
				if (work->group[u] != OSSA_NONE || !is_extreme(work, u)) continue;
				work->group[u] = groups;
				stack[size++] = u;
			}
		}
		groups++;
	}
	return OSSA_OK;
}

/* ---- coverage ---- */

/* the first medial voxel from m on that is not covered, or M */
static uint32_t next_open(tree_work *work, uint32_t m)
{
	uint32_t *open = work->open;
	while (open[m] != m) {
		open[m] = open[open[m]];
		m = open[m];
	}
	return m;
}

/* what lies between two x in a row is covered from now on by a node, and 0 out of the balls */
static ossa_status cover_row(tree_work *work, uint32_t node, size_t row, int64_t low, int64_t high)
{
	const ossai_voxels *voxels = work->voxels;
	const uint32_t end = work->row[row + 1];
	const int64_t first = (int64_t)row * voxels->size[0];
	for (uint32_t m = next_open(work, work->row[row]); m < end; m = next_open(work, m + 1)) {
		const int64_t x = voxels->cell[work->medial->voxel[m]] - first;
		if (x > high) break;
		if (x < low) continue;
		work->open[m] = m + 1;
		work->ball[m] = node;
		OSSAI_TRY(reach(work->scratch, &work->out, m, 0));
	}
	return OSSA_OK;
}

static ossa_status cover_ball(tree_work *work, uint32_t node, uint32_t m)
{
	const ossai_voxels *voxels = work->voxels;
	uint32_t at[3];
	ossai_voxel_at(voxels, work->medial->voxel[m], at);
	const int64_t square = (int64_t)depth(work, m), radius = (int64_t)sqrt((double)square);
	for (int64_t z = -radius; z <= radius; z++) {
		if (at[2] + z < 0 || at[2] + z >= voxels->size[2]) continue;
		for (int64_t y = -radius; y <= radius; y++) {
			const int64_t left = square - z * z - y * y;
			if (left < 0 || at[1] + y < 0 || at[1] + y >= voxels->size[1]) continue;
			const int64_t half = (int64_t)sqrt((double)left);
			const size_t row = (size_t)((at[2] + z) * voxels->size[1] + at[1] + y);
			OSSAI_TRY(cover_row(work, node, row, at[0] - half, at[0] + half));
		}
	}
	return OSSA_OK;
}

/* how far everything is from what is covered, after more has been */
static ossa_status walk_out(tree_work *work)
{
	search *s = &work->out;
	for (uint32_t m; settle(s, &m);) {
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			const double far = s->far[m] + work->around.length[work->step[i]];
			if (far >= s->far[u]) continue;
			work->ball[u] = work->ball[m];
			OSSAI_TRY(reach(work->scratch, s, u, far));
		}
	}
	return OSSA_OK;
}

/* ---- paths ---- */

/* walks on from the tree, deep ways first, until it knows the best one to m: sum of step / depth^3 */
static ossa_status walk_deep(tree_work *work, uint32_t wanted)
{
	search *s = &work->deep;
	while (s->heap.count > 0 && s->heap.entries[0].key < s->far[wanted]) {
		uint32_t m;
		if (!settle(s, &m)) break;
		const double here = depth(work, m), cost_here = 0.5 / (here * here * here);
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			const double there = depth(work, u);
			const double far = s->far[m] + work->around.length[work->step[i]] * (cost_here + 0.5 / (there * there * there));
			if (far >= s->far[u]) continue;
			work->from[u] = m;
			OSSAI_TRY(reach(work->scratch, s, u, far));
		}
	}
	return OSSA_OK;
}

static ossa_status add_node(tree_work *work, ossai_path_tree *tree, uint32_t m, uint32_t parent)
{
	const uint32_t node = (uint32_t)tree->node_count++;
	tree->parent[node] = parent;
	tree->voxel[node] = work->medial->voxel[m];
	work->node[m] = node;
	work->deep.far[m] = INFINITY;
	OSSAI_TRY(reach(work->scratch, &work->deep, m, 0));
	return cover_ball(work, node, m);
}

/* joins an extreme point to the tree */
static ossa_status add_path(tree_work *work, ossai_path_tree *tree, uint32_t extreme)
{
	OSSAI_TRY(walk_deep(work, extreme));
	/* turned round, the way leads from the tree outwards */
	uint32_t before = OSSA_NONE, m = extreme;
	while (work->node[m] == OSSA_NONE) {
		const uint32_t next = work->from[m];
		work->from[m] = before;
		before = m;
		m = next;
	}
	for (uint32_t parent = work->node[m]; before != OSSA_NONE; before = work->from[before]) {
		OSSAI_TRY(add_node(work, tree, before, parent));
		parent = work->node[before];
	}
	tree->path_count++;
	return walk_out(work);
}

/* whether an extreme point lies far enough out of what is covered to be the end of a limb */
static bool is_limb(const tree_work *work, const ossai_path_tree *tree, uint32_t m)
{
	const uint32_t ball = tree->voxel[work->ball[m]];
	return work->out.far[m] >= LEAST_OUT * sqrt(work->voxels->distance2[ball]);
}

/* extreme points by how far they are out, the farthest first; what has come nearer since goes back */
static ossa_status grow(tree_work *work, double least, ossai_path_tree *tree)
{
	ossai_heap waiting = {ossai_arena_new(work->scratch, work->extreme_count, sizeof *waiting.entries), work->extreme_count};
	uint8_t *served = ossai_arena_zero(work->scratch, work->extreme_count, 1);
	if (!waiting.entries || !served) return ossa_context_error(work->scratch->context)->status;
	for (size_t e = 0; e < work->extreme_count; e++) {
		waiting.entries[e] = (ossai_heap_entry){-work->out.far[work->extreme[e]], work->extreme[e]};
	}
	ossai_heap_build(&waiting);
	while (waiting.count > 0 && -waiting.entries[0].key >= least) {
		const uint32_t m = waiting.entries[0].item;
		const double key = -work->out.far[m];
		if (key != waiting.entries[0].key) {
			ossai_heap_replace_top(&waiting, key);
			continue;
		}
		ossai_heap_pop(&waiting);
		if (served[work->group[m]] || !is_limb(work, tree, m)) continue;
		served[work->group[m]] = 1;
		OSSAI_TRY(ossai_progress(work->scratch->context, 0.3));
		OSSAI_TRY(add_path(work, tree, m));
	}
	return OSSA_OK;
}

/* ---- all of it ---- */

static uint32_t farthest_extreme(const tree_work *work)
{
	uint32_t best = work->heart;
	for (size_t e = 0; e < work->extreme_count; e++) {
		if (work->from_heart.far[work->extreme[e]] > work->from_heart.far[best]) best = work->extreme[e];
	}
	return best;
}

static ossa_status begin_tree(ossai_arena *arena, tree_work *work, ossai_path_tree *tree)
{
	const size_t count = work->medial->count;
	*tree = (ossai_path_tree){.parent = ossai_arena_new(arena, count, sizeof *tree->parent),
		.voxel = ossai_arena_new(arena, count, sizeof *tree->voxel)};
	work->from = ossai_arena_new(work->scratch, count, sizeof *work->from);
	work->node = ossai_arena_new(work->scratch, count, sizeof *work->node);
	work->ball = ossai_arena_new(work->scratch, count, sizeof *work->ball);
	if (!tree->parent || !tree->voxel || !work->from || !work->node || !work->ball)
		return ossa_context_error(arena->context)->status;
	for (size_t m = 0; m < count; m++) work->from[m] = work->node[m] = work->ball[m] = OSSA_NONE;
	OSSAI_TRY(search_begin(work->scratch, count, &work->out));
	return search_begin(work->scratch, count, &work->deep);
}

/* places, radii and the heart */
static ossa_status finish_tree(ossai_arena *arena, const tree_work *work, ossai_path_tree *tree)
{
	const ossai_voxels *voxels = work->voxels;
	tree->node = ossai_arena_new(arena, tree->node_count, sizeof *tree->node);
	tree->radius = ossai_arena_new(arena, tree->node_count, sizeof *tree->radius);
	if (!tree->node || !tree->radius) return ossa_context_error(arena->context)->status;
	const ossai_vec3 heart = ossai_voxel_center(voxels, work->medial->voxel[work->heart]);
	double nearest = INFINITY;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		tree->node[i] = ossai_voxel_center(voxels, tree->voxel[i]);
		tree->radius[i] = sqrt(voxels->distance2[tree->voxel[i]]) * voxels->step;
		const double far = ossai_length2(ossai_sub(tree->node[i], heart));
		if (!(far < nearest)) continue;
		nearest = far;
		tree->heart = i;
	}
	tree->heart_radius = work->heart_radius * voxels->step;
	tree->extreme_count = work->extreme_count;
	return OSSA_OK;
}

static ossa_status make(ossai_arena *arena, tree_work *work, double closeness, ossai_path_tree *tree)
{
	ossa_context *context = arena->context;
	OSSAI_TRY(ossai_progress(context, 0));
	OSSAI_TRY(link_voxels(work));
	OSSAI_TRY(index_rows(work));
	work->heart = find_heart(work);
	OSSAI_TRY(walk_from_heart(work));
	OSSAI_TRY(find_extremes(work));
	OSSAI_TRY(begin_tree(arena, work, tree));
	OSSAI_TRY(add_node(work, tree, farthest_extreme(work), OSSA_NONE));
	OSSAI_TRY(walk_out(work));
	OSSAI_TRY(grow(work, closeness * work->heart_radius, tree));
	return finish_tree(arena, work, tree);
}

ossa_status ossai_path_tree_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	tree_work work = {.scratch = &scratch, .voxels = voxels, .medial = medial, .around = ossai_neighbors_of(voxels)};
	const ossa_status status = make(arena, &work, closeness, tree);
	ossai_arena_end(&scratch);
	return status;
}
