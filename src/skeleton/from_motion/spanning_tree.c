/* skeleton/from_motion/spanning_tree.c: see spanning_tree.h. Kruskal's algorithm over the pairs,
   then parents from the root. */
#include "skeleton/from_motion/spanning_tree.h"

#include "base/heap.h"
#include "base/union_find.h"
#include "skeleton/from_motion/mirrored_graph.h"

typedef struct tree_build {
	const ossai_bone_graph *graph;
	const ossai_symmetry *symmetry; /* or NULL */
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

/* Whether two bones and their images can be connected at once: not a bone with its own image, and
   not where one edge connects what the other one does. */
static bool can_join_both(const tree_build *build, uint32_t a, uint32_t b)
{
	const ossai_symmetry *s = build->symmetry;
	const uint32_t image_a = s->image[a], image_b = s->image[b];
	const uint32_t set_a = ossai_union_find(build->set, a), set_b = ossai_union_find(build->set, b);
	const uint32_t other_a = ossai_union_find(build->set, image_a), other_b = ossai_union_find(build->set, image_b);
	if (image_a == b || set_a == set_b || other_a == other_b) return false;
	if (image_a == a && image_b == b) return true;
	return !(other_a == set_a && other_b == set_b) && !(other_a == set_b && other_b == set_a);
}

/* with_lone: pairs of which one bone is lone; else the others */
static void join_both(tree_build *build, uint32_t a, uint32_t b, uint32_t pair, bool with_lone)
{
	const ossai_symmetry *s = build->symmetry;
	const bool is_lone = ossai_is_lone(s, a) || ossai_is_lone(s, b);
	if (is_lone && with_lone) join(build, a, b, pair);
	if (is_lone || with_lone || !can_join_both(build, a, b)) return;
	join(build, a, b, pair);
	const uint32_t image = pair == OSSA_NONE ? pair : ossai_bone_graph_find(build->graph, s->image[a], s->image[b]);
	join(build, s->image[a], s->image[b], image);
}

static void span(tree_build *build, ossai_heap *heap, const double *cost, bool with_lone)
{
	const ossai_bone_graph *graph = build->graph;
	heap->count = graph->pair_count;
	for (uint32_t i = 0; i < graph->pair_count; i++) heap->entries[i] = (ossai_heap_entry){cost[i], i};
	for (ossai_heap_build(heap); heap->count > 0; ossai_heap_pop(heap)) {
		const uint32_t pair = heap->entries[0].item;
		if (build->symmetry) join_both(build, graph->pairs[pair].a, graph->pairs[pair].b, pair, with_lone);
		else join(build, graph->pairs[pair].a, graph->pairs[pair].b, pair);
	}
}

/* whether span_rest may connect two bones */
static bool may_join(const tree_build *build, uint32_t a, uint32_t b, bool with_lone)
{
	const ossai_symmetry *s = build->symmetry;
	if (!s) return ossai_union_find(build->set, a) != ossai_union_find(build->set, b);
	const bool is_lone = ossai_is_lone(s, a) || ossai_is_lone(s, b);
	if (is_lone || with_lone) return with_lone && ossai_union_find(build->set, a) != ossai_union_find(build->set, b);
	return can_join_both(build, a, b);
}

/* the edges of a tree over these bones */
static size_t count_edges(const tree_build *build, bool with_lone)
{
	size_t lone = 0;
	for (uint32_t b = 0; build->symmetry && !with_lone && b < build->graph->bone_count; b++)
		lone += ossai_is_lone(build->symmetry, b);
	return build->graph->bone_count - lone - 1;
}

/* connects components that no pair connects, nearest centers first */
static void span_rest(tree_build *build, bool with_lone)
{
	const ossai_bone_graph *graph = build->graph;
	const size_t edges = count_edges(build, with_lone);
	while (build->edge_count < edges) {
		uint32_t best_a = 0, best_b = 0;
		double best = INFINITY;
		for (uint32_t a = 0; a < graph->bone_count; a++) {
			for (uint32_t b = a + 1; b < graph->bone_count; b++) {
				const double distance = ossai_distance(graph->center[a], graph->center[b]);
				if (!(distance < best) || !may_join(build, a, b, with_lone)) continue;
				best = distance;
				best_a = a;
				best_b = b;
			}
		}
		if (build->symmetry) join_both(build, best_a, best_b, OSSA_NONE, with_lone);
		else join(build, best_a, best_b, OSSA_NONE);
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

ossa_status ossai_spanning_tree_make(ossai_arena *arena, const ossai_bone_graph *graph, const double *cost, uint32_t root,
	const ossai_symmetry *symmetry, ossai_tree *tree)
{
	const size_t n = graph->bone_count;
	OSSAI_TRY(ossai_tree_new(arena, n, tree));
	ossai_arena temporary = ossai_arena_begin(arena->context);
	tree_build build = {.graph = graph, .symmetry = symmetry, .tree = tree};
	build.set = ossai_arena_new(&temporary, n, sizeof *build.set);
	build.edges = ossai_arena_new(&temporary, n, sizeof *build.edges);
	build.done = ossai_arena_zero(&temporary, n, sizeof *build.done);
	ossai_heap heap = {ossai_arena_new(&temporary, graph->pair_count, sizeof(ossai_heap_entry)), 0};
	const bool ready = build.set && build.edges && build.done && heap.entries;
	if (ready) {
		ossai_union_begin(build.set, n);
		for (int with_lone = symmetry ? 0 : 1; with_lone < 2; with_lone++) {
			span(&build, &heap, cost, with_lone);
			span_rest(&build, with_lone);
		}
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
	const ossai_symmetry *s = surface->symmetry;
	uint32_t best = 0;
	while (s && best + 1 < graph->bone_count && !ossai_is_central(s, best)) best++;
	for (uint32_t b = best + 1; b < graph->bone_count; b++) {
		if (s && !ossai_is_central(s, b)) continue;
		const bool nearer = ossai_distance(graph->center[b], center) < ossai_distance(graph->center[best], center);
		if (graph->area[b] > 0 && (nearer || !(graph->area[best] > 0))) best = b;
	}
	return best;
}
