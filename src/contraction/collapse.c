/* contraction/collapse.c: see collapse.h.

   Three passes run over one graph. First edges shorter than the merge distance collapse. Then the
   cheapest edges that still have a face collapse until no face is left. Then the cheapest edges of
   the curve collapse until as few nodes are left as asked for. As printed there are two: after the
   short edges, the cheapest of all edges collapse until as few nodes are left.

   The lines of the quadrics are gathered after the first pass, so that the short edges across a
   limb do not hold it in place. Departures, unless as printed: leaf nodes keep their positions;
   links between pieces that would only close loops are left out; costs around hubs are updated
   late, and hubs do not move. */
#include "contraction/collapse.h"

#include "base/union_find.h"
#include "contraction/collapse_costs.h"
#include "contraction/collapse_curve.h"

#include <stdlib.h>
#include <string.h>

/* The merge distance where none is given, in mean edge lengths of the proxy. */
static const double chosen_merge = 0.3;
enum { SMALL_DEGREE = OSSAI_SMALL_DEGREE, LINE_TERMS = OSSAI_LINE_TERMS, STEPS_PER_REPORT = 1024 };

ossai_collapse_options ossai_collapse_default(void)
{
	return (ossai_collapse_options){.shape = 1, .sampling = 0.1, .merge_distance = -1, .nodes = 0};
}

/* ---- the heap ---- */

/* frees entries of the heap by dropping the outdated ones */
static void clean_heap(ossai_collapser *c)
{
	size_t count = 0;
	for (size_t i = 0; i < c->heap.count; i++) {
		const ossai_heap_entry entry = c->heap.entries[i];
		if (!c->graph.is_dead[entry.item] && entry.key == c->key[entry.item]) c->heap.entries[count++] = entry;
	}
	c->heap.count = count;
	ossai_heap_build(&c->heap);
}

/* an earlier entry of the edge is outdated from now on */
static void push(ossai_collapser *c, uint32_t edge, double key)
{
	if (key == c->key[edge]) return;
	c->key[edge] = key;
	if (!(key < INFINITY)) return;
	if (c->heap.count == c->heap_capacity) {
		c->key[edge] = INFINITY;
		clean_heap(c);
		c->key[edge] = key;
	}
	ossai_heap_push(&c->heap, key, edge);
}

static void push_updated(ossai_collapser *c, uint32_t edge)
{
	uint32_t kept_end;
	push(c, edge, c->cost(c, edge, &kept_end));
}

static void fill_heap(ossai_collapser *c)
{
	c->heap.count = 0;
	for (uint32_t e = 0; e < c->graph.edge_count; e++) {
		uint32_t kept_end;
		c->key[e] = c->graph.is_dead[e] ? INFINITY : c->cost(c, e, &kept_end);
		if (c->key[e] < INFINITY) c->heap.entries[c->heap.count++] = (ossai_heap_entry){c->key[e], e};
	}
	ossai_heap_build(&c->heap);
}

/* The edge of least cost, and which of its ends is kept; OSSA_NONE where none costs less than
   `limit`. Costs that have risen are noticed here; costs that have fallen are updated when a
   neighbour collapses. */
static uint32_t pop(ossai_collapser *c, double limit, uint32_t *kept_end)
{
	while (c->heap.count > 0) {
		const ossai_heap_entry top = c->heap.entries[0];
		if (top.key > limit) return OSSA_NONE;
		ossai_heap_pop(&c->heap);
		if (c->graph.is_dead[top.item] || top.key != c->key[top.item]) continue;
		const double cost = c->cost(c, top.item, kept_end);
		if (cost <= top.key) return top.item;
		push(c, top.item, cost);
	}
	return OSSA_NONE;
}

/* ---- one collapse ---- */

/* edge length sums and lines of a -> b before the graph changes: b keeps its position, and a's
   edges will end there */
static void move_spreads(ossai_collapser *c, uint32_t a, uint32_t b)
{
	const ossai_collapse_graph *g = &c->graph;
	const ossai_vec3 from = ossai_collapse_position(c, a), to = ossai_collapse_position(c, b);
	double added = 0;
	for (uint32_t side = g->first[a]; side != OSSA_NONE; side = g->next[side]) {
		const uint32_t other = ossai_collapse_other(g, side);
		if (other == b) continue;
		const bool is_shared = ossai_collapse_edge(g, b, other) != OSSA_NONE;
		const double length = is_shared ? 0 : ossai_distance(ossai_collapse_position(c, other), to);
		c->spread[other] += length - ossai_distance(ossai_collapse_position(c, other), from);
		added += length;
	}
	c->spread[b] += added - ossai_distance(from, to);
}

/* sums updated by differences lose digits, so where it is cheap they are computed from scratch */
static void sum_spread(ossai_collapser *c, uint32_t slot)
{
	const ossai_collapse_graph *g = &c->graph;
	if (g->degree[slot] > SMALL_DEGREE) return;
	double sum = 0;
	for (uint32_t side = g->first[slot]; side != OSSA_NONE; side = g->next[side]) sum += ossai_collapse_length(c, side / 2);
	c->spread[slot] = sum;
}

/* the slot that the graph keeps, whichever of the two it is, takes over b's values */
static void take_over(ossai_collapser *c, uint32_t a, uint32_t b, uint32_t kept)
{
	double *lines = c->lines + LINE_TERMS * (size_t)kept;
	const double *others = c->lines + LINE_TERMS * (size_t)(kept == a ? b : a);
	for (int i = 0; i < LINE_TERMS; i++) lines[i] += others[i];
	if (kept == b) return;
	memcpy(c->position + 3 * (size_t)kept, c->position + 3 * (size_t)b, 3 * sizeof *c->position);
	c->spread[kept] = c->spread[b];
}

static void push_around(ossai_collapser *c, uint32_t slot)
{
	const ossai_collapse_graph *g = &c->graph;
	for (uint32_t side = g->first[slot]; side != OSSA_NONE; side = g->next[side]) push_updated(c, side / 2);
}

static ossa_status report(ossai_collapser *c)
{
	if (++c->reports % STEPS_PER_REPORT != 0) return OSSA_OK;
	return ossai_progress(c->context, (double)c->reports / (double)c->graph.vertex_count);
}

static ossa_status collapse(ossai_collapser *c, uint32_t edge, uint32_t kept_end)
{
	ossai_collapse_graph *g = &c->graph;
	const uint32_t b = g->end[2 * (size_t)edge + kept_end], a = g->end[2 * (size_t)edge + 1 - kept_end];
	size_t moved;
	move_spreads(c, a, b);
	const uint32_t kept = ossai_collapse_merge(g, edge, c->moved, &moved);
	take_over(c, a, b, kept);
	sum_spread(c, kept);
	if (g->degree[kept] <= SMALL_DEGREE) {
		push_around(c, kept);
	} else {
		for (size_t i = 0; i < moved; i++) push_updated(c, c->moved[i]);
	}
	return report(c);
}

static size_t list_near(const ossai_collapser *c, uint32_t slot, uint32_t without, uint32_t *near)
{
	const ossai_collapse_graph *g = &c->graph;
	size_t count = 0;
	for (uint32_t side = g->first[slot]; side != OSSA_NONE; side = g->next[side]) {
		const uint32_t other = ossai_collapse_other(g, side);
		if (other != without) near[count++] = other;
	}
	return count;
}

/* Updates all costs that have fallen, whatever the degrees: those of the kept vertex, unless its
   sum of lengths has only grown, and those around the neighbours of the vanishing one. */
static ossa_status collapse_as_printed(ossai_collapser *c, uint32_t edge, uint32_t kept_end)
{
	ossai_collapse_graph *g = &c->graph;
	const uint32_t b = g->end[2 * (size_t)edge + kept_end], a = g->end[2 * (size_t)edge + 1 - kept_end];
	const double before = c->spread[b];
	const size_t near = list_near(c, a, b, c->near);
	size_t moved;
	move_spreads(c, a, b);
	const uint32_t kept = ossai_collapse_merge(g, edge, c->moved, &moved);
	take_over(c, a, b, kept);
	sum_spread(c, kept);
	for (size_t i = 0; i < near; i++) {
		sum_spread(c, c->near[i]);
		push_around(c, c->near[i]);
	}
	if (g->degree[kept] <= SMALL_DEGREE || kept != b || c->spread[kept] < before) push_around(c, kept);
	return report(c);
}

/* ---- passes ---- */

static ossa_status merge_short(ossai_collapser *c, double distance)
{
	c->cost = ossai_cost_of_short;
	fill_heap(c);
	uint32_t kept_end, edge;
	while ((edge = pop(c, distance, &kept_end)) != OSSA_NONE) OSSAI_TRY(collapse(c, edge, kept_end));
	return OSSA_OK;
}

static ossa_status collapse_faces(ossai_collapser *c)
{
	c->cost = ossai_cost_with_faces;
	fill_heap(c);
	while (c->graph.live_faces > 0) {
		uint32_t kept_end;
		const uint32_t edge = pop(c, INFINITY, &kept_end);
		if (edge == OSSA_NONE) break;
		OSSAI_TRY(collapse(c, edge, kept_end));
	}
	return OSSA_OK;
}

/* of the links the shortest ones that join everything are enough: more would be loops that no
   shape has */
static ossa_status drop_links(ossai_collapser *c)
{
	ossai_collapse_graph *g = &c->graph;
	uint32_t *piece = ossai_new(c->context, g->vertex_count, sizeof *piece);
	if (!piece) return ossa_context_error(c->context)->status;
	ossai_union_begin(piece, g->vertex_count);
	size_t count = 0;
	for (uint32_t e = 0; e < g->edge_count; e++) {
		if (g->is_dead[e]) continue;
		if (g->is_link[e]) c->heap.entries[count++] = (ossai_heap_entry){ossai_collapse_length(c, e), e};
		else ossai_union_join(piece, g->end[2 * (size_t)e], g->end[2 * (size_t)e + 1]);
	}
	qsort(c->heap.entries, count, sizeof *c->heap.entries, ossai_heap_compare_rising);
	for (size_t i = 0; i < count; i++) {
		const uint32_t edge = c->heap.entries[i].item, *end = g->end + 2 * (size_t)edge;
		if (!ossai_union_join(piece, end[0], end[1])) ossai_collapse_drop(g, edge);
	}
	ossa_free(c->context, piece);
	return OSSA_OK;
}

/* slots that stand for part of the surface: those that had no edge at first do not */
static size_t count_nodes(const ossai_collapser *c, size_t lonely) { return c->graph.live_slots - lonely; }

static ossa_status collapse_curve(ossai_collapser *c, size_t lonely)
{
	c->cost = ossai_cost_of_curve;
	fill_heap(c);
	while (count_nodes(c, lonely) > c->options->nodes) {
		uint32_t kept_end;
		const uint32_t edge = pop(c, INFINITY, &kept_end);
		if (edge == OSSA_NONE) break;
		OSSAI_TRY(collapse(c, edge, kept_end));
	}
	return OSSA_OK;
}

/* the paper's one pass; where nothing is connected any more, more nodes than wanted are left */
static ossa_status collapse_to_points(ossai_collapser *c, size_t lonely)
{
	c->cost = ossai_cost_as_printed;
	fill_heap(c);
	while (count_nodes(c, lonely) > c->options->nodes) {
		uint32_t kept_end;
		const uint32_t edge = pop(c, INFINITY, &kept_end);
		if (edge == OSSA_NONE) break;
		OSSAI_TRY(collapse_as_printed(c, edge, kept_end));
	}
	return OSSA_OK;
}

static ossa_status begin(
	ossai_arena *temporary, const ossai_proxy *proxy, const ossai_contracted *contracted, ossai_collapser *c)
{
	const size_t n = proxy->vertex_count;
	OSSAI_TRY(ossai_collapse_graph_make(temporary, proxy, &c->graph));
	const size_t edges = c->graph.edge_count;
	c->heap_capacity = 2 * edges + 16;
	c->position = ossai_arena_new(temporary, n, 3 * sizeof *c->position);
	c->lines = ossai_arena_zero(temporary, n, LINE_TERMS * sizeof *c->lines);
	c->spread = ossai_arena_zero(temporary, n, sizeof *c->spread);
	c->key = ossai_arena_new(temporary, edges, sizeof *c->key);
	c->moved = ossai_arena_new(temporary, edges, sizeof *c->moved);
	c->near = ossai_arena_new(temporary, n, sizeof *c->near);
	c->heap.entries = ossai_arena_new(temporary, c->heap_capacity, sizeof *c->heap.entries);
	const bool all = c->position && c->lines && c->spread && c->key && c->moved && c->near && c->heap.entries;
	if (!all) return ossa_context_error(c->context)->status;
	memcpy(c->position, contracted->positions, n * 3 * sizeof *c->position);
	return OSSA_OK;
}

static ossa_status run(ossai_collapser *c, double merge_distance)
{
	size_t lonely = 0;
	for (size_t v = 0; v < c->graph.vertex_count; v++) lonely += c->graph.degree[v] == 0;
	OSSAI_TRY(ossai_progress(c->context, 0));
	OSSAI_TRY(merge_short(c, merge_distance));
	ossai_collapse_gather(c);
	if (c->options->as_printed) return collapse_to_points(c, lonely);
	OSSAI_TRY(collapse_faces(c));
	OSSAI_TRY(drop_links(c));
	return c->options->nodes > 0 ? collapse_curve(c, lonely) : OSSA_OK;
}

ossa_status ossai_collapse(ossai_arena *arena, const ossai_proxy *proxy, const ossai_contracted *contracted,
	const ossai_collapse_options *options, ossai_curve *curve)
{
	ossai_arena temporary = ossai_arena_begin(arena->context);
	ossai_collapser c = {.context = arena->context, .options = options};
	const double merge = options->merge_distance < 0 ? chosen_merge * proxy->edge_length : options->merge_distance;
	ossa_status status = begin(&temporary, proxy, contracted, &c);
	if (status == OSSA_OK) status = run(&c, merge);
	if (status == OSSA_OK)
		status = ossai_collapse_curve(
			arena, proxy, &c.graph, c.position, options->as_printed ? NULL : contracted->positions, curve);
	ossai_arena_end(&temporary);
	return status;
}
