/* math/shortest_paths.c: see shortest_paths.h. */
#include "math/shortest_paths.h"

#include <ossa/mesh.h>
#include <string.h>

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

/* ---- lengths alone, in bands of distance ---- */

enum { IN_NEXT = 1, IN_FAR = 2 };

ossa_status ossai_path_front_make(ossai_arena *arena, const ossai_edge_graph *graph, ossai_path_front *front)
{
	const size_t nodes = graph->neighbors.row_count, edges = graph->neighbors.start[nodes];
	double sum = 0;
	for (size_t i = 0; i < edges; i++) sum += graph->length[i];
	front->width = edges > 0 ? sum / (double)edges : 0;
	front->near = ossai_arena_new(arena, nodes, sizeof *front->near);
	front->next = ossai_arena_new(arena, nodes, sizeof *front->next);
	front->far = ossai_arena_new(arena, nodes, sizeof *front->far);
	front->listed = ossai_arena_new(arena, nodes, 1);
	const bool all = front->near && front->next && front->far && front->listed;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* A front while it spreads. */
typedef struct spreading {
	const ossai_edge_graph *graph;
	double *distance;
	double end; /* of the band */
	ossai_path_front *front;
	size_t near_count, next_count, far_count;
} spreading;

/* over the edges of a node, to nodes of this band or of later ones */
static void leave(spreading *s, uint32_t node)
{
	const ossai_csr *c = &s->graph->neighbors;
	const double distance = s->distance[node];
	for (uint32_t i = c->start[node]; i < c->start[node + 1]; i++) {
		const uint32_t to = c->item[i];
		const double length = distance + s->graph->length[i];
		if (!(length < s->distance[to])) continue;
		s->distance[to] = length;
		const uint8_t list = length < s->end ? IN_NEXT : IN_FAR;
		if (s->front->listed[to] & list) continue;
		s->front->listed[to] |= list;
		if (list == IN_NEXT) s->front->next[s->next_count++] = to;
		else s->front->far[s->far_count++] = to;
	}
}

/* the nodes of one band, until none of them gets nearer */
static void spread_near(spreading *s)
{
	ossai_path_front *f = s->front;
	while (s->near_count > 0) {
		s->next_count = 0;
		for (size_t i = 0; i < s->near_count; i++) {
			f->listed[f->near[i]] &= (uint8_t)~IN_NEXT;
			leave(s, f->near[i]);
		}
		uint32_t *swap = f->near;
		f->near = f->next;
		f->next = swap;
		s->near_count = s->next_count;
	}
}

/* the next band, from the nearest node that is left; those that got into an earlier one are done */
static void take_band(spreading *s)
{
	ossai_path_front *f = s->front;
	const double begin = s->end;
	double least = INFINITY;
	size_t kept = 0;
	for (size_t i = 0; i < s->far_count; i++) {
		const uint32_t v = f->far[i];
		f->listed[v] = 0;
		if (s->distance[v] < begin) continue;
		least = s->distance[v] < least ? s->distance[v] : least;
		f->far[kept++] = v;
	}
	s->end = least + f->width;
	s->far_count = 0;
	for (size_t i = 0; i < kept; i++) {
		const uint32_t v = f->far[i];
		const bool is_near = s->distance[v] < s->end || s->distance[v] == least;
		f->listed[v] = is_near ? IN_NEXT : IN_FAR;
		if (is_near) f->near[s->near_count++] = v;
		else f->far[s->far_count++] = v;
	}
}

void ossai_path_lengths_from(const ossai_edge_graph *graph, uint32_t from, ossai_path_front *front, double *distance)
{
	const size_t nodes = graph->neighbors.row_count;
	spreading s = {.graph = graph, .distance = distance, .end = 0, .front = front};
	for (size_t v = 0; v < nodes; v++) distance[v] = INFINITY;
	memset(front->listed, 0, nodes);
	distance[from] = 0;
	front->far[s.far_count++] = from;
	while (s.far_count > 0) {
		take_band(&s);
		spread_near(&s);
	}
}
