/* curve/settle.c: see settle.h.

   Which patch a branching stands for, and so where its node is, differs with every mesh of one shape; the largest ball in the body there hardly
   does. Joints are measured from branchings: what these move, all joints of their limbs would. */
#include "curve/settle.h"

#include <ossa/mesh.h>

typedef struct graph {
	ossai_curve *curve;
	uint32_t *start, *neighbor;
} graph;

static uint32_t degree(const graph *g, uint32_t node) { return g->start[node + 1] - g->start[node]; }

/* the node after `node` on a way that comes from `from`; `node` has two neighbours */
static uint32_t onward(const graph *g, uint32_t from, uint32_t node)
{
	const uint32_t first = g->neighbor[g->start[node]];
	return first != from ? first : g->neighbor[g->start[node] + 1];
}

/* nodes of the way that begins at the branching with `next` go onto the line to the first that is out of its ball */
static void straighten(const graph *g, uint32_t branching, uint32_t next)
{
	ossai_curve *curve = g->curve;
	const ossai_ball ball = curve->ball[branching];
	uint32_t end = next, before_end = branching, count = 1;
	for (; degree(g, end) == 2 && ossai_distance(curve->node[end], ball.center) < ball.radius; count++) {
		const uint32_t after = onward(g, before_end, end);
		before_end = end;
		end = after;
	}
	uint32_t from = branching, node = next;
	for (uint32_t i = 1; i < count; i++) {
		const double t = (double)i / count;
		curve->node[node] = ossai_lerp(ball.center, curve->node[end], t);
		curve->radius[node] = ball.radius + t * (curve->radius[end] - ball.radius);
		const uint32_t after = onward(g, from, node);
		from = node;
		node = after;
	}
}

ossa_status ossai_curve_settle(ossa_context *context, ossai_curve *curve)
{
	if (!curve->ball) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(context);
	graph g = {.curve = curve};
	const ossa_status status = ossai_curve_neighbors(&scratch, curve, &g.start, &g.neighbor);
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) {
		if (degree(&g, i) < 3) continue;
		curve->node[i] = curve->ball[i].center;
		curve->radius[i] = curve->ball[i].radius;
	}
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) {
		if (degree(&g, i) < 3) continue;
		for (uint32_t k = g.start[i]; k < g.start[i + 1]; k++) straighten(&g, i, g.neighbor[k]);
	}
	ossai_arena_end(&scratch);
	return status;
}
