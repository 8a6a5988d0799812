/* body/figure.c: see figure.h. */
#include "body/figure.h"

#include <ossa/mesh.h>

/* breadth first from the end; on a tree the first path is the only one */
static ossa_status find_paths(
	ossai_arena *arena, const ossai_curve *curve, const uint32_t *start, const uint32_t *neighbor, ossai_figure_end *end)
{
	end->toward = ossai_arena_new(arena, curve->node_count, sizeof *end->toward);
	end->distance = ossai_arena_new(arena, curve->node_count, sizeof *end->distance);
	uint32_t *queue = ossai_arena_new(arena, curve->node_count, sizeof *queue);
	if (!end->toward || !end->distance || !queue) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < curve->node_count; i++) end->toward[i] = OSSA_NONE;
	size_t count = 0;
	queue[count++] = end->node;
	end->toward[end->node] = end->node;
	end->distance[end->node] = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t node = queue[i];
		for (uint32_t k = start[node]; k < start[node + 1]; k++) {
			const uint32_t next = neighbor[k];
			if (end->toward[next] != OSSA_NONE) continue;
			end->toward[next] = node;
			end->distance[next] = end->distance[node] + ossai_distance(curve->node[node], curve->node[next]);
			queue[count++] = next;
		}
	}
	return OSSA_OK;
}

static bool is_listed(const ossai_figure *figure, uint32_t node)
{
	for (size_t e = 0; e < figure->end_count; e++) {
		if (figure->end[e].node == node) return true;
	}
	return false;
}

/* the end of the chain that a tip's node is on; OSSA_NONE at a junction */
static uint32_t end_of_chain(const uint32_t *start, const uint32_t *neighbor, uint32_t node)
{
	if (ossai_curve_degree(start, node) == 1) return node;
	if (ossai_curve_degree(start, node) != 2) return OSSA_NONE;
	for (int k = 0; k < 2; k++) {
		uint32_t from = node, at = neighbor[start[node] + (uint32_t)k];
		while (ossai_curve_degree(start, at) == 2) {
			const uint32_t next = ossai_curve_onward(start, neighbor, from, at);
			from = at;
			at = next;
		}
		if (ossai_curve_degree(start, at) == 1) return at;
	}
	return OSSA_NONE;
}

ossa_status ossai_figure_make(ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, const ossai_tips *tips,
	const ossai_mirror *mirror, const ossai_mat3 *axes, ossai_figure *figure)
{
	*figure = (ossai_figure){.proxy = proxy, .curve = curve, .tips = tips, .mirror = mirror};
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 own = {k == 0, k == 1, k == 2};
		figure->axis[k] = axes ? ossai_mat3_mul_v(axes, own) : own;
	}
	figure->hand = ossai_dot(ossai_cross(figure->axis[0], figure->axis[1]), figure->axis[2]) < 0 ? -1 : 1;
	uint32_t *start, *neighbor;
	OSSAI_TRY(ossai_curve_neighbors(arena, curve, &start, &neighbor));
	for (size_t i = 0; i < tips->limb_count && figure->end_count < OSSAI_FIGURE_TIPS; i++) {
		const uint32_t node = end_of_chain(start, neighbor, curve->node_of_vertex[tips->vertex[i]]);
		if (node == OSSA_NONE || is_listed(figure, node)) continue;
		ossai_figure_end *end = &figure->end[figure->end_count++];
		*end = (ossai_figure_end){
			.node = node, .vertex = tips->vertex[i], .tip = tips->point[i], .persistence = tips->persistence[i]};
		OSSAI_TRY(find_paths(arena, curve, start, neighbor, end));
	}
	return OSSA_OK;
}

ossa_status ossai_figure_add_end(ossai_arena *arena, ossai_figure *figure, uint32_t vertex)
{
	uint32_t *start, *neighbor;
	OSSAI_TRY(ossai_curve_neighbors(arena, figure->curve, &start, &neighbor));
	ossai_figure_end *end = &figure->end[figure->end_count];
	*end = (ossai_figure_end){.node = figure->curve->node_of_vertex[vertex],
		.vertex = vertex,
		.tip = ossai_v3_of(figure->proxy->positions + 3 * (size_t)vertex)};
	OSSAI_TRY(find_paths(arena, figure->curve, start, neighbor, end));
	figure->end_count++;
	return OSSA_OK;
}

uint32_t ossai_figure_meet(const ossai_figure *figure, size_t a, size_t b, size_t c)
{
	const ossai_figure_end *from = &figure->end[a], *to = &figure->end[b], *third = &figure->end[c];
	uint32_t node = from->node;
	/* the path to b leaves that to c where the next nodes differ */
	while (node != to->node && to->toward[node] == third->toward[node]) node = to->toward[node];
	return node;
}

double ossai_figure_usual_front(const ossai_figure *figure, ossai_vec3 up, ossai_vec3 front)
{
	const bool is_z_up = fabs(ossai_dot(up, figure->axis[2])) > 0.5;
	return is_z_up ? -ossai_dot(front, figure->axis[1]) : ossai_dot(front, figure->axis[2]);
}

double ossai_figure_slimness(const ossai_figure *figure)
{
	size_t from = 0, to = 0;
	double longest = 0;
	for (size_t a = 0; a < figure->end_count; a++) {
		for (size_t b = a + 1; b < figure->end_count; b++) {
			const double length = figure->end[a].distance[figure->end[b].node];
			if (!(length > longest)) continue;
			longest = length;
			from = a;
			to = b;
		}
	}
	if (!(longest > 0)) return 0;
	const uint32_t *toward = figure->end[from].toward;
	const double *distance = figure->end[from].distance, *radius = figure->curve->radius;
	double sum = 0;
	for (uint32_t node = figure->end[to].node; toward[node] != node; node = toward[node])
		sum += (distance[node] - distance[toward[node]]) * (radius[node] + radius[toward[node]]) / 2;
	return sum > 0 ? log(longest * longest / sum) : 0;
}
