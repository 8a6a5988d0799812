/* medial/skeletal_graph.c: see skeletal_graph.h. */
#include "medial/skeletal_graph.h"

#include "medial/chain_splits.h"

#include <ossa/mesh.h>

ossai_skeletal_options ossai_skeletal_options_default(void)
{
	return (ossai_skeletal_options){.min_fraction = 0.1, .max_fraction = 0.3, .tolerance = 0.03};
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

static ossa_status take_arrays(ossai_arena *arena, size_t edges, size_t nodes, ossai_skeletal_graph *graph)
{
	*graph = (ossai_skeletal_graph){.edge_count = edges};
	graph->edge = ossai_arena_new(arena, edges, 2 * sizeof *graph->edge);
	graph->order = ossai_arena_new(arena, edges, sizeof *graph->order);
	graph->error = ossai_arena_new(arena, edges, sizeof *graph->error);
	graph->edge_of_node = ossai_arena_new(arena, nodes, sizeof *graph->edge_of_node);
	graph->vertex_of_node = ossai_arena_new(arena, nodes, sizeof *graph->vertex_of_node);
	const bool all = graph->edge && graph->order && graph->error && graph->edge_of_node && graph->vertex_of_node;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void fill_edges(const ossai_graph_chains *chains, const ossai_stretch *stretches, ossai_skeletal_graph *graph)
{
	for (uint32_t e = 0; e < graph->edge_count; e++) {
		const ossai_stretch *s = &stretches[e];
		const uint32_t first = chains->node[s->begin], second = chains->node[s->end];
		graph->edge[2 * e] = first;
		graph->edge[2 * e + 1] = second;
		graph->order[e] = s->order;
		graph->error[e] = s->error;
		for (uint32_t i = s->begin + 1; i < s->end; i++) graph->edge_of_node[chains->node[i]] = e;
		/* parents come first: the edge that ends at a vertex before those that begin there */
		if (graph->edge_of_node[first] == OSSA_NONE) graph->edge_of_node[first] = e;
		graph->edge_of_node[second] = e;
		graph->vertex_of_node[first] = first;
		graph->vertex_of_node[second] = second;
	}
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, const ossai_path_tree *tree, const ossai_mirror *mirror,
	const ossai_skeletal_options *options, ossai_skeletal_graph *graph)
{
	ossai_tree_ways ways;
	ossai_graph_chains chains;
	ossai_stretch *stretches;
	size_t count;
	uint32_t *into = ossai_arena_new(scratch, tree->node_count, sizeof *into);
	if (!into) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_tree_ways_make(scratch, tree, &ways));
	for (uint32_t i = 0; i < tree->node_count; i++) into[i] = i;
	if (options->refine) OSSAI_TRY(ossai_junctions_merge(scratch, tree, &ways, into));
	OSSAI_TRY(ossai_graph_chains_make(scratch, tree, &ways, into, &chains));
	if (options->refine && mirror && mirror->exists) OSSAI_TRY(ossai_graph_chains_match(scratch, tree, mirror, &chains));
	OSSAI_TRY(ossai_chain_splits_make(scratch, tree, &chains, options, &count, &stretches));
	OSSAI_TRY(take_arrays(arena, count, tree->node_count, graph));
	for (uint32_t i = 0; i < tree->node_count; i++) graph->edge_of_node[i] = graph->vertex_of_node[i] = OSSA_NONE;
	fill_edges(&chains, stretches, graph);
	/* what was joined is where its branching is */
	for (uint32_t i = 0; i < tree->node_count; i++) {
		if (into[i] == i) continue;
		graph->edge_of_node[i] = graph->edge_of_node[into[i]];
		graph->vertex_of_node[i] = into[i];
	}
	if (count == 0) graph->vertex_of_node[0] = 0;
	return OSSA_OK;
}

ossa_status ossai_skeletal_graph_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_mirror *mirror,
	const ossai_skeletal_options *options, ossai_skeletal_graph *graph)
{
	OSSAI_TRY(ossai_skeletal_options_check(arena->context, options));
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = make(arena, &scratch, tree, mirror, options, graph);
	ossai_arena_end(&scratch);
	return status;
}
