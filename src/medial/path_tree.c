/* medial/path_tree.c: see path_tree.h.

   Three searches over the medial voxels, all by Dijkstra's algorithm: paths from the heart, once;
   distances from the voxels covered by the tree's balls, and the deepest paths to the tree, which
   both continue when a path is added.
   As published the weight of a path is that of its voxels; from the heart and to places it counts
   with the length of steps, for all paths of as many steps would be equally good on level
   ground. */
#include "medial/path_work.h"

#include <ossa/mesh.h>
#include <string.h>

/* the weight of a step from one medial voxel to the next; as published it is that of the next
   alone, 1 / depth^3 */
static double weight_of_step(const ossai_path_work *work, double weight_here, double there, uint8_t step)
{
	const double weight_there = 1 / (there * there * there);
	return work->by_length ? work->around.length[step] * (0.5 * weight_here + 0.5 * weight_there) : weight_there;
}

/* continues the search from the tree, deepest paths first, until the best one to m is known */
static ossa_status walk_deep(ossai_path_work *work, uint32_t wanted)
{
	ossai_search *s = &work->deep;
	while (s->heap.count > 0 && s->heap.entries[0].key < s->distance[wanted]) {
		uint32_t m;
		if (!ossai_search_settle(s, &m)) break;
		const double here = ossai_path_depth(work, m), weight_here = 1 / (here * here * here);
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			const double distance = s->distance[m] +
				weight_of_step(work, weight_here, ossai_path_depth(work, u), work->step[i]);
			if (distance >= s->distance[u]) continue;
			work->from[u] = m;
			OSSAI_TRY(ossai_search_reach(work->scratch, s, u, distance));
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
	work->deep.distance[m] = INFINITY;
	OSSAI_TRY(ossai_search_reach(work->scratch, &work->deep, m, 0));
	return ossai_path_cover(work, node, m);
}

/* the path from an extreme point to the tree; `path` ends before the tree's voxel, which is the
   next one */
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

/* joins a medial voxel to the tree along the deepest path; false where it lies on the tree
   already */
static ossa_status add_path(ossai_path_work *work, ossai_path_tree *tree, uint32_t from, bool *added)
{
	size_t count;
	OSSAI_TRY(find_path(work, from, &count));
	*added = count > 0;
	uint32_t parent = work->node[work->path[count]];
	for (size_t i = count; i-- > 0; parent = work->node[work->path[i]]) {
		OSSAI_TRY(ossai_path_add_node(work, tree, work->path[i], parent));
	}
	tree->path_count += *added;
	return OSSA_OK;
}

static uint32_t farthest_extreme(const ossai_path_work *work)
{
	const double *distance = work->out.distance;
	uint32_t best = work->heart;
	for (size_t e = 0; e < work->extreme_count; e++) {
		if (distance[work->extreme[e]] > distance[best]) best = work->extreme[e];
	}
	return best;
}

/* the first two paths: from the heart to the farthest extreme points, which are always ends */
static ossa_status add_first_paths(ossai_path_work *work, double least, ossai_path_tree *tree)
{
	OSSAI_TRY(ossai_path_restart(work, tree));
	OSSAI_TRY(ossai_path_add_node(work, tree, work->heart, OSSA_NONE));
	OSSAI_TRY(ossai_path_walk_out(work));
	for (int i = 0; i < 2; i++) {
		const uint32_t extreme = farthest_extreme(work);
		bool added = work->out.distance[extreme] > 0 && work->out.distance[extreme] >= least;
		if (added) OSSAI_TRY(add_path(work, tree, extreme, &added));
		if (!added) break;
		OSSAI_TRY(ossai_path_walk_out(work));
	}
	return OSSA_OK;
}

/* adds paths to extreme points, the one farthest out first, as long as they are `least` out: one
   for each group */
static ossa_status grow(ossai_path_work *work, double least, ossai_path_tree *tree)
{
	const size_t extremes = work->extreme_count;
	ossai_heap waiting = {ossai_arena_new(work->scratch, extremes, sizeof *waiting.entries), extremes};
	uint8_t *served = ossai_arena_zero(work->scratch, work->medial->count, 1);
	if (!waiting.entries || !served) return ossa_context_error(work->scratch->context)->status;
	for (size_t e = 0; e < extremes; e++) {
		waiting.entries[e] = (ossai_heap_entry){-work->out.distance[work->extreme[e]], work->extreme[e]};
	}
	ossai_heap_build(&waiting);
	while (waiting.count > 0 && -waiting.entries[0].key >= least) {
		const uint32_t m = waiting.entries[0].item;
		const double key = -work->out.distance[m];
		/* a point whose distance has decreased since is put back */
		if (key != waiting.entries[0].key) {
			ossai_heap_replace_top(&waiting, key);
			continue;
		}
		ossai_heap_pop(&waiting);
		if (!(key < 0) || served[work->group[m]]) continue;
		OSSAI_TRY(ossai_progress(work->scratch->context, 0.3));
		bool added;
		OSSAI_TRY(add_path(work, tree, m, &added));
		if (added) OSSAI_TRY(ossai_path_walk_out(work));
		served[work->group[m]] = added;
	}
	return OSSA_OK;
}

/* ---- all of it ---- */

/* `from` in memory that outlives the work */
static uint32_t *copy_numbers(ossai_arena *arena, size_t count, const uint32_t *from)
{
	uint32_t *to = ossai_arena_new(arena, count, sizeof *to);
	if (to && count > 0) memcpy(to, from, count * sizeof *to);
	return to;
}

/* positions, radii and the heart */
static ossa_status finish_tree(ossai_arena *arena, ossai_path_work *work, ossai_path_tree *tree)
{
	const ossai_voxels *voxels = work->voxels;
	tree->node = ossai_arena_new(arena, tree->node_count, sizeof *tree->node);
	tree->radius = ossai_arena_new(arena, tree->node_count, sizeof *tree->radius);
	tree->extreme = ossai_arena_new(arena, work->extreme_count, sizeof *tree->extreme);
	tree->parent = copy_numbers(arena, tree->node_count, tree->parent);
	tree->voxel = copy_numbers(arena, tree->node_count, tree->voxel);
	if (!tree->node || !tree->radius || !tree->extreme || !tree->parent || !tree->voxel)
		return ossa_context_error(arena->context)->status;
	const ossai_vec3 heart = ossai_voxel_center(voxels, work->medial->voxel[work->heart]);
	double nearest = INFINITY;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		tree->node[i] = ossai_voxel_center(voxels, tree->voxel[i]);
		tree->radius[i] = sqrt(voxels->distance2[tree->voxel[i]]) * voxels->step;
		const double distance = ossai_length2(ossai_sub(tree->node[i], heart));
		if (!(distance < nearest)) continue;
		nearest = distance;
		tree->heart = i;
	}
	tree->heart_radius = work->heart_radius * voxels->step;
	tree->heart_voxel = work->medial->voxel[work->heart];
	tree->extreme_count = work->extreme_count;
	for (size_t e = 0; e < work->extreme_count; e++) tree->extreme[e] = work->medial->voxel[work->extreme[e]];
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
	if (!tree->parent || !tree->voxel || !work->from || !work->node || !work->ball || !work->path) {
		return ossa_context_error(work->scratch->context)->status;
	}
	return ossai_path_link(work);
}

/* as published: from the extreme point that is farthest from the heart */
static ossa_status make(ossai_arena *arena, ossai_path_work *work, double closeness, ossai_path_tree *tree)
{
	OSSAI_TRY(ossai_progress(arena->context, 0));
	OSSAI_TRY(ossai_path_begin(work, tree));
	OSSAI_TRY(ossai_path_find_heart(work));
	OSSAI_TRY(ossai_path_find_extremes(work, 0));
	OSSAI_TRY(ossai_path_restart(work, tree));
	OSSAI_TRY(ossai_path_add_node(work, tree, work->order[0], OSSA_NONE));
	OSSAI_TRY(ossai_path_walk_out(work));
	OSSAI_TRY(grow(work, closeness * work->heart_radius, tree));
	return finish_tree(arena, work, tree);
}

static ossa_status make_from_heart(ossai_arena *arena, ossai_path_work *work, double closeness, ossai_path_tree *tree)
{
	OSSAI_TRY(ossai_progress(arena->context, 0));
	OSSAI_TRY(ossai_path_begin(work, tree));
	OSSAI_TRY(ossai_path_find_heart(work));
	const double least = closeness * work->heart_radius;
	OSSAI_TRY(ossai_path_find_extremes(work, least));
	OSSAI_TRY(add_first_paths(work, least, tree));
	OSSAI_TRY(grow(work, least, tree));
	OSSAI_TRY(ossai_path_from_end(work, tree));
	return finish_tree(arena, work, tree);
}

static ossai_path_work begin_work(ossai_arena *scratch, const ossai_voxels *voxels, const ossai_medial *medial, bool by_length)
{
	return (ossai_path_work){
		.scratch = scratch, .voxels = voxels, .medial = medial, .around = ossai_neighbors_of(voxels), .by_length = by_length};
}

ossa_status ossai_path_tree_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_path_work work = begin_work(&scratch, voxels, medial, false);
	const ossa_status status = make(arena, &work, closeness, tree);
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_path_tree_from_heart(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_path_work work = begin_work(&scratch, voxels, medial, true);
	const ossa_status status = make_from_heart(arena, &work, closeness, tree);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- to places ---- */

/* the medial voxel nearest to a place of those that can be reached from the heart */
static uint32_t nearest_medial(const ossai_path_work *work, ossai_vec3 target)
{
	const ossai_vec3 cell = ossai_scale(ossai_sub(target, work->voxels->origin), 1 / work->voxels->step);
	uint32_t best = work->heart;
	double nearest = INFINITY;
	for (uint32_t m = 0; m < work->medial->count; m++) {
		const double distance2 = ossai_length2(ossai_sub(ossai_path_cell(work, work->medial->voxel[m]), cell));
		if (!(distance2 < nearest) || !isfinite(work->from_heart.distance[m])) continue;
		nearest = distance2;
		best = m;
	}
	return best;
}

static ossa_status make_to(
	ossai_arena *arena, ossai_path_work *work, size_t count, const ossai_vec3 *target, ossai_path_tree *tree)
{
	OSSAI_TRY(ossai_path_begin(work, tree));
	OSSAI_TRY(ossai_path_find_heart(work));
	OSSAI_TRY(ossai_path_restart(work, tree));
	OSSAI_TRY(ossai_path_add_node(work, tree, work->heart, OSSA_NONE));
	for (size_t i = 0; i < count; i++) {
		OSSAI_TRY(ossai_progress(arena->context, (double)i / (double)count));
		bool added;
		OSSAI_TRY(add_path(work, tree, nearest_medial(work, target[i]), &added));
	}
	OSSAI_TRY(ossai_path_from_end(work, tree));
	return finish_tree(arena, work, tree);
}

ossa_status ossai_path_tree_to(ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, size_t count,
	const ossai_vec3 *target, ossai_path_tree *tree)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_path_work work = begin_work(&scratch, voxels, medial, true);
	const ossa_status status = make_to(arena, &work, count, target, tree);
	ossai_arena_end(&scratch);
	return status;
}
