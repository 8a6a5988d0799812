/* skeleton/from_motion/spanning_tree.c: see spanning_tree.h. Kruskal's algorithm over the pairs,
   then parents from the root. */
#include "skeleton/from_motion/spanning_tree.h"

#include "base/heap.h"
#include "base/union_find.h"

typedef struct tree_build {
	const ossai_bone_graph *graph;
	ossai_tree *tree;
	uint32_t *set;        /* B: union-find */
	uint32_t (*edges)[3]; /* B - 1: bone, bone, pair */
	size_t edge_count;
	uint8_t *done;
} tree_build;

static void join(tree_build *build, uint32_t a, uint32_t b, uint32_t pair)
{
	if (!ossai_union_join(build->set, a, b)) return;
	build->edges[build->edge_count][0] = a;
	build->edges[build->edge_count][1] = b;
	build->edges[build->edge_count++][2] = pair;
}

static void span(tree_build *build, ossai_heap *heap, const double *cost)
{
	const ossai_bone_graph *graph = build->graph;
	heap->count = graph->pair_count;
	for (uint32_t i = 0; i < graph->pair_count; i++) heap->entries[i] = (ossai_heap_entry){cost[i], i};
	for (ossai_heap_build(heap); heap->count > 0; ossai_heap_pop(heap)) {
		const uint32_t pair = heap->entries[0].item;
		join(build, graph->pairs[pair].a, graph->pairs[pair].b, pair);
	}
}

/* connects components that no pair connects, nearest centers first */
static void span_rest(tree_build *build)
{
	const ossai_bone_graph *graph = build->graph;
	while (build->edge_count + 1 < graph->bone_count) {
		uint32_t best_a = 0, best_b = 0;
		double best = INFINITY;
		for (uint32_t a = 0; a < graph->bone_count; a++) {
			for (uint32_t b = a + 1; b < graph->bone_count; b++) {
				const double distance = ossai_distance(graph->center[a], graph->center[b]);
				if (!(distance < best) || ossai_union_find(build->set, a) == ossai_union_find(build->set, b)) continue;
				best = distance;
				best_a = a;
				best_b = b;
			}
		}
		join(build, best_a, best_b, OSSA_NONE);
	}
}

/* breadth first from the root */
static void set_parents(tree_build *build, uint32_t root)
{
	ossai_tree *tree = build->tree;
	size_t count = 1;
	tree->root = tree->order[0] = root;
	tree->parent[root] = tree->pair[root] = OSSA_NONE;
	build->done[root] = 1;
	for (size_t at = 0; at < count; at++) {
		const uint32_t bone = tree->order[at];
		for (size_t i = 0; i < build->edge_count; i++) {
			const uint32_t *edge = build->edges[i];
			if (edge[0] != bone && edge[1] != bone) continue;
			const uint32_t other = edge[0] == bone ? edge[1] : edge[0];
			if (build->done[other]) continue;
			build->done[other] = 1;
			tree->parent[other] = bone;
			tree->pair[other] = edge[2];
			tree->order[count++] = other;
		}
	}
	ossai_tree_sort(tree);
}

ossa_status ossai_spanning_tree_make(
	ossai_arena *arena, const ossai_bone_graph *graph, const double *cost, uint32_t root, ossai_tree *tree)
{
	const size_t n = graph->bone_count;
	OSSAI_TRY(ossai_tree_new(arena, n, tree));
	ossai_arena temporary = ossai_arena_begin(arena->context);
	tree_build build = {.graph = graph, .tree = tree};
	build.set = ossai_arena_new(&temporary, n, sizeof *build.set);
	build.edges = ossai_arena_new(&temporary, n, sizeof *build.edges);
	build.done = ossai_arena_zero(&temporary, n, sizeof *build.done);
	ossai_heap heap = {ossai_arena_new(&temporary, graph->pair_count, sizeof(ossai_heap_entry)), 0};
	const bool ready = build.set && build.edges && build.done && heap.entries;
	if (ready) {
		ossai_union_begin(build.set, n);
		span(&build, &heap, cost);
		span_rest(&build);
		set_parents(&build, root);
	}
	ossai_arena_end(&temporary);
	return ready ? OSSA_OK : ossa_context_error(arena->context)->status;
}

uint32_t ossai_spanning_tree_root(const ossai_posed_surface *surface, const ossai_bone_graph *graph)
{
	ossai_vec3 center = {0, 0, 0};
	for (size_t v = 0; v < surface->vertex_count; v++) {
		center = ossai_madd(center, surface->vertex_area[v], ossai_rest_point(surface, v));
	}
	center = ossai_scale(center, surface->area > 0 ? 1 / surface->area : 0);
	uint32_t best = 0;
	for (uint32_t b = 1; b < graph->bone_count; b++) {
		const bool nearer = ossai_distance(graph->center[b], center) < ossai_distance(graph->center[best], center);
		if (graph->area[b] > 0 && (nearer || !(graph->area[best] > 0))) best = b;
	}
	return best;
}
