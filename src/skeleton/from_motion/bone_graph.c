/* skeleton/from_motion/bone_graph.c: see bone_graph.h. */
#include "skeleton/from_motion/bone_graph.h"

/* sums for one pair while the graph is made */
typedef struct pair_sum {
	double mass, shared, contact;
	double shared_point[3], contact_point[3];
} pair_sum;

typedef struct graph_build {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	ossai_bone_graph *graph;
	pair_sum *sums; /* B x B, the upper half */
} graph_build;

static pair_sum *sum_of(const graph_build *build, uint32_t a, uint32_t b)
{
	const size_t n = build->graph->bone_count;
	return a < b ? &build->sums[a * n + b] : &build->sums[b * n + a];
}

static void add_point(double to[3], double weight, ossai_vec3 p)
{
	to[0] += weight * p.x;
	to[1] += weight * p.y;
	to[2] += weight * p.z;
}

static void find_largest(graph_build *build)
{
	const ossai_bone_weights *w = build->weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		uint32_t best = OSSA_NONE;
		double value = 0;
		for (size_t i = 0; i < w->count[v]; i++) {
			if (!(w->value[v * w->width + i] > value)) continue;
			value = w->value[v * w->width + i];
			best = w->bone[v * w->width + i];
		}
		build->graph->bone_of_vertex[v] = best;
	}
}

static void add_blends(graph_build *build, bool area_weighting)
{
	const ossai_bone_weights *w = build->weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const uint32_t largest = build->graph->bone_of_vertex[v];
		const double weight = area_weighting ? build->surface->vertex_area[v] : 1;
		if (largest == OSSA_NONE) continue;
		const ossai_vec3 p = ossai_rest_point(build->surface, v);
		for (size_t i = 0; i < w->count[v]; i++) {
			const uint32_t bone = w->bone[v * w->width + i];
			if (bone == largest) continue;
			pair_sum *sum = sum_of(build, largest, bone);
			const double value = w->value[v * w->width + i];
			sum->mass += weight * value;
			sum->shared += value; /* the other one's is larger */
			add_point(sum->shared_point, value, p);
		}
	}
}

static void add_contact(graph_build *build, uint32_t v, uint32_t w)
{
	const uint32_t a = build->graph->bone_of_vertex[v], b = build->graph->bone_of_vertex[w];
	if (a == b || a == OSSA_NONE || b == OSSA_NONE) return;
	pair_sum *sum = sum_of(build, a, b);
	sum->contact += 1;
	add_point(sum->contact_point, 0.5, ossai_add(ossai_rest_point(build->surface, v), ossai_rest_point(build->surface, w)));
}

static void add_contacts(graph_build *build)
{
	const ossai_adjacency *adjacency = &build->surface->adjacency;
	for (uint32_t v = 0; v < build->surface->vertex_count; v++) {
		for (uint32_t i = adjacency->vertex_start[v]; i < adjacency->vertex_start[v + 1]; i++) {
			if (adjacency->vertex_neighbor[i] > v) add_contact(build, v, adjacency->vertex_neighbor[i]);
		}
	}
	const uint32_t *t = build->surface->triangles;
	for (size_t i = 0; i < build->surface->link_count; i++) {
		const uint32_t *link = build->surface->links + 2 * i;
		for (size_t j = 0; j < 3; j++) add_contact(build, t[3 * link[0] + j], t[3 * link[1] + j]);
	}
}

static void find_centers(graph_build *build)
{
	ossai_bone_graph *graph = build->graph;
	for (size_t v = 0; v < build->weights->vertex_count; v++) {
		const uint32_t bone = graph->bone_of_vertex[v];
		if (bone == OSSA_NONE) continue;
		const double area = build->surface->vertex_area[v];
		graph->area[bone] += area;
		graph->center[bone] = ossai_madd(graph->center[bone], area, ossai_rest_point(build->surface, v));
	}
	for (size_t b = 0; b < graph->bone_count; b++) {
		if (graph->area[b] > 0) graph->center[b] = ossai_scale(graph->center[b], 1 / graph->area[b]);
	}
}

static ossa_status list_pairs(ossai_arena *arena, graph_build *build)
{
	ossai_bone_graph *graph = build->graph;
	const uint32_t n = (uint32_t)graph->bone_count;
	size_t count = 0;
	for (size_t i = 0; i < (size_t)n * n; i++) count += build->sums[i].shared > 0 || build->sums[i].contact > 0;
	graph->pairs = ossai_arena_new(arena, count, sizeof *graph->pairs);
	if (!graph->pairs) return ossa_context_error(arena->context)->status;
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = a + 1; b < n; b++) {
			const pair_sum *sum = sum_of(build, a, b);
			if (!(sum->shared > 0 || sum->contact > 0)) continue;
			const bool blended = sum->shared > 0;
			const ossai_vec3 point = ossai_v3_of(blended ? sum->shared_point : sum->contact_point);
			graph->pairs[graph->pair_count++] = (ossai_bone_pair){
				a, b, sum->mass, sum->shared, sum->contact, ossai_scale(point, 1 / (blended ? sum->shared : sum->contact))};
		}
	}
	return OSSA_OK;
}

ossa_status ossai_bone_graph_make(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	bool area_weighting, ossai_bone_graph *graph)
{
	*graph = (ossai_bone_graph){.bone_count = weights->bone_count};
	graph->bone_of_vertex = ossai_arena_new(arena, weights->vertex_count, sizeof *graph->bone_of_vertex);
	graph->center = ossai_arena_zero(arena, weights->bone_count, sizeof *graph->center);
	graph->area = ossai_arena_zero(arena, weights->bone_count, sizeof *graph->area);
	ossai_arena temporary = ossai_arena_begin(arena->context);
	graph_build build = {
		surface, weights, graph, ossai_arena_zero(&temporary, weights->bone_count, weights->bone_count * sizeof(pair_sum))};
	ossa_status status = OSSA_OK;
	if (!graph->bone_of_vertex || !graph->center || !graph->area || !build.sums) {
		status = ossa_context_error(arena->context)->status;
	} else {
		find_largest(&build);
		add_blends(&build, area_weighting);
		add_contacts(&build);
		find_centers(&build);
		status = list_pairs(arena, &build);
	}
	ossai_arena_end(&temporary);
	return status;
}
