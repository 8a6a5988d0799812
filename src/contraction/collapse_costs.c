/* contraction/collapse_costs.c: see collapse_costs.h. */
#include "contraction/collapse_costs.h"

#include <string.h>

enum { LINE_TERMS = OSSAI_LINE_TERMS, SMALL_DEGREE = OSSAI_SMALL_DEGREE };

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
static double half_cost(const ossai_collapser *c, uint32_t a, uint32_t b, double length)
{
	const ossai_vec3 v = ossai_collapse_position(c, b);
	const double shape = line_error(c->lines + LINE_TERMS * (size_t)a, v) + line_error(c->lines + LINE_TERMS * (size_t)b, v);
	return c->options->shape * shape + c->options->sampling * length * fmax(c->spread[a], 0);
}

/* a hub does not collapse into a vertex of far lower degree: all of its own edges would have to be
   updated, again and again */
static bool may_go(const ossai_collapser *c, uint32_t a, uint32_t b)
{
	return c->graph.degree[a] <= SMALL_DEGREE || c->graph.degree[a] <= 4 * (size_t)c->graph.degree[b];
}

double ossai_cost_of_short(ossai_collapser *c, uint32_t edge, uint32_t *kept_end)
{
	const uint32_t *end = c->graph.end + 2 * (size_t)edge;
	const uint32_t first = c->graph.degree[end[0]], second = c->graph.degree[end[1]];
	*kept_end = first > second || (first == second && end[0] < end[1]) ? 0 : 1;
	const double length = ossai_collapse_length(c, edge);
	return length;
}

static double cost_of_two(ossai_collapser *c, uint32_t edge, bool first_may_go, bool second_may_go, uint32_t *kept_end)
{
	const uint32_t a = c->graph.end[2 * (size_t)edge], b = c->graph.end[2 * (size_t)edge + 1];
	const double length = ossai_collapse_length(c, edge);
	const double first = first_may_go && may_go(c, a, b) ? half_cost(c, a, b, length) : INFINITY;
	const double second = second_may_go && may_go(c, b, a) ? half_cost(c, b, a, length) : INFINITY;
	*kept_end = first < second || (first == second && c->graph.degree[a] < c->graph.degree[b]) ? 1 : 0;
	return fmin(first, second);
}

double ossai_cost_with_faces(ossai_collapser *c, uint32_t edge, uint32_t *kept_end)
{
	if (!ossai_collapse_has_face(&c->graph, edge)) return INFINITY;
	return cost_of_two(c, edge, true, true, kept_end);
}

/* whether a third slot is adjacent to both ends: without faces that is a cycle of three edges */
static bool closes_loop(const ossai_collapser *c, uint32_t edge)
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

double ossai_cost_of_curve(ossai_collapser *c, uint32_t edge, uint32_t *kept_end)
{
	if (closes_loop(c, edge)) return INFINITY;
	/* a leaf keeps its position; it may vanish as a whole where its limb has become one edge at a
	   junction */
	const uint32_t *degree = c->graph.degree, *end = c->graph.end + 2 * (size_t)edge;
	const bool first_is_end = degree[end[0]] == 1 && degree[end[1]] == 2,
			   second_is_end = degree[end[1]] == 1 && degree[end[0]] == 2;
	return cost_of_two(c, edge, !first_is_end, !second_is_end, kept_end);
}

double ossai_cost_as_printed(ossai_collapser *c, uint32_t edge, uint32_t *kept_end)
{
	const uint32_t a = c->graph.end[2 * (size_t)edge], b = c->graph.end[2 * (size_t)edge + 1];
	const double length = ossai_collapse_length(c, edge), first = half_cost(c, a, b, length),
				 second = half_cost(c, b, a, length);
	*kept_end = first < second || (first == second && a > b) ? 1 : 0;
	return fmin(first, second);
}

void ossai_collapse_gather(ossai_collapser *c)
{
	const ossai_collapse_graph *g = &c->graph;
	memset(c->lines, 0, g->vertex_count * LINE_TERMS * sizeof *c->lines);
	memset(c->spread, 0, g->vertex_count * sizeof *c->spread);
	for (size_t e = 0; e < g->edge_count; e++) {
		if (g->is_dead[e]) continue;
		const uint32_t a = g->end[2 * e], b = g->end[2 * e + 1];
		const double length = ossai_collapse_length(c, (uint32_t)e);
		c->spread[a] += length;
		c->spread[b] += length;
		if (!(length > 0)) continue;
		const ossai_vec3 p = ossai_collapse_position(c, a),
						 along = ossai_scale(ossai_sub(ossai_collapse_position(c, b), p), 1 / length);
		add_line(c->lines + LINE_TERMS * (size_t)a, along, p);
		add_line(c->lines + LINE_TERMS * (size_t)b, along, p);
	}
}
