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

#include "base/heap.h"
#include "base/union_find.h"
#include "contraction/collapse_curve.h"
#include "contraction/collapse_graph.h"

#include <stdlib.h>
#include <string.h>

/* The merge distance where none is given, in mean edge lengths of the proxy. And the largest degree
   up to which all costs around a merged vertex are updated at once: the costs of hubs are updated
   lazily, when the heap returns them. */
static const double chosen_merge = 0.3;
enum { SMALL_DEGREE = 64, STEPS_PER_REPORT = 1024, LINE_TERMS = 10 };

typedef struct collapser {
	ossa_context *context;
	const ossai_collapse_options *options;
	ossai_collapse_graph graph;
	double *position; /* N x 3, by slot */
	double *lines;    /* N x LINE_TERMS: the symmetric 4 x 4 Q of each slot, its upper triangle */
	double *spread;   /* N: sum of the lengths of the incident edges */
	double *key;      /* E: the cost in the edge's newest heap entry */
	ossai_heap heap;
	size_t heap_capacity;
	uint32_t *moved; /* E */
	uint32_t *near;  /* N: the slots around a vanishing one */
	size_t reports;
	double (*cost)(struct collapser *, uint32_t edge, uint32_t *kept_end);
} collapser;

ossai_collapse_options ossai_collapse_default(void)
{
	return (ossai_collapse_options){.shape = 1, .sampling = 0.1, .merge_distance = -1, .nodes = 0};
}

/* ---- costs ---- */

static ossai_vec3 position_of(const collapser *c, uint32_t slot) { return ossai_v3_of(c->position + 3 * (size_t)slot); }

static double length_of(const collapser *c, uint32_t edge)
{
	return ossai_distance(position_of(c, c->graph.end[2 * (size_t)edge]), position_of(c, c->graph.end[2 * (size_t)edge + 1]));
}

/* Q += K^T K, K = [[u]x | -(u x p)]: the squared distance of (v, 1) to the line through p along
   u */
static void add_line(double *q, ossai_vec3 u, ossai_vec3 p)
{
	/* [u]x^T [u]x = I - u u^T, and its product with p */
	const ossai_vec3 b = ossai_sub(ossai_scale(u, ossai_dot(u, p)), p);
	q[0] += 1 - u.x * u.x;
	q[1] -= u.x * u.y;
	q[2] -= u.x * u.z;
	q[3] += b.x;
	q[4] += 1 - u.y * u.y;
	q[5] -= u.y * u.z;
	q[6] += b.y;
	q[7] += 1 - u.z * u.z;
	q[8] += b.z;
	q[9] -= ossai_dot(b, p);
}

static double line_error(const double *q, ossai_vec3 v)
{
	const double error = v.x * (q[0] * v.x + 2 * (q[1] * v.y + q[2] * v.z + q[3])) +
		v.y * (q[4] * v.y + 2 * (q[5] * v.z + q[6])) + v.z * (q[7] * v.z + 2 * q[8]) + q[9];
	return error > 0 ? error : 0;
}

/* w_a F + w_b S of a -> b */
static double half_cost(const collapser *c, uint32_t a, uint32_t b, double length)
{
	const ossai_vec3 v = position_of(c, b);
	const double shape = line_error(c->lines + LINE_TERMS * (size_t)a, v) + line_error(c->lines + LINE_TERMS * (size_t)b, v);
	return c->options->shape * shape + c->options->sampling * length * fmax(c->spread[a], 0);
}

/* a hub does not collapse into a vertex of far lower degree: all of its own edges would have to be
   updated, again and again */
static bool may_go(const collapser *c, uint32_t a, uint32_t b)
{
	return c->graph.degree[a] <= SMALL_DEGREE || c->graph.degree[a] <= 4 * (size_t)c->graph.degree[b];
}

static double cost_of_short(collapser *c, uint32_t edge, uint32_t *kept_end)
{
	const uint32_t *end = c->graph.end + 2 * (size_t)edge;
	const uint32_t first = c->graph.degree[end[0]], second = c->graph.degree[end[1]];
	*kept_end = first > second || (first == second && end[0] < end[1]) ? 0 : 1;
	const double length = length_of(c, edge);
	return length;
}

static double cost_of_two(collapser *c, uint32_t edge, bool first_may_go, bool second_may_go, uint32_t *kept_end)
{
	const uint32_t a = c->graph.end[2 * (size_t)edge], b = c->graph.end[2 * (size_t)edge + 1];
	const double length = length_of(c, edge);
	const double first = first_may_go && may_go(c, a, b) ? half_cost(c, a, b, length) : INFINITY;
	const double second = second_may_go && may_go(c, b, a) ? half_cost(c, b, a, length) : INFINITY;
	*kept_end = first < second || (first == second && c->graph.degree[a] < c->graph.degree[b]) ? 1 : 0;
	return fmin(first, second);
}

static double cost_with_faces(collapser *c, uint32_t edge, uint32_t *kept_end)
{
	if (!ossai_collapse_has_face(&c->graph, edge)) return INFINITY;
	return cost_of_two(c, edge, true, true, kept_end);
}

/* whether a third slot is adjacent to both ends: without faces that is a cycle of three edges */
static bool closes_loop(const collapser *c, uint32_t edge)
{
	const ossai_collapse_graph *g = &c->graph;
	const uint32_t a = g->end[2 * (size_t)edge], b = g->end[2 * (size_t)edge + 1];
	const uint32_t few = g->degree[a] <= g->degree[b] ? a : b, many = few == a ? b : a;
	for (uint32_t side = g->first[few]; side != OSSA_NONE; side = g->next[side]) {
		const uint32_t other = ossai_collapse_other(g, side);
		if (other != many && ossai_collapse_edge(g, other, many) != OSSA_NONE) return true;
	}
	return false;
}

static double cost_of_curve(collapser *c, uint32_t edge, uint32_t *kept_end)
{
	if (closes_loop(c, edge)) return INFINITY;
	/* a leaf keeps its position; it may vanish as a whole where its limb has become one edge at a
	   junction */
	const uint32_t *degree = c->graph.degree, *end = c->graph.end + 2 * (size_t)edge;
	const bool first_is_end = degree[end[0]] == 1 && degree[end[1]] == 2,
			   second_is_end = degree[end[1]] == 1 && degree[end[0]] == 2;
	return cost_of_two(c, edge, !first_is_end, !second_is_end, kept_end);
}

static double cost_as_printed(collapser *c, uint32_t edge, uint32_t *kept_end)
{
	const uint32_t a = c->graph.end[2 * (size_t)edge], b = c->graph.end[2 * (size_t)edge + 1];
	const double length = length_of(c, edge), first = half_cost(c, a, b, length), second = half_cost(c, b, a, length);
	*kept_end = first < second || (first == second && a > b) ? 1 : 0;
	return fmin(first, second);
}

/* ---- the heap ---- */

/* frees entries of the heap by dropping the outdated ones */
static void clean_heap(collapser *c)
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
static void push(collapser *c, uint32_t edge, double key)
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

static void push_updated(collapser *c, uint32_t edge)
{
	uint32_t kept_end;
	push(c, edge, c->cost(c, edge, &kept_end));
}

static void fill_heap(collapser *c)
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
static uint32_t pop(collapser *c, double limit, uint32_t *kept_end)
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
static void move_spreads(collapser *c, uint32_t a, uint32_t b)
{
	const ossai_collapse_graph *g = &c->graph;
	const ossai_vec3 from = position_of(c, a), to = position_of(c, b);
	double added = 0;
	for (uint32_t side = g->first[a]; side != OSSA_NONE; side = g->next[side]) {
		const uint32_t other = ossai_collapse_other(g, side);
		if (other == b) continue;
		const bool is_shared = ossai_collapse_edge(g, b, other) != OSSA_NONE;
		const double length = is_shared ? 0 : ossai_distance(position_of(c, other), to);
		c->spread[other] += length - ossai_distance(position_of(c, other), from);
		added += length;
	}
	c->spread[b] += added - ossai_distance(from, to);
}

/* sums updated by differences lose digits, so where it is cheap they are computed from scratch */
static void sum_spread(collapser *c, uint32_t slot)
{
	const ossai_collapse_graph *g = &c->graph;
	if (g->degree[slot] > SMALL_DEGREE) return;
	double sum = 0;
	for (uint32_t side = g->first[slot]; side != OSSA_NONE; side = g->next[side]) sum += length_of(c, side / 2);
	c->spread[slot] = sum;
}

/* the slot that the graph keeps, whichever of the two it is, takes over b's values */
static void take_over(collapser *c, uint32_t a, uint32_t b, uint32_t kept)
{
	double *lines = c->lines + LINE_TERMS * (size_t)kept;
	const double *others = c->lines + LINE_TERMS * (size_t)(kept == a ? b : a);
	for (int i = 0; i < LINE_TERMS; i++) lines[i] += others[i];
	if (kept == b) return;
	memcpy(c->position + 3 * (size_t)kept, c->position + 3 * (size_t)b, 3 * sizeof *c->position);
	c->spread[kept] = c->spread[b];
}

static void push_around(collapser *c, uint32_t slot)
{
	const ossai_collapse_graph *g = &c->graph;
	for (uint32_t side = g->first[slot]; side != OSSA_NONE; side = g->next[side]) push_updated(c, side / 2);
}

static ossa_status report(collapser *c)
{
	if (++c->reports % STEPS_PER_REPORT != 0) return OSSA_OK;
	return ossai_progress(c->context, (double)c->reports / (double)c->graph.vertex_count);
}

static ossa_status collapse(collapser *c, uint32_t edge, uint32_t kept_end)
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

static size_t list_near(const collapser *c, uint32_t slot, uint32_t without, uint32_t *near)
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
static ossa_status collapse_as_printed(collapser *c, uint32_t edge, uint32_t kept_end)
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

static ossa_status merge_short(collapser *c, double distance)
{
	c->cost = cost_of_short;
	fill_heap(c);
	uint32_t kept_end, edge;
	while ((edge = pop(c, distance, &kept_end)) != OSSA_NONE) OSSAI_TRY(collapse(c, edge, kept_end));
	return OSSA_OK;
}

static void gather_lines(collapser *c)
{
	const ossai_collapse_graph *g = &c->graph;
	memset(c->lines, 0, g->vertex_count * LINE_TERMS * sizeof *c->lines);
	memset(c->spread, 0, g->vertex_count * sizeof *c->spread);
	for (size_t e = 0; e < g->edge_count; e++) {
		if (g->is_dead[e]) continue;
		const uint32_t a = g->end[2 * e], b = g->end[2 * e + 1];
		const double length = length_of(c, (uint32_t)e);
		c->spread[a] += length;
		c->spread[b] += length;
		if (!(length > 0)) continue;
		const ossai_vec3 p = position_of(c, a), along = ossai_scale(ossai_sub(position_of(c, b), p), 1 / length);
		add_line(c->lines + LINE_TERMS * (size_t)a, along, p);
		add_line(c->lines + LINE_TERMS * (size_t)b, along, p);
	}
}

static ossa_status collapse_faces(collapser *c)
{
	c->cost = cost_with_faces;
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
static ossa_status drop_links(collapser *c)
{
	ossai_collapse_graph *g = &c->graph;
	uint32_t *piece = ossai_new(c->context, g->vertex_count, sizeof *piece);
	if (!piece) return ossa_context_error(c->context)->status;
	ossai_union_begin(piece, g->vertex_count);
	size_t count = 0;
	for (uint32_t e = 0; e < g->edge_count; e++) {
		if (g->is_dead[e]) continue;
		if (g->is_link[e]) c->heap.entries[count++] = (ossai_heap_entry){length_of(c, e), e};
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
static size_t count_nodes(const collapser *c, size_t lonely) { return c->graph.live_slots - lonely; }

static ossa_status collapse_curve(collapser *c, size_t lonely)
{
	c->cost = cost_of_curve;
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
static ossa_status collapse_to_points(collapser *c, size_t lonely)
{
	c->cost = cost_as_printed;
	fill_heap(c);
	while (count_nodes(c, lonely) > c->options->nodes) {
		uint32_t kept_end;
		const uint32_t edge = pop(c, INFINITY, &kept_end);
		if (edge == OSSA_NONE) break;
		OSSAI_TRY(collapse_as_printed(c, edge, kept_end));
	}
	return OSSA_OK;
}

static ossa_status begin(ossai_arena *temporary, const ossai_proxy *proxy, const ossai_contracted *contracted, collapser *c)
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

static ossa_status run(collapser *c, double merge_distance)
{
	size_t lonely = 0;
	for (size_t v = 0; v < c->graph.vertex_count; v++) lonely += c->graph.degree[v] == 0;
	OSSAI_TRY(ossai_progress(c->context, 0));
	OSSAI_TRY(merge_short(c, merge_distance));
	gather_lines(c);
	if (c->options->as_printed) return collapse_to_points(c, lonely);
	OSSAI_TRY(collapse_faces(c));
	OSSAI_TRY(drop_links(c));
	return c->options->nodes > 0 ? collapse_curve(c, lonely) : OSSA_OK;
}

ossa_status ossai_collapse(ossai_arena *arena, const ossai_proxy *proxy, const ossai_contracted *contracted,
	const ossai_collapse_options *options, ossai_curve *curve)
{
	ossai_arena temporary = ossai_arena_begin(arena->context);
	collapser c = {.context = arena->context, .options = options};
	const double merge = options->merge_distance < 0 ? chosen_merge * proxy->edge_length : options->merge_distance;
	ossa_status status = begin(&temporary, proxy, contracted, &c);
	if (status == OSSA_OK) status = run(&c, merge);
	if (status == OSSA_OK)
		status = ossai_collapse_curve(
			arena, proxy, &c.graph, c.position, options->as_printed ? NULL : contracted->positions, curve);
	ossai_arena_end(&temporary);
	return status;
}
