/* tests/support/curves.c: see curves.h. */
#include "support/curves.h"

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

test_curve_bench test_curve_begin(void)
{
	test_curve_bench bench = {.context = test_context(1)};
	bench.arena = ossai_arena_begin(bench.context);
	return bench;
}

void test_curve_end(test_curve_bench *bench)
{
	ossai_arena_end(&bench->arena);
	test_context_end(bench->context);
}

static ossai_curve new_curve(ossai_arena *arena, size_t nodes, size_t edges, size_t vertices)
{
	ossai_curve curve = {.node_count = nodes, .edge_count = edges, .vertex_count = vertices};
	curve.node = ossai_arena_zero(arena, nodes, sizeof *curve.node);
	curve.radius = ossai_arena_zero(arena, nodes, sizeof *curve.radius);
	curve.area = ossai_arena_zero(arena, nodes, sizeof *curve.area);
	curve.volume = ossai_arena_zero(arena, nodes, sizeof *curve.volume);
	curve.edge = ossai_arena_zero(arena, edges + 1, 2 * sizeof *curve.edge);
	curve.node_of_vertex = ossai_arena_zero(arena, vertices, sizeof *curve.node_of_vertex);
	assert_true(curve.node && curve.radius && curve.area && curve.volume && curve.edge && curve.node_of_vertex);
	return curve;
}

ossai_curve test_curve_literal(
	ossai_arena *arena, size_t node_count, const double *nodes, size_t edge_count, const uint32_t *edges)
{
	ossai_curve curve = new_curve(arena, node_count, edge_count, 0);
	for (size_t i = 0; i < node_count; i++) {
		curve.node[i] = ossai_v3_of(nodes + 3 * i);
		curve.radius[i] = 0.05;
	}
	memcpy(curve.edge, edges, 2 * edge_count * sizeof *edges);
	assert_ok(arena->context, ossai_curve_sort_edges(arena, &curve));
	return curve;
}

void test_curve_persistence(ossai_arena *arena, ossai_curve *curve, const double *persistence)
{
	curve->persistence = ossai_arena_new(arena, curve->node_count, sizeof *curve->persistence);
	assert_non_null(curve->persistence);
	memcpy(curve->persistence, persistence, curve->node_count * sizeof *persistence);
}

ossai_clearance test_corners_clearance(ossai_arena *arena, const double *corners)
{
	static const uint32_t triangles[] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	const ossai_mesh_view mesh = ossai_view_of_doubles(8, corners, 12, triangles);
	ossai_clearance clearance;
	assert_ok(arena->context, ossai_clearance_make(arena, &mesh, true, &clearance));
	return clearance;
}

ossai_clearance test_box_clearance(ossai_arena *arena, double x, double y, double z)
{
	const double half[3] = {x, y, z};
	double *corners = ossai_arena_new(arena, 24, sizeof *corners);
	assert_non_null(corners);
	for (int i = 0; i < 24; i++) corners[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3];
	return test_corners_clearance(arena, corners);
}

ossai_proxy test_proxy_of(ossai_arena *arena, const ossai_posed_surface *surface)
{
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = OSSA_PROXY_NONE;
	ossai_proxy proxy;
	assert_ok(arena->context, ossai_proxy_make(arena, surface, &options, &proxy));
	return proxy;
}

/* the bone that moves each of the proxy's vertices most */
static uint32_t *bones_of_vertices(ossai_arena *arena, const test_creature *creature, const ossai_proxy *proxy)
{
	uint32_t *bone = ossai_arena_zero(arena, proxy->vertex_count, sizeof *bone);
	assert_non_null(bone);
	for (size_t v = 0; v < creature->t.s.vertex_count; v++) {
		const ossai_bone_weights *w = &creature->weights;
		uint32_t best = 0;
		for (uint32_t k = 1; k < w->count[v]; k++) {
			if (w->value[v * w->width + k] > w->value[v * w->width + best]) best = k;
		}
		if (proxy->of_vertex[v] != OSSA_NONE && w->count[v] > 0) bone[proxy->of_vertex[v]] = w->bone[v * w->width + best];
	}
	return bone;
}

/* nodes from `from` to just before `to`, each connected to the one before */
static void add_nodes(ossai_curve *curve, uint32_t parent, ossai_vec3 from, ossai_vec3 to, double spacing)
{
	const int steps = (int)ceil(ossai_distance(from, to) / spacing);
	for (int i = 1; i < steps; i++) {
		curve->node[curve->node_count] = ossai_lerp(from, to, (double)i / steps);
		curve->edge[2 * curve->edge_count] = parent;
		curve->edge[2 * curve->edge_count + 1] = (uint32_t)curve->node_count;
		curve->edge_count++;
		parent = (uint32_t)curve->node_count++;
	}
}

static void give_vertices(
	ossai_curve *curve, const ossai_proxy *proxy, const uint32_t *bone_of_vertex, const uint32_t *bone_of_node)
{
	size_t *count = calloc(curve->node_count, sizeof *count);
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * v);
		double nearest = INFINITY;
		for (uint32_t i = 0; i < curve->node_count; i++) {
			const double distance = ossai_distance(curve->node[i], p);
			if (bone_of_node[i] != bone_of_vertex[v] || !(distance < nearest)) continue;
			nearest = distance;
			curve->node_of_vertex[v] = i;
		}
		const uint32_t node = curve->node_of_vertex[v];
		curve->radius[node] += ossai_distance(curve->node[node], p);
		count[node]++;
	}
	for (size_t i = 0; i < curve->node_count; i++) curve->radius[i] = count[i] ? curve->radius[i] / (double)count[i] : 0.01;
	free(count);
}

ossai_curve test_curve_of_creature(
	ossai_arena *arena, const test_creature *creature, const ossai_proxy *proxy, double spacing, double shake)
{
	const size_t bones = creature->tree.bone_count, most = (size_t)(20 / spacing) + 2 * bones;
	ossai_curve curve = new_curve(arena, most, most, proxy->vertex_count);
	uint32_t *bone_of_node = ossai_arena_zero(arena, most, sizeof *bone_of_node);
	assert_non_null(bone_of_node);
	curve.node_count = bones;
	curve.edge_count = 0;
	for (uint32_t b = 0; b < bones; b++) {
		curve.node[b] = creature->joint[b];
		bone_of_node[b] = b;
	}
	for (uint32_t b = 0; b < bones; b++) {
		bool is_leaf = true;
		for (uint32_t child = 0; child < bones; child++) {
			if (creature->tree.parent[child] != b) continue;
			is_leaf = false;
			const size_t begin = curve.node_count;
			add_nodes(&curve, b, creature->joint[b], creature->joint[child], spacing);
			for (size_t i = begin; i < curve.node_count; i++) bone_of_node[i] = b;
			curve.edge[2 * curve.edge_count] = curve.node_count > begin ? (uint32_t)curve.node_count - 1 : b;
			curve.edge[2 * curve.edge_count + 1] = child;
			curve.edge_count++;
		}
		if (!is_leaf) continue;
		const size_t begin = curve.node_count;
		add_nodes(&curve, b, creature->joint[b], creature->tail[b], spacing);
		for (size_t i = begin; i < curve.node_count; i++) bone_of_node[i] = b;
	}
	assert_true(curve.node_count <= most && curve.edge_count <= most);
	give_vertices(&curve, proxy, bones_of_vertices(arena, creature, proxy), bone_of_node);
	uint64_t seed = 5;
	for (size_t i = 0; i < curve.node_count; i++) curve.node[i] = ossai_add(curve.node[i], test_random_point(&seed, shake));
	assert_ok(arena->context, ossai_curve_sort_edges(arena, &curve));
	return curve;
}

size_t test_curve_count(const ossai_curve *curve, size_t degree)
{
	size_t *edges = calloc(curve->node_count + 1, sizeof *edges), count = 0;
	for (size_t i = 0; i < 2 * curve->edge_count; i++) edges[curve->edge[i]]++;
	for (size_t i = 0; i < curve->node_count; i++) count += degree < 3 ? edges[i] == degree : edges[i] >= degree;
	free(edges);
	return count;
}
