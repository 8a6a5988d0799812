/* medial/skeletal_graph.c: see skeletal_graph.h. */
#include "medial/skeletal_graph.h"

#include "base/heap.h"
#include "curve/chains.h"

#include <ossa/mesh.h>
#include <stdlib.h>

ossai_skeletal_options ossai_skeletal_options_default(void)
{
	return (ossai_skeletal_options){.min_fraction = 0.1, .max_fraction = 0.3, .tolerance = 0.02};
}

ossa_status ossai_skeletal_options_check(ossa_context *context, const ossai_skeletal_options *o)
{
	if (!(o->min_fraction >= 0) || !(o->max_fraction >= 0) || !(o->tolerance >= 0)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"min-fraction (%g), max-fraction (%g) and tolerance (%g) of a skeletal graph must be 0 or more", o->min_fraction,
			o->max_fraction, o->tolerance);
	}
	if (o->min_fraction <= o->max_fraction) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"min-fraction (%g), below which no segment is split, is above max-fraction (%g), above which each is: lower the first "
		"or raise the second",
		o->min_fraction, o->max_fraction);
}

/* ---- stretches ---- */

/* A part of a chain that is approximated by one edge. */
typedef struct stretch {
	uint32_t begin, end; /* its first and last point in the list of all chains */
	uint32_t order;      /* of its last point: 0, or when the split was made */
	/* the point farthest from the edge; `begin`: there is none between the ends */
	uint32_t worst;
	double error; /* its distance */
} stretch;

typedef struct splitter {
	const ossai_path_tree *tree;
	ossai_curve_chains chains;
	double *arc; /* of the points of all chains, from the beginning of their chain */
	double lower, upper, tolerance;
	stretch *list;
	size_t count;
	ossai_heap heap; /* stretches to split, the worst first; key: - error */
} splitter;

static ossai_vec3 point_of(const splitter *s, uint32_t point) { return s->tree->node[s->chains.node[point]]; }

/* finds the point farthest from the edge; of several the one nearest to the middle of the
   stretch */
static void measure(const splitter *s, stretch *one)
{
	const ossai_vec3 from = point_of(s, one->begin), to = point_of(s, one->end);
	const double center = (s->arc[one->begin] + s->arc[one->end]) / 2;
	double off_center = INFINITY;
	one->worst = one->begin;
	one->error = 0;
	for (uint32_t i = one->begin + 1; i < one->end; i++) {
		const ossai_vec3 point = point_of(s, i);
		const double error = ossai_distance(ossai_nearest_on_segment(from, to, point), point), off = fabs(s->arc[i] - center);
		if (error < one->error || (error == one->error && off >= off_center)) continue;
		one->error = error;
		one->worst = i;
		off_center = off;
	}
}

/* a stretch goes into the heap if the paper's rule splits it */
static void offer(splitter *s, uint32_t number)
{
	const stretch *one = &s->list[number];
	const double length = s->arc[one->end] - s->arc[one->begin];
	if (one->worst == one->begin || length < s->lower) return;
	if (length > s->upper || one->error > s->tolerance) ossai_heap_push(&s->heap, -one->error, number);
}

static void add(splitter *s, uint32_t begin, uint32_t end, uint32_t order)
{
	stretch *one = &s->list[s->count];
	*one = (stretch){.begin = begin, .end = end, .order = order};
	measure(s, one);
	offer(s, (uint32_t)s->count++);
}

static void split_all(splitter *s, size_t most)
{
	for (uint32_t order = 1; s->heap.count > 0 && (most == 0 || s->count < most); order++) {
		const uint32_t number = s->heap.entries[0].item;
		ossai_heap_pop(&s->heap);
		stretch *one = &s->list[number];
		const uint32_t end = one->end, last = one->order;
		one->end = one->worst;
		one->order = order;
		measure(s, one);
		offer(s, number);
		add(s, one->end, end, last);
	}
}

static int by_begin(const void *x, const void *y)
{
	const stretch *a = x, *b = y;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* ---- chains ---- */

/* the tree as a curve, from whose chains edges are made */
static ossa_status make_chains(ossai_arena *scratch, splitter *s)
{
	const ossai_path_tree *tree = s->tree;
	ossai_curve curve = {.node_count = tree->node_count, .node = tree->node};
	curve.edge = ossai_arena_new(scratch, tree->node_count, 2 * sizeof *curve.edge);
	if (!curve.edge) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 1; i < tree->node_count; i++) {
		curve.edge[2 * curve.edge_count] = tree->parent[i];
		curve.edge[2 * curve.edge_count++ + 1] = i;
	}
	OSSAI_TRY(ossai_curve_sort_edges(scratch, &curve));
	return ossai_curve_chains_make(scratch, &curve, 0, &s->chains);
}

static ossa_status make_stretches(ossai_arena *scratch, splitter *s)
{
	OSSAI_TRY(make_chains(scratch, s));
	const size_t points = 2 * s->tree->node_count;
	s->arc = ossai_arena_new(scratch, points, sizeof *s->arc);
	/* an edge between every two points at most */
	s->list = ossai_arena_new(scratch, points, sizeof *s->list);
	s->heap.entries = ossai_arena_new(scratch, points, sizeof *s->heap.entries);
	if (!s->arc || !s->list || !s->heap.entries) return ossa_context_error(scratch->context)->status;
	for (size_t c = 0; c < s->chains.count; c++) {
		const ossai_curve_chain *chain = &s->chains.chain[c];
		s->arc[chain->first] = 0;
		for (uint32_t i = chain->first + 1; i < chain->first + chain->count; i++)
			s->arc[i] = s->arc[i - 1] + ossai_distance(point_of(s, i - 1), point_of(s, i));
		add(s, chain->first, chain->first + chain->count - 1, 0);
	}
	return OSSA_OK;
}

/* ---- the graph ---- */

static ossa_status take_arrays(ossai_arena *arena, size_t edges, size_t nodes, ossai_skeletal_graph *graph)
{
	*graph = (ossai_skeletal_graph){.edge_count = edges};
	graph->edge = ossai_arena_new(arena, edges, 2 * sizeof *graph->edge);
	graph->order = ossai_arena_new(arena, edges, sizeof *graph->order);
	graph->error = ossai_arena_new(arena, edges, sizeof *graph->error);
	graph->edge_of_node = ossai_arena_new(arena, nodes, sizeof *graph->edge_of_node);
	graph->is_vertex = ossai_arena_zero(arena, nodes, sizeof *graph->is_vertex);
	const bool all = graph->edge && graph->order && graph->error && graph->edge_of_node && graph->is_vertex;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void fill_edges(const splitter *s, ossai_skeletal_graph *graph)
{
	const uint32_t *node = s->chains.node;
	for (uint32_t e = 0; e < graph->edge_count; e++) {
		const stretch *one = &s->list[e];
		const uint32_t first = node[one->begin], second = node[one->end];
		graph->edge[2 * (size_t)e] = first;
		graph->edge[2 * (size_t)e + 1] = second;
		graph->order[e] = one->order;
		graph->error[e] = one->error;
		for (uint32_t i = one->begin + 1; i < one->end; i++) graph->edge_of_node[node[i]] = e;
		/* parents come first: the edge that ends at a vertex before those that begin there */
		if (graph->edge_of_node[first] == OSSA_NONE) graph->edge_of_node[first] = e;
		graph->edge_of_node[second] = e;
		graph->is_vertex[first] = graph->is_vertex[second] = 1;
	}
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, const ossai_path_tree *tree,
	const ossai_skeletal_options *options, ossai_skeletal_graph *graph)
{
	splitter s = {.tree = tree,
		.lower = options->min_fraction * tree->heart_radius,
		.upper = options->max_fraction * tree->heart_radius,
		.tolerance = options->tolerance * tree->heart_radius};
	OSSAI_TRY(make_stretches(scratch, &s));
	split_all(&s, options->segments);
	qsort(s.list, s.count, sizeof *s.list, by_begin);
	OSSAI_TRY(take_arrays(arena, s.count, tree->node_count, graph));
	for (uint32_t i = 0; i < tree->node_count; i++) graph->edge_of_node[i] = OSSA_NONE;
	fill_edges(&s, graph);
	if (s.count == 0) graph->is_vertex[0] = 1;
	return OSSA_OK;
}

ossa_status ossai_skeletal_graph_make(
	ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_options *options, ossai_skeletal_graph *graph)
{
	OSSAI_TRY(ossai_skeletal_options_check(arena->context, options));
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = make(arena, &scratch, tree, options, graph);
	ossai_arena_end(&scratch);
	return status;
}
