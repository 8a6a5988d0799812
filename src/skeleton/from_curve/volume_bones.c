/* skeleton/from_curve/volume_bones.c: see volume_bones.h. */
#include "skeleton/from_curve/volume_bones.h"

#include "skeleton/from_curve/root_choice.h"
#include "skeleton/from_curve/volume_frames.h"

#include <ossa/mesh.h>

typedef struct bone_maker {
	const ossai_path_tree *tree;
	const ossai_skeletal_graph *graph;
	ossai_volume_bones *bones;
	uint32_t *start, *edge; /* of each node of the path tree: the edges that meet there */
	/* B: vertices at the joint and at the tail; the root's joint may lie between */
	uint32_t *from, *to;
	double *depth;          /* B: mean radius of the balls along it */
	double *heart_distance; /* B: its nearest node from the heart */
	double *beyond;         /* B: length of it and of its descendants */
} bone_maker;

static ossai_vec3 position_of(const bone_maker *m, uint32_t node) { return m->tree->node[node]; }

/* ---- incidence ---- */

static ossa_status find_meetings(ossai_arena *scratch, bone_maker *m)
{
	const size_t edges = m->graph->edge_count, nodes = m->tree->node_count;
	/* counts are stored two entries ahead, so that their sums are begins one entry ahead, which
	   filling advances to the ends */
	m->start = ossai_arena_zero(scratch, nodes + 2, sizeof *m->start);
	m->edge = ossai_arena_new(scratch, edges, 2 * sizeof *m->edge);
	if (!m->start || !m->edge) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < 2 * edges; i++) m->start[m->graph->edge[i] + 2]++;
	for (size_t i = 2; i < nodes + 2; i++) m->start[i] += m->start[i - 1];
	for (size_t i = 0; i < 2 * edges; i++) m->edge[m->start[m->graph->edge[i] + 1]++] = (uint32_t)(i / 2);
	return OSSA_OK;
}

static void look_at_node(const bone_maker *m, uint32_t node, uint32_t edge, uint32_t *count)
{
	m->depth[edge] += m->tree->radius[node];
	m->heart_distance[edge] = fmin(
		m->heart_distance[edge], ossai_distance(position_of(m, node), position_of(m, m->tree->heart)));
	count[edge]++;
}

/* depths, and distances from the heart */
static ossa_status measure(ossai_arena *scratch, bone_maker *m)
{
	const size_t edges = m->graph->edge_count;
	m->depth = ossai_arena_zero(scratch, edges, sizeof *m->depth);
	m->heart_distance = ossai_arena_new(scratch, edges, sizeof *m->heart_distance);
	uint32_t *count = ossai_arena_zero(scratch, edges, sizeof *count);
	if (!m->depth || !m->heart_distance || !count) return ossa_context_error(scratch->context)->status;
	for (size_t e = 0; e < edges; e++) m->heart_distance[e] = INFINITY;
	for (uint32_t i = 0; i < m->tree->node_count; i++) {
		if (!m->graph->is_vertex[i]) look_at_node(m, i, m->graph->edge_of_node[i], count);
	}
	for (uint32_t i = 0; i < 2 * edges; i++) look_at_node(m, m->graph->edge[i], i / 2, count);
	for (size_t e = 0; e < edges; e++) m->depth[e] /= count[e];
	return OSSA_OK;
}

/* ---- the root ---- */

/* the deepest segment, minus its distance from the heart */
static uint32_t central_edge(const bone_maker *m)
{
	uint32_t best = 0;
	for (uint32_t e = 1; e < m->graph->edge_count; e++) {
		if (m->depth[e] - m->heart_distance[e] > m->depth[best] - m->heart_distance[best]) best = e;
	}
	return best;
}

static bool is_end(const bone_maker *m, uint32_t vertex) { return m->start[vertex + 1] - m->start[vertex] == 1; }

/* the lowest root is an end */
static ossa_status find_root_vertex(
	ossai_arena *scratch, const bone_maker *m, ossa_root_kind root, ossai_vec3 point, uint32_t *vertex)
{
	uint8_t *is_candidate = ossai_arena_zero(scratch, m->tree->node_count, 1);
	if (!is_candidate) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < 2 * m->graph->edge_count; i++) {
		const uint32_t end = m->graph->edge[i];
		is_candidate[end] = root != OSSA_ROOT_LOWEST || is_end(m, end);
	}
	*vertex = ossai_root_choose(root, point, m->tree->node_count, m->tree->node, is_candidate);
	return OSSA_OK;
}

/* of those that meet at a vertex */
static uint32_t deepest_edge(const bone_maker *m, uint32_t vertex)
{
	uint32_t best = m->edge[m->start[vertex]];
	for (uint32_t k = m->start[vertex]; k < m->start[vertex + 1]; k++) {
		if (m->depth[m->edge[k]] > m->depth[best]) best = m->edge[k];
	}
	return best;
}

/* ---- the tree ---- */

static void add_bone(const bone_maker *m, uint32_t bone, uint32_t parent, uint32_t from)
{
	const uint32_t *ends = m->graph->edge + 2 * (size_t)bone;
	m->bones->tree.parent[bone] = parent;
	m->from[bone] = from;
	m->to[bone] = ends[0] == from ? ends[1] : ends[0];
	m->bones->joint[bone] = position_of(m, from);
	m->bones->tail[bone] = position_of(m, m->to[bone]);
}

/* makes the segments at a vertex children of a bone; returns the new length of the queue */
static size_t add_children(const bone_maker *m, uint32_t bone, uint32_t vertex, uint32_t *queue, size_t count)
{
	for (uint32_t k = m->start[vertex]; k < m->start[vertex + 1]; k++) {
		const uint32_t child = m->edge[k];
		if (child == bone || m->bones->tree.parent[child] != OSSA_NONE || child == m->bones->tree.root) continue;
		add_bone(m, child, bone, vertex);
		queue[count++] = child;
	}
	return count;
}

static void grow(const bone_maker *m, uint32_t *queue)
{
	const uint32_t root = m->bones->tree.root;
	size_t count = 1;
	queue[0] = root;
	count = add_children(m, root, m->from[root], queue, count);
	for (size_t i = 0; i < count; i++) count = add_children(m, queue[i], m->to[queue[i]], queue, count);
}

/* a root within its segment is directed at the larger part of the skeleton */
static void turn_root(const bone_maker *m)
{
	const uint32_t root = m->bones->tree.root;
	double back = 0, onward = 0;
	for (size_t e = 0; e < m->graph->edge_count; e++)
		m->beyond[e] = ossai_distance(position_of(m, m->from[e]), position_of(m, m->to[e]));
	for (size_t i = m->graph->edge_count; i-- > 1;) {
		const uint32_t b = m->bones->tree.order[i], parent = m->bones->tree.parent[b];
		if (parent != root) m->beyond[parent] += m->beyond[b];
		else if (m->from[b] == m->from[root]) back += m->beyond[b];
		else onward += m->beyond[b];
	}
	m->bones->joint[root] = ossai_lerp(position_of(m, m->from[root]), position_of(m, m->to[root]), 0.5);
	if (back > onward) m->bones->tail[root] = position_of(m, m->from[root]);
}

/* ---- levels ---- */

static void fill_levels(const bone_maker *m, size_t levels, uint32_t *order_of_node)
{
	uint32_t most = 0;
	for (size_t e = 0; e < m->graph->edge_count; e++) {
		order_of_node[m->graph->edge[2 * e + 1]] = m->graph->order[e];
		if (m->graph->order[e] > most) most = m->graph->order[e];
	}
	for (size_t b = 0; b < m->graph->edge_count; b++) {
		const uint64_t order = b == m->bones->tree.root ? 0 : order_of_node[m->from[b]];
		m->bones->level[b] = most == 0 ? 0 : (uint32_t)((order * (levels - 1) + most - 1) / most);
	}
}

/* ---- all ---- */

static ossa_status take_arrays(ossai_arena *arena, size_t count, ossai_volume_bones *bones)
{
	OSSAI_TRY(ossai_tree_new(arena, count, &bones->tree));
	bones->joint = ossai_arena_new(arena, count, sizeof *bones->joint);
	bones->tail = ossai_arena_new(arena, count, sizeof *bones->tail);
	bones->frame = ossai_arena_new(arena, count, sizeof *bones->frame);
	bones->segment = ossai_arena_new(arena, count, sizeof *bones->segment);
	bones->level = ossai_arena_zero(arena, count, sizeof *bones->level);
	const bool all = bones->joint && bones->tail && bones->frame && bones->segment && bones->level;
	if (!all) return ossa_context_error(arena->context)->status;
	for (uint32_t b = 0; b < count; b++) {
		bones->tree.parent[b] = OSSA_NONE;
		bones->segment[b] = b;
	}
	return OSSA_OK;
}

static void make_point(const ossai_path_tree *tree, ossai_volume_bones *bones)
{
	bones->tree.root = 0;
	bones->segment[0] = OSSA_NONE;
	bones->joint[0] = bones->tail[0] = tree->node[0];
	ossai_tree_sort(&bones->tree);
}

static ossa_status make_tree(
	ossai_arena *scratch, bone_maker *m, ossa_root_kind root, ossai_vec3 point, size_t levels, ossai_volume_bones *bones)
{
	const size_t count = m->graph->edge_count;
	OSSAI_TRY(find_meetings(scratch, m));
	OSSAI_TRY(measure(scratch, m));
	m->from = ossai_arena_new(scratch, count, sizeof *m->from);
	m->to = ossai_arena_new(scratch, count, sizeof *m->to);
	m->beyond = ossai_arena_new(scratch, count, sizeof *m->beyond);
	uint32_t *queue = ossai_arena_new(scratch, count, sizeof *queue);
	uint32_t *order_of_node = ossai_arena_zero(scratch, m->tree->node_count, sizeof *order_of_node);
	if (!m->from || !m->to || !m->beyond || !queue || !order_of_node) return ossa_context_error(scratch->context)->status;
	const bool in_middle = root == OSSA_ROOT_CENTER;
	uint32_t vertex = OSSA_NONE;
	if (!in_middle) OSSAI_TRY(find_root_vertex(scratch, m, root, point, &vertex));
	bones->tree.root = in_middle ? central_edge(m) : deepest_edge(m, vertex);
	if (in_middle) vertex = m->graph->edge[2 * bones->tree.root];
	add_bone(m, bones->tree.root, OSSA_NONE, vertex);
	grow(m, queue);
	ossai_tree_sort(&bones->tree);
	if (in_middle) turn_root(m);
	fill_levels(m, levels, order_of_node);
	return OSSA_OK;
}

ossa_status ossai_volume_bones_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_graph *graph,
	ossa_root_kind root, ossai_vec3 point, size_t levels, ossai_volume_bones *bones)
{
	OSSAI_TRY(take_arrays(arena, graph->edge_count > 0 ? graph->edge_count : 1, bones));
	ossa_status status = OSSA_OK;
	if (graph->edge_count > 0) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		bone_maker m = {.tree = tree, .graph = graph, .bones = bones};
		status = make_tree(&scratch, &m, root, point, levels, bones);
		ossai_arena_end(&scratch);
	} else {
		make_point(tree, bones);
	}
	OSSAI_TRY(status);
	return ossai_volume_frames_make(arena, &bones->tree, bones->joint, bones->tail, bones->frame);
}
