/* math/shortest_paths.c: see shortest_paths.h. */
#include "math/shortest_paths.h"

#include <ossa/mesh.h>

ossa_status ossai_edge_graph_of_points(ossai_arena *arena, size_t point_count, const double *points, size_t edge_count,
	const uint32_t *edge, ossai_edge_graph *graph)
{
	OSSAI_TRY(ossai_csr_of_edges(arena, point_count, edge_count, edge, &graph->neighbors));
	graph->length = ossai_arena_new(arena, edge_count, 2 * sizeof *graph->length);
	if (!graph->length) return ossa_context_error(arena->context)->status;
	const ossai_csr *c = &graph->neighbors;
	for (size_t v = 0; v < point_count; v++) {
		for (uint32_t i = c->start[v]; i < c->start[v + 1]; i++) {
			graph->length[i] = ossai_distance(ossai_v3_of(points + 3 * v), ossai_v3_of(points + 3 * (size_t)c->item[i]));
		}
	}
	return OSSA_OK;
}

ossa_status ossai_path_lengths_make(ossai_arena *arena, const ossai_edge_graph *graph, ossai_path_lengths *field)
{
	const size_t nodes = graph->neighbors.row_count;
	field->node_count = nodes;
	field->distance = ossai_arena_new(arena, nodes, sizeof *field->distance);
	field->source = ossai_arena_new(arena, nodes, sizeof *field->source);
	/* each node is left once, over each of its edges, and each may be a source */
	field->heap.entries = ossai_arena_new(arena, nodes + graph->neighbors.start[nodes], sizeof *field->heap.entries);
	if (!field->distance || !field->source || !field->heap.entries) return ossa_context_error(arena->context)->status;
	ossai_path_lengths_clear(field);
	return OSSA_OK;
}

void ossai_path_lengths_clear(ossai_path_lengths *field)
{
	for (size_t v = 0; v < field->node_count; v++) {
		field->distance[v] = INFINITY;
		field->source[v] = OSSA_NONE;
	}
	field->heap.count = 0;
}

static void lower_distance(ossai_path_lengths *field, uint32_t node, double distance, uint32_t source)
{
	if (!(distance < field->distance[node])) return;
	field->distance[node] = distance;
	field->source[node] = source;
	ossai_heap_push(&field->heap, distance, node);
}

void ossai_path_lengths_add(
	const ossai_edge_graph *graph, size_t count, const uint32_t *nodes, uint32_t first, ossai_path_lengths *field)
{
	const ossai_csr *c = &graph->neighbors;
	for (size_t i = 0; i < count; i++) lower_distance(field, nodes[i], 0, first + (uint32_t)i);
	while (field->heap.count > 0) {
		const ossai_heap_entry top = field->heap.entries[0];
		ossai_heap_pop(&field->heap);
		if (top.key > field->distance[top.item]) continue;
		for (uint32_t i = c->start[top.item]; i < c->start[top.item + 1]; i++) {
			lower_distance(field, c->item[i], top.key + graph->length[i], field->source[top.item]);
		}
	}
}
