/* medial/path_tree.c: see path_tree.h.

   Three searches over the medial voxels, all by Dijkstra's algorithm: ways from the heart, once; ways out of what the tree's balls
   cover, and the deepest ways to the tree, which go on from where they were when a path is added.
   Departures: the weight of a step counts with its length, for all ways of as many steps would be equally good on level ground; which extreme
   points are no limbs, and where paths end, is told in path_ends.c. */
#include "medial/path_work.h"

#include <ossa/mesh.h>

/* walks on from the tree, deep ways first, until it knows the best one to m: sum of step / depth^3 */
static ossa_status walk_deep(ossai_path_work *work, uint32_t wanted)
{
	ossai_search *s = &work->deep;
	while (s->heap.count > 0 && s->heap.entries[0].key < s->far[wanted]) {
		uint32_t m;
		if (!ossai_search_settle(s, &m)) break;
		const double here = ossai_path_depth(work, m), cost_here = 0.5 / (here * here * here);
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			const double there = ossai_path_depth(work, u);
			const double step = work->around.length[work->step[i]];
			const double far = s->far[m] + step * (cost_here + 0.5 / (there * there * there));
			if (far >= s->far[u]) continue;
			work->from[u] = m;
			OSSAI_TRY(ossai_search_reach(work->scratch, s, u, far));
		}
	}
	return OSSA_OK;
}

ossa_status ossai_path_add_node(ossai_path_work *work, ossai_path_tree *tree, uint32_t m, uint32_t parent)
{
	const uint32_t node = (uint32_t)tree->node_count++;
	tree->parent[node] = parent;
	tree->voxel[node] = work->medial->voxel[m];
	work->node[m] = node;
	work->deep.far[m] = INFINITY;
	OSSAI_TRY(ossai_search_reach(work->scratch, &work->deep, m, 0));
	return ossai_path_cover(work, node, m);
}

/* the way from an extreme point to the tree; `path` ends before the tree's voxel, which is the next one */
static ossa_status find_path(ossai_path_work *work, uint32_t extreme, size_t *count)
{
	OSSAI_TRY(walk_deep(work, extreme));
	*count = 0;
	uint32_t m = extreme;
	for (; work->node[m] == OSSA_NONE; m = work->from[m]) work->path[(*count)++] = m;
	work->path[*count] = m;
	return OSSA_OK;
}

/* ---- growing ---- */

ossa_status ossai_path_restart(ossai_path_work *work, ossai_path_tree *tree)
{
	const size_t count = work->medial->count;
	tree->node_count = 0;
	for (size_t m = 0; m < count; m++) work->from[m] = work->node[m] = OSSA_NONE;
	OSSAI_TRY(ossai_path_cover_begin(work));
	return ossai_search_begin(work->scratch, count, &work->deep);
}

/* how much of the end of a path goes; false where what is left is no limb */
static bool find_end(ossai_path_work *work, const ossai_path_tree *tree, bool judge, bool is_short, size_t count, size_t *idle)
{
	*idle = ossai_path_idle_end(work, is_short, count + 1, work->path);
	if (*idle >= count || ossai_path_runs_along(work, tree, count, work->path)) return false;
	return !judge || ossai_path_is_limb(work, tree, is_short, count + 1 - *idle, work->path + *idle);
}

/* joins an extreme point to the tree, where it is the end of a limb; `judge` false: whether it is or not */
static ossa_status add_path(ossai_path_work *work, ossai_path_tree *tree, uint32_t extreme, bool judge, bool *added)
{
	size_t count, idle;
	OSSAI_TRY(find_path(work, extreme, &count));
	*added = find_end(work, tree, judge, false, count, &idle);
	/* of a group the first alone may be a short one: others are beside it */
	if (!*added && work->group[extreme] == extreme && ossai_path_is_alone(work, extreme)) {
		*added = find_end(work, tree, judge, true, count, &idle);
	}
	if (!*added) return OSSA_OK;
	uint32_t parent = work->node[work->path[count]];
	for (size_t i = count; i-- > idle; parent = work->node[work->path[i]]) {
		OSSAI_TRY(ossai_path_add_node(work, tree, work->path[i], parent));
	}
	tree->path_count++;
	return ossai_path_walk_out(work);
}

static uint32_t farthest_extreme(const ossai_path_work *work)
{
	const double *far = work->out.far;
	uint32_t best = work->heart;
	for (size_t e = 0; e < work->extreme_count; e++) {
		if (far[work->extreme[e]] > far[best]) best = work->extreme[e];
	}
	return best;
}

/* the first two paths: from the heart to the extreme points farthest out, which are ends whatever they are like */
static ossa_status add_first_paths(ossai_path_work *work, double least, ossai_path_tree *tree)
{
	OSSAI_TRY(ossai_path_restart(work, tree));
	OSSAI_TRY(ossai_path_add_node(work, tree, work->heart, OSSA_NONE));
	OSSAI_TRY(ossai_path_walk_out(work));
	for (int i = 0; i < 2; i++) {
		const uint32_t extreme = farthest_extreme(work);
		bool added = work->out.far[extreme] > 0 && work->out.far[extreme] >= least;
		if (added) OSSAI_TRY(add_path(work, tree, extreme, false, &added));
		if (!added) break;
	}
	return OSSA_OK;
}

ossa_status ossai_path_grow(ossai_path_work *work, double least, ossai_path_tree *tree)
{
	const size_t extremes = work->extreme_count;
	ossai_heap waiting = {ossai_arena_new(work->scratch, extremes, sizeof *waiting.entries), extremes};
	uint8_t *served = ossai_arena_zero(work->scratch, work->medial->count, 1);
	if (!waiting.entries || !served) return ossa_context_error(work->scratch->context)->status;
	for (size_t e = 0; e < extremes; e++) {
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
		if (!(key < 0) || served[work->group[m]]) continue;
		OSSAI_TRY(ossai_progress(work->scratch->context, 0.3));
		bool added;
		OSSAI_TRY(add_path(work, tree, m, true, &added));
		served[work->group[m]] = added;
	}
	return OSSA_OK;
}

/* ---- all of it ---- */

/* places, radii and the heart */
static ossa_status finish_tree(ossai_arena *arena, ossai_path_work *work, ossai_path_tree *tree)
{
	const ossai_voxels *voxels = work->voxels;
	OSSAI_TRY(ossai_path_from_end(work, tree));
	OSSAI_TRY(ossai_path_reach_tips(arena, work, 0, tree));
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

ossa_status ossai_path_begin(ossai_path_work *work, ossai_path_tree *tree)
{
	const size_t count = work->medial->count;
	*tree = (ossai_path_tree){.parent = ossai_arena_new(work->scratch, count, sizeof *tree->parent),
		.voxel = ossai_arena_new(work->scratch, count, sizeof *tree->voxel)};
	work->from = ossai_arena_new(work->scratch, count, sizeof *work->from);
	work->node = ossai_arena_new(work->scratch, count, sizeof *work->node);
	work->ball = ossai_arena_new(work->scratch, count, sizeof *work->ball);
	work->path = ossai_arena_new(work->scratch, count + 1, sizeof *work->path);
	work->seen = ossai_arena_zero(work->scratch, count, sizeof *work->seen);
	work->queue = ossai_arena_new(work->scratch, count, sizeof *work->queue);
	if (!tree->parent || !tree->voxel || !work->from || !work->node || !work->ball || !work->path || !work->seen ||
		!work->queue) {
		return ossa_context_error(work->scratch->context)->status;
	}
	return ossai_path_link(work);
}

static ossa_status make(ossai_arena *arena, ossai_path_work *work, double closeness, ossai_path_tree *tree)
{
	ossa_context *context = arena->context;
	OSSAI_TRY(ossai_progress(context, 0));
	OSSAI_TRY(ossai_path_begin(work, tree));
	OSSAI_TRY(ossai_path_find_heart(work, closeness));
	const double least = closeness * work->heart_radius;
	OSSAI_TRY(add_first_paths(work, least, tree));
	OSSAI_TRY(ossai_path_grow(work, least, tree));
	return finish_tree(arena, work, tree);
}

ossa_status ossai_path_tree_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_path_work work = {.scratch = &scratch, .voxels = voxels, .medial = medial, .around = ossai_neighbors_of(voxels)};
	const ossa_status status = make(arena, &work, closeness, tree);
	ossai_arena_end(&scratch);
	return status;
}
